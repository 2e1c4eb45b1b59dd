//! Dependency trees as arcs over a row of words, each on a level that keeps it clear of the others.
//!
//! A [`DrawnTree`] has the head, the relation and the part of speech of each word. It is over the syntactic words of a
//! sentence or over its surface tokens, whichever are as many as the words to be drawn. It need not be a tree: a word
//! with a relation gets an arc from its head, or the line of a root if it has no head, or nothing if that is not drawn.
//!
//! `levels` takes spans from short to long. A span goes one level above the highest given so far to any gap between
//! words that it covers. So two spans over the same gap are never on one level, and the longer one is above. A root
//! is above all arcs that begin, end or pass at its word.

use crate::tree::ParsedSentence;

/// A dependency tree over the words of a sentence, to be drawn: what each word has. Drawn is what is there, whether it is a
/// tree or not; heads that are no words are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DrawnTree<'a> {
    /// The position of the head of each word, from 0; none for a root.
    pub heads: Vec<Option<u32>>,
    /// The relation of each word to its head; empty where nothing is to be drawn, not even a root.
    pub relations: Vec<&'a str>,
    /// The part of speech of each word; may be empty.
    pub tags: Vec<&'a str>,
}

/// The trees of a sentence pair, where there are any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trees<'a> {
    /// Over the source words.
    pub source: Option<DrawnTree<'a>>,
    /// Over the target words.
    pub target: Option<DrawnTree<'a>>,
}

impl<'a> DrawnTree<'a> {
    /// The tree of a parsed sentence over the words of a line: over its syntactic words if these are as many, otherwise over
    /// its surface tokens if those are. None if neither are.
    ///
    /// A token of several words has the head, the relation and the part of speech of its first word with a head outside of
    /// it. O(words).
    ///
    /// ```
    /// use alinea::format::conllu;
    /// use alinea::tree::Roots;
    /// use alinea::view::DrawnTree;
    ///
    /// let file = "1-2\taux\t_\t_\t_\t_\t_\t_\t_\t_\n\
    ///             1\tà\tà\tADP\t_\t_\t3\tcase\t_\t_\n\
    ///             2\tles\tle\tDET\t_\t_\t3\tdet\t_\t_\n\
    ///             3\tarmes\tarme\tNOUN\t_\t_\t0\troot\t_\t_\n\n";
    /// let sentence = &conllu::parse(file, "song.conllu", Roots::One)?[0];
    /// assert_eq!(DrawnTree::of(sentence, 3).unwrap().relations, ["case", "det", "root"]);
    /// assert_eq!(DrawnTree::of(sentence, 2).unwrap().relations, ["case", "root"]);
    /// assert_eq!(DrawnTree::of(sentence, 2).unwrap().heads, [Some(1), None]);
    /// assert_eq!(DrawnTree::of(sentence, 4), None);
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    pub fn of(sentence: &'a ParsedSentence, words: usize) -> Option<Self> {
        let surface = sentence.surface();
        if sentence.len() != words && surface.len() != words {
            return None;
        }
        let by_words = sentence.len() == words;
        let node = |word: u32| if by_words { Some(word) } else { surface.token_of(word) };
        let head = |word: u32| sentence.tree().and_then(|tree| tree.head(word));
        let mut drawn = Self::default();
        for place in 0..words as u32 {
            let range = if by_words { place..place + 1 } else { surface.words_of(place) };
            let outside = |word: &u32| head(*word).and_then(node) != Some(place);
            let word = range.clone().find(outside).unwrap_or(range.start);
            let relation = if sentence.tree().is_some() { sentence.word(word).deprel() } else { "" };
            drawn.heads.push(head(word).and_then(node));
            drawn.relations.push(relation);
            drawn.tags.push(Some(sentence.word(word).upos()).filter(|tag| *tag != "_").unwrap_or_default());
        }
        Some(drawn)
    }

    /// Whether all three lists are of so many words.
    pub(super) fn is_over(&self, words: usize) -> bool {
        [self.heads.len(), self.relations.len(), self.tags.len()] == [words; 3]
    }

    /// The arcs between the first `words` words, and the roots among them. O(words²).
    pub(super) fn arcs(&self, words: usize) -> (Vec<Arc>, Vec<Root>) {
        let mut arcs = Vec::new();
        let mut roots = Vec::new();
        for (dependent, head) in self.heads.iter().enumerate().take(words) {
            if self.relations.get(dependent).is_none_or(|relation| relation.is_empty()) {
                continue;
            }
            match head.map(|head| head as usize) {
                None => roots.push(Root { word: dependent, level: 0 }),
                Some(head) if head < words && head != dependent => arcs.push(Arc { head, dependent, level: 0 }),
                Some(_) => {}
            }
        }
        arcs.sort_by_key(|arc| (arc.high() - arc.low(), arc.low()));
        let spans: Vec<(usize, usize)> = arcs.iter().map(|arc| (arc.low(), arc.high())).collect();
        for (arc, level) in arcs.iter_mut().zip(levels(&spans)) {
            arc.level = level;
        }
        for root in &mut roots {
            let meets = |arc: &&Arc| (arc.low()..=arc.high()).contains(&root.word);
            root.level = 1 + arcs.iter().filter(meets).map(|arc| arc.level).max().unwrap_or(0);
        }
        (arcs, roots)
    }
}

/// A level, from 1, for each span between two places, the lower one first: above those of all shorter spans that it runs
/// over, and of equal ones before it. O(spans × length).
pub(super) fn levels(spans: &[(usize, usize)]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&span| (spans[span].1 - spans[span].0, spans[span].0));
    let mut heights = vec![0; spans.iter().map(|span| span.1).max().unwrap_or(0)];
    let mut levels = vec![0; spans.len()];
    for span in order {
        let under = &mut heights[spans[span].0..spans[span].1];
        levels[span] = under.iter().max().map_or(1, |level| level + 1);
        under.fill(levels[span]);
    }
    levels
}

/// An arc from a head to a dependent. Its level, from 1, is above those of all shorter arcs that it meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Arc {
    pub(super) head: usize,
    pub(super) dependent: usize,
    pub(super) level: u32,
}

/// A word without head. Its level is above those of all arcs that meet it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Root {
    pub(super) word: usize,
    pub(super) level: u32,
}

impl Arc {
    fn low(&self) -> usize {
        self.head.min(self.dependent)
    }

    fn high(&self) -> usize {
        self.head.max(self.dependent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn trees_without_heads_have_tags_only() {
        let file = "1\ta\t_\tDET\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
        let sentence = &crate::format::conllu::parse(file, "f", crate::tree::Roots::One).unwrap()[0];
        let drawn = DrawnTree::of(sentence, 2).unwrap();
        assert_eq!((drawn.tags.as_slice(), drawn.arcs(2)), (["DET", ""].as_slice(), (vec![], vec![])));
    }

    proptest! {
        /// Arcs that run over the same gap between two words are on different levels, the longer above.
        #[test]
        fn arcs_do_not_run_into_each_other(heads in proptest::collection::vec(proptest::option::of(0u32..12), 0..12)) {
            let words = heads.len();
            let drawn = DrawnTree { relations: vec!["r"; words], tags: vec![""; words], heads };
            let (arcs, roots) = drawn.arcs(words);
            prop_assert_eq!(roots.len(), drawn.heads.iter().filter(|head| head.is_none()).count());
            for root in roots {
                prop_assert_eq!(drawn.heads[root.word], None);
                let under = |arc: &&Arc| arc.low() <= root.word && root.word <= arc.high();
                prop_assert!(arcs.iter().filter(under).all(|arc| arc.level < root.level));
            }
            for (n, arc) in arcs.iter().enumerate() {
                prop_assert_eq!(drawn.heads[arc.dependent], Some(arc.head as u32));
                for shorter in &arcs[..n] {
                    let meet = arc.low() < shorter.high() && shorter.low() < arc.high();
                    prop_assert!(!meet || arc.level > shorter.level, "{:?} {:?}", arc, shorter);
                    prop_assert!(arc.high() - arc.low() >= shorter.high() - shorter.low());
                }
                prop_assert!(arc.level >= 1 && arc.level as usize <= words);
            }
        }
    }
}
