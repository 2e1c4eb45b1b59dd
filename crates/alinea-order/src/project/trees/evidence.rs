//! What links say about edges.
//!
//! With p the probabilities that target words correspond to source words, and h(i) the head of source word i, the evidence for an edge
//! from k to its dependent j is
//!
//! ```text
//! E(k, j) = Σ over source words i of p(i, j) g(i, k),    g(i, k) = p(h(i), k) + 1/4 (1 - linked(h(i))) g(h(i), k)
//! ```
//!
//! where linked(i) is the probability that i has any link: a head without counterpart may stand for what is above it. The root
//! corresponds to the root. The p are the probabilities of links, multiplied with the square root of how much more often than by
//! chance words of these parts of speech are linked in the text, so that their sum over source words stays, but for sums above 1,
//! which become 1.

use super::spanning::Scores;
use super::text::{Origin, Sentence, Tag};

/// What is left of an edge over a word without counterpart.
const CLIMBED: f64 = 0.25;
/// A word has so many origins; further ones are the least probable.
const MOST_ORIGINS: usize = 24;
/// How much of the links between two parts of speech is taken to be chance.
const CHANCE: f64 = 0.01;
/// How often compatibilities are counted, each time with what was found before.
const PASSES: usize = 2;

/// How well parts of speech of both sides go together: the most for a target tag is 1.
#[derive(Debug)]
pub(super) struct Compatibility {
    tags: usize,
    /// For each target tag that of each source tag.
    ratios: Vec<f64>,
}

impl Compatibility {
    /// Counts links, with the tags of the target words.
    pub(super) fn new(sentences: &[Sentence], target: &[Vec<Tag>], tags: usize) -> Self {
        let mut found = Self { tags, ratios: vec![1.0; tags * tags] };
        for _ in 0..PASSES {
            let mut counts = vec![0.0; tags * tags];
            for (sentence, target) in sentences.iter().zip(target) {
                for (links, &tag) in sentence.links.iter().zip(target) {
                    for link in links {
                        let source = sentence.tags[link.source];
                        counts[tag as usize * tags + source as usize] += link.probability * found.of(source, tag);
                    }
                }
            }
            found.ratios = ratios(&counts, tags);
        }
        for ratio in &mut found.ratios {
            *ratio = ratio.sqrt();
        }
        found
    }

    fn of(&self, source: Tag, target: Tag) -> f64 {
        self.ratios[target as usize * self.tags + source as usize]
    }

    /// What each target word corresponds to.
    pub(super) fn origins(&self, sentence: &Sentence, target: &[Tag]) -> Vec<Vec<Origin>> {
        let of = |(links, &tag): (&Vec<Origin>, &Tag)| {
            let mass: f64 = links.iter().map(|link| link.probability).sum();
            let weigh = |link: &Origin| link.probability * self.of(sentence.tags[link.source], tag);
            let mut origins: Vec<Origin> =
                links.iter().map(|link| Origin { source: link.source, probability: weigh(link) }).collect();
            if origins.len() > MOST_ORIGINS {
                origins.sort_by(|one, other| other.probability.total_cmp(&one.probability));
                origins.truncate(MOST_ORIGINS);
                origins.sort_by_key(|origin| origin.source);
            }
            let sum: f64 = origins.iter().map(|origin| origin.probability).sum();
            origins.retain(|origin| origin.probability > 0.0);
            for origin in &mut origins {
                origin.probability *= mass.min(1.0) / sum;
            }
            origins
        };
        sentence.links.iter().zip(target).map(of).collect()
    }
}

/// Counts of links, as how much more often than by chance.
fn ratios(counts: &[f64], tags: usize) -> Vec<f64> {
    let row = |target: usize| &counts[target * tags..][..tags];
    let targets: Vec<f64> = (0..tags).map(|target| row(target).iter().sum()).collect();
    let sources: Vec<f64> = (0..tags).map(|source| (0..tags).map(|target| row(target)[source]).sum()).collect();
    let all: f64 = targets.iter().sum();
    let mut ratios = vec![1.0; tags * tags];
    for target in (0..tags).filter(|&target| targets[target] > 0.0) {
        let ratios = &mut ratios[target * tags..][..tags];
        for (source, ratio) in ratios.iter_mut().enumerate() {
            let chance = targets[target] * sources[source] / all;
            *ratio = if chance > 0.0 { row(target)[source] / chance + CHANCE } else { CHANCE };
        }
        let most = ratios.iter().copied().fold(0.0, f64::max);
        for ratio in ratios {
            *ratio /= most;
        }
    }
    ratios
}

/// What links say about the edges of a sentence.
#[derive(Debug)]
pub(super) struct Evidence {
    /// What each target word corresponds to.
    pub(super) origins: Vec<Vec<Origin>>,
    /// What each source word corresponds to: target words and probabilities.
    counterparts: Vec<Vec<(usize, f64)>>,
    /// For each edge the sum above.
    pub(super) edges: Scores,
}

impl Evidence {
    /// Time O(links × target words).
    pub(super) fn new(sentence: &Sentence, origins: Vec<Vec<Origin>>) -> Self {
        let (words, length) = (sentence.words.len(), sentence.heads.len());
        let mut counterparts = vec![Vec::new(); length];
        for (word, origins) in origins.iter().enumerate() {
            for origin in origins {
                counterparts[origin.source].push((word, origin.probability));
            }
        }
        let unlinked = |source: usize| {
            counterparts[source].iter().map(|&(_, probability): &(usize, f64)| 1.0 - probability).product::<f64>()
        };
        let mut heads: Vec<Vec<f64>> = vec![Vec::new(); length];
        for &source in &sentence.top_down {
            let mut above = vec![0.0; words + 1];
            match sentence.heads[source as usize] {
                None => above[0] = 1.0,
                Some(head) => {
                    let rest = CLIMBED * unlinked(head as usize);
                    for (above, further) in above.iter_mut().zip(&heads[head as usize]) {
                        *above = rest * further;
                    }
                    for &(word, probability) in &counterparts[head as usize] {
                        above[word + 1] += probability;
                    }
                }
            }
            heads[source as usize] = above;
        }
        let mut edges = Scores::new(words);
        for (word, origins) in origins.iter().enumerate() {
            let row = edges.heads_mut(word);
            for origin in origins {
                for (edge, above) in row.iter_mut().zip(&heads[origin.source]) {
                    *edge += origin.probability * above;
                }
            }
            row[word + 1] = 0.0;
        }
        Self { origins, counterparts, edges }
    }

    /// The source words that an edge comes from, without words between: the dependent's, and the probability of both links.
    pub(super) fn carried<'e>(
        &'e self,
        sentence: &'e Sentence,
        word: usize,
        head: Option<usize>,
    ) -> impl Iterator<Item = Origin> + 'e {
        self.origins[word].iter().filter_map(move |&Origin { source, probability }| {
            let of_head = match (sentence.heads[source], head) {
                (None, None) => 1.0,
                (Some(above), Some(head)) => {
                    let counterparts = &self.counterparts[above as usize];
                    counterparts.iter().find(|(word, _)| *word == head).map_or(0.0, |&(_, probability)| probability)
                }
                _ => 0.0,
            };
            (of_head > 0.0).then_some(Origin { source, probability: probability * of_head })
        })
    }
}
