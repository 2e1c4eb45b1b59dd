//! The state of a training in a file, of which a part reads what it needs.
//!
//! What grows with the pairs of words of the whole text stays in the file: a part reads what is said of its own pairs
//! (`restricted`). [`TrainingState::read`](super::TrainingState::read) reads all.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::prune_limit::Pruned;
use super::words::{PartFacts, WholeText};
use crate::error::{ErrorKind, Result};
use crate::model::config::AlignerConfig;
use crate::model::em::pass::PassNumber;
use crate::model::em::plan::Plan;
use crate::model::identity::StoredConfig;
use crate::model::saved::header::{self, FileKind, StoredForm};
use crate::storage::Container;

pub(super) const FORMAT: &str = "alinea training state";
pub(super) const VERSION: u32 = 2;
const FILE_KIND: FileKind = FileKind { what: "the state of a training", format: FORMAT, version: VERSION };

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    pub(super) format: String,
    pub(super) version: u32,
    pub(super) program: String,
    pub(super) parts: Vec<PartFacts>,
    pub(super) form: StoredForm,
    pub(super) config: StoredConfig,
    pub(super) passes_done: u32,
    /// Whether each part keeps what it added to the counts of the pass before.
    pub(super) parts_remember: bool,
    /// What tells the training from others.
    pub(super) identity: String,
    /// What has left its index.
    pub(super) pruned: Vec<Pruned>,
}

/// The state of a training in a file, for those who count a part ([`PartText::count`](super::PartText::count)): in memory are the words
/// of the whole text, not the pairs of words.
#[derive(Debug)]
pub struct StoredState {
    pub(super) file: Container,
    pub(super) whole: WholeText,
    pub(super) config: AlignerConfig,
    pub(super) passes_done: u32,
    pub(super) parts_remember: bool,
    pub(super) identity: String,
    pub(super) pruned: Vec<Pruned>,
    /// Pseudo-counts of a dictionary, by ascending id.
    pub(super) given: Vec<(u32, f32)>,
    pub(super) log_likelihoods: Vec<[f64; 2]>,
}

impl StoredState {
    /// Opens a file.
    ///
    /// # Errors
    /// `Io`; `Model` if it is not one of a training, is damaged, or has another version; `Config` for values that no model has.
    pub fn open(path: &Path) -> Result<Self> {
        let file = Container::open(path)?;
        let bad = |error: String| file.error("a header that describes a training".to_owned(), error);
        let header: Header =
            serde_json::from_value(header::read(&file, FILE_KIND)?).map_err(|error| bad(error.to_string()))?;
        let Header { parts, form, config, passes_done, parts_remember, identity, pruned, .. } = header;
        let config = config.config().map_err(bad)??;
        let form = form.form(&file)?;
        let whole = WholeText::load(&file, parts, form)?;
        let ids: Vec<u32> = file.section("given.ids")?;
        let weights: Vec<f32> = file.section_of("given.weights", ids.len())?;
        if !ids.is_sorted_by(|a, b| a < b) {
            return Err(file.error("`given.ids` of pairs in ascending order".to_owned(), "others".to_owned()));
        }
        let given = ids.into_iter().zip(weights).collect();
        let log_likelihoods: Vec<[u64; 2]> = file.section("log_likelihoods")?;
        let log_likelihoods = log_likelihoods.into_iter().map(|both| both.map(f64::from_bits)).collect();
        Ok(Self { file, whole, config, passes_done, parts_remember, identity, pruned, given, log_likelihoods })
    }

    /// The text, by its words and parts.
    pub fn whole(&self) -> &WholeText {
        &self.whole
    }

    /// How the model is trained.
    pub fn config(&self) -> &AlignerConfig {
        &self.config
    }

    /// How many passes are done.
    pub fn passes_done(&self) -> u32 {
        self.passes_done
    }

    /// The pass that is next; nothing if all are done.
    pub fn next_pass(&self) -> Option<PassNumber> {
        self.plan().schedule.pass_after(self.passes_done)
    }

    pub(super) fn pass(&self) -> Result<PassNumber> {
        let done = || ErrorKind::Inconsistent(format!("all {} passes are done", self.passes_done)).into();
        self.next_pass().ok_or_else(done)
    }

    pub(super) fn plan(&self) -> Plan<'_> {
        Plan::of_parts(&self.config, self.whole.usable())
    }

    /// Refuses a dictionary whose pairs are not of the index, which has so many ids.
    pub(super) fn check_given(&self, ids: usize) -> Result<()> {
        if self.given.last().is_some_and(|&(last, _)| last as usize >= ids) {
            let expected = "`given.ids` of pairs in ascending order".to_owned();
            return Err(self.file.error(expected, "others".to_owned()));
        }
        Ok(())
    }
}
