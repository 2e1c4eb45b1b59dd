//! How words are translated.
//!
//! `concordance` counts over the links of a text and returns the numbers of pairs and words, the words that do not occur, and for each
//! headword a tuple, with tuples for translations and examples.

use alinea::alignment::Alignment;
use alinea::bitext::{Side, Text, WordId};
use alinea::concordance::{
    Concordance, ConcordanceConfig, Example, Headword, LinkedPair, PossibleLink, Query, Rank, Translation,
};
use alinea::error::{Error, ErrorKind, Result};
use alinea::progress::check;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::arguments::natural;
use crate::error::to_python;
use crate::links::{ReadMany, alignments};
use crate::text::{self, TextOptions};
use crate::work::run;

/// Pairs between two questions whether to stop.
const BATCH: usize = 4096;

/// Pair from 0, its name, words of both sides, places of both sides, confidence.
type ShownExample = (u64, Option<String>, Vec<String>, Vec<String>, Vec<u32>, Vec<u32>, Option<f32>);

/// Words, count, share, confidence, G², Dice, examples.
type ShownTranslation = (String, u64, f64, Option<f64>, f64, f64, Vec<ShownExample>);

/// Word, count, translations, types and count of others, count of what is untranslated, examples of that.
type ShownHeadword = (String, u64, Vec<ShownTranslation>, [u64; 2], u64, Vec<ShownExample>);

/// Pairs, words, what does not occur, headwords.
type Shown = (u64, u64, Vec<String>, Vec<ShownHeadword>);

/// What is looked up and how.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Wanted {
    words: Option<Vec<String>>,
    side: String,
    regex: bool,
    case: bool,
    threshold: f32,
    min_count: i64,
    top: Option<i64>,
    rank: String,
    examples: i64,
}

impl Wanted {
    fn query(&self) -> Result<Query> {
        self.words.as_ref().map_or_else(|| Ok(Query::all()), |words| Query::words(words, self.regex))
    }

    fn config(&self) -> Result<ConcordanceConfig> {
        let side = match self.side.as_str() {
            "source" => Side::Source,
            "target" => Side::Target,
            other => return Err(Error::config("side", other, "source or target")),
        };
        let rank: Rank = self.rank.parse()?;
        let min_count = natural("min_count", self.min_count, 0, "0 or more")? as u64;
        let top = self.top.map(|top| natural("top", top, 0, "0 or more, or None")).transpose()?;
        let examples = natural("examples", self.examples, 0, "0 or more")?;
        let config = ConcordanceConfig::default().with(|config| {
            config.side = side;
            config.case = self.case;
            config.threshold = self.threshold;
            config.min_count = min_count;
            config.top = top;
            config.rank = rank;
            config.examples = examples;
        });
        config.validate()?;
        Ok(config)
    }
}

/// The text, as Python gives it.
struct Given {
    texts: [Text; 2],
    lemmas: [Option<Text>; 2],
    names: Option<Vec<String>>,
    links: Vec<Alignment>,
    confidences: Option<Vec<f32>>,
}

/// Counts how words are translated.
#[pyfunction]
#[pyo3(signature = (source, target, links, confidences, lemmas, names, wanted))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn concordance<'py>(
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    links: ReadMany<'py>,
    confidences: Option<PyReadonlyArray1<'py, f32>>,
    lemmas: (Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>),
    names: Option<Vec<String>>,
    wanted: Wanted,
) -> PyResult<Shown> {
    let config = wanted.config().map_err(to_python)?;
    let query = wanted.query().map_err(to_python)?;
    let texts = text::read_both([source, target], TextOptions::AS_IS)?;
    let lemmas_of = |lemmas: &Option<Bound<'py, PyAny>>, name: &str| {
        lemmas.as_ref().map(|lemmas| text::read(lemmas, name, TextOptions::AS_IS)).transpose()
    };
    let lemmas = [lemmas_of(&lemmas.0, "source_lemmas")?, lemmas_of(&lemmas.1, "target_lemmas")?];
    let links = alignments(&links);
    let confidences = confidences.map(|given| given.as_array().to_vec());
    let given = Given { texts, lemmas, names, links, confidences };
    run(source.py(), move |observer| {
        given.check()?;
        let found = Concordance::build(&config, &query, |visit| given.each(|| check(observer), visit))?;
        let headwords = found.headwords().map(headword).collect();
        Ok((found.pairs(), found.words(), found.missing().to_vec(), headwords))
    })
}

impl Given {
    /// Refuses what is not as long as the source.
    fn check(&self) -> Result<()> {
        let pairs = self.texts[0].len();
        let lengths = [
            ("target", Some(self.texts[1].len())),
            ("links", Some(self.links.len())),
            ("source_lemmas", self.lemmas[0].as_ref().map(Text::len)),
            ("target_lemmas", self.lemmas[1].as_ref().map(Text::len)),
            ("ids", self.names.as_ref().map(Vec::len)),
        ];
        for (name, length) in lengths {
            if let Some(length) = length.filter(|length| *length != pairs) {
                let message = format!("unequal lengths: source has {pairs} sentences, {name} has {length}");
                return Err(ErrorKind::Inconsistent(message).into());
            }
        }
        let number = self.links.iter().map(|links| links.links().len()).sum::<usize>();
        if let Some(given) = self.confidences.as_ref().filter(|given| given.len() != number) {
            let message = format!("{number} links have {} confidences", given.len());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(())
    }

    /// Goes through the pairs.
    fn each(&self, check: impl Fn() -> Result<()>, visit: &mut dyn FnMut(&LinkedPair<'_>) -> Result<()>) -> Result<()> {
        let mut weights = self.confidences.iter().flatten();
        for (n, links) in self.links.iter().enumerate() {
            if n % BATCH == 0 {
                check()?;
            }
            let links: Vec<PossibleLink> = links.links().iter().map(|&link| (link, weights.next().copied())).collect();
            let [source, target] = self.texts.each_ref().map(|text| words(text, n));
            let lemmas = self.lemmas.each_ref().map(|lemmas| lemmas.as_ref().map(|lemmas| words(lemmas, n)));
            let name = self.names.as_ref().map(|names| names[n].as_str()).filter(|name| !name.is_empty());
            let pair = LinkedPair::new(&source, &target, &links);
            visit(&pair.with_lemmas([lemmas[0].as_deref(), lemmas[1].as_deref()]).with_name(name))?;
        }
        Ok(())
    }
}

/// The words of a sentence, which came from Python as strings.
fn words(text: &Text, sentence: usize) -> Vec<&str> {
    let word = |word: &WordId| std::str::from_utf8(text.vocabulary().word(*word)).unwrap_or_default();
    text.sentence(sentence).iter().map(word).collect()
}

fn headword(headword: Headword) -> ShownHeadword {
    let Headword { word, count, translations, others, untranslated, untranslated_examples } = headword;
    let translations = translations.into_iter().map(translation).collect();
    (word, count, translations, others, untranslated, untranslated_examples.iter().map(example).collect())
}

fn translation(found: Translation) -> ShownTranslation {
    let Translation { words, count, share, confidence, log_likelihood, dice, examples } = found;
    (words, count, share, confidence, log_likelihood, dice, examples.iter().map(example).collect())
}

fn example(example: &Example) -> ShownExample {
    let sentence = &example.sentence;
    let words = |side: usize| sentence.words[side].words().map(str::to_owned).collect();
    let [source, target] = example.places.clone();
    (sentence.number - 1, sentence.name.clone(), words(0), words(1), source, target, example.confidence)
}
