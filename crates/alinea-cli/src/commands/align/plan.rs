//! What is asked of reader, decoder and writer, from the options.

use alinea::align::{Decoding, ThresholdChoice, Wants};
use alinea::error::Result;
use alinea::format::bitext::ReadOptions;
use alinea::model::TextForm;

use super::args::Args;
use super::outputs::{FormatName, Kind};
use crate::input::tokens::TokenArgs;

/// Everything that was chosen.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) read: ReadOptions,
    /// How links are read off the model.
    pub(super) decoding: Decoding,
    /// The threshold that was chosen.
    pub(super) chosen: Option<ThresholdChoice>,
    pub(super) format: FormatName,
    /// What the links are to count.
    pub(super) tokens: TokenArgs,
    /// Which outputs are wanted, by [`Kind`].
    wanted: [bool; Kind::ALL.len()],
}

impl Plan {
    /// Checks the options of reading; given is how links are read off the model, and the form of the text.
    pub(super) fn new(args: &Args, decoding: Decoding, form: TextForm) -> Result<Self> {
        let format = args.outputs.format;
        let keep_text = format == FormatName::Jsonl || args.tokens.is_given() || args.encoder.is_given();
        let read = args.text.read_options(form, keep_text);
        read.validate()?;
        let wanted = Kind::ALL.map(|kind| args.outputs.of(kind).is_some());
        Ok(Self { read, decoding, chosen: None, format, tokens: args.tokens.clone(), wanted })
    }

    /// Whether an output is wanted.
    pub(super) fn wants(&self, kind: Kind) -> bool {
        self.wanted[kind as usize]
    }

    /// Whether the links are written with the words.
    pub(super) fn shows_words(&self) -> bool {
        self.format == FormatName::Jsonl
    }

    /// Whether the lines are needed as they were.
    pub(super) fn needs_lines(&self) -> bool {
        self.shows_words() || self.tokens.is_given()
    }

    /// What is to be found of each pair.
    pub(super) fn wants_of_pairs(&self) -> Wants {
        let links = Wants::of(self.decoding.rule);
        Wants {
            posteriors: links.posteriors || self.shows_words() || self.wants(Kind::Posteriors),
            paths: links.paths || self.wants(Kind::Forward) || self.wants(Kind::Reverse),
            scores: self.wants(Kind::Scores),
        }
    }

    /// The trained model's signature, and what was chosen about text and links.
    pub(super) fn signature(&self, model: &str) -> String {
        let ReadOptions { lowercase, tokenize, max_length, .. } = self.read;
        let links = self.decoding.rule;
        let chosen = self.chosen.map_or_else(String::new, |choice| format!("(auto:{})", choice.objective));
        format!("{model}|lowercase:{lowercase}|tokenize:{tokenize}|max:{max_length}|links:{links}{chosen}")
    }
}
