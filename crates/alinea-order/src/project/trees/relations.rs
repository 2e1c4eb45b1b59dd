//! Which relation words have to their heads.
//!
//! The relation r of a word of tag t to a head of tag u on one side weighs
//!
//! ```text
//! (c(r) + 0.2 o(r) + 0.05) p(r | t, u, side)²
//! ```
//!
//! where c(r) is the probability that the edge is that of a source word of relation r, o(r) the probability that the word corresponds to a
//! source word of that relation, whatever its head, and p counts what words of the text have. A pair of tags on one side is
//! smoothed by the pair on both sides, as two words of that, and so on to the tag alone: target and source may order words differently.
//! The text is counted on c first, then on the weights. An edge with c(r) of at least a half whose source words have the same
//! tags keeps its relation.

use std::collections::BTreeMap;

use super::config::Method;
use super::edge::Edge;
use super::evidence::Evidence;
use super::text::{Names, Origin, Relation, Sentence, Tag};

const OF_WORD: f64 = 0.2;
const LEAST: f64 = 0.05;
/// So many words of a pair of tags, or of a tag, are taken to be like those of the coarser kind.
const OF_COARSER: f64 = 2.0;
const OF_ALL: f64 = 1.0;
/// From here on an edge is strong.
const STRONG: f64 = 0.5;

/// Weights of relations.
type Weights = BTreeMap<Relation, f64>;

/// What decides about the relation of a word that is not the root.
#[derive(Debug)]
pub(super) struct Candidate {
    tag: Tag,
    head: Tag,
    is_before: bool,
    is_punctuation: bool,
    /// c and o.
    of_edge: Weights,
    of_word: Weights,
    /// The relation that stays whatever the text says.
    kept: Option<Relation>,
}

/// What relations may be used, by number.
#[derive(Debug)]
pub(super) struct Usable(Vec<bool>);

impl Usable {
    /// All but that of the root, and none at all.
    pub(super) fn new(names: &Names) -> Self {
        let is_usable = |relation| {
            let name = names.relation_name(relation);
            name != "_" && name.split(':').next() != Some("root")
        };
        Self((0..names.relations() as Relation).map(is_usable).collect())
    }

    fn has(&self, relation: Relation) -> bool {
        self.0[relation as usize]
    }
}

/// A sentence with edges whose relations are sought.
pub(super) struct Edges<'e> {
    pub(super) sentence: &'e Sentence,
    pub(super) tags: &'e [Tag],
    pub(super) heads: &'e [Edge],
}

impl Edges<'_> {
    /// What decides about each word; nothing for the root.
    pub(super) fn candidates(&self, evidence: Option<&Evidence>, usable: &Usable) -> Vec<Option<Candidate>> {
        let candidate = |(word, edge): (usize, &Edge)| {
            let head = edge.head?;
            let carried: Vec<Origin> = match evidence {
                Some(evidence) => evidence.carried(self.sentence, word, Some(head)).collect(),
                None => edge.source.map(|source| Origin { source, probability: 1.0 }).into_iter().collect(),
            };
            let own = evidence.map_or(&[][..], |evidence| &evidence.origins[word]);
            let kept = carried.iter().filter(|from| evidence.is_none() || self.has_same_tags(from.source, word, head));
            let kept = self.weights(kept, usable).into_iter().filter(|(_, weight)| *weight >= STRONG);
            Some(Candidate {
                tag: self.tags[word],
                head: self.tags[head],
                is_before: head < word,
                is_punctuation: self.sentence.words[word].is_punctuation,
                kept: heaviest(kept),
                of_edge: self.weights(carried.iter(), usable),
                of_word: self.weights(own.iter(), usable),
            })
        };
        self.heads.iter().enumerate().map(candidate).collect()
    }

    fn has_same_tags(&self, source: usize, word: usize, head: usize) -> bool {
        let above = self.sentence.heads[source].map(|above| self.sentence.tags[above as usize]);
        self.sentence.tags[source] == self.tags[word] && above == Some(self.tags[head])
    }

    fn weights<'o>(&self, origins: impl Iterator<Item = &'o Origin>, usable: &Usable) -> Weights {
        let mut weights = Weights::new();
        for origin in origins {
            let relation = self.sentence.relations[origin.source];
            if usable.has(relation) {
                *weights.entry(relation).or_default() += origin.probability;
            }
        }
        weights
    }
}

/// The one with the most weight; of equals, the first.
fn heaviest(weights: impl Iterator<Item = (Relation, f64)>) -> Option<Relation> {
    let heavier = |one: (Relation, f64), other: (Relation, f64)| if other.1 > one.1 { other } else { one };
    weights.reduce(heavier).map(|(relation, _)| relation)
}

/// Relations as they were counted.
#[derive(Debug, Default)]
struct Counts {
    of: Weights,
    sum: f64,
}

impl Counts {
    fn add(&mut self, weights: &Weights) {
        for (&relation, weight) in weights {
            *self.of.entry(relation).or_default() += weight;
            self.sum += weight;
        }
    }

    /// The share of a relation, smoothed by so many words with a known share.
    fn share(&self, relation: Relation, words: f64, of_coarser: f64) -> f64 {
        (self.of.get(&relation).copied().unwrap_or(0.0) + words * of_coarser) / (self.sum + words)
    }
}

/// What is usual in a text.
#[derive(Debug, Default)]
struct Usual {
    all: Counts,
    of_tag: BTreeMap<Tag, Counts>,
    of_tags: BTreeMap<(Tag, Tag), Counts>,
    of_side: BTreeMap<(Tag, Tag, bool), Counts>,
}

impl Usual {
    fn add(&mut self, candidate: &Candidate, weights: &Weights) {
        let Candidate { tag, head, is_before, .. } = *candidate;
        self.all.add(weights);
        self.of_tag.entry(tag).or_default().add(weights);
        self.of_tags.entry((tag, head)).or_default().add(weights);
        self.of_side.entry((tag, head, is_before)).or_default().add(weights);
    }

    /// How probable a relation is.
    fn share(&self, candidate: &Candidate, relation: Relation) -> f64 {
        let Candidate { tag, head, is_before, .. } = *candidate;
        let finer = |counts: Option<&Counts>, words: f64, share: f64| {
            counts.map_or(share, |counts| counts.share(relation, words, share))
        };
        let all = self.all.of.get(&relation).map_or(0.0, |weight| weight / self.all.sum);
        let of_tag = finer(self.of_tag.get(&tag), OF_ALL, all);
        let of_tags = finer(self.of_tags.get(&(tag, head)), OF_COARSER, of_tag);
        finer(self.of_side.get(&(tag, head, is_before)), OF_COARSER, of_tags)
    }

    /// The weights of the relations of a word, adding up to 1 if there are any.
    fn weights(&self, candidate: &Candidate) -> Weights {
        let known = self.of_tag.get(&candidate.tag).filter(|counts| counts.sum > 0.0).unwrap_or(&self.all);
        let of = |weights: &Weights, relation| weights.get(&relation).copied().unwrap_or(0.0);
        let mut weights: Weights = (known.of.keys().chain(candidate.of_edge.keys()).chain(candidate.of_word.keys()))
            .map(|&relation| {
                let by_links = of(&candidate.of_edge, relation) + OF_WORD * of(&candidate.of_word, relation) + LEAST;
                (relation, by_links * self.share(candidate, relation).powi(2))
            })
            .collect();
        let sum: f64 = weights.values().sum();
        weights.retain(|_, weight| *weight > 0.0);
        for weight in weights.values_mut() {
            *weight /= sum;
        }
        weights
    }
}

/// The relations of all words of a text, none where there is nothing to go by.
///
/// Time O(words × relations).
pub(super) fn assign(text: &[Vec<Option<Candidate>>], method: Method) -> Vec<Vec<Option<Relation>>> {
    let all = || text.iter().flatten().flatten();
    let mut carried = Usual::default();
    for candidate in all() {
        carried.add(candidate, &candidate.of_edge);
    }
    let mut usual = Usual::default();
    if method == Method::Consistent {
        for candidate in all() {
            let kept = candidate.kept.map(|kept| Weights::from([(kept, 1.0)]));
            usual.add(candidate, &kept.unwrap_or_else(|| carried.weights(candidate)));
        }
    } else {
        usual = carried;
    }
    let relation = |candidate: &Option<Candidate>| {
        let candidate = candidate.as_ref()?;
        if candidate.kept.is_some() || method == Method::Direct {
            return candidate.kept;
        }
        heaviest(usual.weights(candidate).into_iter())
    };
    text.iter().map(|sentence| sentence.iter().map(relation).collect()).collect()
}

impl Candidate {
    /// What a word is called of which nothing is known.
    pub(super) fn unknown(&self) -> &'static str {
        if self.is_punctuation { "punct" } else { "dep" }
    }
}
