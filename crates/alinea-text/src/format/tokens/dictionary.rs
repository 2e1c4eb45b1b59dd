//! Words of scripts that are written without blanks, by dictionaries.
//!
//! Text is cut at the word boundaries of Unicode Standard Annex 29; stretches of Chinese characters and Hiragana, of Thai, Lao,
//! Khmer and Burmese are divided by the dictionaries of ICU4X (the words of a stretch are those of the most frequent
//! segmentation for Chinese and Japanese, of the longest for the others). White space is in no word.
//!
//! The dictionaries are part of the program, and of the version of ICU4X that `docs/dependencies.md` names: another one may
//! cut differently. They are small beside those of MeCab or jieba, and know few names.
//!
//! ```
//! use alinea::format::tokens::{Tokenize, places};
//!
//! let words = |text: &'static str| -> Vec<&str> {
//!     places(text, Tokenize::Dictionary).into_iter().map(|place| &text[place]).collect()
//! };
//! assert_eq!(words("我们喜欢北京。"), ["我们", "喜欢", "北京", "。"]);
//! assert_eq!(words("สวัสดีครับ Anna!"), ["สวัสดี", "ครับ", "Anna", "!"]);
//! ```

use std::ops::Range;

use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;

/// Calls `visit` with the place of each word.
pub(super) fn for_each(text: &str, mut visit: impl FnMut(Range<usize>)) {
    let segmenter = WordSegmenter::new_dictionary(WordBreakInvariantOptions::default());
    let mut start = 0;
    for end in segmenter.segment_str(text) {
        if !text[start..end].chars().all(char::is_whitespace) {
            visit(start..end);
        }
        start = end;
    }
}
