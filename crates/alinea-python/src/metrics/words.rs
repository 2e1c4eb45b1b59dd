//! The metrics that compare words, made of their settings: GLEU, NIST, RIBES, METEOR, LEPOR, word order, LRscore.
//!
//! A function for each metric takes all its settings, since the defaults are those of the Python classes; checks names
//! and numbers; and returns a `BoundMetric`, which counts and scores. Tokenizers are shared with Python, not copied.
//!
//! NIST also takes the references, which the information of n-grams is counted in. METEOR takes its synonyms as sets of
//! words or as a file. `order_metric` makes any score of word order by its name. LRscore takes a `BoundMetric` that
//! must be BLEU, and reads lines with the links of their source.

use std::path::PathBuf;
use std::sync::Arc;

use alinea::error::{Error, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::metric::Segments;
use alinea::metric::gleu::{Gleu, GleuConfig};
use alinea::metric::lepor::{Lepor, LeporConfig, LeporKind};
use alinea::metric::meteor::{Meteor, MeteorConfig, SynonymLookup, Synonyms};
use alinea::metric::nist::{Nist, NistConfig, Several};
use alinea::metric::order::{LinkedLrScore, LrScore, Order, OrderConfig};
use alinea::metric::porter::Porter;
use alinea::metric::ribes::{Correlation, Ribes, RibesConfig};
use alinea::progress::check;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use super::bound_metric::{BoundMetric, Kind};
use super::tokenizer::NamedTokenizer;
use crate::arguments::natural;
use crate::error::to_python;
use crate::text::file;
use crate::work::{BATCH, run};

/// The choice that has a name.
fn choose<T: Copy>(field: &'static str, name: &str, choices: &[(&str, T)], allowed: &'static str) -> Result<T> {
    let found = choices.iter().find(|(known, _)| *known == name);
    found.map(|&(_, choice)| choice).ok_or_else(|| Error::config(field, name, allowed))
}

/// GLEU.
#[pyfunction]
#[pyo3(signature = (*, tokenizer, shortest, longest, lowercase))]
pub(crate) fn gleu_metric(
    tokenizer: &NamedTokenizer,
    shortest: i64,
    longest: i64,
    lowercase: bool,
) -> PyResult<BoundMetric> {
    let longest = natural("longest n-gram", longest, 1, "1 to 32").map_err(to_python)?;
    let shortest = natural("shortest n-gram", shortest, 1, "1 to the longest").map_err(to_python)?;
    BoundMetric::new(Gleu::new(GleuConfig::default().with(|c| {
        c.shortest = shortest;
        c.longest = longest;
        c.lowercase = lowercase;
        c.tokenizer = tokenizer.shared();
    })))
}

/// NIST, for a text with these references.
#[pyfunction]
#[pyo3(signature = (references, *, tokenizer, order, several, lowercase))]
pub(crate) fn nist_metric(
    py: Python<'_>,
    references: Vec<Vec<PyBackedStr>>,
    tokenizer: &NamedTokenizer,
    order: i64,
    several: &str,
    lowercase: bool,
) -> PyResult<BoundMetric> {
    let kinds = [("together", Several::Together), ("nltk", Several::BestOfOrder)];
    let several = choose("several", several, &kinds, "together or nltk").map_err(to_python)?;
    let order = natural("order", order, 1, "1 to 32").map_err(to_python)?;
    let config = NistConfig::default().with(|c| {
        c.order = order;
        c.several = several;
        c.lowercase = lowercase;
        c.tokenizer = tokenizer.shared();
    });
    let nist = run(py, move |observer| {
        let mut segments = Segments::new(0);
        for (number, references) in references.iter().enumerate() {
            if number % BATCH == 0 {
                check(observer)?;
            }
            // A segment without references is refused when it is counted.
            if !references.is_empty() {
                segments.push(&[], &references.iter().map(|reference| &**reference).collect::<Vec<_>>());
            }
        }
        Nist::new(config, &segments)
    })?;
    BoundMetric::new(Ok(nist))
}

/// RIBES.
#[pyfunction]
#[pyo3(signature = (*, tokenizer, alpha, beta, correlation, lowercase))]
pub(crate) fn ribes_metric(
    tokenizer: &NamedTokenizer,
    alpha: f64,
    beta: f64,
    correlation: &str,
    lowercase: bool,
) -> PyResult<BoundMetric> {
    let kinds =
        [("tau", Correlation::Kendall), ("rho", Correlation::Spearman), ("rho-nltk", Correlation::SpearmanOfPlaces)];
    let correlation = choose("correlation", correlation, &kinds, "tau, rho or rho-nltk").map_err(to_python)?;
    BoundMetric::new(Ribes::new(RibesConfig::default().with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.correlation = correlation;
        c.lowercase = lowercase;
        c.tokenizer = tokenizer.shared();
    })))
}

/// How much recall counts in METEOR, and the penalty.
#[derive(FromPyObject, Clone, Copy)]
#[pyo3(from_item_all)]
pub(crate) struct MeteorParameters {
    alpha: f64,
    beta: f64,
    gamma: f64,
}

/// METEOR, with the synonyms of a file or of sets.
#[pyfunction]
#[pyo3(signature = (*, tokenizer, parameters, stemmer, synonyms, synonyms_file, lookup, lowercase))]
pub(crate) fn meteor_metric(
    tokenizer: &NamedTokenizer,
    parameters: MeteorParameters,
    stemmer: Option<&str>,
    synonyms: Option<Vec<Vec<PyBackedStr>>>,
    synonyms_file: Option<PathBuf>,
    lookup: &str,
    lowercase: bool,
) -> PyResult<BoundMetric> {
    let stemmers = [Porter::Nltk, Porter::Author, Porter::Original].map(|porter| (porter.name(), porter));
    let stemmer = stemmer.map(|name| choose("stemmer", name, &stemmers, "nltk, author, original or None"));
    let lookups = [("words", SynonymLookup::Words), ("stems", SynonymLookup::Stems)];
    let synonyms = match (synonyms, synonyms_file) {
        (Some(sets), _) => {
            let mut synonyms = Synonyms::default();
            for set in sets {
                synonyms.insert(&set.iter().map(|word| &**word).collect::<Vec<_>>());
            }
            Some(synonyms)
        }
        (None, Some(path)) => {
            let lines = LineReader::open(file(path), Utf8::Strict).map_err(to_python)?;
            Some(Synonyms::read(lines).map_err(to_python)?)
        }
        (None, None) => None,
    };
    let MeteorParameters { alpha, beta, gamma } = parameters;
    let stemmer = stemmer.transpose().map_err(to_python)?;
    let lookup = choose("synonym_lookup", lookup, &lookups, "words or stems").map_err(to_python)?;
    BoundMetric::new(Meteor::new(MeteorConfig::default().with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.gamma = gamma;
        c.stemmer = stemmer;
        c.synonyms = synonyms;
        c.lookup = lookup;
        c.lowercase = lowercase;
        c.tokenizer = tokenizer.shared();
    })))
}

/// LEPOR.
#[pyfunction]
#[pyo3(signature = (*, tokenizer, alpha, beta, kind, lowercase))]
pub(crate) fn lepor_metric(
    tokenizer: &NamedTokenizer,
    alpha: f64,
    beta: f64,
    kind: &str,
    lowercase: bool,
) -> PyResult<BoundMetric> {
    let kinds = [("paper", LeporKind::Paper), ("nltk", LeporKind::Nltk)];
    let kind = choose("kind", kind, &kinds, "paper or nltk").map_err(to_python)?;
    BoundMetric::new(Lepor::new(LeporConfig::default().with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.kind = kind;
        c.lowercase = lowercase;
        c.tokenizer = tokenizer.shared();
    })))
}

/// A score of the order of words.
#[pyfunction]
#[pyo3(signature = (*, tokenizer, kind, alpha, beta, lowercase))]
pub(crate) fn order_metric(
    tokenizer: &NamedTokenizer,
    kind: &str,
    alpha: f64,
    beta: f64,
    lowercase: bool,
) -> PyResult<BoundMetric> {
    let score = kind.parse().map_err(to_python)?;
    BoundMetric::new(Order::new(OrderConfig::new(score).with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.lowercase = lowercase;
        c.tokenizer = tokenizer.shared();
    })))
}

/// LRscore of lines with links, with this BLEU.
#[pyfunction]
#[pyo3(signature = (bleu, *, kind, alpha))]
pub(crate) fn lr_metric(bleu: &BoundMetric, kind: &str, alpha: f64) -> PyResult<BoundMetric> {
    let Kind::Bleu(bleu) = &bleu.0 else {
        return Err(PyTypeError::new_err(format!("{} is not BLEU", bleu.metric().name())));
    };
    let lr_score = kind.parse().and_then(|score| LrScore::new(score, alpha));
    BoundMetric::new(lr_score.map(|lr_score| LinkedLrScore::new(lr_score, Arc::clone(bleu))))
}
