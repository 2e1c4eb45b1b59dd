//! The table of replaced characters of a SentencePiece model, its `precompiled_charsmap`.
//!
//! A double array as of Darts-clone, over the bytes of what is replaced, whose values lead to replacements, strings
//! that end in a zero byte. In front stands the length of the array in bytes. Whatever the bytes are, nothing panics: a
//! place outside the table is no replacement.

/// What characters, and sequences of them, are replaced by.
#[derive(Debug)]
pub struct CharacterMap {
    nodes: Vec<u32>,
    replacements: String,
}

impl CharacterMap {
    /// The table in these bytes, if they have the form of one. An empty table replaces nothing.
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() {
            return Some(Self { nodes: Vec::new(), replacements: String::new() });
        }
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let (nodes, replacements) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let (nodes, odd) = nodes.as_chunks::<4>();
        let replacements = String::from_utf8(replacements.to_vec()).ok()?;
        let nodes = nodes.iter().map(|&node| u32::from_le_bytes(node)).collect();
        odd.is_empty().then_some(Self { nodes, replacements })
    }

    /// What the longest beginning of a text that the table has is replaced by, and the length of that beginning in
    /// bytes.
    pub fn longest(&self, text: &str) -> Option<(&str, usize)> {
        let (value, length) = self.beginnings(text.as_bytes()).last()?;
        Some((self.replacement(value)?, length)).filter(|_| text.is_char_boundary(length))
    }

    /// What the shortest beginning of a text that the table has is replaced by.
    pub fn shortest(&self, text: &str) -> Option<&str> {
        let (value, _) = self.beginnings(text.as_bytes()).next()?;
        self.replacement(value)
    }

    /// The beginnings of a text that the table has, short ones first: the place of the replacement, and the length.
    fn beginnings(&self, text: &[u8]) -> impl Iterator<Item = (usize, usize)> {
        let mut place = self.nodes.first().map_or(0, |&root| offset(root));
        text.iter()
            .enumerate()
            .map_while(move |(number, &byte)| {
                place ^= usize::from(byte);
                // The label; the highest bit is that of a value.
                let node = *self.nodes.get(place).filter(|&node| node & 0x8000_00ff == u32::from(byte))?;
                place ^= offset(node);
                let value = self.nodes.get(place).filter(|_| node >> 8 & 1 == 1);
                Some(value.map(|value| ((value & 0x7fff_ffff) as usize, number + 1)))
            })
            .flatten()
    }

    fn replacement(&self, place: usize) -> Option<&str> {
        let (replacement, _) = self.replacements.get(place..)?.split_once('\0')?;
        Some(replacement)
    }
}

/// Where the children of a node are, relative to itself.
fn offset(node: u32) -> usize {
    ((node >> 10) << ((node & 1 << 9) >> 6)) as usize
}
