//! What people do with words, in words: `the` is linked with the word after it.
//!
//! For each word that occurs in confirmed sentences, its occurrences are sorted by what people linked there ([`Habit::doing`]), and by
//! what would be suggested without them. A word of which people mostly do one thing, and suggestions would not, has a habit.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::align::GoldScores;
use crate::alignment::Alignment;
use crate::bitext::{Bitext, WordId};

/// A habit is what people do at least so often, and in this share of the occurrences.
const LEAST: u32 = 3;
const SHARE: f64 = 0.6;

/// Suggestions without people do it less often by this share of the occurrences.
const DIFFERENCE: f64 = 0.2;

/// What is done with an occurrence of a word. The first that is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Doing {
    /// It has no link.
    Unlinked,
    /// It has a link to a word that the next word of its language is linked to, too.
    WithNext,
    /// The same of the previous word.
    WithPrevious,
    /// It has links of its own.
    Alone,
}

impl Doing {
    const ALL: [Self; 4] = [Self::Unlinked, Self::WithNext, Self::WithPrevious, Self::Alone];
}

/// What people do with a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Habit {
    /// The side of the word: 0 the source, 1 the target.
    pub side: usize,
    /// The word, as words are compared.
    pub word: String,
    /// What people do.
    pub doing: Doing,
    /// How often they do.
    pub times: u32,
    /// How often suggestions would do it that know nothing of people.
    pub times_before: u32,
    /// How often the word occurs in confirmed sentences.
    pub occurrences: u32,
}

/// How often people and suggestions do what with a word.
type Counts = [[u32; 2]; Doing::ALL.len()];

/// The habits that confirmed sentences show, those that change most occurrences first.
pub(super) fn habits(text: &Bitext, scores: &GoldScores) -> Vec<Habit> {
    let mut counts: BTreeMap<(usize, WordId), Counts> = BTreeMap::new();
    for ((&n, gold), suggested) in scores.pairs.iter().zip(&scores.gold).zip(&scores.validation.without) {
        let pair = text.pair(n);
        for (side, words) in [pair.source, pair.target].into_iter().enumerate() {
            let done = [gold.possible(), suggested].map(|links| doings(links, side, words.len()));
            for (position, &word) in words.iter().enumerate() {
                let of_word = counts.entry((side, word)).or_default();
                for (who, done) in done.iter().enumerate() {
                    of_word[done[position] as usize][who] += 1;
                }
            }
        }
    }
    let vocabularies = [text.source.vocabulary(), text.target.vocabulary()];
    let mut habits = Vec::new();
    for ((side, word), counts) in counts {
        let occurrences: u32 = counts.iter().map(|[people, _]| people).sum();
        for (doing, [times, times_before]) in Doing::ALL.into_iter().zip(counts) {
            let share = |times: f64| times / f64::from(occurrences);
            let more = f64::from(times) - f64::from(times_before);
            if times >= LEAST && share(times.into()) >= SHARE && share(more) >= DIFFERENCE {
                let word = String::from_utf8_lossy(vocabularies[side].word(word)).into_owned();
                habits.push(Habit { side, word, doing, times, times_before, occurrences });
            }
        }
    }
    habits.sort_by_key(|habit| std::cmp::Reverse(habit.times - habit.times_before));
    habits
}

/// What is done with each word of a side.
fn doings(links: &Alignment, side: usize, length: usize) -> Vec<Doing> {
    let mut others = vec![Vec::new(); length];
    for link in links.iter() {
        let [own, other] = if side == 0 { [link.source, link.target] } else { [link.target, link.source] };
        others[own as usize].push(other);
    }
    let shares = |position: usize, neighbor: Option<usize>| {
        let neighbor = neighbor.and_then(|neighbor| others.get(neighbor));
        neighbor.is_some_and(|neighbor| others[position].iter().any(|other| neighbor.contains(other)))
    };
    let doing = |position: usize| {
        if others[position].is_empty() {
            Doing::Unlinked
        } else if shares(position, Some(position + 1)) {
            Doing::WithNext
        } else if shares(position, position.checked_sub(1)) {
            Doing::WithPrevious
        } else {
            Doing::Alone
        }
    };
    (0..length).map(doing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::GoldAlignment;
    use crate::bitext::Text;
    use crate::decision::CrossValidation;

    #[test]
    fn articles_are_linked_with_their_noun() {
        let text = |line: &str| {
            let mut text = Text::default();
            for _ in 0..4 {
                text.push_sentence(line.split(' ').map(str::as_bytes));
            }
            text
        };
        let bitext = Bitext::new(text("the house stands"), text("casa sta lì")).unwrap();
        let people: GoldAlignment = GoldAlignment::from_parts([(0, 0), (1, 0), (2, 1)].into(), &[].into());
        let before: Alignment = [(1, 0), (2, 1), (2, 2)].into();
        let scores = GoldScores {
            pairs: vec![0, 1, 3],
            gold: vec![people; 3],
            validation: CrossValidation { without: vec![before; 3], with: Vec::new() },
        };
        let found: Vec<_> = habits(&bitext, &scores)
            .into_iter()
            .map(|Habit { side, word, doing, times, times_before, occurrences }| {
                (side, word, doing, [times, times_before, occurrences])
            })
            .collect();
        let expected = [
            (0, "the", Doing::WithNext),
            (0, "house", Doing::WithPrevious),
            (1, "sta", Doing::Alone),
            (1, "lì", Doing::Unlinked),
        ];
        assert_eq!(found, expected.map(|(side, word, doing)| (side, word.to_owned(), doing, [3, 0, 3])));
        let few = GoldScores { pairs: vec![0], ..scores };
        assert_eq!(habits(&bitext, &few), []);
    }
}
