//! A sentence pair with its links, and what is linked to each word of one side.

use std::ops::Range;

use crate::alignment::Link;
use crate::bitext::Side;
use crate::error::{Error, ErrorKind, Result};

/// A link, and its confidence if it has one, from 0 to 1.
pub type PossibleLink = (Link, Option<f32>);

/// A sentence pair.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct LinkedPair<'a> {
    /// The words as they are written, source and target.
    pub words: [&'a [&'a str]; 2],
    /// What is counted in their place, such as their lemmas: as many as words.
    pub lemmas: [Option<&'a [&'a str]>; 2],
    /// The links, in any order. Of a link that is there twice the higher confidence counts.
    pub links: &'a [PossibleLink],
    /// What the pair is called, such as a verse.
    pub name: Option<&'a str>,
}

impl<'a> LinkedPair<'a> {
    /// A pair without lemmas and without a name.
    pub fn new(source: &'a [&'a str], target: &'a [&'a str], links: &'a [PossibleLink]) -> Self {
        Self { words: [source, target], lemmas: [None, None], links, name: None }
    }

    /// The same with lemmas of the sides that have some.
    #[must_use]
    pub fn with_lemmas(self, lemmas: [Option<&'a [&'a str]>; 2]) -> Self {
        Self { lemmas, ..self }
    }

    /// The same with a name.
    #[must_use]
    pub fn with_name(self, name: Option<&'a str>) -> Self {
        Self { name, ..self }
    }

    /// What is counted of a side.
    pub(super) fn counted(&self, side: usize) -> &'a [&'a str] {
        self.lemmas[side].unwrap_or(self.words[side])
    }

    /// Refuses what does not fit; `number` is that of the pair, from 1.
    pub(super) fn check(&self, number: u64) -> Result<()> {
        let [source, target] = self.words.map(<[_]>::len);
        let inside = |link: Link| (link.source as usize) < source && (link.target as usize) < target;
        if let Some((link, _)) = self.links.iter().find(|(link, _)| !inside(*link)) {
            return Err(Error::link_outside_sentences(link, [source, target]).within(format_args!("pair {number}")));
        }
        let odd = |weight: &Option<f32>| weight.is_some_and(|weight| !(0.0..=1.0).contains(&weight));
        if let Some((link, Some(weight))) = self.links.iter().find(|(_, weight)| odd(weight)) {
            let message = format!("pair {number}: link {link} has the confidence {weight}, which is not from 0 to 1");
            return Err(ErrorKind::Inconsistent(message).into());
        }
        for (lemmas, words) in self.lemmas.iter().zip(self.words) {
            if let Some(lemmas) = lemmas.filter(|lemmas| lemmas.len() != words.len()) {
                let message = format!("pair {number}: {} lemmas of {} words", lemmas.len(), words.len());
                return Err(ErrorKind::Inconsistent(message).into());
            }
        }
        Ok(())
    }
}

/// The number of a side in a pair.
pub(super) fn place(side: Side) -> usize {
    match side {
        Side::Source => 0,
        Side::Target => 1,
    }
}

/// A link, seen from the side of the headwords.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct End {
    from: u32,
    /// The word of the other side.
    pub(super) to: u32,
    weight: Option<f32>,
}

/// What is linked to each word of one side; buffers for one pair after another.
#[derive(Debug, Default)]
pub(super) struct Ends {
    all: Vec<End>,
    /// Where the links of each word begin in `all`, and where those of the last end.
    starts: Vec<usize>,
    /// Those of a phrase.
    joined: Vec<End>,
}

impl Ends {
    /// Takes the links of a pair that are sure enough.
    pub(super) fn replace(&mut self, pair: &LinkedPair<'_>, side: usize, threshold: f32) {
        self.all.clear();
        for &(link, weight) in pair.links.iter().filter(|(_, weight)| weight.is_none_or(|weight| weight >= threshold)) {
            let link = if side == 0 { link } else { link.inverted() };
            self.all.push(End { from: link.source, to: link.target, weight });
        }
        sort(&mut self.all, |end| (end.from, end.to));
        self.starts.clear();
        let mut at = 0;
        for word in 0..pair.words[side].len() as u32 {
            self.starts.push(at);
            at += self.all[at..].iter().take_while(|end| end.from == word).count();
        }
        self.starts.push(at);
    }

    /// The links of a word, in the order of the words that they lead to.
    pub(super) fn of_word(&self, word: usize) -> &[End] {
        &self.all[self.starts[word]..self.starts[word + 1]]
    }

    /// The links of some neighboring words, in the order of the words that they lead to.
    pub(super) fn of(&mut self, words: Range<usize>) -> &[End] {
        let own = &self.all[self.starts[words.start]..self.starts[words.end]];
        if words.len() == 1 {
            return own;
        }
        self.joined.clear();
        self.joined.extend_from_slice(own);
        sort(&mut self.joined, |end| (0, end.to));
        &self.joined
    }
}

/// Puts links into order, and leaves of those with one key the surest.
fn sort(ends: &mut Vec<End>, key: impl Fn(&End) -> (u32, u32)) {
    let weight = |end: &End| end.weight.unwrap_or(-1.0);
    ends.sort_unstable_by(|a, b| key(a).cmp(&key(b)).then(weight(b).total_cmp(&weight(a))));
    ends.dedup_by_key(|end| key(end));
}

/// The mean confidence of links, of those that have one.
pub(super) fn confidence(ends: &[End]) -> Option<f32> {
    let weights = ends.iter().filter_map(|end| end.weight);
    let (sum, number) = weights.fold((0.0, 0_u32), |(sum, number), weight| (sum + f64::from(weight), number + 1));
    (number > 0).then(|| (sum / f64::from(number)) as f32)
}
