//! Encoders are opened or refused, whatever their files are: `config.json`, `tokenizer.json`, and weights in one file, or in two
//! with an index. What was opened gives each word of a text a vector, or says why not, and gives the same if it is kept in a file.

use std::fs;

use alinea::encoder::{Encoder, EncoderOptions, Precision};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;
use alinea_fuzz::parts::texts;
use alinea_fuzz::{bit, choice, file, folder};

const WHOLE: &str = "model.safetensors";
const INDEX: &str = "model.safetensors.index.json";

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let [config, tokenizer, index, text, weights] = texts(data);
    file("config.json", config);
    file("tokenizer.json", tokenizer);
    for name in [WHOLE, INDEX, "vectors"] {
        let _ = fs::remove_file(folder().join(name));
    }
    if index.is_empty() {
        file(WHOLE, weights);
    } else {
        file(INDEX, index);
        file("1.safetensors", weights);
        file("2.safetensors", weights);
    }
    let options = EncoderOptions::default().with(|c| {
        c.layer = bit(choice, 0).then_some(choice >> 4);
        c.precision = if bit(choice, 1) { Precision::Single } else { Precision::Rounded };
    });
    let Ok(encoder) = Encoder::open(folder(), options) else { return };

    let text = String::from_utf8_lossy(&text[..text.len().min(300)]);
    let sentences: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let words = |n: usize| &sentences[n][..];
    let parallelism = Parallelism::serial();
    let work = || Work { parallelism: &parallelism, observer: &Silent };
    let Ok(vectors) = encoder.encode(sentences.len(), words, None, work()) else { return };
    assert_eq!((vectors.len(), vectors.width()), (sentences.len(), encoder.width()));
    for (n, sentence) in sentences.iter().enumerate() {
        assert_eq!(vectors.words_of(n), sentence.len());
    }
    if bit(choice, 2) {
        let path = folder().join("vectors");
        let mut cache = encoder.cache(&path).expect("a new file");
        assert_eq!(encoder.encode(sentences.len(), words, Some(&mut cache), work()).expect("as before"), vectors);
        cache.save().expect("a temporary file");
        let mut cache = encoder.cache(&path).expect("what was written is read");
        assert_eq!(encoder.encode(sentences.len(), words, Some(&mut cache), work()).expect("as before"), vectors);
        assert!(!cache.is_changed());
    }
}
