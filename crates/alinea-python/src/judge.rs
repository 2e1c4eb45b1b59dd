//! Breakdowns of alignment scores, gains over a baseline, and pages for a browser.
//!
//! `breakdown` sorts the links of a hypothesis and of the gold standard into buckets by an attribute: fertility if
//! nothing is given, the distance from the diagonal if the lengths of sentences are, and otherwise a tag or a frequency
//! for each word of one side. Each bucket has its scores and the counts behind them. `gains` compares a system with a
//! baseline: absolute and relative gains in precision, recall, F and AER, with bootstrap intervals over sentences.
//!
//! `write_page` writes an HTML page with both texts, sets of links with or without confidences, gold standards, and
//! trees for the sentences that are not empty. Pairs are written one after another; the file is complete or absent.

use std::path::PathBuf;

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::bitext::{Bitext, Side, Text};
use alinea::error::{Error, ErrorKind, Result};
use alinea::evaluate::{
    Annotations, Attribute, GainEstimate, Options, PairLengths, References, breakdown as break_down,
    evaluate_annotations, gains as gains_of,
};
use alinea::format::alignment::{LinkRecord, PairRecord};
use alinea::format::sink;
use alinea::numeric::Estimate;
use alinea::progress::{Observer, check};
use alinea::tree::{ParsedSentence, Roots};
use alinea::view::{DrawnTree, HtmlPage, Layer, PagePair, Trees};
use numpy::ndarray::ArrayView1;
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::annotators::{ReadAnnotation, read};
use crate::arguments::Sampling;
use crate::error::to_python;
use crate::links::{ReadLinks, ReadMany, alignment, alignments};
use crate::project::ReadTrees;
use crate::text::{self, TextOptions, file};
use crate::work::run;

/// What links are sorted by: the lengths of sentences, or a tag or number for each word of one side.
#[derive(FromPyObject)]
pub(crate) enum ReadAttribute {
    #[pyo3(transparent)]
    Lengths(Vec<(usize, usize)>),
    #[pyo3(transparent)]
    Frequencies(Vec<Vec<u64>>),
    #[pyo3(transparent)]
    Tags(Vec<Vec<String>>),
}

/// A bucket: its label; precision, recall, F and AER; the five counts that they are made of.
type ReadBucket = (String, [Option<f64>; 4], [u64; 5]);

fn side(target: bool) -> Side {
    if target { Side::Target } else { Side::Source }
}

/// The scores of a hypothesis by buckets of links; by fertility if nothing is given.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn breakdown<'py>(
    py: Python<'py>,
    annotators: Vec<ReadAnnotation<'py>>,
    hypotheses: ReadMany<'py>,
    attribute: Option<ReadAttribute>,
    of_target: bool,
    references: &str,
    annotated_only: bool,
    alpha: f64,
) -> PyResult<Vec<ReadBucket>> {
    let references: References = references.parse().map_err(to_python)?;
    let (annotators, hypotheses) = (read(&annotators), alignments(&hypotheses));
    let options = Options::default().with(|c| {
        c.annotated_only = annotated_only;
        c.alpha = alpha;
        c.bootstrap = None;
    });
    let found = run(py, move |_| {
        let attribute = match attribute {
            None => Attribute::fertility(side(of_target)),
            Some(ReadAttribute::Frequencies(numbers)) => Attribute::frequency(side(of_target), &numbers),
            Some(ReadAttribute::Tags(tags)) => Attribute::tags(side(of_target), &tags),
            Some(ReadAttribute::Lengths(lengths)) => {
                let lengths = lengths.into_iter().map(|(source, target)| PairLengths::new(source, target));
                Attribute::distance(lengths.collect())
            }
        };
        let annotations = Annotations::new(annotators)?;
        let instances = annotations.instances(&hypotheses, references, &options)?;
        break_down(&attribute, &instances, &hypotheses, &options)
    })?;
    let buckets = found.buckets.into_iter().map(|bucket| {
        let (scores, counts) = (bucket.scores, bucket.counts);
        let counts = [counts.hypothesis, counts.sure, counts.possible, counts.in_sure, counts.in_possible];
        (bucket.label, [scores.precision, scores.recall, scores.f, scores.aer], counts)
    });
    Ok(buckets.collect())
}

/// A number with its interval.
type Estimated = (Option<f64>, Option<(f64, f64)>);

/// The absolute and the relative gain in precision, recall, F and AER.
#[pyfunction]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn gains<'py>(
    py: Python<'py>,
    annotators: Vec<ReadAnnotation<'py>>,
    baseline: ReadMany<'py>,
    system: ReadMany<'py>,
    references: &str,
    annotated_only: bool,
    alpha: f64,
    bootstrap: Sampling,
) -> PyResult<(usize, Vec<[Estimated; 2]>)> {
    let references: References = references.parse().map_err(to_python)?;
    let (annotators, baseline, system) = (read(&annotators), alignments(&baseline), alignments(&system));
    let options = Options::default().with(|c| {
        c.annotated_only = annotated_only;
        c.alpha = alpha;
        c.bootstrap = None;
    });
    let bootstrap = bootstrap.read().map_err(to_python)?;
    let sentences = baseline.len();
    let found = run(py, move |_| {
        let annotations = Annotations::new(annotators)?;
        let judge = |links: &[Alignment]| evaluate_annotations(&annotations, links, references, &options);
        gains_of(&judge(&baseline)?.sentences, &judge(&system)?.sentences, alpha, &bootstrap)
    })?;
    let estimated = |estimate: Estimate| -> Estimated {
        (estimate.value, estimate.interval.map(|interval| (interval.low, interval.high)))
    };
    let both = |gain: GainEstimate| [estimated(gain.absolute), estimated(gain.relative)];
    Ok((sentences, [found.precision, found.recall, found.f, found.aer].map(both).into()))
}

/// A set of links of a page.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct ReadLayer<'py> {
    name: String,
    /// Whether it is a gold standard.
    gold: bool,
    /// Sure and possible links of each pair.
    pairs: Vec<(ReadLinks<'py>, ReadLinks<'py>)>,
    /// How confident an aligner is of all sure links, one after another.
    confidences: Option<PyReadonlyArray1<'py, f32>>,
}

/// All that a page shows.
struct Shown {
    texts: [Text; 2],
    layers: Vec<(Layer, Vec<Vec<LinkRecord>>)>,
    trees: [Option<Vec<ParsedSentence>>; 2],
}

/// Writes a page for a browser.
#[pyfunction]
#[pyo3(signature = (path, source, target, layers, *, title, source_trees, target_trees))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn write_page<'py>(
    path: PathBuf,
    source: &Bound<'py, PyAny>,
    target: &Bound<'py, PyAny>,
    layers: Vec<ReadLayer<'py>>,
    title: String,
    source_trees: Option<ReadTrees>,
    target_trees: Option<ReadTrees>,
) -> PyResult<()> {
    let options = TextOptions::AS_IS;
    let texts = text::read_both([source, target], options)?;
    let layers = layers.iter().map(shown_links).collect::<Result<_>>().map_err(to_python)?;
    run(source.py(), move |observer| {
        let read = |trees: Option<ReadTrees>, name| trees.map(|trees| trees.read(name, Roots::Many)).transpose();
        let trees = [read(source_trees, "source_trees")?, read(target_trees, "target_trees")?];
        write(&file(path), title, &Shown { texts, layers, trees }, observer)
    })
}

/// A set of links as a page shows it.
fn shown_links(layer: &ReadLayer<'_>) -> Result<(Layer, Vec<Vec<LinkRecord>>)> {
    let ReadLayer { name, gold, pairs, confidences } = layer;
    let layer = Layer { name: name.clone(), gold: *gold };
    let Some(confidences) = confidences else {
        let links = |(sure, possible): &(ReadLinks<'_>, ReadLinks<'_>)| {
            let links = GoldAlignment::from_parts(alignment(sure), &alignment(possible));
            PairRecord::from_gold(0, &links).links
        };
        return Ok((layer, pairs.iter().map(links).collect()));
    };
    let (found, expected) = (confidences.len(), pairs.iter().map(|(sure, _)| sure.as_array().nrows()).sum::<usize>());
    if found != expected {
        return Err(inconsistent(format!("{name}: {found} confidences of {expected} links")));
    }
    let confidences = confidences.as_array();
    if let Some(wrong) = confidences.iter().find(|confidence| !confidence.is_finite()) {
        return Err(Error::config("confidences", wrong, "finite numbers"));
    }
    let mut confidences = confidences.iter();
    let links = pairs.iter().map(|(sure, _)| confident(sure, confidences.by_ref()));
    Ok((layer, links.collect()))
}

/// Links with their confidences. Rows with fewer than two columns are no links.
fn confident<'c>(links: &ReadLinks<'_>, confidences: impl Iterator<Item = &'c f32>) -> Vec<LinkRecord> {
    let links = links.as_array();
    let record = |(row, &confidence): (ArrayView1<'_, u32>, _)| {
        Some(LinkRecord::sure(*row.get(0)?, *row.get(1)?).with_weight(confidence))
    };
    links.rows().into_iter().zip(confidences).filter_map(record).collect()
}

fn write(path: &PathBuf, title: String, shown: &Shown, observer: &dyn Observer) -> Result<()> {
    let sentences = shown.texts[0].len();
    // Refuses texts of different lengths.
    let bitext = Bitext::new(shown.texts[0].clone(), shown.texts[1].clone())?;
    for (layer, links) in &shown.layers {
        check_length(&layer.name, links.len(), sentences)?;
    }
    let mut page = HtmlPage::new(title, shown.layers.iter().map(|(layer, _)| layer.clone()).collect())?;
    let mut output = sink::create(path)?;
    output.write_bytes(page.start().as_bytes())?;
    let mut trees = shown.trees.each_ref().map(|trees| trees.as_ref().map(|trees| trees.iter()));
    for n in 0..bitext.len() {
        check(observer)?;
        let [source, target] = shown.texts.each_ref().map(|text| words(text, n));
        let links: Vec<&[LinkRecord]> = shown.layers.iter().map(|(_, links)| links[n].as_slice()).collect();
        let [source_tree, target_tree] = &mut trees;
        let trees = Trees {
            source: tree(source_tree, "source", &source, n)?,
            target: tree(target_tree, "target", &target, n)?,
        };
        let pair = PagePair::new(n as u64 + 1, &source, &target, &links).with_trees(trees);
        output.write_bytes(page.pair(&pair)?.as_bytes())?;
    }
    for (trees, side) in trees.iter_mut().zip(["source", "target"]) {
        if trees.as_mut().is_some_and(|trees| trees.next().is_some()) {
            return Err(inconsistent(format!("{side}_trees: more trees than sentences that are not empty")));
        }
    }
    output.write_bytes(page.end()?.as_bytes())?;
    output.finish()
}

fn words(text: &Text, n: usize) -> Vec<&[u8]> {
    text.sentence(n).iter().map(|&id| text.vocabulary().word(id)).collect()
}

/// The next tree, if there are trees and words.
fn tree<'t>(
    trees: &mut Option<std::slice::Iter<'t, ParsedSentence>>,
    side: &str,
    words: &[&[u8]],
    n: usize,
) -> Result<Option<DrawnTree<'t>>> {
    let Some(trees) = trees.as_mut().filter(|_| !words.is_empty()) else { return Ok(None) };
    let number = n + 1;
    let sentence = trees.next().ok_or_else(|| inconsistent(format!("{side}_trees: no tree for sentence {number}")))?;
    DrawnTree::of(sentence, words.len()).map(Some).ok_or_else(|| {
        let (found, words) = (sentence.len(), words.len());
        inconsistent(format!("{side}_trees: sentence {number} has {found} words there, {words} in the text"))
    })
}

fn check_length(name: &str, length: usize, sentences: usize) -> Result<()> {
    if length == sentences {
        return Ok(());
    }
    Err(Error::unequal_lengths(name, length as u64, "source", sentences as u64))
}

fn inconsistent(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}
