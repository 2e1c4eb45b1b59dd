//! What people see in a terminal: text that would be obeyed is named; files and pipes get it as it is.

#![cfg(target_os = "linux")]

use std::process::Command;

use crate::support::Room;

/// Runs the command in a terminal, and what is seen there, line by line.
fn seen(room: &Room, words: &str) -> Vec<String> {
    let alinea = env!("CARGO_BIN_EXE_alinea");
    let mut command = Command::new("script");
    command.args(["-q", "-e", "-c", &format!("'{alinea}' {words}"), "/dev/null"]);
    let output = command.current_dir(room.path("")).env("TERM", "xterm").output().expect("script of util-linux");
    // Terminals end lines at CR LF.
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end_matches('\r').to_owned()).collect()
}

#[test]
fn tokens_cannot_command_the_terminal() {
    let evil = "\u{1b}]0;owned\u{7} \u{202e}neddih \u{9b}2J ok\n".repeat(4);
    let room = Room::with(&evil, &evil);
    room.write("links", "0-0 1-1 2-2 3-3\n".repeat(4));
    room.write("bad", "0-0 \u{1b}[2J\n");
    for words in [
        "lexicon s t links -q",
        "classes s -n 2 --show -q",
        "classes s -n 2 -q",
        "phrases s t links -q",
        "view s t links",
        "view s t links --color never",
        "view s t links --format interlinear --color always",
        "view s t links --format dot",
        "convert links bad",
        "lexicon s t links -q -o /dev/tty",
        "lexicon s t links -q -o /dev/fd/2",
        "phrases s t links -q -o /dev/stdout",
        "view s t links -o /dev/tty",
    ] {
        let lines = seen(&room, words);
        // Colors are ours, and bars that are drawn and cleared.
        let text = lines.join("\n");
        for dangerous in ["\u{1b}]", "\u{7}", "\u{202e}", "\u{9b}", "\u{1b}[2J\n"] {
            assert!(!text.contains(dangerous), "{words}: {text:?}");
        }
    }
    for place in ["-", "/dev/stdout", "/dev/tty", "/dev/fd/2"] {
        let lines = seen(&room, &format!("lexicon s t links -q -o {place}"));
        assert!(lines.iter().any(|line| line.contains("\\u{1b}]0;owned\\u{7}")), "{place}: {lines:?}");
    }
    let piped = room.run("lexicon s t links -q").success();
    assert!(piped.stdout.contains("\u{1b}]0;owned\u{7}"), "{}", piped.stdout);
    room.run("lexicon s t links -q -o out").success();
    assert_eq!(room.read("out"), piped.stdout);
}

/// The references are missing, so that nothing is waited for.
#[test]
fn input_from_the_terminal_is_told() {
    let room = Room::with_sample(3);
    let note = "note: reading translations from the terminal; -i FILE reads a file\n";
    let text = seen(&room, "metric missing").join("\n");
    assert!(text.contains(note), "{text}");
    for words in ["metric missing -i s", "metric missing --quiet"] {
        let text = seen(&room, words).join("\n");
        assert!(text.contains("missing: ") && !text.contains("note: "), "{words}: {text}");
    }
}

#[test]
fn one_bar_is_for_all_passes() {
    let room = Room::with_sample(60);
    let text = seen(&room, "align s t -o out").join("\n");
    assert!(text.contains("step 1/10"), "{text}");
    // No pass has a bar of its own.
    assert!(!text.contains("60/60"), "{text}");
    assert!(text.contains("links      "), "{text}");
    let text = seen(&room, "align s t -o out -q").join("\n");
    assert!(!text.contains("step"), "{text}");
}
