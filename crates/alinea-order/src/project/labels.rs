//! Labels carried over links: what is a name in one language is one in its translation.
//!
//! The labels of a source sentence are stretches of its words; each becomes a stretch of the target sentence (Yarowsky, Ngai and
//! Wicentowski 2001). The hull of all words that are linked to the label fails where a link is missing or wrong. [`Method::Consistent`]
//! asks of each target word how probable it is that it belongs to the label: the odds of having a link into it, with the
//! probabilities of links p,
//!
//! ```text
//! q_j = min(0.9, 1 - Π over words i of the label of (1 - p_ij))
//! ```
//!
//! times the odds with which the same word is labeled elsewhere in the text, as was projected there; for rare words those of words of
//! the same shape count (capitals, letters without case by length, digits, others). A label takes the stretch that makes the sum of
//! probability - 1/3 greatest, the best label first; labels whose source stretches have no word in common have none in the target. A
//! bracket bounds a stretch, unless the label has one, and a name that the translation repeats in brackets, `Name (Name)`, is labeled
//! twice. The text is projected twice, the second time with what the first one labeled.
//!
//! ```
//! use alinea::alignment::{Link, WeightedLink};
//! use alinea::labels::LabeledSpan;
//! use alinea::parallel::Parallelism;
//! use alinea::project::labels::{LabelConfig, LabeledPair, project};
//!
//! let links = [(0, 0, 0.9), (1, 1, 0.8), (1, 2, 0.2), (2, 3, 0.9)]
//!     .map(|(source, target, weight)| WeightedLink { link: Link { source, target }, weight });
//! let pair = LabeledPair {
//!     source: vec!["in", "Germany", "."],
//!     target: vec!["in", "Deutschland", "heute", "."],
//!     spans: &[LabeledSpan::new(1..2, "LOC")],
//!     links: &links,
//! };
//! let projected = project(&[pair], &LabelConfig::default(), &Parallelism::new(1)?)?;
//! assert_eq!(projected[0].spans[0].words, 1..2);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod assignment;
mod config;
mod elsewhere;
mod glosses;
mod pair;
mod projected;
mod stretches;
mod words;

#[cfg(test)]
mod tests;

use alinea_text::error::{Error, ErrorKind, Result};
use alinea_text::parallel::{Parallelism, chunk_range};

use self::assignment::Assignment;
pub use self::config::{LabelConfig, Method};
use self::elsewhere::Elsewhere;
pub use self::pair::{LabeledPair, UNWEIGHTED};
pub use self::projected::{Loss, ProjectedLabels, ProjectedSpan};
use self::words::Sentence;

/// The pairs that a thread takes at a time.
const CHUNK: usize = 64;

/// How often [`Method::Consistent`] goes over the text.
const PASSES: usize = 2;

/// Projects the labels of a text. Under [`Method::Consistent`] what is found depends on the whole text.
///
/// Time O(labels × target words) for each sentence, twice; memory O(target words + labels × target words of their sentences).
///
/// # Errors
/// `Inconsistent` for labels or links outside their sentences, naming the pair from 1; `Config` for values out of range.
pub fn project(
    pairs: &[LabeledPair<'_>],
    config: &LabelConfig,
    parallelism: &Parallelism,
) -> Result<Vec<ProjectedLabels>> {
    config.validate()?;
    for (pair, number) in pairs.iter().zip(1..) {
        let inconsistent = |message| Error::from(ErrorKind::Inconsistent(format!("pair {number}: {message}")));
        pair.check().map_err(inconsistent)?;
    }
    let (mut forms, method) = (words::Forms::default(), config.method);
    let sentences: Vec<Sentence> = pairs.iter().map(|pair| forms.sentence(pair, config)).collect();
    let each = |elsewhere: Option<&Elsewhere>| -> Result<Vec<Assignment>> {
        let mut all = Vec::with_capacity(sentences.len());
        let assign = |number: usize| sentences[number].assign(method, elsewhere.map(|text| (text, number)));
        parallelism.map_ordered(
            sentences.len().div_ceil(CHUNK),
            || (),
            |(), chunk| Ok(chunk_range(sentences.len(), CHUNK, chunk).map(assign).collect::<Vec<_>>()),
            |some| {
                all.extend(some);
                Ok(())
            },
        )?;
        Ok(all)
    };
    let mut found = if method == Method::Consistent {
        each(Some(&Elsewhere::new(&sentences, sentences.iter().map(Sentence::expected).collect())))?
    } else {
        each(None)?
    };
    for _ in 1..if method == Method::Consistent { PASSES } else { 1 } {
        let labeled = found.iter().zip(&sentences).map(|(found, sentence)| found.labeled(sentence.len())).collect();
        found = each(Some(&Elsewhere::new(&sentences, labeled)))?;
    }
    Ok(found.into_iter().map(|assignment| assignment.finish(config.min_confidence)).collect())
}
