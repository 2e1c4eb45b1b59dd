//! Words of text that nobody has cut, fine enough for labels of characters.
//!
//! A label of characters begins and ends wherever people let it: `Anna` in `Anna's`, `Allemagne` in `l'Allemagne`. So words are
//! short here: a longest run of letters, digits and `_`, with the marks that belong to them; all else is a word of its own, a
//! character with its marks: punctuation, symbols, Chinese characters and Hiragana. White space is in no word. Katakana and Hangul
//! are letters, and so are the scripts of Southeast Asia, which are written without blanks: their words come from a tokenizer.
//! `3.14` is three words, `don't` too.
//!
//! ```
//! use alinea::format::runs;
//!
//! let words = |text: &'static str| -> Vec<&str> { runs::words(text).into_iter().map(|word| &text[word]).collect() };
//! assert_eq!(words("L'Allemagne, (B2B) 3.5%"), ["L", "'", "Allemagne", ",", "(", "B2B", ")", "3", ".", "5", "%"]);
//! assert_eq!(words("東京タワーは高い。"), ["東", "京", "タワー", "は", "高", "い", "。"]);
//! ```

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

/// The words of a text, as stretches of its bytes, in order. O(bytes).
pub fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut is_run = false;
    for (start, cluster) in text.grapheme_indices(true) {
        let first = cluster.chars().next().unwrap_or(' ');
        let end = start + cluster.len();
        if first.is_whitespace() {
            is_run = false;
            continue;
        }
        let is_letter = is_of_run(first);
        match words.last_mut().filter(|word| is_run && is_letter && word.end == start) {
            Some(word) => word.end = end,
            None => words.push(start..end),
        }
        is_run = is_letter;
    }
    words
}

/// Whether a character goes on a run.
fn is_of_run(character: char) -> bool {
    (character.is_alphanumeric() || character == '_') && !is_written_singly(character)
}

/// Chinese characters and Hiragana, as the blocks of Unicode 16 have them.
fn is_written_singly(character: char) -> bool {
    matches!(u32::from(character),
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3041..=0x309F | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF | 0x1B001..=0x1B11F | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        words(text).into_iter().map(|word| &text[word]).collect()
    }

    #[test]
    fn marks_belong_to_their_letters() {
        assert_eq!(cut("Cafe\u{301} na\u{303}o"), ["Cafe\u{301}", "na\u{303}o"]);
        assert_eq!(cut("हिन्दी भाषा"), ["हिन्दी", "भाषा"]);
        assert_eq!(cut("서울에서\u{3000}왔다!"), ["서울에서", "왔다", "!"]);
        assert_eq!(cut("👩‍🔬 a_b c\r\nd…"), ["👩‍🔬", "a_b", "c", "d", "…"]);
        assert_eq!(cut(" \t\u{a0}\n"), [""; 0]);
    }

    proptest! {
        #[test]
        fn all_but_white_space_is_in_a_word(text in "[a-c1 '.,\u{301}\u{93f}東あカ\n👩\u{200d}]{0,24}") {
            let words = words(&text);
            prop_assert!(words.windows(2).all(|two| two[0].end <= two[1].start));
            prop_assert!(words.iter().all(|word| !word.is_empty() && text.get(word.clone()).is_some()));
            let between = words.iter().fold((0, String::new()), |(at, mut rest), word| {
                rest.push_str(&text[at..word.start]);
                (word.end, rest)
            });
            let rest = between.1 + &text[between.0..];
            // A mark may stand on white space, and is left out with it.
            prop_assert!(rest.chars().all(|c| c.is_whitespace() || "\u{301}\u{93f}\u{200d}".contains(c)), "{:?}", rest);
        }
    }
}
