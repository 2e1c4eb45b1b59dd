use proptest::prelude::*;

use super::*;
use crate::alignment::{Alignment, Link};
use crate::format::source::Input;

fn records(text: &str) -> Result<Vec<Record>, String> {
    read(Input::from_bytes("f", text)).map_err(|error| error.to_string())
}

#[test]
fn ids_have_digits_for_each_place() {
    let id: WordId = "o010020030041".parse().unwrap();
    let expected = WordId { book: 1, chapter: 2, verse: 3, word: 4, part: Some(1), prefix: Some('o') };
    assert_eq!(id, expected);
    for text in ["40001001002", "n40001001002", "o010020030041", "010020030041", "66022021999"] {
        assert_eq!(text.parse::<WordId>().unwrap().to_string(), text);
    }
    for text in
        ["", "4000100100", "4000100100123", "x40001001001", "00001001001", "40001001000", "n4000100100é", "40 01001001"]
    {
        assert_eq!(text.parse::<WordId>(), Err(word_id::NoWordId), "{text}");
    }
}

#[test]
fn all_layouts_are_read() {
    let expected = records(
        r#"{"format":"alignment","version":"0.3","groups":[{"type":"translation","meta":{"creator":"x"},
        "documents":[{"docid":"A","scheme":"BCVWP"},{"docid":"B","scheme":"BCVWP"}],"roles":["source","target"],
        "records":[{"meta":{"id":"a"},"source":["n40001001001","n40001001002"],"target":["40001001003"]}]}]}"#,
    )
    .unwrap();
    let ids = |ids: &[&str]| -> Vec<WordId> { ids.iter().map(|id| id.parse().unwrap()).collect() };
    let (source, target) = (ids(&["n40001001001", "n40001001002"]), ids(&["40001001003"]));
    assert_eq!(expected, [Record { id: Some("a".to_owned()), source, target }]);
    for other in [
        r#"{"type":"translation","meta":{},"records":[{"id":"a","source":["n40001001001","n40001001002"],"target":["40001001003"],"meta":{"origin":"manual"}}]}"#,
        r#"{"format":"alignment","version":"0.2","groups":[{"records":[{"id":"a","references":[["n40001001001","n40001001002"],["40001001003"]]}]}]}"#,
    ] {
        assert_eq!(records(other).unwrap(), expected, "{other}");
    }
    // Numbers lose their leading zeros.
    let numbers = records(r#"{"records":[{"id":7,"source":[1001001001],"target":[]}]}"#).unwrap();
    assert_eq!((numbers[0].source[0].to_string().as_str(), numbers[0].id.as_deref()), ("01001001001", Some("7")));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, place, message) in [
        ("", "f:1: ", "EOF while parsing a value"),
        ("[1]", "f:1:2: ", "invalid type: integer `1`, expected"),
        ("{}", "f:1: ", "neither records nor groups"),
        (
            "{\"records\":[\n{\"source\":[\"x\"]}]}",
            "f:2:14: ",
            "invalid value: string \"x\", expected the id of a word",
        ),
        ("{\"records\":[\n{\"source\":[]}]}", "f:2:", "a record without source or target"),
        ("{\"records\":[\n{\"references\":[[]]}]}", "f:2:", "references of a record without two sides"),
        ("{\"roles\":[\"a\",\"b\"],\"records\":[]}", "f:1: ", "other roles than source and target"),
        ("{\"groups\":[\n{\"roles\":[\"a\",\"b\"],\"records\":[]}]}", "f:2:", "other roles than source and target"),
    ] {
        let found = records(text).unwrap_err();
        let message = format!("expected alignment records in JSON ({message}");
        assert!(found.starts_with(place) && found.contains(&message), "{text}: {found}");
    }
    let ids = vec!["\"40001001001\""; 5000].join(",");
    let huge = records(&format!("{{\"records\":[{{\"source\":[{ids}],\"target\":[{ids}]}}]}}")).unwrap_err();
    assert!(huge.starts_with("f: links of words: 25000000, more than the limit"), "{huge}");
}

#[test]
fn numbers_are_those_of_the_first_verse() {
    let verses = [("MAT 1:1", 2), ("MAT 1:2-3", 1), ("MAT 1:4a", 2), ("MAT 1:4b", 3), ("GEN 1:1", 999)];
    let verses = || verses.iter().map(|(reference, words)| (reference.parse().unwrap(), *words));
    let numbering = Numbering::new(verses()).unwrap();
    let ids = ["40001001001", "40001001002", "40001002001", "40001004001", "40001004002", "40001004003"];
    let places = [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1), (3, 0)];
    for (id, (verse, word)) in ids.into_iter().zip(places) {
        assert_eq!(numbering.id(verse, word).to_string(), id);
        assert_eq!(numbering.find(&format!("n{id}7").parse().unwrap()), Some((verse, word)));
    }
    assert_eq!(numbering.find(&"40001003001".parse().unwrap()), None);
    assert_eq!(numbering.find(&"40001004006".parse().unwrap()), None);
    let error = Numbering::new([("MAT 1:1".parse().unwrap(), 1000)]).unwrap_err().to_string();
    assert_eq!(error, "MAT 1:1: 1000 words, more than ids of words can number");
    let error = Numbering::new([("XXA 1:1".parse().unwrap(), 1)]).unwrap_err().to_string();
    assert_eq!(error, "XXA 1:1: ids of words have no number for XXA");
}

#[test]
fn files_are_those_that_others_read() {
    let id = |text: &str| text.parse::<WordId>().unwrap();
    let of = |source: &str, target: &str| Record { id: None, source: vec![id(source)], target: vec![id(target)] };
    let two = [of("40001001001", "40001001002"), of("40001001002", "40001001001"), of("01001001001", "01001001001")];
    let file: serde_json::Value = serde_json::from_str(&write(&two, ["A \"x\"", "B"], Layout::Groups)).unwrap();
    assert_eq!((file["format"].as_str(), file["version"].as_str()), (Some("alignment"), Some("0.3")));
    let group = &file["groups"][0];
    assert_eq!(group["documents"][0], serde_json::json!({"docid": "A \"x\"", "scheme": "BCVWP"}));
    assert_eq!(group["records"][1]["meta"]["id"], "40001001.002");
    assert_eq!(
        group["records"][2],
        serde_json::json!({"meta": {"id": "01001001.001"}, "source": ["01001001001"], "target": ["01001001001"]})
    );
    let file: serde_json::Value = serde_json::from_str(&write(&two, ["A", "B"], Layout::Flat)).unwrap();
    let expected = [("n40001001001", "40001001002"), ("n40001001002", "40001001001"), ("o01001001001", "01001001001")];
    for (record, (source, target)) in file["records"].as_array().unwrap().iter().zip(expected) {
        assert_eq!((record["source"][0].as_str(), record["target"][0].as_str()), (Some(source), Some(target)));
    }
    assert_eq!(records(&write(&[], ["A", "B"], Layout::Groups)), Ok(Vec::new()));
}

proptest! {
    /// Groups are what is connected: together they have each word once and all links, and no link leads from one to another.
    #[test]
    fn groups_are_connected(pairs in proptest::collection::vec((0..8u32, 0..8u32), 0..12)) {
        let links = Alignment::from_links(pairs.iter().map(|&(source, target)| Link::new(source, target)).collect());
        let found = linked_groups(&links);
        let group = |side: usize, word: u32| found.iter().position(|group| group[side].contains(&word));
        for link in links.iter() {
            prop_assert!(group(0, link.source).is_some());
            prop_assert_eq!(group(0, link.source), group(1, link.target));
        }
        let mut words: Vec<u32> = found.iter().flat_map(|group| &group[0]).copied().collect();
        words.sort_unstable();
        let mut expected: Vec<u32> = links.iter().map(|link| link.source).collect();
        expected.dedup();
        prop_assert_eq!(words, expected);
        // The number of components, by joining labels until nothing changes.
        let mut labels: Vec<u32> = (0..16).collect();
        for _ in 0..16 {
            for link in links.iter() {
                let (a, b) = (link.source as usize, 8 + link.target as usize);
                let least = labels[a].min(labels[b]);
                (labels[a], labels[b]) = (least, least);
            }
        }
        let mut components: Vec<u32> = links.iter().map(|link| labels[link.source as usize]).collect();
        components.sort_unstable();
        components.dedup();
        prop_assert_eq!(found.len(), components.len());
    }

    /// What is written is read.
    #[test]
    fn records_come_back(places in proptest::collection::vec((1..99u8, 0..999u16, 1..999u16), 1..6), part in 0..3u8) {
        let ids: Vec<WordId> = places.iter().map(|&(book, chapter, word)| WordId {
            book, chapter, verse: chapter / 2, word, part: (part > 0).then_some(part), prefix: (part == 1).then_some('n'),
        }).collect();
        let given = [Record { id: Some("é\"".to_owned()), source: ids.clone(), target: ids }];
        prop_assert_eq!(records(&write(&given, ["a", "b"], Layout::Groups)).unwrap(), given.to_vec());
    }
}
