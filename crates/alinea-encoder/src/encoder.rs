//! From words to vectors: tokenization, batches, threads, pooling.
//!
//! All sentences that a cache does not have are tokenized first, so that only the embeddings of pieces that occur are read.
//! Then batches of about a thousand pieces go through the network, each in one thread, and come back in order. The vector of a
//! word is the mean of the outputs of its pieces. A sentence of more pieces than the model has positions is computed in windows.

use std::path::Path;
use std::time::Instant;

use crate::cache::{Key, VectorCache};
use crate::config::Config;
use crate::error::{Error, ErrorKind, Result};
use crate::format::tokens::{self, Tokenize};
use crate::network::{Buffers, Network, Precision};
use crate::parallel::{Work, chunk_range, chunks_by_weight};
use crate::progress::check;
use crate::tokenizer::Tokenizer;
use crate::weights::Weights;
use crate::word_vectors::WordVectors;
use crate::words::{SentencePieces, Window, windows};

/// Pieces of a batch, and the most that are computed at once.
const BATCH: usize = 1024;

/// Sentences that a thread looks up and tokenizes before it looks for more.
const TOKENIZED_AT_ONCE: usize = 64;

/// The pieces before and after a sentence.
const ENDS: usize = 2;

/// The tensor of the embeddings of pieces.
const PIECES: &str = "embeddings.word_embeddings.weight";

/// What can be chosen of an encoder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct EncoderOptions {
    /// The layer whose outputs are the vectors, from 0 (embeddings) to the last; the one that suits the model if not given.
    pub layer: Option<usize>,
    /// How products of matrices are computed.
    pub precision: Precision,
}

alinea_text::configurable!(EncoderOptions);

/// A pretrained encoder up to a layer.
#[derive(Debug)]
pub struct Encoder {
    name: String,
    layer: usize,
    config: Config,
    tokenizer: Tokenizer,
    weights: Weights,
    network: Network,
    precision: Precision,
}

impl Encoder {
    /// Reads the files of a folder, as [`find`](crate::find) returns it: `config.json`, `tokenizer.json` and weights in
    /// safetensors; of these only the layers that are needed.
    ///
    /// # Errors
    /// `Io` for files that cannot be read; `Model` for what is no such model, for tensors that are missing, have another
    /// shape or values that are not finite, and for a tokenizer that does not fit; `Config` for a layer that there is not.
    pub fn open(folder: impl AsRef<Path>, options: EncoderOptions) -> Result<Self> {
        let folder = folder.as_ref();
        let config = Config::read(&folder.join("config.json"))?;
        let layer = options.layer.unwrap_or_else(|| config.default_layer());
        if layer > config.layers {
            return Err(Error::config("layer", layer, "0 to the number of layers of the encoder"));
        }
        let path = folder.join("tokenizer.json");
        let tokenizer = Tokenizer::open(&path)?;
        if tokenizer.vocabulary() > config.vocabulary {
            let expected = format!("ids below {}, the size of the encoder's vocabulary", config.vocabulary);
            let found = format!("ids up to {}", tokenizer.vocabulary() - 1);
            return Err(ErrorKind::Model { path: path.display().to_string(), expected, found }.into());
        }
        let weights = Weights::open(folder)?;
        let network = Network::read(&weights, &config, layer, options.precision)?;
        Ok(Self { name: name_of(folder), layer, config, tokenizer, weights, network, precision: options.precision })
    }

    /// The name of its folder, or of the model that the folder belongs to in a cache, and the layer: as in
    /// `multilingual-e5-small.7`.
    pub fn origin(&self) -> String {
        format!("{}.{}", self.name, self.layer)
    }

    /// How many numbers a vector has.
    pub fn width(&self) -> usize {
        self.config.hidden
    }

    /// The layer whose outputs are the vectors.
    pub fn layer(&self) -> usize {
        self.layer
    }

    /// Opens the vectors that were kept in a file, or begins one.
    ///
    /// # Errors
    /// Those of [`VectorCache::open`].
    pub fn cache(&self, path: &Path) -> Result<VectorCache> {
        let precision = u64::from(self.precision == Precision::Single);
        let parts =
            [self.weights.identity(), self.tokenizer.identity(), self.config.identity(), self.layer as u64, precision];
        let identity = parts.into_iter().fold(0u64, |identity, part| identity.rotate_left(17).wrapping_mul(31) ^ part);
        VectorCache::open(path, identity, &self.origin(), self.width())
    }

    /// Calls a function that encodes with the vectors of a file, or, if there is none, with nothing. Afterwards the file has the
    /// vectors that are new, also where the function fails or is cancelled.
    ///
    /// # Errors
    /// Those of the function, and of reading and writing the file.
    pub fn with_cache<T>(
        &self,
        path: Option<&Path>,
        encode: impl FnOnce(Option<&mut VectorCache>) -> Result<T>,
    ) -> Result<T> {
        let Some(path) = path else { return encode(None) };
        let mut cache = self.cache(path)?;
        let encoded = encode(Some(&mut cache));
        let saved = if cache.is_changed() { cache.save() } else { Ok(()) };
        let encoded = encoded?;
        saved.map(|()| encoded)
    }

    /// The vectors of the words of so many sentences. A cache gives those that it has, and receives the others as they are
    /// computed; its file is written every five minutes.
    ///
    /// Time grows with the pieces, and with the square of their number in a sentence; memory with the number of words, two
    /// bytes for each number of a vector, and of different pieces, four bytes.
    ///
    /// # Errors
    /// Those of reading weights; `Model` for outputs that are not finite, and for a cache that has a sentence with another number
    /// of words; those of [`VectorCache::save`]; `Cancelled` if the observer says so.
    pub fn encode<'s, W: AsRef<[&'s str]>>(
        &self,
        sentences: usize,
        words: impl Fn(usize) -> W + Sync + Send,
        cache: Option<&mut VectorCache>,
        work: Work<'_>,
    ) -> Result<WordVectors> {
        let pieces = |words: &[&str]| SentencePieces::of(&self.tokenizer, words);
        let Some(cache) = cache else {
            let all = each(sentences, |n| Ok(pieces(words(n).as_ref())), work)?;
            let mut vectors = WordVectors::new(self.origin(), self.width());
            let add = |batch: WordVectors| {
                vectors.append(&batch);
                Ok(())
            };
            self.encode_pieces(&all, add, work)?;
            return Ok(vectors);
        };
        let kept = &*cache;
        let look_up = |n: usize| {
            let words = words(n);
            let key = Key::of(words.as_ref());
            Ok(kept.look_up(key)?.map_or_else(|| LookedUp::New(key, pieces(words.as_ref())), LookedUp::Kept))
        };
        let (mut places, mut missing, mut new) = (Vec::with_capacity(sentences), Vec::new(), Vec::new());
        for sentence in each(sentences, look_up, work)? {
            match sentence {
                LookedUp::Kept(place) => places.push(place),
                LookedUp::New(key, pieces) => {
                    missing.push((places.len(), key));
                    new.push(pieces);
                    // Until it is kept.
                    places.push(0);
                }
            }
        }
        let mut missing = missing.into_iter();
        let keep = |batch: WordVectors| {
            for (n, (sentence, key)) in (0..batch.len()).zip(missing.by_ref()) {
                places[sentence] = cache.keep(key, batch.halves(n))?;
            }
            cache.save_if_due(Instant::now())
        };
        self.encode_pieces(&new, keep, work)?;
        let mut vectors = WordVectors::new(self.origin(), self.width());
        for place in places {
            vectors.push_halves(cache.vectors(place));
        }
        Ok(vectors)
    }

    /// The vectors of the words of the sentences of both texts, which are cut at blanks and tabs. A file may keep vectors: those
    /// that it has are taken from it, and the others are added.
    ///
    /// # Errors
    /// Those of [`encode`](Self::encode), and of reading and writing the file.
    pub fn encode_sentences(
        &self,
        texts: [&[String]; 2],
        cache: Option<&Path>,
        work: Work<'_>,
    ) -> Result<[WordVectors; 2]> {
        self.with_cache(cache, |mut cache| {
            let mut encode = |sentences: &[String]| {
                let words = |n: usize| {
                    let (line, mut spans) = (sentences[n].as_str(), Vec::new());
                    tokens::spans(line, Tokenize::None, &mut spans);
                    spans.into_iter().map(|span| &line[span.bytes]).collect::<Vec<_>>()
                };
                self.encode(sentences.len(), words, cache.as_deref_mut(), work)
            };
            Ok([encode(texts[0])?, encode(texts[1])?])
        })
    }

    /// Hands those of sentences that are tokenized to a function, a batch of sentences at a time and in order.
    fn encode_pieces(
        &self,
        sentences: &[SentencePieces],
        take: impl FnMut(WordVectors) -> Result<()>,
        Work { parallelism, observer }: Work<'_>,
    ) -> Result<()> {
        observer.started("encoding", sentences.len() as u64);
        let pieces = PieceTable::read(self, sentences)?;
        let batches = chunks_by_weight(sentences.iter().map(|sentence| sentence.ids.len() + ENDS), BATCH);
        let encode = |buffers: &mut BatchBuffers, batch: usize| {
            check(observer)?;
            let sentences = &sentences[batches[batch].clone()];
            let mut vectors = WordVectors::new(String::new(), self.width());
            self.outputs(sentences, &pieces, buffers);
            let mut outputs = &buffers.outputs[..];
            for sentence in sentences {
                let (of_sentence, rest) = outputs.split_at(sentence.ids.len() * self.width());
                pool(sentence, of_sentence, self.width(), &mut buffers.pooled);
                if !buffers.pooled.iter().all(|value| value.is_finite()) {
                    return Err(self.not_finite());
                }
                vectors.push(&buffers.pooled);
                outputs = rest;
            }
            observer.advance(sentences.len() as u64);
            Ok(vectors)
        };
        parallelism.map_ordered(batches.len(), BatchBuffers::default, encode, take)?;
        observer.finished("");
        Ok(())
    }

    /// The error for outputs that are no numbers, though all weights are.
    fn not_finite(&self) -> Error {
        let expected = format!("finite outputs of layer {}", self.layer);
        let found = "infinite ones, or ones that are no numbers".to_owned();
        ErrorKind::Model { path: self.name.clone(), expected, found }.into()
    }

    /// The outputs of all pieces of sentences, in order.
    fn outputs(&self, sentences: &[SentencePieces], table: &PieceTable, buffers: &mut BatchBuffers) {
        let BatchBuffers { network, outputs, .. } = buffers;
        outputs.clear();
        // Models of thousands of positions get windows, too: time grows with the square of what is computed at once.
        let most = self.config.positions.min(BATCH) - ENDS;
        let windows = sentences.iter().flat_map(|sentence| {
            windows(sentence.ids.len(), most)
                .into_iter()
                .map(move |window| (&sentence.ids[window.pieces.clone()], window))
        });
        let mut waiting: Vec<(&[u32], Window)> = Vec::new();
        let mut count = 0;
        for (ids, window) in windows {
            if count > 0 && count + ids.len() + ENDS > BATCH {
                self.run(&waiting, table, network, outputs);
                waiting.clear();
                count = 0;
            }
            count += ids.len() + ENDS;
            waiting.push((ids, window));
        }
        self.run(&waiting, table, network, outputs);
    }

    /// Computes windows at once, and adds the outputs of the pieces that count.
    fn run(&self, windows: &[(&[u32], Window)], table: &PieceTable, buffers: &mut Buffers, outputs: &mut Vec<f32>) {
        let ends = [self.tokenizer.begin(), self.tokenizer.end()];
        buffers.states.clear();
        for (ids, _) in windows {
            for &id in [ends[0]].iter().chain(*ids).chain(&[ends[1]]) {
                buffers.states.extend_from_slice(table.vector(id));
            }
        }
        let lengths: Vec<usize> = windows.iter().map(|(ids, _)| ids.len() + ENDS).collect();
        self.network.run(&lengths, buffers);
        let mut start = 0;
        for ((_, window), length) in windows.iter().zip(lengths) {
            let first = start + 1 + window.kept.start - window.pieces.start;
            let last = first + window.kept.len();
            outputs.extend_from_slice(&buffers.states[first * self.width()..last * self.width()]);
            start += length;
        }
    }
}

/// A sentence that was looked up in a cache.
enum LookedUp {
    /// Its number there.
    Kept(usize),
    /// What it is to be found by, and its pieces.
    New(Key, SentencePieces),
}

/// What a function makes of each of so many sentences, in order.
fn each<T: Send>(
    sentences: usize,
    of: impl Fn(usize) -> Result<T> + Sync + Send,
    Work { parallelism, observer }: Work<'_>,
) -> Result<Vec<T>> {
    let of_chunk = |(): &mut (), chunk: usize| {
        check(observer)?;
        chunk_range(sentences, TOKENIZED_AT_ONCE, chunk).map(&of).collect::<Result<Vec<T>>>()
    };
    let mut all = Vec::with_capacity(sentences);
    let end = |chunk: Vec<T>| {
        all.extend(chunk);
        Ok(())
    };
    parallelism.map_ordered(sentences.div_ceil(TOKENIZED_AT_ONCE), || (), of_chunk, end)?;
    Ok(all)
}

/// What a thread encodes batches in.
#[derive(Debug, Default)]
struct BatchBuffers {
    network: Buffers,
    /// Of all pieces of the batch.
    outputs: Vec<f32>,
    /// The vectors of the words of a sentence.
    pooled: Vec<f32>,
}

/// The embeddings of the pieces that occur.
struct PieceTable {
    width: usize,
    /// In order.
    ids: Vec<u32>,
    vectors: Vec<f32>,
}

impl PieceTable {
    fn read(encoder: &Encoder, sentences: &[SentencePieces]) -> Result<Self> {
        let mut occurs = vec![false; encoder.config.vocabulary];
        let ends = [encoder.tokenizer.begin(), encoder.tokenizer.end()];
        for &id in sentences.iter().flat_map(|sentence| &sentence.ids).chain(&ends) {
            occurs[id as usize] = true;
        }
        let ids: Vec<u32> = (0..).zip(occurs).filter(|&(_, occurs)| occurs).map(|(id, _)| id).collect();
        let (width, mut vectors) = (encoder.width(), Vec::new());
        encoder.weights.rows(PIECES, [encoder.config.vocabulary, width], &ids, &mut vectors)?;
        Ok(Self { width, ids, vectors })
    }

    /// # Panics
    /// If it does not occur.
    fn vector(&self, id: u32) -> &[f32] {
        let place = self.ids.binary_search(&id).expect("pieces were collected from the same sentences");
        &self.vectors[place * self.width..][..self.width]
    }
}

/// The mean of the outputs of the pieces of each word.
fn pool(sentence: &SentencePieces, outputs: &[f32], width: usize, pooled: &mut Vec<f32>) {
    pooled.clear();
    for pieces in &sentence.words {
        let start = pooled.len();
        pooled.resize(start + width, 0.0);
        let word = &mut pooled[start..];
        let outputs = &outputs[pieces.start as usize * width..pieces.end as usize * width];
        for output in outputs.chunks_exact(width) {
            word.iter_mut().zip(output).for_each(|(word, output)| *word += output);
        }
        let count = pieces.len() as f32;
        for value in word {
            *value /= count;
        }
    }
}

/// The name of a folder; in a cache of Hugging Face, where folders are named after revisions, that of the model.
fn name_of(folder: &Path) -> String {
    let name = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
    let of_cache = || {
        let snapshots = folder.parent().filter(|parent| parent.ends_with("snapshots"))?;
        let model = name(snapshots.parent()?)?;
        Some(model.strip_prefix("models--")?.rsplit("--").next()?.to_owned())
    };
    let resolved = || name(&folder.canonicalize().ok()?);
    of_cache().or_else(|| name(folder)).or_else(resolved).unwrap_or_else(|| "encoder".to_owned())
}

#[cfg(test)]
mod tests;
