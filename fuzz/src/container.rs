//! Containers that are changed and stay whole. A random change is always refused by a checksum; so that what lies behind it
//! is tested, too, the mutator changes arrays or the text of the header, and writes the file anew, with right lengths and sums.

use libfuzzer_sys::fuzzer_mutate;
use serde_json::{Map, Value, json};
use twox_hash::XxHash3_64;

const CHECKSUMS: &str = "checksums";
const TEXT: &str = "alinea";
const WORD: usize = 8;

/// A container in its parts.
struct Parts {
    text: String,
    arrays: Vec<Array>,
}

struct Array {
    name: String,
    dtype: String,
    /// Elements of a row, where it has rows.
    width: Option<usize>,
    bytes: Vec<u8>,
}

impl Array {
    /// The bytes of a number.
    fn size(&self) -> usize {
        match self.dtype.as_str() {
            "U8" => 1,
            "U16" => 2,
            "U64" => 8,
            _ => 4,
        }
    }
}

impl Parts {
    /// What a file has, whatever its sums say.
    fn read(file: &[u8]) -> Option<Self> {
        let (length, rest) = file.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (header, data) = rest.split_at_checked(length)?;
        let header: Map<String, Value> = serde_json::from_slice(header).ok()?;
        let text = header.get("__metadata__")?.get(TEXT)?.as_str()?.to_owned();
        let mut arrays = Vec::new();
        for (name, info) in header.iter().filter(|(name, _)| !["__metadata__", CHECKSUMS].contains(&name.as_str())) {
            let number = |key: &str, n: usize| usize::try_from(info.get(key)?.get(n)?.as_u64()?).ok();
            let (start, end) = (number("data_offsets", 0)?, number("data_offsets", 1)?);
            let array = Array {
                name: name.clone(),
                dtype: info.get("dtype")?.as_str()?.to_owned(),
                width: number("shape", 1),
                bytes: data.get(start..end)?.to_vec(),
            };
            arrays.push((start, array));
        }
        arrays.sort_by_key(|&(start, _)| start);
        Some(Self { text, arrays: arrays.into_iter().map(|(_, array)| array).collect() })
    }

    /// The file, whole. Bytes at the ends of arrays that are no whole row are left out.
    fn write(&self) -> Vec<u8> {
        let sums = self.arrays.len() + 1;
        let mut end = sums * WORD;
        let mut header = Map::new();
        header.insert("__metadata__".to_owned(), json!({ TEXT: self.text }));
        header.insert(CHECKSUMS.to_owned(), json!({ "dtype": "U64", "shape": [sums], "data_offsets": [0, end] }));
        let (mut data, mut of_arrays) = (Vec::new(), Vec::new());
        for array in &self.arrays {
            let row = array.size() * array.width.unwrap_or(1);
            let rows = array.bytes.len().checked_div(row).unwrap_or(0);
            let bytes = &array.bytes[..rows * row];
            let shape: Vec<usize> = std::iter::once(rows).chain(array.width).collect();
            let offsets = [end, end + bytes.len()];
            end += bytes.len();
            header.insert(array.name.clone(), json!({ "dtype": array.dtype, "shape": shape, "data_offsets": offsets }));
            data.extend_from_slice(bytes);
            of_arrays.extend(XxHash3_64::oneshot(bytes).to_le_bytes());
        }
        let mut header = Value::Object(header).to_string().into_bytes();
        header.resize(header.len().next_multiple_of(WORD), b' ');
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header);
        let sum = XxHash3_64::oneshot(&[&file[..], &of_arrays].concat());
        file.extend(sum.to_le_bytes());
        file.extend(of_arrays);
        file.extend(data);
        file
    }

    /// Changes one thing; `dice` says what.
    fn change(&mut self, mut dice: Dice, room: usize) {
        let array = dice.below(self.arrays.len());
        match dice.below(16) {
            0..3 => self.text = String::from_utf8_lossy(&mutated(self.text.as_bytes(), room, false)).into_owned(),
            3..6 => self.change_number(&mut dice),
            6 if !self.arrays.is_empty() => drop(self.arrays.remove(array)),
            7 => {
                let from = dice.below(self.arrays.len());
                if let Some(bytes) = self.arrays.get(from).map(|array| array.bytes.clone()) {
                    self.arrays[array].bytes = bytes;
                }
            }
            8..12 => {
                if let Some(array) = self.arrays.get_mut(array) {
                    array.set_element(&mut dice);
                }
            }
            kind => {
                if let Some(array) = self.arrays.get_mut(array) {
                    array.bytes = mutated(&array.bytes, room, kind > 12);
                }
            }
        }
    }

    /// Puts another number in place of one in the text, which stays JSON.
    fn change_number(&mut self, dice: &mut Dice) {
        const NUMBERS: [&str; 12] = [
            "0",
            "1",
            "2",
            "-1",
            "255",
            "65536",
            "4294967295",
            "4294967296",
            "1e30",
            "0.5",
            "18446744073709551615",
            "null",
        ];
        let digit = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        let bytes = self.text.as_bytes();
        let starts: Vec<usize> = (1..bytes.len()).filter(|&at| digit(bytes[at]) && !digit(bytes[at - 1])).collect();
        let Some(&start) = starts.get(dice.below(starts.len())) else { return };
        let length = bytes[start..].iter().take_while(|&&byte| digit(byte)).count();
        self.text.replace_range(start..start + length, NUMBERS[dice.below(NUMBERS.len())]);
    }
}

impl Array {
    /// Sets a number to one that may be a limit of something.
    fn set_element(&mut self, dice: &mut Dice) {
        let size = self.size();
        let count = self.bytes.len() / size;
        if count == 0 {
            return;
        }
        let float = self.dtype == "F32";
        let other = dice.below(count) * size;
        let value: Vec<u8> = match dice.below(8) {
            0 => vec![0; size],
            1 => vec![0xFF; size],
            2 if float => f32::NAN.to_le_bytes().to_vec(),
            3 if float => f32::INFINITY.to_le_bytes().to_vec(),
            2 => (count as u64).to_le_bytes()[..size].to_vec(),
            3 => (count as u64 - 1).to_le_bytes()[..size].to_vec(),
            4 => 1u64.to_le_bytes()[..size].to_vec(),
            5 => (1u64 << (8 * size - 1)).to_le_bytes()[..size].to_vec(),
            _ => self.bytes[other..other + size].to_vec(),
        };
        let at = dice.below(count) * size;
        self.bytes[at..at + size].copy_from_slice(&value);
    }
}

/// Bytes that libFuzzer has changed; as many as before if asked for.
fn mutated(bytes: &[u8], room: usize, same_length: bool) -> Vec<u8> {
    let mut buffer = bytes.to_vec();
    // An empty array has room for a byte, since there is no other way to change nothing.
    buffer.resize((bytes.len() + if same_length { 0 } else { room.min(4096) }).max(1), 0);
    let (size, most) = (bytes.len(), buffer.len());
    let changed = fuzzer_mutate(&mut buffer, size, most);
    buffer.truncate(if same_length { size } else { changed });
    buffer
}

/// Small random numbers from a seed.
struct Dice(u64);

impl Dice {
    /// A number below `end`; 0 if there is none.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize).checked_rem(end).unwrap_or(0)
    }
}

/// A mutator for [`fuzz_mutator!`](libfuzzer_sys::fuzz_mutator).
pub fn mutate(data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
    let mut dice = Dice(u64::from(seed));
    let parts = Parts::read(&data[..size]).filter(|_| dice.below(16) > 0);
    if let Some(mut parts) = parts {
        for _ in 0..=dice.below(3) {
            parts.change(Dice(dice.below(usize::MAX) as u64), most.saturating_sub(size));
        }
        let file = parts.write();
        if file.len() <= most {
            data[..file.len()].copy_from_slice(&file);
            return file.len();
        }
    }
    fuzzer_mutate(data, size, most)
}
