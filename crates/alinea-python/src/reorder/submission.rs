//! Submissions of the shared task of 2012 for Python: write an archive, check one, rank several.
//!
//! Data and gold standards come as files by language pair. Writing checks every run against the data before the archive
//! appears, and reports the runs with their numbers of sentences; checking does the same with an existing archive.
//! Ranking returns the leaderboard of each pair as tuples, which `alinea.reorder` makes into objects. Rules for runs
//! are in `alinea::reorder::submission`, the ranking in `alinea::reorder::leaderboard`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use alinea::error::Result;
use alinea::format::rsmt::{self, Block, Corpus, Paths, Unknown};
use alinea::format::sink;
use alinea::parallel::Parallelism;
use alinea::reorder::Score;
use alinea::reorder::leaderboard::{self, LeaderboardConfig, leaderboards};
use alinea::reorder::standard::GoldStandard;
use alinea::reorder::submission::{RunKind, Submission};
use pyo3::prelude::*;

use super::inconsistent;
use crate::arguments::{self, Sampling};
use crate::error::to_python;
use crate::text::file;
use crate::work::run;

/// Files by their language pairs.
type Files = BTreeMap<String, PathBuf>;

/// What runs are called, and how many sentences each has.
type Runs = Vec<(String, usize)>;

fn read_data(data: Files) -> Result<BTreeMap<String, Vec<Block>>> {
    data.into_iter().map(|(pair, path)| Ok((pair, rsmt::read(file(path), Unknown::Allowed)?))).collect()
}

fn runs(submission: &Submission) -> Runs {
    submission.runs().map(|(name, run)| (name.to_string(), run.len())).collect()
}

/// Checks runs, of which it is told whether they are standard, and puts them into an archive.
#[pyfunction]
pub(crate) fn write_submission(
    py: Python<'_>,
    path: PathBuf,
    team: String,
    data: Files,
    given: Vec<(bool, String, PathBuf)>,
) -> PyResult<Runs> {
    run(py, move |_| {
        let data = read_data(data)?;
        let mut submission = Submission::default();
        for (standard, pair, path) in given {
            let kind = if standard { RunKind::Standard } else { RunKind::NonStandard };
            let path = file(path);
            let Some(rows) = data.get(&pair) else {
                return Err(inconsistent(format!("{}: no data are given for the pair {pair}", path.display())));
            };
            submission.add_file(&team, &pair, kind, &path, rows)?;
        }
        submission.check(&data)?;
        let mut output = sink::create(file(path))?;
        output.write_bytes(&submission.to_archive()?)?;
        output.finish()?;
        Ok(runs(&submission))
    })
}

/// Checks an archive.
#[pyfunction]
pub(crate) fn check_submission(py: Python<'_>, path: PathBuf, data: Files) -> PyResult<Runs> {
    run(py, move |_| {
        let submission = Submission::open(&file(path))?;
        submission.check(&read_data(data)?)?;
        Ok(runs(&submission))
    })
}

/// A line of a leaderboard: the name of the run, its team, rank, scores, and p-values against the line above and the source.
type Entry = (Option<String>, Option<String>, Option<usize>, Vec<Option<f64>>, [Option<f64>; 2]);

fn entry(entry: &leaderboard::Entry) -> Entry {
    (
        entry.run.as_ref().map(ToString::to_string),
        entry.run.as_ref().map(|run| run.team.clone()),
        entry.rank,
        entry.total.scores().to_vec(),
        [entry.p_above, entry.p_source],
    )
}

/// The leaderboard of each pair.
#[pyfunction]
pub(crate) fn rank_submissions(
    py: Python<'_>,
    submissions: Vec<PathBuf>,
    gold: Files,
    by: &str,
    all_runs: bool,
    bootstrap: Option<Sampling>,
    threads: i64,
) -> PyResult<Vec<(String, usize, Vec<Entry>)>> {
    let threads = arguments::threads(threads).map_err(to_python)?;
    let bootstrap = bootstrap.map(Sampling::read).transpose().map_err(to_python)?;
    let by: Score = by.parse().map_err(to_python)?;
    let boards = run(py, move |_| {
        let standard = |(pair, path): (String, PathBuf)| {
            let path = file(path);
            let corpus = Corpus::read(&Paths::beside(&path), Unknown::Allowed)?;
            Ok((pair, GoldStandard::of_corpus(path.display().to_string(), corpus)?))
        };
        let gold = gold.into_iter().map(standard).collect::<Result<BTreeMap<_, _>>>()?;
        let open = |path: PathBuf| {
            let path = file(path);
            Ok((path.display().to_string(), Submission::open(&path)?))
        };
        let submissions = submissions.into_iter().map(open).collect::<Result<Vec<_>>>()?;
        let config = LeaderboardConfig::default().with(|c| {
            c.by = by;
            c.all_runs = all_runs;
            c.bootstrap = bootstrap;
        });
        leaderboards(&gold, &submissions, &config, &Parallelism::new(threads)?)
    })?;
    let board = |(pair, board): (String, Vec<leaderboard::Entry>)| {
        (pair, board.first().map_or(0, |line| line.counts.len()), board.iter().map(entry).collect())
    };
    Ok(boards.into_iter().map(board).collect())
}
