//! Sentence alignment by lengths, the words of both texts, and word vectors.
//!
//! Words are compared in the form of the model; without one they are cut at the word boundaries of Unicode and in lower case, for
//! text whose sentences are not aligned is seldom tokenized.

use super::lexical::LexicalEvidence;
use super::vectors::VectorEvidence;
use crate::bitext::{Dictionary, Text};
use crate::error::Result;
use crate::format::paragraphs::{LengthUnit, Paragraphs};
use crate::format::tokens::{self, Tokenize};
use crate::model::{Model, TextForm, UnknownWords};
use crate::parallel::Work;
use crate::progress::Observer;
use crate::sentence_align::{
    Bead, ConfidentBead, Evidence, EvidenceAligner, EvidenceConfig, GaleChurchConfig, Misfit, SentenceAligner,
};
use crate::word_vectors::WordVectors;

/// A model that does not know a greater share of the words is probably for other languages. A smaller one does not matter here.
const MOST_UNKNOWN: f64 = 0.5;

/// The form in which words of sentences are compared: that of the model; without one, cut at the word boundaries of Unicode and
/// in lower case. A dictionary is read in this form.
pub fn word_form(model: Option<&Model>) -> TextForm {
    let without = || TextForm::default().with(|c| c.tokenize = Tokenize::Unicode);
    model.map_or_else(without, Model::form)
}

/// What two texts are aligned by besides the lengths of their sentences. By default nothing: lengths decide alone.
///
/// ```
/// use alinea::bitext::Dictionary;
/// use alinea::format::paragraphs::{LengthUnit, Paragraphs};
/// use alinea::parallel::{Parallelism, Work};
/// use alinea::progress::Silent;
/// use alinea::sentence_align::GaleChurchConfig;
/// use alinea::sentences::SentenceEvidence;
///
/// let text = |sentences: &[&str]| -> Paragraphs {
///     let paragraph: Vec<String> = sentences.iter().map(|&sentence| sentence.to_owned()).collect();
///     [paragraph].into_iter().collect()
/// };
/// let source = text(&["The house is old", "Nobody has lived there for many years", "The garden is large"]);
/// let target = text(&["Das Haus ist alt", "Der Garten ist groß"]);
/// // In the form of words without a model: in lower case.
/// let mut dictionary = Dictionary::default();
/// for (source, target) in [("house", "haus"), ("old", "alt"), ("garden", "garten"), ("large", "groß")] {
///     dictionary.push(source.as_bytes(), target.as_bytes(), 1.0)?;
/// }
/// let evidence = SentenceEvidence { dictionary: Some(&dictionary), ..SentenceEvidence::default() };
/// let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
/// let unit = LengthUnit::Characters;
/// let found = evidence.align(GaleChurchConfig::default(), [&source, &target], unit, true, work)?;
/// let shown: Vec<String> = found.beads.iter().map(|found| found.bead.to_string()).collect();
/// assert_eq!(shown, ["0\t0", "1\t", "2\t1"]);
/// assert!(found.misfit.is_none());
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SentenceEvidence<'a> {
    /// A model whose translations are compared.
    pub model: Option<&'a Model>,
    /// Translations that are compared, in the [form](word_form) of the model.
    pub dictionary: Option<&'a Dictionary>,
    /// The vectors of the words of both texts, sentence by sentence.
    pub vectors: Option<&'a [WordVectors; 2]>,
}

/// Which sentences of two texts translate each other.
#[derive(Debug, Clone)]
pub struct SentenceAlignment {
    /// The groups, in order.
    pub beads: Vec<ConfidentBead>,
    /// That the lengths of the groups fit badly, if they do. With evidence, only groups with two sides count, and no ratio is
    /// reported, since it is learned from the text.
    pub misfit: Option<Misfit>,
}

impl SentenceEvidence<'_> {
    /// Aligns the sentences of two texts, paragraph by paragraph, by their lengths in this unit and by this evidence. Without
    /// evidence, confidences are NaN unless `confidences` asks for them. Warns of a model that
    /// does not know most words of a text, and of a dictionary without entries for both texts.
    ///
    /// # Errors
    /// `Config` for values that are not allowed; those of
    /// [`SentenceAligner::align_paragraphs`](crate::sentence_align::SentenceAligner::align_paragraphs).
    ///
    /// # Panics
    /// If the vectors are of other numbers of sentences than the texts have, or of different widths.
    pub fn align(
        &self,
        config: GaleChurchConfig,
        texts: [&Paragraphs; 2],
        unit: LengthUnit,
        confidences: bool,
        work: Work<'_>,
    ) -> Result<SentenceAlignment> {
        let lengths = texts.map(|text| text.lengths(unit));
        let lexical = self.lexical(texts, work.observer);
        let vectors = self.vectors.map(|[source, target]| {
            let sentences = texts.map(|text| text.sentences().len());
            assert_eq!([source.len(), target.len()], sentences, "vectors for each sentence");
            VectorEvidence::new(source, target, work)
        });
        let vectors = vectors.transpose()?;
        let of_words = lexical.iter().map(|evidence| evidence as &dyn Evidence);
        let evidence: Vec<&dyn Evidence> =
            of_words.chain(vectors.iter().map(|evidence| evidence as &dyn Evidence)).collect();
        let ratio = config.ratio;
        let beads = if evidence.is_empty() {
            by_lengths(config, &lengths, confidences, work.observer)?
        } else {
            let aligner = EvidenceAligner::new(EvidenceConfig::default().with(|c| c.lengths = config))?;
            aligner.align_paragraphs(&lengths[0], &lengths[1], &evidence, work)?
        };
        let misfit = misfit(&beads, &lengths, ratio, !evidence.is_empty());
        Ok(SentenceAlignment { beads, misfit })
    }

    /// What the words say, if a model or a dictionary knows any.
    fn lexical(&self, texts: [&Paragraphs; 2], observer: &dyn Observer) -> Option<LexicalEvidence> {
        if self.model.is_none() && self.dictionary.is_none() {
            return None;
        }
        let form = word_form(self.model);
        let [source, target] = texts.map(|text| words_of(text.sentences(), form));
        self.warn(&source, &target, observer);
        let nothing = Dictionary::default();
        Some(LexicalEvidence::new(self.model, self.dictionary.unwrap_or(&nothing), &source, &target))
    }

    /// Tells of a model and of a dictionary that seem to be for other texts.
    fn warn(&self, source: &Text, target: &Text, observer: &dyn Observer) {
        let unknown = self.model.and_then(|model| UnknownWords::of(model, [source, target], MOST_UNKNOWN));
        if let Some(unknown) = unknown {
            observer.warn(&unknown.to_string());
        }
        let Some(dictionary) = self.dictionary else { return };
        if dictionary.is_empty() {
            observer.warn("the dictionary has no entries of one word on each side");
        } else if dictionary.weights_in(source.vocabulary(), target.vocabulary()).is_empty() {
            let entries = dictionary.len();
            observer.warn(&format!(
                "none of the {entries} dictionary entries has a word of each text: is it for other languages, or are source \
                 and target swapped?"
            ));
        }
    }
}

/// Whether the lengths of groups fit badly, for an expected ratio of lengths.
fn misfit(
    beads: &[ConfidentBead],
    [source, target]: &[Vec<Vec<u32>>; 2],
    ratio: f64,
    has_evidence: bool,
) -> Option<Misfit> {
    let counts = |bead: &&Bead| !has_evidence || !bead.source.is_empty() && !bead.target.is_empty();
    let compared: Vec<Bead> = beads.iter().map(|found| &found.bead).filter(counts).cloned().collect();
    let found = Misfit::of(&compared, [source, target], ratio)?;
    Some(if has_evidence { Misfit { ratio: None, ..found } } else { found })
}

/// Aligns by lengths alone.
fn by_lengths(
    config: GaleChurchConfig,
    [source, target]: &[Vec<Vec<u32>>; 2],
    confidences: bool,
    observer: &dyn Observer,
) -> Result<Vec<ConfidentBead>> {
    let mut aligner = SentenceAligner::new(config)?;
    observer.started("aligning sentences", 0);
    let beads = aligner.align_paragraphs(source, target, observer)?;
    let found = if confidences {
        aligner.with_confidences(beads, source, target, observer)?
    } else {
        beads.into_iter().map(|bead| ConfidentBead { bead, confidence: f64::NAN }).collect()
    };
    observer.finished("");
    Ok(found)
}

/// The words of sentences, in a form.
fn words_of(sentences: &[String], form: TextForm) -> Text {
    let (mut text, mut folded) = (Text::default(), Vec::new());
    for sentence in sentences {
        tokens::for_each(sentence, form.tokenize, |word| {
            folded.clear();
            if form.lowercase {
                tokens::fold_case(word, &mut folded);
            } else {
                folded.extend_from_slice(word);
            }
            text.push_word(&folded);
        });
        text.end_sentence();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twenty pairs of equal lengths with misfits of 3, and a long target sentence without a source.
    #[test]
    fn a_ratio_is_only_advised_where_lengths_are_all_that_is_known() {
        let bead = |source, target, misfit| ConfidentBead {
            bead: Bead { source, target, cost: misfit, misfit },
            confidence: 1.0,
        };
        let pairs = (0..20).map(|n| bead(n..n + 1, n..n + 1, 3.0));
        let beads: Vec<ConfidentBead> = pairs.chain([bead(20..20, 20..21, 24.0)]).collect();
        let lengths = [vec![vec![10; 20]], vec![[vec![10; 20], vec![400]].concat()]];
        let by_length = misfit(&beads, &lengths, 1.0, false).unwrap();
        assert_eq!((by_length.mean, by_length.ratio), (4.0, Some(3.0)));
        let by_evidence = misfit(&beads, &lengths, 1.0, true).unwrap();
        assert_eq!((by_evidence.mean, by_evidence.ratio), (3.0, None));
    }
}
