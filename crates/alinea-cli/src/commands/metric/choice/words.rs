//! What words are, for the metrics that compare words.

use std::path::PathBuf;

use alinea::metric::tokenize::{Tokenizer, TokenizerOptions, default_for_language, tokenizer_by_name};
use anyhow::bail;

use crate::failure::WithHint;
use crate::input::kind::Rare as _;

/// How lines become words.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Tokenization (not for TER and chrF++)")]
pub(super) struct WordArgs {
    /// Language pair, such as en-zh; the target language selects the tokenizer
    #[arg(short, long, value_name = "SRC-TGT")]
    language_pair: Option<String>,
    /// Tokenizer: none, 13a, intl, char, zh, zh-fixed, ja-mecab, ko-mecab, spm, flores101, flores200,
    /// spBLEU-1K [default: by language, otherwise 13a]
    #[arg(long, value_name = "NAME")]
    tokenize: Option<String>,
    /// Directory of a MeCab dictionary, for ja-mecab and ko-mecab
    #[arg(long, value_name = "DIR", rare = true)]
    mecab_dictionary: Option<PathBuf>,
    /// SentencePiece model, for spm and similar tokenizers
    #[arg(long, value_name = "FILE", rare = true)]
    spm_model: Option<PathBuf>,
    /// Ignore case (always for METEOR)
    #[arg(long)]
    pub(super) lowercase: bool,
    /// Do not warn of lines that look tokenized
    #[arg(long, rare = true)]
    pub(super) force: bool,
}

impl WordArgs {
    /// The tokenizer, made anew.
    pub(super) fn tokenizer(&self) -> anyhow::Result<Box<dyn Tokenizer>> {
        let options = TokenizerOptions::default().with(|c| {
            c.dictionary.clone_from(&self.mecab_dictionary);
            c.model.clone_from(&self.spm_model);
        });
        self.pair()?;
        let name = self.tokenizer_name();
        let tokenizer = tokenizer_by_name(name, &options);
        match name {
            "ja-mecab" | "ko-mecab" if self.mecab_dictionary.is_none() => tokenizer.hint("--mecab-dictionary DIR"),
            "spm" | "flores101" | "flores200" | "spBLEU-1K" if self.spm_model.is_none() => {
                tokenizer.hint("--spm-model FILE")
            }
            _ => Ok(tokenizer?),
        }
    }

    /// The language pair, if one is given.
    pub(super) fn pair(&self) -> anyhow::Result<Option<&str>> {
        if let Some(pair) = &self.language_pair
            && !pair.contains('-')
        {
            bail!("--language-pair = {pair}: must be two languages, such as en-zh");
        }
        Ok(self.language_pair.as_deref())
    }

    /// The tokenizer that is asked for, or that of the language.
    pub(super) fn tokenizer_name(&self) -> &str {
        let target = self.language_pair.as_deref().and_then(|pair| pair.split('-').nth(1));
        self.tokenize.as_deref().unwrap_or_else(|| default_for_language(target.unwrap_or_default()))
    }

    /// The same for lines that are tokenized: they are cut at blanks, unless a tokenizer was asked for by name.
    pub(super) fn or_at_blanks(&self) -> Self {
        Self { tokenize: self.tokenize.clone().or_else(|| Some("none".to_owned())), ..self.clone() }
    }

    /// Whether words are what stands between blanks, because that was asked for.
    pub(super) fn is_at_blanks(&self) -> bool {
        self.tokenize.as_deref() == Some("none")
    }

    /// Whether a tokenizer was asked for by name.
    pub(super) fn names_tokenizer(&self) -> bool {
        self.tokenize.is_some()
    }
}
