//! Submissions to the shared task on learning word order: runs in one archive, and what their names say.
//!
//! A *run* is the task's `.conll` file with column 7 replaced by what a system predicts, everything else unchanged. A team
//! submits one archive with runs for one or several language pairs: of each pair at least one and at most four *standard*
//! ones, for which nothing but the data of the task was used, and at most four others. Runs are called
//! `team.pair.standard.1.conll` and `team.pair.nonstandard.1.conll`; of a team the best standard run counts.
//!
//! ```
//! use alinea::reorder::submission::RunName;
//!
//! let name: RunName = "lab.en_hi.standard.2.conll".parse()?;
//! assert_eq!((name.team.as_str(), name.pair.as_str(), name.number), ("lab", "en_hi", 2));
//! assert_eq!(name.to_string(), "lab.en_hi.standard.2.conll");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::oracle::named;
use crate::error::{Error, ErrorKind, Result};
use crate::format::archive;
use crate::format::lines::{LineReader, Utf8};
use crate::format::rsmt::{self, Block, Unknown};
use crate::format::source;

/// The most runs of a kind that a team may hand in for a pair.
pub const MOST_RUNS: u32 = 4;

/// What a system had learned from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunKind {
    /// The data of the task only.
    Standard,
    /// Other data too.
    NonStandard,
}

named!(RunKind, "kind of run", [Standard = "standard", NonStandard = "nonstandard"], "standard, nonstandard");

/// What a run is called. Sorted by team, pair, kind and number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunName {
    /// The team; letters, digits, `_` and `-`.
    pub team: String,
    /// The language pair, such as `en_hi`, with the same characters.
    pub pair: String,
    /// The kind.
    pub kind: RunKind,
    /// From 1.
    pub number: u32,
}

impl RunName {
    /// A name from its parts.
    ///
    /// # Errors
    /// `Inconsistent` for a team or a pair with other characters than letters, digits, `_` and `-`, and for a number that is not
    /// from 1 to [`MOST_RUNS`].
    pub fn new(team: &str, pair: &str, kind: RunKind, number: u32) -> Result<Self> {
        for (what, name) in [("team", team), ("pair", pair)] {
            let allowed = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            if name.is_empty() || !name.chars().all(allowed) {
                let message = format!("the {what} `{name}`: expected letters, digits, `_` and `-`");
                return Err(ErrorKind::Inconsistent(message).into());
            }
        }
        if !(1..=MOST_RUNS).contains(&number) {
            let message = format!("run {number} of {team} for {pair}: there may be at most {MOST_RUNS} {kind} runs");
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(Self { team: team.to_owned(), pair: pair.to_owned(), kind, number })
    }
}

impl fmt::Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}.{}.conll", self.team, self.pair, self.kind, self.number)
    }
}

impl FromStr for RunName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let parts: Vec<&str> = name.split('.').collect();
        if let [team, pair, kind, number, "conll"] = parts[..]
            && let (Ok(kind), Ok(number)) = (kind.parse(), number.parse())
        {
            return Self::new(team, pair, kind, number);
        }
        let expected = "expected a name such as team.en_hi.standard.1.conll or team.en_hi.nonstandard.1.conll";
        Err(ErrorKind::Inconsistent(format!("{name}: {expected}")).into())
    }
}

/// The runs of a team, sorted by their names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Submission {
    runs: BTreeMap<RunName, Vec<Block>>,
}

impl Submission {
    /// Adds a run.
    ///
    /// # Errors
    /// `Inconsistent` if there is one of that name, or one of another team.
    pub fn add(&mut self, name: RunName, run: Vec<Block>) -> Result<()> {
        if let Some(other) = self.runs.keys().find(|other| other.team != name.team) {
            let message = format!("{name} is not by team {}, as {other} is", other.team);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        if self.runs.contains_key(&name) {
            return Err(ErrorKind::Inconsistent(format!("two runs are called {name}")).into());
        }
        self.runs.insert(name, run);
        Ok(())
    }

    /// Adds the run in a file, with the next number of its team, pair and kind, if it fits the rows of the data.
    ///
    /// # Errors
    /// As [`rsmt::read`], [`check_run`], [`RunName::new`] and [`add`](Self::add).
    pub fn add_file(&mut self, team: &str, pair: &str, kind: RunKind, path: &Path, data: &[Block]) -> Result<()> {
        let same = |name: &&RunName| name.pair == pair && name.kind == kind;
        let number = self.runs.keys().filter(same).count() as u32 + 1;
        let name = RunName::new(team, pair, kind, number)?;
        let run = rsmt::read(path, Unknown::Refused)?;
        check_run(&path.to_string_lossy(), &run, data)?;
        self.add(name, run)
    }

    /// The runs.
    pub fn runs(&self) -> impl ExactSizeIterator<Item = (&RunName, &[Block])> {
        self.runs.iter().map(|(name, run)| (name, run.as_slice()))
    }

    /// The team; none if there are no runs.
    pub fn team(&self) -> Option<&str> {
        self.runs.keys().next().map(|name| name.team.as_str())
    }

    /// Checks that each pair has a standard run, no run stands twice, and each has the sentences of the task: `data` are the
    /// rows of each pair, of which column 7 may say anything.
    ///
    /// # Errors
    /// `Inconsistent` names the run and what is wrong.
    pub fn check(&self, data: &BTreeMap<String, Vec<Block>>) -> Result<()> {
        if self.runs.is_empty() {
            return Err(ErrorKind::Empty("a submission without runs".to_owned()).into());
        }
        for (name, run) in &self.runs {
            let pair = &name.pair;
            let Some(rows) = data.get(pair) else {
                return Err(ErrorKind::Inconsistent(format!("{name}: no data are given for the pair {pair}")).into());
            };
            check_run(&name.to_string(), run, rows)?;
        }
        for pair in data.keys() {
            self.check_pair(pair)?;
        }
        Ok(())
    }

    fn check_pair(&self, pair: &str) -> Result<()> {
        let runs: Vec<(&RunName, &Vec<Block>)> = self.runs.iter().filter(|(name, _)| name.pair == pair).collect();
        let fault = |message: String| Err(ErrorKind::Inconsistent(message).into());
        if !runs.iter().any(|(name, _)| name.kind == RunKind::Standard) {
            return fault(match runs.first() {
                None => format!("no run for {pair}: there must be a standard run for each pair"),
                Some((name, _)) => format!("{name}: there must be a standard run for {pair}, too"),
            });
        }
        // Apart from column 7 all are the data.
        let same = |one: &[Block], other: &[Block]| one.iter().map(Block::order).eq(other.iter().map(Block::order));
        for (place, (name, run)) in runs.iter().enumerate() {
            if let Some((first, _)) = runs[..place].iter().find(|(_, other)| same(run, other)) {
                return fault(format!("{name} is the same run as {first}: all orders are equal"));
            }
        }
        Ok(())
    }

    /// The archive; the same bytes for the same runs.
    ///
    /// # Errors
    /// As [`archive::write`].
    pub fn to_archive(&self) -> Result<Vec<u8>> {
        let file = |(name, run): (&RunName, &Vec<Block>)| {
            let mut bytes = Vec::new();
            for block in run {
                block.write(&mut bytes);
            }
            (name.to_string(), bytes)
        };
        archive::write(&self.runs.iter().map(file).collect())
    }

    /// Reads an archive in a file.
    ///
    /// # Errors
    /// As [`Input::read_all`](source::Input::read_all) and [`from_archive`](Self::from_archive).
    pub fn open(path: &Path) -> Result<Self> {
        Self::from_archive(&source::open(path)?.read_all()?, &path.to_string_lossy())
    }

    /// Reads an archive, called `name` in messages.
    ///
    /// # Errors
    /// As [`archive::read`] and [`add`](Self::add); for runs with other names than the head of this room allows; as
    /// [`rsmt::Reader::read_into`], also where an order is unknown.
    pub fn from_archive(bytes: &[u8], name: &str) -> Result<Self> {
        let mut submission = Self::default();
        for (file, content) in archive::read(bytes, name)? {
            let in_archive = |error: Error| ErrorKind::Inconsistent(format!("{name}: {error}"));
            let run: RunName = file.parse().map_err(in_archive)?;
            let lines = LineReader::new(&content[..], format!("{name}: {file}"), Utf8::Strict);
            let blocks = rsmt::Reader::new(lines, Unknown::Refused).collect::<Result<Vec<_>>>()?;
            submission.add(run, blocks).map_err(in_archive)?;
        }
        Ok(submission)
    }
}

/// Checks that a run, called `name` in messages, has the sentences and words of the data, and an order for each.
///
/// # Errors
/// `Inconsistent` says which sentence, from 1, and word.
pub fn check_run(name: &str, run: &[Block], data: &[Block]) -> Result<()> {
    for (sentence, (block, expected)) in (1..).zip(run.iter().zip(data)) {
        let problem = match block.first_difference(expected) {
            Some(row) if row >= block.len() => format!("lacks `{}`, word {}", expected.word(row), row + 1),
            Some(row) if row >= expected.len() => format!("has an extra word, `{}`", block.word(row)),
            Some(row) if block.word(row) != expected.word(row) => {
                format!("has `{}` as word {}, where the data have `{}`", block.word(row), row + 1, expected.word(row))
            }
            Some(row) => {
                format!("differs from the data outside column 7, at word {}, `{}`", row + 1, block.word(row))
            }
            None if block.order().is_none() => "has no order".to_owned(),
            None => continue,
        };
        let line = match block.line_of(0) {
            0 => String::new(),
            line => format!(" (from line {line})"),
        };
        let counts = other_count(run, data.len(), "the data have");
        return Err(ErrorKind::Inconsistent(format!("{name}: sentence {sentence}{line} {problem}{counts}")).into());
    }
    let next = run.len().min(data.len()) + 1;
    let problem = match (run.get(data.len()), data.get(run.len())) {
        (Some(more), _) => format!("sentence {next} (from line {}) is one too many", more.line_of(0)),
        (None, Some(lacking)) => format!("sentence {next}, `{}`, is missing", begin_of(lacking.words())),
        (None, None) => return Ok(()),
    };
    let counts = other_count(run, data.len(), "the data have");
    Err(ErrorKind::Inconsistent(format!("{name}: {problem}{counts}")).into())
}

/// That a run has more or fewer sentences than there are; nothing if not. `those` says what has them.
pub(super) fn other_count(run: &[Block], count: usize, those: &str) -> String {
    let has = run.len();
    if has == count { String::new() } else { format!("; sentences with rows: it has {has}, {those} {count}") }
}

/// The first words of a sentence.
pub(super) fn begin_of<'w>(words: impl Iterator<Item = &'w str>) -> String {
    const SHOWN: usize = 5;
    let words: Vec<&str> = words.take(SHOWN + 1).collect();
    let more = if words.len() > SHOWN { " …" } else { "" };
    words[..words.len().min(SHOWN)].join(" ") + more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::rsmt::NewRow;
    use crate::permutation::Permutation;

    fn block(words: &[&str], order: Option<&[u32]>) -> Block {
        let rows = words.iter().map(|word| NewRow { word, coarse_tag: "C", fine_tag: "F" });
        let order = order.map(|order| Permutation::from_order(order).unwrap());
        Block::new(rows, order.as_ref())
    }

    fn name(text: &str) -> RunName {
        text.parse().unwrap()
    }

    fn data() -> BTreeMap<String, Vec<Block>> {
        BTreeMap::from([("en_hi".to_owned(), vec![block(&["a", "b"], None)])])
    }

    #[test]
    fn names_are_checked() {
        let message = |text: &str| text.parse::<RunName>().unwrap_err().to_string();
        let expected = "x.conll: expected a name such as team.en_hi.standard.1.conll or team.en_hi.nonstandard.1.conll";
        assert_eq!(message("x.conll"), expected);
        assert_eq!(message("t.en_hi.standard.5.conll"), "run 5 of t for en_hi: there may be at most 4 standard runs");
        assert_eq!(message("t/.en_hi.standard.1.conll"), "the team `t/`: expected letters, digits, `_` and `-`");
    }

    #[test]
    fn runs_are_checked() {
        let run = |words: &[&str], order: &[u32]| vec![block(words, Some(order))];
        for (run, expected) in [
            (vec![], "r: sentence 1, `a b`, is missing; sentences with rows: it has 0, the data have 1"),
            (
                [run(&["a", "b"], &[1, 0]), run(&["a", "b"], &[1, 0])].concat(),
                "r: sentence 2 (from line 0) is one too many; sentences with rows: it has 2, the data have 1",
            ),
            (run(&["a"], &[0]), "r: sentence 1 lacks `b`, word 2"),
            (run(&["a", "b", "c"], &[0, 1, 2]), "r: sentence 1 has an extra word, `c`"),
            (run(&["a", "c"], &[0, 1]), "r: sentence 1 has `c` as word 2, where the data have `b`"),
            (vec![block(&["a", "b"], None)], "r: sentence 1 has no order"),
        ] {
            assert_eq!(check_run("r", &run, &data()["en_hi"]).unwrap_err().to_string(), expected);
        }
        check_run("r", &run(&["a", "b"], &[1, 0]), &data()["en_hi"]).unwrap();
    }

    #[test]
    fn archives_come_back_and_are_checked() {
        let mut submission = Submission::default();
        assert_eq!(submission.check(&data()).unwrap_err().to_string(), "a submission without runs");
        let run = || vec![block(&["a", "b"], Some(&[1, 0]))];
        submission.add(name("t.en_hi.nonstandard.1.conll"), run()).unwrap();
        let error = submission.check(&data()).unwrap_err().to_string();
        assert_eq!(error, "t.en_hi.nonstandard.1.conll: there must be a standard run for en_hi, too");
        submission.add(name("t.en_hi.standard.1.conll"), vec![block(&["a", "b"], Some(&[0, 1]))]).unwrap();
        submission.check(&data()).unwrap();
        let mut more = data();
        more.insert("en_it".to_owned(), vec![block(&["a"], None)]);
        let error = submission.check(&more).unwrap_err().to_string();
        assert_eq!(error, "no run for en_it: there must be a standard run for each pair");
        let mut twice = submission.clone();
        twice.add(name("t.en_hi.standard.3.conll"), run()).unwrap();
        let expected = "t.en_hi.nonstandard.1.conll is the same run as t.en_hi.standard.3.conll: all orders are equal";
        assert_eq!(twice.check(&data()).unwrap_err().to_string(), expected);
        let bytes = submission.to_archive().unwrap();
        let again = Submission::from_archive(&bytes, "t.zip").unwrap();
        assert_eq!(again.to_archive().unwrap(), bytes);
        assert_eq!((again.team(), again.runs().len()), (Some("t"), 2));
        let message = |error: Error| error.to_string();
        let twice = submission.add(name("t.en_hi.standard.1.conll"), run()).map_err(message);
        assert_eq!(twice, Err("two runs are called t.en_hi.standard.1.conll".to_owned()));
        let other = submission.add(name("u.en_hi.standard.1.conll"), run()).map_err(message);
        let expected = "u.en_hi.standard.1.conll is not by team t, as t.en_hi.standard.1.conll is";
        assert_eq!(other, Err(expected.to_owned()));
        submission.add(name("t.en_fr.standard.1.conll"), run()).unwrap();
        let error = submission.check(&data()).unwrap_err().to_string();
        assert_eq!(error, "t.en_fr.standard.1.conll: no data are given for the pair en_fr");
    }

    #[test]
    fn what_is_no_run_in_an_archive_is_refused() {
        let archive = |name: &str, content: &[u8]| {
            archive::write(&BTreeMap::from([(name.to_owned(), content.to_vec())])).unwrap()
        };
        let message = |bytes: &[u8]| Submission::from_archive(bytes, "t.zip").unwrap_err().to_string();
        assert!(message(&archive("readme", b"")).starts_with("t.zip: readme: expected a name such as"));
        let unknown = archive("t.en_hi.standard.1.conll", b"1\ta\t-\t-\t-\t-\t-\t-\t-\t-\n");
        let expected = "t.zip: t.en_hi.standard.1.conll:1:13: expected in sentence 1 an order in column 7, which is hidden as in \
                        test data, found `-`";
        assert_eq!(message(&unknown), expected);
    }
}
