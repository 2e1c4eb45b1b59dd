//! What a model is trained on.
//!
//! A text that is to be aligned, text added to it that is only learned from, and what is known beforehand: translations of
//! words, links of some pairs, classes of words, word vectors. Added text stands behind the text itself, so that the number of a
//! pair is its line.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::checkpoint::Checkpoint;
use super::guidelines::GoldLinks;
use super::joined::{TextVectors, check_vectors};
use super::warning::Warning;
use crate::alignment::GoldAlignment;
use crate::bitext::{Bitext, RankedBitext, Side, Weights};
use crate::classes::WordClasses;
use crate::error::{ErrorKind, Result};
use crate::format::classes::ClassTable;
use crate::model::{Aligner, AlignerConfig, Feature, Model, ModelName, Supervision, Training};
use crate::parallel::Work;
use crate::progress::Observer;
use crate::word_vectors::WordVectors;

/// What a model is trained on; read-only, made by [`TrainingData::of`].
#[derive(Debug)]
pub struct TrainingData {
    text: Arc<RankedBitext>,
    pairs: usize,
    supervision: Supervision,
    classes: Option<[Vec<u32>; 2]>,
    vectors: Option<Arc<TextVectors>>,
    gold: GoldLinks,
    warnings: Vec<Warning>,
}

/// A model of more pairs for each pair with gold links is not trained with these: it would learn nothing of its words.
const PAIRS_PER_GOLD_PAIR: usize = 1000;

/// Puts [`TrainingData`] together.
///
/// ```
/// use alinea::align::TrainingData;
/// use alinea::bitext::{Bitext, Text};
///
/// let text = |words: &str| {
///     let mut text = Text::default();
///     text.push_sentence(words.split(' ').map(str::as_bytes));
///     text
/// };
/// let own = Bitext::new(text("the house"), text("la maison"))?;
/// let other = Bitext::new(text("a house"), text("une maison"))?;
/// let data = TrainingData::of(own)?.with_added(&other, 0.3).build()?;
/// assert_eq!((data.pairs(), data.text().len()), (1, 2));
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct TrainingDataBuilder {
    text: Bitext,
    /// The numbers of pairs of the text and of each text added to it, and their weights.
    parts: Vec<(usize, f32)>,
    supervision: Supervision,
    classes: Option<[ClassTable; 2]>,
    vectors: Option<Arc<[WordVectors; 2]>>,
    gold: GoldLinks,
}

impl TrainingData {
    /// Begins with the text that is to be aligned.
    ///
    /// # Errors
    /// `Empty` if no pair has words on both sides.
    pub fn of(text: Bitext) -> Result<TrainingDataBuilder> {
        if text.is_empty() {
            return Err(ErrorKind::Empty("nothing to align: the text has no lines".to_owned()).into());
        }
        if text.pairs().all(|pair| pair.has_empty_side()) {
            return Err(ErrorKind::EmptySides { pairs: text.len() }.into());
        }
        let parts = vec![(text.len(), 1.0)];
        let (supervision, gold) = (Supervision::default(), GoldLinks::default());
        Ok(TrainingDataBuilder { text, parts, supervision, classes: None, vectors: None, gold })
    }

    /// The text, followed by what was added to it.
    pub fn text(&self) -> &RankedBitext {
        &self.text
    }

    /// The number of pairs of the text itself, which stand first: those that are aligned.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// What is known beforehand.
    pub fn supervision(&self) -> &Supervision {
        &self.supervision
    }

    /// The number of the class of each word, source and target, by rank, if classes were given.
    pub fn classes(&self) -> Option<&[Vec<u32>; 2]> {
        self.classes.as_ref()
    }

    /// The vectors of the words of the text itself, source and target, if they were given; some pairs may have none.
    pub fn vectors(&self) -> Option<&Arc<[WordVectors; 2]>> {
        self.vectors.as_deref().map(TextVectors::vectors)
    }

    /// The same, with what follows from them.
    pub(super) fn text_vectors(&self) -> Option<&TextVectors> {
        self.vectors.as_deref()
    }

    /// The same data as if nobody had made the gold links; nothing if there are none.
    pub(super) fn without_gold(&self) -> Option<Self> {
        let Self { text, pairs, supervision, classes, vectors, gold, warnings } = self;
        if gold.pairs.is_empty() {
            return None;
        }
        let is_gold = |n: usize| gold.pairs.binary_search_by_key(&n, |&(gold, _)| gold).is_ok();
        Some(Self {
            text: Arc::clone(text),
            pairs: *pairs,
            supervision: supervision.clone().with(|c| c.links.retain(|&(n, _)| !is_gold(n))),
            classes: classes.clone(),
            vectors: vectors.clone(),
            gold: GoldLinks::default(),
            // The second training, if there is one, tells of them.
            warnings: if supervision.links.iter().any(|&(n, _)| is_gold(n)) { Vec::new() } else { warnings.clone() },
        })
    }

    /// The same data, with known links of some pairs of the text itself in place of others ([`Supervision::links`]): all links of
    /// these pairs, by ascending number. The text is shared.
    ///
    /// # Errors
    /// `Inconsistent` for links of pairs that the text does not have, or outside of their sentences.
    pub fn with_links(&self, links: Vec<(usize, GoldAlignment)>) -> Result<Self> {
        let Self { text, pairs, supervision, classes, vectors, gold, warnings } = self;
        let supervision = supervision.clone().with(|c| c.links = links);
        supervision.check(text, *pairs)?;
        Ok(Self {
            text: Arc::clone(text),
            pairs: *pairs,
            supervision,
            classes: classes.clone(),
            vectors: vectors.clone(),
            gold: gold.clone(),
            warnings: warnings.clone(),
        })
    }

    /// The gold links that tell what people link.
    pub fn gold(&self) -> &GoldLinks {
        &self.gold
    }

    /// The same data with vectors of the words of the text itself, in place of others: see
    /// [`TrainingDataBuilder::with_vectors`]. A model that was trained without them is joined with them by
    /// [`Trained::join`](super::Trained::join).
    ///
    /// # Errors
    /// As those of [`TrainingDataBuilder::build`] for vectors.
    pub fn with_vectors(self, vectors: [WordVectors; 2]) -> Result<Self> {
        check_vectors(&vectors, self.text.bitext(), self.pairs)?;
        Ok(Self { vectors: Some(Arc::new(TextVectors::from(Arc::new(vectors)))), ..self })
    }

    /// What the user should know about it.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The lengths of both sides of each pair that is aligned.
    pub fn lengths(&self) -> impl ExactSizeIterator<Item = [usize; 2]> + Clone + '_ {
        (0..self.pairs).map(|n| self.text.pair(n).lengths())
    }

    /// Begins the training of a joint model; warnings go to the observer.
    ///
    /// # Errors
    /// Those of [`Training::new`]; `Unsupported` for data that the model cannot use.
    pub fn begin(&self, config: AlignerConfig, work: Work<'_>) -> Result<Training<'_>> {
        self.check(config.name)?;
        let training = Training::new(&self.text, config, &self.supervision, work.parallelism, work.observer)?;
        self.warn(training.given_word_pairs(), work.observer);
        Ok(training)
    }

    /// Trains a joint model, perhaps with a checkpoint; warnings go to the observer. Word vectors have no say in it: that they
    /// have by [`Trained::train`](super::Trained::train).
    ///
    /// # Errors
    /// Those of [`Aligner::train_with`] and [`Checkpoint::train`]; `Unsupported` for data that the model cannot use.
    pub fn train(&self, config: AlignerConfig, checkpoint: Option<&Checkpoint>, work: Work<'_>) -> Result<Aligner> {
        let training = self.begin(config, work)?;
        match checkpoint {
            Some(checkpoint) => checkpoint.train(training, work),
            None => training.run(work.parallelism, work.observer),
        }
    }

    /// Adapts a saved model, in `passes` passes; warnings go to the observer. Word vectors have no say in it: that they have by
    /// [`Trained::adapt`](super::Trained::adapt).
    ///
    /// # Errors
    /// Those of [`Aligner::adapt`].
    pub fn adapt(&self, model: &Model, passes: u32, work: Work<'_>) -> Result<Aligner> {
        self.begin_adapting(model, passes, work)?.run(work.parallelism, work.observer)
    }

    /// Prepares for it; warnings go to the observer.
    ///
    /// # Errors
    /// Those of [`Aligner::adapt`].
    pub(super) fn begin_adapting(&self, model: &Model, passes: u32, work: Work<'_>) -> Result<Training<'_>> {
        let training = Training::adapting(model, &self.text, passes, &self.supervision, work)?;
        self.warn(training.given_word_pairs(), work.observer);
        Ok(training)
    }

    /// Tells of what is of no use; given is how many pairs of words of the text the dictionary has.
    pub(super) fn warn(&self, given_word_pairs: usize, observer: &dyn Observer) {
        let entries = self.supervision.dictionary.len();
        let unused = (entries > 0 && given_word_pairs == 0).then_some(Warning::UnusedDictionary { entries });
        self.warnings.iter().chain(&unused).for_each(|warning| observer.warn(&warning.to_string()));
    }

    /// Refuses what the model cannot use.
    pub(super) fn check(&self, model: ModelName) -> Result<()> {
        let Supervision { dictionary, links, soft_links } = &self.supervision;
        let given = [
            (!dictionary.is_empty(), Feature::Dictionary),
            (!(links.is_empty() && soft_links.is_empty()), Feature::Links),
            (self.classes.is_some(), Feature::WordClasses),
            (self.vectors.is_some(), Feature::Encoder),
            (!self.gold.pairs.is_empty(), Feature::Gold),
        ];
        given.into_iter().filter(|(given, _)| *given).try_for_each(|(_, feature)| model.require(feature))
    }
}

impl From<RankedBitext> for TrainingData {
    /// A text alone, of which all pairs are aligned.
    fn from(text: RankedBitext) -> Self {
        let (pairs, text) = (text.len(), Arc::new(text));
        let (supervision, warnings) = (Supervision::default(), Vec::new());
        Self { text, pairs, supervision, classes: None, vectors: None, gold: GoldLinks::default(), warnings }
    }
}

impl TrainingDataBuilder {
    /// The text, and what was added to it so far.
    pub fn text(&self) -> &Bitext {
        &self.text
    }

    /// Adds text that is learned from, but not aligned. What one of its pairs adds to the expected counts of word pairs is
    /// multiplied by the weight, from 0.01 to 1 ([`Weights`]).
    #[must_use]
    pub fn with_added(mut self, text: &Bitext, weight: f32) -> Self {
        self.parts.push((text.len(), weight));
        self.text.append(text);
        self
    }

    /// What is known beforehand. Words of the dictionary are written as those of the text.
    #[must_use]
    pub fn with_supervision(self, supervision: Supervision) -> Self {
        Self { supervision, ..self }
    }

    /// The classes of the words, source and target; words that are not in a table are a class of their own.
    #[must_use]
    pub fn with_classes(self, classes: Option<[ClassTable; 2]>) -> Self {
        Self { classes, ..self }
    }

    /// The vectors of the words of the text itself, source and target, as an encoder gives them, with which a model is trained
    /// and joined by [`Trained::train`](super::Trained::train) and [`Trained::adapt`](super::Trained::adapt). Pairs of which no
    /// word has a vector, on neither side, are not encoded.
    #[must_use]
    pub fn with_vectors(self, vectors: [WordVectors; 2]) -> Self {
        Self { vectors: Some(Arc::new(vectors)), ..self }
    }

    /// Gold links of some pairs of the text itself, which tell what people link ([`Guideline`](crate::decision::Guideline)). A model is
    /// trained without them first, so that what it finds in these pairs is like what it finds in others, and the decision about links
    /// is learned from the difference. If a thousandth of the pairs that are trained on have gold links, and if no words were left
    /// out in them, it is then trained once more with them as [known links](Supervision::links)
    /// ([`Trained::train`](super::Trained::train)).
    #[must_use]
    pub fn with_gold(self, gold: GoldLinks) -> Self {
        Self { gold, ..self }
    }

    /// Ranks the words. O(tokens).
    ///
    /// # Errors
    /// `Config` for a weight that is not allowed, and for vectors of no pair at all; `Inconsistent` for links of pairs that the text does not have, or outside of
    /// their sentences, for tables with too many classes, and for vectors of other sentences or words than those of the text
    /// itself.
    pub fn build(self) -> Result<TrainingData> {
        let Self { text, parts, mut supervision, classes, vectors, gold } = self;
        if !gold.annotated_only && gold.pairs.len() * PAIRS_PER_GOLD_PAIR >= text.len() {
            let known: BTreeSet<usize> = supervision.links.iter().map(|&(n, _)| n).collect();
            supervision.links.extend(gold.pairs.iter().filter(|(n, _)| !known.contains(n)).cloned());
        }
        supervision.links.sort_by_key(|&(n, _)| n);
        let (pairs, weights) = (parts[0].0, Weights::new(&parts)?);
        if let Some(vectors) = &vectors {
            check_vectors(vectors, &text, pairs)?;
        }
        let text = RankedBitext::new(text).weighted(weights)?;
        supervision.check(&text, pairs)?;
        let of_gold = Supervision::default().with(|c| c.links.clone_from(&gold.pairs));
        of_gold.check(&text, pairs)?;
        let mut warnings: Vec<Warning> = Warning::of_links(&supervision, &text).into_iter().collect();
        let texts = [(Side::Source, &text.bitext().source), (Side::Target, &text.bitext().target)];
        let classes = classes.map(|[source, target]| {
            let [source, target] = [(texts[0], source), (texts[1], target)].map(|((side, text), table)| {
                let (missing, words) = (table.missing(text.vocabulary()), text.vocabulary().len());
                if missing > 0 {
                    warnings.push(Warning::WordsWithoutClass { side, missing, words });
                }
                WordClasses::of_table_with_unknown(&table, text.vocabulary()).map(|classes| classes.numbers())
            });
            Ok::<_, crate::error::Error>([source?, target?])
        });
        let classes = classes.transpose()?;
        let text = Arc::new(text);
        let vectors = vectors.map(|vectors| Arc::new(TextVectors::from(vectors)));
        Ok(TrainingData { text, pairs, supervision, classes, vectors, gold, warnings })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::{Alignment, Link};
    use crate::bitext::Text;

    fn bitext(lines: &[(&str, &str)]) -> Bitext {
        let (mut source, mut target) = (Text::default(), Text::default());
        for (s, t) in lines {
            source.push_sentence(s.split_whitespace().map(str::as_bytes));
            target.push_sentence(t.split_whitespace().map(str::as_bytes));
        }
        Bitext::new(source, target).unwrap()
    }

    fn builder() -> TrainingDataBuilder {
        TrainingData::of(bitext(&[("the house", "la maison"), ("the flower", "la fleur")])).unwrap()
    }

    #[test]
    fn texts_without_words_are_refused() {
        let message = |lines: &[(&str, &str)]| TrainingData::of(bitext(lines)).unwrap_err().to_string();
        assert_eq!(message(&[]), "nothing to align: the text has no lines");
        assert_eq!(
            message(&[("a", ""), ("", "b")]),
            "nothing to align: each of the 2 sentence pairs has an empty side"
        );
    }

    #[test]
    fn links_are_of_the_text_itself() {
        let added = bitext(&[("a house", "une maison")]);
        let with_link = |pair: usize, link: Link| {
            let links = GoldAlignment::from_parts(Alignment::from_links(vec![link]), &Alignment::new());
            let supervision = Supervision { links: vec![(pair, links)], ..Supervision::default() };
            builder().with_added(&added, 0.3).with_supervision(supervision).build()
        };
        assert!(with_link(1, Link::new(1, 1)).is_ok());
        assert!(with_link(2, Link::new(0, 0)).is_err(), "pairs of added text have numbers that nobody knows");
        assert!(with_link(1, Link::new(2, 1)).is_err());
        assert!(builder().with_added(&added, 0.0).build().is_err());
    }

    #[test]
    fn vectors_are_of_the_text_itself_and_for_models_in_agreement() {
        let vectors = |words: &[usize]| {
            let mut vectors = WordVectors::new("toy.1", 2);
            for words in words {
                vectors.push(&vec![0.5; 2 * words]);
            }
            vectors
        };
        let added = bitext(&[("a house", "une maison")]);
        let with = |source: &[usize], target: &[usize]| {
            builder().with_added(&added, 0.3).with_vectors([vectors(source), vectors(target)]).build()
        };
        let data = with(&[2, 2], &[2, 2]).unwrap();
        assert_eq!(data.vectors().unwrap()[1].len(), 2);
        assert!(data.check(ModelName::Quality).is_ok());
        assert_eq!(
            data.check(ModelName::Hmm).unwrap_err().to_string(),
            "encoder is for the models agreement-loo, quality and agreement, not for hmm"
        );
        assert!(with(&[0, 2], &[0, 2]).is_ok(), "one pair is encoded");
        let none = with(&[0, 0], &[0, 0]).unwrap_err().to_string();
        assert_eq!(none, "vectors = none: must be those of the words of one sentence pair or more");
        for (source, target) in [
            (&[2, 2, 2][..], &[2, 2][..]),
            (&[2, 2][..], &[2, 1][..]),
            (&[2, 2][..], &[2, 0][..]),
            (&[2][..], &[2][..]),
        ] {
            let error = with(source, target).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Inconsistent(_)), "{error}");
        }
    }

    #[test]
    fn words_without_a_class_are_counted() {
        let table = |words: &[&str]| words.iter().map(|word| (word.as_bytes(), 7)).collect::<ClassTable>();
        let classes = [table(&["the", "house"]), table(&["la", "maison", "fleur"])];
        let data = builder().with_classes(Some(classes)).build().unwrap();
        let warnings: Vec<String> = data.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(warnings, ["1 of 3 source words have no class: they share one of their own"]);
        assert_eq!(data.classes().unwrap()[1], [0, 0, 0]);
        assert_eq!(
            data.check(ModelName::Hmm).unwrap_err().to_string(),
            "source_classes is for the models ibm4 and ibm5, not for hmm"
        );
    }
}
