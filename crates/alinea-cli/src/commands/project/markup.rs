//! `alinea project markup`: carries inline tags over to the translation.
//!
//! The source has one segment with tags a line, the target its translation without. What is a tag is read by `alinea::format::markup`,
//! links come from `word_links`, and `alinea::project::markup` finds the places. `--report` says of each pair of tags what became of it.

use std::path::{Path, PathBuf};

use alinea::format::lines::{LineReader, Utf8};
use alinea::format::markup::{Markup, Segment, Syntax, Translation, write};
use alinea::format::sink::{self, Output};
use alinea::format::tokens::Tokenize;
use alinea::parallel::Work;
use alinea::project::markup::{Loss, MarkedPair, MarkupConfig, PlacedMarkup, Unplaced, project};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Value, json};

use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::paths::{Role, check_distinct};
use crate::input::tokenize::rules;
use crate::input::trees::unequal;
use crate::input::word_links::LinkSourceArgs;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Carry the inline tags of a text over to its translation.

Examples:
  alinea project markup tagged.en plain.de > tagged.de
                                         align the words, and put the tags into the German text
  alinea project markup tagged.en plain.de --add more.en more.de -o tagged.de --report report.jsonl
                                         with more text to learn from; say what became of each tag
  alinea project markup tagged.en plain.de -m en-de.alinea --syntax html --placeholder '\\{\\d+\\}'
  alinea project markup tagged.en plain.de --write-words words.en words.de --syntax xliff > tagged.de
                                         also write the words that links count";

const AFTER_LONG_HELP: &str = "\
Both files have one segment per line. Words are cut by scripts: letters and digits that follow each other, punctuation \
marks one by one, Chinese characters and Hiragana one by one, Katakana that follow each other. Links of a file, and \
the texts of a saved model and of --add, must have words that are cut in the same way (--write-words).

The translation is plain text, in which & and < mean themselves: they are escaped where the syntax demands it. With \
--escaped it is escaped already.";

/// Carry inline tags over to the translation
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Source segments with tags
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// Their translations without tags
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    #[command(flatten)]
    links: LinkSourceArgs,
    /// Syntax of the tags
    #[arg(long, value_name = "SYNTAX", value_parser = syntaxes(), default_value = "xml", help_heading = "Reading")]
    syntax: Syntax,
    /// What else is a tag, as a regular expression; may be given several times
    #[arg(long, value_name = "REGEX", help_heading = "Reading")]
    placeholder: Vec<String>,
    /// The translation is escaped already: &amp; is &
    #[arg(long, help_heading = "Reading")]
    escaped: bool,
    /// How to split text into words
    #[arg(long, value_name = "HOW", value_parser = rules(), default_value = "script", help_heading = "Reading")]
    #[arg(rare = true)]
    tokenize: Tokenize,
    /// Where pairs of tags go whose words have no counterpart
    #[arg(long, value_name = "WHERE", value_parser = ends(), default_value = "near", help_heading = "Tags")]
    unplaced: Unplaced,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Output file with a JSON line for each tag that stands alone, and each pair: where it is, or why it is not
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    /// Output files for the words of both sides, separated by blanks
    #[arg(long, value_names = ["SOURCE", "TARGET"], num_args = 2, help_heading = "Output")]
    write_words: Vec<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
}

fn syntaxes() -> impl TypedValueParser<Value = Syntax> {
    PossibleValuesParser::new(Syntax::ALL.map(Syntax::name)).try_map(|name| name.parse::<Syntax>())
}

fn ends() -> impl TypedValueParser<Value = Unplaced> {
    PossibleValuesParser::new(Unplaced::ALL.map(Unplaced::name)).try_map(|name| name.parse::<Unplaced>())
}

/// Segments and their translations.
struct Text {
    name: String,
    segments: Vec<Segment>,
    translations: Vec<Translation>,
}

impl Text {
    fn read(args: &Args) -> anyhow::Result<Self> {
        let markup = Markup::new(args.syntax).with_placeholders(&args.placeholder)?;
        let markup = markup.with_escaped_translations(args.escaped);
        let mut source = LineReader::open(&args.source, Utf8::Strict)?;
        let mut target = LineReader::open(&args.target, Utf8::Strict)?;
        let (mut segments, mut translations) = (Vec::new(), Vec::new());
        let mut lines = [String::new(), String::new()];
        loop {
            let is_there = [source.read_into(&mut lines[0])?, target.read_into(&mut lines[1])?];
            if is_there[0] != is_there[1] {
                let counts = [source.count_all()?, target.count_all()?];
                return Err(unequal(source.name(), counts[0], target.name(), counts[1]).into());
            }
            if !is_there[0] {
                break;
            }
            let segment = markup.segment(&lines[0], &source.position(0))?;
            translations.push(markup.translation(&lines[1], &segment, &target.position(0))?);
            segments.push(segment);
        }
        Ok(Self { name: source.name().to_owned(), segments, translations })
    }

    /// The words of both sides.
    fn words(&self, rule: Tokenize) -> [Vec<Vec<&str>>; 2] {
        fn of_segment(segment: &Segment, rule: Tokenize) -> Vec<&str> {
            segment.words(rule).into_iter().map(|word| &segment.text[word]).collect()
        }
        fn of_translation(translation: &Translation, rule: Tokenize) -> Vec<&str> {
            translation.words(rule).into_iter().map(|word| word.text).collect()
        }
        let source = self.segments.iter().map(|segment| of_segment(segment, rule));
        let target = self.translations.iter().map(|translation| of_translation(translation, rule));
        [source.collect(), target.collect()]
    }
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    args.links.check()?;
    let (observer, parallelism) = (context.observer(), args.threads.parallelism()?);
    let text = Text::read(args)?;
    let mut output = sink::create(&args.output)?;
    let mut report = args.report.as_deref().map(sink::create).transpose()?;
    let words = text.words(args.tokenize);
    let mut written = Vec::new();
    for (path, sentences) in args.write_words.iter().zip(&words) {
        let mut file = sink::create(path)?;
        for words in sentences {
            file.write_bytes(format!("{}\n", words.join(" ")).as_bytes())?;
        }
        written.push(file);
    }
    let work = Work { parallelism: &parallelism, observer };
    let links = args.links.links(&text.name, [&words[0], &words[1]], work)?;
    let pairs: Vec<MarkedPair<'_>> = (0..links.len())
        .map(|n| MarkedPair {
            source: &text.segments[n],
            target: &text.translations[n],
            links: &links[n],
            words: args.tokenize,
        })
        .collect();
    let config = MarkupConfig::default().with(|config| config.unplaced = args.unplaced);
    let found = project(&pairs, &config, &parallelism)?;

    let mut totals = Totals::default();
    for (number, (pair, found)) in pairs.iter().zip(&found).enumerate() {
        let mut line = write(pair.source, pair.target, &found.places);
        line.push('\n');
        output.write_bytes(line.as_bytes())?;
        if let Some(report) = &mut report {
            write_report(report, number + 1, pair.source, found)?;
        }
        totals.add(found);
    }
    sink::finish_all(std::iter::once(output).chain(report).chain(written))?;
    totals.tell(context);
    Ok(())
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let inputs = [("SOURCE", self.source.as_path()), ("TARGET", self.target.as_path())].into_iter();
        let inputs: Vec<Role<'_>> =
            inputs.chain(self.links.paths()).map(|(name, path)| Role::new(name, path)).collect();
        let outputs = [("--output", Some(self.output.as_path())), ("--report", self.report.as_deref())];
        let words = self.write_words.iter().map(|path| ("--write-words", path.as_path()));
        let outputs = outputs.into_iter().filter_map(|(name, path): (_, Option<&Path>)| Some((name, path?)));
        let outputs: Vec<Role<'_>> = outputs.chain(words).map(|(name, path)| Role::new(name, path)).collect();
        check_distinct(&inputs, &outputs)
    }
}

/// A line for each tag that stands alone, and each pair.
fn write_report(report: &mut Output, number: usize, segment: &Segment, found: &PlacedMarkup) -> anyhow::Result<()> {
    for fate in &found.fates {
        let line = json!({
            "pair": number,
            "open": segment.code(fate.tag),
            "close": fate.close.map(|tag| segment.code(tag)),
            "source": [fate.source.start, fate.source.end],
            "target": fate.target.as_ref().map(|words| [words.start, words.end]),
            "confidence": fate.confidence,
            "lost": fate.lost.map(Loss::name),
        });
        report.write_bytes(format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

/// What is reported.
#[derive(Default)]
struct Totals {
    segments: u64,
    tagged: u64,
    pairs: u64,
    alone: u64,
    lost: [u64; Loss::ALL.len()],
}

impl Totals {
    fn add(&mut self, found: &PlacedMarkup) {
        self.segments += 1;
        self.tagged += u64::from(!found.fates.is_empty());
        let pairs = found.fates.iter().filter(|fate| fate.close.is_some()).count() as u64;
        self.pairs += pairs;
        self.alone += found.fates.len() as u64 - pairs;
        for (lost, loss) in self.lost.iter_mut().zip(Loss::ALL) {
            *lost += found.fates.iter().filter(|fate| fate.lost == Some(loss)).count() as u64;
        }
    }

    fn tell(&self, context: &Context) {
        let Self { segments, tagged, pairs, alone, lost } = *self;
        let all_lost: u64 = lost.iter().sum();
        let reasons = || lost.into_iter().zip(Loss::ALL).filter(|(number, _)| *number > 0);
        let why: Vec<String> = reasons().map(|(number, loss)| format!("{number} {}", loss.name())).collect();
        let why = if why.is_empty() { String::new() } else { format!(": {}", why.join(", ")) };
        let text = format!(
            "segments   {segments}, {tagged} of them with tags\npairs      {pairs}\nalone      {alone}\n\
             unplaced   {all_lost}{why}"
        );
        let lost: serde_json::Map<String, Value> =
            lost.into_iter().zip(Loss::ALL).map(|(number, loss)| (loss.name().to_owned(), number.into())).collect();
        let numbers = json!({"segments": segments, "tagged": tagged, "pairs": pairs, "alone": alone, "unplaced": lost});
        context.summary(&text, &numbers);
    }
}
