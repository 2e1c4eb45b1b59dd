//! The gold orders that `reorder train`, `evaluate` and `rank` read: from a corpus of the shared task, or from an
//! alignment.
//!
//! In a corpus column 7 has the orders; from links they follow by `GoldArgs`. Sentences without links have no order and
//! are left out; sentences in which a word is linked around another have only a partial order, and are left out of
//! scores that need a total one. Both numbers are reported with the scores. If `.align.info` is missing, rows are
//! searched in their sentence, and a warning says in how many that was ambiguous. Definitions are in
//! `alinea::reorder::standard`.

use std::path::{Path, PathBuf};

use alinea::format::rsmt::{Corpus, Paths, Unknown};
use alinea::reorder::standard::GoldStandard;
use serde_json::{Value, json};

use super::input::{GoldArgs, SourceArgs};
use crate::context::Context;
use crate::failure::WithHint as _;
use crate::input::links::counted;

/// The orders that column 7 of a corpus tells.
pub(super) fn of_corpus(path: &Path, context: &Context) -> anyhow::Result<GoldStandard> {
    let corpus = Corpus::read(&Paths::beside(path), Unknown::Allowed)?;
    warn_of_guesses(&corpus, path, context);
    GoldStandard::of_corpus(path.display().to_string(), corpus)
        .hint("gold orders are needed, as in the file -gold.conll that reorder pack --hide writes next to test data")
}

/// The orders that an alignment tells.
fn of_links(links: &Path, source: &SourceArgs, options: &GoldArgs, context: &Context) -> anyhow::Result<GoldStandard> {
    let sentences = source.read(links, None, context)?.into_iter().map(|sentence| (sentence.words, sentence.links));
    Ok(GoldStandard::of_links(links.display().to_string(), sentences, options.key, options.incomparable))
}

/// How many sentences there are, and how many are left out, for programs.
pub(super) fn json_of(gold: &GoldStandard) -> Value {
    let (all, with_links) = (gold.lengths().len(), gold.sentences().len());
    json!({"sentences": all, "without_links": all - with_links, "incomparable": gold.incomparable()})
}

/// The same for people.
pub(super) fn text_of(gold: &GoldStandard) -> String {
    let (all, skipped) = (gold.lengths().len(), gold.incomparable());
    let unlinked = all - gold.sentences().len();
    format!(
        "{}; left out: {unlinked} without links, and {skipped} from frs, tau and complete because a word is linked \
         around another\n",
        counted(all as u64, "sentence")
    )
}

/// Says how often it is not certain which words of their sentences the rows are.
pub(super) fn warn_of_guesses(corpus: &Corpus, path: &Path, context: &Context) {
    let guessed = |found| corpus.sentences.iter().filter(|sentence| sentence.found == found).count();
    let leftmost = guessed(alinea::format::rsmt::Found::Leftmost);
    if leftmost > 0 {
        let sentences = counted(leftmost as u64, "sentence");
        context.warn(format!(
            "{}: without .align.info, in {sentences} the rows are assumed to be the leftmost matching words",
            path.display()
        ));
    }
}

/// The gold standard that options name.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct GoldSource {
    /// Corpus of the shared task with gold orders in column 7; the files next to it are also read
    #[arg(long, value_name = "FILE", conflicts_with = "links", required_unless_present = "links")]
    #[arg(help_heading = "Gold orders")]
    pub(super) gold: Option<PathBuf>,
    /// Manual alignment, with --source or --trees, instead of --gold
    #[arg(long, value_name = "FILE", help_heading = "Gold orders")]
    pub(super) links: Option<PathBuf>,
}

impl GoldSource {
    /// Reads it.
    pub(super) fn read(
        &self,
        source: &SourceArgs,
        options: &GoldArgs,
        context: &Context,
    ) -> anyhow::Result<GoldStandard> {
        match (&self.gold, &self.links) {
            (Some(path), _) if source.is_given() => {
                anyhow::bail!(
                    "{}: --source, --trees and --annotation go with --links, a corpus has its own sentences",
                    path.display()
                )
            }
            (Some(path), _) => of_corpus(path, context),
            (None, Some(links)) => of_links(links, source, options, context),
            (None, None) => anyhow::bail!("a gold standard is required: --gold or --links"),
        }
    }
}
