//! `alinea reorder apply`: predicts the order of sentences, with a trained model or a file of rules.
//!
//! Reads the model, or the rules; tables of classes; and all sentences: lines, CoNLL-U, annotation, bracketed parses,
//! or a corpus of the shared task. Before any sentence is ordered all of them are checked for the layers and the tree
//! that the model needs; the error names the option that supplies them. Threads order sentences in chunks of 8, and
//! lines are written in the order of the input.
//!
//! `--format` says what is written: the positions of the words in their new order, the reordered text, the sentence and
//! the reordered text, or the tree in brackets. With `--nbest` a sentence has several lines `number ||| order`,
//! numbered from 0; this needs `--beam`, a beam search with the first BTG model. For `--corpus` the output is its rows
//! with column 7 filled in.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use alinea::error::Result;
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::rsmt::{Corpus, Paths, Unknown};
use alinea::format::sink::{self, Output};
use alinea::parallel::chunk_range;
use alinea::permutation::Permutation;
use alinea::progress;
use alinea::reorder::btg::Search;
use alinea::reorder::engine::Layer;
use alinea::reorder::model::{MOST_STATES, Model, ModelEngine, TreeKind};
use alinea::reorder::reading::reordered_rows;
use alinea::reorder::rules::RuleSet;
use alinea::reorder::{Engine, Sentence};
use anyhow::bail;
use clap::ValueEnum;

use super::gold::warn_of_guesses;
use super::input::SentenceArgs;
use super::layers::LayerArgs;
use super::parses::ParseArgs;
use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::paths::{Role, check_distinct};
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Reorder sentences into the predicted word order of another language.

Examples:
  alinea reorder apply en-ja.model --trees test.conllu -o test.order
                                     positions of the words in their new order
  alinea reorder apply en-ja.model --source test.en --classes en.classes --format text > test.reordered
  alinea reorder apply en-hi.model --corpus en_hi.en.tst.conll -o run.conll
                                     a run of the 2012 shared task: the rows of --corpus with column 7
  alinea reorder apply model --annotation test.annot --format tree
                                     [ ] around what keeps its order, < > around what is inverted
  alinea reorder apply --rules en-ja.rules --trees test.conllu --format text
                                     rules written by hand, or learned and edited";

const AFTER_LONG_HELP: &str = "\
Sentences must have the annotation layers the model was trained with; `alinea reorder show` lists them. Each sentence \
is reordered independently, so text may be processed in parts.";

/// Reorder sentences into the word order of another language
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Model written by `alinea reorder train`
    #[arg(value_name = "MODEL", required_unless_present_any = ["model_file", "rules"])]
    model: Option<PathBuf>,
    /// The same as MODEL
    #[arg(short, long, value_name = "FILE", conflicts_with = "model")]
    model_file: Option<PathBuf>,
    /// Rules over trees, one per line, instead of MODEL
    #[arg(long, value_name = "FILE", conflicts_with_all = ["model", "model_file", "beam"])]
    rules: Option<PathBuf>,
    #[command(flatten)]
    source: SentenceArgs,
    #[command(flatten)]
    parses: ParseArgs,
    #[command(flatten)]
    layers: LayerArgs,
    /// Corpus of the shared task, instead of --source: its rows are written with column 7 filled in
    #[arg(long, value_name = "FILE", conflicts_with_all = ["source", "trees", "annotation", "parses", "format", "nbest"])]
    corpus: Option<PathBuf>,
    /// Kind of output: order (positions), text, beside (the sentence, a tab, the reordered sentence) or tree
    #[arg(short, long, alias = "to", value_name = "FORMAT", value_enum, default_value_t = Form::Order,
        hide_possible_values = true)]
    format: Form,
    /// Output the N best distinct orders of each sentence, best first, as sentence number `|||` order; with --format
    /// tree, the tree of each
    #[arg(long, value_name = "N", requires = "beam", value_parser = clap::value_parser!(u32).range(1..), rare = true)]
    nbest: Option<u32>,
    /// Beam size of the search for the best derivation, for models of bracketing trees
    #[arg(long, value_name = "STATES", value_parser = clap::value_parser!(u32).range(1..=i64::try_from(MOST_STATES).unwrap_or(1)))]
    #[arg(rare = true)]
    beam: Option<u32>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// How orders are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Positions of words
    Order,
    /// The reordered sentence
    Text,
    /// The sentence and the reordered sentence
    Beside,
    /// Bracketing of the sentence
    Tree,
}

/// Does it.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let files = [
        ("MODEL", &args.model),
        ("--model-file", &args.model_file),
        ("--rules", &args.rules),
        ("--corpus", &args.corpus),
    ];
    let inputs = files.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)));
    let inputs = inputs.chain(args.source.roles()).chain(args.parses.roles()).chain(args.layers.roles());
    check_distinct(&inputs.collect::<Vec<_>>(), &[Role::new("--output", &args.output)])?;
    let model = args.model()?;
    match &args.corpus {
        Some(path) => run_of_corpus(args, &model, path, context)?,
        None => lines(args, &model, context)?,
    }
    Ok(())
}

impl Args {
    /// The model, as it is to be searched.
    fn model(&self) -> anyhow::Result<Model> {
        let (path, model) = match (self.model.as_ref().or(self.model_file.as_ref()), &self.rules) {
            (_, Some(path)) => (path, Model::of_rules(RuleSet::read(LineReader::open(path, Utf8::Strict)?)?)),
            (Some(path), None) => (path, Model::open(path)?),
            (None, None) => bail!("MODEL or --rules is required"),
        };
        if !model.has_derivations() {
            let asked = [("--beam", self.beam.is_some()), ("--format tree", self.format == Form::Tree)];
            if let Some((option, _)) = asked.into_iter().find(|(_, given)| *given) {
                bail!(
                    "{}: {option} is for models of bracketing trees (ensemble, btg, top-down), this one is of engine {}",
                    path.display(),
                    model.recipe()
                );
            }
        }
        Ok(match self.beam {
            Some(states) => model.with_search(Search::Beam(states as usize))?,
            None => model,
        })
    }
}

/// Refuses sentences without what the model was trained with, or the tree that it orders. `name` is the file that they
/// are from.
fn check_known(model: &Model, sentences: &[Sentence], name: &str) -> anyhow::Result<()> {
    for (number, sentence) in (1..).zip(sentences) {
        if let Some((tree, option)) = missing_tree(model, sentence) {
            bail!("{name}: sentence {number} has no {tree} to reorder; use {option}");
        }
        if let Some(layer) = model.missing_layer(sentence) {
            let option = match layer {
                Layer::Words => "--source",
                Layer::Classes => "--classes or the third column of --annotation",
                Layer::CoarseClasses => "--coarse-classes",
                Layer::Tags => "--trees, the second column of --annotation or the .pos of --corpus",
                Layer::Lemmas | Layer::FineTags | Layer::Relations => "--trees",
            };
            bail!("{name}: sentence {number} has no {layer}, which the model was trained with; use {option}");
        }
    }
    Ok(())
}

/// The tree that a sentence lacks, and what would have it.
fn missing_tree(model: &Model, sentence: &Sentence) -> Option<(&'static str, &'static str)> {
    if !needs_trees(model) || sentence.len() < 2 {
        return None;
    }
    let (known, what, option) = match model.trees() {
        Some(TreeKind::Dependencies) => (sentence.tree().is_some(), "dependency tree", "--trees"),
        Some(TreeKind::Brackets) => (sentence.constituents().is_some(), "bracketed parse", "--parses"),
        None => (sentence.tree().is_some() || sentence.constituents().is_some(), "tree", "--trees or --parses"),
    };
    (!known).then_some((what, option))
}

/// Whether the model orders trees that it does not find itself.
fn needs_trees(model: &Model) -> bool {
    model.parser().is_none() && (model.recipe().orders_trees() || model.trees().is_some())
}

/// Sentences that a thread orders at a time.
const CHUNK: usize = 8;

fn lines(args: &Args, model: &Model, context: &Context) -> anyhow::Result<()> {
    let tables = args.layers.read()?;
    let (name, aligned) = args.source.read(args.parses.read()?.as_ref(), context)?;
    let sentences = tables.sentences(aligned)?;
    check_known(model, &sentences, &name)?;
    let mut output = sink::create(&args.output)?;
    let observer = context.observer();
    observer.started("reorder", sentences.len() as u64);
    args.threads.parallelism()?.map_ordered(
        sentences.len().div_ceil(CHUNK),
        || model.engine(),
        |engine, chunk| {
            progress::check(observer)?;
            let mut text = String::new();
            for number in chunk_range(sentences.len(), CHUNK, chunk) {
                args.write(engine, number, &sentences[number], &mut text)?;
            }
            Ok((text, chunk_range(sentences.len(), CHUNK, chunk).len()))
        },
        |(text, count)| {
            observer.advance(count as u64);
            output.write_bytes(text.as_bytes())
        },
    )?;
    observer.finished("");
    output.finish()?;
    Ok(())
}

impl Args {
    /// The line of a sentence, or its lines if there are several orders.
    fn write(&self, engine: &mut ModelEngine<'_>, number: usize, sentence: &Sentence, text: &mut String) -> Result<()> {
        let written = |order: &Permutation| written(sentence, order, self.format);
        let several = match (self.nbest, self.format) {
            (None, Form::Tree) => vec![engine.tree(sentence)?],
            (None, _) => vec![written(&engine.order(sentence)?)],
            (Some(count), Form::Tree) => engine.best_trees(sentence, count as usize)?,
            (Some(count), _) => engine.best_orders(sentence, count as usize)?.iter().map(written).collect(),
        };
        for line in several {
            if self.nbest.is_some() {
                // Writing to a string cannot fail.
                let _ = write!(text, "{number} ||| ");
            }
            text.push_str(&line);
            text.push('\n');
        }
        Ok(())
    }
}

fn written(sentence: &Sentence, order: &Permutation, form: Form) -> String {
    let words = sentence.layer(Layer::Words).unwrap_or_default();
    let order = order.inverse();
    let reordered = || order.places().iter().map(|&word| words[word as usize].as_str()).collect::<Vec<_>>().join(" ");
    match form {
        Form::Order => order.places().iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
        Form::Beside => format!("{}\t{}", words.join(" "), reordered()),
        // Trees are not made of orders.
        Form::Text | Form::Tree => reordered(),
    }
}

fn run_of_corpus(args: &Args, model: &Model, path: &Path, context: &Context) -> anyhow::Result<()> {
    let paths = Paths::beside(path);
    let corpus = Corpus::read(&paths, Unknown::Allowed)?;
    warn_of_guesses(&corpus, path, context);
    let sentences = args.layers.read()?.of_corpus(&corpus, &paths, needs_trees(model))?;
    check_known(model, &sentences, &path.display().to_string())?;
    let mut output = sink::create(&args.output)?;
    let observer = context.observer();
    observer.started("reorder", sentences.len() as u64);
    let orders = model.orders(&sentences, &args.threads.parallelism()?, observer)?;
    observer.finished("");
    for (sentence, order) in corpus.sentences.iter().zip(&orders) {
        write_block(sentence, order, &mut output)?;
    }
    output.finish()?;
    Ok(())
}

/// Writes the rows of a sentence in the order that is predicted for the whole sentence.
fn write_block(sentence: &alinea::format::rsmt::Sentence, order: &Permutation, output: &mut Output) -> Result<()> {
    let block = reordered_rows(sentence, order.inverse().places())?;
    let mut bytes = Vec::new();
    block.write(&mut bytes);
    output.write_bytes(&bytes)
}
