//! METEOR in the form of 2007 (Lavie and Agarwal, *METEOR: An Automatic Metric for MT Evaluation with High Levels of
//! Correlation with Human Judgments*): words match in stages, and what matches should be in few pieces.
//!
//! ```text
//! METEOR = (1 - gamma (chunks / m)^beta) F,   F = P R / (alpha P + (1 - alpha) R),   P = m / c,   R = m / r
//! ```
//!
//! m of the c words of the hypothesis are matched with words of the reference, which has r; they fall into so many chunks of
//! words that are neighbors, in the same order, on both sides. alpha is 0.9, beta 3 and gamma 0.5 as in NLTK. Of several
//! references that counts which gives the most; the score of a text is the mean over its segments. 0 to 1.
//!
//! **Stages.** First equal words are matched, then of the words that are left those with equal [stems](super::porter), then
//! those that [`Synonyms`] has in one set. Words are put into lower case before. In each stage a word that occurs several
//! times is matched from the end: its last occurrence with the last one, and so on. That leaves no crossing between the
//! occurrences of one word; it is how NLTK 3.10 aligns, whose scores are had to the last bit.
//!
//! ```
//! use alinea::metric::meteor::{Meteor, MeteorConfig};
//! use alinea::metric::{Metric, Segments, measure};
//! use alinea::parallel::Parallelism;
//!
//! let mut segments = Segments::new(1);
//! segments.push(&["The cats sat on a mat"], &["the cat sat on the mat"]);
//! let meteor = Meteor::new(MeteorConfig::default())?;
//! let sums = measure(&meteor, &segments, &Parallelism::serial())?[0].sums();
//! // Five words match, `cats` by its stem, in three chunks: `The` is matched with the last `the`.
//! let expected = (1.0 - 0.5 * (3.0_f64 / 5.0).powi(3)) * (5.0 / 6.0);
//! assert!((meteor.score(&sums) - expected).abs() < 1e-12);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod aligner;
mod forms;
mod stages;
mod synonyms;

pub use self::aligner::MeteorAligner;
use self::forms::Forms;
use self::stages::Stages;
pub use self::synonyms::Synonyms;
use super::porter::Porter;
use super::tokenize::{ThirteenA, Tokenizer};
use super::words::{BestReference, MEAN_WIDTH, PairScorer, WordReader, check_exponent, mean, sign_words};
use super::{Measurer, Metric, Signature};
use crate::bitext::Vocabulary;
use crate::error::{Error, Result};

/// By what words are looked up among synonyms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SynonymLookup {
    /// The words themselves.
    #[default]
    Words,
    /// Their stems, as NLTK 3.10 does: in its last stage it has the words as the stage before has left them.
    Stems,
}

/// Everything that decides a score.
#[derive(Debug)]
#[non_exhaustive]
pub struct MeteorConfig {
    /// How much more recall counts than precision: 0 to 1, where 1 is recall alone.
    pub alpha: f64,
    /// How the penalty grows with the number of chunks; at least 0.
    pub beta: f64,
    /// The greatest penalty, 0 to 1.
    pub gamma: f64,
    /// What stems; without it there is no such stage.
    pub stemmer: Option<Porter>,
    /// Sets of synonyms; without them there is no such stage.
    pub synonyms: Option<Synonyms>,
    /// By what they are looked up.
    pub lookup: SynonymLookup,
    /// Whether upper and lower case are the same; words are changed after lines have been split into them.
    pub lowercase: bool,
    /// What makes words of lines.
    pub tokenizer: Box<dyn Tokenizer>,
}

alinea_text::configurable!(MeteorConfig);

/// NLTK's parameters and stemmer, no synonyms, words by 13a.
impl Default for MeteorConfig {
    fn default() -> Self {
        Self {
            alpha: 0.9,
            beta: 3.0,
            gamma: 0.5,
            stemmer: Some(Porter::Nltk),
            synonyms: None,
            lookup: SynonymLookup::Words,
            lowercase: true,
            tokenizer: Box::new(ThirteenA),
        }
    }
}

/// The metric.
#[derive(Debug)]
pub struct Meteor {
    config: MeteorConfig,
}

impl Meteor {
    /// The metric with these settings.
    ///
    /// # Errors
    /// `Config` if a parameter is outside its range.
    pub fn new(config: MeteorConfig) -> Result<Self> {
        for (name, value) in [("alpha", config.alpha), ("gamma", config.gamma)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::config(name, value, "0 to 1"));
            }
        }
        check_exponent("beta", config.beta)?;
        Ok(Self { config })
    }

    /// The settings.
    pub fn config(&self) -> &MeteorConfig {
        &self.config
    }

    /// The score, 0 to 1, for numbers of matches and of their chunks, of words in the hypothesis and of words in the
    /// reference.
    pub fn score_of_counts(&self, matches: usize, chunks: usize, hypothesis: usize, reference: usize) -> f64 {
        score(&self.config, (matches, chunks), hypothesis, reference)
    }
}

impl Metric for Meteor {
    fn name(&self) -> String {
        "METEOR".to_owned()
    }

    fn signature(&self) -> Signature {
        let config = &self.config;
        let mut signature = Signature::default();
        sign_words(&mut signature, &*config.tokenizer, config.lowercase);
        signature.push("alpha", "al", config.alpha.to_string());
        signature.push("beta", "be", config.beta.to_string());
        signature.push("gamma", "ga", config.gamma.to_string());
        signature.push("stem", "st", config.stemmer.map_or("no", Porter::name));
        let synonyms = config.synonyms.as_ref().map_or_else(
            || "no".to_owned(),
            |synonyms| match config.lookup {
                SynonymLookup::Words => format!("{}sets", synonyms.len()),
                SynonymLookup::Stems => format!("{}sets-by-stem", synonyms.len()),
            },
        );
        signature.push("syn", "sy", synonyms);
        signature
    }

    /// The score of the best reference, and 1.
    fn width(&self) -> usize {
        MEAN_WIDTH
    }

    fn measurer(&self) -> Box<dyn Measurer + '_> {
        // Words are put into lower case later, one by one.
        let reader = WordReader::new(&*self.config.tokenizer, false);
        let forms = Forms::new(self.config.lowercase);
        Box::new(BestReference {
            reader,
            scorer: MeteorScorer { config: &self.config, forms, stages: Stages::default() },
        })
    }

    fn score(&self, sums: &[f64]) -> f64 {
        mean(sums)
    }
}

struct MeteorScorer<'m> {
    config: &'m MeteorConfig,
    forms: Forms,
    stages: Stages,
}

impl PairScorer for MeteorScorer<'_> {
    fn score(&mut self, reference: &[u32], hypothesis: &[u32], words: &Vocabulary) -> Result<f64> {
        self.forms.forget_if_many();
        let (forms, config) = (&mut self.forms, self.config);
        let [reference_forms, hypothesis_forms] = [reference, hypothesis]
            .map(|sentence| sentence.iter().map(|&word| forms.of_word(word, words)).collect::<Vec<_>>());
        self.stages.begin(&reference_forms, &hypothesis_forms);
        self.stages.match_equal();
        let by_stem = config.synonyms.is_some() && config.lookup == SynonymLookup::Stems;
        if let Some(stemmer) = config.stemmer {
            let unstemmed = self.stages.replace_unmatched(|form| forms.stem(stemmer, form));
            self.stages.match_equal();
            if !by_stem {
                self.stages.restore(unstemmed);
            }
        }
        if let Some(synonyms) = &config.synonyms {
            self.stages.match_synonyms(|form| synonyms.sets_of(forms.text(form)));
        }
        let (matches, chunks) = self.stages.matches_and_chunks();
        Ok(score(config, (matches, chunks), hypothesis.len(), reference.len()))
    }
}

/// The score of a hypothesis by the number of its matches and of their chunks; lengths are numbers of words.
fn score(config: &MeteorConfig, (matches, chunks): (usize, usize), hypothesis: usize, reference: usize) -> f64 {
    if matches == 0 {
        return 0.0;
    }
    let matched = matches as f64;
    let (precision, recall) = (matched / hypothesis as f64, matched / reference as f64);
    let mean = precision * recall / (config.alpha * precision + (1.0 - config.alpha) * recall);
    let penalty = config.gamma * (chunks as f64 / matched).powf(config.beta);
    (1.0 - penalty) * mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_checked() {
        let error = |config| Meteor::new(config).unwrap_err().to_string();
        assert_eq!(error(MeteorConfig { alpha: 1.5, ..MeteorConfig::default() }), "alpha = 1.5: must be 0 to 1");
        assert_eq!(error(MeteorConfig { gamma: -0.1, ..MeteorConfig::default() }), "gamma = -0.1: must be 0 to 1");
        let beta = error(MeteorConfig { beta: f64::INFINITY, ..MeteorConfig::default() });
        assert_eq!(beta, "beta = inf: must be finite numbers, at least 0");
    }
}
