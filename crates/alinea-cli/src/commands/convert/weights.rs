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
            let (pairs, lines) = (links.count_all()?, self.lines.number());
            return Err(Error::unequal_lengths(links.name(), pairs, self.lines.name(), lines).into());
        };
        let weights = numbers(line).map_err(|(column, found)| {
            Error::parse(self.lines.position(column), "the weight of a link, a number", found.as_bytes())
        })?;
        let record = links.record_mut();
        if weights.len() != record.links.len() {
            let counts = [(weights.len(), "weight"), (record.links.len(), "link")];
            let [weights, links] = counts.map(|(number, noun)| counted(number as u64, noun));
            let message = format!("{}: {weights}, but {links} at {position}", self.lines.position(0));
            return Err(Error::from(ErrorKind::Inconsistent(message)).into());
        }
        for (link, weight) in record.links.iter_mut().zip(weights) {
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

/// The numbers of a line, or the column, from 1, of what is none, and what it is.
fn numbers(line: &str) -> Result<Vec<f32>, (usize, String)> {
    let fields = line.split([' ', '\t']).filter(|field| !field.is_empty());
    fields
        .map(|field| {
            let number = field.parse().ok().filter(|number: &f32| number.is_finite());
            number.ok_or_else(|| (field.as_ptr().addr() - line.as_ptr().addr() + 1, field.to_owned()))
        })
        .collect()
}
