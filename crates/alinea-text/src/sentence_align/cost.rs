//! What a difference of lengths costs: −ln(2 Φ(−|δ|)), with δ as the parent module defines it (Gale and Church 1993).
//!
//! 2 Φ(−|δ|) = erfc(x) with x = |δ| / √2, so the cost is −ln erfc(x). Far out erfc(x) is too small for a double, but
//! its logarithm is about −x². So the logarithm is computed directly: up to x = 2 from the power series of erf, beyond
//! from the continued fraction of erfc (Abramowitz and Stegun 1964, 7.1.6 and 7.1.14), to about 14 digits. Costs
//! are finite and rise with |δ|, however unlikely the lengths are.

use super::GaleChurchConfig;

/// Where the continued fraction takes over from the series.
const SERIES_UP_TO: f64 = 2.0;

/// −ln(2 Φ(−|δ|)) of stretches with these lengths, from 0; see the module's formula. O(1).
pub(super) fn tail(config: &GaleChurchConfig, source: u64, target: u64) -> f64 {
    let (source, target) = (source as f64, target as f64);
    let total = source + target / config.ratio;
    if total == 0.0 {
        return 0.0;
    }
    // 2 Φ(−|δ|) = erfc(|δ| / √2), and δ² / 2 is the square here.
    let difference = source * config.ratio - target;
    minus_ln_erfc((difference * difference / (config.variance * total)).sqrt())
}

/// −ln erfc(x) for x from 0, to about 14 digits however large x is.
///
/// Up to 2, from the series erf(x) = 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (2n+1)!! (Abramowitz and Stegun 1964, 7.1.6), whose
/// terms are all positive. Beyond, from the continued fraction √π · e^(x²) · erfc(x) = 1/(x + ½/(x + 1/(x + 3⁄2/(x + …))))
/// (7.1.14), whose logarithm needs no exponential and so does not vanish.
pub(super) fn minus_ln_erfc(x: f64) -> f64 {
    let square = x * x;
    if x < SERIES_UP_TO {
        let mut term = x;
        let mut sum = x;
        let mut odd = 1.0;
        while term > sum * f64::EPSILON {
            odd += 2.0;
            term *= 2.0 * square / odd;
            sum += term;
        }
        return -(-std::f64::consts::FRAC_2_SQRT_PI * (-square).exp() * sum).ln_1p();
    }
    // The larger x, the fewer terms it takes.
    let terms = 10 + (200.0 / square) as u32;
    let mut fraction = x;
    for n in (1..=terms).rev() {
        fraction = x + 0.5 * f64::from(n) / fraction;
    }
    square + 0.5 * std::f64::consts::PI.ln() + fraction.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// −log(erfc(x)) by mpmath 1.3.0 with 400 digits, x as a double.
    const VALUES: [(f64, f64); 12] = [
        (1e-300, 1.128_379_167_095_512_6e-300),
        (1e-8, 1.128_379_173_461_710_3e-08),
        (0.001, 0.001_129_015_889_621_354_8),
        (0.1, 0.119_304_973_737_395_61),
        (0.5, 0.735_011_129_837_084_4),
        (1.0, 1.849_605_509_933_248_2),
        (1.9, 4.932_345_862_780_269),
        (2.1, 5.816_010_968_867_555),
        (3.0, 10.720_363_041_981_113),
        (6.0, 38.377_561_173_223_39),
        (26.5, 706.100_220_410_148),
        (1_000.25, 1_000_507.542_870_690_5),
    ];

    #[test]
    fn the_tail_is_exact_near_and_far() {
        for (x, expected) in VALUES {
            let found = minus_ln_erfc(x);
            assert!((found - expected).abs() <= 3e-14 * expected, "{x}: {found}, not {expected}");
        }
        assert!(minus_ln_erfc(0.0).abs() < f64::MIN_POSITIVE);
    }

    #[test]
    fn series_and_fraction_meet_and_rise() {
        let mut last = 0.0;
        for n in 1..4000 {
            let value = minus_ln_erfc(f64::from(n) / 1000.0);
            assert!(value > last, "{n}");
            last = value;
        }
        let (below, above) = (minus_ln_erfc(2.0f64.next_down()), minus_ln_erfc(2.0));
        assert!((above - below).abs() < 1e-13);
    }

    #[test]
    fn nothing_overflows() {
        let config = GaleChurchConfig::default();
        assert!(tail(&config, 0, 0).abs() < f64::MIN_POSITIVE);
        for (source, target) in [(u64::from(u32::MAX) * 2, 0), (0, u64::from(u32::MAX) * 2), (1, u64::from(u32::MAX))] {
            assert!(tail(&config, source, target).is_finite());
        }
    }
}
