//! Agreement between annotators and types of correspondences, for Python.
//!
//! `agreement` returns for each two annotators the counts over the sentences that both annotated, the shares, A and κ,
//! and the means over all pairs; κ needs the lengths of the sentences. `correspondence_types` counts 1-1 links, chunks,
//! NULL words and runs of them. Definitions are in `alinea::evaluate`; there are no intervals here. `read` makes
//! annotations of what Python passes (`None` for a sentence that was not annotated), and serves `evaluate` as well.

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::error::{Error, Result};
use alinea::evaluate::{
    AgreementOptions, Annotation, Annotations, Correspondences, LinkKinds, PairAgreement, PairLengths,
};
use pyo3::prelude::*;

use super::links::{ReadLinks, ReadMany, alignment, alignments};
use super::work::run;

/// What one person linked: the sure and the possible links of every sentence, nothing where the person did not do it.
pub(crate) type ReadAnnotation<'py> = (String, Vec<Option<(ReadLinks<'py>, ReadLinks<'py>)>>);

/// The names of two people; the number of sentences; common links, those of each, cells; both shares; A and κ.
type Pair = ((String, String), usize, [u64; 4], [Option<f64>; 4]);

pub(crate) fn read(annotators: &[ReadAnnotation<'_>]) -> Vec<Annotation> {
    let gold = |(sure, possible): &(ReadLinks<'_>, ReadLinks<'_>)| {
        GoldAlignment::from_parts(alignment(sure), &alignment(possible))
    };
    let annotation = |(name, sentences): &ReadAnnotation<'_>| {
        Annotation::new(name, sentences.iter().map(|sentence| sentence.as_ref().map(gold)).collect())
    };
    annotators.iter().map(annotation).collect()
}

fn pair_lengths(lengths: Vec<(usize, usize)>) -> Vec<PairLengths> {
    lengths.into_iter().map(|(source, target)| PairLengths::new(source, target)).collect()
}

/// How much people agree, pair by pair.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn agreement<'py>(
    py: Python<'py>,
    annotators: Vec<ReadAnnotation<'py>>,
    lengths: Option<Vec<(usize, usize)>>,
    sure_only: bool,
) -> PyResult<(Vec<Pair>, [Option<f64>; 2])> {
    let (annotators, lengths) = (read(&annotators), lengths.map(pair_lengths));
    let kinds = if sure_only { LinkKinds::Sure } else { LinkKinds::All };
    let options = AgreementOptions::default().with(|c| {
        c.kinds = kinds;
        c.bootstrap = None;
    });
    let found = run(py, move |_| Annotations::new(annotators)?.agreement(lengths.as_deref(), &options))?;
    let pair = |pair: PairAgreement| -> Pair {
        let counts = [pair.counts.common, pair.counts.first, pair.counts.second, pair.counts.cells];
        let shares = [pair.second_covered, pair.first_covered, pair.agreement.value, pair.kappa.value];
        ((pair.first, pair.second), pair.sentences, counts, shares)
    };
    Ok((found.pairs.into_iter().map(pair).collect(), [found.mean_agreement, found.mean_kappa]))
}

/// Numbers of correspondences: 1-1, chunks, words without link, runs of such words.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn correspondence_types<'py>(
    py: Python<'py>,
    links: ReadMany<'py>,
    lengths: Vec<(usize, usize)>,
) -> PyResult<[u64; 4]> {
    let (links, lengths) = (alignments(&links), pair_lengths(lengths));
    let counts = run(py, move |_| count(&links, &lengths))?;
    Ok([counts.one_to_one, counts.chunks, counts.null_words, counts.null_runs])
}

fn count(links: &[Alignment], lengths: &[PairLengths]) -> Result<Correspondences> {
    if links.len() != lengths.len() {
        return Err(Error::unequal_lengths("links", links.len() as u64, "lengths", lengths.len() as u64));
    }
    let sentences = links.iter().cloned().map(|links| Some(GoldAlignment::from_parts(links, &Alignment::new())));
    let annotations = Annotations::new(vec![Annotation::new("", sentences.collect())])?;
    let types = annotations.correspondences(lengths, LinkKinds::All)?;
    Ok(types.first().map(|types| types.counts).unwrap_or_default())
}
