//! Hidden states and pieces against those of `transformers` and `tokenizers` (`tests/data/ORIGIN.md`).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use alinea_text::storage::{Container, ContainerWriter};
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use serde_json::Value;

use super::*;
use crate::parallel::Parallelism;
use crate::progress::{Observer, Silent};

fn data(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

fn json(path: &str) -> Value {
    serde_json::from_slice(&std::fs::read(data(path)).unwrap()).unwrap()
}

fn list<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn options(layer: usize, precision: Precision) -> EncoderOptions {
    EncoderOptions { layer: Some(layer), precision }
}

/// The states of all pieces of a sentence, ends included, one after another.
fn states(encoder: &Encoder, ids: &[u32]) -> Vec<f32> {
    let mut buffers = Buffers::default();
    encoder.weights.rows(PIECES, [encoder.config.vocabulary, encoder.width()], ids, &mut buffers.states).unwrap();
    encoder.network.run(&[ids.len()], &mut buffers);
    buffers.states
}

/// |found - expected| / |expected|.
fn distance(found: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let norm = |values: &mut dyn Iterator<Item = f64>| values.map(|value| value * value).sum::<f64>().sqrt();
    norm(&mut found.iter().zip(expected).map(|(f, e)| f64::from(*f) - e)) / norm(&mut expected.iter().copied())
}

fn check_states(encoder: &Encoder, ids: &[u32], expected: &[Vec<f64>], most: f64) {
    let states = states(encoder, ids);
    for (found, expected) in states.chunks(encoder.width()).zip(expected) {
        let distance = distance(found, expected);
        assert!(distance <= most, "{distance} in layer {}", encoder.layer);
    }
}

#[test]
fn hidden_states_are_those_of_transformers() {
    for kind in ["bert", "xlm-roberta"] {
        let expected = json(&format!("{kind}/expected.json"));
        for layer in 0..=3 {
            for (precision, most) in [(Precision::Single, 1e-4), (Precision::Rounded, 1e-2)] {
                let encoder = Encoder::open(data(kind), options(layer, precision)).unwrap();
                for sentence in expected["hidden"].as_array().unwrap() {
                    check_states(
                        &encoder,
                        &list::<Vec<u32>>(&sentence["ids"]),
                        &list::<Vec<_>>(&sentence["layers"][layer]),
                        most,
                    );
                }
            }
        }
    }
}

#[test]
fn halves_shards_and_old_names_are_read() {
    let expected = json("bert/expected.json");
    for kind in ["f16", "bf16"] {
        let folder = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(data("bert").join(kind)).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), folder.path().join(file.file_name())).unwrap();
        }
        std::fs::copy(data("bert/tokenizer.json"), folder.path().join("tokenizer.json")).unwrap();
        let encoder = Encoder::open(folder.path(), options(1, Precision::Single)).unwrap();
        for sentence in expected[format!("hidden of {kind}")].as_array().unwrap() {
            check_states(&encoder, &list::<Vec<u32>>(&sentence["ids"]), &list::<Vec<_>>(&sentence["layers"][0]), 1e-4);
        }
    }
}

/// A piece: its number, and where it starts and ends in bytes.
type Expected = (u32, usize, usize);

#[test]
fn pieces_are_those_of_tokenizers() {
    for (kind, file) in [
        ("bert", "tokenizer.json"),
        ("bert", "tokenizer-uncased.json"),
        ("xlm-roberta", "tokenizer.json"),
        ("xlm-roberta", "tokenizer-older.json"),
    ] {
        let expected = json(&format!("{kind}/expected.json"));
        let tokenizer = Tokenizer::open(&data(kind).join(file)).unwrap();
        check_pieces(&tokenizer, &expected["sentences"], &expected[format!("tokens of {file}")]);
    }
}

/// Sentences where a piece's place is a matter of opinion: composed letters, characters that vanish.
const NO_PLACES: [&str; 5] = ["compatibility", "decomposed", "emoji", "invisible", "symbols"];

fn check_pieces(tokenizer: &Tokenizer, sentences: &Value, tokens: &Value) {
    let mut checked = 0;
    for (sentence, tokens) in sentences.as_array().unwrap().iter().zip(tokens.as_array().unwrap()) {
        for kind in ["units", "words"] {
            let Some(expected) = tokens.get(kind) else { continue };
            let (texts, expected): (Vec<String>, Vec<Vec<Expected>>) = (list(&sentence[kind]), list(expected));
            assert_eq!(texts.len(), expected.len());
            for (text, expected) in texts.iter().zip(expected) {
                // Special pieces in a text are text to us.
                if text.contains("[UNK]") {
                    continue;
                }
                let mut pieces = Vec::new();
                tokenizer.pieces(text, &mut pieces);
                let ids = |pieces: &[Expected]| pieces.iter().map(|piece| piece.0).collect::<Vec<_>>();
                let found: Vec<Expected> = pieces.iter().map(|piece| (piece.id, piece.start, piece.end)).collect();
                assert_eq!(ids(&found), ids(&expected), "{text:?}");
                // A blank in front is nowhere in the text.
                let placed = |pieces: &[Expected]| {
                    pieces.iter().copied().filter(|piece| Some(piece.0) != tokenizer.blank()).collect::<Vec<_>>()
                };
                if sentence["name"].as_str().is_some_and(|name| !NO_PLACES.contains(&name)) {
                    assert_eq!(placed(&found), placed(&expected), "{text:?}");
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 100);
}

/// Where `packages/encoder` puts real weights, if it did.
fn real_weights() -> Option<PathBuf> {
    let folder = std::env::var_os("ALINEA_ENCODER").map(PathBuf::from)?;
    assert!(folder.join("config.json").exists(), "ALINEA_ENCODER is {}", folder.display());
    Some(folder)
}

#[test]
#[expect(clippy::print_stderr, reason = "says what is not tested")]
fn a_real_encoder_has_the_hidden_states_of_transformers() {
    let Some(folder) = real_weights() else {
        eprintln!("not tested: ALINEA_ENCODER is not set; `packages/encoder FOLDER` fetches the weights");
        return;
    };
    let expected = json("e5-small.json");
    for (precision, most) in [(Precision::Single, 1e-4), (Precision::Rounded, 1e-2)] {
        let encoder = Encoder::open(&folder, EncoderOptions { layer: None, precision }).unwrap();
        assert_eq!(encoder.layer() as u64, expected["layer"].as_u64().unwrap());
        let mut whole_states = 0;
        check_pieces(&encoder.tokenizer, &expected["sentences"], &expected["tokens"]);
        for sentence in expected["hidden"].as_array().unwrap() {
            let states = states(&encoder, &list::<Vec<u32>>(&sentence["ids"]));
            let (norms, first): (Vec<f64>, Vec<Vec<f64>>) = (list(&sentence["norms"]), list(&sentence["first"]));
            for ((state, norm), first) in states.chunks(encoder.width()).zip(norms).zip(first) {
                let found = state.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
                assert!((found - norm).abs() <= most * norm, "{found} {norm}");
                for (found, expected) in state.iter().zip(first) {
                    assert!((f64::from(*found) - expected).abs() <= most * norm, "{found} {expected}");
                }
            }
            if let (Some(whole), false) = (sentence["whole"].as_u64(), sentence["values"].is_null()) {
                let found = &states[whole as usize * encoder.width()..][..encoder.width()];
                let distance = distance(found, &list::<Vec<f64>>(&sentence["values"]));
                assert!(distance <= most, "{distance}");
                whole_states += 1;
            }
        }
        assert!(whole_states > 10);
    }
}

/// A text with short and long sentences, and some without words.
fn text() -> Vec<Vec<&'static str>> {
    let words = ["The", "green", "house", "Straße", "東京", "дом", "12", ",", "."];
    (0..90)
        .map(|n| (0..(n * n) % 17).map(|k| words[(n + k * k) % words.len()]).collect())
        .chain([vec!["long"; 700]])
        .collect()
}

fn encode(
    encoder: &Encoder,
    text: &[Vec<&'static str>],
    threads: usize,
    cache: Option<&mut VectorCache>,
) -> WordVectors {
    let parallelism = Parallelism::new(threads).unwrap();
    let work = Work { parallelism: &parallelism, observer: &Silent };
    encoder.encode(text.len(), |n| &text[n][..], cache, work).unwrap()
}

#[test]
fn vectors_depend_neither_on_threads_nor_on_other_sentences() {
    let text = text();
    for precision in [Precision::Rounded, Precision::Single] {
        let encoder = Encoder::open(data("xlm-roberta"), options(3, precision)).unwrap();
        let all = encode(&encoder, &text, 1, None);
        assert_eq!(all, encode(&encoder, &text, 3, None));
        assert_eq!((all.len(), all.origin()), (text.len(), "xlm-roberta.3"));
        for n in [0, 5, 50, 90] {
            assert_eq!(all.words_of(n), text[n].len());
            assert_eq!(encode(&encoder, &text[n..=n], 1, None).halves(0), all.halves(n));
        }
    }
}

#[test]
fn kept_vectors_are_those_that_were_computed() {
    let text = text();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let encoder = Encoder::open(data("bert"), options(2, Precision::Rounded)).unwrap();
    let expected = encode(&encoder, &text, 2, None);
    let mut cache = encoder.cache(&path).unwrap();
    encode(&encoder, &text[..40], 1, Some(&mut cache));
    cache.save().unwrap();
    let mut cache = encoder.cache(&path).unwrap();
    assert_eq!(encode(&encoder, &text, 1, Some(&mut cache)), expected);
    assert!(cache.is_changed());
    // Whether they are kept or not, the words of each sentence are asked for once.
    for mut cache in [None, Some(encoder.cache(&path).unwrap()), Some(cache)] {
        let asked: Vec<AtomicU32> = text.iter().map(|_| AtomicU32::new(0)).collect();
        let words = |n: usize| {
            asked[n].fetch_add(1, Ordering::Relaxed);
            &text[n][..]
        };
        let work = Work { parallelism: &Parallelism::new(2).unwrap(), observer: &Silent };
        assert_eq!(encoder.encode(text.len(), words, cache.as_mut(), work).unwrap(), expected);
        assert!(asked.iter().all(|asked| asked.load(Ordering::Relaxed) == 1));
    }
    let other = Encoder::open(data("bert"), options(1, Precision::Rounded)).unwrap();
    assert!(other.cache(&path).is_err(), "vectors of another layer");
}

#[test]
fn sentences_are_cut_at_blanks_and_their_vectors_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let encoder = Encoder::open(data("bert"), options(2, Precision::Rounded)).unwrap();
    let (source, target) = (["The  green\thouse ".to_owned(), String::new()], ["house .".to_owned()]);
    let words = [vec![vec!["The", "green", "house"], vec![]], vec![vec!["house", "."]]];
    let expected = words.map(|text| encode(&encoder, &text, 1, None));
    let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
    for kept in [None, Some(&*path), Some(&*path)] {
        let found = encoder.encode_sentences([&source[..], &target[..]], kept, work).unwrap();
        assert_eq!(found, expected);
        assert_eq!(path.exists(), kept.is_some());
    }
    let mut cache = encoder.cache(&path).unwrap();
    encode(&encoder, &[vec!["house", "."]], 1, Some(&mut cache));
    assert!(!cache.is_changed());
}

/// Wants the work to end once some sentences were encoded.
#[derive(Default)]
struct Impatient(AtomicBool);

impl Observer for Impatient {
    fn advance(&self, _: u64) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[test]
fn what_was_encoded_is_kept_if_the_work_ends_early() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("vectors");
    let encoder = Encoder::open(data("bert"), options(2, Precision::Rounded)).unwrap();
    let line = ["The green house ."; 100].join(" ");
    let text: Vec<String> = (0..20).map(|n| format!("{n} {line}")).collect();
    let words = |n: usize| text[n].split(' ').collect::<Vec<_>>();
    let (parallelism, observer) = (Parallelism::serial(), Impatient::default());
    let work = Work { parallelism: &parallelism, observer: &observer };
    let encode = |cache: Option<&mut VectorCache>| encoder.encode(text.len(), words, cache, work);
    let error = encoder.with_cache(Some(&path), encode).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Cancelled), "{error}");
    let cache = encoder.cache(&path).unwrap();
    let kept = (0..20).filter(|&n| cache.find(&words(n)).is_some()).count();
    assert!((1..20).contains(&kept), "{kept}");
}

#[test]
fn caches_of_another_configuration_or_with_other_words_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::fs::copy(data("bert").join(file), folder.path().join(file)).unwrap();
    }
    let path = folder.path().join("vectors");
    let open = || Encoder::open(folder.path(), options(2, Precision::Rounded)).unwrap();
    let encoder = open();
    let text = [vec!["The", "green"], vec!["house"]];
    let mut cache = encoder.cache(&path).unwrap();
    encode(&encoder, &text, 1, Some(&mut cache));
    cache.save().unwrap();
    let kept = std::fs::read(&path).unwrap();

    let mut config = json("bert/config.json");
    config["hidden_act"] = "relu".into();
    std::fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    let message = open().cache(&path).unwrap_err().to_string();
    assert!(message.contains("each encoder and each layer needs a file of its own"), "{message}");

    // A whole file that gives the first sentence one word and the second two.
    let file = Container::of_bytes("vectors".to_owned(), kept).unwrap();
    let mut changed = ContainerWriter::new(file.text().to_owned());
    changed.copy(&file, "keys").unwrap();
    changed.add("ends", &[1u64, 3]);
    changed.copy(&file, "values").unwrap();
    let mut bytes = Vec::new();
    changed.write(&mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let mut cache = encoder.cache(&path).unwrap();
    let work = Work { parallelism: &Parallelism::serial(), observer: &Silent };
    let message = encoder.encode(2, |n| &text[n][..], Some(&mut cache), work).unwrap_err().to_string();
    assert!(message.ends_with("expected a vector for each word of a sentence, found more or fewer"), "{message}");
}

/// An encoder of more positions than are computed at once: the table of positions of the tiny one, over and over.
#[test]
fn long_sentences_are_computed_in_windows_however_many_positions_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = std::fs::read(data("bert/model.safetensors")).unwrap();
    let weights = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let mut tensors: BTreeMap<String, TensorView<'_>> = weights.tensors().into_iter().collect();
    let (_, table) = tensors.iter().find(|(name, _)| name.ends_with("position_embeddings.weight")).unwrap();
    let (positions, table) = (table.shape().to_vec(), table.data().repeat(64));
    let (rows, width) = (64 * positions[0], positions[1]);
    assert!(rows > 2 * BATCH);
    let longer = TensorView::new(Dtype::F32, vec![rows, width], &table).unwrap();
    let name = tensors.keys().find(|name| name.ends_with("position_embeddings.weight")).unwrap().clone();
    tensors.insert(name, longer);
    let bytes = safetensors::serialize(tensors, None).unwrap();
    std::fs::write(folder.path().join("model.safetensors"), bytes).unwrap();
    std::fs::copy(data("bert/tokenizer.json"), folder.path().join("tokenizer.json")).unwrap();
    let mut config = json("bert/config.json");
    config["max_position_embeddings"] = rows.into();
    std::fs::write(folder.path().join("config.json"), config.to_string()).unwrap();

    let encoder = Encoder::open(folder.path(), options(1, Precision::Rounded)).unwrap();
    let text = [vec!["green"; 2 * BATCH]];
    let pieces = SentencePieces::of(&encoder.tokenizer, &text[0]);
    let mut buffers = BatchBuffers::default();
    let table = PieceTable::read(&encoder, std::slice::from_ref(&pieces)).unwrap();
    encoder.outputs(std::slice::from_ref(&pieces), &table, &mut buffers);
    assert_eq!(buffers.outputs.len(), pieces.ids.len() * encoder.width());
    // The states of the last run.
    assert!(buffers.network.states.len() <= BATCH * encoder.width());
    assert_eq!(encode(&encoder, &text, 1, None).words_of(0), 2 * BATCH);
}

#[test]
fn layers_that_there_are_not_are_refused() {
    let message = Encoder::open(data("bert"), options(4, Precision::Rounded)).unwrap_err().to_string();
    assert!(message.starts_with("layer = 4"), "{message}");
}

#[test]
fn tokenizers_of_other_encoders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["config.json", "model.safetensors"] {
        std::fs::copy(data("bert").join(file), folder.path().join(file)).unwrap();
    }
    std::fs::copy(data("xlm-roberta/tokenizer.json"), folder.path().join("tokenizer.json")).unwrap();
    let message = Encoder::open(folder.path(), EncoderOptions::default()).unwrap_err().to_string();
    assert!(message.contains("vocabulary"), "{message}");
}

#[test]
fn encoders_are_called_by_their_models() {
    for (folder, name) in [
        ("/m/multilingual-e5-small", "multilingual-e5-small"),
        ("/c/hub/models--intfloat--multilingual-e5-small/snapshots/0123abcd", "multilingual-e5-small"),
        ("/c/hub/models--bert-base-multilingual-cased/snapshots/0123abcd/", "bert-base-multilingual-cased"),
    ] {
        assert_eq!(name_of(Path::new(folder)), name);
    }
}

#[test]
fn words_are_means_of_their_pieces() {
    let sentence = SentencePieces { ids: vec![5, 6, 7], words: vec![0..1, 1..3, 2..3] };
    let mut pooled = Vec::new();
    pool(&sentence, &[1.0, 2.0, 3.0, 4.0, 5.0, 8.0], 2, &mut pooled);
    assert_eq!(pooled, [1.0, 2.0, 4.0, 6.0, 5.0, 8.0]);
}
