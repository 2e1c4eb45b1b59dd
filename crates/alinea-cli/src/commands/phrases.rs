//! `alinea phrases`: extracts phrase pairs that are consistent with the links (Koehn, Och and Marcu 2003).
//!
//! Two spans are a phrase pair if at least one link has both ends inside and no link has exactly one end inside. Both
//! have at most `--max-length` words.
//!
//! Text and links are read in batches. Threads extract the pairs of chunks of 100 sentence pairs into lines in memory,
//! which are written in the order of the text: to `--output` as Moses' `extract` or as JSON, to `--inverse` as
//! `extract.inv`, to `--orientation` as `extract.o`. All files appear at the end, or none. The word `|||` separates
//! phrases in Moses' files and is refused, unless only JSON is written.

use std::io::Write as _;
use std::num::NonZeroU32;
use std::path::PathBuf;

use alinea::error::Result;
use alinea::format::sink::{self, Output};
use alinea::parallel::chunk_range;
use alinea::phrase::moses::{JoinedWords, SEPARATOR, push_inverse, push_orientation, push_pair};
use alinea::phrase::{MOSES_MAX_LENGTH, PhraseExtractor, PhrasePair, Phrases};
use alinea::progress;
use clap::ValueEnum;

use crate::context::Context;
use crate::input::kind::{FormatArgs, JsonKind};
use crate::input::linked::{LinkedPair, LinkedTextArgs};
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Extract phrase pairs: contiguous spans of both sentences such that at least one link is inside and no link leads out.

Examples:
  alinea phrases text.en text.fr links > extract        the house ||| la maison ||| 0-0 1-1
  alinea phrases text.en text.fr links -o extract.gz --inverse extract.inv.gz --orientation extract.o.gz
                                                        training data of Moses
  alinea phrases text.en text.fr links --format json --max-length 4
  alinea align text.en text.fr | alinea phrases text.en text.fr -";

const AFTER_LONG_HELP: &str = "\
The lines are those of Moses' extract: one line for each phrase pair of each sentence pair, without aggregation. \
Sentence pairs keep their order; phrase pairs are sorted by source, then by target words. Links are relative to the \
beginning of the phrases and sorted by target word. Unlinked words may be anywhere in a phrase, including its \
boundaries.

With --format json, each line is an object with the number of the sentence pair, from 1, the spans of the phrases \
(first word from 0, end exclusive) and their words.";

/// The pairs of a chunk, and how many chunks there are in a batch for each thread.
const CHUNK_PAIRS: usize = 100;
const CHUNKS_PER_THREAD: usize = 8;

/// Words may not look like this in Moses' lines.
const FORBIDDEN: (&str, &str) = (SEPARATOR, "a word other than the phrase separator (Moses writes `&#124;` for `|`)");

/// Extract phrase pairs
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    text: LinkedTextArgs,
    /// Maximum phrase length in words, on both sides
    #[arg(long, value_name = "N", default_value_t = MOSES_MAX_LENGTH)]
    max_length: NonZeroU32,
    /// Output file for phrase pairs (- for standard output); .gz and .zst are compressed
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    format: FormatArgs<Form>,
    /// Output file for the same pairs, target phrase first
    #[arg(long, value_name = "FILE")]
    inverse: Option<PathBuf>,
    /// Output file for word-based orientation to the previous and next target word: mono, swap or other
    #[arg(long, value_name = "FILE")]
    orientation: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// What is written to `--output`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Moses' lines
    Moses,
    /// Objects with spans and words
    Json,
}

impl JsonKind for Form {
    const JSON: Self = Self::Json;
    const DEFAULT: &'static str = "moses";
}

/// Lines for each kind of output, in the order of the options.
type Lines = [Vec<u8>; 3];

/// Extracts them.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    let parallelism = args.threads.parallelism()?;
    let only_json = args.format.get() == Form::Json && args.inverse.is_none() && args.orientation.is_none();
    let mut text = args.text.open((!only_json).then_some(FORBIDDEN))?;
    let create = |path: &PathBuf| sink::create(path);
    let mut outputs: [Option<Output>; 3] = [
        Some(create(&args.output)?),
        args.inverse.as_ref().map(create).transpose()?,
        args.orientation.as_ref().map(create).transpose()?,
    ];
    let observer = context.observer();
    observer.started("phrases", 0);
    let mut found = 0;
    loop {
        let batch = text.next(CHUNK_PAIRS * CHUNKS_PER_THREAD * parallelism.threads())?;
        if batch.is_empty() {
            break;
        }
        progress::check(observer)?;
        parallelism.map_ordered(
            batch.len().div_ceil(CHUNK_PAIRS),
            || Worker::new(args),
            |worker, chunk| worker.extract(&batch[chunk_range(batch.len(), CHUNK_PAIRS, chunk)]),
            |(lines, pairs)| {
                found += pairs;
                let outputs =
                    outputs.iter_mut().zip(&lines).filter_map(|(output, lines)| Some((output.as_mut()?, lines)));
                outputs.into_iter().try_for_each(|(output, lines)| output.write_bytes(lines))
            },
        )?;
        observer.advance(batch.len() as u64);
    }
    sink::finish_all(outputs.into_iter().flatten())?;
    observer.finished("");
    text.warn_of_blanks(context);
    context.report(format_args!("{}, {}", counted(text.number(), "sentence pair"), counted(found, "phrase pair")));
    Ok(())
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let others = [("--inverse", &self.inverse), ("--orientation", &self.orientation)];
        let others = others.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)));
        let outputs: Vec<Role<'_>> = std::iter::once(Role::new("--output", &self.output)).chain(others).collect();
        check_distinct(&self.text.roles(), &outputs)
    }
}

/// What a thread keeps.
struct Worker<'a> {
    args: &'a Args,
    extractor: PhraseExtractor,
    words: [JoinedWords; 2],
}

impl<'a> Worker<'a> {
    fn new(args: &'a Args) -> Self {
        Self { args, extractor: PhraseExtractor::new(Some(args.max_length)), words: Default::default() }
    }

    /// The lines of some pairs, and how many phrase pairs there are.
    fn extract(&mut self, pairs: &[LinkedPair]) -> Result<(Lines, u64)> {
        let Self { args, extractor, words } = self;
        let (mut lines, mut found) = (Lines::default(), 0);
        for pair in pairs {
            for (side, words) in words.iter_mut().enumerate() {
                words.replace(pair.words(side));
            }
            let words = words.each_ref();
            let found_here = extractor.extract(&pair.links, words[0].len(), words[1].len());
            let phrases = found_here.map_err(|error| error.at(format_args!("sentence pair {}", pair.number)))?;
            found += phrases.pairs().len() as u64;
            for &phrase in phrases.pairs() {
                write(args, pair.number, phrases, phrase, words, &mut lines);
            }
        }
        Ok((lines, found))
    }
}

/// Writes one phrase pair of the sentence pair with this number.
fn write(
    args: &Args,
    number: u64,
    phrases: Phrases<'_>,
    pair: PhrasePair,
    words: [&JoinedWords; 2],
    [lines, inverse, orientation]: &mut Lines,
) {
    match args.format.get() {
        Form::Moses => push_pair(phrases, pair, words, lines),
        Form::Json => push_json(number, pair, words, lines),
    }
    if args.inverse.is_some() {
        push_inverse(phrases, pair, words, inverse);
    }
    if args.orientation.is_some() {
        push_orientation(phrases, pair, words, orientation);
    }
}

fn push_json(number: u64, pair: PhrasePair, words: [&JoinedWords; 2], out: &mut Vec<u8>) {
    let PhrasePair { source, target } = pair;
    let text = |side: usize, span| serde_json::Value::from(String::from_utf8_lossy(words[side].phrase(span)));
    let (source_text, target_text) = (text(0, source), text(1, target));
    // Writing to memory cannot fail.
    let _ = writeln!(
        out,
        r#"{{"pair":{number},"source":[{},{}],"target":[{},{}],"source_text":{source_text},"target_text":{target_text}}}"#,
        source.start, source.end, target.start, target.end
    );
}
