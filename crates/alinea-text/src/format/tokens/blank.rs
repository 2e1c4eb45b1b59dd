//! Words between blanks: the hot path of reading, many bytes at a time.

/// Whether a byte separates words.
pub const fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

/// The words of a line, cut at blanks and tabs; there are no empty words.
pub fn split(line: &[u8]) -> Split<'_> {
    Split { line, at: 0 }
}

/// Iterator of [`split`].
#[derive(Debug, Clone)]
pub struct Split<'a> {
    line: &'a [u8],
    at: usize,
}

impl Split<'_> {
    /// Where the next search begins: just behind the word returned last.
    pub fn offset(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for Split<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        let mut start = self.at;
        while is_blank(*self.line.get(start)?) {
            start += 1;
        }
        let word = &self.line[start..];
        let length = find_blank(word).unwrap_or(word.len());
        self.at = start + length;
        Some(&word[..length])
    }
}

/// The high bit of each of eight bytes.
pub(super) const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Where the first blank is. Eight bytes at a time: words are short, and a loop over their bytes would end at an
/// unforeseeable place, which processors dislike.
fn find_blank(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let eight = u64::from_le_bytes(*eight);
        let blanks = equal_bytes(eight, b' ') | equal_bytes(eight, b'\t');
        if blanks != 0 {
            return Some(at + blanks.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    bytes[at..].iter().position(|&byte| is_blank(byte)).map(|place| at + place)
}

/// The high bit of each of the eight bytes that equals `byte`, exactly.
const fn equal_bytes(eight: u64, byte: u8) -> u64 {
    let difference = eight ^ (byte as u64 * 0x0101_0101_0101_0101);
    !(((difference & !HIGH_BITS) + !HIGH_BITS) | difference) & HIGH_BITS
}

/// As [`split`], for long lines faster: the blanks of 64 bytes are found together.
pub(crate) fn for_each_split(line: &[u8], mut visit: impl FnMut(&[u8])) {
    for_each_place(line, |start, end| visit(&line[start..end]));
}

/// The same with the place of each word: where it begins, and where it ends.
pub(crate) fn for_each_place(line: &[u8], mut visit: impl FnMut(usize, usize)) {
    let mut start = 0;
    let mut visit_until = |end: usize| {
        if end > start {
            visit(start, end);
        }
        start = end + 1;
    };
    let (blocks, rest) = line.as_chunks::<64>();
    for (number, block) in blocks.iter().enumerate() {
        let mut blanks = blank_mask(block);
        while blanks != 0 {
            visit_until(number * 64 + blanks.trailing_zeros() as usize);
            blanks &= blanks - 1;
        }
    }
    let mut last = [b'!'; 64];
    last[..rest.len()].copy_from_slice(rest);
    let mut blanks = blank_mask(&last);
    while blanks != 0 {
        visit_until(blocks.len() * 64 + blanks.trailing_zeros() as usize);
        blanks &= blanks - 1;
    }
    visit_until(line.len());
}

/// One bit for each byte, set for blanks.
fn blank_mask(block: &[u8; 64]) -> u64 {
    // Multiplied so, the high bits of eight bytes meet in the topmost byte, in order and without carries.
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let (eights, _) = block.as_chunks::<8>();
    eights.iter().enumerate().fold(0, |mask, (place, eight)| {
        let eight = u64::from_le_bytes(*eight);
        let blanks = equal_bytes(eight, b' ') | equal_bytes(eight, b'\t');
        mask | (blanks.wrapping_mul(GATHER) >> 56) << (8 * place)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn blanks_are_found_at_every_place() {
        for length in 0..20 {
            for place in 0..length {
                for blank in [b' ', b'\t'] {
                    let mut bytes = vec![b'!'; length];
                    bytes[place] = blank;
                    assert_eq!(find_blank(&bytes), Some(place));
                    bytes[place] = blank | 0x80;
                    assert_eq!(find_blank(&bytes), None);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_split(
            bytes in proptest::collection::vec(prop_oneof![Just(b' '), Just(b'\t'), any::<u8>()], 0..200),
        ) {
            let joined: Vec<u8> = split(&bytes).flatten().copied().collect();
            let expected: Vec<u8> = bytes.iter().copied().filter(|&b| !is_blank(b)).collect();
            prop_assert_eq!(joined, expected);
            let mut visited = Vec::new();
            for_each_split(&bytes, |word| visited.push(word.to_vec()));
            prop_assert_eq!(visited, split(&bytes).map(<[u8]>::to_vec).collect::<Vec<_>>());
        }
    }
}
