//! The parts of a corpus in `reorder pack`: which sentences go into which files.
//!
//! A part takes the next sentences of the text; `--split` makes several, otherwise one has all. A hidden part (test
//! data) is written twice: without orders, and as gold standard under `NAME-gold`; sentences without links are left out
//! of both. The files of all parts are put in place together, or none.
//!
//! A reader of test data without `.align.info` must find the rows in the sentence by their words. Where a word occurs
//! several times that can fail, so the sentences for which it does are counted, and a warning says how many.

use std::path::Path;

use alinea::format::rsmt::{Corpus, Paths, Sentence, find_rows};
use alinea::format::sink;
use anyhow::bail;
use serde_json::json;

use super::summary::Summary;
use crate::context::Context;
use crate::input::links::counted;

/// Line numbers that a message names at most.
const SHOWN: usize = 8;

/// A part of a corpus.
pub(super) struct Part {
    paths: Paths,
    /// Where the gold standard goes, if `paths` is to have no orders.
    gold: Option<Paths>,
    /// How many sentences it has; none for all.
    count: Option<usize>,
}

impl Part {
    /// All sentences.
    pub(super) fn whole(stem: &str) -> Self {
        Self { paths: Paths::with_stem(stem), gold: None, count: None }
    }

    /// So many of the sentences that are left, under a name, and whether their orders are hidden. The name of the gold
    /// standard goes on with `-`, not with `.`, so that patterns as `tst.*` for what is given away leave it out.
    pub(super) fn of(stem: &str, name: &str, count: usize, hidden: bool) -> Self {
        let mut paths = Paths::with_stem(&format!("{stem}.{name}"));
        let gold = hidden.then(|| Paths::with_stem(&format!("{stem}.{name}-gold")));
        if hidden {
            paths.info = None;
        }
        Self { paths, gold, count: Some(count) }
    }

    /// All files that may be written.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.paths.all().chain(self.gold.iter().flat_map(Paths::all))
    }
}

/// Writes the parts of a corpus, one after another, all files or none.
pub(super) fn write(parts: Vec<Part>, corpus: Corpus, context: &Context) -> anyhow::Result<()> {
    let mut sentences = corpus.sentences.into_iter();
    let mut first = 1;
    let mut outputs = Vec::new();
    // Where a corpus is, what it has, and of test data the lines that were left out.
    let mut files: Vec<(Paths, Corpus, Option<Vec<usize>>)> = Vec::new();
    for Part { paths, gold, count } in parts {
        let part = Corpus { sentences: sentences.by_ref().take(count.unwrap_or(usize::MAX)).collect() };
        let length = part.sentences.len();
        match gold {
            None => {
                outputs.extend(part.outputs(&paths)?);
                files.push((paths, part, None));
            }
            Some(gold_paths) => {
                if let Some(other) = Paths::beside(&paths.rows).info {
                    bail!("{} exists, but test data must not have one: remove it first", other.display());
                }
                let (test, gold, left_out) = part.into_test();
                if gold.sentences.is_empty() {
                    bail!("{}: no sentence of this part has links", paths.rows.display());
                }
                outputs.extend(test.outputs(&paths)?);
                outputs.extend(gold.outputs(&gold_paths)?);
                files.push((paths, test, Some(left_out.into_iter().map(|number| first + number).collect())));
                files.push((gold_paths, gold, None));
            }
        }
        first += length;
    }
    sink::finish_all(outputs)?;
    for (paths, corpus, left_out) in files {
        Summary::of(&corpus).tell(&paths.rows, context);
        if let Some(left_out) = left_out {
            tell_of_test(&paths.rows, &corpus, &left_out, context);
        }
    }
    Ok(())
}

/// Says which lines of the text test data lack, and how often a reader of them must guess wrong.
fn tell_of_test(path: &Path, test: &Corpus, left_out: &[usize], context: &Context) {
    let path = path.display();
    if !left_out.is_empty() {
        let mut lines = left_out.iter().take(SHOWN).map(usize::to_string).collect::<Vec<_>>().join(", ");
        if left_out.len() > SHOWN {
            lines.push_str(", …");
        }
        let count = counted(left_out.len() as u64, "sentence");
        let noun = if left_out.len() == 1 { "line" } else { "lines" };
        context.summary(
            &format!("{path}: {count} without links left out ({noun} {lines})"),
            &json!({"corpus": path.to_string(), "left_out": left_out}),
        );
    }
    let guessed = test.sentences.iter().filter(|sentence| is_found_elsewhere(sentence)).count();
    if guessed > 0 {
        let count = counted(guessed as u64, "sentence");
        context.warn(format!(
            "{path}: in {count} a word is repeated, and readers without .align.info assume another occurrence"
        ));
    }
}

/// Whether the rows of a sentence are found at other places than they stand for.
fn is_found_elsewhere(sentence: &Sentence) -> bool {
    let tags: Option<Vec<&str>> = sentence.tags.as_ref().map(|tags| tags.iter().map(String::as_str).collect());
    find_rows(&sentence.block, &sentence.words, tags.as_deref()).is_ok_and(|(places, _)| places != sentence.kept)
}
