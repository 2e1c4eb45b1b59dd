//! The evaluation of a page: every system against every gold standard, over the pairs that both have.
//!
//! Scores are those of [`evaluate`] with its intervals. Where links of a system have confidences, a curve has precision
//! and recall of every threshold, and a diagram shows what confidences promise and keep
//! ([`reliability`](crate::evaluate::reliability)).

use std::fmt::Write as _;

use super::charts;
use super::escaping::push_escaped;
use super::layer::Layer;
use crate::alignment::{Alignment, GoldAlignment, WeightedLink};
use crate::error::Result;
use crate::evaluate::{Evaluation, Options, ThresholdPoint, evaluate, reliability, threshold_curve};
use crate::format::alignment::{LinkRecord, PairRecord};
use crate::numeric::Estimate;

/// Bins of the diagram of confidences.
const BINS: usize = 10;

/// The links of all layers, pair by pair.
#[derive(Debug)]
pub(super) struct Evaluated {
    layers: Vec<Vec<Option<PairRecord>>>,
}

impl Evaluated {
    pub(super) fn new(layers: usize) -> Self {
        Self { layers: vec![Vec::new(); layers] }
    }

    /// Takes the links of the next pair, of each layer that has some.
    pub(super) fn push(&mut self, links: &[&[LinkRecord]], has: impl Fn(usize) -> bool) {
        for (n, (layer, links)) in self.layers.iter_mut().zip(links).enumerate() {
            layer.push(has(n).then(|| PairRecord { links: links.to_vec(), ..PairRecord::default() }));
        }
    }

    /// Tables and charts; nothing if there is no pair.
    pub(super) fn html(&self, layers: &[Layer]) -> Result<String> {
        let pairs = self.layers.first().map_or(0, Vec::len);
        if pairs == 0 {
            return Ok(String::new());
        }
        let annotated = |people: &[Option<PairRecord>]| people.iter().flatten().count();
        let most = self.of(layers, true).map(|(_, people)| annotated(people)).max().unwrap_or(0);
        let mut out = format!("<h2>Evaluation of {}</h2>\n", counted(most));
        for (gold, people) in self.of(layers, true).filter(|(_, people)| annotated(people) < pairs) {
            out += "<p><bdi>";
            push_escaped(&mut out, &gold.name);
            let number = annotated(people);
            put(
                &mut out,
                format_args!("</bdi>: {number} of {} have gold links; others are not scored.</p>\n", counted(pairs)),
            );
        }
        out += "<div class=\"overflow\"><table id=\"scores\">\n<thead><tr><th scope=\"col\">alignment</th>\
                <th scope=\"col\">gold standard</th>";
        for column in ["AER", "precision", "recall", "F", "pairs", "links", "sure", "possible", "wrong", "missed"] {
            put(&mut out, format_args!("<th scope=\"col\" class=\"figure\">{column}</th>"));
        }
        out += "</tr></thead>\n<tbody>\n";
        let mut confidences = String::new();
        let mut signature = String::new();
        for (gold, people) in self.of(layers, true) {
            for (system, records) in self.of(layers, false) {
                let both = people.iter().zip(records).filter_map(|(gold, own)| Some((gold.as_ref()?, own.as_ref()?)));
                let (people, records): (Vec<&PairRecord>, Vec<&PairRecord>) = both.unzip();
                if records.is_empty() {
                    continue;
                }
                let standard: Vec<GoldAlignment> = people.into_iter().map(PairRecord::gold).collect();
                let links: Vec<Alignment> = records.iter().map(|record| record.alignment()).collect();
                let evaluation = evaluate(&standard, &links, &Options::default())?;
                line(&mut out, [&system.name, &gold.name], records.len(), &evaluation);
                signature = evaluation.options.signature();
                confidences += &confidences_of([&system.name, &gold.name], &records, &standard)?;
            }
        }
        out += "</tbody>\n</table></div>\n";
        put(
            &mut out,
            format_args!(
                "<p>Percentages, with 95 % bootstrap intervals over pairs. With A the links, S the sure and P all links of the \
                 gold standard: precision |A∩P| / |A|, recall |A∩S| / |S|, AER 1 − (|A∩S| + |A∩P|) / (|A| + |S|); counts are \
                 pooled over all pairs.<br><code>{signature}</code></p>\n"
            ),
        );
        Ok(out + &confidences)
    }

    fn of<'a>(
        &'a self,
        layers: &'a [Layer],
        gold: bool,
    ) -> impl Iterator<Item = (&'a Layer, &'a [Option<PairRecord>])> {
        let layers = layers.iter().zip(&self.layers).filter(move |(layer, _)| layer.gold == gold);
        layers.map(|(layer, records)| (layer, records.as_slice()))
    }
}

fn counted(pairs: usize) -> String {
    format!("{pairs} {}", if pairs == 1 { "pair" } else { "pairs" })
}

/// A line of the table of scores.
fn line(out: &mut String, names: [&str; 2], pairs: usize, evaluation: &Evaluation) {
    let Evaluation { counts, scores, intervals, .. } = evaluation;
    *out += "<tr>";
    for (name, tag) in names.iter().zip(["th scope=\"row\"", "td"]) {
        put(out, format_args!("<{tag}><bdi>"));
        push_escaped(out, name);
        put(out, format_args!("</bdi></{}>", &tag[..2]));
    }
    let intervals = intervals.map(|all| [all.aer, all.precision, all.recall, all.f]);
    let values = [scores.aer, scores.precision, scores.recall, scores.f];
    for (n, value) in values.into_iter().enumerate() {
        let interval = intervals.as_ref().and_then(|all| interval(&all[n])).unwrap_or_default();
        put(out, format_args!("<td class=\"figure\">{}{interval}</td>", percent(value)));
    }
    let (possible, wrong, missed) = (counts.in_only_possible(), counts.wrong(), counts.missed());
    for number in [pairs as u64, counts.hypothesis, counts.in_sure, possible, wrong, missed] {
        put(out, format_args!("<td class=\"figure\">{number}</td>"));
    }
    *out += "</tr>\n";
}

/// What the confidences of a system's links are worth; nothing if it has none.
fn confidences_of(names: [&str; 2], records: &[&PairRecord], gold: &[GoldAlignment]) -> Result<String> {
    let weighted = |record: &LinkRecord| Some(WeightedLink { link: record.link, weight: record.weight? });
    let links: Vec<Vec<WeightedLink>> =
        records.iter().map(|record| record.links.iter().filter_map(weighted).collect()).collect();
    let curve = threshold_curve(gold, &links)?;
    let Some(all) = curve.last() else { return Ok(String::new()) };
    let reliability = reliability(gold, &links, BINS)?;
    let mut out = "<h3>Confidences of <bdi>".to_owned();
    push_escaped(&mut out, names[0]);
    out += "</bdi> against <bdi>";
    push_escaped(&mut out, names[1]);
    put(&mut out, format_args!("</bdi></h3>\n<p>{} links have confidences. ", all.counts.hypothesis));
    if let Some(best) = charts::best(&curve) {
        put(&mut out, format_args!("F is highest at the threshold {}: {}. ", best.threshold, of_point(best)));
    }
    put(&mut out, format_args!("All links: {}.", of_point(all)));
    let error = reliability.expected_error.map_or_else(|| "-".to_owned(), |error| format!("{error:.4}"));
    put(
        &mut out,
        format_args!(
            " The expected calibration error is {error}, over {BINS} bins. Links that the file does not have are not judged: \
             the curve ends where it does.</p>\n"
        ),
    );
    put(
        &mut out,
        format_args!(
            "<div class=\"charts\"><figure><figcaption>Precision over recall; numbers are thresholds, the large point is the \
             best F</figcaption>\n{}</figure>\n<figure><figcaption>Correct links by confidence: bars sure, rings possible; \
             dashed what would be ideal for sure ones</figcaption>\n{}</figure></div>\n",
            charts::precision_recall(&curve),
            charts::reliability(&reliability)
        ),
    );
    out += "<details><summary>Confidences as a table</summary><div class=\"overflow\"><table><thead><tr>";
    for column in ["confidence", "links", "mean confidence", "sure", "possible"] {
        put(&mut out, format_args!("<th scope=\"col\" class=\"figure\">{column}</th>"));
    }
    out += "</tr></thead><tbody>\n";
    for (n, bin) in reliability.bins.iter().enumerate() {
        let (from, to) = (n as f64 / BINS as f64, (n + 1) as f64 / BINS as f64);
        let mean = if bin.links > 0 { format!("{:.3}", bin.mean_confidence) } else { "–".to_owned() };
        put(
            &mut out,
            format_args!(
                "<tr><th scope=\"row\" class=\"figure\">{from}–{to}</th><td class=\"figure\">{}</td>\
                 <td class=\"figure\">{mean}</td><td class=\"figure\">{}</td><td class=\"figure\">{}</td></tr>\n",
                bin.links,
                percent(bin.sure_share()),
                percent(bin.possible_share())
            ),
        );
    }
    Ok(out + "</tbody></table></div></details>\n")
}

/// Precision, recall and F of the links above a threshold.
fn of_point(point: &ThresholdPoint) -> String {
    let counts = &point.counts;
    let [precision, recall, f] = [counts.precision(), counts.recall(), counts.f(0.5)].map(percent);
    format!("precision {precision}, recall {recall}, F {f}")
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{:.2}", value * 100.0))
}

fn interval(estimate: &Estimate) -> Option<String> {
    let interval = estimate.interval?;
    let (low, high) = (interval.low * 100.0, interval.high * 100.0);
    Some(format!("<br><span class=\"interval\">{low:.2}–{high:.2}</span>"))
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A String takes whatever is written.
    let _ = out.write_fmt(text);
}
