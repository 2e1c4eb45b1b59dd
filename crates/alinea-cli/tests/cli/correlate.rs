//! `alinea correlate`. Expected values are SciPy 1.17.1's, or worked out by hand.

use serde_json::Value;

use crate::support::{Outcome, Room};

/// Three systems, four segments; one translation without a human score, one without a score of a metric.
fn room() -> Room {
    let room = Room::new();
    room.write(
        "human",
        "system\tseg\tscore\n\
         A\t1\t3\nA\t2\t5\nA\t3\t4\nA\t4\t1\nB\t1\t2\nB\t2\t5\nB\t3\tNone\nB\t4\t2\nC\t1\t1\nC\t2\t2\nC\t3\t2\nC\t4\t3\n",
    );
    room.write(
        "good",
        "A\t1\t0.9\nA\t2\t0.8\nA\t3\t0.7\nA\t4\t0.2\nB\t1\t0.5\nB\t2\t0.7\nB\t3\t0.9\nB\t4\t0.4\nC\t1\t0.1\nC\t2\t0.2\nC\t3\t0.5\nC\t4\t0.6\n",
    );
    // Less is better; segments in order.
    room.write(
        "flat",
        "A\t0.5\nA\t0.2\nA\t0.3\nA\t0.1\nB\t0.5\nB\t0.2\nB\t0.2\nB\t0.4\nC\t0.9\nC\t0.1\nC\t0.4\nC\t0.4\n",
    );
    room
}

const FILES: &str = "correlate good flat --human human --less-is-better flat";

fn values(report: &Value, level: &str, coefficient: &str) -> Vec<f64> {
    let entry =
        report.as_array().unwrap().iter().find(|entry| entry["level"] == level && entry["coefficient"] == coefficient);
    let metrics = entry.unwrap()["metrics"].as_array().unwrap();
    metrics.iter().map(|metric| metric["value"].as_f64().unwrap()).collect()
}

#[test]
fn coefficients_are_as_worked_out() {
    let outcome = room().run(&format!("{FILES} --json --samples 50")).success();
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let close = |found: Vec<f64>, expected: [f64; 2]| {
        assert!(found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-9), "{found:?} {expected:?}");
    };
    // Pairs of a segment, 10 in all. good: 9 concordant, 1 where people alone see none; flat: 2 concordant in the first
    // segment and a tie, 2 discordant in the second and both ties, 1 concordant in the third, 2 discordant and a tie.
    close(values(&report, "segment", "tau-14"), [1.0, -1.0 / 9.0]);
    close(values(&report, "segment", "tau-10"), [1.0, -3.0 / 9.0]);
    close(values(&report, "segment", "tau-13"), [1.0, -1.0 / 7.0]);
    close(values(&report, "segment", "accuracy"), [0.9, 0.4]);
    close(values(&report, "segment", "tau-b"), [9.0 / 90.0_f64.sqrt(), -1.0 / (9.0 * 7.0_f64).sqrt()]);
    let differences = report[0]["differences"].as_array().unwrap();
    assert_eq!(differences[0]["first"], "good");
    // Three systems are too few for Williams' test.
    assert_eq!(report[0]["coefficient"], "pearson");
    assert!(differences[0]["williams"].is_null());
    assert_eq!(report[0]["items"], 3);
}

#[test]
fn tables_have_values_and_differences() {
    let outcome = room().run(&format!("{FILES} --level segment --coefficient accuracy --samples 0")).success();
    assert_eq!(
        outcome.stdout,
        "level\titems\tcoefficient\tmetric\tvalue\tlow\thigh\n\
         segment\t11\taccuracy\tgood\t0.9000\t-\t-\n\
         segment\t11\taccuracy\tflat\t0.4000\t-\t-\n"
    );
    let outcome =
        room().run(&format!("{FILES} --level segment --coefficient pearson accuracy --samples 100")).success();
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines[6], "level\tcoefficient\tfirst\tsecond\tdifference\tlow\thigh\tp_bootstrap\tp_williams");
    assert!(lines[7].starts_with("segment\tpearson\tgood\tflat\t"), "{}", lines[7]);
    assert!(!lines[7].ends_with('-') && lines[8].ends_with("\t-"), "{lines:?}");
    assert_eq!(
        outcome.stdout,
        room().run(&format!("{FILES} --level segment --coefficient pearson accuracy --samples 100")).stdout
    );
}

/// Over any two of the eleven translations; tau-b is that of SciPy 1.17.1 (`kendalltau` of both columns).
#[test]
fn pairs_may_be_of_any_translations() {
    let outcome = room().run(&format!("{FILES} --level translation --json --samples 50")).success();
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let found = values(&report, "translation", "tau-b");
    for (found, expected) in found.iter().zip([0.776_967_779_104_054_2, 0.252_757_639_122_680_8]) {
        assert!((found - expected).abs() < 1e-12, "{found}");
    }
    // Pearson's r is over all translations anyway.
    let by_segment = room().run(&format!("{FILES} --level segment translation --json --samples 50")).success();
    let report: Value = serde_json::from_str(&by_segment.stdout).unwrap();
    assert_eq!(values(&report, "segment", "pearson"), values(&report, "translation", "pearson"));
    assert_ne!(values(&report, "segment", "tau-b"), values(&report, "translation", "tau-b"));
    let intervals = report.as_array().unwrap().iter().map(|entry| &entry["metrics"][0]["interval"]);
    assert!(intervals.into_iter().all(Value::is_array));
}

#[test]
fn systems_may_have_scores_of_their_own() {
    let room = room();
    room.write("corpus", "system\tBLEU\nA\t30.5\nB\t28.0\nC\t20.1\n");
    let outcome = room.run("correlate corpus --human human --coefficient accuracy pearson --samples 0").success();
    // Means of people: 13 / 4, 9 / 3, 8 / 4.
    assert!(outcome.stdout.contains("system\t3\taccuracy\tcorpus\t1.0000\t-\t-"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("system\t3\tpearson\tcorpus\t0.9991\t-\t-"), "{}", outcome.stdout);
    let found = room.run("correlate corpus --human human --level segment").failure(2);
    assert!(found.contains("corpus: has one score for each system"), "{found}");
    let reversed = room.run("correlate corpus --human human --human-direction less --coefficient accuracy --samples 0");
    assert!(reversed.success().stdout.contains("accuracy\tcorpus\t0.0000"));
}

/// What `metric --segments` writes is read as it is: the same as a file for each metric.
#[test]
fn scores_of_metric_are_read() {
    let room = crate::metric::room();
    room.write("c", room.read("ref2"));
    let scores = room.run("metric ref -i a b c --metric bleu ter chrf --segments").success().stdout;
    room.write("scores.tsv", &scores);
    for (column, name) in ["bleu", "ter", "chrf"].into_iter().enumerate() {
        let of_column = |line: &str| {
            let fields: Vec<&str> = line.split('\t').collect();
            format!("{}\t{}\t{}\n", fields[0], fields[1], fields[2 + column])
        };
        room.write(name, scores.lines().skip(1).map(of_column).collect::<String>());
    }
    let human = ["a", "b", "c"].iter().enumerate().flat_map(|(system, name)| {
        (1..=6).map(move |segment| format!("{name}\t{segment}\t{}\n", (7 * segment + 5 * system) % 11))
    });
    room.write("human", format!("system\tseg\tscore\n{}", human.collect::<String>()));
    let one = room.run("correlate scores.tsv --human human --json --samples 50").success().stdout;
    let several =
        room.run("correlate bleu ter chrf --human human --less-is-better ter --json --samples 50").success().stdout;
    let renamed = [("bleu", "BLEU"), ("ter", "TER"), ("chrf", "chrF2")]
        .iter()
        .fold(several, |text, (file, column)| text.replace(&format!("\"{file}\""), &format!("\"{column}\"")));
    assert_eq!(one, renamed);
    assert!(one.contains("\"TER\""), "{one}");
    // The heading says it already.
    let told = room.run("correlate scores.tsv --human human --less-is-better TER --json --samples 50").success();
    assert_eq!(told.stdout, one);
    // Without that a name says it, in any of its spellings.
    let silent = scores.replace(" (less is better)", "");
    assert_ne!(silent, scores);
    room.write("silent.tsv", &silent);
    let named = |names: &[&str]| {
        let words = "correlate silent.tsv --human human --json --samples 50";
        let mut command = room.command(words);
        if !names.is_empty() {
            command.arg("--less-is-better").args(names);
        }
        Outcome::from(command.output().unwrap())
    };
    assert_ne!(named(&[]).success().stdout, one);
    for name in ["TER", "ter", "Ter", "TER (less is better)", "silent.tsv:TER", "silent.tsv:ter"] {
        assert_eq!(named(&[name]).success().stdout, one, "{name}");
    }
    // A file means all its columns.
    assert_eq!(named(&["silent.tsv"]).success().stdout, named(&["bleu", "ter", "CHRF2"]).success().stdout);
    let metrics = "not one of the metrics (BLEU, TER, chrF2)";
    named(&["TERR"]).refused(&format!("error: --less-is-better TERR: {metrics}"));
    named(&["ter", "scores.tsv"]).refused(&format!("error: --less-is-better scores.tsv: {metrics}"));
    // Through a pipe, and beside a file with the same names.
    let piped = room.run_with("correlate - --human human --json --samples 50", &scores).success().stdout;
    assert_eq!(piped, one);
    room.write("again.tsv", &scores);
    let both = room.run("correlate scores.tsv again.tsv --human human --level system --samples 0").success().stdout;
    assert!(both.contains("\tscores.tsv:TER\t") && both.contains("\tagain.tsv:TER\t"), "{both}");
    // Of two files with a column, one is meant by both names.
    let both = |name: &str| {
        let words = "correlate scores.tsv silent.tsv --human human --json --samples 50 --less-is-better";
        room.run(&format!("{words} {name}")).success().stdout
    };
    assert_eq!(both("silent.tsv:ter"), both("ter"));
    assert_ne!(both("silent.tsv:ter"), both("scores.tsv:TER"));
    room.run("correlate scores.tsv --human scores.tsv")
        .refused("error: scores.tsv has 3 columns of scores: one is needed");
    room.write("short", "system\tsegment\tx\ty\na\t1\t0.5\n");
    let found = room.run("correlate short --human human").failure(2);
    assert!(found.contains("short:2:1: expected system, segment and 2 scores, separated by tabs"), "{found}");
}

#[test]
fn tables_have_formats() {
    let room = room();
    let words = format!("{FILES} --level segment --coefficient accuracy --samples 50");
    let markdown = room.run(&format!("{words} --format markdown")).success().stdout;
    assert!(
        markdown.starts_with("### Correlations\n\n| level | coefficient | metric | items | value | low | high |\n")
    );
    assert!(markdown.contains("\n| segment | accuracy | good | 11 | 0.9000 | "), "{markdown}");
    assert!(markdown.contains("\n### Differences\n"), "{markdown}");
    let html = room.run(&format!("{words} --format html")).success().stdout;
    assert!(html.starts_with("<!DOCTYPE html>\n") && html.matches("<table>").count() == 2, "{html}");
    assert_eq!(room.run(&format!("{words} -f json")).stdout, room.run(&format!("{words} --json")).stdout);
}

#[test]
fn bad_scores_are_refused() {
    let room = room();
    room.write("text", "A\t1\t0.5\nA\t2\tgood\n");
    room.write("twice", "A\t1\t0.5\nA\t01\t0.6\n");
    room.write("wide", "A\t1\t2\t3\n");
    room.write("empty", "system\tscore\n");
    room.write("others", "X\t1\t0.5\nX\t2\t0.6\nY\t1\t0.7\n");
    for (words, expected) in [
        ("text", "text:2:5: expected a number, or None, found `good`"),
        ("twice", "twice:2:1: expected one score per translation (this is the second)"),
        ("wide", "wide:1:1: expected system and score, or system, segment and score, separated by tabs"),
        ("empty", "empty has no scores"),
        ("others", "no system has a score in all files"),
        ("good good", "good: given twice"),
        ("good --less-is-better flat", "--less-is-better flat: not one of the metrics (good)"),
        ("good --coefficient tau", "coefficient = tau: must be pearson, spearman, tau-b"),
        ("good --least-difference nan", "--least-difference = NaN: must be 0 or more"),
        ("missing", "missing"),
    ] {
        let found = room.run(&format!("correlate {words} --human human")).failure(2);
        assert!(found.contains(expected), "{words}: {found}");
    }
    let outcome = room.run("correlate others good --human good --level segment");
    assert!(outcome.failure(2).contains("no segment has a score in all files"));
}

/// Where names differ in upper and lower case alone, each means the metric that is spelled so.
#[test]
fn names_that_are_exact_mean_one_metric() {
    let room = Room::new();
    room.write("human", "system\tscore\nA\t3\nB\t2\nC\t1\n");
    room.write("metrics", "system\tter\tTER\nA\t1\t1\nB\t2\t2\nC\t3\t3\n");
    for (name, expected) in [("ter", ["1.0000", "-1.0000"]), ("TER", ["-1.0000", "1.0000"]), ("Ter", ["1.0000"; 2])] {
        let words = "correlate metrics --human human --coefficient pearson --samples 0 --less-is-better";
        let found = room.run(&format!("{words} {name}")).success().lines();
        let values: Vec<&str> = found[1..].iter().filter_map(|line| line.split('\t').nth(4)).collect();
        assert_eq!(values, expected, "{name}: {found:?}");
    }
}

#[test]
fn translations_that_a_metric_has_not_scored_are_counted() {
    let room = room();
    room.write("gaps", room.read("good").replace("A\t1\t0.9", "A\t1\tNone"));
    let words = "correlate gaps --human human --level segment --coefficient accuracy --samples 0";
    let told = room.run(words).success().stderr;
    assert_eq!(told, "warning: 1 segment left out: scored by humans, but not by every metric\n");
    room.write("gaps", room.read("gaps").replace("A\t2\t0.8", "A\t2\tNone"));
    assert!(room.run(words).success().stderr.starts_with("warning: 2 segments left out: "));
}

#[test]
fn a_second_column_that_is_no_segment_is_a_metric() {
    let room = Room::new();
    room.write("human", "system\tscore\nA\t3\nB\t2\nC\t1\n");
    room.write("metrics", "system\tbleu\tchrf\tter\nA\t30\t50\t40\nB\t20\t60\t50\nC\t10\t40\t60\n");
    let found = room.run("correlate metrics --human human --coefficient pearson --samples 0").success().stdout;
    for (name, value) in [("bleu", "1.0000"), ("chrf", "0.5000"), ("ter", "-1.0000")] {
        let line = found.lines().find(|line| line.contains(name));
        assert!(line.is_some_and(|line| line.contains(value)), "{name}: {found}");
    }
    room.write("short", "system\tbleu\tchrf\tter\nA\t30\t50\n");
    room.run("correlate short --human human").refused(
        "error: short:2:1: expected system and 3 scores, separated by tabs, as in the heading, found `A\\t30\\t50`",
    );
}
