//! Weights in the [safetensors](https://github.com/huggingface/safetensors) format, in one file or several.
//!
//! Opening reads the headers and compares the sizes that they claim with those of the files. A tensor is read when it is asked
//! for, and of a matrix only the rows that are; nothing is mapped, so a file that changes is an error, not a crash. Numbers of
//! 16 bits become `f32`, which is exact, and infinities and NaN are refused.
//!
//! Tensors are called as BERT calls them. In files their names may have a prefix, which depends on what the encoder was saved
//! as a part of (`bert.`, `roberta.`, `0.auto_model.`): it stands before `embeddings.word_embeddings.weight`. The gains and
//! biases of old models are called `LayerNorm.gamma` and `LayerNorm.beta`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, Read as _};
use std::path::Path;

use alinea_text::limits::ENCODER_DESCRIPTION;
use alinea_text::storage::SharedFile;
use half::{bf16, f16};
use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use serde::Deserialize;
use twox_hash::XxHash3_64;

use crate::error::{Error, ErrorKind, Result, Snippet};
use crate::folder::{self, WeightFiles, parse_description, read_description};

/// The tensor that shows which prefix the names have.
const EMBEDDINGS: &str = "embeddings.word_embeddings.weight";
/// A file begins with the length of its header, in so many bytes.
const LENGTH: usize = size_of::<u64>();
/// How many bytes are read at a time.
const BLOCK: usize = 1 << 20;
/// How many places of a file its identity depends on, and how many bytes at each.
const SAMPLES: u64 = 64;
const SAMPLE: u64 = 1 << 10;

/// The weights of an encoder.
#[derive(Debug)]
pub(crate) struct Weights {
    /// The file that lists the tensors.
    name: String,
    shards: Vec<Shard>,
    /// The number of the shard in which a tensor is.
    places: BTreeMap<String, usize>,
    /// What stands before the names.
    prefix: String,
    identity: u64,
}

/// What `model.safetensors.index.json` says.
#[derive(Deserialize)]
struct Index {
    /// The file in which a tensor is.
    weight_map: BTreeMap<String, String>,
}

impl Weights {
    /// Opens `model.safetensors` in a folder, or the files that `model.safetensors.index.json` names.
    ///
    /// # Errors
    /// `Encoder` if there are none; `Io`; `OverLimit`; `Model` for files that are truncated, damaged, or without an encoder.
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let mut hasher = XxHash3_64::new();
        let (path, shards, places) = match folder::weights(folder, None)? {
            WeightFiles::One(path) => {
                let shard = Shard::open(&path, &mut hasher)?;
                let places = shard.metadata.offset_keys().into_iter().map(|tensor| (tensor, 0)).collect();
                (path, vec![shard], places)
            }
            WeightFiles::Index(path) => {
                let map = read_index(&path)?;
                let files: BTreeSet<&str> = map.values().map(String::as_str).collect();
                let files: Vec<&str> = files.into_iter().collect();
                let open = |file: &&str| Shard::open(&folder.join(file), &mut hasher);
                let shards = files.iter().map(open).collect::<Result<Vec<_>>>()?;
                let number = |file: &str| files.binary_search(&file).unwrap_or_default();
                let places = map.iter().map(|(tensor, file)| (tensor.clone(), number(file))).collect();
                (path, shards, places)
            }
        };
        let name = path.display().to_string();
        let prefix = prefix(&name, &places)?;
        Ok(Self { name, shards, places, prefix, identity: hasher.finish() })
    }

    /// A whole tensor as f32, its shape checked, every value finite. `name` as BERT has it without a prefix:
    /// `encoder.layer.3.output.dense.weight`.
    ///
    /// # Errors
    /// `Io`; `Model` if there is none, of another shape or type, or with a value that is not finite.
    pub(crate) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>> {
        let found = self.find(name, shape)?;
        let len: usize = shape.iter().product();
        let mut values = Vec::with_capacity(len);
        found.append(0, len, &mut Vec::new(), &mut values)?;
        Ok(values)
    }

    /// Rows of a matrix [rows, width] as f32, in the given order, appended to `out`: read from the file as they are asked
    /// for, those that stand side by side at once. After an error some of them may have been appended.
    ///
    /// # Errors
    /// As [`tensor`](Self::tensor); `Model` for a row that there is not.
    pub(crate) fn rows(&self, name: &str, shape: [usize; 2], rows: &[u32], out: &mut Vec<f32>) -> Result<()> {
        let found = self.find(name, &shape)?;
        let [height, width] = shape;
        if let Some(row) = rows.iter().find(|&&row| row as usize >= height) {
            return Err(found.shard.refused(format!("`{}` with row {row}", found.name), format!("{height} rows")));
        }
        out.reserve(rows.len() * width);
        let mut buffer = Vec::new();
        for run in rows.chunk_by(|row, next| row.checked_add(1) == Some(*next)) {
            found.append(run[0] as usize * width, run.len() * width, &mut buffer, out)?;
        }
        Ok(())
    }

    /// Tells these weights from others: a hash of headers and sizes of the files, and of 64 KiB from all over each.
    pub(crate) fn identity(&self) -> u64 {
        self.identity
    }

    /// The tensor of a name, if it has this shape.
    fn find(&self, name: &str, shape: &[usize]) -> Result<Found<'_>> {
        let names = [Some(format!("{}{name}", self.prefix)), old_name(name).map(|old| format!("{}{old}", self.prefix))];
        let there = names.into_iter().flatten().find_map(|name| Some((*self.places.get(&name)?, name)));
        let Some((place, name)) = there else {
            return Err(refused(&self.name, format!("a tensor `{}{name}`", self.prefix), "none"));
        };
        let shard = &self.shards[place];
        let Some(info) = shard.metadata.info(&name) else {
            return Err(shard.refused(format!("a tensor `{name}`"), "none"));
        };
        if info.shape != shape {
            return Err(shard.refused(format!("`{name}` of shape {shape:?}"), format!("shape {:?}", info.shape)));
        }
        let number = match info.dtype {
            Dtype::F32 => Number::Single,
            Dtype::F16 => Number::Half,
            Dtype::BF16 => Number::Brain,
            other => return Err(shard.refused(format!("`{name}` of type F32, F16 or BF16"), format!("type {other}"))),
        };
        Ok(Found { name, shard, info, number })
    }
}

/// The files of tensors by the name of the tensor.
fn read_index(path: &Path) -> Result<BTreeMap<String, String>> {
    let (name, json) = (path.display().to_string(), read_description(path)?);
    let index: Index = parse_description(&name, &json, "an index of weights")?;
    // A name in this folder, and nothing that leads elsewhere.
    let leads_away = |file: &str| file.starts_with('.') || file.contains(['/', '\\', ':']);
    let is_no_file = |file: &&String| leads_away(file) || !file.ends_with(".safetensors");
    if let Some(file) = index.weight_map.values().find(is_no_file) {
        let found = Snippet::new(file.as_bytes()).to_string();
        return Err(refused(&name, "names of safetensors files in the same folder", found));
    }
    Ok(index.weight_map)
}

/// What stands before the names of an encoder's tensors.
fn prefix(file: &str, places: &BTreeMap<String, usize>) -> Result<String> {
    let prefixes = places.keys().filter_map(|name| name.strip_suffix(EMBEDDINGS));
    let is_name = |prefix: &str| prefix.ends_with('.') && prefix.bytes().all(|byte| byte.is_ascii_graphic());
    let mut prefixes: Vec<&str> = prefixes.filter(|prefix| prefix.is_empty() || is_name(prefix)).collect();
    prefixes.sort_unstable();
    match prefixes[..] {
        // What has no prefix is the encoder itself.
        [prefix] | [prefix @ "", ..] => Ok(prefix.to_owned()),
        [] => Err(refused(file, format!("a tensor `{EMBEDDINGS}`"), "none")),
        [first, second, ..] => {
            let found = format!("`{first}{EMBEDDINGS}` and `{second}{EMBEDDINGS}`");
            Err(refused(file, "the weights of one encoder", found))
        }
    }
}

/// What the parameters of normalization were called before PyTorch had them.
fn old_name(name: &str) -> Option<String> {
    let parts = [(".LayerNorm.weight", ".LayerNorm.gamma"), (".LayerNorm.bias", ".LayerNorm.beta")];
    parts.into_iter().find_map(|(new, old)| Some(format!("{}{old}", name.strip_suffix(new)?)))
}

fn refused(path: &str, expected: impl Into<String>, found: impl Into<String>) -> Error {
    ErrorKind::Model { path: path.to_owned(), expected: expected.into(), found: found.into() }.into()
}

/// A file of weights.
#[derive(Debug)]
struct Shard {
    name: String,
    file: SharedFile,
    metadata: Metadata,
    /// Where the tensors begin.
    start: u64,
}

impl Shard {
    /// Opens a file, and adds what tells it from others to `hasher`.
    fn open(path: &Path, hasher: &mut XxHash3_64) -> Result<Self> {
        let name = path.display().to_string();
        let no_weights = |found: String| refused(&name, "weights in the safetensors format", found);
        let io = |error| Error::io(path, error);
        let mut file = File::open(path).map_err(io)?;
        let bytes = file.metadata().map_err(io)?.len();
        let mut length = [0u8; LENGTH];
        if bytes < LENGTH as u64 {
            return Err(no_weights(format!("a file of {bytes} bytes")));
        }
        file.read_exact(&mut length).map_err(io)?;
        if length == *b"version " {
            return Err(no_weights("a pointer of Git LFS, which `git lfs pull` replaces by the file".to_owned()));
        }
        let header = u64::from_le_bytes(length);
        let start = header.checked_add(LENGTH as u64).filter(|&start| start <= bytes);
        let Some(start) = start else {
            return Err(no_weights("another format, or a header that is truncated".to_owned()));
        };
        ENCODER_DESCRIPTION.check(header).map_err(|error| error.at(format_args!("{name}, the header")))?;
        let mut text = vec![0; header as usize];
        file.read_exact(&mut text).map_err(io)?;
        let metadata: Metadata = serde_json::from_slice(&text).map_err(|error| {
            let what = Snippet::new(error.to_string().as_bytes());
            no_weights(format!("a damaged header: {what}"))
        })?;
        let end = start.saturating_add(metadata.data_len() as u64);
        if end != bytes {
            return Err(no_weights(format!("{bytes} bytes instead of {end}: the file is truncated or damaged")));
        }
        hasher.write(&length);
        hasher.write(&text);
        hasher.write(&bytes.to_le_bytes());
        let shard = Self { name, file: SharedFile::new(file), metadata, start };
        let (data, size) = (bytes - start, SAMPLE.min(bytes - start));
        let mut sample = vec![0; size as usize];
        for n in 0..SAMPLES {
            shard.read((data - size) / (SAMPLES - 1) * n, &mut sample)?;
            hasher.write(&sample);
        }
        Ok(shard)
    }

    /// Reads what stands so far behind the header.
    fn read(&self, offset: u64, to: &mut [u8]) -> Result<()> {
        self.file.read(self.start + offset, to).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                self.refused("as many bytes as before", "fewer: the file was changed while it was read")
            }
            _ => Error::io(&self.name, error),
        })
    }

    fn refused(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        refused(&self.name, expected, found)
    }
}

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Number {
    /// IEEE binary32.
    Single,
    /// IEEE binary16.
    Half,
    /// The upper half of a binary32.
    Brain,
}

impl Number {
    fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Half | Self::Brain => 2,
        }
    }

    /// Appends numbers, little-endian in files.
    fn append(self, bytes: &[u8], values: &mut Vec<f32>) {
        match self {
            Self::Single => values.extend(bytes.as_chunks::<4>().0.iter().map(|&x| f32::from_le_bytes(x))),
            Self::Half => values.extend(bytes.as_chunks::<2>().0.iter().map(|&x| f16::from_le_bytes(x).to_f32())),
            Self::Brain => values.extend(bytes.as_chunks::<2>().0.iter().map(|&x| bf16::from_le_bytes(x).to_f32())),
        }
    }
}

/// A tensor that is there.
#[derive(Debug)]
struct Found<'a> {
    name: String,
    shard: &'a Shard,
    info: &'a TensorInfo,
    number: Number,
}

impl Found<'_> {
    /// Appends `count` values from the value `first` on.
    fn append(&self, first: usize, count: usize, buffer: &mut Vec<u8>, out: &mut Vec<f32>) -> Result<()> {
        let size = self.number.bytes();
        let end = first + count;
        let mut at = first;
        while at < end {
            let values = (end - at).min(BLOCK / size);
            buffer.resize(values * size, 0);
            self.shard.read((self.info.data_offsets.0 + at * size) as u64, buffer)?;
            let before = out.len();
            self.number.append(buffer, out);
            if let Some(n) = out[before..].iter().position(|value| !value.is_finite()) {
                return Err(self.not_finite(at + n, out[before + n]));
            }
            at += values;
        }
        Ok(())
    }

    /// That a value is none; `number` is its place in the whole tensor.
    fn not_finite(&self, number: usize, value: f32) -> Error {
        let mut place = vec![0; self.info.shape.len()];
        let mut rest = number;
        for (place, &len) in place.iter_mut().zip(&self.info.shape).rev() {
            *place = rest % len;
            rest /= len;
        }
        let what = match self.number {
            _ if value.is_nan() => "NaN",
            Number::Half => "an infinity (an overflow of 16-bit numbers)",
            _ => "an infinity",
        };
        self.shard.refused(format!("finite numbers in `{}`", self.name), format!("{what} at {place:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::tensor::TensorView;
    use std::fs;
    use tempfile::TempDir;

    /// Name, type, shape and bytes.
    type Tensor = (&'static str, Dtype, Vec<usize>, Vec<u8>);

    fn f32s(name: &'static str, shape: &[usize], values: &[f32]) -> Tensor {
        (name, Dtype::F32, shape.to_vec(), values.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// Two rows that every encoder here has.
    fn embeddings() -> Tensor {
        f32s(EMBEDDINGS, &[2, 2], &[1.0, 2.0, 3.0, 4.0])
    }

    fn bytes(tensors: &[Tensor]) -> Vec<u8> {
        let views = tensors.iter().map(|(name, kind, shape, bytes)| {
            let view = TensorView::new(*kind, shape.clone(), bytes).unwrap();
            (*name, view)
        });
        safetensors::serialize(views, None).unwrap()
    }

    fn folder(files: &[(&str, &[u8])]) -> TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(directory.path().join(name), bytes).unwrap();
        }
        directory
    }

    /// The folder and its weights, in one file.
    fn open(tensors: &[Tensor]) -> (TempDir, Weights) {
        let directory = folder(&[("model.safetensors", &bytes(tensors)[..])]);
        let weights = Weights::open(directory.path()).unwrap();
        (directory, weights)
    }

    fn message(bytes: &[u8]) -> String {
        let directory = folder(&[("model.safetensors", bytes)]);
        Weights::open(directory.path()).unwrap_err().to_string()
    }

    #[test]
    fn numbers_of_16_bits_become_32() {
        // By numpy 2.4.6, `np.array([...], dtype='<f2').tobytes()`; and the upper halves of IEEE binary32.
        let halves = vec![0x00, 0x3C, 0x00, 0xC0, 0x01, 0x00, 0xFF, 0x7B];
        let brains = vec![0x80, 0x3F, 0x00, 0xC0, 0x7F, 0x7F, 0x01, 0x00];
        let (_folder, weights) = open(&[
            embeddings(),
            ("half", Dtype::F16, vec![4], halves),
            ("brain", Dtype::BF16, vec![2, 2], brains),
            f32s("single", &[1, 3], &[-0.1, f32::MAX, 1e-45]),
            f32s("empty", &[0], &[]),
        ]);
        let bits = |values: Vec<f32>| values.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        let half = bits(weights.tensor("half", &[4]).unwrap());
        assert_eq!(half, bits(vec![1.0, -2.0, 2f32.powi(-24), 65504.0]));
        let brain = bits(weights.tensor("brain", &[2, 2]).unwrap());
        assert_eq!(brain, [0x3F80_0000, 0xC000_0000, 0x7F7F_0000, 0x0001_0000]);
        let single = bits(weights.tensor("single", &[1, 3]).unwrap());
        assert_eq!(single, bits(vec![-0.1, f32::MAX, 1e-45]));
        assert!(weights.tensor("empty", &[0]).unwrap().is_empty());
    }

    #[test]
    fn rows_come_in_the_order_asked_for() {
        const ROWS: usize = 1000;
        // A run of rows that takes several blocks.
        const WIDTH: usize = 700;
        let values: Vec<f32> = (0..ROWS * WIDTH).map(|n| n as f32).collect();
        let (_folder, weights) = open(&[f32s(EMBEDDINGS, &[ROWS, WIDTH], &values)]);
        let shape = [ROWS, WIDTH];
        assert!(weights.tensor(EMBEDDINGS, &shape).unwrap() == values);
        let run: Vec<u32> = (10..900).collect();
        for rows in [&run[..], &[], &[7], &[0, 1, 2, 5, 6, 999], &[3, 2, 2, 3], &[999, 0]] {
            let expected = rows.iter().flat_map(|&row| &values[row as usize * WIDTH..][..WIDTH]);
            let expected: Vec<f32> = std::iter::once(&0.5).chain(expected).copied().collect();
            let mut found = vec![0.5];
            weights.rows(EMBEDDINGS, shape, rows, &mut found).unwrap();
            assert!(found == expected, "{} rows", rows.len());
        }
        let message = weights.rows(EMBEDDINGS, shape, &[1, 1000], &mut Vec::new()).unwrap_err().to_string();
        assert!(message.ends_with("with row 1000, found 1000 rows"), "{message}");
        let message = weights.rows(EMBEDDINGS, shape, &[u32::MAX], &mut Vec::new()).unwrap_err().to_string();
        assert!(message.ends_with("with row 4294967295, found 1000 rows"), "{message}");
    }

    #[test]
    fn prefixes_and_old_names_are_found() {
        let names = ["bert.embeddings.word_embeddings.weight", "bert.x", "embeddings.LayerNorm.weight", "cls.bias"];
        let (_folder, weights) = open(&names.map(|name| f32s(name, &[1], &[1.0])));
        assert!(weights.tensor("x", &[1]).is_ok());
        for other in ["bert.x", "embeddings.LayerNorm.weight", "cls.bias"] {
            assert!(weights.tensor(other, &[1]).is_err(), "{other}");
        }
        let (_folder, weights) = open(&[
            embeddings(),
            f32s("another.embeddings.word_embeddings.weight", &[1], &[0.0]),
            f32s("embeddings.LayerNorm.gamma", &[1], &[1.0]),
            f32s("embeddings.LayerNorm.beta", &[1], &[2.0]),
        ]);
        assert_eq!(weights.tensor("embeddings.LayerNorm.weight", &[1]).unwrap(), [1.0]);
        assert_eq!(weights.tensor("embeddings.LayerNorm.bias", &[1]).unwrap(), [2.0]);
        let names = ["a.embeddings.word_embeddings.weight", "b.embeddings.word_embeddings.weight"];
        let several = message(&bytes(&names.map(|name| f32s(name, &[1], &[1.0]))));
        assert!(several.contains("expected the weights of one encoder, found `a.emb"), "{several}");
        // What no encoder is called cannot reach a terminal.
        for other in ["my_embeddings.word_embeddings.weight", "\u{1b}[2J.embeddings.word_embeddings.weight"] {
            let none = message(&bytes(&[f32s(other, &[1], &[1.0])]));
            assert!(none.ends_with("expected a tensor `embeddings.word_embeddings.weight`, found none"), "{none}");
        }
    }

    #[test]
    fn shards_are_one_encoder() {
        let [one, two] = [bytes(&[embeddings()]), bytes(&[f32s("x", &[1], &[5.0])])];
        let index = |x: &str, y: &str| {
            format!(r#"{{"metadata": 0, "weight_map": {{"{EMBEDDINGS}": "1.safetensors", "x": "{x}", "y": "{y}"}}}}"#)
        };
        let in_folder = |index: &str| {
            let index = ("model.safetensors.index.json", index.as_bytes());
            let directory = folder(&[index, ("1.safetensors", &one[..]), ("2.safetensors", &two[..])]);
            Weights::open(directory.path()).map(|weights| (directory, weights))
        };
        let (_folder, weights) = in_folder(&index("2.safetensors", "1.safetensors")).unwrap();
        assert_eq!(weights.tensor("x", &[1]).unwrap(), [5.0]);
        assert_eq!(weights.tensor(EMBEDDINGS, &[2, 2]).unwrap(), [1.0, 2.0, 3.0, 4.0]);
        let message = weights.tensor("y", &[1]).unwrap_err().to_string();
        assert!(message.ends_with("1.safetensors: expected a tensor `y`, found none"), "{message}");
        for file in ["../2.safetensors", "a/2.safetensors", "a\\\\2.safetensors", "..", "", "C:2.safetensors", "2.bin"]
        {
            let message = in_folder(&index(file, "1.safetensors")).unwrap_err().to_string();
            assert!(message.contains("expected names of safetensors files in the same folder"), "{file}: {message}");
        }
        let missing = in_folder(&index("3.safetensors", "1.safetensors")).unwrap_err();
        assert!(matches!(missing.kind(), ErrorKind::Io { path, .. } if path.ends_with("3.safetensors")));
        for json in ["", "{}", "[]", r#"{"weight_map": {"x": 1}}"#] {
            let message = in_folder(json).unwrap_err().to_string();
            assert!(message.contains("index.json: expected an index of weights, in JSON, found `"), "{message}");
        }
    }

    #[test]
    fn other_shapes_types_and_names_are_refused() {
        let (_folder, weights) = open(&[embeddings(), ("x", Dtype::I64, vec![1], vec![0; 8])]);
        let message = |name, shape: &[usize]| weights.tensor(name, shape).unwrap_err().to_string();
        for shape in [&[2][..], &[4], &[2, 2, 1], &[1, 4], &[]] {
            let message = message(EMBEDDINGS, shape);
            assert!(message.ends_with(&format!("of shape {shape:?}, found shape [2, 2]")), "{message}");
        }
        let kind = message("x", &[1]);
        assert!(kind.ends_with("model.safetensors: expected `x` of type F32, F16 or BF16, found type I64"), "{kind}");
        assert!(message("z", &[1]).ends_with("expected a tensor `z`, found none"));
        assert!(weights.rows("z", [1, 1], &[], &mut Vec::new()).is_err());
    }

    #[test]
    fn values_that_are_not_finite_are_refused() {
        let (_folder, weights) = open(&[
            embeddings(),
            f32s("nan", &[2, 3], &[0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0]),
            f32s("infinite", &[1], &[f32::NEG_INFINITY]),
            ("half", Dtype::F16, vec![2], vec![0, 0, 0x00, 0x7C]),
        ]);
        let message = |name, shape: &[usize]| weights.tensor(name, shape).unwrap_err().to_string();
        let nan = message("nan", &[2, 3]);
        assert!(nan.ends_with("model.safetensors: expected finite numbers in `nan`, found NaN at [1, 1]"), "{nan}");
        assert!(message("infinite", &[1]).ends_with("found an infinity at [0]"));
        assert!(message("half", &[2]).ends_with("found an infinity (an overflow of 16-bit numbers) at [1]"));
        let mut rows = Vec::new();
        assert!(weights.rows("nan", [2, 3], &[0], &mut rows).is_ok());
        let message = weights.rows("nan", [2, 3], &[0, 1], &mut rows).unwrap_err().to_string();
        assert!(message.ends_with("NaN at [1, 1]"), "{message}");
    }

    #[test]
    fn damaged_files_are_refused_by_name() {
        let whole = bytes(&[embeddings()]);
        for cut in 0..whole.len() {
            let message = message(&whole[..cut]);
            assert!(message.contains(".safetensors: expected weights in the safetensors format, found "), "{message}");
        }
        let longer = message(&[&whole[..], b"x"].concat());
        let (more, len) = (whole.len() + 1, whole.len());
        assert!(
            longer.ends_with(&format!("{more} bytes instead of {len}: the file is truncated or damaged")),
            "{longer}"
        );
        let pointer = message(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
        assert!(pointer.contains("a pointer of Git LFS"), "{pointer}");
        assert!(message(b"PK\x03\x04\0\0\0\0\0\0 an archive of PyTorch").contains("another format"));
        let file = |header: &str| [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[0; 4]].concat();
        let tensor = |kind: &str, shape: &str, end: u64| {
            file(&format!(r#"{{"x":{{"dtype":"{kind}","shape":{shape},"data_offsets":[0,{end}]}}}}"#))
        };
        for damaged in [file("{"), file("[]"), tensor("F32", "[2]", 4), tensor("\\u001b[2J", "[1]", 4)] {
            let message = message(&damaged);
            assert!(message.contains("found a damaged header: `") && !message.contains('\u{1b}'), "{message}");
        }
        let large = message(&tensor("F32", "[1000000000000]", 4_000_000_000_000));
        assert!(large.contains("the file is truncated or damaged"), "{large}");
        let overflow = message(&tensor("F32", "[4294967296,4294967296,4294967296]", 4));
        assert!(overflow.contains("a damaged header"), "{overflow}");
    }

    #[test]
    fn long_headers_are_over_the_limit() {
        let header = ENCODER_DESCRIPTION.most + 1;
        let directory = folder(&[("model.safetensors", &header.to_le_bytes()[..])]);
        let file = File::options().write(true).open(directory.path().join("model.safetensors")).unwrap();
        file.set_len(header + 100).unwrap();
        let error = Weights::open(directory.path()).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::OverLimit { place, .. } if place.ends_with(", the header")),
            "{error}"
        );
    }

    #[test]
    fn a_file_that_shrinks_is_an_error() {
        let (directory, weights) = open(&[embeddings()]);
        let file = File::options().write(true).open(directory.path().join("model.safetensors")).unwrap();
        file.set_len(20).unwrap();
        let message = weights.tensor(EMBEDDINGS, &[2, 2]).unwrap_err().to_string();
        assert!(message.ends_with("fewer: the file was changed while it was read"), "{message}");
    }

    #[test]
    fn other_weights_have_another_identity() {
        let of = |values: &[f32]| open(&[f32s(EMBEDDINGS, &[values.len()], values)]).1.identity();
        assert_eq!(of(&[1.0, 2.0]), of(&[1.0, 2.0]));
        assert_ne!(of(&[1.0, 2.0]), of(&[1.0, 2.5]));
        assert_ne!(of(&[1.0, 2.0]), of(&[1.0, 2.0, 3.0]));
        // As training changes them: all of a file larger than what is sampled.
        let large = |value: f32| of(&vec![value; 1 << 16]);
        assert_ne!(large(1.0), large(1.25));
        let names = ["a.embeddings.word_embeddings.weight", "b.embeddings.word_embeddings.weight"];
        let [one, other] = names.map(|name| open(&[f32s(name, &[1], &[1.0])]).1.identity());
        assert_ne!(one, other);
    }

    #[test]
    fn missing_files_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let error = Weights::open(directory.path()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Encoder { name: None, .. }), "{error}");
        assert!(error.to_string().ends_with("no model.safetensors in this folder"));
    }
}
