//! Added text: more sentence pairs to train on, whose links are not written (`--add`, `--add-bitext`, `--weight`).
//!
//! Texts are read with the options of the main text and appended behind it, so the numbers of the main text's pairs do
//! not change. Each pair of an added text counts with a weight from 0.01 to 1, by default 0.3, which keeps a large text
//! of another domain from dominating. Weights are matched by position: first the texts of `--add`, then those of
//! `--add-bitext`. How weights enter the counts is in `alinea::bitext::Weights`.

use std::path::{Path, PathBuf};

use alinea::align::TrainingDataBuilder;
use alinea::bitext::Weights;
use alinea::error::Error;
use alinea::format::bitext::{self, BitextSource, ReadBitext, ReadOptions, ReadReport};
use alinea::parallel::Parallelism;
use clap::ArgAction;
use serde_json::{Value, json};

use crate::input::kind::Rare as _;
use crate::input::links::counted;

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Added text")]
pub(crate) struct AddedArgs {
    /// Additional training text, two files; its links are not written, and its pairs count less (0.3, see --weight);
    /// may be given several times
    #[arg(long = "add", value_names = ["SOURCE", "TARGET"], num_args = 2, action = ArgAction::Append)]
    files: Vec<PathBuf>,
    /// The same as one file: lines `source ||| target`, a table with --columns, TMX and so on, as --bitext
    #[arg(long = "add-bitext", value_name = "FILE", rare = true)]
    joint: Vec<PathBuf>,
    /// Weight of each pair of added text, from 0.01 to 1: one for all texts, or one for each, those of --add first
    /// [default: 0.3]
    ///
    /// The expected counts of each added pair are multiplied by it: the more the text differs from yours, the lower it
    /// should be; 1 for text of the same kind.
    #[arg(long = "weight", value_name = "W", rare = true)]
    weights: Vec<f32>,
}

/// A text that was added.
#[derive(Debug, Clone)]
pub(crate) struct AddedText {
    report: ReadReport,
    weight: f32,
}

impl AddedText {
    /// For people: how many pairs of what weight, and which of them teach nothing.
    pub(crate) fn summary(&self) -> String {
        let Self { report, weight } = self;
        let mut text = format!("{} of weight {weight}", counted(report.pairs, "pair"));
        let lines = counted(report.replaced_utf8, "line");
        for (number, what) in [
            (self.empty(), format!("{} with an empty side", self.empty())),
            (report.skipped_long.len() as u64, format!("{} too long", report.skipped_long.len())),
            (report.replaced_utf8, format!("{lines} with invalid UTF-8")),
        ] {
            if number > 0 {
                text.extend([", ", &what]);
            }
        }
        text
    }

    /// For programs.
    pub(crate) fn numbers(&self) -> Value {
        // Of single precision: the nearest number of few digits is meant.
        let weight = (f64::from(self.weight) * 1e6).round() / 1e6;
        let Self { report, .. } = self;
        json!({
            "pairs": report.pairs, "weight": weight, "empty": self.empty(), "skipped_long": report.skipped_long.len(),
            "replaced_utf8": report.replaced_utf8,
        })
    }

    fn empty(&self) -> u64 {
        let ReadReport { empty_source, empty_target, empty_both, .. } = self.report;
        empty_source + empty_target + empty_both
    }
}

impl AddedArgs {
    /// Refuses weights without text, too few or too many, or not allowed.
    pub(crate) fn check(&self) -> Result<(), Error> {
        self.weights().map(drop)
    }

    /// The weight of each text.
    fn weights(&self) -> Result<Vec<f32>, Error> {
        Weights::of_added(&self.weights, self.files.len() / 2 + self.joint.len())
    }

    /// Whether there are texts of one file.
    pub(crate) fn has_joint(&self) -> bool {
        !self.joint.is_empty()
    }

    /// The files, with the options that name them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = self.files.iter().map(|path| ("--add", path.as_path()));
        files.chain(self.joint.iter().map(|path| ("--add-bitext", path.as_path())))
    }

    /// Reads the texts and puts them behind the one that is to be aligned.
    ///
    /// # Errors
    /// Those of reading.
    pub(crate) fn read(
        &self,
        one_file: impl Fn(&Path) -> BitextSource,
        options: &ReadOptions,
        parallelism: &Parallelism,
        mut data: TrainingDataBuilder,
    ) -> Result<(TrainingDataBuilder, Vec<AddedText>), Error> {
        let options = options.clone().with(|c| c.keep_text = false);
        let files = self.files.chunks_exact(2);
        let files = files.map(|pair| BitextSource::Files { source: pair[0].clone(), target: pair[1].clone() });
        let joint = self.joint.iter().map(|path| one_file(path));
        let mut added = Vec::new();
        for (source, weight) in files.chain(joint).zip(self.weights()?) {
            let ReadBitext { bitext, report, .. } = bitext::read(&source, &options, parallelism)?;
            added.push(AddedText { report, weight });
            data = data.with_added(&bitext, weight);
        }
        Ok((data, added))
    }
}
