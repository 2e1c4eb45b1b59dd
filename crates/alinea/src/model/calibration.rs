//! From the confidence of a link to the probability that it is right.
//!
//! The mean posterior of a link orders links well, but what is nearly certain to the model is right less often, and what is
//! nearly impossible to it more often than that. A monotone map, linear between fixed knots, corrects this. It was fitted to
//! hand-aligned texts of eleven language pairs, none of which its accuracy is reported on (`docs/gold-split.md`,
//! `docs/benchmarks.md`), for the model [`AlignerConfig::agreement_loo`](super::AlignerConfig::agreement_loo).
//!
//! Right is what people would link surely; how much people link differs between guidelines by more than the map corrects.
//!
//! ```
//! use alinea::model::calibrated;
//!
//! assert!(calibrated(0.99) < 0.99);
//! assert!(calibrated(0.02) > 0.02);
//! ```

/// Confidence, and share of right links.
const KNOTS: [[f32; 2]; 15] = [
    [0.018, 0.055],
    [0.047, 0.085],
    [0.104, 0.120],
    [0.196, 0.186],
    [0.296, 0.246],
    [0.400, 0.335],
    [0.497, 0.501],
    [0.598, 0.552],
    [0.700, 0.596],
    [0.801, 0.692],
    [0.894, 0.736],
    [0.953, 0.813],
    [0.982, 0.875],
    [0.995, 0.946],
    [1.000, 0.987],
];

/// The probability that a link of this confidence, a mean posterior from 0 to 1, is right: from 0 to 1, and the greater the
/// greater the confidence.
pub fn calibrated(confidence: f32) -> f32 {
    let next = KNOTS.partition_point(|&[knot, _]| knot <= confidence);
    let [x0, y0] = if next == 0 { [0.0, 0.0] } else { KNOTS[next - 1] };
    let [x1, y1] = KNOTS.get(next).copied().unwrap_or([1.0, 1.0]);
    if x1 <= x0 {
        return y0;
    }
    y0 + (y1 - y0) * (confidence - x0) / (x1 - x0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_monotone_and_goes_through_its_knots() {
        assert!(KNOTS.is_sorted_by(|[x0, y0], [x1, y1]| x0 < x1 && y0 <= y1));
        for [confidence, share] in KNOTS {
            assert!((calibrated(confidence) - share).abs() < 1e-6);
        }
        assert!(calibrated(0.0).abs() < f32::EPSILON);
        let mapped: Vec<f32> = (0..=1000).map(|n| calibrated(n as f32 / 1000.0)).collect();
        assert!(mapped.is_sorted() && mapped.iter().all(|share| (0.0..=1.0).contains(share)));
    }
}
