//! Whether two people link alike.
//!
//! For the links `X` and `Y` of two people in the same sentences, with `c = |X ∩ Y|`, Ozdowska (2008) has
//!
//! ```text
//! A_X/Y = c / |Y|      A_Y/X = c / |X|      A = 2 A_X/Y A_Y/X / (A_X/Y + A_Y/X) = 2 c / (|X| + |Y|)
//! ```
//!
//! over all sentences that both did; `A` is 1 if both linked nothing, 0 if only one did or if nothing is in common. A
//! share of links that people would have in common by chance is not taken out of it, but is tiny, since a grid of `I` by
//! `J` words has `I·J` cells and few links. Cohen 1960, *A coefficient of agreement for nominal scales*, takes it out:
//! every cell of every grid, `n` in all, is an item that each of the two calls linked or not linked, `p_o` the share of
//! items that both call the same, `p_e` the share that they would by chance, given how many each links:
//!
//! ```text
//! κ = (p_o - p_e) / (1 - p_e) = 2 (n c - |X| |Y|) / (n (|X| + |Y|) - 2 |X| |Y|)
//! ```
//!
//! κ has no value where both call every cell the same thing. It needs the lengths of the sentences. Counts are pooled over
//! sentences, for both; means over pairs of people are plain means.
//!
//! ```
//! use alinea::evaluate::Overlap;
//!
//! let overlap = Overlap::of(&[(0, 0), (1, 1)].into(), &[(0, 0), (1, 1), (1, 2), (2, 2)].into(), 12);
//! assert_eq!((overlap.second_covered(), overlap.first_covered()), (Some(0.5), Some(1.0)));
//! assert_eq!(overlap.agreement(), 2.0 / 3.0);
//! // p_o = 10/12; p_e = 2/12 · 4/12 + 10/12 · 8/12 = 11/18.
//! assert!((overlap.kappa().unwrap_or(0.0) - (10.0 / 12.0 - 11.0 / 18.0) / (1.0 - 11.0 / 18.0)).abs() < 1e-12);
//! ```

use std::fmt;
use std::ops::AddAssign;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::size::check_number;
use super::{Annotations, PairLengths};
use crate::alignment::{Alignment, GoldAlignment};
use crate::error::{Error, Result};
use crate::numeric::{Bootstrap, Estimate, Statistics};
use crate::parallel::Parallelism;

/// Which links of annotators count where sure and possible ones make no difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKinds {
    /// All that they made, sure or only possible.
    #[default]
    All,
    /// The sure ones.
    Sure,
}

impl LinkKinds {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::All, Self::Sure];

    /// The name by which it is written and read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Sure => "sure",
        }
    }

    /// The links of this kind.
    pub fn of(self, gold: &GoldAlignment) -> &Alignment {
        match self {
            Self::All => gold.possible(),
            Self::Sure => gold.sure(),
        }
    }
}

impl fmt::Display for LinkKinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for LinkKinds {
    type Err = Error;

    /// Reads a [`name`](LinkKinds::name).
    fn from_str(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|kinds| kinds.name() == name)
            .ok_or_else(|| Error::config("kinds", name, "all, sure"))
    }
}

/// The counts that agreement is made of, of one sentence pair or, added, of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Overlap {
    /// Links of both, `c`.
    pub common: u64,
    /// Links of the first, `|X|`.
    pub first: u64,
    /// Links of the second, `|Y|`.
    pub second: u64,
    /// Cells of the grids, `n`; 0 if the lengths of the sentences are not known.
    pub cells: u64,
}

impl Overlap {
    /// Counts one sentence pair with a grid of the given number of cells. O(links).
    pub fn of(first: &Alignment, second: &Alignment, cells: u64) -> Self {
        let common = first.intersection_len(second) as u64;
        Self { common, first: first.len() as u64, second: second.len() as u64, cells }
    }

    /// `A_X/Y`, the share of the links of the second that the first has too; none if the second has no links.
    pub fn second_covered(&self) -> Option<f64> {
        (self.second > 0).then(|| self.common as f64 / self.second as f64)
    }

    /// `A_Y/X`, the share of the links of the first that the second has too; none if the first has no links.
    pub fn first_covered(&self) -> Option<f64> {
        (self.first > 0).then(|| self.common as f64 / self.first as f64)
    }

    /// `A`, from 0 to 1: the harmonic mean of both shares; 1 if there are no links at all.
    pub fn agreement(&self) -> f64 {
        match self.first + self.second {
            0 => 1.0,
            links => 2.0 * self.common as f64 / links as f64,
        }
    }

    /// κ, at most 1, and below 0 if there is less agreement than by chance. None if both call every cell the same
    /// thing, or if the number of cells is not known.
    pub fn kappa(&self) -> Option<f64> {
        let [common, first, second, cells] =
            [self.common, self.first, self.second, self.cells].map(|count| i128::from(count.min(1 << 60)));
        // Half of both is: above n c - |X| |Y|, below n (|X| + |Y|) / 2 - |X| |Y|.
        let above = 2 * (cells * common - first * second);
        let below = cells * (first + second) - 2 * first * second;
        (self.cells > 0 && below > 0).then(|| above as f64 / below as f64)
    }

    fn row(&self) -> [u64; 4] {
        [self.common, self.first, self.second, self.cells]
    }

    fn from_row(row: &[u64]) -> Self {
        let at = |column: usize| row.get(column).copied().unwrap_or(0);
        Self { common: at(0), first: at(1), second: at(2), cells: at(3) }
    }
}

impl AddAssign for Overlap {
    fn add_assign(&mut self, other: Self) {
        self.common += other.common;
        self.first += other.first;
        self.second += other.second;
        self.cells += other.cells;
    }
}

/// How to measure agreement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AgreementOptions {
    /// Which links count. Default all.
    pub kinds: LinkKinds,
    /// How to resample sentences for intervals; `None` leaves them out. Default: 1000 samples, 95 %.
    pub bootstrap: Option<Bootstrap>,
}

crate::configurable!(AgreementOptions);

impl Default for AgreementOptions {
    fn default() -> Self {
        Self { kinds: LinkKinds::All, bootstrap: Some(Bootstrap::default()) }
    }
}

impl AgreementOptions {
    /// One line that names every choice.
    pub fn signature(&self) -> String {
        let bootstrap = self.bootstrap.map_or_else(|| "bootstrap:no".to_owned(), |bootstrap| bootstrap.signature());
        format!("agreement|links:{}|{bootstrap}", self.kinds)
    }
}

/// The agreement of two annotators, over the sentences that both annotated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairAgreement {
    /// The name of the first, X.
    pub first: String,
    /// The name of the second, Y.
    pub second: String,
    /// The number of sentences that both did.
    pub sentences: usize,
    /// What they have in common in these.
    pub counts: Overlap,
    /// `A_X/Y`.
    pub second_covered: Option<f64>,
    /// `A_Y/X`.
    pub first_covered: Option<f64>,
    /// `A`; no value if there is no sentence that both did.
    pub agreement: Estimate,
    /// Cohen's κ; no value if the lengths of sentences are not known, too.
    pub kappa: Estimate,
}

/// The agreement of annotators.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// Every pair of them, in their order.
    pub pairs: Vec<PairAgreement>,
    /// The plain mean of `A` over the pairs that have it.
    pub mean_agreement: Option<f64>,
    /// The plain mean of κ over the pairs that have it.
    pub mean_kappa: Option<f64>,
}

impl Annotations {
    /// How much the annotators agree, pair by pair, over the sentences that both did. κ needs the `lengths` of all
    /// sentences. O(annotators² × (links + samples × sentences)).
    ///
    /// # Errors
    /// `UnequalLengths` if there are lengths of more or fewer sentences, `Inconsistent` for a link outside them, `Config`
    /// for a bootstrap that is not allowed.
    pub fn agreement(&self, lengths: Option<&[PairLengths]>, options: &AgreementOptions) -> Result<Agreement> {
        if let Some(lengths) = lengths {
            self.check_lengths(lengths)?;
        }
        let mut pairs = Vec::new();
        for (n, first) in self.annotators().iter().enumerate() {
            for second in &self.annotators()[n + 1..] {
                let mut rows = Vec::new();
                for (sentence, both) in first.sentences.iter().zip(&second.sentences).enumerate() {
                    if let (Some(first), Some(second)) = both {
                        let cells = lengths.map_or(0, |lengths| lengths[sentence].cells());
                        rows.push(Overlap::of(options.kinds.of(first), options.kinds.of(second), cells));
                    }
                }
                pairs.push(pair(&first.name, &second.name, &rows, options.bootstrap.as_ref())?);
            }
        }
        let mean = |value: fn(&PairAgreement) -> Option<f64>| {
            let values: Vec<f64> = pairs.iter().filter_map(value).collect();
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let (mean_agreement, mean_kappa) = (mean(|pair| pair.agreement.value), mean(|pair| pair.kappa.value));
        Ok(Agreement { pairs, mean_agreement, mean_kappa })
    }

    /// Whether the lengths are those of the sentences: as many, and no link is outside.
    pub(super) fn check_lengths(&self, lengths: &[PairLengths]) -> Result<()> {
        check_number(self.sentence_count(), lengths)?;
        for (sentence, lengths) in lengths.iter().enumerate() {
            for (_, gold) in self.of_sentence(sentence) {
                lengths.check(gold.possible(), sentence)?;
            }
        }
        Ok(())
    }
}

/// The agreement of two people, from the counts of every sentence that both did.
fn pair(first: &str, second: &str, rows: &[Overlap], bootstrap: Option<&Bootstrap>) -> Result<PairAgreement> {
    let mut counts = Overlap::default();
    for row in rows {
        counts += *row;
    }
    let score = |sums: &[u64]| {
        let overlap = Overlap::from_row(sums);
        [Some(overlap.agreement()), overlap.kappa()]
    };
    let [agreement, kappa] = match bootstrap {
        Some(bootstrap) if !rows.is_empty() => {
            let statistics = Statistics::from_rows(rows.iter().map(Overlap::row));
            bootstrap.estimate(&statistics, score, &Parallelism::serial())?
        }
        _ => {
            let value = |value| Estimate { value, interval: None, standard_error: None, undefined: 0 };
            if rows.is_empty() { [None; 2].map(value) } else { score(&counts.row()).map(value) }
        }
    };
    Ok(PairAgreement {
        first: first.to_owned(),
        second: second.to_owned(),
        sentences: rows.len(),
        counts,
        second_covered: counts.second_covered(),
        first_covered: counts.first_covered(),
        agreement,
        kappa,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::Link;
    use crate::evaluate::Annotation;
    use proptest::prelude::*;

    /// κ by its definition, cell by cell.
    fn kappa_of_cells(first: &Alignment, second: &Alignment, lengths: PairLengths) -> Option<f64> {
        let mut table = [[0.0; 2]; 2];
        for source in 0..lengths.source as u32 {
            for target in 0..lengths.target as u32 {
                let link = Link::new(source, target);
                table[usize::from(first.contains(link))][usize::from(second.contains(link))] += 1.0;
            }
        }
        let n = lengths.cells() as f64;
        let observed = (table[0][0] + table[1][1]) / n;
        let by_chance = |call: usize| (table[call][0] + table[call][1]) / n * (table[0][call] + table[1][call]) / n;
        let expected = by_chance(0) + by_chance(1);
        (expected < 1.0 - 1e-12).then(|| (observed - expected) / (1.0 - expected))
    }

    fn links() -> impl Strategy<Value = Alignment> {
        proptest::collection::vec((0u32..4, 0u32..3), 0..13)
            .prop_map(|links| links.into_iter().map(|(source, target)| Link::new(source, target)).collect())
    }

    proptest! {
        #[test]
        fn kappa_is_that_of_the_cells(first in links(), second in links()) {
            let lengths = PairLengths::new(4, 3);
            let overlap = Overlap::of(&first, &second, lengths.cells());
            match (overlap.kappa(), kappa_of_cells(&first, &second, lengths)) {
                (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-9),
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }

        #[test]
        fn agreement_is_symmetric(first in links(), second in links()) {
            let (there, back) = (Overlap::of(&first, &second, 12), Overlap::of(&second, &first, 12));
            prop_assert_eq!(there.agreement().to_bits(), back.agreement().to_bits());
            prop_assert_eq!(there.kappa(), back.kappa());
            prop_assert_eq!(there.first_covered(), back.second_covered());
            prop_assert!((0.0..=1.0).contains(&there.agreement()));
            prop_assert_eq!(there.agreement() > 1.0 - 1e-9, first == second);
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "what a person did of a sentence")]
    fn sure(links: Alignment) -> Option<GoldAlignment> {
        Some(GoldAlignment::from_parts(links, &Alignment::new()))
    }

    #[test]
    fn only_sentences_that_both_did_count() {
        let x = vec![sure([(0, 0), (1, 1)].into()), sure([(0, 0)].into()), None];
        let y = vec![sure([(0, 0), (1, 0)].into()), None, sure([(0, 0)].into())];
        let z = vec![None, None, Some(GoldAlignment::from_parts([].into(), &[(0, 0)].into()))];
        let people = [("x", x), ("y", y), ("z", z)];
        let annotations =
            Annotations::new(people.into_iter().map(|(name, links)| Annotation::new(name, links)).collect()).unwrap();
        let lengths = [PairLengths::new(2, 2); 3];
        let agreement = annotations.agreement(Some(&lengths), &AgreementOptions::default()).unwrap();
        let [xy, xz, yz] = &agreement.pairs[..] else { panic!("three pairs") };
        assert_eq!((xy.first.as_str(), xy.second.as_str(), xy.sentences), ("x", "y", 1));
        assert_eq!(xy.counts, Overlap { common: 1, first: 2, second: 2, cells: 4 });
        assert_eq!((xy.agreement.value, xy.kappa.value), (Some(0.5), Some(0.0)));
        assert_eq!((xz.sentences, xz.agreement.value, xz.kappa.value), (0, None, None));
        assert_eq!((yz.agreement.value, yz.kappa.value), (Some(1.0), Some(1.0)));
        assert_eq!((agreement.mean_agreement, agreement.mean_kappa), (Some(0.75), Some(0.5)));

        let sure = AgreementOptions { kinds: LinkKinds::Sure, bootstrap: None };
        let agreement = annotations.agreement(None, &sure).unwrap();
        assert_eq!((agreement.pairs[2].agreement.value, agreement.mean_kappa), (Some(0.0), None));
        assert_eq!(sure.signature(), "agreement|links:sure|bootstrap:no");
        assert!(annotations.agreement(Some(&lengths[..2]), &sure).is_err());
        let error = annotations.agreement(Some(&[PairLengths::new(1, 1); 3]), &sure).unwrap_err().to_string();
        assert_eq!(error, "sentence 1: link 1-1 is out of range, the source has 1 token, the target 1");
    }
}
