//! One alignment for each sentence pair of a text, in one direction.

/// For each pair the position of every generated word: 0 for the empty word, from 1 for the conditioning words. 4 bytes a
/// word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paths {
    positions: Vec<u32>,
    ends: Vec<u64>,
}

impl Paths {
    /// Adds the path of the next pair.
    pub(super) fn push(&mut self, path: &[u32]) {
        self.positions.extend_from_slice(path);
        self.ends.push(self.positions.len() as u64);
    }

    /// Adds those of other pairs.
    pub(super) fn append(&mut self, others: &Self) {
        let before = self.positions.len() as u64;
        self.positions.extend_from_slice(&others.positions);
        self.ends.extend(others.ends.iter().map(|end| before + end));
    }

    /// The path of the `n`-th pair.
    ///
    /// # Panics
    /// If there is no such pair.
    pub fn of(&self, n: usize) -> &[u32] {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.positions[start as usize..self.ends[n] as usize]
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}
