//! `convert --weights`: the weights of links that stand in a file of their own, as awesome-align writes probabilities.
//!
//! A line has a number for each link of the same line of the links, in their order. Links that the reader leaves out, those of the empty word,
//! have none.

use std::path::Path;

use alinea::error::{Error, ErrorKind};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::Input;

use crate::input::links::{LinkReader, counted};

/// Reads weights beside links.
#[derive(Debug)]
pub(super) struct WeightLines {
    lines: LineReader<Input>,
    threshold: Option<f32>,
    below_threshold: u64,
}

impl WeightLines {
    /// Opens a file; links with weights below the threshold will be left out.
    pub(super) fn open(path: &Path, threshold: Option<f32>) -> anyhow::Result<Self> {
        if threshold.is_some_and(f32::is_nan) {
            return Err(Error::config("threshold", f32::NAN, "a number").into());
        }
        Ok(Self { lines: LineReader::open(path, Utf8::Strict)?, threshold, below_threshold: 0 })
    }

    /// Gives the links of the current pair the weights of the next line.
    pub(super) fn add(&mut self, links: &mut LinkReader) -> anyhow::Result<()> {
        let position = links.position();
        let Some(line) = self.lines.read()? else {
            let lines = self.lines.number();
            return Err(Error::unequal_lengths(links.name().to_owned(), links.count_all()?, self.lines.name(), lines).into());
        };
        let mut weights = Vec::new();
        for field in line.split([' ', '\t']).filter(|field| !field.is_empty()) {
            let weight = field.parse().ok().filter(|weight: &f32| weight.is_finite());
            let column = field.as_ptr().addr() - line.as_ptr().addr() + 1;
            weights.push(weight.ok_or((column, field.to_owned())));
        }
        let mut read = Vec::with_capacity(weights.len());
        for weight in weights {
            read.push(weight.map_err(|(column, found)| {
                Error::parse(self.lines.position(column), "the weight of a link, a number", found.as_bytes())
            })?);
        }
        let record = links.record_mut();
        if read.len() != record.links.len() {
            let (weights, of) = (counted(read.len() as u64, "weight"), counted(record.links.len() as u64, "link"));
            let message = format!("{}: {weights}, but {of} at {position}", self.lines.position(0));
            return Err(Error::from(ErrorKind::Inconsistent(message)).into());
        }
        for (link, weight) in record.links.iter_mut().zip(read) {
            link.weight = Some(weight);
        }
        if let Some(threshold) = self.threshold {
            let before = record.links.len();
            record.links.retain(|link| link.weight.is_none_or(|weight| weight >= threshold));
            self.below_threshold += (before - record.links.len()) as u64;
        }
        Ok(())
    }

    /// Refuses lines that are left when the links have ended.
    pub(super) fn finish(&mut self, links: &LinkReader) -> anyhow::Result<()> {
        let lines = self.lines.count_all()?;
        if lines != links.number() {
            return Err(Error::unequal_lengths(links.name(), links.number(), self.lines.name(), lines).into());
        }
        Ok(())
    }

    /// How many links were left out.
    pub(super) fn below_threshold(&self) -> u64 {
        self.below_threshold
    }
}
