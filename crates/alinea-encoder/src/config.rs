//! `config.json`: which network an encoder is, and how large.
//!
//! BERT, RoBERTa, XLM-RoBERTa and CamemBERT are one network. They differ in where positions begin: BERT counts them from 0,
//! the others from `pad_token_id` + 1, so that 514 rows are 512 positions. What is missing has the value that the
//! configuration classes of `transformers` give it; sizes must be there.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

use serde_json::{Map, Value};
use twox_hash::XxHash3_64;

use crate::error::{Error, ErrorKind, Result, Snippet};
use crate::folder::{parse_description, read_description};

/// The kind of a network, `model_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Architecture {
    /// BERT; LaBSE and multilingual-e5-small are such.
    Bert,
    /// RoBERTa.
    Roberta,
    /// XLM-RoBERTa; multilingual-e5-base and multilingual-e5-large are such.
    XlmRoberta,
    /// CamemBERT.
    Camembert,
}

/// By their names in `config.json`.
const ARCHITECTURES: [(&str, Architecture); 4] = [
    ("bert", Architecture::Bert),
    ("xlm-roberta", Architecture::XlmRoberta),
    ("roberta", Architecture::Roberta),
    ("camembert", Architecture::Camembert),
];

/// What is applied to each number between the two linear maps of a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Activation {
    /// x Φ(x), with the error function (Hendrycks and Gimpel 2016).
    Gelu,
    /// Its approximation by the hyperbolic tangent.
    GeluTanh,
    /// max(0, x).
    Relu,
}

/// By their names in `config.json`.
const ACTIVATIONS: [(&str, Activation); 6] = [
    ("gelu", Activation::Gelu),
    ("gelu_python", Activation::Gelu),
    ("gelu_new", Activation::GeluTanh),
    ("gelu_fast", Activation::GeluTanh),
    ("gelu_pytorch_tanh", Activation::GeluTanh),
    ("relu", Activation::Relu),
];

/// An encoder whose best layer for alignment is known: one of this architecture, width, number of layers and vocabulary, since
/// nothing in the file says its name.
struct Known {
    architecture: Architecture,
    hidden: usize,
    layers: usize,
    vocabulary: usize,
    /// The best layer; 0 would be the embeddings.
    layer: usize,
}

const KNOWN: [Known; 5] = [
    // multilingual-e5-small: measured on eleven sets of gold links. Layer 6 is about as good, the last one much worse.
    Known { architecture: Architecture::Bert, hidden: 384, layers: 12, vocabulary: 250_037, layer: 7 },
    // LaBSE: the layer of AccAlign's `run_align.sh` (Wang et al. 2022, "Multilingual sentence transformer as a multilingual
    // word aligner").
    Known { architecture: Architecture::Bert, hidden: 768, layers: 12, vocabulary: 501_153, layer: 6 },
    // mBERT, cased and uncased, and XLM-R base: the layer of SimAlign (Jalili Sabet et al. 2020) for all of them, and for mBERT
    // that of awesome-align (Dou and Neubig 2021). multilingual-e5-base has the sizes of XLM-R base.
    Known { architecture: Architecture::Bert, hidden: 768, layers: 12, vocabulary: 119_547, layer: 8 },
    Known { architecture: Architecture::Bert, hidden: 768, layers: 12, vocabulary: 105_879, layer: 8 },
    Known { architecture: Architecture::XlmRoberta, hidden: 768, layers: 12, vocabulary: 250_002, layer: 8 },
];

/// What is known of a network before its weights.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    /// Its kind.
    pub(crate) architecture: Architecture,
    /// Numbers of a hidden state.
    pub(crate) hidden: usize,
    /// Layers, without the embeddings.
    pub(crate) layers: usize,
    /// Heads of attention of a layer, of hidden / heads numbers each.
    pub(crate) heads: usize,
    /// Numbers between the two linear maps of a layer.
    pub(crate) intermediate: usize,
    /// Pieces.
    pub(crate) vocabulary: usize,
    /// The most pieces that are computed together, those at both ends included.
    pub(crate) positions: usize,
    /// Types of segments.
    pub(crate) types: usize,
    /// What normalization adds to the variance.
    pub(crate) epsilon: f32,
    /// The row of the first position in the matrix of positions, which has `first_position + positions`.
    pub(crate) first_position: usize,
    /// The activation.
    pub(crate) activation: Activation,
}

impl Config {
    /// Reads `config.json`.
    ///
    /// # Errors
    /// `Io`; `OverLimit`; `Model` for other networks, and sizes that are missing, do not fit each other, or are beyond those of any
    /// encoder.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        Self::parse(path, &read_description(path)?)
    }

    fn parse(path: &Path, json: &[u8]) -> Result<Self> {
        let path = path.display().to_string();
        let json = parse_description(&path, json, "the configuration of an encoder")?;
        let fields = Fields { path, json };
        let architecture = fields.choice("model_type", None, &ARCHITECTURES)?;
        fields.choice("position_embedding_type", Some(()), &[("absolute", ())])?;
        let activation = fields.choice("hidden_act", Some(Activation::Gelu), &ACTIVATIONS)?;
        if fields.get("is_decoder") == Some(&Value::Bool(true)) {
            return Err(fields.refused("is_decoder", "false"));
        }
        let hidden = fields.size("hidden_size", None, 1..=1 << 14)?;
        let heads = fields.size("num_attention_heads", None, 1..=1 << 10)?;
        if !hidden.is_multiple_of(heads) {
            return Err(fields.refused("num_attention_heads", format_args!("a divisor of `hidden_size`, {hidden}")));
        }
        let first_position = match architecture {
            Architecture::Bert => 0,
            _ => fields.size("pad_token_id", Some(1), 0..=1 << 10)? + 1,
        };
        // Two pieces at the ends, and one between them.
        let rows = fields.size("max_position_embeddings", None, first_position + 3..=1 << 16)?;
        Ok(Self {
            architecture,
            hidden,
            layers: fields.size("num_hidden_layers", None, 1..=1 << 10)?,
            heads,
            intermediate: fields.size("intermediate_size", None, 1..=1 << 16)?,
            vocabulary: fields.size("vocab_size", None, 1..=1 << 22)?,
            positions: rows - first_position,
            types: fields.size("type_vocab_size", Some(2), 1..=1 << 10)?,
            epsilon: fields.epsilon("layer_norm_eps", 1e-12)?,
            first_position,
            activation,
        })
    }

    /// Tells this network from others with the same weights: a hash of all fields.
    pub(crate) fn identity(&self) -> u64 {
        XxHash3_64::oneshot(format!("{self:?}").as_bytes())
    }

    /// The layer whose outputs are best for alignment; 0 would be the embeddings. That of encoders that are not known has the
    /// share of the layers that 7 has of 12.
    pub(crate) fn default_layer(&self) -> usize {
        let is_this = |known: &&Known| {
            (known.architecture, known.hidden) == (self.architecture, self.hidden)
                && (known.layers, known.vocabulary) == (self.layers, self.vocabulary)
        };
        KNOWN.iter().find(is_this).map_or((self.layers * 7 + 6) / 12, |known| known.layer)
    }
}

/// The fields of the file.
struct Fields {
    path: String,
    json: Map<String, Value>,
}

impl Fields {
    /// A field that is there, and not null.
    fn get(&self, name: &str) -> Option<&Value> {
        self.json.get(name).filter(|value| !value.is_null())
    }

    /// A whole number within a range.
    fn size(&self, name: &str, default: Option<usize>, allowed: RangeInclusive<usize>) -> Result<usize> {
        let found = match self.get(name) {
            None => default,
            Some(value) => value.as_u64().and_then(|value| usize::try_from(value).ok()),
        };
        let (least, most) = (allowed.start(), allowed.end());
        let refused = || self.refused(name, format_args!("a whole number from {least} to {most}"));
        found.filter(|value| allowed.contains(value)).ok_or_else(refused)
    }

    /// What a name stands for.
    fn choice<T: Copy>(&self, name: &str, default: Option<T>, choices: &[(&str, T)]) -> Result<T> {
        let found = match self.get(name) {
            None => default,
            Some(value) => choices.iter().find(|(choice, _)| value == choice).map(|&(_, meaning)| meaning),
        };
        found.ok_or_else(|| {
            let names: Vec<String> = choices.iter().map(|(choice, _)| format!("`{choice}`")).collect();
            let all = match names.split_last() {
                Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
                _ => names.concat(),
            };
            self.refused(name, all)
        })
    }

    /// A small positive number.
    fn epsilon(&self, name: &str, default: f64) -> Result<f32> {
        let found = self.get(name).map_or(Some(default), Value::as_f64);
        let found = found.filter(|value| (1e-30..=0.1).contains(value));
        found.map(|value| value as f32).ok_or_else(|| self.refused(name, "a number from 1e-30 to 0.1"))
    }

    fn refused(&self, name: &str, expected: impl fmt::Display) -> Error {
        let found = self.json.get(name).map_or_else(String::new, Value::to_string);
        let (expected, found) = (format!("`{name}` to be {expected}"), Snippet::new(found.as_bytes()).to_string());
        ErrorKind::Model { path: self.path.clone(), expected, found }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes of multilingual-e5-small.
    const SIZES: &str = r#""model_type": "bert", "hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 12,
        "intermediate_size": 1536, "vocab_size": 250037, "max_position_embeddings": 512"#;

    fn parse(json: &str) -> Result<Config> {
        Config::parse(Path::new("config.json"), json.as_bytes())
    }

    /// The sizes with some fields in place of others, or more of them: the last of two fields counts.
    fn with(fields: &str) -> Result<Config> {
        parse(&format!("{{{SIZES}, {fields}}}"))
    }

    fn message(fields: &str) -> String {
        with(fields).unwrap_err().to_string()
    }

    #[test]
    fn missing_fields_have_the_defaults_of_transformers() {
        let config = parse(&format!("{{{SIZES}}}")).unwrap();
        let expected = Config {
            architecture: Architecture::Bert,
            hidden: 384,
            layers: 12,
            heads: 12,
            intermediate: 1536,
            vocabulary: 250_037,
            positions: 512,
            types: 2,
            epsilon: 1e-12,
            first_position: 0,
            activation: Activation::Gelu,
        };
        assert_eq!(config, expected);
        assert_eq!(with(r#""type_vocab_size": null, "position_embedding_type": "absolute""#).unwrap(), expected);
    }

    #[test]
    fn roberta_counts_positions_behind_the_padding() {
        for kind in ["xlm-roberta", "roberta", "camembert"] {
            let fields = r#""max_position_embeddings": 514, "type_vocab_size": 1, "layer_norm_eps": 1e-05"#;
            let config = with(&format!(r#""model_type": "{kind}", {fields}"#)).unwrap();
            assert_eq!((config.first_position, config.positions, config.types), (2, 512, 1));
            assert!((config.epsilon - 1e-5).abs() < 1e-11);
            let config = with(&format!(r#""model_type": "{kind}", {fields}, "pad_token_id": 0"#)).unwrap();
            assert_eq!((config.first_position, config.positions), (1, 513));
        }
        assert_eq!(with(r#""pad_token_id": 7"#).unwrap().first_position, 0);
    }

    #[test]
    fn activations_have_several_names() {
        let of = |name: &str| with(&format!(r#""hidden_act": "{name}""#)).map(|config| config.activation);
        assert_eq!(of("gelu").unwrap(), Activation::Gelu);
        assert_eq!(of("gelu_new").unwrap(), Activation::GeluTanh);
        assert_eq!(of("gelu_pytorch_tanh").unwrap(), Activation::GeluTanh);
        assert_eq!(of("relu").unwrap(), Activation::Relu);
        assert!(of("silu").unwrap_err().to_string().ends_with("found `\"silu\"`"));
    }

    #[test]
    fn layers_for_alignment_are_known_or_a_share() {
        let of = |fields: &str| with(fields).unwrap().default_layer();
        assert_eq!(of(r#""type_vocab_size": 2"#), 7);
        assert_eq!(of(r#""hidden_size": 768, "vocab_size": 501153"#), 6);
        assert_eq!(of(r#""hidden_size": 768, "vocab_size": 119547"#), 8);
        assert_eq!(of(r#""model_type": "xlm-roberta", "hidden_size": 768, "vocab_size": 250002"#), 8);
        assert_eq!(of(r#""vocab_size": 30522"#), 7);
        let of_layers = |layers: usize| of(&format!(r#""num_hidden_layers": {layers}"#));
        // 7/12 of them, rounded: 0.58, 1.17, 1.75, 3.5, 14.
        assert_eq!([1, 2, 3, 6, 24].map(of_layers), [1, 1, 2, 4, 14]);
    }

    #[test]
    fn other_networks_are_refused_by_name() {
        let kinds = "config.json: expected `model_type` to be `bert`, `xlm-roberta`, `roberta` or `camembert`, found ";
        assert_eq!(message(r#""model_type": "distilbert""#), format!("{kinds}`\"distilbert\"`"));
        assert_eq!(parse("{}").unwrap_err().to_string(), format!("{kinds}nothing"));
        let relative = message(r#""position_embedding_type": "relative_key""#);
        assert!(relative.ends_with("_type` to be `absolute`, found `\"relative_key\"`"), "{relative}");
        assert!(message(r#""is_decoder": true"#).contains("`is_decoder` to be false"));
        assert!(with(r#""is_decoder": false"#).is_ok());
    }

    #[test]
    fn sizes_that_no_encoder_has_are_refused() {
        let heads = message(r#""num_attention_heads": 7"#);
        assert!(heads.ends_with("`num_attention_heads` to be a divisor of `hidden_size`, 384, found `7`"), "{heads}");
        for field in ["hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size"] {
            for value in ["0", "-1", "1.5", "\"12\"", "18446744073709551615", "null", "[]"] {
                let message = message(&format!(r#""{field}": {value}"#));
                assert!(message.contains(&format!("`{field}` to be a whole number from 1 to")), "{message}");
            }
        }
        assert!(message(r#""max_position_embeddings": 2"#).contains("from 3 to 65536, found `2`"));
        for epsilon in ["0", "-1e-5", "1", "1e-320", "\"small\""] {
            assert!(message(&format!(r#""layer_norm_eps": {epsilon}"#)).contains("`layer_norm_eps`"));
        }
    }

    #[test]
    fn what_is_no_json_is_refused() {
        for text in ["", "[]", "{", "bert", "\u{0}", "{\"hidden_size\": 1e400}"] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.starts_with("config.json: expected"), "{message}");
        }
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("config.json");
        assert!(matches!(Config::read(&path).unwrap_err().kind(), ErrorKind::Io { .. }));
        std::fs::write(&path, " ".repeat((1 << 24) + 1)).unwrap();
        assert!(matches!(Config::read(&path).unwrap_err().kind(), ErrorKind::OverLimit { .. }));
    }
}
