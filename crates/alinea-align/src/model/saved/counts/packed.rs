//! Counts by pair of words as bytes, read and written pair by pair.
//!
//! For each pair, by ascending id: by how much its id exceeds the least that it can have (one more than that of the pair before, 0 for
//! the first), then both counts; each a number in LEB128, seven bits a byte, the lowest first, all but the last byte with their highest bit set. Most
//! ids follow closely and most counts are small, so that a pair takes about a third of the 20 bytes of its numbers.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::storage::{Container, SectionStream};

/// The array of a file that has them.
pub(super) const PAIRS: &str = "pairs";

/// A pair of words and its counts, forward and reverse.
pub(super) type PairCount = (u32, [u64; 2]);

/// The bytes of counts by ascending id.
pub(super) fn pack(counts: impl Iterator<Item = Result<PairCount>>) -> impl Iterator<Item = Result<u8>> {
    let mut least = 0;
    counts.flat_map(move |count| {
        let (error, numbers) = match count {
            Ok((id, [forward, reverse])) => {
                let gap = u64::from(id) - least;
                least = u64::from(id) + 1;
                (None, Some([gap, forward, reverse]))
            }
            Err(error) => (Some(Err(error)), None),
        };
        error.into_iter().chain(numbers.into_iter().flatten().flat_map(|number| Leb128(Some(number)).map(Ok)))
    })
}

/// The bytes of a number that are left.
struct Leb128(Option<u64>);

impl Iterator for Leb128 {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        let number = self.0?;
        let (low, rest) = ((number & 0x7F) as u8, number >> 7);
        self.0 = (rest != 0).then_some(rest);
        Some(if rest == 0 { low } else { low | 0x80 })
    }
}

/// Counts by ascending id, in memory or in a file.
#[derive(Debug, Clone)]
pub(super) enum Packed {
    Held(Arc<Vec<u8>>),
    InFile(Arc<Container>),
}

impl Packed {
    /// Those of a file, which is read through once and refused if it is damaged.
    pub(super) fn in_file(file: Arc<Container>) -> Result<Self> {
        let packed = Self::InFile(file);
        packed.unpack()?.try_for_each(|count| count.map(drop))?;
        Ok(packed)
    }

    /// The counts, from the first. In a file the array's checksum is compared at the end.
    pub(super) fn unpack(&self) -> Result<Unpacked<'_>> {
        let bytes = match self {
            Self::Held(bytes) => Bytes::Held(bytes.iter()),
            Self::InFile(file) => Bytes::InFile { file, stream: Some(SectionStream::open(file, PAIRS)?) },
        };
        Ok(Unpacked { bytes, least: 0 })
    }
}

#[expect(clippy::large_enum_variant, reason = "there is one for each file")]
enum Bytes<'a> {
    Held(std::slice::Iter<'a, u8>),
    /// Until it was read to its end.
    InFile {
        file: &'a Container,
        stream: Option<SectionStream<'a, u8>>,
    },
}

/// Counts on their way.
pub(super) struct Unpacked<'a> {
    bytes: Bytes<'a>,
    least: u64,
}

impl Bytes<'_> {
    #[inline]
    fn next(&mut self) -> Result<Option<u8>> {
        match self {
            Self::Held(bytes) => Ok(bytes.next().copied()),
            Self::InFile { stream, .. } => {
                let Some(open) = stream else { return Ok(None) };
                let byte = open.read()?;
                if byte.is_none()
                    && let Some(at_its_end) = stream.take()
                {
                    at_its_end.finish()?;
                }
                Ok(byte)
            }
        }
    }

    /// The error where these are no counts: in a file that is damaged, that.
    fn bad(&mut self) -> Error {
        let Self::InFile { file, stream } = self else { unreachable!("they were packed here") };
        let damage = stream.take().and_then(|stream| stream.finish().err());
        let expected = || format!("`{PAIRS}` with counts of pairs by ascending id");
        damage.unwrap_or_else(|| file.error(expected(), "other bytes".to_owned()))
    }
}

impl Unpacked<'_> {
    /// The next byte, which has to be there.
    fn byte(&mut self) -> Result<u8> {
        self.bytes.next()?.ok_or_else(|| self.bytes.bad())
    }

    /// A number, of which this is the first byte.
    fn number(&mut self, first: u8) -> Result<u64> {
        let (mut number, mut byte) = (u64::from(first & 0x7F), first);
        for shift in (7..70).step_by(7) {
            if byte & 0x80 == 0 {
                return Ok(number);
            }
            byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if shift == 63 && byte > 1 {
                return Err(self.bytes.bad());
            }
            number |= bits << shift;
        }
        Ok(number)
    }

    fn count(&mut self, first: u8) -> Result<PairCount> {
        let id = self.number(first)?.checked_add(self.least).and_then(|id| u32::try_from(id).ok());
        let id = id.ok_or_else(|| self.bytes.bad())?;
        self.least = u64::from(id) + 1;
        let mut counts = [0; 2];
        for count in &mut counts {
            let first = self.byte()?;
            *count = self.number(first)?;
        }
        Ok((id, counts))
    }
}

impl Iterator for Unpacked<'_> {
    type Item = Result<PairCount>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.bytes.next() {
            Ok(first) => first.map(|first| self.count(first)),
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::storage::ContainerWriter;

    fn packed(counts: &[PairCount]) -> Vec<u8> {
        pack(counts.iter().copied().map(Ok)).collect::<Result<_>>().unwrap()
    }

    fn file(bytes: Vec<u8>) -> Arc<Container> {
        let mut writer = ContainerWriter::new("counts".to_owned());
        writer.add_owned(PAIRS, bytes);
        let mut written = Vec::new();
        writer.write(&mut written).unwrap();
        Arc::new(Container::of_bytes("file".to_owned(), written).unwrap())
    }

    #[test]
    fn bytes_are_those_of_the_definition() {
        // LEB128 of 624,485 is E5 8E 26 (DWARF Debugging Information Format, version 4, 7.6).
        assert_eq!(packed(&[(0, [0, 127]), (1, [128, 624_485])]), [0, 0, 0x7F, 0, 0x80, 1, 0xE5, 0x8E, 0x26]);
    }

    proptest! {
        #[test]
        fn counts_come_back(counts in prop::collection::btree_map(any::<u32>(), any::<[u64; 2]>(), 0..50), close in prop::collection::btree_map(0u32..100, 0u64..1000, 0..50)) {
            for counts in [counts.into_iter().collect::<Vec<_>>(), close.into_iter().map(|(id, n)| (id, [n, n / 7])).collect()] {
                let bytes = packed(&counts);
                for packed in [Packed::Held(Arc::new(bytes.clone())), Packed::in_file(file(bytes)).unwrap()] {
                    prop_assert_eq!(&packed.unpack().unwrap().collect::<Result<Vec<_>>>().unwrap(), &counts);
                }
            }
        }
    }

    #[test]
    fn bytes_that_are_no_counts_are_refused() {
        let most = packed(&[(u32::MAX, [u64::MAX; 2])]);
        Packed::in_file(file(most.clone())).unwrap();
        let beyond = [&most[..], &[0, 0, 0]].concat();
        let too_large = [&[0][..], &[0xFF; 9], &[2, 0]].concat();
        for bytes in [vec![0], vec![0, 0x80], vec![0, 1], most[..8].to_vec(), beyond, too_large, vec![0x80; 30]] {
            let error = Packed::in_file(file(bytes)).unwrap_err().to_string();
            assert!(
                error.ends_with("expected `pairs` with counts of pairs by ascending id, found other bytes"),
                "{error}"
            );
        }
    }
}
