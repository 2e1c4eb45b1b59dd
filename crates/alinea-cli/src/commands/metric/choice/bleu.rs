//! The options of BLEU.

use std::path::PathBuf;

use alinea::metric::bleu::{Bleu, BleuConfig};
use alinea::metric::smoothing::{ChenCherry, Smoothing};
use alinea::metric::tokenize::{TokenizerOptions, default_for_language, tokenizer_by_name};
use anyhow::bail;

/// How BLEU counts.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "BLEU")]
pub(super) struct BleuArgs {
    /// Languages, such as en-zh: the second one chooses the tokenizer
    #[arg(short, long, value_name = "SRC-TGT")]
    language_pair: Option<String>,
    /// What cuts lines into tokens: none, 13a, intl, char, zh, zh-fixed, ja-mecab, ko-mecab, spm, flores101, flores200,
    /// spBLEU-1K [default: as the language has it, otherwise 13a]
    #[arg(short, long, value_name = "NAME")]
    tokenize: Option<String>,
    /// The folder of a dictionary of MeCab, for ja-mecab and ko-mecab
    #[arg(long, value_name = "DIR")]
    mecab_dictionary: Option<PathBuf>,
    /// A model of SentencePiece, for spm and its like
    #[arg(long, value_name = "FILE")]
    spm_model: Option<PathBuf>,
    /// Upper and lower case are the same
    #[arg(long)]
    lowercase: bool,
    /// What is done where nothing matches: exp, floor, add-k, none, or method0 to method7 of Chen and Cherry (2014)
    #[arg(short, long, value_name = "NAME", default_value = "exp")]
    smoothing: String,
    /// The parameter of the smoothing: added counts of floor, add-k and method1, alpha of method6, k of method4 and method7
    #[arg(long, value_name = "NUMBER")]
    smoothing_value: Option<f64>,
    /// Longest n-grams
    #[arg(long, value_name = "N", default_value_t = 4)]
    max_order: usize,
    /// Leave out orders that a text is too short for; always so with --segments
    #[arg(long)]
    effective_order: bool,
}

impl BleuArgs {
    /// The metric.
    pub(super) fn metric(&self, segments: bool) -> anyhow::Result<Bleu> {
        let options = TokenizerOptions { dictionary: self.mecab_dictionary.clone(), model: self.spm_model.clone() };
        if let Some(pair) = &self.language_pair
            && !pair.contains('-')
        {
            bail!("language-pair = {pair}: allowed is two languages, such as en-zh");
        }
        let config = BleuConfig {
            weights: vec![1.0 / self.max_order as f64; self.max_order],
            smoothing: self.smoothing()?,
            effective_order: self.effective_order || segments,
            lowercase: self.lowercase,
            tokenizer: tokenizer_by_name(self.tokenizer_name(), &options)?,
        };
        Ok(Bleu::new(config)?)
    }

    /// The tokenizer that is asked for, or that of the language.
    pub(super) fn tokenizer_name(&self) -> &str {
        let target = self.language_pair.as_deref().and_then(|pair| pair.split('-').nth(1));
        self.tokenize.as_deref().unwrap_or_else(|| default_for_language(target.unwrap_or_default()))
    }

    /// Whether a tokenizer was asked for by name.
    pub(super) fn names_tokenizer(&self) -> bool {
        self.tokenize.is_some()
    }

    fn smoothing(&self) -> anyhow::Result<Smoothing> {
        let value = self.smoothing_value;
        let smoothing = match self.smoothing.as_str() {
            "none" => Smoothing::None,
            "exp" => Smoothing::Exp,
            "floor" => Smoothing::Floor(value.unwrap_or(0.1)),
            "add-k" => Smoothing::AddK(value.unwrap_or(1.0)),
            name => match name.strip_prefix("method").and_then(|number| number.parse().ok()) {
                Some(method @ 0..=7) => Smoothing::ChenCherry(chen_cherry(method, value)),
                _ => bail!("smoothing = {name}: allowed is exp, floor, add-k, none, or method0 to method7"),
            },
        };
        let without = match smoothing {
            Smoothing::None | Smoothing::Exp => true,
            Smoothing::ChenCherry(method) => !matches!(method.method, 1 | 4 | 6 | 7),
            Smoothing::Floor(_) | Smoothing::AddK(_) => false,
        };
        if let Some(value) = value
            && without
        {
            bail!("smoothing-value = {value}: {} has no parameter", self.smoothing);
        }
        Ok(smoothing)
    }
}

fn chen_cherry(method: u8, value: Option<f64>) -> ChenCherry {
    let mut technique = ChenCherry::new(method);
    match (method, value) {
        (1, Some(value)) => technique.epsilon = value,
        (4 | 7, Some(value)) => technique.k = value,
        (6, Some(value)) => technique.alpha = value,
        _ => {}
    }
    technique
}
