//! Special functions: digamma, ln Γ, the incomplete beta function, the tail of Student's t, sigmoid, softplus.
//!
//! Digamma and ln Γ go up by their recurrences to where the asymptotic series is accurate, and take it from there. The
//! regularized incomplete beta function is computed by its continued fraction (Lentz 1976), after
//! `I_x(a, b) = 1 - I_{1-x}(b, a)` has put x on the side where that converges fast. Student's t follows from it:
//!
//! ```text
//! P(T >= t) = I_x(ν/2, 1/2) / 2    with x = ν / (ν + t²), for t >= 0 and ν degrees of freedom
//! ```
//!
//! Numbers of formulas in the comments are those of Abramowitz and Stegun 1964.

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

/// The logarithm of the gamma function for positive numbers: the recurrence ln Γ(x) = ln Γ(x + 1) - ln x up to 10, then
/// Stirling's series (Abramowitz and Stegun 1964, 6.1.15 and 6.1.41). Accurate to 1e-13, relatively for large numbers.
pub fn ln_gamma(mut x: f64) -> f64 {
    let mut below = 1.0;
    while x < 10.0 {
        below *= x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let series =
        (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0)))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - below.ln()
}

/// The regularized incomplete beta function I_x(a, b), for positive a and b and x from 0 to 1: by its continued fraction
/// (Abramowitz and Stegun 1964, 26.5.8), on the side where that converges fast.
pub fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let front = (a * x.ln() + b * (1.0 - x).ln() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b)).exp() / a;
    // Evaluated from the front (Lentz 1976): numerators and denominators of convergents, as quotients of neighbors.
    let away = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let (mut above, mut below) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = below;
    for step in 1..1000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = fraction;
        for coefficient in [even, odd] {
            below = 1.0 / away(1.0 + coefficient * below);
            above = away(1.0 + coefficient / above);
            fraction *= above * below;
        }
        if (fraction - before).abs() <= f64::EPSILON * fraction.abs() {
            break;
        }
    }
    front * fraction
}

/// The probability that Student's t with so many degrees of freedom is at least `t` (Abramowitz and Stegun 1964, 26.7.1).
pub fn student_t_tail(t: f64, freedom: f64) -> f64 {
    let both = incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t));
    if t >= 0.0 { both / 2.0 } else { 1.0 - both / 2.0 }
}

/// The probability that has these log odds, `1 / (1 + exp(-x))`.
#[inline(always)]
pub fn sigmoid(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// `ln(1 + exp(x))`, without overflow.
#[inline(always)]
pub fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigmoid_and_softplus_are_safe() {
        assert!((sigmoid(3f64.ln()) - 0.75).abs() < 1e-15 && sigmoid(-800.0).abs() < 1e-15);
        assert!((softplus(800.0) - 800.0).abs() < 1e-9 && softplus(-800.0).abs() < 1e-9);
        assert!((softplus(0.0) - 2.0f64.ln()).abs() < 1e-15);
    }

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

    /// As SciPy 1.17.1 has them: `special.gammaln`, `special.betainc`, `stats.t.sf`.
    #[test]
    fn tails_are_as_scipy_has_them() {
        let close = |found: f64, expected: f64| {
            assert!((found - expected).abs() <= 1e-11 * expected.abs(), "{found} {expected}");
        };
        let gammas = [
            (0.5, 0.572_364_942_924_7),
            (1.5, -0.120_782_237_635_245_26),
            (10.0, 12.801_827_480_081_469),
            (100.5, 361.435_540_467_777_57),
        ];
        for (x, expected) in gammas {
            assert!((ln_gamma(x) - expected).abs() < 1e-12 * expected.abs().max(1.0), "{x}");
        }
        close(incomplete_beta(0.5, 0.5, 0.3), 0.369_010_119_565_545_36);
        close(incomplete_beta(2.0, 3.0, 0.9), 0.9963);
        close(incomplete_beta(10.0, 0.5, 0.99), 0.657_928_175_156_784_5);
        close(incomplete_beta(100.0, 0.5, 0.2), 7.976_289_553_984_886e-72);
        close(student_t_tail(0.5, 1.0), 0.352_416_382_349_566_74);
        close(student_t_tail(1.3, 4.0), 0.131_725_798_235_612_06);
        close(student_t_tail(2.7, 9.0), 0.012_196_848_371_772_687);
        close(student_t_tail(-3.1, 20.0), 0.997_177_561_530_437_9);
        close(student_t_tail(12.0, 37.0), 1.274_656_878_571_114_3e-14);
        close(student_t_tail(0.0, 5.0), 0.5);
    }
}
