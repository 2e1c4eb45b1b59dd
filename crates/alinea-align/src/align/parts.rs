//! The steps of training in parts, from files to files.
//!
//! [`model::parts`](crate::model::parts) computes; here its files are read and written, for the command and the Python package, which
//! have a function for each step: [`words`] and [`pairs`] of a part, [`join`] and [`begin`] for the whole, [`count`] a part in a pass,
//! [`maximize`] what all have counted, and [`merge_counts`] if somebody wants to add some before. Outputs appear when they are complete,
//! so a step that was interrupted, or runs twice, is run again.

use std::io;
use std::path::{Path, PathBuf};

use super::request::Request;
use crate::alignment::GoldAlignment;
use crate::bitext::{Bitext, Dictionary};
use crate::error::{Error, ErrorKind, Result};
use crate::format::sink::{self, Output};
use crate::model::parts::{
    MemoryLimit, OwnCounts, PartPairs, PartText, PartWords, PruneLimit, StoredState, TrainingState, WholeText,
};
use crate::model::{AlignerConfig, Counts, Feature, TextForm};
use crate::parallel::Work;

/// Counts the words of a part, which was read in this form and whose pairs have this weight. O(tokens).
///
/// # Errors
/// As [`PartWords::of`]; `Io`.
pub fn words(part: Bitext, weight: f32, form: TextForm, output: &Path) -> Result<()> {
    let words = PartWords::of(part, weight, form)?;
    write(output, |to| words.write(to))
}

/// Puts the words of all parts together, in the order of the text. O(words).
///
/// # Errors
/// As [`PartWords::read`] and [`WholeText::join`]; `Io`.
pub fn join(parts: &[PathBuf], output: &Path) -> Result<()> {
    let parts = parts.iter().map(|path| PartWords::read(path)).collect::<Result<Vec<_>>>()?;
    let whole = WholeText::join(&parts)?;
    write(output, |to| whole.write(to))
}

/// Collects the pairs of words that occur together in the `number`-th part, from 0. O(cells) at most.
///
/// # Errors
/// As [`PartText::new`] and [`PartPairs::of`]; `Io`.
pub fn pairs(part: Bitext, number: usize, whole: &WholeText, output: &Path, work: Work<'_>) -> Result<()> {
    let part = PartText::new(part, number, whole)?;
    let pairs = PartPairs::of(&part, work)?;
    write(output, |to| pairs.write(to))
}

/// The model that is asked for, if it can be trained in parts.
///
/// # Errors
/// `Unsupported` if it cannot; as [`Request::recipe_for_file`].
pub fn config(request: Request) -> Result<AlignerConfig> {
    request.with(|c| c.needs.push(Feature::Parts)).recipe_for_file()
}

/// Joins the pairs of words of all parts, and begins a training: writes the state before the first pass. O(pairs).
///
/// Returns how many passes there are.
///
/// # Errors
/// As [`PartPairs::read`] and [`TrainingState::begin`]; `Io`.
pub fn begin(
    pairs: &[PathBuf],
    whole: WholeText,
    config: AlignerConfig,
    dictionary: &Dictionary,
    output: &Path,
    work: Work<'_>,
) -> Result<u32> {
    let pairs = pairs.iter().map(|path| PartPairs::read(path, &whole)).collect::<Result<Vec<_>>>()?;
    let state = TrainingState::begin(whole, pairs, config, dictionary, work)?;
    write(output, |to| state.write(to))?;
    Ok(state.passes())
}

/// What is known of a part in a pass, and where its counts go.
#[derive(Debug, Clone, Copy)]
pub struct Counting<'a> {
    /// What the part kept of the pass before.
    pub own: Option<&'a Path>,
    /// Known links of some of its pairs, by ascending number.
    pub links: &'a [(usize, GoldAlignment)],
    /// How many bytes of memory the process should have at most, if that is limited: what does not fit goes to files without a name
    /// beside the counts.
    pub memory: Option<u64>,
    /// The output for the counts.
    pub counts: &'a Path,
    /// The output for what the part keeps.
    pub keep: &'a Path,
}

/// Counts the `number`-th part, from 0, in the next pass of a training. Time O(cells × active states).
///
/// # Errors
/// As [`PartText::new`], [`OwnCounts::read`] and [`PartText::count`]; `Io`.
pub fn count(
    part: Bitext,
    number: usize,
    state: &StoredState,
    counting: Counting<'_>,
    work: Work<'_>,
) -> Result<Counts> {
    let Counting { own, links, memory, counts: output, keep } = counting;
    let part = PartText::new(part, number, state.whole())?;
    let own = own.map(OwnCounts::read).transpose()?;
    let directory = output.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let memory = memory.map(|bytes| MemoryLimit { bytes, directory: directory.to_owned() });
    let (counts, kept) = part.count(state, own, links, memory.as_ref(), work)?;
    sink::finish_all([written(keep, |to| kept.write(to))?, written(output, |to| counts.write(to))?])?;
    Ok(counts)
}

/// Writes the sum of the counts in files, of parts or of shards.
///
/// # Errors
/// As [`read_counts`]; `Io`.
pub fn merge_counts(parts: &[PathBuf], output: &Path) -> Result<Counts> {
    // A place that cannot be written is known before the work.
    let mut to = sink::create_uncompressed(output)?;
    let sum = read_counts(parts)?;
    sum.write(&mut to).map_err(|error| Error::io(output, error))?;
    to.finish()?;
    Ok(sum)
}

/// The sum of the counts in files.
///
/// # Errors
/// `Empty` without files; as [`Counts::read`]; `Inconsistent`, with the file, if it is of another pass, text or configuration, or was
/// counted twice.
pub fn read_counts(parts: &[PathBuf]) -> Result<Counts> {
    let mut sum: Option<Counts> = None;
    for path in parts {
        let counts = Counts::read(path)?;
        sum = Some(match sum {
            None => counts,
            Some(sum) => sum.merged(counts).map_err(|error| error.within(path.display()))?,
        });
    }
    sum.ok_or_else(|| ErrorKind::Empty("no counts to add".to_owned()).into())
}

/// Where a pass leads.
#[derive(Debug, Clone, Copy)]
pub enum Next<'a> {
    /// To the state before the next one, in this file.
    State(&'a Path),
    /// After the last one to the model.
    Model {
        /// Its file.
        path: &'a Path,
        /// What all parts kept of the pass.
        own: &'a [PathBuf],
    },
}

/// Goes on from what all parts have counted under a state; with a limit, pairs of words that were counted less often leave the training,
/// unless this was the last pass. O(pairs).
///
/// # Errors
/// As [`read_counts`], [`TrainingState::maximize`], [`OwnCounts::read`] and [`TrainingState::finish`]; `Io`.
pub fn maximize(
    counts: &[PathBuf],
    state: TrainingState,
    prune: Option<PruneLimit>,
    next: Next<'_>,
    work: Work<'_>,
) -> Result<()> {
    let state = state.maximize(read_counts(counts)?, prune, work)?;
    match next {
        Next::State(path) => write(path, |to| state.write(to)),
        Next::Model { path, own } => {
            let own = own.iter().map(|path| OwnCounts::read(path)).collect::<Result<Vec<_>>>()?;
            let model = state.finish(own)?;
            write(path, |to| model.write(to))
        }
    }
}

/// Writes a file, which appears when it is complete.
fn write(path: &Path, write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<()> {
    written(path, write)?.finish()
}

/// The same, but it does not appear yet.
fn written(path: &Path, write: impl FnOnce(&mut Output) -> io::Result<()>) -> Result<Output> {
    let mut output = sink::create_uncompressed(path)?;
    write(&mut output).map_err(|error| Error::io(path, error))?;
    Ok(output)
}
