//! Projection of links over dependency trees, and learning of the rules for it.
//!
//! Trees come from Python as a CoNLL-U file, or as a string for each sentence; confidences as Pharaoh lines, or as
//! triples of source, target and weight; rules as a text, a file, or nothing for those of Universal Dependencies.
//! `Read` joins them with the links, and refuses columns of different length. Options that the rules have no use for
//! are errors, as in the command.
//!
//! `project` runs a `Projector` on each thread, in chunks of 32 pairs, and returns the links of all pairs as a column,
//! and the given rules that fitted nothing, unless they have weights. `learn_rules` returns the text of the rules, the
//! settings that were chosen by cross-validation, and all that were tried.

use std::path::PathBuf;

use alinea::alignment::{Alignment, Link, WeightedLink};
use alinea::error::{Error, ErrorKind, Result};
use alinea::format::alignment::{Base, parse_links};
use alinea::format::conllu;
use alinea::format::lines::{LineReader, Utf8};
use alinea::parallel::{Parallelism, chunk_range};
use alinea::progress::check;
use alinea::project::links::{
    Example, LearningConfig, ParsedPair, ProjectionConfig, Projector, Restriction, RuleNames, RuleSet, RuleUsage, learn,
};
use alinea::tree::{ParsedSentence, Roots};
use pyo3::prelude::*;

use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::links::{Column, ReadMany, alignments, column};
use crate::text::file;
use crate::work::run;

/// The pairs of a chunk.
const PAIRS_PER_CHUNK: usize = 32;

/// Trees as they came from Python: a file, or the lines of each sentence.
#[derive(FromPyObject)]
pub(crate) enum ReadTrees {
    #[pyo3(transparent)]
    Sentences(Vec<String>),
    #[pyo3(transparent)]
    File(PathBuf),
}

/// Confidences in links of each pair: lines, or triples.
#[derive(FromPyObject)]
pub(crate) enum ReadConfidences {
    #[pyo3(transparent)]
    Lines(Vec<String>),
    #[pyo3(transparent)]
    Triples(Vec<Vec<(u32, u32, f32)>>),
}

impl ReadTrees {
    /// The sentences. Errors about those in memory count lines within a sentence, and name it by its number from 0.
    pub(crate) fn read(self, name: &str, roots: Roots) -> Result<Vec<ParsedSentence>> {
        match self {
            Self::File(path) => conllu::Reader::open(file(path), roots)?.collect(),
            Self::Sentences(sentences) => {
                let parse = |(number, text): (usize, &String)| {
                    let name = format!("{name}[{number}]");
                    let mut found = conllu::parse(text, &name, roots)?;
                    match (found.pop(), found.is_empty()) {
                        (Some(sentence), true) => Ok(sentence),
                        _ => Err(inconsistent(format!("{name}: expected one sentence"))),
                    }
                };
                sentences.iter().enumerate().map(parse).collect()
            }
        }
    }
}

impl ReadConfidences {
    /// The links with their weights, sorted, each once; 1 where a line has none.
    fn read(self) -> Result<Vec<Vec<WeightedLink>>> {
        let mut pairs: Vec<Vec<WeightedLink>> = match self {
            Self::Triples(pairs) => {
                let weighted = |(source, target, weight)| WeightedLink { link: Link::new(source, target), weight };
                pairs.into_iter().map(|pair| pair.into_iter().map(weighted).collect()).collect()
            }
            Self::Lines(lines) => {
                let parse = |(number, line): (u64, &String)| {
                    let links = parse_links(line.trim_end_matches(['\r', '\n']), Base::Zero);
                    let links = links.map_err(|error| error.in_line("confidences", number))?;
                    let weighted = |record: alinea::format::alignment::LinkRecord| WeightedLink {
                        link: record.link,
                        weight: record.weight.unwrap_or(1.0),
                    };
                    Ok(links.into_iter().map(weighted).collect())
                };
                (1..).zip(&lines).map(parse).collect::<Result<_>>()?
            }
        };
        for pair in &mut pairs {
            pair.sort_by_key(|weighted| weighted.link);
            pair.dedup_by_key(|weighted| weighted.link);
        }
        Ok(pairs)
    }
}

/// Trees, links and confidences of a text.
struct Read {
    source: Vec<ParsedSentence>,
    target: Vec<ParsedSentence>,
    links: Vec<Alignment>,
    confidences: Vec<Vec<WeightedLink>>,
}

impl Read {
    fn new(
        [source, target]: [ReadTrees; 2],
        links: Vec<Alignment>,
        confidences: Option<ReadConfidences>,
        roots: Roots,
    ) -> Result<Self> {
        let (source, target) = (source.read("source", roots)?, target.read("target", roots)?);
        let confidences = match confidences {
            Some(confidences) => confidences.read()?,
            None => vec![Vec::new(); source.len()],
        };
        let lengths = [("target", target.len()), ("links", links.len()), ("confidences", confidences.len())];
        for (name, length) in lengths {
            check_length(name, length, source.len())?;
        }
        Ok(Self { source, target, links, confidences })
    }

    fn pair(&self, n: usize) -> Result<ParsedPair<'_>> {
        ParsedPair::new(&self.source[n], &self.target[n]).map_err(|error| located(n, error))
    }
}

fn check_length(name: &str, length: usize, sentences: usize) -> Result<()> {
    if length == sentences {
        return Ok(());
    }
    Err(inconsistent(format!("unequal lengths: source has {sentences} sentences, {name} has {length}")))
}

/// An error about one pair.
fn located(n: usize, error: Error) -> Error {
    error.within(format_args!("sentence pair {}", n + 1))
}

fn inconsistent(message: String) -> Error {
    ErrorKind::Inconsistent(message).into()
}

fn restriction(content_words: bool) -> Restriction {
    if content_words { Restriction::ContentWords } else { Restriction::None }
}

fn roots(several: bool) -> Roots {
    if several { Roots::Many } else { Roots::One }
}

/// The text of the rules for Universal Dependencies.
#[pyfunction]
pub(crate) fn universal_rules() -> &'static str {
    RuleSet::universal_text()
}

/// Rules: a text, a file, or those for Universal Dependencies.
#[derive(FromPyObject)]
pub(crate) enum ReadRules {
    #[pyo3(transparent)]
    Text(String),
    #[pyo3(transparent)]
    File(PathBuf),
}

fn rules(given: Option<ReadRules>, names: Option<ReadRules>) -> Result<RuleSet> {
    let names = match names {
        None => RuleNames::default(),
        Some(ReadRules::Text(text)) => RuleNames::read(LineReader::new(text.as_bytes(), "names", Utf8::Strict))?,
        Some(ReadRules::File(path)) => RuleNames::read(LineReader::open(file(path), Utf8::Strict)?)?,
    };
    match given {
        None => Ok(RuleSet::universal()),
        Some(ReadRules::Text(text)) => RuleSet::read(LineReader::new(text.as_bytes(), "rules", Utf8::Strict), names),
        Some(ReadRules::File(path)) => RuleSet::read(LineReader::open(file(path), Utf8::Strict)?, names),
    }
}

/// The text of the names of the parser SYNTEX.
#[pyfunction]
pub(crate) fn syntex_names() -> &'static str {
    RuleNames::syntex_text()
}

/// Refuses what these rules have no use for.
fn check_use(rules: &RuleSet, options: &[(&str, bool, bool)]) -> Result<()> {
    match options.iter().find(|(_, given, weighted)| *given && *weighted != rules.is_weighted()) {
        None => Ok(()),
        Some((option, _, true)) => {
            Err(inconsistent(format!("{option}: only for weighted rules, and these are unweighted")))
        }
        Some((option, ..)) => Err(inconsistent(format!("{option}: only for unweighted rules, and these are weighted"))),
    }
}

/// Adds links where the trees of both sides say so; and says which of the given rules fit nothing.
#[pyfunction]
#[pyo3(signature = (source, target, links, *, rules, names, confidences, threshold, least_precision, content_words, max_rounds, several_roots, threads))]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn project<'py>(
    py: Python<'py>,
    source: ReadTrees,
    target: ReadTrees,
    links: ReadMany<'py>,
    rules: Option<ReadRules>,
    names: Option<ReadRules>,
    confidences: Option<ReadConfidences>,
    threshold: Option<f64>,
    least_precision: Option<f64>,
    content_words: bool,
    max_rounds: Option<i64>,
    several_roots: bool,
    threads: i64,
) -> PyResult<(Column<'py>, Vec<String>)> {
    let threads = arguments::threads(threads).map_err(to_python)?;
    let rounds = max_rounds.map(|rounds| natural("max_rounds", rounds, 1, "1 or more, or None"));
    let rounds = rounds.transpose().map_err(to_python)?.map(|rounds| u32::try_from(rounds).unwrap_or(u32::MAX));
    let links = alignments(&links);
    let (found, idle) = run(py, move |observer| {
        let given = rules.is_some();
        let rules = self::rules(rules, names)?;
        let options = [
            ("confidences", confidences.is_some(), true),
            ("threshold", threshold.is_some(), true),
            ("least_precision", least_precision.is_some(), false),
        ];
        check_use(&rules, &options)?;
        let config = ProjectionConfig::default().with(|c| {
            c.restriction = restriction(content_words);
            c.least_precision = least_precision.unwrap_or_default();
            c.threshold = threshold;
            c.rounds = rounds;
            c.record_proposals = false;
        });
        config.validate()?;
        let read = Read::new([source, target], links, confidences, roots(several_roots))?;
        let mut usage = RuleUsage::new(&rules);
        if given {
            for n in 0..read.links.len() {
                usage.look_at(&read.pair(n)?);
            }
        }
        let mut all = Vec::with_capacity(read.links.len());
        Parallelism::new(threads)?.map_ordered(
            read.links.len().div_ceil(PAIRS_PER_CHUNK),
            || Projector::new(&rules, config.clone()),
            |projector, chunk| {
                check(observer)?;
                let projector = projector.as_mut().map_err(|error| inconsistent(error.to_string()))?;
                let pairs = chunk_range(read.links.len(), PAIRS_PER_CHUNK, chunk);
                let project = |n: usize| {
                    let projection = projector.project(&read.pair(n)?, &read.links[n], &read.confidences[n]);
                    projection.map(|projection| projection.links).map_err(|error| located(n, error))
                };
                let links = pairs.map(project).collect::<Result<Vec<_>>>()?;
                Ok((links, projector.used().to_vec()))
            },
            |(links, used)| {
                all.extend(links);
                usage.add_used(&used);
                Ok(())
            },
        )?;
        let listed = given && !rules.is_weighted();
        let idle: Vec<String> =
            if listed { usage.idle().iter().map(ToString::to_string).collect() } else { Vec::new() };
        Ok((all, idle))
    })?;
    Ok((column(py, &found)?, idle))
}

/// Settings, and how good the rules are that are learned with them: how much half annotated pairs count, threshold, F, its
/// standard error.
type Trial = (f64, f64, f64, f64);

/// The text of rules learned from annotated pairs; what was chosen, if there was a choice; all that was tried.
#[pyfunction]
#[pyo3(signature = (source, target, links, gold, *, confidences, annotated_only, half_annotated, threshold, penalty, least_proposed, content_words, several_roots, threads))]
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_arguments,
    reason = "PyO3 makes arguments by value, Python has names for them"
)]
pub(crate) fn learn_rules<'py>(
    py: Python<'py>,
    source: ReadTrees,
    target: ReadTrees,
    links: ReadMany<'py>,
    gold: ReadMany<'py>,
    confidences: Option<ReadConfidences>,
    annotated_only: bool,
    half_annotated: Option<f64>,
    threshold: Option<f64>,
    penalty: f64,
    least_proposed: i64,
    content_words: bool,
    several_roots: bool,
    threads: i64,
) -> PyResult<(String, Option<Trial>, Vec<Trial>)> {
    let threads = arguments::threads(threads).map_err(to_python)?;
    let least_proposed = natural("least_proposed", least_proposed, 1, "1 or more").map_err(to_python)? as u64;
    let (links, gold) = (alignments(&links), alignments(&gold));
    let learned = run(py, move |observer| {
        let restriction = restriction(content_words);
        let config = LearningConfig::default().with(|c| {
            c.least_proposed = least_proposed;
            c.penalty = penalty;
            c.annotated_only = annotated_only;
            c.half_annotated = half_annotated;
            c.threshold = threshold;
            c.restriction = restriction;
        });
        config.validate()?;
        let read = Read::new([source, target], links, confidences, roots(several_roots))?;
        check_length("gold", gold.len(), read.source.len())?;
        let example = |n: usize| {
            let (anchors, confidences) = (&read.links[n], &read.confidences[n]);
            Ok(Example { pair: read.pair(n)?, anchors, confidences, gold: &gold[n] })
        };
        let examples = (0..read.source.len()).map(example).collect::<Result<Vec<_>>>()?;
        learn(&examples, &config, &Parallelism::new(threads)?, observer)
    })?;
    let trial =
        |trial: &alinea::project::links::Trial| (trial.half_annotated, trial.threshold, trial.f, trial.standard_error);
    Ok((learned.rules.text(), learned.chosen.as_ref().map(trial), learned.trials.iter().map(trial).collect()))
}
