//! Whether the lengths of the aligned groups are those of translations at all.
//!
//! The misfit of a group is −ln(2 Φ(−|δ|)), the negative logarithm of a p-value. In translations as the model expects
//! them the p-value is uniform from 0 to 1, so the misfit is exponentially distributed with mean and standard deviation
//! 1, and the mean over n groups has the standard error 1 / √n.
//!
//! [`Misfit::of`] reports a mean above 1 + 3 / √n: the texts do not belong together, are in another order, or the model
//! expects another ratio of lengths. The ratio found comes with it if it is not 0.7 to 1.4 times the expected one.

use std::fmt;

use super::Bead;

/// The ratios of lengths, found to expected, that are not what is wrong.
const ORDINARY: std::ops::Range<f64> = 0.7..1.4;

/// That the lengths of the groups of a text differ more than those of translations: the texts do not belong together, are in
/// another order, or the model expects another ratio of lengths.
///
/// In translations as the model expects them the [misfit](Bead::misfit) of a group is minus the logarithm of a number that is
/// as likely to be anything from 0 to 1: its mean is 1, and so is its deviation. Three standard errors more are too much.
///
/// ```
/// use alinea::progress::Silent;
/// use alinea::sentence_align::{GaleChurchConfig, Misfit, SentenceAligner};
///
/// let mut aligner = SentenceAligner::new(GaleChurchConfig::default())?;
/// let source = [40, 55, 30, 62, 48, 51];
/// for (factor, expected) in [(1, None), (3, Some(3.0))] {
///     let target = source.map(|length| factor * length);
///     let beads = aligner.align(&source, &target, &Silent)?;
///     let misfit = Misfit::of(&beads, [&[source], &[target]], 1.0);
///     assert_eq!(misfit.and_then(|misfit| misfit.ratio), expected);
/// }
/// # Ok::<(), alinea::error::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misfit {
    /// The mean over the groups.
    pub mean: f64,
    /// How many times as long as the source the target is, if that is far from what was expected.
    pub ratio: Option<f64>,
}

impl Misfit {
    /// That of the groups of two texts, given as the lengths of the sentences of each paragraph, if it is too large; such a
    /// ratio of lengths was expected. Linear.
    pub fn of<T: AsRef<[u32]>>(beads: &[Bead], lengths: [&[T]; 2], expected: f64) -> Option<Self> {
        let groups = beads.len() as f64;
        let mean = beads.iter().map(|bead| bead.misfit).sum::<f64>() / groups;
        if beads.is_empty() || mean <= 1.0 + 3.0 / groups.sqrt() {
            return None;
        }
        let length = |text: &[T]| text.iter().flat_map(AsRef::as_ref).map(|&length| f64::from(length)).sum::<f64>();
        let [source, target] = lengths.map(length);
        let found = target / source;
        let odd = source > 0.0 && target > 0.0 && !ORDINARY.contains(&(found / expected));
        Some(Self { mean, ratio: odd.then_some(found) })
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, ratio } = self;
        write!(
            f,
            "sentence lengths within groups differ more than expected of translations ({mean:.1} on average, where 1 is \
             expected); "
        )?;
        match ratio {
            Some(ratio) => write!(f, "the target is {ratio:.2} times as long as the source"),
            None => f.write_str("are all sentences translated, in this order?"),
        }
    }
}
