//! Maps of tokens whose places in a text are known, as tokenizers by Hugging Face report them.

use std::ops::Range;

use super::TokenMap;

impl TokenMap {
    /// The map of two tokenizations whose tokens stand at these places of one text, in ascending order of where they begin: tokens share
    /// what lies in both. Tokens of no characters share none. Time O(n log n), and the tokens that are shared.
    ///
    /// ```
    /// use alinea::token_map::TokenMap;
    ///
    /// // `the lighthouse`, and tokens as a model reports them, the first and last of which mark the sentence.
    /// let map = TokenMap::of_spans(&[0..3, 4..14], &[0..0, 0..3, 3..9, 9..14, 0..0]);
    /// assert_eq!((map.of(0), map.of(1), map.back(0)), (1..2, 2..4, 0..0));
    /// ```
    pub fn of_spans(spans: &[Range<usize>], others: &[Range<usize>]) -> Self {
        let mut map = Self::default();
        map.reset(spans.len(), others.len());
        // The words that have characters, by their order.
        let mut words: Vec<usize> = (0..spans.len()).filter(|&n| !spans[n].is_empty()).collect();
        words.sort_by_key(|&n| spans[n].start);
        // Words may overlap: none before this place ends behind the greatest end so far.
        let ends: Vec<usize> = words
            .iter()
            .scan(0, |most, &n| {
                *most = spans[n].end.max(*most);
                Some(*most)
            })
            .collect();
        for (other, span) in (0..).zip(others) {
            if span.is_empty() {
                continue;
            }
            let first = ends.partition_point(|&end| end <= span.start);
            for &word in words[first..].iter().take_while(|&&n| spans[n].start < span.end) {
                if spans[word].end > span.start {
                    map.share(word as u32..word as u32 + 1, &(other..other + 1));
                }
            }
        }
        map
    }
}
