//! `alinea project --gold --rule-report`: the precision of each projection rule against a gold standard.
//!
//! For each rule and direction the `Judge` counts the links that were proposed and those that were added, and how many
//! of them are gold links; with `--annotated-only` only links of which both words have a gold link. The table,
//! separated by tabs, has these counts and the precision of the added links with its 95 % interval (Wilson 1927).
//!
//! `--reparse` names other trees of the same sentences, which must have as many words. The rules are applied to them
//! too, from the same anchors. A wrong link counts as an error of the parser if the same rule does not add it there.

use std::fmt::Write as _;
use std::path::PathBuf;

use alinea::alignment::{Alignment, AnnotatedWords, WeightedLink};
use alinea::error::Error;
use alinea::format::sink::{self, Output};
use alinea::project::links::{
    ParsedPair, Projection, ProjectionConfig, Projector, RuleSet, RuleTallies, RuleTally, Tally,
};

use super::input::{LinkLines, Sentences, TreeArgs, TreePairs};
use crate::input::kind::Rare as _;

/// What rules are judged by.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Evaluation of rules")]
pub(super) struct ReportArgs {
    /// Gold links
    #[arg(long, value_name = "FILE", requires = "rule_report")]
    pub(super) gold: Option<PathBuf>,
    /// Output file for a table of each rule and direction: proposed, added and correct links, precision with its
    /// interval
    #[arg(long, value_name = "FILE", requires = "gold")]
    pub(super) rule_report: Option<PathBuf>,
    /// Count only links between words that both have a gold link
    #[arg(long, requires = "gold", rare = true)]
    pub(super) annotated_only: bool,
    /// Other trees of the same sentences, to find errors due to the parser
    #[arg(long, value_names = ["SOURCE", "TARGET"], num_args = 2, requires = "gold", rare = true)]
    pub(super) reparse: Vec<PathBuf>,
}

/// Compares what rules did with the gold standard.
pub(super) struct Judge<'r> {
    gold: LinkLines,
    annotated_only: bool,
    other_trees: Option<(TreePairs, Projector<'r>)>,
    tallies: RuleTallies,
    rules: &'r RuleSet,
    output: Output,
}

impl<'r> Judge<'r> {
    /// A judge, if there is a gold standard.
    pub(super) fn new(
        args: &ReportArgs,
        trees: &TreeArgs,
        rules: &'r RuleSet,
        config: &ProjectionConfig,
    ) -> anyhow::Result<Option<Self>> {
        let (Some(gold), Some(report)) = (&args.gold, &args.rule_report) else { return Ok(None) };
        let other_trees = match args.reparse.as_slice() {
            [source, target] => {
                let projector = Projector::new(rules, config.clone())?;
                Some((TreePairs::open([source, target], trees.roots)?, projector))
            }
            _ => None,
        };
        Ok(Some(Self {
            gold: LinkLines::open(gold, trees)?,
            annotated_only: args.annotated_only,
            other_trees,
            tallies: RuleTallies::default(),
            rules,
            output: sink::create(report)?,
        }))
    }

    /// Compares a pair, and with other trees what they would have given.
    pub(super) fn add(
        &mut self,
        pair: &Sentences,
        trees: &TreePairs,
        (anchors, confidences): (&Alignment, &[WeightedLink]),
        projection: &Projection,
    ) -> anyhow::Result<()> {
        let gold = self.gold.next(pair, trees)?;
        let other = match &mut self.other_trees {
            None => None,
            Some((others, projector)) => {
                let Some(other) = others.next()? else {
                    anyhow::bail!("--reparse: {} has fewer sentences than {}", others.name(), trees.name());
                };
                check_words(pair, &other, others)?;
                Some(projector.project(&ParsedPair::new(&other.source, &other.target)?, anchors, confidences)?)
            }
        };
        let (annotated, annotated_only) = (AnnotatedWords::of(&gold), self.annotated_only);
        self.tallies.add(projection, &gold, |link| !annotated_only || annotated.both(link), other.as_ref());
        Ok(())
    }

    /// The table, complete.
    pub(super) fn finish(mut self, trees: &TreePairs) -> anyhow::Result<Output> {
        self.gold.finish(trees)?;
        if let Some((others, _)) = &mut self.other_trees
            && others.next()?.is_some()
        {
            anyhow::bail!("--reparse: {} has more sentences than {}", others.name(), trees.name());
        }
        let table = table(&self.tallies, self.rules, self.other_trees.is_some());
        self.output.write_bytes(table.as_bytes())?;
        Ok(self.output)
    }
}

/// Two parses must be of the same words.
fn check_words(pair: &Sentences, other: &Sentences, others: &TreePairs) -> anyhow::Result<()> {
    for (one, two) in [(&pair.source, &other.source), (&pair.target, &other.target)] {
        if one.len() != two.len() {
            let message =
                format!("--reparse: sentence {} has {} words there and {} here", others.number(), two.len(), one.len());
            return Err(Error::from(alinea::error::ErrorKind::Inconsistent(message)).into());
        }
    }
    Ok(())
}

fn table(tallies: &RuleTallies, rules: &RuleSet, parsed_twice: bool) -> String {
    let mut table = "rule\tdirection\tproposed\tproposed_correct\tadded\tcorrect\tprecision\tlow\thigh".to_owned();
    table += if parsed_twice { "\twrong\tparser_errors\tparser_share\n" } else { "\n" };
    let share = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    for (rule, direction, RuleTally { proposed, accepted, parser_errors }) in tallies.iter() {
        let condition = &rules.rules[rule].condition;
        let Tally { proposed: added, correct } = accepted;
        let interval = accepted.interval();
        let [low, high] = [interval.map(|interval| interval.low), interval.map(|interval| interval.high)];
        // Writing to a string cannot fail.
        let _ = write!(
            table,
            "{condition}\t{}\t{}\t{}\t{added}\t{correct}\t{}\t{}\t{}",
            direction.name(),
            proposed.proposed,
            proposed.correct,
            share(accepted.precision()),
            share(low),
            share(high)
        );
        if parsed_twice {
            let wrong = added - correct;
            let part = (wrong > 0).then(|| parser_errors as f64 / wrong as f64);
            let _ = write!(table, "\t{wrong}\t{parser_errors}\t{}", share(part));
        }
        table.push('\n');
    }
    table
}
