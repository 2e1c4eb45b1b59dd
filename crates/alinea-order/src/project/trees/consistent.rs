//! The best tree by links and by what is attached elsewhere in the text.
//!
//! The score of an edge is ln(E + 0.02 (1 - max E)) for the evidence E of the links, where the maximum is over the heads of the word,
//! plus the logarithm of the odds of such edges in the text. Odds are counted on the probabilities of edges, first on the evidence alone,
//! then three times on exp(score), normalized over the heads of each word.

use alinea_text::error::Result;
use alinea_text::parallel::{Parallelism, chunk_range};

use super::attachment::{Attachment, Kinds};
use super::edge::Edge;
use super::evidence::{Compatibility, Evidence};
use super::projected::Origin;
use super::spanning::{Scores, best_tree};
use super::text::{Sentence, Tag};

/// What an edge counts for which nothing speaks, and always.
const UNSUPPORTED: f64 = 0.02;
const LEAST: f64 = 1e-9;
/// How often odds are counted.
const PASSES: usize = 4;
/// Less evidence is none.
const NO_EVIDENCE: f64 = 0.05;
/// The sentences that a thread takes at a time.
const CHUNK: usize = 32;

/// A text whose words get heads.
pub(super) struct Consistent<'t> {
    sentences: &'t [Sentence],
    tags: &'t [Vec<Tag>],
    number: usize,
    compatibility: Compatibility,
    attachment: Attachment,
}

impl<'t> Consistent<'t> {
    /// Counts what the text says; the target words have these tags, of so many.
    ///
    /// Time O(words × target words) for each sentence, memory O(tags²).
    pub(super) fn new(
        sentences: &'t [Sentence],
        tags: &'t [Vec<Tag>],
        number: usize,
        parallelism: &Parallelism,
    ) -> Result<Self> {
        let compatibility = Compatibility::new(sentences, tags, number);
        let mut text = Self { sentences, tags, number, compatibility, attachment: Attachment::new(number) };
        for pass in 0..PASSES {
            let mut counted = Attachment::new(number);
            text.each(
                parallelism,
                |sentence| {
                    let kinds = text.kinds(sentence);
                    let evidence = text.evidence(sentence).edges;
                    let edges = if pass == 0 { evidence } else { probabilities(&text.scores(&evidence, &kinds)) };
                    (kinds, edges)
                },
                |(kinds, edges)| counted.add(&kinds, &edges),
            )?;
            counted.rate();
            text.attachment = counted;
        }
        Ok(text)
    }

    /// What links say about a sentence.
    pub(super) fn evidence(&self, sentence: usize) -> Evidence {
        let (pair, tags) = (&self.sentences[sentence], &self.tags[sentence]);
        Evidence::new(pair, self.compatibility.origins(pair, tags))
    }

    fn kinds(&self, sentence: usize) -> Kinds {
        Kinds::new(&self.tags[sentence], self.number)
    }

    fn scores(&self, evidence: &Scores, kinds: &Kinds) -> Scores {
        let mut scores = evidence.clone();
        for word in 0..scores.words() {
            let row = scores.heads_mut(word);
            let most = row.iter().copied().fold(0.0, f64::max).min(1.0);
            let unsupported = UNSUPPORTED * (1.0 - most) + LEAST;
            for (score, odds) in row.iter_mut().zip(self.attachment.odds(kinds, word)) {
                *score = (*score + unsupported).ln() + odds;
            }
        }
        scores
    }

    /// The edges of the best tree of a sentence.
    ///
    /// Time O(words × target words).
    pub(super) fn edges(&self, number: usize, evidence: &Evidence) -> Vec<Edge> {
        let scores = self.scores(&evidence.edges, &self.kinds(number));
        let probable = probabilities(&scores);
        let edge = |(word, head): (usize, Option<u32>)| {
            let head = head.map(|head| head as usize);
            let at = head.map_or(0, |head| head + 1);
            let carried = || evidence.carried(&self.sentences[number], word, head);
            let (all, direct) = (evidence.edges.heads(word)[at], carried().map(|from| from.probability).sum::<f64>());
            let origin = match all {
                all if all < NO_EVIDENCE => Origin::Guessed,
                all if direct * 2.0 < all => Origin::Mended,
                _ => Origin::Carried,
            };
            let source =
                carried().reduce(|best, other| if other.probability > best.probability { other } else { best });
            let source = source.filter(|_| origin == Origin::Carried).map(|from| from.source);
            Edge { head, source, origin, confidence: probable.heads(word)[at] }
        };
        best_tree(&scores).into_iter().enumerate().map(edge).collect()
    }

    /// Does something for each sentence, and gives what comes of it away in order.
    pub(super) fn each<T: Send>(
        &self,
        parallelism: &Parallelism,
        make: impl Fn(usize) -> T + Sync,
        mut take: impl FnMut(T),
    ) -> Result<()> {
        let number = self.sentences.len();
        parallelism.map_ordered(
            number.div_ceil(CHUNK),
            || (),
            |(), chunk| Ok(chunk_range(number, CHUNK, chunk).map(&make).collect::<Vec<T>>()),
            |some| {
                for one in some {
                    take(one);
                }
                Ok(())
            },
        )
    }
}

/// The probabilities of the heads of each word by themselves: exp(score), normalized.
fn probabilities(scores: &Scores) -> Scores {
    let mut probabilities = scores.clone();
    for word in 0..scores.words() {
        let row = probabilities.heads_mut(word);
        row[word + 1] = f64::NEG_INFINITY;
        let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for score in &mut *row {
            *score = (*score - most).exp();
            sum += *score;
        }
        for score in row {
            *score /= sum;
        }
    }
    probabilities
}
