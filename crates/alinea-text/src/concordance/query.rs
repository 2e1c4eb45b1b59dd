//! Which words are looked up.
//!
//! A query is all words, or some words and phrases. A phrase is words with blanks between, which stand side by side in the text. Words are
//! compared as whole words, by the keys that they are counted under; regular expressions must match a whole word, too: `hous.*` finds
//! `house`, `ous` does not.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::{Regex, RegexBuilder};

use super::keys::Keys;
use crate::error::{Error, ErrorKind, Result};
use crate::format::tokens::{fold_case, split};

/// What is looked up.
#[derive(Debug, Clone)]
pub struct Query {
    /// As they were given.
    pub(super) given: Vec<String>,
    /// The words of each; none if all words are looked up.
    phrases: Option<Vec<Vec<Word>>>,
}

/// A word of a phrase.
#[derive(Debug, Clone)]
enum Word {
    Exact(String),
    /// As it was given, since it depends on the configuration whether case makes a difference.
    Pattern(String),
}

impl Query {
    /// All words: a dictionary.
    pub fn all() -> Self {
        Self { given: Vec::new(), phrases: None }
    }

    /// These words and phrases; `regex` says that each of their words is a regular expression.
    ///
    /// ```
    /// use alinea::concordance::Query;
    ///
    /// assert!(Query::words(["house", "in front of"], false).is_ok());
    /// let error = Query::words(["hou(se"], true).unwrap_err();
    /// assert_eq!(error.to_string(), "word = hou(se: must be a regular expression: unclosed group");
    /// assert!(Query::words([" "], false).is_err());
    /// ```
    ///
    /// # Errors
    /// `Inconsistent` if there is no word at all, or what should be a regular expression is none.
    pub fn words<W: AsRef<str>>(words: impl IntoIterator<Item = W>, regex: bool) -> Result<Self> {
        let (mut given, mut phrases) = (Vec::new(), Vec::new());
        for phrase in words {
            let phrase = phrase.as_ref();
            let words = split(phrase.as_bytes()).map(|word| String::from_utf8_lossy(word).into_owned());
            let words: Vec<Word> = words.map(if regex { Word::Pattern } else { Word::Exact }).collect();
            if words.is_empty() {
                return Err(ErrorKind::Inconsistent(format!("word = {phrase:?}: must have letters")).into());
            }
            for word in &words {
                if let Word::Pattern(pattern) = word {
                    compiled(pattern, false)?;
                }
            }
            given.push(phrase.to_owned());
            phrases.push(words);
        }
        if phrases.is_empty() {
            return Err(ErrorKind::Inconsistent("word: must be one or more".to_owned()).into());
        }
        Ok(Self { given, phrases: Some(phrases) })
    }

    /// Whether all words are looked up.
    pub fn is_all(&self) -> bool {
        self.phrases.is_none()
    }
}

/// An expression that matches whole words.
fn compiled(pattern: &str, case: bool) -> Result<Regex> {
    // Alone first, so that what is wrong is wrong with what was given.
    let alone = RegexBuilder::new(pattern).build();
    let whole = alone.and_then(|_| RegexBuilder::new(&format!("^(?:{pattern})$")).case_insensitive(!case).build());
    whole.map_err(|error| {
        let message = error.to_string();
        let reason = message.lines().last().unwrap_or_default().trim().trim_start_matches("error: ");
        Error::from(ErrorKind::Inconsistent(format!("word = {pattern}: must be a regular expression: {reason}")))
    })
}

/// Finds the words and phrases of a query. Which words of phrases a key matches is found out once.
#[derive(Debug)]
pub(super) struct Finder {
    /// The first word of each phrase among all words of phrases, and the number of its words.
    phrases: Vec<Range<usize>>,
    /// Words that are compared, with the words of phrases that they are.
    exact: BTreeMap<String, Vec<u32>>,
    patterns: Vec<(u32, Regex)>,
    /// The words of phrases that each key matches.
    matches: Vec<Box<[u32]>>,
    /// The phrase that each word of phrases begins, if it begins one.
    begins: Vec<Option<u32>>,
}

impl Finder {
    /// None if all words are looked up.
    pub(super) fn new(query: &Query, case: bool) -> Option<Self> {
        let all = query.phrases.as_ref()?;
        let mut finder = Self {
            phrases: Vec::new(),
            exact: BTreeMap::new(),
            patterns: Vec::new(),
            matches: Vec::new(),
            begins: Vec::new(),
        };
        for (phrase, words) in all.iter().enumerate() {
            let first = finder.begins.len();
            finder.phrases.push(first..first + words.len());
            for (n, word) in words.iter().enumerate() {
                let number = finder.begins.len() as u32;
                finder.begins.push((n == 0).then_some(phrase as u32));
                match word {
                    Word::Exact(word) => finder.exact.entry(key_text(word, case)).or_default().push(number),
                    // It was compiled before.
                    Word::Pattern(pattern) => {
                        finder.patterns.extend(compiled(pattern, case).ok().map(|regex| (number, regex)));
                    }
                }
            }
        }
        Some(finder)
    }

    /// Replaces `spans` by the places in a sentence where something of the query stands, in order, each once. Keys that were not
    /// learned match nothing.
    pub(super) fn find(&self, sentence: &[u32], spans: &mut Vec<Range<usize>>) {
        spans.clear();
        for (start, &key) in sentence.iter().enumerate() {
            for &word in self.matches_of(key) {
                let Some(phrase) = self.begins[word as usize] else { continue };
                let words = self.phrases[phrase as usize].clone();
                let span = start..start + words.len();
                if sentence.get(span.clone()).is_some_and(|here| self.is_match(here, words)) {
                    spans.push(span);
                }
            }
        }
        spans.sort_unstable_by_key(|span| (span.start, span.end));
        spans.dedup();
        without_overlaps(sentence, spans);
    }

    fn is_match(&self, here: &[u32], words: Range<usize>) -> bool {
        here.iter().zip(words).all(|(&key, word)| self.matches_of(key).contains(&(word as u32)))
    }

    fn matches_of(&self, key: u32) -> &[u32] {
        self.matches.get(key as usize).map_or(&[], |words| words)
    }

    /// Whether each phrase of the query is among these: keys of words.
    pub(super) fn found<'k>(&self, phrases: impl Iterator<Item = &'k [u32]>) -> Vec<bool> {
        let mut found = vec![false; self.phrases.len()];
        for keys in phrases {
            for (words, found) in self.phrases.iter().zip(&mut found) {
                *found = *found || words.len() == keys.len() && self.is_match(keys, words.clone());
            }
        }
        found
    }

    /// Looks at the keys that are new.
    pub(super) fn learn(&mut self, keys: &Keys) {
        for key in self.matches.len()..keys.len() {
            let text = keys.text(key as u32);
            let mut words = self.exact.get(text).cloned().unwrap_or_default();
            words.extend(self.patterns.iter().filter(|(_, regex)| regex.is_match(text)).map(|(word, _)| *word));
            self.matches.push(words.into());
        }
    }
}

/// Of phrases of the same words that overlap, such as `ha ha` in `ha ha ha`, leaves the first.
fn without_overlaps(sentence: &[u32], spans: &mut Vec<Range<usize>>) {
    let mut kept: Vec<Range<usize>> = Vec::new();
    spans.retain(|span| {
        let same = |before: &&Range<usize>| sentence[(*before).clone()] == sentence[span.clone()];
        let overlaps = span.len() > 1 && kept.iter().rev().filter(same).any(|before| before.end > span.start);
        if !overlaps {
            kept.push(span.clone());
        }
        !overlaps
    });
}

/// A word as keys are.
fn key_text(word: &str, case: bool) -> String {
    if case {
        return word.to_owned();
    }
    let mut folded = Vec::new();
    fold_case(word.as_bytes(), &mut folded);
    String::from_utf8_lossy(&folded).into_owned()
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "a list of one range is meant")]
mod tests {
    use super::*;

    fn find(query: &[&str], regex: bool, case: bool, sentence: &str) -> Vec<Range<usize>> {
        let mut keys = Keys::new(case);
        let sentence: Vec<u32> = sentence.split(' ').map(|word| keys.count(word)).collect();
        let mut finder = Finder::new(&Query::words(query, regex).unwrap(), case).unwrap();
        let mut spans = Vec::new();
        finder.learn(&keys);
        finder.find(&sentence, &mut spans);
        spans
    }

    #[test]
    fn words_phrases_and_expressions_are_found() {
        let sentence = "The house in front of the House";
        assert_eq!(find(&["house"], false, false, sentence), [1..2, 6..7]);
        assert_eq!(find(&["House"], false, true, sentence), [6..7]);
        assert_eq!(find(&["the house", "in front of"], false, false, sentence), [0..2, 2..5, 5..7]);
        assert_eq!(find(&["hous.*", "HOUSE"], true, false, sentence), [1..2, 6..7]);
        assert_eq!(find(&["ous", "th.|of the"], true, false, sentence), [4..6]);
        assert!(find(&["ous", "hous"], true, false, sentence).is_empty());
        assert_eq!(find(&["th.|of hous[e]"], true, false, sentence), [0..2, 5..7]);
        assert_eq!(find(&["ha ha"], false, false, "ha ha ha ha ha"), [0..2, 2..4]);
        assert_eq!(find(&["house", "house"], false, false, "house"), [0..1]);
    }

    #[test]
    fn what_is_no_query_is_refused() {
        let message = |words: &[&str], regex| Query::words(words, regex).unwrap_err().to_string();
        assert_eq!(message(&["a", " \t"], false), "word = \" \\t\": must have letters");
        assert_eq!(message(&[], false), "word: must be one or more");
        assert!(message(&["a)(b"], true).starts_with("word = a)(b: must be a regular expression: "));
        assert!(message(&["a{1000000}"], true).starts_with("word = a{1000000}: must be a regular expression: "));
    }
}
