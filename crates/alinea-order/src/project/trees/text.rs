//! The text as numbers: tags, relations and forms of all sentences.

use alinea_text::bitext::{Vocabulary, WordId};
use alinea_text::tree::DependencyTree;

use super::pair::TreePair;
pub(super) use crate::project::tags::{Origin, Tag};
use crate::project::tags::{TaggedSentence, Word, WordNames, origins};

/// A relation, by number.
pub(super) type Relation = u32;

/// What numbers stand for.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) words: WordNames,
    relations: Vocabulary,
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

impl Names {
    pub(super) fn relation(&mut self, name: &str) -> Relation {
        self.relations.intern(name.as_bytes()).index() as Relation
    }

    pub(super) fn relation_name(&self, relation: Relation) -> String {
        let bytes = self.relations.word(WordId::from_index(relation as usize));
        String::from_utf8_lossy(bytes).into_owned()
    }

    pub(super) fn relations(&self) -> usize {
        self.relations.len()
    }

    /// A pair, which has been checked.
    pub(super) fn sentence(&mut self, pair: &TreePair<'_>) -> Sentence {
        let tree = pair.source.tree();
        Sentence {
            heads: tree.map(|tree| tree.heads().to_vec()).unwrap_or_default(),
            top_down: tree.map(DependencyTree::top_down).unwrap_or_default(),
            tags: pair.source.words().map(|word| self.words.tag(word.upos())).collect(),
            relations: pair.source.words().map(|word| self.relation(word.deprel())).collect(),
            words: pair.target.iter().map(|word| self.words.word(word.form, word.upos)).collect(),
            links: origins(pair.links, pair.target.len()),
        }
    }
}

impl Sentence {
    /// What tags are carried over by.
    pub(super) fn tagged(&self) -> TaggedSentence<'_> {
        TaggedSentence { tags: &self.tags, words: &self.words, links: &self.links }
    }
}
