//! `alinea metric`: scores translations against references; BLEU, chrF and TER have the numbers of sacreBLEU.
//!
//! Line n of a system translates line n of each reference. Standard input has a system in each column between tabs.
//!
//! References are files, or those of a test set of sacreBLEU.
//!
//! Options are checked first. Then the metrics are made, for which NIST reads the references once, and the files are
//! opened. One pass counts all segments of all systems; their statistics are kept only for `--segments` and for
//! resampling. Warnings about odd lines and low coverage follow. At last scores, intervals and tests are computed from
//! the statistics and written to standard output. With `--explain` the path pairs behind `dpath` are written instead.
//!
//! Modules: `habits` options of sacreBLEU; `choice` options and metrics; `test_sets` references of test sets; `input`
//! lines, `linked_streams` lines with links, `input::trees` sentences with trees; `scoring` counts and scores; `report`
//! output; `explain` path pairs.

pub(crate) mod habits;

mod choice;
mod explain;
mod input;
mod linked_streams;
mod report;
mod scoring;
mod test_sets;

pub(crate) use self::report::LESS_IS_BETTER;

use std::path::PathBuf;

use alinea::format::sink;
use alinea::format::source::is_dash;
use alinea::metric::significance::{RandomSource, Resampling};
use alinea::parallel::Work;
use anyhow::{anyhow, bail};

use self::choice::ChoiceArgs;
use self::explain::Shown;
use self::habits::ForeignArgs;
use self::input::{Source, Streams, Text};
use self::report::{Report, SegmentLayout};
use self::scoring::{SAMPLES, TRIALS, Test};
use crate::context::Context;
use crate::failure::WithHint as _;
use crate::input::kind::{FormatArgs, Rare as _, TableKind};
use crate::input::paths::{Role, check_distinct};
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Score translations against references: BLEU and other metrics, as sacreBLEU computes them.

Examples:
  alinea metric reference.de -i system.de           BLEU
  alinea metric reference.de -i system.de --metric bleu chrf ter
  alinea metric -t wmt22 -l en-de -i system.de      a test set that sacreBLEU has downloaded
  alinea metric first.de second.de -i system.de     two references for each line
  alinea metric reference.de -i old.de new.de --paired-bs
                                                    is one of the two better?
  paste old.de new.de | alinea metric reference.de  one column of standard input per system
  alinea metric reference.de -i system.de --confidence --json
  alinea metric reference.de -i old.de new.de --format markdown
  alinea metric reference.zh -i system.zh -l en-zh  tokenize Chinese as sacreBLEU does
  alinea metric reference.de -i old.de new.de --metric bleu chrf --segments > scores.tsv
                                                    scores of segments, for alinea correlate
  alinea metric reference.en -i system.en --metric meteor --synonyms sets.txt
  alinea metric reference.conllu -i system.conllu --metric dpath ted
                                                    word order, by dependency trees
  alinea metric reference.conllu -i system.conllu --metric dpath --links links.align --explain
  alinea metric --help-all                          all options, of all metrics";

const AFTER_LONG_HELP: &str = "\
Line n of a system's file and line n of each reference translate the same segment. Text should be detokenized: each \
metric tokenizes it as its signature says. The signature, after the name of the score, names every choice that \
changes the score; scores with different signatures cannot be compared.

--test-set reads references where sacreBLEU stores them, in $SACREBLEU or ~/.sacrebleu, and downloads nothing. Several \
test sets, separated by commas, are scored as one. sacreBLEU's option names are accepted, too; the default of \
--format is text, not JSON.

--segments writes a tab-separated table with a header and a line for each system and segment; with --score-only, a \
line for each segment with the scores of all systems.

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
neither.

Rarely needed options, and those of single metrics such as chrF, TER, METEOR, LRscore, dpath and ted, are shown by \
--help-all.";

/// Decimals of percentages, unless their number is given.
const DECIMALS: u8 = 1;

/// Score translations against references
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(crate) struct Args {
    /// Reference files, one segment per line; none with --test-set
    #[arg(value_name = "REFERENCE")]
    references: Vec<PathBuf>,
    /// Translations to score, one file per system (- for standard input, one tab-separated column per system)
    #[arg(short = 'i', long = "input", value_name = "FILE", num_args = 1.., default_value = "-")]
    systems: Vec<PathBuf>,
    /// Number of tab-separated references per line of the reference file
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "test_set")]
    num_refs: usize,
    /// Test sets of sacreBLEU whose references to use, separated by commas (with --language-pair)
    #[arg(short, long, value_name = "NAMES")]
    test_set: Option<String>,
    #[command(flatten)]
    choice: ChoiceArgs,
    #[command(flatten)]
    test: TestArgs,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    foreign: ForeignArgs,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// How sure the scores are.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Intervals and tests")]
struct TestArgs {
    /// Report 95 % confidence intervals from N bootstrap samples
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = SAMPLES)]
    confidence: Option<usize>,
    /// Test each system against the first by paired bootstrap resampling with N samples
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = SAMPLES,
        conflicts_with_all = ["paired_ar", "confidence"])]
    paired_bs: Option<usize>,
    /// Test each system against the first by paired approximate randomization with N trials
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = TRIALS)]
    paired_ar: Option<usize>,
    /// Random seed of samples and trials
    #[arg(long, value_name = "N", default_value_t = Resampling::new(1).seed)]
    seed: u64,
    /// Random generator: numpy, as in sacreBLEU, or alinea, whose first samples are the same for any number of samples
    #[arg(long, value_name = "NAME", default_value_t, rare = true)]
    generator: RandomSource,
    /// The number of --confidence, as in sacreBLEU
    #[arg(long, value_name = "N", requires = "confidence", hide = true)]
    confidence_n: Option<usize>,
    /// The number of --paired-bs, as in sacreBLEU
    #[arg(long, value_name = "N", requires = "paired_bs", hide = true)]
    paired_bs_n: Option<usize>,
    /// The number of --paired-ar, as in sacreBLEU
    #[arg(long, value_name = "N", requires = "paired_ar", hide = true)]
    paired_ar_n: Option<usize>,
}

/// How scores are written.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct ReportArgs {
    /// Score each segment instead of the whole text: a table for alinea correlate
    #[arg(long, conflicts_with_all = ["paired_bs", "paired_ar", "confidence"])]
    segments: bool,
    /// Explain dpath instead of scoring: a table of the path pairs of each segment, those of the spanning tree, worst
    /// first, or all with their weights (graph); with --json one object per segment and system
    #[arg(long, value_name = "WHAT", value_enum, num_args = 0..=1, default_missing_value = "tree",
        conflicts_with_all = ["segments", "paired_bs", "paired_ar", "confidence", "score_only"],
        rare = true)]
    explain: Option<Shown>,
    #[command(flatten)]
    format: FormatArgs<TableKind>,
    /// Decimals of percentages; scores from 0 to 1 have two more [default: 1; all with --segments]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=15),
        conflicts_with = "explain")]
    width: Option<u8>,
    /// Print only scores
    #[arg(short = 'b', long)]
    score_only: bool,
    /// Abbreviate signatures
    #[arg(long, conflicts_with_all = ["segments", "explain"])]
    short: bool,
}

/// Where references seem to have been given after the systems.
const REFERENCES_FIRST: &str = "-i takes all files after it; give references before it";

impl Args {
    /// Whether systems are read from standard input.
    fn reads_standard_input(&self) -> bool {
        self.systems.iter().any(|path| is_dash(path))
    }

    /// The test sets, if some are named, and the language pair.
    fn test_set(&self) -> anyhow::Result<Option<(&str, &str)>> {
        let Some(names) = &self.test_set else {
            if !self.references.is_empty() {
                return Ok(None);
            }
            let missing = Err(anyhow!("no references: give REFERENCE, or --test-set and --language-pair"));
            return if self.systems.len() > 1 { missing.hint(REFERENCES_FIRST) } else { missing };
        };
        if let Some(path) = self.references.first() {
            bail!("{}: with --test-set there is no REFERENCE; systems are given with --input", path.display());
        }
        match self.choice.language_pair()? {
            Some(pair) => Ok(Some((names.as_str(), pair))),
            None => bail!("--test-set needs --language-pair, such as en-de"),
        }
    }

    /// The systems, each once: a pattern may name one again that stands before it as the baseline.
    fn distinct_systems(&self, context: &Context) -> anyhow::Result<Vec<PathBuf>> {
        let mut systems: Vec<PathBuf> = Vec::new();
        for path in &self.systems {
            if !systems.contains(path) {
                systems.push(path.clone());
            } else if self.choice.has_links() {
                bail!("{}: two systems with links have this name", path.display());
            } else {
                context.warn(format_args!("{}: given twice, ignored the second time", path.display()));
            }
        }
        Ok(systems)
    }
}

impl TestArgs {
    fn test(&self) -> anyhow::Result<Test> {
        let resampling = |samples: usize| Resampling::new(samples).drawn_by(self.generator, self.seed);
        let number = |given: Option<usize>, of_sacrebleu: Option<usize>| given.map(|own| of_sacrebleu.unwrap_or(own));
        let test = match (
            number(self.paired_bs, self.paired_bs_n),
            number(self.paired_ar, self.paired_ar_n),
            number(self.confidence, self.confidence_n),
        ) {
            (Some(samples), _, _) => Test::PairedBootstrap(resampling(samples)),
            (_, Some(trials), confidence) => Test::PairedRandomization(resampling(trials), confidence),
            (_, _, Some(samples)) => Test::Intervals(resampling(samples)),
            _ => Test::None,
        };
        test.validate()?;
        Ok(test)
    }
}

impl ReportArgs {
    /// What to write.
    fn kind(&self) -> anyhow::Result<TableKind> {
        let kind = self.format.get();
        if kind == TableKind::Json && (self.width.is_some() || self.score_only || self.short) {
            bail!("--width, --score-only and --short are for text: JSON has all digits and whole signatures");
        }
        if (self.segments || self.explain.is_some()) && !matches!(kind, TableKind::TEXT | TableKind::Json) {
            bail!("--segments and --explain only write text and JSON");
        }
        if self.score_only && kind != TableKind::TEXT {
            bail!("--score-only only writes text");
        }
        Ok(kind)
    }

    /// Decimals of percentages.
    fn decimals(&self) -> usize {
        usize::from(self.width.unwrap_or(DECIMALS))
    }

    /// How scores of segments are written.
    fn layout(&self, kind: TableKind) -> SegmentLayout {
        match kind {
            TableKind::Json => SegmentLayout::Json,
            _ if self.score_only => SegmentLayout::Scores(self.decimals()),
            TableKind::Table(_) => SegmentLayout::Table(self.width.map(usize::from)),
        }
    }
}

/// Scores and writes.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.foreign.answer()?;
    let kind = args.report.kind()?;
    let test_set = args.test_set()?;
    let inputs = args.references.iter().map(|path| Role::new("REFERENCE", path));
    let inputs = inputs.chain(args.systems.iter().map(|path| Role::new("--input", path)));
    let inputs: Vec<_> = inputs.chain(args.choice.inputs().map(|(name, path)| Role::new(name, path))).collect();
    check_distinct(&inputs, &[])?;
    let systems = args.distinct_systems(context)?;
    if args.reads_standard_input() {
        context.note_terminal("translations", "-i FILE reads a file");
    }
    if args.num_refs == 0 || args.num_refs > 1 && args.references.len() > 1 {
        bail!("--num-refs = {}: must be 1, or more with one file of references", args.num_refs);
    }
    let test = args.test.test()?;
    let (trees, linked) = (args.choice.reads_trees()?, args.choice.reads_links()?);
    if trees && args.num_refs > 1 {
        bail!("--num-refs = {}: sentences with trees cannot share a line", args.num_refs);
    }
    if trees && test_set.is_some() {
        bail!("dpath and ted read trees, --test-set has lines of text");
    }
    let open_trees = || args.choice.open_trees(&args.references, &systems);
    if let Some(shown) = args.report.explain {
        if !args.choice.is_dependency_path() {
            bail!("--explain only works with dpath alone: --metric dpath");
        }
        let json = kind == TableKind::Json;
        return explain::run(&args.choice.dependency_path()?, shown, json, open_trees()?, context);
    }
    let references = match test_set {
        Some((names, pair)) => test_sets::references(names, pair)?,
        None => args.references.iter().cloned().map(Text::from).collect(),
    };
    let read_references = || {
        if references.iter().any(Text::is_standard_input) {
            bail!("this metric reads the references twice, so they cannot be standard input");
        }
        Ok(Streams::read_references(&references, args.num_refs)?)
    };
    let metrics = args.choice.metrics(args.report.segments, read_references)?;
    let streams = if trees {
        Source::Trees(Box::new(open_trees()?))
    } else {
        let lines = Streams::open(&references, &systems, args.num_refs)?;
        if linked {
            let references = references.len().max(args.num_refs);
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
    if test_set.is_some() && args.choice.is_at_blanks() {
        context.warn("published scores of test sets are not computed with --tokenize none");
    }
    let keep_rows = args.report.segments || !matches!(test, Test::None);
    let work = Work { parallelism: &args.threads.parallelism()?, observer: context.observer() };
    let counted = scoring::count(&metrics, streams, keep_rows, work)?;
    counted.warn(&args.choice, context);
    if !matches!(test, Test::None) {
        context.warn_of_few(counted.segments);
    }
    let details = names.len() == 1 && kind == TableKind::TEXT && !args.report.score_only;
    let shown = !args.report.segments && (kind == TableKind::Json || details);
    counted.tell_coverage(&metrics, &names, shown, context);
    let text = if args.report.segments {
        report::segments(&metrics, &names, &counted, args.report.layout(kind))?
    } else {
        let results = scoring::score(&metrics, &counted, test, work)?;
        let test_set = test_set.map(|(names, pair)| (names.to_owned(), pair.to_owned()));
        let report = Report { names, results, segments: counted.segments, test_set };
        match kind.style() {
            Some(style) => report.text(style, args.report.decimals(), args.report.score_only, args.report.short),
            None => report.json()?,
        }
    };
    let mut output = sink::create("-")?;
    output.write_bytes(text.as_bytes())?;
    output.finish()?;
    Ok(())
}

/// What systems are called: as their files, or by the number of their column.
fn names(systems: &[PathBuf], count: usize) -> Vec<String> {
    if count > systems.len() {
        (1..=count).map(|number| format!("System {number}")).collect()
    } else {
        systems.iter().map(|path| path.display().to_string()).collect()
    }
}
