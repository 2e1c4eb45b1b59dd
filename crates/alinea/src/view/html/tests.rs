//! The HTML page: its data, its evaluation, and that it is self-contained.
//!
//! Data are read back as a browser would read them and compared with what was put in; random text must survive. Charts
//! must be well-formed XML. Scores are those of the example of Och and Ney (2003) in `evaluate`.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::format::alignment::LinkRecord;
use crate::view::well_formed::texts;
use crate::view::{DrawnTree, Trees};

fn page(title: &str, layers: Vec<Layer>, pairs: &[PagePair<'_, &str, &str>]) -> String {
    let mut page = HtmlPage::new(title, layers).unwrap();
    let mut text = page.start();
    for pair in pairs {
        text += &page.pair(pair).unwrap();
    }
    text + &page.end().unwrap()
}

/// What is between two marks.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text.split_once(before).expect(before);
    rest.split_once(after).expect(after).0
}

/// The data as a browser reads them: the script ends at the first `</script`.
fn data(page: &str) -> Value {
    serde_json::from_str(between(page, "id=\"data\">", "</script")).unwrap()
}

#[test]
fn pairs_links_and_trees_are_in_the_data() {
    let links = [LinkRecord::sure(1, 0).with_weight(0.9), LinkRecord::possible(0, 1), LinkRecord::sure(0, 0)];
    let other = [LinkRecord::possible(0, 0), LinkRecord::sure(0, 0), LinkRecord::sure(7, 7)];
    let tree = DrawnTree { heads: vec![Some(1), None], relations: vec!["det", "root"], tags: vec!["DET", "NOUN"] };
    let layers: [&[LinkRecord]; 2] = [&links, &other];
    let pair = PagePair {
        trees: Trees { source: Some(tree), target: None },
        ..PagePair::new(3, &["das", "Haus"], &["the", "house"], &layers)
    };
    let text = page("T", vec![Layer::system("a"), Layer::gold("b")], &[pair]);
    let expected = json!({
        "layers": [{"name": "a", "gold": false}, {"name": "b", "gold": true}],
        "pairs": [{
            "n": 3, "s": ["das", "Haus"], "t": ["the", "house"],
            "l": [[[0, 0], [0, 1, 1], [1, 0, 0, 0.9]], [[0, 0], [7, 7]]],
            "st": [[1, "det", "DET"], [-1, "root", "NOUN"]],
        }],
    });
    assert_eq!(data(&text), expected);
}

#[test]
fn a_page_is_one_file_and_asks_for_nothing() {
    let text = page("A & B </title><script>", vec![Layer::system("a")], &[]);
    assert_eq!(text.matches("<title>").count(), 1);
    assert!(text.contains("<title>A &amp; B &lt;/title&gt;&lt;script&gt;</title>"));
    for mark in ["{title}", "{style}", "{data}", "{evaluation}", "{script}"] {
        assert!(!text.contains(mark), "{mark}");
    }
    assert!(text.contains("default-src 'none'"));
    assert_eq!(text.matches("http").count() - text.matches("http-equiv").count(), 1, "the name space of SVG");
    for way in [" src=", "url(", "@import", "import ", "fetch(", "XMLHttpRequest"] {
        assert!(!text.contains(way), "{way}");
    }
    assert_eq!(data(&text)["pairs"], json!([]));
    assert_eq!(text.matches("<script").count(), 2);
    assert_eq!(text.matches("</script>").count(), 2);
}

#[test]
fn what_does_not_fit_is_refused() {
    let message = |layers| HtmlPage::new("", layers).unwrap_err().to_string();
    assert_eq!(message(vec![]), "a page needs a set of links");
    assert_eq!(message(vec![Layer::system("x"), Layer::gold("x")]), "two sets of links are called x");
    let mut page = HtmlPage::new("", vec![Layer::system("x")]).unwrap();
    let mut message = |pair: &PagePair<'_, &str, &str>| page.pair(pair).unwrap_err().to_string();
    assert_eq!(message(&PagePair::new(4, &[], &[], &[])), "pair 4: 0 sets of links on a page of 1");
    let short = DrawnTree { heads: vec![None], relations: vec!["root"], tags: vec![""] };
    let pair = PagePair {
        trees: Trees { source: None, target: Some(short) },
        ..PagePair::new(5, &["a"], &["b", "c"], &[&[]])
    };
    assert_eq!(message(&pair), "pair 5: a tree of other words than the 2 of its sentence");
}

#[test]
fn bytes_that_are_no_text_are_replaced() {
    let mut page = HtmlPage::new("", vec![Layer::system("x")]).unwrap();
    let json = page.pair(&PagePair::new(1, &[b"a\xFFb".as_slice()], &[b"\xE2\x82"], &[&[]])).unwrap();
    assert_eq!(json, "\n{\"n\":1,\"s\":[\"a\u{FFFD}b\"],\"t\":[\"\u{FFFD}\"],\"l\":[[]]}");
}

/// Gold standard and links are those of the example in the room `evaluate`, after Och and Ney (2003).
#[test]
fn the_evaluation_has_every_system_and_gold_standard() {
    let gold = [LinkRecord::sure(0, 0), LinkRecord::sure(1, 1), LinkRecord::possible(1, 2)];
    let links =
        [LinkRecord::sure(0, 0), LinkRecord::sure(1, 2), LinkRecord::sure(2, 2)].map(|link| link.with_weight(0.5));
    let layers = vec![Layer::system("<new>"), Layer::system("gold?"), Layer::gold("R&D")];
    let words = ["a", "b", "c"];
    let text = page("", layers, &[PagePair::new(1, &words, &words, &[&links, &gold, &gold])]);
    let evaluation = between(&text, "aria-label=\"Evaluation\" hidden>", "</section>");
    let found = texts(&evaluation.replace("<br>", "<br/>"));
    let row = |name: &str| {
        let start = found.iter().position(|text| text == name).unwrap();
        found[start..].iter().filter(|text| !text.contains('–') || *text == "–").take(12).cloned().collect::<Vec<_>>()
    };
    assert_eq!(row("<new>"), ["<new>", "R&D", "40.00", "66.67", "50.00", "57.14", "1", "3", "1", "1", "1", "1"]);
    assert_eq!(row("gold?"), ["gold?", "R&D", "0.00", "100.00", "100.00", "100.00", "1", "3", "2", "1", "0", "0"]);
    // Only the first has confidences: all 0.5, one of three sure.
    assert_eq!(evaluation.matches("<svg").count(), 2);
    assert!(evaluation.contains("The expected calibration error is 0.1667, over 10 bins."), "{evaluation}");
    assert!(evaluation.contains("3 links of mean confidence 0.500: 33.3 % sure, 66.7 % possible"));
    assert!(evaluation.contains("F is highest at the threshold 0.5: precision 66.67, recall 50.00, F 57.14."));
}

#[test]
fn pairs_without_gold_links_are_not_scored() {
    let (links, none): ([LinkRecord; 1], [LinkRecord; 0]) = ([LinkRecord::sure(0, 0)], []);
    let words = ["a"];
    let layers: [&[LinkRecord]; 2] = [&links, &links];
    let unknown: [&[LinkRecord]; 2] = [&links, &none];
    let pairs = [
        PagePair::new(1, &words, &words, &layers),
        PagePair::new(2, &words, &words, &unknown).with_annotated(&[true, false]),
        PagePair::new(3, &words, &words, &unknown).with_annotated(&[true, false]),
    ];
    let text = page("", vec![Layer::system("a"), Layer::gold("b")], &pairs);
    assert_eq!(data(&text)["pairs"][1]["l"], json!([[[0, 0]], null]));
    assert!(text.contains("<h2>Evaluation of 1 pair</h2>"), "{text}");
    assert!(text.contains("<p><bdi>b</bdi>: 1 of 3 pairs have gold links; others are not scored.</p>"), "{text}");
    // The links that nobody judged are not wrong.
    let evaluation = between(&text, "aria-label=\"Evaluation\" hidden>", "</section>");
    let numbers: Vec<String> = texts(&evaluation.replace("<br>", "<br/>"));
    let aer = numbers.iter().position(|text| text == "0.00").unwrap();
    let counts: Vec<&str> =
        numbers[aer..].iter().map(String::as_str).filter(|text| !text.contains(['.', '–'])).collect();
    assert_eq!(counts[..6], ["1", "1", "1", "0", "0", "0"]);
    let mut page = HtmlPage::new("", vec![Layer::system("a"), Layer::gold("b")]).unwrap();
    let error = page.pair(&PagePair::new(7, &words, &words, &unknown).with_annotated(&[true])).unwrap_err();
    assert_eq!(error.to_string(), "pair 7: annotated says 1 of 2 layers");
    // A gold standard of none of the pairs has no scores.
    let text = self::page("", vec![Layer::system("a"), Layer::gold("b")], &pairs[1..]);
    assert!(text.contains("<h2>Evaluation of 0 pairs</h2>") && text.contains("0 of 2 pairs have gold links"), "{text}");
}

#[test]
fn what_is_written_is_the_page() {
    let (words, links) = (["a"], [LinkRecord::sure(0, 0)]);
    let layers: [&[LinkRecord]; 1] = [&links];
    let pair = || PagePair::new(1, &words, &words, &layers);
    let new = || HtmlPage::new("T", vec![Layer::system("a")]).unwrap();
    let mut writer = PageWriter::new(new(), Vec::new(), "memory").unwrap();
    writer.pair(&pair()).unwrap();
    assert_eq!(String::from_utf8(writer.finish().unwrap()).unwrap(), page("T", vec![Layer::system("a")], &[pair()]));
    let mut nowhere: [u8; 3] = [0; 3];
    let error = PageWriter::new(new(), nowhere.as_mut_slice(), "page.html").unwrap_err();
    assert!(error.to_string().starts_with("page.html: "), "{error}");
}

#[test]
fn pages_without_gold_standard_have_no_evaluation() {
    let text = page("", vec![Layer::system("a"), Layer::system("b")], &[PagePair::new(1, &["x"], &["y"], &[&[], &[]])]);
    assert_eq!(between(&text, "aria-label=\"Evaluation\" hidden>", "</section>").trim(), "");
}

proptest! {
    /// Whatever words and names are, a browser reads them back, and the page has no more scripts than before.
    #[test]
    fn data_are_read_back(
        source in proptest::collection::vec(any::<String>(), 0..4),
        target in proptest::collection::vec("(</script>|<!--|<script|\\]\\]>|\u{2028}|\u{202e}|\u{301}|\u{0}|[a\"\\\\])*", 0..4),
        name in any::<String>(),
        links in proptest::collection::vec((0u32..5, 0u32..5, 0u8..=100), 0..6),
    ) {
        let mut records: Vec<LinkRecord> =
            links.iter().map(|&(s, t, w)| LinkRecord::sure(s, t).with_weight(f32::from(w) / 100.0)).collect();
        let mut page = HtmlPage::new(name.clone(), vec![Layer::system(name.clone())]).unwrap();
        let mut text = page.start();
        text += &page.pair(&PagePair::new(1, &source, &target, &[&records])).unwrap();
        text += &page.end().unwrap();
        let read = data(&text);
        prop_assert_eq!(&read["layers"][0]["name"], &json!(name));
        prop_assert_eq!(&read["pairs"][0]["s"], &json!(source));
        prop_assert_eq!(&read["pairs"][0]["t"], &json!(target));
        records.sort_by(|a, b| a.link.cmp(&b.link).then(b.weight.partial_cmp(&a.weight).unwrap()));
        records.dedup_by_key(|record| record.link);
        let read: Vec<(u64, u64, f32)> = read["pairs"][0]["l"][0].as_array().unwrap().iter().map(|link| {
            (link[0].as_u64().unwrap(), link[1].as_u64().unwrap(), link[3].as_f64().unwrap() as f32)
        }).collect();
        let expected: Vec<(u64, u64, f32)> = records.iter()
            .map(|record| (record.link.source.into(), record.link.target.into(), record.weight.unwrap())).collect();
        prop_assert_eq!(read, expected);
        let frame = text.len() - between(&text, "id=\"data\">", "</script").len();
        prop_assert!(frame < FRAME.len() + STYLE.len() + SCRIPT.len() + 12 * name.len());
        prop_assert_eq!(text.to_lowercase().matches("<script").count(), 2);
        prop_assert_eq!(text.matches("<!--").count(), 0);
    }

    /// Charts are well-formed whatever the numbers, and nothing is drawn outside.
    #[test]
    fn charts_are_well_formed(links in proptest::collection::vec((0u32..5, 0u32..5, -1f32..2.0), 0..30)) {
        let gold = [LinkRecord::sure(0, 0), LinkRecord::sure(1, 2), LinkRecord::possible(3, 3)];
        let records: Vec<LinkRecord> = links.iter().map(|&(s, t, w)| LinkRecord::sure(s, t).with_weight(w)).collect();
        let text = page("", vec![Layer::system("a"), Layer::gold("b")], &[PagePair::new(1, &[], &[], &[&records, &gold])]);
        let evaluation = between(&text, "aria-label=\"Evaluation\" hidden>", "</section>");
        texts(&evaluation.replace("<br>", "<br/>"));
        for part in evaluation.split(" cx=\"").skip(1) {
            let x: f64 = part.split('"').next().unwrap().parse().unwrap();
            prop_assert!((50.0..=428.0).contains(&x), "{x}");
        }
        prop_assert!(!evaluation.contains("NaN") && !evaluation.contains("inf"));
    }
}
