//! METEOR without synonyms: words that are equal, and words of one stem.
//!
//! Sentences are lists of plain strings here; whatever else they may be is left to Python, and so are scores that are no
//! numbers.

use std::cell::Cell;

use alinea::metric::meteor::{Meteor, MeteorAligner, MeteorConfig};
use alinea::metric::porter::Porter;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

thread_local! {
    /// With the stems of words that were met before.
    static ALIGNER: Cell<Option<Box<MeteorAligner>>> = const { Cell::new(None) };
}

/// Lends the aligner of this thread.
fn with_aligner<T>(work: impl FnOnce(&mut MeteorAligner) -> T) -> T {
    let mut aligner = ALIGNER.take().unwrap_or_else(|| Box::new(MeteorAligner::new(Porter::Nltk)));
    let result = work(&mut aligner);
    ALIGNER.set(Some(aligner));
    result
}

/// The best score of a hypothesis, its words and those of the references put into lower case; nothing if Python has to
/// compute it.
#[pyfunction]
pub(crate) fn meteor(
    references: &Bound<'_, PyAny>,
    hypothesis: &Bound<'_, PyAny>,
    alpha: f64,
    beta: f64,
    gamma: f64,
) -> PyResult<Option<f64>> {
    let (Ok(references), Ok(hypothesis)) = (references.cast_exact::<PyList>(), hypothesis.cast_exact::<PyList>())
    else {
        return Ok(None);
    };
    let Ok(metric) = Meteor::new(MeteorConfig::default().with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.gamma = gamma;
    })) else {
        return Ok(None);
    };
    with_aligner(|aligner| {
        aligner.begin();
        let mut lowered = String::new();
        if !each_lowered(hypothesis, &mut lowered, |word| aligner.push_hypothesis(word))? {
            return Ok(None);
        }
        let mut best: Option<f64> = None;
        for reference in references {
            aligner.begin_reference();
            let Ok(reference) = reference.cast_exact::<PyList>() else { return Ok(None) };
            if !each_lowered(reference, &mut lowered, |word| aligner.push_reference(word))? {
                return Ok(None);
            }
            aligner.align();
            let (matches, chunks) = aligner.matches_and_chunks();
            let (words, others) = aligner.lengths();
            let score = metric.score_of_counts(matches, chunks, words, others);
            if !score.is_finite() {
                return Ok(None);
            }
            best = Some(best.map_or(score, |best| best.max(score)));
        }
        Ok(best)
    })
}

/// Hands on each word in lower case; false if one is no plain string.
fn each_lowered(sentence: &Bound<'_, PyList>, lowered: &mut String, mut take: impl FnMut(&str)) -> PyResult<bool> {
    for token in sentence {
        let Ok(Ok(word)) = token.cast_exact::<PyString>().map(|token| token.to_str()) else { return Ok(false) };
        if word.is_ascii() {
            lowered.clear();
            lowered.push_str(word);
            lowered.make_ascii_lowercase();
            take(lowered);
        } else {
            // Python's tables of characters may be older or newer.
            let word = token.call_method0(intern!(token.py(), "lower"))?;
            take(word.cast::<PyString>()?.to_str()?);
        }
    }
    Ok(true)
}

/// Places that are matched, and what is left.
type Stages = (Vec<(u32, u32)>, Vec<(u32, String)>, Vec<(u32, String)>);

/// Matches words, put into lower case, as they are, and then by stem: pairs of places in hypothesis and reference, and what
/// is left of both, places and stems. Nothing if Python has to do it.
#[pyfunction]
pub(crate) fn meteor_stages(hypothesis: &Bound<'_, PyAny>, reference: &Bound<'_, PyAny>) -> PyResult<Option<Stages>> {
    let (Ok(hypothesis), Ok(reference)) = (hypothesis.cast_exact::<PyList>(), reference.cast_exact::<PyList>()) else {
        return Ok(None);
    };
    with_aligner(|aligner| {
        aligner.begin();
        let mut lowered = String::new();
        if !each_lowered(hypothesis, &mut lowered, |word| aligner.push_hypothesis(word))?
            || !each_lowered(reference, &mut lowered, |word| aligner.push_reference(word))?
        {
            return Ok(None);
        }
        aligner.align();
        aligner.matches_and_chunks();
        let pairs = aligner.pairs().to_vec();
        let owned = |left: Vec<(u32, &str)>| left.into_iter().map(|(place, stem)| (place, stem.to_owned())).collect();
        let words = owned(aligner.left_in_hypothesis());
        Ok(Some((pairs, words, owned(aligner.left_in_reference()))))
    })
}
