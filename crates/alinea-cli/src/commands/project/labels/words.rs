//! Targets whose words are given: a sentence a line, columns, or CoNLL-U.

use std::path::Path;

use alinea::error::{Error, ErrorKind};
use alinea::format::blanks::Blanks;
use alinea::format::columns::{self, Choice, ColumnText};
use alinea::format::conllu::Reader;
use alinea::format::conllu_field::{self, Field};
use alinea::format::lines::{LineReader, Utf8};
use alinea::tree::{ParsedSentence, Roots};

use super::files::TextFile;
use super::formats::{has_extension, is_conllu};

/// Sentences a line, of which none is empty.
pub(super) struct Lines {
    name: String,
    lines: Vec<String>,
}

/// The target of columns.
pub(super) enum ColumnTarget {
    Lines(Lines),
    Columns(ColumnText),
}

/// The target of CoNLL-U.
pub(super) enum ConlluTarget {
    Lines(Lines),
    Conllu { name: String, sentences: Vec<ParsedSentence> },
}

impl Lines {
    fn read(mut reader: LineReader<impl std::io::BufRead>, format: &str) -> anyhow::Result<Self> {
        let (mut line, mut lines) = (String::new(), Vec::new());
        while reader.read_into(&mut line)? {
            if line.trim_ascii().is_empty() {
                let message = format!("{}: a sentence without words, which {format} cannot have", reader.position(0));
                return Err(Error::from(ErrorKind::Inconsistent(message)).into());
            }
            lines.push(line.clone());
        }
        Ok(Self { name: reader.name().to_owned(), lines })
    }

    fn sentences(&self) -> Vec<Vec<&str>> {
        self.lines.iter().map(|line| line.split_ascii_whitespace().collect()).collect()
    }
}

impl ColumnTarget {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let reader = LineReader::open(path, Utf8::Strict)?;
        if has_extension(path, &["iob", "iob1", "iob2", "bio", "bioes", "conll", "tsv"]) {
            return Ok(Self::Columns(columns::read(reader, Choice::default())?));
        }
        Ok(Self::Lines(Lines::read(reader.of_sentences(Blanks::Ascii), "columns")?))
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Lines(lines) => &lines.name,
            Self::Columns(text) => &text.name,
        }
    }

    pub(super) fn sentences(&self) -> Vec<Vec<&str>> {
        match self {
            Self::Lines(lines) => lines.sentences(),
            Self::Columns(text) => (0..text.sentences.len()).map(|number| text.words(number).collect()).collect(),
        }
    }

    /// Adds a sentence with tags to what is written.
    pub(super) fn write(&self, number: usize, words: &[&str], tags: &[String], file: &mut String) -> Result<(), Error> {
        match self {
            Self::Lines(_) => columns::write_words(words.iter().copied(), tags, file)?,
            Self::Columns(text) => text.write_tagged(number, tags, file),
        }
        Ok(())
    }
}

impl ConlluTarget {
    pub(super) fn open(path: &Path) -> anyhow::Result<Self> {
        let file = TextFile::read(path)?;
        if has_extension(path, &["conllu"]) || is_conllu(&file.text) {
            return Ok(Self::Conllu { name: file.name.clone(), sentences: read_conllu(&file)? });
        }
        Ok(Self::Lines(Lines::read(file.reader(), "CoNLL-U")?))
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Lines(lines) => &lines.name,
            Self::Conllu { name, .. } => name,
        }
    }

    pub(super) fn sentences(&self) -> Vec<Vec<&str>> {
        match self {
            Self::Lines(lines) => lines.sentences(),
            Self::Conllu { sentences, .. } => sentences.iter().map(forms).collect(),
        }
    }

    /// Adds a sentence with these values to what is written.
    pub(super) fn write(
        &self,
        number: usize,
        words: &[&str],
        (field, values): (&Field, &[Option<&str>]),
        file: &mut String,
    ) -> Result<(), Error> {
        match self {
            Self::Lines(_) => conllu_field::write_words(words, field, values, file)?,
            Self::Conllu { sentences, .. } => conllu_field::write(&sentences[number], field, values, file),
        }
        Ok(())
    }
}

/// The sentences of a file. Nobody asks for their trees, so these may have several roots.
pub(super) fn read_conllu(file: &TextFile) -> Result<Vec<ParsedSentence>, Error> {
    Reader::new(file.reader(), Roots::Many).collect()
}

pub(super) fn forms(sentence: &ParsedSentence) -> Vec<&str> {
    sentence.words().map(|word| word.form()).collect()
}
