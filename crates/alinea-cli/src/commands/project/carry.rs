//! `alinea project` without a subcommand: projects links over the trees of both sides, in batches.
//!
//! Paths, configuration and rules are checked first; options for rules with weights are refused for rules that have
//! none, and the other way round. Without `--links` the words of the trees are aligned next (`anchors`). Then, for each
//! batch of 4096 pairs:
//!
//! 1. the trees of both sides are read, and the anchors and confidences of each pair;
//! 2. threads project the pairs in chunks of 32, each with a `Projector` of its own; the results keep their order;
//! 3. `--grow` adds links of another alignment;
//! 4. links go to `--output` as Pharaoh lines, their origins to `--explain`, counts of each rule to the `Judge`.
//!
//! With `--units tokens` the links of files are between surface tokens, and so is the output. All output files appear
//! at the end, or none. Warnings name the rules of `--rules` that fitted nothing; with weights they are only counted.

use std::path::{Path, PathBuf};

use alinea::alignment::{Alignment, WeightedLink};
use alinea::error::Result;
use alinea::format::alignment::{AlignmentFormat, AlignmentWriter, LinkRecord, LinkWriteOptions, PairRecord};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::sink::{self, Output};
use alinea::parallel::{Parallelism, Work, chunk_range};
use alinea::progress;
use alinea::project::links::{
    IdleRule, ParsedPair, Projection, ProjectionConfig, Projector, Restriction, RuleNames, RuleSet, RuleUsage, grow,
};
use anyhow::anyhow;
use serde_json::json;

use super::anchors::{AnchorArgs, Anchors};
use super::explain;
use super::input::{LinkLines, Sentences, TreeArgs, TreePairs, in_units};
use super::report::{Judge, ReportArgs};
use crate::context::Context;
use crate::failure::WithHint;
use crate::input::kind::Rare as _;
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::resources::ThreadOptions;

/// Pairs in memory at once, and those that a thread takes at a time.
const BATCH: usize = 4096;
const CHUNK: usize = 32;

/// Options of the verb itself.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct CarryArgs {
    #[command(flatten)]
    trees: TreeArgs,
    #[command(flatten)]
    anchors: AnchorArgs,
    #[command(flatten)]
    rules: RuleArgs,
    #[command(flatten)]
    report: ReportArgs,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    /// Output file with a line for each added link: its rule and its origin
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    explain: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// What links are carried by.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Rules")]
struct RuleArgs {
    /// Rules [default: those for Universal Dependencies, see `alinea project rules`]
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    #[command(flatten)]
    names: NameArgs,
    /// Do not add links of determiners, prepositions, auxiliaries, copulas, conjunctions and other markers
    #[arg(long)]
    content_words: bool,
    /// Ignore rules with a lower precision, if stated in the file; for unweighted rules [default: 0]
    #[arg(long, value_name = "P", rare = true)]
    least_precision: Option<f64>,
    /// Minimum probability of a link, for weighted rules [default: as in the rules, or 0.4]
    #[arg(long, value_name = "P")]
    threshold: Option<f64>,
    /// Maximum number of rounds [default: until no links are added]
    #[arg(long, value_name = "N", rare = true)]
    rounds: Option<u32>,
    /// Finally add links of this alignment next to existing links, if they cover an unlinked word
    #[arg(long, value_name = "FILE")]
    grow: Option<PathBuf>,
}

/// What names in rules mean.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct NameArgs {
    /// Definitions of tag and relation names in --rules: `syntex` for those of the SYNTEX parser (see `alinea project
    /// rules syntex`), or a file of `let` lines
    #[arg(long, value_name = "NAMES", requires = "rules")]
    names: Option<PathBuf>,
}

impl NameArgs {
    /// The file, if it is one.
    pub(super) fn path(&self) -> Option<&Path> {
        self.names.as_deref().filter(|path| *path != Path::new(SYNTEX))
    }

    fn read(&self) -> Result<RuleNames> {
        match (&self.names, self.path()) {
            (None, _) => Ok(RuleNames::default()),
            (Some(_), None) => Ok(RuleNames::syntex()),
            (_, Some(path)) => RuleNames::read(LineReader::open(path, Utf8::Strict)?),
        }
    }
}

/// The names that need no file.
const SYNTEX: &str = "syntex";

impl CarryArgs {
    fn check_paths(&self) -> anyhow::Result<()> {
        let [source, target] = self.trees.paths();
        let optional = [
            ("--links", &self.anchors.links),
            ("--confidences", &self.anchors.confidences),
            ("--rules", &self.rules.rules),
            ("--grow", &self.rules.grow),
            ("--gold", &self.report.gold),
        ];
        let inputs = [("SOURCE", source), ("TARGET", target)].into_iter();
        let inputs = inputs.chain(optional.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?))));
        let inputs = inputs.chain(self.rules.names.path().map(|path| ("--names", path)));
        let inputs = inputs.chain(self.report.reparse.iter().map(|path| ("--reparse", path.as_path())));
        let inputs: Vec<Role<'_>> = inputs
            .chain(self.anchors.add.iter().map(|path| ("--add", path.as_path())))
            .map(|(name, path)| Role::new(name, path))
            .collect();
        let outputs = [("--explain", &self.explain), ("--rule-report", &self.report.rule_report)];
        let outputs = outputs.into_iter().filter_map(|(name, path)| Some((name, path.as_deref()?)));
        let outputs = outputs.chain([("--output", self.output.as_path())]);
        let outputs: Vec<Role<'_>> = outputs.map(|(name, path)| Role::new(name, path)).collect();
        check_distinct(&inputs, &outputs)
    }

    fn check_rules(&self, rules: &RuleSet) -> anyhow::Result<()> {
        let options = [
            ("--confidences", self.anchors.confidences.is_some(), true),
            ("--threshold", self.rules.threshold.is_some(), true),
            ("--least-precision", self.rules.least_precision.is_some(), false),
        ];
        check_use(rules, &options)
    }

    fn config(&self) -> Result<ProjectionConfig> {
        let restriction = if self.rules.content_words { Restriction::ContentWords } else { Restriction::None };
        let config = ProjectionConfig::default().with(|c| {
            c.restriction = restriction;
            c.least_precision = self.rules.least_precision.unwrap_or(ProjectionConfig::default().least_precision);
            c.threshold = self.rules.threshold;
            c.rounds = self.rules.rounds;
            c.record_proposals = self.report.gold.is_some();
        });
        config.validate()?;
        Ok(config)
    }
}

/// Refuses an option that these rules have no use for: which option, whether it was given, and for rules with weights
/// or without.
pub(super) fn check_use(rules: &RuleSet, options: &[(&str, bool, bool)]) -> anyhow::Result<()> {
    match options.iter().find(|(_, given, weighted)| *given && *weighted != rules.is_weighted()) {
        None => Ok(()),
        Some((option, _, true)) => Err(anyhow!("{option} is for weighted rules, and these are unweighted"))
            .hint("`alinea project learn` learns weighted rules from manually aligned sentences"),
        Some((option, ..)) => Err(anyhow!("{option} is for unweighted rules, and these are weighted"))
            .hint("--threshold is the minimum probability of a link"),
    }
}

/// The rules of a file, or those of the library.
pub(super) fn read_rules(path: Option<&Path>, names: &NameArgs) -> Result<RuleSet> {
    let Some(path) = path else { return Ok(RuleSet::universal()) };
    RuleSet::read(LineReader::open(path, Utf8::Strict)?, names.read()?)
}

/// Says which of the rules that the user gave did nothing; of rules with weights only how many.
fn tell_idle(idle: &[IdleRule], rules: &RuleSet, context: &Context) {
    const MOST: usize = 10;
    if idle.is_empty() {
        return;
    }
    let all = rules.rules.len();
    if rules.is_weighted() {
        context.report(format_args!("{} of {all} rules match nothing in this text", idle.len()));
        return;
    }
    for rule in idle.iter().take(MOST) {
        context.warn(rule);
    }
    if idle.len() > MOST {
        context.warn(format_args!("{} of {all} rules match nothing here; the first {MOST} are above", idle.len()));
    }
}

/// A pair with what was read of it, and what became of it.
struct Item {
    pair: Sentences,
    anchors: Alignment,
    confidences: Vec<WeightedLink>,
}

/// What is written, line by line.
struct Outputs {
    links: AlignmentWriter<Output>,
    explanations: Option<Output>,
}

/// Totals for the report.
#[derive(Default)]
struct Totals {
    pairs: u64,
    anchors: u64,
    carried: u64,
    links: u64,
}

pub(super) fn run(args: &CarryArgs, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    let config = args.config()?;
    let rules = read_rules(args.rules.rules.as_deref(), &args.rules.names)?;
    args.check_rules(&rules)?;
    let (observer, parallelism) = (context.observer(), args.threads.parallelism()?);
    let work = Work { parallelism: &parallelism, observer };
    let mut anchors = Anchors::new(&args.anchors, &args.trees, work)?;
    let mut toward = args.rules.grow.as_deref().map(|path| LinkLines::open(path, &args.trees)).transpose()?;
    let mut judge = Judge::new(&args.report, &args.trees, &rules, &config)?;
    let mut outputs = Outputs::create(args)?;
    let mut trees = TreePairs::open(args.trees.paths(), args.trees.roots)?;
    let mut totals = Totals::default();
    let mut usage = args.rules.rules.is_some().then(|| RuleUsage::new(&rules));
    observer.started("project", 0);
    loop {
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some(pair) = trees.next()?
        {
            let (anchors, confidences) = anchors.next(&pair, &trees)?;
            batch.push(Item { pair, anchors, confidences });
        }
        let projections = carry(&batch, &rules, &config, &parallelism, usage.as_mut())?;
        for (item, projection) in batch.iter().zip(projections) {
            let links = match &mut toward {
                None => projection.links.clone(),
                Some(lines) => grow(&projection.links, &lines.next(&item.pair, &trees)?),
            };
            totals.add(item, &projection, &links);
            if let Some(judge) = &mut judge {
                judge.add(&item.pair, &trees, (&item.anchors, &item.confidences), &projection)?;
            }
            let links = in_units(links, &item.pair, args.trees.units)?;
            outputs.write(&links, totals.pairs, item, &projection, &rules)?;
        }
        observer.advance(batch.len() as u64);
        progress::check(observer)?;
        if batch.len() < BATCH {
            break;
        }
    }
    anchors.finish(&trees)?;
    if let Some(lines) = &mut toward {
        lines.finish(&trees)?;
    }
    let judged = judge.map(|judge| judge.finish(&trees)).transpose()?;
    outputs.finish(judged)?;
    observer.finished("");
    let idle = usage.map(|usage| usage.idle()).unwrap_or_default();
    totals.tell(&idle, context);
    tell_idle(&idle, &rules, context);
    Ok(())
}

/// Carries links in a batch.
fn carry(
    batch: &[Item],
    rules: &RuleSet,
    config: &ProjectionConfig,
    parallelism: &Parallelism,
    mut usage: Option<&mut RuleUsage<'_>>,
) -> Result<Vec<Projection>> {
    if let Some(usage) = &mut usage {
        for item in batch {
            usage.look_at(&ParsedPair::new(&item.pair.source, &item.pair.target)?);
        }
    }
    let mut projections = Vec::with_capacity(batch.len());
    parallelism.map_ordered(
        batch.len().div_ceil(CHUNK),
        || Projector::new(rules, config.clone()),
        |projector, chunk| {
            let items = &batch[chunk_range(batch.len(), CHUNK, chunk)];
            let found = items.iter().map(|item| project(projector, item)).collect::<Result<Vec<_>>>()?;
            Ok((found, projector.as_ref().map_or_else(|_| Vec::new(), |projector| projector.used().to_vec())))
        },
        |(found, used)| {
            projections.extend(found);
            if let Some(usage) = &mut usage {
                usage.add_used(&used);
            }
            Ok(())
        },
    )?;
    Ok(projections)
}

fn project(projector: &mut Result<Projector<'_>>, item: &Item) -> Result<Projection> {
    let pair = ParsedPair::new(&item.pair.source, &item.pair.target)?;
    match projector {
        Ok(projector) => projector.project(&pair, &item.anchors, &item.confidences),
        // The configuration was checked at the beginning.
        Err(error) => Err(alinea::error::ErrorKind::Inconsistent(error.to_string()).into()),
    }
}

impl Outputs {
    fn create(args: &CarryArgs) -> anyhow::Result<Self> {
        let output = sink::create(&args.output)?;
        let name = output.name().to_owned();
        let links = AlignmentWriter::new(output, name, AlignmentFormat::Pharaoh, &LinkWriteOptions::default())?;
        let mut explanations = args.explain.as_deref().map(sink::create).transpose()?;
        if let Some(output) = &mut explanations {
            output.write_bytes(explain::HEADER.as_bytes())?;
        }
        Ok(Self { links, explanations })
    }

    fn write(
        &mut self,
        links: &Alignment,
        number: u64,
        item: &Item,
        projection: &Projection,
        rules: &RuleSet,
    ) -> anyhow::Result<()> {
        let records = links.iter().map(|link| LinkRecord::sure(link.source, link.target));
        self.links.write(&PairRecord { links: records.collect(), ..PairRecord::default() })?;
        if let Some(output) = &mut self.explanations {
            let lines = explain::lines(number, &item.pair, projection, rules);
            output.write_bytes(lines.as_bytes())?;
        }
        Ok(())
    }

    /// All files appear, or none.
    fn finish(self, report: Option<Output>) -> anyhow::Result<()> {
        let outputs = [Some(self.links.into_inner()), self.explanations, report];
        Ok(sink::finish_all(outputs.into_iter().flatten())?)
    }
}

impl Totals {
    fn add(&mut self, item: &Item, projection: &Projection, links: &Alignment) {
        self.pairs += 1;
        self.anchors += item.anchors.len() as u64;
        self.carried += projection.added.len() as u64;
        self.links += links.len() as u64;
    }

    fn tell(&self, idle: &[IdleRule], context: &Context) {
        let Self { pairs, anchors, carried, links } = *self;
        let grown = links - anchors - carried;
        let more = if grown > 0 { format!("\ngrown      {}", counted(grown, "link")) } else { String::new() };
        let [of_anchors, of_rules] = [anchors, carried].map(|number| counted(number, "link"));
        let text = format!("pairs      {pairs}\nanchors    {of_anchors}\ncarried    {of_rules}{more}");
        let idle: Vec<usize> = idle.iter().map(|idle| idle.rule + 1).collect();
        let numbers = json!({"pairs": pairs, "anchors": anchors, "carried": carried, "grown": grown, "links": links,
            "idle_rules": idle});
        context.summary(&text, &numbers);
    }
}
