//! What lines look like that are probably not meant so: told, not refused.
//!
//! ```
//! use alinea::metric::oddities::Oddities;
//!
//! let mut oddities = Oddities::new(2);
//! oddities.look(&["the cat sat .", "the cat sat."], &["the cat sat.", "a cat sat."]);
//! assert_eq!((oddities.tokenized, oddities.copies), (vec![1, 0], vec![false, true]));
//! ```

use super::tokenize::ScriptCounts;

/// Counts of odd lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Oddities {
    /// The scripts of the references.
    pub scripts: ScriptCounts,
    /// Lines of each system that end in a period with a blank before it, as tokenized text has it.
    pub tokenized: Vec<u64>,
    /// Empty lines of each system.
    pub empty: Vec<u64>,
    /// Whether each line of a system so far is a reference.
    pub copies: Vec<bool>,
    /// Segments of which all references are empty.
    pub empty_references: u64,
    /// Segments with a carriage return inside a line, and the number of the first, from 0.
    pub returns: Option<(u64, u64)>,
    /// Segments.
    pub segments: u64,
}

/// So many lines that look tokenized are no accident (sacreBLEU's number).
const TOKENIZED_LINES: u64 = 100;

impl Oddities {
    /// Nothing odd yet, of this many systems.
    pub fn new(systems: usize) -> Self {
        let zeros = vec![0; systems];
        Self { tokenized: zeros.clone(), empty: zeros, copies: vec![true; systems], ..Self::default() }
    }

    /// Looks at a segment: the lines of the systems, and the references.
    ///
    /// # Panics
    /// If there are more systems than [`new`](Self::new) was told.
    pub fn look(&mut self, systems: &[&str], references: &[&str]) {
        if systems.iter().chain(references).any(|line| has_return(line)) {
            self.returns.get_or_insert((0, self.segments)).0 += 1;
        }
        self.segments += 1;
        for (system, line) in systems.iter().enumerate() {
            self.tokenized[system] += u64::from(line.ends_with(" ."));
            self.empty[system] += u64::from(line.trim().is_empty());
            self.copies[system] &= references.contains(line);
        }
        for line in references {
            self.scripts.observe(line);
        }
        self.empty_references += u64::from(references.iter().all(|line| line.trim().is_empty()));
    }

    /// Adds what others are of the segments that follow, of the same systems.
    pub fn add(&mut self, others: &Self) {
        if let Some((count, first)) = others.returns {
            self.returns.get_or_insert((0, self.segments + first)).0 += count;
        }
        self.segments += others.segments;
        self.scripts.add(&others.scripts);
        self.tokenized.iter_mut().zip(&others.tokenized).for_each(|(sum, lines)| *sum += lines);
        self.empty.iter_mut().zip(&others.empty).for_each(|(sum, lines)| *sum += lines);
        self.copies.iter_mut().zip(&others.copies).for_each(|(all, copies)| *all &= copies);
        self.empty_references += others.empty_references;
    }

    /// Whether a system is the same as the references, line by line; not if there are no lines.
    pub fn is_copy(&self, system: usize) -> bool {
        self.copies[system] && self.segments > 0
    }

    /// How many lines of a system look tokenized, if they are too many to be an accident.
    pub fn tokenized_lines(&self, system: usize) -> Option<u64> {
        Some(self.tokenized[system]).filter(|&lines| lines >= TOKENIZED_LINES)
    }
}

/// Whether a line has a carriage return inside, and not only line ends of two bytes, where it is several lines.
fn has_return(line: &str) -> bool {
    let bytes = line.as_bytes();
    let inside = |(at, &byte): (usize, &u8)| byte == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    bytes.contains(&b'\r') && bytes.iter().enumerate().any(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_looked_at() {
        let mut oddities = Oddities::new(2);
        assert!(!oddities.is_copy(0));
        oddities.look(&["a", " \u{3000}"], &["a", "b"]);
        oddities.look(&["c", "c"], &["c", "c"]);
        assert!(oddities.is_copy(0) && !oddities.is_copy(1));
        oddities.look(&["", ""], &["", " "]);
        assert_eq!(
            (oddities.empty.as_slice(), oddities.empty_references, oddities.segments),
            ([1, 2].as_slice(), 1, 3)
        );
        assert_eq!(oddities.scripts.letters, 4);
    }

    #[test]
    fn carriage_returns_are_counted_by_segment() {
        let mut oddities = Oddities::new(1);
        oddities.look(&["a"], &["a"]);
        assert_eq!(oddities.returns, None);
        oddities.look(&["1\ta\r\n2\tb\r\n"], &["a"]);
        assert_eq!(oddities.returns, None);
        oddities.look(&["a\rb"], &["c", "d\r"]);
        oddities.look(&["a"], &["b", "\r"]);
        assert_eq!(oddities.returns, Some((2, 2)));
    }

    #[test]
    fn parts_add_up() {
        let lines = [["a .", "", "b"], ["a", "あ", " "], ["c", "d\re", "c"], ["", "漢字 .", ""], ["e", "f", "\rf"]];
        let look = |lines: &[[&str; 3]]| {
            let mut oddities = Oddities::new(2);
            for [one, other, reference] in lines {
                oddities.look(&[one, other], &[reference]);
            }
            oddities
        };
        for middle in 0..=lines.len() {
            let mut sum = look(&lines[..middle]);
            sum.add(&look(&lines[middle..]));
            assert_eq!(sum, look(&lines));
        }
    }

    #[test]
    fn a_hundred_lines_are_no_accident() {
        let mut oddities = Oddities::new(1);
        for lines in 1..=100 {
            assert_eq!(oddities.tokenized_lines(0), None);
            oddities.look(&["yes ."], &["yes."]);
            assert_eq!(oddities.tokenized, [lines]);
        }
        assert_eq!(oddities.tokenized_lines(0), Some(100));
    }
}
