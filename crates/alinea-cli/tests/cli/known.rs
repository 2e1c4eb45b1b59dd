//! What is known beforehand: `--dictionary` and `--links`.

use std::collections::BTreeMap;

use crate::support::{Room, sample};

fn room() -> Room {
    Room::with_sample(60)
}

#[test]
fn links_that_are_given_come_out_and_others_may_change() {
    let room = room();
    let before = room.align("");
    // Nonsense, so that it cannot come about by itself; the second pair has a possible link alone.
    let (source, target) = sample(3);
    let lengths = |n: usize| [&source, &target].map(|text| text.lines().nth(n).unwrap().split(' ').count() - 1);
    let ([s, t], [s2, t2]) = (lengths(0), lengths(1));
    room.write("known", format!("0-{t} {s}-0\n0p{t2} {s2}p0\n\n"));
    let links = room.align("--links known");
    let mut expected = vec![format!("0-{t}"), format!("{s}-0")];
    expected.sort_unstable();
    let mut found: Vec<&str> = links[0].split(' ').collect();
    found.sort_unstable();
    assert_eq!(found, expected);
    let allowed = [format!("0-{t2}"), format!("{s2}-0")];
    assert!(links[1].split(' ').all(|link| link.is_empty() || allowed.iter().any(|allowed| allowed == link)));
    assert_ne!(links[2], "", "an empty line says nothing");
    assert_eq!((links.len(), before.len()), (60, 60));
    let summary = room.run("align s t --links known -o out").success().stderr;
    assert!(summary.contains("\ngiven      links of 2 pairs\n"), "{summary}");
    let paths = room.align("--links known --symmetrize intersection");
    assert!(paths[0].split(' ').all(|link| expected.iter().any(|given| given == link)), "{}", paths[0]);
}

#[test]
fn a_dictionary_has_influence() {
    let room = Room::with("a b\n", "x y\n");
    room.write("straight", "a x\nb y\n");
    assert_eq!(room.align("--dictionary straight"), ["0-0 1-1"]);
    room.write("d", "A\tY\n\nb x 2.5\nice cream\tglace\n");
    let outcome = room.run("align s t --dictionary d").success();
    assert_eq!(outcome.lines(), ["0-1 1-0"]);
    let told = "dictionary 2 entries, 2 of them found in the text; 1 with several words ignored";
    assert!(outcome.stderr.contains(told), "{}", outcome.stderr);
    let json = room.run("align s t --dictionary d --progress json -o links").success().stderr;
    assert!(json.contains(r#""dictionary":{"entries":2,"met":2,"others":0,"several_words":1}"#), "{json}");
    room.write("other", "q r\n");
    let outcome = room.run("align s t --dictionary other").success();
    assert!(outcome.stderr.contains("none of the 1 dictionary entries"), "{}", outcome.stderr);
}

/// Together more than 2^31, where whole numbers in units of 2^-32 end.
#[test]
fn entries_of_any_weight_leave_probabilities() {
    let room = room();
    let (source, target) = sample(1);
    let [s, t] = [&source, &target].map(|line| line.split_whitespace().next().unwrap());
    room.write("d", format!("{s} {t} 1000000\n").repeat(2200));
    room.run("train s t -q -m model --dictionary d").success();
    let table = room.run("model export model").success().stdout;
    // Source word, target word, p(target | source).
    let mut sums = BTreeMap::<&str, f64>::new();
    for line in table.lines() {
        let (source, rest) = line.split_once('\t').unwrap();
        let probability: f64 = rest.split_once('\t').unwrap().1.parse().unwrap();
        assert!(probability > 0.0 && probability <= 1.0, "{line}");
        *sums.entry(source).or_default() += probability;
    }
    assert!(sums.values().all(|sum| *sum < 1.001), "{sums:?}");
    room.run("align -m model s t -q --scores scores -o links").success();
    assert!(!room.read("scores").contains("NaN"));
    assert!(room.read("links").lines().next().unwrap().split(' ').any(|link| link == "0-0"));
}

#[test]
fn a_model_can_be_trained_with_both_and_given_more() {
    let room = Room::with("a b\na b\n", "x y\nx y\n");
    room.write("d", "a y\nb x\n");
    room.write("known", "0-1 1-0\n");
    let trained = room.run("train s t -m model --dictionary d --links known --signature").success();
    assert!(trained.stderr.contains("|dictionary:2|links:1"), "{}", trained.stderr);
    room.write("s2", "a b b\nb a\n");
    room.write("t2", "x y x\nx y\n");
    assert_eq!(room.run("align s2 t2 -m model").success().lines()[1], "0-0 1-1");
    room.write("known", "0-0\n0-1 1-0\n");
    let adapted = room.run("align s2 t2 -m model --adapt 1 --links known").success();
    assert_eq!(adapted.lines(), ["0-0", "0-1 1-0"]);
}

#[test]
fn what_is_no_dictionary_and_no_links_of_the_text_is_refused() {
    let room = room();
    room.run("train s t -m model").success();
    room.write("word", "a b\nhouse\n");
    room.write("weight", "a b\nhouse maison -1\n");
    room.write("bytes", b"a b\nhouse\xFF maison\n");
    room.write("outside", "0-0\n99-0\n");
    room.write("long", "0-0\n".repeat(61));
    room.write("empty", "");
    for (words, expected) in [
        ("--dictionary word", "word:2:1: expected a source word and a target word"),
        ("--dictionary weight", "weight:2:14: expected a weight above 0"),
        ("--dictionary bytes", "bytes:2:6: invalid UTF-8"),
        ("--dictionary none", "none"),
        ("--links outside", "outside:2"),
        ("--links long", "long has links for 61 pairs, the text has only 60"),
        ("--links empty", "empty has no lines"),
        ("-m model --links known", "--links is for training: with --model-file it also needs --adapt"),
        ("-m model --dictionary d", "--dictionary is for training"),
        ("--dictionary s", "s:1:"),
        ("--links s", "s:1:"),
    ] {
        let message = room.run(&format!("align s t -o out {words}")).failure(2);
        assert!(message.contains(expected), "{words}: {message}");
    }
    room.write("d", "the la\n");
    let message = room.run("align s t --dictionary d --model hmm").failure(2);
    assert!(
        message.contains("--dictionary is for the models agreement-loo, quality and agreement, not for "),
        "{message}"
    );
    room.write("known", "0-0\n");
    let message = room.run("align s t --links known --model ibm1").failure(2);
    assert!(
        message.contains("--links is for the models agreement-loo, quality, agreement and hmm, not for ibm1"),
        "{message}"
    );
    assert!(!room.path("out").exists(), "nothing half-written");
}
