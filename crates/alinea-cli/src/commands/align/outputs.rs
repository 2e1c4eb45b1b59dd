//! The output files of `align`: links, best paths of both directions, posteriors and scores.
//!
//! `OutputPaths` has the options, `Kind` is an index of the outputs. All files are opened before any work, so that a
//! path that cannot be written is an error at once; `decode` and `flow` then append the lines of a chunk of pairs to
//! all of them; `finish` puts all files in place together, or none (`alinea::format::sink`). `encode` makes the lines.
//!
//! Every output has one line for each sentence pair of the text, in order, whatever was skipped or empty.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use alinea::decision::LinkKind;
use alinea::error::{Error, Result};
use alinea::format::sink::{self, Output};
use clap::ValueEnum;

use crate::input::kind::Rare as _;

/// Where it is written.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputPaths {
    /// Output file for links (- for standard output); .gz and .zst are compressed
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Output format: pharaoh, `0-0 1-2` per pair; jsonl, an object per pair with words, links and weights
    #[arg(short, long, value_name = "FORMAT", value_enum, default_value_t = FormatName::Pharaoh)]
    pub(super) format: FormatName,
    /// Output file for the best path of p(target | source): each target word has at most one link
    #[arg(long, value_name = "FILE")]
    forward: Option<PathBuf>,
    /// Output file for the best path of p(source | target), written source-target: each source word has at most one
    /// link
    #[arg(long, value_name = "FILE")]
    reverse: Option<PathBuf>,
    /// Output file for all links with a confidence of at least 0.01, as `0-0:0.9731`: with agreement-loo and quality the
    /// probability of a sure link, else the mean posterior of both directions
    #[arg(long, value_name = "FILE")]
    posteriors: Option<PathBuf>,
    /// Write confidences as probabilities that an annotator would make the link sure, which they are by default, or that they
    /// would make it at all, sure or possible; links and thresholds do not change
    #[arg(long, value_name = "KIND", rare = true)]
    pub(super) calibrated: Option<LinkKind>,
    /// Output file for scores, two columns per pair: ln P(target | source) / target words, and ln P(source | target) /
    /// source words; lower for sentences that are not translations. With agreement-loo and quality, scores of training
    /// text and of new text (-m) are comparable
    #[arg(long, value_name = "FILE")]
    scores: Option<PathBuf>,
}

/// The formats of links.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatName {
    /// `0-0 1-2` per line
    Pharaoh,
    /// One object per line
    Jsonl,
}

/// The kinds of output, in the order they are opened and finished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Links,
    Forward,
    Reverse,
    Posteriors,
    Scores,
}

impl Kind {
    /// All of them.
    pub(super) const ALL: [Self; 5] = [Self::Links, Self::Forward, Self::Reverse, Self::Posteriors, Self::Scores];

    const fn option(self) -> &'static str {
        match self {
            Self::Links => "--output",
            Self::Forward => "--forward",
            Self::Reverse => "--reverse",
            Self::Posteriors => "--posteriors",
            Self::Scores => "--scores",
        }
    }
}

impl OutputPaths {
    /// Where a kind of output goes, if it is wanted.
    pub(super) fn of(&self, kind: Kind) -> Option<&Path> {
        match kind {
            Kind::Links => Some(&self.output),
            Kind::Forward => self.forward.as_deref(),
            Kind::Reverse => self.reverse.as_deref(),
            Kind::Posteriors => self.posteriors.as_deref(),
            Kind::Scores => self.scores.as_deref(),
        }
    }

    /// The outputs that are wanted, with the options that name them.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        Kind::ALL.into_iter().filter_map(|kind| Some((kind.option(), self.of(kind)?)))
    }
}

/// Lines of each kind of output, for some pairs. Kinds that are not wanted stay empty.
pub(super) type Lines = [Vec<u8>; Kind::ALL.len()];

/// The opened outputs.
#[derive(Debug)]
pub(super) struct Outputs([Option<Output>; Kind::ALL.len()]);

impl Outputs {
    /// Opens what is wanted, so that a place that cannot be written to is known before work begins.
    pub(super) fn create(paths: &OutputPaths) -> Result<Self> {
        let mut outputs = Kind::ALL.map(|_| None);
        for kind in Kind::ALL {
            outputs[kind as usize] = paths.of(kind).map(sink::create).transpose()?;
        }
        Ok(Self(outputs))
    }

    /// Appends lines to each.
    pub(super) fn write(&mut self, lines: &Lines) -> Result<()> {
        for (output, lines) in self.0.iter_mut().zip(lines) {
            if let Some(output) = output {
                output.write_bytes(lines)?;
            }
        }
        Ok(())
    }

    /// Hands on what is buffered.
    pub(super) fn flush(&mut self) -> Result<()> {
        for output in self.0.iter_mut().flatten() {
            output.flush().map_err(|error| Error::io(output.name(), error))?;
        }
        Ok(())
    }

    /// Completes all or none.
    pub(super) fn finish(self) -> Result<()> {
        sink::finish_all(self.0.into_iter().flatten())
    }
}
