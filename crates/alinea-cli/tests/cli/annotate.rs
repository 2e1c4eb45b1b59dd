//! `alinea annotate`: what is refused before a page is served, and what is written of a project. The page itself is tested by
//! `python/tests/test_annotate.py`.

use alinea::alignment::GoldAlignment;
use alinea::annotate::{PairWords, Project, ProjectSettings};

use crate::support::Room;

const SOURCE: &str = "The house\nA flower\nA house\n";
const TARGET: &str = "La maison\nUne fleur\nUne maison\n";

/// A room with a text and a project of it, in which two people have linked something.
fn room() -> Room {
    let room = Room::new();
    room.write("text.en", SOURCE);
    room.write("text.fr", TARGET);
    let words = |line: &str| line.split(' ').map(str::to_owned).collect();
    let pairs = SOURCE.lines().zip(TARGET.lines());
    let words: Vec<PairWords> = pairs.map(|(source, target)| [words(source), words(target)]).collect();
    let settings = ProjectSettings { title: "Houses".to_owned(), ..ProjectSettings::default() };
    let mut project = Project::create(&room.path("project"), &words, &settings).unwrap();
    let links = |sure: &[(u32, u32)], possible: &[(u32, u32)]| {
        let set = |links: &[(u32, u32)]| links.iter().map(|&(s, t)| alinea::alignment::Link::new(s, t)).collect();
        GoldAlignment::from_parts(set(sure), &set(possible))
    };
    for (name, gold) in [
        ("lisa", vec![links(&[(0, 0), (1, 1)], &[]), links(&[(0, 0)], &[])]),
        ("jonas", vec![links(&[(0, 0)], &[(1, 1)])]),
    ] {
        project.add_annotator(name).unwrap();
        project.import(name, &gold).unwrap();
    }
    room
}

#[test]
fn links_are_written_with_who_made_them() {
    let room = room();
    assert_eq!(room.run("annotate export project").success().stdout, "0-0 1p1\n0-0\n\n");
    assert_eq!(room.run("annotate export project --by lisa").success().stdout, "0-0 1-1\n0-0\n\n");
    assert_eq!(room.run("annotate export project --format talp --by jonas").success().stdout, "1-1 2p2\n\n\n");
    assert_eq!(room.run("annotate export project --format naacl").success().stdout, "1 1 1 S\n1 2 2 P\n2 1 1 S\n");
    let who = room.run("annotate export project --format who").success().stdout;
    let names: Vec<String> = who
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["annotator"].to_string())
        .collect();
    assert_eq!(names, ["\"jonas\"", "\"lisa\"", "\"lisa\""]);
    let written = room.run("annotate export project -o gold.align").success();
    assert!(written.stderr.starts_with("2 of 3 sentences are confirmed; "), "{}", written.stderr);
    assert_eq!(room.run("annotate export project -o quiet.align --quiet").success().stderr, "");
    assert_eq!(room.read("gold.align"), "0-0 1p1\n0-0\n\n");
    let outcome = room.run("annotate export project --by nobody");
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("nobody is called nobody; there are jonas, lisa"), "{}", outcome.stderr);
}

#[test]
fn the_state_of_the_work_is_told() {
    let room = room();
    let expected = "Houses\n2 of 3 sentences are confirmed\n  jonas  1, 0 s each\n  lisa   2, 0 s each\n";
    assert_eq!(room.run("annotate status project").success().stdout, expected);
    let json = room.run("annotate status project --json").success().stdout;
    let told: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&told["sentences"], &told["confirmed"]), (&3.into(), &2.into()));
}

#[test]
fn mistakes_are_told_before_a_page_is_served() {
    let room = room();
    room.write("other.en", "The house\nA flower\nA horse\n");
    room.write("bad.align", "0-0\n5-5\n");
    room.write("long.align", "0-0\n0-0\n0-0\n0-0\n");
    room.run("train text.en text.fr -m cased.alinea --no-lowercase").success();
    room.run("train text.en text.fr -m hmm.alinea --model hmm").success();
    for (words, expected) in [
        ("annotate", "required arguments were not provided"),
        ("annotate --project nothing", "nothing/project.json: No such file"),
        (
            "annotate other.en text.fr --project project",
            "project: the project has another text, or the same one tokenized differently: the first difference is in sentence 3",
        ),
        ("annotate text.en", "text.en: no folder of a project, and TARGET is missing"),
        ("annotate .", ".: no folder of a project, and TARGET is missing"),
        ("annotate text.en --project project", "TARGET: missing beside text.en"),
        ("annotate project --model quality", "--model quality: the project has agreement-loo, which stays"),
        ("annotate --project project --shared 120%", "expected 0 to 1, or 0% to 100%"),
        ("annotate --project project --annotator a/b", "annotator = a/b: must be"),
        ("annotate --project project --import lisa=missing", "missing"),
        ("annotate --project project --import anna=bad.align", "bad.align: line 2: link 5-5 is out of range"),
        ("annotate --project project --import anna=long.align", "unequal lengths"),
        ("annotate --project project --guideline missing.md", "missing.md"),
        ("annotate --project project --model quality", "--model quality: the project has agreement-loo, which stays"),
        ("annotate --project project -m missing.alinea", "missing.alinea"),
        ("annotate --project project -m text.en", "text.en"),
        ("annotate --project project -m cased.alinea", "model = words as they are: must be words in lower case"),
        ("annotate --project project -m hmm.alinea --model hmm", "cannot be used with"),
        ("annotate --project project --bind here", "invalid IP address"),
        ("annotate text.en other.fr --no-browser", "other.fr"),
        ("annotate export nothing", "nothing/project.json: No such file"),
    ] {
        let outcome = room.run(words);
        assert_eq!(outcome.code, Some(2), "{words}");
        assert!(outcome.stderr.contains(expected), "{words}: {}", outcome.stderr);
        assert_eq!(outcome.stdout, "", "{words}");
    }
}

/// A disk that is full: a step that could not be saved is not there, and the journal is what it was.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_journals_as_they_were() {
    let room = room();
    let journal = std::fs::read(room.path("project/journals/lisa.jsonl")).unwrap();
    room.write("more.align", "\n\n0-0 1-1\n");
    let mut command = std::process::Command::new("prlimit");
    command.arg(format!("--fsize={}", journal.len() + 20)).arg(env!("CARGO_BIN_EXE_alinea"));
    command.args(["annotate", "--project", "project", "--no-browser", "--import", "lisa=more.align"]);
    let output = command.current_dir(room.path("")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("lisa.jsonl: File too large"), "{message}");
    assert_eq!(std::fs::read(room.path("project/journals/lisa.jsonl")).unwrap(), journal);
    assert_eq!(room.run("annotate export project --by lisa").success().stdout, "0-0 1-1\n0-0\n\n");
}
