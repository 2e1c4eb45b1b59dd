//! What people type who come from other aligners: it is understood, or answered.

use crate::support::Room;

/// The first pairs of the sample, as two files and as `text` of lines `source ||| target`.
fn room() -> Room {
    let room = Room::with_sample(60);
    let (source, target) = (room.read("s"), room.read("t"));
    let lines = source.lines().zip(target.lines()).map(|(s, t)| format!("{s} ||| {t}\n"));
    room.write("text", lines.collect::<String>());
    room
}

/// Words give the links that our own options give, and a note with each of these.
#[track_caller]
fn assert_understood(room: &Room, words: &str, ours: &str, notes: &[&str]) {
    let outcome = room.run(words).success();
    assert_eq!(outcome.stdout, room.run(ours).success().stdout, "{words}");
    let noted: Vec<&str> = outcome.stderr.lines().filter(|line| line.starts_with("note: ")).collect();
    assert_eq!(noted.len(), notes.len(), "{words}: {noted:?}");
    for (noted, note) in noted.iter().zip(notes) {
        assert!(noted.contains(note), "{words}: {noted}");
    }
    assert_eq!(room.run(&format!("{words} --quiet")).success().stderr, "", "{words}");
}

#[test]
fn options_of_fast_align() {
    let room = room();
    let flags = ["fast_align's -d, -o and -v have no counterpart; its own model is --model diagonal"];
    assert_understood(&room, "align -i text -d -o -v", "align --bitext text", &flags);
    assert_understood(&room, "align -i text -dov", "align s t", &flags);
    let reverse = ["-d and -v have", "no symmetrization (atools); --reverse FILE"];
    assert_understood(&room, "align -i text -d -v -r", "align s t", &reverse);
    assert_understood(&room, "align -i text -I 2", "align s t --iterations 2", &[]);
    let diagonal = "align -i text --model diagonal -T 4 -q 0.08 -a 0.01 -N";
    assert_understood(&room, diagonal, "align s t --model diagonal", &["-T, -q, -a and -N have"]);
    // The output is ours.
    room.run("align -i text -d -v -o links").success();
    assert_eq!(room.read("links"), room.run("align s t").success().stdout);
}

#[test]
fn options_of_eflomal() {
    let room = room();
    room.run("align s t -q -o links --forward f --reverse r").success();
    let both = "the links of both directions together are on standard output";
    for words in ["-s s -t t -f f2 -r r2", "--source s --target=t --forward-links f2 --reverse-links r2"] {
        assert_understood(&room, &format!("align {words}"), "align s t", &[both]);
        assert_eq!((room.read("f2"), room.read("r2")), (room.read("f"), room.read("r")), "{words}");
    }
    let dropped = ["eflomal's --overwrite and -m have no counterpart", both];
    assert_understood(&room, "align -i text -r r3 --overwrite -m 3", "align s t", &dropped);
    assert_eq!(room.read("r3"), room.read("r"));
    room.write("priors", "LEX\tthe\tle\t3\nLEX\tthe\tla\t3\n");
    let ours = "align s t --dictionary priors --dictionary-format eflomal";
    assert_understood(&room, "align -s s -t t -p priors", ours, &["read as a dictionary"]);
}

#[test]
fn models_are_trained_with_them_too() {
    let room = room();
    room.run("train -i text -I 2 -d -o -v -m one -q").success();
    room.run("train -s s -t t --iterations 2 --lowercase -m two -q").success();
    room.run("train --bitext text --iterations ibm1:2,hmm:2 -m three -q").success();
    let [one, two, three] = ["one", "two", "three"].map(|name| std::fs::read(room.path(name)).unwrap());
    assert!(one == three && two == three);
    room.run("train s t -o four").refused("error: the output file for the model is --model-file (-m)");
}

#[test]
fn case_and_progress() {
    let room = room();
    assert_understood(&room, "align s t --lowercase", "align s t", &[]);
    for option in ["-v", "--verbose"] {
        assert_understood(&room, &format!("align s t {option}"), "align s t", &["--progress json"]);
    }
    let refused = room.run("align s t --lowercase --no-lowercase").failure(2);
    assert!(refused.contains("--lowercase and --no-lowercase contradict each other"), "{refused}");
}

#[test]
fn files_that_nobody_would_write_are_answered() {
    let room = room();
    for (words, expected) in [
        ("align -i text -d -o -v -p params", "`alinea model export MODEL --format fast-align`"),
        ("align -i text -c params", "`alinea model export MODEL --format fast-align`"),
        ("align -i text -d -v -T 4.5 -m 1.1 -f params", "`alinea align -m MODEL --bitext TEXT`"),
        ("align -s s -t t -F scores", "--scores FILE"),
        ("align s t -m 3", "-m ./3"),
        ("align s t --model ./model", "use --model-file (-m) for a model in a file"),
    ] {
        let refused = room.run(words).failure(2);
        assert!(refused.starts_with("error: ") && refused.contains(expected), "{words}: {refused}");
    }
    assert_eq!(room.names(), "s t text");
}

/// Our own options mean what they mean, whoever else has them.
#[test]
fn our_own_options_keep_their_meaning() {
    let room = room();
    let links = room.run("align s t -q").success();
    assert_eq!((links.stderr.as_str(), room.names().as_str()), ("", "s t text"));
    let json = room.run("align s t -f jsonl -q").success();
    assert!(json.stdout.starts_with("{\"source\":"), "{}", json.stdout);
    room.run("align --bitext text -q -o links -g text2").failure(2);
    room.run("align --bitext text -q -o links").success();
    assert_eq!(room.read("links"), links.stdout);
    for (words, expected) in [
        ("align s t -f forward", "invalid value 'forward' for '--format <FORMAT>'"),
        ("align s t -t 4", "unexpected argument '-t'"),
        ("align s t -d", "unexpected argument '-d'"),
        ("align s t -o", "a value is required for '--output <FILE>'"),
    ] {
        let refused = room.run(words).failure(2);
        assert!(refused.contains(expected), "{words}: {refused}");
    }
    assert_eq!(room.names(), "links s t text");
}
