//! Headers of the files that models and counts are in: a JSON object with format, version and program, and what the
//! file describes.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::format::tokens::{SubwordModel, Tokenize};
use crate::model::config::AlignerConfig;
use crate::model::identity::StoredConfig;
use crate::storage::Container;

const FORMAT: &str = "alinea model";

/// The version of files that are written, and the only one that is read.
pub const MODEL_VERSION: u32 = 2;

/// The sides of the text, as names of arrays have them.
pub(in crate::model) const SIDES: [&str; 2] = ["source", "target"];

/// The array of the SentencePiece model that words were cut by, if they were cut by one.
pub(in crate::model) const SUBWORDS: &str = "words.sentencepiece";

/// The array of translation probabilities.
pub(in crate::model) const PROBABILITIES: &str = "lexicon.probabilities";

/// How the text that a model was trained on was read; other text should be read so too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextForm {
    /// Whether words are compared in lower case.
    pub lowercase: bool,
    /// How lines are cut into words.
    pub tokenize: Tokenize,
}

alinea_text::configurable!(TextForm);

impl Default for TextForm {
    fn default() -> Self {
        Self { lowercase: true, tokenize: Tokenize::None }
    }
}

/// What the header of a model says of it.
#[derive(Debug, Clone)]
pub(in crate::model) struct Description {
    pub(in crate::model) signature: String,
    pub(in crate::model) config: AlignerConfig,
    pub(in crate::model) form: TextForm,
    /// Sentence pairs with words on both sides.
    pub(in crate::model) pairs: usize,
    /// Whether links come from the HMM.
    pub(in crate::model) hmm: bool,
}

/// The same in the file.
#[derive(Debug, Serialize, Deserialize)]
struct StoredDescription {
    signature: String,
    config: StoredConfig,
    form: StoredForm,
    pairs: usize,
    hmm: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct StoredForm {
    lowercase: bool,
    tokenize: String,
}

impl StoredForm {
    pub(in crate::model) fn of(form: TextForm) -> Self {
        Self { lowercase: form.lowercase, tokenize: form.tokenize.name().to_owned() }
    }

    /// The form, with the subwords that the file has.
    pub(in crate::model) fn form(self, file: &Container) -> Result<TextForm> {
        let tokenize = match Tokenize::rule(&self.tokenize) {
            Ok(rule) => rule,
            Err(_) if file.has(SUBWORDS) => {
                Tokenize::SentencePiece(SubwordModel::from_bytes(&file.section::<u8>(SUBWORDS)?, file.name())?)
            }
            Err(_) => return Err(file.error("a known way to cut text into words".to_owned(), self.tokenize)),
        };
        Ok(TextForm { lowercase: self.lowercase, tokenize })
    }
}

#[derive(Debug, Serialize)]
struct Header {
    format: &'static str,
    version: u32,
    program: &'static str,
    #[serde(flatten)]
    description: StoredDescription,
}

impl Description {
    /// The header of a file.
    pub(in crate::model) fn header(self) -> serde_json::Result<String> {
        let Self { signature, config, form, pairs, hmm } = self;
        let (config, form) = (StoredConfig::of(&config), StoredForm::of(form));
        let description = StoredDescription { signature, config, form, pairs, hmm };
        serde_json::to_string(&Header {
            format: FORMAT,
            version: MODEL_VERSION,
            program: env!("CARGO_PKG_VERSION"),
            description,
        })
    }

    /// What a file's header says.
    ///
    /// # Errors
    /// `Model` if it is not that of a model of this version; `Config` for values that no model has.
    pub(in crate::model) fn of(file: &Container) -> Result<Self> {
        let bad = |error: String| file.error("a header that describes the model".to_owned(), error);
        let header = read(file, FileKind { what: "a model", format: FORMAT, version: MODEL_VERSION })?;
        let stored: StoredDescription = serde_json::from_value(header).map_err(|error| bad(error.to_string()))?;
        let StoredDescription { signature, config, form, pairs, hmm } = stored;
        Ok(Self { signature, config: config.config().map_err(bad)??, form: form.form(file)?, pairs, hmm })
    }
}

/// A kind of file.
#[derive(Debug, Clone, Copy)]
pub(in crate::model) struct FileKind {
    /// What messages call it.
    pub(in crate::model) what: &'static str,
    /// The name of its format.
    pub(in crate::model) format: &'static str,
    /// The only version that is read.
    pub(in crate::model) version: u32,
}

/// The header of a file that describes something, in a format of its own, of a version.
///
/// # Errors
/// `Model` if it has another format or version.
pub(in crate::model) fn read(
    file: &Container,
    FileKind { what, format, version }: FileKind,
) -> Result<serde_json::Value> {
    let bad = |error: serde_json::Error| file.error(format!("a header that describes {what}"), error.to_string());
    let header: serde_json::Value = serde_json::from_str(file.text()).map_err(bad)?;
    if header.get("format").and_then(serde_json::Value::as_str) != Some(format) {
        return Err(file.error(format!("format `{format}`"), "another".to_owned()));
    }
    let found = header.get("version").and_then(serde_json::Value::as_u64);
    if found != Some(u64::from(version)) {
        let program = header.get("program").and_then(serde_json::Value::as_str).unwrap_or("another program");
        let found = found.map_or_else(|| "none".to_owned(), |found| found.to_string());
        let expected = format!("{what} of version {version} (this is alinea {})", env!("CARGO_PKG_VERSION"));
        return Err(file.error(expected, format!("version {found}, written by alinea {program}")));
    }
    Ok(header)
}
