//! One alignment out of two directions.
//!
//! A directional model links every word of one side to at most one word of the other. Run both ways it gives two sets
//! of links over the same sentence pair: `F` (*forward*, from a model of p(target | source): each target word has at most
//! one source word) and `R` (*reverse*: each source word has at most one target word), both written source–target. A [`Method`] joins them. Let
//! `I = F ∩ R` and `U = F ∪ R`; a word is *covered* when it has a link in the result so far.
//!
//! | method | result |
//! |---|---|
//! | `intersection` | `I`: few links, most of them right |
//! | `union` | `U`: many links, few missing |
//! | `grow` | from `I`, add links of `U` beside a link of the result, above, below, left or right of it, that cover an uncovered word, until there are none |
//! | `grow-diag` | the same, with the four diagonal neighbors too |
//! | `grow-diag-final` | then links of `F \ R`, then of `R \ F`, that cover an uncovered word |
//! | `grow-diag-final-and` | the same, but only links whose words are both uncovered |
//!
//! A link that is added covers words, and so can shut out another: **the order of visits is part of the definition**.
//! Here it is that of the program `symal` of Moses. Links are visited in the order (target, source). Growing makes
//! passes over the links of the result until one adds nothing; a link added during a pass is visited in it if it comes
//! after the current one, in the next pass if not. Neighbors are tried in the order (target, source) `(-1, 0)`,
//! `(0, -1)`, `(1, 0)`, `(0, 1)`, and for `diag` `(-1, -1)`, `(-1, 1)`, `(1, -1)`, `(1, 1)`. The final steps take links
//! in the order (target, source). Only these steps tell forward from reverse.
//!
//! Sources: Och and Ney 2003, *A systematic comparison of various statistical alignment models*, on symmetrization
//! (intersection, union, refined); Koehn, Och and Marcu 2003, *Statistical phrase-based translation*, on phrases from
//! word-based alignments (growing); Koehn, Axelrod, Birch Mayne, Callison-Burch, Osborne and Talbot 2005, *Edinburgh
//! system description for the 2005 IWSLT speech translation evaluation* (the names). NLTK 3.10's `grow_diag_final_and`
//! is another function: its test for uncovered words is always true, and it returns the union.
//!
//! ```
//! use alinea::alignment::Alignment;
//! use alinea::symmetrize::{Method, Symmetrizer, symmetrize};
//!
//! let forward: Alignment = [(0, 0), (1, 1), (1, 2), (0, 4)].into();
//! let reverse: Alignment = [(0, 0), (1, 1), (2, 1), (3, 5)].into();
//! assert_eq!(symmetrize(&forward, &reverse, Method::Intersection).to_string(), "0-0 1-1");
//! assert_eq!(symmetrize(&forward, &reverse, Method::GrowDiag).to_string(), "0-0 1-1 1-2 2-1");
//! // 0-4 covers a new target word only, 3-5 covers two new words.
//! assert_eq!(symmetrize(&forward, &reverse, Method::GrowDiagFinal).to_string(), "0-0 0-4 1-1 1-2 2-1 3-5");
//! assert_eq!(symmetrize(&forward, &reverse, Method::GrowDiagFinalAnd).to_string(), "0-0 1-1 1-2 2-1 3-5");
//!
//! // For many sentences, one worker a thread keeps its buffers.
//! let mut symmetrizer = Symmetrizer::new("grow-diag-final-and".parse()?);
//! assert_eq!(symmetrizer.symmetrize(&forward, &reverse).len(), 5);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod grid;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::alignment::Alignment;
use crate::error::Error;
use grid::Grid;

/// How two directions become one alignment; the module has the definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Links of both directions.
    Intersection,
    /// Links of either direction.
    Union,
    /// The intersection, grown over horizontal and vertical neighbors.
    Grow,
    /// The intersection, grown over all eight neighbors.
    GrowDiag,
    /// `grow-diag`, then links that cover at least one uncovered word.
    GrowDiagFinal,
    /// `grow-diag`, then links that cover two uncovered words.
    GrowDiagFinalAnd,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 6] =
        [Self::Intersection, Self::Union, Self::Grow, Self::GrowDiag, Self::GrowDiagFinal, Self::GrowDiagFinalAnd];

    /// The name by which the method is written and read, such as `grow-diag`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Intersection => "intersection",
            Self::Union => "union",
            Self::Grow => "grow",
            Self::GrowDiag => "grow-diag",
            Self::GrowDiagFinal => "grow-diag-final",
            Self::GrowDiagFinalAnd => "grow-diag-final-and",
        }
    }

    /// Other names by which the method is read: abbreviations, and the spellings of other programs.
    pub const fn aliases(self) -> &'static [&'static str] {
        match self {
            Self::Intersection => &["intersect"],
            Self::Union | Self::Grow => &[],
            Self::GrowDiag => &["gd", "grow_diag"],
            Self::GrowDiagFinal => &["gdf", "grow_diag_final"],
            Self::GrowDiagFinalAnd => &["gdfa", "grow_diag_final_and"],
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = Error;

    /// Reads a [`name`](Method::name), or one of its [`aliases`](Method::aliases).
    fn from_str(name: &str) -> Result<Self, Error> {
        let is_called = |method: &Self| method.name() == name || method.aliases().contains(&name);
        Self::ALL.into_iter().find(is_called).ok_or_else(|| {
            let allowed = "intersection, union, grow, grow-diag, grow-diag-final, grow-diag-final-and";
            Error::config("method", name, allowed)
        })
    }
}

/// Joins two directions, both written source–target; see the module for the definition.
///
/// Positions may be arbitrarily large. With `n` links in both directions together: O(n log n) time, O(n) memory.
#[must_use]
pub fn symmetrize(forward: &Alignment, reverse: &Alignment, method: Method) -> Alignment {
    Symmetrizer::new(method).symmetrize(forward, reverse)
}

/// Joins directions of many sentence pairs, and keeps its buffers between them. One for each thread.
#[derive(Debug, Clone)]
pub struct Symmetrizer {
    method: Method,
    grid: Grid,
}

impl Symmetrizer {
    /// A worker for one method.
    pub fn new(method: Method) -> Self {
        Self { method, grid: Grid::default() }
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Like the function [`symmetrize`].
    #[must_use]
    pub fn symmetrize(&mut self, forward: &Alignment, reverse: &Alignment) -> Alignment {
        let mut result = Alignment::new();
        self.symmetrize_into(forward, reverse, &mut result);
        result
    }

    /// Like the function [`symmetrize`], with the result in the caller's set, whose links are replaced.
    pub fn symmetrize_into(&mut self, forward: &Alignment, reverse: &Alignment, result: &mut Alignment) {
        self.grid.load(forward, reverse);
        match self.method {
            Method::Intersection => {}
            Method::Union => self.grid.keep_all(),
            Method::Grow => self.grid.grow(false),
            Method::GrowDiag => self.grid.grow(true),
            Method::GrowDiagFinal | Method::GrowDiagFinalAnd => {
                let both = self.method == Method::GrowDiagFinalAnd;
                self.grid.grow(true);
                self.grid.add_forward(both);
                self.grid.add_reverse(both);
            }
        }
        self.grid.store(result);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::Link;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The definition, word for word: sets, and repeated search for the next link of a pass.
    fn slow(forward: &Alignment, reverse: &Alignment, method: Method) -> Alignment {
        type Point = (i64, i64);
        let points = |links: &Alignment| -> BTreeSet<Point> {
            links.iter().map(|link| (i64::from(link.target), i64::from(link.source))).collect()
        };
        let (forward, reverse) = (points(forward), points(reverse));
        let union = &forward | &reverse;
        let mut result = if method == Method::Union { union.clone() } else { &forward & &reverse };
        let uncovered = |result: &BTreeSet<Point>, point: &Point| {
            [result.iter().all(|other| other.0 != point.0), result.iter().all(|other| other.1 != point.1)]
        };
        let name = method.name();
        if name.contains("grow") {
            let straight = [(-1, 0), (0, -1), (1, 0), (0, 1)];
            let diagonal = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
            let neighbors: Vec<Point> =
                straight.into_iter().chain(diagonal.into_iter().filter(|_| name.contains("diag"))).collect();
            loop {
                let before = result.len();
                let mut current = (i64::MIN, i64::MIN);
                while let Some(&next) = result.iter().find(|point| **point > current) {
                    current = next;
                    for (target, source) in &neighbors {
                        let beside = (current.0 + target, current.1 + source);
                        if union.contains(&beside) && uncovered(&result, &beside).contains(&true) {
                            result.insert(beside);
                        }
                    }
                }
                if result.len() == before {
                    break;
                }
            }
        }
        if name.contains("final") {
            for point in (&forward - &reverse).into_iter().chain(&reverse - &forward) {
                let free = uncovered(&result, &point);
                if if name.ends_with("and") { !free.contains(&false) } else { free.contains(&true) } {
                    result.insert(point);
                }
            }
        }
        result.into_iter().map(|(target, source)| Link::new(source as u32, target as u32)).collect()
    }

    fn links(side: u32) -> impl Strategy<Value = Alignment> {
        let link = (0..side, 0..side).prop_map(|(source, target)| Link::new(source, target));
        proptest::collection::vec(link, 0..40).prop_map(Alignment::from_links)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn the_definition_word_for_word_gives_the_same(forward in links(9), reverse in links(9)) {
            for method in Method::ALL {
                prop_assert_eq!(symmetrize(&forward, &reverse, method), slow(&forward, &reverse, method), "{}", method);
            }
        }

        #[test]
        fn results_lie_between_intersection_and_union(forward in links(12), reverse in links(12)) {
            let results = Method::ALL.map(|method| symmetrize(&forward, &reverse, method));
            let [intersection, union, grow, diagonal, any, both] = &results;
            prop_assert_eq!(intersection, &forward.intersection(&reverse));
            prop_assert_eq!(union, &forward.union(&reverse));
            prop_assert!(intersection.is_subset(grow) && grow.is_subset(union));
            prop_assert!(intersection.is_subset(diagonal) && diagonal.is_subset(both));
            prop_assert!(diagonal.is_subset(any) && any.is_subset(union) && both.is_subset(union));
        }

        #[test]
        fn equal_directions_are_the_result(links in links(12)) {
            for method in Method::ALL {
                prop_assert_eq!(&symmetrize(&links, &links, method), &links);
            }
        }

        #[test]
        fn intersection_and_union_commute_with_inversion(forward in links(12), reverse in links(12)) {
            for method in [Method::Intersection, Method::Union] {
                let inverted = symmetrize(&forward.inverted(), &reverse.inverted(), method);
                prop_assert_eq!(inverted, symmetrize(&forward, &reverse, method).inverted());
            }
        }

        #[test]
        fn growing_does_not_depend_on_which_direction_is_which(forward in links(12), reverse in links(12)) {
            for method in [Method::Grow, Method::GrowDiag] {
                prop_assert_eq!(symmetrize(&forward, &reverse, method), symmetrize(&reverse, &forward, method));
            }
        }

        #[test]
        fn a_worker_that_was_used_before_gives_the_same(
            pairs in proptest::collection::vec((links(6), links(12)), 1..5)
        ) {
            for method in Method::ALL {
                let mut worker = Symmetrizer::new(method);
                for (forward, reverse) in &pairs {
                    prop_assert_eq!(worker.symmetrize(forward, reverse), symmetrize(forward, reverse, method));
                }
            }
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse::<Method>().unwrap(), method);
            assert_eq!(serde_json::to_string(&method).unwrap(), format!("\"{method}\""));
        }
        let error = "gdfo".parse::<Method>().unwrap_err();
        assert!(error.to_string().starts_with("method = gdfo: must be intersection, union, grow, "));
    }

    #[test]
    fn names_of_other_programs_are_read() {
        for (name, canonical) in [
            ("intersect", "intersection"),
            ("gd", "grow-diag"),
            ("gdf", "grow-diag-final"),
            ("gdfa", "grow-diag-final-and"),
            ("grow_diag", "grow-diag"),
            ("grow_diag_final", "grow-diag-final"),
            ("grow_diag_final_and", "grow-diag-final-and"),
        ] {
            assert_eq!(name.parse::<Method>().unwrap().name(), canonical);
        }
    }

    #[test]
    fn absurd_positions_take_no_memory_and_do_not_wrap_around() {
        let last = u32::MAX;
        let forward: Alignment = [(0, 0), (last, last), (last - 1, 0)].into();
        let reverse: Alignment = [(0, 0), (last, last), (0, last), (last, 0)].into();
        let grown = symmetrize(&forward, &reverse, Method::GrowDiag);
        assert_eq!(grown, [(0, 0), (last, last)].into());
        let full = symmetrize(&forward, &reverse, Method::GrowDiagFinal);
        assert_eq!(full, [(0, 0), (last - 1, 0), (last, last)].into());
    }

    #[test]
    fn a_chain_that_grows_against_the_order_is_not_quadratic() {
        // Every pass of the definition adds one link: 300,000 passes over 600,000 links if done literally.
        let n = 300_000u32;
        let stairs: Alignment =
            (0..n).flat_map(|i| [Link::new(i, i), Link::new(i + 1, i)]).chain([Link::new(n, n)]).collect();
        let end: Alignment = [(n, n)].into();
        let grown = symmetrize(&stairs, &end, Method::Grow);
        assert_eq!(grown, stairs);
    }
}
