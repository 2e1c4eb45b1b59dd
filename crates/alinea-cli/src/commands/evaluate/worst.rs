//! The sentences with most alignment errors, link by link.
//!
//! The errors of a sentence are |A \ P| + |S \ A|, with A the links of the hypothesis, S the sure and P the possible
//! gold links: links that are not even possible, and sure links that are missing. Instances, pairs of a sentence and a
//! gold standard for it, are sorted by errors, with ties in the order of the text; those without errors are left out.
//!
//! Text shows at most 12 links of each kind for an instance, with their words if these are known; control characters
//! and marks of writing direction in words are replaced by U+FFFD. JSON has all links.

use std::cmp::Reverse;
use std::fmt;

use alinea::alignment::{Alignment, Link};
use alinea::evaluate::{Instance, Options, WorstSentence};
use serde_json::{Value, json};

use crate::input::annotated::{AnnotatedText, Words};

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
    /// Whom it was compared with, if there are several.
    annotator: Option<&'a str>,
    /// Links that are not even possible.
    wrong: Alignment,
    /// Sure links that are not there.
    missed: Alignment,
    words: Option<&'a Words>,
}

impl<'a> Worst<'a> {
    /// The (at most) `n` worst instances; of those with as many errors the first comes first. Such without errors are
    /// left out.
    pub(super) fn new(
        text: &'a AnnotatedText,
        instances: &[Instance<'_>],
        links: &[Alignment],
        options: &Options,
        n: usize,
    ) -> Self {
        let counts: Vec<_> =
            instances.iter().map(|instance| options.count(&instance.gold, &links[instance.sentence])).collect();
        let mut order: Vec<usize> = (0..counts.len()).filter(|&place| counts[place].errors() > 0).collect();
        order.sort_by_key(|&place| Reverse(counts[place].errors()));
        let sentence = |&place: &usize| {
            let (instance, counts) = (&instances[place], counts[place]);
            let (gold, links) = (&instance.gold, &links[instance.sentence]);
            let wrong = links.difference(gold.possible());
            let annotator = instance.annotator.filter(|_| !text.plain);
            Sentence {
                scores: WorstSentence {
                    sentence: instance.sentence + 1,
                    wrong: counts.wrong(),
                    missed: counts.missed(),
                    counts,
                    scores: counts.scores(options.alpha),
                },
                annotator: annotator.map(|number| text.annotations.annotators()[number].name.as_str()),
                wrong: if options.annotated_only { gold.restrict_to_annotated(&wrong) } else { wrong },
                missed: gold.sure().difference(links),
                words: text.words().map(|words| &words[instance.sentence]),
            }
        };
        Self { name: None, sentences: order.iter().take(n).map(sentence).collect() }
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
        if let Some(annotator) = self.annotator {
            value["annotator"] = json!(annotator);
        }
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
        let annotator = self.annotator.map(|name| format!(" ({})", harmless(name))).unwrap_or_default();
        writeln!(f, "sentence {sentence}{annotator}: {wrong} wrong, {missed} missed{aer}")?;
        self.line(f, "wrong", &self.wrong)?;
        self.line(f, "missed", &self.missed)
    }
}

/// A word without characters that a terminal would obey.
fn harmless(word: &str) -> String {
    let obeyed = |c: char| c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    word.chars().map(|c| if obeyed(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}
