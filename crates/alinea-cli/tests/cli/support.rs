//! A directory to work in, and the command run in it.

use std::fs;
use std::io::Write as _;
use std::path::{MAIN_SEPARATOR_STR, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const SOURCE: &str = include_str!("../../sample/en-fr.en");
const TARGET: &str = include_str!("../../sample/en-fr.fr");

/// The first `n` pairs of the sample.
pub(crate) fn sample(n: usize) -> (String, String) {
    let first = |text: &str| text.split_inclusive('\n').take(n).collect();
    (first(SOURCE), first(TARGET))
}

/// A path as the command writes it where it adds to one: on Windows with backslashes.
pub(crate) fn native(path: &str) -> String {
    path.replace('/', MAIN_SEPARATOR_STR)
}

/// A directory of its own, in which the command runs.
pub(crate) struct Room(TempDir);

impl Room {
    /// Empty.
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With files `s` and `t`.
    pub(crate) fn with(source: impl AsRef<[u8]>, target: impl AsRef<[u8]>) -> Self {
        let room = Self::new();
        room.write("s", source);
        room.write("t", target);
        room
    }

    /// With the first `n` pairs of the sample as `s` and `t`.
    pub(crate) fn with_sample(n: usize) -> Self {
        let (source, target) = sample(n);
        Self::with(source, target)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, hidden ones among them, sorted and separated by blanks.
    pub(crate) fn names(&self) -> String {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names.join(" ")
    }

    /// The command with words separated by blanks.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_alinea"));
        command.args(words.split_whitespace()).current_dir(self.0.path());
        command.env_remove("NO_COLOR").stdin(Stdio::null());
        // Where temporary files are: on Unix, and on Windows.
        command.env("TMPDIR", self.0.path()).env("TMP", self.0.path());
        command
    }

    /// Runs the command with words separated by blanks.
    pub(crate) fn run(&self, words: &str) -> Outcome {
        self.command(words).output().unwrap().into()
    }

    /// The same with something on standard input.
    pub(crate) fn run_with(&self, words: &str, input: impl AsRef<[u8]>) -> Outcome {
        let mut command = self.command(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A command that refuses its arguments does not read.
        let _ = stdin.write_all(input.as_ref());
        drop(stdin);
        child.wait_with_output().unwrap().into()
    }

    /// Aligns `s` and `t` and gives the links, one line a pair.
    pub(crate) fn align(&self, options: &str) -> Vec<String> {
        self.run(&format!("align s t -q {options}")).success().lines()
    }
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Outcome {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Outcome {
    /// Checks that all went well.
    #[track_caller]
    pub(crate) fn success(self) -> Self {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self
    }

    /// Checks that it was refused with exactly this on standard error, and nothing on standard output.
    #[track_caller]
    pub(crate) fn refused(self, stderr: &str) {
        assert_eq!(self.stderr.trim_end(), stderr);
        assert_eq!(self.stdout, "");
        assert_eq!(self.code, Some(2));
    }

    /// Fails with this exit code, and returns what it said.
    #[track_caller]
    pub(crate) fn failure(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{}", self.stderr);
        self.stderr
    }

    /// The lines of standard output.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<String> {
        assert!(self.stdout.is_empty() || self.stdout.ends_with('\n'), "the last line is complete");
        self.stdout.lines().map(str::to_owned).collect()
    }
}
