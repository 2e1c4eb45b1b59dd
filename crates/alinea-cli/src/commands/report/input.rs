//! The JSON of `evaluate` and `agreement`, parsed into what `report` makes tables of.
//!
//! The objects are those that the two commands write; the types are the library's, deserialized. Unknown fields are
//! ignored and missing ones are `None`, so files of other versions can be read. An evaluation of one hypothesis has its
//! fields at the top (`only`), a comparison has `baseline` and `system`, which older files call `second` and `first`:
//! `hypotheses` gives both in one form, the baseline before the system. A file with neither is an error.

use alinea::error::{Error, Position};
use alinea::evaluate::{
    Agreement, AnnotatorTypes, Breakdown, CorpusSize, Differences, Gains, Intervals, Panel, Scores,
};
use alinea::format::source;
use anyhow::bail;
use serde::Deserialize;

use crate::input::annotated::NamedFile;

/// What is told about one corpus.
#[derive(Debug)]
pub(super) struct Corpus {
    pub(super) name: String,
    pub(super) evaluation: Evaluation,
}

/// What the object in a file has; other fields are for other readers.
#[derive(Debug, Deserialize)]
pub(super) struct Evaluation {
    pub(super) size: Option<CorpusSize>,
    pub(super) agreement: Option<Agreement>,
    pub(super) types: Option<Vec<AnnotatorTypes>>,
    #[serde(alias = "second")]
    pub(super) baseline: Option<Judged>,
    #[serde(alias = "first")]
    pub(super) system: Option<Judged>,
    pub(super) differences: Option<Differences>,
    pub(super) gains: Option<Gains>,
    files: Option<Files>,
    /// The one hypothesis, if there are not two.
    #[serde(flatten)]
    only: Option<Judged>,
}

/// What is told about one hypothesis.
#[derive(Debug, Deserialize)]
pub(super) struct Judged {
    pub(super) sentences: usize,
    pub(super) panel: Option<Panel>,
    pub(super) corpus: Scores,
    pub(super) intervals: Option<Intervals>,
    #[serde(default)]
    pub(super) breakdowns: Vec<Breakdown>,
}

#[derive(Debug, Deserialize)]
struct Files {
    hypothesis: Option<String>,
    #[serde(alias = "second")]
    baseline: Option<String>,
    #[serde(alias = "first")]
    system: Option<String>,
}

impl Corpus {
    /// Reads one file.
    pub(super) fn read(file: &NamedFile) -> anyhow::Result<Self> {
        let input = source::open(&file.path)?;
        let name = input.name().to_owned();
        let bytes = input.read_text()?;
        let evaluation: Evaluation = serde_json::from_slice(&bytes).map_err(|error| {
            let position = Position::new(&name, error.line() as u64, error.column() as u64);
            let line = bytes.split(|byte| *byte == b'\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
            let found = line.get(error.column().saturating_sub(1)..).unwrap_or_default();
            Error::parse(position, "JSON output of alinea evaluate or alinea agreement", found)
        })?;
        let corpus = Self { name: file.name.clone(), evaluation };
        if corpus.evaluation.agreement.is_none() && corpus.hypotheses().is_empty() {
            bail!("{name}: this JSON contains neither an evaluation nor an agreement");
        }
        Ok(corpus)
    }

    /// The hypotheses with their names.
    pub(super) fn hypotheses(&self) -> Vec<(&str, &Judged)> {
        let name = |file: fn(&Files) -> &Option<String>, otherwise| {
            self.evaluation.files.as_ref().and_then(|files| file(files).as_deref()).unwrap_or(otherwise)
        };
        let hypotheses = [
            (name(|files| &files.hypothesis, "hypothesis"), &self.evaluation.only),
            (name(|files| &files.baseline, "baseline"), &self.evaluation.baseline),
            (name(|files| &files.system, "system"), &self.evaluation.system),
        ];
        hypotheses.into_iter().filter_map(|(name, judged)| Some((name, judged.as_ref()?))).collect()
    }
}
