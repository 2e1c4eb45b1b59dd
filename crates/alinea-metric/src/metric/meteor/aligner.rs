//! METEOR's matching of equal words and equal stems, for callers that have tokens instead of lines.
//!
//! A [`MeteorAligner`] takes the words of a hypothesis and a reference one by one, and gives matched places, the number
//! of matches and chunks, and the words that are left on either side, as stems, for further stages of the caller. The
//! hypothesis may stay while one reference follows another. Case counts: callers that ignore it lower the words before.
//! Stems are kept from pair to pair.

use super::forms::Forms;
use super::stages::Stages;
use crate::metric::porter::Porter;

/// Matches equal words, and then words of one stem, of one pair of sentences after another. Stems are computed once.
///
/// ```
/// use alinea::metric::meteor::MeteorAligner;
/// use alinea::metric::porter::Porter;
///
/// let mut aligner = MeteorAligner::new(Porter::Nltk);
/// aligner.begin();
/// ["the", "cats", "ran"].iter().for_each(|word| aligner.push_hypothesis(word));
/// ["the", "cat", "slept"].iter().for_each(|word| aligner.push_reference(word));
/// aligner.align();
/// assert_eq!(aligner.matches_and_chunks(), (2, 1));
/// assert_eq!(aligner.pairs(), [(0, 0), (1, 1)]);
/// assert_eq!(aligner.left_in_hypothesis(), [(2, "ran")]);
/// assert_eq!(aligner.left_in_reference(), [(2, "slept")]);
/// ```
#[derive(Debug)]
pub struct MeteorAligner {
    stemmer: Porter,
    forms: Forms,
    stages: Stages,
    reference: Vec<u32>,
    hypothesis: Vec<u32>,
}

impl MeteorAligner {
    /// Without words.
    pub fn new(stemmer: Porter) -> Self {
        let (reference, hypothesis) = (Vec::new(), Vec::new());
        Self { stemmer, forms: Forms::new(false), stages: Stages::default(), reference, hypothesis }
    }

    /// Forgets both sentences.
    pub fn begin(&mut self) {
        self.forms.forget_if_many();
        self.reference.clear();
        self.hypothesis.clear();
    }

    /// Forgets the reference.
    pub fn begin_reference(&mut self) {
        self.reference.clear();
    }

    /// Adds a word to the reference; case counts.
    pub fn push_reference(&mut self, word: &str) {
        self.reference.push(self.forms.form(word));
    }

    /// Adds a word to the hypothesis; case counts.
    pub fn push_hypothesis(&mut self, word: &str) {
        self.hypothesis.push(self.forms.form(word));
    }

    /// The numbers of words: of the hypothesis, and of the reference.
    pub fn lengths(&self) -> (usize, usize) {
        (self.hypothesis.len(), self.reference.len())
    }

    /// Matches words. O(n log n) for n words, and stems.
    pub fn align(&mut self) {
        self.stages.begin(&self.reference, &self.hypothesis);
        self.stages.match_equal();
        let (forms, stemmer) = (&mut self.forms, self.stemmer);
        self.stages.replace_unmatched(|form| forms.stem(stemmer, form));
        self.stages.match_equal();
    }

    /// The number of matches, and of the chunks that they are in.
    pub fn matches_and_chunks(&mut self) -> (usize, usize) {
        self.stages.matches_and_chunks()
    }

    /// Places in hypothesis and reference that are matched, in order once they were counted.
    pub fn pairs(&self) -> &[(u32, u32)] {
        self.stages.pairs()
    }

    /// Places in the hypothesis that are not matched, and the stems there.
    pub fn left_in_hypothesis(&mut self) -> Vec<(u32, &str)> {
        let [_, left] = self.stages.left();
        left.iter().map(|&(form, place)| (place, self.forms.text(form))).collect()
    }

    /// Places in the reference that are not matched, and the stems there.
    pub fn left_in_reference(&mut self) -> Vec<(u32, &str)> {
        let [left, _] = self.stages.left();
        left.iter().map(|&(form, place)| (place, self.forms.text(form))).collect()
    }
}
