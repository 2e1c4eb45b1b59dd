//! A tag for each word, carried over links: parts of speech, features (Yarowsky and Ngai 2001).
//!
//! The source words that a target word is linked to vote for their tags, with the squares of the probabilities of links p, since links
//! of little probability are many:
//!
//! ```text
//! v_j(t) = Σ over source words i with tag t of p_ij²
//! ```
//!
//! [`Method::Overlap`] takes the tag with most votes. That fails where languages say things with other parts of speech, and at function words,
//! whose links are unsure. [`Method::Consistent`] weighs votes by what the same word (in lower case) has elsewhere in the text, n votes of which n(t)
//! are for the tag; s(t) is the share of the tag in all votes:
//!
//! ```text
//! (v_j(t) + 0.1) · (n(t) + s(t)) / (n + 1)
//! ```
//!
//! The 0.1 was chosen on the odd sentences of the treebanks PUD (English to French, German, Chinese).
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

use std::collections::BTreeMap;

use alinea_text::alignment::WeightedLink;
use alinea_text::bitext::Vocabulary;
use alinea_text::error::{Error, ErrorKind, Result};

use super::labels::{LabelConfig, Method};

/// The votes that no tag gets by links.
const UNSAID: f64 = 0.1;
/// So much the shares of tags in the whole text count beside the votes for a word.
const OF_TEXT: f64 = 1.0;

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

/// Votes for tags, by number.
type Votes = BTreeMap<u32, f64>;

/// The tags of a text, for each target word of each pair; none if nothing speaks for one, or too little. Of equals the tag that comes first in the
/// source.
///
/// Time O(links + target words × different tags of a word), memory O(links).
///
/// # Errors
/// `Inconsistent` for links outside their sentences, naming the pair from 1; `Config` for values out of range, and for methods that
/// find stretches.
pub fn project<'a>(pairs: &[TaggedPair<'a>], config: &LabelConfig) -> Result<Vec<Vec<Option<ProjectedTag<'a>>>>> {
    config.validate()?;
    if !config.method.is_joint() {
        return Err(Error::config("method", config.method, "consistent or overlap, for tags"));
    }
    let (mut tags, mut forms) = (Tags::default(), Vocabulary::default());
    let mut votes: Vec<Vec<Votes>> = Vec::with_capacity(pairs.len());
    for (pair, number) in pairs.iter().zip(1..) {
        votes.push(
            tags.votes(pair)
                .map_err(|message| Error::from(ErrorKind::Inconsistent(format!("pair {number}: {message}"))))?,
        );
    }
    let forms: Vec<Vec<usize>> = pairs
        .iter()
        .map(|pair| pair.target.iter().map(|word| forms.intern(word.to_lowercase().as_bytes()).index()).collect())
        .collect();
    let text = (config.method == Method::Consistent).then(|| TextVotes::new(&forms, &votes));
    let choose = |form: usize, votes: &Votes| {
        let shares = text.as_ref().map_or_else(|| alone(votes), |text| text.weigh(form, votes));
        let (tag, confidence) = best(&shares)?;
        (confidence as f32 >= config.min_confidence)
            .then_some(ProjectedTag { tag: tags.names[tag as usize], confidence: confidence as f32 })
    };
    let of_sentence = |(forms, votes): (&Vec<usize>, &Vec<Votes>)| -> Vec<Option<ProjectedTag<'a>>> {
        forms.iter().zip(votes).map(|(&form, votes)| choose(form, votes)).collect()
    };
    Ok(forms.iter().zip(&votes).map(of_sentence).collect())
}

/// Tags by number, in the order of the source.
#[derive(Debug, Default)]
struct Tags<'a> {
    numbers: Vocabulary,
    names: Vec<&'a str>,
}

impl<'a> Tags<'a> {
    /// What links say of each target word.
    fn votes(&mut self, pair: &TaggedPair<'a>) -> Result<Vec<Votes>, String> {
        let lengths = [pair.tags.len(), pair.target.len()];
        let tags: Vec<Option<u32>> = pair.tags.iter().map(|tag| tag.map(|tag| self.number(tag))).collect();
        let mut votes = vec![Votes::new(); lengths[1]];
        for WeightedLink { link, weight } in pair.links {
            let (source, target) = (link.source as usize, link.target as usize);
            if source >= lengths[0] || target >= lengths[1] {
                return Err(format!("link {link} in sentences of {} and {}", lengths[0], lengths[1]));
            }
            if let Some(tag) = tags[source] {
                *votes[target].entry(tag).or_default() += f64::from(weight.clamp(0.0, 1.0)).powi(2);
            }
        }
        Ok(votes)
    }

    fn number(&mut self, tag: &'a str) -> u32 {
        let number = self.numbers.intern(tag.as_bytes()).index();
        if number == self.names.len() {
            self.names.push(tag);
        }
        number as u32
    }
}

/// The shares of tags by links alone.
fn alone(votes: &Votes) -> Votes {
    let sum: f64 = votes.values().sum::<f64>() + UNSAID;
    votes.iter().filter(|(_, votes)| **votes > 0.0).map(|(&tag, votes)| (tag, votes / sum)).collect()
}

/// The tag with most, and how much; of equals the first.
fn best(shares: &Votes) -> Option<(u32, f64)> {
    shares.iter().fold(None, |best, (&tag, &share)| match best {
        Some((_, most)) if most >= share => best,
        _ => Some((tag, share)),
    })
}

/// The votes of a whole text.
#[derive(Debug)]
struct TextVotes {
    /// For each form.
    forms: Vec<Votes>,
    /// The share of each tag in all votes.
    shares: Votes,
}

impl TextVotes {
    fn new(forms: &[Vec<usize>], votes: &[Vec<Votes>]) -> Self {
        let number = forms.iter().flatten().map(|form| form + 1).max().unwrap_or(0);
        let (mut of_forms, mut shares) = (vec![Votes::new(); number], Votes::new());
        for (&form, votes) in forms.iter().flatten().zip(votes.iter().flatten()) {
            for (&tag, votes) in votes {
                *of_forms[form].entry(tag).or_default() += votes;
                *shares.entry(tag).or_default() += votes;
            }
        }
        let sum: f64 = shares.values().sum();
        for share in shares.values_mut() {
            *share /= sum.max(f64::MIN_POSITIVE);
        }
        Self { forms: of_forms, shares }
    }

    /// The shares of tags of a word that has these votes, by links and by what it has elsewhere.
    fn weigh(&self, form: usize, own: &Votes) -> Votes {
        let of_form = &self.forms[form];
        let sum: f64 = of_form.values().sum::<f64>() - own.values().sum::<f64>();
        let weight = |(&tag, &all): (&u32, &f64)| {
            let own = own.get(&tag).copied().unwrap_or(0.0);
            let elsewhere = ((all - own).max(0.0) + OF_TEXT * self.shares[&tag]) / (sum.max(0.0) + OF_TEXT);
            (tag, (own + UNSAID) * elsewhere)
        };
        let mut weights: Votes = of_form.iter().map(weight).collect();
        let sum: f64 = weights.values().sum();
        weights.retain(|_, weight| *weight > 0.0);
        for weight in weights.values_mut() {
            *weight /= sum;
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use alinea_text::alignment::Link;
    use proptest::prelude::*;

    use super::*;

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

    proptest! {
        /// The definition, by sums over all words.
        #[test]
        fn shares_are_those_of_the_definition(
            text in prop::collection::vec(prop::collection::vec((0..4_u32, 0..4_u32, 0.01..=1.0_f32), 0..8), 1..4),
        ) {
            const NAMES: [&str; 3] = ["A", "B", "C"];
            const WORDS: [&str; 4] = ["x", "y", "X", "z"];
            let tags = [Some(NAMES[0]), Some(NAMES[1]), Some(NAMES[0]), Some(NAMES[2])];
            let linked: Vec<Vec<WeightedLink>> = text.iter().map(|cells| links(cells)).collect();
            let pairs: Vec<TaggedPair<'_>> =
                linked.iter().map(|links| TaggedPair { tags: &tags, target: WORDS.to_vec(), links }).collect();
            let found = project(&pairs, &by(Method::Consistent)).unwrap();
            let votes = |pair: usize, word: usize, tag: &str| -> f64 {
                let is_of = |cell: &&(u32, u32, f32)| cell.1 as usize == word && tags[cell.0 as usize] == Some(tag);
                text[pair].iter().filter(is_of).map(|cell| f64::from(cell.2).powi(2)).sum()
            };
            let places: Vec<(usize, usize)> = (0..text.len()).flat_map(|pair| (0..4).map(move |word| (pair, word))).collect();
            let all = |tag: &str| places.iter().map(|&(pair, word)| votes(pair, word, tag)).sum::<f64>();
            let total: f64 = NAMES.into_iter().map(all).sum();
            for &(pair, word) in &places {
                let is_same = |other: &&(usize, usize)| {
                    **other != (pair, word) && WORDS[other.1].to_lowercase() == WORDS[word].to_lowercase()
                };
                let elsewhere = |tag: &str| places.iter().filter(is_same).map(|&(p, w)| votes(p, w, tag)).sum::<f64>();
                let n: f64 = NAMES.into_iter().map(elsewhere).sum();
                let is_known = |tag: &&str| elsewhere(tag) + votes(pair, word, tag) > 0.0;
                let weight =
                    |tag: &str| (votes(pair, word, tag) + 0.1) * (elsewhere(tag) + all(tag) / total) / (n + 1.0);
                let weights: Vec<f64> = NAMES.into_iter().filter(is_known).map(weight).collect();
                match found[pair][word] {
                    None => prop_assert!(weights.is_empty()),
                    Some(ProjectedTag { tag, confidence }) => {
                        let most = weights.iter().copied().fold(0.0, f64::max);
                        prop_assert!((weight(tag) - most).abs() < 1e-9);
                        prop_assert!((f64::from(confidence) - most / weights.iter().sum::<f64>()).abs() < 1e-5);
                    }
                }
            }
        }
    }
}
