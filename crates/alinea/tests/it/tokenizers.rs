//! Tokens against those of sacreBLEU and SentencePiece, and against the published substitutions done one by one.

use std::ops::Range;

use alinea::format::tokens::{self, SubwordModel, Tokenize};
use alinea::metric::tokenize::{
    Characters, SentencePiece, ThirteenA, Tokenizer, TokenizerOptions, Tokens, is_blank, tokenizer_by_name,
};
use proptest::prelude::*;
use serde_json::Value;

/// Tokens by sacreBLEU 2.6.0, SentencePiece 0.2.3 and MeCab.
const VECTORS: &str = include_str!("../vectors/tokenizers.jsonl");

const MODELS: [(&str, &[u8]); 4] = [
    ("unigram", include_bytes!("../vectors/sentence-piece/unigram.model")),
    ("bpe", include_bytes!("../vectors/sentence-piece/bpe.model")),
    ("bytes", include_bytes!("../vectors/sentence-piece/bytes.model")),
    ("bytesbpe", include_bytes!("../vectors/sentence-piece/bytesbpe.model")),
];

fn vectors(op: &'static str) -> impl Iterator<Item = Value> {
    VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).filter(move |vector| vector["op"] == op)
}

/// Tokens with blanks between them.
fn joined(tokenizer: &dyn Tokenizer, line: &str) -> String {
    let mut tokens = Tokens::default();
    tokenizer.tokenize(line, &mut tokens).unwrap();
    assert_eq!(tokens.len(), tokens.iter().count());
    assert_eq!(tokens.is_empty(), tokens.iter().next().is_none());
    tokens.iter().collect::<Vec<_>>().join(" ")
}

#[test]
fn tokens_are_those_of_sacrebleu() {
    let mut checked = 0;
    for vector in vectors("tokenize") {
        for (name, expected) in vector["expect"].as_object().unwrap() {
            let tokenizer = tokenizer_by_name(name, &TokenizerOptions::default()).unwrap();
            let line = vector["input"].as_str().unwrap();
            assert_eq!(joined(tokenizer.as_ref(), line), expected.as_str().unwrap(), "{name}: {line:?}");
            checked += 1;
        }
    }
    assert!(checked >= 5 * 250, "{checked}");
}

#[test]
fn pieces_are_those_of_sentence_piece() {
    for (name, bytes) in MODELS {
        let tokenizer = SentencePiece::from_bytes(bytes, name, "flores101").unwrap();
        assert_eq!(tokenizer.name(), "flores101");
        let mut checked = 0;
        for vector in vectors("sentence_piece").filter(|vector| vector["model"] == name) {
            let line = vector["input"].as_str().unwrap();
            assert_eq!(joined(&tokenizer, line), vector["expect"].as_str().unwrap(), "{name}: {line:?}");
            checked += 1;
        }
        assert!(checked >= 100, "{checked}");
    }
}

/// The words of a line, and their places in bytes.
fn cut(line: &str, tokenize: Tokenize) -> Vec<(String, Range<usize>)> {
    let (mut words, places) = (Vec::new(), tokens::places(line, tokenize));
    tokens::for_each(line, tokenize, |word| words.push(String::from_utf8(word.to_vec()).unwrap()));
    assert_eq!(tokens::count(line, tokenize), words.len());
    assert_eq!(places.len(), words.len());
    words.into_iter().zip(places).collect()
}

#[test]
fn pieces_are_where_sentence_piece_has_them() {
    for (name, bytes) in MODELS {
        let tokenize = Tokenize::SentencePiece(SubwordModel::from_bytes(bytes, name).unwrap());
        let mut checked = 0;
        for vector in vectors("sentence_piece").filter(|vector| vector["model"] == name) {
            let line = vector["input"].as_str().unwrap();
            // Without the blanks, which belong to a piece there, what is read as one, and what is left out.
            let is_nothing = |c: char| c.is_whitespace() || c == '▁' || c == '\u{200B}';
            let bare = |Range { start, end }: Range<usize>| {
                let piece = line[start..end].trim_start_matches(is_nothing);
                end - piece.len()..end - (piece.len() - piece.trim_end_matches(is_nothing).len())
            };
            let place = |place: &Value| {
                let [start, end] = [0, 1].map(|side| place[side].as_u64().unwrap() as usize);
                start..end
            };
            let expected = vector["places"].as_array().unwrap().iter().map(place);
            let found = cut(line, tokenize);
            let (pieces, places): (Vec<String>, Vec<Range<usize>>) = found.into_iter().unzip();
            // Blanks of other kinds, which tokens of metrics do not have.
            let joined =
                pieces.join(" ").split(is_blank).filter(|piece| !piece.is_empty()).collect::<Vec<_>>().join(" ");
            assert_eq!(joined, vector["expect"].as_str().unwrap(), "{name}: {line:?}");
            assert_eq!(places.len(), expected.len(), "{name}: {line:?}");
            for (place, expected) in places.into_iter().zip(expected) {
                assert!(!line[place.clone()].starts_with(' '), "{place:?} in {name}: {line:?}");
                let [place, expected] = [place, expected].map(bare);
                let is_same = place == expected || place.is_empty() && expected.is_empty();
                assert!(is_same, "{place:?}, not {expected:?}, in {name}: {line:?}");
                checked += 1;
            }
        }
        assert!(checked >= 1000, "{checked}");
    }
}

#[test]
fn dictionaries_cut_as_those_of_icu() {
    let mut checked = 0;
    for vector in vectors("dictionary") {
        let found = cut(vector["input"].as_str().unwrap(), Tokenize::Dictionary);
        let words: Vec<String> = found.into_iter().map(|word| word.0).collect();
        assert_eq!(serde_json::json!(words), vector["expect"]);
        checked += 1;
    }
    assert_eq!(checked, 18);
}

#[test]
fn damaged_models_are_refused_or_work() {
    for (name, bytes) in MODELS {
        for length in (0..bytes.len()).step_by(61) {
            if let Ok(tokenizer) = SentencePiece::from_bytes(&bytes[..length], name, "spm") {
                joined(&tokenizer, "a line with some words, for all that is left");
            }
        }
        for place in (0..bytes.len()).step_by(37) {
            let mut damaged = bytes.to_vec();
            damaged[place] ^= 0xff;
            if let Ok(tokenizer) = SentencePiece::from_bytes(&damaged, name, "spm") {
                joined(&tokenizer, "Æsop’s words … é e\u{301} 日本");
            }
        }
    }
    for bytes in [&b""[..], b"not a model", &[0x0a, 0xff, 0xff, 0xff, 0xff, 0xff]] {
        let error = SentencePiece::from_bytes(bytes, "my.model", "spm").unwrap_err().to_string();
        assert!(error.starts_with("my.model: expected a model of SentencePiece, found "), "{error}");
    }
}

/// One of the substitutions of sacreBLEU's `tokenizer_re`: neighbors that match, from the left, become what is written.
fn substitute(
    line: &[char],
    matches: impl Fn(char, char) -> bool,
    write: impl Fn(char, char) -> [char; 4],
) -> Vec<char> {
    let (mut written, mut place) = (Vec::new(), 0);
    while place < line.len() {
        match line.get(place + 1) {
            Some(&second) if matches(line[place], second) => {
                written.extend(write(line[place], second));
                place += 2;
            }
            _ => {
                written.push(line[place]);
                place += 1;
            }
        }
    }
    written
}

/// `13a` as published, a substitution at a time.
fn thirteen_a(line: &str) -> String {
    let line = line.replace("<skipped>", "").replace("-\n", "").replace('\n', " ");
    let line = line.replace("&quot;", "\"").replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">");
    let stop = |c: char| matches!(c, '.' | ',');
    let mut spaced: Vec<char> = vec![' '];
    for c in line.chars() {
        let separate = matches!(c, '{'..='~' | '['..='`' | ' '..='&' | '('..='+' | ':'..='@' | '/');
        spaced.extend(if separate { vec![' ', c, ' '] } else { vec![c] });
    }
    spaced.push(' ');
    let line = substitute(&spaced, |a, b| !a.is_ascii_digit() && stop(b), |a, b| [a, ' ', b, ' ']);
    let line = substitute(&line, |a, b| stop(a) && !b.is_ascii_digit(), |a, b| [' ', a, ' ', b]);
    let line = substitute(&line, |a, b| a.is_ascii_digit() && b == '-', |a, b| [a, ' ', b, ' ']);
    let line: String = line.into_iter().collect();
    line.split(is_blank).filter(|token| !token.is_empty()).collect::<Vec<_>>().join(" ")
}

proptest! {
    #[test]
    fn one_pass_is_the_substitutions_one_by_one(line in "([.,1-]|[ a&<é中\u{a0}\u{2028}\u{3000}\n\"'%]|[.]{2,4}|<skipped>|&(amp;)?lt;){0,12}") {
        prop_assert_eq!(joined(&ThirteenA, &line), thirteen_a(&line));
    }

    /// None of them changes, adds or loses a character, but blanks.
    #[test]
    fn tokens_are_the_line_without_blanks(line in "([^&<\n]|[.,1-]){0,20}") {
        let letters = |text: &str| text.chars().filter(|&c| !is_blank(c)).collect::<String>();
        for name in ["none", "13a", "intl", "char", "zh", "zh-fixed"] {
            let tokenizer = tokenizer_by_name(name, &TokenizerOptions::default()).unwrap();
            prop_assert_eq!(letters(&joined(tokenizer.as_ref(), &line)), letters(&line), "{}", name);
        }
        prop_assert_eq!(joined(&Characters, &line).split(' ').count().max(1), letters(&line).chars().count().max(1));
    }
}

/// The code points that sacreBLEU's ranges were meant to have (Unicode's blocks), and those that they have instead.
#[test]
fn rare_ideographs_are_characters_in_zh_fixed() {
    let tokens =
        |name: &str, line: &str| joined(tokenizer_by_name(name, &TokenizerOptions::default()).unwrap().as_ref(), line);
    for line in ["\u{20000}\u{2a6d6}", "\u{2f800}\u{2fa1d}", "\u{9fff}\u{4dbf}", "\u{30000}"] {
        let apart = line.chars().map(String::from).collect::<Vec<_>>().join(" ");
        assert_eq!(tokens("zh", line), line);
        assert_eq!(tokens("zh-fixed", line), apart);
    }
    assert_eq!((tokens("zh", "x→y"), tokens("zh-fixed", "x→y")), ("x → y".to_owned(), "x→y".to_owned()));
    assert_eq!(tokens("zh-fixed", "我们，在2.5度。"), "我 们 ， 在 2.5 度 。");
}
