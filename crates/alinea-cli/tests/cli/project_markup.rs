//! `alinea project markup`.

use crate::support::Room;

fn room() -> Room {
    let files = [
        ("en", "Click <b>Save &amp; close</b>.\n<x/>Yes <i>of</i> sir\n"),
        ("de", "Auf Sichern & schließen klicken.\nJa Herr\n"),
        ("links", "0-4:0.9 1-1:0.9 2-2:0.9 3-3:0.9 4-5:0.9\n0-0:0.9 2-1:0.9\n"),
    ];
    Room::with_files(&files)
}

#[test]
fn tags_go_over_links() {
    let room = room();
    let answer = room.run("project markup en de --links links --report report --write-words we wd").success();
    assert_eq!(answer.stdout, "Auf <b>Sichern &amp; schließen</b> klicken.\n<x/>Ja <i></i>Herr\n");
    let summary = "segments   2, 2 of them with tags\npairs      2\nalone      1\nunplaced   1: 1 unlinked\n";
    assert_eq!(answer.stderr, summary);
    assert_eq!(room.read("we"), "Click Save & close .\nYes of sir\n");
    assert_eq!(room.read("wd"), "Auf Sichern & schließen klicken .\nJa Herr\n");
    let report: Vec<serde_json::Value> =
        room.read("report").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(report.len(), 3);
    assert_eq!((&report[0]["open"], &report[0]["close"]), (&"<b>".into(), &"</b>".into()));
    assert_eq!((&report[0]["source"], &report[0]["target"]), (&serde_json::json!([1, 4]), &serde_json::json!([1, 4])));
    assert_eq!((&report[2]["lost"], &report[1]["lost"]), (&"unlinked".into(), &serde_json::Value::Null));
    for (unplaced, line) in [("start", "<i></i><x/>Ja Herr"), ("end", "<x/>Ja Herr<i></i>"), ("drop", "<x/>Ja Herr")] {
        let answer = room.run(&format!("project markup en de --links links --unplaced {unplaced}")).success();
        assert_eq!(answer.stdout.lines().nth(1), Some(line));
    }
}

#[test]
fn translations_may_be_escaped_and_placeholders_are_tags() {
    let room = room();
    std::fs::write(room.path("escaped"), "Auf Sichern &amp; schließen klicken.\nJa Herr\n").unwrap();
    let plain = room.run("project markup en de --links links").success().stdout;
    assert_eq!(room.run("project markup en escaped --links links --escaped").success().stdout, plain);
    std::fs::write(room.path("codes"), "Hello {0}!\n").unwrap();
    std::fs::write(room.path("hallo"), "Hallo!\n").unwrap();
    std::fs::write(room.path("one"), "0-0 1-1\n").unwrap();
    let words = ["project", "markup", "codes", "hallo", "--links", "one", "--syntax", "plain", "--placeholder"];
    let answer = room.run(&[&words[..], &[r"\{\d\}"]].concat().join(" ")).success();
    assert_eq!(answer.stdout, "Hallo{0}!\n");
}

#[test]
fn links_may_be_made_on_the_spot() {
    let room = Room::with_sample(60);
    let tagged: String =
        room.read("s").lines().map(|line| format!("<seg>{}</seg>\n", line.replace(['<', '&'], "+"))).collect();
    std::fs::write(room.path("tagged"), tagged).unwrap();
    let made = room.run("project markup tagged t --threads 1 --syntax html").success().stdout;
    assert_eq!(room.run("project markup tagged t --threads 3 --syntax html").success().stdout, made);
    assert!(made.lines().all(|line| line.starts_with("<seg>") && line.ends_with("</seg>")), "{made}");
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let room = room();
    std::fs::write(room.path("open"), "<b>x</b>\nab <b>x\n").unwrap();
    std::fs::write(room.path("tagged"), "Auf\nJa <i>Herr</i>\n").unwrap();
    std::fs::write(room.path("short"), "Auf\n").unwrap();
    std::fs::write(room.path("far"), "0-9\n\n").unwrap();
    let cases = [
        ("open de", "open:2:4: expected an element that is closed by `</b>`, found `<b>`"),
        ("en tagged", "tagged:2:4: expected a translation without tags, found `<i>`"),
        ("en short", "en has 2 sentences, short has 1"),
        ("en de --links far", "link 0-9 is out of range"),
        ("en de --placeholder (", "placeholder = (: must be a regular expression"),
    ];
    for (words, message) in cases {
        let error = room.error(&format!("project markup {words} -o out"));
        assert!(error.contains(message), "{words}: {error}");
        assert!(!room.path("out").exists());
    }
}
