//! What became of labels: a JSON line for each, and how many there are of each kind.

use std::fmt::Write as _;

use alinea::error::Result;
use alinea::format::sink::Output;
use alinea::project::labels::{Loss, ProjectedLabels};
use serde_json::{Value, json};

use crate::context::Context;

/// Why a label was not carried, in words.
const LOSSES: [&str; 5] = [
    Loss::Unlinked.name(),
    Loss::Weak.name(),
    Loss::Taken.name(),
    Loss::Unconfident.name(),
    // It is on no word at all.
    WORDLESS,
];

/// Why a label of white space was not carried.
pub(super) const WORDLESS: &str = "wordless";

/// What became of a label.
pub(super) struct Fate<'f> {
    /// The number of its pair, from 1.
    pub(super) pair: usize,
    pub(super) label: &'f str,
    /// Where it is: words or characters, from and to.
    pub(super) source: [usize; 2],
    pub(super) target: Vec<[usize; 2]>,
    pub(super) confidence: Vec<f32>,
    pub(super) lost: Option<&'static str>,
}

impl<'f> Fate<'f> {
    /// That of a label that was looked for, by its number among those of the pair; `place` makes places of words.
    pub(super) fn new(
        (pair, label, source): (usize, &'f str, [usize; 2]),
        number: usize,
        found: &ProjectedLabels,
        place: impl Fn(&std::ops::Range<usize>) -> [usize; 2],
    ) -> Self {
        let stretches = || found.spans.iter().filter(|span| span.source == number);
        Self {
            pair,
            label,
            source,
            target: stretches().map(|span| place(&span.words)).collect(),
            confidence: stretches().map(|span| span.confidence).collect(),
            lost: found.lost.iter().find(|(lost, _)| *lost == number).map(|(_, why)| why.name()),
        }
    }

    fn write(&self, report: &mut Output) -> Result<()> {
        let Self { pair, label, source, target, confidence, lost } = self;
        let line = json!({
            "pair": pair, "label": label, "source": source, "target": target, "confidence": confidence, "lost": lost,
        });
        report.write_bytes(format!("{line}\n").as_bytes())
    }
}

/// How many there are of each kind.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) pairs: u64,
    labels: u64,
    twice: u64,
    lost: [u64; LOSSES.len()],
    /// Labels of characters that got whole words; nothing where labels are of words.
    widened: Option<u64>,
    /// What speaks of something that is not there.
    pub(super) left_out: u64,
}

impl Totals {
    /// For labels of characters, of which so many got whole words.
    pub(super) fn of_characters(widened: u64) -> Self {
        Self { widened: Some(widened), ..Self::default() }
    }

    /// Counts a label, and writes a line about it.
    pub(super) fn add(&mut self, fate: &Fate<'_>, report: &mut Option<Output>) -> Result<()> {
        self.labels += 1;
        self.twice += u64::from(fate.target.len() > 1);
        for (lost, loss) in self.lost.iter_mut().zip(LOSSES) {
            *lost += u64::from(fate.lost == Some(loss));
        }
        report.as_mut().map_or(Ok(()), |report| fate.write(report))
    }

    pub(super) fn tell(&self, context: &Context) {
        let Self { pairs, labels, twice, lost, widened, left_out } = *self;
        let all_lost: u64 = lost.iter().sum();
        let reasons = || lost.into_iter().zip(LOSSES).filter(|(number, _)| *number > 0);
        let why: Vec<String> = reasons().map(|(number, loss)| format!("{number} {loss}")).collect();
        let why = if why.is_empty() { String::new() } else { format!(": {}", why.join(", ")) };
        let again = if twice > 0 { format!(", {twice} of them in more than one place") } else { String::new() };
        let carried = labels - all_lost;
        let mut text =
            format!("pairs      {pairs}\nlabels     {labels}\ncarried    {carried}{again}\nlost       {all_lost}{why}");
        if let Some(widened) = widened.filter(|&widened| widened > 0) {
            let _ = write!(text, "\nwidened    {widened} that began or ended inside a word");
        }
        if left_out > 0 {
            let _ = write!(text, "\nleft out   {left_out} that referred to what was not carried");
        }
        let lost: serde_json::Map<String, Value> = lost
            .into_iter()
            .zip(LOSSES)
            .filter(|(number, loss)| *loss != WORDLESS || *number > 0)
            .map(|(number, loss)| (loss.to_owned(), number.into()))
            .collect();
        let mut numbers = json!({"pairs": pairs, "labels": labels, "carried": carried, "again": twice, "lost": lost});
        if let Some(widened) = widened {
            numbers["widened"] = widened.into();
            numbers["left_out"] = left_out.into();
        }
        context.summary(&text, &numbers);
    }
}
