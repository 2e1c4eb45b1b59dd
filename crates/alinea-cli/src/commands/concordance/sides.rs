//! The sides of the text: sentences in lines, perhaps with lemmas in another file, or trees.
//!
//! What is no regular file, such as standard input, cannot be read twice and is kept in memory.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alinea::error::Error;
use alinea::format::blanks::ForeignBlanks;
use alinea::format::conllu;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::{self, Input, is_dash};
use alinea::format::tokens;
use alinea::tree::{Column, ParsedSentence, Roots};
use clap::ValueEnum;

use crate::input::sentences::BlanksArgs;
use crate::input::trees::unequal;

/// What is counted of trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum By {
    /// Lemmas; forms of words that have none
    Lemma,
    /// Forms
    Form,
}

/// A file that is read several times.
#[derive(Debug, Clone)]
pub(super) enum Again {
    File(PathBuf),
    Memory { name: String, bytes: Arc<[u8]> },
}

impl Again {
    pub(super) fn new(path: &Path) -> Result<Self, Error> {
        if !is_read_once(path) {
            return Ok(Self::File(path.to_path_buf()));
        }
        let input = source::open(path)?;
        let name = input.name().to_owned();
        Ok(Self::Memory { name, bytes: input.read_all()?.into() })
    }

    pub(super) fn open(&self) -> Result<LineReader<Input>, Error> {
        match self {
            Self::File(path) => LineReader::open(path, Utf8::Strict),
            Self::Memory { name, bytes } => {
                let input = Input::from_reader(name.clone(), Cursor::new(Arc::clone(bytes)))?;
                Ok(LineReader::from_input(input, Utf8::Strict))
            }
        }
    }
}

/// Whether a file is no regular one.
pub(super) fn is_read_once(path: &Path) -> bool {
    is_dash(path) || std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// A side of the text.
#[derive(Debug)]
pub(super) struct Side {
    text: Again,
    is_trees: bool,
    by: By,
    lemmas: Option<Again>,
    blanks: BlanksArgs,
}

impl Side {
    pub(super) fn new(path: &Path, lemmas: Option<&PathBuf>, by: By, blanks: BlanksArgs) -> anyhow::Result<Self> {
        let name = path.to_string_lossy();
        let name = alinea::format::source::plain_name(&name);
        let is_trees = Path::new(name).extension().is_some_and(|extension| extension == "conllu");
        if let Some(lemmas) = lemmas.filter(|_| is_trees) {
            anyhow::bail!("{}: {} has lemmas of its own", lemmas.display(), path.display());
        }
        let lemmas = lemmas.map(|path| Again::new(path)).transpose()?;
        Ok(Self { text: Again::new(path)?, is_trees, by, lemmas, blanks })
    }

    fn open(&self) -> Result<Box<dyn SideReader>, Error> {
        let text = self.text.open()?;
        if self.is_trees {
            let (reader, by) = (conllu::Reader::new(text, Roots::Many), self.by);
            return Ok(Box::new(Trees { reader, by, sentence: ParsedSentence::default(), number: 0 }));
        }
        let blanks = self.blanks.get();
        let lemmas = self.lemmas.as_ref().map(Again::open).transpose()?;
        let lemmas = lemmas.map(|lemmas| (lemmas.of_sentences(blanks), String::new()));
        Ok(Box::new(Lines { text: text.of_sentences(blanks), line: String::new(), lemmas }))
    }
}

/// Reads a side, sentence by sentence.
pub(super) trait SideReader {
    /// Goes to the next sentence; says whether there is one.
    fn read(&mut self) -> Result<bool, Error>;

    /// The words of the sentence.
    fn words(&self) -> Vec<&str>;

    /// What is counted in place of the words, if that is something else.
    fn lemmas(&self) -> Option<Vec<&str>>;

    /// What the sentence is called.
    fn id(&self) -> Option<&str>;

    fn name(&self) -> &str;

    /// The number of all sentences.
    fn count_all(&mut self) -> Result<u64, Error>;

    /// White space inside of words that was met.
    fn take_foreign_blanks(&mut self) -> Option<ForeignBlanks> {
        None
    }

    /// Whether sentences are not lines.
    fn has_trees(&self) -> bool {
        false
    }
}

/// Sentences in lines.
struct Lines {
    text: LineReader<Input>,
    line: String,
    lemmas: Option<(LineReader<Input>, String)>,
}

impl SideReader for Lines {
    fn read(&mut self) -> Result<bool, Error> {
        let Self { text, line, lemmas } = self;
        let more = text.read_into(line)?;
        let Some((lemmas, lemma_line)) = lemmas else { return Ok(more) };
        if lemmas.read_into(lemma_line)? != more {
            let lines = [text.count_all()?, lemmas.count_all()?];
            return Err(Error::unequal_lengths(text.name(), lines[0], lemmas.name(), lines[1]));
        }
        let count = |line: &str| tokens::split(line.as_bytes()).count();
        let (words, found) = if more { (count(line), count(lemma_line)) } else { (0, 0) };
        if words != found {
            let expected = format!("as many lemmas as words of {} ({words}, not {found})", text.name());
            return Err(Error::parse(lemmas.position(1), expected, lemma_line.as_bytes()));
        }
        Ok(more)
    }

    fn words(&self) -> Vec<&str> {
        split(&self.line)
    }

    fn lemmas(&self) -> Option<Vec<&str>> {
        self.lemmas.as_ref().map(|(_, line)| split(line))
    }

    fn id(&self) -> Option<&str> {
        None
    }

    fn name(&self) -> &str {
        self.text.name()
    }

    fn count_all(&mut self) -> Result<u64, Error> {
        self.text.count_all()
    }

    fn take_foreign_blanks(&mut self) -> Option<ForeignBlanks> {
        self.text.take_foreign_blanks()
    }
}

/// Sentences with trees.
struct Trees {
    reader: conllu::Reader<Input>,
    by: By,
    sentence: ParsedSentence,
    number: u64,
}

impl SideReader for Trees {
    fn read(&mut self) -> Result<bool, Error> {
        let more = self.reader.read_into(&mut self.sentence)?;
        self.number += u64::from(more);
        Ok(more)
    }

    fn words(&self) -> Vec<&str> {
        self.sentence.words().map(|word| word.form()).collect()
    }

    fn lemmas(&self) -> Option<Vec<&str>> {
        if self.by == By::Form {
            return None;
        }
        let words = self.sentence.words().map(|word| (word.form(), word.get(Column::Lemma)));
        Some(words.map(|(form, lemma)| if lemma == "_" { form } else { lemma }).collect())
    }

    fn id(&self) -> Option<&str> {
        self.sentence.comment("sent_id")
    }

    fn name(&self) -> &str {
        self.reader.name()
    }

    fn count_all(&mut self) -> Result<u64, Error> {
        while self.read()? {}
        Ok(self.number)
    }

    fn has_trees(&self) -> bool {
        true
    }
}

fn split(line: &str) -> Vec<&str> {
    line.split([' ', '\t']).filter(|word| !word.is_empty()).collect()
}

pub(super) fn open_both(sides: &[Side; 2]) -> Result<[Box<dyn SideReader>; 2], Error> {
    Ok([sides[0].open()?, sides[1].open()?])
}

/// Goes to the next sentence of both sides.
pub(super) fn read_both([source, target]: &mut [Box<dyn SideReader>; 2]) -> Result<bool, Error> {
    let more = source.read()?;
    if target.read()? == more {
        return Ok(more);
    }
    let counts = [source.count_all()?, target.count_all()?];
    let unequal = if source.has_trees() || target.has_trees() { unequal } else { Error::unequal_lengths };
    Err(unequal(source.name(), counts[0], target.name(), counts[1]))
}
