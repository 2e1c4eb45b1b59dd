//! Why links were added: a table with a line for each.

use std::fmt::Write as _;

use alinea::alignment::Link;
use alinea::project::links::{Origin, Projection, RuleSet};

use super::input::Sentences;

/// The names of the columns.
pub(super) const HEADER: &str =
    "sentence\tlink\tsource\ttarget\trule\tdirection\tfrom\tfrom_source\tfrom_target\tsupports\tround\tprobability\n";

/// The lines of a pair, numbered from 1. Positions count from 0, as in links.
pub(super) fn lines(number: u64, pair: &Sentences, projection: &Projection, rules: &RuleSet) -> String {
    let mut lines = String::new();
    let words =
        |link: Link| format!("{}\t{}", pair.source.word(link.source).form(), pair.target.word(link.target).form());
    for carried in &projection.added {
        let (link, supports, round) = (carried.link, carried.supports, carried.round);
        let origin = carried.origin.map_or("-\t-\t-\t-\t-".to_owned(), |Origin { from, direction, rule }| {
            let rule = &rules.rules[rule].condition;
            format!("{rule}\t{}\t{from}\t{}", direction.name(), words(from))
        });
        let probability = carried.probability.map_or("-".to_owned(), |probability| format!("{probability:.4}"));
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{number}\t{link}\t{}\t{origin}\t{supports}\t{round}\t{probability}", words(link));
    }
    lines
}
