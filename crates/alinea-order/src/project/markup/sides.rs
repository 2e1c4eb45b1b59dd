//! The words of both sides, and the links between them.

use std::ops::Range;

use alinea_text::bitext::Vocabulary;
use alinea_text::format::markup::TranslationWord;

use super::brackets::{self, Brackets};
use super::pair::MarkedPair;
use crate::project::check::check_links;

/// No word has a link with more than this, so that none is all that counts.
const MOST: f64 = 0.99;

/// The most probable counterpart of a word is one only above this.
const LEAST_BEST: f64 = 0.1;

/// Numbers for words in lower case, and for phrases.
#[derive(Debug, Default)]
pub(super) struct Forms {
    words: Vocabulary,
    phrases: Vocabulary,
}

impl Forms {
    fn word(&mut self, word: &str) -> u32 {
        self.words.intern(word.to_lowercase().as_bytes()).index() as u32
    }

    pub(super) fn phrase(&mut self, words: &[u32]) -> u32 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.phrases.intern(&bytes).index() as u32
    }
}

/// What a target word is beside its form.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they do not exclude each other")]
pub(super) struct Traits {
    pub(super) is_punctuation: bool,
    pub(super) ends_sentence: bool,
    pub(super) is_hyphen: bool,
    pub(super) is_apostrophe: bool,
    /// Whether there is no blank between it and the word before it.
    pub(super) is_glued: bool,
}

impl Traits {
    fn of(word: &str, is_glued: bool) -> Self {
        Self {
            is_punctuation: !word.chars().any(char::is_alphanumeric),
            ends_sentence: matches!(word, "." | "!" | "?" | ":" | "。" | "！" | "？" | "："),
            is_hyphen: matches!(word, "-" | "\u{2010}" | "\u{2011}"),
            is_apostrophe: matches!(word, "'" | "’"),
            is_glued,
        }
    }
}

/// A pair as numbers.
#[derive(Debug)]
pub(super) struct Sides {
    /// The source words in lower case.
    pub(super) source_forms: Vec<u32>,
    pub(super) source_traits: Vec<Traits>,
    /// The target words in lower case.
    pub(super) target_forms: Vec<u32>,
    pub(super) target_traits: Vec<Traits>,
    /// Where the target words are written.
    pub(super) target_bytes: Vec<Range<usize>>,
    /// Links of each source word, as ranges of `links`.
    starts: Vec<usize>,
    links: Vec<(u32, f64)>,
    /// The most probable target word of each source word, and how probable that is.
    pub(super) best: Vec<Option<(u32, f64)>>,
    /// Of each target word the logarithm of the probability that it has no link.
    pub(super) unlinked: Vec<f64>,
    pub(super) brackets: Vec<Brackets>,
    /// How many brackets are around each place between target words.
    pub(super) depth: Vec<u32>,
}

impl Sides {
    /// Reads a pair; also returns the bytes of the source words. Says what is wrong with it.
    pub(super) fn new(pair: &MarkedPair<'_>, forms: &mut Forms) -> Result<(Self, Vec<Range<usize>>), String> {
        let (source, target) = (pair.source.words(pair.words), pair.target.words(pair.words));
        let (starts, links) = links(pair, [source.len(), target.len()])?;
        let best = starts.windows(2).map(|ends| best(&links[ends[0]..ends[1]])).collect();
        let mut unlinked = vec![0.0; target.len()];
        for &(word, probability) in &links {
            unlinked[word as usize] += Self::without(probability);
        }
        let text = |word: &Range<usize>| &pair.source.text[word.clone()];
        let (brackets, depth) = brackets::find(target.iter().map(|word| word.text));
        let sides = Self {
            source_forms: source.iter().map(|word| forms.word(text(word))).collect(),
            source_traits: source.iter().map(|word| Traits::of(text(word), false)).collect(),
            target_forms: target.iter().map(|word| forms.word(word.text)).collect(),
            target_traits: traits(&target),
            target_bytes: target.into_iter().map(|word| word.raw).collect(),
            starts,
            links,
            best,
            unlinked,
            brackets,
            depth,
        };
        Ok((sides, source))
    }

    /// The links of a source word: target words, in order, with probabilities.
    pub(super) fn links(&self, source: usize) -> &[(u32, f64)] {
        &self.links[self.starts[source]..self.starts[source + 1]]
    }

    /// The logarithm of the probability that a link of this probability is not there.
    pub(super) fn without(probability: f64) -> f64 {
        (-probability.min(MOST)).ln_1p()
    }
}

fn traits(words: &[TranslationWord<'_>]) -> Vec<Traits> {
    let mut end = None;
    let of = |word: &TranslationWord<'_>| {
        let traits = Traits::of(word.text, end == Some(word.raw.start));
        end = Some(word.raw.end);
        traits
    };
    words.iter().map(of).collect()
}

/// Where the links of each source word begin, and all links by source word: target word and probability.
type BySource = (Vec<usize>, Vec<(u32, f64)>);

/// The links by source word.
fn links(pair: &MarkedPair<'_>, lengths: [usize; 2]) -> Result<BySource, String> {
    check_links(pair.links, lengths)?;
    let mut all = Vec::with_capacity(pair.links.len());
    for link in pair.links {
        let (source, target) = (link.link.source, link.link.target);
        // What is no number is no link.
        let weight = if link.weight > 0.0 { f64::from(link.weight).min(1.0) } else { 0.0 };
        all.push((source, target, weight));
    }
    all.sort_by(|one, other| (one.0, one.1).cmp(&(other.0, other.1)).then(other.2.total_cmp(&one.2)));
    all.dedup_by_key(|link| (link.0, link.1));
    let mut starts = vec![0; lengths[0] + 1];
    for link in &all {
        starts[link.0 as usize + 1] += 1;
    }
    for word in 0..lengths[0] {
        starts[word + 1] += starts[word];
    }
    Ok((starts, all.into_iter().map(|(_, target, weight)| (target, weight)).collect()))
}

fn best(links: &[(u32, f64)]) -> Option<(u32, f64)> {
    let most = |most: Option<(u32, f64)>, &next: &(u32, f64)| match most {
        Some(most) if most.1 >= next.1 => Some(most),
        _ => Some(next),
    };
    links.iter().fold(None, most).filter(|&(_, probability)| probability > LEAST_BEST)
}
