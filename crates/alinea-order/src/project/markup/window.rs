//! The scores of all stretches in a part of a sentence, for a pair of tags.

use std::ops::Range;

use super::evidence::Evidence;
use super::sides::Sides;
use super::structure::Unit;
use super::weights::{OfBorder, Weights};

/// How far the borders of what is best by words and borders are moved to find what is best in all.
const REACH: usize = 3;

/// How often they are moved.
const ROUNDS: usize = 4;

/// Stretches in square brackets are tried so near to what is best without them, and so many.
const NEAR: usize = 24;
const MOST_SQUARES: usize = 64;

/// A part of a sentence, seen from a pair of tags.
pub(super) struct Window<'a> {
    sides: &'a Sides,
    evidence: &'a Evidence,
    weights: &'a Weights,
    range: Range<usize>,
    /// The sum over words before a place, and what it is worth to start and to end there.
    sums: Vec<f64>,
    starts: Vec<f64>,
    ends: Vec<f64>,
    /// Whether any brackets are in it.
    has_brackets: bool,
    /// Stretches that are known from elsewhere, with the share of those that are.
    known: Vec<(Range<usize>, f64)>,
}

/// What a pair of tags is asked about.
pub(super) struct Question<'a> {
    pub(super) sides: &'a Sides,
    pub(super) evidence: &'a Evidence,
    pub(super) weights: &'a Weights,
    pub(super) unit: &'a Unit,
}

impl<'a> Window<'a> {
    /// `odds` are those of words to be in tags elsewhere.
    pub(super) fn new(
        question: &Question<'a>,
        range: Range<usize>,
        odds: impl Fn(usize) -> f64,
        known: Vec<(Range<usize>, f64)>,
    ) -> Self {
        let Question { sides, evidence, weights, unit } = *question;
        let odds: Vec<f64> = range.clone().map(odds).collect();
        let mut sums = Vec::with_capacity(range.len() + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for (word, odds) in range.clone().zip(&odds) {
            sum += question.word(word, *odds);
            sums.push(sum);
        }
        let [first, last] = [unit.words.start, unit.words.end - 1];
        let ends_before = |word: usize| word == 0 || sides.source_traits[word - 1].ends_sentence;
        let of_start = Border {
            is_end: false,
            source: first,
            is_edge: first == 0,
            is_sentence: ends_before(first),
            weights: &weights.start,
        };
        let length = sides.source_forms.len();
        let of_end = Border {
            is_end: true,
            source: last,
            is_edge: last + 1 == length,
            is_sentence: last + 1 == length || ends_before(last + 1),
            weights: &weights.end,
        };
        let at = |border: &Border<'_>, place: usize, word: Option<usize>| {
            let word = word.filter(|word| range.contains(word));
            word.map_or(f64::NEG_INFINITY, |word| question.border(border, place, word, odds[word - range.start]))
        };
        let starts = (range.start..=range.end).map(|place| at(&of_start, place, Some(place))).collect();
        let ends = (range.start..=range.end).map(|place| at(&of_end, place, place.checked_sub(1))).collect();
        let has_brackets = (range.start..=range.end).any(|place| sides.depth[place] > 0);
        Self { sides, evidence, weights, range, sums, starts, ends, has_brackets, known }
    }

    /// By words and borders alone.
    fn additive(&self, start: usize, end: usize) -> f64 {
        let [start, end] = [start - self.range.start, end - self.range.start];
        self.starts[start] + self.ends[end] + self.sums[end] - self.sums[start]
    }

    fn score(&self, start: usize, end: usize) -> f64 {
        self.additive(start, end) + self.unbalanced(start, end) + self.of_known(start, end) + self.of_square(start, end)
    }

    fn of_known(&self, start: usize, end: usize) -> f64 {
        let known = self.known.iter().find(|(words, _)| *words == (start..end));
        known.map_or(0.0, |(_, share)| self.weights.phrase * share)
    }

    /// Brackets around the stretch that the source has not.
    fn of_square(&self, start: usize, end: usize) -> f64 {
        let place = self.sides.brackets.partition_point(|pair| pair.close < end - 1);
        let pair = self.sides.brackets.get(place).filter(|pair| pair.open == start && pair.close == end - 1);
        if pair.is_some_and(|pair| pair.is_square && self.is_foreign(pair.open) && self.is_foreign(pair.close)) {
            self.weights.square
        } else {
            0.0
        }
    }

    fn is_foreign(&self, word: usize) -> bool {
        self.evidence.inside(word) < 0.5
    }

    /// Brackets of which one is inside and one is outside.
    fn unbalanced(&self, start: usize, end: usize) -> f64 {
        if !self.has_brackets {
            return 0.0;
        }
        let depth = &self.sides.depth[start..=end];
        let around = depth.iter().min().copied().unwrap_or(0);
        let cut = depth[0] + depth[depth.len() - 1] - 2 * around;
        self.weights.unbalanced * f64::from(cut)
    }

    /// The best stretch in a part of the window that is free.
    pub(super) fn best(&self, free: Range<usize>) -> Option<(f64, Range<usize>)> {
        let first = self.best_by_sums(free.clone())?;
        let mut best = self.improve(first, &free);
        let is_free = |words: &Range<usize>| free.start <= words.start && words.end <= free.end;
        let known = self.known.iter().map(|(words, _)| words.clone());
        for words in known.chain(self.squares(&best.1)).filter(is_free) {
            let score = self.score(words.start, words.end);
            if score > best.0 {
                best = (score, words);
            }
        }
        Some(best)
    }

    /// Stretches in square brackets, near another.
    fn squares(&self, words: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let (start, end) = (words.start.saturating_sub(NEAR), words.end + NEAR);
        let place = self.sides.brackets.partition_point(|pair| pair.close < start);
        let inside = self.sides.brackets[place..].iter().take_while(move |pair| pair.close < end);
        inside
            .filter(move |pair| pair.is_square && pair.open >= start)
            .take(MOST_SQUARES)
            .map(|pair| pair.open..pair.close + 1)
    }

    /// The stretch that is best by words and borders alone, in one go.
    fn best_by_sums(&self, free: Range<usize>) -> Option<Range<usize>> {
        let mut best: Option<(f64, Range<usize>)> = None;
        let mut start = (f64::NEG_INFINITY, free.start);
        for end in free.start + 1..=free.end {
            let place = end - 1 - self.range.start;
            let begun = self.starts[place] - self.sums[place];
            if begun > start.0 {
                start = (begun, end - 1);
            }
            let score = start.0 + self.sums[place + 1] + self.ends[place + 1];
            if best.as_ref().is_none_or(|(most, _)| score > *most) {
                best = Some((score, start.1..end));
            }
        }
        best.map(|(_, words)| words)
    }

    /// Moves the borders as long as that helps.
    fn improve(&self, words: Range<usize>, free: &Range<usize>) -> (f64, Range<usize>) {
        let mut best = (self.score(words.start, words.end), words);
        for _ in 0..ROUNDS {
            let Range { start, end } = best.1.clone();
            let mut next = best.clone();
            for start in start.saturating_sub(REACH).max(free.start)..=start + REACH {
                for end in (end.saturating_sub(REACH).max(start + 1))..=(end + REACH).min(free.end) {
                    let score = self.score(start, end);
                    if score > next.0 {
                        next = (score, start..end);
                    }
                }
            }
            if next.1 == best.1 {
                break;
            }
            best = next;
        }
        best
    }
}

/// A border of a pair of tags in the source.
struct Border<'a> {
    is_end: bool,
    /// The source word at it, inside.
    source: usize,
    /// Whether it is that of the segment, or of a sentence.
    is_edge: bool,
    is_sentence: bool,
    weights: &'a OfBorder,
}

impl Question<'_> {
    fn word(&self, word: usize, odds: f64) -> f64 {
        let weights = &self.weights.word;
        let (inside, outside) = (self.evidence.inside(word), self.evidence.outside(self.sides, word));
        let mut sum = weights.any + weights.inside * inside + weights.outside * outside;
        sum += weights.only * inside * (1.0 - outside) + weights.best * self.evidence.best(word);
        if self.sides.target_traits[word].is_punctuation {
            sum += weights.mark + weights.mark_inside * inside + weights.mark_outside * outside;
        }
        sum + weights.elsewhere * odds
    }

    /// What it is worth to have a border at a place, with this word at it, inside.
    fn border(&self, border: &Border<'_>, place: usize, word: usize, odds: f64) -> f64 {
        let (sides, weights) = (self.sides, border.weights);
        let (source, target) = (sides.source_traits[border.source], sides.target_traits[word]);
        let mut sum = weights.inside * self.evidence.inside(word) + weights.best * self.evidence.best(word);
        sum += weights.elsewhere * odds;
        if source.is_punctuation != target.is_punctuation {
            sum += weights.differs;
        } else if source.is_punctuation && sides.source_forms[border.source] == sides.target_forms[word] {
            sum += weights.same;
        }
        let is_edge = place == if border.is_end { sides.target_forms.len() } else { 0 };
        sum += match (border.is_edge, is_edge) {
            (true, true) => weights.ends_both,
            (true, false) | (false, true) => weights.ends_one,
            (false, false) => 0.0,
        };
        if border.is_sentence {
            let is_sentence = is_edge || place > 0 && sides.target_traits[place - 1].ends_sentence;
            sum += if is_sentence { weights.sentence } else { -weights.sentence };
        }
        sum + self.glue(border, place)
    }

    /// What is cut at a border without a blank.
    fn glue(&self, border: &Border<'_>, place: usize) -> f64 {
        let traits = &self.sides.target_traits;
        let (Some(before), Some(behind)) = (place.checked_sub(1).map(|word| traits[word]), traits.get(place)) else {
            return 0.0;
        };
        if !behind.is_glued {
            return 0.0;
        }
        let weights = border.weights;
        let (inside, outside) = if border.is_end { (&before, behind) } else { (behind, &before) };
        let marks = [before.is_punctuation, behind.is_punctuation].contains(&true);
        [
            (!marks, weights.in_word),
            (inside.is_hyphen, weights.hyphen_inside),
            (outside.is_hyphen, weights.hyphen_outside),
            (before.is_apostrophe, weights.apostrophe),
            (behind.is_apostrophe, weights.apostrophe),
        ]
        .into_iter()
        .filter(|(is_so, _)| *is_so)
        .map(|(_, weight)| weight)
        .sum()
    }
}
