//! `alinea evaluate`.

use std::fmt::Write;

use serde_json::Value;

use crate::support::Room;

/// By the definitions: |A| = 3, |S| = 2, A and S share 0-0, A and P share 0-0 and 1-2; so precision is 2/3, recall
/// 1/2, AER 1 - (1 + 2) / (3 + 2) = 0.4, F 2 / (3/2 + 2) = 4/7.
const GOLD: &str = "0-0 1-1 1p2\n";
const LINKS: &str = "0-0 1-2 2-2\n";

fn room() -> Room {
    Room::with_files(&[
        ("gold", GOLD),
        ("links", LINKS),
        ("better", "0-0 1-1\n"),
        ("longer", "0-0 1-2 2-2\n0-0\n0-0\n"),
        ("s", "das Haus hier\n"),
        ("t", "the house here\n"),
    ])
}

fn json(room: &Room, words: &str) -> Value {
    serde_json::from_str(&room.stdout(words)).unwrap()
}

#[test]
fn scores_are_those_of_the_definitions() {
    let room = room();
    let table = "\
sentences            1
gold                 2 sure links, 1 only possible
hypothesis           3 links: 1 sure, 1 only possible, 1 wrong; 1 sure missed

percent                    AER  precision     recall          F
corpus                   40.00      66.67      50.00      57.14
mean over sentences      40.00      66.67      50.00      57.14

alignment|annotated-only:no|alpha:0.5|bootstrap:no
";
    let outcome = room.run("evaluate --gold gold links --bootstrap 0 --worst 0").success();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), (table, ""));
    let report = json(&room, "evaluate --gold gold links --json");
    let close = |score: &str, expected: f64| {
        assert!((report["corpus"][score].as_f64().unwrap() - expected).abs() < 1e-12, "{score}");
    };
    close("precision", 2.0 / 3.0);
    close("recall", 0.5);
    close("aer", 0.4);
    close("f", 4.0 / 7.0);
    assert_eq!(report["counts"]["hypothesis"], 3);
    assert_eq!(report["files"], serde_json::json!({"gold": "gold", "hypothesis": "links"}));
    let signature = "alignment|annotated-only:no|alpha:0.5|bootstrap|samples:1000|seed:12345|confidence:0.95";
    assert_eq!(report["signature"], signature);
    assert!(room.stdout("evaluate --gold gold links").contains(&format!("\n{signature}\n")));
}

#[test]
fn scores_are_those_of_nltk() {
    let vectors = include_str!("../../../alinea/tests/vectors/alignment-scores.jsonl");
    let mut checked = 0;
    for vector in vectors.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let (input, score) = (&vector["input"], vector["op"].as_str().unwrap());
        let possible = if input["possible"].is_null() { &input["sure"] } else { &input["possible"] };
        let gold = match score {
            "precision" => line(&input["reference"], 'p'),
            "recall" => line(&input["reference"], '-'),
            "aer" | "f" => format!("{} {}", line(possible, 'p'), line(&input["sure"], '-')),
            _ => continue,
        };
        let room = Room::with_files(&[("gold", &(gold + "\n")), ("links", &(line(&input["test"], '-') + "\n"))]);
        let alpha = input["alpha"].as_f64().unwrap_or(0.5);
        let report = json(&room, &format!("evaluate --gold gold links --json --bootstrap 0 --alpha {alpha}"));
        let (found, expected) = (report["corpus"][score].as_f64(), vector["expect"].as_f64());
        let equal = found.zip(expected).map_or(found == expected, |(a, b)| (a - b).abs() < 1e-12);
        assert!(equal, "{}: {found:?}, not {expected:?}", vector["id"]);
        checked += 1;
    }
    assert_eq!(checked, 96);
}

fn line(links: &Value, joint: char) -> String {
    links.as_array().unwrap().iter().fold(String::new(), |mut line, link| {
        write!(line, "{}{joint}{} ", link[0], link[1]).unwrap();
        line
    })
}

#[test]
fn the_worst_sentences_are_shown_link_by_link() {
    let room = Room::with_files(&[
        ("gold", "0-0\n0-0 1-1\n0-0\n"),
        ("links", "0-0\n0-1 1-0\n1-0 0-0\n"),
        ("s", "a\nein Haus\nx y\n"),
        ("t", "b\na house\nz\n"),
    ]);
    let text = room.stdout("evaluate --gold gold links");
    let worst = "
worst sentences
sentence 2: 2 wrong, 2 missed, AER 100.00
  wrong   0-1 1-0
  missed  0-0 1-1
sentence 3: 1 wrong, 0 missed, AER 33.33
  wrong   1-0
";
    assert!(text.ends_with(worst), "{text}");
    let text = room.stdout("evaluate --gold gold links --source s --target t --worst 1");
    let worst = "
worst sentences
sentence 2: 2 wrong, 2 missed, AER 100.00
  wrong   ein–house 0-1, Haus–a 1-0
  missed  ein–a 0-0, Haus–house 1-1
";
    assert!(text.ends_with(worst), "{text}");
    let report = json(&room, "evaluate --gold gold links --source s --target t --worst 1 --json");
    let worst = &report["worst"][0];
    assert_eq!((worst["sentence"].as_u64(), worst["wrong_links"].to_string()), (Some(2), "[[0,1],[1,0]]".to_owned()));
    assert_eq!(worst["source"].to_string(), "[\"ein\",\"Haus\"]");
}

#[test]
fn words_do_not_command_the_terminal() {
    let room = Room::with_files(&[("gold", "0-0\n"), ("links", "0-1\n"), ("s", "\u{1b}[2J\n"), ("t", "b c\u{202e}\n")]);
    let text = room.stdout("evaluate --gold gold links --source s --target t");
    assert!(text.contains("  wrong   \u{fffd}[2J–c\u{fffd} 0-1\n"), "{text}");
}

#[test]
fn links_between_words_that_people_left_out_may_be_ignored() {
    let room = room();
    // 2-2: source word 2 has no gold link. Left are 0-0 and 1-2: precision 2/2.
    let report = json(&room, "evaluate --gold gold links --annotated-only --json");
    assert_eq!((&report["corpus"]["precision"], &report["wrong"]), (&1.0.into(), &0.into()));
    assert_eq!(report["worst"][0]["wrong_links"].to_string(), "[]");
}

#[test]
fn a_system_is_compared_with_the_baseline_before_it() {
    let room = room();
    let text = room.stdout("evaluate --gold gold links better --worst 0");
    assert!(
        text.starts_with("baseline file        links\nsystem file          better\nsentences            1\n"),
        "{text}"
    );
    assert!(text.contains("baseline                 40.00      66.67      50.00      57.14\n"), "{text}");
    assert!(text.contains("system                    0.00     100.00     100.00     100.00\n"), "{text}");
    assert!(text.contains("system - baseline       -40.00     +33.33     +50.00     +42.86\n"), "{text}");
    assert!(text.contains("p-value"), "{text}");
    let report = json(&room, "evaluate --gold gold links better --json --bootstrap 200 --seed 7");
    assert_eq!(report["differences"]["aer"]["difference"], -0.4);
    assert_eq!(report["gains"]["recall"]["absolute"]["value"], 0.5);
    assert_eq!(report["files"], serde_json::json!({"gold": "gold", "baseline": "links", "system": "better"}));
    assert_eq!(report["baseline"]["worst"][0]["sentence"], 1);
    // The other way round, the signs are the others.
    let back = json(&room, "evaluate --gold gold better links --json");
    assert_eq!(back["differences"]["aer"]["difference"], 0.4);
    assert_eq!(back["gains"]["recall"]["absolute"]["value"], -0.5);
    assert!(report["signature"].as_str().unwrap().contains("samples:200|seed:7"));
    // One sentence says nothing of others.
    let aer = &report["differences"]["aer"];
    assert_eq!((&aer["p_value"], &aer["interval"], &report["identical"]), (&Value::Null, &Value::Null, &false.into()));
    assert_eq!(report["baseline"]["intervals"]["aer"]["interval"], Value::Null);
    let outcome = room.run("evaluate --gold gold links better").success();
    assert_eq!(outcome.stderr, "warning: one sentence cannot be resampled, so there are no intervals and no tests\n");
    assert!(!outcome.stdout.contains("identical"), "{}", outcome.stdout);
    let error = room.error("evaluate --gold gold links better --bootstrap 0");
    assert_eq!(error, "error: --bootstrap 0: a comparison needs samples\n");
}

#[test]
fn identical_hypotheses_are_called_so() {
    let room = Room::with_files(&[("gold", "0-0 1-1\n0-0\n"), ("a", "0-0 1-0\n0-0\n"), ("b", "1-0 0-0\n0-0\n")]);
    let outcome = room.run("evaluate --gold gold a b").success();
    assert!(
        outcome.stdout.contains("\nidentical: both have the same counts in every sentence\n"),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stderr.contains("intervals and tests on 2 sentences may be unreliable"), "{}", outcome.stderr);
    let equal = json(&room, "evaluate --gold gold a b --json");
    assert_eq!((&equal["differences"]["aer"]["p_value"], &equal["identical"]), (&1.0.into(), &true.into()));
    assert_eq!(room.run("evaluate --gold gold a --bootstrap 0").success().stderr, "");
}

#[test]
fn the_first_lines_are_evaluated_if_the_gold_standard_has_no_more() {
    let room = room();
    let expected = room.stdout("evaluate --gold gold links");
    let outcome = room.run("evaluate --gold gold longer").success();
    let few = "warning: one sentence cannot be resampled, so there are no intervals and no tests\n";
    let warning =
        "warning: only the first line counts: gold has 1, longer has 3 (--first says that this is intended)\n";
    assert_eq!((outcome.stdout.as_str(), outcome.stderr), (expected.as_str(), format!("{warning}{few}")));
    assert_eq!(room.run("evaluate --gold gold longer --first").success().stderr, few);
    assert_eq!(room.stdout("evaluate --gold gold longer --first"), expected);
    assert_eq!(room.stdout("evaluate --gold gold links --first"), expected);
    // What nobody reads may be anything, but it is counted.
    room.write("odd", "0-0 1-2 2-2\n0-0\nno links\n");
    let outcome = room.run("evaluate --gold gold links odd").success();
    assert!(outcome.stderr.starts_with("warning: only the first line counts: gold has 1, odd has 3 ("));
    let outcome = room.run("evaluate --gold gold longer odd").success();
    assert!(outcome.stderr.starts_with("warning: only the first line counts: gold has 1, longer has 3, odd has 3 ("));
    room.write("two", format!("{GOLD}0-0\n"));
    let outcome = room.run("evaluate --gold two longer").success();
    assert!(outcome.stderr.starts_with("warning: only the first 2 lines count: two has 2, longer has 3 ("));
    assert_eq!(room.run_with("evaluate --gold gold - --first", room.read("longer")).success().stdout, expected);
    let error = "error: unequal lengths: longer has 3 lines, links has 1\n\
                 hint: the links to evaluate need a line for each line of the gold standard (--gold)\n";
    assert_eq!(room.error("evaluate --gold longer links"), error);
    assert_eq!(room.error("evaluate --gold longer links --first"), error);
    // The sentences may be longer too.
    room.write("s", "das Haus hier\nx\n");
    room.write("t", "the house here\ny\n");
    let outcome = room.run("evaluate --gold gold longer --source s --target t").success();
    assert!(outcome.stderr.starts_with("warning: only the first line counts: gold has 1, s has 2, longer has 3 ("));
    let outcome = room.run("evaluate --gold gold longer --source s --target t --first").success();
    assert!(!outcome.stderr.contains("first line"), "{}", outcome.stderr);
    let outcome = room.run("agreement gold --source s --target t").success();
    assert!(outcome.stderr.contains("only the first line counts: gold has 1, s has 2 ("), "{}", outcome.stderr);
    assert_eq!(room.run("agreement gold --source s --target t --first").success().stderr, "");
    assert!(
        room.error("evaluate --gold longer longer --source s --target t").contains("longer has 3 lines, s has 2\n")
    );
}

#[test]
fn links_out_of_the_sentences_are_errors() {
    let room = room();
    room.write("one", "1-1 3-3\n");
    let message = "error: one:1:5: link 3-3 is out of range, the source has 3 tokens, the target 3\n";
    assert_eq!(
        room.error("evaluate --gold gold one --source s --target t"),
        format!("{message}hint: does the file count from 1 (--links-base 1)?\n")
    );
    assert_eq!(
        room.error("evaluate --gold one links --source s --target t"),
        format!("{message}hint: does the file count from 1 (--gold-base 1)?\n")
    );
    room.run("evaluate --gold one links --source s --target t --gold-base 1").success();
    room.write("far.wpt", "1 2 2\n1 1 1\n1 3 4 P\n");
    assert_eq!(
        room.error("evaluate --gold far.wpt links --source s --target t"),
        "error: far.wpt:3:3: link 3-4 is out of range, the source has 3 tokens, the target 3\n"
    );
}

#[test]
fn other_formats_are_read() {
    let room = room();
    room.write("gold.wpt", "1 1 1 S\n1 2 2 S\n1 2 3 P\n");
    room.write("links.talp", "1-1 2-3 3-3\n");
    room.write("links.txt", "1-1 2-3 3-3\n");
    let expected = room.stdout("evaluate --gold gold links");
    assert_eq!(room.stdout("evaluate --gold gold.wpt links.talp"), expected);
    assert_eq!(room.stdout("evaluate --gold gold.wpt links.txt --links-format talp"), expected);
    assert_eq!(room.stdout("evaluate --gold gold.wpt links.txt --links-base 1"), expected);
    // As it was called before; what --format was is answered.
    assert_eq!(room.stdout("evaluate --gold gold.wpt links.txt --base 1"), expected);
    room.run("evaluate --gold gold.wpt links.txt --format talp")
        .refused("error: --format talp: --format is the kind of output, and the format of the links is --links-format");
    assert!(room.error("evaluate --gold gold links --format xml").contains("[possible values: text, json]"));
    let formatted = json(&room, "evaluate --gold gold links -f json");
    assert_eq!(formatted, json(&room, "evaluate --gold gold links --json"));
    assert!(room.error("evaluate --gold gold links -f text --json").contains("cannot be used with"));
    // A sentence without links at the end of a NAACL file is not in it.
    let outcome = room.run("evaluate --gold gold.wpt longer").success();
    assert!(
        outcome.stderr.starts_with(
            "warning: only the first line counts: gold.wpt has 1, longer has 3 (--first says that this is intended; \
             --sentences gives the number of sentences of a NAACL file)\n"
        ),
        "{}",
        outcome.stderr
    );
    assert_eq!(
        room.error("evaluate --gold longer gold.wpt"),
        "error: unequal lengths: longer has 3 lines, gold.wpt has 1\n\
         hint: --sentences gives the number of sentences of a NAACL file\n"
    );
    let report = json(&room, "evaluate --gold gold.wpt longer --sentences 3 --json");
    assert_eq!((&report["sentences"], &report["counts"]["hypothesis"]), (&3.into(), &5.into()));
    room.write("null.wpt", "1 1 1 S\n1 0 2 S\n");
    let outcome = room.run("evaluate --gold null.wpt links").success();
    assert!(outcome.stderr.starts_with("warning: null.wpt: 1 link to the NULL word (position 0) left out\n"));
    assert!(outcome.stderr.contains("one sentence cannot be resampled"), "{}", outcome.stderr);
}

#[test]
fn bad_input_is_named() {
    let room = room();
    room.write("bad", "0-0 1=1\n");
    room.write("empty", "");
    std::fs::create_dir(room.path("folder")).unwrap();
    let expected = "error: bad:1:5: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `1=1`\n";
    assert_eq!(room.error("evaluate --gold gold bad"), expected);
    assert_eq!(room.error("evaluate --gold bad links"), expected);
    assert_eq!(room.error("evaluate --gold missing links"), "error: missing: No such file or directory\n");
    assert_eq!(room.error("evaluate --gold gold folder"), "error: folder: is a directory\n");
    assert_eq!(room.error("evaluate --gold empty links"), "error: empty: no sentences\n");
    assert_eq!(
        room.error("evaluate --gold gold empty"),
        "error: unequal lengths: gold has 1 line, empty has 0\n\
         hint: the links to evaluate need a line for each line of the gold standard (--gold)\n"
    );
    assert_eq!(room.error("evaluate --gold gold links --alpha 2"), "error: --alpha = 2: must be 0 to 1\n");
    assert!(room.error("evaluate --gold gold links --confidence 1").starts_with("error: --confidence = 1: must be"));
    let error = room.error("evaluate --gold - -");
    assert_eq!(error, "error: standard input cannot be read twice: --gold and LINKS are both `-`\n");
    let usage = "Usage: alinea evaluate [OPTIONS] --gold <FILE> <LINKS> [SYSTEM]";
    for words in ["evaluate links", "evaluate links other"] {
        assert!(room.error(words).contains(usage), "{words}");
    }
}
