//! Patterns: what a rule requires of a node, of the node above and of neighboring parts, and how windows are matched.
//!
//! A `Pattern` has three optional slots, `tag/relation/lemma`, each a list of names, perhaps negated. A slot is
//! compared with all names that a constituent has. Its tags are the label of its bracket, as it is and without what
//! follows `-` or `=`, and the coarse and fine tag of its word. Its relations are the functions behind `-` in the
//! label, and the relation of its word with and without subtype. A slot of which nothing is known does not match, even
//! if it is negated.
//!
//! `Matcher` matches a sequence of items against the parts from a given place on, as a regular expression: `+` and `..`
//! take as many parts as they can, and give some back where the rest does not match. Pairs of item and place that
//! failed are remembered, so that this takes O(items · parts²) time. The word of the node itself is matched by `head`
//! and `..`, never by a pattern.

use std::fmt;

use super::super::constituents::{Constituent, Constituents, Node};
use super::super::engine::{Layer, Sentence};

/// Names one of which something has, or has not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    /// Whether none of the names fits.
    pub negated: bool,
    /// The names.
    pub names: Vec<String>,
}

impl Choice {
    /// One name.
    pub fn of(name: &str) -> Self {
        Self { negated: false, names: vec![name.to_owned()] }
    }

    fn fits<'n>(&self, has: impl Iterator<Item = &'n str>) -> bool {
        let (mut known, mut named) = (false, false);
        for name in has {
            known = true;
            named |= self.names.iter().any(|other| other == name);
        }
        known && named != self.negated
    }
}

/// What is asked: `tag/relation/lemma`, where what is not asked is left out or `*`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Pattern {
    /// The part of speech, coarse or fine; the label of a bracket, with or without what follows `-` or `=`.
    pub tag: Option<Choice>,
    /// The relation to the head, with or without what follows `:`; what follows `-` in the label of a bracket.
    pub relation: Option<Choice>,
    /// The lemma of the word.
    pub lemma: Option<Choice>,
}

impl Pattern {
    /// The tag, the relation and the lemma.
    pub(super) fn slots(&self) -> [Option<&Choice>; 3] {
        [self.tag.as_ref(), self.relation.as_ref(), self.lemma.as_ref()]
    }

    fn fits(&self, known: &WordAttributes<'_>, what: &Constituent) -> bool {
        self.tag.as_ref().is_none_or(|tag| tag.fits(known.tags(what)))
            && self.relation.as_ref().is_none_or(|relation| relation.fits(known.relations(what)))
            && self.lemma.as_ref().is_none_or(|lemma| lemma.fits(known.lemmas(what)))
    }
}

/// Characters that mean something in patterns.
pub(super) const MARKS: &str = "/|!*+#\\";

fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    use fmt::Write as _;
    for character in name.chars() {
        if MARKS.contains(character) {
            f.write_char('\\')?;
        }
        f.write_char(character)?;
    }
    Ok(())
}

/// What means something where a pattern could stand.
const WORDS: [&str; 8] = ["head", "..", "^", "$", ">", ":", "=>", "let"];

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self { tag: Some(Choice { negated: false, names }), relation: None, lemma: None } = self
            && let [name] = &names[..]
            && WORDS.contains(&name.as_str())
        {
            return write!(f, "\\{name}");
        }
        let slots = self.slots();
        let asked = slots.iter().rposition(Option::is_some).map_or(1, |last| last + 1);
        for (place, slot) in slots[..asked].iter().enumerate() {
            if place > 0 {
                f.write_str("/")?;
            }
            let Some(choice) = slot else {
                f.write_str("*")?;
                continue;
            };
            f.write_str(if choice.negated { "!" } else { "" })?;
            for (number, name) in choice.names.iter().enumerate() {
                f.write_str(if number > 0 { "|" } else { "" })?;
                write_name(f, name)?;
            }
        }
        Ok(())
    }
}

/// What is asked of the parts of a node, one after another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    /// The word of the node itself.
    Head,
    /// One part, not the word of the node.
    One(Pattern),
    /// As many parts as may be, at least one.
    Many(Pattern),
    /// As many parts as may be of any kind, or none.
    Any,
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Head => f.write_str("head"),
            Self::One(pattern) => pattern.fmt(f),
            Self::Many(pattern) => write!(f, "{pattern}+"),
            Self::Any => f.write_str(".."),
        }
    }
}

/// What is known of a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct WordAttributes<'s> {
    tags: [Option<&'s [String]>; 2],
    relations: Option<&'s [String]>,
    lemmas: Option<&'s [String]>,
}

fn at(layer: Option<&[String]>, word: Option<u32>) -> Option<&str> {
    Some(layer?[word? as usize].as_str())
}

/// The name, and its beginning before any of these characters.
fn cut<'n>(name: &'n str, marks: &[char]) -> impl Iterator<Item = &'n str> {
    let end = name.char_indices().skip(1).find(|(_, character)| marks.contains(character)).map(|(end, _)| end);
    std::iter::once(name).chain(end.map(|end| &name[..end]))
}

impl<'s> WordAttributes<'s> {
    pub(super) fn new(sentence: &'s Sentence) -> Self {
        Self {
            tags: [Layer::Tags, Layer::FineTags].map(|layer| sentence.layer(layer)),
            relations: sentence.layer(Layer::Relations),
            lemmas: sentence.layer(Layer::Lemmas),
        }
    }

    fn tags<'a>(&'a self, what: &'a Constituent) -> impl Iterator<Item = &'a str> {
        let label = what.label().into_iter().flat_map(|label| cut(label, &['-', '=']));
        label.chain(self.tags.iter().filter_map(move |&layer| at(layer, what.word)))
    }

    fn relations<'a>(&'a self, what: &'a Constituent) -> impl Iterator<Item = &'a str> {
        let functions = what.label().into_iter().flat_map(|label| label.split('-').skip(1));
        let relation = if what.is_head { None } else { at(self.relations, what.word) };
        functions.chain(relation.into_iter().flat_map(|relation| cut(relation, &[':'])))
    }

    fn lemmas<'a>(&'a self, what: &'a Constituent) -> impl Iterator<Item = &'a str> {
        at(self.lemmas, what.word).into_iter()
    }

    /// The names by which learned rules know a constituent: its first tag, and its relation with its subtype.
    pub(super) fn names<'a>(&'a self, what: &'a Constituent) -> [Option<&'a str>; 2] {
        [self.tags(what).next(), self.relations(what).next()]
    }
}

/// Finds windows of parts that are as asked for.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    /// Which items were found not to fit from which place on.
    failed: Vec<bool>,
    /// Where what each item fits ends.
    pub(super) ends: Vec<usize>,
}

/// What a rule asks of a node, its neighborhood and a window of its parts.
pub(super) struct Asked<'r> {
    pub(super) above: Option<&'r Pattern>,
    pub(super) node: &'r Pattern,
    pub(super) items: &'r [Item],
    pub(super) to_end: bool,
}

impl Asked<'_> {
    /// Whether the node is as asked for.
    pub(super) fn fits_node(&self, known: &WordAttributes<'_>, tree: &Constituents, node: &Node) -> bool {
        let above = || node.above.map(|above| &tree.nodes()[above].this);
        self.node.fits(known, &node.this)
            && self.above.is_none_or(|pattern| above().is_some_and(|above| pattern.fits(known, above)))
    }
}

impl Matcher {
    /// Whether a window of the parts, as they are arranged, that begins at `start` fits; [`Matcher::ends`] says where. Of several
    /// ways that in which the first items take the most parts. O(items · parts²).
    pub(super) fn fits(
        &mut self,
        asked: &Asked<'_>,
        known: &WordAttributes<'_>,
        node: &Node,
        arranged: &[usize],
        start: usize,
    ) -> bool {
        self.failed.clear();
        self.failed.resize((asked.items.len() + 1) * (arranged.len() + 1), false);
        self.ends.clear();
        self.ends.resize(asked.items.len(), 0);
        let fits = |item: &Item, place: usize| {
            let part = &node.parts[arranged[place]];
            match item {
                Item::Head => part.is_head,
                Item::Any => true,
                Item::One(pattern) | Item::Many(pattern) => !part.is_head && pattern.fits(known, part),
            }
        };
        self.step(asked, &fits, arranged.len(), 0, start)
    }

    /// As deep as there are items.
    fn step(
        &mut self,
        asked: &Asked<'_>,
        fits: &impl Fn(&Item, usize) -> bool,
        parts: usize,
        number: usize,
        start: usize,
    ) -> bool {
        let Some(item) = asked.items.get(number) else { return !asked.to_end || start == parts };
        let cell = number * (parts + 1) + start;
        if self.failed[cell] {
            return false;
        }
        let most = if matches!(item, Item::Many(_) | Item::Any) { parts } else { parts.min(start + 1) };
        let least = usize::from(*item != Item::Any);
        let fitting = (start..most).take_while(|&place| fits(item, place)).count();
        for end in (start + least..=start + fitting).rev() {
            if self.step(asked, fits, parts, number + 1, end) {
                self.ends[number] = end;
                return true;
            }
        }
        self.failed[cell] = true;
        false
    }
}
