//! Text that is changed character by character, and which bytes of the original text its characters are from.

use std::ops::Range;

/// Bytes of the original text, from the first to behind the last.
pub(super) type Place = (usize, usize);

/// A text, and for each of its bytes the place that the character was made of.
#[derive(Debug, Default)]
pub(super) struct Normalized {
    text: String,
    places: Vec<Place>,
}

impl Normalized {
    /// An original text.
    pub(super) fn new(text: &str) -> Self {
        let mut same = Self { text: String::with_capacity(text.len()), places: Vec::with_capacity(text.len()) };
        for (start, character) in text.char_indices() {
            same.push(character, (start, start + character.len_utf8()));
        }
        same
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn push(&mut self, character: char, place: Place) {
        self.text.push(character);
        self.places.resize(self.text.len(), place);
    }

    pub(super) fn push_all(&mut self, text: &str, place: Place) {
        self.text.push_str(text);
        self.places.resize(self.text.len(), place);
    }

    /// The place that a range of the text, which is not empty, is from.
    pub(super) fn place(&self, Range { start, end }: Range<usize>) -> Place {
        (self.places[start].0, self.places[end - 1].1)
    }

    /// The characters of a range of the text, and their places.
    pub(super) fn characters(&self, range: Range<usize>) -> impl Iterator<Item = (char, Place)> {
        let start = range.start;
        self.text[range].char_indices().map(move |(at, character)| (character, self.places[start + at]))
    }
}
