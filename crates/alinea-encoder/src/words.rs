//! From the words of a sentence to pieces, and from long sentences to windows.
//!
//! **Pieces.** Each word is tokenized alone, as if it were a line, in its own case. In scripts without blanks between words
//! that would cut lines where the tokenizer has never seen ends; there neighboring words whose touching characters are both of
//! such a script are joined, the run is tokenized once, and a piece belongs to every word of which it covers a byte. So the
//! pieces of a word are neighbors, and a piece that reaches over an end belongs to two words. Polytonic Greek is tokenized
//! without accents (`scripts`).
//!
//! SentencePiece puts a `▁` before each line. Where that is a piece of its own it belongs to no word that has others: it says only
//! that a word begins. A word that the tokenizer leaves nothing of is one unknown piece, or, within a run, has the piece
//! before it. Of a longer word only the first 4096 bytes are tokenized.
//!
//! **Windows.** A model takes sentences of at most `most` pieces. Longer ones are computed in windows of w = 500 pieces, or
//! `most` if that is less. Windows overlap: of each the outputs of the w/10 pieces at an edge inside of the sentence do not
//! count, since they have seen too little of what is beyond it, and the next window begins so much earlier that it has them.

mod scripts;

use std::ops::Range;

use self::scripts::{is_unspaced, push_plain};
use crate::tokenizer::{Piece, Tokenizer};

/// The most bytes of a word that are tokenized, so that megabytes of data without blanks do not become millions of pieces.
const LONGEST_WORD: usize = 1 << 12;

/// The most pieces of a window.
const LONGEST_WINDOW: usize = 500;

/// One of so many pieces of a window is context at each edge.
const SHARED: usize = 10;

/// The pieces of a sentence, and those of each word among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SentencePieces {
    /// Pieces, without those that begin and end a text.
    pub(crate) ids: Vec<u32>,
    /// The places of each word's pieces in `ids`: never empty, perhaps overlapping.
    pub(crate) words: Vec<Range<u32>>,
}

/// Pieces that mean something apart.
#[derive(Debug, Clone, Copy)]
struct Special {
    /// What the tokenizer does not know.
    unknown: u32,
    /// The piece `▁` alone.
    blank: Option<u32>,
}

impl SentencePieces {
    /// The pieces of the words of a sentence.
    pub(crate) fn of(tokenizer: &Tokenizer, words: &[&str]) -> Self {
        let special = Special { unknown: tokenizer.unknown(), blank: tokenizer.blank() };
        Self::by(words, special, |text, pieces| tokenizer.pieces(text, pieces))
    }

    /// The same by a function that appends the pieces of a text.
    fn by(words: &[&str], special: Special, mut tokenize: impl FnMut(&str, &mut Vec<Piece>)) -> Self {
        let mut sentence = Self { ids: Vec::new(), words: Vec::with_capacity(words.len()) };
        let (mut text, mut ends, mut pieces) = (String::new(), Vec::new(), Vec::new());
        for run in words.chunk_by(|left, right| are_joined(left, right)) {
            text.clear();
            ends.clear();
            pieces.clear();
            for word in run {
                push_plain(beginning(word), &mut text);
                ends.push(text.len());
            }
            tokenize(&text, &mut pieces);
            sentence.push_run(&pieces, &ends, special);
        }
        sentence
    }

    /// Adds words that were tokenized together and end at these bytes of their text.
    fn push_run(&mut self, pieces: &[Piece], ends: &[usize], special: Special) {
        let first = self.ids.len() as u32;
        let Some(leading) = pieces.first() else {
            self.ids.push(special.unknown);
            self.words.extend(ends.iter().map(|_| one(first)));
            return;
        };
        let blanks = usize::from(pieces.len() > 1 && special.blank == Some(leading.id));
        self.ids.extend(pieces.iter().map(|piece| piece.id));
        if ends.len() == 1 {
            self.words.push(first + blanks as u32..self.ids.len() as u32);
            return;
        }
        let mut words = vec![0..0; ends.len()];
        // Of a run no word is empty. What a piece says of its place is not believed beyond the end.
        let last = ends.last().map_or(0, |end| end.saturating_sub(1));
        for (place, piece) in (first..).zip(pieces).skip(blanks) {
            let start = piece.start.min(last);
            let end = piece.end.clamp(start + 1, last + 1);
            let from = ends.partition_point(|&other| other <= start);
            let to = ends.partition_point(|&other| other < end);
            for word in &mut words[from..=to] {
                word.start = if word.end == 0 { place } else { word.start };
                word.end = place + 1;
            }
        }
        let mut before = one(first);
        for word in &mut words {
            if word.end == 0 {
                *word = before.clone();
            }
            before = one(word.end - 1);
        }
        self.words.append(&mut words);
    }
}

/// As much of a word as is tokenized.
fn beginning(word: &str) -> &str {
    if word.len() <= LONGEST_WORD {
        return word;
    }
    // A character has at most four bytes.
    let cut = (LONGEST_WORD - 3..=LONGEST_WORD).rev().find(|&place| word.is_char_boundary(place));
    &word[..cut.unwrap_or(0)]
}

/// The range of one place.
fn one(place: u32) -> Range<u32> {
    Range { start: place, end: place + 1 }
}

/// Whether neighboring words are written without a blank between them.
fn are_joined(left: &str, right: &str) -> bool {
    left.chars().next_back().is_some_and(is_unspaced) && right.chars().next().is_some_and(is_unspaced)
}

/// Pieces of a sentence that are computed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// What is computed.
    pub(crate) pieces: Range<usize>,
    /// Those of them whose outputs count.
    pub(crate) kept: Range<usize>,
}

/// The windows of a sentence of so many pieces for a model that takes at most `most` (at least 1). What they keep is side by side
/// the whole sentence; of an empty one there are none.
pub(crate) fn windows(pieces: usize, most: usize) -> Vec<Window> {
    if pieces == 0 {
        return Vec::new();
    }
    if pieces <= most {
        return vec![Window { pieces: 0..pieces, kept: 0..pieces }];
    }
    let size = most.clamp(1, LONGEST_WINDOW);
    let shared = size / SHARED;
    let (mut windows, mut start, mut kept) = (Vec::new(), 0, 0);
    while start + size < pieces {
        let end = start + size - shared;
        windows.push(Window { pieces: start..start + size, kept: kept..end });
        (start, kept) = (end - shared, end);
    }
    windows.push(Window { pieces: pieces - size..pieces, kept: kept..pieces });
    windows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SPECIAL: Special = Special { unknown: 0, blank: Some(1) };

    /// A `▁`, then pieces of two characters, the number of each that of its first character. There are no digits: of `0` is nothing
    /// left, and `1` is unknown.
    fn tokenize(text: &str, pieces: &mut Vec<Piece>) {
        let known: Vec<(usize, char)> = text.char_indices().filter(|&(_, character)| character != '0').collect();
        if !known.is_empty() {
            pieces.push(Piece { id: 1, start: 0, end: 0 });
        }
        for two in known.chunks(2) {
            let ((start, first), (last, second)) = (two[0], two[two.len() - 1]);
            let id = if first == '1' { 0 } else { u32::from(first) };
            pieces.push(Piece { id, start, end: last + second.len_utf8() });
        }
    }

    fn pieces(words: &[&str]) -> (String, Vec<Range<u32>>) {
        let sentence = SentencePieces::by(words, SPECIAL, tokenize);
        let shown = sentence.ids.iter().map(|&id| match id {
            0 => '?',
            1 => '▁',
            id => char::from_u32(id).unwrap(),
        });
        (shown.collect(), sentence.words)
    }

    #[test]
    fn words_are_tokenized_alone() {
        assert_eq!(pieces(&["The", "house", "1"]), ("▁Te▁hue▁?".to_owned(), vec![1..3, 4..7, 8..9]));
        assert_eq!(pieces(&[]), (String::new(), vec![]));
        // What is known without a blank before it, and a blank without anything.
        let bare = |text: &str, pieces: &mut Vec<Piece>| {
            let id = if text == "_" { 1 } else { 7 };
            pieces.push(Piece { id, start: 0, end: text.len() });
        };
        let sentence = SentencePieces::by(&["a", "_", "b"], SPECIAL, bare);
        assert_eq!((sentence.ids, sentence.words), (vec![7, 1, 7], vec![0..1, 1..2, 2..3]));
    }

    #[test]
    fn nothing_left_is_unknown() {
        assert_eq!(pieces(&["a", "0", "", "b"]), ("▁a??▁b".to_owned(), vec![1..2, 2..3, 3..4, 5..6]));
    }

    #[test]
    fn endless_words_are_cut() {
        let word = "a".repeat(1 << 20);
        let sentence = SentencePieces::by(&["b", &word, "b"], SPECIAL, tokenize);
        assert_eq!(sentence.words, [1..2, 3..3 + 2048, 2052..2053]);
        // Between characters of three bytes.
        assert_eq!(beginning(&"東".repeat(1 << 12)).len(), 4095);
        // Words of six hundred pieces are whole.
        let word = "a".repeat(1200);
        assert_eq!(SentencePieces::by(&[&word, "b"], SPECIAL, tokenize).words, [1..601, 602..603]);
    }

    #[test]
    fn greek_is_tokenized_without_accents() {
        assert_eq!(pieces(&["Ἀχιλῆος", "νέα"]).0, "▁Αιης▁να");
    }

    #[test]
    fn words_without_blanks_are_joined() {
        // 東京|都に|住|む: 東京, 都に, 住む.
        let joined = pieces(&["東京", "都に", "住", "む", "。", "a", "東"]);
        assert_eq!(joined, ("▁東都住▁。▁a▁東".to_owned(), vec![1..2, 2..3, 3..4, 3..4, 5..6, 7..8, 9..10]));
        // 東|京都|に: 東京, 都に.
        assert_eq!(pieces(&["東", "京都", "に"]), ("▁東都".to_owned(), vec![1..2, 1..3, 2..3]));
        // Hangul has blanks.
        assert_eq!(pieces(&["한국", "어"]), ("▁한▁어".to_owned(), vec![1..2, 3..4]));
        // Only touching characters count.
        assert_eq!(pieces(&["x東", "京x", "東"]), ("▁x京▁東".to_owned(), vec![1..2, 2..3, 4..5]));
    }

    #[test]
    fn words_of_a_run_that_have_no_piece_share_one() {
        assert_eq!(pieces(&["東", "京0都", "に"]), ("▁東都".to_owned(), vec![1..2, 1..3, 2..3]));
        let of = |places: &'static [(usize, usize)]| {
            let tokenize = move |_: &str, pieces: &mut Vec<Piece>| {
                pieces.extend(places.iter().map(|&(start, end)| Piece { id: 7, start, end }));
            };
            SentencePieces::by(&["東", "京", "都"], SPECIAL, tokenize).words
        };
        assert_eq!(of(&[(0, 3), (6, 9)]), [0..1, 0..1, 1..2]);
        assert_eq!(of(&[(3, 6)]), [0..1, 0..1, 0..1]);
        assert_eq!(of(&[(6, 9), (6, 9)]), [0..1, 0..1, 0..2]);
        assert_eq!(of(&[(0, 9)]), [0..1, 0..1, 0..1]);
        assert_eq!(of(&[]), [0..1, 0..1, 0..1]);
        // Places that cannot be.
        assert_eq!(of(&[(usize::MAX, 0), (0, usize::MAX), (9, 9)]), [1..2, 1..2, 0..3]);
    }

    #[test]
    fn long_sentences_have_the_windows_of_the_recipe() {
        let window = |pieces, kept| Window { pieces, kept };
        assert_eq!(windows(510, 510), [window(0..510, 0..510)]);
        assert_eq!(windows(511, 510), [window(0..500, 0..450), window(11..511, 450..511)]);
        let three = [window(0..500, 0..450), window(400..900, 450..850), window(500..1000, 850..1000)];
        assert_eq!(windows(1000, 510), three);
        assert_eq!(windows(900, 510), [window(0..500, 0..450), window(400..900, 450..900)]);
        assert_eq!(windows(5, 2), [window(0..2, 0..2), window(2..4, 2..4), window(3..5, 4..5)]);
        assert_eq!((windows(0, 510), windows(2, 0).len()), (vec![], 2));
    }

    proptest! {
        #[test]
        fn windows_tile_the_sentence_and_see_beyond(pieces in 0usize..5000, most in 1usize..600) {
            let windows = windows(pieces, most);
            let shared = most.min(500) / 10;
            let mut kept = 0;
            for Window { pieces: seen, kept: counted } in &windows {
                prop_assert_eq!(counted.start, kept);
                prop_assert!(counted.end > kept && seen.len() <= most);
                prop_assert!(seen.start == 0 || counted.start >= seen.start + shared);
                prop_assert!(seen.end == pieces || seen.end <= pieces && counted.end + shared <= seen.end);
                kept = counted.end;
            }
            prop_assert_eq!(kept, pieces);
        }

        #[test]
        fn every_word_has_the_pieces_it_touches(words in proptest::collection::vec("[ab東京0ไท1]{0,4}", 0..12)) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let sentence = SentencePieces::by(&words, SPECIAL, tokenize);
            prop_assert_eq!(sentence.words.len(), words.len());
            let mut owned = vec![false; sentence.ids.len()];
            for (word, range) in words.iter().zip(&sentence.words) {
                prop_assert!(!range.is_empty() && range.end as usize <= sentence.ids.len());
                owned[range.start as usize..range.end as usize].fill(true);
                // A piece begins at every other character, so a word has one for two of its own, and at most one more at each end.
                let characters = word.chars().filter(|&character| character != '0').count();
                prop_assert!(characters == 0 || (characters.div_ceil(2)..=characters / 2 + 1).contains(&range.len()));
            }
            prop_assert!(sentence.words.is_sorted_by_key(|range| (range.start, range.end)));
            // Only blanks belong to no word.
            prop_assert!(owned.iter().zip(&sentence.ids).all(|(&owned, &id)| owned || id == 1));
        }
    }
}
