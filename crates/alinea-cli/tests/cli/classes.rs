//! `alinea classes`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::Room;

/// Articles, nouns and verbs in their places.
const TEXT: &str = "The dog sees a cat\na cat sees the Dog\n\nthe cat hears a dog\na dog hears the cat\n";

fn room() -> Room {
    Room::with_files(&[("text", TEXT)])
}

/// The words of a file of classes, by class.
fn by_class(file: &str) -> BTreeSet<Vec<&str>> {
    let entries = file.lines().map(|line| line.split_once('\t').expect("a tab"));
    let numbers: BTreeSet<&str> = entries.clone().map(|(_, number)| number).collect();
    let words = |number: &&str| entries.clone().filter(|(_, other)| other == number).map(|(word, _)| word).collect();
    numbers.iter().map(words).collect()
}

#[test]
fn a_line_a_word() {
    let room = room();
    let outcome = room.run("classes text -n 3").success();
    let classes = by_class(&outcome.stdout);
    assert_eq!(classes, [vec!["a", "the"], vec!["cat", "dog"], vec!["hears", "sees"]].into());
    // Words in the order of their bytes; classes from 1, that of the verbs, which has fewer tokens, last.
    let words: Vec<&str> = outcome.stdout.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(words, ["a", "cat", "dog", "hears", "sees", "the"]);
    assert!(outcome.stdout.contains("sees\t3\n"), "{}", outcome.stdout);
    assert!(outcome.stderr.starts_with("text       5 lines, 20 tokens, 6 words\nempty      1 line\n"));
    assert!(outcome.stderr.contains("no move of a single word increases the likelihood"), "{}", outcome.stderr);
}

/// Three classes of two words, each word as likely as the other: each pair of classes has one follower with
/// probability 1, but for the nouns, which are followed by a verb or by the end: in 4 sentences, 5 words × ln 2 and
/// 2 × ln 2 each.
#[test]
fn the_likelihood_is_reported() {
    let outcome = room().run("classes text -n 3 --progress json").success();
    let summary = outcome.stderr.lines().last().unwrap();
    let summary: Value = serde_json::from_str(summary).unwrap();
    let expected = -28.0 * 2f64.ln();
    let found = summary["log_likelihood"].as_f64().unwrap();
    assert!((found - expected).abs() < 1e-5, "{found} for {expected}");
    let perplexity = summary["perplexity"].as_f64().unwrap();
    assert!((perplexity - (-expected / 24.0).exp()).abs() < 1e-6, "{perplexity}");
    assert_eq!((&summary["converged"], &summary["words"]), (&true.into(), &6.into()));
    assert_eq!((&summary["lines"], &summary["tokens"], &summary["empty"]), (&5.into(), &20.into(), &1.into()));
}

#[test]
fn case_and_cutting_are_choices() {
    let room = room();
    let outcome = room.run("classes text -n 3 --no-lowercase").success();
    let words: Vec<&str> = outcome.stdout.lines().map(|line| line.split('\t').next().unwrap()).collect();
    assert_eq!(words, ["Dog", "The", "a", "cat", "dog", "hears", "sees", "the"]);
    let words = |options: &str| room.run_with(&format!("classes - -q {options}"), "Yes, no!\n").success().lines().len();
    assert_eq!((words(""), words("--tokenize unicode")), (2, 4));
}

#[test]
fn classes_are_shown_to_people() {
    let shown = room().stdout("classes text -n 3 --show --top 1");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "class  tokens    words  the most frequent");
    assert!(lines[1].starts_with("    1  40.0 %        2  ") && lines[1].ends_with(" ..."), "{shown}");
    assert!(["    3  20.0 %        2  sees ...", "    3  20.0 %        2  hears ..."].contains(&lines[3]), "{shown}");
    let shown = room().stdout("classes text -n 3 --format text");
    assert_eq!(room().stdout("classes text -n 3 --show"), shown);
    assert!(shown.contains("  the a\n") || shown.contains("  a the\n"), "{shown}");
}

#[test]
fn json_has_everything() {
    let json = room().stdout("classes text -n 3 -f json");
    assert_eq!(room().stdout("classes text -n 3 --json"), json);
    let json: Value = serde_json::from_str(&json).unwrap();
    let classes = json["classes"].as_array().unwrap();
    assert_eq!(classes.len(), 3);
    let tokens: Vec<u64> = classes.iter().map(|class| class["tokens"].as_u64().unwrap()).collect();
    assert_eq!(tokens, [8, 8, 4]);
    assert_eq!(classes[2]["class"], 3);
    assert_eq!(classes[2]["words"][0], serde_json::json!({"word": "sees", "count": 2}));
    assert_eq!((&json["events"], &json["converged"]), (&24.into(), &true.into()));
    let kinds: Vec<&str> = json["passes"].as_array().unwrap().iter().map(|p| p["kind"].as_str().unwrap()).collect();
    assert_eq!((kinds.first(), kinds.last()), (Some(&"cooling"), Some(&"exchange")));
}

#[test]
fn files_of_mkcls_are_judged_and_improved() {
    let room = room();
    room.write("bad.classes", "a\t2\ncat\t2\ndog\t3\nhears\t3\nsees\t4\nthe\t4\n");
    let kept = room.run("classes text --start bad.classes --passes 0").success();
    assert_eq!(by_class(&kept.stdout), [vec!["a", "cat"], vec!["dog", "hears"], vec!["sees", "the"]].into());
    assert!(kept.stderr.contains("maximum number of passes reached"), "{}", kept.stderr);
    let likelihood = |stderr: &str| -> f64 {
        let line = stderr.lines().find(|line| line.starts_with("likelihood")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let improved = room.run("classes text --start bad.classes").success();
    assert!(likelihood(&improved.stderr) > likelihood(&kept.stderr));

    room.write("part.classes", "a\t1\nthe\t1\ncat\t9\n");
    let outcome = room.run("classes text --start part.classes --passes 0").success();
    assert!(
        outcome.stderr.starts_with(
            "warning: 3 of 6 words are not in part.classes: they start in the class with the most words\n"
        ),
        "{}",
        outcome.stderr
    );
    assert_eq!(by_class(&outcome.stdout), [vec!["a", "dog", "hears", "sees", "the"], vec!["cat"]].into());
}

#[test]
fn runs_and_threads_do_not_change_a_byte() {
    let room = Room::with_sample(420);
    let run = |threads: usize| {
        room.run(&format!("classes s -q -n 20 -o out --threads {threads}")).success();
        room.read("out")
    };
    let first = run(1);
    assert_eq!(first.lines().map(|line| line.split_once('\t').unwrap().1).collect::<BTreeSet<_>>().len(), 20);
    assert!([1, 2, 3].iter().all(|&threads| run(threads) == first));
    room.run("classes s -q -n 20 -o out.gz").success();
    assert_eq!(room.run("classes s -q --start out.gz --passes 0").success().lines().len(), first.lines().count());
}

#[test]
fn what_is_wrong_is_said() {
    let room = room();
    room.write("empty", "\n\n");
    room.write("long", "a b c\n");
    room.write("latin", b"caf\xE9\n");
    room.write("twice", "a\t1\na\t2\n");
    for (words, expected) in [
        ("classes none", "none: No such file or directory"),
        ("classes text -n 0", "--classes = 0: must be 1 to 2000"),
        (
            "classes empty",
            "empty: no words to cluster\n\
             hint: is the file empty, or are all lines longer than --max-length?",
        ),
        (
            "classes long --max-length 2",
            "long:1: 3 tokens, more than the limit of 2\n\
             hint: raise --max-length, or output empty lines for such pairs with --skip-long",
        ),
        (
            "classes latin",
            "latin:1:4: invalid UTF-8 at byte 3 of the file (`caf\\xE9`)\n\
             hint: convert the file, for example with iconv, or use --lossy",
        ),
        ("classes text --start twice", "twice:2:1: expected each word once (this one is repeated), found `a\\t2`"),
        ("classes text --start empty", "empty:1:1: expected a word, a tab, and the number of its class, found nothing"),
        ("classes - --start -", "standard input cannot be read twice: TEXT and --start are both `-`"),
    ] {
        room.run(&format!("{words} -o out")).refused(&format!("error: {expected}"));
    }
    room.run("classes text -o text").refused("error: text: --output would overwrite the input TEXT");
    assert!(room.error("classes text --show --json").contains("cannot be used with"));
    assert!(room.error("classes text --start twice -n 3").contains("cannot be used with"));
    assert_eq!(room.names(), "empty latin long text twice");
    let outcome = room.run_with("classes - --max-length 2 --skip-long", "a b c\na b\n").success();
    assert!(outcome.stderr.contains("skipped    1 line longer than 2 tokens\n"), "{}", outcome.stderr);
}
