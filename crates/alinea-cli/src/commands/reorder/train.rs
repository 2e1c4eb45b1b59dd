//! `alinea reorder train`: trains a reordering model.
//!
//! Reads tables of classes, then the examples: a corpus of the shared task, whose column 7 is the gold order
//! (`--gold`), or an alignment (`--links`) with the source sentences and what is known of their words. An engine that
//! orders trees refuses examples without one, unless `--induce-trees` learns them. Then the output files are opened,
//! and the model of `--from`, whose weights training starts from.
//!
//! Writes the model to `--model-file`, and with `--engine rules` the rules as text to `--write-rules`; both appear at
//! the end, or neither. The summary on standard error describes the model.

use std::path::{Path, PathBuf};

use alinea::alignment::Alignment;
use alinea::format::rsmt::{Corpus, Paths, Unknown};
use alinea::format::sink;
use alinea::reorder::example::Example;
use alinea::reorder::features::Column;
use alinea::reorder::model::{ATTACHED, Model, ModelConfig, Recipe};
use alinea::reorder::rules::RuleSet;
use anyhow::{anyhow, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::gold::{GoldSource, warn_of_guesses};
use super::input::{SourceArgs, choice_parser};
use super::layers::{LayerArgs, Tables};
use super::parses::{ParseArgs, Parses};
use super::show::describe;
use crate::context::Context;
use crate::failure::WithHint;
use crate::input::kind::{Rare as _, former_format};
use crate::input::paths::{Role, check_distinct};
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Train a model that reorders sentences into the word order of another language, from sentences with known orders.

Examples:
  alinea reorder train --links gold.align --trees train.conllu -m en-ja.model
  alinea classes text.en -o en.classes
  alinea reorder train --links links --source train.en --classes en.classes -m en-ja.model
  alinea reorder train --gold en_hi.en.trn.conll -m en-hi.model     from files of the 2012 shared task
  alinea reorder train --links big.links --source big.en --classes en.classes --no-tuning -m big.model
  alinea reorder train --links gold.align --trees train.conllu --classes en.classes --from big.model -m model
                                                                   pretrained on text aligned by alinea align
  alinea reorder train --links gold.align --trees train.conllu --engine rules --write-rules en-ja.rules
                                                                   rules to read, edit and apply
  alinea reorder train --links gold.align --parses train.parse --engine children -m en-ja.model
  alinea reorder train --links train.align --annotation train.annot --engine top-down -m model
                                                                   files of Nakagawa's program, trained the same way";

const AFTER_LONG_HELP: &str = "\
The more annotation, the better: lemmas, tags, relations and trees of --trees, tags and classes of --annotation, \
classes of --classes. Text to which the model is applied must have the same annotation.

Engines: ensemble combines three models of bracketing trees with different features, plus siblings if all sentences \
have trees, or else linear, by averaging their probabilities of the order of each pair of words. btg is one of the \
three; top-down is that of Nakagawa (2015). linear learns which of two words comes first, and salesman which comes \
next.

Engines over trees order the children of each node: siblings by the probability of the order of each pair, children by \
the most frequent order, rules by human-readable rules. They need the trees of --trees, the brackets of --parses or of \
a corpus, or --induce-trees, which learns to bracket sentences from the alignments.

The bias toward the source order is tuned on held-out sentences; if no setting is a reliable improvement, sentences \
keep their order. --no-tuning skips this.";

/// Train a reordering model
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP, arg(former_format()))]
pub(super) struct Args {
    #[command(flatten)]
    gold: GoldSource,
    #[command(flatten)]
    source: SourceArgs,
    #[command(flatten)]
    parses: ParseArgs,
    #[command(flatten)]
    layers: LayerArgs,
    /// Engine: ensemble, btg, top-down, linear, salesman, siblings, rules or children
    #[arg(long, value_name = "ENGINE", default_value = Recipe::default().name(), value_parser = choice_parser!(Recipe),
        hide_possible_values = true)]
    engine: Recipe,
    /// Induce the trees for siblings, rules and children from the alignments instead of using given trees
    #[arg(long, rare = true)]
    induce_trees: bool,
    /// Attach unaligned words to the next aligned word to their right, instead of placing them where it suits the
    /// others best. For ensemble, btg and --induce-trees
    #[arg(long, rare = true)]
    attach_unaligned: bool,
    /// Do not tune the bias toward the source order on held-out sentences: every sentence gets its most probable order.
    /// Training is faster
    #[arg(long, alias = "bold")]
    no_tuning: bool,
    /// Initialize from this model of the same engine, trained on other text, regularizing toward its weights. For
    /// ensemble, btg, linear, salesman and siblings
    #[arg(long, value_name = "MODEL")]
    from: Option<PathBuf>,
    /// Additional word features, comma-separated: prefix1 to prefix9 and suffix1 to suffix9 (by number of characters),
    /// and shape. In ensemble, one model always uses suffix3 and one prefix3
    #[arg(long, value_name = "NAMES", value_delimiter = ',', rare = true)]
    features: Vec<Column>,
    /// Output file for the model
    #[arg(short, long, alias = "model", value_name = "FILE", required_unless_present = "write_rules")]
    model_file: Option<PathBuf>,
    /// Output file for the rules of --engine rules, to read, edit or use in `alinea reorder apply --rules`
    #[arg(long, value_name = "FILE")]
    write_rules: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// Does it.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check()?;
    let tables = args.layers.read()?;
    let examples = args.examples(&tables, context)?;
    let create = |path: &Option<PathBuf>| path.as_ref().map(sink::create).transpose();
    let (model_file, rules_file) = (create(&args.model_file)?, create(&args.write_rules)?);
    let unaligned = if args.attach_unaligned { ATTACHED } else { 0.0 };
    let (recipe, induced, untuned) = (args.engine, args.induce_trees, args.no_tuning);
    let config = ModelConfig::default().with(|c| {
        c.recipe = recipe;
        c.unaligned = unaligned;
        c.induced = induced;
        c.untuned = untuned;
        c.parts.clone_from(&args.features);
    });
    let start = args.from.as_deref().map(Model::open).transpose()?;
    let model = Model::train(&examples, &config, start.as_ref(), &args.threads.parallelism()?, context.observer())?;
    let mut bytes = Vec::new();
    model.save(&mut bytes)?;
    let text = model.rules().map(RuleSet::text).unwrap_or_default();
    let mut files = Vec::new();
    for (file, bytes) in [(model_file, bytes), (rules_file, text.into_bytes())] {
        let Some(mut file) = file else { continue };
        file.write_bytes(&bytes)?;
        files.push(file);
    }
    sink::finish_all(files)?;
    let (text, mut numbers) = describe(&model);
    numbers["sentences"] = examples.len().into();
    context.summary(&format!("sentences   {}\n{text}", examples.len()), &numbers);
    Ok(())
}

impl Args {
    fn check(&self) -> anyhow::Result<()> {
        let given = [("--gold", &self.gold.gold), ("--links", &self.gold.links), ("--from", &self.from)];
        let given = given.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)));
        let inputs = given.chain(self.source.roles()).chain(self.parses.roles()).chain(self.layers.roles());
        let outputs = [("--model-file", &self.model_file), ("--write-rules", &self.write_rules)];
        let outputs = outputs.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)));
        check_distinct(&inputs.collect::<Vec<_>>(), &outputs.collect::<Vec<_>>())?;
        if self.induce_trees && !self.engine.orders_trees() {
            bail!("--engine {} does not use trees: --induce-trees is for siblings, rules and children", self.engine);
        }
        if self.write_rules.is_some() && (self.engine != Recipe::Rules || self.induce_trees) {
            bail!("--write-rules needs --engine rules and given trees");
        }
        Ok(())
    }

    /// Whether sentences must have trees.
    fn needs_trees(&self) -> bool {
        self.engine.orders_trees() && !self.induce_trees
    }

    /// Whether trees are put into order where all sentences have some.
    fn looks_at_trees(&self) -> bool {
        self.needs_trees() || self.engine == Recipe::Ensemble
    }

    fn examples(&self, tables: &Tables, context: &Context) -> anyhow::Result<Vec<Example>> {
        let examples = match (&self.gold.gold, &self.gold.links) {
            (Some(path), _) if self.source.is_given() || self.parses.is_given() => {
                bail!("{}: a corpus has its own sentences; --source and others go with --links", path.display())
            }
            (Some(path), _) => of_corpus(path, tables, self.looks_at_trees(), context)?,
            (None, Some(links)) => of_links(links, &self.source, self.parses.read()?.as_ref(), tables, context)?,
            (None, None) => bail!("gold orders are required: --gold or --links"),
        };
        let treeless = |example: &Example| {
            let sentence = example.sentence();
            sentence.len() > 1 && sentence.tree().is_none() && sentence.constituents().is_none()
        };
        match examples.iter().position(treeless).filter(|_| self.needs_trees()) {
            Some(number) => Err(anyhow!("sentence {} has no tree, but {} needs trees", number + 1, self.engine))
                .hint("use --trees (dependencies), --parses or the .parse of a corpus (brackets), or --induce-trees"),
            None => Ok(examples),
        }
    }
}

fn of_links(
    links: &Path,
    source: &SourceArgs,
    parses: Option<&Parses>,
    tables: &Tables,
    context: &Context,
) -> anyhow::Result<Vec<Example>> {
    let mut aligned = source.read(links, parses, context)?;
    let links: Vec<Alignment> = aligned.iter_mut().map(|aligned| std::mem::take(&mut aligned.links)).collect();
    let sentences = tables.sentences(aligned)?;
    Ok(sentences
        .into_iter()
        .zip(links)
        .map(|(sentence, links)| Example::of_links(sentence, links))
        .collect::<Result<_, _>>()?)
}

fn of_corpus(path: &Path, tables: &Tables, parses: bool, context: &Context) -> anyhow::Result<Vec<Example>> {
    let paths = Paths::beside(path);
    let corpus = Corpus::read(&paths, Unknown::Refused)?;
    warn_of_guesses(&corpus, path, context);
    let sentences = tables.of_corpus(&corpus, &paths, parses)?;
    let example = |(found, sentence)| Ok(Example::of_task(sentence, found)?);
    corpus.sentences.iter().zip(sentences).map(example).collect()
}
