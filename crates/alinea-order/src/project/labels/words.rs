//! Target sentences with what decides about their words.

use alinea_text::bitext::Vocabulary;

use super::config::LabelConfig;
use super::pair::LabeledPair;
use super::projected::Loss;

/// No word belongs to a label by its links alone with more than this.
const MOST: f64 = 0.9;

/// A number for each form of the target words, in lower case.
#[derive(Debug, Default)]
pub(super) struct Forms {
    forms: Vocabulary,
}

/// A target word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    /// Its form in lower case.
    pub(super) form: u32,
    pub(super) shape: Shape,
    pub(super) bracket: Option<Bracket>,
    pub(super) is_punctuation: bool,
}

/// What kind of word it is, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape(u8);

/// A bracket that is a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bracket {
    Open,
    Close,
}

impl Shape {
    pub(super) const COUNT: usize = 8;

    /// By the first character: upper case, lower case, letters without case by the length of the word, digits, others.
    fn of(word: &str) -> Self {
        let first = word.chars().next().unwrap_or(' ');
        Self(match first {
            _ if first.is_uppercase() || !first.to_lowercase().eq([first]) => 0,
            _ if first.is_lowercase() => 1,
            _ if first.is_alphabetic() => 1 + word.chars().take(4).count() as u8,
            _ if first.is_numeric() => 6,
            _ => 7,
        })
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Bracket {
    pub(super) fn of(word: &str) -> Option<Self> {
        match word {
            "(" | "（" | "[" | "［" => Some(Self::Open),
            ")" | "）" | "]" | "］" => Some(Self::Close),
            _ => None,
        }
    }
}

/// A target sentence, and the labels that look for words in it.
#[derive(Debug)]
pub(super) struct Sentence {
    pub(super) words: Vec<Word>,
    pub(super) labels: Vec<Label>,
    /// For each two labels whether their source stretches have a word in common.
    overlapping: Vec<bool>,
}

/// A label that looks for words.
#[derive(Debug)]
pub(super) struct Label {
    /// For each target word the probability of a link into the label.
    pub(super) inside: Vec<f64>,
    /// Whether it has a word that is linked with the least probability.
    pub(super) linked: Vec<bool>,
    /// Whether there is a bracket among its words.
    pub(super) has_bracket: bool,
    /// Whether a bracket opens directly before or behind it.
    pub(super) is_glossed: bool,
}

impl Forms {
    /// What is needed of a pair.
    pub(super) fn sentence(&mut self, pair: &LabeledPair<'_>, config: &LabelConfig) -> Sentence {
        let words = pair.target.iter().map(|word| self.word(word)).collect();
        let labels: Vec<Label> = (0..pair.spans.len()).map(|span| label(pair, span, config.threshold)).collect();
        let spans = || pair.spans.iter();
        let overlapping = spans().flat_map(|one| spans().map(|other| one.overlaps(other))).collect();
        Sentence { words, labels, overlapping }
    }

    fn word(&mut self, word: &str) -> Word {
        Word {
            form: self.forms.intern(word.to_lowercase().as_bytes()).index() as u32,
            shape: Shape::of(word),
            bracket: Bracket::of(word),
            is_punctuation: !word.chars().any(char::is_alphanumeric),
        }
    }
}

fn label(pair: &LabeledPair<'_>, span: usize, threshold: f32) -> Label {
    let words = pair.spans[span].words.clone();
    let (mut outside, mut linked) = (vec![1.0; pair.target.len()], vec![false; pair.target.len()]);
    for link in pair.links.iter().filter(|link| words.contains(&(link.link.source as usize))) {
        let target = link.link.target as usize;
        outside[target] *= 1.0 - f64::from(link.weight.clamp(0.0, 1.0));
        linked[target] |= link.weight >= threshold;
    }
    let bracket = |word: usize| pair.source.get(word).and_then(|word| Bracket::of(word));
    let before = words.start.checked_sub(1).and_then(bracket);
    Label {
        inside: outside.into_iter().map(|outside| (1.0_f64 - outside).min(MOST)).collect(),
        linked,
        has_bracket: words.clone().any(|word| bracket(word).is_some()),
        is_glossed: before == Some(Bracket::Open) || bracket(words.end) == Some(Bracket::Open),
    }
}

impl Label {
    /// Why it found no words.
    pub(super) fn loss(&self) -> Loss {
        if self.inside.iter().any(|&inside| inside > 0.0) { Loss::Weak } else { Loss::Unlinked }
    }
}

impl Sentence {
    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether the source stretches of two labels have a word in common.
    pub(super) fn may_overlap(&self, one: usize, other: usize) -> bool {
        self.overlapping[one * self.labels.len() + other]
    }

    /// For each word the probability that it is in some label, by links alone.
    pub(super) fn expected(&self) -> Vec<f64> {
        let none = |word: usize| self.labels.iter().map(|label| 1.0 - label.inside[word]).product::<f64>();
        (0..self.len()).map(|word| 1.0 - none(word)).collect()
    }
}
