//! The links that a model suggests, with its confidences.
//!
//! While a sentence is being linked, its suggestions follow at once: whoever links two words says something of other suggestions for
//! these words. A suggestion is a rival of a link in its row or column that is not next to it, where it may be part of the same phrase.
//! If a rival was made by hand, the log-odds of a suggestion fall by δ ([`Rivalry`]).

use super::habits::Habit;
use crate::align::GoldScores;
use crate::alignment::{Alignment, AnnotatedWords, Link, WeightedLink};
use crate::decision::Guideline;
use crate::numeric::sigmoid;

/// Cells with a lower confidence are not kept.
pub(super) const LEAST: f32 = 0.02;

/// The links that a model suggests for all pairs of a text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Suggestions {
    pub(super) threshold: f32,
    pub(super) rivalry: Rivalry,
    pub(super) cells: Vec<Vec<WeightedLink>>,
    pub(super) guideline: Option<Guideline>,
    pub(super) validation: Option<Validation>,
    pub(super) habits: Vec<Habit>,
}

/// How much less probable a suggestion is beside a rival that was made by hand.
///
/// Of the links that were suggested for confirmed sentences, a share q was right, and a share r of those beside a link that had to be
/// added: δ = λ(q) - λ(r), with λ(x) = ln (x / (1 - x)), and 0 if that is negative or r above one half. Some links are counted that nobody made, as
/// many as make δ = 1.5 as long as nothing is confirmed. Where people link all words of a phrase with all of another, δ falls to 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rivalry(f64);

impl Default for Rivalry {
    fn default() -> Self {
        Self(Self::BEFORE)
    }
}

impl Rivalry {
    /// δ before anything is known.
    const BEFORE: f64 = 1.5;

    /// How many rivals are worth as much as that.
    const WEIGHT: f64 = 10.0;

    /// From what was suggested for confirmed sentences without knowing them.
    pub(super) fn of(gold: &GoldScores, suggested: &[Alignment], annotated_only: bool) -> Self {
        // Right and wrong ones; one of each, so that there are some.
        let (mut all, mut rivals) = ([1.0, 1.0], [0.0, 0.0]);
        for (gold, links) in gold.gold.iter().zip(suggested) {
            let (missing, annotated) = (gold.sure().difference(links), AnnotatedWords::of(gold.possible()));
            for link in links.iter().filter(|&link| !annotated_only || annotated.both(link)) {
                let wrong = usize::from(!gold.possible().contains(link));
                all[wrong] += 1.0;
                if missing.iter().any(|missing| is_rival(link, missing)) {
                    rivals[wrong] += 1.0;
                }
            }
        }
        let log_odds = |[right, wrong]: [f64; 2]| f64::ln(right / wrong);
        let before = sigmoid(log_odds(all) - Self::BEFORE);
        rivals[0] += Self::WEIGHT * before;
        rivals[1] += Self::WEIGHT * (1.0 - before);
        let most_are_right = rivals[0] > rivals[1];
        Self(if most_are_right { 0.0 } else { (log_odds(all) - log_odds(rivals)).max(0.0) })
    }

    /// A probability beside a rival.
    fn beside(self, probability: f32) -> f32 {
        let p = f64::from(probability);
        sigmoid((p / (1.0 - p)).ln() - self.0) as f32
    }
}

/// What following the annotators is worth, by cross-validation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Validation {
    /// The pairs that were learned from.
    pub pairs: usize,
    /// The AER of their links if suggestions do not follow the annotators; none without links.
    pub without: Option<f64>,
    /// If they follow what the links of the other pairs tell.
    pub with: Option<f64>,
}

impl Suggestions {
    /// The same with links of some pairs that were made elsewhere: these and no others are suggested there, with the confidence that the
    /// model has in them where that is not below the threshold.
    ///
    /// # Panics
    /// If there is no such pair.
    #[must_use]
    pub fn with_given(mut self, given: &[(usize, Alignment)]) -> Self {
        for (n, links) in given {
            let known = std::mem::take(&mut self.cells[*n]);
            let others = known.iter().filter(|found| !links.contains(found.link));
            let others =
                others.map(|found| WeightedLink { weight: found.weight.min(self.threshold.next_down()), ..*found });
            let weight = |link: Link| known.iter().find(|found| found.link == link).map_or(0.0, |found| found.weight);
            let given = links.iter().map(|link| WeightedLink { link, weight: weight(link).max(self.threshold) });
            self.cells[*n] = others.chain(given).collect();
            self.cells[*n].sort_unstable_by_key(|found| found.link);
        }
        self
    }

    /// The confidence from which on a link is suggested: where suggesting it is expected to need fewer corrections than leaving it out.
    pub fn threshold(&self) -> f32 {
        self.threshold
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cells of a pair that may be links, in order, with their confidences, of at least 0.02.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn cells(&self, n: usize) -> &[WeightedLink] {
        &self.cells[n]
    }

    /// The same cells once links were made by hand.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn cells_beside(&self, n: usize, made: &[Link]) -> impl Iterator<Item = WeightedLink> {
        self.cells[n].iter().map(|&WeightedLink { link, weight }| {
            let has_rival = made.iter().any(|&other| is_rival(link, other));
            WeightedLink { link, weight: if has_rival { self.rivalry.beside(weight) } else { weight } }
        })
    }

    /// The links that are suggested before any was made by hand.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn links(&self, n: usize) -> Alignment {
        self.links_beside(n, &[])
    }

    /// The links that are suggested once others were made by hand.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn links_beside(&self, n: usize, made: &[Link]) -> Alignment {
        let suggested = self.cells_beside(n, made).filter(|found| found.weight >= self.threshold);
        suggested.map(|found| found.link).collect()
    }

    /// How many of the cells of a pair the model expects to be wrong: links that are suggested and should not be, and links that
    /// are not suggested and should be.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn expected_errors(&self, n: usize) -> f64 {
        let error = |found: &WeightedLink| {
            let wrong = if found.weight >= self.threshold { 1.0 - found.weight } else { found.weight };
            f64::from(wrong)
        };
        self.cells[n].iter().map(error).sum()
    }

    /// What was learned of what the annotators link, if that makes suggestions better.
    pub fn guideline(&self) -> Option<&Guideline> {
        self.guideline.as_ref()
    }

    /// What people do with words that would not be suggested without them, what changes most first.
    pub fn habits(&self) -> &[Habit] {
        &self.habits
    }

    /// What following the annotators is worth, if there were links enough to find out.
    pub fn validation(&self) -> Option<Validation> {
        self.validation
    }
}

/// Whether two links are of one word, and the other words are not neighbors.
fn is_rival(link: Link, other: Link) -> bool {
    let [source, target] = [link.source.abs_diff(other.source), link.target.abs_diff(other.target)];
    source == 0 && target > 1 || target == 0 && source > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::GoldAlignment;

    #[test]
    fn a_link_takes_its_words_from_others() {
        let cells = [((0, 0), 0.6), ((0, 1), 0.7), ((0, 3), 0.6), ((0, 4), 0.99), ((2, 1), 0.6), ((2, 3), 0.6)];
        let cells = cells.map(|((s, t), weight)| WeightedLink { link: Link::new(s, t), weight });
        let suggestions = Suggestions { threshold: 0.5, cells: vec![cells.to_vec()], ..Suggestions::default() };
        let beside = |made: &[(u32, u32)]| {
            let made: Vec<Link> = made.iter().map(|&(s, t)| Link::new(s, t)).collect();
            suggestions.links_beside(0, &made)
        };
        assert_eq!(beside(&[]), suggestions.links(0));
        // 0-3 is apart from 0-1 and falls; 0-0 is beside it, 0-4 is too sure, 2-1 is in its column.
        assert_eq!(beside(&[(0, 1)]), [(0, 0), (0, 1), (0, 4), (2, 3)].into());
        // Odds of .7 are 7/3, and e^-1.5 as many beside rivals.
        let odds = 7.0 / 3.0 * (-1.5_f64).exp();
        let made = [Link::new(0, 3), Link::new(3, 1)];
        let found = suggestions.cells_beside(0, &made).find(|found| found.link == Link::new(0, 1)).unwrap();
        assert!((f64::from(found.weight) - odds / (1.0 + odds)).abs() < 1e-6);
        let rivalry = Rivalry::default();
        assert!(rivalry.beside(1.0) >= 1.0 && rivalry.beside(0.0) <= 0.0);
    }

    #[test]
    fn links_made_elsewhere_are_suggested_and_no_others() {
        let weighted = |cells: &[((u32, u32), f32)]| -> Vec<WeightedLink> {
            cells.iter().map(|&((s, t), weight)| WeightedLink { link: Link::new(s, t), weight }).collect()
        };
        let cells = vec![weighted(&[((0, 0), 0.9), ((0, 1), 0.8), ((1, 0), 0.1)]), weighted(&[((0, 0), 0.9)])];
        let suggestions = Suggestions { threshold: 0.4, cells, ..Suggestions::default() };
        let links: Alignment = [(0, 0), (1, 0), (2, 2)].into();
        let with = suggestions.clone().with_given(&[(0, links.clone())]);
        assert_eq!((with.links(0), with.cells(1)), (links, suggestions.cells(1)));
        let expected = [((0, 0), 0.9), ((0, 1), 0.4_f32.next_down()), ((1, 0), 0.4), ((2, 2), 0.4)];
        assert_eq!(with.cells(0), weighted(&expected));
    }

    #[test]
    fn rivalry_is_learned() {
        // One of four suggestions is beside a link that is missing, and wrong; or right.
        let links: Alignment = [(0, 0), (1, 1), (2, 2), (3, 0)].into();
        let gold = |with: &[(u32, u32)]| {
            let all = [&[(0, 0), (1, 1), (2, 2), (3, 3)], with].concat();
            GoldAlignment::from_parts(all.into_iter().map(|(s, t)| Link::new(s, t)).collect(), &[].into())
        };
        let of = |gold: GoldAlignment, times: usize| {
            let scores = GoldScores { gold: vec![gold; times], ..GoldScores::default() };
            Rivalry::of(&scores, &vec![links.clone(); times], false).0
        };
        let n = 1000.0_f64;
        let odds = (3.0 * n + 1.0) / (n + 1.0);
        let before = odds * (-1.5_f64).exp();
        let share = before / (1.0 + before);
        // All rivals are wrong.
        let expected = odds.ln() - (10.0 * share / (n + 10.0 * (1.0 - share))).ln();
        assert!((of(gold(&[]), 1000) - expected).abs() < 1e-9);
        // All are right.
        assert!(of(gold(&[(3, 0)]), 1000).abs() < f64::EPSILON);
        assert!((of(gold(&[]), 0) - 1.5).abs() < 1e-9);
    }
}
