//! A dictionary as one page for a browser, with nothing outside the file.
//!
//! The page has a list of headwords, of which only those that are seen are drawn, to be searched by their words and by their
//! translations, and the translations of the one that is chosen, with examples. The data is one JSON object, as short as possible:
//!
//! ```text
//! {"side": 0, "pairs": 420, "words": 7000,
//!  "heads": [[word, count, untranslated, [other translations, their count],
//!             [[translation, count, confidence or null, G², Dice, examples], …], examples of what is untranslated], …],
//!  "sentences": [[name, source words, target words], …]}
//! ```
//!
//! with examples `[sentence, places in the source, places in the target]`, sentences from 0. Each sentence is there once. The page
//! flows through: [`ConcordancePage::start`], [`ConcordancePage::headword`] for each, [`ConcordancePage::end`]; memory is taken for the
//! sentences of examples. `<` is written as an escape, so that no word ends the script, and the page forbids itself (by a Content
//! Security Policy) to load anything.
//!
//! ```
//! use alinea::bitext::Side;
//! use alinea::concordance::{Concordance, ConcordanceConfig, LinkedPair, Query};
//! use alinea::view::ConcordancePage;
//!
//! let found: Concordance = Concordance::build(&ConcordanceConfig::default(), &Query::all(), |visit| {
//!     visit(&LinkedPair::new(&["</script>"], &["b"], &[]))
//! })?;
//! let mut page = ConcordancePage::new("One word", Side::Source);
//! let mut text = page.start(&found);
//! for headword in found.headwords() {
//!     text += &page.headword(&headword);
//! }
//! text += &page.end();
//! assert!(text.starts_with("<!DOCTYPE html>") && text.ends_with("</html>\n"));
//! assert!(text.contains(r#"["\u003c/script>",1,1,[0,0],[],[]]"#));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::html::{harmless, push_escaped};
use crate::bitext::Side;
use crate::concordance::{Concordance, Example, Headword, Sentence, Translation};

const FRAME: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A page that is being written; the module has the order of its parts.
#[derive(Debug)]
pub struct ConcordancePage {
    title: String,
    side: Side,
    heads: u64,
    /// The place of each sentence by its number, and the sentences.
    places: BTreeMap<u64, usize>,
    sentences: Vec<Arc<Sentence>>,
}

impl ConcordancePage {
    /// A page of headwords of this side.
    pub fn new(title: impl Into<String>, side: Side) -> Self {
        Self { title: title.into(), side, heads: 0, places: BTreeMap::new(), sentences: Vec::new() }
    }

    /// What comes before the headwords.
    #[must_use]
    pub fn start(&self, found: &Concordance) -> String {
        let mut out = String::new();
        for (n, piece) in frame().0.split("{title}").enumerate() {
            if n > 0 {
                push_escaped(&mut out, &self.title);
            }
            match piece.split_once("{style}") {
                Some((before, after)) => out.extend([before, STYLE, after]),
                None => out += piece,
            }
        }
        let side = u8::from(self.side == Side::Target);
        out + &format!("{{\"side\":{side},\"pairs\":{},\"words\":{},\"heads\":[", found.pairs(), found.words())
    }

    /// The next headword.
    #[must_use]
    pub fn headword(&mut self, headword: &Headword) -> String {
        let translations: Vec<Value> = headword.translations.iter().map(|found| self.translation(found)).collect();
        let untranslated = self.examples(&headword.untranslated_examples);
        let Headword { word, count, others, untranslated: without, .. } = headword;
        let json = json!([word, count, without, others, translations, untranslated]);
        self.heads += 1;
        format!("{}{}", if self.heads == 1 { "\n" } else { ",\n" }, harmless(json.to_string()))
    }

    /// What comes after the headwords.
    #[must_use]
    pub fn end(self) -> String {
        let mut out = "\n],\"sentences\":[".to_owned();
        for (n, sentence) in self.sentences.iter().enumerate() {
            let name = sentence.name.clone().unwrap_or_else(|| format!("#{}", sentence.number));
            let words = sentence.words.each_ref().map(|words| words.words().collect::<Value>());
            out += if n == 0 { "\n" } else { ",\n" };
            out += &harmless(json!([name, words[0], words[1]]).to_string());
        }
        out += "\n]}";
        let (before, after) = frame().1.split_once("{script}").unwrap_or_default();
        out.extend([before, SCRIPT, after]);
        out
    }

    fn translation(&mut self, found: &Translation) -> Value {
        let examples = self.examples(&found.examples);
        let rounded = |value: f64, unit: f64| (value * unit).round() / unit;
        let confidence = found.confidence.map(|confidence| rounded(confidence, 100.0));
        let (score, dice) = (rounded(found.log_likelihood, 10.0), rounded(found.dice, 1000.0));
        json!([found.words, found.count, confidence, score, dice, examples])
    }

    fn examples(&mut self, examples: &[Example]) -> Vec<Value> {
        let place = |example: &Example| {
            let place = *self.places.entry(example.sentence.number).or_insert_with(|| {
                self.sentences.push(Arc::clone(&example.sentence));
                self.sentences.len() - 1
            });
            json!([place, example.places[0], example.places[1]])
        };
        examples.iter().map(place).collect()
    }
}

/// The frame before and after the data.
fn frame() -> (&'static str, &'static str) {
    FRAME.split_once("{data}").unwrap_or_default()
}
