//! A tag for each word, carried over links: parts of speech, features (Yarowsky and Ngai 2001).
//!
//! The source words that a target word is linked to vote for their tags, with the squares of the probabilities of links p, since links
//! of little probability are many. [`Method::Overlap`] takes the tag with most votes. That fails where languages say things with other
//! parts of speech, and at function words, whose links are unsure. Under [`Method::Consistent`] the other places where the same word
//! stands say what it may be, too, or for rare ones words with the same ending (Das and Petrov 2011; Täckström et al. 2013 have types
//! and tokens, too). A tag t of a token w weighs
//!
//! ```text
//! Σ over source words i of tag t of p_i²  +  2.5 p(t | type w elsewhere)  +  0.001
//! ```
//!
//! and a sentence is a path through a hidden Markov model with these for emissions and the square root of how much more often than by
//! chance a tag follows another (texts with more than 256 tags have no such order). The model is counted on what it says itself, three
//! times, first on links alone. If there are tags `PUNCT` and `SYM`, a word without a letter or digit is one of them, and no other word is
//! punctuation without need. [`trees`](super::trees) has its parts of speech from here. Constants were chosen on the odd sentences of the
//! treebanks PUD.
//!
//! ```
//! use alinea::alignment::{Link, WeightedLink};
//! use alinea::project::labels::LabelConfig;
//! use alinea::project::tags::{TaggedPair, project};
//!
//! let links = [(0, 1, 0.9), (1, 0, 0.8)]
//!     .map(|(source, target, weight)| WeightedLink { link: Link { source, target }, weight });
//! let tags = [Some("ADJ"), Some("NOUN")];
//! let pair = TaggedPair { tags: &tags, target: vec!["maison", "bleue"], links: &links };
//! let found = project(&[pair], &LabelConfig::default())?;
//! let tags: Vec<&str> = found[0].iter().flatten().map(|tag| tag.tag).collect();
//! assert_eq!(tags, ["NOUN", "ADJ"]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod hmm;
mod words;

use alinea_text::alignment::WeightedLink;
use alinea_text::error::{Error, ErrorKind, Result};

pub(super) use self::hmm::{Looks, carry};
pub(super) use self::words::{Origin, Tag, TaggedSentence, Word, WordNames, origins};
use super::check::check_links;
use super::labels::{LabelConfig, Method};

/// What stands for the tag of a word that has none.
const UNTAGGED: &str = "";
/// The votes that no tag gets by links, under `Overlap`.
const UNSAID: f64 = 0.1;

/// A sentence pair whose source words have tags.
#[derive(Debug, Clone)]
pub struct TaggedPair<'a> {
    /// The tag of each source word, if it has one.
    pub tags: &'a [Option<&'a str>],
    /// The target words.
    pub target: Vec<&'a str>,
    /// Links with their probabilities, best all candidates from 0.01 on.
    pub links: &'a [WeightedLink],
}

/// The tag of a target word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProjectedTag<'a> {
    /// The tag.
    pub tag: &'a str,
    /// Its share in what speaks for any, from 0 to 1.
    pub confidence: f32,
}

/// The tags of a text, for each target word of each pair; none if nothing speaks for one, or too little. Of equals the tag that comes
/// first in the source.
///
/// Time O(words × tags²), memory O((words + types) × tags); under `Overlap` O(links + words × tags).
///
/// # Errors
/// `Inconsistent` for links outside their sentences, naming the pair from 1; `Config` for values out of range, and for methods that
/// find stretches.
pub fn project<'a>(pairs: &[TaggedPair<'a>], config: &LabelConfig) -> Result<Vec<Vec<Option<ProjectedTag<'a>>>>> {
    config.validate()?;
    if !config.method.is_joint() {
        return Err(Error::config("method", config.method, "consistent or overlap, for tags"));
    }
    let (mut names, mut tag_names) = (WordNames::default(), Vec::new());
    let mut read = Vec::with_capacity(pairs.len());
    for (pair, number) in pairs.iter().zip(1..) {
        check_links(pair.links, [pair.tags.len(), pair.target.len()])
            .map_err(|message| Error::from(ErrorKind::Inconsistent(format!("pair {number}: {message}"))))?;
        let mut tag = |name: &'a str| {
            let tag = names.tag(name);
            if tag as usize == tag_names.len() {
                tag_names.push(name);
            }
            tag
        };
        let tags: Vec<Tag> = pair.tags.iter().map(|name| tag(name.unwrap_or(UNTAGGED))).collect();
        let words: Vec<Word> = pair.target.iter().map(|word| names.word(word, None)).collect();
        read.push((tags, words, origins(pair.links, pair.target.len())));
    }
    let sentences: Vec<TaggedSentence<'_>> =
        read.iter().map(|(tags, words, links)| TaggedSentence { tags, words, links }).collect();
    let unknown = names.known_tag(UNTAGGED);
    let found = if config.method == Method::Consistent {
        let marks = ["PUNCT", "SYM"].map(|name| names.known_tag(name));
        carry(&sentences, &names, &Looks { marks, unknown })
    } else {
        sentences.iter().map(|sentence| by_votes(sentence, names.tags(), unknown)).collect()
    };
    let kept = |(tag, confidence): (Tag, f64)| {
        let (tag, confidence) = (*tag_names.get(tag as usize)?, confidence as f32);
        let is_one = tag != UNTAGGED && confidence > 0.0 && confidence >= config.min_confidence;
        is_one.then_some(ProjectedTag { tag, confidence })
    };
    Ok(found.into_iter().map(|tags| tags.into_iter().map(kept).collect()).collect())
}

/// The tags with most votes, and their shares.
fn by_votes(sentence: &TaggedSentence<'_>, tags: usize, unknown: Option<Tag>) -> Vec<(Tag, f64)> {
    let best = |mut votes: Vec<f64>| {
        if let Some(unknown) = unknown {
            votes[unknown as usize] = 0.0;
        }
        let (tag, most) = hmm::most(&votes);
        (tag, most / (votes.iter().sum::<f64>() + UNSAID))
    };
    hmm::linked(sentence, tags).into_iter().map(best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alinea_text::alignment::Link;

    fn links(cells: &[(u32, u32, f32)]) -> Vec<WeightedLink> {
        cells.iter().map(|&(source, target, weight)| WeightedLink { link: Link { source, target }, weight }).collect()
    }

    fn by(method: Method) -> LabelConfig {
        LabelConfig::default().with(|config| config.method = method)
    }

    fn names<'a>(found: &[Option<ProjectedTag<'a>>]) -> Vec<&'a str> {
        found.iter().map(|tag| tag.map_or("_", |tag| tag.tag)).collect()
    }

    #[test]
    fn votes_are_added_up() {
        let tags = [Some("A"), Some("B"), Some("B"), None];
        let links = links(&[(0, 0, 0.8), (1, 0, 0.6), (2, 0, 0.6), (0, 1, 0.5), (3, 1, 0.9), (3, 2, 0.9)]);
        let pair = TaggedPair { tags: &tags, target: vec!["x", "y", "z", "w"], links: &links };
        let found = project(std::slice::from_ref(&pair), &by(Method::Overlap)).unwrap().remove(0);
        // 0.36 + 0.36 is more than 0.64.
        assert_eq!(names(&found), ["B", "A", "_", "_"]);
        let confidence = found[0].unwrap().confidence;
        assert!((confidence - 0.72 / 1.46).abs() < 1e-6, "{confidence}");
        let strict = by(Method::Overlap).with(|config| config.min_confidence = 0.6);
        assert_eq!(names(&project(std::slice::from_ref(&pair), &strict).unwrap()[0]), ["_", "A", "_", "_"]);
        let error = project(&[pair], &by(Method::Hull)).unwrap_err().to_string();
        assert_eq!(error, "method = hull: must be consistent or overlap, for tags");
    }

    /// `la` is linked with a noun here, and with determiners elsewhere.
    #[test]
    fn words_have_the_tags_that_they_have_elsewhere() {
        let tags = [Some("DET"), Some("NOUN")];
        let (sure, unsure) = (links(&[(0, 0, 0.9), (1, 1, 0.9)]), links(&[(1, 0, 0.5), (0, 0, 0.4), (1, 1, 0.9)]));
        let pair = |links| TaggedPair { tags: &tags, target: vec!["La", "maison"], links };
        let text = [pair(&sure), pair(&unsure)];
        let of = |method| names(&project(&text, &by(method)).unwrap()[1]);
        assert_eq!((of(Method::Overlap), of(Method::Consistent)), (vec!["NOUN", "NOUN"], vec!["DET", "NOUN"]));
        // Without a link, too.
        let unlinked = links(&[(1, 1, 0.9)]);
        let text = [pair(&sure), pair(&unlinked)];
        assert_eq!(names(&project(&text, &by(Method::Consistent)).unwrap()[1]), ["DET", "NOUN"]);
        let outside = links(&[(2, 0, 0.5)]);
        let error = project(&[pair(&sure), pair(&outside)], &by(Method::Overlap)).unwrap_err().to_string();
        assert_eq!(error, "pair 2: link 2-0 in sentences of 2 and 2");
    }

    /// Features are many: nothing asks for their order.
    #[test]
    fn many_tags_are_carried_without_order() {
        let names: Vec<String> = (0..300).map(|n| format!("F={n}")).collect();
        let tags: Vec<Option<&str>> = names.iter().map(|name| Some(name.as_str())).collect();
        let words: Vec<String> = (0..300).map(|n| format!("w{n}")).collect();
        let cells: Vec<(u32, u32, f32)> = (0..300).map(|n| (n, 299 - n, 0.9)).collect();
        let links = links(&cells);
        let pair = TaggedPair { tags: &tags, target: words.iter().map(String::as_str).collect(), links: &links };
        let found = project(&[pair], &LabelConfig::default()).unwrap().remove(0);
        let expected: Vec<&str> = names.iter().rev().map(String::as_str).collect();
        assert_eq!(super::tests::names(&found), expected);
    }

    #[test]
    fn punctuation_is_told_by_its_looks() {
        let tags = [Some("NOUN"), Some("PUNCT")];
        let links = links(&[(0, 0, 0.9), (0, 1, 0.6), (1, 0, 0.5)]);
        let pair = TaggedPair { tags: &tags, target: vec!["Haus", "!"], links: &links };
        let found = project(std::slice::from_ref(&pair), &LabelConfig::default()).unwrap().remove(0);
        assert_eq!(names(&found), ["NOUN", "PUNCT"]);
        assert_eq!(names(&project(&[pair], &by(Method::Overlap)).unwrap()[0]), ["NOUN", "NOUN"]);
    }
}
