//! Signals at any time: exit code 128 and their number, and no file that is not complete; what was ignored stays so. In
//! their place Windows has events of the console.

use std::process::{Child, Stdio};

use self::system::{SIGNALS, alone, hear_ignored_signals, send};
use crate::support::Room;

#[cfg(unix)]
mod system {
    use std::process::{Child, Command};
    use std::sync::Arc;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    pub(super) const SIGNALS: &[&str] = &["INT", "TERM", "HUP"];

    /// Whoever runs the tests under `nohup`, or in the background of a script, has them ignore signals, and so would
    /// every command they start. What a process handles instead is at its default in its children.
    pub(super) fn hear_ignored_signals() {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).map_or("0", str::trim);
        let ignored = u64::from_str_radix(mask, 16).unwrap();
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            if ignored >> (signal - 1) & 1 == 1 {
                signal_hook::flag::register(signal, Arc::default()).unwrap();
            }
        }
    }

    /// A signal is for one process anyway.
    pub(super) fn alone(command: &mut Command) -> &mut Command {
        command
    }

    pub(super) fn send(child: &Child, signal: &str) {
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

#[cfg(windows)]
mod system {
    use std::os::windows::process::CommandExt as _;
    use std::process::{Child, Command};

    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};

    /// Ctrl-Break, which means the same as Ctrl-C: no other event can be sent to a group of processes.
    pub(super) const SIGNALS: &[&str] = &["INT"];

    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

    /// Groups do not inherit that events are ignored.
    pub(super) fn hear_ignored_signals() {}

    /// Has a process be a group of its own.
    pub(super) fn alone(command: &mut Command) -> &mut Command {
        command.creation_flags(CREATE_NEW_PROCESS_GROUP)
    }

    #[expect(unsafe_code, reason = "a call of the system")]
    pub(super) fn send(child: &Child, _: &str) {
        // SAFETY: All that the call is given is numbers.
        let sent = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, child.id()) };
        assert!(sent != 0, "{}", std::io::Error::last_os_error());
    }
}

/// Reads events until one tells that a task has begun.
fn wait_for(child: &mut Child, task: &str) {
    use std::io::{BufRead as _, BufReader};
    let events = BufReader::new(child.stderr.take().unwrap());
    let begun = format!(r#""task":"{task}""#);
    assert!(events.lines().any(|line| line.unwrap().contains(&begun)), "{task} never began");
}

fn interrupt(child: &mut Child, signal: &str) {
    send(child, signal);
    let number = match signal {
        "HUP" => 1,
        "INT" => 2,
        _ => 15,
    };
    assert_eq!(child.wait().unwrap().code(), Some(128 + number));
}

/// The command, started by a shell that ignores a signal.
#[cfg(unix)]
fn ignoring(room: &Room, signal: &str, words: &str) -> std::process::Command {
    let mut shell = std::process::Command::new("sh");
    let script = format!("trap '' {signal}; exec {} {words}", env!("CARGO_BIN_EXE_alinea"));
    shell.args(["-c", &script]).current_dir(room.path(""));
    shell
}

#[test]
fn while_training() {
    hear_ignored_signals();
    let room = Room::with_sample(420);
    for signal in SIGNALS {
        let words = "align s t -o out --scores scores --progress json --iterations ibm1:1000,hmm:1000";
        let mut child = alone(&mut room.command(words)).stderr(Stdio::piped()).spawn().unwrap();
        wait_for(&mut child, "Model 1 3/1000");
        assert!(room.names().starts_with(".out."), "{}", room.names());
        interrupt(&mut child, signal);
        assert_eq!(room.names(), "s t");
    }
}

#[test]
fn while_waiting_on_standard_input() {
    hear_ignored_signals();
    let room = Room::with_sample(5);
    room.write("out", "before");
    let words = "align --bitext - -o out --progress json";
    let mut child = alone(&mut room.command(words)).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Waiting for a child closes its standard input, and that would end the text.
    let stdin = child.stdin.take();
    wait_for(&mut child, "reading");
    assert!(room.names().starts_with(".out."), "{}", room.names());
    interrupt(&mut child, "INT");
    drop(stdin);
    assert_eq!((room.names(), room.read("out")), ("out s t".to_owned(), "before".to_owned()));
}

#[test]
fn while_samples_are_drawn() {
    hear_ignored_signals();
    let room = Room::new();
    let scores = |share: usize| -> String {
        let line = |(system, segment): (usize, usize)| {
            format!("s{system}\t{segment}\t{}\n", system * share + segment * 7919 % 101)
        };
        (0..5).flat_map(|system| (0..500).map(move |segment| (system, segment))).map(line).collect()
    };
    room.write("human", scores(9));
    room.write("metric", scores(5));
    let words = "correlate metric --human human --samples 100000000 --progress json";
    let mut child = alone(&mut room.command(words)).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    wait_for(&mut child, "bootstrap");
    interrupt(&mut child, "INT");
}

#[cfg(unix)]
#[test]
fn ignored_signals_stay_ignored() {
    use std::io::Write as _;
    let room = Room::with_sample(5);
    for signal in ["HUP", "INT", "TERM"] {
        let mut command = ignoring(&room, signal, "align --bitext - -o out --progress json");
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        wait_for(&mut child, "reading");
        send(&child, signal);
        stdin.write_all(b"a b ||| c d\na ||| c\n").unwrap();
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert!(room.path("out").exists());
        std::fs::remove_file(room.path("out")).unwrap();
    }
}

/// By the locks of those that are alive.
#[cfg(unix)]
#[test]
fn what_a_killed_run_leaves_the_next_one_removes() {
    use std::io::Write as _;
    let room = Room::with_sample(5);
    let waiting = || {
        let mut command = room.command("align --bitext - -o out --progress json");
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        wait_for(&mut child, "reading");
        (child, stdin)
    };
    let (mut killed, stdin) = waiting();
    send(&killed, "KILL");
    killed.wait().unwrap();
    drop(stdin);
    assert!(room.names().starts_with(".out."), "{}", room.names());
    // The next one is still at work when the one after it comes.
    let (mut second, mut stdin) = waiting();
    assert_eq!(room.names().split(' ').count(), 3, "{}", room.names());
    room.run("align s t -q -o out").success();
    stdin.write_all(b"a b ||| c d\n").unwrap();
    drop(stdin);
    assert_eq!(second.wait().unwrap().code(), Some(0));
    assert_eq!(room.names(), "out s t");
    assert_eq!(room.read("out").lines().count(), 1);
}
