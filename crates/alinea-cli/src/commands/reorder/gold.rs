//! The gold standard that options name, and what is said of it.

use std::path::{Path, PathBuf};

use alinea::format::rsmt::{Corpus, Paths, Unknown};
use alinea::reorder::standard::GoldStandard;
use serde_json::{Value, json};

use super::input::{GoldArgs, SourceArgs};
use crate::context::Context;
use crate::failure::WithHint as _;

/// The orders that column 7 of a corpus tells.
pub(super) fn of_corpus(path: &Path, context: &Context) -> anyhow::Result<GoldStandard> {
    let corpus = Corpus::read(&Paths::beside(path), Unknown::Allowed)?;
    warn_of_guesses(&corpus, path, context);
    GoldStandard::of_corpus(path.display().to_string(), corpus)
        .hint("right orders are wanted, as in the file -gold.conll that reorder pack --hide writes beside test data")
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
        "{all} sentences; left out: {unlinked} without links, and {skipped} from frs, tau and complete as a word is \
         linked around another\n"
    )
}

/// Says how often it is not certain which words of their sentences the rows are.
pub(super) fn warn_of_guesses(corpus: &Corpus, path: &Path, context: &Context) {
    let guessed = |found| corpus.sentences.iter().filter(|sentence| sentence.found == found).count();
    let leftmost = guessed(alinea::format::rsmt::Found::Leftmost);
    if leftmost > 0 {
        let noun = if leftmost == 1 { "sentence" } else { "sentences" };
        context.warn(format!(
            "{}: there is no .align.info, and in {leftmost} {noun} the rows may be other words than those taken, the leftmost",
            path.display()
        ));
    }
}

/// The gold standard that options name.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Gold orders")]
pub(super) struct GoldSource {
    /// A corpus of the shared task, whose column 7 is right; the files beside it are read too
    #[arg(long, value_name = "FILE", conflicts_with = "links", required_unless_present = "links")]
    pub(super) gold: Option<PathBuf>,
    /// An alignment by hand, with --source or --trees, in place of --gold
    #[arg(long, value_name = "FILE")]
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
                    "{}: --source, --trees and --annotation go with --links, a corpus has its sentences beside it",
                    path.display()
                )
            }
            (Some(path), _) => of_corpus(path, context),
            (None, Some(links)) => of_links(links, source, options, context),
            (None, None) => anyhow::bail!("a gold standard is needed: --gold or --links"),
        }
    }
}
