//! Links between other tokens of the same lines: `convert` and `align` with `--source-tokens` and `--target-tokens`.

use crate::support::Room;

const WORDS: &str = "the lighthouse stands\n\na tower &amp; a bell\n";
const PIECES: &str = "▁the ▁light house ▁st and s\n\n▁a ▁tow er ▁& ▁a ▁bell\n";
const FRENCH: &str = "le phare est debout\nrien\nune tour et une cloche\n";
const BYTES: &str = "le pha@@ re est de@@ bout\nri@@ en\nune tour et une clo@@ che\n";
const LINKS: &str = "0-0:0.9 1p1:0.5 2-2:0.25 2-3\n\n0-0 1-1 4-4\n";
/// By hand: words 1 and 2 of the first sentence are pieces 1 to 2 and 3 to 5.
const OF_PIECES: &str = "0-0:0.90 1p1:0.50 1p2:0.50 2p1:0.50 2p2:0.50 3-3:0.25 3-4 3-5 4-3:0.25 4-4 4-5 5-3:0.25 5-4 5-5\n\n\
                         0-0 1-1 2-1 5-4 5-5\n";
const BOTH: &str = "--source words --source-tokens pieces --target french --target-tokens bytes";
const BACK: &str = "--source pieces --source-tokens words --target bytes --target-tokens french";

fn room() -> Room {
    Room::with_files(&[("words", WORDS), ("pieces", PIECES), ("french", FRENCH), ("bytes", BYTES), ("links", LINKS)])
}

#[test]
fn links_go_to_pieces_and_come_back() {
    let room = room();
    let outcome = room.run(&format!("convert links --format pharaoh --digits 2 {BOTH} -o out")).success();
    assert_eq!(room.read("out"), OF_PIECES);
    assert_eq!(outcome.stderr, "3 sentence pairs, 19 links\n");
    room.run(&format!("convert out --format pharaoh --digits 2 {BACK} -o back")).success();
    room.run("convert links --format pharaoh --digits 2 -o written").success();
    assert_eq!(room.read("back"), room.read("written"));
    // One side alone, the other of which may have words to be checked.
    let one = "0-0:0.9 1p1:0.5 2p1:0.5 3-2:0.2 3-3 4-2:0.2 4-3 5-2:0.2 5-3\n\n0-0 1-1 2-1 5-4\n";
    for target in ["", "--target french"] {
        let words = format!("convert links --format pharaoh --digits 1 --source words --source-tokens pieces {target}");
        assert_eq!(room.run(&words).success().stdout, one);
    }
    let target = room.run("convert links --format pharaoh --target french --target-tokens bytes").success();
    assert_eq!(target.stdout, "0-0 1p1 1p2 2-3 2-4 2-5\n\n0-0 1-1 4-4 4-5\n");
}

#[test]
fn words_come_from_the_links_and_tokens_go_with_them() {
    let room = room();
    room.run("convert links --to jsonl --source words --target french -o words.jsonl").success();
    let tokens = "--source-tokens pieces --target-tokens bytes";
    let converted = room.run(&format!("convert words.jsonl --from jsonl --to jsonl {tokens}")).success();
    let given = room.run(&format!("convert links --to jsonl {BOTH}")).success();
    assert_eq!(converted.stdout, given.stdout);
    let first: serde_json::Value = serde_json::from_str(given.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["source"], serde_json::json!(["▁the", "▁light", "house", "▁st", "and", "s"]));
    assert_eq!(first["target"].as_array().unwrap().len(), 6);
    assert_eq!(given.stderr, "3 sentence pairs, 19 links\n");
    let error = room.error("convert links --to talp --source-tokens pieces");
    assert_eq!(
        error,
        "error: --source-tokens needs the words that the links count\nhint: give them with --source FILE\n"
    );
    room.write("bare.jsonl", "{\"links\":[[0,0]]}\n{\"links\":[]}\n{\"links\":[]}\n");
    let error = room.error("convert bare.jsonl --to talp --target-tokens bytes");
    assert!(
        error.starts_with("error: bare.jsonl:1: the pair has no words\nhint: give them with --target FILE"),
        "{error}"
    );
}

#[test]
fn what_does_not_match_is_placed_or_skipped() {
    let room = room();
    room.write("pieces", PIECES.replace("▁tow", "▁tav"));
    let command = format!("convert links --format pharaoh {BOTH}");
    let message = "error: pieces:3:6: expected the characters of `tower` (words:3:3), found `▁tav`";
    let error = room.error(&format!("{command} -o out"));
    assert_eq!(error.trim_end(), message);
    assert!(!room.names().contains("out"), "{}", room.names());
    let skipped = room.run(&format!("{command} --unmatched skip")).success();
    assert_eq!(skipped.stdout.lines().nth(2), Some(""));
    assert_eq!(skipped.stdout.lines().count(), 3);
    let told = ", the links of 1 pair whose tokens do not spell the words\n";
    assert!(skipped.stderr.ends_with(told), "{}", skipped.stderr);
    // A line that ends too early, and one in other case.
    room.write("pieces", PIECES.replace(" ▁bell", ""));
    let command = format!("{command} -o out");
    let error = room.error(&command);
    assert!(
        error.starts_with("error: pieces:3:25: expected the characters of `bell` (words:3:17), found nothing"),
        "{error}"
    );
    room.write("pieces", PIECES.replace("tow", "TÓW"));
    assert!(room.error(&command).contains("found `▁TÓW`"));
    room.run(&format!("{command} --ignore-case")).success();
}

#[test]
fn files_are_as_long_as_the_links_and_links_within_their_lines() {
    let room = room();
    room.write("pieces", "▁the ▁light house ▁st and s\n");
    let command = format!("convert links --format talp {BOTH} -o out");
    let error = room.error(&command);
    assert_eq!(error, "error: unequal lengths: links has 3 lines, pieces has 1\n");
    room.write("pieces", PIECES.to_owned() + "▁more\n");
    let error = room.error(&command);
    assert_eq!(error, "error: unequal lengths: links has 3 lines, pieces has 4\n");
    room.write("pieces", PIECES);
    room.write("links", "0-0 3-1\n\n\n");
    let error = room.error(&command);
    assert!(error.starts_with("error: links:1:5: link 3-1 is out of range, the source has 3 tokens"), "{error}");
    room.write("links", LINKS);
    room.write("pieces", b"\xff\n\n\n");
    assert!(room.error(&command).starts_with("error: pieces:1:1: invalid UTF-8"));
    assert!(
        room.error(&format!("{command} --units-to tokens --source-trees a --target-trees b"))
            .contains("cannot be used")
    );
    assert_eq!(room.names(), "bytes french links pieces words");
}

#[test]
fn alignments_count_other_tokens() {
    let room = Room::with_sample(60);
    let cut = |text: &str| -> String {
        let words = |line: &str| line.split(' ').map(cut_word).collect::<Vec<_>>().join(" ");
        text.lines().map(|line| words(line) + "\n").collect()
    };
    room.write("sp", cut(&room.read("s")));
    room.write("tp", cut(&room.read("t")));
    let tokens = "--source-tokens sp --target-tokens tp";
    let kinds = ["links", "forward", "reverse", "posteriors"];
    let outputs = |prefix: &str| {
        kinds.map(|kind| format!("--{} {prefix}{kind}", if kind == "links" { "output" } else { kind })).join(" ")
    };
    room.run(&format!("align s t {}", outputs("w."))).success();
    room.run(&format!("align s t {tokens} --threads 1 {}", outputs("p."))).success();
    room.run(&format!("align s t {tokens} --threads 3 {}", outputs("q."))).success();
    for kind in kinds {
        let digits = if kind == "posteriors" { "--digits 4" } else { "" };
        let files = "--source s --source-tokens sp --target t --target-tokens tp --from pharaoh --to pharaoh";
        let converted = room.run(&format!("convert w.{kind} {digits} {files}")).success().stdout;
        assert_eq!(room.read(&format!("p.{kind}")), converted, "{kind}");
        assert_eq!(room.read(&format!("q.{kind}")), converted, "{kind}");
    }
    assert_ne!(room.read("p.links"), room.read("w.links"));
    // With a model from a file, text in one file, and words beside the links.
    room.run("train s t -m model -q").success();
    let of_model = room.run(&format!("align s t -m model {tokens}")).success().stdout;
    let joint: String =
        room.read("s").lines().zip(room.read("t").lines()).map(|(s, t)| format!("{s} ||| {t}\n")).collect();
    room.write("joint", joint);
    assert_eq!(room.run(&format!("align --bitext joint -m model {tokens}")).success().stdout, of_model);
    assert_eq!(room.run(&format!("align s t -m model {tokens} --line-buffered")).success().stdout, of_model);
    let json = room.run(&format!("align s t -m model {tokens} --format jsonl")).success().stdout;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["source"].as_array().unwrap().len(), room.read("sp").lines().next().unwrap().split(' ').count());
    // What does not match.
    let wrong = room.read("tp").replacen(' ', " x", 1);
    room.write("tp", &wrong);
    for model in ["", "-m model"] {
        let error = room.error(&format!("align s t {model} {tokens} -o out"));
        assert!(error.starts_with("error: tp:1:") && error.contains(" (t:1:"), "{error}");
        let error = room.error(&format!("align --bitext joint {model} {tokens} -o out"));
        assert!(error.contains(" (joint:1)"), "{error}");
        let skipped = room.run(&format!("align s t {model} {tokens} --unmatched skip")).success();
        assert_eq!((skipped.stdout.lines().next(), skipped.stdout.lines().count()), (Some(""), 60));
        assert!(skipped.stderr.contains("dropped    the links of 1 pair whose"), "{}", skipped.stderr);
        room.write("short", "a\n");
        let error = room.error(&format!("align s t {model} --source-tokens short -o out"));
        assert!(error.starts_with("error: unequal lengths: s has 60 lines, short has 1"), "{error}");
    }
    assert!(!room.names().split(' ').any(|name| name == "out"));
}

/// A word in pieces of up to two characters, with the mark of byte pair encoding.
fn cut_word(word: &str) -> String {
    let characters: Vec<char> = word.chars().collect();
    let pieces: Vec<String> = characters.chunks(2).map(|piece| piece.iter().collect()).collect();
    pieces.join("@@ ")
}
