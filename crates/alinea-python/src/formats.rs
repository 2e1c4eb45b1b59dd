//! Alignment files, read and written.
//!
//! The format is given by name, or follows from the name of the first file, or is Pharaoh. `read_links` returns the
//! links of all pairs as one column (offsets and rows), and beside the rows which links are only possible and their
//! weights; and for each pair its words and its score. Weights, words and scores are `None` if the file has none at
//! all; a weight or a score that is missing is NaN.
//!
//! `write_links` takes links, marks, weights and words back. The file is complete or absent, and there must be words
//! for as many pairs as there are links for. `to_pharaoh` makes lines in place of a file. `word_offsets` gives the
//! characters that each word of a sentence spans, from the first to one past the last.

use std::path::PathBuf;

use alinea::alignment::Link;
use alinea::bitext::Text;
use alinea::error::{Error, Result};
use alinea::format::alignment::{
    AlignmentFormat, AlignmentReader, AlignmentWriter, Base, GizaDirection, LinkKind, LinkReadOptions, LinkRecord,
    LinkWriteOptions, PairRecord, Sentences, TokenList,
};
use alinea::format::lines::Utf8;
use alinea::format::sink;
use alinea::progress::check;
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::arguments::natural;
use crate::error::to_python;
use crate::links::{Column, flat_column};
use crate::text::{self, TextOptions, file};
use crate::work::run;

/// Pairs between two questions whether to stop.
const BATCH: usize = 4096;

/// The sentences of a NAACL file: how many, or their names.
#[derive(FromPyObject)]
pub(crate) enum ReadSentences {
    #[pyo3(transparent)]
    Count(i64),
    #[pyo3(transparent)]
    Names(Vec<String>),
}

impl ReadSentences {
    fn read(self) -> Result<Sentences> {
        match self {
            Self::Count(count) => Ok(Sentences::Count(natural("sentences", count, 0, "0 or more")? as u64)),
            Self::Names(names) => Ok(Sentences::Order(names)),
        }
    }
}

/// What a file says: links; which are only possible; weights; words; scores.
type ReadFile<'py> = (
    Column<'py>,
    Bound<'py, PyArray1<bool>>,
    Option<Bound<'py, PyArray1<f32>>>,
    Option<Vec<Vec<String>>>,
    Option<Vec<Vec<String>>>,
    Option<Bound<'py, PyArray1<f64>>>,
);

/// Reads a file of links, or the parts of one.
#[pyfunction]
#[pyo3(signature = (paths, kind, *, base, threshold, sentences, target_source, latin_1, fill_gaps))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of the Python function")]
pub(crate) fn read_links<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    kind: Option<&str>,
    base: Option<i64>,
    threshold: Option<f32>,
    sentences: Option<ReadSentences>,
    target_source: bool,
    latin_1: bool,
    fill_gaps: bool,
) -> PyResult<ReadFile<'py>> {
    let paths: Vec<PathBuf> = paths.into_iter().map(file).collect();
    let options = base_of(base).and_then(|base| {
        let sentences = sentences.map(ReadSentences::read).transpose()?;
        let utf8 = if latin_1 { Utf8::Latin1 } else { Utf8::Strict };
        Ok(LinkReadOptions::default().with(|c| {
            c.base = base;
            c.threshold = threshold;
            c.sentences = sentences;
            c.direction = direction(target_source);
            c.fill_gaps = fill_gaps;
            c.utf8 = utf8;
        }))
    });
    let options = options.map_err(to_python)?;
    let format: Option<AlignmentFormat> = kind.map(str::parse).transpose().map_err(to_python)?;
    let records: Vec<PairRecord> = run(py, move |observer| {
        let mut reader = AlignmentReader::open(&paths, format, &options)?;
        let mut records = Vec::new();
        while let Some(record) = reader.next().transpose()? {
            if records.len() % BATCH == 0 {
                check(observer)?;
            }
            records.push(record);
        }
        Ok(records)
    })?;
    let (column, possible, weights) = records_of(py, &records)?;
    let scores = records.iter().any(|record| record.score.is_some());
    let scores = scores.then(|| PyArray1::from_iter(py, records.iter().map(|r| r.score.unwrap_or(f64::NAN))));
    let words = |side: fn(&PairRecord) -> Option<&TokenList>| {
        let of =
            |record: &PairRecord| side(record).map_or_else(Vec::new, |words| words.iter().map(str::to_owned).collect());
        records
            .iter()
            .any(|record| side(record).is_some())
            .then(|| records.iter().map(of).collect::<Vec<Vec<String>>>())
    };
    let (source, target) = (words(|record| record.source.as_ref()), words(|record| record.target.as_ref()));
    Ok((column, possible, weights, source, target, scores))
}

/// Links of many pairs: a column, which of them are only possible, and their weights if any has one.
pub(crate) type Records<'py> = (Column<'py>, Bound<'py, PyArray1<bool>>, Option<Bound<'py, PyArray1<f32>>>);

/// The links of records as arrays.
pub(crate) fn records_of<'py>(py: Python<'py>, records: &[PairRecord]) -> PyResult<Records<'py>> {
    let links = || records.iter().flat_map(|record| &record.links);
    let (mut offsets, mut flat) = (vec![0], Vec::new());
    for record in records {
        flat.extend(record.links.iter().flat_map(|record| [record.link.source, record.link.target]));
        offsets.push((flat.len() / 2) as i64);
    }
    let column = flat_column(py, offsets, flat, 2)?;
    let possible = PyArray1::from_iter(py, links().map(|link| link.kind == LinkKind::Possible));
    let weights = links().any(|link| link.weight.is_some());
    let weights = weights.then(|| PyArray1::from_iter(py, links().map(|link| link.weight.unwrap_or(f32::NAN))));
    Ok((column, possible, weights))
}

/// Links that come from Python: a column, which of them are only possible, and their weights.
#[derive(FromPyObject)]
pub(crate) struct Parts<'py>(
    (PyReadonlyArray1<'py, i64>, PyReadonlyArray2<'py, u32>),
    Option<PyReadonlyArray1<'py, bool>>,
    Option<PyReadonlyArray1<'py, f32>>,
);

impl Parts<'_> {
    /// The links of each pair. The façade has made the arrays; what is not there is left out.
    pub(crate) fn records(&self) -> Vec<PairRecord> {
        let Self((offsets, rows), possible, weights) = self;
        let (offsets, rows) = (offsets.as_array(), rows.as_array());
        let link = |n: usize| {
            let link = Link::new(*rows.get([n, 0])?, *rows.get([n, 1])?);
            let is_possible =
                possible.as_ref().and_then(|possible| possible.as_array().get(n).copied()).unwrap_or(false);
            let kind = if is_possible { LinkKind::Possible } else { LinkKind::Sure };
            let weight = weights.as_ref().and_then(|weights| weights.as_array().get(n).copied());
            Some(LinkRecord { link, kind, weight: weight.filter(|weight| weight.is_finite()) })
        };
        let place = |offset: i64| usize::try_from(offset).unwrap_or(0).min(rows.nrows());
        let pairs = offsets.iter().zip(offsets.iter().skip(1)).zip(1..);
        pairs
            .map(|((&start, &end), number)| {
                let links = (place(start)..place(end)).filter_map(link).collect();
                PairRecord { number, links, ..PairRecord::default() }
            })
            .collect()
    }
}

/// Writes links to a file.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    clippy::needless_pass_by_value,
    reason = "they are what the Python function takes"
)]
pub(crate) fn write_links<'py>(
    py: Python<'py>,
    path: PathBuf,
    kind: Option<&str>,
    links: Parts<'py>,
    words: Option<[Bound<'py, PyAny>; 2]>,
    base: Option<i64>,
    digits: Option<i64>,
    sentences: Option<ReadSentences>,
    target_source: bool,
) -> PyResult<()> {
    let path = file(path);
    let options = base_of(base).and_then(|base| {
        let sentences = sentences.map(ReadSentences::read).transpose()?;
        let digits = digits.map(|digits| natural("digits", digits, 0, "0 to 12")).transpose()?;
        Ok(LinkWriteOptions::default().with(|c| {
            c.base = base;
            c.digits = digits;
            c.sentences = sentences;
            c.direction = direction(target_source);
        }))
    });
    let options = options.map_err(to_python)?;
    let suggested = || AlignmentFormat::from_path(&path).unwrap_or(AlignmentFormat::Pharaoh);
    let format = kind.map_or_else(|| Ok(suggested()), str::parse).map_err(to_python)?;
    let mut records = links.records();
    if let Some([source, target]) = words {
        let texts = text::read_both([&source, &target], TextOptions::AS_IS)?;
        add_words(&mut records, &texts).map_err(to_python)?;
    }
    run(py, move |observer| {
        let output = sink::create(&path)?;
        let name = path.display().to_string();
        let mut writer = AlignmentWriter::new(output, name, format, &options)?;
        for (n, record) in records.iter().enumerate() {
            if n % BATCH == 0 {
                check(observer)?;
            }
            // Positions in messages are those of the list, whatever the file counts from.
            record.check_words().map_err(|error| error.within(format_args!("links[{n}]")))?;
            writer.write(record)?;
        }
        writer.into_inner().finish()
    })
}

/// Links as lines in Pharaoh format.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn to_pharaoh(py: Python<'_>, links: Parts<'_>, digits: Option<i64>) -> PyResult<Vec<String>> {
    let digits = digits.map(|digits| natural("digits", digits, 0, "0 to 12")).transpose().map_err(to_python)?;
    let (records, options) = (links.records(), LinkWriteOptions::default().with(|c| c.digits = digits));
    let bytes = run(py, move |_| {
        let mut writer = AlignmentWriter::new(Vec::new(), "<memory>", AlignmentFormat::Pharaoh, &options)?;
        records.iter().try_for_each(|record| writer.write(record))?;
        Ok(writer.into_inner())
    })?;
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

/// Where the words of each sentence stand in it: first character, and one past the last.
#[pyfunction]
pub(crate) fn word_offsets<'py>(sentences: &Bound<'py, PyAny>, tokenize: &str) -> PyResult<Column<'py>> {
    let tokenize = tokenize.parse().map_err(to_python)?;
    let (mut offsets, mut flat, mut spans) = (vec![0], Vec::new(), Vec::new());
    text::for_each_line(sentences, "sentences", |line| {
        alinea::format::tokens::spans(line, tokenize, &mut spans);
        flat.extend(spans.iter().flat_map(|span| [span.chars.start as u32, span.chars.end as u32]));
        offsets.push((flat.len() / 2) as i64);
    })?;
    flat_column(sentences.py(), offsets, flat, 2)
}

/// Puts the words of sentences into records.
fn add_words(records: &mut [PairRecord], [source, target]: &[Text; 2]) -> Result<()> {
    for (name, text) in [("source", source), ("target", target)] {
        if text.len() != records.len() {
            return Err(Error::unequal_lengths("links", records.len() as u64, name, text.len() as u64));
        }
    }
    let words = |text: &Text, n: usize| -> TokenList {
        text.sentence(n)
            .iter()
            .map(|&word| std::str::from_utf8(text.vocabulary().word(word)).unwrap_or_default())
            .collect()
    };
    for (n, record) in records.iter_mut().enumerate() {
        (record.source, record.target) = (Some(words(source, n)), Some(words(target, n)));
    }
    Ok(())
}

fn base_of(base: Option<i64>) -> Result<Option<Base>> {
    base.map(|base| base.to_string().parse()).transpose()
}

fn direction(target_source: bool) -> GizaDirection {
    if target_source { GizaDirection::TargetToSource } else { GizaDirection::SourceToTarget }
}
