//! The charts of a page's evaluation, as SVG: precision over recall, and the reliability of confidences.
//!
//! `precision_recall` draws a curve with a point for each threshold of confidence. Tenths are labeled, as far as there
//! is room, and the threshold with the best F is marked. Both axes end at 1 and begin at the tenth below their least
//! value, at 0.9 or less. Points less than a pixel apart are drawn as one.
//!
//! `reliability` draws, for each bin of confidence, the share of links that are sure as a bar, and the share that are
//! possible as a ring at the mean confidence of the bin. On the diagonal the share of right links is the confidence. A
//! bar has its numbers as a title.
//!
//! Both are drawn into a box of fixed size. Elements have classes, to which the style sheet of the page (`page.css`)
//! gives colors.

use std::fmt::Write as _;

use crate::evaluate::{Reliability, ThresholdPoint};

/// The drawing, in pixels, and the part of it where curves run.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 330.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 426.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 282.0;

/// Points of a curve that are nearer than this are not told apart.
const NEAR: f64 = 0.7;

/// Labels are not nearer than this, and need so much room to the right.
const APART: f64 = 14.0;
const ROOM: f64 = 20.0;

/// What a coordinate shows: values from `low` to 1.
#[derive(Debug, Clone, Copy)]
struct Axis {
    low: f64,
}

impl Axis {
    /// Begins at the tenth below the least value.
    fn from(values: impl Iterator<Item = f64>) -> Self {
        let least = values.fold(0.9, f64::min);
        Self { low: ((least * 10.0).floor() / 10.0).max(0.0) }
    }

    fn share(self, value: f64) -> f64 {
        (value - self.low) / (1.0 - self.low)
    }

    fn x(self, value: f64) -> f64 {
        LEFT + self.share(value) * (RIGHT - LEFT)
    }

    fn y(self, value: f64) -> f64 {
        BOTTOM - self.share(value) * (BOTTOM - TOP)
    }

    /// The tenths that are labelled.
    fn ticks(self) -> impl Iterator<Item = f64> {
        let (first, step) = ((self.low * 10.0).round() as u32, if self.low < 0.45 { 2 } else { 1 });
        (first..=10).filter(move |tenth| (10 - tenth) % step == 0).map(|tenth| f64::from(tenth) / 10.0)
    }
}

/// Precision over recall, a point a threshold, the one with the best F marked.
pub(super) fn precision_recall(curve: &[ThresholdPoint]) -> String {
    let points: Vec<(f64, f64)> =
        curve.iter().filter_map(|point| Some((point.counts.recall()?, point.counts.precision()?))).collect();
    let horizontal = Axis::from(points.iter().map(|point| point.0));
    let vertical = Axis::from(points.iter().map(|point| point.1));
    let mut out = frame("Precision over recall, for every threshold", "recall", "precision", horizontal, vertical);
    let mut path = String::new();
    let mut last: Option<(f64, f64)> = None;
    for &(recall, precision) in &points {
        let (x, y) = (horizontal.x(recall), vertical.y(precision));
        if last.is_none_or(|(a, b)| (a - x).abs() + (b - y).abs() >= NEAR) {
            let command = if last.is_none() { 'M' } else { 'L' };
            put(&mut path, format_args!("{command}{x:.1} {y:.1}"));
            last = Some((x, y));
        }
    }
    put(&mut out, format_args!("<path class=\"curve\" d=\"{path}\"/>\n"));
    let mut labelled: Option<(f64, f64)> = None;
    for tenth in (1..=9).rev() {
        let threshold = tenth as f32 / 10.0;
        // The curve falls: the last point that keeps all links above the threshold.
        let place = curve.partition_point(|point| point.threshold >= threshold);
        let Some(&(recall, precision)) = place.checked_sub(1).and_then(|place| points.get(place)) else { continue };
        let (x, y) = (horizontal.x(recall), vertical.y(precision));
        if labelled.is_some_and(|(a, b)| (a - x).abs() + (b - y).abs() < APART) {
            continue;
        }
        labelled = Some((x, y));
        put(&mut out, format_args!("<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"));
        let (place, anchor) = if x > RIGHT - ROOM { (x - 5.0, " text-anchor=\"end\"") } else { (x + 5.0, "") };
        put(&mut out, format_args!("<text x=\"{place:.1}\" y=\"{:.1}\"{anchor}>{threshold}</text>\n", y - 5.0));
    }
    if let Some(best) = best(curve) {
        let (Some(recall), Some(precision)) = (best.counts.recall(), best.counts.precision()) else { return out };
        let (x, y) = (horizontal.x(recall), vertical.y(precision));
        put(
            &mut out,
            format_args!(
                "<circle class=\"best\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"><title>best F, at {}</title></circle>\n",
                best.threshold
            ),
        );
    }
    out + "</svg>\n"
}

/// The point with the best F, of several the highest threshold.
pub(super) fn best(curve: &[ThresholdPoint]) -> Option<&ThresholdPoint> {
    let f = |point: &ThresholdPoint| point.counts.f(0.5).unwrap_or(0.0);
    curve.iter().rev().max_by(|a, b| f(a).total_cmp(&f(b)))
}

/// The share of sure links over confidence as bars, that of possible ones as rings, and what would be ideal as a line.
pub(super) fn reliability(reliability: &Reliability) -> String {
    let axis = Axis { low: 0.0 };
    let mut out = frame("Share of correct links by confidence", "confidence", "share of correct links", axis, axis);
    let bins = reliability.bins.len() as f64;
    for (n, bin) in reliability.bins.iter().enumerate() {
        let (Some(sure), Some(possible)) = (bin.sure_share(), bin.possible_share()) else { continue };
        let [from, to] = [axis.x(n as f64 / bins) + 1.0, axis.x((n + 1) as f64 / bins) - 1.0];
        let (top, height) = (axis.y(sure), BOTTOM - axis.y(sure));
        put(
            &mut out,
            format_args!(
                "<rect class=\"bar\" x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{height:.1}\">\
                 <title>{} links of mean confidence {:.3}: {:.1} % sure, {:.1} % possible</title></rect>\n",
                to - from,
                bin.links,
                bin.mean_confidence,
                sure * 100.0,
                possible * 100.0
            ),
        );
        let (x, y) = (axis.x(bin.mean_confidence), axis.y(possible));
        put(&mut out, format_args!("<circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>\n"));
    }
    let [low, high] = [(LEFT, BOTTOM), (RIGHT, TOP)];
    put(
        &mut out,
        format_args!("<line class=\"ideal\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", low.0, low.1, high.0, high.1),
    );
    out + "</svg>\n"
}

/// An open SVG with axes.
fn frame(title: &str, x_label: &str, y_label: &str, horizontal: Axis, vertical: Axis) -> String {
    let mut out = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n"
    );
    for tick in horizontal.ticks() {
        let x = horizontal.x(tick);
        put(
            &mut out,
            format_args!(
                "<line class=\"ruling\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{BOTTOM}\"/>\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>\n",
                BOTTOM + 16.0
            ),
        );
    }
    for tick in vertical.ticks() {
        let y = vertical.y(tick);
        put(
            &mut out,
            format_args!(
                "<line class=\"ruling\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>\n",
                LEFT - 6.0,
                y + 4.0
            ),
        );
    }
    let (x, y) = (f64::midpoint(LEFT, RIGHT), f64::midpoint(TOP, BOTTOM));
    put(
        &mut out,
        format_args!(
            "<path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{x_label}</text>\n\
             <text transform=\"translate(14 {y}) rotate(-90)\" text-anchor=\"middle\">{y_label}</text>\n",
            HEIGHT - 10.0
        ),
    );
    out
}

fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    // A String takes whatever is written.
    let _ = out.write_fmt(text);
}
