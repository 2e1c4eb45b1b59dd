//! `alinea metric`: scores translations against references; BLEU, chrF and TER have the numbers of sacreBLEU.
//!
//! Line n of a system translates line n of each reference. Standard input has a system in each column between tabs.
//!
//! Options are checked first. Then the metrics are made, for which NIST reads the references once, and the files are
//! opened. One pass counts all segments of all systems; their statistics are kept only for `--segments` and for
//! resampling. Warnings about odd lines and low coverage follow. At last scores, intervals and tests are computed from
//! the statistics and written to standard output. With `--explain` the path pairs behind `dpath` are written instead.
//!
//! Modules: `choice` options and metrics; `input` lines, `linked_streams` lines with links, `commands::trees` sentences
//! with trees; `scoring` counts and scores; `report` output; `explain` path pairs.

mod choice;
mod explain;
mod input;
mod linked_streams;
mod report;
mod scoring;

use std::path::PathBuf;

use alinea::format::sink;
use alinea::format::source::is_dash;
use alinea::metric::significance::{RandomSource, Resampling};
use anyhow::bail;

use self::choice::ChoiceArgs;
use self::explain::Shown;
use self::input::{Source, Streams};
use self::report::{Report, Style};
use self::scoring::Test;
use crate::context::Context;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Scores translations against references: BLEU and other metrics, as sacreBLEU computes them.

Examples:
  alinea metric reference.de -i system.de           BLEU
  alinea metric reference.de -i system.de -m bleu chrf ter
  alinea metric first.de second.de -i system.de     two references for each line
  alinea metric reference.de -i old.de new.de --paired-bs
                                                    is one of the two better?
  paste old.de new.de | alinea metric reference.de  one column of standard input per system
  alinea metric reference.de -i system.de --confidence --json
  alinea metric reference.zh -i system.zh -l en-zh  tokenize Chinese as sacreBLEU does
  alinea metric reference.de -i system.de --segments --smoothing method4
  alinea metric reference.de -i system.de --weights 1 1/2,1/2 1/3,1/3,1/3
                                                    BLEU of one, two and three words
  alinea metric reference.en -i system.en -m meteor --synonyms sets.txt
  alinea metric reference.conllu -i system.conllu -m dpath ted
                                                    word order, by dependency trees
  alinea metric reference.conllu -i system.conllu -m dpath --links links.align --explain
  alinea metric reference.conllu -i system.conllu -m dpath --explain graph --json
  alinea metric reference.de -i system.de -m lr --lr-source source.en --lr-links system.links --lr-reference-links reference.links
                                                    BLEU and the order of source words";

const AFTER_LONG_HELP: &str = "\
Line n of a system's file and line n of each reference translate the same segment. Text should be detokenized: each \
metric tokenizes it as its signature says. The signature, after the name of the score, has every choice that changes \
the score; scores with different signatures cannot be compared.

For dpath and ted all files are CoNLL-U, as written by parsers such as UDPipe, GiNZA and Stanza: sentence n of a \
system and sentence n of each reference translate the same segment, each with its own tree. Words are aligned by \
--links (a word of the reference first, then one of the hypothesis, from 0), by a comment `# links = 0-0 1-2` in the \
file of the system, or else by forms, lemmas or stems, and synonyms. Several roots (--roots many) are attached to an \
additional word by the relation root.

lr is LRscore (Birch and Osborne 2010): the order of the source words in the translation, by --lr-links, compared with \
their order in the reference, by --lr-reference-links, interpolated with BLEU. All lines must be tokenized as for the \
aligner, so they are split at whitespace unless --tokenize is given. With several references, the best one counts for \
the order.

Intervals and tests draw the same random numbers as sacreBLEU with the same seed, unless --generator says otherwise. \
Intervals are 95 % intervals; p is the probability of a difference at least this large from the first system, the \
baseline, if the systems did not really differ. Systems whose segments all have the same counts as those of the \
baseline are reported as identical, where sacreBLEU gives the smallest possible p. With fewer than 300 segments, the \
smallest size Koehn (2004) tested, a warning says that intervals and tests may be unreliable; a single segment gets \
neither.";

/// Scores translations against references
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Reference files, one segment per line
    #[arg(value_name = "REFERENCE", required = true)]
    references: Vec<PathBuf>,
    /// Translations to score, one file per system (- for standard input, one tab-separated column per system)
    #[arg(short = 'i', long = "input", value_name = "FILE", num_args = 1.., default_value = "-")]
    systems: Vec<PathBuf>,
    /// Number of tab-separated references per line of the reference file
    #[arg(long, value_name = "N", default_value_t = 1)]
    num_refs: usize,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    report: ReportArgs,
}

/// How sure the scores are.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Intervals and tests")]
struct TestArgs {
    /// Report 95 % confidence intervals from N bootstrap samples
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000")]
    confidence: Option<usize>,
    /// Test each system against the first by paired bootstrap resampling with N samples
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1000", conflicts_with_all = ["paired_ar", "confidence"])]
    paired_bs: Option<usize>,
    /// Test each system against the first by paired approximate randomization with N trials
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10000")]
    paired_ar: Option<usize>,
    /// Random seed of samples and trials
    #[arg(long, value_name = "N", default_value_t = Resampling::new(1).seed)]
    seed: u64,
    /// Random generator: numpy, as in sacreBLEU, or alinea, whose samples do not depend on their number
    #[arg(long, value_name = "NAME", default_value_t)]
    generator: RandomSource,
}

/// How scores are written.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option")]
struct ReportArgs {
    /// Score each segment, one per line, instead of the whole text
    #[arg(long, conflicts_with_all = ["paired_bs", "paired_ar", "confidence"])]
    segments: bool,
    /// Explain dpath instead of scoring: a table of the path pairs of each segment, those of the spanning tree, worst
    /// first, or all with their weights (graph); with --json one object per segment and system
    #[arg(long, value_name = "WHAT", value_enum, num_args = 0..=1, default_missing_value = "tree",
        conflicts_with_all = ["segments", "paired_bs", "paired_ar", "confidence", "score_only"])]
    explain: Option<Shown>,
    /// Write JSON, with all digits
    #[arg(long, conflicts_with_all = ["style", "width", "score_only", "short"])]
    json: bool,
    /// Table style
    #[arg(long, value_enum, value_name = "STYLE", default_value_t = Style::Text)]
    style: Style,
    /// Decimals of percentages; scores from 0 to 1 have two more
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=15))]
    width: u8,
    /// Print only scores
    #[arg(short = 'b', long)]
    score_only: bool,
    /// Abbreviate signatures
    #[arg(long)]
    short: bool,
}

impl TestArgs {
    fn test(&self) -> anyhow::Result<Test> {
        let resampling = |samples: usize| Resampling::new(samples).drawn_by(self.generator, self.seed);
        let test = match (self.paired_bs, self.paired_ar, self.confidence) {
            (Some(samples), _, _) => Test::PairedBootstrap(resampling(samples)),
            (_, Some(trials), confidence) => Test::PairedRandomization(resampling(trials), confidence),
            (_, _, Some(samples)) => Test::Intervals(resampling(samples)),
            _ => Test::None,
        };
        test.validate()?;
        Ok(test)
    }
}

/// Scores and writes.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let inputs = args.references.iter().map(|path| Role::new("REFERENCE", path));
    let inputs = inputs.chain(args.systems.iter().map(|path| Role::new("--input", path)));
    let inputs: Vec<_> = inputs.chain(args.choice.inputs().map(|(name, path)| Role::new(name, path))).collect();
    check_distinct(&inputs, &[])?;
    let systems = distinct(args, context)?;
    if args.num_refs == 0 || args.num_refs > 1 && args.references.len() > 1 {
        bail!("--num-refs = {}: must be 1, or more with one file of references", args.num_refs);
    }
    let test = args.test.test()?;
    let (trees, linked) = (args.choice.reads_trees()?, args.choice.reads_links()?);
    if trees && args.num_refs > 1 {
        bail!("--num-refs = {}: sentences with trees cannot share a line", args.num_refs);
    }
    let open_trees = || args.choice.open_trees(&args.references, &systems);
    if let Some(shown) = args.report.explain {
        if !args.choice.is_dependency_path() {
            bail!("--explain only works with dpath alone: -m dpath");
        }
        return explain::run(&args.choice.dependency_path()?, shown, args.report.json, open_trees()?, context);
    }
    let references = || {
        if args.references.iter().any(|path| is_dash(path)) {
            bail!("this metric reads the references twice, so they cannot be standard input");
        }
        Ok(Streams::read_references(&args.references, args.num_refs)?)
    };
    let metrics = args.choice.metrics(args.report.segments, references)?;
    let streams = if trees {
        Source::Trees(Box::new(open_trees()?))
    } else {
        let lines = Streams::open(&args.references, &systems, args.num_refs)?;
        if linked {
            let references = args.references.len().max(args.num_refs);
            let systems = lines.systems();
            Source::Linked(Box::new(args.choice.open_links(lines, systems, references)?))
        } else {
            Source::Lines(lines)
        }
    };
    let names = names(&systems, streams.systems());
    if test.is_paired() && names.len() < 2 {
        bail!("a paired test needs at least two systems: two files of --input, or two columns of standard input");
    }
    let keep_rows = args.report.segments || !matches!(test, Test::None);
    let counted = scoring::count(&metrics, streams, keep_rows, context)?;
    counted.warn(&args.choice, context);
    if !matches!(test, Test::None) {
        context.warn_of_few(counted.segments);
    }
    let details = names.len() == 1 && args.report.style == Style::Text && !args.report.score_only;
    let shown = !args.report.segments && (args.report.json || details);
    counted.tell_coverage(&metrics, &names, shown, context);
    let mut output = sink::create("-")?;
    if args.report.segments {
        let style = (!args.report.json).then_some(usize::from(args.report.width));
        output.write_bytes(report::segments(&metrics, &counted, style)?.as_bytes())?;
    } else {
        let results = scoring::score(&metrics, &counted, test, context)?;
        let report = Report { names, results, segments: counted.segments };
        let text = if args.report.json {
            report.json()?
        } else {
            report.text(args.report.style, usize::from(args.report.width), args.report.score_only, args.report.short)
        };
        output.write_bytes(text.as_bytes())?;
    }
    output.finish()?;
    Ok(())
}

/// The systems, each once: a pattern may name one again that stands before it as the baseline.
fn distinct(args: &Args, context: &Context) -> anyhow::Result<Vec<PathBuf>> {
    let mut systems: Vec<PathBuf> = Vec::new();
    for path in &args.systems {
        if !systems.contains(path) {
            systems.push(path.clone());
        } else if args.choice.has_links() {
            bail!("{}: two systems with links have this name", path.display());
        } else {
            context.warn(format_args!("{}: given twice, ignored the second time", path.display()));
        }
    }
    Ok(systems)
}

/// What systems are called: as their files, or by the number of their column.
fn names(systems: &[PathBuf], count: usize) -> Vec<String> {
    if count > systems.len() {
        (1..=count).map(|number| format!("System {number}")).collect()
    } else {
        systems.iter().map(|path| path.display().to_string()).collect()
    }
}
