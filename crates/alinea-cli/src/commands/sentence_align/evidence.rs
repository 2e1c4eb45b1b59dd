//! The evidence of sentence alignment besides lengths: a model, a dictionary, an encoder.
//!
//! `Opened` opens what the options name; the library compares words and vectors (`SentenceEvidence`).

use std::path::{Path, PathBuf};

use alinea::bitext::Dictionary;
use alinea::encoder::{Encoder, EncoderOptions, find};
use alinea::error::Result;
use alinea::format::bitext::ReadOptions;
use alinea::format::dictionary::{self, DictionaryFormat};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::paragraphs::{LengthUnit, Paragraphs};
use alinea::model::Model;
use alinea::parallel::Work;
use alinea::sentence_align::GaleChurchConfig;
use alinea::sentences::{SentenceAlignment, SentenceEvidence, word_form};

use crate::input::kind::Rare as _;
use crate::input::paths::Role;

/// The options for it.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Evidence")]
pub(super) struct EvidenceArgs {
    /// Compare the words of sentences by this model, written by `alinea train`
    #[arg(short, long, value_name = "FILE")]
    model_file: Option<PathBuf>,
    /// Compare the words of sentences by these translations: lines `source target` or `source target weight`
    #[arg(long, value_name = "FILE")]
    dictionary: Option<PathBuf>,
    /// Compare sentences by the mean of their word vectors. DIR has config.json, tokenizer.json and model.safetensors; NAME
    /// is a model in the cache of Hugging Face, such as intfloat/multilingual-e5-small
    #[arg(long, value_name = "DIR|NAME")]
    encoder: Option<String>,
    /// Layer of --encoder whose outputs are the vectors [default: the one that suits word alignment]
    #[arg(long, value_name = "N", requires = "encoder", rare = true)]
    encoder_layer: Option<usize>,
    /// Cache word vectors in this file and reuse those already in it
    #[arg(long, value_name = "FILE", requires = "encoder", rare = true)]
    encoder_cache: Option<PathBuf>,
}

impl EvidenceArgs {
    /// The files that are read, with what names them.
    pub(super) fn inputs(&self) -> impl Iterator<Item = Role<'_>> {
        let files = [("--model-file", &self.model_file), ("--dictionary", &self.dictionary)];
        files.into_iter().filter_map(|(name, path)| Some(Role::new(name, path.as_deref()?)))
    }

    /// The file that is read and written.
    pub(super) fn cache(&self) -> Option<Role<'_>> {
        self.encoder_cache.as_deref().map(|path| Role::new("--encoder-cache", path))
    }
}

/// What the options name.
pub(super) struct Opened<'a> {
    model: Option<Model>,
    dictionary: Option<Dictionary>,
    encoder: Option<Encoder>,
    cache: Option<&'a Path>,
}

impl<'a> Opened<'a> {
    /// Opens model, dictionary and encoder.
    pub(super) fn open(args: &'a EvidenceArgs, utf8: Utf8) -> Result<Self> {
        let model = args.model_file.as_deref().map(Model::open).transpose()?;
        let form = word_form(model.as_ref());
        let options = ReadOptions::default().with(|c| {
            c.lowercase = form.lowercase;
            c.tokenize = form.tokenize;
            c.utf8 = utf8;
        });
        let read =
            |path: &PathBuf| dictionary::read(LineReader::open(path, options.utf8)?, DictionaryFormat::Words, &options);
        let dictionary = args.dictionary.as_ref().map(read).transpose()?.map(|read| read.dictionary);
        let layer = EncoderOptions::default().with(|c| c.layer = args.encoder_layer);
        let encoder = args.encoder.as_ref().map(|name| Encoder::open(find(name)?, layer)).transpose()?;
        Ok(Self { model, dictionary, encoder, cache: args.encoder_cache.as_deref() })
    }

    /// Aligns by lengths and this evidence. Without evidence, there are confidences only if they are asked for.
    pub(super) fn align(
        &self,
        config: GaleChurchConfig,
        texts: [&Paragraphs; 2],
        unit: LengthUnit,
        confidences: bool,
        work: Work<'_>,
    ) -> Result<SentenceAlignment> {
        let sentences = texts.map(Paragraphs::sentences);
        let encode = |encoder: &Encoder| encoder.encode_sentences(sentences, self.cache, work);
        let vectors = self.encoder.as_ref().map(encode).transpose()?;
        let (model, dictionary) = (self.model.as_ref(), self.dictionary.as_ref());
        let evidence = SentenceEvidence { model, dictionary, vectors: vectors.as_ref() };
        evidence.align(config, texts, unit, confidences, work)
    }
}
