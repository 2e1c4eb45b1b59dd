//! Segments whose strings are sentences with trees, for metrics that compare trees.
//!
//! A string is the lines of a sentence in CoNLL-U, as [`format::conllu`](crate::format::conllu) reads them; a sentence may
//! have several roots. A hypothesis may say how its words are aligned with those of the references, in comments: `# links =`
//! and links in the form `0-0 1-2`, words of the reference first, for the first reference; `# links 2 =` for the second, and
//! so on. Links are between syntactic words. Where there is no such comment, words are [matched](super::word_matching).
//!
//! ```
//! use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let reference = "1\tdogs\tdog\t_\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\t_\t_\t_\t0\troot\t_\t_\n";
//! let hypothesis = "# links = 0-1 1-0\n\
//!                   1\tyelp\tyelp\t_\t_\t_\t0\troot\t_\t_\n2\thounds\thound\t_\t_\t_\t1\tnsubj\t_\t_\n";
//! let mut segments = Segments::new(1);
//! segments.push(&[hypothesis], &[reference]);
//! let metric = DependencyPath::new(DependencyPathConfig::default())?;
//! let sums = measure(&metric, &segments, &Parallelism::serial())?[0].sums();
//! // The path is the same but for its direction: 1 of 2.
//! assert_eq!(metric.score(&sums), 0.5);
//! # Ok::<(), alinea::error::Error>(())
//! ```

use super::Measurer;
use super::labeled_tree::{LabeledTree, Relations, missing};
use super::word_matching::WordMatcher;
use crate::alignment::{Alignment, Link};
use crate::error::{Error, ErrorKind, Position, Result};
use crate::format::conllu;
use crate::tree::{ParsedSentence, Roots};

/// The name that positions in a segment's string have.
const NAME: &str = "<segment>";

/// Compares trees.
pub(super) trait TreeScorer: Send {
    /// Whether words need relations.
    const RELATIONS: bool;

    /// Writes the statistics of a hypothesis by a reference; the first number is the score.
    fn score(&mut self, trees: [&LabeledTree; 2], links: &Alignment, statistics: &mut [f64]) -> Result<()>;
}

/// Statistics by the reference that gives the best score; of several the first.
pub(super) struct ParsedMeasurer<S> {
    scorer: S,
    matcher: WordMatcher,
    relations: Relations,
    subtypes: bool,
    references: Vec<(ParsedSentence, LabeledTree)>,
}

impl<S: TreeScorer> ParsedMeasurer<S> {
    pub(super) fn new(scorer: S, matcher: WordMatcher, subtypes: bool) -> Self {
        Self { scorer, matcher, relations: Relations::new(subtypes), subtypes, references: Vec::new() }
    }

    fn read(&mut self, text: &str) -> Result<(ParsedSentence, LabeledTree)> {
        let sentence = read(text)?;
        if let Some((word, missing)) = missing(&sentence, S::RELATIONS) {
            let found = sentence.word(word).form().as_bytes();
            return Err(Error::parse(Position::new(NAME, sentence.line_of(word), 1), missing, found));
        }
        let tree = self.relations.of_checked(&sentence).expect("it was looked at just now");
        Ok((sentence, tree))
    }
}

/// The one sentence of a string.
pub(super) fn read(text: &str) -> Result<ParsedSentence> {
    let mut sentences = conllu::parse(text, NAME, Roots::Many)?;
    match (sentences.pop(), sentences.len()) {
        (Some(sentence), 0) => Ok(sentence),
        (_, others) => {
            let message = format!("a segment is one sentence, not {}", others + usize::from(others > 0));
            Err(ErrorKind::Inconsistent(message).into())
        }
    }
}

/// The comment in which the links to a reference, from 0, stand.
pub fn links_key(reference: usize) -> String {
    if reference == 0 { "links".to_owned() } else { format!("links {}", reference + 1) }
}

/// The links of a hypothesis to a reference, from 0, that its comments say; words of the reference are the sources.
///
/// # Errors
/// `Inconsistent` for what is no links.
pub fn given_links(hypothesis: &ParsedSentence, reference: usize) -> Result<Option<Alignment>> {
    let key = links_key(reference);
    let Some(links) = hypothesis.comment(&key) else { return Ok(None) };
    let link = |text: &str| {
        let (one, other) = text.split_once('-')?;
        Some(Link::new(one.parse().ok()?, other.parse().ok()?))
    };
    let links = links.split_ascii_whitespace().map(|text| {
        link(text).ok_or_else(|| {
            ErrorKind::Inconsistent(format!("expected links such as 0-0 1-2 in the comment `{key}`, found `{text}`"))
        })
    });
    Ok(Some(links.collect::<std::result::Result<_, _>>()?))
}

impl<S: TreeScorer> Measurer for ParsedMeasurer<S> {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        self.relations = Relations::new(self.subtypes);
        self.references = references.iter().map(|text| self.read(text)).collect::<Result<_>>()?;
        Ok(())
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        let (sentence, tree) = self.read(hypothesis)?;
        let mut of_reference = vec![0.0; statistics.len()];
        for (number, (reference, reference_tree)) in self.references.iter().enumerate() {
            let links = match given_links(&sentence, number)? {
                Some(links) => links,
                None => self.matcher.align_sentences(reference, &sentence)?,
            };
            self.scorer.score([reference_tree, &tree], &links, &mut of_reference)?;
            if number == 0 || of_reference[0] > statistics[0] {
                statistics.copy_from_slice(&of_reference);
            }
        }
        Ok(())
    }
}
