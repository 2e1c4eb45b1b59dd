//! `--work-dir`: large arrays in files, the same results, and no file that stays.

use std::fmt::Write as _;
use std::fs;

#[cfg(target_os = "linux")]
use crate::support::Outcome;
use crate::support::Room;

/// So many pairs of lines that the table of word pairs takes megabytes: numbers, drawn by a congruence.
fn text() -> [String; 2] {
    let mut state = 1u64;
    let mut lines = || {
        (0..3000).fold(String::new(), |mut text, _| {
            for _ in 0..12 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let _ = write!(text, "{} ", (state >> 33) % 4000);
            }
            text + "\n"
        })
    };
    [lines(), lines()]
}

fn room() -> Room {
    let [source, target] = text();
    let room = Room::with(source, target);
    fs::create_dir(room.path("work")).unwrap();
    room
}

#[test]
fn gives_the_same_bytes_and_leaves_nothing() {
    let room = room();
    let words = "--iterations ibm1:1,hmm:1 --threads 2";
    let (without, with) = (room.align(words), room.align(&format!("{words} --work-dir work")));
    assert_eq!(without.len(), 3000);
    assert_eq!(without, with);
    room.run(&format!("train s t -q -m one {words}")).success();
    room.run(&format!("train s t -q -m other {words} --work-dir work")).success();
    assert_eq!(fs::read(room.path("one")).unwrap(), fs::read(room.path("other")).unwrap());
    assert_eq!(fs::read_dir(room.path("work")).unwrap().count(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn is_where_large_arrays_are() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let room = room();
    let words = "align s t -o out --progress json --iterations ibm1:1000,hmm:1 --work-dir work";
    let mut child = room.command(words).stderr(Stdio::piped()).spawn().unwrap();
    let mut events = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(events.any(|line| line.unwrap().contains(r#""task":"Model 1 2/1000""#)));
    let maps = fs::read_to_string(format!("/proc/{}/maps", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    // Lines such as `7f0000000000-7f0000800000 rw-s 00000000 08:01 1234   DIRECTORY/#1234 (deleted)`.
    let work = room.path("work").canonicalize().unwrap();
    let in_work = maps.lines().filter(|line| line.contains(work.to_str().unwrap()));
    let bytes = in_work.map(|line| {
        let (start, end) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
        let address = |hexadecimal| u64::from_str_radix(hexadecimal, 16).unwrap();
        address(end) - address(start)
    });
    // 3000 pairs of 144 cells, nearly all different pairs of words, 16 bytes each in the table alone.
    let bytes: u64 = bytes.sum();
    assert!(bytes > 6_000_000, "{bytes} bytes in files\n{maps}");
    assert_eq!(fs::read_dir(&work).unwrap().count(), 0, "none has a name");
}

#[test]
fn that_cannot_be_written_is_refused() {
    let room = room();
    room.run("align s t -q --work-dir none").refused("error: none: No such file or directory");
    // Windows does not tell a file in the place of a directory from nothing.
    let reason = if cfg!(windows) { "No such file or directory" } else { "Not a directory" };
    room.run("align s t -q --work-dir s").refused(&format!("error: s: {reason}"));
}

#[test]
#[cfg(target_os = "linux")]
fn that_is_full_is_an_error_and_leaves_nothing() {
    let room = room();
    // No file may have more than 2 MiB: so a file cannot be made, as on a full disk.
    let alinea = env!("CARGO_BIN_EXE_alinea");
    let script = format!("trap '' XFSZ; ulimit -f 2048; exec {alinea} align s t -q -o out --work-dir work");
    let mut shell = std::process::Command::new("bash");
    let outcome: Outcome = shell.args(["-c", &script]).current_dir(room.path("")).output().unwrap().into();
    outcome.refused("error: work: File too large\nhint: --work-dir needs enough disk space for all large arrays");
    assert_eq!(room.names(), "s t work");
}
