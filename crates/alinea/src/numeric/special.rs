//! Functions that have names.

/// The digamma function ψ, the derivative of ln Γ, for positive numbers: the recurrence ψ(x) = ψ(x + 1) - 1 / x up to 6,
/// then the asymptotic series (Abramowitz and Stegun 1964, 6.3.5 and 6.3.18). Accurate to 1e-10 for x of 1e-4 or more,
/// relatively everywhere.
pub fn digamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < 6.0 {
        below -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series = square
        * (1.0 / 12.0 - square * (1.0 / 120.0 - square * (1.0 / 252.0 - square * (1.0 / 240.0 - square / 132.0))));
    below + x.ln() - 0.5 / x - series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digamma_is_as_tabulated() {
        // Abramowitz and Stegun, table 6.1, and ψ(1/2) = -γ - 2 ln 2, ψ(1) = -γ.
        let gamma = 0.577_215_664_901_532_9;
        for (x, expected) in [
            (1.0, -gamma),
            (0.5, -gamma - 2.0 * std::f64::consts::LN_2),
            (1.5, 0.036_489_973_978_576_5),
            (2.0, 0.422_784_335_098_467_1),
            (100.0, 4.600_161_852_738_087),
        ] {
            assert!((digamma(x) - expected).abs() < 1e-10, "{x}: {} {expected}", digamma(x));
        }
        assert!((digamma(1e-3) + 1_000.575_571_930_811).abs() < 1e-6);
    }
}
