//! Long sentence pairs in stretches.
//!
//! What a model does with a pair of I and J words takes I·J·(I + J) steps and I·J cells, which is nothing for a sentence
//! and too much for a chapter. So a pair with more than [`LONGEST_WHOLE`] words on a side is *cut* into stretches that follow
//! each other on both sides, none of them longer than [`STRETCH`] where the shorter side has words enough; each is then
//! trained on and aligned like a sentence pair of its own, and no link leads from one to another.
//!
//! Where to cut depends on nothing but the words of the pair, so training, a saved model and parts of a text that are
//! counted apart all cut alike. Words that look the same on both sides (names, numbers, punctuation) are *anchors*. A
//! path through the grid of both sentences (Needleman and Wunsch 1970) gains ln(I J / (n m)) where it meets an anchor, n
//! and m the numbers of its occurrences, so as much as the meeting is improbable by chance; it pays for each step along
//! one side alone, and for its distance d from the diagonal d²/(2 v I), v = 1.4 max(I, J)/4 the variance of that
//! distance in the middle of a text whose lengths vary as those of Gale and Church (1993) do. Cuts lie on the path,
//! preferably behind the end of a sentence, then behind other anchors.
//!
//! Time O(I·b) for a pair, b = 20 √max(I, J) + 64 the width of the band around the diagonal that is looked at.

use std::collections::BTreeMap;

use super::{Bitext, Vocabulary, WordId};

/// Pairs are cut if a side has more words.
pub const LONGEST_WHOLE: usize = 256;

/// How many words a side of a stretch has at most, unless the other side has no words for more stretches.
const STRETCH: usize = 192;

/// The cells that a band has at most; it is narrower in pairs of hundreds of thousands of words.
const MOST_CELLS: usize = 1 << 28;

/// What a step along one side costs.
const GAP: f32 = 0.7;

/// What cuts cost: each of them, and more where they are not behind the end of a sentence, but behind a comma, behind
/// another anchor, or elsewhere.
const CUT: f32 = 6.0;
const BEHIND_COMMA: f32 = 3.0;
const BEHIND_ANCHOR: f32 = 5.0;
const ANYWHERE: f32 = 9.0;

/// Where the long pairs of a text are cut.
#[derive(Debug, Clone, Default)]
pub struct Cuts {
    /// Number of the pair, how many stretches all those before it have more than pairs, and where its points end.
    pairs: Vec<(usize, usize, usize)>,
    /// Where stretches end on both sides, pair by pair, the ends of the pair left out.
    points: Vec<[u32; 2]>,
}

impl Cuts {
    /// Those of a text.
    pub fn of(bitext: &Bitext) -> Self {
        let mut cuts = Self::default();
        let vocabularies = [bitext.source.vocabulary(), bitext.target.vocabulary()];
        for (n, pair) in bitext.pairs().enumerate() {
            if pair.source.len().max(pair.target.len()) <= LONGEST_WHOLE {
                continue;
            }
            let before = cuts.points.len();
            cuts.points.extend(points([pair.source, pair.target], vocabularies));
            if cuts.points.len() > before {
                cuts.pairs.push((n, before, cuts.points.len()));
            }
        }
        cuts
    }

    /// How many pairs are cut.
    pub fn number(&self) -> usize {
        self.pairs.len()
    }

    /// How many of those before the `n`-th pair are cut.
    #[inline]
    pub(crate) fn before(&self, n: usize) -> usize {
        self.pairs.partition_point(|&(pair, ..)| pair < n)
    }

    /// Where the `n`-th pair is cut.
    #[inline]
    pub fn of_pair(&self, n: usize) -> &[[u32; 2]] {
        match self.pairs.binary_search_by_key(&n, |&(pair, ..)| pair) {
            Ok(place) => &self.points[self.pairs[place].1..self.pairs[place].2],
            Err(_) => &[],
        }
    }

    /// The number of the first stretch of the `n`-th pair among those of all pairs; a pair that is not cut is one.
    #[inline]
    pub fn first_of(&self, n: usize) -> usize {
        n + self.before(n).checked_sub(1).map_or(0, |last| self.pairs[last].2)
    }
}

/// What of a word makes it an anchor: itself, or what kind of punctuation it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Look<'w> {
    End,
    Comma,
    Word(&'w [u8]),
}

impl<'w> Look<'w> {
    fn of(word: &'w [u8]) -> Self {
        match std::str::from_utf8(word).unwrap_or_default() {
            "." | "!" | "?" | "..." | "…" | "。" | "．" | "！" | "？" | "؟" | "۔" | "।" => Self::End,
            "," | ";" | ":" | "、" | "，" | "；" | "：" | "،" | "؛" => Self::Comma,
            _ => Self::Word(word),
        }
    }
}

/// Where a pair is cut.
fn points(sides: [&[WordId]; 2], vocabularies: [&Vocabulary; 2]) -> Vec<[u32; 2]> {
    let lengths = sides.map(<[WordId]>::len);
    let shorter = lengths[0].min(lengths[1]);
    if shorter < 2 {
        return Vec::new();
    }
    let longer = lengths[0].max(lengths[1]);
    if shorter * STRETCH <= longer {
        // There is nothing to choose by: as many stretches as there are words.
        return (1..shorter).map(|k| lengths.map(|length| (k * length / shorter) as u32)).collect();
    }
    let grid = Grid::of(sides, vocabularies);
    choose(&grid.path(), lengths)
}

/// The anchors of a pair.
struct Grid {
    lengths: [usize; 2],
    /// By word the number of its look; looks that one side alone has share the last.
    looks: [Vec<u32>; 2],
    /// By look what it gains to meet it.
    gains: Vec<f32>,
    /// The looks of the ends of sentences and of commas, if both sides have them.
    end: Option<u32>,
    comma: Option<u32>,
}

impl Grid {
    fn of(sides: [&[WordId]; 2], vocabularies: [&Vocabulary; 2]) -> Self {
        let mut counts: BTreeMap<Look<'_>, [usize; 2]> = BTreeMap::new();
        let look = |side: usize, word: WordId| Look::of(vocabularies[side].word(word));
        for side in [0, 1] {
            sides[side].iter().for_each(|&word| counts.entry(look(side, word)).or_default()[side] += 1);
        }
        counts.retain(|_, [source, target]| *source > 0 && *target > 0);
        let lengths = sides.map(<[WordId]>::len);
        let cells = (lengths[0] * lengths[1]) as f64;
        let gain = |&[source, target]: &[usize; 2]| improbability(cells / (source * target) as f64);
        let gains = counts.values().map(gain).collect();
        let numbers: BTreeMap<Look<'_>, u32> = counts.keys().copied().zip(0..).collect();
        let number = |side: usize, &word: &WordId| numbers.get(&look(side, word)).copied().unwrap_or(u32::MAX);
        let looks = [0, 1].map(|side| sides[side].iter().map(|word| number(side, word)).collect());
        let [end, comma] = [Look::End, Look::Comma].map(|look| numbers.get(&look).copied());
        Self { lengths, looks, gains, end, comma }
    }

    /// Whether two words meet as an anchor, and its look.
    fn anchor(&self, s: usize, t: usize) -> Option<u32> {
        let look = self.looks[0][s];
        (look != u32::MAX && look == self.looks[1][t]).then_some(look)
    }

    /// The corners of the best path from one end of both sides to the other, and what a cut there costs.
    fn path(&self) -> Vec<Corner> {
        let [sources, targets] = self.lengths;
        let longer = sources.max(targets);
        let half = (10 * longer.isqrt() + 32).min(MOST_CELLS / (2 * sources)).max(targets / sources + 1);
        let width = (2 * half + 1).min(targets + 1);
        let center = |s: usize| s * targets / sources;
        let first = |s: usize| center(s).saturating_sub(half).min(targets + 1 - width);
        let toll = 1.0 / (0.7 * longer as f32 * sources as f32);
        let mut ways = vec![Way::Both; (sources + 1) * width];
        let (mut before, mut row) = (vec![f32::NEG_INFINITY; width], vec![f32::NEG_INFINITY; width]);
        for s in 0..=sources {
            for (k, t) in (first(s)..first(s) + width).enumerate() {
                let (mut best, mut way) = (f32::NEG_INFINITY, Way::Both);
                let above = |t: usize| t.checked_sub(first(s - 1)).and_then(|k| before.get(k)).copied();
                if s == 0 && t == 0 {
                    best = 0.0;
                }
                if s > 0
                    && t > 0
                    && let Some(score) = above(t - 1)
                {
                    best = score + self.anchor(s - 1, t - 1).map_or(0.0, |look| self.gains[look as usize]);
                }
                if s > 0
                    && let Some(score) = above(t).map(|score| score - GAP)
                    && score > best
                {
                    (best, way) = (score, Way::Source);
                }
                if k > 0 && row[k - 1] - GAP > best {
                    (best, way) = (row[k - 1] - GAP, Way::Target);
                }
                let distance = t.abs_diff(center(s)) as f32;
                row[k] = best - toll * distance * distance;
                ways[s * width + k] = way;
            }
            std::mem::swap(&mut before, &mut row);
        }
        let mut corners = Vec::with_capacity(sources + targets);
        let (mut s, mut t) = (sources, targets);
        while s > 0 || t > 0 {
            let way = match (s, t) {
                (0, _) => Way::Target,
                (_, 0) => Way::Source,
                _ => ways[s * width + t - first(s)],
            };
            corners.push(Corner { at: [s, t], cost: self.cost(way, [s, t]) });
            s -= usize::from(way != Way::Target);
            t -= usize::from(way != Way::Source);
        }
        corners.reverse();
        corners
    }

    /// What a cut costs where the path has come this way.
    fn cost(&self, way: Way, [s, t]: [usize; 2]) -> f32 {
        let anchor = (way == Way::Both).then(|| self.anchor(s - 1, t - 1)).flatten();
        let more = match anchor {
            Some(_) if anchor == self.end => 0.0,
            Some(_) if anchor == self.comma => BEHIND_COMMA,
            Some(_) => BEHIND_ANCHOR,
            None => ANYWHERE,
        };
        CUT + more
    }
}

/// How a path comes to a corner: along both sides, or along one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Both,
    Source,
    Target,
}

/// A corner of the path behind so many words of both sides.
#[derive(Debug, Clone, Copy)]
struct Corner {
    at: [usize; 2],
    cost: f32,
}

/// ln of a number from 1 on, to a few percent: between powers of two it is a straight line.
fn improbability(odds: f64) -> f32 {
    let odds = odds.max(1.0) as u64;
    let power = odds.ilog2();
    let rest = odds as f32 / (1u64 << power) as f32 - 1.0;
    std::f32::consts::LN_2 * (power as f32 + rest)
}

/// The cheapest cuts on a path such that no stretch is too long. Corners that would leave a side without words are none.
fn choose(path: &[Corner], lengths: [usize; 2]) -> Vec<[u32; 2]> {
    // What the path up to each corner costs, and the cut before it; number 0 is the start.
    let start = Corner { at: [0, 0], cost: 0.0 };
    let corners: Vec<Corner> = std::iter::once(start).chain(path.iter().copied()).collect();
    let mut best = vec![(f32::INFINITY, 0usize); corners.len()];
    best[0].0 = 0.0;
    for (n, corner) in corners.iter().enumerate().skip(1) {
        let cost = if corner.at == lengths { 0.0 } else { corner.cost };
        for (m, before) in corners[..n].iter().enumerate().rev() {
            let [sources, targets] = [0, 1].map(|side| corner.at[side] - before.at[side]);
            // Where nothing shorter has words on both sides, a stretch is as long as that takes.
            if sources.max(targets) > STRETCH && best[n].0.is_finite() {
                break;
            }
            if sources > 0 && targets > 0 && best[m].0 + cost < best[n].0 {
                best[n] = (best[m].0 + cost, m);
            }
        }
    }
    let mut points = Vec::new();
    let mut n = best[corners.len() - 1].1;
    while n > 0 {
        points.push(corners[n].at.map(|at| at as u32));
        n = best[n].1;
    }
    points.reverse();
    points
}

#[cfg(test)]
mod tests {
    use super::super::{SentencePair, Text};
    use super::*;
    use proptest::prelude::*;

    fn text(lines: &[Vec<String>]) -> Text {
        let mut text = Text::default();
        for line in lines {
            text.push_sentence(line.iter().map(String::as_bytes));
        }
        text
    }

    /// Where a pair of these words is cut.
    fn cuts(source: Vec<String>, target: Vec<String>) -> Vec<[u32; 2]> {
        let bitext = Bitext::new(text(&[source]), text(&[target])).unwrap();
        Cuts::of(&bitext).of_pair(0).to_vec()
    }

    fn numbered(letter: char, length: usize) -> Vec<String> {
        (0..length).map(|n| format!("{letter}{n}")).collect()
    }

    #[test]
    fn pairs_up_to_the_limit_are_whole() {
        let at = |source, target| cuts(numbered('s', source), numbered('t', target)).len();
        assert_eq!((at(256, 256), at(256, 1), at(1, 256)), (0, 0, 0));
        assert_eq!((at(257, 257), at(257, 2), at(257, 1)), (1, 1, 0));
    }

    #[test]
    fn without_anchors_cuts_are_on_the_diagonal() {
        // To within a third of the standard deviation that the toll is made from, which is √525.
        for [s, t] in cuts(numbered('s', 1000), numbered('t', 1500)) {
            assert!((f64::from(t) - 1.5 * f64::from(s)).abs() <= 8.0, "{s} {t}");
        }
    }

    #[test]
    fn cuts_are_between_sentences_however_unequal_they_are() {
        // Sentences of 5 to 20 words, their translations of 4 to 33, without a word in common but the stop.
        let (mut source, mut target, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        for n in 0..200usize {
            let length = 5 + n * 7 % 16;
            let translated = (length * (3 + n * 5 % 4)).div_ceil(4).max(4) + usize::from(n % 11 == 0) * 3;
            source.extend((1..length).map(|k| format!("s{}", n * 37 % 50 + k)));
            target.extend((1..translated).map(|k| format!("t{}", n * 41 % 60 + k)));
            source.push(".".to_owned());
            target.push(if n % 3 == 0 { "。" } else { "." }.to_owned());
            ends.push([source.len() as u32, target.len() as u32]);
        }
        let cuts = cuts(source, target);
        assert!(cuts.len() >= 12);
        let right = cuts.iter().filter(|cut| ends.contains(cut)).count();
        assert_eq!(right, cuts.len(), "{cuts:?}");
    }

    #[test]
    fn stretches_are_numbered_through() {
        let lines = |letter| [3, 600, 2, 300, 1].map(|length| numbered(letter, length)).to_vec();
        let bitext = Bitext::new(text(&lines('s')), text(&lines('t'))).unwrap();
        let cuts = Cuts::of(&bitext);
        let stretches = [1, 1 + cuts.of_pair(1).len(), 1, 1 + cuts.of_pair(3).len(), 1];
        let mut first = 0;
        for (n, more) in stretches.into_iter().enumerate() {
            assert_eq!(cuts.first_of(n), first);
            first += more;
        }
        assert_eq!((cuts.number(), cuts.first_of(5)), (2, first));
    }

    #[test]
    fn improbabilities_are_nearly_logarithms() {
        for odds in [1.0, 1.5, 3.0, 100.0, 12_345.0, 1e9] {
            assert!((f64::from(improbability(odds)) - odds.ln()).abs() < 0.7, "{odds}");
        }
    }

    proptest! {
        #[test]
        fn stretches_cover_the_pair(
            lengths in (1usize..1500, 1usize..1500), kinds in 1usize..200, more in 0usize..50,
        ) {
            // Words of the beginning of an alphabet are on both sides, those behind it on one.
            let side = |letter: char, length: usize, step: usize| -> Vec<String> {
                let word = |n: usize| n * step % (kinds + more);
                (0..length).map(word).map(|k| if k < kinds { k.to_string() } else { format!("{letter}{k}") }).collect()
            };
            let (source, target) = (side('s', lengths.0, 7), side('t', lengths.1, 11));
            let bitext = Bitext::new(text(&[source]), text(&[target])).unwrap();
            let cuts = Cuts::of(&bitext);
            let pair = SentencePair { cuts: cuts.of_pair(0), ..bitext.pair(0) };
            let mut end = [0, 0];
            for (start, stretch) in pair.stretches() {
                prop_assert_eq!(start, end);
                prop_assert!(!stretch.has_empty_side());
                end = [start[0] + stretch.source.len() as u32, start[1] + stretch.target.len() as u32];
                let [shorter, longer] = [lengths.0.min(lengths.1), lengths.0.max(lengths.1)];
                if longer > LONGEST_WHOLE && longer < 8 * shorter {
                    prop_assert!(stretch.source.len().max(stretch.target.len()) <= 2 * STRETCH);
                }
            }
            prop_assert_eq!(end, [lengths.0 as u32, lengths.1 as u32]);
        }
    }
}
