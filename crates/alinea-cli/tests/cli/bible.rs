//! `alinea bible`.

use crate::support::{Room, sample};

const SOURCE: &str = "\\id RUT source
\\c 1
\\p
\\v 1 \\w casa|lemma=\"casa\" strong=\"H1\"\\w* \\w alba|strong=\"H2\"\\w* casa
\\v 2 flor
\\v 3 sol
\\v 4 luna
";

const TARGET: &str = "\\id RUT target\r
\\c 1\r
\\s A heading\r
\\p\r
\\v 1 A white\\f + \\ft Or pale.\\f* house, \\nd house\\nd*.\r
\\q1\r
\\v 2-3 A flower; the sun!\r
\\v 5 More.\r
";

const LINKS: &str = "0-2 1-1 2-3\n0-1 1-3\n";

fn room() -> Room {
    Room::with_files(&[("s.usfm", SOURCE), ("t.usfm", TARGET), ("links", LINKS)])
}

#[test]
fn links_become_milestones_and_come_back() {
    let room = room();
    let answer = room.run("bible align s.usfm t.usfm --links links -o out.usfm").success();
    let warnings = "warning: 1 verse only in the source, the first is RUT 1:4\n\
                    warning: 1 verse only in the target, the first is RUT 1:5\n";
    let summary = "verses       2\nlinks        5\nonly source  1\nonly target  1\n";
    assert_eq!(answer.stderr, format!("{warnings}{summary}"));
    let aligned = room.read("out.usfm");
    let expected = "\\v 1 A \\zaln-s |x-strong=\"H2\" x-occurrence=\"1\" x-occurrences=\"1\" x-content=\"alba\"\\*\
        \\w white|x-occurrence=\"1\" x-occurrences=\"1\"\\w*\\zaln-e\\*\\f + \\ft Or pale.\\f* \
        \\zaln-s |x-strong=\"H1\" x-lemma=\"casa\" x-occurrence=\"1\" x-occurrences=\"2\" x-content=\"casa\"\\*\
        \\w house|x-occurrence=\"1\" x-occurrences=\"2\"\\w*\\zaln-e\\*, \
        \\nd \\zaln-s |x-occurrence=\"2\" x-occurrences=\"2\" x-content=\"casa\"\\*\
        \\+w house|x-occurrence=\"2\" x-occurrences=\"2\"\\+w*\\zaln-e\\*\\nd*.\r\n";
    assert!(aligned.contains(expected), "{aligned}");
    assert!(aligned.starts_with(&TARGET[..46]) && aligned.ends_with("\\v 5 More.\r\n"), "{aligned}");

    let answer = room.run("bible links out.usfm --source s.usfm --texts s.words t.words --verses verses -q").success();
    assert_eq!((answer.stdout.as_str(), answer.stderr.as_str()), (LINKS, ""));
    assert_eq!(room.read("s.words"), "casa alba casa\nflor sol\n");
    assert_eq!(room.read("t.words"), "A white house house\nA flower the sun\n");
    assert_eq!(room.read("verses"), "RUT 1:1\nRUT 1:2-3\n");
    // Words of the source are those that milestones name, where there is no source.
    let answer = room.run("bible links out.usfm --texts s.words t.words -q").success();
    assert_eq!(answer.stdout, "0-1 1-2 2-3\n0-1 1-3\n\n");
    assert_eq!(room.read("s.words"), "alba casa casa\nflor sol\n\n");
    // Aligned again, the old milestones are gone.
    room.run("bible align s.usfm out.usfm --links links -o again.usfm -q").success();
    assert_eq!(room.read("again.usfm"), aligned);
}

#[test]
fn records_have_the_words_by_their_places() {
    let room = room();
    for (format, first) in [("burrito", "08001001001"), ("clear", "o08001001001")] {
        room.run(&format!("bible align s.usfm t.usfm --links links --format {format} -o {format} -q")).success();
        let file: serde_json::Value = serde_json::from_str(&room.read(format)).unwrap();
        let records = file.pointer("/groups/0/records").or(file.get("records")).unwrap();
        assert_eq!(records[0]["source"], serde_json::json!([first]));
        assert_eq!(records[0]["target"], serde_json::json!(["08001001003"]));
        // The second verse of the target is its bridge.
        assert_eq!(records[4]["target"], serde_json::json!(["08001002004"]));
        let answer = room.run(&format!("bible links t.usfm --source s.usfm --records {format} -q")).success();
        assert_eq!(answer.stdout, LINKS, "{format}");
    }
    // All words of a record belong together; records over verses that do not are counted.
    let ids = |ids: [&str; 2]| ids.map(|id| format!("\"{id}\"")).join(",");
    let source = ids(["o08001001001", "o08001001002"]);
    let both = format!("{{\"source\":[{source}],\"target\":[{}]}}", ids(["08001001001", "08001002001"]));
    room.write("records", format!("{{\"records\":[{both}]}}"));
    let answer = room.run("bible links t.usfm --source s.usfm --records records").success();
    assert_eq!(answer.stdout, "0-0 1-0\n\n");
    assert!(answer.stderr.contains("verses that do not belong together: 2, left out\n"), "{}", answer.stderr);
    assert!(answer.stderr.ends_with("apart        2\n"), "{}", answer.stderr);
}

#[test]
fn whole_groups_have_all_their_links() {
    let room = room();
    room.write("links", "0-0 0-1 1-1 2-3\n0-1\n");
    let answer = room.run("bible align s.usfm t.usfm --links links --whole-groups --format links -q").success();
    assert_eq!(answer.stdout, "0-0 0-1 1-0 1-1 2-3\n0-1\n");
}

#[test]
fn texts_of_one_verse_a_line_are_read_with_their_references() {
    let room = room();
    room.write("refs", "RUT 1:1\nRUT 1:2\nRUT 1:3\nRUT 1:4\nRUT 1:6\n");
    room.write("t.txt", "A white house, house.\nA flower; the sun!\n<range>\n\nx\n");
    let answer = room.run("bible align s.usfm t.txt --references refs --links links --format links").success();
    assert_eq!(answer.stdout, LINKS);
    let warnings = "warning: 1 verse only in the source, the first is RUT 1:4\n\
                    warning: 1 verse only in the target, the first is RUT 1:6\n";
    assert!(answer.stderr.starts_with(warnings), "{}", answer.stderr);
    // As a source of milestones.
    room.write("s.txt", "casa alba casa\nflor\nsol\nluna\n\n");
    room.run("bible align s.txt t.usfm --references refs --links links -o out.usfm -q").success();
    let answer = room.run("bible links out.usfm --source s.txt --references refs -q").success();
    assert_eq!(answer.stdout, LINKS);
}

#[test]
fn verses_are_text() {
    let room = room();
    let answer = room.run("bible text t.usfm --references refs").success();
    assert_eq!(answer.stdout, "A white house, house.\nA flower; the sun!\nMore.\n");
    assert_eq!(answer.stderr, "1 book, 3 verses, 9 words\n");
    assert_eq!(room.read("refs"), "RUT 1:1\nRUT 1:2-3\nRUT 1:5\n");
    let answer = room.run("bible text t.usfm --words -q").success();
    assert_eq!(answer.stdout, "A white house house\nA flower the sun\nMore\n");
}

/// Some pairs of the sample as books of ten verses a chapter.
fn books(room: &Room, pairs: usize) {
    let (source, target) = sample(pairs);
    for (side, text) in [("source", source), ("target", target)] {
        std::fs::create_dir(room.path(side)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (code, lines) in ["GEN", "MAT"].into_iter().zip(lines.chunks(pairs / 2)) {
            let mut book = format!("\\id {code}\n");
            for (number, line) in lines.iter().enumerate() {
                if number % 10 == 0 {
                    book += &format!("\\c {}\n\\p\n", number / 10 + 1);
                }
                book += &format!("\\v {} {line}\n", number % 10 + 1);
            }
            room.write(&format!("{side}/{code}.usfm"), book);
        }
    }
}

#[test]
fn folders_are_aligned_as_a_whole() {
    let room = Room::new();
    books(&room, 60);
    room.run("bible align source target -o aligned -q").success();
    let links = room.run("bible align source target --format links --texts s t -q --threads 3").success().stdout;
    // The same as of the words as texts.
    assert_eq!(room.run("align s t -q").success().stdout, links);
    assert_eq!(room.run("bible links aligned --source source -q").success().stdout, links);
    assert!(links.split_whitespace().count() > 300, "{links}");
    for book in ["GEN.usfm", "MAT.usfm"] {
        assert!(room.read(&format!("aligned/{book}")).contains("\\zaln-s"), "{book}");
    }
    room.run("train s t -m model -q").success();
    let answer = room.run("bible align source target --format links -m model -q").success();
    assert_eq!(answer.stdout, room.run("align s t -m model -q").success().stdout);
    let added = room.run("bible align source target --format links --add s t -q").success().stdout;
    assert_eq!(added, room.run("align s t --add s t -q").success().stdout);
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let room = room();
    room.write("plain.txt", "A house.\n");
    room.write("refs", "RUT 1:1\n");
    room.write("twice", "RUT 1:1\nRUT 1:1\n");
    room.write("two.txt", "a\nb\n");
    room.write("range.txt", "<range>\n");
    room.write("wrong", "Ruth 1\n");
    room.write("open.usfm", "\\id RUT\n\\c 1\n\\v 1 a \\f + b\n");
    room.write("other.usfm", "\\id MAT\n\\c 1\n\\v 1 a\n");
    room.write("far", "0-9\n\n");
    room.write("few", "0-0\n");
    room.write("bad.json", "{\"records\":[{\"source\":[\"x\"],\"target\":[]}]}");
    room.write("gone.json", "{\"records\":[{\"source\":[\"08001009001\"],\"target\":[]}]}");
    let named = "\\id RUT\n\\c 1\n\\v 1 \\zaln-s |x-content=\"domus\"\\*house\\zaln-e\\*\n";
    room.write("named.usfm", named);
    std::fs::create_dir(room.path("empty")).unwrap();
    std::fs::create_dir(room.path("books")).unwrap();
    for (name, text) in [("books/a.usfm", TARGET), ("books/b.sfm", TARGET)] {
        room.write(name, text);
    }
    std::fs::create_dir(room.path("one")).unwrap();
    room.write("one/t.usfm", TARGET);
    let before = room.names();
    let cases = [
        ("align s.usfm plain.txt -o out", "plain.txt:1:1: expected `\\id` and the code of a book"),
        ("align s.usfm plain.txt -o out", "give its references: --references FILE"),
        ("align s.usfm plain.txt --references refs -o out", "milestones need a target in USFM"),
        ("align s.usfm two.txt --references twice -f links -o out", "twice:2:1: expected another verse than in line 1"),
        ("align s.usfm two.txt --references refs -f links -o out", "two.txt has 2 lines, refs has 1"),
        (
            "align s.usfm range.txt --references refs -f links -o out",
            "range.txt:1:1: expected a verse above that RUT 1:1",
        ),
        (
            "align s.usfm plain.txt --references wrong -f links -o out",
            "wrong:1:1: expected a reference such as `MAT 1:3`",
        ),
        ("align s.usfm open.usfm -o out", "open.usfm:3:8: expected a `\\f*` that ends `\\f`"),
        ("align s.usfm other.usfm -o out", "s.usfm and other.usfm have no verse in common"),
        ("align s.usfm t.usfm --links far -o out", "link 0-9 is out of range"),
        ("align s.usfm t.usfm --links few -o out", "pairs of verses has 2 lines, few has 1"),
        ("align s.usfm empty -o out", "no files of USFM in this folder"),
        ("align s.usfm books -o out", "the book RUT is in"),
        ("align s.usfm one --links links", "need a folder to be written to: -o FOLDER"),
        ("align s.usfm one --links links -o links", "would overwrite the input"),
        ("align s.usfm one --links links -o refs", "need a folder to be written to"),
        ("align s.usfm one --links links -o one", "would overwrite the input"),
        ("align s.usfm t.usfm --links links -o t.usfm", "would overwrite the input"),
        ("align s.usfm t.usfm --links links -o out --texts a a", "are the same file"),
        ("align s.usfm one --links links -o out --verses no/where", "no/where"),
        ("links t.usfm --source s.usfm --records bad.json -o out", "bad.json:1:"),
        ("links t.usfm --source s.usfm --records gone.json -o out", "gone.json: no word 08001009001 in s.usfm"),
        ("links t.usfm --records bad.json -o out", "--source <SOURCE>"),
        ("links named.usfm --source s.usfm -o out", "named.usfm:3:1: expected a word of the source verse"),
        ("text open.usfm -o out", "open.usfm:3:8: expected a `\\f*`"),
    ];
    for (words, message) in cases {
        let error = room.error(&format!("bible {words}"));
        assert!(error.contains(message), "{words}: {error}");
        assert_eq!(room.names(), before, "{words}");
    }
}
