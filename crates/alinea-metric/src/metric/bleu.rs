//! BLEU (Papineni, Roukos, Ward and Zhu 2002): the geometric mean of the precisions of n-grams, times a penalty for
//! hypotheses that are too short.
//!
//! ```text
//! BLEU = 100 BP exp(sum_n w_n ln p_n),   p_n = m_n / l_n,   BP = min(1, exp(1 - r / c))
//! ```
//!
//! Of each segment m_n n-grams of the hypothesis match, each at most as often as the reference has it that has most of it;
//! l_n are there; c tokens are in the hypothesis, r in the reference whose length is closest (of two the shorter). All are
//! summed over segments first. [Smoothing](super::smoothing) says what is done where m_n is 0.
//!
//! Scores are those of sacreBLEU for the same settings, to the last bit.

use super::ngrams::Ngrams;
use super::smoothing::{self, LastSegment, Nltk, Number, ORDER_BEHIND, Smoothing};
use super::tokenize::{ThirteenA, Tokenizer};
use super::words::WordReader;
use super::{Measurer, Metric, Signature};
use crate::error::{Error, Result};

/// The most orders there can be.
const MOST_ORDERS: usize = 32;

/// How many orders there are without options (Papineni et al. 2002).
const USUAL_ORDERS: usize = 4;

/// Everything that decides a score.
#[derive(Debug)]
#[non_exhaustive]
pub struct BleuConfig {
    /// w_n: as many as there are orders, at least one.
    pub weights: Vec<f64>,
    /// What to do where nothing matches.
    pub smoothing: Smoothing,
    /// Whether orders that hypotheses are too short for are left out; meant for single sentences. The techniques of Chen
    /// and Cherry always do, those of NLTK never.
    pub effective_order: bool,
    /// Whether upper and lower case are the same.
    pub lowercase: bool,
    /// What makes tokens of lines.
    pub tokenizer: Box<dyn Tokenizer>,
}

alinea_text::configurable!(BleuConfig);

/// What sacreBLEU does without options.
impl Default for BleuConfig {
    fn default() -> Self {
        Self {
            weights: vec![1.0 / USUAL_ORDERS as f64; USUAL_ORDERS],
            smoothing: Smoothing::Exp,
            effective_order: false,
            lowercase: false,
            tokenizer: Box::new(ThirteenA),
        }
    }
}

/// The metric.
#[derive(Debug)]
pub struct Bleu {
    config: BleuConfig,
    /// Orders that are counted: those that are scored, and perhaps one more.
    counted: usize,
}

/// The parts of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct BleuParts {
    /// p_n in percent, after smoothing.
    pub precisions: Vec<f64>,
    /// BP.
    pub brevity_penalty: f64,
    /// 0 to 100.
    pub score: f64,
}

impl Bleu {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if there is no weight or a weight is no finite number, for parameters of the smoothing, or if the effective
    /// order is asked for with a technique of NLTK.
    pub fn new(config: BleuConfig) -> Result<Self> {
        let orders = config.weights.len();
        if !(1..=MOST_ORDERS).contains(&orders) {
            return Err(Error::config("number of weights", orders, "1 to 32"));
        }
        if let Some(weight) = config.weights.iter().find(|weight| !weight.is_finite()) {
            return Err(Error::config("weight", weight, "finite numbers"));
        }
        config.smoothing.validate()?;
        if let Smoothing::Nltk(nltk) = config.smoothing {
            nltk.check_orders(orders)?;
            if config.effective_order {
                return Err(Error::config(
                    "effective order",
                    true,
                    "false with the smoothing of NLTK, which has all orders",
                ));
            }
        }
        let counted = config.smoothing.counted_orders(orders);
        Ok(Self { config, counted })
    }

    /// The settings.
    pub fn config(&self) -> &BleuConfig {
        &self.config
    }

    /// The score and its parts, of sums of statistics.
    ///
    /// # Panics
    /// If there are more or fewer sums than [`Metric::width`].
    pub fn parts(&self, sums: &[f64]) -> BleuParts {
        self.parts_of(sums)
    }

    fn parts_of<N: Number>(&self, sums: &[N]) -> BleuParts {
        let orders = self.config.weights.len();
        let (lengths, counts) = sums.split_at(2);
        let (matches, totals) = counts[..2 * self.counted].split_at(self.counted);
        let (hypothesis, reference) = (lengths[0].wide(), lengths[1].wide());
        let brevity_penalty = brevity_penalty(hypothesis, reference);
        let wide = |counts: &[N]| counts.iter().map(|count| count.wide()).collect::<Vec<_>>();
        let weights = &self.config.weights;
        let (precisions, mean) = match self.config.smoothing {
            Smoothing::ChenCherry(method) => {
                smoothing::chen_cherry(method, (&wide(matches), &wide(totals)), weights, hypothesis)
            }
            Smoothing::Nltk(nltk) => {
                let last = match wide(&counts[2 * self.counted..])[..] {
                    [matches, tokens] => LastSegment { matches, tokens },
                    _ => LastSegment { matches: 0.0, tokens: 0.0 },
                };
                nltk.score((&wide(matches), &wide(totals)), weights, hypothesis, last)
            }
            of_sacrebleu => {
                let counts = (&matches[..orders], &totals[..orders]);
                smoothing::sacrebleu(of_sacrebleu, counts, weights, self.config.effective_order)
            }
        };
        let score = mean.map_or(0.0, |mean| brevity_penalty * mean.exp());
        BleuParts { precisions, brevity_penalty, score }
    }
}

/// BP for c tokens in hypotheses and r in references, 0 to 1 (Papineni et al. 2002, section 2.2.2).
pub fn brevity_penalty(hypothesis: f64, reference: f64) -> f64 {
    if hypothesis >= reference {
        1.0
    } else if hypothesis > 0.0 {
        (1.0 - reference / hypothesis).exp()
    } else {
        0.0
    }
}

/// The length closest to that of a hypothesis; of two the shorter. `None` without lengths.
pub fn closest_length(hypothesis: usize, references: impl IntoIterator<Item = usize>) -> Option<usize> {
    references.into_iter().min_by_key(|&length| (length.abs_diff(hypothesis), length))
}

impl Metric for Bleu {
    fn name(&self) -> String {
        "BLEU".to_owned()
    }

    fn in_percent(&self) -> bool {
        true
    }

    /// That of sacreBLEU for the usual four orders of equal weights. Others are named behind it, of which sacreBLEU says
    /// nothing.
    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        signature.push("case", "c", if config.lowercase { "lc" } else { "mixed" });
        let effective_order = config.smoothing.uses_effective_order(config.effective_order);
        signature.push("eff", "e", if effective_order { "yes" } else { "no" });
        signature.push("tok", "tok", config.tokenizer.name());
        signature.push("smooth", "s", config.smoothing.signature());
        let weights = &config.weights;
        let equal = weights.iter().all(|weight| weight.to_bits() == weights[0].to_bits());
        if !equal {
            let weights: Vec<String> = weights.iter().map(f64::to_string).collect();
            signature.push("weights", "w", weights.join(","));
        } else if weights.len() != USUAL_ORDERS {
            signature.push("order", "n", weights.len().to_string());
        }
        signature
    }

    /// c, r, then m_n and then l_n for each order; and what NLTK asks of the last segment.
    fn width(&self) -> usize {
        2 + 2 * self.counted + self.of_last()
    }

    /// m_5 and c.
    fn of_last(&self) -> usize {
        if matches!(self.config.smoothing, Smoothing::Nltk(nltk) if nltk.asks_of_last()) { 2 } else { 0 }
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        let reader = WordReader::new(&*self.config.tokenizer, self.config.lowercase);
        let nltk = match self.config.smoothing {
            Smoothing::Nltk(nltk) => Some(nltk),
            _ => None,
        };
        Box::new(BleuMeasurer { reader, ngrams: Ngrams::new(self.counted), counted: self.counted, nltk })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        self.parts_of(sums).score
    }

    fn score_of_resample(&self, sums: &[f32]) -> f64 {
        self.parts_of(sums).score
    }

    fn details(&self, sums: &[f64]) -> String {
        let parts = self.parts_of(sums);
        let precisions: Vec<_> = parts.precisions.iter().map(|precision| format!("{precision:.1}")).collect();
        let (hypothesis, reference) = (sums[0], sums[1]);
        let ratio = if reference > 0.0 { hypothesis / reference } else { 0.0 };
        format!(
            "{} (BP = {:.3} ratio = {ratio:.3} hyp_len = {hypothesis} ref_len = {reference})",
            precisions.join("/"),
            parts.brevity_penalty
        )
    }
}

struct BleuMeasurer<'b> {
    reader: WordReader<'b>,
    ngrams: Ngrams,
    counted: usize,
    nltk: Option<Nltk>,
}

impl Measurer for BleuMeasurer<'_> {
    fn read_references(&mut self, references: &[&str]) -> Result<()> {
        self.reader.read_references(references)?;
        self.ngrams.read_references(self.reader.references());
        Ok(())
    }

    fn measure(&mut self, hypothesis: &str, statistics: &mut [f64]) -> Result<()> {
        self.reader.read_hypothesis(hypothesis)?;
        let words = self.reader.hypothesis();
        let reference = closest_length(words.len(), self.reader.references().map(<[u32]>::len)).unwrap_or(0);
        let (lengths, counts) = statistics.split_at_mut(2);
        lengths.copy_from_slice(&[words.len() as f64, reference as f64]);
        let (matches, rest) = counts.split_at_mut(self.counted);
        let (totals, last) = rest.split_at_mut(self.counted);
        self.ngrams.matches(words, matches);
        // In NLTK each segment has an n-gram of each order.
        let fewest = usize::from(self.nltk.is_some());
        for (order, total) in totals.iter_mut().enumerate() {
            *total = words.len().saturating_sub(order).max(fewest) as f64;
        }
        if let [behind, tokens] = last {
            *behind = matches.get(ORDER_BEHIND - 1).copied().unwrap_or(0.0);
            *tokens = words.len() as f64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_say_whether_the_effective_order_is_used() {
        let signature = |smoothing: &str, effective_order| {
            let smoothing = Smoothing::by_name(smoothing, None).expect("a name");
            let bleu = Bleu::new(BleuConfig { smoothing, effective_order, ..BleuConfig::default() });
            bleu.map(|bleu| bleu.signature().to_string()).map_err(|error| error.to_string())
        };
        for method in 0..8 {
            let found = signature(&format!("method{method}"), false).expect("settings");
            assert!(found.contains("|eff:yes|"), "{found}");
            let found = signature(&format!("nltk-method{method}"), false).expect("settings");
            assert!(found.contains("|eff:no|") && found.contains("|smooth:nltk-method"), "{found}");
        }
        assert_eq!(signature("none", true), Ok("case:mixed|eff:yes|tok:13a|smooth:none".to_owned()));
        assert!(signature("nltk-method1", true).is_err(), "NLTK has no effective order");
    }

    #[test]
    fn signatures_tell_orders_and_weights_apart() {
        let behind = |weights: &[f64]| {
            let bleu = Bleu::new(BleuConfig { weights: weights.to_vec(), ..BleuConfig::default() }).expect("weights");
            let signature = bleu.signature().to_string();
            signature.strip_prefix("case:mixed|eff:no|tok:13a|smooth:exp").expect("sacreBLEU's fields").to_owned()
        };
        assert_eq!(behind(&[0.25; 4]), "");
        assert_eq!(behind(&[0.5; 2]), "|order:2");
        assert_eq!(behind(&[0.7, 0.0, 0.3]), "|weights:0.7,0,0.3");
    }
}
