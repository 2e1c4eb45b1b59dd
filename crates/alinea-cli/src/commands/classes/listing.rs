//! Trained word classes as a file, as an overview for people, or as JSON.
//!
//! Classes count from 1 in files. Within a class words come by falling frequency, ties by first occurrence, so the
//! output is reproducible. `table` has the lines of `alinea::format::classes`, which models read; `text` gives for each
//! class its share of the tokens and its most frequent words; `json` adds log-likelihood, perplexity and every pass of
//! the training.

use std::cmp::Reverse;
use std::fmt::Write as _;

use alinea::bitext::Text;
use alinea::classes::{Step, StepKind, TrainedClasses};
use alinea::format::classes;
use serde_json::{Value, json};

/// The words of each class, the most frequent first, of equally frequent ones that which was met first.
pub(super) struct Listing<'a> {
    trained: &'a TrainedClasses,
    words: Vec<Vec<(&'a [u8], u64)>>,
}

impl<'a> Listing<'a> {
    pub(super) fn new(text: &'a Text, trained: &'a TrainedClasses) -> Self {
        let mut words = vec![Vec::new(); trained.classes.count()];
        let entries = text.vocabulary().words().zip(text.frequencies());
        for (entry, class) in entries.zip(trained.classes.classes()) {
            words[class.index()].push(entry);
        }
        for class in &mut words {
            class.sort_by_key(|&(_, frequency)| Reverse(frequency));
        }
        Self { trained, words }
    }

    /// The classes with their numbers in files.
    fn numbered(&self) -> impl Iterator<Item = (u32, &[(&'a [u8], u64)])> {
        (1..).zip(self.words.iter().map(Vec::as_slice))
    }

    /// The lines of a file of classes.
    pub(super) fn table(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        let entries = self.numbered().flat_map(|(number, words)| words.iter().map(move |&(word, _)| (word, number)));
        classes::write(entries, &mut lines);
        lines
    }

    /// A line a class: its number, its share of the tokens, its words, and the most frequent of these.
    pub(super) fn text(&self, top: usize) -> Vec<u8> {
        let all: u64 = self.words.iter().flatten().map(|(_, frequency)| frequency).sum();
        let mut text = String::from("class  tokens    words  the most frequent\n");
        for (number, words) in self.numbered() {
            let tokens: u64 = words.iter().map(|(_, frequency)| frequency).sum();
            let share = 100.0 * tokens as f64 / all as f64;
            // Writing to a string cannot fail.
            let _ = write!(text, "{number:>5}  {share:>4.1} %  {:>7} ", words.len());
            for (word, _) in words.iter().take(top) {
                let _ = write!(text, " {}", String::from_utf8_lossy(word));
            }
            text.push_str(if words.len() > top { " ...\n" } else { "\n" });
        }
        text.into_bytes()
    }

    /// Everything, as one JSON object.
    pub(super) fn json(&self) -> serde_json::Result<Vec<u8>> {
        let TrainedClasses { config, steps, is_converged, log_likelihood, events, .. } = self.trained;
        let classes = self.numbered().map(|(number, words)| {
            let tokens: u64 = words.iter().map(|(_, frequency)| frequency).sum();
            let words =
                words.iter().map(|&(word, count)| json!({"word": String::from_utf8_lossy(word), "count": count}));
            json!({"class": number, "tokens": tokens, "words": words.collect::<Value>()})
        });
        let steps = steps.iter().map(|Step { kind, moved, log_likelihood }| {
            let kind = match kind {
                StepKind::Cooling => "cooling",
                StepKind::Exchange => "exchange",
            };
            json!({"kind": kind, "moved": moved, "log_likelihood": log_likelihood})
        });
        let object = json!({
            "signature": config.signature(), "log_likelihood": log_likelihood,
            "perplexity": self.trained.perplexity(), "events": events, "converged": is_converged,
            "passes": steps.collect::<Value>(), "classes": classes.collect::<Value>(),
        });
        let mut text = serde_json::to_vec(&object)?;
        text.push(b'\n');
        Ok(text)
    }
}
