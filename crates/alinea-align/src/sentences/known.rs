//! Alignment of sentences by all that is known of them: lengths, the words of both texts, vectors.
//!
//! Words are compared in the form of the model; without one they are cut at the word boundaries of Unicode and in lower case, for
//! text whose sentences are not aligned is seldom tokenized.

use super::lexical::LexicalEvidence;
use super::vectors::VectorEvidence;
use crate::bitext::{Dictionary, Text};
use crate::error::Result;
use crate::format::paragraphs::{LengthUnit, Paragraphs};
use crate::format::tokens::{self, Tokenize};
use crate::model::{Model, TextForm};
use crate::parallel::Work;
use crate::progress::Observer;
use crate::sentence_align::{
    Bead, ConfidentBead, Evidence, EvidenceAligner, EvidenceConfig, GaleChurchConfig, Misfit, SentenceAligner,
};
use crate::word_vectors::WordVectors;

/// The form in which words of sentences are compared: that of the model; without one, cut at the word boundaries of Unicode and
/// in lower case. A dictionary is read in this form.
pub fn word_form(model: Option<&Model>) -> TextForm {
    let without = || TextForm::default().with(|c| c.tokenize = Tokenize::Unicode);
    model.map_or_else(without, Model::form)
}

/// What is known of the sentences of two texts beside their lengths. Nothing by default: then lengths decide alone.
///
/// ```
/// use alinea::bitext::Dictionary;
/// use alinea::format::paragraphs::{LengthUnit, Paragraphs};
/// use alinea::parallel::{Parallelism, Work};
/// use alinea::progress::Silent;
/// use alinea::sentence_align::GaleChurchConfig;
/// use alinea::sentences::Known;
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
/// let known = Known { dictionary: Some(&dictionary), ..Known::default() };
/// let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
/// let unit = LengthUnit::Characters;
/// let found = known.align(GaleChurchConfig::default(), [&source, &target], unit, true, work)?;
/// let shown: Vec<String> = found.beads.iter().map(|found| found.bead.to_string()).collect();
/// assert_eq!(shown, ["0\t0", "1\t", "2\t1"]);
/// assert!(found.misfit.is_none());
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Known<'a> {
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
    /// That the lengths of the groups fit badly, if they do. Where more is known than lengths, only groups with two sides count.
    pub misfit: Option<Misfit>,
}

impl Known<'_> {
    /// Aligns the sentences of two texts, paragraph by paragraph, by their lengths in this unit and by what is known. If lengths
    /// are all that is known, and `confidences` are not wanted, these are NaN. Warns if the dictionary is empty.
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
        let counts = |bead: &&Bead| evidence.is_empty() || !bead.source.is_empty() && !bead.target.is_empty();
        let compared: Vec<Bead> = beads.iter().map(|found| &found.bead).filter(counts).cloned().collect();
        let misfit = Misfit::of(&compared, [&lengths[0], &lengths[1]], ratio);
        Ok(SentenceAlignment { beads, misfit })
    }

    /// What the words say, if a model or a dictionary knows any.
    fn lexical(&self, texts: [&Paragraphs; 2], observer: &dyn Observer) -> Option<LexicalEvidence> {
        if self.model.is_none() && self.dictionary.is_none() {
            return None;
        }
        if self.dictionary.is_some_and(Dictionary::is_empty) {
            observer.warn("the dictionary has no entries of one word on each side");
        }
        let form = word_form(self.model);
        let [source, target] = texts.map(|text| words_of(text.sentences(), form));
        let nothing = Dictionary::default();
        Some(LexicalEvidence::new(self.model, self.dictionary.unwrap_or(&nothing), &source, &target))
    }
}

/// Aligns by lengths alone.
fn by_lengths(
    config: GaleChurchConfig,
    [source, target]: &[Vec<Vec<u32>>; 2],
    confidences: bool,
    observer: &dyn Observer,
) -> Result<Vec<ConfidentBead>> {
    let mut aligner = SentenceAligner::new(config)?;
    observer.started("align sentences", 0);
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
