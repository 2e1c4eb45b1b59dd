//! The options of `evaluate --breakdown`: what links are sorted by, and the files that it takes.
//!
//! * `frequency`: how often the word occurs in the text of `--source-frequencies` or `--target-frequencies`, or else in
//!   the evaluated sentences; a breakdown for each side.
//! * `pos`: the tag of the word in `--source-tags` or `--target-tags`, a breakdown for each file. A file has a line of
//!   tags for each sentence, or is CoNLL-U, by the extension `.conllu`, and gives the column `UPOS`.
//! * `distance`: |i/I - j/J| for the link from the i-th of I words to the j-th of J words.
//! * `fertility`: the number of gold links of the word; a breakdown for each side.
//!
//! All but `fertility` need the sentences. Tag files must have as many sentences as the gold standard, or more with
//! `--first`, and a tag for each word. A file that no breakdown uses is an error.

use std::path::{Path, PathBuf};

use alinea::bitext::{Side, Vocabulary};
use alinea::error::{Error, Position};
use alinea::evaluate::Attribute;
use alinea::format::conllu;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::source::{Input, plain_name};
use alinea::format::tokens;
use alinea::tree::Roots;
use anyhow::{anyhow, bail};
use clap::ValueEnum;

use crate::failure::hinted;
use crate::input::annotated::{AnnotatedText, Words};
use crate::input::kind::Rare as _;
use crate::input::links::counted;
use crate::input::paths::Role;

/// What errors can be broken down by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// Frequency of the word
    Frequency,
    /// Tag of the word, from --source-tags and --target-tags
    Pos,
    /// Distance of the link from the diagonal
    Distance,
    /// Number of gold links of the word
    Fertility,
}

/// Where the errors are.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Breakdown")]
pub(super) struct BreakdownArgs {
    /// Break scores down by frequency, pos, distance or fertility (comma-separated)
    #[arg(long, value_name = "BY", value_delimiter = ',', hide_possible_values = true)]
    breakdown: Vec<By>,
    /// Text in which source words are counted [default: the source sentences]
    #[arg(long, value_name = "FILE", requires = "breakdown", rare = true)]
    source_frequencies: Option<PathBuf>,
    /// Text in which target words are counted [default: the target sentences]
    #[arg(long, value_name = "FILE", requires = "breakdown", rare = true)]
    target_frequencies: Option<PathBuf>,
    /// Tags of the source words, such as parts of speech, one per word on each line; or trees (.conllu)
    #[arg(long, value_name = "FILE", requires = "breakdown", rare = true)]
    source_tags: Option<PathBuf>,
    /// Tags or trees of the target words
    #[arg(long, value_name = "FILE", requires = "breakdown", rare = true)]
    target_tags: Option<PathBuf>,
}

impl BreakdownArgs {
    /// The files, with what names them.
    pub(super) fn roles(&self) -> impl Iterator<Item = Role<'_>> {
        let files = [
            ("--source-frequencies", &self.source_frequencies),
            ("--target-frequencies", &self.target_frequencies),
            ("--source-tags", &self.source_tags),
            ("--target-tags", &self.target_tags),
        ];
        files.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_ref()?)))
    }

    /// Refuses files that nobody asked about.
    fn check_files(&self) -> anyhow::Result<()> {
        for (by, name, paths) in [
            (By::Frequency, "frequency", [&self.source_frequencies, &self.target_frequencies]),
            (By::Pos, "pos", [&self.source_tags, &self.target_tags]),
        ] {
            if let (false, Some(path)) = (self.breakdown.contains(&by), paths.into_iter().flatten().next()) {
                bail!("{}: this option needs --breakdown {name}", path.display());
            }
        }
        Ok(())
    }

    /// What to sort by, in the order asked for. If `first` says so, files of tags may go on after the gold standard.
    pub(super) fn attributes(&self, text: &AnnotatedText, first: bool) -> anyhow::Result<Vec<Attribute>> {
        self.check_files()?;
        let mut attributes = Vec::new();
        for by in &self.breakdown {
            match by {
                By::Fertility => attributes.extend([Side::Source, Side::Target].map(Attribute::fertility)),
                By::Distance => attributes.push(Attribute::distance(text.lengths().ok_or_else(no_words)?)),
                By::Frequency => {
                    let words = text.words().ok_or_else(no_words)?;
                    attributes.push(frequency(Side::Source, words, self.source_frequencies.as_deref())?);
                    attributes.push(frequency(Side::Target, words, self.target_frequencies.as_deref())?);
                }
                By::Pos => {
                    let words = text.words().ok_or_else(no_words)?;
                    let files = [(Side::Source, &self.source_tags), (Side::Target, &self.target_tags)];
                    let before = attributes.len();
                    for (side, path) in files.into_iter().filter_map(|(side, path)| Some((side, path.as_ref()?))) {
                        attributes.push(Attribute::tags(side, &read_tags(path, side, words, first)?));
                    }
                    if attributes.len() == before {
                        return Err(anyhow!("--breakdown pos needs --source-tags or --target-tags"));
                    }
                }
            }
        }
        Ok(attributes)
    }
}

fn no_words() -> anyhow::Error {
    anyhow!("--breakdown needs --source and --target, except for fertility")
}

fn of(words: &Words, side: Side) -> &[String] {
    match side {
        Side::Source => &words.source,
        Side::Target => &words.target,
    }
}

/// Counts the words of a text, or those of the sentences themselves.
fn frequency(side: Side, words: &[Words], path: Option<&Path>) -> anyhow::Result<Attribute> {
    let mut vocabulary = Vocabulary::default();
    let mut counts: Vec<u64> = Vec::new();
    let mut ids = Vec::with_capacity(words.len());
    for words in words {
        let mut sentence = Vec::with_capacity(of(words, side).len());
        for word in of(words, side) {
            let id = vocabulary.intern(word.as_bytes()).index();
            counts.resize(counts.len().max(id + 1), 0);
            counts[id] += u64::from(path.is_none());
            sentence.push(id);
        }
        ids.push(sentence);
    }
    if let Some(path) = path {
        let mut lines = LineReader::open(path, Utf8::Strict)?;
        while let Some(line) = lines.read()? {
            // Words of other sentences are not asked for.
            for id in tokens::split(line.as_bytes()).filter_map(|word| vocabulary.id(word)) {
                counts[id.index()] += 1;
            }
        }
    }
    let frequencies: Vec<Vec<u64>> =
        ids.iter().map(|sentence| sentence.iter().map(|&id| counts[id]).collect()).collect();
    Ok(Attribute::frequency(side, &frequencies))
}

/// A file of tags, or of trees: the tags of all sentences, and what the file is called in messages.
enum Tags {
    /// As many lines as there are sentences, as many tags a line as there are words.
    Lines(Box<LineReader<Input>>),
    /// CoNLL-U: universal parts of speech.
    Trees(Box<conllu::Reader<Input>>),
}

impl Tags {
    /// As the name says: `.conllu`, compressed or not, or lines.
    fn open(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let plain = plain_name(&name);
        Ok(if plain.ends_with(".conllu") {
            Self::Trees(Box::new(conllu::Reader::open(path, Roots::Many)?))
        } else {
            Self::Lines(Box::new(LineReader::open(path, Utf8::Strict)?))
        })
    }

    fn name(&self) -> &str {
        match self {
            Self::Lines(lines) => lines.name(),
            Self::Trees(trees) => trees.name(),
        }
    }

    /// The tags of the next sentence, and where it stands.
    fn next(&mut self) -> anyhow::Result<Option<(Vec<String>, Position)>> {
        match self {
            Self::Lines(lines) => {
                let mut line = String::new();
                if !lines.read_into(&mut line)? {
                    return Ok(None);
                }
                let tags = tokens::split(line.as_bytes()).map(|tag| String::from_utf8_lossy(tag).into_owned());
                Ok(Some((tags.collect(), lines.position(0))))
            }
            Self::Trees(trees) => {
                let Some(sentence) = trees.next().transpose()? else { return Ok(None) };
                let position = Position::new(trees.name(), sentence.line_of(0), 0);
                Ok(Some((sentence.words().map(|word| word.upos().to_owned()).collect(), position)))
            }
        }
    }
}

/// The tags of the words of all sentences; the file may go on after these if `first` says so.
fn read_tags(path: &Path, side: Side, words: &[Words], first: bool) -> anyhow::Result<Vec<Vec<String>>> {
    let mut file = Tags::open(path)?;
    let mut tags = Vec::with_capacity(words.len());
    while tags.len() < words.len()
        && let Some((of_sentence, position)) = file.next()?
    {
        let expected = of(&words[tags.len()], side).len();
        if of_sentence.len() != expected {
            let (expected, found) = (counted(expected as u64, "tag"), of_sentence.len().to_string());
            return Err(Error::parse(position, format!("{expected}, one per word"), found.as_bytes()).into());
        }
        tags.push(of_sentence);
    }
    if tags.len() < words.len() {
        let [gold, found] = [words.len(), tags.len()].map(|sentences| sentences as u64);
        return Err(Error::unequal_lengths("the gold standard", gold, file.name(), found).into());
    }
    if !first && let Some((of_sentence, position)) = file.next()? {
        let sentences = counted(words.len() as u64, "sentence");
        let expected = format!("the end of the file after {sentences}, as in the gold standard");
        let longer = Error::parse(position, expected, of_sentence.join(" ").as_bytes());
        return Err(hinted(longer, "--first evaluates the first sentences of longer files"));
    }
    Ok(tags)
}
