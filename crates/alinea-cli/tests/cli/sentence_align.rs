//! `alinea sentence-align`.

use crate::support::Room;

/// The second paragraph has a sentence that nothing translates; in the first two sentences became one.
const SOURCE: &str = "\
The old house stands at the end of the street.
Nobody lives in it.
The garden is large.

Every summer the children of the neighbors come to play in its garden.
Yes.
They leave when the lamps are lit.
";
const TARGET: &str = "\
Das alte Haus steht am Ende der Straße.
Niemand wohnt darin, und sein Garten ist groß.

Jeden Sommer kommen die Kinder der Nachbarn, um in seinem Garten zu spielen.
Sie gehen, wenn die Lampen angezündet werden.
";

fn room() -> Room {
    Room::with_files(&[("s", SOURCE), ("t", TARGET)])
}

#[test]
fn groups_are_written_as_numbers() {
    let outcome = room().run("sentence-align s t").success();
    assert_eq!(outcome.stdout, "0\t0\n1,2\t1\n3\t2\n4,5\t3\n");
    assert_eq!(outcome.stderr, "6 and 4 sentences, 2 paragraphs: 4 groups (2 of 1-1, 2 of 2-1)\n");
    let room = room();
    assert_eq!(room.run("sentence-align t s -o out -q").success().stderr, "");
    assert_eq!(room.read("out"), "0\t0\n1\t1,2\n2\t3\n3\t4,5\n");
}

#[test]
fn groups_are_written_as_text_and_aligned_on() {
    let room = room();
    let text = room.stdout("sentence-align s t --format text");
    assert_eq!(room.stdout("sentence-align s t --text"), text, "as it was called before");
    assert!(
        text.starts_with("The old house stands at the end of the street.\tDas alte Haus steht am Ende der Straße.\n")
    );
    assert!(
        text.contains("Nobody lives in it. The garden is large.\tNiemand wohnt darin, und sein Garten ist groß.\n")
    );
    room.write("groups.tsv", &text);
    let links = room.run("align --bitext groups.tsv --columns 1,2 --tokenize unicode -q").success();
    assert_eq!(links.lines().len(), 4);
    // A tab in a sentence is no column.
    room.write("s", "a\tb\n");
    room.write("t", "a b\n");
    assert_eq!(room.stdout("sentence-align s t -f text"), "a b\ta b\n");
}

#[test]
fn groups_are_written_as_json() {
    let outcome = room().run("sentence-align s t --json").success();
    let values: Vec<serde_json::Value> = outcome.lines().iter().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(values.len(), 4);
    assert_eq!((&values[1]["source"], &values[1]["target"]), (&serde_json::json!([1, 2]), &serde_json::json!([1])));
    assert!(values.iter().all(|value| value["cost"].as_f64().unwrap() > 0.0));
}

/// Equal lengths cost nothing but their prior, 0.89.
#[test]
fn costs_are_negative_log_probabilities() {
    let room = Room::with_files(&[("s", "abc\n"), ("t", "äöü\n")]);
    let value: serde_json::Value = serde_json::from_str(&room.stdout("sentence-align s t --json")).unwrap();
    assert!((value["cost"].as_f64().unwrap() - 0.116_533_816).abs() < 1e-9, "{value}");
    let bytes: serde_json::Value =
        serde_json::from_str(&room.stdout("sentence-align s t --json --unit bytes")).unwrap();
    assert!(bytes["cost"].as_f64() > value["cost"].as_f64());
    let expected = room.stdout("sentence-align s t --json --unit bytes --ratio 2");
    let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
    assert_eq!(expected["cost"], value["cost"]);
}

#[test]
fn paragraphs_end_at_blank_lines_marks_or_never() {
    let room = room();
    let marked = |text: &str| text.replace("\n\n", "\n<p>\n");
    room.write("sp", marked(SOURCE));
    room.write("tp", marked(TARGET));
    assert_eq!(room.stdout("sentence-align sp tp --paragraph <p>"), room.stdout("sentence-align s t"));
    // A blank line is a sentence then.
    let whole = room.stdout("sentence-align s t --no-paragraphs");
    assert!(whole.ends_with("4\t3\n5,6\t4\n"), "{whole}");
    room.write("t", TARGET.replace("\n\n", "\n"));
    assert_eq!(
        room.error("sentence-align s t -o out"),
        "error: the source has 2 paragraphs, the target 1 paragraph\n\
         hint: both texts must have the same number; --no-paragraphs treats each text as one paragraph\n"
    );
    assert!(!room.path("out").exists());
    assert!(room.error("sentence-align s t --paragraph x --no-paragraphs").contains("cannot be used with"));
}

#[test]
fn empty_texts_are_aligned() {
    let room = Room::with_files(&[("s", ""), ("t", ""), ("one", "a\nb\nc\n")]);
    assert_eq!(room.stdout("sentence-align s t"), "");
    assert_eq!(room.stdout("sentence-align s one --no-paragraphs"), "\t0\n\t1\n\t2\n");
    assert_eq!(room.stdout("sentence-align one s --no-paragraphs"), "0\t\n1\t\n2\t\n");
    for (words, empty, other) in [("s one", "source", "target"), ("one t", "target", "source")] {
        assert_eq!(
            room.error(&format!("sentence-align {words}")),
            format!(
                "error: the {empty} has no sentences, and the {other} has some\n\
                 hint: --no-paragraphs makes each untranslated sentence a group of its own\n"
            )
        );
    }
}

/// Ten sentences of 20 to 56 letters beside those of the same lengths from the last to the first, and beside shorter
/// ones.
#[test]
fn texts_that_do_not_fit_are_reported() {
    let text = |lengths: &[usize]| lengths.iter().map(|&n| "x".repeat(n) + "\n").collect::<String>();
    let lengths: Vec<usize> = (0..20).map(|n| 20 + n * n * 7 % 190).collect();
    let reversed: Vec<usize> = lengths.iter().rev().copied().collect();
    let short: Vec<usize> = lengths.iter().map(|n| n / 4).collect();
    let room = Room::with_files(&[("s", &text(&lengths)), ("r", &text(&reversed)), ("h", &text(&short))]);
    let told = "warning: sentence lengths within groups differ more than expected of translations (";
    assert!(!room.run("sentence-align s s").success().stderr.contains("warning"));
    assert!(room.run("sentence-align s r --max-sentences 1").success().stderr.contains(told));
    let outcome = room.run("sentence-align s h").success();
    assert!(outcome.stderr.contains(told) && outcome.stderr.contains("--ratio 0.2"), "{}", outcome.stderr);
    assert!(!room.run("sentence-align s h --ratio 0.25").success().stderr.contains("warning"));
}

/// Three sentences by one: with the published model there is no such group.
#[test]
fn three_sentences_may_be_one() {
    let three = "The old house stands there.\nNobody lives in it.\nIts garden is large.\nYes.\n";
    let one = "Das alte Haus steht da, niemand wohnt darin, und sein Garten ist groß.\nJa.\n";
    let room = Room::with_files(&[("s", three), ("t", one)]);
    assert_eq!(room.stdout("sentence-align s t"), "0,1,2\t0\n3\t1\n");
    assert_eq!(room.stdout("sentence-align t s"), "0\t0,1,2\n1\t3\n");
    assert_ne!(room.stdout("sentence-align s t --max-sentences 2"), "0,1,2\t0\n3\t1\n");
    assert!(room.error("sentence-align s t --max-sentences 5").contains("1..=4"));
}

#[test]
fn bad_input_is_refused() {
    let room = room();
    room.write("bad", b"a\n\xFF\n");
    assert_eq!(
        room.error("sentence-align s bad -o out"),
        "error: bad:2:1: invalid UTF-8 at byte 2 of the file (`\\xFF`)\n\
         hint: convert the file, for example with iconv, or use --lossy\n"
    );
    assert_eq!(room.error("sentence-align s none"), "error: none: No such file or directory\n");
    assert_eq!(room.error("sentence-align s t -o t"), "error: t: --output would overwrite the input TARGET\n");
    assert_eq!(
        room.error("sentence-align - -"),
        "error: standard input cannot be read twice: SOURCE and TARGET are both `-`\n"
    );
    assert_eq!(room.error("sentence-align s t --ratio 0"), "error: --ratio = 0: must be 0.000001 to 1000000\n");
    assert_eq!(
        room.error("sentence-align s t --variance nan"),
        "error: --variance = NaN: must be 0.000001 to 1000000\n"
    );
    assert!(room.error("sentence-align s t --text --json").contains("cannot be used with"));
    assert!(room.error("sentence-align s t --format text --json").contains("cannot be used with"));
    assert_eq!(room.names(), "bad s t");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let room = Room::with_files(&[("s", &"a b\n".repeat(3000)), ("t", &"c d\n".repeat(3000))]);
    let outcome = room.run_and_leave("sentence-align s t -q --format text");
    assert_eq!((outcome.stderr.as_str(), outcome.code), ("", Some(0)));
}

/// The sample as a document: from each ten pairs the target of the third is lost, the fifth and sixth target are one sentence,
/// and the source of the ninth is lost. With the groups, and a model of the same pairs.
fn document() -> Room {
    let room = Room::with_sample(200);
    room.run("train s t -q -m model").success();
    let (source, target) = (room.read("s"), room.read("t"));
    let [mut new_source, mut new_target, mut gold] = [String::new(), String::new(), String::new()];
    let [mut sources, mut targets] = [0, 0];
    for (n, (source, target)) in source.lines().zip(target.lines()).enumerate() {
        let place = n % 10;
        let [mut own_source, mut own_target] = [String::new(), String::new()];
        if place != 8 {
            new_source += &format!("{source}\n");
            own_source = sources.to_string();
            sources += 1;
        }
        match place {
            2 => {}
            4 => new_target += &format!("{target} "),
            _ => {
                new_target += &format!("{target}\n");
                own_target = targets.to_string();
                targets += 1;
            }
        }
        gold += &match place {
            4 => format!("{own_source},"),
            _ => format!("{own_source}\t{own_target}\n"),
        };
    }
    room.write("s", new_source);
    room.write("t", new_target);
    room.write("gold", gold);
    room
}

/// Strict precision, recall and F.
fn strict(stderr: &str) -> [f64; 3] {
    let line = stderr.lines().find(|line| line.starts_with("strict")).unwrap();
    let numbers: Vec<f64> = line.split(' ').filter_map(|field| field.parse().ok()).collect();
    numbers.try_into().unwrap()
}

fn all_right(stderr: &str) -> bool {
    strict(stderr).iter().all(|score| *score > 99.99)
}

/// Lengths do not find what was left out.
#[test]
fn a_model_finds_what_lengths_do_not() {
    let room = document();
    let by_length = strict(&room.run("sentence-align s t --gold gold -o out").success().stderr);
    let by_model = strict(&room.run("sentence-align s t --gold gold -o out -m model").success().stderr);
    assert!(by_model.iter().all(|score| *score > 90.0), "{by_model:?}");
    assert!(by_model[2] > by_length[2] + 5.0, "{by_length:?} {by_model:?}");
    // The right groups are all right.
    room.run("sentence-align s t -q -o out").success();
    assert!(all_right(&room.run("sentence-align s t --gold out -o again").success().stderr));
}

#[test]
fn a_dictionary_is_evidence_too() {
    let room = document();
    room.run("model export model -o table").success();
    let by_length = strict(&room.run("sentence-align s t --gold gold -o out").success().stderr);
    let by_dictionary = strict(&room.run("sentence-align s t --gold gold -o out --dictionary table").success().stderr);
    assert!(by_dictionary[2] > by_length[2], "{by_length:?} {by_dictionary:?}");
    room.write("none", "ice cream\tglace vanille\n");
    assert!(room.run("sentence-align s t -o out --dictionary none").success().stderr.contains("has no entries"));
}

/// Vectors of a random encoder, and a dictionary for another language, leave the groups about as good as they are by lengths.
#[test]
fn evidence_that_knows_nothing_does_little_harm() {
    let room = document();
    room.run("model export model -o table").success();
    let table = room.read("table");
    // A dictionary for another target language.
    let entries = table.lines().map(|line| line.split(['\t', ' ']).collect::<Vec<_>>());
    let other: String = entries.map(|entry| format!("{}\tq{}q\n", entry[0], entry[1])).collect();
    room.write("other", other);
    let by_length = strict(&room.run("sentence-align s t --gold gold -o out").success().stderr);
    let encoder = concat!(env!("CARGO_MANIFEST_DIR"), "/../alinea-encoder/tests/data/xlm-roberta");
    for options in ["--dictionary other".to_owned(), format!("--encoder {encoder} --encoder-layer 3")] {
        let stderr = room.run(&format!("sentence-align s t --gold gold -o out {options}")).success().stderr;
        assert!(strict(&stderr)[2] > by_length[2] - 5.0, "{options}: {by_length:?} {stderr}");
    }
}

/// A model and a dictionary of the other direction.
#[test]
fn evidence_for_other_languages_is_reported() {
    let room = document();
    room.write("en-fr", "the\tle\nof\tde\n");
    let stderr = |words: &str| room.run(&format!("sentence-align {words} -o out")).success().stderr;
    let fitting = stderr("s t -m model --dictionary en-fr");
    assert!(!fitting.contains("does not know") && !fitting.contains("none of the"), "{fitting}");
    let swapped = stderr("t s -m model --dictionary en-fr");
    assert!(swapped.contains("source and target seem to be swapped"), "{swapped}");
    assert!(swapped.contains("none of the 2 dictionary entries has a word of each text"), "{swapped}");
}

#[test]
fn confidences_are_probabilities() {
    let room = document();
    for options in ["", "-m model"] {
        let lines = room.run(&format!("sentence-align s t -q -f scored {options}")).success().lines();
        let json = room.run(&format!("sentence-align s t -q --json {options}")).success().lines();
        let numbers = room.run(&format!("sentence-align s t -q {options}")).success().lines();
        assert_eq!(lines.len(), numbers.len());
        for ((line, json), group) in lines.iter().zip(json).zip(&numbers) {
            let (own, confidence) = line.rsplit_once('\t').unwrap();
            assert_eq!(own, group);
            let confidence: f64 = confidence.parse().unwrap();
            assert!((0.0..=1.0).contains(&confidence), "{line}");
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            assert!((json["confidence"].as_f64().unwrap() - confidence).abs() < 1e-4);
        }
        // Written with confidences, groups are read as they are without.
        room.write("lines", lines.join("\n"));
        assert!(all_right(&room.run(&format!("sentence-align s t -o out --gold lines {options}")).stderr));
    }
}

/// A tiny encoder with random weights still sees which words are the same.
#[test]
fn an_encoder_is_evidence() {
    let encoder = concat!(env!("CARGO_MANIFEST_DIR"), "/../alinea-encoder/tests/data/xlm-roberta");
    let room = document();
    // A text beside itself without some lines.
    let text = room.read("s");
    let kept: Vec<String> =
        text.lines().enumerate().filter(|(n, _)| n % 7 != 3).map(|(_, line)| line.to_owned()).collect();
    room.write("t", kept.join("\n"));
    let (mut gold, mut target) = (String::new(), 0);
    for n in 0..text.lines().count() {
        if n % 7 == 3 {
            gold += &format!("{n}\t\n");
        } else {
            gold += &format!("{n}\t{target}\n");
            target += 1;
        }
    }
    room.write("gold", gold);
    let align = format!("sentence-align s t --gold gold --encoder {encoder} --encoder-cache kept");
    let first = room.run(&format!("{align} -o first")).success();
    assert!(strict(&first.stderr).iter().all(|score| *score > 90.0), "{}", first.stderr);
    room.run(&format!("{align} -o second --threads 1")).success();
    assert_eq!(room.read("first"), room.read("second"));
    assert!(room.error("sentence-align s t --encoder no/such-model").contains("no/such-model"));
    assert!(room.error("sentence-align s t --encoder-layer 2").contains("--encoder"));
}

#[test]
fn gold_groups_are_checked() {
    let room = document();
    for (gold, expected) in [
        ("0\t0\n1000\t1\n", "error: gold:2:1: the source has no sentence 1000 (it has 180 sentences)\n"),
        ("0\t0\n1\n", "error: gold:2:1: expected a group as `0,1<TAB>2` or `[0, 1]:[2]`, found `1`\n"),
        ("0\t0\n1,1\t1\n", "error: gold:2:1: expected source sentence 1 only once, found `1,1\\t1`\n"),
        ("0\t0\n1\t0\n", "error: gold:2:1: expected target sentence 0 only once, found `1\\t0`\n"),
        ("", "error: gold: no groups\n"),
    ] {
        room.write("gold", gold);
        let error = room.error("sentence-align s t --gold gold -o out");
        assert!(error.starts_with(expected), "{error}");
        assert!(!room.path("out").exists());
    }
    // Without groups that have both sides there is no recall.
    room.write("gold", "0\t\n\t0\n");
    let told = room.run("sentence-align s t --gold gold -o out").success().stderr;
    let lines: Vec<&str> = told.lines().filter(|line| line.contains("precision")).collect();
    assert_eq!(lines.len(), 2);
    assert!(lines.iter().all(|line| line.ends_with("  recall      –  F      –")), "{told}");
    room.write("gold", "[0]:[0]\n[1, 2]:[1]:0.5\n");
    assert!(room.run("sentence-align s t --gold gold -o out").success().stderr.contains("\nlax "));
}
