//! Gold links, from which the decision about links is learned: `--gold`.

use crate::support::{Room, sample};

/// The sample, and the gold links of so many of its first pairs.
fn room(gold: usize) -> Room {
    let room = Room::with_sample(420);
    room.write("hand", first_gold(gold));
    room
}

fn first_gold(pairs: usize) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/sample/en-fr.gold");
    std::fs::read_to_string(path).unwrap().lines().take(pairs).map(|line| format!("{line}\n")).collect()
}

#[test]
fn links_of_other_pairs_change_and_scores_are_told() {
    let room = room(50);
    let (without, with) = (room.align(""), room.run("align s t --gold hand --signature").success());
    let links: Vec<&str> = with.stdout.lines().collect();
    assert_eq!(links.len(), 420);
    assert_ne!(links[50..], without[50..]);
    // A link that is sure is possible as well, so one that is given both ways is sure.
    let twice = |line: &str| format!("{line} {}\n", line.replace('p', "-").replace('-', "p"));
    room.write("twice", first_gold(50).lines().map(twice).collect::<String>());
    assert_eq!(room.run("align s t --gold twice").success().stdout, with.stdout);
    for expected in [
        "gold links: baseline without them, system by those of other pairs (cross-validation)\nsentences            50\n",
        "|links:50|gold:50|",
        "\nsystem - baseline ",
    ] {
        assert!(with.stderr.contains(expected), "{expected}: {}", with.stderr);
    }
}

#[test]
fn a_model_keeps_and_shows_it() {
    let room = room(50);
    let trained = room.run("train s t -m model --gold hand").success();
    assert!(trained.stderr.contains("gold links: "), "{}", trained.stderr);
    let shown = room.run("model show model --top 3").success().stdout;
    let (_, gold) = shown.split_once("\ngold: learned from 50 sentence pairs; links from 0.").unwrap();
    assert_eq!(gold.lines().count(), 5, "{gold}");
    assert!(gold.lines().nth(1).unwrap().starts_with("weights of "), "{gold}");
    let json = room.run("model show model --top 3 --format json").success().stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["gold"]["pairs"], 50);
    assert_eq!(json["gold"]["changes"].as_array().unwrap().len(), 3);
    assert!(json["gold_encoder"].is_null());
    // The other 360 pairs are aligned as in training.
    let own = room.run("align s t --gold hand").success();
    let again = room.run("align s t -m model").success();
    assert_eq!(own.lines()[50..], again.lines()[50..]);
    // Pruned, it still has it.
    room.run("model prune model -o small").success();
    assert!(room.run("model show small").success().stdout.contains("\ngold: learned from 50 "));
}

#[test]
fn a_model_learns_from_gold_links_of_new_text() {
    let room = room(50);
    room.run("train s t -m model -q").success();
    let plain = room.run("align s t -m model").success();
    let learned = room.run("align s t -m model --gold hand").success();
    assert_ne!(plain.stdout, learned.stdout);
    assert!(learned.stderr.contains("\nsentences            50\n"), "{}", learned.stderr);
    // All gold links are read before the first pair is written, however small the parts.
    let buffered = room.run("align s t -m model --gold hand --line-buffered --threads 1").success();
    assert_eq!(buffered.stdout, learned.stdout);
    let adapted = room.run("align s t -m model --adapt 2 --gold hand --signature").success();
    assert!(adapted.stderr.contains("|adapt:2|links:50|gold:50|frozen") || adapted.stderr.contains("|gold:50"));
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let room = Room::with_sample(60);
    room.write("hand", first_gold(20));
    let (source, _) = sample(1);
    assert!(source.split(' ').count() < 90);
    room.write("outside", "0-0\n99-0\n");
    room.write("long", "0-0\n".repeat(61));
    room.write("empty", "");
    room.write("null", "\n".repeat(20));
    room.write("one", "\n\n0-0\n");
    room.write("possible", "0p0\n".repeat(20));
    room.write("words", "0-0\nthe house\n");
    room.run("train s t -m model -q").success();
    for (words, expected) in [
        ("--gold outside", "outside:2"),
        ("--gold long", "long has links for 61 pairs, the text has only 60"),
        ("--gold empty", "empty has no lines"),
        ("--gold null", "null has no links: gold links of 2 sentence pairs or more are needed"),
        ("--gold one", "--gold = links of 1 sentence pair: must be links of 2 pairs or more"),
        ("--gold possible", "--gold = no sure link: must be some sure links"),
        ("--gold words", "words:2:1"),
        ("--gold hand --model hmm", "--gold is for the models agreement-loo and quality, not for hmm"),
        ("--gold hand --symmetrize union", "unset if gold links are learned from"),
        ("--gold hand --checkpoint c", "unset with word vectors or gold links"),
        ("-m model --gold outside", "outside:2"),
        ("-m model --gold long", "long has links for 61 pairs, the text has only 60"),
        ("-m model --gold one", "must be links of 2 pairs or more"),
        ("--annotated-only", "--gold"),
    ] {
        let message = room.run(&format!("align s t -o out {words}")).failure(2);
        assert!(message.contains(expected), "{words}: {message}");
        assert!(!room.path("out").exists(), "{words}");
    }
    let message = room.run("align empty empty -m model --gold hand -o out").failure(2);
    assert!(message.contains("hand has links for 20 pairs, the text has only 0"), "{message}");
}
