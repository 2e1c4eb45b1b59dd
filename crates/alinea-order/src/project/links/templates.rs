//! Rules that might be, by number.
//!
//! What learning looks at is which of the rules that might be fit a candidate, again and again under other links. So the
//! sides of such rules are numbered once for each word, a rule is three small numbers, and no text is touched after that.

use super::pair::{ParsedPair, edge};
use super::rule::{Clue, Condition, Direction, Pattern, Side};
use super::situation::{Context, Scene, Step};
use crate::alignment::Link;
use crate::bitext::{Vocabulary, WordId};
use crate::tree::{DependencyTree, ParsedSentence};

/// What a rule that might be is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A link is carried from heads to dependents.
    Down,
    /// A link is carried from dependents to heads.
    Up,
    /// The parts of speech of the candidate.
    Tags,
    /// A clue: its number is that of the source side.
    Clue,
}

/// A rule that might be: its kind, and the numbers of its sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Template {
    kind: Kind,
    source: u32,
    target: u32,
}

impl Template {
    /// Different for different templates: sides have numbers below 2^30.
    fn key(self) -> [u8; 8] {
        ((self.kind as u64) << 60 | u64::from(self.source) << 30 | u64::from(self.target)).to_le_bytes()
    }
}

/// The numbers of the sides that words give to rules.
#[derive(Debug)]
pub(super) struct WordSides {
    /// Each word with its part of speech.
    tags: Vec<u32>,
    /// The edge to each word by its relation alone; none at roots.
    plain: Vec<Option<u32>>,
    /// The edge to each word by relation and part of speech.
    tagged: Vec<Option<u32>>,
}

impl WordSides {
    /// The side of a step, with parts of speech or without.
    fn of(&self, step: Step, tagged: bool) -> Option<u32> {
        match step {
            Step::Stay(_) if !tagged => Some(ANY_WORD),
            Step::Stay(word) => Some(self.tags[word as usize]),
            Step::Along(word) if !tagged => self.plain[word as usize],
            Step::Along(word) => self.tagged[word as usize],
        }
    }
}

/// The number of the side that is any word.
const ANY_WORD: u32 = 0;

/// Numbers of sides.
#[derive(Debug)]
pub(super) struct Sides {
    names: Vocabulary,
    all: Vec<Side>,
    clues: Vec<Clue>,
}

impl Sides {
    pub(super) fn new() -> Self {
        let mut clues: Vec<Clue> = Clue::all().collect();
        clues.sort_unstable();
        let mut sides = Self { names: Vocabulary::default(), all: Vec::new(), clues };
        sides.number(Side::Word(Pattern::ANY));
        sides
    }

    /// The sides of a sentence's words; relations without their subtypes.
    pub(super) fn sentence(&mut self, sentence: &ParsedSentence, tree: &DependencyTree) -> WordSides {
        let mut found = WordSides { tags: Vec::new(), plain: Vec::new(), tagged: Vec::new() };
        for word in 0..sentence.len() as u32 {
            found.tags.push(self.number(Side::Word(Pattern::new(sentence.word(word).upos()))));
            let edge = edge(sentence, tree, word);
            let mut side = |dependent: Pattern| {
                let relation = edge?.relation.split(':').next().unwrap_or_default();
                Some(self.number(Side::Edge { head: Pattern::ANY, relation: Pattern::new(relation), dependent }))
            };
            found.plain.push(side(Pattern::ANY));
            found.tagged.push(edge.and_then(|edge| side(Pattern::new(edge.dependent))));
        }
        found
    }

    fn number(&mut self, side: Side) -> u32 {
        let number = self.names.intern(side.to_string().as_bytes()).index();
        if number == self.all.len() {
            self.all.push(side);
        }
        number as u32
    }

    /// The rules that might be and fit a candidate, sorted, each once: for each link that it is reached from, the edges with and
    /// without parts of speech, in that direction; the two parts of speech, and each of them; and clues.
    pub(super) fn fitting(&self, scene: &Scene<'_, '_>, sides: &[WordSides; 2], link: Link) -> Vec<Template> {
        let contexts = scene.contexts(link);
        let mut found = Vec::new();
        for context in &contexts {
            found.extend([false, true].into_iter().filter_map(|tagged| carrying(sides, context, tagged)));
        }
        let (source, target) = (sides[0].tags[link.source as usize], sides[1].tags[link.target as usize]);
        let pairs = [(source, target), (source, ANY_WORD), (ANY_WORD, target)];
        found.extend(pairs.map(|(source, target)| Template { kind: Kind::Tags, source, target }));
        found.extend(scene.clues(link, contexts.len()).iter().filter_map(|clue| {
            let source = self.clues.binary_search(clue).ok()? as u32;
            Some(Template { kind: Kind::Clue, source, target: 0 })
        }));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The rule's condition, and the way that it goes.
    pub(super) fn rule(&self, template: Template) -> (Condition, Option<Direction>) {
        let sides = || {
            let [source, target] = [template.source, template.target].map(|side| self.all[side as usize].clone());
            Condition::Sides(source, target)
        };
        match template.kind {
            Kind::Down => (sides(), Some(Direction::Down)),
            Kind::Up => (sides(), Some(Direction::Up)),
            Kind::Tags => (sides(), None),
            Kind::Clue => (Condition::Clue(self.clues[template.source as usize]), None),
        }
    }
}

/// The rule that carries a link as a context does, if edges are there.
fn carrying(sides: &[WordSides; 2], context: &Context, tagged: bool) -> Option<Template> {
    let kind = match context.direction {
        Direction::Down => Kind::Down,
        Direction::Up => Kind::Up,
    };
    let (source, target) = (sides[0].of(context.source, tagged)?, sides[1].of(context.target, tagged)?);
    Some(Template { kind, source, target })
}

/// Numbers of templates, in the order in which they were met.
#[derive(Debug, Clone, Default)]
pub(super) struct Templates {
    keys: Vocabulary,
    templates: Vec<Template>,
}

impl Templates {
    /// The number of a template, a new one if it was not met before.
    pub(super) fn intern(&mut self, template: Template) -> u32 {
        let number = self.keys.intern(&template.key()).index();
        if number == self.templates.len() {
            self.templates.push(template);
        }
        number as u32
    }

    /// The number of a template that was met before.
    pub(super) fn number(&self, template: Template) -> Option<u32> {
        self.keys.id(&template.key()).map(|id: WordId| id.index() as u32)
    }

    /// All templates in the order of their numbers.
    pub(super) fn all(&self) -> &[Template] {
        &self.templates
    }
}

/// The sides of both sentences of a pair.
pub(super) fn sides_of(sides: &mut Sides, pair: &ParsedPair<'_>) -> [WordSides; 2] {
    [sides.sentence(pair.source(), pair.source_tree()), sides.sentence(pair.target(), pair.target_tree())]
}
