//! Forms of words, in lower case or stemmed, as numbers, so that METEOR's stages compare numbers alone.
//!
//! There are two vocabularies: of words as lines have them, each with its form, and of forms, each with its stem, which
//! is a form as well. Both are computed when first asked for, and kept across segments. If there are more than 2^18
//! forms, all are forgotten before the next segment, so memory is bounded; numbers are not valid beyond that.

use crate::bitext::{Vocabulary, WordId};
use crate::metric::porter::Porter;

/// More forms than this are forgotten, so that memory does not grow with the text.
const MOST: usize = 1 << 18;

/// No stem was computed yet.
const UNSTEMMED: u32 = u32::MAX;

/// Numbers of forms: equal texts have equal numbers.
#[derive(Debug)]
pub(super) struct Forms {
    lowercase: bool,
    /// Words as they stand in lines, and the form of each.
    words: Vocabulary,
    of_words: Vec<u32>,
    texts: Vocabulary,
    stems: Vec<u32>,
}

impl Forms {
    pub(super) fn new(lowercase: bool) -> Self {
        let (words, texts) = (Vocabulary::default(), Vocabulary::default());
        Self { lowercase, words, of_words: Vec::new(), texts, stems: Vec::new() }
    }

    /// After this, forms may have other numbers.
    pub(super) fn forget_if_many(&mut self) {
        if self.texts.len() > MOST {
            self.words.clear();
            self.of_words.clear();
            self.texts.clear();
            self.stems.clear();
        }
    }

    /// The form of a word of a vocabulary.
    pub(super) fn of_word(&mut self, word: u32, vocabulary: &Vocabulary) -> u32 {
        let bytes = vocabulary.word(WordId::from_index(word as usize));
        let number = self.words.intern(bytes).index();
        if number == self.of_words.len() {
            let form = if self.lowercase {
                let text = std::str::from_utf8(bytes).expect("words are parts of strings");
                self.form(&text.to_lowercase())
            } else {
                self.texts.intern(bytes).index() as u32
            };
            self.of_words.push(form);
        }
        self.of_words[number]
    }

    /// The stem of a form, always by the same stemmer.
    pub(super) fn stem(&mut self, stemmer: Porter, form: u32) -> u32 {
        let number = form as usize;
        if self.stems.len() <= number {
            self.stems.resize(self.texts.len(), UNSTEMMED);
        }
        if self.stems[number] == UNSTEMMED {
            let stem = stemmer.stem(self.text(form));
            self.stems[number] = self.form(&stem);
        }
        self.stems[number]
    }

    pub(super) fn text(&self, form: u32) -> &str {
        let bytes = self.texts.word(WordId::from_index(form as usize));
        std::str::from_utf8(bytes).expect("forms are strings")
    }

    /// The form that is this text.
    pub(super) fn form(&mut self, text: &str) -> u32 {
        self.texts.intern(text.as_bytes()).index() as u32
    }
}
