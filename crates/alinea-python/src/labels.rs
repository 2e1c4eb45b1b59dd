//! Labels carried over links, and tags.
//!
//! Labels of a sentence come as triples: the first word, the word behind the last one, and the label. `project_labels` returns for
//! each pair what was projected, as the number of the source label, its words and its confidence, and what was not and why.

use alinea::bitext::Text;
use alinea::error::{Position, Result};
use alinea::format::offsets::{OffsetTable, Offsets};
use alinea::format::tokens::{Tokenize, places};
use alinea::labels::{LabeledSpan, Scheme, Tag};
use alinea::parallel::Parallelism;
use alinea::project::labels::{LabelConfig, LabeledPair, Loss, ProjectedLabels, project};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::arguments;
use crate::error::to_python;
use crate::links::{ReadMany, alignments, check_lengths, weighted};
use crate::text::{TextOptions, read_both};
use crate::work::run;

/// A label: its first word, the word behind the last one, what it is.
type Span = (usize, usize, String);

/// What was projected of a sentence, and what was lost.
type Found = (Vec<(usize, usize, usize, f32)>, Vec<(usize, &'static str)>);

/// Projects the labels of a text.
#[pyfunction]
#[pyo3(signature = (source, target, labels, links, confidences, *, method, threshold, min_confidence, threads))]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn project_labels(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    labels: Vec<Vec<Span>>,
    links: ReadMany<'_>,
    confidences: Option<PyReadonlyArray1<'_, f32>>,
    method: &str,
    threshold: f32,
    min_confidence: f32,
    threads: i64,
) -> PyResult<Vec<Found>> {
    let threads = arguments::threads(threads).map_err(to_python)?;
    let method = method.parse().map_err(to_python)?;
    let config = LabelConfig::default().with(|config| {
        config.method = method;
        config.threshold = threshold;
        config.min_confidence = min_confidence;
    });
    let texts = read_both([source, target], TextOptions::AS_IS)?;
    let links = alignments(&links);
    let confidences = confidences.map(|given| given.as_array().to_vec());
    run(py, move |_| {
        config.validate()?;
        check_lengths(texts[0].len(), &[("target", texts[1].len()), ("labels", labels.len()), ("links", links.len())])?;
        let links = weighted(&links, confidences)?;
        let spans: Vec<Vec<LabeledSpan>> =
            labels.into_iter().map(|labels| labels.into_iter().map(span).collect()).collect();
        let pairs: Vec<LabeledPair<'_>> = (0..links.len())
            .map(|n| LabeledPair {
                source: words(&texts[0], n),
                target: words(&texts[1], n),
                spans: &spans[n],
                links: &links[n],
            })
            .collect();
        Ok(project(&pairs, &config, &Parallelism::new(threads)?)?.into_iter().map(found).collect())
    })
}

fn span((start, end, label): Span) -> LabeledSpan {
    LabeledSpan::new(start..end, label)
}

/// The words of a sentence, which came from Python as strings.
fn words(text: &Text, sentence: usize) -> Vec<&str> {
    let word = |word: &alinea::bitext::WordId| std::str::from_utf8(text.vocabulary().word(*word)).unwrap_or_default();
    text.sentence(sentence).iter().map(word).collect()
}

fn found(labels: ProjectedLabels) -> Found {
    let spans = labels.spans.into_iter().map(|span| (span.source, span.words.start, span.words.end, span.confidence));
    (spans.collect(), labels.lost.into_iter().map(|(label, loss): (usize, Loss)| (label, loss.name())).collect())
}

/// The labels of a sentence whose words have these tags.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn label_spans(tags: Vec<String>) -> PyResult<Vec<Span>> {
    let numbered = tags.iter().zip(1..);
    let tags = numbered.map(|(tag, number)| Tag::read(tag, || Position::new("tags", number, 0)));
    let tags = tags.collect::<Result<Vec<_>>>().map_err(to_python)?;
    let spans = alinea::labels::spans_of(&tags).into_iter();
    Ok(spans.map(|LabeledSpan { words, label }| (words.start, words.end, label)).collect())
}

/// The tags of a sentence of so many words.
#[pyfunction]
pub(crate) fn label_tags(spans: Vec<Span>, words: usize, scheme: &str) -> PyResult<Vec<String>> {
    let spans: Vec<LabeledSpan> = spans.into_iter().map(span).collect();
    let tags = scheme.parse().and_then(|scheme: Scheme| scheme.tags(words, &spans));
    tags.map_err(to_python)
}

/// The words of a text that nobody has cut, as places of characters.
#[pyfunction]
pub(crate) fn text_words(text: &str) -> Vec<(usize, usize)> {
    let table = OffsetTable::new(text, Offsets::Characters);
    places(text, Tokenize::Script).iter().map(|word| table.of_bytes(word).into()).collect()
}
