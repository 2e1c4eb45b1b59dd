//! BLEU by NLTK's rules, to the last bit.
//!
//! NLTK smooths fractions of whole numbers of any size, and rounds once, when it takes logarithms. So a [`Precision`] is
//! exact as long as the rule says so; numbers that need more than 128 bits are left to Python.

use pyo3::prelude::*;

use super::segments::{Sentences, no_reference, segments, with_sentences};

/// What corpora are reduced to.
#[derive(Default)]
struct Counts {
    matches: Vec<u64>,
    totals: Vec<u64>,
    hypothesis: u64,
    reference: u64,
    /// 5-grams of the last segment.
    fives: (u64, u64),
    /// Words of the last hypothesis.
    last: u64,
}

/// Counts n-grams of 1 to `order` tokens; a segment has at least one n-gram of each order, as NLTK has it.
fn count(
    list_of_references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
    order: usize,
    fives: bool,
) -> PyResult<Counts> {
    let mut counts = Counts { matches: vec![0; order], totals: vec![0; order], ..Counts::default() };
    with_sentences(|sentences| {
        for segment in segments(list_of_references, hypotheses)? {
            let (references, hypothesis) = segment?;
            sentences.read_segment(&references, &hypothesis)?;
            counts.add(sentences, fives)?;
        }
        Ok(counts)
    })
}

impl Counts {
    /// Adds a segment, which was read.
    fn add(&mut self, sentences: &mut Sentences, fives: bool) -> PyResult<()> {
        let order = self.matches.len();
        let mut references = sentences.iter();
        let Some(hypothesis) = references.next_back() else { return Ok(()) };
        let length = hypothesis.len();
        let closest = references.map(<[u32]>::len).min_by_key(|&other| (other.abs_diff(length), other));
        self.reference += closest.ok_or_else(no_reference)? as u64;
        self.hypothesis += length as u64;
        let counted = if fives { order.max(5) } else { order };
        let mut found = vec![0.0; counted];
        // Of more tokens than there are, there are no n-grams.
        sentences.matches(&mut found[..counted.min(length)]);
        let total = |n: usize| (length + 1).saturating_sub(n).max(1) as u64;
        for n in 1..=order {
            self.matches[n - 1] += found[n - 1] as u64;
            self.totals[n - 1] += total(n);
        }
        self.last = length as u64;
        if fives {
            self.fives = (found[4] as u64, total(5));
        }
        Ok(())
    }

    /// The logarithms of the smoothed precisions, where these are not 0; and the brevity penalty.
    fn smoothed(&self, rule: u8, parameter: f64) -> Option<(Vec<Option<f64>>, f64)> {
        let penalty = if self.hypothesis > self.reference {
            1.0
        } else {
            (1.0 - self.reference as f64 / self.hypothesis as f64).exp()
        };
        Some((smooth(self, rule, parameter)?, penalty))
    }

    /// The orders without matches.
    fn without(&self) -> Vec<usize> {
        (1..).zip(&self.matches).filter(|&(_, &matches)| matches == 0).map(|(n, _)| n).collect()
    }
}

/// The sum of logarithms with weights, as a score.
fn score(weights: &[f64], logarithms: &[Option<f64>], penalty: f64) -> f64 {
    let terms = weights.iter().zip(logarithms).filter_map(|(weight, &logarithm)| Some(weight * logarithm?));
    penalty * exact_sum(terms).exp()
}

/// Whether a rule looks at 5-grams, whatever the weights are.
fn needs_fives(rule: u8) -> bool {
    matches!(rule, 5 | 7 | 10)
}

/// What is made of one segment.
#[derive(IntoPyObject)]
pub(crate) enum Scored {
    Score(f64),
    /// With the orders that have no match, of which somebody should be told; without orders if no token matches.
    Warned(f64, Vec<usize>),
}

/// The score of one segment with the usual weights; nothing if Python has to compute it. So most calls are answered by
/// one object.
#[pyfunction]
pub(crate) fn sentence_bleu(
    references: &Bound<'_, PyAny>,
    hypothesis: &Bound<'_, PyAny>,
    rule: u8,
    parameter: f64,
) -> PyResult<Option<Scored>> {
    let mut counts = Counts { matches: vec![0; 4], totals: vec![0; 4], ..Counts::default() };
    with_sentences(|sentences| {
        sentences.read_segment(references, hypothesis)?;
        counts.add(sentences, needs_fives(rule))
    })?;
    if counts.matches[0] == 0 {
        return Ok(Some(Scored::Warned(0.0, Vec::new())));
    }
    let Some((logarithms, penalty)) = counts.smoothed(rule, parameter) else { return Ok(None) };
    let score = score(&[0.25; 4], &logarithms, penalty);
    if !score.is_finite() {
        return Ok(None);
    }
    if rule == 0 && counts.matches.contains(&0) {
        return Ok(Some(Scored::Warned(score, counts.without())));
    }
    Ok(Some(Scored::Score(score)))
}

/// Matches and n-grams of each order, and the lengths of hypotheses and closest references.
#[pyfunction]
pub(crate) fn bleu_counts(
    list_of_references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
    order: usize,
) -> PyResult<(Vec<u64>, Vec<u64>, u64, u64)> {
    let counts = count(list_of_references, hypotheses, order, false)?;
    Ok((counts.matches, counts.totals, counts.hypothesis, counts.reference))
}

/// Scores for lists of weights, and the orders without matches; no scores if no token matches, and nothing at all if
/// Python has to compute them. Of `rule`, 0 to 7 are NLTK's methods, and 8 to 10 the methods 2, 4 and 7 of NLTK 3.5; `parameter` is epsilon, k or
/// alpha.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 makes arguments by value")]
pub(crate) fn bleu(
    list_of_references: &Bound<'_, PyAny>,
    hypotheses: &Bound<'_, PyAny>,
    weights: Vec<Vec<f64>>,
    rule: u8,
    parameter: f64,
) -> PyResult<Option<(Vec<f64>, Vec<usize>)>> {
    let order = weights.iter().map(Vec::len).max().unwrap_or(0);
    let counts = count(list_of_references, hypotheses, order, needs_fives(rule))?;
    if counts.matches.first().is_none_or(|&matches| matches == 0) {
        return Ok(Some((Vec::new(), Vec::new())));
    }
    let Some((logarithms, penalty)) = counts.smoothed(rule, parameter) else { return Ok(None) };
    let scores: Vec<f64> = weights.iter().map(|weights| score(weights, &logarithms, penalty)).collect();
    if !scores.iter().all(|score| score.is_finite()) {
        return Ok(None);
    }
    Ok(Some((scores, counts.without())))
}

/// Logarithms of the smoothed precisions, where these are not 0.
fn smooth(counts: &Counts, rule: u8, parameter: f64) -> Option<Vec<Option<f64>>> {
    let plain = counts.matches.iter().zip(&counts.totals).map(|(&matches, &total)| Precision::of(matches, total));
    let mut precisions: Vec<Precision> = plain.collect();
    let zeros =
        counts.matches.iter().zip(&counts.totals).zip(&mut precisions).filter(|((matches, _), _)| **matches == 0);
    match rule {
        0 => zeros.for_each(|(_, precision)| *precision = Precision::Rounded(f64::MIN_POSITIVE)),
        1 => zeros.for_each(|((_, &total), precision)| *precision = Precision::Rounded(parameter / total as f64)),
        2 | 8 => {
            let first = usize::from(rule == 2);
            for (n, precision) in precisions.iter_mut().enumerate().skip(first) {
                *precision = Precision::of(counts.matches[n] + 1, counts.totals[n] + 1);
            }
        }
        3 => {
            for (power, ((_, &total), precision)) in (1..).zip(zeros) {
                *precision = Precision::Rounded(1.0 / (2f64.powi(power) * total as f64));
            }
        }
        4 | 7 if counts.hypothesis > 1 => {
            let logarithm = (counts.hypothesis as f64).ln();
            for (power, ((_, &total), precision)) in (1..).zip(zeros) {
                *precision = Precision::Rounded(1.0 / (2f64.powi(power) * parameter / logarithm) / total as f64);
            }
        }
        9 | 10 => {
            let nothing = counts.matches.iter().enumerate().filter(|&(_, &matches)| matches == 0);
            for (n, _) in nothing {
                // NLTK divides by the logarithm of 1.
                if counts.hypothesis == 1 {
                    return None;
                }
                let matches = n as f64 + parameter / (counts.hypothesis as f64).ln();
                precisions[n] = Precision::Rounded(matches / counts.totals[n] as f64);
            }
        }
        6 => extrapolate(&mut precisions, counts, parameter)?,
        _ => {}
    }
    if needs_fives(rule) {
        average(&mut precisions, counts.fives)?;
    }
    let logarithm = |precision: Precision| Some(precision.rounded()).filter(|&value| value > 0.0).map(f64::ln);
    Some(precisions.into_iter().map(logarithm).collect())
}

/// Method 5: the mean of the precision before, which is averaged already, the one at hand and the one behind.
fn average(precisions: &mut [Precision], fives: (u64, u64)) -> Option<()> {
    let mut before = precisions.first()?.plus(Precision::Exact(1, 1))?;
    for n in 0..precisions.len() {
        let behind = precisions.get(n + 1).copied().unwrap_or(Precision::of(fives.0, fives.1));
        before = before.plus(precisions[n])?.plus(behind)?.third()?;
        precisions[n] = before;
    }
    Some(())
}

/// Method 6: from the third order on, alpha n-grams more, of which as many match as the two orders before let expect.
fn extrapolate(precisions: &mut [Precision], counts: &Counts, alpha: f64) -> Option<()> {
    let alpha = alpha as u128;
    if *counts.matches.get(2)? == 0 {
        // NLTK refuses it.
        return None;
    }
    for n in 2..precisions.len() {
        let (Precision::Exact(a, b), Precision::Exact(c, d)) = (precisions[n - 1], precisions[n - 2]) else {
            return None;
        };
        // The prior is (a / b)^2 / (c / d).
        let above = a.checked_mul(a)?.checked_mul(d)?;
        let below = b.checked_mul(b)?.checked_mul(c)?;
        let total = u128::from(counts.last.saturating_sub(n as u64)) + alpha;
        let matches = u128::from(counts.matches[n]).checked_mul(below)?.checked_add(alpha.checked_mul(above)?)?;
        precisions[n] = Precision::Exact(matches, below.checked_mul(total)?).reduced()?;
    }
    Some(())
}

/// A number as Python has it: an exact fraction, or a float.
#[derive(Clone, Copy)]
enum Precision {
    Exact(u128, u128),
    Rounded(f64),
}

impl Precision {
    fn of(matches: u64, total: u64) -> Self {
        Self::Exact(matches.into(), total.into())
    }

    fn plus(self, other: Self) -> Option<Self> {
        if let (Self::Exact(a, b), Self::Exact(c, d)) = (self, other) {
            let above = a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?;
            return Some(Self::Exact(above, b.checked_mul(d)?));
        }
        Some(Self::Rounded(self.rounded() + other.rounded()))
    }

    fn third(self) -> Option<Self> {
        match self {
            Self::Exact(a, b) => Some(Self::Exact(a, b.checked_mul(3)?)),
            Self::Rounded(value) => Some(Self::Rounded(value / 3.0)),
        }
    }

    /// In lowest terms, if it is a large fraction, so that what is made of it still has 128 bits; nothing for a fraction of
    /// nothing.
    fn reduced(self) -> Option<Self> {
        let Self::Exact(a, b) = self else { return Some(self) };
        if b == 0 {
            return None;
        }
        let (mut divisor, mut rest) = (a, b);
        if b >> 32 == 0 {
            return Some(self);
        }
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        Some(Self::Exact(a / divisor, b / divisor))
    }

    /// The nearest float.
    fn rounded(self) -> f64 {
        match self {
            Self::Rounded(value) => value,
            Self::Exact(a, b) if a >> 53 == 0 && b >> 53 == 0 => a as f64 / b as f64,
            Self::Exact(a, b) => quotient(a, b),
        }
    }
}

/// The float that is nearest to the quotient: 62 bits, of which the last says whether something follows, are rounded at once.
fn quotient(above: u128, below: u128) -> f64 {
    let (mut quotient, mut rest) = (above / below, above % below);
    if above == 0 || quotient >> 62 != 0 || below >> 127 != 0 {
        return above as f64 / below as f64;
    }
    let mut places = 0;
    while quotient >> 61 == 0 {
        rest <<= 1;
        quotient = quotient << 1 | u128::from(rest >= below);
        rest -= if rest >= below { below } else { 0 };
        places += 1;
    }
    (quotient | u128::from(rest > 0)) as f64 * 0.5f64.powi(places)
}

/// The sum, rounded once (Shewchuk 1997, *Adaptive Precision Floating-Point Arithmetic*), as Python's `math.fsum`.
#[expect(clippy::float_cmp, reason = "whether a sum is exact")]
fn exact_sum(terms: impl Iterator<Item = f64>) -> f64 {
    // Numbers without common bits, the smallest first; their sum is that of the terms so far.
    let mut parts: Vec<f64> = Vec::with_capacity(8);
    for mut term in terms {
        let mut kept = 0;
        for index in 0..parts.len() {
            let mut part = parts[index];
            if term.abs() < part.abs() {
                std::mem::swap(&mut term, &mut part);
            }
            let sum = term + part;
            let lost = part - (sum - term);
            if lost != 0.0 {
                parts[kept] = lost;
                kept += 1;
            }
            term = sum;
        }
        parts.truncate(kept);
        parts.push(term);
    }
    let Some(mut sum) = parts.pop() else { return 0.0 };
    while let Some(part) = parts.pop() {
        let before = sum;
        sum = before + part;
        let lost = part - (sum - before);
        if lost != 0.0 {
            // Half a unit was rounded to even, but what follows says which side is right.
            if let Some(&next) = parts.last()
                && (lost < 0.0) == (next < 0.0)
                && next != 0.0
            {
                let twice = lost * 2.0;
                let other = sum + twice;
                if twice == other - sum {
                    sum = other;
                }
            }
            break;
        }
    }
    sum
}
