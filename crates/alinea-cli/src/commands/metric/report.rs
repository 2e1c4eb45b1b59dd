//! The output of `alinea metric`: lines, tables, JSON, and scores of single segments.
//!
//! One system has a line for each metric, `name|signature = score details`, in the form of sacreBLEU. Several systems,
//! or another format, have a table with a row for each system and a column for each metric: aligned text, Markdown,
//! LaTeX with booktabs, or a page of HTML. Scores stand on the right, scores with intervals or p-values on the left.
//! Below the table stand the signatures. `*` marks a difference from the first system with p < 0.05. Percentages have
//! `width` decimals, scores from 0 to 1 two more. `--score-only` leaves a line of scores for each system. JSON has all
//! digits, and details, intervals and p-values where there are any.
//!
//! Scores of segments are a table between tabs with a heading: system, segment, and a column for each metric, as
//! `correlate` reads them; [`LESS_IS_BETTER`] marks metrics of which less is better. `--score-only` leaves a line for
//! each segment with the scores of all systems side by side, JSON is such lines with all digits.

use std::fmt::Write as _;

use alinea::evaluate::{Table, TableStyle, html_page};
use alinea::metric::Metric;
use alinea::metric::significance::Tested;
use serde_json::{Value, json};

use super::scoring::{self, Counted, MetricResult, more_decimals};

/// Stands behind the name of a metric of which less is better.
pub(crate) const LESS_IS_BETTER: &str = " (less is better)";

/// Below this, differences are marked.
const SIGNIFICANT: f64 = 0.05;

/// All scores.
#[derive(Debug)]
pub(super) struct Report {
    /// Of the systems.
    pub(super) names: Vec<String>,
    /// By metric.
    pub(super) results: Vec<MetricResult>,
    /// How many were scored.
    pub(super) segments: usize,
    /// The test sets of the references, with the language pair.
    pub(super) test_set: Option<(String, String)>,
}

impl Report {
    /// For people.
    pub(super) fn text(&self, style: TableStyle, width: usize, score_only: bool, short: bool) -> String {
        if score_only {
            return self.scores_only(width);
        }
        if self.names.len() == 1 && style == TableStyle::Text {
            return self.lines(width, short);
        }
        let (table, notes) = (self.table(width), self.notes(short));
        if style == TableStyle::Html {
            return html_page("Translation scores", &[table], &notes);
        }
        let comment = if style == TableStyle::Latex { "% " } else { "" };
        let mut text = table.to_text(style) + "\n";
        for note in notes {
            _ = writeln!(text, "{comment}{note}");
        }
        text
    }

    /// What stands below a table.
    fn notes(&self, short: bool) -> Vec<String> {
        let scores = || self.results.iter().flat_map(|result| &result.scores);
        let mut notes = Vec::new();
        if scores().any(|score| score.identical) {
            notes.push(format!("identical: each segment has the same counts as in {}", self.names[0]));
        }
        if scores().any(|score| score.p_value.is_some() && !score.identical) {
            notes.push(format!("* differs from {} with p < {SIGNIFICANT}", self.names[0]));
        }
        notes.extend(self.results.iter().map(|result| format!("{}|{}", result.name, signature(result, short))));
        notes
    }

    /// A line for each metric of the one system.
    fn lines(&self, width: usize, short: bool) -> String {
        let mut text = String::new();
        for result in &self.results {
            let score = with_interval(&result.scores[0], width + result.more_decimals);
            let behind = if result.details[0].is_empty() { "" } else { " " };
            let signature = signature(result, short);
            _ = writeln!(text, "{}|{signature} = {score}{behind}{}", result.name, result.details[0]);
        }
        text
    }

    /// A line for each system.
    fn scores_only(&self, width: usize) -> String {
        let mut text = String::new();
        for system in 0..self.names.len() {
            let scores =
                self.results.iter().map(|result| with_interval(&result.scores[system], width + result.more_decimals));
            text.push_str(&scores.collect::<Vec<_>>().join("\t"));
            text.push('\n');
        }
        text
    }

    /// A row for each system.
    fn table(&self, width: usize) -> Table {
        let cell = |result: &MetricResult, system: usize| {
            let score = &result.scores[system];
            let mut cell = with_interval(score, width + result.more_decimals);
            if score.identical {
                cell.push_str(" identical");
            } else if let Some(p) = score.p_value {
                let mark = if p < SIGNIFICANT { "*" } else { "" };
                _ = write!(cell, " p = {p:.4}{mark}");
            }
            cell
        };
        let heading = |result: &MetricResult| {
            let direction = if result.higher_is_better { "" } else { LESS_IS_BETTER };
            format!("{}{direction}", result.name)
        };
        let headings: Vec<String> = self.results.iter().map(heading).collect();
        let headings: Vec<&str> = std::iter::once("System").chain(headings.iter().map(String::as_str)).collect();
        let mut scores = self.results.iter().flat_map(|result| &result.scores);
        let are_numbers = scores.all(|score| score.confidence.is_none() && score.p_value.is_none() && !score.identical);
        let (names, numbers) = headings.split_at(if are_numbers { 1 } else { headings.len() });
        let mut table = Table::untitled(names, numbers).with_booktabs();
        for (system, name) in self.names.iter().enumerate() {
            let cells = self.results.iter().map(|result| cell(result, system));
            table.row(std::iter::once(name.clone()).chain(cells));
        }
        table
    }

    /// For programs.
    pub(super) fn json(&self) -> anyhow::Result<String> {
        let systems: Vec<Value> = self
            .names
            .iter()
            .enumerate()
            .map(|(system, name)| {
                let scores: Vec<Value> = self.results.iter().map(|result| score_json(result, system)).collect();
                json!({"system": name, "scores": scores})
            })
            .collect();
        let mut report = json!({"segments": self.segments, "systems": systems});
        if let Some((name, pair)) = &self.test_set {
            report["test_set"] = json!(name);
            report["language_pair"] = json!(pair);
        }
        Ok(serde_json::to_string(&report)? + "\n")
    }
}

fn score_json(result: &MetricResult, system: usize) -> Value {
    let score = &result.scores[system];
    let mut value = json!({"name": result.name, "score": score.score, "signature": result.signature.to_string()});
    if !result.details[system].is_empty() {
        value["details"] = json!(result.details[system]);
    }
    if let Some(confidence) = score.confidence {
        value["confidence"] = json!({"mean": confidence.mean, "half_width": confidence.half_width});
    }
    if let Some(p) = score.p_value {
        value["p_value"] = json!(p);
    }
    if system > 0 && result.tested {
        value["identical"] = json!(score.identical);
    }
    value
}

fn signature(result: &MetricResult, short: bool) -> String {
    if short { result.signature.short() } else { result.signature.to_string() }
}

fn with_interval(score: &Tested, width: usize) -> String {
    match score.confidence {
        None => format!("{:.width$}", score.score),
        Some(interval) => {
            format!("{:.width$} (μ = {:.width$} ± {:.width$})", score.score, interval.mean, interval.half_width)
        }
    }
}

/// How scores of segments are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SegmentLayout {
    /// As a table that `correlate` reads, with these decimals of percentages, or with all digits.
    Table(Option<usize>),
    /// As a line for each segment, with these decimals of percentages.
    Scores(usize),
    /// The same as JSON, with all digits.
    Json,
}

/// The scores of segments, of these systems and metrics.
pub(super) fn segments(
    metrics: &[Box<dyn Metric>],
    names: &[String],
    counted: &Counted,
    layout: SegmentLayout,
) -> anyhow::Result<String> {
    let scores = |system: usize, segment: usize| {
        metrics.iter().zip(&counted.rows).map(move |(metric, rows)| {
            let width = metric.width();
            metric.score(&rows[system].values()[segment * width..(segment + 1) * width])
        })
    };
    let written = |score: f64, metric: &dyn Metric, width: usize| format!("{score:.*}", width + more_decimals(metric));
    let mut text = String::new();
    if let SegmentLayout::Table(width) = layout {
        text.push_str("system\tsegment");
        for (name, metric) in scoring::names(metrics).iter().zip(metrics) {
            let direction = if metric.higher_is_better() { "" } else { LESS_IS_BETTER };
            _ = write!(text, "\t{name}{direction}");
        }
        text.push('\n');
        for (system, name) in names.iter().enumerate() {
            let name = name.replace(['\t', '\n', '\r'], " ");
            for segment in 0..counted.segments {
                _ = write!(text, "{name}\t{}", segment + 1);
                for (score, metric) in scores(system, segment).zip(metrics) {
                    text.push('\t');
                    text += &width.map_or_else(|| score.to_string(), |width| written(score, metric.as_ref(), width));
                }
                text.push('\n');
            }
        }
        return Ok(text);
    }
    for segment in 0..counted.segments {
        if let SegmentLayout::Scores(width) = layout {
            let scores = (0..names.len())
                .flat_map(|system| scores(system, segment).zip(metrics))
                .map(|(score, metric)| written(score, metric.as_ref(), width));
            text.push_str(&scores.collect::<Vec<_>>().join("\t"));
        } else {
            let scores: Vec<Vec<f64>> = (0..names.len()).map(|system| scores(system, segment).collect()).collect();
            text.push_str(&serde_json::to_string(&json!({"segment": segment + 1, "scores": scores}))?);
        }
        text.push('\n');
    }
    Ok(text)
}
