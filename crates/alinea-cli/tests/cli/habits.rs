//! What people type who come from other aligners: it is understood, or answered.

#[cfg(target_os = "linux")]
use crate::support::Outcome;
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
    let flags = ["fast_align's -d, -o and -v are ignored; fast_align's model is --model diagonal"];
    assert_understood(&room, "align -i text -d -o -v", "align --bitext text", &flags);
    assert_understood(&room, "align -i text -dov", "align s t", &flags);
    let reverse = ["-d and -v are", "no symmetrization (atools); --reverse FILE"];
    assert_understood(&room, "align -i text -d -v -r", "align s t", &reverse);
    assert_understood(&room, "align -i text -I 2", "align s t --iterations 2", &[]);
    let diagonal = "align -i text --model diagonal -T 4 -q 0.08 -a 0.01 -N";
    assert_understood(&room, diagonal, "align s t --model diagonal", &["-T, -q, -a and -N are"]);
    // The output is ours, however it is written.
    let expected = room.run("align s t").success().stdout;
    for (words, output) in [("-d -v -o links", "links"), ("-dv -odor", "dor"), ("-odov", "dov")] {
        assert_eq!(room.run(&format!("align -i text {words}")).success().stdout, "", "{words}");
        assert_eq!(room.read(output), expected, "{words}");
    }
}

/// Names are bytes here, whatever option they belong to.
#[cfg(target_os = "linux")]
#[test]
fn names_of_files_need_not_be_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let room = room();
    let expected = room.run("align s t").success().stdout;
    std::fs::rename(room.path("text"), room.path("").join(OsStr::from_bytes(b"t\xFF"))).unwrap();
    let cases: [&[&[u8]]; 4] = [&[b"-i", b"t\xFF"], &[b"-it\xFF"], &[b"--input=t\xFF"], &[b"-dov", b"-i", b"t\xFF"]];
    for words in cases {
        let mut command = room.command("align -q");
        let outcome: Outcome = command.args(words.iter().map(|word| OsStr::from_bytes(word))).output().unwrap().into();
        assert_eq!(outcome.success().stdout, expected, "{words:?}");
    }
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
    let ignored = [
        "eflomal's --overwrite is ignored",
        "eflomal's -m 3 is ignored: choose a model by name, such as --model hmm",
        both,
    ];
    assert_understood(&room, "align -i text -r r3 --overwrite -m 3", "align s t", &ignored);
    assert_eq!(room.read("r3"), room.read("r"));
    room.write("priors", "LEX\tthe\tle\t3\nLEX\tthe\tla\t3\n");
    let ours = "align s t --dictionary priors --dictionary-format eflomal";
    assert_understood(&room, "align -s s -t t -p priors", ours, &["priors of jumps and fertilities are ignored"]);
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
fn case_and_progress_are_understood() {
    let room = room();
    assert_understood(&room, "align s t --lowercase", "align s t", &[]);
    for option in ["-v", "--verbose"] {
        assert_understood(&room, &format!("align s t {option}"), "align s t", &["--progress json"]);
    }
    let refused = room.run("align s t --lowercase --no-lowercase").failure(2);
    assert!(refused.contains("'--lowercase' cannot be used with '--no-lowercase'"), "{refused}");
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
        ("align s t -m quality", "\nhint: a model is chosen by --model quality; -m reads a file\n"),
        ("align s t -m hmm --adapt 2", "\nhint: a model is chosen by --model hmm; -m reads a file\n"),
        ("align s t --model ./model", "use --model-file (-m) for a model in a file"),
    ] {
        let refused = room.run(words).failure(2);
        assert!(refused.starts_with("error: ") && refused.contains(expected), "{words}: {refused}");
    }
    assert_eq!(room.names(), "s t text");
}

/// Files whose lines end with CRLF, side by side as `paste` writes them: what it leaves before a separator is no part of a
/// word.
#[test]
fn carriage_returns_before_separators_are_no_part_of_words() {
    let room = room();
    let expected = room.run("align s t -q --format jsonl").success().stdout;
    let text = room.read("text").replace('\n', "\r\n");
    room.write("joint", text.replace(" ||| ", "\r ||| "));
    room.write("table", text.replace(" ||| ", "\r\t"));
    for words in ["-i joint -d", "--bitext joint", "--bitext table --columns 1,2"] {
        let outcome = room.run(&format!("align {words} --format jsonl")).success();
        assert_eq!(outcome.stdout, expected, "{words}");
        assert!(!outcome.stderr.contains("whitespace"), "{words}: {}", outcome.stderr);
    }
}

#[test]
fn names_of_other_programs_lead_to_our_verbs() {
    for (name, ours) in [
        ("fast_align", "alinea align"),
        ("eflomal", "alinea align"),
        ("mgiza", "alinea align"),
        ("GIZA++", "alinea align"),
        ("makepriors", "alinea train"),
        ("atools", "alinea symmetrize"),
        ("symal", "alinea symmetrize"),
        ("sacrebleu", "alinea metric"),
        ("bleu", "alinea metric"),
        ("metrics", "alinea metric"),
        ("version", "alinea --version"),
    ] {
        let refused = Room::new().run(&format!("{name} -i text")).failure(2);
        let expected = format!("error: unrecognized subcommand '{name}'\n\n  tip: use '{ours}'\n\nUsage: ");
        assert!(refused.starts_with(&expected), "{refused}");
    }
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
