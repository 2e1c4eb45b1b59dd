//! Where the next counterpart lies: the transition tables of the HMM.
//!
//! Three weight functions, written for states 1..I (the conditioning words): `s(d)` for the move from one real
//! position to the next real one, d = i - i'; `start(x)`, x = i - 1, for the first; `end(x)`, x = I - i, for the last.
//! Distances beyond [`LIMIT`] share the outermost bin. For a sentence of I states
//!
//! ```text
//! a(i|i')  = (1-m) s(i-i') / sum_k s(k-i')  + m/I
//! first(i) = (1-m) start(i-1) / sum_k start(k-1) + m/I
//! last(i)  = I [ (1-m) end(I-i) / sum_k end(I-k) + m/I ]     (1 without end factor)
//! ```
//!
//! The default model has a table s for each *class* of jumps, told by the [kinds](WordKind) of the word that is
//! generated and of the word before it: s(d) is drawn to s_all(d), what is estimated without regard to classes, as if
//! that many jumps more had been counted (Och and Ney 2003, section 2.1.1, condition jumps on learned word classes):
//!
//! ```text
//! s(d) = counts of the class(d) + strength s_all(d) / sum over d' of s_all(d')
//! ```
//!
//! The matrix `a` is never built: a row of it is a slice of `s`, scaled.

use crate::bitext::WordId;
use crate::error::Result;
use crate::lexicon::WordKind;
use crate::model::config::JumpConfig;
use crate::numeric::simd::{LANES, padded};
use crate::storage::{Container, ContainerWriter};

/// The largest distance with a bin of its own.
pub(in crate::model) const LIMIT: usize = 128;

const OFFSETS: usize = 2 * LIMIT + 1;

/// What no stored table reaches beyond.
const MOST_REACH: usize = 10_000;

/// The three weight functions; s once for each class of jumps.
#[derive(Debug, Clone)]
pub struct JumpTable {
    config: JumpConfig,
    /// By class, then distance.
    offsets: Vec<Vec<f32>>,
    start: Vec<f32>,
    end: Vec<f32>,
    /// `s(-reach) ..= s(reach)` with the outermost bins repeated, class by class, and the same mirrored; then room for
    /// whole vectors.
    extended: Vec<f32>,
    mirrored: Vec<f32>,
    reach: usize,
}

impl JumpTable {
    /// The table before training, for sentences of up to `longest` states.
    pub fn initial(config: JumpConfig, longest: usize) -> Self {
        let offset = |bin: usize| {
            let d = bin as f32 - LIMIT as f32;
            (-(d - 1.0).abs() / 2.0).exp() + 0.001
        };
        let edge = |x: usize| (-(x as f32) / 2.0).exp() + 0.01;
        let edges: Vec<f32> = (0..=LIMIT).map(edge).collect();
        let offsets: Vec<f32> = (0..OFFSETS).map(offset).collect();
        let mut table = Self {
            config,
            offsets: vec![offsets; config.classes()],
            start: edges.clone(),
            end: edges,
            extended: Vec::new(),
            mirrored: Vec::new(),
            reach: longest.max(1) - 1,
        };
        table.extend();
        table
    }

    /// Adds the weights to a file, under a name that others begin with.
    pub(in crate::model) fn store(&self, file: &mut ContainerWriter<'_>, name: &str) {
        file.add_owned(format!("{name}.offsets"), self.offsets.concat());
        file.add_owned(format!("{name}.start"), self.start.clone());
        file.add_owned(format!("{name}.end"), self.end.clone());
        file.add_owned(format!("{name}.reach"), vec![self.reach as u32]);
    }

    /// The table that was stored under a name.
    ///
    /// # Errors
    /// `Model` if weights are missing.
    pub(in crate::model) fn load(file: &Container, name: &str, config: JumpConfig) -> Result<Self> {
        let offsets = file.section_of::<f32>(&format!("{name}.offsets"), config.classes() * OFFSETS)?;
        let edge = |which: &str| -> Result<Vec<f32>> { file.section_of::<f32>(&format!("{name}.{which}"), LIMIT + 1) };
        let reach = file.section_of::<u32>(&format!("{name}.reach"), 1)?[0] as usize;
        let mut table = Self {
            config,
            offsets: offsets.chunks_exact(OFFSETS).map(<[f32]>::to_vec).collect(),
            start: edge("start")?,
            end: edge("end")?,
            extended: Vec::new(),
            mirrored: Vec::new(),
            // Longer sentences have it extended.
            reach: reach.min(MOST_REACH),
        };
        table.extend();
        Ok(table)
    }

    /// The table estimated from counts.
    #[must_use]
    pub fn estimated(&self, counts: &JumpCounts) -> Self {
        let pseudo_count = f64::from(self.config.pseudo_count);
        let edge = |counts: &[u128]| -> Vec<f32> { counts.iter().map(|&units| weight(units, pseudo_count)).collect() };
        let mut all = vec![0u128; OFFSETS];
        for counts in counts.offsets.chunks_exact(OFFSETS) {
            // Counts of a text are far below the limit; those of a file may be anything.
            all.iter_mut().zip(counts).for_each(|(all, units)| *all = all.saturating_add(*units));
        }
        let all = self.offset_weights(&all, pseudo_count);
        let offsets = match self.config.by_kind {
            None => vec![all],
            Some(strength) => {
                let share = strength / all.iter().sum::<f32>();
                let own = counts.offsets.chunks_exact(OFFSETS).map(|counts| self.offset_weights(counts, 0.0));
                let drawn = |own: Vec<f32>| own.iter().zip(&all).map(|(own, all)| own + share * all).collect();
                own.map(drawn).collect()
            }
        };
        let mut table = Self { offsets, start: edge(&counts.start), end: edge(&counts.end), ..self.clone() };
        table.extend();
        table
    }

    fn offset_weights(&self, counts: &[u128], pseudo_count: f64) -> Vec<f32> {
        let weights: Vec<f32> = counts.iter().map(|&units| (jump_count(units) + pseudo_count) as f32).collect();
        let weights = if self.config.window { windowed(&weights) } else { weights };
        weights.into_iter().map(|weight| weight.max(WEIGHT_FLOOR)).collect()
    }

    /// The same table for sentences of up to `longest` states.
    #[must_use]
    pub(in crate::model) fn reaching(&self, longest: usize) -> Self {
        let mut table = Self { reach: longest.max(1) - 1, ..self.clone() };
        table.extend();
        table
    }

    /// The weights of jumps without regard to the word that they lead to, a class for each kind of the word before, and no
    /// end factor: with these, a sentence cannot choose its jumps by its words.
    #[must_use]
    pub(in crate::model) fn to_any_word(&self) -> Self {
        let kinds = if self.config.by_kind.is_some() { WordKind::COUNT } else { 1 };
        let of_kind = |before: usize| -> Vec<f32> {
            let weight = |bin: usize| self.offsets.iter().skip(before).step_by(kinds).map(|offsets| offsets[bin]).sum();
            (0..OFFSETS).map(weight).collect()
        };
        let config = JumpConfig { end: false, ..self.config };
        let mut table = Self { config, offsets: (0..kinds).map(of_kind).collect(), ..self.clone() };
        table.extend();
        table
    }

    /// How many states a sentence may have.
    pub(in crate::model) fn longest(&self) -> usize {
        self.reach + 1
    }

    fn extend(&mut self) {
        let bin = |d: isize| (d + LIMIT as isize).clamp(0, OFFSETS as isize - 1) as usize;
        let reach = self.reach as isize;
        let slack = std::iter::repeat_n(0.0, LANES);
        let stretches = |sign: isize| {
            let stretch =
                move |offsets: &'_ Vec<f32>| -> Vec<f32> { (-reach..=reach).map(|d| offsets[bin(sign * d)]).collect() };
            self.offsets.iter().flat_map(stretch).chain(slack.clone()).collect()
        };
        (self.extended, self.mirrored) = (stretches(1), stretches(-1));
    }

    /// Where the stretch of a class has its s(0).
    #[inline(always)]
    pub(in crate::model) fn center(&self, class: u8) -> usize {
        usize::from(class) * (2 * self.reach + 1) + self.reach
    }

    /// `s` over stretches of offsets: from `center - from` on `s(i - from)` for i = 0, 1, …, the unscaled row of the matrix
    /// that leaves `from`.
    #[inline(always)]
    pub(in crate::model) fn extended(&self) -> &[f32] {
        &self.extended
    }

    /// `s` with the sign of the offset changed: from `center - to` on `s(to - i)` for i = 0, 1, …, the unscaled column of
    /// the matrix that arrives at `to`.
    #[inline(always)]
    pub(in crate::model) fn mirrored(&self) -> &[f32] {
        &self.mirrored
    }

    /// How many classes of jumps there are: 1, or one for each two [kinds](WordKind) of words.
    pub fn classes(&self) -> usize {
        self.offsets.len()
    }

    /// `s(d)` of a class: how likely a jump over `d` positions is, up to a factor.
    pub fn offset_weight(&self, class: usize, d: isize) -> f32 {
        self.offsets[class][(d + LIMIT as isize).clamp(0, OFFSETS as isize - 1) as usize]
    }

    /// `start(x)`: how likely the first jump goes to the position `x` words behind the first, up to a factor.
    pub fn start_weight(&self, x: usize) -> f32 {
        self.start[x.min(LIMIT)]
    }

    /// `end(x)`: how likely the last jump goes to the position `x` words before the last, up to a factor.
    pub fn end_weight(&self, x: usize) -> f32 {
        self.end[x.min(LIMIT)]
    }
}

/// The class of each jump of a sentence, by the word it generates: told by the kinds of that word and of the one before
/// it, or 0 for all. (The first word is no matter: it is reached without a jump.)
pub(in crate::model) fn jump_classes(generated: &[WordId], kinds: Option<&[WordKind]>, classes: &mut Vec<u8>) {
    classes.clear();
    let Some(kinds) = kinds else {
        classes.resize(generated.len(), 0);
        return;
    };
    let mut before = 0;
    classes.extend(generated.iter().map(|word| {
        let kind = kinds[word.index().min(kinds.len() - 1)] as u8;
        let class = kind * WordKind::COUNT as u8 + before;
        before = kind;
        class
    }));
}

/// Without pseudo-counts a jump that was never seen would have no weight, and a sentence perhaps no path.
const WEIGHT_FLOOR: f32 = 1e-7;

fn weight(units: u128, pseudo_count: f64) -> f32 {
    ((jump_count(units) + pseudo_count) as f32).max(WEIGHT_FLOOR)
}

/// The mean of the bins d-h..d+h, h = floor(|d|/4), cut at the ends of the table.
fn windowed(bins: &[f32]) -> Vec<f32> {
    let mean = |bin: usize| {
        let half = bin.abs_diff(LIMIT) / 4;
        let window = &bins[bin.saturating_sub(half)..(bin + half + 1).min(bins.len())];
        (window.iter().map(|&w| f64::from(w)).sum::<f64>() / window.len() as f64) as f32
    };
    (0..bins.len()).map(mean).collect()
}

/// The transitions of one sentence: scale factors, so that rows of the matrix are slices of the table. Vectors are
/// filled up with zeros to a multiple of the vector width.
#[derive(Debug, Clone, Default)]
pub(in crate::model) struct SentenceJumps {
    /// (1-m) / sum over k of s(k-i'), a padded row by i' for each class.
    scale: Vec<f32>,
    /// first(i).
    pub first: Vec<f32>,
    /// last(i).
    pub last: Vec<f32>,
    /// I.
    pub(in crate::model) states: usize,
    /// I filled up to whole vectors.
    pub(in crate::model) stride: usize,
    /// m/I.
    pub uniform: f32,
}

impl SentenceJumps {
    /// (1-m) / sum over k of s(k-i') for a class of jumps, by i'; padded.
    #[inline(always)]
    pub(in crate::model) fn scale(&self, class: u8) -> &[f32] {
        &self.scale[usize::from(class) * self.stride..][..self.stride]
    }

    /// Whether it was prepared.
    #[inline(always)]
    pub(in crate::model) fn is_empty(&self) -> bool {
        self.scale.is_empty()
    }

    /// Prepares for a sentence of `states` states.
    pub(in crate::model) fn prepare(&mut self, table: &JumpTable, states: usize) {
        let m = table.config.uniform;
        let stride = padded(states);
        (self.states, self.stride) = (states, stride);
        self.uniform = m / states as f32;
        self.scale.clear();
        for class in 0..table.classes() {
            // sum over k of s(k-i') for i' = 0: s(0) ..= s(I-1); each next i' gains one on the left, loses one on the right.
            let center = table.center(class as u8);
            let mut sum: f64 = table.extended[center..center + states].iter().map(|&w| f64::from(w)).sum();
            for state in 0..states {
                self.scale.push(((1.0 - f64::from(m)) / sum) as f32);
                if state + 1 < states {
                    sum += f64::from(table.extended[center - state - 1]);
                    sum -= f64::from(table.extended[center + states - 1 - state]);
                }
            }
            self.scale.resize((class + 1) * stride, 0.0);
        }
        let edge = |weights: &[f32], out: &mut Vec<f32>, factor: f32, reversed: bool| {
            let weight = |x: usize| weights[x.min(LIMIT)];
            let total: f64 = (0..states).map(|x| f64::from(weight(x))).sum();
            let scale = ((1.0 - f64::from(m)) / total) as f32;
            out.clear();
            out.extend((0..states).map(|i| {
                let x = if reversed { states - 1 - i } else { i };
                factor * (scale * weight(x) + m / states as f32)
            }));
            out.resize(stride, 0.0);
        };
        edge(&table.start, &mut self.first, 1.0, false);
        if table.config.end {
            edge(&table.end, &mut self.last, states as f32, true);
        } else {
            self.last.clear();
            self.last.resize(states, 1.0);
            self.last.resize(stride, 0.0);
        }
    }
}

/// Expected jumps, in fixed point so that sums do not depend on order.
///
/// There are few bins, so they are finer than counts of pairs of words, and wide: 64 bits would end at 2^32 jumps, which a
/// hundred and fifty million sentence pairs have of the jump to the next word. 128 bits end at 2^96.
#[derive(Debug, Clone)]
pub struct JumpCounts {
    /// By class, then distance.
    offsets: Vec<u128>,
    start: Vec<u128>,
    end: Vec<u128>,
}

impl JumpCounts {
    /// Nothing counted, in this many classes.
    pub fn new(classes: usize) -> Self {
        Self { offsets: vec![0; classes * OFFSETS], start: vec![0; LIMIT + 1], end: vec![0; LIMIT + 1] }
    }

    /// Adds what one sentence of I states expects: `offsets[d + I - 1]` for d = -(I-1)..=I-1, class by class,
    /// `start[i]` and `end[i]` by state; so many times.
    pub fn add(&mut self, offsets: &[f32], start: &[f32], end: &[f32], times: u32) {
        let times = u128::from(times);
        let stretch = 2 * start.len() - 1;
        let reach = start.len() as isize - 1;
        for (bins, counts) in self.offsets.chunks_exact_mut(OFFSETS).zip(offsets.chunks_exact(stretch)) {
            for (k, &count) in counts.iter().enumerate() {
                let bin = (k as isize - reach + LIMIT as isize).clamp(0, OFFSETS as isize - 1);
                bins[bin as usize] += times * jump_units(count);
            }
        }
        for (i, &count) in start.iter().enumerate() {
            self.start[i.min(LIMIT)] += times * jump_units(count);
        }
        for (i, &count) in end.iter().enumerate() {
            self.end[(end.len() - 1 - i).min(LIMIT)] += times * jump_units(count);
        }
    }

    /// Adds them to a file, each as its low and its high half.
    pub(in crate::model) fn store(&self, file: &mut ContainerWriter<'_>, name: &str) {
        let halves = |counts: &[u128]| counts.iter().map(|&units| [units as u64, (units >> 64) as u64]).collect();
        file.add_owned::<[u64; 2]>(format!("{name}.offsets"), halves(&self.offsets));
        file.add_owned::<[u64; 2]>(format!("{name}.start"), halves(&self.start));
        file.add_owned::<[u64; 2]>(format!("{name}.end"), halves(&self.end));
    }

    /// Those that were stored under a name.
    ///
    /// # Errors
    /// `Model` if arrays are missing, or have other lengths.
    pub(in crate::model) fn load(file: &Container, name: &str) -> Result<Self> {
        let offsets: Vec<[u64; 2]> = file.section(&format!("{name}.offsets"))?;
        if offsets.is_empty() || !offsets.len().is_multiple_of(OFFSETS) {
            return Err(file.error(format!("`{name}.offsets` by class"), format!("{} numbers", offsets.len())));
        }
        let joined = |counts: &[[u64; 2]]| -> Vec<u128> {
            counts.iter().map(|&[low, high]| u128::from(low) | u128::from(high) << 64).collect()
        };
        let edge = |edge: &str| file.section_of::<[u64; 2]>(&format!("{name}.{edge}"), LIMIT + 1);
        Ok(Self { offsets: joined(&offsets), start: joined(&edge("start")?), end: joined(&edge("end")?) })
    }

    /// Adds the counts of another thread.
    pub fn merge(&mut self, other: &Self) {
        let sum = |a: &mut [u128], b: &[u128]| a.iter_mut().zip(b).for_each(|(a, b)| *a = a.saturating_add(*b));
        sum(&mut self.offsets, &other.offsets);
        sum(&mut self.start, &other.start);
        sum(&mut self.end, &other.end);
    }

    /// The expected number of jumps of width `d` in a class.
    pub fn offset(&self, class: usize, d: isize) -> f64 {
        jump_count(self.offsets[class * OFFSETS + (d + LIMIT as isize).clamp(0, OFFSETS as isize - 1) as usize])
    }

    /// The expected number of first words at this distance from the sentence's start.
    pub fn start(&self, x: usize) -> f64 {
        jump_count(self.start[x.min(LIMIT)])
    }

    /// The expected number of last words at this distance from the sentence's end.
    pub fn end(&self, x: usize) -> f64 {
        jump_count(self.end[x.min(LIMIT)])
    }
}

/// Jumps are counted in units of 2^-32.
const UNIT: f64 = 4_294_967_296.0;

fn jump_units(count: f32) -> u128 {
    // One sentence has at most 65,535 jumps, which are 2^48 units.
    u128::from((f64::from(count) * UNIT + 0.5) as u64)
}

fn jump_count(units: u128) -> f64 {
    units as f64 / UNIT
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AlignerConfig;

    fn leaving(table: &JumpTable, class: u8, from: usize, states: usize) -> &[f32] {
        &table.extended()[table.center(class) - from..][..states]
    }

    #[test]
    fn jumps_beyond_64_bits_are_counted() {
        let mut counts = JumpCounts::new(1);
        let (offsets, edge) = ([0.0, 0.25, 0.75], [0.5, 0.5]);
        for _ in 0..3 {
            counts.add(&offsets, &edge, &edge, u32::MAX);
        }
        let mut twice = counts.clone();
        twice.merge(&counts);
        let times = 6.0 * f64::from(u32::MAX);
        for (found, share) in [(twice.offset(0, 0), 0.25), (twice.offset(0, 1), 0.75), (twice.start(1), 0.5)] {
            assert!((found - share * times).abs() < 1e-9 * times, "{found}");
        }
        let weights = JumpTable::initial(AlignerConfig::hmm().jumps, 2).estimated(&twice).offsets;
        assert!(weights[0].iter().all(|weight| weight.is_finite() && *weight > 0.0), "{weights:?}");
    }

    #[test]
    fn counts_that_no_text_has_leave_weights() {
        let config = AlignerConfig::default().jumps;
        let table = JumpTable::initial(config, 2);
        let mut counts = JumpCounts::new(config.classes());
        counts.offsets.fill(u128::MAX);
        let weights = table.estimated(&counts).offsets;
        assert!(weights.iter().flatten().all(|weight| weight.is_finite() && *weight > 0.0));
    }

    #[test]
    fn transitions_are_distributions() {
        for config in
            [AlignerConfig::agreement(), AlignerConfig::hmm(), AlignerConfig::default()].map(|config| config.jumps)
        {
            let table = JumpTable::initial(config, 300);
            for states in [1, 2, 7, 300] {
                let mut jumps = SentenceJumps::default();
                jumps.prepare(&table, states);
                let first: f32 = jumps.first.iter().sum();
                assert!((first - 1.0).abs() < 1e-4, "{first}");
                for (class, from) in
                    (0..table.classes() as u8).flat_map(|class| (0..states).map(move |from| (class, from)))
                {
                    let row = leaving(&table, class, from, states).iter();
                    let row: f32 = row.map(|s| jumps.scale(class)[from] * s + jumps.uniform).sum();
                    assert!((row - 1.0).abs() < 1e-4, "{row}");
                }
                for class in 0..table.classes() as u8 {
                    let arriving = table.mirrored()[table.center(class) - (states - 1)];
                    assert_eq!(leaving(&table, class, 0, states)[states - 1].to_bits(), arriving.to_bits());
                }
                let last: f32 = jumps.last.iter().sum();
                assert!((last / states as f32 - 1.0).abs() < 1e-4, "{last}");
            }
        }
    }

    #[test]
    fn distant_jumps_share_the_outermost_bin() {
        let mut counts = JumpCounts::new(1);
        let states = 200;
        let mut offsets = vec![0.0; 2 * states - 1];
        offsets[states - 1 + 150] = 0.25;
        offsets[states - 1 + 199] = 0.5;
        offsets[states - 1] = 1.0;
        let at = |place: usize, count: f32| -> Vec<f32> {
            (0..states).map(|i| if i == place { count } else { 0.0 }).collect()
        };
        counts.add(&offsets, &at(1, 0.5), &at(states - 2, 0.25), 1);
        assert!((counts.offset(0, 128) - 0.75).abs() < 1e-9);
        assert!((counts.offset(0, 0) - 1.0).abs() < 1e-9);
        assert!((counts.start(1) - 0.5).abs() < 1e-9);
        assert!((counts.end(1) - 0.25).abs() < 1e-9);
    }

    #[test]
    fn windows_widen_with_the_distance() {
        let mut bins = vec![0.0; OFFSETS];
        bins[LIMIT + 5] = 3.0;
        let smooth = windowed(&bins);
        // |d| = 3 has half width 0, 4..7 have 1: bins 4, 5 and 6 see the count, divided by 3.
        assert_eq!(&smooth[LIMIT + 3..LIMIT + 8], &[0.0, 1.0, 1.0, 1.0, 0.0]);
    }
}
