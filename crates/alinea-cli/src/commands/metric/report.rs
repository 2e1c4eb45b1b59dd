//! The output of `alinea metric`: lines, tables in three styles, JSON, and scores of single segments.
//!
//! One system has a line for each metric, `name|signature = score details`, in the form of sacreBLEU. Several systems,
//! or another style, have a table with a row for each system and a column for each metric: aligned text, Markdown, or
//! LaTeX with booktabs. Below it stand the signatures. `*` marks a difference from the first system with p < 0.05.
//! Percentages have `width` decimals, scores from 0 to 1 two more. `--score-only` leaves a line of scores a system.
//!
//! JSON has all digits, and details, intervals and p-values where there are any. `segments` writes a line for each
//! segment with the scores of all systems, and of each system those of all metrics: between tabs, or as JSON.

use std::fmt::Write as _;

use alinea::metric::Metric;
use alinea::metric::significance::Tested;
use clap::ValueEnum;
use serde_json::{Value, json};

use super::scoring::{Counted, MetricResult, more_decimals};

/// What tables look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Style {
    /// For a terminal; one system as lines in the form of sacreBLEU
    Text,
    /// For a README or an issue
    Markdown,
    /// For a paper, with booktabs
    Latex,
}

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
}

impl Report {
    /// For people.
    pub(super) fn text(&self, style: Style, width: usize, score_only: bool, short: bool) -> String {
        if score_only {
            return self.scores_only(width);
        }
        if self.names.len() == 1 && style == Style::Text {
            return self.lines(width, short);
        }
        let mut text = self.table(style, width);
        let marked = self
            .results
            .iter()
            .flat_map(|result| &result.scores)
            .any(|score| score.p_value.is_some() && !score.identical);
        let identical = self.results.iter().flat_map(|result| &result.scores).any(|score| score.identical);
        let comment = if style == Style::Latex { "% " } else { "" };
        text.push('\n');
        if identical {
            _ = writeln!(text, "{comment}identical: each segment has the same counts as in {}", self.names[0]);
        }
        if marked {
            _ = writeln!(text, "{comment}* differs from {} with p < {SIGNIFICANT}", self.names[0]);
        }
        for result in &self.results {
            _ = writeln!(text, "{comment}{}|{}", result.name, signature(result, short));
        }
        text
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

    fn table(&self, style: Style, width: usize) -> String {
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
        let mut rows = vec![vec!["System".to_owned()]];
        rows[0].extend(self.results.iter().map(|result| {
            let arrow = if result.higher_is_better { "" } else { " (less is better)" };
            format!("{}{arrow}", result.name)
        }));
        for (system, name) in self.names.iter().enumerate() {
            let cells = self.results.iter().map(|result| cell(result, system));
            rows.push([name.clone()].into_iter().chain(cells).collect());
        }
        match style {
            Style::Text => aligned(&rows),
            Style::Markdown => markdown(&rows),
            Style::Latex => latex(&rows),
        }
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
        let report = json!({"segments": self.segments, "systems": systems});
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

fn aligned(rows: &[Vec<String>]) -> String {
    let length = |cell: &String| cell.chars().count();
    let widths: Vec<usize> =
        (0..rows[0].len()).map(|column| rows.iter().map(|row| length(&row[column])).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

fn markdown(rows: &[Vec<String>]) -> String {
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        _ = writeln!(text, "| {} |", cells.join(" | "));
        if number == 0 {
            _ = writeln!(text, "|{}", "---|".repeat(row.len()));
        }
    }
    text
}

fn latex(rows: &[Vec<String>]) -> String {
    let mut text = format!("\\begin{{tabular}}{{l{}}}\n\\toprule\n", "r".repeat(rows[0].len() - 1));
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| escape_latex(cell)).collect();
        _ = writeln!(text, "{} \\\\", cells.join(" & "));
        if number == 0 {
            text.push_str("\\midrule\n");
        }
    }
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    text
}

fn escape_latex(cell: &str) -> String {
    let mut escaped = String::new();
    for character in cell.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', character]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            'μ' => escaped.push_str("$\\mu$"),
            '±' => escaped.push_str("$\\pm$"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// The scores of segments: a line each, systems in order, and for each its metrics. With a width as text between tabs,
/// otherwise as JSON.
pub(super) fn segments(metrics: &[Box<dyn Metric>], counted: &Counted, width: Option<usize>) -> anyhow::Result<String> {
    let mut text = String::new();
    let systems = counted.rows[0].len();
    for segment in 0..counted.segments {
        let of_system = |system: usize| {
            metrics.iter().zip(&counted.rows).map(move |(metric, rows)| {
                let width = metric.width();
                metric.score(&rows[system].values()[segment * width..(segment + 1) * width])
            })
        };
        if let Some(width) = width {
            let scores = (0..systems)
                .flat_map(|system| of_system(system).zip(metrics))
                .map(|(score, metric)| format!("{score:.*}", width + more_decimals(metric.as_ref())));
            text.push_str(&scores.collect::<Vec<_>>().join("\t"));
        } else {
            let scores: Vec<Vec<f64>> = (0..systems).map(|system| of_system(system).collect()).collect();
            text.push_str(&serde_json::to_string(&json!({"segment": segment + 1, "scores": scores}))?);
        }
        text.push('\n');
    }
    Ok(text)
}
