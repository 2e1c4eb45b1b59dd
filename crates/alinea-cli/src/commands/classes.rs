//! `alinea classes`: word classes by maximum likelihood of a class bigram model.
//!
//! Reads a text whole, and the classes of `--start` if there are any. With c(w) the class of a word, and the border of
//! sentences in a class of its own, the classes maximize the likelihood of the text under
//!
//! ```text
//! p(w | v) = p(c(w) | c(v)) · p(w | c(w))        for a word w behind a word v
//! ```
//!
//! as far as the exchange algorithm finds them: words move from class to class, for `--cooling` passes also where that
//! lowers the likelihood, then for up to `--passes` passes only where it raises it. Nothing is random.
//!
//! Writes a word, a tab and the number of its class a line, sorted by word; with `--show` the most frequent words of
//! each class, or JSON (`listing`).

mod listing;

use std::path::PathBuf;
use std::time::Instant;

use alinea::bitext::Text;
use alinea::classes::{ClassesConfig, TrainedClasses, WordClasses};
use alinea::format::bitext::{ReadOptions, ReadText, TextReport, read_text};
use alinea::format::lines::LineReader;
use alinea::format::{classes, sink, source};
use anyhow::anyhow;
use serde_json::json;

use self::listing::Listing;
use crate::context::Context;
use crate::failure::WithHint;
use crate::input::paths::{Role, check_distinct};
use crate::input::text::{self, ReadingArgs};

const LONG_ABOUT: &str = "\
Puts the words of a text into classes, such that words of a class stand beside words of the same classes.

Examples:
  alinea classes text.en -o text.en.classes     50 classes, a line a word, as mkcls writes them
  alinea classes text.en -n 20 --show           look at them: the most frequent words of each
  alinea classes text.en --json -o classes.json
  alinea classes text.en --start text.en.vcb.classes --passes 0 --show
                                                how good are the classes of mkcls?";

const AFTER_LONG_HELP: &str = "\
The classes are those under which the text is most likely, as far as they are found: p(word | word before) = \
p(its class | class of the word before) p(word | its class), the border of sentences being in a class of its own. Words move \
from class to class, the most frequent first: at first even if that makes the text less likely, but less and less so, and in \
the end only if it makes it more likely, until none moves. Nothing is random.

A line of the output has a word, a tab and the number of its class. Lines are sorted by word, classes numbered from 1, those \
with more tokens first (mkcls numbers from 2). Words are in lower case unless there is --no-lowercase.";

/// Puts words into classes by the company they keep
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Text, one tokenized sentence a line (- for standard input)
    #[arg(value_name = "TEXT")]
    text: PathBuf,
    /// Where the classes go (- for standard output); .gz and .zst are compressed
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// The number of classes
    #[arg(short = 'n', long, value_name = "N", default_value_t = ClassesConfig::default().classes)]
    classes: usize,
    /// Passes in which words may move for the worse, too; 0 for plain exchange
    #[arg(long, value_name = "N", default_value_t = ClassesConfig::default().cooling)]
    cooling: u32,
    /// The most passes of exchanges after that
    #[arg(long, value_name = "N", default_value_t = ClassesConfig::default().passes)]
    passes: u32,
    /// Begin with the classes of this file, without cooling; with --passes 0 they stay
    #[arg(long, value_name = "FILE", conflicts_with_all = ["classes", "cooling"])]
    start: Option<PathBuf>,
    /// Write the most frequent words of each class, for people
    #[arg(long, conflicts_with = "json")]
    show: bool,
    /// How many words of each class --show writes
    #[arg(long, value_name = "N", default_value_t = 12)]
    top: usize,
    /// Write JSON: the classes with their words and how often these occur
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: LineArgs,
}

/// How lines are read; here there are no pairs.
#[derive(Debug, clap::Args)]
#[command(mut_arg("skip_long", |arg| arg.help("Leave longer lines empty in place of refusing them")))]
struct LineArgs {
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Learns classes and writes them.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let begin = Instant::now();
    let start = args.start.iter().map(|path| Role::new("--start", path));
    let inputs: Vec<Role<'_>> = [Role::new("TEXT", &args.text)].into_iter().chain(start).collect();
    check_distinct(&inputs, &[Role::new("--output", &args.output)])?;
    let config = ClassesConfig::default().with(|c| {
        c.classes = args.classes;
        c.cooling = args.cooling;
        c.passes = args.passes;
    });
    config.validate()?;
    let mut output = sink::create(&args.output)?;
    let options = args.reading.reading.read_options(args.reading.reading.form(), false);
    let input = source::open(&args.text)?;
    let ReadText { text, report } = read_text(input, &options).map_err(text::advise)?;
    text::warn_of_words(report.glued, report.foreign_blanks.as_ref(), options.tokenize, context);
    if text.token_count() == 0 {
        return Err(anyhow!("{}: no words to put into classes", args.text.display()))
            .hint("is the file empty, or are all lines longer than --max-length?");
    }
    let trained = args.train(&text, &config, &options, context)?;
    let listing = Listing::new(&text, &trained);
    output.write_bytes(&match (args.json, args.show) {
        (true, _) => listing.json()?,
        (_, true) => listing.text(args.top),
        _ => listing.table(),
    })?;
    output.finish()?;
    tell(&text, &report, &trained, &options, begin, context);
    Ok(())
}

impl Args {
    /// From the classes of a file, or from none.
    fn train(
        &self,
        text: &Text,
        config: &ClassesConfig,
        options: &ReadOptions,
        context: &Context,
    ) -> anyhow::Result<TrainedClasses> {
        let parallelism = context.parallelism()?;
        let Some(path) = &self.start else {
            return Ok(WordClasses::train(text, config, &parallelism, context.observer())?);
        };
        let table = classes::read(LineReader::open(path, options.utf8)?)?;
        let words = text.vocabulary();
        let start = WordClasses::of_table(&table, words).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        let missing = table.missing(words);
        if missing > 0 {
            context.warn(format_args!(
                "{missing} of {} words are not in {}: they begin in the class that has most words there",
                words.len(),
                path.display()
            ));
        }
        Ok(start.improved(text, self.passes, &parallelism, context.observer())?)
    }
}

/// What was done: lines for people, one object for programs.
fn tell(
    text: &Text,
    report: &TextReport,
    trained: &TrainedClasses,
    options: &ReadOptions,
    begin: Instant,
    context: &Context,
) {
    let TextReport { lines, empty, replaced_utf8, .. } = report;
    let skipped_long = report.skipped_long.len();
    let (words, tokens) = (text.vocabulary().len(), text.token_count());
    let TrainedClasses { config, steps, is_converged, log_likelihood, .. } = trained;
    let (perplexity, seconds) = (trained.perplexity(), begin.elapsed().as_secs_f64());
    let mut lines = vec![("text", format!("{lines} lines, {tokens} tokens, {words} words"))];
    if *empty > 0 {
        lines.push(("empty", format!("{empty} lines")));
    }
    if skipped_long > 0 {
        lines.push(("skipped", format!("{skipped_long} lines longer than {} tokens", options.max_length)));
    }
    if *replaced_utf8 > 0 {
        lines.push(("replaced", format!("invalid UTF-8 in {replaced_utf8} lines")));
    }
    let end = if *is_converged { "no single word can be moved for the better" } else { "passes used up" };
    lines.push(("classes", format!("{}, {} passes, {end}", config.classes, steps.len())));
    lines.push(("likelihood", format!("{log_likelihood:.1} nats, perplexity {perplexity:.3}")));
    lines.push(("method", config.signature()));
    lines.push(("time", format!("{seconds:.1} s")));
    let lines: Vec<String> = lines.into_iter().map(|(name, value)| format!("{name:<10} {value}")).collect();
    let numbers = json!({
        "lines": lines, "tokens": tokens, "words": words, "empty": empty, "skipped_long": skipped_long,
        "replaced_utf8": replaced_utf8, "classes": config.classes, "passes": steps.len(), "converged": is_converged,
        "log_likelihood": log_likelihood, "perplexity": perplexity, "signature": config.signature(),
        "seconds": seconds,
    });
    context.summary(&lines.join("\n"), &numbers);
}
