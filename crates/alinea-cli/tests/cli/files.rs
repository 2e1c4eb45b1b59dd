//! Rooms with small files, and what a run in them says.

use std::io::Read;
use std::process::Stdio;

use crate::support::{Outcome, Room};

impl Room {
    /// With these files.
    pub(crate) fn with_files(files: &[(&str, &str)]) -> Self {
        let room = Self::new();
        for (name, text) in files {
            room.write(name, text);
        }
        room
    }

    /// What the command writes to standard output; it must end well.
    #[track_caller]
    pub(crate) fn stdout(&self, words: &str) -> String {
        self.run(words).success().stdout
    }

    /// What the command writes to standard error; it must end with an error and write nothing to standard output.
    #[track_caller]
    pub(crate) fn error(&self, words: &str) -> String {
        let Outcome { code, stdout, stderr } = self.run(words);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{words}: {stderr}");
        stderr
    }

    /// Runs the command, reads a little of its output and closes the pipe.
    pub(crate) fn run_and_leave(&self, words: &str) -> Outcome {
        let mut command = self.command(words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 4]).unwrap();
        drop(stdout);
        child.wait_with_output().unwrap().into()
    }
}
