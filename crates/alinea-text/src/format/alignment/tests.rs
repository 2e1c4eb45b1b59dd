//! All formats of links through the common reader and writer.
//!
//! Expected records and messages are written by hand from the descriptions of the formats, NAACL from the files of the
//! shared tasks. Random records must survive JSON lines unchanged and other formats but for what those cannot hold; no
//! bytes may cause a panic.

use super::*;
use crate::alignment::Link;
use crate::error::{ErrorKind, Result};
use crate::format::lines::{LineReader, Utf8};
use crate::format::source;
use proptest::prelude::*;
use std::io::Read;

fn read_as(text: &[u8], format: AlignmentFormat, options: &LinkReadOptions) -> Result<Vec<PairRecord>> {
    AlignmentReader::new(vec![LineReader::new(text, "f", Utf8::Strict)], format, options)?.collect()
}

fn message(text: &str, format: AlignmentFormat, options: &LinkReadOptions) -> String {
    read_as(text.as_bytes(), format, options).unwrap_err().to_string()
}

fn write_as(records: &[PairRecord], format: AlignmentFormat, options: &LinkWriteOptions) -> Result<Vec<u8>> {
    let mut writer = AlignmentWriter::new(Vec::new(), "out", format, options)?;
    records.iter().try_for_each(|record| writer.write(record))?;
    Ok(writer.into_inner())
}

fn links(record: &PairRecord) -> &[LinkRecord] {
    &record.links
}

#[test]
fn naacl_reads_what_the_shared_tasks_wrote() {
    let text = "0001 1 1 S\n0003 2 3 P 0.5\n\n0001 2 2\n3 0 1 S\n0003\t1\t0\n3 4 4 0.25\n";
    let reader = |options: &LinkReadOptions| {
        let lines = LineReader::new(text.as_bytes(), "f", Utf8::Strict);
        AlignmentReader::new(vec![lines], AlignmentFormat::Naacl, options).unwrap()
    };
    let mut all = reader(&LinkReadOptions::default());
    let records: Vec<PairRecord> = all.by_ref().map(Result::unwrap).collect();
    assert_eq!(records.len(), 3);
    assert_eq!(links(&records[0]), [LinkRecord::sure(0, 0), LinkRecord::sure(1, 1)]);
    assert_eq!(links(&records[1]), []);
    let third = [LinkRecord::possible(1, 2).with_weight(0.5), LinkRecord::sure(3, 3).with_weight(0.25)];
    assert_eq!(links(&records[2]), third);
    assert_eq!(all.report(), LinkReadReport { pairs: 3, links: 4, null_links: 2, below_threshold: 0 });

    let counted = LinkReadOptions { sentences: Some(Sentences::Count(5)), ..Default::default() };
    assert_eq!(reader(&counted).count(), 5);
    let order = ["3", "x", "0001"].map(str::to_owned).to_vec();
    let ordered = LinkReadOptions { sentences: Some(Sentences::Order(order)), ..Default::default() };
    let records: Vec<PairRecord> = reader(&ordered).map(Result::unwrap).collect();
    assert_eq!(links(&records[0]), third);
    assert_eq!(records.iter().map(|r| (r.number, r.links.len())).collect::<Vec<_>>(), [(1, 2), (2, 0), (3, 2)]);
}

#[test]
fn naacl_faults_have_a_place() {
    let with = |sentences: Option<Sentences>| LinkReadOptions { sentences, ..Default::default() };
    let plain = |line: &str| message(&format!("1 1 1\n{line}\n"), AlignmentFormat::Naacl, &with(None));
    assert_eq!(plain("1 1"), "f:2:4: expected sentence, source position and target position, found nothing");
    assert_eq!(plain("1 x 1"), "f:2:3: expected a position, found `x`");
    assert_eq!(plain("0 1 1"), "f:2:1: expected a sentence number from 1, found `0`");
    assert_eq!(plain("s1 1 1"), "f:2:1: expected a sentence number from 1, found `s1`");
    assert_eq!(plain("1 1 1 Q"), "f:2:7: expected `S` or `P`, then perhaps a confidence, found `Q`");
    assert_eq!(plain("1 1 1 S S"), "f:2:9: expected `S` or `P`, then perhaps a confidence, found `S`");
    assert_eq!(plain("1 1 1 0.5 S"), "f:2:11: expected `S` or `P`, then perhaps a confidence, found `S`");
    assert_eq!(
        plain("4000000000 1 1"),
        "f:2:1: expected a sentence number up to 1000001, not far beyond the others (or state how many there are), found `4000000000`"
    );
    let counted = with(Some(Sentences::Count(2)));
    let error = message("3 1 1\n", AlignmentFormat::Naacl, &counted);
    assert_eq!(error, "f:1:1: expected a sentence number from 1 to 2, found `3`");
    let ordered = with(Some(Sentences::Order(vec!["7".to_owned()])));
    let error = message("0007 1 1\n8 1 1\n", AlignmentFormat::Naacl, &ordered);
    assert_eq!(error, "f:2:1: expected a sentence of the given order, found `8`");
    let twice = with(Some(Sentences::Order(vec!["7".to_owned(), "07".to_owned()])));
    let error = message("", AlignmentFormat::Naacl, &twice);
    assert_eq!(error, "sentence 7 occurs twice in the order of sentences");
}

#[test]
fn links_out_of_range_have_a_line_and_a_column() {
    let check = |text: &str, format: AlignmentFormat, base: Option<Base>| {
        let options = LinkReadOptions { base, ..Default::default() };
        let lines = LineReader::new(text.as_bytes(), "f", Utf8::Strict);
        let mut reader = AlignmentReader::new(vec![lines], format, &options).unwrap();
        // Pairs are known by their numbers, also when others were read since.
        let records: Vec<PairRecord> = reader.by_ref().map(Result::unwrap).collect();
        records.iter().map(|record| reader.check_range(record, 2, 3)).find_map(Result::err).map(|e| e.to_string())
    };
    let refused = |place: &str| Some(format!("{place} is out of range, the source has 2 tokens, the target 3"));
    let naacl = AlignmentFormat::Naacl;
    assert_eq!(check("2 2 3\n1 1 1\n\n2 3 1 P\n3 9 9\n2 3 1\n", naacl, None), refused("f:4:3: link 3-1"));
    assert_eq!(check("2 1 4\n1 0 9\n", naacl, None), refused("f:1:3: link 1-4"));
    assert_eq!(check("1 0 0\n1 2 1\n", naacl, Some(Base::Zero)), refused("f:2:3: link 2-1"));
    assert_eq!(check("1 1 1\n 1  2 3\n", naacl, Some(Base::Zero)), refused("f:2:5: link 2-3"));
    assert_eq!(check("1 2 3\n2 0 1\n", naacl, None), None);
    assert_eq!(check("0-0\n0-0 2-1\n", AlignmentFormat::Pharaoh, None), refused("f:2:5: link 2-1"));
    assert_eq!(check("1-1\n1p1:1 1-4:0.5\n", AlignmentFormat::Talp, None), refused("f:2:7: link 1-4"));
    // Only of the line read last is the text still there.
    assert_eq!(check("0-0 2-1\n0-0\n", AlignmentFormat::Pharaoh, None), refused("f:1: link 2-1"));
    assert_eq!(check("{\"links\":[[0,0],[0,3]]}\n", AlignmentFormat::JsonLines, None), refused("f:1:17: link 0-3"));
    let a3 = "# Sentence pair (1) source length 3 target length 1 alignment score : 1\nx\nNULL ({ }) a ({ }) b ({ }) c ({ 1 })\n";
    assert_eq!(check(a3, AlignmentFormat::GizaA3, None), refused("f:3:33: link 3-1"));
    let two = format!("{a3}{}", a3.replace("(1)", "(2)"));
    assert_eq!(check(&two, AlignmentFormat::GizaA3, None), refused("f (pair):1: link 3-1"));
    let json = r#"{"possible": [[0,2] , [ 2, 0 ]],"links":[[1,1]]}"#;
    assert_eq!(check(&format!("{json}\n"), AlignmentFormat::JsonLines, None), refused("f:1:23: link 2-0"));
    assert_eq!(check("a b c\nd e f\n0-0 2-2\n", AlignmentFormat::Comtrans, None), refused("f:3:5: link 2-2"));
    assert_eq!(check("a b c\nd\n2-0\nx\ny\n0-0\n", AlignmentFormat::Comtrans, None), refused("f:3: link 2-0"));
}

#[test]
fn naacl_is_written_with_names() {
    let records = [
        PairRecord { number: 1, links: vec![LinkRecord::sure(0, 1)], ..Default::default() },
        PairRecord { number: 2, links: vec![LinkRecord::possible(2, 0).with_weight(0.5)], ..Default::default() },
    ];
    let names = Some(Sentences::Order(vec!["a".to_owned(), "0002".to_owned()]));
    let options = LinkWriteOptions { digits: Some(1), sentences: names, ..Default::default() };
    let text = write_as(&records, AlignmentFormat::Naacl, &options).unwrap();
    assert_eq!(text, b"a 1 2 S\n0002 3 1 P 0.5\n");
    let third = PairRecord { number: 3, links: vec![LinkRecord::sure(0, 1)], ..Default::default() };
    let error = write_as(&[third], AlignmentFormat::Naacl, &options).unwrap_err().to_string();
    assert_eq!(error, "pair 3 has no name, the order has 2 sentences");
}

#[test]
fn json_lines_hold_everything() {
    let text = r#"{"extra":{"a":[1]},"links":[[0,0],[1,2]],"possible":[[1,1]],"weights":[0.5,null,0.25],"source":["a","\u00e9\n"],"target":["x","y","z"],"source_offsets":[[0,1],[2,4]],"score":-1.5}"#;
    let records = read_as(text.as_bytes(), AlignmentFormat::JsonLines, &LinkReadOptions::default()).unwrap();
    let record = &records[0];
    let expected =
        [LinkRecord::sure(0, 0).with_weight(0.5), LinkRecord::sure(1, 2), LinkRecord::possible(1, 1).with_weight(0.25)];
    assert_eq!(links(record), expected);
    assert_eq!(record.source.as_ref().unwrap().iter().collect::<Vec<_>>(), ["a", "é\n"]);
    assert_eq!(record.source_offsets, Some(vec![[0, 1], [2, 4]]));
    let written = write_as(&records, AlignmentFormat::JsonLines, &LinkWriteOptions::default()).unwrap();
    assert_eq!(
        String::from_utf8(written).unwrap(),
        "{\"source\":[\"a\",\"é\\n\"],\"target\":[\"x\",\"y\",\"z\"],\"source_offsets\":[[0,1],[2,4]],\
         \"links\":[[0,0],[1,2]],\"possible\":[[1,1]],\"weights\":[0.5,null,0.25],\"score\":-1.5e0}\n"
    );
}

#[test]
fn json_faults_have_a_place() {
    let options = LinkReadOptions::default();
    for (line, expected) in [
        ("", "f:1:1: expected a JSON object with `links`: EOF while parsing a value, found `{\"links\":[]}`"),
        ("[]", ""),
        ("{}", "f:1:2: expected a JSON object with `links`: missing field `links`, found `{}`"),
        (
            "{\"links\":[[0]]}",
            "f:1:13: expected a JSON object with `links`: invalid length 1, expected an array of length 2, found `{\"links\":[[0]]}`",
        ),
        (
            "{\"links\":[[0,-1]]}",
            "f:1:15: expected a JSON object with `links`: invalid value: integer `-1`, expected u32, found `{\"links\":[[0,-1]]}`",
        ),
        (
            "{\"links\":[],\"source\":\"a b\"}",
            "f:1:26: expected a JSON object with `links`: invalid type: string \"a b\", expected an array of words, found `{\"links\":[],\"source\":\"a b\"}`",
        ),
        (
            "{\"links\":[[0,0]],\"weights\":[1,2]}",
            "f:1:1: expected `weights` for 1 links or for 1 with the possible (there are 2), found `{\"links\":[[0,0]],\"weights\":[1,2]}`",
        ),
        (
            "{\"links\":[[0,0]],\"source\":[\"a\"],\"source_offsets\":[]}",
            "f:1:1: expected `source_offsets` for 1 words (there are 0), found `{\"links\":[[0,0]],\"source\":[\"a\"],\"source_offsets\":[]}`",
        ),
        (
            "{\"links\":[[1,0]],\"source\":[\"a\"],\"target\":[\"b\"]}",
            "f:1:11: link 1-0 is out of range, the source has 1 token, the target 1",
        ),
    ] {
        let text = format!("{line}\n");
        if expected.is_empty() || line.is_empty() {
            assert!(read_as(text.as_bytes(), AlignmentFormat::JsonLines, &options).is_err());
            continue;
        }
        assert_eq!(message(&text, AlignmentFormat::JsonLines, &options), expected);
    }
    let one = LinkReadOptions { base: Some(Base::One), ..Default::default() };
    let error = message("{\"links\":[[0,1]]}\n", AlignmentFormat::JsonLines, &one);
    assert!(error.starts_with("f:1:1: expected positions from 1"), "{error}");
}

#[test]
fn bases_and_thresholds() {
    let options = LinkReadOptions { threshold: Some(0.5), ..Default::default() };
    let lines = LineReader::new(&b"0-0 1-1:0.4 2-2:0.5 3p3:0.6\n"[..], "f", Utf8::Strict);
    let mut reader = AlignmentReader::new(vec![lines], AlignmentFormat::Pharaoh, &options).unwrap();
    let record = reader.next().unwrap().unwrap();
    assert_eq!(record.alignment(), [(0, 0), (2, 2), (3, 3)].into());
    assert_eq!(reader.report(), LinkReadReport { pairs: 1, links: 3, null_links: 0, below_threshold: 1 });
    assert_eq!(reader.position().to_string(), "f:1");

    let error = message("1-1 0-2\n", AlignmentFormat::Talp, &LinkReadOptions::default());
    assert_eq!(error, "f:1:5: expected positions from 1, found `0-2`");
    let one = LinkReadOptions { base: Some(Base::One), ..Default::default() };
    assert_eq!(read_as(b"1-2\n", AlignmentFormat::Pharaoh, &one).unwrap()[0].alignment(), [(0, 1)].into());
    let zero = LinkReadOptions { base: Some(Base::Zero), ..Default::default() };
    assert_eq!(read_as(b"1 0 2\n", AlignmentFormat::Naacl, &zero).unwrap()[0].alignment(), [(0, 2)].into());
}

#[test]
fn several_inputs_are_parts_of_a3_only() {
    let made = || vec![LineReader::new(&b""[..], "f", Utf8::Strict), LineReader::new(&b""[..], "g", Utf8::Strict)];
    let options = LinkReadOptions::default();
    assert!(AlignmentReader::new(made(), AlignmentFormat::GizaA3, &options).is_ok());
    let error = AlignmentReader::new(made(), AlignmentFormat::Talp, &options).unwrap_err().to_string();
    assert_eq!(error, "one input is needed for the format talp, and parts for giza only");
    for format in AlignmentFormat::ALL {
        assert!(AlignmentReader::<&[u8]>::new(Vec::new(), format, &options).is_err());
    }
}

#[test]
fn conversion_counts_what_is_lost() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let json = "{\"source\":[\"a\"],\"target\":[\"b\",\"c\"],\"links\":[[0,0]],\"possible\":[[0,1]],\"weights\":[0.5,1],\"score\":2}\n\
                {\"source\":[],\"target\":[],\"links\":[]}\n";
    std::fs::write(path("in.jsonl"), json).unwrap();
    let run = |to: AlignmentFormat, write: &LinkWriteOptions| {
        let read = LinkReadOptions::default();
        let report =
            convert(&[path("in.jsonl")], AlignmentFormat::JsonLines, &read, path("out.gz"), to, write).unwrap();
        let mut text = String::new();
        source::open(path("out.gz")).unwrap().read_to_string(&mut text).unwrap();
        (text, report.written)
    };
    let plain = LinkWriteOptions::default();
    let written = LinkWriteReport { pairs: 2, links: 2, ..Default::default() };
    let (text, report) = run(AlignmentFormat::Talp, &plain);
    assert_eq!(text, "1-1 1p2\n\n");
    assert_eq!(report, LinkWriteReport { lost_weights: 2, lost_words: 2, lost_scores: 1, ..written });
    let (text, report) = run(AlignmentFormat::Naacl, &LinkWriteOptions { digits: Some(2), ..plain.clone() });
    assert_eq!(text, "1 1 1 S 0.50\n1 1 2 P 1.00\n");
    assert_eq!(report, LinkWriteReport { lost_words: 2, lost_scores: 1, invisible_pairs: 1, ..written });
    let (text, report) = run(AlignmentFormat::GizaA3, &plain);
    assert!(text.ends_with("b c\nNULL ({ }) a ({ 1 2 })\n# Sentence pair (2) source length 0 target length 0 alignment score : 0e0\n\nNULL ({ })\n"));
    assert_eq!(report, LinkWriteReport { lost_weights: 2, lost_kinds: 1, ..written });

    let read = LinkReadOptions::default();
    let same = convert(
        &[path("in.jsonl")],
        AlignmentFormat::JsonLines,
        &read,
        path("in.jsonl"),
        AlignmentFormat::JsonLines,
        &plain,
    );
    assert!(matches!(same.unwrap_err().kind(), ErrorKind::Config { field: "output", .. }));
    assert_eq!(read_gold(path("in.jsonl"), AlignmentFormat::JsonLines, &read).unwrap()[0].sure(), &[(0, 0)].into());
    assert_eq!(read_alignments(path("in.jsonl"), AlignmentFormat::JsonLines, &read).unwrap()[0].len(), 2);
    assert_eq!(read_records(path("in.jsonl"), AlignmentFormat::JsonLines, &read).unwrap()[1].number, 2);
}

type Words = (Vec<String>, Vec<String>);

/// Records that JSON lines hold as they are: sure links first, everything else anything.
fn records() -> impl Strategy<Value = Vec<PairRecord>> {
    let link = (0u32..6, 0u32..6, any::<bool>(), proptest::option::of(-1e6f32..1e6));
    let words = || proptest::collection::vec("[a-c\" \\\\é\u{1F600}\n]{0,3}", 6..8);
    let pair = (proptest::collection::vec(link, 0..8), proptest::option::of((words(), words())), any::<bool>());
    proptest::collection::vec(pair, 0..5).prop_map(|pairs| {
        let record = |(n, (links, words, offsets)): (usize, (Vec<_>, Option<Words>, bool))| {
            let mut links: Vec<LinkRecord> = links
                .into_iter()
                .map(|(source, target, sure, weight)| {
                    let kind = if sure { LinkKind::Sure } else { LinkKind::Possible };
                    LinkRecord { link: Link::new(source, target), kind, weight }
                })
                .collect();
            links.sort_by_key(|link| link.kind);
            let list = |words: &Vec<String>| words.iter().map(String::as_str).collect::<TokenList>();
            let places = |words: &Vec<String>| (0..words.len() as u32).map(|n| [n, n + 2]).collect::<Vec<_>>();
            PairRecord {
                number: n as u64 + 1,
                source: words.as_ref().map(|(source, _)| list(source)),
                target: words.as_ref().map(|(_, target)| list(target)),
                source_offsets: words.as_ref().filter(|_| offsets).map(|(source, _)| places(source)),
                target_offsets: words.as_ref().filter(|_| offsets).map(|(_, target)| places(target)),
                score: offsets.then_some(n as f64 / 3.0),
                links,
            }
        };
        pairs.into_iter().enumerate().map(record).collect()
    })
}

/// What a format without words keeps of a record, weights with three decimals.
fn bare(record: &PairRecord) -> PairRecord {
    let round = |weight: f32| format!("{weight:.3}").parse().unwrap();
    let links = record.links.iter().map(|link| LinkRecord { weight: link.weight.map(round), ..*link }).collect();
    PairRecord { number: record.number, links, ..PairRecord::default() }
}

proptest! {
    #[test]
    fn json_lines_come_back_as_they_were(records in records(), one in any::<bool>()) {
        let base = Some(if one { Base::One } else { Base::Zero });
        let text = write_as(&records, AlignmentFormat::JsonLines, &LinkWriteOptions { base, ..Default::default() }).unwrap();
        let back = read_as(&text, AlignmentFormat::JsonLines, &LinkReadOptions { base, ..Default::default() }).unwrap();
        prop_assert_eq!(&back, &records);
    }

    #[test]
    fn other_formats_keep_what_they_can(records in records()) {
        let write = LinkWriteOptions { digits: Some(3), ..Default::default() };
        let read = LinkReadOptions { sentences: Some(Sentences::Count(records.len() as u64)), ..Default::default() };
        let expected: Vec<PairRecord> = records.iter().map(bare).collect();
        for format in [AlignmentFormat::Pharaoh, AlignmentFormat::Talp, AlignmentFormat::Naacl] {
            let text = write_as(&records, format, &write).unwrap();
            let back = read_as(&text, format, &read).unwrap();
            prop_assert_eq!(&back, &expected);
            prop_assert_eq!(write_as(&back, format, &write).unwrap(), text);
        }
    }

    #[test]
    fn naacl_lines_may_come_in_any_order(lines in proptest::collection::vec((1u32..6, 1u32..5, 1u32..5), 0..20)) {
        let text: String = lines.iter().flat_map(|(n, s, t)| [n.to_string(), " ".into(), s.to_string(), " ".into(), t.to_string(), "\n".into()]).collect();
        let records = read_as(text.as_bytes(), AlignmentFormat::Naacl, &LinkReadOptions::default()).unwrap();
        prop_assert_eq!(records.len() as u32, lines.iter().map(|(n, ..)| *n).max().unwrap_or(0));
        for record in &records {
            let own = lines.iter().filter(|(n, ..)| u64::from(*n) == record.number);
            let expected: Vec<LinkRecord> = own.map(|&(_, s, t)| LinkRecord::sure(s - 1, t - 1)).collect();
            prop_assert_eq!(&record.links, &expected);
        }
    }

    #[test]
    fn no_bytes_cause_a_panic(
        bytes in proptest::collection::vec(prop_oneof![4 => proptest::sample::select(b"0123456789 -:pSP?[]{},\"\n#().links".to_vec()), 1 => any::<u8>()], 0..80),
        one in any::<bool>(),
    ) {
        let options = LinkReadOptions { base: Some(if one { Base::One } else { Base::Zero }), ..Default::default() };
        for format in AlignmentFormat::ALL {
            if let Ok(records) = read_as(&bytes, format, &options) {
                for to in AlignmentFormat::ALL {
                    let _ = write_as(&records, to, &LinkWriteOptions::default()).is_ok();
                }
            }
        }
    }
}
