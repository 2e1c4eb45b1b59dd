//! What a saved model says of words and pairs of words that were not met in training.
//!
//! A pair that never occurred has no counts; what is left of its probability is the prior, and what the levels of stems
//! say (see [`maximization`](crate::model::em::maximization)):
//!
//! ```text
//! t(f|e) = [ pi + sum over l of mu_l (C_l(se,sf) + kappa) / T_l(se) r_l(f) ] / mass(e)
//! ```
//!
//! where C_l is 0 for stems that were never met together. Of a word that is not in the vocabulary, but its stem is, T_l
//! is that of the stem, and r_l(f) = 1 / (freq(sf) + 1), as if it had occurred once. A stem that is not known either has
//! T_l = kappa S and r_l = 1. The mass of a word that is not known is that of one without counts, alpha V plus the sum of
//! mu_l. So inflected forms are found by their stems, and names by their spelling.

use std::sync::Arc;

use crate::bitext::{Vocabulary, WordId};
use crate::lexicon::Probabilities;
use crate::lexicon::characters::LONGEST;
use crate::lexicon::similarity::Spelling;
use crate::model::config::LexicalPrior;
use crate::model::em::back_off::Level;
use crate::model::em::parameters::{Parameters, TRANSLATION_FLOOR};
use crate::model::em::tables::Tables;
use crate::model::pair::grid::Grid;
use crate::model::saved::frozen::{Frozen, FrozenLevel};
use crate::numeric::simd::prefetch;

/// Words that a model does not know. Their ids are those that follow the model's own.
#[derive(Debug, Default)]
pub(in crate::model) struct NewWords {
    sides: [Vec<NewWord>; 2],
}

#[derive(Debug)]
struct NewWord {
    /// For each level its stem, if the model knows that.
    stems: Vec<Option<u32>>,
    spelling: WordSpelling,
}

/// How a word is written. What similarity asks for lies in one place, since it is asked of words all over the vocabulary.
#[derive(Debug, Clone)]
struct WordSpelling {
    bigrams: Spelling,
    /// As the character model spells it: so many symbols, or none.
    symbols: [u16; LONGEST],
    length: u8,
    bytes: Vec<u8>,
}

impl WordSpelling {
    fn new(word: &[u8], spelled: &[u16]) -> Self {
        let mut symbols = [0; LONGEST];
        symbols.iter_mut().zip(spelled).for_each(|(symbol, &spelled)| *symbol = spelled);
        let length = spelled.len().min(LONGEST) as u8;
        Self { bigrams: Spelling::of(word), symbols, length, bytes: word.to_vec() }
    }

    fn symbols(&self) -> &[u16] {
        &self.symbols[..usize::from(self.length)]
    }

    /// Has fetched what [`Frozen::similarity`] reads.
    #[inline(always)]
    fn prefetch(&self) {
        prefetch(std::slice::from_ref(&self.bigrams), 0);
        prefetch(&self.symbols, LONGEST - 1);
    }
}

impl Frozen {
    /// The ids of the words of a vocabulary; those that are not known are added to `new`.
    pub(in crate::model) fn ids_of(&self, side: usize, vocabulary: &Vocabulary, new: &mut NewWords) -> Vec<WordId> {
        let known = &self.words[side];
        let new = &mut new.sides[side];
        let id = |word: &[u8]| {
            known.id(word).unwrap_or_else(|| {
                let stem = |level: &FrozenLevel| {
                    let stem = level.stems[side].id(&level.cutters[side].stem(word));
                    stem.map(|stem| stem.index() as u32)
                };
                let stems = self.levels.iter().map(stem).collect();
                new.push(NewWord { stems, spelling: self.spelling(side, word) });
                WordId::from_index(known.len() + new.len() - 1)
            })
        };
        vocabulary.words().map(id).collect()
    }

    fn spelling(&self, side: usize, word: &[u8]) -> WordSpelling {
        let spelled = self.characters.as_ref().map(|characters| characters.spell(side, word)).unwrap_or_default();
        WordSpelling::new(word, &spelled)
    }

    /// How similar a source and a target word are.
    fn similarity(&self, source: &WordSpelling, target: &WordSpelling) -> f32 {
        if source.bigrams == target.bigrams && source.bytes == target.bytes {
            return 1.0;
        }
        let alike = source.bigrams.similarity(&target.bigrams);
        let learned =
            self.characters.as_ref().and_then(|characters| characters.similarity(source.symbols(), target.symbols()));
        learned.map_or(alike, |learned| alike.max(learned))
    }
}

impl Probabilities for Vec<[f32; 2]> {
    #[inline(always)]
    fn probability(&self, id: u32) -> [f32; 2] {
        self.get(id as usize).copied().unwrap_or([TRANSLATION_FLOOR; 2])
    }

    #[inline(always)]
    fn prefetch(&self, id: u32) {
        prefetch(self, id as usize);
    }
}

/// Says how probable pairs are that were not met, one sentence pair after another in the same buffers.
#[derive(Debug, Clone)]
pub(in crate::model) struct UnmetPairs<'m> {
    frozen: &'m Frozen,
    levels: &'m [Level],
    parameters: &'m Parameters,
    prior: Option<&'m LexicalPrior>,
    /// alpha V + sum of mu, by conditioning side.
    new_mass: [f32; 2],
    new: Arc<NewWords>,
    /// How known words are written, once that was asked.
    spellings: [Vec<Option<Box<WordSpelling>>>; 2],
    /// What is known of the types of the current pair.
    sides: [Vec<TypeLevel>; 2],
    /// Whether a type is asked for.
    asked: [Vec<bool>; 2],
    /// Its cells that were not met, by types; for each of them how alike the words are, and its pairs of stems.
    cells: Vec<[u32; 2]>,
    alike: Vec<f32>,
    numbers: Vec<Option<u32>>,
}

/// What is known of a type at one level.
#[derive(Debug, Clone, Copy, Default)]
struct TypeLevel {
    stem: Option<u32>,
    /// mu / T, if it is the condition.
    by: f32,
    /// r, if it is generated.
    share: f32,
}

impl<'m> UnmetPairs<'m> {
    pub(in crate::model) fn new(frozen: &'m Frozen, tables: Tables<'m>) -> Self {
        let Tables { levels, parameters, config, .. } = tables;
        let prior = config.prior.as_ref();
        let generated = [1, 0].map(|side| frozen.words[side].len() as f32);
        let all_mu: f32 = levels.iter().map(|level| level.cut.weight).sum();
        let new_mass = generated.map(|words| prior.map_or(0.0, |prior| prior.pair) * words + all_mu);
        let spellings = frozen.words.each_ref().map(|words| vec![None; words.len()]);
        Self {
            frozen,
            levels,
            parameters,
            prior,
            new_mass,
            new: Arc::default(),
            spellings,
            sides: Default::default(),
            asked: Default::default(),
            cells: Vec::new(),
            alike: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// The probabilities of pairs that were met.
    #[inline(always)]
    pub(in crate::model) fn probabilities(&self) -> &'m Vec<[f32; 2]> {
        &self.frozen.probabilities
    }

    /// Takes the words of a text that are not known.
    pub(in crate::model) fn learn_words(&mut self, words: &Arc<NewWords>) {
        self.new = Arc::clone(words);
    }

    /// Replaces the weighted probabilities of the cells that have none of their own.
    #[inline(always)]
    pub(in crate::model) fn fill(&mut self, grid: &mut Grid, weights: [f32; 2]) {
        let Some(prior) = self.prior else { return };
        self.find_cells(grid, weights);
        if self.cells.is_empty() {
            return;
        }
        self.prepare([&grid.source.types, &grid.target.types], prior.stem_pair);
        self.find_stem_pairs(grid);
        for n in 0..self.cells.len() {
            let types = self.cells[n].map(|place| place as usize);
            let words = grid.words_of(self.cells[n]).map(|word| word as usize);
            let pi = prior.pair + prior.similarity * self.alike[n];
            let levels = self.levels.len();
            let numerators = self.numerators(types, &self.numbers[n * levels..][..levels], (pi, prior.stem_pair));
            let found = [0, 1].map(|side| (numerators[side] / self.mass(side, words[side])).max(TRANSLATION_FLOOR));
            grid.set(self.cells[n], [weights[0] * found[0], weights[1] * found[1]]);
        }
    }

    /// Lists the cells of types that were not met together.
    #[inline(always)]
    fn find_cells(&mut self, grid: &Grid, weights: [f32; 2]) {
        let floors = weights.map(|weight| weight * TRANSLATION_FLOOR);
        self.cells.clear();
        for (asked, side) in self.asked.iter_mut().zip([&grid.source, &grid.target]) {
            asked.clear();
            asked.resize(side.types.len(), false);
        }
        let [sources, targets] = &mut self.asked;
        for (s, reverse) in grid.reverse.chunks_exact(grid.target.stride()).enumerate() {
            let column = grid.forward[grid.source.first[s] as usize..].iter().step_by(grid.source.stride());
            for (t, (forward, &token)) in column.zip(&grid.target.first).enumerate() {
                if reverse[token as usize] <= floors[1] && *forward <= floors[0] {
                    self.cells.push([s as u32, t as u32]);
                    (sources[s], targets[t]) = (true, true);
                }
            }
        }
    }

    /// Finds the pairs of stems of all cells, and has what is known of them fetched; spellings are compared meanwhile.
    #[inline(always)]
    fn find_stem_pairs(&mut self, grid: &Grid) {
        let (mut alike, mut numbers) = (std::mem::take(&mut self.alike), std::mem::take(&mut self.numbers));
        let Self { levels, parameters, cells, sides, .. } = &*self;
        let stems = |[s, t]: [u32; 2], n: usize| {
            let place = |types: u32| types as usize * levels.len() + n;
            sides[0][place(s)].stem.zip(sides[1][place(t)].stem)
        };
        for &cell in cells {
            for (n, level) in levels.iter().enumerate() {
                if let Some((source, target)) = stems(cell, n) {
                    level.prefetch_number(source, target);
                }
            }
        }
        alike.clear();
        numbers.clear();
        for &cell in cells {
            for (n, (level, back_off)) in levels.iter().zip(&parameters.back_off).enumerate() {
                let number = stems(cell, n).and_then(|(source, target)| level.number(source, target));
                if let Some(number) = number {
                    back_off.prefetch(number);
                }
                numbers.push(number);
            }
            alike.push(self.similarity(grid.words_of(cell).map(|word| word as usize)));
        }
        (self.alike, self.numbers) = (alike, numbers);
    }

    /// Looks up what is known of all types that are asked for, at all levels, and how they are written.
    fn prepare(&mut self, sides: [&[u32]; 2], kappa: f32) {
        for (side, types) in sides.into_iter().enumerate() {
            for (place, &word) in types.iter().enumerate() {
                if self.asked[side][place] {
                    self.fetch_spelling(side, word as usize);
                }
            }
        }
        for (side, (types, found)) in sides.into_iter().zip(&mut self.sides).enumerate() {
            found.clear();
            let known = self.frozen.words[side].len();
            for (&word, asked) in types.iter().zip(&self.asked[side]) {
                if !asked {
                    found.resize(found.len() + self.levels.len(), TypeLevel::default());
                    continue;
                }
                let word = word as usize;
                for (n, (level, frozen)) in self.levels.iter().zip(&self.frozen.levels).enumerate() {
                    let stems = [&level.source, &level.target];
                    let back_off = &self.parameters.back_off[n];
                    found.push(if word < known {
                        let (stem, by) = (stems[side].of_word()[word], back_off.by(side)[word]);
                        TypeLevel { stem: Some(stem), by, share: stems[side].shares()[word] }
                    } else {
                        let stem = self.new.sides[side].get(word - known).and_then(|word| word.stems[n]);
                        let none = level.cut.weight / (kappa * stems[1 - side].len() as f32);
                        TypeLevel {
                            stem,
                            by: stem.map_or(none, |stem| frozen.by_stem[side][stem as usize]),
                            share: stem
                                .map_or(1.0, |stem| 1.0 / (stems[side].frequencies()[stem as usize] as f32 + 1.0)),
                        }
                    });
                }
            }
        }
    }

    /// The numerators of t(f|e) and t(e|f) of two types that were not met together, with these pairs of stems.
    #[inline(always)]
    fn numerators(&self, types: [usize; 2], numbers: &[Option<u32>], (pi, kappa): (f32, f32)) -> [f32; 2] {
        let mut numerators = [pi; 2];
        let levels = self.levels.len();
        for (n, (back_off, number)) in self.parameters.back_off.iter().zip(numbers).enumerate() {
            let [source, target] = [0, 1].map(|side| self.sides[side][types[side] * levels + n]);
            let count = |direction: usize| number.map_or(kappa, |number| back_off.count(number, direction));
            numerators[0] += count(0) * source.by * target.share;
            numerators[1] += count(1) * target.by * source.share;
        }
        numerators
    }

    /// The denominator for a conditioning word of one side.
    #[inline(always)]
    pub(in crate::model) fn mass(&self, side: usize, word: usize) -> f32 {
        self.parameters.direction(side).mass.get(word).copied().unwrap_or(self.new_mass[side])
    }

    /// Takes a whole text: the words of both sides, to be asked for by their places.
    pub(in crate::model) fn take_words(&mut self, words: [&[u32]; 2], new: &Arc<NewWords>) {
        self.learn_words(new);
        self.asked = words.map(|words| vec![true; words.len()]);
        self.prepare(words, self.prior.map_or(0.0, |prior| prior.stem_pair));
    }

    /// The numerators of t(f|e) and t(e|f) of two words, given by their places among those that were taken; `known` is
    /// what the lexicon has for them.
    pub(in crate::model) fn numerators_of(
        &mut self,
        types: [usize; 2],
        words: [usize; 2],
        known: [f32; 2],
    ) -> [f32; 2] {
        if known.iter().any(|&known| known > TRANSLATION_FLOOR) {
            return [0, 1].map(|side| known[side] * self.mass(side, words[side]));
        }
        let Some(prior) = self.prior else { return [TRANSLATION_FLOOR; 2] };
        let levels = self.levels.len();
        let stem = |side: usize, n: usize| self.sides[side][types[side] * levels + n].stem;
        let number = |(n, level): (usize, &Level)| stem(0, n).zip(stem(1, n)).and_then(|(s, t)| level.number(s, t));
        let numbers: Vec<Option<u32>> = self.levels.iter().enumerate().map(number).collect();
        let pi = prior.pair + prior.similarity * self.similarity(words);
        self.numerators(types, &numbers, (pi, prior.stem_pair))
    }

    /// Has fetched how a word is written, which is found out at the first time.
    #[inline(always)]
    fn fetch_spelling(&mut self, side: usize, word: usize) {
        if let Some(spelling @ None) = self.spellings[side].get_mut(word) {
            let bytes = self.frozen.words[side].word(WordId::from_index(word));
            *spelling = Some(Box::new(self.frozen.spelling(side, bytes)));
        }
        if let Some(spelling) = self.spelling(side, word) {
            spelling.prefetch();
        }
    }

    /// How a word is written, if it is new or that was found out.
    #[inline(always)]
    fn spelling(&self, side: usize, word: usize) -> Option<&WordSpelling> {
        match self.spellings[side].get(word) {
            Some(known) => known.as_deref(),
            None => self.new.sides[side].get(word - self.spellings[side].len()).map(|new| &new.spelling),
        }
    }

    /// How similar two words are, of which it was found out how they are written.
    #[inline(always)]
    fn similarity(&self, words: [usize; 2]) -> f32 {
        let spellings = self.spelling(0, words[0]).zip(self.spelling(1, words[1]));
        spellings.map_or(0.0, |(source, target)| self.frozen.similarity(source, target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::{Bitext, RankedBitext, Text};
    use crate::lexicon::from_units;
    use crate::model::{Aligner, AlignerConfig, Model, TextForm};
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    fn sample() -> RankedBitext {
        let sides = [
            include_str!("../../../../alinea-cli/sample/en-fr.en"),
            include_str!("../../../../alinea-cli/sample/en-fr.fr"),
        ];
        let [source, target] = sides.map(|lines| {
            let mut text = Text::default();
            for line in lines.to_lowercase().lines() {
                text.push_sentence(line.split(' ').map(str::as_bytes));
            }
            text
        });
        RankedBitext::new(Bitext::new(source, target).unwrap())
    }

    /// What a pair that was met has besides its counts is what it would have if it had not been met.
    #[test]
    fn pairs_without_their_counts_are_as_if_they_were_not_met() {
        let text = sample();
        for config in [AlignerConfig::agreement_loo(), AlignerConfig::agreement()] {
            let aligner = Aligner::train(&text, config, &Parallelism::serial(), &Silent).unwrap();
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("model");
            let mut bytes = Vec::new();
            aligner.save(&text, TextForm::default(), &mut bytes).unwrap();
            std::fs::write(&path, bytes).unwrap();
            let model = Model::open(&path).unwrap();

            let mut unmet = UnmetPairs::new(&model.frozen, model.tables());
            let words = [text.source_frequencies(), text.target_frequencies()]
                .map(|words| (0..words.len() as u32).collect::<Vec<_>>());
            unmet.take_words([&words[0], &words[1]], &Arc::default());
            let parameters = aligner.parameters();
            let table = &parameters.translation;
            assert!(table.spilled().is_empty());
            let mut pairs = 0;
            aligner.index().for_each_pair(aligner.index().rows(), |id, s, t| {
                let ours = unmet.numerators_of([s, t], [s, t], [TRANSLATION_FLOOR; 2]);
                let cell = &table.cells()[id];
                for (side, word) in [s, t].into_iter().enumerate() {
                    let counts = from_units(cell.units()[side]);
                    let all = f64::from(cell.probability[side]) * f64::from(parameters.direction(side).mass[word]);
                    let difference = (f64::from(ours[side]) - (all - counts)).abs();
                    assert!(difference < 1e-5 * (1.0 + all), "{difference} of {all} with {counts} counts");
                    pairs += 1;
                }
            });
            assert_eq!(pairs, 2 * aligner.index().len());
        }
    }
}
