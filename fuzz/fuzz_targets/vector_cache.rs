//! Files of word vectors are read or refused, damaged or whole; what was read is found again after it was written with a sentence
//! more.

use std::path::Path;

use alinea::encoder::VectorCache;
use alinea_fuzz::{NAME, container, file};
use alinea_text::storage::Container;
use serde_json::Value;

/// The greatest width of an encoder.
const WIDEST: u64 = 1 << 14;

/// Sentences that are asked for.
const SENTENCES: [&[&str]; 4] = [&[], &["the"], &["the", "house"], &["a", "new", "sentence"]];

pub(crate) fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    container::mutate(data, size, most, seed)
}

pub(crate) fn fuzz(data: &[u8]) {
    // Asked for are vectors of the encoder that the file names, whichever that is.
    let Ok(container) = Container::of_stream(NAME.to_owned(), &mut { data }) else { return };
    let header: Value = serde_json::from_str(container.text()).unwrap_or_default();
    let identity = header["identity"].as_str().and_then(|text| u64::from_str_radix(text, 16).ok());
    let width = header["width"].as_u64().filter(|width| (1..=WIDEST).contains(width));
    let (Some(identity), Some(origin), Some(width)) = (identity, header["origin"].as_str(), width) else { return };
    let width = width as usize;
    let open = |path: &Path| VectorCache::open(path, identity, origin, width);

    let path = file("vectors", data);
    let Ok(mut cache) = open(&path) else { return };
    for words in SENTENCES {
        let found = cache.find(words).is_none_or(|found| found.len() == words.len() * width);
        assert!(found, "a vector for each word");
    }
    let last = SENTENCES[SENTENCES.len() - 1];
    cache.insert(last, &vec![0x3C00; last.len() * width]);
    cache.save().expect("a temporary file");
    let again = open(&path).expect("what was written is read");
    for words in SENTENCES {
        assert_eq!(again.find(words), cache.find(words));
    }
}
