//! Sentence alignment, and the evaluation of groups of sentences.
//!
//! `sentence_align` aligns paragraph by paragraph, by the lengths of sentences (Gale and Church 1993) and by what else is known
//! of them: a model, a dictionary, an encoder. It takes files of lines, or the sentences of each paragraph, returns the first
//! and the end of each side of a group, its cost and its confidence, and warns if the lengths fit badly.
//!
//! `evaluate_sentences` compares groups with gold groups, strictly and laxly. Groups are the numbers of their sentences, or a
//! file of them.

use std::path::PathBuf;
use std::sync::Arc;

use alinea::bitext::Dictionary;
use alinea::error::{Error, ErrorKind, Result};
use alinea::format::bitext::ReadOptions;
use alinea::format::blanks::Blanks;
use alinea::format::dictionary::ReadDictionary;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::paragraphs::{LengthUnit, ParagraphEnd, Paragraphs};
use alinea::format::sentence_groups::{self, SentenceGroup};
use alinea::model::TextForm;
use alinea::parallel::{Parallelism, Work};
use alinea::sentence_align::{
    ConfidentBead, GaleChurchConfig, GroupCounts, GroupScores, Misfit, Priors, check_paragraphs,
};
use alinea::sentences::{SentenceAlignment, SentenceEvidence, word_form};
use pyo3::prelude::*;

use crate::arguments::{self, natural};
use crate::encoder::TextEncoder;
use crate::error::to_python;
use crate::model::TrainedModel;
use crate::text::file;
use crate::work::{Progress, run, run_shown, warn};

/// Beginning and end of the source sentences and of the target sentences of a group, its cost, and its confidence.
type Group = ([usize; 2], [usize; 2], f64, f64);

/// The sentences of a text: those of each paragraph, or a file of lines.
#[derive(FromPyObject)]
pub(crate) enum ReadParagraphs {
    #[pyo3(transparent)]
    Sentences(Vec<Vec<String>>),
    #[pyo3(transparent)]
    File(PathBuf),
}

impl ReadParagraphs {
    fn read(self, end: &ParagraphEnd) -> Result<Paragraphs> {
        match self {
            Self::Sentences(paragraphs) => Ok(paragraphs.into_iter().collect()),
            Self::File(path) => {
                let lines = LineReader::open(file(path), Utf8::Strict)?;
                Paragraphs::read(&mut lines.of_sentences(Blanks::Ascii), end)
            }
        }
    }
}

/// How long sentences and their translations are, and how many sentences a group has.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Lengths {
    ratio: f64,
    variance: f64,
    of_bytes: bool,
    max_sentences: i64,
}

impl Lengths {
    fn read(self) -> Result<(GaleChurchConfig, LengthUnit)> {
        let Self { ratio, variance, of_bytes, max_sentences } = self;
        let most = natural("max_sentences", max_sentences, 1, "1 to 4")?;
        if most > 4 {
            return Err(Error::config("max_sentences", most, "1 to 4"));
        }
        let config = GaleChurchConfig::default().with(|c| {
            c.ratio = ratio;
            c.variance = variance;
            c.priors = Priors::up_to(most);
        });
        config.validate()?;
        Ok((config, if of_bytes { LengthUnit::Bytes } else { LengthUnit::Characters }))
    }
}

/// Aligns sentences, paragraph by paragraph. In files paragraphs end with a mark, or, if there is none, with blank lines, or
/// not at all.
#[pyfunction]
#[pyo3(signature = (
    source, target, *, model, dictionary, encoder, lengths, mark, paragraphs, threads, progress
))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn sentence_align(
    py: Python<'_>,
    source: ReadParagraphs,
    target: ReadParagraphs,
    model: Option<Bound<'_, TrainedModel>>,
    dictionary: Vec<(String, String, f32)>,
    encoder: Option<TextEncoder>,
    lengths: Lengths,
    mark: Option<String>,
    paragraphs: bool,
    threads: i64,
    progress: Progress,
) -> PyResult<Vec<Group>> {
    let (config, unit) = lengths.read().map_err(to_python)?;
    let threads = arguments::threads(threads).map_err(to_python)?;
    let model = model.map(|model| Arc::clone(model.get().model()));
    let end = match mark {
        Some(mark) => ParagraphEnd::Line(mark),
        None if paragraphs => ParagraphEnd::BlankLines,
        None => ParagraphEnd::Nothing,
    };
    let SentenceAlignment { beads, misfit } = run_shown(py, progress, move |observer| {
        let work = Work { parallelism: &Parallelism::new(threads)?, observer };
        let model = model.as_deref();
        let dictionary = read_entries(&dictionary, word_form(model))?;
        let texts = [source.read(&end)?, target.read(&end)?];
        let [source, target] = &texts;
        // What is wrong with the texts is known before they are encoded.
        check_paragraphs([source.len(), target.len()])?;
        let encode = |encoder: TextEncoder| encoder.encode_sentences([source.sentences(), target.sentences()], work);
        let vectors = encoder.map(encode).transpose()?;
        let evidence = SentenceEvidence { model, dictionary: dictionary.as_ref(), vectors: vectors.as_ref() };
        evidence.align(config, [source, target], unit, true, work)
    })?;
    let advised = |misfit: Misfit| match misfit.ratio {
        Some(ratio) => format!("{misfit}: ratio={ratio:.2}"),
        None => misfit.to_string(),
    };
    warn(py, misfit.map(advised))?;
    let group = |ConfidentBead { bead, confidence }: &ConfidentBead| {
        ([bead.source.start, bead.source.end], [bead.target.start, bead.target.end], bead.cost, *confidence)
    };
    Ok(beads.iter().map(group).collect())
}

/// The entries of a dictionary, in a form; nothing if there are none.
fn read_entries(entries: &[(String, String, f32)], form: TextForm) -> Result<Option<Dictionary>> {
    let options = ReadOptions::default().with(|c| {
        c.lowercase = form.lowercase;
        c.tokenize = form.tokenize;
    });
    let mut read = ReadDictionary::default();
    for (source, target, weight) in entries {
        read.push(source, target, *weight, &options)?;
    }
    Ok((!entries.is_empty()).then_some(read.dictionary))
}

/// Groups of sentences: the numbers of both sides of each, or a file.
#[derive(FromPyObject)]
pub(crate) enum ReadGroups {
    #[pyo3(transparent)]
    Groups(Vec<(Vec<usize>, Vec<usize>)>),
    #[pyo3(transparent)]
    File(PathBuf),
}

impl ReadGroups {
    fn read(self) -> Result<Vec<SentenceGroup>> {
        match self {
            Self::Groups(groups) => {
                Ok(groups.into_iter().map(|(source, target)| SentenceGroup { source, target }).collect())
            }
            Self::File(path) => sentence_groups::read(LineReader::open(file(path), Utf8::Strict)?),
        }
    }
}

/// Precision, recall and F; and the counts that these are made of.
type Scored = ((f64, Option<f64>, Option<f64>), [u64; 4]);

/// Compares groups with gold groups: strictly, and laxly.
#[pyfunction]
pub(crate) fn evaluate_sentences(py: Python<'_>, gold: ReadGroups, groups: ReadGroups) -> PyResult<(Scored, Scored)> {
    let GroupScores { strict, lax } = run(py, move |_| {
        let (gold, groups) = (gold.read()?, groups.read()?);
        if gold.is_empty() {
            return Err(ErrorKind::Empty("no gold groups".to_owned()).into());
        }
        Ok(GroupScores::of(&groups, &gold))
    })?;
    Ok((scored(strict), scored(lax)))
}

fn scored(counts: GroupCounts) -> Scored {
    let GroupCounts { found, right, gold, recalled } = counts;
    ((counts.precision(), counts.recall(), counts.f()), [found, right, gold, recalled])
}
