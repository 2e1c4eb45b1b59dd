//! Gold orders: in which order does a translation have the words of its source?
//!
//! `T(i)` are the positions of the words that source word `i` is linked to. The words are sorted by one number drawn from
//! `T(i)`, the [`Key`]; words with equal numbers keep the order of the source.
//!
//! * `mean`, the default: the mean of `T(i)`, as an exact fraction. A word that is linked to two places stands between
//!   them.
//! * `min`: the first position, as in LRscore (Birch and Osborne 2011) and in Tromble and Eisner (2009).
//! * `median`, `max`: the middle one (of two the mean), the last one.
//!
//! A word without link is left out, or takes the number of a neighbor ([`Unaligned`]). The partial order of intervals is
//! in [`ranks`](super::ranks).

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::alignment::Alignment;
use crate::error::{Error, ErrorKind, Result};
use crate::permutation::Permutation;

/// What words are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Key {
    /// The mean of the positions.
    #[default]
    Mean,
    /// The middle position, or the mean of the two in the middle.
    Median,
    /// The first position.
    Min,
    /// The last position.
    Max,
}

/// What becomes of words without link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unaligned {
    /// They are left out.
    #[default]
    Drop,
    /// They take the number of the nearest word with links on their left; those at the start the number 0.
    Left,
    /// They take the number of the nearest word with links on their right; those at the end the greatest number of all.
    Right,
}

/// With which word a word travels that has no place of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Attach {
    /// With the next word on its right that has one, as articles and auxiliaries of English do; those at the end with the
    /// last.
    #[default]
    Right,
    /// With the next word on its left; those at the start with the first.
    Left,
}

/// Implements names of a choice: as written, as read, and all of them.
macro_rules! named {
    ($choice:ident, $what:literal, [$($variant:ident = $name:literal),+], $names:literal) => {
        impl $choice {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name by which it is written and read.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl fmt::Display for $choice {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $choice {
            type Err = Error;

            fn from_str(name: &str) -> Result<Self> {
                let found = Self::ALL.iter().find(|choice| choice.name() == name);
                found.copied().ok_or_else(|| Error::config($what, name, $names))
            }
        }
    };
}
pub(super) use named;

named!(Key, "key", [Mean = "mean", Median = "median", Min = "min", Max = "max"], "mean, median, min, max");
named!(Unaligned, "unaligned", [Drop = "drop", Left = "left", Right = "right"], "drop, left, right");
named!(Attach, "attach", [Right = "right", Left = "left"], "right, left");

/// Some words of a sentence in the order of its translation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoldOrder {
    order: Vec<u32>,
}

impl GoldOrder {
    /// The words, as places in the source from 0, in the order of the translation.
    pub fn words(&self) -> &[u32] {
        &self.order
    }

    /// The same words in the order of the source.
    pub fn kept(&self) -> Vec<u32> {
        let mut kept = self.order.clone();
        kept.sort_unstable();
        kept
    }

    /// The place of each kept word among the kept words.
    pub fn permutation(&self) -> Permutation {
        // Ranks of the words as they come give, for each place, which of the kept words stands there.
        Permutation::ranks(&self.order).inverse()
    }
}

/// A number drawn from positions.
#[derive(Debug, Clone, Copy)]
struct Fraction {
    above: u64,
    below: u64,
}

impl Fraction {
    fn whole(number: u32) -> Self {
        Self { above: u64::from(number), below: 1 }
    }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |above: u64, below: u64| u128::from(above) * u128::from(below);
        product(self.above, other.below).cmp(&product(other.above, self.below))
    }
}

impl Key {
    /// The number of a word that is linked to these positions, which ascend and are at least one.
    fn of(self, targets: &[u32]) -> Fraction {
        let last = targets.len() - 1;
        let sum = |targets: &[u32]| Fraction {
            above: targets.iter().map(|&target| u64::from(target)).sum(),
            below: targets.len() as u64,
        };
        match self {
            Self::Mean => sum(targets),
            Self::Median => sum(&targets[last / 2..=targets.len() / 2]),
            Self::Min => Fraction::whole(targets[0]),
            Self::Max => Fraction::whole(targets[last]),
        }
    }
}

/// The order that an alignment gives to the words of its source, of which there are `words`; links of others do not count.
/// O(words log words + links).
///
/// ```
/// use alinea::reorder::{Key, Unaligned, gold_order};
///
/// // Word 0 is linked to both ends, word 2 not at all.
/// let links = [(0, 0), (0, 3), (1, 1)].into();
/// assert_eq!(gold_order(3, &links, Key::Mean, Unaligned::Drop).words(), [1, 0]);
/// assert_eq!(gold_order(3, &links, Key::Min, Unaligned::Drop).words(), [0, 1]);
/// assert_eq!(gold_order(3, &links, Key::Mean, Unaligned::Left).words(), [1, 2, 0]);
/// ```
pub fn gold_order(words: usize, alignment: &Alignment, key: Key, unaligned: Unaligned) -> GoldOrder {
    let mut targets = Vec::new();
    let mut keys: Vec<Option<Fraction>> = Vec::with_capacity(words);
    for word in 0..words as u32 {
        targets.clear();
        targets.extend(alignment.of_source(word).iter().map(|link| link.target));
        keys.push((!targets.is_empty()).then(|| key.of(&targets)));
    }
    match unaligned {
        Unaligned::Drop => {}
        Unaligned::Left => fill(keys.iter_mut(), Fraction::whole(0)),
        Unaligned::Right => {
            let last = keys.iter().flatten().max().copied().unwrap_or(Fraction::whole(0));
            fill(keys.iter_mut().rev(), last);
        }
    }
    let mut order: Vec<(Fraction, u32)> = (0..).zip(keys).filter_map(|(word, key)| Some((key?, word))).collect();
    order.sort();
    GoldOrder { order: order.into_iter().map(|(_, word)| word).collect() }
}

/// Fills gaps with what stands before them.
fn fill<'k>(keys: impl Iterator<Item = &'k mut Option<Fraction>>, first: Fraction) {
    let mut before = first;
    for key in keys {
        before = *key.get_or_insert(before);
    }
}

/// An order of some words as an order of the whole sentence of `words` words: each of the others travels with a word of the
/// order, and all that travel with one keep their places around it. A sentence of which no word has an order stays as it is.
/// Linear.
///
/// # Errors
/// `Inconsistent` if the order names a word twice, or one that there is not.
pub fn whole_order(words: usize, order: &[u32], attach: Attach) -> Result<Permutation> {
    let mut kept = vec![false; words];
    for &word in order {
        match kept.get_mut(word as usize) {
            Some(kept @ false) => *kept = true,
            Some(_) => return Err(ErrorKind::Inconsistent(format!("word {word} occurs twice in an order")).into()),
            None => {
                let message = format!("word {word} is outside a sentence of {words} words");
                return Err(ErrorKind::Inconsistent(message).into());
            }
        }
    }
    if order.is_empty() {
        return Ok(Permutation::identity(words));
    }
    // The words that travel together are neighbors: one of the order, and those on its left, or on its right.
    let mut start = vec![0; words];
    let mut end = vec![words; words];
    let places: Vec<usize> = (0..words).filter(|&word| kept[word]).collect();
    for pair in places.windows(2) {
        let border = match attach {
            Attach::Right => pair[0] + 1,
            Attach::Left => pair[1],
        };
        end[pair[0]] = border;
        start[pair[1]] = border;
    }
    let together = order.iter().flat_map(|&word| start[word as usize]..end[word as usize]);
    let whole: Vec<u32> = together.map(|word| word as u32).collect();
    Permutation::from_order(&whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_read() {
        for &key in Key::ALL {
            assert_eq!(key.to_string().parse::<Key>().unwrap(), key);
        }
        assert_eq!("x".parse::<Attach>().unwrap_err().to_string(), "attach = x: must be right, left");
        assert_eq!("x".parse::<Unaligned>().unwrap_err().to_string(), "unaligned = x: must be drop, left, right");
    }

    #[test]
    fn words_without_place_travel() {
        let whole = |words, order: &[u32], attach| whole_order(words, order, attach).map(|whole| whole.inverse());
        // a b C d E f, with E before C.
        assert_eq!(whole(6, &[4, 2], Attach::Right).unwrap().places(), [3, 4, 5, 0, 1, 2]);
        assert_eq!(whole(6, &[4, 2], Attach::Left).unwrap().places(), [4, 5, 0, 1, 2, 3]);
        assert_eq!(whole(2, &[], Attach::Left).unwrap().places(), [0, 1]);
        assert_eq!(whole(2, &[1, 1], Attach::Left).unwrap_err().to_string(), "word 1 occurs twice in an order");
        let error = whole(2, &[2], Attach::Left).unwrap_err();
        assert_eq!(error.to_string(), "word 2 is outside a sentence of 2 words");
    }

    proptest! {
        #[test]
        fn orders_obey_laws(
            words in 0usize..9,
            links in prop::collection::btree_set((0u32..9, 0u32..7), 0..20),
            attach in prop::sample::select(Attach::ALL.to_vec()),
        ) {
            let links: Alignment = links.into_iter().map(|(source, target)| crate::alignment::Link::new(source, target)).collect();
            for &key in Key::ALL {
                let gold = gold_order(words, &links, key, Unaligned::Drop);
                let linked: Vec<u32> = (0..words as u32).filter(|&word| !links.of_source(word).is_empty()).collect();
                prop_assert_eq!(gold.kept(), linked.clone());
                let by_place: Vec<u32> =
                    gold.permutation().inverse().places().iter().map(|&place| linked[place as usize]).collect();
                prop_assert_eq!(gold.words(), by_place);
                for &unaligned in &Unaligned::ALL[1..] {
                    let all = gold_order(words, &links, key, unaligned);
                    prop_assert_eq!(all.words().len(), words);
                    let kept: Vec<u32> = all.words().iter().copied().filter(|word| linked.contains(word)).collect();
                    prop_assert_eq!(&kept, gold.words());
                }
                let whole = whole_order(words, gold.words(), attach).unwrap().inverse();
                let kept: Vec<u32> = whole.places().iter().copied().filter(|word| linked.contains(word)).collect();
                prop_assert_eq!(&kept, gold.words());
            }
            // LRscore's permutation is one of the schemes.
            let birch = gold_order(words, &links, Key::Min, Unaligned::Left);
            prop_assert_eq!(birch.permutation(), Permutation::of_alignment(words, &links));
        }
    }
}
