//! What was linked, in the formats that programs have.

use std::io::Write;

use serde::Serialize;

use super::action::Mark;
use super::annotator::Annotator;
use super::project::Project;
use crate::error::{Error, ErrorKind, Result};
use crate::format::alignment::{AlignmentFormat, AlignmentWriter, LinkWriteOptions, PairRecord};

/// Whose links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whose {
    /// What was adjudicated, or else what the annotators agree on ([`Project::gold`]).
    All,
    /// Those of one annotator, or of the adjudicator.
    Of(String),
}

/// How links are exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// A format of alignments; sentences that are not confirmed have no links.
    Alignment(AlignmentFormat),
    /// JSON lines with who did what, one for each annotator of each sentence of which something was said.
    Who,
}

/// What an annotator said of a sentence pair: a line of [`ExportFormat::Who`].
#[derive(Debug, Serialize)]
struct Said<'a> {
    /// From 1, as lines are counted.
    sentence: usize,
    annotator: &'a str,
    confirmed: bool,
    source: &'a [String],
    target: &'a [String],
    links: Vec<SaidLink>,
    untranslated: [Vec<u32>; 2],
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
    flag: bool,
    seconds: f64,
}

/// A link: source, target, what is said of it, and whether by hand or by accepting a suggestion.
#[derive(Debug, Serialize)]
struct SaidLink(u32, u32, Mark, &'static str);

/// Writes links of a project. O(links).
///
/// # Errors
/// `Io`; `Inconsistent` if there is no such annotator.
pub fn export<W: Write>(project: &Project, whose: &Whose, format: ExportFormat, out: W) -> Result<W> {
    match format {
        ExportFormat::Who => export_who(project, whose, out),
        ExportFormat::Alignment(format) => export_links(project, whose, format, out),
    }
}

/// What the output is called in messages.
const OUTPUT: &str = "the exported links";

fn export_links<W: Write>(project: &Project, whose: &Whose, format: AlignmentFormat, out: W) -> Result<W> {
    let annotator = annotator_of(project, whose)?;
    let mut writer = AlignmentWriter::new(out, OUTPUT, format, &LinkWriteOptions::default())?;
    for n in 0..project.len() {
        let gold = annotator.map_or_else(|| project.gold(n), |annotator| annotator.gold(n));
        let record = PairRecord::from_gold(n as u64 + 1, &gold.unwrap_or_default());
        let [source, target] = project.words(n);
        let words = |words: &'_ [String]| Some(words.iter().map(String::as_str).collect());
        writer.write(&PairRecord { source: words(source), target: words(target), ..record })?;
    }
    Ok(writer.into_inner())
}

fn export_who<W: Write>(project: &Project, whose: &Whose, mut out: W) -> Result<W> {
    let only = annotator_of(project, whose)?;
    let everybody = || project.annotators().chain([project.adjudicator()]);
    for n in 0..project.len() {
        let asked = |annotator: &&Annotator| only.is_none_or(|only| only.name() == annotator.name());
        for annotator in everybody().filter(asked).filter(|annotator| !annotator.state(n).is_untouched()) {
            let mut line =
                serde_json::to_vec(&said(project, annotator, n)).map_err(|error| Error::io(OUTPUT, error.into()))?;
            line.push(b'\n');
            out.write_all(&line).map_err(|error| Error::io(OUTPUT, error))?;
        }
    }
    Ok(out)
}

fn said<'a>(project: &'a Project, annotator: &'a Annotator, n: usize) -> Said<'a> {
    let ([source, target], state) = (project.words(n), annotator.state(n));
    let links = state.marks().map(|([source, target], marked)| {
        SaidLink(source, target, marked.mark, if marked.is_accepted { "accepted" } else { "by-hand" })
    });
    Said {
        sentence: n + 1,
        annotator: annotator.name(),
        confirmed: state.is_confirmed(),
        source,
        target,
        links: links.collect(),
        untranslated: [0, 1].map(|side| state.untranslated()[side].iter().copied().collect()),
        comment: state.comment(),
        flag: state.is_flagged(),
        seconds: annotator.seconds(n),
    }
}

/// The annotator whose links are asked for, if it is one.
fn annotator_of<'a>(project: &'a Project, whose: &Whose) -> Result<Option<&'a Annotator>> {
    let Whose::Of(name) = whose else { return Ok(None) };
    let found = project.annotator(name).ok_or_else(|| -> Error {
        let names: Vec<&str> = project.annotators().map(Annotator::name).collect();
        ErrorKind::Inconsistent(format!("nobody is called {name}; there are {}", names.join(", "))).into()
    })?;
    Ok(Some(found))
}
