//! Word vectors of a pretrained encoder: its options, and the vectors of a text.
//!
//! Words are encoded as they were written, also where the model lowercases them, so the lines of the text are kept. Which
//! of them are encoded is decided elsewhere (`encode`).

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use alinea::encoder::{Encoder, EncoderOptions, find};
use alinea::error::Result;
use alinea::format::bitext::{KeptLines, KeptText};
use alinea::model::Feature;
use alinea::parallel::Work;
use alinea::word_vectors::WordVectors;

use crate::input::kind::Rare as _;

/// The options for it.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Encoder")]
pub(crate) struct EncoderArgs {
    /// Pretrained encoder whose word vectors help to align: a folder with config.json, tokenizer.json and
    /// model.safetensors, or the name of a model in the cache of Hugging Face, such as intfloat/multilingual-e5-small
    ///
    /// BERT, XLM-RoBERTa and models of their architecture, such as multilingual-e5, LaBSE and mBERT. Helps most where
    /// there is little text. Takes about 15 ms of CPU time a pair with a small encoder (12 layers of 384 numbers).
    #[arg(long, value_name = "DIR|NAME")]
    encoder: Option<String>,
    /// Layer of --encoder whose outputs are the vectors [default: the one that suits the encoder]
    #[arg(long, value_name = "N", requires = "encoder", rare = true)]
    encoder_layer: Option<usize>,
    /// Cache word vectors in this file and reuse those already in it
    #[arg(long, value_name = "FILE", requires = "encoder", rare = true)]
    encoder_cache: Option<PathBuf>,
}

impl EncoderArgs {
    /// Whether there is one.
    pub(crate) fn is_given(&self) -> bool {
        self.encoder.is_some()
    }

    /// What is asked of the model.
    pub(crate) fn feature(&self) -> Option<Feature> {
        self.encoder.is_some().then_some(Feature::Encoder)
    }

    /// The file that is read and written, with the option that names it.
    pub(crate) fn cache(&self) -> Option<(&'static str, &Path)> {
        self.encoder_cache.as_deref().map(|path| ("--encoder-cache", path))
    }

    /// Opens the encoder.
    pub(crate) fn open(&self) -> Result<Option<TextEncoder<'_>>> {
        let Some(name) = &self.encoder else { return Ok(None) };
        let options = EncoderOptions::default().with(|c| c.layer = self.encoder_layer);
        let encoder = Encoder::open(find(name)?, options)?;
        Ok(Some(TextEncoder { encoder, cache: self.encoder_cache.as_deref(), time: Cell::default() }))
    }
}

/// An encoder, and perhaps a file for vectors.
#[derive(Debug)]
pub(crate) struct TextEncoder<'a> {
    encoder: Encoder,
    cache: Option<&'a Path>,
    /// How long it has encoded so far.
    time: Cell<Duration>,
}

impl TextEncoder<'_> {
    /// How long it has encoded so far.
    pub(crate) fn time(&self) -> Duration {
        self.time.get()
    }

    /// The vectors of both sides of those lines of a text that have these numbers, in order.
    pub(crate) fn encode(&self, text: &KeptText, numbers: &[usize], work: Work<'_>) -> Result<[WordVectors; 2]> {
        let start = Instant::now();
        let vectors = self.encoder.with_cache(self.cache, |mut cache| {
            let mut encode = |lines: &KeptLines| {
                let words = |place: usize| lines.tokens(numbers[place]);
                self.encoder.encode(numbers.len(), words, cache.as_deref_mut(), work)
            };
            Ok([encode(&text.source)?, encode(&text.target)?])
        })?;
        self.time.set(self.time.get() + start.elapsed());
        Ok(vectors)
    }
}
