//! `alinea reorder pack`: makes corpora in the format of the 2012 shared task on word order, or checks them.
//!
//! Reads the source sentences with their links, and tags and parses if there are files of them. The words with links
//! become rows, and column 7 has their gold order by `--key`. `--split` cuts the corpus into parts in the order of the
//! text; their sizes must add up to it. For each part the files `.conll`, `.txt`, `.pos`, `.parse` and `.align.info`
//! are written, without those of which nothing is known; all appear at the end, or none. A part of `--hide` is written
//! twice: as test data without orders and without `.align.info`, and under `NAME-gold` as the gold standard.
//!
//! `--check` reads the files of a corpus, checks the brackets of its parses too, and reports what it has.
//!
//! Modules: `parts` the files of each part, `summary` what is reported about a corpus.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use alinea::error::{Error, Position};
use alinea::format::rsmt::{Corpus, Paths, Sentence, Unknown};
use alinea::reorder::Key;
use alinea::reorder::engine::Layer;
use alinea::reorder::reading::packed;
use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::gold::warn_of_guesses;
use super::input::{AlignedSentence, SourceArgs, choice_parser, words_of_lines};
use super::layers::Tables;
use super::parses::{check_parse, parse_lines};
use crate::context::Context;
use crate::input::kind::{Rare as _, former_format};
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};

mod parts;
mod summary;

use self::parts::Part;
use self::summary::Summary;

const LONG_ABOUT: &str = "\
Build the files of the 2012 shared task on word order from an aligned text, or check such files.

Examples:
  alinea reorder pack links --trees text.conllu --stem en_hi.en.trn
                                          .conll, .txt, .pos, .parse and .align.info, tags and parses from the trees
  alinea reorder pack links --source text.en --tags text.tags --stem en_hi.en --split trn=4000,dev=500,tst=500
                                          en_hi.en.trn.conll and so on, without parses
  alinea reorder pack --check en_hi.en.trn.conll
                                          check that the files are consistent
  alinea reorder pack links --trees text.conllu --stem en_hi.en --split trn=4000,dev=500,tst=500 --hide tst
                                          test data with orders only in en_hi.en.tst-gold.conll";

const AFTER_LONG_HELP: &str = "\
A part named by --hide is written twice. STEM.NAME.conll, .txt, .pos and .parse are for participants who predict the \
orders: column 7 is `-`, and there is no .align.info. STEM.NAME-gold.conll and the files next to it are the gold \
standard, for `alinea reorder rank` and `evaluate`. Both leave out sentences without links, which cannot be identified \
without .align.info.";

/// Build or check the files of the shared task on word order
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP, arg(former_format()))]
pub(super) struct Args {
    /// Links, one line per sentence
    #[arg(value_name = "LINKS", required_unless_present = "check")]
    links: Option<PathBuf>,
    #[command(flatten)]
    source: SourceArgs,
    /// Tags of the source words, separated by spaces, one line per sentence
    #[arg(long, value_name = "FILE", conflicts_with = "trees", help_heading = "Reading")]
    tags: Option<PathBuf>,
    /// Bracketed parses, one per line [default: the dependency trees of --trees as brackets]
    #[arg(long, value_name = "FILE", help_heading = "Reading")]
    parses: Option<PathBuf>,
    /// Sort key of a word with several links: mean, median, min or max
    #[arg(long, value_name = "KEY", default_value = Key::default().name(), value_parser = choice_parser!(Key),
        hide_possible_values = true)]
    #[arg(rare = true)]
    key: Key,
    /// Prefix of all file names
    #[arg(long, value_name = "STEM", required_unless_present = "check", help_heading = "Output")]
    stem: Option<String>,
    /// Split the text into named parts of N sentences; names follow the stem
    #[arg(long, value_name = "NAME=N,…", value_delimiter = ',', value_parser = part, help_heading = "Output")]
    split: Vec<(String, usize)>,
    /// Hide the orders of these parts: NAME has none, NAME-gold is the gold standard
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', requires = "split", help_heading = "Output")]
    hide: Vec<String>,
    /// Check the files of a corpus instead: *.conll and the files next to it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["links", "stem", "split", "hide", "source", "trees", "tags", "parses"])]
    check: Option<PathBuf>,
}

/// Reads `NAME=N`.
fn part(text: &str) -> Result<(String, usize), String> {
    let expected = || "expected a name, `=` and a number of sentences, such as trn=4000".to_owned();
    let (name, count) = text.split_once('=').ok_or_else(expected)?;
    let named = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let count: usize = count.parse().map_err(|_| expected())?;
    if named && count > 0 { Ok((name.to_owned(), count)) } else { Err(expected()) }
}

/// Does it.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    match (&args.check, &args.links, &args.stem) {
        (Some(path), ..) => check(path, context),
        (None, Some(links), Some(stem)) => args.pack(links, stem, context),
        _ => bail!("LINKS and --stem, or --check, are required"),
    }
}

impl Args {
    fn pack(&self, links: &Path, stem: &str, context: &Context) -> anyhow::Result<()> {
        let parts = self.parts(stem)?;
        let inputs = [("LINKS", Some(links)), ("--tags", self.tags.as_deref()), ("--parses", self.parses.as_deref())];
        let inputs = inputs.into_iter().filter_map(|(name, path)| Some(Role::new(name, path?)));
        let outputs = parts.iter().flat_map(Part::files).map(|path| Role::new("--stem", path));
        check_distinct(&inputs.chain(self.source.roles()).collect::<Vec<_>>(), &outputs.collect::<Vec<_>>())?;
        let corpus = self.corpus(links, context)?;
        let total: usize = self.split.iter().map(|(_, count)| count).sum();
        if !self.split.is_empty() && total != corpus.sentences.len() {
            let total = counted(total as u64, "sentence");
            bail!("the parts of --split have {total}, the text has {}", corpus.sentences.len());
        }
        parts::write(parts, corpus, context)?;
        Ok(())
    }

    /// The parts to write.
    fn parts(&self, stem: &str) -> anyhow::Result<Vec<Part>> {
        let mut names = BTreeSet::new();
        if let Some((name, _)) = self.split.iter().find(|(name, _)| !names.insert(name)) {
            bail!("--split names {name} twice");
        }
        if let Some(name) = self.hide.iter().find(|name| !names.contains(name)) {
            bail!("--hide {name}: --split has no such part");
        }
        if self.split.is_empty() {
            return Ok(vec![Part::whole(stem)]);
        }
        Ok(self.split.iter().map(|(name, count)| Part::of(stem, name, *count, self.hide.contains(name))).collect())
    }

    /// Joins what is known of the sentences.
    fn corpus(&self, links: &Path, context: &Context) -> anyhow::Result<Corpus> {
        let aligned = self.source.read(links, None, context)?;
        let words = |path| words_of_lines(path, self.source.text.blanks, context);
        let tags = self.tags.as_deref().map(words).transpose()?;
        let parses = self.parses.as_deref().map(parse_lines).transpose()?;
        for (name, count) in [
            tags.as_ref().map(|(name, tags)| (name, tags.len())),
            parses.as_ref().map(|(name, lines)| (name, lines.len())),
        ]
        .into_iter()
        .flatten()
        {
            if count != aligned.len() {
                let links = links.to_string_lossy();
                return Err(Error::unequal_lengths(&links, aligned.len() as u64, name, count as u64).into());
            }
        }
        let mut sentences = Vec::with_capacity(aligned.len());
        for (number, sentence) in aligned.into_iter().enumerate() {
            let tags = match &tags {
                None => None,
                Some((name, lines)) if lines[number].len() == sentence.words.len() => Some((name, &lines[number])),
                Some((name, lines)) => {
                    let position = Position::new(name, number as u64 + 1, 0);
                    let expected = format!("{}, one per word", counted(sentence.words.len() as u64, "tag"));
                    return Err(Error::parse(position, expected, lines[number].join(" ").as_bytes()).into());
                }
            };
            let parse = match &parses {
                None => None,
                Some((name, lines)) => {
                    check_parse(&lines[number], &sentence.words, name, number)?;
                    Some(lines[number].clone())
                }
            };
            sentences.push(self.sentence(sentence, tags.map(|(_, tags)| tags.as_slice()), parse)?);
        }
        Ok(Corpus { sentences })
    }

    fn sentence(
        &self,
        mut sentence: AlignedSentence,
        tags: Option<&[String]>,
        parse: Option<String>,
    ) -> Result<Sentence, Error> {
        let links = std::mem::take(&mut sentence.links);
        let mut known = Tables::default().sentence(sentence)?;
        if let Some(tags) = tags {
            known = known.with_layer(Layer::Tags, tags.to_vec())?;
        }
        Ok(packed(&known, &links, parse, self.key))
    }
}

/// Checks the files of a corpus.
fn check(path: &Path, context: &Context) -> anyhow::Result<()> {
    let paths = Paths::beside(path);
    let corpus = Corpus::read(&paths, Unknown::Allowed)?;
    if let Some(parses) = &paths.parses {
        let name = parses.display().to_string();
        for (number, sentence) in corpus.sentences.iter().enumerate() {
            check_parse(sentence.parse.as_deref().unwrap_or_default(), &sentence.words, &name, number)?;
        }
    }
    warn_of_guesses(&corpus, path, context);
    Summary::of(&corpus).tell(path, context);
    Ok(())
}
