//! Text that is wrong or odd: what is refused says where, what is accepted keeps its lines.

use std::fs;
use std::io::Write as _;

use crate::support::{Room, sample};

pub(crate) fn gzip(text: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_ref()).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 1).unwrap()
}

#[test]
fn unequal_line_counts_name_both_files() {
    let room = Room::with("a\nb\n", "a\nb\nc\n");
    room.run("align s t -o out --scores scores").refused(
        "error: unequal lengths: s has 2 lines, t has 3\n\
         hint: line n of one file must translate line n of the other",
    );
    assert_eq!(room.names(), "s t");
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    let hint = "\nhint: is one of the files empty, or are all lines longer than --max-length?";
    let room = Room::with("\n\n\n", "a\nb\nc\n");
    let refusal = "error: nothing to align: each of the 3 sentence pairs has an empty side";
    room.run("align s t -o out").refused(&format!("{refusal}{hint}"));
    Room::with("\n \n\t\n", "\n\n\n").run("align s t").refused(&format!("{refusal}{hint}"));
    Room::with("a\n\nb\n", "\nb\n\n").run("align s t").refused(&format!("{refusal}{hint}"));
    Room::with("", "").run("align s t").refused("error: nothing to align: the text has no lines");
    assert_eq!(room.names(), "s t");
}

#[test]
fn a_single_pair_is_enough() {
    assert_eq!(Room::with("house\n", "maison\n").align(""), ["0-0"]);
}

#[test]
fn invalid_utf8_has_a_place_and_can_be_replaced() {
    let room = Room::with(b"the house\ncaf\xE9 noir\n", "la maison\nun noir\n");
    room.run("align s t -o out").refused(
        "error: s:2:4: invalid UTF-8 at byte 13 of the file (`caf\\xE9 noir`)\n\
         hint: convert the file, for example with iconv, or use --lossy",
    );
    assert_eq!(room.names(), "s t");
    let outcome = room.run("align s t --lossy").success();
    assert_eq!(outcome.lines().len(), 2);
    assert!(outcome.stderr.contains("replaced   invalid UTF-8 in 1 line\n"), "{}", outcome.stderr);
}

#[test]
fn line_ends_and_marks_do_not_matter() {
    let (source, target) = sample(40);
    let plain = Room::with(&source, &target).align("");
    let crlf = Room::with(source.replace('\n', "\r\n"), &target).align("");
    assert_eq!(crlf, plain);
    let marked = Room::with(format!("\u{FEFF}{source}"), &target).align("");
    assert_eq!(marked, plain);
    let open = Room::with(source.trim_end_matches('\n'), target.trim_end_matches('\n')).align("");
    assert_eq!(open, plain);
}

#[test]
fn odd_characters_neither_break_lines_nor_words() {
    for odd in ["\0", "\u{A0}", "\u{3000}", "\u{85}", "\u{2028}", "\u{B}", "\u{C}", "\r"] {
        let room = Room::with(format!("a b{odd}c d\na d\n"), "x y z\nx z\n");
        let outcome = room.run("align s t --format jsonl").success();
        assert_eq!(outcome.lines().len(), 2, "{odd:?}");
        let first: serde_json::Value = serde_json::from_str(&outcome.lines()[0]).unwrap();
        assert_eq!(first["source"], serde_json::json!(["a", format!("b{odd}c"), "d"]));
        assert!(outcome.stderr.contains("tokens     5 source, 5 target"), "{}", outcome.stderr);
    }
}

/// What lz4 and zip write begins so, and so do texts in UTF-16.
#[test]
fn files_that_are_no_text_are_named() {
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let cases: [(Vec<u8>, &str); 7] = [
        (b"\x04\x22\x4D\x18\x64\x40\xA7".to_vec(), "lz4 data"),
        (b"PK\x03\x04\x14\0\0\0\x08\0".to_vec(), "a zip archive"),
        (wide("\u{feff}the house\n"), "text in UTF-16"),
        (wide("the house\n"), "text in UTF-16"),
        (b"<?xml version=\"1.0\"?>\n<tmx version=\"1.4\">\n".to_vec(), "a translation memory (TMX)"),
        (b"<?xml version=\"1.0\"?>\n<xliff version=\"1.2\">\n".to_vec(), "XLIFF"),
        (b"# sent_id = 1\n1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n\n".to_vec(), "CoNLL-U"),
    ];
    let room = Room::with("the house\n", "la maison\n");
    room.write("links", "0-0\n");
    for (bytes, name) in cases {
        room.write("odd", &bytes);
        room.write("packed", gzip(&bytes));
        for words in [
            "align odd t",
            "align s packed",
            "train s odd -m model",
            "phrases odd t links",
            "lexicon s odd links",
            "view odd t links",
            "evaluate links --gold links --source s --target odd",
            "convert links --from pharaoh --to comtrans --source odd --target t",
            "classes odd",
            "sentence-align odd t",
            "reorder oracle links --source odd",
            "concordance odd t --links links",
            "concordance s packed --links links",
            "concordance s t --links links --ids odd",
            "concordance s t --links links --source-lemmas odd",
        ] {
            let message = room.run(words).failure(2);
            let file = if words.contains("packed") { "packed" } else { "odd" };
            assert!(message.starts_with(&format!("error: {file}: {name}, where ")), "{words}: {message}");
            assert!(!message.contains("iconv") && !message.contains("--lossy"), "{words}: {message}");
        }
        if ["a zip archive", "a translation memory (TMX)", "XLIFF"].contains(&name) {
            let message = room.run("align odd t").failure(2);
            assert!(message.ends_with("hint: --bitext FILE reads it, with source and target\n"), "{message}");
            let message = room.run("classes odd").failure(2);
            assert!(message.contains("hint: write text files first: alinea bitext FILE"), "{message}");
        }
        if name != "CoNLL-U" {
            let message = room.run("align s t --gold odd").failure(2);
            assert!(
                message.starts_with(&format!("error: odd: {name}, where UTF-8 text is expected\nhint: ")),
                "{message}"
            );
        }
    }
    assert_eq!(room.names(), "links odd packed s t");
}

#[test]
fn a_blank_line_of_a_bitext_is_an_empty_pair() {
    let room = Room::with_sample(30);
    let (source, target) = sample(30);
    let with_blank = |text: &str, blank: &str| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.insert(7, blank);
        lines.join("\n") + "\n"
    };
    room.write("s0", with_blank(&source, ""));
    room.write("t0", with_blank(&target, ""));
    let expected = room.run("align -q s0 t0").success().lines();
    assert_eq!((expected.len(), expected[7].as_str()), (31, ""));
    let joined = |between: &str| {
        let pairs = source.lines().zip(target.lines()).map(|(s, t)| format!("{s}{between}{t}"));
        pairs.collect::<Vec<_>>().join("\n") + "\n"
    };
    room.run("train s t -m model").success();
    let flow = room.run("align -q -m model s0 t0").success().lines();
    for blank in ["", " ", "\t"] {
        room.write("joint", with_blank(&joined(" ||| "), blank));
        room.write("table", with_blank(&joined("\t"), blank));
        assert_eq!(room.run("align -q --bitext joint").success().lines(), expected, "{blank:?}");
        assert_eq!(room.run("align -q --bitext table --columns 1,2").success().lines(), expected, "{blank:?}");
        assert_eq!(room.run("align -q --bitext joint -m model").success().lines(), flow, "{blank:?}");
        assert_eq!(room.run("align -q --bitext table --columns 1,2 -m model").success().lines(), flow, "{blank:?}");
    }
    let outcome = room.run("align --bitext joint").success();
    assert!(outcome.stderr.contains("1 of 31 pairs have an empty side (0 the source, 0 the target, 1 both)"));
}

/// `"a b\u{a0}c d".split()` of Python has four words, and `split(" ")` three.
#[test]
fn blanks_of_other_programs_are_told_once_and_cut_at_on_demand() {
    let room = Room::with("a b\u{a0}c d\na d\u{3000}e\n", "x y z\nx\u{2009}z\n");
    room.write("links", "0-0\n\n");
    let told = "3 whitespace characters other than space and tab inside words, the first at s:1:4 (U+00A0): \
                positions differ from those of programs that split there, such as Python's str.split(); --blanks \
                unicode splits there too\n";
    for words in [
        "align s t -o out",
        "train s t -m model",
        "phrases s t links",
        "lexicon s t links",
        "concordance s t --links links",
        "view s t links --lines 1-2",
        "evaluate links --gold links --source s --target t",
        "convert links --from pharaoh --to comtrans --source s --target t",
    ] {
        let outcome = room.run(words).success();
        assert_eq!(outcome.stderr.matches(told).count(), 1, "{words}: {}", outcome.stderr);
        let outcome = room.run(&format!("{words} --blanks unicode")).success();
        assert!(!outcome.stderr.contains("whitespace"), "{words}: {}", outcome.stderr);
    }
    for words in ["align -m model s t", "align -m model s t --blanks unicode"] {
        let outcome = room.run(words).success();
        assert_eq!(outcome.stderr.contains(told), !words.contains("unicode"), "{}", outcome.stderr);
    }
    assert!(room.run("classes s --classes 2").success().stderr.contains("2 whitespace characters"));
    assert!(room.run("reorder oracle links --source s").success().stderr.contains("2 whitespace characters"));
    // Links count in the words that are cut there.
    room.write("links", "3-2\n2-1\n");
    assert!(room.run("phrases s t links").failure(2).contains("link 3-2 is out of range, the source has 3 tokens"));
    let phrases = room.run("phrases s t links --blanks unicode --json").success().stdout;
    assert_eq!(phrases.lines().count(), room.run("phrases s t links --blanks unicode").success().lines().len());
    let json = room.run("align s t --format jsonl --blanks unicode").success();
    let first: serde_json::Value = serde_json::from_str(&json.lines()[0]).unwrap();
    assert_eq!(first["source"], serde_json::json!(["a", "b", "c", "d"]));
    // Unicode's word boundaries leave white space out anyway.
    assert!(!room.run("align s t --tokenize unicode").success().stderr.contains("whitespace"));
}

#[test]
fn joint_lines_have_one_separator() {
    let room = Room::new();
    let hint = "\nhint: use --columns for tables, or two files if the text contains `|||`";
    room.run_with("align --bitext -", "a ||| b\na b\n").refused(&format!(
        "error: <stdin>:2:1: expected one separator ` ||| ` between source and target (this line has none), \
         found `a b`{hint}"
    ));
    room.run_with("align --bitext -", "a ||| b ||| c\n").refused(&format!(
        "error: <stdin>:1:9: expected one separator ` ||| ` between source and target (this line has 2), \
         found `||| c`{hint}"
    ));
    room.run_with("align --bitext - --columns 1,3", "a\tb\tc\na\tb\n")
        .refused("error: <stdin>:2:1: expected 3 columns separated by tabs (this line has 2), found `a\\tb`");
}

#[test]
fn absurdly_long_lines_are_refused_or_left_empty() {
    let (source, target) = sample(20);
    let long = format!("{source}{}\n", "x ".repeat(20_000));
    let room = Room::with(&long, format!("{target}y\n"));
    room.run("align s t -o out").refused(
        "error: s:21: 20000 tokens, more than the limit of 2000\nhint: raise --max-length, or output empty lines for \
         such pairs with --skip-long",
    );
    assert_eq!(room.names(), "s t");
    let outcome = room.run("align s t --skip-long").success();
    assert_eq!(outcome.lines().len(), 21);
    assert_eq!(outcome.lines()[20], "");
    assert!(outcome.stderr.contains("skipped    1 pair longer than 2000 tokens\n"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("warning"), "{}", outcome.stderr);
    assert_eq!(outcome.lines()[..20], Room::with(source, target).align(""));
    let outcome = room.run("align -q s t --skip-long --format jsonl").success();
    assert_eq!(outcome.lines()[20], r#"{"source":[],"target":[],"links":[]}"#);
}

#[test]
fn compressed_text_is_read_by_content() {
    let (source, target) = sample(40);
    let room = Room::with(&source, &target);
    let expected = room.align("");
    let half = source.match_indices('\n').nth(19).unwrap().0 + 1;
    room.write("s", [gzip(&source[..half]), gzip(&source[half..])].concat());
    room.write("t", zstd(&target));
    assert_eq!(room.align(""), expected);
    assert_eq!(room.run_with("align -q s -", gzip(&target)).success().lines(), expected);
}

#[test]
fn truncated_archives_are_errors() {
    let (source, target) = sample(40);
    let room = Room::with(&source, &target);
    let whole = gzip(&source);
    room.write("s", &whole[..whole.len() / 2]);
    let cut = whole.len() / 2;
    room.run("align s t -o out")
        .refused(&format!("error: s: the gzip data ends early, after {cut} bytes; the file is truncated"));
    let whole = zstd(&source);
    room.write("s", &whole[..whole.len() - 3]);
    let cut = whole.len() - 3;
    room.run("align s t -o out")
        .refused(&format!("error: s: the zstd data ends early, after {cut} bytes; the file is truncated"));
    assert_eq!(room.names(), "s t");
}

#[test]
fn what_is_not_a_file_is_named() {
    let room = Room::with("a\n", "a\n");
    fs::create_dir(room.path("folder")).unwrap();
    room.run("align folder t").refused("error: folder: is a directory");
    room.run("align s missing").refused("error: missing: No such file or directory");
    room.run("align s t -o folder").refused("error: folder: is a directory");
    room.run("align s t --gold missing").refused("error: missing: No such file or directory");
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    let room = Room::with("a\n", "a\n");
    let refusal = "error: --iterations = ibm1:5,hmm:4: must be no passes of hmm with the model ibm1";
    room.run("align s t --model ibm1 --iterations ibm1:5,hmm:4").refused(refusal);
    let refusal =
        "error: --iterations = ibm1:5: must be at least one pass of hmm with this model, such as ibm1:5,hmm:4";
    room.run("align s t --iterations ibm1:5").refused(refusal);
    room.run("align s t --threshold 2").refused("error: --threshold = 2: must be 0 to 1");
    room.run("align s t --max-length 0").refused("error: --max-length = 0: must be 1 or more");
    for (words, expected) in [
        ("align s t --iterations five", "must be a model and its passes such as ibm1:5"),
        ("align s t --symmetrize best", "must be intersection, union, grow"),
        ("align s t --threshold 0.5 --symmetrize union", "cannot be used with"),
        ("align s t --threshold 0.4 --objective aer", "cannot be used with"),
        ("align s t --links full --objective aer", "objective = aer: must be unset if a threshold is given"),
        ("align s t --links full --links sure", "--links is given twice"),
        ("align s t --links s --links t", "--links is given twice"),
        ("align s t --links full --model hmm", "is for the models agreement-loo and quality, not for hmm"),
        ("align s t --objective aer --symmetrize union", "cannot be used with"),
        ("align s t --threshold best", "threshold = best: must be 0 to 1, or sure, balanced or full"),
        ("align s t --objective recall:1.5", "must be aer, f:ALPHA with ALPHA from 0 to 1, or precision:P"),
        ("align s t --objective f:2", "objective = f:2: must be"),
        ("align s t --bitext s", "cannot be used with"),
        ("align s", "<TARGET>"),
        ("align", "<SOURCE>"),
        ("align --bitext s --columns 1,1", "expected two different columns from 1, such as 1,2"),
        ("align s t --annotated-only", "--gold <FILE>"),
    ] {
        let outcome = room.run(words);
        assert_eq!(outcome.code, Some(2), "{words}");
        assert!(outcome.stderr.contains(expected), "{words}: {}", outcome.stderr);
    }
}

#[test]
fn sides_that_are_swapped_are_told() {
    let room = Room::with("a b\n", "x y z\n");
    room.write("links", "0-0 1-2\n");
    room.run("phrases s t links").success();
    room.run("phrases t s links").refused(
        "error: links:1:5: link 1-2 is out of range, the source has 3 tokens, the target 2\n\
         hint: are source and target swapped?",
    );
    // Neither side has that many.
    room.write("links", "0-0 1-3\n");
    let refused = room.run("phrases t s links").failure(2);
    assert!(!refused.contains("swapped"), "{refused}");
}
