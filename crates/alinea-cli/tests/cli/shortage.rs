//! Where memory, threads, or room on the disk run out: a message, exit code 2, and nothing that is half there.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use crate::support::{Outcome, Room};

/// Pairs of random words, so many that their tables are large.
fn with_many_words() -> Room {
    let mut state = 1u64;
    let mut text = |pairs: usize| -> String {
        let mut line = || {
            let words = (0..10).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                format!("w{}", (state >> 33) % 8000)
            });
            words.collect::<Vec<_>>().join(" ") + "\n"
        };
        (0..pairs).map(|_| line()).collect()
    };
    let (source, target) = (text(4000), text(4000));
    Room::with(source, target)
}

/// Runs the command under limits of the shell (`ulimit`).
fn limited(room: &Room, limits: &str, words: &str) -> Outcome {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limits} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_alinea")]);
    command.args(words.split_whitespace()).current_dir(room.path("")).env("TMPDIR", room.path(""));
    command.output().unwrap().into()
}

/// Address space in kB: some where nearly nothing fits, some where training has begun.
#[test]
fn too_little_memory_is_reported() {
    let room = with_many_words();
    room.write("out", "old");
    let words = "align s t -o out --scores scores --threads 1 -q";
    let mut refused = 0;
    for limit in (46_000..98_000).step_by(6_000) {
        let outcome = limited(&room, &format!("-v {limit}"), words);
        if outcome.code == Some(0) {
            break;
        }
        let told = outcome.failure(2);
        let lines: Vec<&str> = told.lines().collect();
        assert_eq!(lines.len(), 2, "{limit}: {told}");
        assert!(lines[0].starts_with("error: not enough memory: cannot allocate another "), "{limit}: {told}");
        assert!(
            lines[1].starts_with("hint: --work-dir DIR keeps large arrays in memory-mapped files"),
            "{limit}: {told}"
        );
        assert_eq!((room.names().as_str(), room.read("out").as_str()), ("out s t", "old"), "{limit}");
        refused += 1;
    }
    assert!(refused >= 2, "{refused}");
}

/// With stacks of 200 MB the sixth or so does not fit, where there is room for everything else; with small ones it could be
/// anything that gets the last memory, also what only the system asks for.
#[test]
fn threads_that_cannot_be_started_are_reported() {
    let room = Room::with_sample(20);
    room.write("out", "old");
    for words in ["align s t -o out -q --threads 200", "train s t -m out -q --threads 200"] {
        let said = limited(&room, "-v 1200000 && export RUST_MIN_STACK=200000000", words).failure(2);
        let expected = "error: cannot start 200 threads: Resource temporarily unavailable\n\
                        hint: fewer threads need less memory: --threads 1\n";
        assert_eq!(said, expected);
        assert_eq!((room.names().as_str(), room.read("out").as_str()), ("out s t", "old"));
    }
}

/// Files that may not grow beyond some blocks of 512 bytes stand for a full disk, which needs rights to make.
#[test]
fn files_that_cannot_grow_leave_what_was_there() {
    let room = with_many_words();
    room.run("align s t -o links -q").success();
    let grown = |limit: u32, words: &str, name: &str| {
        let before = room.names();
        let told = limited(&room, &format!("-f {limit}"), words).failure(2);
        assert_eq!(told, format!("error: {name}: File too large\n"), "{words}");
        assert_eq!(room.names(), before, "{words}");
    };
    room.write("out", "old");
    for (words, name) in [
        ("align s t -o out -q", "out"),
        ("align s t -o more.zst --scores out -q", "more.zst"),
        ("train s t -m out -q", "out"),
        ("convert links -o out --from pharaoh --to jsonl -q", "out"),
        ("reorder oracle links --source s -o out -q", "out"),
        ("phrases s t links -o out -q", "out"),
        ("reorder train --links links --source s --engine linear -m out -q", "out"),
    ] {
        grown(16, words, name);
        assert_eq!(room.read("out"), "old", "{words}");
    }
    grown(16, "reorder pack links --source s --stem g -q", "g.conll");
    grown(16, "train s t -m model --checkpoint c -q", "c");
}

/// A run that cannot write its outputs keeps its checkpoint: whoever has it goes on from there.
#[test]
fn checkpoints_outlive_outputs_that_fail() {
    let room = Room::with_sample(20);
    let told = room.run("train s t -m /dev/full --checkpoint c -q").failure(2);
    assert_eq!(told, "error: /dev/full: No space left on device\n");
    assert_eq!(room.names(), "c s t");
    let first = fs::read(room.path("c")).unwrap();
    room.run("train s t -m model --checkpoint c -q").success();
    assert_eq!(room.names(), "model s t");
    room.run("train s t -m other -q").success();
    assert_eq!(fs::read(room.path("model")).unwrap(), fs::read(room.path("other")).unwrap());
    assert!(!first.is_empty());
}
