//! The target of `project trees`: read from text or CoNLL-U, written as CoNLL-U with its trees.

use std::fmt::Write as _;
use std::path::Path;

use alinea::error::{Error, ErrorKind};
use alinea::format::blanks::Blanks;
use alinea::format::lines::{LineReader, Utf8};
use alinea::project::trees::{ProjectedTree, ProjectedWord, TargetWord, TreePair};
use alinea::tree::{Column, NodeId, ParsedSentence, Roots, Row, Word};

use crate::input::trees::TreeFile;

/// The target sentences.
pub(super) enum Target {
    Lines { name: String, lines: Vec<String> },
    Parsed { name: String, sentences: Vec<ParsedSentence> },
}

impl Target {
    /// Reads a file to its end; one whose name ends in `.conllu` is CoNLL-U.
    pub(super) fn open(path: &Path, roots: Roots) -> anyhow::Result<Self> {
        let name = path.to_string_lossy();
        let name = alinea::format::source::plain_name(&name);
        if Path::new(name).extension().is_some_and(|extension| extension == "conllu") {
            let (mut file, mut sentences) = (TreeFile::open(path, roots)?, Vec::new());
            while file.read()? {
                sentences.push(file.take());
            }
            return Ok(Self::Parsed { name: file.name().to_owned(), sentences });
        }
        let mut reader = LineReader::open(path, Utf8::Strict)?.of_sentences(Blanks::Ascii);
        let (mut line, mut lines) = (String::new(), Vec::new());
        while reader.read_into(&mut line)? {
            if line.trim_ascii().is_empty() {
                let message = format!("{}: a sentence without words, which has no tree", reader.position(0));
                return Err(Error::from(ErrorKind::Inconsistent(message)).into());
            }
            lines.push(line.clone());
        }
        Ok(Self::Lines { name: reader.name().to_owned(), lines })
    }

    /// What the file is called.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Lines { name, .. } | Self::Parsed { name, .. } => name,
        }
    }

    /// The words, with their parts of speech where these are given.
    pub(super) fn sentences(&self) -> Vec<Vec<TargetWord<'_>>> {
        match self {
            Self::Lines { lines, .. } => {
                lines.iter().map(|line| line.split_ascii_whitespace().map(TargetWord::new).collect()).collect()
            }
            Self::Parsed { sentences, .. } => {
                sentences.iter().map(|sentence| sentence.words().map(of).collect()).collect()
            }
        }
    }

    /// Adds a sentence with its tree to what is written.
    pub(super) fn write(
        &self,
        number: usize,
        pair: &TreePair<'_>,
        tree: &ProjectedTree,
        with_origins: bool,
        file: &mut String,
    ) {
        match self {
            Self::Lines { .. } => write_words(pair, tree, with_origins, file),
            Self::Parsed { sentences, .. } => write_parsed(&sentences[number], tree, with_origins, file),
        }
        file.push('\n');
    }
}

fn of(word: Word<'_>) -> TargetWord<'_> {
    TargetWord { form: word.form(), upos: Some(word.upos()).filter(|upos| *upos != "_") }
}

fn write_words(pair: &TreePair<'_>, tree: &ProjectedTree, with_origins: bool, file: &mut String) {
    if let Some(id) = pair.source.comment("sent_id") {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(file, "# sent_id = {id}");
    }
    let forms: Vec<&str> = pair.target.iter().map(|word| word.form).collect();
    let _ = writeln!(file, "# text = {}", forms.join(" "));
    for (number, (word, found)) in (1..).zip(pair.target.iter().zip(&tree.words)) {
        let (head, misc) = (head(found), misc("_", found, with_origins));
        let ProjectedWord { upos, relation, .. } = found;
        let _ = writeln!(file, "{number}\t{}\t_\t{upos}\t_\t_\t{head}\t{relation}\t_\t{misc}", word.form);
    }
}

/// A sentence as it was read, but for what depends on its tree.
fn write_parsed(sentence: &ParsedSentence, tree: &ProjectedTree, with_origins: bool, file: &mut String) {
    for comment in sentence.text().lines().take_while(|line| line.starts_with('#')) {
        let _ = writeln!(file, "{comment}");
    }
    for row in sentence.rows() {
        match row.id {
            NodeId::Empty { .. } => {}
            NodeId::Token { .. } => write_row(&row, |_| None, file),
            NodeId::Word(word) => {
                let found = &tree.words[word as usize];
                let changed = |column| match column {
                    Column::Upos => Some(found.upos.clone()),
                    Column::Head => Some(head(found).to_string()),
                    Column::Deprel => Some(found.relation.clone()),
                    Column::Deps => Some("_".to_owned()),
                    Column::Misc => Some(misc(row.get(Column::Misc), found, with_origins)),
                    _ => None,
                };
                write_row(&row, changed, file);
            }
        }
    }
}

fn write_row(row: &Row<'_>, changed: impl Fn(Column) -> Option<String>, file: &mut String) {
    for (number, column) in Column::ALL.into_iter().enumerate() {
        if number > 0 {
            file.push('\t');
        }
        match changed(column) {
            Some(cell) => file.push_str(&cell),
            None => file.push_str(row.get(column)),
        }
    }
    file.push('\n');
}

/// The head as in files, from 1, and 0 for the root.
fn head(word: &ProjectedWord) -> u32 {
    word.head.map_or(0, |head| head + 1)
}

/// The last column.
fn misc(before: &str, word: &ProjectedWord, with_origins: bool) -> String {
    let origin = with_origins.then(|| format!("Origin={}", word.origin.name()));
    match (before, origin) {
        (before, None) => before.to_owned(),
        ("_", Some(origin)) => origin,
        (before, Some(origin)) => format!("{before}|{origin}"),
    }
}
