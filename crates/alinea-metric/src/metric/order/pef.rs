//! PEF, the score of a permutation over its permutation trees (Stanojević and Sima'an 2014).
//!
//! A *block* is a stretch of words whose ranks have no gaps. The children of its node in a permutation tree are what it
//! is cut into: two blocks, in the right order (straight) or exchanged, or, if it cannot be cut in two, the largest
//! blocks within it. Then
//!
//! ```text
//! score of a word = 1
//! score of a node = beta op + (1 - beta) · mean score of the children        op = 1 if straight, otherwise 0
//! ```
//!
//! Where a block can be cut in two in several ways, the mean over these counts. All blocks are scored, shorter ones
//! first, in O(n³) time and O(n²) memory for n words.

use crate::permutation::Permutation;

/// PEF (Stanojević and Sima'an 2014, *Evaluating Word Order Recursively over Permutation-Forests*): a score of n words
/// whose ranks are these, from 0 to 1. A permutation tree is a tree of blocks: stretches whose ranks have no gaps. A node
/// scores `beta op + (1 - beta)` times the mean of its children; `op` is 1 if the node has two children in the right order,
/// 0 if they are exchanged, and 0 for a block that cannot be cut in two (its children are then the largest blocks in it). Where
/// a block can be cut in two in several ways, their mean counts; a word scores 1. `beta` is from 0 to 1, 0.6 in the paper.
/// O(n³) time and O(n²) memory at most.
///
/// ```
/// use alinea::metric::order::pef;
/// use alinea::permutation::Permutation;
///
/// assert_eq!(pef(&Permutation::identity(5), 0.6), 1.0);
/// // The first two words are exchanged: of 1 0 2 the last word is cut off, which leaves 1 0.
/// let score = pef(&Permutation::from_places(vec![1, 0, 2])?, 0.6);
/// assert!((score - (0.6 + 0.4 * (0.4 + 1.0) / 2.0)).abs() < 1e-12);
/// # Ok::<(), alinea::error::Error>(())
/// ```
pub fn pef(ranks: &Permutation, beta: f64) -> f64 {
    let ranks = ranks.places();
    let n = ranks.len();
    if n < 2 {
        return 1.0;
    }
    // Scores of the blocks that begin at each word, by their length; shorter blocks first.
    let mut scores = vec![vec![f64::NAN; n + 1]; n];
    for row in &mut scores {
        row[1] = 1.0;
    }
    for length in 2..=n {
        for start in 0..=n - length {
            let block = &ranks[start..start + length];
            if is_block(block) {
                scores[start][length] = score(block, start, &scores, beta);
            }
        }
    }
    scores[0][n]
}

fn is_block(span: &[u32]) -> bool {
    let (least, greatest) =
        span.iter().fold((u32::MAX, 0), |(least, greatest), &rank| (least.min(rank), greatest.max(rank)));
    (greatest - least) as usize == span.len() - 1
}

/// The score of a block whose smaller blocks have theirs.
fn score(block: &[u32], start: usize, scores: &[Vec<f64>], beta: f64) -> f64 {
    let length = block.len();
    let (mut sum, mut ways) = (0.0, 0.0);
    let (mut least, mut greatest) = (u32::MAX, 0);
    let (lowest, highest) = block.iter().fold((u32::MAX, 0), |(low, high), &rank| (low.min(rank), high.max(rank)));
    for cut in 1..length {
        least = least.min(block[cut - 1]);
        greatest = greatest.max(block[cut - 1]);
        // The part before the cut has the lowest ranks, or the highest.
        let straight = greatest - lowest == cut as u32 - 1;
        if straight || highest - least == cut as u32 - 1 {
            let children = scores[start][cut] + scores[start + cut][length - cut];
            sum += beta * f64::from(u8::from(straight)) + (1.0 - beta) * children / 2.0;
            ways += 1.0;
        }
    }
    if ways > 0.0 {
        return sum / ways;
    }
    let (mut at, mut children, mut sum) = (0, 0.0, 0.0);
    while at < length {
        let most = (length - at).min(length - 1);
        let largest = (1..=most).rev().find(|&child| !scores[start + at][child].is_nan()).unwrap_or(1);
        sum += scores[start + at][largest];
        children += 1.0;
        at += largest;
    }
    (1.0 - beta) * sum / children
}
