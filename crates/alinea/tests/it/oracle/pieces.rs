//! Byte pair encoding, everything counted anew before each step.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The pieces of each word: the two neighbors that are most often found become one, as long as that is at least so often;
/// of equally frequent ones those whose pieces are older, characters in their order.
pub(crate) fn pieces(words: &[&str], times: &[u64], least: u64) -> Vec<Vec<String>> {
    let characters: BTreeSet<char> = words.iter().flat_map(|word| word.chars()).collect();
    let mut known: Vec<String> = characters.iter().map(char::to_string).collect();
    let number = |c: char| known.iter().position(|other| *other == c.to_string()).expect("a character of the words");
    let mut cut: Vec<Vec<usize>> = words.iter().map(|word| word.chars().map(number).collect()).collect();
    loop {
        let mut found: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for (word, times) in cut.iter().zip(times) {
            for neighbors in word.windows(2) {
                *found.entry((neighbors[0], neighbors[1])).or_default() += times;
            }
        }
        let best = found.into_iter().max_by_key(|&(neighbors, times)| (times, Reverse(neighbors)));
        let Some(((first, second), _)) = best.filter(|&(_, times)| times >= least) else { break };
        known.push(format!("{}{}", known[first], known[second]));
        for word in &mut cut {
            let mut at = 0;
            while at + 1 < word.len() {
                if (word[at], word[at + 1]) == (first, second) {
                    word.splice(at..at + 2, [known.len() - 1]);
                }
                at += 1;
            }
        }
    }
    cut.iter().map(|word| word.iter().map(|&piece| known[piece].clone()).collect()).collect()
}
