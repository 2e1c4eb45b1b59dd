//! `convert --source-tokens`, `--target-tokens`: links between words become links between other tokens of the same lines.
//!
//! The words are those of `--source` and `--target`, or those that come with the links. All files have a line for each pair
//! of the links, and are read in step with them.

use std::path::Path;

use alinea::error::{Error, Result};
use alinea::format::alignment::{PairRecord, TokenList};
use alinea::format::blanks::ForeignBlanks;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::Input;
use alinea::format::tokens::{self, Tokenize};
use anyhow::{anyhow, bail};

use crate::context::Context;
use crate::failure::WithHint as _;
use crate::input::links::LinkReader;
use crate::input::sentences::{BlanksArgs, warn_of_blanks};
use crate::input::tokens::{PlacedLine, TokenArgs, TokenReport, TokenTransfer};

/// The options that name the words of each side.
const OPTIONS: [&str; 2] = ["--source", "--target"];

/// Words and tokens beside the links.
#[derive(Debug)]
pub(super) struct TokenSides {
    sides: [Side; 2],
    transfer: TokenTransfer,
    /// Whether the tokens are to be written.
    shows_tokens: bool,
}

#[derive(Debug)]
struct Side {
    words: Option<Lines>,
    tokens: Option<Lines>,
}

/// A file, and its current line.
#[derive(Debug)]
struct Lines {
    reader: LineReader<Input>,
    line: String,
}

impl Lines {
    fn new(reader: LineReader<Input>) -> Self {
        Self { reader, line: String::new() }
    }

    /// Goes to the line of the current pair of the links.
    fn read(&mut self, links: &mut LinkReader) -> anyhow::Result<()> {
        if !self.reader.read_into(&mut self.line)? {
            let lines = links.count_all()?;
            return Err(Error::unequal_lengths(links.name(), lines, self.reader.name(), self.reader.number()).into());
        }
        Ok(())
    }

    fn placed(&self) -> PlacedLine<'_> {
        PlacedLine { line: &self.line, name: self.reader.name(), number: self.reader.number(), is_whole: true }
    }

    fn words(&self) -> TokenList {
        let mut list = TokenList::default();
        let mut split = tokens::split(self.line.as_bytes());
        while let Some(word) = split.next() {
            list.push(&self.line[split.offset() - word.len()..split.offset()]);
        }
        list
    }
}

impl TokenSides {
    /// Opens the files. Where a side has tokens and no file of words, the links have the words, if their format may.
    pub(super) fn open(
        args: &TokenArgs,
        words: [Option<&Path>; 2],
        blanks: BlanksArgs,
        links_have_words: bool,
        shows_tokens: bool,
    ) -> anyhow::Result<Self> {
        for ((words, tokens), option) in words.iter().zip(args.files()).zip(OPTIONS) {
            if tokens.is_some() && words.is_none() && !links_have_words {
                let message = format!("{option}-tokens needs the words that the links count");
                return Err(anyhow!(message)).hint(format!("give them with {option} FILE"));
            }
        }
        let open = |path: Option<&Path>| -> Result<Option<Lines>> {
            let reader = path.map(|path| LineReader::open(path, Utf8::Strict)).transpose()?;
            Ok(reader.map(|reader| Lines::new(reader.of_sentences(blanks.get()))))
        };
        let words = [open(words[0])?, open(words[1])?];
        let tokens = args.open()?.into_readers().map(|reader| reader.map(Lines::new));
        let [source_words, target_words] = words;
        let [source_tokens, target_tokens] = tokens;
        let sides =
            [Side { words: source_words, tokens: source_tokens }, Side { words: target_words, tokens: target_tokens }];
        Ok(Self { sides, transfer: args.transfer(), shows_tokens })
    }

    /// Carries the links of the current pair over.
    pub(super) fn carry(&mut self, links: &mut LinkReader) -> anyhow::Result<()> {
        let Self { sides, transfer, .. } = self;
        transfer.begin();
        let mut lengths = [None, None];
        for (number, side) in sides.iter_mut().enumerate() {
            for lines in [&mut side.words, &mut side.tokens].into_iter().flatten() {
                lines.read(links)?;
            }
            let own = own_words(links.record(), number).map(TokenList::len);
            if let Some(words) = &side.words {
                let count = tokens::count(&words.line, Tokenize::None);
                if let Some(own) = own.filter(|&own| own != count) {
                    let side = ["source", "target"][number];
                    bail!("{}: {own} {side} words, {count} in the text", links.position());
                }
                lengths[number] = Some(count);
            } else {
                lengths[number] = own;
            }
        }
        links.check_range(lengths[0], lengths[1])?;
        for (number, side) in sides.iter().enumerate() {
            let Some(tokens) = &side.tokens else { continue };
            match (&side.words, own_words(links.record(), number)) {
                (Some(words), _) => transfer.match_lines(number, words.placed(), Tokenize::None, tokens.placed())?,
                (None, Some(words)) => transfer.match_words(number, (words, &links.position()), tokens.placed())?,
                (None, None) => {
                    let option = OPTIONS[number];
                    return Err(anyhow!("{}: the pair has no words", links.position()))
                        .hint(format!("give them with {option} FILE"));
                }
            }
        }
        transfer.matched();
        if let Err(error) = transfer.carry(links.record_mut()) {
            return Err(error.at(links.position()).into());
        }
        self.show(links.record_mut());
        Ok(())
    }

    /// Puts the tokens into a record, and the words of a side without tokens.
    fn show(&self, record: &mut PairRecord) {
        for (number, side) in self.sides.iter().enumerate() {
            let own = if number == 0 { &mut record.source } else { &mut record.target };
            match (&side.tokens, &side.words) {
                // Words that came with the links are those of links that are no more.
                (Some(tokens), _) => *own = self.shows_tokens.then(|| tokens.words()),
                (None, Some(words)) if self.shows_tokens => *own = Some(words.words()),
                _ => {}
            }
        }
        if self.sides[0].tokens.is_some() {
            record.source_offsets = None;
        }
        if self.sides[1].tokens.is_some() {
            record.target_offsets = None;
        }
    }

    /// After the last pair: refuses lines that are left, and warns of blanks inside words.
    pub(super) fn finish(&mut self, links: &LinkReader, context: &Context) -> anyhow::Result<()> {
        let mut found = None;
        for side in &mut self.sides {
            for lines in [&mut side.words, &mut side.tokens].into_iter().flatten() {
                let count = lines.reader.count_all()?;
                if count != links.number() {
                    let names = [links.name(), lines.reader.name()];
                    return Err(Error::unequal_lengths(names[0], links.number(), names[1], count).into());
                }
                ForeignBlanks::add(&mut found, lines.reader.take_foreign_blanks());
            }
        }
        warn_of_blanks(found.as_ref(), context);
        Ok(())
    }

    /// What was left out.
    pub(super) fn report(&self) -> TokenReport {
        self.transfer.report()
    }
}

fn own_words(record: &PairRecord, side: usize) -> Option<&TokenList> {
    if side == 0 { record.source.as_ref() } else { record.target.as_ref() }
}
