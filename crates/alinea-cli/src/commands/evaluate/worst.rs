//! The sentences with most errors, link by link.

use std::fmt;

use alinea::alignment::{Alignment, Link};
use alinea::evaluate::{Report, WorstSentence};
use serde_json::{Value, json};

use super::input::{Gold, Words};

/// Links of one kind that are shown for one sentence.
const LINKS_SHOWN: usize = 12;

/// The sentences with most errors; displays as text for people.
#[derive(Debug)]
pub(super) struct Worst<'a> {
    name: Option<String>,
    sentences: Vec<Sentence<'a>>,
}

#[derive(Debug)]
struct Sentence<'a> {
    scores: WorstSentence,
    /// Links that are not even possible.
    wrong: Alignment,
    /// Sure links that are not there.
    missed: Alignment,
    words: Option<&'a Words>,
}

impl<'a> Worst<'a> {
    /// The worst sentences that a report names.
    pub(super) fn new(gold: &'a Gold, report: &Report, links: &[Alignment], annotated_only: bool) -> Self {
        let sentence = |scores: &WorstSentence| {
            let place = scores.sentence - 1;
            let (people, links) = (&gold.links[place], &links[place]);
            let wrong = links.difference(people.possible());
            Sentence {
                scores: *scores,
                wrong: if annotated_only { people.restrict_to_annotated(&wrong) } else { wrong },
                missed: people.sure().difference(links),
                words: gold.words.as_ref().map(|words| &words[place]),
            }
        };
        Self { name: None, sentences: report.worst.iter().map(sentence).collect() }
    }

    /// Says whose they are.
    pub(super) fn named(self, name: &str) -> Self {
        Self { name: Some(name.to_owned()), ..self }
    }

    /// For programs.
    pub(super) fn json(&self) -> Value {
        self.sentences.iter().map(Sentence::json).collect()
    }
}

impl fmt::Display for Worst<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sentences.is_empty() {
            return Ok(());
        }
        let of = self.name.as_ref().map(|name| format!(" of {name}")).unwrap_or_default();
        writeln!(f, "\nworst sentences{of}")?;
        self.sentences.iter().try_for_each(|sentence| sentence.fmt(f))
    }
}

impl Sentence<'_> {
    fn json(&self) -> Value {
        let links = |links: &Alignment| links.iter().map(|link| json!([link.source, link.target])).collect::<Value>();
        let mut value = json!(self.scores);
        value["wrong_links"] = links(&self.wrong);
        value["missed_links"] = links(&self.missed);
        if let Some(Words { source, target }) = self.words {
            value["source"] = json!(source);
            value["target"] = json!(target);
        }
        value
    }

    /// A link, with its words if they are known.
    fn shown(&self, link: Link) -> String {
        let words = self.words.and_then(|words| {
            let source = words.source.get(link.source as usize)?;
            let target = words.target.get(link.target as usize)?;
            Some(format!("{}–{} ", harmless(source), harmless(target)))
        });
        format!("{}{link}", words.unwrap_or_default())
    }

    fn line(&self, f: &mut fmt::Formatter<'_>, label: &str, links: &Alignment) -> fmt::Result {
        if links.is_empty() {
            return Ok(());
        }
        let shown: Vec<String> = links.iter().take(LINKS_SHOWN).map(|link| self.shown(link)).collect();
        let separator = if self.words.is_some() { ", " } else { " " };
        write!(f, "  {label:<7} {}", shown.join(separator))?;
        match links.len().saturating_sub(LINKS_SHOWN) {
            0 => writeln!(f),
            more => writeln!(f, " and {more} more"),
        }
    }
}

impl fmt::Display for Sentence<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WorstSentence { sentence, wrong, missed, scores, .. } = self.scores;
        let aer = scores.aer.map(|aer| format!(", AER {:.2}", aer * 100.0)).unwrap_or_default();
        writeln!(f, "sentence {sentence}: {wrong} wrong, {missed} missed{aer}")?;
        self.line(f, "wrong", &self.wrong)?;
        self.line(f, "missed", &self.missed)
    }
}

/// A word without characters that a terminal would obey.
fn harmless(word: &str) -> String {
    let obeyed = |c: char| c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    word.chars().map(|c| if obeyed(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
