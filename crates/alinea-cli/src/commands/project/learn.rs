//! `alinea project learn`: learns projection rules from manually aligned trees, or ranks given rules.
//!
//! Reads trees, anchors and gold links pair by pair. Without `--rules` all pairs are kept in memory, and the library
//! fits rules with weights by logistic regression; the threshold, and the weight of half-annotated pairs, are chosen by
//! cross-validation unless they are given.
//!
//! With `--rules` the rules are applied to each pair, and every proposal counts as right if it is a gold link. Rules
//! that carry links and have too few proposals or too low a precision are dropped; the others are sorted by precision.
//!
//! Writes a file of rules, with weights or with precisions. The summary on standard error has the chosen settings and,
//! as JSON, all that were tried.

use std::path::PathBuf;

use alinea::alignment::{Alignment, AnnotatedWords};
use alinea::format::sink;
use alinea::parallel::Work;
use alinea::progress;
use alinea::project::links::{
    Example, Learned, LearningConfig, ParsedPair, ProjectionConfig, Projector, Restriction, RuleSet, Tally, Trial,
    learn,
};

use serde_json::json;

use super::anchors::{AnchorArgs, Anchors};
use super::carry::{NameArgs, check_use, read_rules};
use super::input::{LinkLines, Sentences, TreeArgs, TreePairs};
use crate::context::Context;
use crate::input::kind::Rare as _;
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Learn rules from manually aligned sentences.

Examples:
  alinea project learn en.conllu fr.conllu --gold gold.align -o learned.rules
                                                    new rules, with weights
  alinea project learn en.conllu fr.conllu --gold gold.align --rules my.rules --least-precision 0.8 -o good.rules
                                                    keep the given rules that are precise enough";

/// Learn rules from manually aligned sentences
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    #[command(flatten)]
    trees: TreeArgs,
    #[command(flatten)]
    anchors: AnchorArgs,
    /// Gold links
    #[arg(long, value_name = "FILE", help_heading = "Learning")]
    gold: PathBuf,
    /// For incomplete gold standards: ignore word pairs in which neither word has a gold link
    #[arg(long, help_heading = "Learning")]
    annotated_only: bool,
    /// With --annotated-only: weight of a word pair in which only one word has a gold link, from 0 to 1 [default:
    /// chosen by cross-validation among 0, 0.25, 0.5 and 1]
    #[arg(long, value_name = "WEIGHT", requires = "annotated_only", help_heading = "Learning", rare = true)]
    half_annotated: Option<f64>,
    /// Rank and prune these rules instead of proposing new ones
    #[arg(long, value_name = "FILE", help_heading = "Learning")]
    rules: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Learning")]
    names: NameArgs,
    /// With --rules: minimum precision of a rule
    #[arg(long, value_name = "P", requires = "rules", default_value_t = 0.0)]
    least_precision: f64,
    /// Minimum number of proposals of a rule
    #[arg(long, value_name = "N", default_value_t = LearningConfig::default().least_proposed, rare = true)]
    least_proposed: u64,
    /// Without --rules: L2 penalty on the weights
    #[arg(long, value_name = "X", default_value_t = LearningConfig::default().penalty, rare = true)]
    penalty: f64,
    /// Without --rules: minimum probability of a link [default: chosen by cross-validation from 0.1 to 0.7]
    #[arg(long, value_name = "P", conflicts_with = "rules", rare = true)]
    threshold: Option<f64>,
    /// Do not learn about determiners, prepositions, auxiliaries, copulas, conjunctions and other markers
    #[arg(long)]
    content_words: bool,
    /// Output file for the rules (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let [source, target] = self.trees.paths();
        let optional =
            [("--links", &self.anchors.links), ("--confidences", &self.anchors.confidences), ("--rules", &self.rules)];
        let inputs = [("SOURCE", source), ("TARGET", target), ("--gold", self.gold.as_path())].into_iter();
        let inputs = inputs.chain(optional.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?))));
        let inputs = inputs.chain(self.names.path().map(|path| ("--names", path)));
        let inputs = inputs.chain(self.anchors.add.iter().map(|path| ("--add", path.as_path())));
        let inputs: Vec<Role<'_>> = inputs.map(|(name, path)| Role::new(name, path)).collect();
        check_distinct(&inputs, &[Role::new("--output", &self.output)])
    }

    fn restriction(&self) -> Restriction {
        if self.content_words { Restriction::ContentWords } else { Restriction::None }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    let given = args.rules.as_deref().map(|path| read_rules(Some(path), &args.names)).transpose()?;
    if let Some(rules) = &given {
        check_use(rules, &[("--confidences", args.anchors.confidences.is_some(), true)])?;
    }
    let mut output = sink::create(&args.output)?;
    let work = Work { parallelism: &args.threads.parallelism()?, observer: context.observer() };
    let rules = match given {
        None => propose(args, work, context)?,
        Some(rules) => rank(args, rules, work)?,
    };
    output.write_bytes(rules.text().as_bytes())?;
    output.finish()?;
    let carrying = rules.rules.iter().filter(|rule| rule.condition.carries()).count();
    context.report(format_args!("{}, {carrying} of which add links", counted(rules.rules.len() as u64, "rule")));
    Ok(())
}

/// Calls `each` with every pair, its anchors and gold links, and ends.
fn each_pair(
    args: &Args,
    work: Work<'_>,
    mut each: impl FnMut(Sentences, Anchored, Alignment) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let observer = work.observer;
    let mut anchors = Anchors::new(&args.anchors, &args.trees, work)?;
    let mut gold = LinkLines::open(&args.gold, &args.trees)?;
    let mut trees = TreePairs::open(args.trees.paths(), args.trees.roots)?;
    observer.started("read", 0);
    while let Some(pair) = trees.next()? {
        let anchored = anchors.next(&pair, &trees)?;
        let links = gold.next(&pair, &trees)?;
        each(pair, anchored, links)?;
        observer.advance(1);
        progress::check(observer)?;
    }
    anchors.finish(&trees)?;
    gold.finish(&trees)?;
    observer.finished("");
    Ok(())
}

/// Anchors and confidences of a pair.
type Anchored = (Alignment, Vec<alinea::alignment::WeightedLink>);

/// New rules, with weights.
fn propose(args: &Args, work: Work<'_>, context: &Context) -> anyhow::Result<RuleSet> {
    let config = LearningConfig::default().with(|c| {
        c.least_proposed = args.least_proposed;
        c.penalty = args.penalty;
        c.annotated_only = args.annotated_only;
        c.half_annotated = args.half_annotated;
        c.threshold = args.threshold;
        c.restriction = args.restriction();
    });
    config.validate()?;
    let mut annotated = Vec::new();
    each_pair(args, work, |pair, anchored, gold| {
        annotated.push((pair, anchored, gold));
        Ok(())
    })?;
    let examples = annotated.iter().map(|(pair, (anchors, confidences), gold)| {
        Ok(Example { pair: ParsedPair::new(&pair.source, &pair.target)?, anchors, confidences, gold })
    });
    let examples = examples.collect::<alinea::error::Result<Vec<_>>>()?;
    let learned = learn(&examples, &config, work.parallelism, work.observer)?;
    tell(&learned, context);
    Ok(learned.rules)
}

/// What was chosen, and what was tried.
fn tell(learned: &Learned, context: &Context) {
    let Some(chosen) = learned.chosen else { return };
    let number = |trial: &Trial| {
        let Trial { half_annotated, threshold, f, standard_error } = *trial;
        json!({"half_annotated": half_annotated, "threshold": threshold, "f": f,
            "standard_error": standard_error})
    };
    let Trial { half_annotated, threshold, f, standard_error } = chosen;
    let text = format!(
        "settings   half annotated {half_annotated}, threshold {threshold:.2}\n\
         F          {:.2} (standard error {:.2}) in cross-validation",
        f * 100.0,
        standard_error * 100.0
    );
    let trials: Vec<_> = learned.trials.iter().map(number).collect();
    context.summary(&text, &json!({"chosen": number(&chosen), "trials": trials}));
}

/// Given rules with their precision, the most precise first.
fn rank(args: &Args, mut rules: RuleSet, work: Work<'_>) -> anyhow::Result<RuleSet> {
    let config = ProjectionConfig::default().with(|c| {
        c.restriction = args.restriction();
        c.record_proposals = true;
    });
    let mut tallies = vec![Tally::default(); rules.rules.len()];
    let mut projector = Projector::new(&rules, config)?;
    each_pair(args, work, |pair, (anchors, confidences), gold| {
        let pair = ParsedPair::new(&pair.source, &pair.target)?;
        let annotated = AnnotatedWords::of(&gold);
        let mut proposed = projector.project(&pair, &anchors, &confidences)?.proposed;
        proposed.dedup_by_key(|proposal| (proposal.link, proposal.rule));
        for proposal in proposed {
            if !args.annotated_only || annotated.both(proposal.link) {
                tallies[proposal.rule].add(gold.contains(proposal.link));
            }
        }
        Ok(())
    })?;
    for (rule, tally) in rules.rules.iter_mut().zip(&tallies) {
        rule.tally = Some(*tally);
    }
    let stays = |tally: Tally| {
        tally.proposed >= args.least_proposed && tally.precision().is_some_and(|share| share >= args.least_precision)
    };
    rules.rules.retain(|rule| rule.tally.is_none_or(stays) || !rule.condition.carries());
    let precision = |tally: Option<Tally>| tally.and_then(Tally::precision).unwrap_or(0.0);
    rules.rules.sort_by(|a, b| precision(b.tally).total_cmp(&precision(a.tally)));
    Ok(rules)
}
