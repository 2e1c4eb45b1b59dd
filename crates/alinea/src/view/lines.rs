//! What pictures with lines (SVG, Graphviz) have in common: which links are drawn, and how.
//!
//! Drawn are the links of the alignment and all links of the gold standard, so that missed ones are seen as well;
//! each has a `Mark` for what it is. Links outside the words cannot be drawn, and are named in a note instead, ten at
//! most. The weight of a link becomes the opacity of its line, from 0.1 to 1. Of two weights of a link the larger
//! counts, and NaN counts as none.

use super::marks::Mark;
use crate::alignment::{Alignment, GoldAlignment, Link, WeightedLink};

/// The least opacity of a line: what is drawn is seen.
const FAINTEST: f32 = 0.1;

/// Links named where they cannot be drawn.
const NAMED: usize = 10;

/// A link as a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    pub(super) link: Link,
    pub(super) mark: Mark,
    pub(super) weight: Option<f32>,
}

impl Line {
    /// From nearly transparent to opaque, as the weight goes from 0 to 1; opaque without weight.
    pub(super) fn opacity(&self) -> f32 {
        self.weight.map_or(1.0, |weight| weight.clamp(FAINTEST, 1.0))
    }

    /// `0-1`, and the weight if there is one.
    pub(super) fn name(&self) -> String {
        self.weight.map_or_else(|| self.link.to_string(), |weight| format!("{} {weight}", self.link))
    }
}

/// All links of the alignment and the gold standard that fit sentences of these lengths, in order, and those that do
/// not. Of two weights of a link the larger counts.
pub(super) fn lines(
    alignment: &Alignment,
    gold: Option<&GoldAlignment>,
    weights: &[WeightedLink],
    source_len: usize,
    target_len: usize,
) -> (Vec<Line>, Vec<Link>) {
    let all = gold.map_or_else(|| alignment.clone(), |gold| alignment.union(gold.possible()));
    let mut weights: Vec<&WeightedLink> = weights.iter().filter(|weighted| !weighted.weight.is_nan()).collect();
    weights.sort_by(|a, b| a.link.cmp(&b.link).then(a.weight.total_cmp(&b.weight)));
    let weight = |link: Link| {
        let place = weights.partition_point(|weighted| weighted.link <= link).checked_sub(1)?;
        Some(weights[place]).filter(|weighted| weighted.link == link).map(|weighted| weighted.weight)
    };
    let inside = |link: &Link| (link.source as usize) < source_len && (link.target as usize) < target_len;
    let (drawn, outside): (Vec<Link>, Vec<Link>) = all.iter().partition(inside);
    let line = |link| Line { link, mark: Mark::of(link, alignment, gold), weight: weight(link) };
    (drawn.into_iter().map(line).collect(), outside)
}

/// The names of links that are not drawn: `not drawn: 2-2 3-1`. Nothing if there are none.
pub(super) fn not_drawn(outside: &[Link]) -> Option<String> {
    if outside.is_empty() {
        return None;
    }
    let named: Vec<String> = outside.iter().take(NAMED).map(Link::to_string).collect();
    let more = outside.len() - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("not drawn: {}{more}", named.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_their_marks_and_weights() {
        let weighted = |source, target, weight| WeightedLink { link: Link::new(source, target), weight };
        let weights = [weighted(1, 1, 0.25), weighted(0, 0, 0.01), weighted(1, 1, 0.5), weighted(0, 1, f32::NAN)];
        let gold = GoldAlignment::from_parts([(0, 0)].into(), &[(0, 1)].into());
        let (lines, outside) = lines(&[(0, 0), (1, 1), (1, 9)].into(), Some(&gold), &weights, 2, 2);
        let shown: Vec<_> = lines.iter().map(|line| (line.name(), line.mark, line.opacity())).collect();
        assert_eq!(
            shown,
            [
                ("0-0 0.01".to_owned(), Mark::Sure, 0.1),
                ("0-1".to_owned(), Mark::PossibleMissed, 1.0),
                ("1-1 0.5".to_owned(), Mark::Wrong, 0.5)
            ]
        );
        assert_eq!(not_drawn(&outside).as_deref(), Some("not drawn: 1-9"));
        assert_eq!(not_drawn(&[]), None);
        let many: Vec<Link> = (0..12).map(|n| Link::new(n, 0)).collect();
        assert!(not_drawn(&many).unwrap().ends_with(" 9-0 and 2 more"));
    }
}
