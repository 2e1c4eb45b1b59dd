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
//! Writes a word, a tab and the number of its class a line, sorted by word; or, as `--format` says, the most frequent
//! words of each class, or JSON (`listing`).

mod listing;

use std::path::PathBuf;
use std::time::Instant;

use alinea::bitext::Text;
use alinea::classes::{ClassesConfig, TrainedClasses, WordClasses};
use alinea::format::bitext::{ReadOptions, ReadText, TextReport, read_text};
use alinea::format::lines::LineReader;
use alinea::format::{classes, sink, source};
use anyhow::anyhow;
use clap::ValueEnum;
use serde_json::json;

use self::listing::Listing;
use crate::context::Context;
use crate::failure::WithHint;
use crate::input::kind::{FormatArgs, JsonKind, Rare as _};
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::input::text::{self, ReadingArgs};
use crate::resources::{ThreadOptions, WorkDirOptions};

const LONG_ABOUT: &str = "\
Cluster the words of a text into classes of words that occur in similar contexts, as mkcls does.

Examples:
  alinea classes text.en -o text.en.classes     50 classes, one word per line, as mkcls
  alinea classes text.en -n 20 --format text    the most frequent words of each class
  alinea classes text.en --format json -o classes.json
  alinea classes text.en --start text.en.vcb.classes --passes 0 --format text
                                                evaluate the classes of mkcls";

const AFTER_LONG_HELP: &str = "\
The search maximizes the likelihood of the text under p(word | previous word) = p(class | previous class) p(word | \
class), where sentence boundaries have a class of their own. Words move from class to class, the most frequent first: \
in the annealing passes even if that makes the text less likely, within a limit that falls from pass to pass; then \
only if it makes the text more likely, until no word moves. Nothing is random.

Each line of the tsv output has a word, a tab and its class number. Lines are sorted by word; classes are numbered from 1 \
by decreasing number of tokens (mkcls numbers from 2). Words are lowercased unless --no-lowercase is given.";

/// Cluster words into classes by the contexts they occur in, as mkcls does
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Text, one tokenized sentence per line (- for standard input)
    #[arg(value_name = "TEXT")]
    text: PathBuf,
    /// Output file for the classes (- for standard output); .gz and .zst are compressed
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Number of classes
    #[arg(short = 'n', long, value_name = "N", default_value_t = ClassesConfig::default().classes)]
    classes: usize,
    /// Annealing passes, in which the likelihood may decrease; 0 for plain exchange
    #[arg(long, value_name = "N", default_value_t = ClassesConfig::default().cooling, rare = true)]
    cooling: u32,
    /// Maximum number of exchange passes after that
    #[arg(long, value_name = "N", default_value_t = ClassesConfig::default().passes, rare = true)]
    passes: u32,
    /// Start from the classes in this file, without annealing; with --passes 0 they do not change
    #[arg(long, value_name = "FILE", conflicts_with_all = ["classes", "cooling"])]
    start: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs<Form>,
    /// Short for --format text
    #[arg(long, conflicts_with_all = ["format", "json"])]
    show: bool,
    /// Number of words per class in --format text
    #[arg(long, value_name = "N", default_value_t = 12)]
    top: usize,
    #[command(flatten)]
    reading: LineArgs,
    #[command(flatten)]
    threads: ThreadOptions,
    #[command(flatten)]
    work_dir: WorkDirOptions,
}

/// How classes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// A word, a tab and the number of its class on each line, for other commands
    Tsv,
    /// The most frequent words of each class
    Text,
    /// The classes with their words and frequencies
    Json,
}

impl JsonKind for Form {
    const JSON: Self = Self::Json;
    const DEFAULT: &'static str = "tsv";
}

/// How lines are read; here there are no pairs.
#[derive(Debug, clap::Args)]
#[command(mut_arg("skip_long", |arg| arg.help("Treat longer lines as empty instead of failing")))]
#[command(mut_arg("max_length", |arg| arg.help("Maximum line length in words")))]
struct LineArgs {
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Learns classes and writes them.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let begin = Instant::now();
    args.work_dir.install()?;
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
    text::warn_of_words(report.glued.share(), report.foreign_blanks.as_ref(), options.tokenize, context);
    if text.token_count() == 0 {
        return Err(anyhow!("{}: no words to cluster", args.text.display()))
            .hint("is the file empty, or are all lines longer than --max-length?");
    }
    let trained = args.train(&text, &config, &options, context)?;
    let listing = Listing::new(&text, &trained);
    output.write_bytes(&match args.form() {
        Form::Tsv => listing.table(),
        Form::Text => listing.text(args.top),
        Form::Json => listing.json()?,
    })?;
    output.finish()?;
    tell(&text, &report, &trained, &options, begin, context);
    Ok(())
}

impl Args {
    fn form(&self) -> Form {
        if self.show { Form::Text } else { self.format.get() }
    }

    /// From the classes of a file, or from none.
    fn train(
        &self,
        text: &Text,
        config: &ClassesConfig,
        options: &ReadOptions,
        context: &Context,
    ) -> anyhow::Result<TrainedClasses> {
        let parallelism = self.threads.parallelism()?;
        let Some(path) = &self.start else {
            return Ok(WordClasses::train(text, config, &parallelism, context.observer())?);
        };
        let table = classes::read(LineReader::open(path, options.utf8)?)?;
        let words = text.vocabulary();
        let start = WordClasses::of_table(&table, words).map_err(|error| error.within(path.display()))?;
        let missing = table.missing(words);
        if missing > 0 {
            context.warn(format_args!(
                "{missing} of {} words are not in {}: they start in the class with the most words",
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
    let read = [(*lines, "line"), (tokens as u64, "token"), (words as u64, "word")];
    let mut summary = vec![("text", read.map(|(number, noun)| counted(number, noun)).join(", "))];
    if *empty > 0 {
        summary.push(("empty", counted(*empty, "line")));
    }
    if skipped_long > 0 {
        let long = counted(skipped_long as u64, "line");
        summary.push(("skipped", format!("{long} longer than {} tokens", options.max_length)));
    }
    if *replaced_utf8 > 0 {
        summary.push(("replaced", format!("invalid UTF-8 in {}", counted(*replaced_utf8, "line"))));
    }
    let end = if *is_converged {
        "no move of a single word increases the likelihood"
    } else {
        "maximum number of passes reached"
    };
    summary.push(("classes", format!("{}, {} passes, {end}", config.classes, steps.len())));
    summary.push(("likelihood", format!("{log_likelihood:.1} nats, perplexity {perplexity:.3}")));
    summary.push(("method", config.signature()));
    summary.push(("time", format!("{seconds:.1} s")));
    let summary: Vec<String> = summary.into_iter().map(|(name, value)| format!("{name:<10} {value}")).collect();
    let numbers = json!({
        "lines": lines, "tokens": tokens, "words": words, "empty": empty, "skipped_long": skipped_long,
        "replaced_utf8": replaced_utf8, "classes": config.classes, "passes": steps.len(), "converged": is_converged,
        "log_likelihood": log_likelihood, "perplexity": perplexity, "signature": config.signature(),
        "seconds": seconds,
    });
    context.summary(&summary.join("\n"), &numbers);
}
