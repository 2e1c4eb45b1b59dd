//! Where the errors are: scores of links by frequency, part of speech, distance from the diagonal, fertility.
//!
//! An [`Attribute`] puts every possible link of a sentence pair, whether somebody made it or not, into one of its buckets.
//! The links of the hypothesis in a bucket are then compared with the gold links in the bucket, as in [`Counts`]: precision
//! of a bucket is the share of the *hypothesis'* links in it that are possible, recall the share of *its* sure links that
//! the hypothesis has. Each link is in exactly one bucket, so that the counts of all buckets add up to those of the corpus.
//!
//! * **distance**: by `d = |i / I - j / J|` of the `i`-th of `I` source words and the `j`-th of `J` target words, from 1;
//! * **frequency**: by how often the word of one side occurs in some text;
//! * **tag**: by the tag, such as a part of speech, of the word of one side, in the order of their names;
//! * **fertility**: by how many gold links, sure or only possible, the word of one side has. The bucket 0 has no gold
//!   links, only wrong ones: its words should have been left alone.
//!
//! Where there are several annotators every [`Instance`] counts, and fertility is that in the instance.
//!
//! ```
//! use std::borrow::Cow;
//!
//! use alinea::alignment::{Alignment, GoldAlignment};
//! use alinea::bitext::Side;
//! use alinea::evaluate::{Attribute, Instance, Options, breakdown};
//!
//! let gold = GoldAlignment::from_parts([(0, 0), (1, 1), (1, 2)].into(), &Alignment::new());
//! let instances = [Instance { sentence: 0, annotator: None, gold: Cow::Owned(gold) }];
//! let tags = Attribute::tags(Side::Source, &[vec!["DET".to_owned(), "NOUN".to_owned()]]);
//! let found = breakdown(&tags, &instances, &[[(0, 0), (1, 0), (1, 1)].into()], &Options::default())?;
//! let [determiners, nouns] = &found.buckets[..] else { panic!() };
//! assert_eq!((determiners.label.as_str(), determiners.scores.recall), ("DET", Some(1.0)));
//! assert_eq!((nouns.scores.precision, nouns.scores.recall), (Some(0.5), Some(0.5)));
//! # Ok::<(), alinea::error::Error>(())
//! ```

use serde::{Deserialize, Serialize};

use super::{Counts, Instance, Options, PairLengths, Scores};
use crate::alignment::{Alignment, Link};
use crate::bitext::Side;
use crate::error::{ErrorKind, Result};

/// From where on a frequency is in the next bucket.
const FREQUENCIES: [u64; 6] = [1, 2, 5, 10, 100, 1000];
/// From where on a distance from the diagonal is in the next bucket, in hundredths.
const DISTANCES: [u128; 5] = [5, 10, 20, 30, 50];
/// The fertility that begins the last bucket.
const MOST_FERTILE: usize = 4;

/// What links are sorted by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    name: String,
    labels: Vec<String>,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Distance(Vec<PairLengths>),
    /// The bucket of every word of every sentence of one side.
    Words(Side, Vec<Vec<u32>>),
    Fertility(Side),
}

/// The scores of a hypothesis, bucket by bucket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// What the links are sorted by.
    pub attribute: String,
    /// The buckets in order; those into which no link fell are among them.
    pub buckets: Vec<Bucket>,
}

/// One bucket.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bucket {
    /// What the links in it have in common.
    pub label: String,
    /// The counts of the links in it.
    pub counts: Counts,
    /// Their scores.
    pub scores: Scores,
}

impl Attribute {
    /// Sorts by the distance from the diagonal, in sentences of these lengths. Buckets begin at 0, 0.05, 0.1, 0.2, 0.3,
    /// 0.5.
    pub fn distance(lengths: Vec<PairLengths>) -> Self {
        let name = |hundredths: u128| format!("{}", hundredths as f64 / 100.0);
        let mut labels = vec![format!("below {}", name(DISTANCES[0]))];
        labels.extend(DISTANCES.windows(2).map(|pair| format!("{} to {}", name(pair[0]), name(pair[1]))));
        labels.push(format!("from {}", name(DISTANCES[DISTANCES.len() - 1])));
        Self { name: "distance".to_owned(), labels, kind: Kind::Distance(lengths) }
    }

    /// Sorts by the frequencies of the words of one side, sentence by sentence. Buckets begin at 0, 1, 2, 5, 10, 100,
    /// 1000.
    pub fn frequency(side: Side, frequencies: &[Vec<u64>]) -> Self {
        let bucket = |frequency: &u64| FREQUENCIES.partition_point(|begin| begin <= frequency) as u32;
        let words = frequencies.iter().map(|sentence| sentence.iter().map(bucket).collect()).collect();
        let mut labels = vec!["0".to_owned()];
        labels.extend(FREQUENCIES.windows(2).map(|pair| match pair[1] - 1 {
            last if last == pair[0] => last.to_string(),
            last => format!("{}-{last}", pair[0]),
        }));
        labels.push(format!("{}+", FREQUENCIES[FREQUENCIES.len() - 1]));
        Self { name: format!("{} frequency", of(side)), labels, kind: Kind::Words(side, words) }
    }

    /// Sorts by the tags of the words of one side, sentence by sentence: a bucket for each that occurs, in the order of
    /// their names.
    pub fn tags(side: Side, tags: &[Vec<String>]) -> Self {
        let mut labels: Vec<String> = tags.iter().flatten().cloned().collect();
        labels.sort_unstable();
        labels.dedup();
        let bucket = |tag: &String| labels.binary_search(tag).unwrap_or_default() as u32;
        let words = tags.iter().map(|sentence| sentence.iter().map(bucket).collect()).collect();
        Self { name: format!("{} tag", of(side)), labels, kind: Kind::Words(side, words) }
    }

    /// Sorts by the number of gold links of the word of one side. Buckets are 0, 1, 2, 3, and 4 and more.
    pub fn fertility(side: Side) -> Self {
        let mut labels: Vec<String> = (0..MOST_FERTILE).map(|fertility| fertility.to_string()).collect();
        labels.push(format!("{MOST_FERTILE}+"));
        Self { name: format!("{} fertility", of(side)), labels, kind: Kind::Fertility(side) }
    }

    /// What links are sorted by, such as `source frequency`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The bucket of a link of this instance; none if it is outside what is known of the sentences. `targets` are the
    /// target positions of all gold links, sorted, with repetitions.
    fn bucket(&self, instance: &Instance<'_>, targets: &[u32], link: Link) -> Option<usize> {
        match &self.kind {
            Kind::Distance(lengths) => {
                let lengths = lengths.get(instance.sentence)?;
                let inside = (link.source as usize) < lengths.source && (link.target as usize) < lengths.target;
                inside.then(|| distance_bucket(link, *lengths))
            }
            Kind::Words(side, words) => {
                words.get(instance.sentence)?.get(position(link, *side)).map(|bucket| *bucket as usize)
            }
            Kind::Fertility(side) => {
                let links = match side {
                    Side::Source => instance.gold.possible().of_source(link.source).len(),
                    Side::Target => {
                        let up_to = |target: u32| targets.partition_point(|&other| other < target);
                        targets[up_to(link.target)..].partition_point(|&other| other == link.target)
                    }
                };
                Some(links.min(MOST_FERTILE))
            }
        }
    }
}

/// In whole numbers, so that no rounding puts a distance into the wrong bucket.
fn distance_bucket(link: Link, lengths: PairLengths) -> usize {
    let (source, target) = (lengths.source as u128, lengths.target as u128);
    let (i, j) = (u128::from(link.source) + 1, u128::from(link.target) + 1);
    let distance = 100 * (i * target).abs_diff(j * source);
    DISTANCES.partition_point(|begin| begin * source * target <= distance)
}

fn position(link: Link, side: Side) -> usize {
    match side {
        Side::Source => link.source as usize,
        Side::Target => link.target as usize,
    }
}

fn of(side: Side) -> &'static str {
    match side {
        Side::Source => "source",
        Side::Target => "target",
    }
}

/// Counts the links of the hypotheses and of the instances that they are compared with, bucket by bucket.
/// O(links log links).
///
/// # Errors
/// `Inconsistent` for a link between words of which the attribute says nothing, and for an instance of a sentence without
/// hypothesis.
pub fn breakdown(
    attribute: &Attribute,
    instances: &[Instance<'_>],
    hypotheses: &[Alignment],
    options: &Options,
) -> Result<Breakdown> {
    let mut counts = vec![Counts::default(); attribute.labels.len()];
    for instance in instances {
        let number = instance.sentence + 1;
        let Some(hypothesis) = hypotheses.get(instance.sentence) else {
            return Err(ErrorKind::Inconsistent(format!("sentence {number}: no hypothesis")).into());
        };
        let hypothesis = options.counted(&instance.gold, hypothesis);
        let (sure, possible) = (instance.gold.sure(), instance.gold.possible());
        let mut targets: Vec<u32> = possible.iter().map(|link| link.target).collect();
        targets.sort_unstable();
        for link in possible.union(&hypothesis).iter() {
            let Some(bucket) = attribute.bucket(instance, &targets, link).and_then(|bucket| counts.get_mut(bucket))
            else {
                let message = format!("sentence {number}: link {link} is between words without {}", attribute.name);
                return Err(ErrorKind::Inconsistent(message).into());
            };
            let [made, sure, possible] = [&*hypothesis, sure, possible].map(|links| u64::from(links.contains(link)));
            *bucket += Counts { hypothesis: made, sure, possible, in_sure: made * sure, in_possible: made * possible };
        }
    }
    let buckets = attribute.labels.iter().zip(counts).map(|(label, counts)| Bucket {
        label: label.clone(),
        counts,
        scores: counts.scores(options.alpha),
    });
    Ok(Breakdown { attribute: attribute.name.clone(), buckets: buckets.collect() })
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::alignment::GoldAlignment;
    use proptest::prelude::*;

    fn instance(sure: Alignment, only_possible: &Alignment) -> Instance<'static> {
        let gold = GoldAlignment::from_parts(sure, only_possible);
        Instance { sentence: 0, annotator: None, gold: Cow::Owned(gold) }
    }

    fn found(attribute: &Attribute, instance: &Instance<'_>, hypothesis: &Alignment) -> Result<Breakdown> {
        let (instances, hypotheses) = (std::slice::from_ref(instance), std::slice::from_ref(hypothesis));
        breakdown(attribute, instances, hypotheses, &Options::default())
    }

    fn labels(attribute: &Attribute) -> String {
        attribute.labels.join(", ")
    }

    #[test]
    fn buckets_have_names() {
        assert_eq!(
            labels(&Attribute::distance(vec![])),
            "below 0.05, 0.05 to 0.1, 0.1 to 0.2, 0.2 to 0.3, 0.3 to 0.5, from 0.5"
        );
        assert_eq!(labels(&Attribute::frequency(Side::Source, &[])), "0, 1, 2-4, 5-9, 10-99, 100-999, 1000+");
        assert_eq!(labels(&Attribute::fertility(Side::Target)), "0, 1, 2, 3, 4+");
        let tags = [vec!["N".to_owned(), "V".to_owned()], vec!["A".to_owned(), "N".to_owned()]];
        assert_eq!(labels(&Attribute::tags(Side::Target, &tags)), "A, N, V");
        assert_eq!(Attribute::fertility(Side::Target).name(), "target fertility");
    }

    #[test]
    fn distances_on_the_border_are_in_the_upper_bucket() {
        // 20 words a side: one step is 0.05.
        let lengths = PairLengths::new(20, 20);
        let bucket = |source, target| distance_bucket(Link::new(source, target), lengths);
        let buckets: Vec<usize> = [(0, 0), (0, 1), (3, 1), (9, 6), (0, 4), (0, 6), (0, 10), (19, 0)]
            .map(|(source, target)| bucket(source, target))
            .into();
        assert_eq!(buckets, [0, 1, 2, 2, 3, 4, 5, 5]);
        // The first of one word is at its end: 1/1 - 1/10.
        assert_eq!(distance_bucket(Link::new(0, 0), PairLengths::new(1, 10)), 5);
    }

    #[test]
    fn frequencies_on_the_border_are_in_the_upper_bucket() {
        let frequencies = [vec![0, 1, 2, 4, 5, 9, 10, 99, 100, 999, 1000]];
        let attribute = Attribute::frequency(Side::Source, &frequencies);
        let instance = instance([].into(), &Alignment::new());
        let buckets: Vec<usize> =
            (0..11).map(|word| attribute.bucket(&instance, &[], Link::new(word, 7)).unwrap()).collect();
        assert_eq!(buckets, [0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]);
    }

    #[test]
    fn fertility_is_that_of_the_gold_standard() {
        let instance = instance([(0, 0), (1, 1)].into(), &[(1, 2)].into());
        let hypothesis: Alignment = [(0, 0), (1, 0), (2, 2)].into();
        let by = |side| found(&Attribute::fertility(side), &instance, &hypothesis);
        let source = by(Side::Source).unwrap();
        // Source word 2 has no gold link; word 0 has one, word 1 two, of which one is only possible.
        let counts = |bucket: &Bucket| {
            let Counts { hypothesis, sure, possible, in_sure, in_possible } = bucket.counts;
            [hypothesis, sure, possible, in_sure, in_possible]
        };
        assert_eq!(
            source.buckets.iter().map(counts).collect::<Vec<_>>(),
            [[1, 0, 0, 0, 0], [1, 1, 1, 1, 1], [1, 1, 2, 0, 0], [0; 5], [0; 5]]
        );
        // Target words 0, 1 and 2 have one each.
        assert_eq!(counts(&by(Side::Target).unwrap().buckets[1]), [3, 2, 3, 1, 1]);
    }

    #[test]
    fn links_to_nowhere_are_refused() {
        let instance = instance([(0, 3)].into(), &Alignment::new());
        let refused = |attribute: &Attribute| found(attribute, &instance, &Alignment::new()).unwrap_err().to_string();
        let expected = "sentence 1: link 0-3 is between words without distance";
        assert_eq!(refused(&Attribute::distance(vec![PairLengths::new(3, 3)])), expected);
        assert_eq!(refused(&Attribute::distance(vec![])), expected);
        let tags = Attribute::tags(Side::Target, &[vec!["N".to_owned()]]);
        assert_eq!(refused(&tags), "sentence 1: link 0-3 is between words without target tag");
        let error = breakdown(&tags, &[instance], &[], &Options::default()).unwrap_err().to_string();
        assert_eq!(error, "sentence 1: no hypothesis");
    }

    fn links() -> impl Strategy<Value = Alignment> {
        proptest::collection::vec((0u32..6, 0u32..5), 0..14)
            .prop_map(|links| links.into_iter().map(|(source, target)| Link::new(source, target)).collect())
    }

    proptest! {
        #[test]
        fn buckets_add_up_to_the_whole(sure in links(), possible in links(), hypothesis in links()) {
            let instance = instance(sure, &possible);
            let whole = Counts::of(&instance.gold, &hypothesis);
            let frequencies = [vec![0, 1, 7, 30, 400, 5000]];
            for attribute in [
                Attribute::distance(vec![PairLengths::new(6, 5)]),
                Attribute::frequency(Side::Source, &frequencies),
                Attribute::frequency(Side::Target, &frequencies),
                Attribute::fertility(Side::Source),
                Attribute::fertility(Side::Target),
            ] {
                let found = found(&attribute, &instance, &hypothesis).unwrap();
                prop_assert_eq!(found.buckets.iter().map(|bucket| bucket.counts).sum::<Counts>(), whole);
            }
        }
    }
}
