//! Back-off tables: counts of stem pairs, one table for each way of cutting stems (*level*).
//!
//! Rare word pairs share statistics with other word pairs of the same stems. C_l(se,sf) is the sum of counts and
//! pseudo-counts over the word pairs with stems se and sf at level l; S_l is the number of generated stems. To the
//! numerator of t(f|e), level l adds (see `maximization` for the whole estimate)
//!
//! ```text
//! mu_l g_l(f|e) = (C_l(se,sf) + kappa) · mu_l / T_l(se) · r_l(f)
//! T_l(se) = sum over sf of C_l(se,sf) + kappa S_l          r_l(f) = freq(f) / freq(sf)
//! ```
//!
//! `BackOff` holds the first factor by stem pair (once, if both directions count the same) and the second by
//! conditioning word; the third is in [`Stems`]. `Level` finds the number of a word pair's stem pair: by the id of the
//! word pair in training, by a search for the stems in a saved model.

use crate::bitext::{RankedBitext, Vocabulary};
use crate::error::Result;
use crate::lexicon::{PairIndex, StemCutter, StemPairList, StemPairs, Stems, stems_of};
use crate::model::config::BackOffLevel;
use crate::numeric::simd::prefetch;
use crate::storage::{Container, ContainerWriter, SectionStream};

/// One way of cutting stems, and the stems of a text under it.
#[derive(Debug, Clone)]
pub(in crate::model) struct Level {
    /// How stems are cut, and the pseudo-counts distributed by the table (mu).
    pub(in crate::model) cut: BackOffLevel,
    pub(in crate::model) source: Stems,
    pub(in crate::model) target: Stems,
    pairs: Pairs,
}

/// Where the stem pair of a pair of words is found.
#[derive(Debug, Clone)]
enum Pairs {
    /// Under the id of the pair of words: in training.
    Numbered(StemPairs),
    /// By the stems: in a model.
    Listed(StemPairList),
}

impl Level {
    /// Cuts the words of a text.
    pub(in crate::model) fn new(bitext: &RankedBitext, index: &PairIndex, cut: BackOffLevel) -> Self {
        let (source, target) = stems_of(bitext, cut.letters, cut.rule);
        let pairs = Pairs::Numbered(StemPairs::of(index, &source, &target));
        Self { cut, source, target, pairs }
    }

    /// Adds the stem pairs of an index to a file, under the number of the level.
    pub(in crate::model) fn store_pairs(&self, file: &mut ContainerWriter<'_>, n: usize, index: &PairIndex) {
        self.list(index).store(file, &format!("level{n}"));
    }

    /// The same, its stem pairs found by the stems: those of the pairs of words of an index.
    pub(in crate::model) fn listed(&self, index: &PairIndex) -> Self {
        let pairs = Pairs::Listed(self.list(index));
        Self { cut: self.cut, source: self.source.clone(), target: self.target.clone(), pairs }
    }

    fn list(&self, index: &PairIndex) -> StemPairList {
        match &self.pairs {
            Pairs::Numbered(pairs) => StemPairList::of(index, pairs, [&self.source, &self.target]),
            Pairs::Listed(pairs) => pairs.clone(),
        }
    }

    /// What the table of the `n`-th level in a file, of these words, says of the stem pairs of this one, those of an index: in memory for
    /// these. `kappa` is the count of stem pairs that are not there; if there is none, all are.
    ///
    /// # Errors
    /// `Model` if arrays are missing, contradict each other, or have not all of these pairs.
    pub(in crate::model) fn back_off_in(
        &self,
        file: &Container,
        n: usize,
        index: &PairIndex,
        lengths: [usize; 2],
        kappa: Option<f32>,
    ) -> Result<BackOff> {
        let stems = [&self.source, &self.target];
        let pairs = match &self.pairs {
            Pairs::Numbered(pairs) => pairs.stems(index, stems),
            Pairs::Listed(_) => Vec::new(),
        };
        let (name, lens) = (format!("level{n}"), stems.map(Stems::len));
        let (numbers, len) = StemPairList::numbers_in(file, &name, lens, &pairs, kappa.is_some())?;
        BackOff::load_some(file, n, (&numbers, len), lengths, kappa.unwrap_or_default())
    }

    /// The `n`-th level in a file, for words that are known.
    ///
    /// # Errors
    /// `Model` if arrays are missing.
    pub(in crate::model) fn load_pairs(
        file: &Container,
        n: usize,
        cut: BackOffLevel,
        words: &RankedBitext,
    ) -> Result<Self> {
        let (source, target) = stems_of(words, cut.letters, cut.rule);
        let pairs = StemPairList::load(file, &format!("level{n}"), [source.len(), target.len()])?;
        Ok(Self { cut, source, target, pairs: Pairs::Listed(pairs) })
    }

    /// The number of stem pairs.
    pub(in crate::model) fn len(&self) -> usize {
        match &self.pairs {
            Pairs::Numbered(pairs) => pairs.len(),
            Pairs::Listed(pairs) => pairs.len(),
        }
    }

    /// The stem pair of a pair of words, which has this id.
    #[inline(always)]
    pub(in crate::model) fn pair(&self, id: usize, [source, target]: [usize; 2]) -> u32 {
        match &self.pairs {
            Pairs::Numbered(pairs) => pairs.of_pair(id, source, self.target.of_word()[target]),
            Pairs::Listed(pairs) => {
                pairs.number(self.source.of_word()[source], self.target.of_word()[target]).unwrap_or(0)
            }
        }
    }

    /// The number of a pair of stems, if it is known; only in a model.
    #[inline]
    pub(in crate::model) fn number(&self, source: u32, target: u32) -> Option<u32> {
        match &self.pairs {
            Pairs::Numbered(_) => None,
            Pairs::Listed(pairs) => pairs.number(source, target),
        }
    }

    /// Has fetched what [`number`](Self::number) will read.
    #[inline]
    pub(in crate::model) fn prefetch_number(&self, source: u32, target: u32) {
        if let Pairs::Listed(pairs) = &self.pairs {
            pairs.prefetch(source, target);
        }
    }

    /// Has fetched what [`pair`](Self::pair) reads.
    #[inline(always)]
    pub(in crate::model) fn prefetch(&self, id: usize, [source, target]: [usize; 2]) {
        if let Pairs::Numbered(pairs) = &self.pairs {
            pairs.prefetch(id, source, self.target.of_word()[target]);
        }
    }

    /// Adds it to a file, with what its table says; given are the words of both sides.
    pub(in crate::model) fn store<'a>(
        &self,
        file: &mut ContainerWriter<'a>,
        n: usize,
        back_off: &'a BackOff,
        index: &PairIndex,
        words: [&Vocabulary; 2],
    ) {
        let BackOffLevel { letters, rule, .. } = self.cut;
        for (side, stems, words) in [("source", &self.source, words[0]), ("target", &self.target, words[1])] {
            let cutter = StemCutter::new(letters, rule, words.words());
            stems.store(file, &format!("level{n}.{side}"), words, &cutter);
        }
        self.store_pairs(file, n, index);
        back_off.store(file, n);
    }

    /// The `n`-th level in a file, its table, and the stems of both sides; given are the frequencies of the words.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or contradict each other.
    pub(in crate::model) fn load(
        file: &Container,
        n: usize,
        cut: BackOffLevel,
        frequencies: [&[u64]; 2],
    ) -> Result<(Self, BackOff, [Vocabulary; 2])> {
        let (source, source_stems) = Stems::load(file, &format!("level{n}.source"), frequencies[0])?;
        let (target, target_stems) = Stems::load(file, &format!("level{n}.target"), frequencies[1])?;
        let pairs = StemPairList::load(file, &format!("level{n}"), [source.len(), target.len()])?;
        let back_off = BackOff::load(file, n, pairs.len(), frequencies.map(<[u64]>::len))?;
        let level = Self { cut, source, target, pairs: Pairs::Listed(pairs) };
        Ok((level, back_off, [source_stems, target_stems]))
    }

    /// r(w) of the words generated in one direction, 0 for forward.
    #[inline(always)]
    pub(in crate::model) fn shares(&self, direction: usize) -> &[f32] {
        if direction == 0 { self.target.shares() } else { self.source.shares() }
    }
}

/// What the table of one level says after a pass.
#[derive(Debug, Clone)]
pub(in crate::model) struct BackOff {
    /// C + kappa by stem pair: forward and reverse, or once if they are the same.
    counts: Vec<f32>,
    /// How many counts a stem pair has.
    directions: usize,
    /// mu / (sum over sf of C(se,sf) + kappa S), by source word.
    by_source: Vec<f32>,
    /// mu / (sum over se of C(se,sf) + kappa S), by target word.
    by_target: Vec<f32>,
}

impl BackOff {
    /// Counts by stem pair, for each direction or for both; mu / T by source and by target word.
    pub(in crate::model) fn new<const DIRECTIONS: usize>(
        counts: Vec<[f32; DIRECTIONS]>,
        [by_source, by_target]: [Vec<f32>; 2],
    ) -> Self {
        Self { counts: counts.into_flattened(), directions: DIRECTIONS, by_source, by_target }
    }

    /// Adds it to a file, under the number of its level.
    pub(in crate::model) fn store<'a>(&'a self, file: &mut ContainerWriter<'a>, n: usize) {
        file.add(format!("level{n}.counts"), &self.counts);
        file.add(format!("level{n}.by_source"), &self.by_source);
        file.add(format!("level{n}.by_target"), &self.by_target);
    }

    /// The table of the `n`-th level in a file, of so many pairs of stems, and of so many source and target words.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or contradict each other.
    pub(in crate::model) fn load(
        file: &Container,
        n: usize,
        pairs: usize,
        [source, target]: [usize; 2],
    ) -> Result<Self> {
        let counts = file.section::<f32>(&format!("level{n}.counts"))?;
        let directions = directions_of(file, n, counts.len(), pairs)?;
        let [by_source, by_target] = denominators(file, n, [source, target])?;
        Ok(Self { counts, directions, by_source, by_target })
    }

    /// The same of some pairs of stems, with ascending numbers there, of so many; of those without a number, `kappa`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    fn load_some(
        file: &Container,
        n: usize,
        (numbers, pairs): (&[Option<u32>], usize),
        [source, target]: [usize; 2],
        kappa: f32,
    ) -> Result<Self> {
        let mut all = SectionStream::<f32>::open(file, &format!("level{n}.counts"))?;
        let directions = directions_of(file, n, all.len(), pairs)?;
        let mut counts = Vec::with_capacity(numbers.len() * directions);
        for number in numbers {
            for k in 0..directions {
                let count = number.map(|number| all.at(number as usize * directions + k)).transpose()?.flatten();
                counts.push(count.unwrap_or(kappa));
            }
        }
        all.finish()?;
        let [by_source, by_target] = denominators(file, n, [source, target])?;
        Ok(Self { counts, directions, by_source, by_target })
    }

    /// mu / T by conditioning word of a direction, 0 for forward.
    #[inline(always)]
    pub(in crate::model) fn by(&self, direction: usize) -> &[f32] {
        if direction == 0 { &self.by_source } else { &self.by_target }
    }

    /// C + kappa of a stem pair in one direction.
    #[inline(always)]
    pub(in crate::model) fn count(&self, pair: u32, direction: usize) -> f32 {
        self.counts[pair as usize * self.directions + direction.min(self.directions - 1)]
    }

    /// Has the counts of a stem pair fetched.
    #[inline(always)]
    pub(in crate::model) fn prefetch(&self, pair: u32) {
        prefetch(&self.counts, pair as usize * self.directions);
    }

    /// mu g of a pair of words, with this stem pair, in both directions.
    #[inline(always)]
    pub(in crate::model) fn of(&self, level: &Level, pair: u32, source: usize, target: usize) -> [f32; 2] {
        [
            self.count(pair, 0) * self.by_source[source] * level.target.shares()[target],
            self.count(pair, 1) * self.by_target[target] * level.source.shares()[source],
        ]
    }
}

/// How many counts a pair of stems has in a file, of so many counts for so many pairs.
fn directions_of(file: &Container, n: usize, counts: usize, pairs: usize) -> Result<usize> {
    let directions = if counts == pairs { 1 } else { 2 };
    if counts != directions * pairs {
        let found = format!("{counts} counts for {pairs} pairs of stems");
        return Err(file.error(format!("one or two counts for each pair in `level{n}`"), found));
    }
    Ok(directions)
}

/// mu / T of the `n`-th level in a file, by source and by target word.
fn denominators(file: &Container, n: usize, [source, target]: [usize; 2]) -> Result<[Vec<f32>; 2]> {
    let by = |side: &str, words: usize| file.section_of::<f32>(&format!("level{n}.by_{side}"), words);
    Ok([by("source", source)?, by("target", target)?])
}
