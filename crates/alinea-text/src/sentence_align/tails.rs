//! A cache for the costs of differences of lengths (see `cost`), by source and target length.
//!
//! The same lengths come again and again, and each cost takes a series or a fraction. Costs of lengths below 2048
//! are kept: a row for each source length, made when it is first needed, with NaN where nothing was computed yet; 32 MB
//! at most. Others are computed each time, by the same function, so results do not show whether a cost was kept.

use super::cost::tail;
use super::{GaleChurchConfig, KINDS};

/// Costs of lengths below this are kept: at most 2048² of them, 32 MB.
const KEPT: usize = 2048;

/// The costs that were asked for.
#[derive(Debug)]
pub(super) struct Tails {
    config: GaleChurchConfig,
    /// A row a source length, made when it is first needed; NaN where nothing was computed yet.
    rows: Vec<Option<Box<[f64; KEPT]>>>,
}

impl Tails {
    pub(super) fn new(config: GaleChurchConfig) -> Self {
        Self { config, rows: Vec::new() }
    }

    /// −ln of the prior of each kind of bead.
    pub(super) fn priors(&self) -> [f64; KINDS.len()] {
        self.config.priors.in_order().map(|prior| -prior.ln())
    }

    /// Puts −ln(2 Φ(−|δ|)) of a source length and each of the target lengths into `costs`.
    pub(super) fn fill(&mut self, source: u64, targets: &[u64], costs: &mut [f64]) {
        let config = &self.config;
        let row = match usize::try_from(source) {
            Ok(source) if source < KEPT => {
                if self.rows.len() <= source {
                    self.rows.resize_with(source + 1, || None);
                }
                self.rows[source].get_or_insert_with(|| Box::new([f64::NAN; KEPT]))
            }
            _ => {
                let computed = targets.iter().map(|&target| tail(config, source, target));
                costs.iter_mut().zip(computed).for_each(|(cost, computed)| *cost = computed);
                return;
            }
        };
        for (cost, &target) in costs.iter_mut().zip(targets) {
            *cost = match usize::try_from(target).ok().and_then(|target| row.get_mut(target)) {
                Some(kept) => {
                    if kept.is_nan() {
                        *kept = tail(config, source, target);
                    }
                    *kept
                }
                None => tail(config, source, target),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_costs_are_those_computed() {
        let config = GaleChurchConfig { ratio: 1.1, ..GaleChurchConfig::default() };
        let mut tails = Tails::new(config.clone());
        let targets = [0, 7, 2047, 2048, 100_000, 7];
        for source in [0, 3, 2047, 2048, 1 << 33, 3] {
            let mut costs = [f64::NAN; 6];
            tails.fill(source, &targets, &mut costs);
            let computed = targets.map(|target| tail(&config, source, target));
            assert_eq!(costs.map(f64::to_bits), computed.map(f64::to_bits));
        }
    }
}
