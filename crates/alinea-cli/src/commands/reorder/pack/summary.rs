//! What a packed corpus has, in a line.

use std::path::Path;

use alinea::format::rsmt::{Block, Corpus};
use serde_json::json;

use crate::context::Context;
use crate::input::links::counted;

/// What is in a corpus.
pub(super) struct Summary {
    sentences: usize,
    with_rows: usize,
    words: usize,
    rows: usize,
    unknown: usize,
    reordered: usize,
    tags: bool,
    parses: bool,
}

impl Summary {
    /// Counts.
    pub(super) fn of(corpus: &Corpus) -> Self {
        let blocks = || corpus.sentences.iter().map(|sentence| &sentence.block).filter(|block| !block.is_empty());
        Self {
            sentences: corpus.sentences.len(),
            with_rows: blocks().count(),
            words: corpus.sentences.iter().map(|sentence| sentence.words.len()).sum(),
            rows: blocks().map(Block::len).sum(),
            unknown: blocks().filter(|block| block.order().is_none()).count(),
            reordered: blocks().filter(|block| block.order().is_some_and(|order| !order.places().is_sorted())).count(),
            tags: corpus.sentences.iter().all(|sentence| sentence.tags.is_some()),
            parses: corpus.sentences.iter().all(|sentence| sentence.parse.is_some()),
        }
    }

    /// Says it, of the corpus at `path`.
    pub(super) fn tell(&self, path: &Path, context: &Context) {
        let Self { sentences, with_rows, words, rows, unknown, reordered, tags, parses } = *self;
        let path = path.display();
        let mut text = format!(
            "{path}: {}, {with_rows} with rows; {}, {rows} with rows; {reordered} in another order",
            counted(sentences as u64, "sentence"),
            counted(words as u64, "word")
        );
        if unknown > 0 {
            text.extend([", ", &unknown.to_string(), " unknown"]);
        }
        for (there, what) in [(tags, "tags"), (parses, "parses")] {
            if !there {
                text.extend(["; no ", what]);
            }
        }
        let numbers = json!({
            "corpus": path.to_string(), "sentences": sentences, "with_rows": with_rows, "words": words, "rows": rows,
            "reordered": reordered, "unknown": unknown, "tags": tags, "parses": parses,
        });
        context.summary(&text, &numbers);
    }
}
