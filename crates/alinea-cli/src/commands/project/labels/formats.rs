//! The format of the source: told by its name, or else by its content.

use std::path::{Path, PathBuf};

use alinea::format::span_json;
use clap::ValueEnum;

use super::files::TextFile;

/// A format of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LabelFormat {
    /// A word per line, with its tag
    Columns,
    /// CoNLL-U
    Conllu,
    /// Records with spans of characters
    Json,
    /// A text, and the standoff annotation of brat
    Brat,
}

/// The source, and what it is.
pub(super) struct Found {
    pub(super) format: LabelFormat,
    /// The file with the text.
    pub(super) path: PathBuf,
    /// The file with the annotation, if that is another one.
    pub(super) annotation: Option<PathBuf>,
    pub(super) file: TextFile,
}

impl Found {
    /// Reads the source, which has this format if one is given.
    pub(super) fn new(path: &Path, format: Option<LabelFormat>) -> anyhow::Result<Self> {
        let named = format.or_else(|| by_name(path));
        if named == Some(LabelFormat::Brat) {
            let (text, annotation) = (path.with_extension("txt"), path.with_extension("ann"));
            let file = TextFile::read(&text)?;
            return Ok(Self { format: LabelFormat::Brat, path: text, annotation: Some(annotation), file });
        }
        let file = TextFile::read(path)?;
        let format = named.unwrap_or_else(|| by_content(&file.text));
        Ok(Self { format, path: path.to_path_buf(), annotation: None, file })
    }

    /// The path of the target: beside an annotation of brat stands its text.
    pub(super) fn target(&self, path: &Path) -> PathBuf {
        let is_annotation = self.format == LabelFormat::Brat && has_extension(path, &["ann"]);
        if is_annotation { path.with_extension("txt") } else { path.to_path_buf() }
    }
}

/// Whether a name has one of these endings, before those of compressed files.
pub(super) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let name = path.to_string_lossy();
    let name = alinea::format::source::plain_name(&name);
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extensions.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

fn by_name(path: &Path) -> Option<LabelFormat> {
    let is = |extensions: &[&str]| has_extension(path, extensions);
    let is_beside = || path.with_extension("ann").is_file();
    match path {
        _ if is(&["conllu"]) => Some(LabelFormat::Conllu),
        _ if is(&["json", "jsonl", "ndjson"]) => Some(LabelFormat::Json),
        _ if is(&["ann"]) || is(&["txt"]) && is_beside() => Some(LabelFormat::Brat),
        _ if is(&["iob", "iob1", "iob2", "bio", "bioes", "conll", "tsv"]) => Some(LabelFormat::Columns),
        _ => None,
    }
}

fn by_content(text: &str) -> LabelFormat {
    if span_json::is_likely(text) {
        LabelFormat::Json
    } else if is_conllu(text) {
        LabelFormat::Conllu
    } else {
        LabelFormat::Columns
    }
}

/// Whether the first line that is no comment has the ten columns of CoNLL-U, with numbers where they belong.
pub(super) fn is_conllu(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let [id, _, _, _, _, _, head, _, _, misc] = columns[..] else { return false };
    let has_tag = alinea::labels::Tag::parse(misc).is_some();
    id.split(['-', '.']).all(is_number) && (head == "_" || is_number(head)) && !has_tag
}
