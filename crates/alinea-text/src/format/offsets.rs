//! Places in a text, in the units that programs count: characters, UTF-16 code units, or bytes.
//!
//! Python counts characters (Unicode code points), JavaScript and Java code units of UTF-16, of which characters beyond U+FFFF, such
//! as emoji, have two; Rust and Go count bytes of UTF-8. Inside, places are bytes.
//!
//! ```
//! use alinea::format::offsets::{OffsetTable, Offsets};
//!
//! let text = "👍 né";
//! let places = |unit| OffsetTable::new(text, unit).of_byte(5);
//! assert_eq!([Offsets::Characters, Offsets::Utf16, Offsets::Bytes].map(places), [2, 3, 5]);
//! assert_eq!(OffsetTable::new(text, Offsets::Utf16).byte(3), Some(5));
//! // In the middle of a character.
//! assert_eq!(OffsetTable::new(text, Offsets::Utf16).byte(1), None);
//! ```

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::error::{Error, Result};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Offsets {
    /// Unicode code points, as Python counts.
    #[default]
    Characters,
    /// Code units of UTF-16, as JavaScript and Java count.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
}

impl Offsets {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Characters, Self::Utf16, Self::Bytes];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Characters => "characters",
            Self::Utf16 => "utf16",
            Self::Bytes => "bytes",
        }
    }
}

impl fmt::Display for Offsets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Offsets {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|offsets| offsets.name() == name);
        known.ok_or_else(|| Error::config("offsets", name, "characters, utf16 or bytes"))
    }
}

/// Places of a text in bytes and in other units. A word of memory for each unit, but none for bytes.
#[derive(Debug)]
pub struct OffsetTable<'t> {
    text: &'t str,
    /// The byte that each unit begins at, rising; nothing if units are bytes.
    starts: Option<Vec<usize>>,
}

impl<'t> OffsetTable<'t> {
    /// That of a text. O(bytes).
    pub fn new(text: &'t str, unit: Offsets) -> Self {
        let starts = match unit {
            Offsets::Characters => Some(text.char_indices().map(|(byte, _)| byte).collect()),
            // The second unit of a character is said to begin at its second byte, which is no place in the text.
            Offsets::Utf16 => {
                Some(text.char_indices().flat_map(|(byte, character)| byte..byte + character.len_utf16()).collect())
            }
            Offsets::Bytes => None,
        };
        Self { text, starts }
    }

    /// The text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// The number of units.
    pub fn len(&self) -> usize {
        self.starts.as_ref().map_or(self.text.len(), Vec::len)
    }

    /// Whether the text has none.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The byte behind so many units; nothing behind the end, or within a character.
    pub fn byte(&self, offset: usize) -> Option<usize> {
        let byte = match &self.starts {
            Some(starts) if offset < starts.len() => starts[offset],
            Some(starts) if offset == starts.len() => self.text.len(),
            Some(_) => return None,
            None => offset,
        };
        self.text.is_char_boundary(byte).then_some(byte)
    }

    /// The units before a byte. O(log units).
    pub fn of_byte(&self, byte: usize) -> usize {
        self.starts.as_ref().map_or(byte, |starts| starts.partition_point(|&start| start < byte))
    }

    /// The bytes of a stretch that is given in units; nothing if it is empty, or not in the text.
    pub fn bytes(&self, [start, end]: [usize; 2]) -> Option<Range<usize>> {
        let bytes = self.byte(start)?..self.byte(end)?;
        (bytes.start < bytes.end).then_some(bytes)
    }

    /// A stretch of bytes in units.
    pub fn of_bytes(&self, bytes: &Range<usize>) -> [usize; 2] {
        [self.of_byte(bytes.start), self.of_byte(bytes.end)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What the standard library counts.
        #[test]
        fn places_are_counted_as_others_count(text in "[a é東👍\n]{0,12}") {
            for unit in Offsets::ALL {
                let table = OffsetTable::new(&text, unit);
                for byte in (0..=text.len()).filter(|&byte| text.is_char_boundary(byte)) {
                    let before = &text[..byte];
                    let number = match unit {
                        Offsets::Characters => before.chars().count(),
                        Offsets::Utf16 => before.encode_utf16().count(),
                        Offsets::Bytes => before.len(),
                    };
                    prop_assert_eq!((table.of_byte(byte), table.byte(number)), (number, Some(byte)));
                }
                prop_assert_eq!((table.byte(table.len()), table.byte(table.len() + 1)), (Some(text.len()), None));
                let places = (0..=table.len()).filter(|&place| table.byte(place).is_some()).count();
                prop_assert_eq!(places, text.chars().count() + 1);
            }
        }
    }

    #[test]
    fn names_are_read() {
        assert!(Offsets::ALL.iter().all(|offsets| offsets.name().parse::<Offsets>().unwrap() == *offsets));
        assert!("chars".parse::<Offsets>().is_err());
    }
}
