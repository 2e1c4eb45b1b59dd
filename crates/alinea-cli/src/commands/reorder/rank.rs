//! `alinea reorder rank`: leaderboards of submissions to the shared task.
//!
//! Reads a gold standard for each language pair (`--gold PAIR=FILE`) and the ZIP archives of the teams. Every run must
//! be for a pair that has a gold standard. A pair is ranked by the score of `--by`: the best standard run of each team,
//! or all runs with `--all-runs`, and the source as it stands. The paired bootstrap gives p for the difference from the
//! line above and from the source. A run that does not differ from the first of its rank at 5 % shares that rank.
//!
//! Writes a table for each pair, with the scores of `--scores` besides, or JSON with intervals. Warns of submissions
//! without a standard run for a pair, and of pairs without any run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use alinea::error::Result;
use alinea::evaluate::Table;
use alinea::format::sink;
use alinea::numeric::Bootstrap;
use alinea::parallel::Parallelism;
use alinea::reorder::leaderboard::{Entry, LeaderboardConfig, leaderboards};
use alinea::reorder::standard::GoldStandard;
use alinea::reorder::submission::{RunKind, Submission};
use alinea::reorder::{Score, scores};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde_json::{Map, Value, json};

use super::evaluate::{BASELINE, shown};
use super::gold::of_corpus;
use super::input::choice_parser;
use crate::commands::report::written;
use crate::context::Context;
use crate::input::annotated::NamedFile;
use crate::input::kind::{FormatArgs, TableKind};
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};
use crate::input::resampling::ResamplingArgs;
use crate::resources::ThreadOptions;

const LONG_ABOUT: &str = "\
Make a leaderboard of submissions: for each language pair, the best standard run of each team, and the source order.

Examples:
  alinea reorder rank *.zip --gold en_hi=en_hi.en.tst.conll
  alinea reorder rank *.zip --gold en_hi=en_hi.conll --gold en_it=en_it.conll --by bleu --format html -o ranks.html
  alinea reorder rank *.zip --gold en_hi=en_hi.en.tst.conll --all-runs --format markdown";

const AFTER_LONG_HELP: &str = "\
p is the probability of a difference at least this large from the line above, or from the source order, if the runs \
did not really differ (paired bootstrap). Teams share a rank if they do not differ from the first team of that rank at \
the 5 % level.";

/// Make a leaderboard of submissions
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Submissions written by alinea reorder submit
    #[arg(value_name = "ZIP", required = true)]
    submissions: Vec<PathBuf>,
    /// Gold orders of a language pair; may be given several times
    #[arg(long, value_name = "PAIR=FILE", required = true, value_parser = NamedFile::parser())]
    gold: Vec<NamedFile>,
    /// Score to rank by
    #[arg(long, value_name = "SCORE", default_value = Score::Kendall.name(), value_parser = choice_parser!(Score),
        hide_possible_values = true)]
    by: Score,
    /// Other scores to show, comma-separated
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "bleu,hamming,kendall,kendall-sqrt,frs",
        value_parser = choice_parser!(Score), hide_possible_values = true)]
    scores: Vec<Score>,
    /// Show all runs, including nonstandard ones
    #[arg(long)]
    all_runs: bool,
    #[command(flatten)]
    resampling: ResamplingArgs,
    #[command(flatten, next_help_heading = "Output")]
    format: FormatArgs<TableKind>,
    /// Output file (- for standard output)
    #[arg(short, long, value_name = "FILE", default_value = "-", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// Does it.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let gold_files = args.gold.iter().map(|file| Role::new("--gold", &file.path));
    let inputs = args.submissions.iter().map(|path| Role::new("ZIP", path)).chain(gold_files);
    check_distinct(&inputs.collect::<Vec<_>>(), &[Role::new("--output", &args.output)])?;
    let bootstrap = args.resampling.bootstrap();
    bootstrap.map_or(Ok(()), |bootstrap| bootstrap.validate())?;
    let mut output = sink::create(&args.output)?;
    let boards = args.boards(bootstrap, context)?;
    if let Some(fewest) = boards.values().map(|board| board[0].counts.len()).min().filter(|_| bootstrap.is_some()) {
        context.warn_of_few(fewest);
    }
    let answer = if let Some(style) = args.format.get().style() {
        let tables: Vec<Table> = boards.iter().map(|(pair, board)| args.table(pair, board)).collect();
        written("Word order leaderboard", &tables, style)
    } else {
        let parallelism = args.threads.parallelism()?;
        let board = |(pair, board): (&String, &Vec<Entry>)| args.json_of(pair, board, bootstrap, &parallelism);
        serde_json::to_string(&boards.iter().map(board).collect::<Result<Vec<_>>>()?)? + "\n"
    };
    output.write_bytes(answer.as_bytes())?;
    output.finish()?;
    Ok(())
}

impl Args {
    /// The leaderboard of each pair.
    fn boards(&self, bootstrap: Option<Bootstrap>, context: &Context) -> anyhow::Result<BTreeMap<String, Vec<Entry>>> {
        let mut gold = BTreeMap::new();
        for file in &self.gold {
            if gold.insert(file.name.clone(), of_corpus(&file.path, context)?).is_some() {
                anyhow::bail!("--gold {}: the pair already has gold orders", file.name);
            }
        }
        let open = |path: &PathBuf| Ok((path.display().to_string(), Submission::open(path)?));
        let submissions = self.submissions.iter().map(open).collect::<Result<Vec<_>>>()?;
        for (file, submission) in &submissions {
            if submission.runs().len() == 0 {
                anyhow::bail!("{file}: the submission has no runs");
            }
            if let Some((name, _)) = submission.runs().find(|(name, _)| !gold.contains_key(&name.pair)) {
                anyhow::bail!("{file}: {name}: there is no --gold {}=…", name.pair);
            }
        }
        self.warn_of_missing(&gold, &submissions, context);
        let config = LeaderboardConfig::default().with(|c| {
            c.by = self.by;
            c.all_runs = self.all_runs;
            c.bootstrap = bootstrap;
        });
        Ok(leaderboards(&gold, &submissions, &config, &self.threads.parallelism()?)?)
    }

    /// Says which runs nobody sees, and which pairs have none.
    fn warn_of_missing(
        &self,
        gold: &BTreeMap<String, GoldStandard>,
        submissions: &[(String, Submission)],
        context: &Context,
    ) {
        for pair in gold.keys() {
            let mut runs = 0;
            for (file, submission) in submissions {
                let kinds = submission.runs().filter(|(name, _)| name.pair == *pair).map(|(name, _)| name.kind);
                let kinds: Vec<RunKind> = kinds.collect();
                runs += kinds.len();
                if !self.all_runs && !kinds.is_empty() && !kinds.contains(&RunKind::Standard) {
                    context.warn(format!(
                        "{file}: no standard run for {pair}, so the team is not on its leaderboard; --all-runs shows it"
                    ));
                }
            }
            if runs == 0 {
                context.warn(format!("no submission has a run for {pair}"));
            }
        }
    }

    /// The score that decides, and the others.
    fn columns(&self) -> Vec<Score> {
        let others = self.scores.iter().copied().filter(|&score| score != self.by);
        std::iter::once(self.by).chain(others).collect()
    }

    fn table(&self, pair: &str, board: &[Entry]) -> Table {
        let columns = self.columns();
        let mut numbers: Vec<&str> = columns.iter().map(|score| score.name()).collect();
        numbers.extend(["p (above)", "p (source)"]);
        let title = format!("{pair}, {}", counted(board[0].counts.len() as u64, "sentence"));
        let mut table = Table::new(title, &["rank", "team", "run"], &numbers);
        for entry in board {
            let rank = entry.rank.map_or(String::new(), |rank| rank.to_string());
            let (team, run) = match &entry.run {
                None => (BASELINE.to_owned(), String::new()),
                Some(run) => (run.team.clone(), format!("{} {}", run.kind, run.number)),
            };
            let scores = columns.iter().map(|&score| shown(score, entry.total.score(score)));
            let p_values = [entry.p_above, entry.p_source].map(|p| p.map_or(String::new(), |p| format!("{p:.3}")));
            table.row([rank, team, run].into_iter().chain(scores).chain(p_values));
        }
        table
    }

    fn json_of(
        &self,
        pair: &str,
        board: &[Entry],
        bootstrap: Option<Bootstrap>,
        parallelism: &Parallelism,
    ) -> Result<Value> {
        let entry = |entry: &Entry| {
            let object = |value: &dyn Fn(Score) -> Value| -> Value {
                self.columns()
                    .into_iter()
                    .map(|score| (score.name().to_owned(), value(score)))
                    .collect::<Map<_, _>>()
                    .into()
            };
            let mut row = json!({
                "rank": entry.rank, "run": entry.run.as_ref().map(ToString::to_string),
                "scores": object(&|score| json!(entry.total.score(score))),
                "team": entry.run.as_ref().map(|run| &run.team), "p_above": entry.p_above, "p_source": entry.p_source,
            });
            // Without sentences there is nothing to draw from.
            if let Some(bootstrap) = bootstrap.filter(|_| !entry.counts.is_empty()) {
                let estimates = scores::estimate(&entry.counts, &bootstrap, parallelism)?;
                row["estimates"] = object(&|score| json!(estimates[score as usize]));
            }
            Ok(row)
        };
        let entries = board.iter().map(entry).collect::<Result<Vec<_>>>()?;
        Ok(json!({"pair": pair, "by": self.by.name(), "sentences": board[0].counts.len(), "board": entries}))
    }
}
