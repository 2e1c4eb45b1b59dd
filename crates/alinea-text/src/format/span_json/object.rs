//! Objects as the pieces of text that they have in a file.

use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::error::{Error, Position, Result};

/// A file in memory.
#[derive(Debug, Clone)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) name: String,
}

impl<'t> Source<'t> {
    /// That a piece of the file is not as it should be.
    pub(super) fn fault(&self, piece: &RawValue, expected: impl Into<String>) -> Error {
        let at = piece.get().as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let position = Position::new(self.name.as_str(), line as u64, (before.len() - start) as u64 + 1);
        Error::parse(position, expected, piece.get().as_bytes())
    }

    /// What a piece says.
    pub(super) fn read<T: Deserialize<'t>>(&self, piece: &'t RawValue, expected: &str) -> Result<T> {
        serde_json::from_str(piece.get()).map_err(|error| {
            let message = error.to_string();
            let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
            // Of what is of another kind the message says no more than the piece itself.
            let is_telling = error.is_data() && message.contains("twice");
            self.fault(piece, if is_telling { format!("{expected}: {message}") } else { expected.to_owned() })
        })
    }
}

/// The fields of an object, in order, each once.
#[derive(Debug, Clone, Default)]
pub(super) struct Object<'t>(pub(super) Vec<(String, &'t RawValue)>);

impl<'t> Object<'t> {
    pub(super) fn get(&self, key: &str) -> Option<&'t RawValue> {
        self.0.iter().find(|(name, _)| name == key).map(|&(_, piece)| piece)
    }

    /// A field that is there, and not `null`.
    pub(super) fn given(&self, key: &str) -> Option<&'t RawValue> {
        self.get(key).filter(|piece| piece.get() != "null")
    }
}

impl<'de: 't, 't> Deserialize<'de> for Object<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Fields).map(Object)
    }
}

struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields: Vec<(String, &'de RawValue)> = Vec::new();
        while let Some((key, piece)) = map.next_entry::<String, &'de RawValue>()? {
            if fields.iter().any(|(name, _)| *name == key) {
                return Err(A::Error::custom(format_args!("`{key}` stands there twice")));
            }
            fields.push((key, piece));
        }
        Ok(fields)
    }
}

/// Adds a piece without the white space between its parts.
pub(super) fn push_compact(piece: &str, out: &mut String) {
    let (mut is_string, mut is_escaped) = (false, false);
    out.extend(piece.chars().filter(|&character| {
        let was_string = is_string;
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = is_string,
            '"' => is_string = !is_string,
            _ => {}
        }
        was_string || !character.is_ascii_whitespace()
    }));
}

/// Adds a string.
pub(super) fn push_string(text: &str, out: &mut String) {
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// An object that is being written.
pub(super) struct Writing<'o> {
    out: &'o mut String,
    is_empty: bool,
}

impl<'o> Writing<'o> {
    pub(super) fn new(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, is_empty: true }
    }

    /// Begins a field; its value is added to what is returned.
    pub(super) fn field(&mut self, key: &str) -> &mut String {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.out.push(',');
        }
        push_string(key, self.out);
        self.out.push(':');
        self.out
    }

    pub(super) fn piece(&mut self, key: &str, piece: &RawValue) {
        push_compact(piece.get(), self.field(key));
    }

    pub(super) fn finish(self) {
        self.out.push('}');
    }
}

/// Adds the parts of a list that each call of `write` adds, with commas between.
pub(super) fn push_list<T>(
    items: impl IntoIterator<Item = T>,
    out: &mut String,
    mut write: impl FnMut(T, &mut String),
) {
    out.push('[');
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}
