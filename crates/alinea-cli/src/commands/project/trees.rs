//! `alinea project trees`: carries dependency trees over to the translation.
//!
//! The source has trees (CoNLL-U); the target is text with one sentence a line, or CoNLL-U too, of which words and parts of speech
//! are kept. Links come from `word_links`, what is done with them is `alinea::project::trees`. `target` reads the target and writes it with
//! its trees. `--report` says of each word where its head comes from.

mod target;

use std::path::{Path, PathBuf};

use alinea::error::{Error, Position};
use alinea::format::sink::{self, Output};
use alinea::parallel::Work;
use alinea::project::trees::{Method, Origin, ProjectedTree, TreeConfig, TreePair, project};
use alinea::tree::{ParsedSentence, Roots};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::json;

use self::target::Target;
use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::paths::{Role, check_distinct};
use crate::input::trees::{RootsName, TreeFile, unequal};
use crate::input::word_links::LinkSourceArgs;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Carry the dependency trees of a parsed text over to its translation: heads, relations and parts of speech.

Examples:
  alinea project trees en.conllu text.de > de.conllu
                                         align the words, and give the German ones trees
  alinea project trees en.conllu tagged.de.conllu --add more.en more.de -o de.conllu --report report.jsonl
                                         keep known parts of speech; with more text to learn from; say where heads come from
  alinea project trees en.conllu text.de -m en-de.alinea
  alinea project trees en.conllu text.de --links posteriors.txt
                                         links of a saved model, or of a file";

const AFTER_LONG_HELP: &str = "\
The target has one sentence per line, words separated by blanks; a file whose name ends in .conllu is CoNLL-U, of which \
everything is kept but heads, relations, enhanced dependencies and empty nodes, and parts of speech that are missing are \
carried over. The output is CoNLL-U with a tree for each sentence: one root, no cycles.";

/// Carry dependency trees over to the translation
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Trees of the source sentences (CoNLL-U)
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// Target sentences
    #[arg(value_name = "TARGET")]
    target: PathBuf,
    #[command(flatten)]
    links: LinkSourceArgs,
    /// How a word finds its head: by links and by what is usual in the text, by links with mends, or by links alone
    #[arg(long, value_name = "METHOD", value_parser = methods(), default_value = "consistent", help_heading = "Trees")]
    method: Method,
    /// Minimum confidence of a link, for mended and direct
    #[arg(long, value_name = "P", default_value_t = 0.36, help_heading = "Trees", rare = true)]
    threshold: f32,
    /// Number of roots a tree of these files may have
    #[arg(long, value_name = "NUMBER", value_enum, default_value_t = RootsName::One, help_heading = "Reading", rare = true)]
    roots: RootsName,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Say in the last column where each head comes from: Origin=carried, mended or guessed
    #[arg(long, help_heading = "Output")]
    origins: bool,
    /// Output file with a JSON line for each target word: its head, where that comes from, and how sure it is
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
}

fn methods() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).try_map(|name| name.parse::<Method>())
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    args.links.check()?;
    let config = TreeConfig::default().with(|config| {
        config.method = args.method;
        config.threshold = args.threshold;
    });
    config.validate()?;
    let (observer, parallelism) = (context.observer(), args.threads.parallelism()?);
    let (name, sources) = read_source(&args.source, args.roots.into())?;
    let target = Target::open(&args.target, args.roots.into())?;
    let mut output = sink::create(&args.output)?;
    let mut report = args.report.as_deref().map(sink::create).transpose()?;

    let words = target.sentences();
    if sources.len() != words.len() {
        return Err(unequal(&name, sources.len() as u64, target.name(), words.len() as u64).into());
    }
    let source_words: Vec<Vec<&str>> =
        sources.iter().map(|sentence| sentence.words().map(|word| word.form()).collect()).collect();
    let target_words: Vec<Vec<&str>> =
        words.iter().map(|sentence| sentence.iter().map(|word| word.form).collect()).collect();
    let work = Work { parallelism: &parallelism, observer };
    let links = args.links.links(&name, [&source_words, &target_words], work)?;
    let pairs: Vec<TreePair<'_>> = (sources.iter().zip(words).zip(&links))
        .map(|((source, target), links)| TreePair { source, target, links })
        .collect();
    let trees = project(&pairs, &config, &parallelism)?;

    let (mut file, mut totals) = (String::new(), Totals::default());
    for (number, (pair, tree)) in pairs.iter().zip(&trees).enumerate() {
        target.write(number, pair, tree, args.origins, &mut file);
        output.write_bytes(file.as_bytes())?;
        file.clear();
        if let Some(report) = &mut report {
            write_report(report, number + 1, pair, tree)?;
        }
        totals.add(tree);
    }
    output.finish()?;
    if let Some(report) = report {
        report.finish()?;
    }
    totals.tell(context);
    Ok(())
}

/// The name of a file and its sentences, which must have trees.
fn read_source(path: &Path, roots: Roots) -> anyhow::Result<(String, Vec<ParsedSentence>)> {
    let mut file = TreeFile::open(path, roots)?;
    let mut sentences = Vec::new();
    while file.read()? {
        let sentence = file.take();
        if sentence.tree().is_none() {
            let place = Position::new(file.name(), sentence.line_of(0), 0);
            return Err(Error::parse(place, "a tree, but the words have no heads", b"_").into());
        }
        sentences.push(sentence);
    }
    Ok((file.name().to_owned(), sentences))
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let inputs = [("SOURCE", self.source.as_path()), ("TARGET", self.target.as_path())].into_iter();
        let inputs: Vec<Role<'_>> =
            inputs.chain(self.links.paths()).map(|(name, path)| Role::new(name, path)).collect();
        let outputs = [("--output", Some(self.output.as_path())), ("--report", self.report.as_deref())];
        let outputs: Vec<Role<'_>> =
            outputs.into_iter().filter_map(|(name, path)| Some(Role::new(name, path?))).collect();
        check_distinct(&inputs, &outputs)
    }
}

/// A line for each target word, with numbers of words as in the output: from 1, and 0 for the root.
fn write_report(report: &mut Output, number: usize, pair: &TreePair<'_>, tree: &ProjectedTree) -> anyhow::Result<()> {
    for (word, (target, found)) in pair.target.iter().zip(&tree.words).enumerate() {
        let line = json!({
            "pair": number,
            "word": word + 1,
            "form": target.form,
            "upos": found.upos,
            "head": found.head.map_or(0, |head| head + 1),
            "relation": found.relation,
            "origin": found.origin.name(),
            "confidence": found.confidence,
            "source": found.source.map(|source| source + 1),
        });
        report.write_bytes(format!("{line}\n").as_bytes())?;
    }
    Ok(())
}

/// What is reported.
#[derive(Default)]
struct Totals {
    pairs: u64,
    words: u64,
    origins: [u64; Origin::ALL.len()],
}

impl Totals {
    fn add(&mut self, tree: &ProjectedTree) {
        self.pairs += 1;
        self.words += tree.words.len() as u64;
        for (count, origin) in self.origins.iter_mut().zip(Origin::ALL) {
            *count += tree.count(origin) as u64;
        }
    }

    fn tell(&self, context: &Context) {
        let Self { pairs, words, origins } = *self;
        let [carried, mended, guessed] = origins;
        let text = format!(
            "pairs      {pairs}\nwords      {words}\ncarried    {carried}\nmended     {mended}\nguessed    {guessed}"
        );
        let numbers = json!({"pairs": pairs, "words": words, "carried": carried, "mended": mended, "guessed": guessed});
        context.summary(&text, &numbers);
    }
}
