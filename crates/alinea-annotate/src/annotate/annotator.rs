//! A person with a journal, and what follows from it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::action::Entry;
use super::journal::{Journal, ReadJournal};
use super::state::{History, SentenceState};
use crate::alignment::GoldAlignment;
use crate::error::{Error, ErrorKind, Result};

/// The longest name of a step, in bytes.
const LONGEST_ID: usize = 100;

/// A person who links the words of a text.
#[derive(Debug)]
pub struct Annotator {
    name: String,
    /// None if it is only read.
    journal: Option<Journal>,
    /// The lengths of the sentences of all pairs.
    lengths: Arc<[[usize; 2]]>,
    /// Of pairs of which something was said. Snapshots share them, until there is a step.
    histories: Arc<BTreeMap<usize, Arc<History>>>,
    /// The steps that were taken, by their names.
    taken: BTreeSet<String>,
    confirmed: Confirmed,
    untouched: SentenceState,
}

/// How many pairs are confirmed, and the time that was spent on them.
#[derive(Debug, Clone, Copy, Default)]
struct Confirmed {
    pairs: usize,
    time: Duration,
}

impl Confirmed {
    /// Takes note that a pair, given its time if it is confirmed, was another before.
    fn replace(&mut self, before: Option<Duration>, after: Option<Duration>) {
        if let Some(time) = before {
            self.pairs -= 1;
            self.time -= time;
        }
        if let Some(time) = after {
            self.pairs += 1;
            self.time += time;
        }
    }
}

/// What became of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Performed {
    /// It was taken, and is on the disk.
    Done,
    /// It had been taken before; nothing changed.
    Before,
    /// Other steps were taken in the same sentence that whoever asks does not know of; nothing changed.
    OutOfDate,
}

impl Annotator {
    /// Opens the journal of a person, or begins one, for a text with this fingerprint and sentences of these lengths.
    ///
    /// # Errors
    /// As [`Journal::open`]; `Inconsistent` for steps that the sentences do not allow.
    pub(super) fn open(path: &Path, name: &str, text: u64, lengths: Arc<[[usize; 2]]>) -> Result<Self> {
        let ReadJournal { journal, entries } = Journal::open(path, name, text)?;
        Self::of(path, name, lengths, Some(journal), entries)
    }

    /// Reads the journal of a person, which another process may have open; no steps can be taken.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub(super) fn read(path: &Path, name: &str, text: u64, lengths: Arc<[[usize; 2]]>) -> Result<Self> {
        Self::of(path, name, lengths, None, Journal::read(path, name, text)?)
    }

    fn of(
        path: &Path,
        name: &str,
        lengths: Arc<[[usize; 2]]>,
        journal: Option<Journal>,
        entries: Vec<(u64, Entry)>,
    ) -> Result<Self> {
        let mut annotator = Self {
            name: name.to_owned(),
            journal,
            lengths,
            histories: Arc::default(),
            taken: BTreeSet::new(),
            confirmed: Confirmed::default(),
            untouched: SentenceState::default(),
        };
        for (line, entry) in entries {
            let taken = annotator.check(&entry).and_then(|()| annotator.take(entry));
            taken.map_err(|error| ErrorKind::Inconsistent(format!("{}:{line}: {error}", path.display())))?;
        }
        Ok(annotator)
    }

    /// What the person has done by now, only to be read.
    pub(super) fn snapshot(&self) -> Self {
        Self {
            name: self.name.clone(),
            journal: None,
            lengths: Arc::clone(&self.lengths),
            histories: Arc::clone(&self.histories),
            // They tell steps that are asked for again.
            taken: BTreeSet::new(),
            confirmed: self.confirmed,
            untouched: SentenceState::default(),
        }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes a step that somebody asks for who knows of so many steps in its sentence. It is on the disk when it is `Done`.
    ///
    /// # Errors
    /// `Inconsistent` and `LinkOutOfRange` for a step that the sentence does not allow ([`History::check`]); `Io` if it could not be
    /// saved. In both cases nothing changes.
    pub fn perform(&mut self, entry: Entry, known_steps: usize) -> Result<Performed> {
        if self.taken.contains(&entry.id) {
            return Ok(Performed::Before);
        }
        if self.steps(entry.sentence) != known_steps {
            return Ok(Performed::OutOfDate);
        }
        self.enter(vec![entry])?;
        Ok(Performed::Done)
    }

    /// Takes steps, each in another sentence, which are on the disk afterwards.
    ///
    /// # Errors
    /// As [`perform`](Self::perform); then none is taken.
    pub(super) fn enter(&mut self, entries: Vec<Entry>) -> Result<()> {
        entries.iter().try_for_each(|entry| self.check(entry))?;
        let Some(journal) = &mut self.journal else {
            return Err(ErrorKind::Inconsistent(format!("the journal of {} was only read", self.name)).into());
        };
        journal.append(&entries)?;
        entries.into_iter().try_for_each(|entry| self.take(entry))
    }

    /// What was said of a pair.
    pub fn state(&self, n: usize) -> &SentenceState {
        self.histories.get(&n).map_or(&self.untouched, |history| history.state())
    }

    /// How many steps were taken in a pair.
    pub fn steps(&self, n: usize) -> usize {
        self.histories.get(&n).map_or(0, |history| history.steps())
    }

    /// Whether there is something to undo in a pair, and to redo.
    pub fn can(&self, n: usize) -> [bool; 2] {
        self.histories.get(&n).map_or([false; 2], |history| history.can())
    }

    /// The time that was spent on a pair, in seconds.
    pub fn seconds(&self, n: usize) -> f64 {
        self.histories.get(&n).map_or(0.0, |history| history.time().as_secs_f64())
    }

    /// The time that was spent on all pairs that are confirmed, in seconds.
    pub fn seconds_of_confirmed(&self) -> f64 {
        self.confirmed.time.as_secs_f64()
    }

    /// How many pairs are confirmed.
    pub fn confirmed_pairs(&self) -> usize {
        self.confirmed.pairs
    }

    /// The pairs that are confirmed, ascending.
    pub fn confirmed(&self) -> impl Iterator<Item = usize> + '_ {
        self.histories.iter().filter(|(_, history)| history.state().is_confirmed()).map(|(&n, _)| n)
    }

    /// The links of a pair, if it is confirmed.
    pub fn gold(&self, n: usize) -> Option<GoldAlignment> {
        let state = self.state(n);
        state.is_confirmed().then(|| state.gold())
    }

    fn check(&self, entry: &Entry) -> Result<()> {
        let pairs = self.lengths.len();
        let Some(&lengths) = self.lengths.get(entry.sentence) else {
            let message = format!("sentence {} is out of range, there are {pairs}", entry.sentence);
            return Err(ErrorKind::Inconsistent(message).into());
        };
        if entry.id.len() > LONGEST_ID {
            return Err(Error::config("id", entry.id.len(), "a name of at most 100 bytes"));
        }
        if !(0.0..=1e9).contains(&entry.seconds) {
            return Err(Error::config("seconds", entry.seconds, "0 to 1e9"));
        }
        match self.histories.get(&entry.sentence) {
            Some(history) => history.check(&entry.action),
            None => History::new(lengths).check(&entry.action),
        }
    }

    /// Takes a step that was checked.
    fn take(&mut self, entry: Entry) -> Result<()> {
        let lengths = self.lengths[entry.sentence];
        let histories = Arc::make_mut(&mut self.histories);
        let history = histories.entry(entry.sentence).or_insert_with(|| Arc::new(History::new(lengths)));
        let history = Arc::make_mut(history);
        let before = history.time_if_confirmed();
        history.apply(&entry.action)?;
        history.add_time(Duration::from_secs_f64(entry.seconds));
        self.confirmed.replace(before, history.time_if_confirmed());
        self.taken.insert(entry.id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::annotate::action::{Action, Mark};

    fn entry(id: &str, sentence: usize, action: Action) -> Entry {
        Entry { id: id.to_owned(), at: 1, sentence, seconds: 1.5, action }
    }

    fn mark(cell: [u32; 2]) -> Action {
        Action::Mark { links: vec![cell], mark: Some(Mark::Sure) }
    }

    fn open(path: &Path) -> Annotator {
        Annotator::open(path, "lisa", 7, [[2, 2], [0, 1], [3, 3]].into()).unwrap()
    }

    #[test]
    fn what_was_done_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lisa.jsonl");
        let mut lisa = open(&path);
        let mut take = |id: &str, sentence: usize, action: Action, known: usize| {
            lisa.perform(entry(id, sentence, action), known).unwrap()
        };
        assert_eq!(take("a", 2, mark([0, 0]), 0), Performed::Done);
        assert_eq!(take("b", 2, mark([1, 1]), 1), Performed::Done);
        assert_eq!(take("a", 2, mark([0, 0]), 2), Performed::Before, "a page that did not get the answer");
        assert_eq!(take("c", 2, mark([2, 2]), 1), Performed::OutOfDate, "another window");
        assert_eq!(take("d", 2, Action::Confirm { accepted: vec![] }, 2), Performed::Done);
        assert_eq!(take("e", 0, Action::Flag { on: true }, 0), Performed::Done);
        drop(lisa);
        let lisa = open(&path);
        assert_eq!(lisa.gold(2).unwrap().sure(), &[(0, 0), (1, 1)].into());
        assert_eq!((lisa.gold(0), lisa.steps(2), lisa.seconds(2)), (None, 3, 4.5));
        assert!(lisa.state(0).is_flagged() && lisa.state(1).is_untouched());
        assert_eq!(lisa.confirmed().collect::<Vec<_>>(), [2]);
        assert!((lisa.seconds_of_confirmed() - 4.5).abs() < 1e-9);
        assert_eq!((lisa.can(2), lisa.can(1)), ([true, false], [false, false]));
    }

    #[test]
    fn what_is_confirmed_is_counted_step_by_step() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lisa.jsonl");
        let mut lisa = open(&path);
        let confirm = || Action::Confirm { accepted: vec![] };
        // Each step takes 1.5 seconds; those of a pair count while it is confirmed.
        for (n, (sentence, action, pairs, seconds)) in [
            (0, mark([0, 0]), 0, 0.0),
            (0, confirm(), 1, 3.0),
            (0, Action::Flag { on: true }, 1, 4.5),
            (2, confirm(), 2, 6.0),
            (0, Action::Reopen, 1, 1.5),
            (0, Action::Undo, 2, 9.0),
            (2, Action::Undo, 1, 7.5),
            (2, Action::Redo, 2, 12.0),
            (1, confirm(), 3, 13.5),
        ]
        .into_iter()
        .enumerate()
        {
            let steps = lisa.steps(sentence);
            lisa.perform(entry(&n.to_string(), sentence, action), steps).unwrap();
            assert_eq!((lisa.confirmed_pairs(), lisa.seconds_of_confirmed()), (pairs, seconds), "step {n}");
        }
        drop(lisa);
        let lisa = open(&path);
        assert_eq!((lisa.confirmed_pairs(), lisa.seconds_of_confirmed()), (3, 13.5));
    }

    #[test]
    fn steps_that_make_no_sense_are_not_saved() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lisa.jsonl");
        let mut lisa = open(&path);
        let before = std::fs::read(&path).unwrap();
        for (sentence, action, expected) in [
            (3, Action::Reopen, "sentence 3 is out of range, there are 3"),
            (1, mark([0, 0]), "link 0-0 is out of range"),
            (0, Action::Undo, "nothing to undo"),
        ] {
            let message = lisa.perform(entry("a", sentence, action), 0).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
        let long = Entry { id: "x".repeat(101), ..entry("a", 0, Action::Reopen) };
        assert!(lisa.perform(long, 0).unwrap_err().to_string().starts_with("id = 101: must be"));
        let nan = Entry { seconds: f64::NAN, ..entry("a", 0, Action::Reopen) };
        assert!(lisa.perform(nan, 0).unwrap_err().to_string().starts_with("seconds = NaN: must be"));
        assert_eq!(std::fs::read(&path).unwrap(), before);
        // Nor are they taken from a file.
        let text = String::from_utf8(before).unwrap();
        let step = serde_json::to_string(&entry("a", 1, mark([0, 0]))).unwrap();
        std::fs::write(&path, format!("{text}{step}\n")).unwrap();
        let error = Annotator::open(&path, "lisa", 7, [[2, 2], [0, 1], [3, 3]].into()).unwrap_err().to_string();
        assert!(error.contains("lisa.jsonl:2") && error.contains("link 0-0 is out of range"), "{error}");
    }
}
