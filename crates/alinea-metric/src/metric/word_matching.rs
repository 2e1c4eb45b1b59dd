//! Words of a hypothesis and its reference matched with each other, where nobody says which belong together.
//!
//! **What it is.** Stages, as METEOR has them (Banerjee and Lavie 2005, *METEOR: An Automatic Metric for MT Evaluation with
//! Improved Correlation with Human Judgments*, section 2): in each, words that those before it have left are matched if they
//! look alike, each with one word, as many as can be; of the ways to do that one whose links cross least is taken, among
//! themselves and with those of the stages before.
//!
//! 1. Equal words, in lower case if not told otherwise.
//! 2. Equal lemmas, if all words of both sentences have lemmas; otherwise equal [stems](super::porter).
//! 3. [`Synonyms`], if there is a table.
//! 4. By `context`, if that is asked for: single words that are left, whose neighbors on both sides are linked with each
//!    other; the ends of sentences are neighbors, too.
//!
//! What is left after that is not aligned.
//!
//! **The search** goes through the words of the hypothesis from left to right and keeps the best `beam` partial
//! alignments: those that can still have the most links, of these those with the fewest crossings, then those whose links lead
//! to about the same place, then to lower positions. Words that have one partner only which has no other are linked before.
//! So the result has the most links of each stage if looking alike is transitive (it is, but for synonyms), and the fewest
//! crossings unless the beam was too narrow.
//!
//! ```
//! use alinea::metric::word_matching::{MatchWord, MatchingConfig, WordMatcher};
//!
//! let words = |line: &'static str| line.split(' ').map(MatchWord::new).collect::<Vec<_>>();
//! let mut matcher = WordMatcher::new(MatchingConfig::default());
//! // `dog` and `cat` are matched by their stems. Three pairs of links cross; with `the` matched the other way it were four.
//! let links = matcher.align(&words("the dog chased the cat"), &words("the cats fled from the dogs"))?;
//! assert_eq!(links.to_string(), "0-0 1-5 3-4 4-1");
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod search;

use std::sync::Arc;

use self::search::{Candidates, fewest_crossings};
use super::Signature;
use super::meteor::Synonyms;
use super::porter::Porter;
use crate::alignment::{Alignment, Link};
use crate::bitext::Vocabulary;
use crate::error::{Error, Result};
use crate::limits;
use crate::tree::ParsedSentence;

/// Everything that decides which words are matched.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MatchingConfig {
    /// Whether upper and lower case are the same in the first stage. They always are in the others.
    pub lowercase: bool,
    /// Whether equal lemmas match, where all words have them.
    pub lemmas: bool,
    /// What stems, where lemmas are not used; without it there is no such stage.
    pub stemmer: Option<Porter>,
    /// Sets of synonyms; without them there is no such stage. They are looked up by word, and by lemma if that is used.
    pub synonyms: Option<Arc<Synonyms>>,
    /// Whether there is the stage of context.
    pub context: bool,
    /// The number of partial alignments that are kept, from 1.
    pub beam: usize,
}

alinea_text::configurable!(MatchingConfig);

impl Default for MatchingConfig {
    fn default() -> Self {
        Self { lowercase: true, lemmas: true, stemmer: Some(Porter::Nltk), synonyms: None, context: false, beam: 40 }
    }
}

impl MatchingConfig {
    /// # Errors
    /// `Config` if the beam is 0.
    pub fn validate(&self) -> Result<()> {
        if self.beam == 0 {
            return Err(Error::config("beam", self.beam, "1 or more"));
        }
        Ok(())
    }

    /// Says in a signature how words are matched.
    pub(super) fn sign(&self, signature: &mut Signature) {
        let mut stages = vec![if self.lowercase { "exact-lc" } else { "exact" }.to_owned()];
        stages.extend(self.lemmas.then(|| "lemma".to_owned()));
        stages.extend(self.stemmer.map(|stemmer| format!("stem-{}", stemmer.name())));
        stages.extend(self.synonyms.as_ref().map(|synonyms| format!("{}sets", synonyms.len())));
        stages.extend(self.context.then(|| "context".to_owned()));
        signature.push("match", "ma", stages.join("+"));
        signature.push("beam", "be", self.beam.to_string());
    }
}

/// A word, and its lemma if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchWord<'w> {
    /// As it is written.
    pub form: &'w str,
    /// Its lemma.
    pub lemma: Option<&'w str>,
}

impl<'w> MatchWord<'w> {
    /// A word without a lemma.
    pub fn new(form: &'w str) -> Self {
        Self { form, lemma: None }
    }
}

/// Matches words, sentence by sentence.
#[derive(Debug)]
pub struct WordMatcher {
    config: MatchingConfig,
    forms: Vocabulary,
}

impl WordMatcher {
    /// With these settings.
    pub fn new(config: MatchingConfig) -> Self {
        Self { config, forms: Vocabulary::default() }
    }

    /// Links between a reference, whose words are the sources, and a hypothesis: at most one a word. O(words × beam × (words +
    /// links)), where words that have one partner only do not count.
    ///
    /// # Errors
    /// `OverLimit` if that is more than [`limits::MATCHING_STEPS`].
    pub fn align(&mut self, reference: &[MatchWord<'_>], hypothesis: &[MatchWord<'_>]) -> Result<Alignment> {
        let mut links = Vec::new();
        let lowercase = self.config.lowercase;
        self.equal([reference, hypothesis], &mut links, |word| {
            Some(if lowercase { word.form.to_lowercase() } else { word.form.to_owned() })
        })?;
        let lemmas = self.config.lemmas && [reference, hypothesis].iter().all(|side| side.iter().all(has_lemma));
        if lemmas {
            self.equal([reference, hypothesis], &mut links, |word| word.lemma.map(str::to_lowercase))?;
        } else if let Some(stemmer) = self.config.stemmer {
            self.equal([reference, hypothesis], &mut links, |word| Some(stemmer.stem(&word.form.to_lowercase())))?;
        }
        if let Some(synonyms) = self.config.synonyms.clone() {
            self.synonymous([reference, hypothesis], &mut links, &synonyms, lemmas)?;
        }
        if self.config.context {
            by_context([reference.len() as u32, hypothesis.len() as u32], &mut links);
        }
        Ok(Alignment::from_links(links))
    }

    /// Links between the words of two sentences.
    ///
    /// # Errors
    /// As [`align`](Self::align).
    pub fn align_sentences(&mut self, reference: &ParsedSentence, hypothesis: &ParsedSentence) -> Result<Alignment> {
        let [reference, hypothesis] = [reference, hypothesis].map(|sentence| {
            let words = sentence.words().map(|word| MatchWord { form: word.form(), lemma: word.lemma() });
            words.collect::<Vec<_>>()
        });
        self.align(&reference, &hypothesis)
    }

    /// Links words that are not linked and whose keys are equal.
    fn equal(
        &mut self,
        sides: [&[MatchWord<'_>]; 2],
        links: &mut Vec<Link>,
        mut key: impl FnMut(&MatchWord<'_>) -> Option<String>,
    ) -> Result<()> {
        self.forms.clear();
        let free = free(sides, links);
        let mut keys = [Vec::new(), Vec::new()];
        for ((words, free), keys) in sides.into_iter().zip(&free).zip(&mut keys) {
            for &place in free {
                let key = key(&words[place as usize]);
                keys.push(key.map(|key| self.forms.intern(key.as_bytes())));
            }
        }
        let [references, hypotheses] = free;
        let mut by_key: Vec<Vec<u32>> = vec![Vec::new(); self.forms.len()];
        for (&place, key) in references.iter().zip(&keys[0]) {
            if let Some(key) = key {
                by_key[key.index()].push(place);
            }
        }
        // Words that are alone on both sides need no search.
        let mut times = vec![0; by_key.len()];
        keys[1].iter().flatten().for_each(|key| times[key.index()] += 1);
        let searched = keys[1].iter().flatten().map(|key| match (by_key[key.index()].len(), times[key.index()]) {
            (0, _) | (1, 1) => 0,
            (partners, _) => sides[0].len() + partners,
        });
        self.check(searched.sum())?;
        let candidates = hypotheses.iter().zip(&keys[1]).filter_map(|(&place, key)| {
            let partners = by_key[(*key)?.index()].clone();
            (!partners.is_empty()).then_some(Candidates { place, partners })
        });
        fewest_crossings(&candidates.collect::<Vec<_>>(), sides.map(<[_]>::len), self.config.beam, links);
        Ok(())
    }

    /// Refuses a search that looks at so many words, each for the whole beam.
    fn check(&self, words: usize) -> Result<()> {
        limits::MATCHING_STEPS.check(words.saturating_mul(self.config.beam))
    }

    /// Links words that are not linked and have a set of synonyms in common.
    fn synonymous(
        &self,
        sides: [&[MatchWord<'_>]; 2],
        links: &mut Vec<Link>,
        synonyms: &Synonyms,
        lemmas: bool,
    ) -> Result<()> {
        let [references, hypotheses] = free(sides, links);
        self.check(hypotheses.len().saturating_mul(sides[0].len() + references.len()))?;
        let names = |word: &MatchWord<'_>| {
            let lemma = word.lemma.filter(|_| lemmas);
            [Some(word.form), lemma].into_iter().flatten().map(str::to_owned).collect::<Vec<_>>()
        };
        let of_references: Vec<(u32, Vec<String>)> =
            references.iter().map(|&place| (place, names(&sides[0][place as usize]))).collect();
        let candidates = hypotheses.iter().filter_map(|&place| {
            let own = names(&sides[1][place as usize]);
            let share =
                |others: &[String]| own.iter().any(|name| others.iter().any(|other| synonyms.share(name, other)));
            let partners: Vec<u32> =
                of_references.iter().filter(|(_, others)| share(others)).map(|&(place, _)| place).collect();
            (!partners.is_empty()).then_some(Candidates { place, partners })
        });
        fewest_crossings(&candidates.collect::<Vec<_>>(), sides.map(<[_]>::len), self.config.beam, links);
        Ok(())
    }
}

fn has_lemma(word: &MatchWord<'_>) -> bool {
    word.lemma.is_some()
}

/// The places of words without links, of the reference and of the hypothesis.
fn free(sides: [&[MatchWord<'_>]; 2], links: &[Link]) -> [Vec<u32>; 2] {
    let mut taken = sides.map(|words| vec![false; words.len()]);
    for link in links {
        taken[0][link.source as usize] = true;
        taken[1][link.target as usize] = true;
    }
    taken.map(|taken| (0..).zip(&taken).filter(|(_, taken)| !**taken).map(|(place, _)| place).collect())
}

/// Links single words without links whose neighbors on both sides are linked with each other.
fn by_context([references, hypotheses]: [u32; 2], links: &mut Vec<Link>) {
    let mut partners = vec![None; hypotheses as usize];
    let mut taken = vec![false; references as usize];
    for link in links.iter() {
        partners[link.target as usize] = Some(link.source);
        taken[link.source as usize] = true;
    }
    for place in 0..hypotheses {
        let before = if place == 0 { Some(0) } else { partners[place as usize - 1].map(|partner: u32| partner + 1) };
        let after = if place + 1 == hypotheses { Some(references) } else { partners[place as usize + 1] };
        if let (None, Some(partner), Some(after)) = (partners[place as usize], before, after)
            && partner + 1 == after
            && !taken[partner as usize]
        {
            links.push(Link::new(partner, place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn align(config: MatchingConfig, reference: &str, hypothesis: &str) -> String {
        let words = |line: &'static str| line.split(' ').map(MatchWord::new).collect::<Vec<_>>();
        let [reference, hypothesis] = [reference, hypothesis].map(|line| words(line.to_owned().leak()));
        WordMatcher::new(config).align(&reference, &hypothesis).unwrap().to_string()
    }

    #[test]
    fn stages_follow_each_other() {
        let table = || {
            let mut synonyms = Synonyms::default();
            synonyms.insert(&["car", "automobile"]);
            MatchingConfig { synonyms: Some(Arc::new(synonyms)), ..MatchingConfig::default() }
        };
        // The equal word wins over the one with the same stem.
        assert_eq!(align(MatchingConfig::default(), "cats cat", "cat"), "1-0");
        assert_eq!(align(MatchingConfig::default(), "a car", "A automobile"), "0-0");
        assert_eq!(align(table(), "a car", "A automobile"), "0-0 1-1");
        assert_eq!(
            align(MatchingConfig { lowercase: false, stemmer: None, ..table() }, "a car", "A automobile"),
            "1-1"
        );
    }

    #[test]
    fn lemmas_need_all_words() {
        let word = |form, lemma| MatchWord { form, lemma };
        let reference = [word("went", Some("go")), word("mice", Some("mouse"))];
        let mut matcher = WordMatcher::new(MatchingConfig::default());
        let links = matcher.align(&reference, &[word("mouse", Some("mouse")), word("goes", Some("go"))]).unwrap();
        assert_eq!(links.to_string(), "0-1 1-0");
        let links = matcher.align(&reference, &[word("mouse", Some("mouse")), word("goes", None)]).unwrap();
        assert_eq!(links.to_string(), "");
    }

    #[test]
    fn single_words_between_neighbors_are_linked_by_context() {
        let config = || MatchingConfig { context: true, ..MatchingConfig::default() };
        assert_eq!(align(config(), "he sees nobody now", "she sees somebody now"), "0-0 1-1 2-2 3-3");
        assert_eq!(align(config(), "he sees nobody now", "she sees no body now"), "0-0 1-1 3-4");
        assert_eq!(align(config(), "x", "y"), "0-0");
        assert_eq!(align(MatchingConfig::default(), "x", "y"), "");
    }

    #[test]
    fn a_beam_is_needed() {
        let error = MatchingConfig { beam: 0, ..MatchingConfig::default() }.validate().unwrap_err().to_string();
        assert_eq!(error, "beam = 0: must be 1 or more");
    }

    /// Of equal words each may be matched with each; words that are alone on their side need no search.
    #[test]
    fn what_would_take_too_long_is_refused() {
        let equal = vec![MatchWord::new("a"); 6000];
        let error = WordMatcher::new(MatchingConfig::default()).align(&equal, &equal).unwrap_err().to_string();
        let steps = 6000u64 * 40 * (6000 + 6000);
        assert_eq!(
            error,
            format!("steps to match words with equal ones: {steps}, more than the limit of {}", 1u64 << 31)
        );
        let words: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
        let different: Vec<MatchWord<'_>> = words.iter().map(|word| MatchWord::new(word)).collect();
        let links = WordMatcher::new(MatchingConfig::default()).align(&different, &different).unwrap();
        assert_eq!(links.len(), words.len());
    }
}
