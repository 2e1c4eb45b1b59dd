//! The scores of `alinea.nltk` besides BLEU: GLEU, NIST, RIBES, LEPOR and chrF, and Porter's stemmer.
//!
//! Tokens may be any objects with a hash. They become numbers (`segments`), in which the metrics of the library count,
//! in the variants of NLTK: for NIST each order takes the reference that is best for it, LEPOR and chrF are NLTK's own.
//! chrF reads strings, and all their characters.
//!
//! Functions return what the Python side makes scores of: both sums of GLEU, the F of each order of chrF for each pair
//! of lines, the score by each reference of LEPOR. NIST numbers the tokens of the whole corpus together, since the
//! information of an n-gram is counted over all references; the others number each segment for itself.
//!
//! The counters of GLEU and chrF are kept for the next call of the thread. Calls for single sentences would otherwise
//! take most of their time to make them.

use std::cell::Cell;

use alinea::metric::chrf::nltk::{NltkChrf, NltkChrfConfig, NltkChrfScorer};
use alinea::metric::gleu::{Gleu, GleuConfig, GleuCounter};
use alinea::metric::lepor::{Lepor, LeporConfig, LeporKind, align_as_nltk};
use alinea::metric::nist::{Nist, NistConfig, Several};
use alinea::metric::porter::Porter;
use alinea::metric::ribes::{Ribes, RibesConfig};
use alinea::metric::tokenize::Blanks;
use alinea::metric::{Measurer, Metric};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::segments::{KEPT, Sentences, again, no_reference, segment, segments, with_sentences};
use crate::error::to_python;

thread_local! {
    /// What the last call counted with: calls for one sentence would take most of their time to make it.
    static GLEU: Cell<Option<Box<GleuCounter>>> = const { Cell::new(None) };
    static CHRF: Cell<Option<Box<NltkChrfScorer>>> = const { Cell::new(None) };
}

/// Both numbers of a corpus: matches, and n-grams.
#[pyfunction]
pub(crate) fn gleu(
    list_of_references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
    shortest: usize,
    longest: usize,
) -> PyResult<(f64, f64)> {
    let kept = GLEU.take().filter(|counter| *counter.orders() == (shortest..=longest));
    let mut counter = if let Some(counter) = kept {
        counter
    } else {
        let config = GleuConfig::default().with(|c| {
            c.shortest = shortest;
            c.longest = longest;
        });
        Box::new(Gleu::new(config).map_err(to_python)?.counter())
    };
    let (mut sums, mut most) = ((0.0, 0.0), 0);
    with_sentences(|sentences| {
        for segment in segments(list_of_references, hypotheses)? {
            let (references, hypothesis) = segment?;
            sentences.read_segment(&references, &hypothesis)?;
            let mut references = sentences.iter();
            let hypothesis = references.next_back().unwrap_or_default();
            counter.read_references(references);
            let [matches, total] = counter.count(hypothesis);
            sums.0 += matches;
            sums.1 += total;
            most = most.max(sentences.len());
        }
        PyResult::Ok(())
    })?;
    if most <= KEPT {
        GLEU.set(Some(counter));
    }
    Ok(sums)
}

/// The score of a corpus.
#[pyfunction]
pub(crate) fn nist(
    list_of_references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
    order: usize,
) -> PyResult<f64> {
    // Tokens have the same numbers in all segments.
    let mut sentences = Vec::new();
    let mut ends = Vec::new();
    for pair in segments(list_of_references, hypotheses)? {
        let (references, hypothesis) = pair?;
        sentences.append(&mut segment(&references, hypothesis)?);
        ends.push(sentences.len());
    }
    if std::iter::once(&0).chain(&ends).zip(&ends).any(|(start, end)| end - start < 2) {
        return Err(no_reference());
    }
    let config = NistConfig::default().with(|c| {
        c.order = order;
        c.several = Several::BestOfOrder;
        c.tokenizer = Box::new(Blanks);
    });
    with_sentences(|numbered| {
        numbered.read(&sentences)?;
        nist_of_numbers(config, numbered, &ends)
    })
}

/// `ends` says which sentence is behind the hypothesis of each segment.
fn nist_of_numbers(config: NistConfig, sentences: &Sentences, ends: &[usize]) -> PyResult<f64> {
    let is_hypothesis = |sentence: usize| ends.binary_search(&(sentence + 1)).is_ok();
    let references = sentences.iter().enumerate().filter(|&(number, _)| !is_hypothesis(number));
    let metric = Nist::of_numbers(config, references.map(|(_, reference)| reference)).map_err(to_python)?;
    let mut counter = metric.counter();
    let mut statistics = vec![0.0; metric.width()];
    let mut sums = vec![0.0; metric.width()];
    let mut rest = sentences.iter();
    let mut start = 0;
    for &end in ends {
        counter.read_references(rest.by_ref().take(end - 1 - start)).map_err(to_python)?;
        counter.count(rest.next().unwrap_or_default(), &mut statistics);
        sums.iter_mut().zip(&statistics).for_each(|(sum, statistic)| *sum += statistic);
        start = end;
    }
    // A sum of nothing is -0.
    Ok(metric.score(&sums) + 0.0)
}

/// The score of each segment; 0 without references.
#[pyfunction]
pub(crate) fn ribes(
    list_of_references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
    alpha: f64,
    beta: f64,
) -> PyResult<Vec<f64>> {
    let config = RibesConfig::default().with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.tokenizer = Box::new(Blanks);
    });
    let metric = Ribes::new(config).map_err(to_python)?;
    let mut scorer = metric.scorer();
    let score = |segment: PyResult<(Bound<'_, _>, Bound<'_, _>)>| {
        with_sentences(|sentences| {
            let (references, hypothesis) = segment?;
            sentences.read_segment(&references, &hypothesis)?;
            let mut references = sentences.iter();
            let hypothesis = references.next_back().unwrap_or_default();
            let words = sentences.words();
            let scores = references.map(|reference| scorer.score_numbers(reference, hypothesis, words));
            let scores = scores.collect::<alinea::error::Result<Vec<f64>>>().map_err(to_python)?;
            Ok(scores.into_iter().reduce(f64::max).unwrap_or(0.0))
        })
    };
    segments(list_of_references, hypotheses)?.map(score).collect()
}

/// The places in the reference of the words of the hypothesis.
#[pyfunction]
pub(crate) fn rank_alignment(reference: Bound<'_, PyAny>, hypothesis: Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let sentences = [again(reference)?, again(hypothesis)?];
    with_sentences(|numbered| {
        numbered.read(&sentences)?;
        let names = |sentence: &[u32]| sentence.iter().map(u32::to_string).collect::<Vec<_>>();
        let sentences: Vec<Vec<String>> = numbered.iter().map(names).collect();
        alinea::metric::ribes::word_rank_alignment(&sentences[0], &sentences[1]).map_err(to_python)
    })
}

/// Kendall's tau of places.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn kendall_tau(places: Vec<u32>) -> f64 {
    alinea::metric::ribes::kendall_tau(&places)
}

/// The score by each reference.
#[pyfunction]
pub(crate) fn lepor(
    references: &Bound<'_, PyAny>,
    hypothesis: &Bound<'_, PyAny>,
    alpha: f64,
    beta: f64,
) -> PyResult<Vec<f64>> {
    let config = LeporConfig::default().with(|c| {
        c.alpha = alpha;
        c.beta = beta;
        c.kind = LeporKind::Nltk;
        c.tokenizer = Box::new(Blanks);
    });
    let metric = Lepor::new(config).map_err(to_python)?;
    with_sentences(|sentences| {
        sentences.read_segment(references, hypothesis)?;
        let mut references = sentences.iter();
        let hypothesis = references.next_back().unwrap_or_default();
        let (words, mut scorer) = (sentences.words(), metric.scorer());
        references.map(|reference| scorer.score_numbers(reference, hypothesis, words).map_err(to_python)).collect()
    })
}

/// The places in the reference of the aligned words of the hypothesis.
#[pyfunction]
pub(crate) fn lepor_alignment(reference: Bound<'_, PyAny>, hypothesis: Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let sentences = [again(reference)?, again(hypothesis)?];
    with_sentences(|numbered| {
        numbered.read(&sentences)?;
        let sentences: Vec<&[u32]> = numbered.iter().collect();
        let words = sentences.iter().flat_map(|sentence| sentence.iter()).max().map_or(0, |&last| last as usize + 1);
        let pairs = align_as_nltk(sentences[0], sentences[1], words).map_err(to_python)?;
        Ok(pairs.into_iter().map(|(_, place)| place).collect())
    })
}

/// F of each order, for each pair of lines.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn chrf(
    references: Vec<String>,
    hypotheses: Vec<String>,
    shortest: usize,
    longest: usize,
    beta: f64,
) -> PyResult<Vec<Vec<f64>>> {
    let config = NltkChrfConfig::default().with(|c| {
        c.shortest = shortest;
        c.longest = longest;
        c.beta = beta;
        c.whitespace = true;
    });
    let kept = CHRF.take().filter(|scorer| *scorer.metric().config() == config);
    let mut scorer = match kept {
        Some(scorer) => scorer,
        None => Box::new(NltkChrf::new(config).map_err(to_python)?.scorer()),
    };
    let orders = scorer.metric().width() - 1;
    let mut statistics = vec![0.0; orders + 1];
    let mut by_order = vec![Vec::with_capacity(references.len()); orders];
    for (reference, hypothesis) in references.iter().zip(&hypotheses) {
        scorer.read_references(&[reference]).map_err(to_python)?;
        scorer.measure(hypothesis, &mut statistics).map_err(to_python)?;
        by_order.iter_mut().zip(&statistics).for_each(|(list, &f)| list.push(f));
    }
    if references.iter().chain(&hypotheses).all(|line| line.len() <= KEPT) {
        CHRF.set(Some(scorer));
    }
    Ok(by_order)
}

/// The stem of a word by Porter's rules.
#[pyfunction]
pub(crate) fn stem(word: &str, kind: &str) -> PyResult<String> {
    let kinds = [Porter::Nltk, Porter::Author, Porter::Original];
    let porter = kinds.into_iter().find(|porter| porter.name() == kind);
    let porter = porter.ok_or_else(|| PyValueError::new_err(format!("no rules are called {kind}")))?;
    Ok(porter.stem(word))
}
