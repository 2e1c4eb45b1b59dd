//! The order of words in Model 5: as in Model 4, but places that are taken are not counted.
//!
//! Cepts are placed one after another. Before a word is placed, v(j) is the number of vacant places up to j. A head of
//! a cept of φ words lands on one of the first v(J) - φ + 1 vacancies, drawn by how far that is from v(center of the
//! cept before) and by the class of the word; the k-th word after it on one of the vacancies that follow, but leaves
//! room for the rest (Brown et al. 1993, section 4.7). So no probability is wasted on what cannot be. Here both are
//! distributions over *displacements* in vacancies, cut to what is possible and scaled to a sum of one:
//!
//! ```text
//! d_1(v | B, v_c, most) = w_B(v - v_c) / sum over u = 1..most of w_B(u - v_c)
//! d_>1(v | B, most)     = w'_B(v)      / sum over u = 1..most of w'_B(u)
//! ```
//!
//! (Brown et al. have a table for each v_c and most, which no text fills.) The weights w are relative frequencies of
//! the displacements, which is not quite the maximum of the likelihood since the sums differ from place to place.

use super::relative::{Displacements, center};

/// Weights of displacements in vacancies, by class of the generated word.
#[derive(Debug)]
pub(super) struct Vacancies {
    pub(super) heads: Displacements,
    pub(super) others: Displacements,
}

/// A word that was placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) word: usize,
    pub(super) is_head: bool,
    /// The displacement, and the least and the most possible.
    pub(super) displacement: i64,
    pub(super) least: i64,
    pub(super) most: i64,
}

/// Visits the words of all cepts in the order in which they are placed, given the words of each position (that of the
/// empty word first) and the number of words. O(J²) at most.
pub(super) fn place(words: &[Vec<u32>], len: usize, mut visit: impl FnMut(Placed)) {
    let mut vacant = vec![true; len];
    let vacancies = |vacant: &[bool], upto: usize| vacant[..upto].iter().filter(|&&vacant| vacant).count() as i64;
    let mut at = 0;
    for cept in words[1..].iter().filter(|cept| !cept.is_empty()) {
        let size = cept.len() as i64;
        let from = vacancies(&vacant, at);
        let most = vacancies(&vacant, len) - size + 1;
        let head = cept[0] as usize;
        let displacement = vacancies(&vacant, head + 1) - from;
        visit(Placed { word: head, is_head: true, displacement, least: 1 - from, most: most - from });
        vacant[head] = false;
        for (k, two) in cept.windows(2).enumerate() {
            let (last, word) = (two[0] as usize, two[1] as usize);
            let from = vacancies(&vacant, last + 1);
            let rest = size - (k as i64 + 2);
            let most = vacancies(&vacant, len) - from - rest;
            let displacement = vacancies(&vacant, word + 1) - from;
            visit(Placed { word, is_head: false, displacement, least: 1, most });
            vacant[word] = false;
        }
        at = center(cept) as usize;
    }
}

impl Vacancies {
    /// ln of the probability that the words of all positions are in this order; given is the class of each word.
    pub(super) fn logarithm(&self, words: &[Vec<u32>], classes: &[usize]) -> f64 {
        let mut sum = 0.0;
        place(words, classes.len(), |placed| {
            let Placed { word, is_head, displacement, least, most } = placed;
            let table = if is_head { &self.heads } else { &self.others };
            let weight = |displacement| table.logarithm(classes[word], displacement);
            let whole: f64 = (least..=most).map(|displacement| weight(displacement).exp()).sum();
            sum += weight(displacement) - whole.ln();
        });
        sum
    }
}
