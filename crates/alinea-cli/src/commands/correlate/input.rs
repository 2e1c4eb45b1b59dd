//! Files of scores for `alinea correlate`, and the items that people and all metrics have scored.
//!
//! A line is `system TAB score` or `system TAB segment TAB score`; in the first form the lines of a system are its
//! segments in order. A first line that begins with `system` is a heading. With a heading there may be more columns of
//! scores behind `system TAB segment`, each with the name of a metric: so `metric --segments` writes them. `None`,
//! `NaN` and `-` stand for missing scores. Scores of which less is better, as the heading may say, change their sign,
//! so that more is better everywhere.
//!
//! An item is a segment and a system. Segments that are numbers are padded with zeros, so that they sort as numbers.
//! `common` keeps the items with a score in every file, grouped by segment, and counts those that people have scored
//! but a metric has not. At the level of systems the score of a system is the mean over the translations that all files
//! with segments have scored; a file with one line a system gives its score directly.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use alinea::error::{Error, ErrorKind, Result};
use alinea::format::lines::{LineReader, Utf8};
use alinea::metric::correlation::ItemScores;
use anyhow::bail;
use clap::ValueEnum;

use crate::commands::metric::LESS_IS_BETTER;

/// What a heading calls the column of segments.
const SEGMENT: [&str; 3] = ["segment", "seg", "line"];

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Level {
    /// Systems
    System,
    /// Translations, compared within each segment
    Segment,
    /// Translations, compared across segments
    Translation,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "system",
            Self::Segment => "segment",
            Self::Translation => "translation",
        })
    }
}

/// A translation: its segment, and the system that made it.
type Item = (String, String);

/// The scores in a column of a file; more is better. Nothing in place of a score that is missing.
#[derive(Debug)]
pub(super) struct Scores {
    /// The name of the file.
    name: String,
    /// What the heading calls them, if there is one.
    column: Option<String>,
    /// Whether the heading says that less is better, so that they have changed their sign.
    reversed: bool,
    items: BTreeMap<Item, Option<f64>>,
}

impl Scores {
    /// Reads a file: the scores of each column. They change their sign where the heading says that less is better.
    pub(super) fn read(path: &Path) -> anyhow::Result<Vec<Self>> {
        let mut lines = LineReader::open(path, Utf8::Strict)?;
        let name = lines.name().to_owned();
        let of_column = |column: Option<&str>| {
            let (bare, reversed) = column.map_or((None, false), |column| match column.strip_suffix(LESS_IS_BETTER) {
                Some(bare) => (Some(bare), true),
                None => (Some(column), false),
            });
            Self { name: name.clone(), column: bare.map(str::to_owned), reversed, items: BTreeMap::new() }
        };
        let mut columns = vec![of_column(None)];
        let mut by_system = false;
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut line = String::new();
        while lines.read_into(&mut line)? {
            let fields: Vec<&str> = line.split('\t').collect();
            if lines.number() == 1 && fields[0] == "system" {
                // A second column is the segment if it is called so.
                let has_segment = fields.get(1).is_some_and(|name| SEGMENT.contains(name)) && fields.len() > 2;
                let first = if has_segment { 2 } else { 1.min(fields.len() - 1) };
                by_system = fields.len() > 2 && !has_segment;
                if first > 0 {
                    columns = fields[first..].iter().map(|column| of_column(Some(column))).collect();
                }
                continue;
            }
            let (system, segment, found) = match fields[..] {
                [system, ref scores @ ..] if scores.len() == columns.len() && (by_system || columns.len() == 1) => {
                    let count = counts.entry(system.to_owned()).or_insert(0);
                    *count += 1;
                    // In this form numbers sort as they count.
                    (system, format!("{count:012}"), scores.to_vec())
                }
                [system, segment, ref scores @ ..] if scores.len() == columns.len() => {
                    (system, segment.to_owned(), scores.to_vec())
                }
                _ => {
                    let expected = match columns.len() {
                        1 => "system and score, or system, segment and score, separated by tabs".to_owned(),
                        count if by_system => {
                            format!("system and {count} scores, separated by tabs, as in the heading")
                        }
                        count => format!("system, segment and {count} scores, separated by tabs, as in the heading"),
                    };
                    return Err(Error::parse(lines.position(1), expected, line.as_bytes()).into());
                }
            };
            let item = (numbered(segment), system.to_owned());
            let mut start = line.len() + 1 - found.iter().map(|score| score.len() + 1).sum::<usize>();
            for (scores, text) in columns.iter_mut().zip(found) {
                let score = number(text)
                    .map_err(|()| Error::parse(lines.position(start + 1), "a number, or None", text.as_bytes()))?;
                start += text.len() + 1;
                let score = score.map(|score| if scores.reversed { -score } else { score });
                if scores.items.insert(item.clone(), score).is_some() {
                    let expected = "one score per translation (this is the second)";
                    return Err(Error::parse(lines.position(1), expected, line.as_bytes()).into());
                }
            }
        }
        if columns[0].items.is_empty() {
            return Err(Error::from(ErrorKind::Empty(format!("{name} has no scores"))).into());
        }
        Ok(columns)
    }

    /// Reads a file that has one score of a translation.
    pub(super) fn read_one(path: &Path) -> anyhow::Result<Self> {
        let mut columns = Self::read(path)?;
        match (columns.pop(), columns.len()) {
            (Some(scores), 0) => Ok(scores),
            (_, others) => bail!("{} has {} columns of scores: one is needed", path.display(), others + 1),
        }
    }

    /// What the heading calls the scores, if there is one.
    pub(super) fn column(&self) -> Option<&str> {
        self.column.as_deref()
    }

    /// The same scores if less is better; those of which the heading says so are as they should be.
    pub(super) fn less_is_better(mut self) -> Self {
        if !self.reversed {
            self.items.values_mut().flatten().for_each(|score| *score = -*score);
            self.reversed = true;
        }
        self
    }

    /// Whether a system has several.
    pub(super) fn has_segments(&self) -> bool {
        let mut systems = BTreeSet::new();
        !self.items.keys().all(|(_, system)| systems.insert(system))
    }

    /// The mean score of each system, over these translations, or over all.
    fn of_systems(&self, among: Option<&BTreeSet<&Item>>) -> BTreeMap<Item, Option<f64>> {
        let mut sums: BTreeMap<Item, (f64, f64)> = BTreeMap::new();
        let counted = self.items.iter().filter(|(item, _)| among.is_none_or(|among| among.contains(item)));
        for ((_, system), score) in counted {
            if let Some(score) = score {
                let sum = sums.entry((String::new(), system.clone())).or_default();
                *sum = (sum.0 + score, sum.1 + 1.0);
            }
        }
        sums.into_iter().map(|(system, (sum, count))| (system, Some(sum / count))).collect()
    }
}

/// Segments that are numbers get one form, whether they are given or counted.
fn numbered(segment: String) -> String {
    segment.parse::<u64>().map_or(segment, |number| format!("{number:012}"))
}

/// A score, or none if it is missing; an error if it is no score.
fn number(text: &str) -> std::result::Result<Option<f64>, ()> {
    let text = text.trim();
    if matches!(text, "None" | "NaN" | "nan" | "-") {
        return Ok(None);
    }
    let number: f64 = text.parse().map_err(|_| ())?;
    if number.is_finite() { Ok(Some(number)) } else { Err(()) }
}

/// The items that people and all metrics have scored, by metric, and how many people have scored that a metric has not.
///
/// Scores of systems are means over the translations that all have, where all have several of a system; a file that has
/// one line a system says its score itself.
pub(super) fn common(
    human: &Scores,
    metrics: &[Scores],
    level: Level,
    least_difference: f64,
) -> anyhow::Result<(Vec<ItemScores>, usize)> {
    if level != Level::System
        && let Some(coarse) = std::iter::once(human).chain(metrics).find(|scores| !scores.has_segments())
    {
        bail!("{}: has one score for each system, not scores of segments", coarse.name);
    }
    let by_segment: Vec<&Scores> =
        std::iter::once(human).chain(metrics).filter(|scores| scores.has_segments()).collect();
    let shared: BTreeSet<&Item> = by_segment.first().map_or_else(BTreeSet::new, |first| {
        let scored =
            |item: &&Item| by_segment.iter().all(|scores| scores.items.get(*item).copied().flatten().is_some());
        first.items.keys().filter(scored).collect()
    });
    let of_level = |scores: &Scores| match level {
        Level::Segment | Level::Translation => scores.items.clone(),
        Level::System => scores.of_systems(scores.has_segments().then_some(&shared)),
    };
    let (human_items, metric_items) = (of_level(human), metrics.iter().map(of_level).collect::<Vec<_>>());
    let scored = human_items.iter().filter_map(|(item, score)| Some((item, (*score)?)));
    let (mut kept, mut dropped) = (Vec::new(), 0);
    for (item, score) in scored {
        let of_metrics: Option<Vec<f64>> =
            metric_items.iter().map(|items| items.get(item).copied().flatten()).collect();
        match of_metrics {
            Some(of_metrics) => kept.push((&item.0, score, of_metrics)),
            None => dropped += 1,
        }
    }
    if kept.is_empty() {
        bail!("no {level} has a score in all files");
    }
    let mut ends = Vec::new();
    let mut end = 0;
    for group in kept.chunk_by(|one, other| one.0 == other.0) {
        end += group.len();
        ends.push(end);
    }
    let scores = (0..metrics.len()).map(|metric| {
        let of_people = kept.iter().map(|(_, score, _)| *score).collect();
        let of_metric = kept.iter().map(|(_, _, scores)| scores[metric]).collect();
        let scores = ItemScores::with_least_difference(of_people, of_metric, ends.clone(), least_difference)?;
        Ok(if level == Level::Translation { scores.across_groups() } else { scores })
    });
    Ok((scores.collect::<Result<_>>()?, dropped))
}
