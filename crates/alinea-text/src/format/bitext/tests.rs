//! Reading a bitext from two files, joint lines and columns, and what is reported about it.
//!
//! Two files are read by one thread and by two, which must agree. Expected sentences and counts are read off small
//! inputs; random pairs must come out the same from all three forms, and no bytes may cause a panic.

use super::*;
use crate::bitext::Text;
use crate::format::blanks::Blanks;
use crate::format::lines::Utf8;
use crate::format::tokens::Tokenize;
use proptest::prelude::*;

fn input(name: &str, text: &str) -> Input {
    Input::from_bytes(name, text)
}

fn files(source: &str, target: &str, options: &ReadOptions) -> Result<ReadBitext> {
    let read = |parallelism: &Parallelism| read_files(input("s", source), input("t", target), options, parallelism);
    let serial = read(&Parallelism::serial());
    let parallel = read(&Parallelism::new(2).unwrap());
    match (&serial, &parallel) {
        (Ok(one), Ok(two)) => assert_eq!(one.report, two.report),
        (Err(one), Err(two)) => assert_eq!(one.to_string(), two.to_string()),
        _ => panic!("threads change the outcome"),
    }
    serial
}

fn sentences(text: &Text) -> Vec<String> {
    let word = |&id| String::from_utf8(text.vocabulary().word(id).to_vec()).unwrap();
    (0..text.len()).map(|n| text.sentence(n).iter().map(word).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn two_files_make_a_bitext() {
    let read = files("The  House\n\n\nÉté\u{A0}X\n", "La maison .\nbleue\n\n\n", &ReadOptions::default()).unwrap();
    assert_eq!(sentences(&read.bitext.source), ["the house", "", "", "été\u{A0}x"]);
    assert_eq!(sentences(&read.bitext.target), ["la maison .", "bleue", "", ""]);
    let report = ReadReport {
        pairs: 4,
        empty_source: 1,
        empty_target: 1,
        empty_both: 1,
        bytes: 42,
        foreign_blanks: read.report.foreign_blanks.clone(),
        ..ReadReport::default()
    };
    assert_eq!(read.report, report);
    let blanks = read.report.foreign_blanks.unwrap();
    assert_eq!((blanks.count, blanks.character, blanks.first.to_string()), (1, '\u{A0}', "s:4:6".to_owned()));
    assert!(read.text.is_none());
}

#[test]
fn case_can_be_kept() {
    let options = ReadOptions { lowercase: false, ..ReadOptions::default() };
    assert_eq!(sentences(&files("The X\n", "a\n", &options).unwrap().bitext.source), ["The X"]);
}

#[test]
fn unequal_lengths_are_counted_to_the_end() {
    let error = files("a\nb\n", "a\nb\nc\nd\ne", &ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "unequal lengths: s has 2 lines, t has 5");
}

#[test]
fn long_lines_are_errors_or_empty() {
    let options = ReadOptions { max_length: 2, ..ReadOptions::default() };
    let error = files("a\na b c\n", "a b c d\nc\n", &options).unwrap_err();
    assert_eq!(error.to_string(), "t:1: 4 tokens, more than the limit of 2");
    let options = ReadOptions { skip_long: true, keep_text: true, ..options };
    let read = files("a\nu v w\nb\nx\n", "a b c d\nc\nc c\nz z z\n", &options).unwrap();
    assert_eq!(sentences(&read.bitext.source), ["", "", "b", ""]);
    assert_eq!(sentences(&read.bitext.target), ["", "", "c c", ""]);
    assert_eq!(read.bitext.source.vocabulary().len(), 1);
    assert_eq!((read.report.skipped_long, read.report.empty_both), (vec![0, 1, 3], 0));
    let text = read.text.unwrap();
    assert_eq!(text.source.tokens(1), ["u", "v", "w"]);
    assert_eq!(text.target.line(3), "z z z");
}

#[test]
fn one_wrong_side_is_reported_with_its_name() {
    let source = Input::from_bytes("s", &b"ok\n\xFF\n"[..]);
    let error = read_files(source, input("t", "a\n"), &ReadOptions::default(), &Parallelism::serial()).unwrap_err();
    assert_eq!(error.to_string(), "s:2:1: invalid UTF-8 at byte 3 of the file (`\\xFF`)");
    let source = Input::from_bytes("s", &b"ok\nA\xFFB\n"[..]);
    let options = ReadOptions { utf8: Utf8::Lossy, ..ReadOptions::default() };
    let read = read_files(source, input("t", "a\nb\n"), &options, &Parallelism::serial()).unwrap();
    assert_eq!(sentences(&read.bitext.source), ["ok", "a\u{FFFD}b"]);
    assert_eq!(read.report.replaced_utf8, 1);
}

#[test]
fn of_two_wrong_sides_the_lower_line_is_reported() {
    let options = ReadOptions { max_length: 1, ..ReadOptions::default() };
    let error = files("a\nb\nc d\n", "a\nb c\n", &options).unwrap_err();
    assert!(error.to_string().starts_with("t:2: 2 tokens"), "{error}");
    let error = files("a\nb c\n", "a\nb c\n", &options).unwrap_err();
    assert!(error.to_string().starts_with("s:2: 2 tokens"), "{error}");
}

#[test]
fn joint_lines_and_columns() {
    let read = read_joint(input("j", "A b ||| c\n||| d\n"), &ReadOptions::default()).unwrap();
    assert_eq!(sentences(&read.bitext.source), ["a b", ""]);
    assert_eq!(sentences(&read.bitext.target), ["c", "d"]);
    assert_eq!(read.report.bytes, 16);
    let error = read_joint(input("j", "a ||| b\na b\n"), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "j:2:1: expected one separator ` ||| ` between source and target (this line has none), found `a b`"
    );
    let error = read_joint(input("j", "a ||| b ||| c\n"), &ReadOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "j:1:9: expected one separator ` ||| ` between source and target (this line has 2), found `||| c`"
    );
    let options = ReadOptions::default();
    let read = read_columns(input("c", "1\tc d\tA\r\n2\t\tb\r\n"), 3, 2, &options).unwrap();
    assert_eq!(sentences(&read.bitext.source), ["a", "b"]);
    assert_eq!(sentences(&read.bitext.target), ["c d", ""]);
    let error = read_columns(input("c", "1\t2\n"), 1, 3, &options).unwrap_err();
    assert_eq!(error.to_string(), "c:1:1: expected 3 columns separated by tabs (this line has 2), found `1\\t2`");
    assert!(read_columns(input("c", ""), 0, 1, &options).is_err());
}

#[test]
fn blanks_are_looked_for_in_the_columns_that_are_read() {
    let table = "n\u{a0}o\ta b\tc\u{2009}d\tx\u{3000}y\nn\ta\u{a0}b\u{a0}c\tc\t\n";
    let read = |blanks| {
        let options = ReadOptions { blanks, ..ReadOptions::default() };
        read_columns(input("c", table), 2, 3, &options).unwrap()
    };
    let found = read(Blanks::Ascii).report.foreign_blanks.unwrap();
    assert_eq!((found.count, found.first.to_string()), (3, "c:1:11".to_owned()));
    let cut = read(Blanks::Unicode);
    assert_eq!(cut.report.foreign_blanks, None);
    assert_eq!(sentences(&cut.bitext.source), ["a b", "a b c"]);
    assert_eq!(sentences(&cut.bitext.target), ["c d", "c"]);
    assert_eq!(
        read_columns(input("c", table), 4, 4, &ReadOptions::default()).unwrap().report.foreign_blanks.unwrap().count,
        2
    );
}

/// Files that end their lines with CRLF, side by side: what `paste` writes.
#[test]
fn carriage_returns_before_separators_are_no_part_of_words() {
    let options = ReadOptions { keep_text: true, ..ReadOptions::default() };
    let table = read_columns(input("c", "a b\r\tc\r\n\r\t\r\nd\r\te f\r\n"), 1, 2, &options).unwrap();
    let joint = read_joint(input("j", "a b\r ||| c\r\n\r ||| \r\nd\r ||| e f\r\n"), &options).unwrap();
    for read in [table, joint] {
        assert_eq!(sentences(&read.bitext.source), ["a b", "", "d"]);
        assert_eq!(sentences(&read.bitext.target), ["c", "", "e f"]);
        assert_eq!((read.report.foreign_blanks, read.report.empty_both), (None, 1));
        assert_eq!(read.text.unwrap().source.tokens(0), ["a", "b"]);
    }
    let inside = read_joint(input("j", "a\rb ||| c\n\r a ||| \u{a0}c\n"), &options).unwrap();
    assert_eq!(sentences(&inside.bitext.source), ["a\rb", "\r a"]);
    let found = inside.report.foreign_blanks.unwrap();
    assert_eq!((found.count, found.first.to_string()), (3, "j:1:2".to_owned()));
    let behind = read_joint(input("j", "a ||| b\u{a0}c\n"), &options).unwrap();
    assert_eq!(behind.report.foreign_blanks.unwrap().first.to_string(), "j:1:8");
}

#[test]
fn text_that_is_not_tokenized_shows() {
    let read = files("It is late, he said.\n", "Il est tard .\n", &ReadOptions::default()).unwrap();
    assert!((read.report.glued_source - 0.4).abs() < 1e-12);
    assert!((read.report.glued_punctuation() - 0.4).abs() < 1e-12);
    let options = ReadOptions { tokenize: Tokenize::Unicode, keep_text: true, ..ReadOptions::default() };
    let read = files("It is LATE, he said.\n", "Il est tard .\n", &options).unwrap();
    assert_eq!(sentences(&read.bitext.source), ["it is late , he said ."]);
    assert!(read.report.glued_punctuation() < 0.01);
    let text = read.text.unwrap();
    assert_eq!(text.source.tokens(0), ["It", "is", "LATE", ",", "he", "said", "."]);
}

#[test]
fn standard_input_has_one_side() {
    let both = BitextSource::Files { source: "-".into(), target: "-".into() };
    let error = super::read(&both, &ReadOptions::default(), &Parallelism::serial()).unwrap_err();
    assert_eq!(error.to_string(), "<stdin> cannot be both the source and the target");
}

proptest! {
    #[test]
    fn pairs_are_lines_in_every_form(
        lines in proptest::collection::vec(("[ab É]{0,6}", "[cd ß]{0,6}"), 0..8),
        max_length in 1usize..4,
    ) {
        let options = ReadOptions { max_length, skip_long: true, ..ReadOptions::default() };
        let source: String = lines.iter().flat_map(|(s, _)| [s, "\n"]).collect();
        let target: String = lines.iter().flat_map(|(_, t)| [t, "\n"]).collect();
        let joint: String = lines.iter().flat_map(|(s, t)| [s, " ||| ", t, "\n"]).collect();
        let table: String = lines.iter().flat_map(|(s, t)| [t, "\t", s, "\n"]).collect();
        let from_files = files(&source, &target, &options).unwrap();
        let from_joint = read_joint(input("j", &joint), &options).unwrap();
        let from_table = read_columns(input("c", &table), 2, 1, &options).unwrap();
        let expected: Vec<(String, String)> = lines.iter().map(|(s, t)| {
            let words = |line: &str| line.split(' ').filter(|w| !w.is_empty()).map(str::to_lowercase).collect::<Vec<_>>();
            let (s, t) = (words(s), words(t));
            if s.len().max(t.len()) > max_length { Default::default() } else { (s.join(" "), t.join(" ")) }
        }).collect();
        for read in [from_files, from_joint, from_table] {
            let pairs: Vec<_> = sentences(&read.bitext.source).into_iter().zip(sentences(&read.bitext.target)).collect();
            prop_assert_eq!(&pairs, &expected);
        }
    }

    #[test]
    fn no_bytes_cause_a_panic(
        bytes in proptest::collection::vec(prop_oneof![Just(b'|'), Just(b' '), Just(b'\n'), Just(b'\t'), any::<u8>()], 0..80),
        lossy in any::<bool>(),
        unicode in any::<bool>(),
    ) {
        let options = ReadOptions {
            utf8: if lossy { Utf8::Lossy } else { Utf8::Strict },
            tokenize: if unicode { Tokenize::Unicode } else { Tokenize::None },
            max_length: 3,
            keep_text: true,
            ..ReadOptions::default()
        };
        let made = || Input::from_bytes("x", bytes.clone());
        let _ = read_joint(made(), &options).is_ok();
        let _ = read_columns(made(), 1, 2, &options).is_ok();
        let _ = read_files(made(), made(), &options, &Parallelism::serial()).is_ok();
    }
}
