//! Models 3 to 5: the E step of a pass, over a sample of alignments for each sentence pair.
//!
//! ```text
//! P(f, a | e) = C(J - φ0, φ0) p1^φ0 p0^(J - 2 φ0)  prod_i φ_i! n(φ_i | e_i)  prod_j t(f_j | e_aj)  × order
//! ```
//!
//! Order is the product of d(j | a_j, I, J) in Model 3, and what `cepts` or `vacancies` compute in Models 4 and 5; the
//! factor φ_i! is there in all three. The sample comes from `search`, which starts from the best alignment of Model 2,
//! and each alignment counts by its share in the probability of the sample. Under Model 5 the search runs under Model
//! 4; alignments that are less probable than the best by a given factor are dropped, the others scored again.
//!
//! Tables are the caller's: a model is made of probabilities, [`Fertile::pass`] returns counts, and the M step is left
//! to the caller. Pairs are added up in the order of the text, so sums of floats are the same with any number of
//! threads.

use super::MIN_PROBABILITY;
use super::cepts::Cepts;
use super::expectation::{WordByWord, best_states};
use super::layout::{LayoutRow, RowKey};
use super::search::{Scored, Search};
use super::tables::{Displacements, FertilityRows, WordOrder, logarithms};
use super::text::{Lengths, PairedText};
use super::vacancies::vacancies;
use crate::error::{ErrorKind, Result};
use crate::parallel::Parallelism;
use crate::progress::{Observer, check};

/// The logarithm of what has no probability at all: below that of sentences of a thousand words, and not so far below that
/// what else there is to say of an alignment would be lost in rounding.
const IMPOSSIBLE: f64 = -1e5;

/// The logarithm of shares of a sample that change no count.
const NEGLIGIBLE: f64 = -600.0;

/// Model 3, 4 or 5 of a text.
///
/// ```
/// use alinea::model::textbook::{Fertile, FertilityRows, NumberedSide, PairedText, WordOrder};
/// use alinea::parallel::Parallelism;
/// use alinea::progress::Silent;
///
/// // Two words, and one that generates them.
/// let (mut words, mut conditions) = (NumberedSide::default(), NumberedSide::default());
/// [0, 1].into_iter().for_each(|word| words.push(word));
/// conditions.push(1);
/// words.end_sentence();
/// conditions.end_sentence();
/// let threads = Parallelism::serial();
/// let text = PairedText::new(words, conditions, &threads);
///
/// // t, a, n and d are 1 everywhere. Both words may come from the same, or one of them from the empty word.
/// let rows = FertilityRows::of(&text);
/// let ones = |len| vec![1.0; len];
/// let fertilities = ones(rows.places());
/// let order = WordOrder::Absolute(ones(4));
/// let model = Fertile::new(&text, ones(4), ones(4), rows.clone(), fertilities, 0.5, order);
/// let (counts, states) = model.pass(&text, &threads, &Silent)?;
/// // C(2, 0) p0^2 2! = 1/2, and C(1, 1) p1 1! = 1/2 for each of two.
/// let of_two = counts.fertilities[rows.row(1)][2];
/// assert!((of_two - 1.0 / 3.0).abs() < 1e-12);
/// assert_eq!(states, [1, 1]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Fertile {
    /// Model 2, by which the search starts; its translation table is that of this model.
    start: WordByWord,
    translation: Vec<f64>,
    rows: FertilityRows,
    fertilities: Vec<f64>,
    /// ln p1 and ln p0.
    null: [f64; 2],
    order: WordOrder,
    /// ln n!, by n.
    factorials: Vec<f64>,
    /// Where the cells of each generated word are, in the order of the text.
    cells: Vec<usize>,
    starts: Vec<u32>,
}

/// What a pass counts.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct FertileCounts {
    /// How often each word came from each, by cell of the text.
    pub translation: Vec<f64>,
    /// How often each conditioning word had each number of words, by place of the fertility rows.
    pub fertilities: Vec<f64>,
    /// How often a word was not accompanied by one of the empty word, and how often it was.
    pub null: [f64; 2],
    /// The order of words: by cell of the grids in Model 3, by place of the layout in Models 4 and 5, that of vacancies.
    pub order: Vec<f64>,
}

/// Alignments of a sentence pair with their logarithms, and the best that the search found.
#[derive(Debug)]
pub struct Sample {
    scored: Scored,
    best: Vec<u32>,
}

impl Sample {
    /// All alignments, a state for each word, with the logarithms of their probabilities; in Model 5 those of Model 4.
    pub fn alignments(&self) -> impl Iterator<Item = (&[u32], f64)> {
        self.scored.scores.iter().enumerate().map(|(n, &score)| (self.scored.path(n), score))
    }

    /// The best.
    pub fn best(&self) -> &[u32] {
        &self.best
    }
}

/// What one sentence pair adds.
struct PairCounts {
    pair: usize,
    best: Vec<u32>,
    /// Rows by word, columns by state.
    links: Vec<f64>,
    /// Rows by state, columns by number of words.
    fertilities: Vec<f64>,
    /// Places, and what is added there.
    order: Vec<(usize, f64)>,
}

/// Sums in a large table of which few places are touched.
#[derive(Default)]
struct Touched {
    sums: Vec<f64>,
    places: Vec<usize>,
}

impl Touched {
    fn add(&mut self, place: usize, value: f64) {
        if self.sums[place] == 0.0 {
            self.places.push(place);
        }
        self.sums[place] += value;
    }

    fn take(&mut self) -> Vec<(usize, f64)> {
        let Self { sums, places } = self;
        places.drain(..).map(|place| (place, std::mem::take(&mut sums[place]))).collect()
    }
}

impl Fertile {
    /// A model with these probabilities: t and a by cell of the text and of its grids, fertilities by place of their rows,
    /// and the probability that a word is accompanied by one of the empty word, from 0 to 1. None counts as less than
    /// [`MIN_PROBABILITY`]. What is not a number is missing, which is an error if the search needs it.
    ///
    /// # Panics
    /// If tables are not of this text.
    pub fn new(
        text: &PairedText,
        translation: Vec<f64>,
        positions: Vec<f64>,
        rows: FertilityRows,
        fertilities: Vec<f64>,
        p1: f64,
        order: WordOrder,
    ) -> Self {
        let cells = cells_in_order(text);
        let longest = text.grids().iter().map(|(lengths, _)| lengths.words).max().unwrap_or(0);
        let factorials: Vec<f64> = std::iter::once(0.0)
            .chain((1..=longest + 1).scan(0.0, |sum, n| {
                *sum += (n as f64).ln();
                Some(*sum)
            }))
            .collect();
        let mut fertilities = logarithms(fertilities);
        for condition in 0..rows.len() as u32 {
            fertilities[rows.row(condition)].iter_mut().zip(&factorials).for_each(|(value, ways)| *value += ways);
        }
        let order = match order {
            WordOrder::Absolute(probabilities) => WordOrder::Absolute(logarithms(probabilities)),
            other => other,
        };
        let start = WordByWord { translation, positions: Some(positions) };
        let starts = best_states(text, &start.translation, start.positions.as_deref(), &Parallelism::serial());
        let translation = logarithms(start.translation.clone());
        let null = [p1, 1.0 - p1].map(|probability| probability.max(MIN_PROBABILITY).ln());
        Self { start, translation, rows, fertilities, null, order, factorials, cells, starts }
    }

    /// The sample of one sentence pair.
    ///
    /// # Errors
    /// `Inconsistent` if the search needs a probability that is missing.
    pub fn sample(&self, text: &PairedText, pair: usize) -> Result<Sample> {
        let (scored, best) = self.search(text, pair).sample(&self.starts[text.words().range(pair)])?;
        Ok(Sample { scored, best })
    }

    /// A pass of training: what the samples of all pairs count, each alignment by its share in the probability of its
    /// sample; and the best alignments that were found, a state for each word of the text.
    ///
    /// # Errors
    /// As [`sample`](Self::sample); `Cancelled` if the observer wants it to end.
    pub fn pass(
        &self,
        text: &PairedText,
        parallelism: &Parallelism,
        observer: &dyn Observer,
    ) -> Result<(FertileCounts, Vec<u32>)> {
        let places = match &self.order {
            WordOrder::Absolute(_) => text.grid_cells(),
            WordOrder::Relative(table) | WordOrder::Vacancies(_, table, _) => table.layout.values(),
        };
        let mut counts = FertileCounts {
            translation: vec![0.0; self.translation.len()],
            fertilities: vec![0.0; self.rows.places()],
            null: [0.0; 2],
            order: vec![0.0; places],
        };
        let mut states = vec![0; text.occurrences.len()];
        parallelism.map_ordered(
            text.len(),
            || Touched { sums: vec![0.0; places], places: Vec::new() },
            |touched, pair| {
                check(observer)?;
                self.count(text, pair, touched)
            },
            |found| {
                states[text.words().range(found.pair)].copy_from_slice(&found.best);
                self.add(text, &mut counts, &found);
                Ok(())
            },
        )?;
        Ok((counts, states))
    }

    /// Counts a pair.
    fn count(&self, text: &PairedText, pair: usize, touched: &mut Touched) -> Result<PairCounts> {
        let mut search = self.search(text, pair);
        let (mut scored, best) = search.sample(&self.starts[text.words().range(pair)])?;
        let (kept, most) = self.keep(text, pair, &mut search, &mut scored)?;
        let whole: f64 = kept.iter().map(|&n| (scored.scores[n] - most).exp()).sum();
        let Lengths { words, .. } = text.grids.of_pair(pair).0;
        let states = search.words_of().len();
        let mut counted = PairCounts {
            pair,
            best,
            links: vec![0.0; words * states],
            fertilities: vec![0.0; states * (words + 1)],
            order: Vec::new(),
        };
        let rows = match &self.order {
            WordOrder::Vacancies(_, table, _) => vacancy_rows(table, text.words().sentence(pair)),
            WordOrder::Absolute(_) | WordOrder::Relative(_) => Vec::new(),
        };
        let mut numbers = vec![0; states];
        for n in kept {
            let share = (scored.scores[n] - most).exp() / whole;
            numbers.fill(0);
            for (word, &state) in scored.path(n).iter().enumerate() {
                counted.links[word * states + state as usize] += share;
                numbers[state as usize] += 1;
            }
            for (state, number) in numbers.iter().enumerate() {
                counted.fertilities[state * (words + 1) + number] += share;
            }
            if let WordOrder::Absolute(_) = self.order {
                continue;
            }
            search.put(scored.path(n));
            if let WordOrder::Vacancies(..) = self.order {
                vacancies(search.words_of(), &rows, |place| touched.add(place, share));
            } else if let Some(cepts) = &search.cepts {
                cepts.visit_all(search.words_of(), |place| touched.add(place, share));
            }
        }
        counted.order = touched.take();
        Ok(counted)
    }

    /// The alignments of a sample that change counts, with their final scores, and the best of these.
    fn keep(
        &self,
        text: &PairedText,
        pair: usize,
        search: &mut Search<'_>,
        scored: &mut Scored,
    ) -> Result<(Vec<usize>, f64)> {
        let mut kept: Vec<usize> = (0..scored.scores.len()).collect();
        let mut most = greatest(scored, &kept);
        if let WordOrder::Vacancies(_, table, share) = &self.order {
            kept.retain(|&n| scored.scores[n] > most + share.ln());
            let rows = vacancy_rows(table, text.words().sentence(pair));
            for &n in &kept {
                search.put(scored.path(n));
                let mut score = search.score_without_order();
                vacancies(search.words_of(), &rows, |place| score += table.logarithms[place]);
                if score.is_nan() {
                    let problem = "the tables lack a probability of vacancies that an alignment needs";
                    return Err(ErrorKind::Inconsistent(problem.to_owned()).into());
                }
                scored.scores[n] = score;
            }
            most = greatest(scored, &kept);
        }
        kept.retain(|&n| scored.scores[n] - most > NEGLIGIBLE);
        Ok((kept, most))
    }

    /// Adds what a pair has counted.
    fn add(&self, text: &PairedText, counts: &mut FertileCounts, found: &PairCounts) {
        let (Lengths { words, .. }, grid) = text.grids.of_pair(found.pair);
        let conditions = text.conditions().sentence(found.pair);
        let states = conditions.len() + 1;
        for (place, row) in found.links.chunks_exact(states).enumerate() {
            let token = text.words().range(found.pair).start + place;
            let start = text.row(text.words().sentence(found.pair)[place]).start;
            for (cell, share) in text.cells()[self.cells[token]..][..states].iter().zip(row) {
                counts.translation[start + *cell as usize] += share;
            }
        }
        for (condition, row) in std::iter::once(&0).chain(conditions).zip(found.fertilities.chunks_exact(words + 1)) {
            for (sum, share) in counts.fertilities[self.rows.row(*condition)].iter_mut().zip(row) {
                *sum += share;
            }
        }
        for (fertility, share) in found.fertilities[..=words].iter().enumerate() {
            counts.null[0] += words.saturating_sub(2 * fertility) as f64 * share;
            counts.null[1] += fertility as f64 * share;
        }
        if let WordOrder::Absolute(_) = self.order {
            counts.order[grid..grid + found.links.len()].iter_mut().zip(&found.links).for_each(|(sum, x)| *sum += x);
        }
        for &(place, share) in &found.order {
            counts.order[place] += share;
        }
    }

    /// What the model says of a pair.
    fn search<'m>(&'m self, text: &PairedText, pair: usize) -> Search<'m> {
        let (lengths, grid) = text.grids.of_pair(pair);
        let Lengths { words, .. } = lengths;
        let (sentence, conditions) = (text.words().sentence(pair), text.conditions().sentence(pair));
        let mut links = Vec::with_capacity(lengths.cells());
        for (token, &word) in text.words().range(pair).zip(sentence) {
            let row = &self.translation[text.row(word)];
            links.extend(text.cells()[self.cells[token]..][..lengths.states()].iter().map(|&cell| row[cell as usize]));
        }
        if let WordOrder::Absolute(places) = &self.order {
            links.iter_mut().zip(&places[grid..]).for_each(|(link, place)| *link += place);
        }
        let mut fertilities: Vec<f64> = (0..words + 2).map(|fertility| self.null(words, fertility)).collect();
        for &condition in conditions {
            fertilities.extend_from_slice(&self.fertilities[self.rows.row(condition)][..=words]);
            fertilities.push(IMPOSSIBLE);
        }
        let cepts = match &self.order {
            WordOrder::Absolute(_) => None,
            WordOrder::Relative(table) | WordOrder::Vacancies(table, ..) => {
                Some(Cepts::new(table, conditions, sentence))
            }
        };
        Search::new(links, fertilities, cepts, lengths.states())
    }

    /// ln C(J - φ, φ) p1^φ p0^(J - 2φ).
    fn null(&self, words: usize, fertility: usize) -> f64 {
        if 2 * fertility > words {
            return IMPOSSIBLE;
        }
        let [ln_p1, ln_p0] = self.null;
        let others = words - fertility;
        let ways = self.factorials[others] - self.factorials[fertility] - self.factorials[others - fertility];
        ways + fertility as f64 * ln_p1 + (others - fertility) as f64 * ln_p0
    }

    /// Model 2 as it was given.
    pub fn start(&self) -> &WordByWord {
        &self.start
    }
}

/// The rows of vacancies of words: of heads, and of others.
fn vacancy_rows(table: &Displacements, words: &[u32]) -> Vec<[LayoutRow; 2]> {
    let row = |head_after, word: u32| {
        let class = table.classes.words[word as usize];
        table.layout.row(RowKey { head_after, class })
    };
    words.iter().map(|&word| [row(Some(0), word), row(None, word)]).collect()
}

fn greatest(scored: &Scored, kept: &[usize]) -> f64 {
    kept.iter().map(|&n| scored.scores[n]).fold(f64::NEG_INFINITY, f64::max)
}

/// Where the cells of each generated word begin, in the order of the text.
fn cells_in_order(text: &PairedText) -> Vec<usize> {
    let mut starts = vec![0; text.occurrences.len()];
    let mut start = 0;
    for occurrence in &text.occurrences {
        starts[text.words().range(occurrence.pair as usize).start + occurrence.place as usize] = start;
        start += occurrence.states as usize;
    }
    starts
}
