//! The text as numbers: tags, relations and forms of all sentences.

use std::collections::BTreeMap;

use alinea_text::bitext::{Vocabulary, WordId};
use alinea_text::tree::DependencyTree;

use super::pair::TreePair;

/// A part of speech, by number.
pub(super) type Tag = u32;
/// A relation, by number.
pub(super) type Relation = u32;

/// What numbers stand for.
#[derive(Debug, Default)]
pub(super) struct Names {
    tags: Vocabulary,
    relations: Vocabulary,
    forms: Vocabulary,
    endings: Vocabulary,
}

/// A target word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    /// Its form in lower case.
    pub(super) form: u32,
    /// The last characters of that.
    pub(super) ending: u32,
    /// Whether there is neither letter nor digit in it.
    pub(super) is_punctuation: bool,
    /// Its part of speech, if it is given.
    pub(super) tag: Option<Tag>,
}

/// A source word that a target word is linked to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Origin {
    pub(super) source: usize,
    /// The probability of the link.
    pub(super) probability: f64,
}

/// A sentence pair.
#[derive(Debug)]
pub(super) struct Sentence {
    /// The heads of the source words.
    pub(super) heads: Vec<Option<u32>>,
    /// The source words, heads before their dependents.
    pub(super) top_down: Vec<u32>,
    /// Their parts of speech and relations.
    pub(super) tags: Vec<Tag>,
    pub(super) relations: Vec<Relation>,
    /// The target words.
    pub(super) words: Vec<Word>,
    /// What each of them is linked to, by position, each source word once.
    pub(super) links: Vec<Vec<Origin>>,
}

/// So many characters are an ending.
const ENDING: usize = 3;

impl Names {
    pub(super) fn tag(&mut self, name: &str) -> Tag {
        self.tags.intern(name.as_bytes()).index() as Tag
    }

    pub(super) fn relation(&mut self, name: &str) -> Relation {
        self.relations.intern(name.as_bytes()).index() as Relation
    }

    pub(super) fn tag_name(&self, tag: Tag) -> String {
        name(&self.tags, tag)
    }

    pub(super) fn relation_name(&self, relation: Relation) -> String {
        name(&self.relations, relation)
    }

    /// How many tags there are so far.
    pub(super) fn tags(&self) -> usize {
        self.tags.len()
    }

    pub(super) fn relations(&self) -> usize {
        self.relations.len()
    }

    pub(super) fn forms(&self) -> usize {
        self.forms.len()
    }

    pub(super) fn endings(&self) -> usize {
        self.endings.len()
    }

    /// A pair, which has been checked.
    pub(super) fn sentence(&mut self, pair: &TreePair<'_>) -> Sentence {
        let tree = pair.source.tree();
        Sentence {
            heads: tree.map(|tree| tree.heads().to_vec()).unwrap_or_default(),
            top_down: tree.map(DependencyTree::top_down).unwrap_or_default(),
            tags: pair.source.words().map(|word| self.tag(word.upos())).collect(),
            relations: pair.source.words().map(|word| self.relation(word.deprel())).collect(),
            words: pair.target.iter().map(|word| self.word(word.form, word.upos)).collect(),
            links: origins(pair),
        }
    }

    fn word(&mut self, form: &str, upos: Option<&str>) -> Word {
        let lower = form.to_lowercase();
        let cut = lower.char_indices().rev().nth(ENDING - 1).map_or(0, |(at, _)| at);
        Word {
            form: self.forms.intern(lower.as_bytes()).index() as u32,
            ending: self.endings.intern(&lower.as_bytes()[cut..]).index() as u32,
            is_punctuation: !form.chars().any(char::is_alphanumeric),
            tag: upos.map(|upos| self.tag(upos)),
        }
    }
}

fn name(of: &Vocabulary, number: u32) -> String {
    let bytes = of.word(WordId::from_index(number as usize));
    String::from_utf8_lossy(bytes).into_owned()
}

/// What each target word is linked to.
fn origins(pair: &TreePair<'_>) -> Vec<Vec<Origin>> {
    let mut links = vec![BTreeMap::<usize, f64>::new(); pair.target.len()];
    for link in pair.links {
        let (source, probability) = (link.link.source as usize, f64::from(link.weight));
        // A probability that is none counts as none.
        let probability = if probability.is_nan() { 0.0 } else { probability.clamp(0.0, 1.0) };
        let known = links[link.link.target as usize].entry(source).or_default();
        *known = known.max(probability);
    }
    let listed = |links: BTreeMap<usize, f64>| {
        links.into_iter().map(|(source, probability)| Origin { source, probability }).collect()
    };
    links.into_iter().map(listed).collect()
}
