//! The options of BLEU: smoothing, order, weights of orders, effective order.
//!
//! Each list of `--weights` makes a BLEU of its own, so that several can be compared in one run; a list given twice is
//! an error. Weights may be fractions, as 1/3 has no exact decimal. Without weights all orders up to `--max-order`
//! count the same. Effective order is on for single segments with some methods of smoothing, as in sacreBLEU.
//!
//! Formulas are in `alinea::metric::bleu` and `alinea::metric::smoothing`. `lr` uses the BLEU configured here, too.

use std::fmt;
use std::str::FromStr;

use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::smoothing::Smoothing;
use anyhow::bail;

use super::words::WordArgs;
use crate::input::kind::Rare as _;

/// How BLEU counts.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "BLEU")]
pub(super) struct BleuArgs {
    /// Smoothing method: exp, floor, add-k or none, as in sacreBLEU; method0 to method7, as defined by Chen and Cherry
    /// (2014); or, with NLTK's values where they differ, nltk-method0 to nltk-method7 (NLTK 3.6.1 to 3.10.4) and
    /// nltk3.5-method0 to nltk3.5-method7 (NLTK 3.5)
    #[arg(short, long, value_name = "NAME", default_value = "exp")]
    smoothing: String,
    /// Smoothing parameter: added counts of floor, add-k and method1, alpha of method6, k of method4 and method7
    #[arg(long, value_name = "NUMBER", rare = true)]
    smoothing_value: Option<f64>,
    /// Maximum n-gram order
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=32),
        rare = true)]
    max_order: u8,
    /// Weight of each order, such as 0.5,0.3,0.2 or 1/3,1/3,1/3; one score for each list
    #[arg(long, value_name = "LIST", num_args = 1.., conflicts_with = "max_order", rare = true)]
    weights: Vec<Weights>,
    /// Skip orders that a text is too short for (always with --segments and with method0 to method7, never with the
    /// methods of NLTK)
    #[arg(long, rare = true)]
    effective_order: bool,
}

/// The weights of orders, between commas.
#[derive(Debug, Clone, PartialEq)]
struct Weights(Vec<f64>);

impl FromStr for Weights {
    type Err = NoWeight;

    fn from_str(text: &str) -> Result<Self, NoWeight> {
        text.split(',').map(weight).collect::<Option<_>>().map(Self).ok_or(NoWeight)
    }
}

/// A number, or a fraction of two.
fn weight(text: &str) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    match text.split_once('/') {
        Some((above, below)) => Some(number(above)? / number(below)?),
        None => number(text),
    }
}

/// What is no list of weights.
#[derive(Debug)]
struct NoWeight;

impl std::error::Error for NoWeight {}

impl fmt::Display for NoWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected comma-separated numbers or fractions, such as 0.5,0.5 or 1/3,1/3,1/3")
    }
}

impl BleuArgs {
    /// A metric for each list of weights.
    pub(super) fn metrics(&self, words: &WordArgs, segments: bool) -> anyhow::Result<Vec<Bleu>> {
        let equal = [Weights(vec![1.0 / f64::from(self.max_order); usize::from(self.max_order)])];
        let lists = if self.weights.is_empty() { &equal } else { &*self.weights };
        for (number, list) in lists.iter().enumerate() {
            if lists[..number].contains(list) {
                let list: Vec<String> = list.0.iter().map(f64::to_string).collect();
                bail!("weights = {}: given twice", list.join(","));
            }
        }
        lists.iter().map(|Weights(weights)| self.metric(weights.clone(), words, segments)).collect()
    }

    fn metric(&self, weights: Vec<f64>, words: &WordArgs, segments: bool) -> anyhow::Result<Bleu> {
        let smoothing = Smoothing::by_name(&self.smoothing, self.smoothing_value)?;
        let tokenizer = words.tokenizer()?;
        let config = BleuConfig::default().with(|c| {
            c.weights = weights;
            c.smoothing = smoothing;
            c.effective_order = self.effective_order || smoothing.uses_effective_order(segments);
            c.lowercase = words.lowercase;
            c.tokenizer = tokenizer;
        });
        Ok(Bleu::new(config)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_have_numbers_and_fractions() {
        let read = |text: &str| text.parse::<Weights>().map(|Weights(weights)| weights).ok();
        assert_eq!(read("1"), Some(vec![1.0]));
        assert_eq!(read("1/3,0.5, 1e-1"), Some(vec![1.0 / 3.0, 0.5, 0.1]));
        for wrong in ["", ",", "0.5,", "1/", "a", "1//2", "0.5;0.5"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
