//! Inline tags carried over links.
//!
//! `project_markup` returns for each pair the translation with its tags, and for each tag that stands alone, and each pair of tags, what became of it:
//! the tags as they are written, the words in the source and in the target, the confidence, and why it was not placed.

use alinea::error::{Position, Result};
use alinea::format::markup::{Markup, Segment, Syntax, Translation, write};
use alinea::format::tokens::Tokenize;
use alinea::parallel::Parallelism;
use alinea::project::markup::{Fate, Loss, MarkedPair, MarkupConfig, Unplaced, project};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

use crate::arguments;
use crate::error::to_python;
use crate::links::{ReadMany, alignments, check_lengths, weighted};
use crate::work::run;

/// What became of a tag or a pair.
type Told = (String, Option<String>, (usize, usize), Option<(usize, usize)>, f32, Option<&'static str>);

/// The words that links of a segment count.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn markup_words(
    segment: &str,
    syntax: &str,
    placeholders: Vec<String>,
    tokenize: &str,
) -> PyResult<Vec<String>> {
    let words = || -> Result<Vec<String>> {
        let markup = Markup::new(syntax.parse()?).with_placeholders(&placeholders)?;
        let rule = Tokenize::rule(tokenize)?;
        let segment = markup.segment(segment, &Position::new("segment", 1, 0))?;
        Ok(segment.words(rule).into_iter().map(|word| segment.text[word].to_owned()).collect())
    };
    words().map_err(to_python)
}

/// Carries the tags of a text over to its translation.
#[pyfunction]
#[pyo3(signature = (source, target, links, confidences, *, syntax, placeholders, escaped, tokenize, unplaced, threads))]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn project_markup(
    py: Python<'_>,
    source: Vec<String>,
    target: Vec<String>,
    links: ReadMany<'_>,
    confidences: Option<PyReadonlyArray1<'_, f32>>,
    syntax: &str,
    placeholders: Vec<String>,
    escaped: bool,
    tokenize: &str,
    unplaced: &str,
    threads: i64,
) -> PyResult<Vec<(String, Vec<Told>)>> {
    let threads = arguments::threads(threads).map_err(to_python)?;
    let syntax: Syntax = syntax.parse().map_err(to_python)?;
    let words = Tokenize::rule(tokenize).map_err(to_python)?;
    let unplaced: Unplaced = unplaced.parse().map_err(to_python)?;
    let markup = Markup::new(syntax).with_placeholders(&placeholders).map_err(to_python)?;
    let markup = markup.with_escaped_translations(escaped);
    let links = alignments(&links);
    let confidences = confidences.map(|given| given.as_array().to_vec());
    run(py, move |_| {
        check_lengths(source.len(), &[("target", target.len()), ("links", links.len())])?;
        let links = weighted(&links, confidences)?;
        let texts = source.iter().zip(&target).zip(1..).map(|((source, target), line)| {
            let segment = markup.segment(source, &Position::new("source", line, 0))?;
            let translation = markup.translation(target, &segment, &Position::new("target", line, 0))?;
            Ok((segment, translation))
        });
        let texts: Vec<(Segment, Translation)> = texts.collect::<Result<_>>()?;
        let pairs: Vec<MarkedPair<'_>> = texts
            .iter()
            .zip(&links)
            .map(|((source, target), links)| MarkedPair { source, target, links, words })
            .collect();
        let config = MarkupConfig::default().with(|config| config.unplaced = unplaced);
        let found = project(&pairs, &config, &Parallelism::new(threads)?)?;
        let told = pairs.iter().zip(found).map(|(pair, found)| {
            let fates = found.fates.iter().map(|fate| told(pair.source, fate)).collect();
            (write(pair.source, pair.target, &found.places), fates)
        });
        Ok(told.collect())
    })
}

fn told(segment: &Segment, fate: &Fate) -> Told {
    let code = |tag: usize| segment.code(tag).to_owned();
    let target = fate.target.as_ref().map(|words| (words.start, words.end));
    let source = (fate.source.start, fate.source.end);
    (code(fate.tag), fate.close.map(code), source, target, fate.confidence, fate.lost.map(Loss::name))
}
