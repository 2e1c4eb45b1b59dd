//! A sample of a text, even by place and by length, and what it does not have.
//!
//! [`read_evenly`] reads a text twice, and so refuses standard input: once to count pairs by length and words by type, once for the
//! pairs that `strata` chooses. The length of a pair is that of both sides in words. Memory is that of the sample, of the
//! vocabulary of the text, and three bytes for each pair.

use super::kept::{KeptLines, KeptText};
use super::strata::Strata;
use super::stream::BitextStream;
use super::{BitextSource, ReadBitext, ReadOptions, ReadReport};
use crate::bitext::{Bitext, Text, Vocabulary};
use crate::error::{Error, Result};
use crate::format::source::is_dash;

/// Pairs that are read at a time.
const AT_A_TIME: usize = 1 << 13;

/// Longer pairs count as if they had so many words.
const LONGEST: usize = u16::MAX as usize;

/// A sample of a text.
#[derive(Debug)]
pub struct Sample {
    /// Its pairs, in the order of the text, and what was met in them.
    pub read: ReadBitext,
    /// The pairs of the whole text.
    pub of: u64,
    /// What it does not have of the words of the text, source and target.
    pub unseen: [Unseen; 2],
}

/// The words of one side of a text that a sample does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unseen {
    /// Word types that are not in the sample.
    pub types: u64,
    /// How often these occur in the text.
    pub tokens: u64,
    /// Word types of the text.
    pub all_types: u64,
    /// Words of the text.
    pub all_tokens: u64,
}

impl Unseen {
    /// The share of the word types that are not in the sample; 0 without words.
    pub fn share_of_types(&self) -> f64 {
        self.types as f64 / self.all_types.max(1) as f64
    }

    /// The share of the words that are not in the sample; 0 without words.
    pub fn share_of_tokens(&self) -> f64 {
        self.tokens as f64 / self.all_tokens.max(1) as f64
    }
}

/// Reads `pairs` pairs of a text, or all if it has no more, in the order of the text: each stretch of it, and pairs of each length, have
/// their share. The same text gives the same sample.
///
/// Pairs that are too long are errors, or empty, only where they are in the sample; elsewhere they count as empty.
///
/// ```
/// use alinea::format::bitext::{BitextSource, ReadOptions, read_evenly};
///
/// let directory = tempfile::tempdir().unwrap();
/// let path = directory.path().join("text.en-fr");
/// std::fs::write(&path, "a house ||| une maison\nthe flower ||| la fleur\na flower ||| une fleur\n").unwrap();
/// let sample = read_evenly(&BitextSource::Joint(path), 1, &ReadOptions::default())?;
/// assert_eq!((sample.read.bitext.len(), sample.of), (1, 3));
/// let source = sample.unseen[0];
/// assert_eq!((source.types, source.all_types, source.tokens, source.all_tokens), (2, 4, 3, 6));
/// # Ok::<(), alinea::error::Error>(())
/// ```
///
/// # Errors
/// As [`read`](super::read); `Config` for standard input, which cannot be read twice, and if `pairs` is 0.
pub fn read_evenly(from: &BitextSource, pairs: usize, options: &ReadOptions) -> Result<Sample> {
    let paths = match from {
        BitextSource::Files { source, target } => vec![source, target],
        BitextSource::Joint(path) | BitextSource::Columns { path, .. } | BitextSource::Pairs { path, .. } => vec![path],
    };
    if pairs == 0 || paths.iter().any(|path| is_dash(path)) {
        return Err(Error::config("train_on", pairs, "1 or more pairs of files, not of standard input"));
    }
    let Survey { lengths, by_length, words, glued } = Survey::of(from, options)?;
    let mut strata = Strata::new(&by_length, pairs);
    let taken: Vec<bool> = lengths.into_iter().map(|length| strata.takes(usize::from(length))).collect();
    let mut read = read_some(BitextStream::open(from, options)?, &taken, options)?;
    // Of the first lines of the text, of which the sample has a few.
    [read.report.glued_source, read.report.glued_target] = glued;
    let ReadBitext { bitext, .. } = &read;
    let samples = [&bitext.source, &bitext.target].map(Text::vocabulary);
    let unseen = [0, 1].map(|side| words[side].unseen_in(samples[side]));
    Ok(Sample { of: taken.len() as u64, unseen, read })
}

/// What has to be known of a text before pairs are chosen.
#[derive(Debug, Default)]
struct Survey {
    /// The length of each pair.
    lengths: Vec<u16>,
    /// How many pairs have each length.
    by_length: Vec<u64>,
    /// The words of both sides.
    words: [WordCounts; 2],
    /// The shares of words with punctuation glued to them.
    glued: [f64; 2],
}

impl Survey {
    fn of(from: &BitextSource, options: &ReadOptions) -> Result<Self> {
        let options = ReadOptions { keep_text: false, skip_long: true, ..options.clone() };
        let (mut survey, mut stream) = (Self::default(), BitextStream::open(from, &options)?);
        let mut glued = None;
        while let Some(ReadBitext { bitext, report, .. }) = stream.next(AT_A_TIME)? {
            glued.get_or_insert([report.glued_source, report.glued_target]);
            for pair in bitext.pairs() {
                let length = (pair.source.len() + pair.target.len()).min(LONGEST);
                survey.lengths.push(length as u16);
                survey.by_length.resize(survey.by_length.len().max(length + 1), 0);
                survey.by_length[length] += 1;
            }
            survey.words[0].add(&bitext.source);
            survey.words[1].add(&bitext.target);
        }
        survey.glued = glued.unwrap_or_default();
        Ok(survey)
    }
}

/// The word types of one side, and how often each occurs.
#[derive(Debug, Default)]
struct WordCounts {
    words: Vocabulary,
    counts: Vec<u64>,
}

impl WordCounts {
    fn add(&mut self, text: &Text) {
        for (word, count) in text.vocabulary().words().zip(text.frequencies()) {
            let id = self.words.intern(word).index();
            self.counts.resize(self.counts.len().max(id + 1), 0);
            self.counts[id] += count;
        }
    }

    fn unseen_in(&self, sample: &Vocabulary) -> Unseen {
        let mut unseen = Unseen::default();
        for (word, &count) in self.words.words().zip(&self.counts) {
            unseen.all_types += 1;
            unseen.all_tokens += count;
            if sample.id(word).is_none() {
                unseen.types += 1;
                unseen.tokens += count;
            }
        }
        unseen
    }
}

/// Reads the pairs that are taken.
fn read_some(mut stream: BitextStream, taken: &[bool], options: &ReadOptions) -> Result<ReadBitext> {
    let lines = || KeptLines::new(options.tokenize);
    let mut kept = options.keep_text.then(|| KeptText { source: lines(), target: lines() });
    let (mut source, mut target) = (Text::default(), Text::default());
    let mut report = ReadReport::default();
    for run in taken.chunk_by(|a, b| a == b).flat_map(|run| run.chunks(AT_A_TIME)) {
        if !run[0] {
            stream.skip(run.len())?;
            continue;
        }
        let Some(read) = stream.next(run.len())? else { break };
        for (text, side) in [(&mut source, &read.bitext.source), (&mut target, &read.bitext.target)] {
            for n in 0..side.len() {
                text.push_sentence(side.sentence(n).iter().map(|&word| side.vocabulary().word(word)));
            }
        }
        if let (Some(kept), Some(lines)) = (&mut kept, &read.text) {
            for n in 0..lines.source.len() {
                kept.source.push(lines.source.line(n));
                kept.target.push(lines.target.line(n));
            }
        }
        report.add(&read.report);
    }
    stream.skip(usize::MAX)?;
    report.passed_over = stream.passed_over();
    Ok(ReadBitext { bitext: Bitext::new(source, target)?, report, text: kept })
}

#[cfg(test)]
mod tests;
