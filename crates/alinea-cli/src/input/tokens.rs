//! Links between other tokens of the same lines, such as subwords: `--source-tokens` and `--target-tokens`.
//!
//! `TokenArgs` has the options. A `TokenTransfer` matches the words and tokens of one pair after another
//! (`alinea::token_map`), and carries links over. Lines that do not spell the same are an error that names both tokens and
//! their places; or, with `--unmatched skip`, the pair loses its links, and is counted. `TokenText` is the lines of tokens of
//! some pairs, for verbs that work on many pairs at a time.

use std::path::{Path, PathBuf};

use alinea::error::{Error, Position, Result};
use alinea::format::alignment::{PairRecord, TokenList};
use alinea::format::bitext::KeptLines;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::Input;
use alinea::format::tokens::{self, Tokenize};
use alinea::token_map::{LinkTransfer, TokenMap, TokenMatcher, token_at};
use clap::ValueEnum;

use crate::input::kind::Rare as _;
use crate::input::links::counted;

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Other tokens")]
pub(crate) struct TokenArgs {
    /// Make links count these tokens of the source sentences, such as subwords, instead of their words: one sentence per
    /// line, tokens separated by spaces
    #[arg(long, value_name = "FILE", rare = true)]
    source_tokens: Option<PathBuf>,
    /// The same for the target sentences
    #[arg(long, value_name = "FILE", rare = true)]
    target_tokens: Option<PathBuf>,
    /// What to do if the tokens of a sentence do not spell its words
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Unmatched::Error, rare = true)]
    unmatched: Unmatched,
    /// Ignore case and accents when tokens are compared with words
    #[arg(long, rare = true)]
    ignore_case: bool,
}

/// What becomes of pairs whose tokens do not spell their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Unmatched {
    /// Fail
    Error,
    /// Leave out the links of the pair, and count it
    Skip,
}

impl TokenArgs {
    /// The files of both sides.
    pub(crate) fn files(&self) -> [Option<&Path>; 2] {
        [self.source_tokens.as_deref(), self.target_tokens.as_deref()]
    }

    /// The files, with the options that name them.
    pub(crate) fn paths(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let names = ["--source-tokens", "--target-tokens"];
        names.into_iter().zip(self.files()).filter_map(|(name, path)| Some((name, path?)))
    }

    /// Whether there are any.
    pub(crate) fn is_given(&self) -> bool {
        self.files().iter().any(Option::is_some)
    }

    /// For one pair after another.
    pub(crate) fn transfer(&self) -> TokenTransfer {
        TokenTransfer {
            matcher: TokenMatcher::new().ignoring_case(self.ignore_case),
            skips: self.unmatched == Unmatched::Skip,
            maps: <[TokenMap; 2]>::default(),
            has_map: [false; 2],
            is_matched: true,
            transfer: LinkTransfer::default(),
            report: TokenReport::default(),
        }
    }

    /// Opens the files that are given.
    pub(crate) fn open(&self) -> Result<TokenFiles> {
        let open = |path: Option<&Path>| path.map(|path| LineReader::open(path, Utf8::Strict)).transpose();
        let [source, target] = self.files();
        Ok(TokenFiles([open(source)?, open(target)?]))
    }
}

/// A line, and where it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedLine<'t> {
    pub(crate) line: &'t str,
    /// The name of its file.
    pub(crate) name: &'t str,
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Whether it begins where the line of its file does.
    pub(crate) is_whole: bool,
}

impl PlacedLine<'_> {
    fn position(&self) -> Position {
        Position::new(self.name, self.number, u64::from(self.is_whole))
    }
}

/// Carries links over, pair after pair.
#[derive(Debug)]
pub(crate) struct TokenTransfer {
    matcher: TokenMatcher,
    skips: bool,
    maps: [TokenMap; 2],
    /// The sides of the current pair that have a map.
    has_map: [bool; 2],
    /// Whether tokens and words of the current pair spell the same.
    is_matched: bool,
    transfer: LinkTransfer,
    report: TokenReport,
}

/// What was left out.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TokenReport {
    /// Pairs whose tokens do not spell their words.
    pub(crate) unmatched: u64,
    /// Links of tokens that share characters with none.
    pub(crate) links: u64,
}

impl TokenReport {
    /// Adds what was left out elsewhere.
    pub(crate) fn add(&mut self, other: Self) {
        self.unmatched += other.unmatched;
        self.links += other.links;
    }

    /// What was left out, in words.
    pub(crate) fn described(&self) -> Vec<String> {
        let unmatched = |n| format!("the links of {} whose tokens do not spell the words", counted(n, "pair"));
        let links = |n| format!("{} of tokens without characters", counted(n, "link"));
        let pairs = (self.unmatched > 0).then(|| unmatched(self.unmatched));
        pairs.into_iter().chain((self.links > 0).then(|| links(self.links))).collect()
    }
}

impl TokenTransfer {
    /// Begins a pair whose sides have no tokens yet.
    pub(crate) fn begin(&mut self) {
        (self.has_map, self.is_matched) = ([false; 2], true);
    }

    /// Matches the words of a line of the current pair, which is of side 0 or 1, with the tokens of another.
    pub(crate) fn match_lines(
        &mut self,
        side: usize,
        words: PlacedLine<'_>,
        tokenize: Tokenize,
        found: PlacedLine<'_>,
    ) -> Result<()> {
        let map = &mut self.maps[side];
        let matched = if tokenize == Tokenize::None {
            self.matcher.match_lines(words.line, found.line, map)
        } else {
            let places = tokens::places(words.line, tokenize);
            let cut = places.iter().map(|place| &words.line.as_bytes()[place.clone()]);
            self.matcher.match_tokens(cut, tokens::split(found.line.as_bytes()), map)
        };
        self.has_map[side] = true;
        let Err(mismatch) = matched else { return Ok(()) };
        self.is_matched = false;
        if self.skips {
            return Ok(());
        }
        let word = token_at(words.line, tokenize, mismatch.from, words.position());
        let token = token_at(found.line, Tokenize::None, mismatch.to, found.position());
        Err(mismatch.error(word, token))
    }

    /// The same for the words of a record, which is at a place.
    pub(crate) fn match_words(
        &mut self,
        side: usize,
        (words, place): (&TokenList, &Position),
        found: PlacedLine<'_>,
    ) -> Result<()> {
        let of_record = words.iter().map(str::as_bytes).collect::<Vec<_>>();
        let split = tokens::split(found.line.as_bytes());
        let matched = self.matcher.match_tokens(of_record.into_iter(), split, &mut self.maps[side]);
        self.has_map[side] = true;
        let Err(mismatch) = matched else { return Ok(()) };
        self.is_matched = false;
        if self.skips {
            return Ok(());
        }
        let word = mismatch.from.and_then(|number| words.get(number));
        let token = token_at(found.line, Tokenize::None, mismatch.to, found.position());
        Err(mismatch.error((word, Position { column: 0, ..place.clone() }), token))
    }

    /// Ends the matching of a pair: counts it if it is left out.
    pub(crate) fn matched(&mut self) {
        self.report.unmatched += u64::from(!self.is_matched);
    }

    /// Carries links of the current pair over. Links lie within the words.
    pub(crate) fn carry(&mut self, record: &mut PairRecord) -> Result<()> {
        if !self.is_matched {
            record.links.clear();
            return Ok(());
        }
        let [source, target] = [0, 1].map(|side| self.has_map[side].then_some(&self.maps[side]));
        if source.is_some() || target.is_some() {
            self.report.links += self.transfer.transfer(record, source, target)?;
        }
        Ok(())
    }

    /// What was left out so far.
    pub(crate) fn report(&self) -> TokenReport {
        self.report
    }
}

/// The files of tokens, of those sides that have one.
#[derive(Debug)]
pub(crate) struct TokenFiles([Option<LineReader<Input>>; 2]);

/// Lines of tokens.
#[derive(Debug)]
pub(crate) struct TokenText {
    sides: [Option<(String, KeptLines)>; 2],
    /// Lines of the files that come before.
    before: u64,
}

impl TokenFiles {
    /// Both files, to be read by the caller.
    pub(crate) fn into_readers(self) -> [Option<LineReader<Input>>; 2] {
        self.0
    }

    /// The tokens of the next pairs, so many, behind `before` others; the text is called `name`.
    pub(crate) fn read(&mut self, pairs: usize, before: u64, name: &str) -> Result<TokenText> {
        let mut sides = [None, None];
        for (reader, side) in self.0.iter_mut().zip(&mut sides) {
            let Some(reader) = reader else { continue };
            let mut lines = KeptLines::new(Tokenize::None);
            for _ in 0..pairs {
                let Some(line) = reader.read()? else {
                    return Err(Error::unequal_lengths(name, before + pairs as u64, reader.name(), reader.number()));
                };
                lines.push(line);
            }
            *side = Some((reader.name().to_owned(), lines));
        }
        Ok(TokenText { sides, before })
    }

    /// After the last of so many pairs: refuses lines that are left.
    pub(crate) fn finish(&mut self, pairs: u64, name: &str) -> Result<()> {
        for reader in self.0.iter_mut().flatten() {
            let lines = reader.count_all()?;
            if lines != pairs {
                return Err(Error::unequal_lengths(name, pairs, reader.name(), lines));
            }
        }
        Ok(())
    }
}

impl TokenText {
    /// The tokens of the `n`-th pair, from 0, on a side that has some.
    pub(crate) fn line(&self, side: usize, n: usize) -> Option<PlacedLine<'_>> {
        let (name, lines) = self.sides[side].as_ref()?;
        Some(PlacedLine { line: lines.line(n), name, number: self.before + n as u64 + 1, is_whole: true })
    }
}
