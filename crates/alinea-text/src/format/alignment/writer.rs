//! One writer for all alignment formats: [`AlignmentWriter`] takes a [`PairRecord`] for each sentence pair.
//!
//! The module of the format puts a pair into a buffer, converting positions to the base of the file, and the buffer is
//! written at once. A3 and Comtrans need the words of both sentences, and refuse links outside of them.
//!
//! Only JSON lines hold all that a record has. [`LinkWriteReport`] counts what other formats lose: weights and kinds in
//! A3 and Comtrans, weights elsewhere unless `digits` asks for them, words in formats of links alone, scores except in
//! A3, and in NAACL pairs without links, which leave no line. Character offsets are not counted.

use std::io::Write;

use super::{AlignmentFormat, Base, LinkKind, LinkWriteOptions, PairRecord};
use super::{comtrans, giza, json_lines, links, naacl, opus_trainer, serval, simalign};
use crate::error::{Error, Result};

/// Writes alignments pair by pair.
#[derive(Debug)]
pub struct AlignmentWriter<W> {
    inner: W,
    name: String,
    format: AlignmentFormat,
    options: LinkWriteOptions,
    base: Base,
    buffer: Vec<u8>,
    report: LinkWriteReport,
}

/// What was written, and what the format had no place for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinkWriteReport {
    /// Pairs written.
    pub pairs: u64,
    /// Links written.
    pub links: u64,
    /// Links whose weight was left out.
    pub lost_weights: u64,
    /// Possible links that the format cannot distinguish from sure ones.
    pub lost_kinds: u64,
    /// Pairs whose words were left out.
    pub lost_words: u64,
    /// Pairs whose score was left out.
    pub lost_scores: u64,
    /// Pairs that leave no trace because they have no link.
    pub invisible_pairs: u64,
}

impl<W: Write> AlignmentWriter<W> {
    /// Writes to `inner`, called `name` in messages.
    ///
    /// # Errors
    /// `Config` if an option is wrong, or files of the format are not written.
    pub fn new(inner: W, name: impl Into<String>, format: AlignmentFormat, options: &LinkWriteOptions) -> Result<Self> {
        options.validate()?;
        if !format.is_written() {
            return Err(Error::config("format", format.name(), "one that is written, which this is not"));
        }
        Ok(Self {
            inner,
            name: name.into(),
            format,
            options: options.clone(),
            base: options.base.unwrap_or(format.default_base()),
            buffer: Vec::new(),
            report: LinkWriteReport::default(),
        })
    }

    /// Writes one pair.
    ///
    /// # Errors
    /// `Io`; `Inconsistent` where the format needs what the record does not have: words in A3 and Comtrans, a name in NAACL if
    /// names were given; and for a link outside of the words in A3 and Comtrans ([`PairRecord::check_words`]).
    pub fn write(&mut self, record: &PairRecord) -> Result<()> {
        self.buffer.clear();
        let (base, digits, out) = (self.base, self.options.digits, &mut self.buffer);
        match self.format {
            AlignmentFormat::Pharaoh | AlignmentFormat::Talp => links::write(record, base, digits, out),
            AlignmentFormat::Naacl => naacl::write(record, base, digits, self.options.sentences.as_ref(), out)?,
            AlignmentFormat::GizaA3 => giza::write(record, self.options.direction, out)?,
            AlignmentFormat::Comtrans => comtrans::write(record, self.report.pairs == 0, base, out)?,
            AlignmentFormat::JsonLines => json_lines::write(record, base, digits, out),
            AlignmentFormat::OpusTrainer => opus_trainer::write(record, self.report.pairs == 0, base, digits, out)?,
            AlignmentFormat::SimAlign => simalign::write(record, self.report.pairs, base, digits, out),
            AlignmentFormat::Serval => serval::write(record, base, digits, out),
            AlignmentFormat::Bal => {}
        }
        self.inner.write_all(&self.buffer).map_err(|error| Error::io(&self.name, error))?;
        self.count(record);
        Ok(())
    }

    /// Counts what was written and what was lost.
    fn count(&mut self, record: &PairRecord) {
        let report = &mut self.report;
        report.pairs += 1;
        report.links += record.links.len() as u64;
        let weights = record.links.iter().filter(|link| link.weight.is_some()).count() as u64;
        let possible = record.links.iter().filter(|link| link.kind == LinkKind::Possible).count() as u64;
        let words = record.source.is_some() || record.target.is_some();
        match self.format {
            AlignmentFormat::JsonLines | AlignmentFormat::Bal => {}
            AlignmentFormat::Serval => {
                report.lost_kinds += possible;
                report.lost_scores += u64::from(record.score.is_some());
            }
            AlignmentFormat::OpusTrainer => {
                report.lost_weights += if self.options.digits.is_none() { weights } else { 0 };
                report.lost_scores += u64::from(record.score.is_some());
            }
            AlignmentFormat::GizaA3 | AlignmentFormat::Comtrans => {
                report.lost_weights += weights;
                report.lost_kinds += possible;
                let scores = self.format == AlignmentFormat::Comtrans && record.score.is_some();
                report.lost_scores += u64::from(scores);
            }
            AlignmentFormat::Pharaoh | AlignmentFormat::Talp | AlignmentFormat::Naacl | AlignmentFormat::SimAlign => {
                report.lost_weights += if self.options.digits.is_none() { weights } else { 0 };
                report.lost_words += u64::from(words);
                report.lost_scores += u64::from(record.score.is_some());
                report.lost_kinds += if self.format == AlignmentFormat::SimAlign { possible } else { 0 };
            }
        }
        if self.format == AlignmentFormat::Naacl && record.links.is_empty() {
            report.invisible_pairs += 1;
        }
    }

    /// What was written so far.
    pub fn report(&self) -> LinkWriteReport {
        self.report
    }

    /// The output. What it buffers is not flushed.
    pub fn into_inner(self) -> W {
        self.inner
    }
}
