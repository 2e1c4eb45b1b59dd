//! What several people linked in the same text, and hypotheses judged by all of them.
//!
//! People who link the same sentence differ, and often nobody settles the differences. [`Annotations`] keeps what each
//! of them did. A hypothesis is then compared with them in one of three ways ([`References`]):
//!
//! * every annotation of a sentence is an **instance** of its own, and the hypothesis is counted against each of them
//!   (Ozdowska 2008, *Cross-corpus evaluation of word alignment*: 120 sentences, of which 60 were done by
//!   two people, are 180 instances). Where people differ no hypothesis can be perfect, so their agreement
//!   ([`Annotations::agreement`]) belongs beside such scores;
//! * the **best** annotation of each sentence counts, the one with which the hypothesis agrees most;
//! * the **union**: what all linked is sure, what anybody linked is possible, as Och and Ney (2003) made theirs.
//!
//! Counts are pooled in each of the ways. Whatever resamples sentences draws whole sentences, with all their instances:
//! two annotations of one sentence are no two observations of a hypothesis.
//!
//! ```
//! use alinea::alignment::{Alignment, GoldAlignment};
//! use alinea::evaluate::{Annotation, Annotations, Options, References, evaluate_annotations};
//!
//! let links = |links: Alignment| Some(GoldAlignment::from_parts(links, &Alignment::new()));
//! let first = vec![links([(0, 0), (1, 1)].into()), links([(0, 0)].into())];
//! // The second annotator did the first sentence only.
//! let second = vec![links([(0, 0), (1, 0)].into()), None];
//! let annotations = Annotations::new(vec![Annotation::new("J1", first), Annotation::new("J2", second)])?;
//!
//! let hypotheses: [Alignment; 2] = [[(0, 0), (1, 1)].into(), [(0, 0)].into()];
//! let judged = |how| evaluate_annotations(&annotations, &hypotheses, how, &Options::default());
//! assert_eq!(judged(References::Instances)?.scores.precision, Some(4.0 / 5.0));
//! assert_eq!(judged(References::Best)?.scores.precision, Some(1.0));
//! assert_eq!(judged(References::Union)?.counts.sure, 2, "0-0 in both sentences");
//! # Ok::<(), alinea::error::Error>(())
//! ```

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Comparison, Counts, Evaluation, Options, evaluation};
use crate::alignment::{Alignment, GoldAlignment};
use crate::error::{Error, ErrorKind, Result};

/// What one person linked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// The name of the person.
    pub name: String,
    /// The links of every sentence of the text; none where the person did not do the sentence.
    pub sentences: Vec<Option<GoldAlignment>>,
}

impl Annotation {
    /// The links of the annotator `name`.
    pub fn new(name: impl Into<String>, sentences: Vec<Option<GoldAlignment>>) -> Self {
        Self { name: name.into(), sentences }
    }

    /// The links of an annotator of all sentences.
    pub fn complete(name: impl Into<String>, sentences: Vec<GoldAlignment>) -> Self {
        Self::new(name, sentences.into_iter().map(Some).collect())
    }
}

/// The links of one or more annotators of the same text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotations(Vec<Annotation>);

/// How a hypothesis is compared with several annotations of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum References {
    /// With each of them, as instances of their own.
    #[default]
    Instances,
    /// With the one that is best for the hypothesis: of highest `F_α`, then of fewest errors, then the first. Where
    /// `F_α` has no value it is taken for 1 if hypothesis and annotation are both empty, for 0 if not.
    Best,
    /// With one gold standard made of them: sure is what is sure to all who did the sentence, possible what is
    /// possible to any of them.
    Union,
}

/// The numbers of annotators and annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panel {
    /// The number of annotators.
    pub annotators: usize,
    /// The number of annotations of single sentences, over all annotators.
    pub annotations: usize,
    /// How hypotheses were compared with them.
    pub references: References,
}

/// An annotation, or what was made of several, that a hypothesis is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance<'a> {
    /// The number of the sentence, from 0.
    pub sentence: usize,
    /// The number of the annotator, from 0; none if it is made of several annotations.
    pub annotator: Option<usize>,
    /// The links.
    pub gold: Cow<'a, GoldAlignment>,
}

impl References {
    /// All ways.
    pub const ALL: [Self; 3] = [Self::Instances, Self::Best, Self::Union];

    /// The name by which it is written and read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Instances => "instances",
            Self::Best => "best",
            Self::Union => "union",
        }
    }
}

impl fmt::Display for References {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for References {
    type Err = Error;

    /// Reads a [`name`](References::name).
    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|references| references.name() == name);
        found.ok_or_else(|| Error::config("references", name, "instances, best, union"))
    }
}

impl Annotations {
    /// The links of these annotators.
    ///
    /// # Errors
    /// `Empty` if there is no annotator, or no sentence; `UnequalLengths` if two have different numbers of sentences;
    /// `Inconsistent` if two have the same name, or if there is no sentence that anybody did.
    pub fn new(annotators: Vec<Annotation>) -> Result<Self> {
        let Some((first, others)) = annotators.split_first() else {
            return Err(ErrorKind::Empty("no annotators".to_owned()).into());
        };
        if first.sentences.is_empty() {
            return Err(ErrorKind::Empty("no sentences to evaluate".to_owned()).into());
        }
        let length = |annotation: &Annotation| annotation.sentences.len() as u64;
        if let Some(other) = others.iter().find(|other| length(other) != length(first)) {
            return Err(Error::unequal_lengths(&first.name, length(first), &other.name, length(other)));
        }
        for (n, annotation) in annotators.iter().enumerate() {
            if annotators[..n].iter().any(|before| before.name == annotation.name) {
                return Err(ErrorKind::Inconsistent(format!("two annotators are called {}", annotation.name)).into());
            }
        }
        let annotations = Self(annotators);
        if annotations.count() == 0 {
            return Err(ErrorKind::Inconsistent("no annotator annotated any sentence".to_owned()).into());
        }
        Ok(annotations)
    }

    /// The annotators, in order.
    pub fn annotators(&self) -> &[Annotation] {
        &self.0
    }

    /// The number of sentences of the text, including those without annotation.
    pub fn sentence_count(&self) -> usize {
        self.0.first().map_or(0, |annotation| annotation.sentences.len())
    }

    /// The number of annotations of single sentences.
    pub fn count(&self) -> usize {
        self.0.iter().map(|annotation| annotation.sentences.iter().flatten().count()).sum()
    }

    /// The annotations of one sentence, with the numbers of their annotators.
    pub fn of_sentence(&self, sentence: usize) -> impl Iterator<Item = (usize, &GoldAlignment)> {
        let of = move |annotation: &'_ Annotation| annotation.sentences.get(sentence).is_some_and(Option::is_some);
        let done = self.0.iter().enumerate().filter(move |(_, annotation)| of(annotation));
        done.filter_map(move |(n, annotation)| Some((n, annotation.sentences[sentence].as_ref()?)))
    }

    /// What one gold standard is made of by [`References::Union`]; none if the sentence has no annotation. O(links).
    pub fn union_of(&self, sentence: usize) -> Option<GoldAlignment> {
        let mut annotations = self.of_sentence(sentence).map(|(_, gold)| gold);
        let first = annotations.next()?;
        let (mut sure, mut possible) = (first.sure().clone(), first.possible().clone());
        for gold in annotations {
            sure = sure.intersection(gold.sure());
            possible = possible.union(gold.possible());
        }
        Some(GoldAlignment::from_parts(sure, &possible))
    }

    /// Everything that the hypotheses are compared with, by sentence, then by annotator; sentences that nobody did are
    /// left out. O(links).
    ///
    /// # Errors
    /// `UnequalLengths` if there are more or fewer hypotheses than sentences; `Config` for options that are not
    /// allowed.
    pub fn instances(
        &self,
        hypotheses: &[Alignment],
        references: References,
        options: &Options,
    ) -> Result<Vec<Instance<'_>>> {
        options.validate()?;
        let lengths = [self.sentence_count() as u64, hypotheses.len() as u64];
        if lengths[0] != lengths[1] {
            return Err(Error::unequal_lengths("gold", lengths[0], "hypothesis", lengths[1]));
        }
        let mut instances = Vec::new();
        for (sentence, hypothesis) in hypotheses.iter().enumerate() {
            let every = self.of_sentence(sentence).map(|(annotator, gold)| Instance {
                sentence,
                annotator: Some(annotator),
                gold: Cow::Borrowed(gold),
            });
            match references {
                References::Instances => instances.extend(every),
                // Of equal ones `min_by` has the first.
                References::Best => instances.extend(every.min_by(|a, b| {
                    let [a, b] = [a, b].map(|instance| options.count(&instance.gold, hypothesis));
                    better(&a, &b, options.alpha)
                })),
                References::Union => instances.extend(self.union_of(sentence).map(|gold| Instance {
                    sentence,
                    annotator: None,
                    gold: Cow::Owned(gold),
                })),
            }
        }
        Ok(instances)
    }

    fn panel(&self, references: References) -> Panel {
        Panel { annotators: self.0.len(), annotations: self.count(), references }
    }
}

/// `Less` if the first counts are better: by F, then by errors.
fn better(first: &Counts, second: &Counts, alpha: f64) -> Ordering {
    let f = |counts: &Counts| {
        counts.f(alpha).unwrap_or(if counts.hypothesis == 0 && counts.possible == 0 { 1.0 } else { 0.0 })
    };
    f(second).total_cmp(&f(first)).then_with(|| first.errors().cmp(&second.errors()))
}

/// Evaluates hypotheses against several annotators. The [`sentences`](Evaluation::sentences) of the result are those
/// that anybody did, in order, each with the sum of the counts of its instances.
///
/// O(links) for the scores, O(samples × sentences) for the intervals.
///
/// # Errors
/// As [`Annotations::instances`].
pub fn evaluate_annotations(
    annotations: &Annotations,
    hypotheses: &[Alignment],
    references: References,
    options: &Options,
) -> Result<Evaluation> {
    let mut sentences: Vec<(usize, Counts)> = Vec::new();
    for instance in annotations.instances(hypotheses, references, options)? {
        let counts = options.count(&instance.gold, &hypotheses[instance.sentence]);
        match sentences.last_mut() {
            Some((sentence, sum)) if *sentence == instance.sentence => *sum += counts,
            _ => sentences.push((instance.sentence, counts)),
        }
    }
    let sentences = sentences.into_iter().map(|(_, counts)| counts).collect();
    evaluation(sentences, options, Some(annotations.panel(references)))
}

/// Compares a system with a baseline against several annotators, as [`compare`](super::compare) does by one gold standard.
///
/// # Errors
/// Those of [`evaluate_annotations`], for either hypothesis.
pub fn compare_annotations(
    annotations: &Annotations,
    baseline: &[Alignment],
    system: &[Alignment],
    references: References,
    options: &Options,
) -> Result<Comparison> {
    let baseline = evaluate_annotations(annotations, baseline, references, options)?;
    let system = evaluate_annotations(annotations, system, references, options)?;
    Comparison::of(baseline, system, options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(clippy::unnecessary_wraps, reason = "what a person did of a sentence")]
    fn sure(links: Alignment) -> Option<GoldAlignment> {
        Some(GoldAlignment::from_parts(links, &Alignment::new()))
    }

    /// Two people: both did the first sentence, one the second, none the third.
    fn two() -> Annotations {
        let first = vec![sure([(0, 0), (1, 1), (2, 2)].into()), None, None];
        let second =
            vec![Some(GoldAlignment::from_parts([(0, 0)].into(), &[(1, 2)].into())), sure([(0, 0)].into()), None];
        Annotations::new(vec![Annotation::new("x", first), Annotation::new("y", second)]).unwrap()
    }

    #[test]
    fn instances_are_what_the_hypothesis_is_compared_with() {
        let annotations = two();
        let hypotheses: [Alignment; 3] = [[(0, 0), (1, 2)].into(), [(1, 1)].into(), [(5, 5)].into()];
        let instances = |how| annotations.instances(&hypotheses, how, &Options::default()).unwrap();
        let places = |how| -> Vec<(usize, Option<usize>)> {
            instances(how).iter().map(|instance| (instance.sentence, instance.annotator)).collect()
        };
        assert_eq!(places(References::Instances), [(0, Some(0)), (0, Some(1)), (1, Some(1))]);
        // F of x: 2/5 precision 1/2, recall 1/3; of y: precision 2/2, recall 1/1.
        assert_eq!(places(References::Best), [(0, Some(1)), (1, Some(1))]);
        assert_eq!(places(References::Union), [(0, None), (1, None)]);
        let union = &instances(References::Union)[0].gold;
        assert_eq!(union.sure(), &[(0, 0)].into());
        assert_eq!(union.possible(), &[(0, 0), (1, 1), (1, 2), (2, 2)].into());
    }

    #[test]
    fn sentences_that_nobody_did_are_left_out() {
        let hypotheses: [Alignment; 3] = [[(0, 0), (1, 2)].into(), [(1, 1)].into(), [(5, 5)].into()];
        let evaluation = evaluate_annotations(&two(), &hypotheses, References::Instances, &Options::default()).unwrap();
        assert_eq!(evaluation.sentences.len(), 2);
        // Against x: 1 of 2 right of 3; against y: 2 of 2 possible, 1 of 1 sure; then 0 of 1 of 1.
        let counts = Counts { hypothesis: 5, sure: 5, possible: 6, in_sure: 2, in_possible: 3 };
        assert_eq!(evaluation.counts, counts);
        let panel = Panel { annotators: 2, annotations: 3, references: References::Instances };
        assert_eq!(evaluation.panel, Some(panel));
        let text = evaluation.report(0).to_string();
        assert!(text.starts_with("sentences            2\nannotators           2, with 3 annotations\n"), "{text}");
        assert!(text.contains("\nalignment|references:instances|annotators:2|annotated-only:no|"), "{text}");
    }

    #[test]
    fn the_best_annotation_of_an_empty_hypothesis_is_the_empty_one_or_the_smallest() {
        let annotation = |name: &str, links: Alignment| Annotation::new(name, vec![sure(links)]);
        let many = annotation("many", [(0, 0), (1, 1)].into());
        let annotators = vec![many.clone(), annotation("none", [].into()), annotation("one", [(0, 0)].into())];
        let best = |annotators: Vec<Annotation>| {
            let annotations = Annotations::new(annotators).unwrap();
            let instances = annotations.instances(&[Alignment::new()], References::Best, &Options::default());
            instances.unwrap()[0].annotator
        };
        assert_eq!(best(annotators.clone()), Some(1));
        assert_eq!(best([&annotators[..1], &annotators[2..]].concat()), Some(1));
        assert_eq!(best(vec![many.clone(), Annotation::new("the same", many.sentences)]), Some(0));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let refused = |annotators: Vec<Annotation>| Annotations::new(annotators).unwrap_err().to_string();
        let one = || sure([(0, 0)].into());
        assert_eq!(refused(vec![]), "no annotators");
        assert_eq!(refused(vec![Annotation::new("x", vec![])]), "no sentences to evaluate");
        assert_eq!(refused(vec![Annotation::new("x", vec![None])]), "no annotator annotated any sentence");
        let x = Annotation::new("x", vec![one()]);
        let longer = Annotation::new("y", vec![one(), None]);
        assert_eq!(refused(vec![x.clone(), longer]), "unequal lengths: x has 1 line, y has 2");
        assert_eq!(refused(vec![x.clone(), x]), "two annotators are called x");
        let error = two().instances(&[], References::Best, &Options::default()).unwrap_err();
        assert_eq!(error.to_string(), "unequal lengths: gold has 3 lines, hypothesis has 0");
        assert_eq!("best".parse::<References>().unwrap(), References::Best);
        let error = "vote".parse::<References>().unwrap_err().to_string();
        assert_eq!(error, "references = vote: must be instances, best, union");
    }

    #[test]
    fn two_hypotheses_are_compared_sentence_by_sentence() {
        let right: [Alignment; 3] = [[(0, 0)].into(), [(0, 0)].into(), [].into()];
        let wrong: [Alignment; 3] = [[(5, 5)].into(), [(5, 5)].into(), [].into()];
        let comparison =
            compare_annotations(&two(), &wrong, &right, References::Instances, &Options::default()).unwrap();
        // Precision 0/3 and 3/3.
        assert_eq!(comparison.differences.precision.difference, Some(1.0));
        assert_eq!(comparison.baseline.panel.unwrap().annotations, 3);
    }
}
