//! Cognates: pairs of words that are recognized as translations by their spelling alone.
//!
//! A common prefix of four characters is the criterion of Simard, Foster and Isabelle (1992, *Using Cognates to Align
//! Sentences in Bilingual Corpora*). Here the prefix must also cover half of the longer word, which keeps long
//! compounds apart; equal forms need a letter or digit, so that punctuation does not count. How ALIBI decides is not
//! published.
//!
//! `cognate_links` takes as anchors the pairs in which each word is the only cognate of the other, by O(IJ)
//! comparisons; `situation` uses `are_cognates` as a clue for rules with weights. Case is folded; accents are not.

use crate::alignment::{Alignment, Link};

/// The shortest common beginning, in characters, that makes cognates.
const PREFIX: usize = 4;

/// Whether two words are cognates: equal forms with a letter or digit, or a common beginning of at least four characters
/// that is at least half of the longer word. Case does not matter.
///
/// ```
/// use alinea::project::links::are_cognates;
///
/// assert!(are_cognates("Community", "Communauté") && are_cognates("1999", "1999"));
/// assert!(!are_cognates("banned", "interdit") && !are_cognates(".", "."));
/// ```
pub fn are_cognates(a: &str, b: &str) -> bool {
    // Most words differ in the first letter.
    folded(a).next() == folded(b).next() && folded_cognates(&fold(a), &fold(b))
}

/// Links between cognates that each have no other cognate in the sentence.
///
/// Comparing all words of one side with all of the other; O(IJ).
pub fn cognate_links<'w>(
    source: impl IntoIterator<Item = &'w str>,
    target: impl IntoIterator<Item = &'w str>,
) -> Alignment {
    let fold_all = |words: &mut dyn Iterator<Item = &'w str>| words.map(fold).collect::<Vec<_>>();
    let source = fold_all(&mut source.into_iter());
    let target = fold_all(&mut target.into_iter());
    let mut found = Vec::new();
    let mut partners = [vec![0; source.len()], vec![0; target.len()]];
    for (i, a) in (0..).zip(&source) {
        for (j, b) in (0..).zip(&target) {
            if folded_cognates(a, b) {
                partners[0][i as usize] += 1;
                partners[1][j as usize] += 1;
                found.push(Link { source: i, target: j });
            }
        }
    }
    found.retain(|link: &Link| partners[0][link.source as usize] == 1 && partners[1][link.target as usize] == 1);
    Alignment::from_links(found)
}

/// Full case folding, but for the few characters whose lower case is not their folding.
fn folded(word: &str) -> impl Iterator<Item = char> {
    let letters = word.chars().flat_map(char::to_lowercase);
    letters.flat_map(|c| if c == 'ß' { std::iter::repeat_n('s', 2) } else { std::iter::repeat_n(c, 1) })
}

fn fold(word: &str) -> Vec<char> {
    folded(word).collect()
}

fn folded_cognates(a: &[char], b: &[char]) -> bool {
    if a == b {
        return a.iter().any(|c| c.is_alphanumeric());
    }
    let common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    common >= PREFIX && 2 * common >= a.len().max(b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cognate_anchor_is_the_only_one_of_its_words() {
        let links = |a: &str, b: &str| cognate_links(a.split(' '), b.split(' ')).to_string();
        assert_eq!(links("the European Commission", "la Commission européenne ."), "1-2 2-1");
        assert_eq!(links("Commission of the Commission", "la Commission"), "");
        assert_eq!(links("nation national", "national"), "");
        assert_eq!(links("STRASSE", "straße"), "0-0");
        assert_eq!(links("", ""), "");
    }
}
