//! Leaderboards: of each language pair, which team's runs are the best, and which differ by more than chance.
//!
//! Of a team the best standard run counts, and the source as it stands takes part beside the teams. Runs that do not differ
//! significantly from the first of their rank (5 %, paired bootstrap) have that rank, too.

use std::collections::BTreeMap;

use super::scores::{self, Score, SentenceCounts};
use super::standard::GoldStandard;
use super::submission::{RunKind, RunName, Submission};
use crate::error::{ErrorKind, Result};
use crate::format::rsmt::Missing;
use crate::numeric::Bootstrap;
use crate::parallel::Parallelism;

/// Runs that differ from the first of their rank by no more than chance are of one rank.
const SIGNIFICANT: f64 = 0.05;

/// What decides.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LeaderboardConfig {
    /// The score by which runs are sorted and tested.
    pub by: Score,
    /// Whether all runs have lines, nonstandard ones too.
    pub all_runs: bool,
    /// How differences are tested; without, there are no ranks.
    pub bootstrap: Option<Bootstrap>,
}

alinea_text::configurable!(LeaderboardConfig);

/// The first score of the shared task, all teams' first runs, no test.
impl Default for LeaderboardConfig {
    fn default() -> Self {
        Self { by: Score::Fuzzy, all_runs: false, bootstrap: None }
    }
}

/// A line of a leaderboard.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// None for the source as it stands.
    pub run: Option<RunName>,
    /// What was counted, sentence by sentence.
    pub counts: Vec<SentenceCounts>,
    /// The sum of that.
    pub total: SentenceCounts,
    /// The rank, from 1; none for the source as it stands.
    pub rank: Option<usize>,
    /// That of the difference to the line above; none for the first.
    pub p_above: Option<f64>,
    /// That of the difference to the source as it stands; none for this itself.
    pub p_source: Option<f64>,
}

impl Entry {
    fn new(run: Option<RunName>, gold: &GoldStandard, orders: &[Vec<u32>], parallelism: &Parallelism) -> Result<Self> {
        let counts = gold.judge(orders, parallelism)?;
        let total = counts.iter().sum();
        Ok(Self { run, counts, total, rank: None, p_above: None, p_source: None })
    }
}

/// The leaderboard of each pair, the best first. `submissions` have the names by which messages call them.
///
/// # Errors
/// `Inconsistent` if a team is in two submissions, a run is for a pair without gold standard, or has other sentences or
/// words; `Config` for a bootstrap that is none.
pub fn leaderboards(
    gold: &BTreeMap<String, GoldStandard>,
    submissions: &[(String, Submission)],
    config: &LeaderboardConfig,
    parallelism: &Parallelism,
) -> Result<BTreeMap<String, Vec<Entry>>> {
    config.bootstrap.map_or(Ok(()), |bootstrap| bootstrap.validate())?;
    let mut boards = BTreeMap::new();
    for (pair, gold) in gold {
        boards.insert(pair.clone(), vec![Entry::new(None, gold, &gold.unreordered(), parallelism)?]);
    }
    let mut teams: BTreeMap<&str, &str> = BTreeMap::new();
    for (file, submission) in submissions {
        let team = submission.team().unwrap_or_default();
        if let Some(other) = teams.insert(team, file) {
            return Err(ErrorKind::Inconsistent(format!("{file}: the team {team} is in {other} already")).into());
        }
        for (name, blocks) in submission.runs() {
            let (Some(gold), Some(board)) = (gold.get(&name.pair), boards.get_mut(&name.pair)) else {
                let message = format!("{file}: {name}: there is no gold standard of the pair {}", name.pair);
                return Err(ErrorKind::Inconsistent(message).into());
            };
            let orders = gold.run_of_blocks(blocks, &format!("{file}: {name}"), Missing::Refused)?;
            board.push(Entry::new(Some(name.clone()), gold, &orders, parallelism)?);
        }
    }
    for board in boards.values_mut() {
        config.sort(board);
        if let Some(bootstrap) = config.bootstrap.filter(|_| !board[0].counts.is_empty()) {
            config.test(board, &bootstrap, parallelism)?;
        }
    }
    Ok(boards)
}

impl LeaderboardConfig {
    fn value(&self, entry: &Entry) -> f64 {
        let value = entry.total.score(self.by).unwrap_or(f64::NEG_INFINITY);
        if self.by.higher_is_better() { value } else { -value }
    }

    /// The best first, and of each team only its best standard run, unless all are to be shown. Of equal ones the source as it
    /// stands is first, then the teams by name.
    fn sort(&self, board: &mut Vec<Entry>) {
        board.sort_by(|one, other| self.value(other).total_cmp(&self.value(one)).then(one.run.cmp(&other.run)));
        if self.all_runs {
            return;
        }
        let mut seen: Vec<String> = Vec::new();
        board.retain(|entry| match &entry.run {
            None => true,
            Some(run) if run.kind != RunKind::Standard || seen.contains(&run.team) => false,
            Some(run) => {
                seen.push(run.team.clone());
                true
            }
        });
    }

    /// Tests each line against the one above and against the source, and gives ranks.
    fn test(&self, board: &mut [Entry], bootstrap: &Bootstrap, parallelism: &Parallelism) -> Result<()> {
        let compare = |one: &Entry, other: &Entry| -> Result<Option<f64>> {
            let differences = scores::compare(&one.counts, &other.counts, bootstrap, parallelism)?;
            Ok(differences[self.by as usize].p_value)
        };
        let source = board.iter().position(|entry| entry.run.is_none()).unwrap_or(0);
        let mut first = None;
        let mut runs = 0;
        for place in 0..board.len() {
            let above = place.checked_sub(1).map(|above| compare(&board[place], &board[above])).transpose()?;
            board[place].p_above = above.flatten();
            if place == source {
                continue;
            }
            board[place].p_source = compare(&board[place], &board[source])?;
            runs += 1;
            let (leader, rank) = first.unwrap_or((place, 1));
            let same = leader == place || compare(&board[place], &board[leader])?.is_none_or(|p| p > SIGNIFICANT);
            let (leader, rank) = if same { (leader, rank) } else { (place, runs) };
            first = Some((leader, rank));
            board[place].rank = Some(rank);
        }
        Ok(())
    }
}
