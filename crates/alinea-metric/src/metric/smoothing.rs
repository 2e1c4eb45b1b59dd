//! What BLEU does where an order has no match: smoothing.
//!
//! m_n is the number of matches of order n, l_n the number of n-grams of the hypotheses, c their number of tokens.
//! Without smoothing p_n = m_n / l_n, and BLEU is 0 when any of them is, as most sentences have it. Chen and Cherry
//! (2014, *A Systematic Comparison of Smoothing Techniques for Sentence-Level BLEU*, section 3) compare seven
//! techniques, which [`ChenCherry`] has by number:
//!
//! ```text
//! 0  none
//! 1  m_n = epsilon where there is no match
//! 2  (m_n + 1) / (l_n + 1) for n >= 2 (Lin and Och 2004)
//! 3  m_n = 1/2, 1/4, ... at the first, second, ... order without a match (NIST)
//! 4  the same with ln c / k in the place of 1/2, so that short hypotheses get less
//! 5  m'_n = (m'_(n-1) + m_n + m_(n+1)) / 3, with m'_0 = m_1 + 1
//! 6  (m_n + alpha p_(n-1)^2 / p_(n-2)) / (l_n + alpha) for n >= 3 (Gao and He 2013)
//! 7  4, and then 5
//! ```
//!
//! There orders of which the hypotheses have no n-gram at all are left out (*effective order*), and the weights of the
//! others are scaled to the sum they had. The techniques of sacreBLEU are 0 to 3 under other names, but for what it does
//! with orders that have no n-grams.
//!
//! NLTK has the seven techniques, too, but other values in 0, 2, 4, 5, 6 and 7: of the example in its documentation 0.4905 for
//! 5 and 7, where counts as the paper defines them give 0.4078. [`Nltk`] has those.

mod nltk;

pub(super) use self::nltk::{LastSegment, ORDER_BEHIND};
pub use self::nltk::{Nltk, NltkRelease};
use crate::error::{Error, Result};

/// The number that stands for the logarithm of 0 in sacreBLEU.
const LOG_OF_ZERO: f64 = -9_999_999_999.0;

/// How precisions are smoothed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Smoothing {
    /// Not at all.
    None,
    /// Orders without a match have this many.
    Floor(f64),
    /// This is added to matches and n-grams of all orders but the first.
    AddK(f64),
    /// The first, second, ... order without a match has 1/2, 1/4, ... of one.
    Exp,
    /// A technique of Chen and Cherry, as they define it.
    ChenCherry(ChenCherry),
    /// A technique of theirs as NLTK has it.
    Nltk(Nltk),
}

/// A technique of Chen and Cherry (2014), with the parameters of all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChenCherry {
    /// Which, from 0 to 7.
    pub method: u8,
    /// Of method 1; 0.1 in the paper.
    pub epsilon: f64,
    /// Of method 6; 5 in the paper.
    pub alpha: f64,
    /// Of methods 4 and 7; 5 in the paper.
    pub k: f64,
}

impl ChenCherry {
    /// A method with the parameters of the paper.
    pub fn new(method: u8) -> Self {
        Self { method, epsilon: 0.1, alpha: 5.0, k: 5.0 }
    }

    /// What signatures call it.
    fn signature(self) -> String {
        let Self { method, epsilon, alpha, k } = self;
        match method {
            1 => format!("method1[{epsilon:.2}]"),
            4 | 7 => format!("method{method}[{k:.2}]"),
            6 => format!("method6[{alpha:.2}]"),
            _ => format!("method{method}"),
        }
    }

    /// Whether the matches of one order more than is scored are needed.
    fn looks_ahead(self) -> bool {
        matches!(self.method, 5 | 7)
    }

    /// Smoothed precisions, 0 to 1 (method 6 can exceed that). `matches` may have one order more than `totals`.
    fn precisions(self, matches: &[f64], totals: &[f64], tokens: f64) -> Vec<f64> {
        let ratio = |count: f64, total: f64| if total > 0.0 { count / total } else { 0.0 };
        let orders = totals.len();
        let mut counts = matches[..orders].to_vec();
        let mut zeros = 0;
        for (order, count) in counts.iter_mut().enumerate() {
            let none = *count == 0.0;
            zeros += i32::from(none);
            match self.method {
                1 if none => *count = self.epsilon,
                3 if none => *count = 0.5f64.powi(zeros),
                4 | 7 if none && tokens > 1.0 => *count = (tokens.ln() / self.k).powi(zeros),
                2 if order > 0 => *count += 1.0,
                _ => {}
            }
        }
        if self.looks_ahead() {
            let mut before = counts[0] + 1.0;
            for order in 0..orders {
                let after = if order + 1 < orders { counts[order + 1] } else { matches[orders] };
                before = (before + counts[order] + after) / 3.0;
                counts[order] = before;
            }
        }
        let mut precisions: Vec<f64> = Vec::with_capacity(orders);
        for (order, (&count, &total)) in counts.iter().zip(totals).enumerate() {
            precisions.push(match self.method {
                2 if order > 0 => count / (total + 1.0),
                6 if order > 1 => {
                    let (one, two) = (precisions[order - 1], precisions[order - 2]);
                    let prior = if two == 0.0 { 0.0 } else { one * one / two };
                    (count + self.alpha * prior) / (total + self.alpha)
                }
                _ => ratio(count, total),
            });
        }
        precisions
    }
}

impl Smoothing {
    /// The technique of a name: `none`, `exp`, `floor`, `add-k`; `method0` to `method7` of Chen and Cherry; and these with the
    /// values of NLTK, as `nltk-method0` and so on, or with those of NLTK 3.5, as `nltk3.5-method0` and so on.
    ///
    /// The parameter is that of the technique: what floor, add-k and method1 count, alpha of method6, k of method4 and
    /// method7. Without it, the default of sacreBLEU, or of the paper.
    ///
    /// ```
    /// use alinea::metric::smoothing::Smoothing;
    ///
    /// assert_eq!(Smoothing::by_name("floor", None)?, Smoothing::Floor(0.1));
    /// assert_eq!(Smoothing::by_name("method4", Some(6.0))?.signature(), "method4[6.00]");
    /// assert_eq!(Smoothing::by_name("nltk-method5", None)?.signature(), "nltk-method5");
    /// # Ok::<(), alinea::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Config` for an unknown name, or a parameter where there is none. [`validate`](Self::validate) checks its value.
    pub fn by_name(name: &str, parameter: Option<f64>) -> Result<Self> {
        let (release, of_release) =
            Nltk::release_of(name).map_or((None, name), |(release, rest)| (Some(release), rest));
        let chen_cherry = of_release.strip_prefix("method").and_then(|number| number.parse().ok());
        let takes_one =
            !matches!(name, "none" | "exp") && chen_cherry.is_none_or(|number| matches!(number, 1 | 4 | 6 | 7));
        let smoothing = match (of_release, chen_cherry) {
            (_, None) if release.is_some() => return Err(Self::unknown(name)),
            ("none", _) => Self::None,
            ("exp", _) => Self::Exp,
            ("floor", _) => Self::Floor(parameter.unwrap_or(0.1)),
            ("add-k", _) => Self::AddK(parameter.unwrap_or(1.0)),
            (_, Some(number @ 0..=7)) => {
                let mut method = ChenCherry::new(number);
                match (number, parameter) {
                    (1, Some(value)) => method.epsilon = value,
                    (4 | 7, Some(value)) => method.k = value,
                    (6, Some(value)) => method.alpha = value,
                    _ => {}
                }
                release.map_or(Self::ChenCherry(method), |release| Self::Nltk(Nltk { method, release }))
            }
            _ => return Err(Self::unknown(name)),
        };
        match parameter {
            Some(value) if !takes_one => {
                Err(Error::config("smoothing value", value, "no value: this smoothing has no parameter"))
            }
            _ => Ok(smoothing),
        }
    }

    fn unknown(name: &str) -> Error {
        let allowed = "none, exp, floor, add-k, method0 to method7, nltk-method0 to nltk-method7, or nltk3.5-method0 to \
                       nltk3.5-method7";
        Error::config("smoothing", name, allowed)
    }

    /// Whether orders without n-grams are left out; `asked` says whether somebody asks for it, where there is a choice.
    pub fn uses_effective_order(&self, asked: bool) -> bool {
        match self {
            Self::ChenCherry(_) => true,
            Self::Nltk(_) => false,
            _ => asked,
        }
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// `Config` for a method above 7, or a parameter that is no finite number of at least 0.
    pub fn validate(&self) -> Result<()> {
        let natural = |value: f64, field| {
            let error = || Error::config(field, value, "a number of at least 0");
            if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(error()) }
        };
        match *self {
            Self::None | Self::Exp => Ok(()),
            Self::Floor(value) | Self::AddK(value) => natural(value, "smooth value"),
            Self::ChenCherry(method) | Self::Nltk(Nltk { method, .. }) => {
                let ChenCherry { method, epsilon, alpha, k } = method;
                if method > 7 {
                    return Err(Error::config("smoothing method", method, "0 to 7"));
                }
                natural(epsilon, "epsilon")?;
                natural(alpha, "alpha")?;
                if k > 0.0 { natural(k, "k") } else { Err(Error::config("k", k, "a number above 0")) }
            }
        }
    }

    /// Orders that must be counted to score `orders` of them.
    pub fn counted_orders(&self, orders: usize) -> usize {
        match self {
            Self::ChenCherry(method) if method.looks_ahead() => orders + 1,
            Self::Nltk(Nltk { method, .. }) if method.looks_ahead() => orders.max(ORDER_BEHIND),
            _ => orders,
        }
    }

    /// What signatures call it: sacreBLEU's name, and the parameter if there is one.
    pub fn signature(&self) -> String {
        match *self {
            Self::None => "none".to_owned(),
            Self::Exp => "exp".to_owned(),
            Self::Floor(value) => format!("floor[{value:.2}]"),
            Self::AddK(value) => format!("add-k[{value:.2}]"),
            Self::ChenCherry(method) => method.signature(),
            Self::Nltk(Nltk { method, release }) => format!("{}{}", release.prefix(), method.signature()),
        }
    }
}

/// A number of the kind that sums have: double precision, or single in resamples.
pub(super) trait Number: Copy {
    fn new(value: f64) -> Self;
    fn wide(self) -> f64;
    fn add(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
}

macro_rules! number {
    ($type:ty) => {
        impl Number for $type {
            fn new(value: f64) -> Self {
                value as $type
            }
            fn wide(self) -> f64 {
                self.into()
            }
            fn add(self, other: Self) -> Self {
                self + other
            }
            fn times(self, other: Self) -> Self {
                self * other
            }
            fn over(self, other: Self) -> Self {
                self / other
            }
        }
    };
}

number!(f64);
number!(f32);

/// Precisions in percent and the logarithm of their weighted geometric mean, as sacreBLEU computes them. `None` if
/// nothing matches.
///
/// Orders are looked at up to the first without n-grams; those from there on have precision 0. With `effective_order`
/// they do not take part.
pub(super) fn sacrebleu<N: Number>(
    smoothing: Smoothing,
    (matches, totals): (&[N], &[N]),
    weights: &[f64],
    effective_order: bool,
) -> (Vec<f64>, Option<f64>) {
    let mut precisions = vec![0.0; totals.len()];
    if matches.iter().all(|count| count.wide() == 0.0) {
        return (precisions, None);
    }
    let hundred = N::new(100.0);
    let (mut halved, mut effective) = (1.0, weights.len());
    for (order, (&count, &total)) in matches.iter().zip(totals).enumerate() {
        let (mut count, mut total) = (count, total);
        if let Smoothing::AddK(k) = smoothing
            && order > 0
        {
            (count, total) = (count.add(N::new(k)), total.add(N::new(k)));
        }
        if total.wide() == 0.0 {
            break;
        }
        if effective_order {
            effective = order + 1;
        }
        precisions[order] = match smoothing {
            _ if count.wide() != 0.0 => hundred.times(count).over(total).wide(),
            Smoothing::Exp => {
                halved *= 2.0;
                hundred.over(N::new(halved).times(total)).wide()
            }
            Smoothing::Floor(value) => N::new(100.0 * value).over(total).wide(),
            _ => 0.0,
        };
    }
    let log = |&precision: &f64| if precision == 0.0 { LOG_OF_ZERO } else { precision.ln() };
    let logs = precisions[..effective].iter().map(log);
    // With equal weights a sum and one division, so that rounding is sacreBLEU's.
    let equal = weights.iter().all(|weight| weight.to_bits() == weights[0].to_bits());
    let mean = if equal {
        logs.sum::<f64>() / effective as f64
    } else {
        let weights = &weights[..effective];
        logs.zip(weights).filter(|(_, weight)| **weight != 0.0).map(|(log, weight)| log * weight).sum::<f64>()
            / weights.iter().sum::<f64>()
    };
    (precisions, Some(mean))
}

/// Precisions in percent and the logarithm of their weighted geometric mean, as Chen and Cherry define them.
pub(super) fn chen_cherry(
    method: ChenCherry,
    (matches, totals): (&[f64], &[f64]),
    weights: &[f64],
    tokens: f64,
) -> (Vec<f64>, Option<f64>) {
    let orders = weights.len();
    let effective = totals[..orders].iter().rposition(|&total| total > 0.0).map_or(1, |last| last + 1);
    let mut precisions = method.precisions(&matches[..=effective.min(matches.len() - 1)], &totals[..effective], tokens);
    let scale = if effective == orders { 1.0 } else { 1.0 / weights[..effective].iter().sum::<f64>() };
    let mut mean = Some(0.0);
    for (precision, weight) in precisions.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
        mean = if *precision > 0.0 { mean.map(|sum| sum + weight * scale * precision.ln()) } else { None };
    }
    for precision in &mut precisions {
        *precision *= 100.0;
    }
    precisions.resize(orders, 0.0);
    (precisions, mean.filter(|_| matches[0] > 0.0).map(|mean| mean + 100f64.ln()))
}
