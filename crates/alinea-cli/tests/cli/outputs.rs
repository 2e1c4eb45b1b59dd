//! Outputs are complete or absent, and never destroy an input.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use crate::support::Room;

#[test]
fn an_output_that_is_an_input_is_refused() {
    let room = Room::with_sample(5);
    let before = room.read("s");
    room.run("align s t -o s").refused("error: s: --output would overwrite the input SOURCE");
    room.run("align s t -o ./t").refused("error: ./t: --output would overwrite the input TARGET");
    room.run("align s t -o x --scores s").refused("error: s: --scores would overwrite the input SOURCE");
    room.run("align --bitext s -o s").refused("error: s: --output would overwrite the input --bitext");
    room.run("align s t --gold g -o x --forward x").refused("error: x: --output and --forward are the same file");
    room.run("align s t --scores -")
        .refused("error: standard output cannot be written twice: --output and --scores are both `-`");
    room.run("align - -").refused("error: standard input cannot be read twice: SOURCE and TARGET are both `-`");
    assert_eq!(room.read("s"), before);
    assert_eq!(room.names(), "s t");
}

#[cfg(unix)]
#[test]
fn links_to_an_input_are_seen_through() {
    let room = Room::with_sample(5);
    std::os::unix::fs::symlink("s", room.path("link")).unwrap();
    room.run("align s t -o link").refused("error: link: --output would overwrite the input SOURCE");
    fs::hard_link(room.path("t"), room.path("hard")).unwrap();
    room.run("align s t -o hard").refused("error: hard: --output would overwrite the input TARGET");
}

#[test]
fn places_that_cannot_be_written_to_are_known_before_the_work() {
    let room = Room::with_sample(5);
    let message = "error: no/out: the directory no does not exist";
    room.run("align s t -o no/out").refused(message);
    // The text is not even opened.
    room.run("align missing t -o no/out").refused(message);
    room.run("align s t -o s/out").refused("error: s/out: not a directory");
    assert_eq!(room.names(), "s t");
}

#[cfg(unix)]
#[test]
fn a_forbidden_directory_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let room = Room::with_sample(5);
    fs::create_dir(room.path("locked")).unwrap();
    fs::set_permissions(room.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser is not stopped by permissions.
    if fs::write(room.path("locked/probe"), "").is_err() {
        room.run("align s t -o locked/out").refused("error: locked/out: permission denied");
    }
}

#[test]
fn an_error_leaves_what_was_there() {
    let room = Room::with("a\nb\n", "a\n");
    room.write("out", "before");
    assert_eq!(room.run("align s t -o out").code, Some(2));
    assert_eq!(room.read("out"), "before");
    assert_eq!(room.names(), "out s t");
}

#[test]
fn names_decide_about_compression() {
    let room = Room::with_sample(40);
    let expected = room.align("").join("\n") + "\n";
    room.run("align -q s t -o out.gz --scores scores.zst").success();
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(fs::File::open(room.path("out.gz")).unwrap()).read_to_string(&mut text).unwrap();
    assert_eq!(text, expected);
    let scores = zstd::decode_all(fs::File::open(room.path("scores.zst")).unwrap()).unwrap();
    assert_eq!(scores.split(|&byte| byte == b'\n').count(), 41);
    assert_eq!(room.names(), "out.gz s scores.zst t");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let room = Room::with_sample(420);
    let mut command = room.command("align -q s t --format jsonl --threads 2");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with(r#"{"source":["About","#), "{first}");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(0), String::new()));

    for words in ["align s t", "completions bash", "manual", "--help"] {
        let mut child = room.command(words).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{words}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let room = Room::with_sample(20);
    let refusal = "error: /dev/full: No space left on device";
    room.run("align -q s t -o /dev/full").refused(refusal);
    room.run("align -q s t -o links --scores /dev/full").refused(refusal);
    assert_eq!(room.names(), "s t", "the complete output has no name either");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = room.command("align -q s t").stdout(full).stderr(Stdio::piped()).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "error: <stdout>: No space left on device\n");
    assert_eq!(output.status.code(), Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn open_descriptors_are_written_through() {
    let room = Room::with_sample(20);
    let links = room.align("").join("\n") + "\n";
    let alinea = env!("CARGO_BIN_EXE_alinea");
    let sh = |script: &str| {
        let mut shell = std::process::Command::new("sh");
        assert!(shell.args(["-c", script]).current_dir(room.path("")).status().unwrap().success(), "{script}");
    };
    for (output, redirection) in [
        ("/dev/stdout", ">> log"),
        ("/dev/fd/1", ">> log"),
        ("/proc/self/fd/1", ">> log"),
        ("/dev/stderr", "2>> log"),
        ("/dev/fd/3", "3>> log"),
    ] {
        room.write("log", "before\n");
        sh(&format!("{alinea} align -q s t -o {output} {redirection}; echo after >> log"));
        assert_eq!(room.read("log"), format!("before\n{links}after\n"), "{output}");
        // The position in the file is shared as well.
        let redirection = redirection.replace(">>", ">");
        let number = redirection.split('>').next().unwrap();
        let number = if number.is_empty() { "1" } else { number };
        sh(&format!("{{ echo 0 >&{number}; {alinea} align -q s t -o {output}; echo 1 >&{number}; }} {redirection}"));
        assert_eq!(room.read("log"), format!("0\n{links}1\n"), "{output}");
    }
    let error = room.error("align s t -o - --scores /dev/stdout");
    assert_eq!(error, "error: /dev/stdout: --output and --scores are the same file\n");
    assert_eq!(room.names(), "log s t");
}

#[cfg(unix)]
#[test]
fn outputs_that_turn_out_to_be_one_are_refused() {
    let room = Room::with_sample(5);
    std::os::unix::fs::symlink("x", room.path("a")).unwrap();
    std::os::unix::fs::symlink("./x", room.path("b")).unwrap();
    room.run("align s t -o a --scores b").refused("error: b: --output and --scores are the same file");
    room.run("align s t -o x --scores b").refused("error: b: --output and --scores are the same file");
    assert_eq!(room.names(), "a b s t");
}

#[cfg(unix)]
#[test]
fn what_is_replaced_keeps_its_mode_and_its_other_names_are_reported() {
    use std::os::unix::fs::PermissionsExt as _;
    let room = Room::with_sample(5);
    room.write("out", "before");
    fs::set_permissions(room.path("out"), fs::Permissions::from_mode(0o664)).unwrap();
    room.run("align s t -q -o out").success();
    assert_eq!(fs::metadata(room.path("out")).unwrap().permissions().mode() & 0o777, 0o664);
    fs::hard_link(room.path("out"), room.path("hard")).unwrap();
    let told = room.run("align s t -o out").success().stderr;
    assert!(told.contains("out: its other names (hard links) keep the old content"), "{told}");
    fs::set_permissions(room.path("out"), fs::Permissions::from_mode(0o444)).unwrap();
    room.run("align s t -o out").refused("error: out: the file is read-only");
}

#[cfg(target_os = "linux")]
#[test]
fn outputs_take_their_names_when_all_are_complete() {
    let room = Room::with_sample(40);
    room.run("align -q s t -o links --posteriors p.gz").success();
    let size = fs::metadata(room.path("p.gz")).unwrap().len();
    for name in ["links", "p.gz"] {
        fs::remove_file(room.path(name)).unwrap();
    }
    // The last bytes of a compressed file come when it is ended.
    for limit in size - 12..size {
        let mut command = std::process::Command::new("prlimit");
        let words = ["align", "-q", "s", "t", "-o", "links", "--posteriors", "p.gz"];
        command.arg(format!("--fsize={limit}")).arg(env!("CARGO_BIN_EXE_alinea")).args(words);
        let Ok(output) = command.current_dir(room.path("")).output() else { return };
        assert_eq!((output.status.code(), room.names().as_str()), (Some(2), "s t"), "{limit}");
    }
}

#[test]
fn checkpoints_leave_the_files_of_others_alone() {
    let room = Room::with_sample(5);
    room.write("c.part", "mine");
    room.run("align s t -q -o out --checkpoint c").success();
    assert_eq!((room.names().as_str(), room.read("c.part").as_str()), ("c.part out s t", "mine"));
    #[cfg(unix)]
    room.run("align s t -q -o out --checkpoint /dev/null")
        .refused("error: /dev/null: a checkpoint must be a regular file");
}
