//! The final report of `align`: what was read, trained, chosen and written, with times.
//!
//! The same facts have two forms: lines `name value` for people, and one JSON object for `--progress json`, both built
//! in `tell`. Lines that would say nothing (no added text, nothing skipped) are left out. The signature, which
//! identifies model and decoding, is for papers: people get it if they ask for it (`--signature`).

use std::fmt::Write as _;
use std::time::Duration;

use alinea::align::{ExpectedScores, ThresholdChoice};
use alinea::format::bitext::ReadReport;
use serde_json::{Value, json};

use super::decode::Written;
use super::plan::Plan;
use crate::context::Context;
use crate::input::links::counted;
use crate::input::training::{AddedText, cut_summary};

/// How long the parts took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) read: Duration,
    /// If there is an encoder.
    pub(super) encode: Option<Duration>,
    pub(super) train: Duration,
    pub(super) align: Duration,
}

/// What was done.
#[derive(Debug)]
pub(super) struct Summary<'a> {
    pub(super) report: &'a ReadReport,
    /// Of the source and of the target, without added text.
    pub(super) tokens: [usize; 2],
    pub(super) added: &'a [AddedText],
    /// How many pairs were aligned in stretches.
    pub(super) cut: usize,
    /// What was known beforehand: names, and values for people and for programs.
    pub(super) known: Vec<(&'static str, String, Value)>,
    pub(super) links: u64,
    pub(super) plan: &'a Plan,
    /// The model's.
    pub(super) signature: &'a str,
    /// Whether people get it, too.
    pub(super) shows_signature: bool,
    pub(super) times: Times,
}

impl Summary<'_> {
    /// Tells it: lines for people, one object for programs.
    pub(super) fn tell(&self, context: &Context) {
        let Self { report, tokens: [source, target], added, cut, known, links, plan, times, .. } = self;
        let ReadReport { pairs, empty_source, empty_target, empty_both, replaced_utf8, .. } = **report;
        let skipped_long = report.skipped_long.len();
        let signature = plan.signature(self.signature);
        let Times { read, encode, train, align } = *times;
        let total = read + encode.unwrap_or_default() + train + align;
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<10} {value}");
        };
        line("pairs", pairs.to_string());
        line("tokens", format!("{source} source, {target} target"));
        for text in *added {
            line("added", text.summary());
        }
        for (name, text, _) in known {
            line(name, text.clone());
        }
        if empty_source + empty_target + empty_both > 0 {
            line("empty", format!("{empty_source} source only, {empty_target} target only, {empty_both} both"));
        }
        if skipped_long > 0 {
            let pairs = counted(skipped_long as u64, "pair");
            line("skipped", format!("{pairs} longer than {} tokens", plan.read.max_length));
        }
        if *cut > 0 {
            line("segments", cut_summary(*cut));
        }
        if replaced_utf8 > 0 {
            line("replaced", format!("invalid UTF-8 in {}", counted(replaced_utf8, "line")));
        }
        line("links", format!("{links}, {:.2} per pair", *links as f64 / pairs as f64));
        if let Some(choice) = &plan.chosen {
            line("threshold", describe(choice));
        }
        let parts =
            [("reading", Some(read)), ("encoding", encode), ("training", Some(train)), ("aligning", Some(align))];
        let parts = parts.into_iter().filter_map(|(part, time)| Some(format!("{part} {:.1}", time?.as_secs_f64())));
        line("time", format!("{:.1} s: {}", total.as_secs_f64(), parts.collect::<Vec<_>>().join(", ")));
        let mut numbers = json!({
            "pairs": pairs, "source_tokens": source, "target_tokens": target, "empty_source": empty_source,
            "empty_target": empty_target, "empty_both": empty_both, "skipped_long": skipped_long,
            "replaced_utf8": replaced_utf8, "links": links, "signature": signature,
            "seconds": total.as_secs_f64(),
        });
        if !added.is_empty() {
            numbers["added"] = added.iter().map(AddedText::numbers).collect();
        }
        if *cut > 0 {
            numbers["in_stretches"] = json!(cut);
        }
        for (name, _, value) in known {
            numbers[*name] = value.clone();
        }
        if let Some(choice) = &plan.chosen {
            numbers["threshold"] = chosen_numbers(choice);
        }
        context.summary(text.trim_end(), &numbers);
        if self.shows_signature {
            context.answer(format_args!("signature  {signature}"));
        }
    }
}

/// What was left out because of other tokens, if anything was, as one of the things that are known.
pub(super) fn left_out(written: &Written) -> Option<(&'static str, String, Value)> {
    let described = written.tokens.described();
    let numbers = json!({ "pairs": written.tokens.unmatched, "links": written.tokens.links });
    (!described.is_empty()).then(|| ("dropped", described.join(", "), numbers))
}

/// The threshold that was chosen, for people.
fn describe(ThresholdChoice { objective, scores, .. }: &ThresholdChoice) -> String {
    let ExpectedScores { threshold, precision, recall, f, aer } = scores;
    let percent = |score: &Option<f64>| score.map_or_else(|| "-".to_owned(), |score| format!("{:.2}", 100.0 * score));
    #[expect(clippy::float_cmp, reason = "the default is written as this literal")]
    let weighted = if objective.alpha() == 0.5 { "F".to_owned() } else { format!("F({})", objective.alpha()) };
    let [precision, recall, f, aer] = [precision, recall, f, aer].map(percent);
    format!("{threshold} for {objective}; expected precision {precision}, recall {recall}, {weighted} {f}, AER {aer}")
}

/// The same for programs.
fn chosen_numbers(ThresholdChoice { objective, scores, reached }: &ThresholdChoice) -> Value {
    // Of single precision: the nearest number of few digits is meant.
    let threshold = (f64::from(scores.threshold) * 1e3).round() / 1e3;
    json!({
        "value": threshold, "objective": objective.to_string(), "reached": reached, "precision": scores.precision,
        "recall": scores.recall, "f": scores.f, "aer": scores.aer,
    })
}
