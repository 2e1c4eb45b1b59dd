//! What an annotator says of a sentence pair, as it follows from the steps.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::action::{Action, Cell, Mark};
use crate::alignment::{Alignment, GoldAlignment, Link};
use crate::error::{Error, ErrorKind, Result};

/// The most characters of a comment.
const LONGEST_COMMENT: usize = 10_000;

/// What an annotator says of a sentence pair.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SentenceState {
    marks: BTreeMap<Cell, Marked>,
    untranslated: [BTreeSet<u32>; 2],
    comment: String,
    is_flagged: bool,
    is_confirmed: bool,
}

/// What is said of a cell, and how it came to be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    /// What is said.
    pub mark: Mark,
    /// Whether a suggestion was accepted together with the rest of the sentence; if not, it was marked by hand.
    pub is_accepted: bool,
}

impl SentenceState {
    /// What is said of cells, in order.
    pub fn marks(&self) -> impl Iterator<Item = (Cell, Marked)> + '_ {
        self.marks.iter().map(|(&cell, &marked)| (cell, marked))
    }

    /// The links that were made by hand, in order.
    pub fn made_by_hand(&self) -> Vec<Link> {
        let made = self.marks().filter(|(_, marked)| !marked.is_accepted && marked.mark != Mark::NoLink);
        made.map(|([source, target], _)| Link::new(source, target)).collect()
    }

    /// The words that are translated by nothing, of the source and of the target, in order.
    pub fn untranslated(&self) -> &[BTreeSet<u32>; 2] {
        &self.untranslated
    }

    /// The comment, empty if there is none.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Whether people should look at it.
    pub fn is_flagged(&self) -> bool {
        self.is_flagged
    }

    /// Whether the annotator is done with it.
    pub fn is_confirmed(&self) -> bool {
        self.is_confirmed
    }

    /// Whether something is said of links.
    pub fn has_links(&self) -> bool {
        self.is_confirmed || !self.marks.is_empty() || self.untranslated.iter().any(|words| !words.is_empty())
    }

    /// Whether nobody has said anything.
    pub fn is_untouched(&self) -> bool {
        *self == Self::default()
    }

    /// Whether a link may be suggested: nothing is said of the cell, and both words have translations.
    pub fn is_open(&self, cell: Cell) -> bool {
        !self.is_confirmed && !self.marks.contains_key(&cell) && !self.has_untranslated(cell)
    }

    /// The links that are sure, and those that are possible.
    pub fn gold(&self) -> GoldAlignment {
        let with = |wanted| -> Alignment {
            let marks = self.marks.iter().filter(|(_, marked)| marked.mark == wanted);
            marks.map(|(&[source, target], _)| Link::new(source, target)).collect()
        };
        GoldAlignment::from_parts(with(Mark::Sure), &with(Mark::Possible))
    }

    fn has_untranslated(&self, cell: Cell) -> bool {
        (0..2).any(|side| self.untranslated[side].contains(&cell[side]))
    }

    fn mark(&mut self, cell: Cell, mark: Option<Mark>) {
        let Some(mark) = mark else {
            self.marks.remove(&cell);
            return;
        };
        if mark != Mark::NoLink {
            for (side, words) in self.untranslated.iter_mut().enumerate() {
                words.remove(&cell[side]);
            }
        }
        self.marks.insert(cell, Marked { mark, is_accepted: false });
    }

    fn set_untranslated(&mut self, side: usize, word: u32, on: bool) {
        if on {
            self.untranslated[side].insert(word);
            self.marks.retain(|cell, _| cell[side] != word);
        } else {
            self.untranslated[side].remove(&word);
        }
    }

    /// The state after a step that is neither undone nor redone.
    fn after(&self, action: &Action) -> Self {
        let mut state = self.clone();
        match action {
            Action::Mark { links, mark } => links.iter().for_each(|&cell| state.mark(cell, *mark)),
            Action::Untranslated { source, target, on } => {
                for (side, words) in [source, target].into_iter().enumerate() {
                    for &word in words {
                        state.set_untranslated(side, word, *on);
                    }
                }
            }
            Action::Confirm { accepted } => {
                for &(cell, mark) in accepted {
                    if state.is_open(cell) {
                        state.marks.insert(cell, Marked { mark, is_accepted: true });
                    }
                }
                state.is_confirmed = true;
            }
            Action::Reopen => state.is_confirmed = false,
            Action::Comment { text } => state.comment.clone_from(text),
            Action::Flag { on } => state.is_flagged = *on,
            Action::Undo | Action::Redo => {}
        }
        state
    }

    /// What leads from here to another state.
    fn difference(&self, other: &Self) -> Difference {
        let changed = other.marks.iter().filter(|&(cell, marked)| self.marks.get(cell) != Some(marked));
        let gone = self.marks.keys().filter(|&cell| !other.marks.contains_key(cell));
        let marks = changed.map(|(&cell, &marked)| (cell, Some(marked))).chain(gone.map(|&cell| (cell, None)));
        let words = |side: usize| self.untranslated[side].symmetric_difference(&other.untranslated[side]).copied();
        Difference {
            marks: marks.collect(),
            untranslated: [0, 1].map(|side| words(side).collect()),
            comment: (self.comment != other.comment).then(|| other.comment.as_str().into()),
            is_flagged: self.is_flagged != other.is_flagged,
            is_confirmed: self.is_confirmed != other.is_confirmed,
        }
    }

    /// Goes where a difference leads, and makes it one that leads back.
    fn follow(&mut self, difference: &mut Difference) {
        for (cell, marked) in &mut difference.marks {
            *marked = match *marked {
                Some(marked) => self.marks.insert(*cell, marked),
                None => self.marks.remove(cell),
            };
        }
        for (words, changed) in self.untranslated.iter_mut().zip(&difference.untranslated) {
            for &word in changed {
                if !words.remove(&word) {
                    words.insert(word);
                }
            }
        }
        if let Some(comment) = &mut difference.comment {
            let before = std::mem::replace(&mut self.comment, comment.to_string());
            *comment = before.into();
        }
        self.is_flagged ^= difference.is_flagged;
        self.is_confirmed ^= difference.is_confirmed;
    }
}

/// What one state has and another has not: small, since there is one for each step.
#[derive(Debug, Clone)]
struct Difference {
    /// Cells with what is said of them there.
    marks: Box<[(Cell, Option<Marked>)]>,
    /// Words that are translated by nothing in one of them only.
    untranslated: [Box<[u32]>; 2],
    /// The comment there, if it is another.
    comment: Option<Box<str>>,
    /// Whether these are others.
    is_flagged: bool,
    is_confirmed: bool,
}

/// What is said of a sentence pair, and how to take back the steps that led there.
#[derive(Debug, Clone)]
pub struct History {
    lengths: [usize; 2],
    state: SentenceState,
    /// Those of the steps that can be undone lead back, the others on.
    differences: Vec<Difference>,
    /// How many steps can be undone.
    done: usize,
    /// How many steps were taken, those that undo and redo among them.
    steps: usize,
    time: Duration,
}

impl History {
    /// Of a sentence pair of these lengths, of which nothing is said.
    pub fn new(lengths: [usize; 2]) -> Self {
        Self {
            lengths,
            state: SentenceState::default(),
            differences: Vec::new(),
            done: 0,
            steps: 0,
            time: Duration::ZERO,
        }
    }

    /// What is said now.
    pub fn state(&self) -> &SentenceState {
        &self.state
    }

    /// How many steps were taken. A page that knows of fewer is out of date.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The time that was spent.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// The time that was spent, if the pair is confirmed.
    pub fn time_if_confirmed(&self) -> Option<Duration> {
        self.state().is_confirmed().then_some(self.time)
    }

    /// Adds time that was spent.
    pub fn add_time(&mut self, time: Duration) {
        self.time += time;
    }

    /// Whether there is something to undo, and to redo.
    pub fn can(&self) -> [bool; 2] {
        [self.done > 0, self.done < self.differences.len()]
    }

    /// Says whether a step is allowed.
    ///
    /// # Errors
    /// `LinkOutOfRange` for a cell outside of the sentences; `Inconsistent` for a word outside of its sentence, a comment that is too
    /// long, and where nothing is left to undo or redo.
    pub fn check(&self, action: &Action) -> Result<()> {
        let [source, target] = self.lengths;
        let check_cell = |cell: Cell| {
            let is_inside = (cell[0] as usize) < source && (cell[1] as usize) < target;
            let link = Link::new(cell[0], cell[1]);
            if is_inside { Ok(()) } else { Err(Error::link_outside_sentences(link, self.lengths)) }
        };
        let inconsistent = |message: String| Err(ErrorKind::Inconsistent(message).into());
        match action {
            Action::Mark { links, .. } => links.iter().try_for_each(|&cell| check_cell(cell)),
            Action::Confirm { accepted } => accepted.iter().try_for_each(|&(cell, _)| check_cell(cell)),
            Action::Untranslated { source: words, target: mots, .. } => {
                for (side, (words, length)) in ["source", "target"].into_iter().zip([(words, source), (mots, target)]) {
                    if let Some(word) = words.iter().find(|&&word| word as usize >= length) {
                        return inconsistent(format!("{side} word {word} is out of range, there are {length}"));
                    }
                }
                Ok(())
            }
            Action::Comment { text } if text.chars().count() > LONGEST_COMMENT => {
                inconsistent(format!("a comment has at most {LONGEST_COMMENT} characters"))
            }
            Action::Undo if !self.can()[0] => inconsistent("nothing to undo".to_owned()),
            Action::Redo if !self.can()[1] => inconsistent("nothing to redo".to_owned()),
            _ => Ok(()),
        }
    }

    /// Takes a step.
    ///
    /// # Errors
    /// As [`check`](Self::check); then nothing changes.
    pub fn apply(&mut self, action: &Action) -> Result<()> {
        self.check(action)?;
        match action {
            Action::Undo => {
                self.done -= 1;
                self.state.follow(&mut self.differences[self.done]);
            }
            Action::Redo => {
                self.state.follow(&mut self.differences[self.done]);
                self.done += 1;
            }
            _ => {
                let next = self.state.after(action);
                self.differences.truncate(self.done);
                self.differences.push(next.difference(&self.state));
                self.state = next;
                self.done += 1;
            }
        }
        self.steps += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mark(links: &[Cell], mark: impl Into<Option<Mark>>) -> Action {
        Action::Mark { links: links.to_vec(), mark: mark.into() }
    }

    fn after(actions: &[Action]) -> SentenceState {
        let mut history = History::new([3, 3]);
        for action in actions {
            history.apply(action).unwrap();
        }
        history.state().clone()
    }

    #[test]
    fn what_is_said_last_counts() {
        let state = after(&[mark(&[[0, 0], [1, 1]], Mark::Sure), mark(&[[1, 1]], Mark::Possible)]);
        assert_eq!(state.gold(), GoldAlignment::from_parts([(0, 0)].into(), &[(1, 1)].into()));
        assert!(!state.is_open([0, 0]) && state.is_open([2, 2]));
        let state = after(&[mark(&[[0, 0]], Mark::Sure), mark(&[[0, 0]], None)]);
        assert!(state.is_untouched());
    }

    #[test]
    fn a_word_without_translation_has_no_links() {
        let nothing = |on| Action::Untranslated { source: vec![0], target: vec![], on };
        let state = after(&[mark(&[[0, 0], [1, 0]], Mark::Sure), nothing(true)]);
        assert_eq!(state.gold().sure(), &[(1, 0)].into());
        assert!(!state.is_open([0, 2]) && state.is_open([1, 2]));
        let state = after(&[nothing(true), mark(&[[0, 2]], Mark::NoLink)]);
        assert!(state.untranslated()[0].contains(&0), "that is no contradiction");
        let state = after(&[nothing(true), mark(&[[0, 2]], Mark::Sure)]);
        assert!(state.untranslated()[0].is_empty());
        assert!(after(&[nothing(true), nothing(false)]).is_untouched());
    }

    #[test]
    fn only_open_suggestions_are_accepted() {
        let accepted = vec![([0, 0], Mark::Sure), ([1, 1], Mark::Possible), ([2, 2], Mark::Sure)];
        let nothing = Action::Untranslated { source: vec![], target: vec![2], on: true };
        let state = after(&[mark(&[[0, 0]], Mark::NoLink), nothing, Action::Confirm { accepted }]);
        assert_eq!(state.gold(), GoldAlignment::from_parts([].into(), &[(1, 1)].into()));
        let by_hand: Vec<_> = state.marks().map(|(_, marked)| !marked.is_accepted).collect();
        assert_eq!(by_hand, [true, false]);
        assert!(state.is_confirmed() && !state.is_open([2, 0]));
    }

    #[test]
    fn steps_that_make_no_sense_are_refused() {
        let mut history = History::new([2, 1]);
        let comment = |length: usize| Action::Comment { text: "é".repeat(length) };
        for (action, expected) in [
            (mark(&[[0, 0], [0, 1]], Mark::Sure), "link 0-1 is out of range, the source has 2 tokens, the target 1"),
            (Action::Confirm { accepted: vec![([2, 0], Mark::Sure)] }, "link 2-0 is out of range"),
            (
                Action::Untranslated { source: vec![1], target: vec![1], on: true },
                "target word 1 is out of range, there are 1",
            ),
            (comment(10_001), "a comment has at most 10000 characters"),
            (Action::Undo, "nothing to undo"),
            (Action::Redo, "nothing to redo"),
        ] {
            let message = history.apply(&action).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
        assert_eq!((history.steps(), history.can()), (0, [false, false]));
        history.apply(&comment(10_000)).unwrap();
        history.apply(&Action::Undo).unwrap();
        assert_eq!((history.steps(), history.can()), (2, [false, true]));
    }

    fn actions() -> impl Strategy<Value = Vec<Action>> {
        let cell = (0u32..3, 0u32..3).prop_map(|(source, target)| [source, target]);
        let said =
            prop_oneof![Just(Some(Mark::Sure)), Just(Some(Mark::Possible)), Just(Some(Mark::NoLink)), Just(None)];
        let action = prop_oneof![
            (proptest::collection::vec(cell.clone(), 1..4), said)
                .prop_map(|(links, mark)| Action::Mark { links, mark }),
            (0u32..3, any::<bool>()).prop_map(|(word, on)| Action::Untranslated {
                source: vec![word],
                target: vec![],
                on
            }),
            proptest::collection::vec((cell, Just(Mark::Sure)), 0..4).prop_map(|accepted| Action::Confirm { accepted }),
            Just(Action::Reopen),
            any::<bool>().prop_map(|on| Action::Flag { on }),
            "[ab]{0,2}".prop_map(|text| Action::Comment { text }),
            Just(Action::Undo),
            Just(Action::Redo),
        ];
        proptest::collection::vec(action, 0..30)
    }

    proptest! {
        /// A history agrees with two stacks of what was done and undone.
        #[test]
        fn undoing_is_as_if_it_had_not_been_done(actions in actions()) {
            let mut history = History::new([3, 3]);
            let (mut done, mut undone) = (Vec::new(), Vec::new());
            for action in &actions {
                let allowed = history.apply(action).is_ok();
                let moved = match action {
                    Action::Undo => done.pop().map(|action| undone.push(action)).is_some(),
                    Action::Redo => undone.pop().map(|action| done.push(action)).is_some(),
                    _ => {
                        done.push(action);
                        undone.clear();
                        true
                    }
                };
                prop_assert_eq!(allowed, moved);
            }
            let replayed = after(&done.into_iter().cloned().collect::<Vec<_>>());
            prop_assert_eq!(history.state(), &replayed);
        }

        #[test]
        fn actions_are_read_as_they_were_written(actions in actions()) {
            for action in actions {
                let text = serde_json::to_string(&action).unwrap();
                prop_assert_eq!(&serde_json::from_str::<Action>(&text).unwrap(), &action);
            }
        }
    }
}
