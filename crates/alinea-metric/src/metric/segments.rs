//! What is scored: the hypotheses of one or several systems for each segment, and its references.
//!
//! References are given segment by segment, as many as a segment has; who has them stream by stream says so by
//! [`Segments::from_streams`]. So it is never guessed which of the two a list of lists is.

use crate::error::{ErrorKind, Result};

/// Hypotheses and references, in one arena.
#[derive(Debug, Clone)]
pub struct Segments {
    systems: usize,
    text: String,
    /// Where each string ends in the text: those of a segment one after another, hypotheses first.
    ends: Vec<usize>,
    /// How many strings there are up to the end of each segment.
    strings: Vec<usize>,
    /// How many segments of the text come before these.
    before: usize,
}

impl Segments {
    /// No segments yet, of this many systems.
    pub fn new(systems: usize) -> Self {
        Self { systems, text: String::new(), ends: Vec::new(), strings: Vec::new(), before: 0 }
    }

    /// The segments of streams of lines, each as long as the text. `None` in a stream of references is no reference.
    ///
    /// # Errors
    /// If streams have different lengths, with both, or a segment has no reference.
    pub fn from_streams(hypotheses: &[Vec<String>], references: &[Vec<Option<String>>]) -> Result<Self> {
        let length = hypotheses.first().map_or(0, Vec::len);
        let same = |name: &str, number: usize, found: usize| {
            if found == length {
                return Ok(());
            }
            let message = format!("unequal lengths: system 1 has {length} segments, {name} {} has {found}", number + 1);
            Err(ErrorKind::Inconsistent(message))
        };
        for (number, stream) in hypotheses.iter().enumerate() {
            same("system", number, stream.len())?;
        }
        for (number, stream) in references.iter().enumerate() {
            same("reference stream", number, stream.len())?;
        }
        let mut segments = Self::new(hypotheses.len());
        for n in 0..length {
            let systems: Vec<&str> = hypotheses.iter().map(|stream| stream[n].as_str()).collect();
            let given: Vec<&str> = references.iter().filter_map(|stream| stream[n].as_deref()).collect();
            if given.is_empty() {
                return Err(ErrorKind::Empty(format!("segment {} has no reference", n + 1)).into());
            }
            segments.push(&systems, &given);
        }
        Ok(segments)
    }

    /// Adds a segment.
    ///
    /// # Panics
    /// If there is not one hypothesis of each system, or no reference.
    pub fn push(&mut self, hypotheses: &[&str], references: &[&str]) {
        assert_eq!(hypotheses.len(), self.systems, "one hypothesis of each system");
        assert!(!references.is_empty(), "at least one reference");
        for string in hypotheses.iter().chain(references) {
            self.text.push_str(string);
            self.ends.push(self.text.len());
        }
        self.strings.push(self.ends.len());
    }

    /// Says that so many segments of the text come before these; it is told in errors.
    pub fn come_after(&mut self, segments: usize) {
        self.before = segments;
    }

    /// The number of a segment in the text, from 1.
    pub fn number(&self, segment: usize) -> usize {
        self.before + segment + 1
    }

    /// Forgets all segments, not the room for them.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.strings.clear();
    }

    /// The number of systems.
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.strings.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.strings.is_empty()
    }

    /// What a system has for a segment.
    ///
    /// # Panics
    /// If there is no such segment or system.
    pub fn hypothesis(&self, segment: usize, system: usize) -> &str {
        assert!(system < self.systems, "system {system} of {}", self.systems);
        self.string(self.first_string(segment) + system)
    }

    /// The references of a segment.
    ///
    /// # Panics
    /// If there is no such segment.
    pub fn references(&self, segment: usize) -> impl ExactSizeIterator<Item = &str> {
        (self.first_string(segment) + self.systems..self.strings[segment]).map(|string| self.string(string))
    }

    /// The number of references of every segment, if it is the same.
    pub fn reference_count(&self) -> Option<usize> {
        let first = self.references(0).len();
        (1..self.len()).all(|segment| self.references(segment).len() == first).then_some(first)
    }

    fn first_string(&self, segment: usize) -> usize {
        if segment == 0 { 0 } else { self.strings[segment - 1] }
    }

    fn string(&self, number: usize) -> &str {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.text[start..self.ends[number]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_come_back() {
        let mut segments = Segments::new(2);
        segments.push(&["a", ""], &["r"]);
        segments.push(&["b", "c d"], &["", "s", "t"]);
        assert_eq!((segments.len(), segments.systems(), segments.reference_count()), (2, 2, None));
        assert_eq!((segments.hypothesis(0, 0), segments.hypothesis(0, 1)), ("a", ""));
        assert_eq!((segments.hypothesis(1, 0), segments.hypothesis(1, 1)), ("b", "c d"));
        assert_eq!(segments.references(0).collect::<Vec<_>>(), ["r"]);
        assert_eq!(segments.references(1).collect::<Vec<_>>(), ["", "s", "t"]);
        segments.clear();
        assert!(segments.is_empty());
    }

    #[test]
    fn streams_have_one_length() {
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let given = |lines: &[Option<&str>]| lines.iter().map(|line| line.map(str::to_owned)).collect::<Vec<_>>();
        let error = Segments::from_streams(&[lines(&["a", "b"])], &[given(&[Some("a")])]).unwrap_err();
        assert_eq!(error.to_string(), "unequal lengths: system 1 has 2 segments, reference stream 1 has 1");
        let error = Segments::from_streams(&[lines(&["a"]), lines(&[])], &[]).unwrap_err();
        assert_eq!(error.to_string(), "unequal lengths: system 1 has 1 segments, system 2 has 0");
        let error = Segments::from_streams(&[lines(&["a"])], &[given(&[None])]).unwrap_err();
        assert_eq!(error.to_string(), "segment 1 has no reference");
        let segments = Segments::from_streams(&[lines(&["a"])], &[given(&[None]), given(&[Some("b")])]).expect("equal");
        assert_eq!(segments.references(0).collect::<Vec<_>>(), ["b"]);
    }
}
