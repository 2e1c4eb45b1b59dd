//! Word vectors of the text of a project, made while people work already.

use std::fmt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::desk::Desk;
use crate::align::{PairEncoder, TrainingData};
use crate::error::Result;
use crate::parallel::{Parallelism, Work};
use crate::progress::Observer;
use crate::word_vectors::WordVectors;

type Encode = dyn Fn([&[String]; 2], Option<&Path>, Work<'_>) -> Result<[WordVectors; 2]> + Send;

/// What makes vectors of the words of lines.
pub(super) struct LineEncoder(Box<Encode>);

impl fmt::Debug for LineEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LineEncoder")
    }
}

impl LineEncoder {
    pub(super) fn new(
        encode: impl Fn([&[String]; 2], Option<&Path>, Work<'_>) -> Result<[WordVectors; 2]> + Send + 'static,
    ) -> Self {
        Self(Box::new(encode))
    }

    /// The vectors of the text of a project. All pages are told how far it is.
    ///
    /// # Errors
    /// Those of the encoder; `Cancelled` when the desk is closed.
    pub(super) fn encode(&self, desk: &Desk, data: &TrainingData, threads: usize) -> Result<[WordVectors; 2]> {
        // Trainings have threads of their own, so that nobody waits for the encoder.
        let parallelism = Parallelism::new(threads)?;
        let (lines, path) = {
            let project = desk.project();
            (project.lines(), project.vectors_path())
        };
        let told = Told { desk, progress: Mutex::default() };
        let encode = |numbers: &[usize], work: Work<'_>| {
            let [source, target] =
                [0, 1].map(|side: usize| -> Vec<String> { numbers.iter().map(|&n| lines[side][n].clone()).collect() });
            (self.0)([&source, &target], Some(&path), work)
        };
        PairEncoder::new(None, encode).encode(data, Work { parallelism: &parallelism, observer: &told })
    }
}

/// Tells pages how far it is.
struct Told<'d> {
    desk: &'d Desk,
    progress: Mutex<Progress>,
}

/// Sentences of the side that is being encoded.
#[derive(Debug, Default)]
struct Progress {
    sides_begun: u64,
    done: u64,
    all: u64,
}

impl Progress {
    /// Of both sides together.
    fn percent(&self) -> u8 {
        let of_side = (50 * self.done).checked_div(self.all).unwrap_or(0).min(50);
        (50 * self.sides_begun.saturating_sub(1).min(1) + of_side) as u8
    }
}

impl Told<'_> {
    fn change(&self, change: impl FnOnce(&mut Progress)) {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut progress);
        let percent = Some(progress.percent());
        if self.desk.now().encoding != percent {
            self.desk.set_now(|now| now.encoding = percent);
        }
    }
}

impl Observer for Told<'_> {
    fn started(&self, _: &str, units: u64) {
        self.change(|progress| *progress = Progress { sides_begun: progress.sides_begun + 1, done: 0, all: units });
    }

    fn advance(&self, units: u64) {
        self.change(|progress| progress.done += units);
    }

    fn cancelled(&self) -> bool {
        self.desk.is_closed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_is_half_of_the_work() {
        let percent = |sides_begun, done, all| Progress { sides_begun, done, all }.percent();
        assert_eq!([percent(0, 0, 0), percent(1, 0, 10), percent(1, 5, 10), percent(1, 10, 10)], [0, 0, 25, 50]);
        assert_eq!([percent(2, 0, 3), percent(2, 1, 3), percent(2, 3, 3), percent(2, 0, 0)], [50, 66, 100, 50]);
    }
}
