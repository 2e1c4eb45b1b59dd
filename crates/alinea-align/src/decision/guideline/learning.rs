//! Learning a guideline, and finding out what it is worth.

use std::collections::BTreeMap;

use super::super::calibration::Calibration;
use super::super::features::FEATURES;
use super::super::logistic::Examples;
use super::gold_cells::{Cell, GoldCells, Mark};
use super::{Guideline, found, near_source, near_target};
use crate::alignment::Alignment;
use crate::error::{Error, Result};
use crate::parallel::Parallelism;

/// The deviations of weights: of what was decided, of features and of words by themselves, of words beside others, of two words.
const OF_SCORE: f32 = 0.3;
const OF_FEATURES: f32 = 0.5;
const OF_WORDS: f32 = 0.5;
const OF_NEAR: f32 = 1.0;
const OF_WORD_PAIRS: f32 = 1.0;

/// Words and pairs of words have weights if so many sentence pairs have them.
const LEAST_PAIRS: usize = 2;

/// How many parts there are of the pairs, of which each is judged by what the others tell.
const PARTS: usize = 5;

/// The log-odds at which links may begin: so many steps below and above those of the decision.
const STEPS: i32 = 20;
const STEP: f64 = 0.1;
/// So many of them on both sides have a say in the error rate of one.
const BESIDE: usize = 3;
/// What is added to the error rate far from the decision, times the square of the distance.
const PENALTY: f64 = 5e-4;

/// What gold links told.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// What the decision alone lacks, if that makes links better.
    pub guideline: Option<Guideline>,
    /// How that was found out.
    pub validation: CrossValidation,
}

/// Links of each gold pair by what the other pairs told.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CrossValidation {
    /// Those by the decision alone.
    pub without: Vec<Alignment>,
    /// Those by a guideline learned of four fifths of the other pairs.
    pub with: Vec<Alignment>,
}

/// Right links of an alignment and of its gold standard, twice, and both sizes: AER is 1 - agreement / size.
#[derive(Debug, Clone, Copy)]
struct Agreement {
    agreement: usize,
    size: usize,
}

impl Agreement {
    fn error(self) -> f64 {
        if self.size == 0 { 0.0 } else { 1.0 - self.agreement as f64 / self.size as f64 }
    }

    /// Of so many sure links and what people said of the links that are made.
    fn of(sure: usize, links: impl Iterator<Item = Mark>) -> Self {
        let right = |mark| match mark {
            Mark::None => 0,
            Mark::Possible => 1,
            Mark::Sure => 2,
        };
        links.fold(Self { agreement: 0, size: sure }, |sum, mark| Self {
            agreement: sum.agreement + right(mark),
            size: sum.size + 1,
        })
    }
}

impl GoldCells {
    /// Learns from them; links begin at these log-odds if nothing is learned. Time some hundred times the cells, memory for each thread as
    /// much as they take.
    ///
    /// # Errors
    /// `Config` if there are fewer than two pairs, or no sure links.
    pub fn learn(&self, least: f64, parallelism: &Parallelism) -> Result<Learned> {
        let pairs = self.pairs();
        if pairs < 2 {
            let given = if pairs == 1 { "links of 1 sentence pair" } else { "links of no sentence pair" };
            return Err(Error::config("gold", given, "links of 2 pairs or more that have words on both sides"));
        }
        if self.sure.iter().all(|&links| links == 0) {
            return Err(Error::config("gold", "no sure link", "some sure links"));
        }
        // One learned of all pairs, and near it one of those outside of each part that has some.
        let of_all = self.fit(least, |_| true, None);
        let mut fitted = Vec::new();
        let fit = |(): &mut (), part: usize| Ok(self.fit(least, |pair| pair % PARTS != part, Some(&of_all)));
        parallelism.map_ordered(
            PARTS.min(pairs),
            || (),
            fit,
            |guideline| {
                fitted.push(guideline);
                Ok(())
            },
        )?;
        let (log_odds, is_link) = self.of_other_pairs(&fitted);
        let validation = CrossValidation {
            without: self.alignments(|n| self.cells[n].decided >= least),
            with: self.alignments(|n| is_link[n]),
        };
        let error = |is_link: &dyn Fn(usize) -> bool| {
            let links = self.cells.iter().enumerate().filter(|&(n, _)| is_link(n)).map(|(_, cell)| cell.mark);
            Agreement::of(self.sure_links(|_| true), links).error()
        };
        let is_better = error(&|n| is_link[n]) < error(&|n| self.cells[n].decided >= least);
        let guideline = is_better.then(|| {
            let of_sure = self.calibration(&log_odds, |mark| mark == Mark::Sure);
            let of_sure_links: Vec<f64> = log_odds.iter().map(|z| of_sure.factor * z + of_sure.summand).collect();
            let possible = self.calibration(&of_sure_links, |mark| mark != Mark::None);
            of_all.calibrated(of_sure, possible)
        });
        Ok(Learned { guideline, validation })
    }

    /// The log-odds of each cell, and whether it is a link, by what was learned of the pairs of other parts.
    fn of_other_pairs(&self, by_part: &[Guideline]) -> (Vec<f64>, Vec<bool>) {
        let decided = self.cells.iter().map(|cell| {
            let guideline = &by_part[cell.pair % PARTS];
            let log_odds = guideline.of_cell(cell);
            (log_odds, log_odds >= guideline.least)
        });
        decided.unzip()
    }

    /// What pairs tell; sooner if it is known what a greater set of pairs tells.
    pub(super) fn fit(&self, least: f64, is_in: impl Fn(usize) -> bool + Copy, near: Option<&Guideline>) -> Guideline {
        let cells = || self.cells.iter().filter(|cell| is_in(cell.pair));
        let columns = Columns::of(cells());
        let mut examples = Examples::new(1 + FEATURES, columns.number());
        for cell in cells().filter(|cell| cell.mark != Mark::Possible) {
            let features = cell.features.iter().map(|feature| feature * OF_FEATURES);
            let of_all = std::iter::once(cell.decided as f32 * OF_SCORE).chain(features);
            examples.push(of_all, columns.of_cell(cell), cell.decided, cell.mark == Mark::Sure);
        }
        let weights = near.map_or_else(|| examples.fit(), |near| examples.fit_from(columns.weights(near)));
        let mut guideline = columns.guideline(&weights);
        guideline.pairs = (0..self.pairs()).filter(|&pair| is_in(pair)).count();
        let scored: Vec<(f64, Mark)> = cells().map(|cell| (guideline.of_cell(cell), cell.mark)).collect();
        guideline.least = first_log_odds(least, &scored, self.sure_links(is_in));
        guideline
    }

    /// How many sure links pairs have.
    fn sure_links(&self, is_in: impl Fn(usize) -> bool) -> usize {
        self.sure.iter().enumerate().filter(|&(pair, _)| is_in(pair)).map(|(_, sure)| sure).sum()
    }

    /// The links of each pair.
    fn alignments(&self, is_link: impl Fn(usize) -> bool) -> Vec<Alignment> {
        let mut links = vec![Vec::new(); self.pairs()];
        for (_, cell) in self.cells.iter().enumerate().filter(|&(n, _)| is_link(n)) {
            links[cell.pair].push(cell.link);
        }
        links.into_iter().map(Alignment::from_links).collect()
    }

    /// The map that makes log-odds of all cells those of one kind of links.
    pub(super) fn calibration(&self, log_odds: &[f64], is_right: impl Fn(Mark) -> bool) -> Calibration {
        let mut examples = Examples::new(2, 2);
        for (&z, cell) in log_odds.iter().zip(&self.cells) {
            examples.push([z as f32, 1.0], [], z, is_right(cell.mark));
        }
        let found = examples.fit();
        // What is likelier stays so.
        Calibration { factor: (1.0 + found[0]).max(f64::from(OF_SCORE)), summand: found[1] }
    }
}

/// The log-odds at which links begin, for cells with these log-odds; `around` are those of the decision, and so many sure links
/// there are.
fn first_log_odds(around: f64, scored: &[(f64, Mark)], sure: usize) -> f64 {
    let distances: Vec<f64> = (-STEPS..=STEPS).map(|step| f64::from(step) * STEP).collect();
    let error = |distance: &f64| {
        let links = scored.iter().filter(|&&(z, _)| z >= around + distance).map(|&(_, mark)| mark);
        Agreement::of(sure, links).error()
    };
    let errors: Vec<f64> = distances.iter().map(error).collect();
    let smoothed = |n: usize| {
        let window = (n..=n + 2 * BESIDE).map(|n| errors[n.saturating_sub(BESIDE).min(errors.len() - 1)]);
        window.sum::<f64>() / (2 * BESIDE + 1) as f64 + PENALTY * distances[n] * distances[n]
    };
    let best = (0..distances.len()).min_by(|&a, &b| smoothed(a).total_cmp(&smoothed(b)));
    around + best.map_or(0.0, |best| distances[best])
}

/// The weights that words and pairs of words have, and their numbers behind those of the features.
struct Columns {
    words: [Vec<u64>; 2],
    word_pairs: Vec<[u64; 2]>,
}

impl Columns {
    /// Those of enough pairs.
    fn of<'c>(cells: impl Iterator<Item = &'c Cell> + Clone) -> Self {
        let words = [0, 1].map(|side| frequent(cells.clone().map(|cell| (cell.spellings[side], cell.pair))));
        Self { words, word_pairs: frequent(cells.map(|cell| (cell.spellings, cell.pair))) }
    }

    /// Where the weights of the words of a side begin, 3 for each, or those of pairs of words, where the sides end.
    fn start(&self, side: usize) -> usize {
        1 + FEATURES + 3 * self.words[..side].iter().map(Vec::len).sum::<usize>()
    }

    fn number(&self) -> usize {
        self.start(2) + self.word_pairs.len()
    }

    /// The numbers of what a cell has, and how much of it.
    fn of_cell(&self, cell: &Cell) -> impl Iterator<Item = (usize, f32)> {
        let mut found = Vec::with_capacity(7);
        for (side, near) in [near_source(&cell.features), near_target(&cell.features)].into_iter().enumerate() {
            if let Ok(place) = self.words[side].binary_search(&cell.spellings[side]) {
                let column = self.start(side) + 3 * place;
                found.extend([(column, OF_WORDS), (column + 1, near[0] * OF_NEAR), (column + 2, near[1] * OF_NEAR)]);
            }
        }
        if let Ok(place) = self.word_pairs.binary_search(&cell.spellings) {
            found.push((self.start(2) + place, OF_WORD_PAIRS));
        }
        found.into_iter()
    }

    /// A guideline with weights that were found, and nothing else yet.
    fn guideline(&self, weights: &[f64]) -> Guideline {
        let words = [0, 1].map(|side| {
            let weights = weights[self.start(side)..].chunks_exact(3);
            let of_word = |weights: &[f64]| {
                [weights[0] as f32 * OF_WORDS, weights[1] as f32 * OF_NEAR, weights[2] as f32 * OF_NEAR]
            };
            self.words[side].iter().copied().zip(weights.map(of_word)).collect()
        });
        let of_pairs = weights[self.start(2)..].iter().map(|&weight| weight as f32 * OF_WORD_PAIRS);
        Guideline {
            pairs: 0,
            of_score: 1.0 + f64::from(OF_SCORE) * weights[0],
            of_features: std::array::from_fn(|n| f64::from(OF_FEATURES) * weights[1 + n]),
            words,
            word_pairs: self.word_pairs.iter().copied().zip(of_pairs).collect(),
            least: 0.0,
            possible: Calibration { factor: 1.0, summand: 0.0 },
        }
    }

    /// The weights that a guideline has, 0 for words that it does not know.
    fn weights(&self, guideline: &Guideline) -> Vec<f64> {
        let score = (guideline.of_score - 1.0) / f64::from(OF_SCORE);
        let features = guideline.of_features.iter().map(|weight| weight / f64::from(OF_FEATURES));
        let words = self.words.iter().zip(&guideline.words).flat_map(|(words, known)| {
            words.iter().flat_map(|word| {
                let [alone, next, previous] = found(known, word).copied().unwrap_or_default();
                [alone / OF_WORDS, next / OF_NEAR, previous / OF_NEAR].map(f64::from)
            })
        });
        let of_pair = |pair| found(&guideline.word_pairs, pair).map_or(0.0, |weight| f64::from(weight / OF_WORD_PAIRS));
        let all = std::iter::once(score).chain(features).chain(words);
        all.chain(self.word_pairs.iter().map(of_pair)).collect()
    }
}

/// What stands in enough pairs, in order.
fn frequent<T: Ord + Copy>(found: impl Iterator<Item = (T, usize)>) -> Vec<T> {
    // Of each the last pair that has it, and how many have.
    let mut counts: BTreeMap<T, (usize, usize)> = BTreeMap::new();
    for (what, pair) in found {
        let (last, number) = counts.entry(what).or_insert((pair, 1));
        if *last != pair {
            (*last, *number) = (pair, *number + 1);
        }
    }
    counts.into_iter().filter(|&(_, (_, number))| number >= LEAST_PAIRS).map(|(what, _)| what).collect()
}

impl Guideline {
    pub(super) fn of_cell(&self, cell: &Cell) -> f64 {
        self.moved(cell.decided, &cell.features, cell.spellings)
    }

    /// The same with log-odds that are those of sure links by the first map, and from there those of links at all by the other.
    fn calibrated(self, Calibration { factor, summand }: Calibration, possible: Calibration) -> Self {
        let mut of_features = self.of_features.map(|weight| factor * weight);
        of_features[0] += summand;
        let words = self.words.map(|words| {
            words.into_iter().map(|(word, weights)| (word, weights.map(|weight| factor as f32 * weight))).collect()
        });
        let word_pairs = self.word_pairs.into_iter().map(|(words, weight)| (words, factor as f32 * weight)).collect();
        let (of_score, least) = (factor * self.of_score, factor * self.least + summand);
        Self { of_score, of_features, words, word_pairs, least, possible, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_the_guideline() {
        let columns = Columns { words: [vec![3, 5], vec![4]], word_pairs: vec![[3, 4], [5, 4]] };
        let weights: Vec<f64> = (1..=columns.number()).map(|n| n as f64).collect();
        let guideline = columns.guideline(&weights);
        let found = columns.weights(&guideline);
        assert_eq!(found.len(), weights.len());
        for (found, weight) in found.iter().zip(&weights) {
            assert!((found - weight).abs() < 1e-6, "{found} {weight}");
        }
        let others = Columns { words: [vec![5, 6], vec![]], word_pairs: vec![[5, 4], [6, 4]] };
        let start = columns.start(0);
        let expected =
            [&weights[..start], &weights[start + 3..start + 6], &[0.0; 3], &weights[weights.len() - 1..], &[0.0]];
        let found = others.weights(&guideline);
        assert_eq!(found.len(), others.number());
        for (found, weight) in found.iter().zip(expected.concat()) {
            assert!((found - weight).abs() < 1e-6, "{found} {weight}");
        }
    }
}
