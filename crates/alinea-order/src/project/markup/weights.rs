//! What the score of a stretch is made of.
//!
//! A softmax over all stretches of a translation, with these features, fitted to where translators put the tags of odd-numbered segments of
//! the English–German, –French and –Japanese test data that `docs/benchmarks/projection.md` describes, all three together, with a penalty on squares;
//! rounded. Pairs whose words translators had put elsewhere (less than 40 % of the links into them) were left out. One set of constants is for the
//! first time that the text is gone over, the other for when it is known what is in tags elsewhere.

/// What a word is worth, times what it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfWord {
    /// Any word.
    pub(super) any: f64,
    /// The probability of a link into the pair.
    pub(super) inside: f64,
    /// That of a link to other words.
    pub(super) outside: f64,
    /// That of a link into the pair and none to other words.
    pub(super) only: f64,
    /// How probable it is as the most probable counterpart of a word in the pair.
    pub(super) best: f64,
    /// Punctuation: any, and by its links.
    pub(super) mark: f64,
    pub(super) mark_inside: f64,
    pub(super) mark_outside: f64,
    /// The logarithm of the odds with which it is in tags elsewhere.
    pub(super) elsewhere: f64,
}

/// What a border is worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct OfBorder {
    /// The word at it, inside.
    pub(super) inside: f64,
    pub(super) best: f64,
    pub(super) elsewhere: f64,
    /// Both words at it, source and target, are the same mark; or one is a mark and the other is not.
    pub(super) same: f64,
    pub(super) differs: f64,
    /// There is no blank at it, nor a mark.
    pub(super) in_word: f64,
    /// A hyphen without blank, outside and inside; an apostrophe.
    pub(super) hyphen_outside: f64,
    pub(super) hyphen_inside: f64,
    pub(super) apostrophe: f64,
    /// It is that of the segment on both sides, or on one.
    pub(super) ends_both: f64,
    pub(super) ends_one: f64,
    /// It is that of a sentence in the source and, or but not, in the target.
    pub(super) sentence: f64,
}

/// All of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Weights {
    pub(super) word: OfWord,
    pub(super) start: OfBorder,
    pub(super) end: OfBorder,
    /// Square or corner brackets around it that are not linked to the source.
    pub(super) square: f64,
    /// Each bracket whose partner is on the other side of a border.
    pub(super) unbalanced: f64,
    /// The share of pairs around the same source words that are around the same target words.
    pub(super) phrase: f64,
}

/// As long as nothing is known of the rest of the text.
pub(super) const ALONE: Weights = Weights {
    word: OfWord {
        any: -0.9,
        inside: 2.3,
        outside: -1.45,
        only: 2.3,
        best: 2.2,
        mark: 0.3,
        mark_inside: 1.5,
        mark_outside: -1.05,
        elsewhere: 0.0,
    },
    start: OfBorder {
        inside: 1.8,
        best: 1.6,
        elsewhere: 0.0,
        same: 2.0,
        differs: 1.8,
        in_word: -1.5,
        hyphen_outside: -2.2,
        hyphen_inside: -2.6,
        apostrophe: -1.9,
        ends_both: -0.5,
        ends_one: 1.1,
        sentence: 1.9,
    },
    end: OfBorder {
        inside: 1.2,
        best: 1.3,
        elsewhere: 0.0,
        same: 0.5,
        differs: 1.2,
        in_word: -1.7,
        hyphen_outside: 0.0,
        hyphen_inside: -2.3,
        apostrophe: -1.4,
        ends_both: -1.2,
        ends_one: -1.3,
        sentence: 0.1,
    },
    square: 6.1,
    unbalanced: -3.6,
    phrase: 0.0,
};

/// Afterwards.
pub(super) const IN_TEXT: Weights = Weights {
    word: OfWord {
        any: -0.5,
        inside: 2.5,
        outside: -1.35,
        only: 2.5,
        best: 2.35,
        mark: -0.25,
        mark_inside: 1.6,
        mark_outside: -1.0,
        elsewhere: 0.45,
    },
    start: OfBorder {
        inside: 1.75,
        best: 1.4,
        elsewhere: 0.3,
        same: 1.2,
        differs: 1.0,
        in_word: -1.1,
        hyphen_outside: -1.7,
        hyphen_inside: -1.8,
        apostrophe: -2.1,
        ends_both: -0.3,
        ends_one: 1.1,
        sentence: 1.9,
    },
    end: OfBorder {
        inside: 1.15,
        best: 1.0,
        elsewhere: -0.05,
        same: 0.0,
        differs: 0.75,
        in_word: -1.7,
        hyphen_outside: 0.0,
        hyphen_inside: -1.8,
        apostrophe: -1.3,
        ends_both: -1.3,
        ends_one: -0.8,
        sentence: 0.4,
    },
    square: 4.8,
    unbalanced: -3.5,
    phrase: 1.85,
};
