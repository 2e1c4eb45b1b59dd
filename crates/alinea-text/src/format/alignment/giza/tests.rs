//! A3 files of GIZA++: parts in any order, both directions, every kind of fault.
//!
//! Inputs are written by hand after the format's description; expected links are read off them. Random records must be
//! read as they were written, and no input may cause a panic.

use super::*;
use crate::format::lines::Utf8;
use proptest::prelude::*;

const ONE: &str = "# Sentence pair (1) source length 2 target length 3 alignment score : 1.2e-05\n\
                   la maison bleue\n\
                   NULL ({ }) blue ({ 3 }) house ({ 1 2 })\n";

fn read_parts(parts: &[&str], direction: GizaDirection, total: Option<u64>) -> Result<Vec<PairRecord>> {
    let lines = parts
        .iter()
        .enumerate()
        .map(|(n, part)| LineReader::new(part.as_bytes(), format!("part{n}"), Utf8::Strict))
        .collect();
    let mut reader = Reader::new(lines, direction, total, false);
    let mut all = Vec::new();
    let mut record = PairRecord::default();
    while reader.read_into(&mut record)? {
        all.push(record.clone());
    }
    Ok(all)
}

fn message(text: &str) -> String {
    read_parts(&[text], GizaDirection::default(), None).unwrap_err().to_string()
}

fn pair(number: u64) -> String {
    format!(
        "# Sentence pair ({number}) source length 1 target length 1 alignment score : 0.5\nt{number}\nNULL ({{ }}) s{number} ({{ 1 }})\n"
    )
}

#[test]
fn positions_stand_under_the_word_that_generates() {
    let records = read_parts(&[ONE], GizaDirection::SourceToTarget, None).unwrap();
    let [record] = &records[..] else { panic!("one pair") };
    assert_eq!(record.source, Some(["blue", "house"].into_iter().collect()));
    assert_eq!(record.target, Some(["la", "maison", "bleue"].into_iter().collect()));
    assert_eq!(record.links, [LinkRecord::sure(0, 2), LinkRecord::sure(1, 0), LinkRecord::sure(1, 1)]);
    assert_eq!((record.number, record.score), (1, Some(1.2e-5)));
    let reverse = read_parts(&[ONE], GizaDirection::TargetToSource, None).unwrap();
    assert_eq!(reverse[0].source, record.target);
    assert_eq!(reverse[0].alignment(), record.alignment().inverted());
}

#[test]
fn words_may_look_like_anything() {
    let text = "# Sentence pair (1) source length 3 target length 2 alignment score : nan\n\
                NULL ({\n\
                NULL ({ 2 }) ({ ({ 1 }) }) ({ }) NULL ({ })\n";
    let records = read_parts(&[text], GizaDirection::SourceToTarget, None).unwrap();
    assert_eq!(records[0].source, Some(["({", "})", "NULL"].into_iter().collect()));
    assert_eq!(records[0].links, [LinkRecord::sure(0, 0)]);
    assert_eq!(records[0].score, None);
}

#[test]
fn parts_are_put_back_in_order() {
    let parts = [pair(2) + &pair(3) + &pair(7), pair(5) + "\n" + &pair(4), pair(6) + &pair(1)];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let numbers: Vec<u64> =
        read_parts(&parts, GizaDirection::default(), Some(7)).unwrap().iter().map(|r| r.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
    let joined = parts.concat();
    let records = read_parts(&[&joined], GizaDirection::default(), None).unwrap();
    assert_eq!(records.iter().map(|r| r.number).collect::<Vec<_>>(), numbers);
    assert_eq!(records[4].source.as_ref().unwrap().get(0), Some("s5"));

    let error = |parts: &[&str], total| read_parts(parts, GizaDirection::default(), total).unwrap_err().to_string();
    assert_eq!(error(&[&pair(1), &pair(3)], None), "sentence pair 2 is missing from part0, part1");
    assert_eq!(error(&[&pair(1)], Some(2)), "sentence pair 2 is missing from part0");
    assert_eq!(error(&[&pair(1)], Some(0)), "part0 has 1 sentence pairs, not 0");
    assert_eq!(error(&[&pair(1), &(pair(2) + &pair(1))], None), "part1:6: sentence pair 1 occurs twice");
    assert_eq!(error(&[&(pair(3) + &pair(3))], None), "part0:6: sentence pair 3 occurs twice");
}

#[test]
fn every_fault_has_a_place() {
    let header = "# Sentence pair (1) source length 1 target length 2 alignment score : 0.5\n";
    let third = |line: &str| message(&format!("{header}a b\n{line}\n"));
    for (text, expected) in [
        (
            "hello\n".to_owned(),
            "part0:1:1: expected `# Sentence pair (1) source length 2 target length 3 alignment score : 0.5`, here `# Sentence pair (`, found `hello`",
        ),
        ("# Sentence pair (x)\n".to_owned(), "part0:1:18: expected a number after `# Sentence pair (`, found `x)`"),
        ("# Sentence pair (0)\n".to_owned(), "part0:1:18: expected a sentence pair number from 1, found `0)`"),
        (header.replace("0.5", "x"), "part0:1:71: expected a number after `alignment score : `, found `x`"),
        (header.to_owned(), "part0:2:1: expected three lines for each sentence pair, found nothing"),
        (header.to_owned() + "a\nb\n", "part0:2:1: expected 2 words, the target length (there are 1), found `a`"),
    ] {
        assert_eq!(message(&text), expected);
    }
    for (line, expected) in [
        ("", "part0:3:1: expected NULL and 1 words, the source length (there are 0), found nothing"),
        ("NULL ({ })", "part0:3:11: expected NULL and 1 words, the source length (there are 0), found nothing"),
        ("x ({ })", "part0:3:1: expected the empty word, `NULL`, found `x`"),
        ("NULL x", "part0:3:6: expected `({` after a word, found `x`"),
        ("NULL", "part0:3:5: expected `({` after a word, found nothing"),
        ("NULL ({ 3 })", "part0:3:9: expected a position from 1 to 2 or `})`, found `3`"),
        ("NULL ({ 0 })", "part0:3:9: expected a position from 1 to 2 or `})`, found `0`"),
        ("NULL ({ 1", "part0:3:10: expected a position or `})`, found nothing"),
        (
            "NULL ({ }) a ({ }) b ({ })",
            "part0:3:20: expected the end of the line after 1 words, the source length, found `b ({ })`",
        ),
    ] {
        assert_eq!(third(line), expected);
    }
}

#[test]
fn what_cannot_be_written_is_refused() {
    let write_record = |record: &PairRecord| write(record, GizaDirection::default(), &mut Vec::new());
    let mut record = PairRecord { number: 3, ..PairRecord::default() };
    let error = write_record(&record).unwrap_err().to_string();
    assert_eq!(error, "pair 3 has no words, which the A3 format requires");
    record.source = Some(["a b"].into_iter().collect());
    record.target = Some(["c"].into_iter().collect());
    let error = write_record(&record).unwrap_err().to_string();
    assert_eq!(error, "pair 3: the word \"a b\" cannot stand in the A3 format");
    record.links.push(LinkRecord::sure(0, 1));
    let error = write_record(&record).unwrap_err().to_string();
    assert_eq!(error, "pair 3: link 0-1 is out of range, the source has 1 token, the target 1");
}

fn words() -> impl Strategy<Value = TokenList> {
    let word = prop_oneof![Just("NULL"), Just("({"), Just("})"), Just("1"), Just("a\u{A0}b"), Just("é")];
    proptest::collection::vec(word, 0..5).prop_map(|words| words.into_iter().collect())
}

proptest! {
    #[test]
    fn what_is_written_is_read(
        source in words(),
        target in words(),
        links in proptest::collection::vec((0u32..5, 0u32..5), 0..10),
        score in any::<f64>().prop_filter("finite", |score| score.is_finite()),
        reverse in any::<bool>(),
    ) {
        let direction = if reverse { GizaDirection::TargetToSource } else { GizaDirection::SourceToTarget };
        let inside = |&(s, t): &(u32, u32)| (s as usize) < source.len() && (t as usize) < target.len();
        let links = links.iter().filter(|link| inside(link)).map(|&(s, t)| LinkRecord::sure(s, t)).collect();
        let mut record = PairRecord {
            number: 1, source: Some(source.clone()), target: Some(target.clone()), score: Some(score), links,
            ..PairRecord::default()
        };
        let mut out = Vec::new();
        write(&record, direction, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let mut records = read_parts(&[&text], direction, None).unwrap();
        record.normalize();
        records[0].normalize();
        prop_assert_eq!(&records[0], &record);
    }

    #[test]
    fn no_text_causes_a_panic(
        lines in proptest::collection::vec(
            prop_oneof![
                Just("# Sentence pair (1) source length 1 target length 1 alignment score : 1".to_owned()),
                Just("# Sentence pair (2) source length 99999999999 target length 1".to_owned()),
                "[NUL0-3({}) é]{0,20}",
                "\\PC{0,20}",
            ],
            0..8,
        ),
    ) {
        let _ = read_parts(&[&lines.join("\n")], GizaDirection::default(), None).is_ok();
    }
}

/// Parts of a file are named, also for pairs that came before their turn.
#[test]
fn links_have_a_place_in_their_part() {
    let parts = [pair(2), ONE.to_owned()];
    let lines = parts.iter().zip(["one", "two"]);
    let lines = lines.map(|(part, name)| LineReader::new(part.as_bytes(), name, Utf8::Strict)).collect();
    let mut reader = Reader::new(lines, GizaDirection::TargetToSource, None, false);
    let mut record = PairRecord::default();
    assert!(reader.read_into(&mut record).unwrap());
    assert_eq!(reader.place_of(1, Link::new(1, 1)).unwrap().to_string(), "two:3:36");
    assert!(reader.place_of(2, Link::new(0, 0)).is_none());
    assert!(reader.read_into(&mut record).unwrap());
    assert_eq!(reader.place_of(2, Link::new(0, 0)).unwrap().to_string(), "one:3:18");
}
