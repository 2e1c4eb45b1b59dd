//! What is known of sentences beside their lengths: a model, a dictionary, an encoder.
//!
//! Words are compared in the form of the model; without one they are cut as by `--tokenize unicode`, in lower case, for text
//! whose sentences are not aligned is seldom tokenized. Vectors are those of the words between blanks.

use std::path::{Path, PathBuf};

use alinea::bitext::{Dictionary, Text};
use alinea::encoder::{Encoder, EncoderOptions, VectorCache, find};
use alinea::error::Result;
use alinea::format::bitext::ReadOptions;
use alinea::format::dictionary::{self, DictionaryFormat};
use alinea::format::lines::{LineReader, Utf8};
use alinea::format::paragraphs::Paragraphs;
use alinea::format::tokens::{self, Tokenize};
use alinea::model::{Model, TextForm};
use alinea::parallel::Work;
use alinea::sentence_align::{ConfidentBead, Evidence, EvidenceAligner, EvidenceConfig, GaleChurchConfig};
use alinea::sentences::{LexicalEvidence, VectorEvidence};
use alinea::word_vectors::WordVectors;

use crate::context::Context;
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
    /// Keep the word vectors in this file, and take those from it that it has
    #[arg(long, value_name = "FILE", requires = "encoder", rare = true)]
    encoder_cache: Option<PathBuf>,
}

impl EvidenceArgs {
    /// Whether more is known than lengths.
    pub(super) fn is_given(&self) -> bool {
        self.model_file.is_some() || self.dictionary.is_some() || self.encoder.is_some()
    }

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

/// What is known of sentences beside their lengths.
pub(super) struct Known<'a> {
    model: Option<Model>,
    dictionary: Option<Dictionary>,
    encoder: Option<Encoder>,
    cache: Option<&'a Path>,
    form: TextForm,
}

impl<'a> Known<'a> {
    /// Opens model, dictionary and encoder; nothing if lengths are all that is known.
    pub(super) fn open(args: &'a EvidenceArgs, utf8: Utf8, context: &Context) -> anyhow::Result<Option<Self>> {
        if !args.is_given() {
            return Ok(None);
        }
        let model = args.model_file.as_deref().map(Model::open).transpose()?;
        let of_dictionary = || TextForm::default().with(|c| c.tokenize = Tokenize::Unicode);
        let form = model.as_ref().map_or_else(of_dictionary, Model::form);
        let options = ReadOptions::default().with(|c| {
            c.lowercase = form.lowercase;
            c.tokenize = form.tokenize;
            c.utf8 = utf8;
        });
        let read =
            |path: &PathBuf| dictionary::read(LineReader::open(path, options.utf8)?, DictionaryFormat::Words, &options);
        let read = args.dictionary.as_ref().map(read).transpose()?;
        if let Some(read) = &read
            && read.dictionary.is_empty()
        {
            context.warn("the dictionary has no entries of one word on each side");
        }
        let layer = EncoderOptions::default().with(|c| c.layer = args.encoder_layer);
        let encoder = args.encoder.as_ref().map(|name| Encoder::open(find(name)?, layer)).transpose()?;
        let dictionary = read.map(|read| read.dictionary);
        Ok(Some(Self { model, dictionary, encoder, cache: args.encoder_cache.as_deref(), form }))
    }

    /// Aligns by lengths and by what is known.
    pub(super) fn align(
        &self,
        config: GaleChurchConfig,
        texts: [&Paragraphs; 2],
        lengths: &[Vec<Vec<u32>>; 2],
        work: Work<'_>,
    ) -> anyhow::Result<Vec<ConfidentBead>> {
        let words = self.model.is_some() || self.dictionary.is_some();
        let lexical = words.then(|| {
            let [source, target] = texts.map(|text| words_of(text.sentences(), self.form));
            let dictionary = self.dictionary.clone().unwrap_or_default();
            LexicalEvidence::new(self.model.as_ref(), &dictionary, &source, &target)
        });
        let vectors = match &self.encoder {
            Some(encoder) => {
                let [source, target] = self.encode(encoder, texts.map(Paragraphs::sentences), work)?;
                Some(VectorEvidence::new(&source, &target, work)?)
            }
            None => None,
        };
        let lexical = lexical.iter().map(|evidence| evidence as &dyn Evidence);
        let vectors = vectors.iter().map(|evidence| evidence as &dyn Evidence);
        let evidence: Vec<&dyn Evidence> = lexical.chain(vectors).collect();
        let aligner = EvidenceAligner::new(EvidenceConfig::default().with(|c| c.lengths = config))?;
        Ok(aligner.align_paragraphs(&lengths[0], &lengths[1], &evidence, work)?)
    }

    /// The vectors of the words of the sentences of both texts.
    fn encode(&self, encoder: &Encoder, texts: [&[String]; 2], work: Work<'_>) -> Result<[WordVectors; 2]> {
        let mut cache = self.cache.map(|path| encoder.cache(path)).transpose()?;
        let mut encode = |sentences: &[String]| {
            let words = |n: usize| sentences[n].split([' ', '\t']).filter(|word| !word.is_empty()).collect::<Vec<_>>();
            encoder.encode(sentences.len(), words, cache.as_mut(), work)
        };
        let vectors = [encode(texts[0])?, encode(texts[1])?];
        cache.filter(VectorCache::is_changed).map_or(Ok(()), |cache| cache.save())?;
        Ok(vectors)
    }
}

/// The words of sentences, in a form.
fn words_of(sentences: &[String], form: TextForm) -> Text {
    let (mut text, mut folded) = (Text::default(), Vec::new());
    for sentence in sentences {
        tokens::for_each(sentence, form.tokenize, |word| {
            folded.clear();
            if form.lowercase {
                tokens::fold_case(word, &mut folded);
            } else {
                folded.extend_from_slice(word);
            }
            text.push_word(&folded);
        });
        text.end_sentence();
    }
    text
}
