//! Expected numbers and places are those of version 0.23.3 of the Python package `tokenizers`, where not said
//! otherwise. It was asked with the same vocabularies, but other names of the special pieces, which no text has.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::file::Unusable;
use super::{Piece, Tokenizer};
use crate::error::ErrorKind;

/// A double array of `ﬁ` Ａ `e◌́` U+00A0 U+FEFF `´` `㎢` in the layout of Darts-clone: places and nodes; other places are
/// unused.
const NODES: [(usize, u32); 23] = [
    (0, 0x19000),
    (1, 0x33c65),
    (2, 0x214cc),
    (3, 0x11a0),
    (4, 0x2bc8e),
    (5, 0x238ac),
    (6, 0x2d81),
    (7, 0x8000_0003),
    (8, 0x8000_0005),
    (9, 0x1da2),
    (10, 0x1581),
    (11, 0x6dbf),
    (12, 0x75a1),
    (14, 0x8000_0009),
    (15, 0x8000_000d),
    (16, 0x8000_0010),
    (17, 0x8000_0011),
    (18, 0x298bb),
    (21, 0x2e0bc),
    (23, 0x7db4),
    (135, 0x34e3),
    (139, 0x88ef),
    (166, 0x14c2),
];

/// The number of a piece, and where it starts and ends.
type Expected = (u32, usize, usize);

/// Changes a description.
type Change<'c> = &'c dyn Fn(&mut Value);

/// What the values of the array lead to.
const REPLACEMENTS: &str = "é\0 \0 \u{301}\0km2\0fi\0\0A\0";

fn table() -> Vec<u8> {
    let mut nodes = [0x8000_0000_u32; 256];
    for (place, node) in NODES {
        nodes[place] = node;
    }
    let length = 4 * nodes.len() as u32;
    let words = [length].into_iter().chain(nodes).flat_map(u32::to_le_bytes);
    words.chain(REPLACEMENTS.bytes()).collect()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let byte = |place: usize| group.get(place).map_or(0, |&byte| usize::from(byte));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        text.extend((0..=group.len()).map(|place| char::from(DIGITS[bits >> (18 - 6 * place) & 63])));
        text.push_str(["", "==", "="][group.len() % 3]);
    }
    text
}

fn added(names: &[&str]) -> Value {
    let token = |(id, name): (usize, &&str)| json!({"id": id, "content": name, "special": true, "normalized": false});
    names.iter().enumerate().map(token).collect()
}

/// A small tokenizer of the kind of XLM-RoBERTa's.
fn unigram() -> Value {
    let precompiled = json!({"type": "Precompiled", "precompiled_charsmap": base64(&table())});
    let replace = json!({"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "});
    json!({
        "version": "1.0",
        "added_tokens": added(&["<s>", "<pad>", "</s>", "<unk>"]),
        "normalizer": {"type": "Sequence", "normalizers": [precompiled, replace]},
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "</s>", "type_id": 0}}],
            "special_tokens": {"<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
                "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}},
        },
        "decoder": null,
        "model": {"type": "Unigram", "unk_id": 3, "byte_fallback": false, "vocab": [
            ["<s>", 0], ["<pad>", 0], ["</s>", 0], ["<unk>", 0.0], ["▁", -3.0], ["a", -4.5], ["b", -4.0], ["ab", -7.5],
            ["▁a", -5.0], ["fi", -5.5], ["f", -6.0], ["i", -6.0], ["n", -6.0], ["A", -6.5], ["é", -6.0], ["s", -5.0],
            ["<", -7.0], [">", -7.0], ["km", -6.5], ["2", -6.5], ["aa", -9.0], ["\u{301}", -7.25], ["/", -7.0],
            ["k", -9.0], ["m", -9.0],
        ]},
    })
}

/// A small tokenizer of the kind of BERT's.
fn word_piece(lowercase: bool, strip_accents: Option<bool>, others: bool) -> Value {
    let names = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        "a",
        "b",
        "##b",
        "ab",
        "##ab",
        "e",
        "é",
        "É",
        "##s",
        "[",
        "]",
        "cls",
        "CLS",
        "中",
        "文",
        "##文",
        "!",
        "don",
        "'",
        "t",
        "x",
        "##x",
        "i",
        "##\u{307}",
        "u",
        "U",
        "ss",
        "ß",
        "한",
        "가",
        "\u{1112}",
        "##\u{1161}",
        "##\u{11ab}",
        "ế",
        "##e",
        "e\u{301}",
        "«",
        "$",
        "##$",
        "ह",
        "हि",
        "##\u{93f}",
        "i\u{307}",
    ];
    let vocabulary: serde_json::Map<String, Value> =
        names.iter().zip(0..).map(|(name, id)| ((*name).to_owned(), json!(id))).collect();
    json!({
        "added_tokens": added(&names[..5]),
        "normalizer": {"type": "BertNormalizer", "clean_text": others, "handle_chinese_chars": others,
            "strip_accents": strip_accents, "lowercase": lowercase},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary},
    })
}

fn read(file: &Value) -> Tokenizer {
    Tokenizer::from_bytes(file.to_string().as_bytes()).expect("a tokenizer that can be used")
}

fn pieces(tokenizer: &Tokenizer, text: &str) -> Vec<(u32, usize, usize)> {
    let mut pieces = Vec::new();
    tokenizer.pieces(text, &mut pieces);
    pieces.into_iter().map(|Piece { id, start, end }| (id, start, end)).collect()
}

fn check_ids(tokenizer: &Tokenizer, expected: &[(&str, &[u32])]) {
    for &(text, ids) in expected {
        let found: Vec<u32> = pieces(tokenizer, text).into_iter().map(|piece| piece.0).collect();
        assert_eq!(found, ids, "{}", text.escape_debug());
    }
}

/// What is refused, as `expected …, found …`.
fn refusal(file: &Value) -> String {
    let Unusable { expected, found } =
        Tokenizer::from_bytes(file.to_string().as_bytes()).expect_err("a file that cannot be used");
    format!("expected {expected}, found {found}")
}

#[test]
fn unigram_finds_the_pieces_of_the_library() {
    let tokenizer = read(&unigram());
    check_ids(
        &tokenizer,
        &[
            ("", &[]),
            ("a", &[8]),
            ("ab", &[8, 6]),
            ("aab", &[8, 7]),
            ("abab", &[8, 6, 7]),
            // Two segmentations are equally probable.
            ("aaaaa", &[8, 20, 20]),
            ("x", &[4, 3]),
            ("xy", &[4, 3]),
            ("axyb", &[8, 3, 6]),
            ("☃☃a☃", &[4, 3, 5, 3]),
            ("ﬁn", &[4, 9, 12]),
            ("㎢", &[4, 18, 19]),
            ("e\u{301}a", &[4, 14, 5]),
            // The accent is lost: the shortest beginning that the table has is the letter.
            ("Ａ\u{301}b", &[4, 13, 6]),
            ("Ａe\u{301}", &[4, 13, 14]),
            ("e\u{301}\u{301}", &[4, 14]),
            ("<s>", &[4, 16, 15, 17]),
            ("</s>", &[4, 16, 22, 15, 17]),
            ("a\u{a0}b", &[8, 4, 6]),
            ("a\u{a0}\u{a0}b", &[8, 4, 6]),
            ("\u{a0}a", &[8]),
            ("a\u{a0}", &[8, 4]),
            ("\u{a0}", &[4]),
            ("\u{a0}x\u{a0}y", &[4, 3, 4, 3]),
            ("a\u{3000}b", &[8, 3, 6]),
            ("´a", &[4, 21, 5]),
            ("a´", &[8, 4, 21]),
            ("▁a", &[8]),
            ("\u{feff}", &[]),
            ("\u{feff}ab", &[8, 6]),
            ("b\u{feff}a", &[4, 6, 5]),
        ],
    );
    let ends = [tokenizer.begin(), tokenizer.end(), tokenizer.unknown()];
    assert_eq!((ends, tokenizer.blank(), tokenizer.vocabulary()), ([0, 2, 3], Some(4), 25));
}

/// `tokenizers` has the `▁` in front stand for the first character too, and what became one character for the first of
/// the old ones alone.
#[test]
fn unigram_says_where_pieces_are_from() {
    let tokenizer = read(&unigram());
    let expected: [(&str, &[Expected]); 11] = [
        ("axyb", &[(8, 0, 1), (3, 1, 3), (6, 3, 4)]),
        ("☃☃a☃", &[(4, 0, 0), (3, 0, 6), (5, 6, 7), (3, 7, 10)]),
        ("ﬁn", &[(4, 0, 0), (9, 0, 3), (12, 3, 4)]),
        ("㎢", &[(4, 0, 0), (18, 0, 3), (19, 0, 3)]),
        ("e\u{301}a", &[(4, 0, 0), (14, 0, 3), (5, 3, 4)]),
        ("Ａ\u{301}b", &[(4, 0, 0), (13, 0, 5), (6, 5, 6)]),
        ("a\u{a0}\u{a0}b", &[(8, 0, 1), (4, 1, 5), (6, 5, 6)]),
        ("\u{a0}a", &[(8, 0, 3)]),
        ("a´", &[(8, 0, 1), (4, 1, 3), (21, 1, 3)]),
        ("b\u{feff}a", &[(4, 0, 0), (6, 0, 1), (5, 4, 5)]),
        ("<s>", &[(4, 0, 0), (16, 0, 1), (15, 1, 2), (17, 2, 3)]),
    ];
    for (text, expected) in expected {
        assert_eq!(pieces(&tokenizer, text), expected, "{}", text.escape_debug());
    }
}

#[test]
fn unigram_files_of_other_years() {
    let mut old = unigram();
    old["normalizer"] = old["normalizer"]["normalizers"][0].take();
    old["pre_tokenizer"] = json!({"type": "Sequence", "pretokenizers": [
        {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true}]});
    old["post_processor"] = json!({"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0]});
    old["model"].as_object_mut().expect("an object").remove("type");
    let expected: [(&str, &[u32]); 9] = [
        ("a\u{a0}b", &[8, 4, 6]),
        ("\u{a0}a", &[8]),
        ("a\u{a0}", &[8]),
        ("\u{a0}", &[]),
        ("\u{a0}x\u{a0}y", &[4, 3, 4, 3]),
        ("a\u{3000}b", &[8, 4, 6]),
        ("a´", &[8, 4, 21]),
        ("\u{feff}ab", &[8, 6]),
        ("aab", &[8, 7]),
    ];
    check_ids(&read(&old), &expected);

    // As `transformers` converts models of SentencePiece, and a blank in front of the first word alone.
    let mut first = unigram();
    let precompiled = first["normalizer"]["normalizers"][0].take();
    first["normalizer"]["normalizers"] = json!([precompiled,
        {"type": "Strip", "strip_left": false, "strip_right": true},
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"}]);
    let metaspace = first["pre_tokenizer"].take();
    first["pre_tokenizer"] = json!({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]});
    first["pre_tokenizer"]["pretokenizers"][1]["prepend_scheme"] = json!("first");
    let expected: [(&str, &[u32]); 10] = [
        ("a\u{a0}b", &[8, 6]),
        ("a\u{a0}\u{a0}b", &[8, 4, 6]),
        ("\u{a0}a", &[5]),
        ("a\u{a0}", &[8]),
        ("\u{a0}x\u{a0}y", &[3, 3]),
        ("x\u{a0}y", &[4, 3, 3]),
        ("´a", &[4, 21, 5]),
        ("a´", &[8, 21]),
        ("\u{feff}ab", &[8, 6]),
        ("a\u{3000}b", &[8, 6]),
    ];
    check_ids(&read(&first), &expected);
}

#[test]
fn ends_are_found_by_name_if_nothing_says_them() {
    let mut file = unigram();
    file["post_processor"] = Value::Null;
    let tokenizer = read(&file);
    assert_eq!((tokenizer.begin(), tokenizer.end()), (0, 2));
    let mut file = word_piece(true, None, true);
    file["post_processor"] = json!({"type": "Sequence", "processors": []});
    let tokenizer = read(&file);
    assert_eq!((tokenizer.begin(), tokenizer.end()), (2, 3));
}

#[test]
fn word_piece_finds_the_pieces_of_the_library() {
    let tokenizer = read(&word_piece(true, None, true));
    let expected: [(&str, &[Expected]); 30] = [
        ("", &[]),
        ("ab", &[(8, 0, 2)]),
        ("abb", &[(8, 0, 2), (7, 2, 3)]),
        ("abab", &[(8, 0, 2), (9, 2, 4)]),
        ("abc", &[(1, 0, 3)]),
        ("aé", &[(5, 0, 1), (39, 1, 3)]),
        ("e\u{301}", &[(10, 0, 1)]),
        ("e\u{301}s", &[(10, 0, 1), (13, 3, 4)]),
        ("És", &[(10, 0, 2), (13, 2, 3)]),
        ("[CLS]", &[(14, 0, 1), (16, 1, 4), (15, 4, 5)]),
        ("don't", &[(22, 0, 3), (23, 3, 4), (24, 4, 5)]),
        ("a中文b", &[(5, 0, 1), (18, 1, 4), (19, 4, 7), (6, 7, 8)]),
        ("a!b", &[(5, 0, 1), (21, 1, 2), (6, 2, 3)]),
        ("a\u{a0}b", &[(5, 0, 1), (6, 3, 4)]),
        ("a\u{200b}b", &[(8, 0, 5)]),
        ("a\u{fffd}b", &[(8, 0, 5)]),
        ("a\tb", &[(5, 0, 1), (6, 2, 3)]),
        ("İ", &[(27, 0, 2)]),
        ("ế", &[(10, 0, 3)]),
        ("한", &[(35, 0, 3), (36, 0, 3), (37, 0, 3)]),
        ("가", &[(1, 0, 3)]),
        ("«a»", &[(41, 0, 2), (5, 2, 3), (1, 3, 5)]),
        ("a$", &[(5, 0, 1), (42, 1, 2)]),
        ("ß", &[(32, 0, 2)]),
        ("हि", &[(45, 0, 6)]),
        ("\u{37e}", &[(1, 0, 2)]),
        ("\u{3000}", &[]),
        ("\u{344}", &[]),
        ("\u{212b}", &[(5, 0, 3)]),
        ("中\u{301}", &[(18, 0, 3)]),
    ];
    for (text, expected) in expected {
        assert_eq!(pieces(&tokenizer, text), expected, "{}", text.escape_debug());
    }
    let ends = [tokenizer.begin(), tokenizer.end(), tokenizer.unknown()];
    assert_eq!((ends, tokenizer.blank(), tokenizer.vocabulary()), ([2, 3, 1], None, 48));
}

#[test]
fn word_piece_does_not_look_at_long_words() {
    let tokenizer = read(&word_piece(true, None, true));
    let found = pieces(&tokenizer, &"x".repeat(100));
    assert_eq!((found.len(), found[0], found[99]), (100, (25, 0, 1), (26, 99, 100)));
    for length in [101, 10_000] {
        assert_eq!(pieces(&tokenizer, &"x".repeat(length)), [(1, 0, length)]);
    }
}

#[test]
fn word_piece_keeps_case_and_accents_as_the_file_says() {
    let cased: [(&str, &[u32]); 8] = [
        ("e\u{301}s", &[40, 13]),
        ("És", &[12, 13]),
        ("[CLS]", &[14, 17, 15]),
        ("ế", &[38]),
        ("한", &[33]),
        ("İ", &[1]),
        ("中\u{301}", &[18, 1]),
        ("中文", &[18, 19]),
    ];
    check_ids(&read(&word_piece(false, None, true)), &cased);
    let stripped: [(&str, &[u32]); 4] = [("aé", &[5, 39]), ("És", &[1]), ("ế", &[10]), ("\u{301}", &[])];
    check_ids(&read(&word_piece(false, Some(true), true)), &stripped);
    let lowercase: [(&str, &[u32]); 4] = [("És", &[11, 13]), ("İ", &[47]), ("Ế", &[38]), ("[CLS]", &[14, 16, 15])];
    check_ids(&read(&word_piece(true, Some(false), true)), &lowercase);
    let nothing: [(&str, &[u32]); 5] =
        [("中文", &[18, 20]), ("a中文b", &[1]), ("a\u{200b}b", &[1]), ("\u{fffd}", &[1]), ("a\u{a0}b", &[5, 6])];
    check_ids(&read(&word_piece(false, None, false)), &nothing);
}

#[test]
fn other_tokenizers_are_refused_by_name() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut file = unigram();
        change(&mut file);
        refusal(&file)
    };
    let kinds = "expected a tokenizer of the kind `Unigram` or `WordPiece`, found ";
    assert_eq!(with(&|file| file["model"]["type"] = json!("BPE")), format!("{kinds}`BPE`"));
    let mut words = word_piece(true, None, true);
    words["model"] = json!({"vocab": {"a": 0}, "unk_token": "a"});
    assert_eq!(refusal(&words), format!("{kinds}another one"));
    let changes: [(Change<'_>, &str); 15] = [
        (&|file| file["model"]["byte_fallback"] = json!(true), "byte_fallback"),
        (&|file| file["model"]["unk_id"] = Value::Null, "`unk_id`, found none"),
        (&|file| file["model"]["unk_id"] = json!(25), "found 25, with 25 pieces"),
        (&|file| file["model"]["vocab"] = json!([]), "found 3, with 0 pieces"),
        (&|file| file["model"]["vocab"] = json!({"a": 1}), "expected pieces with scores"),
        (&|file| file["model"]["vocab"] = Value::Null, "expected a vocabulary, found none"),
        (&|file| file["normalizer"] = json!({"type": "NFKC"}), "found `{\"type\":\"NFKC\"}`"),
        (&|file| file["normalizer"]["normalizers"][1]["content"] = json!("x"), "that replaces blanks only"),
        (&|file| file["normalizer"]["normalizers"][0]["precompiled_charsmap"] = json!("AAAA"), "replaced characters"),
        (&|file| file["pre_tokenizer"] = Value::Null, "`Metaspace`, alone or after `WhitespaceSplit`, found `null`"),
        (&|file| file["pre_tokenizer"] = json!({"type": "ByteLevel"}), "ByteLevel"),
        (&|file| file["pre_tokenizer"]["prepend_scheme"] = json!("never"), "never"),
        (&|file| file["pre_tokenizer"]["add_prefix_space"] = json!(false), "in front"),
        (&|file| (file["post_processor"], file["added_tokens"]) = (Value::Null, Value::Null), "before and after"),
        (&|file| file["model"] = Value::Null, "expected a tokenizer.json of Hugging Face"),
    ];
    for (change, expected) in changes {
        let refusal = with(change);
        assert!(refusal.contains(expected), "{refusal}");
    }
    for (path, value, expected) in [
        ("/pre_tokenizer/type", json!("Whitespace"), "expected the pre-tokenizer `BertPreTokenizer`"),
        ("/normalizer/type", json!("Lowercase"), "expected the normalizer `BertNormalizer`"),
        ("/normalizer/lowercase", Value::Null, "all of its settings"),
        ("/model/unk_token", json!("?"), "48 pieces without `?`"),
        ("/model/vocab", json!([["a", 0.0]]), "expected pieces with numbers"),
        ("/model/vocab", json!({"a": -1}), "tokenizer.json"),
    ] {
        let mut file = word_piece(true, None, true);
        *file.pointer_mut(path).expect("a value there") = value;
        let refusal = refusal(&file);
        assert!(refusal.contains(expected), "{refusal}");
    }
}

#[test]
fn what_is_too_large_is_refused_before_it_takes_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tokenizer.json");
    let file = std::fs::File::create(&path).expect("a file");
    file.set_len((1 << 26) + 1).expect("a hole");
    let error = Tokenizer::open(&path).expect_err("too large");
    assert!(matches!(error.kind(), ErrorKind::OverLimit { .. }), "{error}");
    // Values of two bytes would take sixteen times as much.
    let mut large = unigram();
    large["normalizer"] = json!({"type": "Strip", "more": vec![0; 1 << 21]});
    assert!(refusal(&large).contains("a part of 41943"), "{}", refusal(&large));
}

#[test]
fn messages_show_nothing_that_a_terminal_obeys() {
    for (path, value) in [
        ("/model/type", json!("\u{1b}[2J")),
        ("/model", json!("\u{1b}[2J")),
        ("/normalizer/type", json!("\u{9b}2J\u{202e}")),
        ("/pre_tokenizer/type", json!("\u{9b}2J\u{202e}")),
    ] {
        for mut file in [unigram(), word_piece(true, None, true)] {
            *file.pointer_mut(path).expect("a value there") = value.clone();
            let refusal = refusal(&file);
            assert!(!refusal.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{}", refusal.escape_debug());
        }
    }
}

#[test]
fn messages_name_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("tokenizer.json");
    assert!(matches!(Tokenizer::open(&path).expect_err("no file").kind(), ErrorKind::Io { .. }));
    std::fs::write(&path, "[UNK]\n").expect("written");
    let error = Tokenizer::open(&path).expect_err("no JSON");
    assert!(matches!(error.kind(), ErrorKind::Model { .. }), "{error}");
    assert!(error.to_string().contains("tokenizer.json: expected a tokenizer.json of Hugging Face"), "{error}");
    std::fs::write(&path, unigram().to_string()).expect("written");
    let identity = Tokenizer::open(&path).expect("a tokenizer").identity();
    assert_ne!(identity, read(&word_piece(true, None, true)).identity());
}

fn texts() -> impl Strategy<Value = String> {
    let some: Vec<char> = "ab☃ﬁＡe\u{301}´㎢▁\u{a0}\u{feff}<s>中!É".chars().collect();
    prop::collection::vec(prop_oneof![prop::sample::select(some), any::<char>()], 0..24).prop_map(String::from_iter)
}

/// A node of a double array whose children are not far away.
fn near((low, offset): (u32, u32)) -> u32 {
    offset << 10 | low
}

proptest! {
    /// Pieces come in the order of the text, whole characters each, and never special ones.
    #[test]
    fn places_are_in_order(text in texts(), unigram_kind: bool) {
        let tokenizer = read(&if unigram_kind { unigram() } else { word_piece(true, None, true) });
        let mut last = (0, 0);
        for (id, start, end) in pieces(&tokenizer, &text) {
            prop_assert!(last.0 <= start && last.1 <= end && start <= end);
            prop_assert!(text.is_char_boundary(start) && text.is_char_boundary(end));
            prop_assert!(id >= 4 || id == tokenizer.unknown());
            last = (start, end);
        }
    }

    #[test]
    fn no_table_makes_it_panic(
        nodes in prop::collection::vec(prop_oneof![any::<u32>(), (0..512_u32, 0..128_u32).prop_map(near)], 0..128),
        replacements in "[a-c ▁\0é]{0,12}",
        text in texts(),
    ) {
        let bytes = [4 * nodes.len() as u32].into_iter().chain(nodes).flat_map(u32::to_le_bytes);
        let bytes: Vec<u8> = bytes.chain(replacements.bytes()).collect();
        let mut file = unigram();
        file["normalizer"] = json!({"type": "Precompiled", "precompiled_charsmap": base64(&bytes)});
        pieces(&read(&file), &text);
    }

    #[test]
    fn no_file_makes_it_panic(unigram_kind: bool, place: prop::sample::Index, byte: u8, cut: bool) {
        let file = if unigram_kind { unigram() } else { word_piece(true, None, true) };
        let mut bytes = file.to_string().into_bytes();
        let place = place.index(bytes.len());
        bytes[place] = byte;
        if cut {
            bytes.truncate(place);
        }
        if let Ok(tokenizer) = Tokenizer::from_bytes(&bytes) {
            pieces(&tokenizer, "ab <s> É");
        }
    }
}
