//! h(n) = n ln n in fixed point, the function that the criterion of the classes is made of.
//!
//! The log-likelihood of a class bigram model is a sum of values h(n) of counts, and an exchange of a word changes some
//! of them (Kneser and Ney 1993; see the parent module). Values are integers, in units of 2^-22 nats: sums then do not
//! depend on their order, and a gain is above 0 or it is not, so that the exchange terminates.
//!
//! A table answers for n below 2^16, which nearly all counts are; larger values are computed. All sums stay below 2^60
//! for texts of up to `MOST_EVENTS` words and sentence ends; `training` refuses larger ones.

/// The most words and sentences a text may have together.
pub(super) const MOST_EVENTS: u64 = 10_000_000_000;

/// One nat in units. With it, sums of h(n) over all cells of a table stay below 2^60 for up to [`MOST_EVENTS`], since they
/// are not more than h of the sum of all cells; and so do sums of some of them.
const UNIT: f64 = (1u64 << 22) as f64;

/// Up to here values are looked up.
const TABLE: usize = 1 << 16;

/// Values of h(n) = n ln n, h(0) = 0, rounded to multiples of 2^-22.
///
/// Sums of whole numbers do not depend on the order of their parts, and equal tables of counts have equal sums. So a
/// gain is above 0 or it is not: no word moves to and fro because of rounding, and each exchange raises the criterion.
#[derive(Debug)]
pub(super) struct Entropy {
    table: Vec<i64>,
}

impl Entropy {
    pub(super) fn new() -> Self {
        Self { table: (0..TABLE as u64).map(compute).collect() }
    }

    /// h(n), in units.
    #[inline]
    pub(super) fn of(&self, n: u64) -> i64 {
        match self.table.get(n as usize) {
            Some(&value) => value,
            None => compute(n),
        }
    }
}

fn compute(n: u64) -> i64 {
    if n == 0 {
        return 0;
    }
    let n = n as f64;
    (n * n.ln() * UNIT).round() as i64
}

/// Units as nats.
pub(super) fn nats(units: i64) -> f64 {
    units as f64 / UNIT
}

/// Nats as units.
pub(super) fn units(nats: f64) -> i64 {
    (nats * UNIT).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_definition() {
        let entropy = Entropy::new();
        assert_eq!((entropy.of(0), entropy.of(1)), (0, 0));
        for n in [2, 3, 1000, TABLE as u64 - 1, TABLE as u64, 20_000_000, 10_000_000_000] {
            let expected = n as f64 * (n as f64).ln();
            assert!((nats(entropy.of(n)) - expected).abs() <= 0.5 / UNIT + 1e-15 * expected, "{n}");
        }
        assert!((nats(units(-0.3)) + 0.3).abs() < 1.0 / UNIT);
        assert!(entropy.of(10_000_000_000).checked_mul(2).is_some());
    }

    #[test]
    fn sums_have_room() {
        assert!(compute(MOST_EVENTS) < 1 << 60);
    }
}
