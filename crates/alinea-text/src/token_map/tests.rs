//! Maps and links compared with their definitions, character by character.

#![expect(clippy::single_range_in_vec_init, reason = "a list of one range is meant")]

use std::collections::BTreeSet;
use std::ops::Range;

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

use super::*;
use crate::alignment::{Alignment, Link};
use crate::error::ErrorKind;
use crate::format::alignment::{LinkKind, LinkRecord, PairRecord};

fn matched(from: &str, to: &str) -> Result<TokenMap, Mismatch> {
    let mut map = TokenMap::default();
    TokenMatcher::new().match_lines(from, to, &mut map).map(|()| map)
}

fn ranges(from: &str, to: &str) -> Vec<Range<u32>> {
    let map = matched(from, to).unwrap_or_else(|mismatch| panic!("{from} / {to}: {mismatch:?}"));
    (0..map.len() as u32).map(|token| map.of(token)).collect()
}

/// A word, and where it is cut into pieces.
type CutWord = Vec<String>;

/// Words of characters that marks have, too, cut anywhere but where text would be a mark.
fn cut_words() -> impl Strategy<Value = Vec<CutWord>> {
    let is_text = |piece: &String| !piece.ends_with("@@") && !piece.starts_with("##");
    prop::collection::vec(prop::collection::vec("[ab@#&;_éß東�Ġ<>]{1,3}".prop_filter("a mark", is_text), 1..4), 1..6)
}

/// The ways to write pieces, and how each word is written.
type Writing = fn(usize, &[String]) -> Vec<String>;
const WRITINGS: [Writing; 4] = [sentence_pieces, joined, word_pieces, byte_level];

fn marked(word: &[String], mark: impl Fn(usize, &str) -> String) -> Vec<String> {
    word.iter().enumerate().map(|(number, piece)| mark(number, piece)).collect()
}

fn sentence_pieces(_: usize, word: &[String]) -> Vec<String> {
    marked(word, |number, piece| if number == 0 { format!("▁{piece}") } else { piece.to_owned() })
}

fn joined(_: usize, word: &[String]) -> Vec<String> {
    marked(word, |number, piece| if number + 1 < word.len() { format!("{piece}@@") } else { piece.to_owned() })
}

fn word_pieces(_: usize, word: &[String]) -> Vec<String> {
    marked(word, |number, piece| if number > 0 { format!("##{piece}") } else { piece.to_owned() })
}

/// As GPT-2's `bytes_to_unicode` has it.
fn byte_level(number: usize, word: &[String]) -> Vec<String> {
    let visible = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let others: Vec<u8> = (0..=255).filter(|byte| !visible(byte)).collect();
    let character = |byte: u8| match others.iter().position(|&other| other == byte) {
        Some(place) => char::from_u32(0x100 + place as u32).unwrap(),
        None => char::from(byte),
    };
    let blank = if number > 0 { " " } else { "" };
    let text = |n: usize, piece: &str| format!("{}{piece}", if n == 0 { blank } else { "" });
    marked(word, |n, piece| text(n, piece).bytes().map(character).collect())
}

/// For each token of the one cut the hull of those of the other that have one of its characters: characters are numbered, and each
/// cut says of each what token it is in.
fn by_character(one: &[usize], other: &[usize], tokens: usize) -> Vec<Range<u32>> {
    let hull = |token: usize| {
        let shared = one.iter().zip(other).filter(|&(&own, _)| own == token).map(|(_, &other)| other as u32);
        let shared: BTreeSet<u32> = shared.collect();
        shared.first().map_or(0..0, |&first| first..shared.last().unwrap() + 1)
    };
    (0..tokens).map(hull).collect()
}

fn is_same(found: &TokenMap, one: &[usize], other: &[usize]) -> bool {
    let same = |found: &Vec<Range<u32>>, expected: Vec<Range<u32>>| {
        found.iter().zip(&expected).all(|(f, e)| f == e || f.is_empty() && e.is_empty())
            && found.len() == expected.len()
    };
    same(&found.to, by_character(one, other, found.len()))
        && same(&found.from, by_character(other, one, found.other_len()))
}

/// A text in which each character has a token in two cuts, with the tokens of both.
fn two_cuts() -> impl Strategy<Value = (Vec<char>, Vec<usize>, Vec<usize>)> {
    let characters = prop::collection::vec(
        (
            prop::sample::select("abÀe\u{301}\u{323}\u{300}각ﬁ…'\"&<[-ﾊﾞ①".chars().collect::<Vec<_>>()),
            any::<bool>(),
            any::<bool>(),
        ),
        1..20,
    );
    characters.prop_map(|characters| {
        let cut = |ends: Vec<bool>| {
            let before = |place: usize| ends[..place].iter().filter(|&&end| end).count();
            (0..ends.len()).map(before).collect::<Vec<usize>>()
        };
        let text = characters.iter().map(|&(c, ..)| c).collect();
        (text, cut(characters.iter().map(|c| c.1).collect()), cut(characters.iter().map(|c| c.2).collect()))
    })
}

fn tokens_of(text: &[char], cut: &[usize]) -> Vec<String> {
    let mut tokens = vec![String::new(); cut.last().unwrap() + 1];
    for (&character, &token) in text.iter().zip(cut) {
        tokens[token].push(character);
    }
    tokens
}

fn escaped(token: &str) -> String {
    let escapes = [("&", "&amp;"), ("'", "&apos;"), ("\"", "&quot;"), ("<", "&lt;"), ("[", "&#91;")];
    let escaped = escapes.iter().fold(token.to_owned(), |token, (plain, escape)| token.replace(plain, escape));
    if escaped == "-" { "@-@".to_owned() } else { escaped }
}

fn links() -> impl Strategy<Value = Vec<(u32, u32, bool, Option<u8>)>> {
    prop::collection::vec((0..5u32, 0..5u32, any::<bool>(), prop::option::of(0..4u8)), 0..12)
}

proptest! {
    #[test]
    fn pieces_are_those_of_their_words_in_all_writings(words in cut_words(), writing in 0..4usize, way_back: bool) {
        let text: Vec<String> = words.iter().map(|word| word.concat()).collect();
        let pieces: Vec<Vec<String>> = words.iter().enumerate().map(|(n, word)| WRITINGS[writing](n, word)).collect();
        let line = pieces.concat().join(" ");
        let map = if way_back { matched(&line, &text.join(" ")).map(|map| map.inverted()) } else { matched(&text.join(" "), &line) };
        let map = map.unwrap_or_else(|mismatch| panic!("{text:?} / {line}: {mismatch:?}"));
        let mut end = 0;
        for (n, (word, pieces)) in text.iter().zip(&pieces).enumerate() {
            let start = end;
            end += pieces.len() as u32;
            prop_assert!(map.of(n as u32) == (start..end), "{} in {:?} / {}: {:?}", word, text, line, map);
        }
    }

    #[test]
    fn tokens_share_characters_however_they_are_written((text, one, other) in two_cuts(), nfkc: bool, escapes: bool) {
        let [ones, others] = [&one, &other].map(|cut| tokens_of(&text, cut));
        let written = |token: &String| {
            let token = if nfkc { token.nfkc().filter(|c| *c != ' ').collect() } else { token.clone() };
            if escapes { escaped(&token) } else { token }
        };
        let others: Vec<String> = others.iter().map(written).collect();
        let mut map = TokenMap::default();
        let tokens = |tokens: &[String]| tokens.iter().map(|token| token.as_bytes().to_vec()).collect::<Vec<_>>();
        let (ones, others) = (tokens(&ones), tokens(&others));
        let matched = TokenMatcher::new().match_tokens(ones.iter().map(Vec::as_slice), others.iter().map(Vec::as_slice), &mut map);
        prop_assert_eq!(matched, Ok(()));
        prop_assert!(is_same(&map, &one, &other), "{:?}", map);
    }

    #[test]
    fn spans_share_what_lies_in_both(
        spans in prop::collection::vec((0..12usize, 0..4usize), 0..8), others in prop::collection::vec((0..12usize, 0..4usize), 0..8),
    ) {
        let [spans, others] = [spans, others].map(|spans| spans.into_iter().map(|(at, length)| at..at + length).collect::<Vec<_>>());
        let map = TokenMap::of_spans(&spans, &others);
        for (n, span) in (0..).zip(&spans) {
            let shared: BTreeSet<u32> =
                (0..).zip(&others).filter(|(_, other)| span.clone().any(|c| other.contains(&c))).map(|(m, _)| m).collect();
            let hull = shared.first().map_or(0..0, |&first| first..shared.last().unwrap() + 1);
            prop_assert_eq!(map.of(n), hull);
        }
        prop_assert_eq!(map.inverted(), TokenMap::of_spans(&others, &spans));
    }

    #[test]
    fn links_become_all_links_of_the_pieces_and_come_back(
        source in prop::collection::vec(1..4u32, 5), target in prop::collection::vec(1..4u32, 5), links in links(),
    ) {
        let cut = |lengths: &[u32]| {
            let words: Vec<usize> = lengths.iter().map(|&length| length as usize).collect();
            let ends = |steps: Vec<usize>| steps.iter().scan(0, |end, step| { *end += step; Some(*end) }).collect::<Vec<_>>();
            let mut map = TokenMap::default();
            map.cut(&ends(words.clone()), &ends(vec![1; words.iter().sum()]));
            map
        };
        let [source, target] = [cut(&source), cut(&target)];
        let record = |&(source, target, possible, weight): &(u32, u32, bool, Option<u8>)| LinkRecord {
            link: Link { source, target },
            kind: if possible { LinkKind::Possible } else { LinkKind::Sure },
            weight: weight.map(f32::from),
        };
        let mut pair = PairRecord { links: links.iter().map(record).collect(), ..PairRecord::default() };
        let before = { let mut pair = pair.clone(); pair.normalize(); pair };
        let mut transfer = LinkTransfer::default();
        prop_assert_eq!(transfer.transfer(&mut pair, Some(&source), Some(&target)).unwrap(), 0);
        let pieces: Alignment = before.links.iter().flat_map(|old| {
            let of = |piece: u32, map: &TokenMap, word: u32| map.back(piece).contains(&word);
            let (source, target) = (&source, &target);
            (0..source.other_len() as u32).flat_map(move |s| (0..target.other_len() as u32).map(move |t| Link::new(s, t)))
                .filter(move |link| of(link.source, source, old.link.source) && of(link.target, target, old.link.target))
        }).collect();
        prop_assert_eq!(pair.alignment(), pieces);
        transfer.transfer(&mut pair, Some(&source.inverted()), Some(&target.inverted())).unwrap();
        prop_assert_eq!(pair, before);
    }

    #[test]
    fn nothing_panics_and_maps_stay_within_their_lines(
        from in "([ab&;@#▁é\u{301}\u{323}Ã©Ġ<>x0C39]|&amp;|@@|##| |<unk>|</s>|\\[UNK\\]|<0xC3>){0,12}",
        to in "([ab&;@#▁é\u{301}\u{323}Ã©Ġ<>x0C39]|&amp;|@@|##| |<unk>|</s>|\\[UNK\\]|<0xC3>){0,12}", ignores_case: bool,
    ) {
        let mut map = TokenMap::default();
        let tokens = [&from, &to].map(|line| line.split(' ').filter(|token| !token.is_empty()).count());
        match TokenMatcher::new().ignoring_case(ignores_case).match_lines(&from, &to, &mut map) {
            Ok(()) => {
                prop_assert_eq!([map.len(), map.other_len()], tokens);
                prop_assert!(map.to.iter().all(|range| range.end as usize <= tokens[1]));
                prop_assert!(map.from.iter().all(|range| range.end as usize <= tokens[0]));
                for (n, range) in (0..).zip(&map.to) {
                    prop_assert!(range.is_empty() || map.back(range.start).contains(&n) && map.back(range.end - 1).contains(&n));
                }
            }
            Err(Mismatch { from, to }) => {
                prop_assert!(from.is_none_or(|n| n < tokens[0]) && to.is_none_or(|n| n < tokens[1]) && (from, to) != (None, None));
                prop_assert!(map.is_empty());
            }
        }
    }
}

/// Pieces of SentencePiece 0.2 and of `tokenizers` 0.22, and what Moses writes.
#[test]
fn pieces_of_other_programs() {
    assert_eq!(ranges("Das Haus , groß", "▁Das ▁Ha us ▁ , ▁gro <0xC3> <0x9F>"), [0..1, 1..3, 4..5, 5..8]);
    assert_eq!(ranges("the … ½ ①", "▁the ▁... ▁1 ⁄ 2 ▁1"), [0..1, 1..2, 2..5, 5..6]);
    assert_eq!(
        ranges("l&apos; eau &amp; &quot; état @-@ major &quot;", "L'eau & \"état-major\"".to_lowercase().as_str()),
        [0..1, 0..1, 1..2, 2..3, 2..3, 2..3, 2..3, 2..3]
    );
    assert_eq!(ranges("l&apos; eau", "▁l & ap os ; ▁eau"), [0..5, 5..6]);
    assert_eq!(ranges("l' eau", "l & ap os ; eau"), [0..5, 5..6]);
    assert_eq!(ranges("naïve 東京", "na ##ï ##ve 東 京"), [0..3, 3..5]);
    assert_eq!(ranges("naïve 東京", "[CLS] na ##ï ##ve [UNK] [SEP]"), [1..4, 4..5]);
    assert_eq!(ranges("naïve 東京 !", "<s> Ġna Ã ¯ ve ĠæĿ± äº¬ Ġ! </s>"), [1..5, 5..7, 7..8]);
}

#[test]
fn words_may_look_like_marks() {
    assert_eq!(ranges("a@@ b", "a @@ b"), [0..2, 2..3]);
    assert_eq!(ranges("mail@@ now", "ma@@ il@@ now"), [0..2, 2..3]);
    assert_eq!(ranges("a@@ ##b c", "a@@ ##b c"), [0..1, 1..2, 2..3]);
    assert_eq!(ranges("## 1", "# # 1"), [0..2, 2..3]);
    assert_eq!(ranges("<unk> is <0xC3>", "▁< unk > ▁is ▁<0xC3>"), [0..3, 3..4, 4..5]);
    assert_eq!(ranges("AT &amp; lt ;", "AT & lt ;"), [0..1, 1..2, 2..3, 3..4]);
}

#[test]
fn marks_that_compose_across_tokens() {
    assert_eq!(ranges("caf\u{e9} x", "cafe \u{301}x"), [0..2, 1..2]);
    assert_eq!(ranges("cafe \u{301} x", "▁caf\u{e9} ▁x"), [0..1, 0..1, 1..2]);
    assert_eq!(ranges("각", "\u{1100} \u{1161}\u{11a8}"), [0..2]);
}

#[test]
fn unknown_tokens_stand_for_what_is_left() {
    assert_eq!(ranges("a 東京 b", "▁a ▁ <unk> ▁b"), [0..1, 2..3, 3..4]);
    assert_eq!(ranges("東 a 京 a", "<unk> a <unk> a"), [0..1, 1..2, 2..3, 3..4]);
    assert!(matched("a 東京 b", "a <unk> c").is_err());
    assert!(matched("a", "a <unk>").is_err(), "an unknown token has characters");
}

#[test]
fn case_is_ignored_if_it_is_to_be() {
    let mut map = TokenMap::default();
    let mut matches = |ignored, from: &str, to: &str| {
        TokenMatcher::new().ignoring_case(ignored).match_lines(from, to, &mut map).is_ok()
    };
    for (from, to) in [("Das Haus", "das haus"), ("STRASSE", "straße"), ("Été", "ete"), ("L&apos;Été", "l ' e ##te")]
    {
        assert!(matches(true, from, to), "{from}");
        assert!(!matches(false, from, to), "{from}");
    }
    assert!(!matches(true, "das", "dass"));
}

#[test]
fn differences_are_where_they_begin() {
    let differ = |from, to| matched(from, to).map_err(|Mismatch { from, to }| (from, to)).unwrap_err();
    assert_eq!(differ("the house", "▁the ▁hou ze"), (Some(1), Some(2)));
    assert_eq!(differ("the house", "▁the"), (Some(1), None));
    assert_eq!(differ("", "a"), (None, Some(0)));
    assert_eq!(differ("a b c", "a@@ b@@ d"), (Some(2), Some(2)));
    assert_eq!(matched("", " \t").unwrap().len(), 0);
}

#[test]
fn links_out_of_the_line_and_too_many_are_refused() {
    let map = matched("a b", "a b").unwrap();
    let mut pair = PairRecord { links: vec![LinkRecord::sure(0, 0), LinkRecord::sure(1, 2)], ..PairRecord::default() };
    let before = pair.clone();
    let mut transfer = LinkTransfer::default();
    assert!(transfer.transfer(&mut pair, Some(&map), None).is_ok());
    let error = transfer.transfer(&mut pair, Some(&map), Some(&map)).unwrap_err();
    assert_eq!(error.to_string(), "link 1-2 is out of range, the source has 2 tokens, the target 2");
    assert_eq!(pair, before);
    let long = matched(&"a".repeat(5000), &"a ".repeat(5000)).unwrap();
    pair.links.truncate(1);
    let error = transfer.transfer(&mut pair, Some(&long), Some(&long)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OverLimit { .. }), "{error}");
}

#[test]
fn links_of_blanks_are_left_out() {
    let map = matched("▁ a ▁ b", "▁a ▁b").unwrap();
    let links = vec![LinkRecord::sure(0, 0), LinkRecord::sure(1, 0), LinkRecord::sure(3, 1)];
    let mut pair = PairRecord { links, ..PairRecord::default() };
    assert_eq!(LinkTransfer::default().transfer(&mut pair, Some(&map), None).unwrap(), 1);
    assert_eq!(pair.alignment(), [(0, 0), (1, 1)].into());
}
