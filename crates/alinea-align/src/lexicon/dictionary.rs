//! A bilingual dictionary as weights of the word pairs of a text.
//!
//! [`dictionary_pairs`] keeps the entries whose words occur together in some sentence pair. The result is sorted by
//! pair id, as [`SparseValues`](super::SparseValues) reads it: the M step adds the weights as pseudo-counts. Entries
//! are sorted by source word, then target word, with the weights of equal ones summed; each pair of the index is looked
//! up by binary search among the entries of its source word.

use super::PairIndex;
use crate::bitext::{Dictionary, RankedBitext, fnv_1a};

/// The weights of the pairs of an index that are entries, by ascending id; entries that the text does not have are left
/// out. O(pairs of the index + entries × log entries).
pub fn dictionary_pairs(dictionary: &Dictionary, bitext: &RankedBitext, index: &PairIndex) -> Vec<(u32, f32)> {
    let texts = bitext.bitext();
    let weights = dictionary.weights_in(texts.source.vocabulary(), texts.target.vocabulary());
    if weights.is_empty() {
        return Vec::new();
    }
    let words = texts.source.vocabulary().len();
    let start = |word| weights.partition_point(|&([source, _], _)| source < word);
    let starts: Vec<usize> = (0..=words).map(start).collect();
    let mut found = Vec::new();
    index.for_each_pair(index.rows(), |id, source, target| {
        let of_source = &weights[starts[source]..starts[source + 1]];
        if let Ok(place) = of_source.binary_search_by_key(&target, |&([_, target], _)| target) {
            found.push((id as u32, of_source[place].1));
        }
    });
    found
}

/// A number that tells weights of pairs from others.
pub(crate) fn fingerprint(pairs: &[(u32, f32)]) -> u64 {
    fnv_1a(pairs.iter().flat_map(|&(id, weight)| [id, weight.to_bits()]).flat_map(u32::to_le_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bitext::{Bitext, Text, WordId};
    use crate::parallel::Parallelism;
    use crate::progress::Silent;

    #[test]
    fn entries_are_found_where_the_text_has_them() {
        let (mut source, mut target) = (Text::default(), Text::default());
        for (s, t) in [("a b", "x y"), ("a c", "x z"), ("b", "z"), ("a", "x")] {
            source.push_sentence(s.split(' ').map(str::as_bytes));
            target.push_sentence(t.split(' ').map(str::as_bytes));
        }
        let text = RankedBitext::new(Bitext::new(source, target).unwrap());
        let index = PairIndex::build(&text, &Parallelism::serial(), &Silent).unwrap();
        let mut dictionary = Dictionary::default();
        let entries = [("b", "x", 2.0), ("c", "y", 1.0), ("a", "x", 0.5), ("b", "x", 0.25), ("a", "q", 1.0)];
        for (s, t, weight) in entries {
            dictionary.push(s.as_bytes(), t.as_bytes(), weight).unwrap();
        }
        let mut expected = Vec::new();
        index.for_each_pair(index.rows(), |id, s, t| {
            let word = |text: &Text, n: usize| text.vocabulary().word(WordId::from_index(n)).to_vec();
            let words = (word(&text.bitext().source, s), word(&text.bitext().target, t));
            let sum: f32 = entries
                .iter()
                .filter(|(s, t, _)| (s.as_bytes(), t.as_bytes()) == (&words.0[..], &words.1[..]))
                .map(|entry| entry.2)
                .sum();
            if sum > 0.0 {
                expected.push((id as u32, sum));
            }
        });
        assert_eq!(expected.len(), 2, "c-y never occurs, q is no word of the text");
        assert_eq!(dictionary_pairs(&dictionary, &text, &index), expected);
    }
}
