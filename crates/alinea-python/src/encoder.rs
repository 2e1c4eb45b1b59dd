//! Pretrained encoders: the class `Encoder`, and the word vectors of a text that is aligned.
//!
//! `find_encoder` says where the files of an encoder are. What can be fetched is fetched by a function of the package, since
//! Python has a library for that and this crate has none. An `Encoder` never changes and serves any number of calls.
//! `TextEncoder` is one beside the file that keeps vectors and the choice of pairs, as functions that align are given them, and
//! `Encoding` has the text that is to be encoded as well: its words are encoded as they were written, also where they are compared
//! in lower case.

use std::path::PathBuf;
use std::sync::Arc;

use alinea::align::{EncodedPairs, PairEncoder};
use alinea::bitext::Text;
use alinea::encoder::{self, EncoderOptions, VectorCache, find};
use alinea::error::{ErrorKind, Result};
use alinea::format::tokens;
use alinea::parallel::{Parallelism, Work};
use alinea::word_vectors::WordVectors;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arguments::{self, natural};
use crate::error::to_python;
use crate::text::{self, TextOptions};
use crate::work::{Progress, run, run_shown};

/// The folder of an encoder, which is given as that or by the name of a model. A model that is not there is fetched by `fetch`,
/// which is called with its name and returns its folder, or nothing if it cannot fetch anything.
#[pyfunction]
pub(crate) fn find_encoder(name_or_path: &str, fetch: &Bound<'_, PyAny>) -> PyResult<PathBuf> {
    let error = match find(name_or_path) {
        Ok(folder) => return Ok(folder),
        Err(error) => error,
    };
    if let ErrorKind::Encoder { name: Some(name), .. } = error.kind()
        && let Some(folder) = fetch.call1((name,))?.extract::<Option<String>>()?
    {
        return find(&folder).map_err(to_python);
    }
    Err(to_python(error))
}

/// A pretrained encoder up to a layer.
#[pyclass(frozen, name = "Encoder", module = "alinea._native")]
pub(crate) struct Encoder(Arc<encoder::Encoder>);

impl Encoder {
    /// The same encoder for others.
    pub(crate) fn shared(&self) -> Arc<encoder::Encoder> {
        Arc::clone(&self.0)
    }
}

#[pymethods]
impl Encoder {
    /// Reads the files of a folder.
    #[new]
    fn open(py: Python<'_>, folder: PathBuf, layer: Option<i64>) -> PyResult<Self> {
        let allowed = "0 to the number of layers of the encoder";
        let layer = layer.map(|layer| natural("layer", layer, 0, allowed)).transpose().map_err(to_python)?;
        let options = EncoderOptions::default().with(|c| c.layer = layer);
        let encoder = run(py, move |_| encoder::Encoder::open(folder, options))?;
        Ok(Self(Arc::new(encoder)))
    }

    /// What its vectors come from: a model and one of its layers.
    #[getter]
    fn name(&self) -> String {
        self.0.origin()
    }

    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    #[getter]
    fn layer(&self) -> usize {
        self.0.layer()
    }

    /// An array for each sentence, in which each word has its vector as a row.
    fn encode<'py>(
        &self,
        sentences: &Bound<'py, PyAny>,
        tokenize: &str,
        cache: Option<PathBuf>,
        threads: i64,
        progress: Progress,
    ) -> PyResult<Vec<Bound<'py, PyArray2<f32>>>> {
        let tokenize = tokenize.parse().map_err(to_python)?;
        let threads = arguments::threads(threads).map_err(to_python)?;
        let options = TextOptions { tokenize, ..TextOptions::AS_IS };
        let (py, text) = (sentences.py(), text::read(sentences, "sentences", options)?);
        let encoder = TextEncoder { encoder: self.shared(), cache: cache.map(text::file), pairs: None };
        let all: Vec<usize> = (0..text.len()).collect();
        let vectors = run_shown(py, progress, move |observer| {
            let work = Work { parallelism: &Parallelism::new(threads)?, observer };
            encoder.encoder.with_cache(encoder.cache.as_deref(), |cache| encoder.encode(&text, &all, cache, work))
        })?;
        let mut sentence = Vec::new();
        let rows = |n: usize| {
            vectors.sentence(n, &mut sentence);
            PyArray1::from_slice(py, &sentence).reshape([vectors.words_of(n), vectors.width()])
        };
        (0..vectors.len()).map(rows).collect()
    }
}

/// An encoder, perhaps a file that keeps vectors, and perhaps which pairs it is to encode; comes as a tuple.
pub(crate) struct TextEncoder {
    encoder: Arc<encoder::Encoder>,
    cache: Option<PathBuf>,
    // As they came, so that what is wrong with them is told and not that something is.
    pairs: Option<String>,
}

impl FromPyObject<'_, '_> for TextEncoder {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let (encoder, cache, pairs): (Bound<'_, Encoder>, Option<PathBuf>, Option<String>) = object.extract()?;
        Ok(Self { encoder: Arc::clone(&encoder.get().0), cache: cache.map(text::file), pairs })
    }
}

impl TextEncoder {
    /// The vectors of the words of those sentences of a text that have these numbers, in order.
    fn encode(
        &self,
        text: &Text,
        numbers: &[usize],
        cache: Option<&mut VectorCache>,
        work: Work<'_>,
    ) -> Result<WordVectors> {
        // Words from Python and from files are UTF-8.
        let written = |word: &_| std::str::from_utf8(text.vocabulary().word(*word)).unwrap_or_default();
        let words = |place: usize| text.sentence(numbers[place]).iter().map(written).collect::<Vec<_>>();
        self.encoder.encode(numbers.len(), words, cache, work)
    }

    /// The vectors of the words of the sentences of both texts.
    pub(crate) fn encode_sentences(&self, texts: [&[String]; 2], work: Work<'_>) -> Result<[WordVectors; 2]> {
        self.encoder.encode_sentences(texts, self.cache.as_deref(), work)
    }
}

/// An encoder, and the two sides of a text as they were written.
pub(crate) struct Encoding {
    encoder: TextEncoder,
    pairs: Option<EncodedPairs>,
    written: [Text; 2],
}

impl Encoding {
    /// Reads the arguments `source` and `target` of a text that is aligned, and keeps them as they are written for an encoder,
    /// if there is one.
    pub(crate) fn read(
        encoder: Option<TextEncoder>,
        sides: [&Bound<'_, PyAny>; 2],
        options: TextOptions,
    ) -> PyResult<([Text; 2], Option<Self>)> {
        let Some(encoder) = encoder else { return Ok((text::read_to_align(sides, options)?, None)) };
        let pairs = encoder.pairs.as_deref().map(str::parse).transpose().map_err(to_python)?;
        let written = text::read_to_align(sides, TextOptions { lowercase: false, ..options })?;
        let compared = if options.lowercase { written.each_ref().map(lowercased) } else { written.clone() };
        Ok((compared, Some(Self { encoder, pairs, written })))
    }

    /// What encodes pairs of the text.
    pub(crate) fn pair_encoder(&self) -> PairEncoder<impl Fn(&[usize], Work<'_>) -> Result<[WordVectors; 2]>> {
        PairEncoder::new(self.pairs, move |numbers: &[usize], work: Work<'_>| self.vectors(numbers, work))
    }

    /// The vectors of the words of both sides of the pairs with these numbers, in order.
    fn vectors(&self, numbers: &[usize], work: Work<'_>) -> Result<[WordVectors; 2]> {
        let Self { encoder, written: [source, target], .. } = self;
        encoder.encoder.with_cache(encoder.cache.as_deref(), |mut cache| {
            let source = encoder.encode(source, numbers, cache.as_deref_mut(), work)?;
            let target = encoder.encode(target, numbers, cache, work)?;
            Ok([source, target])
        })
    }
}

/// A text with its words in lower case, as if it had been read so.
fn lowercased(text: &Text) -> Text {
    let folded = |word: &[u8]| {
        let mut folded = Vec::with_capacity(word.len());
        tokens::fold_case(word, &mut folded);
        folded
    };
    let words: Vec<Vec<u8>> = text.vocabulary().words().map(folded).collect();
    let mut lower = Text::default();
    for n in 0..text.len() {
        lower.push_sentence(text.sentence(n).iter().map(|word| &words[word.index()][..]));
    }
    lower
}
