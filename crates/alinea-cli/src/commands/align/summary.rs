//! What is told at the end.

use std::fmt::Write as _;
use std::time::Duration;

use alinea::bitext::Bitext;
use alinea::format::bitext::ReadReport;
use alinea::model::Aligner;
use serde_json::json;

use super::plan::Plan;
use crate::context::Context;

/// How long the parts took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub(super) read: Duration,
    pub(super) train: Duration,
    pub(super) align: Duration,
}

/// What was done.
#[derive(Debug)]
pub(super) struct Summary<'a> {
    pub(super) report: &'a ReadReport,
    pub(super) bitext: &'a Bitext,
    pub(super) links: u64,
    pub(super) plan: &'a Plan,
    pub(super) times: Times,
}

impl Summary<'_> {
    /// Tells it: lines for people, one object for programs.
    pub(super) fn tell(&self, aligner: &Aligner, context: &Context) {
        let Self { report, bitext, links, plan, times } = self;
        let ReadReport { pairs, empty_source, empty_target, empty_both, replaced_utf8, .. } = **report;
        let skipped_long = report.skipped_long.len();
        let (source, target) = (bitext.source.token_count(), bitext.target.token_count());
        let signature = plan.signature(&aligner.signature());
        let total = times.read + times.train + times.align;
        let mut text = String::new();
        let mut line = |name: &str, value: String| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<10} {value}");
        };
        line("pairs", pairs.to_string());
        line("tokens", format!("{source} source, {target} target"));
        if empty_source + empty_target + empty_both > 0 {
            line("empty", format!("{empty_source} source only, {empty_target} target only, {empty_both} both"));
        }
        if skipped_long > 0 {
            line("skipped", format!("{skipped_long} pairs longer than {} tokens", plan.read.max_length));
        }
        if replaced_utf8 > 0 {
            line("replaced", format!("invalid UTF-8 in {replaced_utf8} lines"));
        }
        line("links", format!("{links}, {:.2} a pair", *links as f64 / pairs as f64));
        line("model", signature.clone());
        line(
            "time",
            format!(
                "{:.1} s: reading {:.1}, training {:.1}, aligning {:.1}",
                total.as_secs_f64(),
                times.read.as_secs_f64(),
                times.train.as_secs_f64(),
                times.align.as_secs_f64()
            ),
        );
        context.summary(
            text.trim_end(),
            &json!({
                "pairs": pairs, "source_tokens": source, "target_tokens": target, "empty_source": empty_source,
                "empty_target": empty_target, "empty_both": empty_both, "skipped_long": skipped_long,
                "replaced_utf8": replaced_utf8, "links": links, "signature": signature,
                "seconds": total.as_secs_f64(),
            }),
        );
    }
}
