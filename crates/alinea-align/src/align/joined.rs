//! Word vectors of a text, joined with what a model says of it.
//!
//! For each pair of the text there are the vectors of its words, made by a pretrained encoder
//! ([`WordVectors`]). [`JoinedEvidence`] is what they say about links of this text, learned from the posteriors of the model
//! itself ([`embedding`](crate::embedding) has the definitions). A [`JoinedFinder`] stands before the finder of the model and
//! puts the joint confidence of each cell in place of its posteriors: so links, thresholds, objectives and whatever reads
//! confidences need to know nothing of it. Best paths, weights and likelihoods stay those of the model.
//!
//! Of a large text only some pairs may have vectors. The evidence is learned from them, and they alone are joined with it. The
//! posteriors of the others are moved so that their confidences can be compared ([`Joint::without_evidence`]): links are those
//! of the model there. What was decided of pairs with vectors is given to a second training as [soft links](SoftLinks), by which
//! all others profit. These are learned from, but do not confirm themselves: a pair that has vectors is joined with what the
//! rest of the text says of it ([`Worker::forgetting`](crate::model::Worker::forgetting)). Links that are known stay as they were
//! given.
//!
//! Long pairs are joined stretch by stretch, as they are aligned. Vectors stay in half precision; those of a pair are
//! centered when it is its turn.
//!
//! Where the encoder knows nothing of the languages the evidence is not trusted: a warning says so, and all is as it would be
//! without vectors.

use std::sync::{Arc, OnceLock};

use super::deciding::DecidingFinder;
use super::decode::{Chunks, Collector, Finder, Found, chunks_of, decode};
use super::pair_words::Ranked;
use super::warning::Warning;
use crate::bitext::{Bitext, Dictionary, RankedBitext, Text, Vocabulary, WordId};
use crate::decision::{Decision, four_digits};
use crate::embedding::{
    CellCounts, Centering, Evidence, Joint, LEAST_ENTRY, Similarity, TypeVectors, entries, range_of,
};
use crate::error::{Error, ErrorKind, Result};
use crate::model::{CellBuffers, ModelName, SoftLinks};
use crate::numeric::sigmoid;
use crate::parallel::Work;
use crate::progress::{Observer, check};
use crate::word_vectors::WordVectors;

/// The task of looking at all cells.
pub(super) const EVIDENCE: &str = "evidence";

/// The task of deciding about the links of pairs with vectors.
const DECIDING: &str = "links of encoded pairs";

/// What is decided of a pair is learned from as if links began at this confidence: the counts of a word are to add up to about
/// one, and of a word with several links none need be that certain.
const FIRST_SOFT: f32 = 0.5;

/// Links with a lower confidence than this, so moved, are not learned from.
const LEAST_SOFT: f32 = 0.05;

/// What the word vectors of a text say about its links, and how that is joined with the posteriors of a model.
#[derive(Debug)]
pub struct JoinedEvidence {
    vectors: Arc<CenteredVectors>,
    evidence: Evidence,
    joint: Joint,
    /// What decides about pairs with vectors.
    decision: Decision,
    /// What decides about pairs without.
    of_model: Decision,
}

impl JoinedEvidence {
    /// What was learned of a text, for a model that knows nothing of the vectors yet.
    pub(super) fn new(vectors: Arc<CenteredVectors>, evidence: Evidence, model: ModelName) -> Self {
        let (decision, of_model) = (Decision::with_encoder(model), Decision::beside_encoder(model));
        Self { vectors, evidence, joint: Joint::without_dictionary(&evidence), decision, of_model }
    }

    /// The same for a model that was trained with the dictionary of types.
    pub(super) fn with_dictionary(self) -> Self {
        Self { joint: Joint::new(&self.evidence), ..self }
    }

    /// Whether a pair has vectors.
    pub(super) fn is_about(&self, n: usize) -> bool {
        is_encoded(&self.vectors.vectors, n)
    }

    /// The vectors.
    pub(super) fn vectors(&self) -> &CenteredVectors {
        &self.vectors
    }

    /// How much a score says about a link on average, in nats ([`Evidence::divergence`]).
    pub fn divergence(&self) -> f64 {
        self.evidence.divergence()
    }

    /// How far the vectors are trusted, from 0, where all is as without them, to 1.
    pub fn trust(&self) -> f64 {
        self.evidence.trust()
    }

    /// Whether they are trusted at all.
    pub fn is_trusted(&self) -> bool {
        self.trust() > 0.0
    }

    /// How posteriors and scores become confidences.
    pub fn joint(&self) -> &Joint {
        &self.joint
    }

    /// The confidences of cells by themselves, from their scores and mean posteriors.
    pub(super) fn alone(&self, scores: &[f32], means: &[f32], alone: &mut Vec<f32>) {
        alone.clear();
        alone.extend(scores.iter().zip(means).map(|(&score, &mean)| self.joint.confidence(mean, range_of(score))));
    }

    /// What the vectors come from, and how many pairs have some if not all have, as fields of a signature:
    /// `|encoder:multilingual-e5-small.7|encoded:5000`.
    pub fn signature(&self) -> String {
        let CenteredVectors { vectors, encoded, are_complete, .. } = &*self.vectors;
        let number = if *are_complete { String::new() } else { format!("|encoded:{}", encoded.len()) };
        format!("|encoder:{}{number}", vectors[0].origin())
    }

    /// What is decided of the links of pairs with vectors, by the numbers of these, with confidences moved so that links begin at
    /// one half; given are the text, the lengths of all pairs by number, and a finder of the model.
    pub(super) fn soft_links<F: Finder + Send>(
        &self,
        text: Ranked<'_>,
        lengths: impl Fn(usize) -> [usize; 2],
        finder: impl Fn() -> F + Sync + Send,
        work: Work<'_>,
    ) -> Result<Vec<(usize, SoftLinks)>> {
        work.observer.started(DECIDING, self.vectors.encoded.len() as u64);
        let mut all = Vec::with_capacity(self.vectors.encoded.len());
        let end = |chunk: Deciding| {
            all.extend(chunk.pairs);
            Ok(())
        };
        let finder = || DecidingFinder::new(finder(), text, Some(self.of_model), Some(self), &[]);
        let links_begin = self.threshold();
        let least = Joint::moved(FIRST_SOFT, links_begin, LEAST_SOFT);
        self.vectors.decode(lengths, finder, || Ok(Deciding { links_begin, least, pairs: Vec::new() }), end, work)?;
        let links = all.iter().map(|(_, links)| links.len()).sum::<usize>();
        work.observer.finished(&format!("{links} soft links"));
        Ok(all)
    }

    /// How many sentence pairs have vectors.
    pub(super) fn pairs(&self) -> usize {
        self.vectors.vectors[0].len()
    }

    /// What decides about pairs with vectors.
    pub(super) fn decision(&self) -> Decision {
        self.decision
    }

    /// The least confidence of a link, with four digits, as signatures show it.
    pub(super) fn threshold(&self) -> f32 {
        let least = self.joint.decided(self.decision.least_log_odds(), self.of_model.least_log_odds());
        four_digits(sigmoid(least))
    }

    /// The log-odds of that.
    pub(super) fn least_log_odds(&self) -> f64 {
        let threshold = f64::from(self.threshold());
        (threshold / (1.0 - threshold)).ln()
    }

    /// What decides about pairs without vectors.
    pub(super) fn of_model(&self) -> Decision {
        self.of_model
    }

    /// Tells if the vectors are of no use.
    pub(super) fn warn(&self, observer: &dyn Observer) {
        if !self.is_trusted() {
            observer.warn(&Warning::UselessVectors { divergence: self.divergence() }.to_string());
        }
    }
}

/// Refuses vectors that are not those of the words of the first pairs of a text. Some pairs may have none, on both sides.
///
/// # Errors
/// `Inconsistent`; `Config` if no pair has any.
pub(super) fn check_vectors(vectors: &[WordVectors; 2], text: &Bitext, pairs: usize) -> Result<()> {
    let refuse = |message: String| Err(ErrorKind::Inconsistent(message).into());
    let [source, target] = vectors;
    if (source.width(), source.origin()) != (target.width(), target.origin()) {
        let of = |vectors: &WordVectors| format!("{} of {} numbers", vectors.origin(), vectors.width());
        return refuse(format!("word vectors of two encoders: {} and {}", of(source), of(target)));
    }
    let sides = [("source", source, &text.source), ("target", target, &text.target)];
    for (name, vectors, _) in sides {
        if vectors.len() != pairs {
            let sentences = vectors.len();
            return refuse(format!("there are vectors of {sentences} {name} sentences, and {pairs} sentence pairs"));
        }
    }
    let has_none = |n: usize| source.words_of(n) + target.words_of(n) == 0;
    for (name, vectors, text) in sides {
        let words = |n: usize| [vectors.words_of(n), text.sentence(n).len()];
        let other = (0..pairs).map(|n| (n, words(n))).find(|&(n, [found, wanted])| found != wanted && !has_none(n));
        if let Some((n, [found, wanted])) = other {
            let line = n + 1;
            let message = format!("there are vectors of {found} words, and the {name} sentence has {wanted}");
            return refuse(format!("pair {line}: {message}"));
        }
    }
    if (0..pairs).any(|n| is_encoded(vectors, n)) {
        return Ok(());
    }
    Err(Error::config("vectors", "none", "those of the words of one sentence pair or more"))
}

/// Whether a pair has vectors on both sides.
fn is_encoded(vectors: &[WordVectors; 2], n: usize) -> bool {
    vectors.iter().all(|vectors| vectors.words_of(n) > 0)
}

/// The vectors of the words of a text, always of the same one. What follows from them and the text is found out once, for all models
/// that are joined with them.
#[derive(Debug)]
pub(super) struct TextVectors {
    vectors: Arc<[WordVectors; 2]>,
    centered: OnceLock<Arc<CenteredVectors>>,
}

impl From<Arc<[WordVectors; 2]>> for TextVectors {
    fn from(vectors: Arc<[WordVectors; 2]>) -> Self {
        Self { vectors, centered: OnceLock::new() }
    }
}

impl TextVectors {
    /// Those of each side.
    pub(super) fn vectors(&self) -> &Arc<[WordVectors; 2]> {
        &self.vectors
    }

    /// The same, centered; `usable` pairs of their text have words on both sides.
    pub(super) fn centered(&self, usable: usize, work: Work<'_>) -> Result<Arc<CenteredVectors>> {
        once(&self.centered, || Ok(Arc::new(CenteredVectors::of(Arc::clone(&self.vectors), usable, work)?))).cloned()
    }
}

/// What is there, or is found out now.
fn once<T>(place: &OnceLock<T>, find: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(found) = place.get() {
        return Ok(found);
    }
    let found = find()?;
    Ok(place.get_or_init(|| found))
}

/// The vectors of the words of a text, and what all those of a side have in common.
#[derive(Debug)]
pub(super) struct CenteredVectors {
    vectors: Arc<[WordVectors; 2]>,
    centerings: [Centering; 2],
    /// The numbers of the pairs that have vectors on both sides.
    encoded: Vec<usize>,
    /// Whether these are all pairs that have words on both sides.
    are_complete: bool,
    /// What they say of word types.
    entries: OnceLock<TypeEntries>,
}

/// Pairs of word types, by their numbers, with their scores; and how many types there are on both sides.
#[derive(Debug)]
struct TypeEntries {
    entries: Vec<([u32; 2], f32)>,
    types: [usize; 2],
}

impl CenteredVectors {
    /// Looks for what vectors have in common; `usable` pairs of their text have words on both sides.
    fn of(vectors: Arc<[WordVectors; 2]>, usable: usize, work: Work<'_>) -> Result<Self> {
        let centerings = [Centering::of_words(&vectors[0], work)?, Centering::of_words(&vectors[1], work)?];
        let encoded: Vec<usize> = (0..vectors[0].len()).filter(|&n| is_encoded(&vectors, n)).collect();
        let are_complete = encoded.len() == usable;
        Ok(Self { vectors, centerings, encoded, are_complete, entries: OnceLock::new() })
    }

    /// Whether all pairs that have words on both sides have vectors.
    pub(super) fn are_complete(&self) -> bool {
        self.are_complete
    }

    fn width(&self) -> usize {
        self.vectors[0].width()
    }

    /// The vectors of the `n`-th sentence of a side, centered.
    fn sentence(&self, side: usize, n: usize, out: &mut Vec<f32>) {
        self.vectors[side].sentence(n, out);
        self.centerings[side].apply(out);
    }

    /// Visits the pairs with vectors, as [`decode`] visits all pairs of a text; given are the lengths of all pairs by number.
    fn decode<F: Finder + Send, C: Collector>(
        &self,
        lengths: impl Fn(usize) -> [usize; 2],
        finder: impl Fn() -> F + Sync + Send,
        collector: impl Fn() -> Result<C> + Sync + Send,
        end: impl FnMut(C) -> Result<()>,
        work: Work<'_>,
    ) -> Result<()> {
        let numbers = &self.encoded[..];
        let chunks = chunks_of(numbers.iter().map(|&n| lengths(n)));
        let pairs = |chunk: usize| (chunks.pairs)(chunk).map(move |place| numbers[place]);
        decode(&Chunks { number: chunks.number, pairs }, finder, collector, end, work)
    }

    /// What scores say about links, learned from the posteriors that a finder has of the pairs with vectors; given are the lengths
    /// of all pairs by number.
    pub(super) fn evidence<F: Finder + Send>(
        &self,
        lengths: impl Fn(usize) -> [usize; 2],
        finder: impl Fn() -> F + Sync + Send,
        work: Work<'_>,
    ) -> Result<Evidence> {
        work.observer.started(EVIDENCE, self.encoded.len() as u64);
        let mut counts = CellCounts::default();
        let end = |of_chunk: Counting<'_>| {
            counts.merge(&of_chunk.counts);
            Ok(())
        };
        let start = || {
            Ok(Counting { scorer: Scorer::new(self), buffers: CellBuffers::default(), counts: CellCounts::default() })
        };
        self.decode(lengths, finder, start, end, work)?;
        Ok(counts.evidence())
    }

    /// A dictionary with what the mean vectors of word types say, beside what it has been given: an entry of two types is one of
    /// all forms of these in the text, in upper and lower case, but for those that are given.
    pub(super) fn dictionary(&self, text: &RankedBitext, given: &Dictionary, work: Work<'_>) -> Result<Dictionary> {
        let Bitext { source, target } = text.bitext();
        let vocabularies = [source, target].map(Text::vocabulary);
        let types = vocabularies.map(Types::of);
        let is_given = given.weights_in(vocabularies[0], vocabularies[1]);
        let mut dictionary = given.clone();
        let found = once(&self.entries, || self.type_entries(text, &types, work))?;
        assert_eq!(found.types, types.each_ref().map(|types| types.words.len()), "the types of another text");
        for &([s, t], score) in &found.entries {
            for &source in &types[0].words[s as usize] {
                for &target in &types[1].words[t as usize] {
                    let pair = [source.index(), target.index()];
                    if is_given.binary_search_by_key(&pair, |&(words, _)| words).is_err() {
                        dictionary.push(vocabularies[0].word(source), vocabularies[1].word(target), score)?;
                    }
                }
            }
        }
        Ok(dictionary)
    }

    /// What the mean vectors of word types say of them.
    fn type_entries(&self, text: &RankedBitext, types: &[Types; 2], work: Work<'_>) -> Result<TypeEntries> {
        let mut vectors = [TypeVectors::new(self.width()), TypeVectors::new(self.width())];
        let mut of_sentence = Vec::new();
        for &n in &self.encoded {
            check(work.observer)?;
            let pair = text.pair(n);
            for (side, words) in [pair.source, pair.target].into_iter().enumerate() {
                self.sentence(side, n, &mut of_sentence);
                for (word, vector) in words.iter().zip(of_sentence.chunks_exact(self.width())) {
                    vectors[side].add(types[side].of_word[word.index()], vector);
                }
            }
        }
        let found = entries(&vectors[0], &vectors[1], LEAST_ENTRY, work)?;
        let entries = found.into_iter().map(|(pair, score)| (pair.map(|number| number as u32), score)).collect();
        Ok(TypeEntries { entries, types: types.each_ref().map(|types| types.words.len()) })
    }
}

/// The words of a vocabulary in lower case.
struct Types {
    /// The number of the type of each word.
    of_word: Vec<usize>,
    /// The words of each type.
    words: Vec<Vec<WordId>>,
}

impl Types {
    fn of(vocabulary: &Vocabulary) -> Self {
        let mut types = Vocabulary::default();
        let (mut of_word, mut words) = (Vec::with_capacity(vocabulary.len()), Vec::new());
        for (n, word) in vocabulary.words().enumerate() {
            let number = match std::str::from_utf8(word) {
                Ok(word) => types.intern(word.to_lowercase().as_bytes()),
                Err(_) => types.intern(word),
            };
            of_word.push(number.index());
            words.resize(types.len(), Vec::new());
            words[number.index()].push(WordId::from_index(n));
        }
        Self { of_word, words }
    }
}

/// The scores of one pair after another, in the same buffers.
#[derive(Debug)]
pub(super) struct Scorer<'e> {
    vectors: &'e CenteredVectors,
    /// The vectors of both sides of the pair.
    pair: [Vec<f32>; 2],
    scores: Vec<f32>,
}

impl<'e> Scorer<'e> {
    pub(super) fn new(vectors: &'e CenteredVectors) -> Self {
        Self { vectors, pair: [Vec::new(), Vec::new()], scores: Vec::new() }
    }

    /// Takes the vectors of a pair.
    pub(super) fn load(&mut self, n: usize) {
        for (side, vectors) in self.pair.iter_mut().enumerate() {
            self.vectors.sentence(side, n, vectors);
        }
    }

    /// The scores of all cells of a part of it, those of the first source word first.
    pub(super) fn scores(&mut self, start: [u32; 2], lengths: [usize; 2]) -> &[f32] {
        let Self { vectors, pair, scores } = self;
        let width = vectors.width();
        let words = |side: usize| &pair[side][start[side] as usize * width..][..lengths[side] * width];
        Similarity::OF_WORDS.scores(words(0), words(1), width, scores);
        scores
    }
}

/// Counts the cells of a chunk.
struct Counting<'e> {
    scorer: Scorer<'e>,
    buffers: CellBuffers,
    counts: CellCounts,
}

impl Collector for Counting<'_> {
    fn take(&mut self, n: usize, found: Found<'_>) -> Result<()> {
        let Self { scorer, buffers, counts } = self;
        let Some(posteriors) = found.posteriors else { return Ok(()) };
        scorer.load(n);
        posteriors.for_each_part(buffers, |start, lengths, _, means| {
            for (&mean, &score) in means.iter().zip(scorer.scores(start, lengths)) {
                counts.add(mean, range_of(score));
            }
        });
        Ok(())
    }
}

/// Decides about the links of a chunk.
#[derive(Debug)]
struct Deciding {
    /// The confidence from which a cell is a link.
    links_begin: f32,
    /// The confidence from which it is learned from.
    least: f32,
    pairs: Vec<(usize, SoftLinks)>,
}

impl Collector for Deciding {
    fn take(&mut self, n: usize, found: Found<'_>) -> Result<()> {
        if let Some(posteriors) = found.posteriors {
            let mut links = posteriors.weighted_links(self.least);
            for link in &mut links {
                link.weight = Joint::moved(self.links_begin, FIRST_SOFT, link.weight);
            }
            self.pairs.push((n, SoftLinks::new(links)?));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> Text {
        let mut text = Text::default();
        for line in lines {
            text.push_sentence(line.split(' ').filter(|word| !word.is_empty()).map(str::as_bytes));
        }
        text
    }

    /// A number for each word.
    fn vectors(lines: &[&str], width: usize, origin: &str) -> WordVectors {
        let mut vectors = WordVectors::new(origin, width);
        for line in lines {
            vectors.push(&vec![1.0; width * line.split(' ').filter(|word| !word.is_empty()).count()]);
        }
        vectors
    }

    #[test]
    fn vectors_are_those_of_the_words() {
        let bitext = Bitext::new(text(&["a b", "", "c"]), text(&["x", "y", "z z"])).unwrap();
        let checked = |source: &[&str], target: &[&str], widths: [usize; 2], pairs| {
            let vectors = [vectors(source, widths[0], "e.1"), vectors(target, widths[1], "e.1")];
            check_vectors(&vectors, &bitext, pairs).map_err(|error| error.to_string())
        };
        assert_eq!(checked(&["a b", "", "c"], &["x", "y", "z z"], [3, 3], 3), Ok(()));
        assert_eq!(checked(&["a b"], &["x"], [3, 3], 1), Ok(()), "the rest is added text");
        let error = |source, target, widths, pairs| checked(source, target, widths, pairs).unwrap_err();
        assert_eq!(
            error(&["a b", "", "c"], &["x", "y"], [3, 3], 3),
            "there are vectors of 2 target sentences, and 3 sentence pairs"
        );
        assert_eq!(
            error(&["a b", "", "c d"], &["x", "y", "z z"], [3, 3], 3),
            "pair 3: there are vectors of 2 words, and the source sentence has 1"
        );
        assert_eq!(
            error(&["a b", "", "c"], &["x", "y", "z z"], [3, 4], 3),
            "word vectors of two encoders: e.1 of 3 numbers and e.1 of 4 numbers"
        );
    }

    #[test]
    fn types_are_words_in_lower_case() {
        let mut vocabulary = Vocabulary::default();
        let words = [&b"House"[..], b"the", b"house", b"\xff", "\u{c9}t\u{e9}".as_bytes(), "\u{e9}t\u{e9}".as_bytes()];
        for word in words.into_iter().chain([&b"HOUSE"[..]]) {
            vocabulary.intern(word);
        }
        let types = Types::of(&vocabulary);
        assert_eq!(types.of_word, [0, 1, 0, 2, 3, 3, 0]);
        let words: Vec<Vec<usize>> =
            types.words.iter().map(|words| words.iter().copied().map(WordId::index).collect()).collect();
        assert_eq!(words, [vec![0, 2, 6], vec![1], vec![3], vec![4, 5]]);
    }
}
