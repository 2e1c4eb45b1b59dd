//! Decompression of bzip2, block by block: streams that follow one another are one file, as parallel compressors write them.
//!
//! A stream is a header with the size of its blocks, blocks, and a checksum of all. A block of up to 900,000 bytes was run-length
//! encoded, sorted by what follows each byte (Burrows and Wheeler 1994), moved to the front, run-length encoded again, and written in
//! up to six Huffman codes of which every fifty symbols choose one. All that is undone here backwards. Each block and each stream has
//! a checksum, and both are checked; data that end early, or that no compressor writes, are errors. Memory is that of one block, four
//! bytes for each of its bytes. Linear.
//!
//! Blocks that versions before 0.9.5 (1999) wrote "randomized" are refused.

use std::io::{self, Read};

/// What blocks and ends of streams begin with: the digits of π, and of its square root.
const BLOCK: u64 = 0x3141_5926_5359;
const END: u64 = 0x1772_4538_5090;

/// The longest code, symbols that share a code, and the most codes of a block.
const LONGEST: usize = 20;
const GROUP: usize = 50;
const CODES: usize = 6;

/// Symbols that make runs of the byte in front.
const RUN_A: u16 = 0;
const RUN_B: u16 = 1;

/// Decompresses what `inner` has.
pub(super) struct Decoder<R> {
    bits: Bits<R>,
    /// Bytes of a block of the stream at most; 0 between streams.
    block_bytes: usize,
    /// The block in its sorted order: in the upper three bytes where the next one is, in the lowest the byte.
    sorted: Vec<u32>,
    /// The next place, and how many places of the block are left.
    place: u32,
    left: usize,
    /// The byte before, how often it came, and how often it comes again.
    last: u8,
    count: u8,
    repeat: u8,
    /// The checksum of the block so far and as it should be, and that of the stream.
    sum: u32,
    expected: u32,
    stream_sum: u32,
    begun: bool,
}

impl<R: Read> Decoder<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            bits: Bits { inner, buffer: vec![0; 1 << 16], at: 0, end: 0, word: 0, held: 0 },
            block_bytes: 0,
            sorted: Vec::new(),
            place: 0,
            left: 0,
            last: 0,
            count: 0,
            repeat: 0,
            sum: 0,
            expected: 0,
            stream_sum: 0,
            begun: false,
        }
    }

    /// Goes to the next block, or says that there is none.
    fn next_block(&mut self) -> io::Result<bool> {
        loop {
            if self.block_bytes == 0 && !self.begin_stream()? {
                return Ok(false);
            }
            match self.bits.take(48)? {
                BLOCK => {
                    self.read_block()?;
                    return Ok(true);
                }
                END => {
                    if self.bits.take(32)? != u64::from(self.stream_sum) {
                        return Err(damaged("the checksum of the stream is another"));
                    }
                    self.bits.align();
                    self.block_bytes = 0;
                }
                _ => return Err(damaged("neither a block nor an end")),
            }
        }
    }

    fn begin_stream(&mut self) -> io::Result<bool> {
        if self.bits.is_at_end()? {
            return if self.begun { Ok(false) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        self.begun = true;
        if self.bits.take(24)? != 0x42_5A68 {
            return Err(damaged("no stream begins here"));
        }
        let size = self.bits.take(8)?.wrapping_sub(u64::from(b'0'));
        if !(1..=9).contains(&size) {
            return Err(damaged("no size of blocks"));
        }
        (self.block_bytes, self.stream_sum) = (size as usize * 100_000, 0);
        Ok(true)
    }

    fn read_block(&mut self) -> io::Result<()> {
        self.expected = self.bits.take(32)? as u32;
        if self.bits.take(1)? == 1 {
            return Err(damaged("a randomized block, as before version 0.9.5"));
        }
        let first = self.bits.take(24)? as usize;
        let bytes = self.read_bytes_used()?;
        self.read_symbols(bytes)?;
        if first >= self.sorted.len() {
            return Err(damaged("a block that begins behind its end"));
        }
        self.link();
        (self.place, self.left) = (self.sorted[first] >> 8, self.sorted.len());
        (self.last, self.count, self.repeat, self.sum) = (0, 0, 0, u32::MAX);
        Ok(())
    }

    /// Which bytes the block has.
    fn read_bytes_used(&mut self) -> io::Result<Vec<u8>> {
        let rows = self.bits.take(16)?;
        let mut bytes = Vec::with_capacity(256);
        for row in (0..16u8).filter(|row| rows >> (15 - row) & 1 == 1) {
            let columns = self.bits.take(16)?;
            bytes.extend((0..16u8).filter(|column| columns >> (15 - column) & 1 == 1).map(|column| row << 4 | column));
        }
        if bytes.is_empty() { Err(damaged("a block without bytes")) } else { Ok(bytes) }
    }

    /// The bytes of the block in their sorted order; `front` are those that it has.
    fn read_symbols(&mut self, mut front: Vec<u8>) -> io::Result<()> {
        let symbols = front.len() + 2;
        let end = symbols as u16 - 1;
        let codes = self.bits.take(3)? as usize;
        let groups = self.bits.take(15)? as usize;
        if !(2..=CODES).contains(&codes) || groups == 0 {
            return Err(damaged("no codes"));
        }
        let chosen = self.read_choices(codes, groups)?;
        let codes = (0..codes).map(|_| self.read_code(symbols)).collect::<io::Result<Vec<Code>>>()?;
        self.sorted.clear();
        let (mut run, mut weight) = (0, 1);
        for choice in chosen {
            for _ in 0..GROUP {
                let symbol = codes[usize::from(choice)].read(&mut self.bits)?;
                if symbol == RUN_A || symbol == RUN_B {
                    run += weight * (usize::from(symbol) + 1);
                    weight *= 2;
                    if run > self.block_bytes {
                        return Err(damaged("a block that is too long"));
                    }
                    continue;
                }
                self.push(front[0], run)?;
                (run, weight) = (0, 1);
                if symbol == end {
                    return Ok(());
                }
                let place = usize::from(symbol) - 1;
                front[..=place].rotate_right(1);
                self.push(front[0], 1)?;
            }
        }
        Err(damaged("a block without an end"))
    }

    fn push(&mut self, byte: u8, times: usize) -> io::Result<()> {
        if self.sorted.len() + times > self.block_bytes {
            return Err(damaged("a block that is too long"));
        }
        self.sorted.resize(self.sorted.len() + times, u32::from(byte));
        Ok(())
    }

    /// Which code each group has: numbers moved to the front, in unary.
    fn read_choices(&mut self, codes: usize, groups: usize) -> io::Result<Vec<u8>> {
        let mut front: Vec<u8> = (0..codes as u8).collect();
        let mut chosen = Vec::with_capacity(groups);
        for _ in 0..groups {
            let mut place = 0;
            while self.bits.take(1)? == 1 {
                place += 1;
                if place == codes {
                    return Err(damaged("a code that is not there"));
                }
            }
            front[..=place].rotate_right(1);
            chosen.push(front[0]);
        }
        Ok(chosen)
    }

    /// A code by the lengths of its words, each as a difference from the one before.
    fn read_code(&mut self, symbols: usize) -> io::Result<Code> {
        let mut length = self.bits.take(5)? as usize;
        let mut lengths = Vec::with_capacity(symbols);
        for _ in 0..symbols {
            loop {
                if !(1..=LONGEST).contains(&length) {
                    return Err(damaged("a word of a code that is too long"));
                }
                if self.bits.take(1)? == 0 {
                    break;
                }
                length = if self.bits.take(1)? == 0 { length + 1 } else { length - 1 };
            }
            lengths.push(length);
        }
        Code::new(&lengths)
    }

    /// Puts into each place where the byte behind its own is.
    fn link(&mut self) {
        let mut starts = [0u32; 256];
        for &entry in &self.sorted {
            starts[(entry & 0xFF) as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += std::mem::replace(start, sum);
        }
        for place in 0..self.sorted.len() {
            let byte = (self.sorted[place] & 0xFF) as usize;
            self.sorted[starts[byte] as usize] |= (place as u32) << 8;
            starts[byte] += 1;
        }
    }

    /// Fills some of a buffer from the block, undoing the first run-length code: after four equal bytes comes how many more there are.
    fn unpack(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            if self.repeat > 0 {
                self.repeat -= 1;
            } else {
                if self.left == 0 {
                    break;
                }
                let entry = self.sorted[self.place as usize];
                (self.place, self.left) = (entry >> 8, self.left - 1);
                let byte = entry as u8;
                if self.count == 4 {
                    (self.count, self.repeat) = (0, byte);
                    continue;
                }
                self.count = if self.count > 0 && byte == self.last { self.count + 1 } else { 1 };
                self.last = byte;
            }
            buffer[filled] = self.last;
            filled += 1;
        }
        for &byte in &buffer[..filled] {
            self.sum = self.sum << 8 ^ SUMS[usize::from((self.sum >> 24) as u8 ^ byte)];
        }
        if self.left == 0 && self.repeat == 0 && !self.sorted.is_empty() {
            self.sorted.clear();
            if !self.sum != self.expected {
                return Err(damaged("the checksum of a block is another"));
            }
            self.stream_sum = self.stream_sum.rotate_left(1) ^ self.expected;
        }
        Ok(filled)
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if self.sorted.is_empty() && !self.next_block()? {
                return Ok(0);
            }
            match self.unpack(buffer)? {
                0 => {}
                filled => return Ok(filled),
            }
        }
    }
}

fn damaged(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A canonical Huffman code.
struct Code {
    /// For each length the first word that is too large for it, and what is added to a word to get the place of its symbol.
    ends: [u32; LONGEST + 1],
    offsets: [i32; LONGEST + 1],
    symbols: Vec<u16>,
}

impl Code {
    fn new(lengths: &[usize]) -> io::Result<Self> {
        let (mut ends, mut offsets) = ([0; LONGEST + 1], [0; LONGEST + 1]);
        let mut symbols = Vec::with_capacity(lengths.len());
        let mut word = 0u32;
        for length in 1..=LONGEST {
            word <<= 1;
            offsets[length] = symbols.len() as i32 - word as i32;
            let of_length = (0..lengths.len()).filter(|&symbol| lengths[symbol] == length).map(|symbol| symbol as u16);
            let before = symbols.len();
            symbols.extend(of_length);
            word += (symbols.len() - before) as u32;
            if word > 1 << length {
                return Err(damaged("a code that is none"));
            }
            ends[length] = word;
        }
        Ok(Self { ends, offsets, symbols })
    }

    fn read<R: Read>(&self, bits: &mut Bits<R>) -> io::Result<u16> {
        let mut word = 0;
        for length in 1..=LONGEST {
            word = word << 1 | bits.take(1)? as u32;
            if word < self.ends[length] {
                return Ok(self.symbols[(word as i32 + self.offsets[length]) as usize]);
            }
        }
        Err(damaged("a word that no code has"))
    }
}

/// Bits, the highest of each byte first.
struct Bits<R> {
    inner: R,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// The lowest `held` bits of it come next.
    word: u64,
    held: u32,
}

impl<R: Read> Bits<R> {
    /// The next bits, up to 48.
    #[inline]
    fn take(&mut self, bits: u32) -> io::Result<u64> {
        while self.held < bits {
            let byte = self.byte()?.ok_or(io::ErrorKind::UnexpectedEof)?;
            self.word = self.word << 8 | u64::from(byte);
            self.held += 8;
        }
        self.held -= bits;
        Ok(self.word >> self.held & ((1 << bits) - 1))
    }

    /// Skips what is left of a byte.
    fn align(&mut self) {
        self.held -= self.held % 8;
    }

    /// Whether there is nothing behind the last whole byte.
    fn is_at_end(&mut self) -> io::Result<bool> {
        if self.held > 0 {
            return Ok(false);
        }
        Ok(match self.byte()? {
            Some(byte) => {
                (self.word, self.held) = (u64::from(byte), 8);
                false
            }
            None => true,
        })
    }

    #[inline]
    fn byte(&mut self) -> io::Result<Option<u8>> {
        if self.at == self.end {
            (self.at, self.end) = (0, self.fill()?);
            if self.end == 0 {
                return Ok(None);
            }
        }
        self.at += 1;
        Ok(Some(self.buffer[self.at - 1]))
    }

    #[cold]
    fn fill(&mut self) -> io::Result<usize> {
        loop {
            match self.inner.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

/// The checksum of each byte: CRC-32 with the polynomial of Ethernet, the highest bit first.
const SUMS: [u32; 256] = {
    let mut sums = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut sum = (byte as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            sum = if sum >> 31 == 1 { sum << 1 ^ 0x04C1_1DB7 } else { sum << 1 };
            bit += 1;
        }
        sums[byte] = sum;
        byte += 1;
    }
    sums
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by Python 3.11: `bz2.compress(b"the house\n" * 3)`.
    const THREE: &[u8] =
        b"\x42\x5A\x68\x39\x31\x41\x59\x26\x53\x59\x25\xF6\xE5\xE0\x00\x00\x0D\x51\x80\x00\x10\x40\x00\x02\x40\
        \x8E\x00\x20\x00\x22\x3F\x55\x30\x21\x0C\x08\x98\x62\xDA\xC4\xB9\xAE\x7C\x5D\xC9\x14\xE1\x42\x40\x97\
        \xDB\x97\x80";

    /// `bz2.compress(b"a" * 1000 + bytes(range(256)) + b"b" * 259)`.
    const RUNS: &[u8] =
        b"\x42\x5A\x68\x39\x31\x41\x59\x26\x53\x59\xFC\x2E\xB2\x63\x00\x00\x32\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\
        \xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\
        \xFF\xB0\x00\xC5\x6C\x93\x00\x04\xC0\x00\x4C\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
        \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x32\x80\x98\x09\x80\x00\x00\x00\x9A\x60\x00\
        \x00\x00\x00\x00\x98\x98\x00\x00\x00\x00\x01\x30\x00\x00\x00\x4C\x4C\x00\x04\x60\x8C\x00\x00\x00\x02\
        \x7A\x00\x00\x06\x89\x30\x00\x4C\x00\x04\xC0\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
        \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x0E\x46\x00\x10\x20\x30\x40\x50\x60\x70\x80\x90\
        \xA0\xB0\xCF\xF0\x68\x70\x78\x80\x88\x90\x98\xA0\xA8\xB0\xB8\xC0\xC8\xD0\xDF\xFC\x70\x74\x78\x7C\x80\
        \x84\x88\x8C\x90\x94\x98\x9C\xA0\xA4\xA8\xAC\xB0\xB4\xB8\xBC\xC0\xC4\xC8\xCC\xD0\xD4\xD8\xDC\xE0\xE4\
        \xE8\xEC\xF0\xF4\xF8\xFD\x01\x05\x09\x0D\x11\x15\x19\x1D\x21\x25\x29\x2D\x31\x35\x39\x3D\x41\x45\x49\
        \x4D\x51\x55\x59\x5D\x61\x65\x69\x6D\x71\x75\x7B\xE3\xFA\xC6\xCC\x00\x00\x33\x04\x80\x03\x28\x40\x60\
        \x30\xA0\x02\xC2\x40\x68\x69\x6A\x6B\x6C\x6D\x6E\x6F\x70\x71\x72\x73\x74\x75\x76\x77\x78\x79\x7A\x7B\
        \x7C\x7D\x7E\x7F\x80\x81\x82\x83\x84\x85\x86\x87\x83\x84\x85\x86\x87\x88\x89\x8A\x8B\x8C\x8D\x8E\x8F\
        \x90\x91\x92\x93\x94\x95\x96\x97\x98\x99\x9A\x9B\x9C\x9D\x9E\x9F\xA0\xA1\xA2\xA3\xA4\xA5\xA6\xA7\xA8\
        \xA9\xAA\xAB\xAC\xAD\xAE\xAF\xB0\xB1\xB2\xB3\xB4\xB5\xB6\xB7\xB8\xB9\xBA\xBB\xBC\xBD\xBE\xBF\xC0\xC1\
        \xC2\xC3\xC4\xC5\xC6\xC7\xC8\xC9\xCA\xCB\xCC\xCD\xCE\xCF\xD0\xD1\xD2\xD3\xD4\xD5\xD6\xD7\xD8\xD9\xDA\
        \xDB\xDC\xDD\xDE\xDF\xE0\xE1\xE2\xE3\xE4\xE5\x81\x04\x0B\x8F\x93\x97\x9B\x9F\xA3\xA7\xAB\xAF\xB3\xB7\
        \xBB\xBF\xC3\xC7\xCB\xCF\xD0\x68\x22\x67\xD6\x73\xDB\xDC\x1F\xC0\xBB\x92\x29\xC2\x84\x87\xE1\x75\x93\
        \x18";

    /// `bz2.compress(b"")`.
    const EMPTY: &[u8] = b"\x42\x5A\x68\x39\x17\x72\x45\x38\x50\x90\x00\x00\x00\x00";

    fn read(bytes: &[u8]) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        Decoder::new(bytes).read_to_end(&mut text)?;
        Ok(text)
    }

    fn runs() -> Vec<u8> {
        [vec![b'a'; 1000], (0..=255).collect(), vec![b'b'; 259]].concat()
    }

    #[test]
    fn streams_of_another_program_are_read() {
        assert_eq!(read(EMPTY).unwrap(), b"");
        assert_eq!(read(THREE).unwrap(), b"the house\n".repeat(3));
        assert_eq!(read(RUNS).unwrap(), runs());
        assert_eq!(read(&[THREE, EMPTY, RUNS].concat()).unwrap(), [b"the house\n".repeat(3), runs()].concat());
    }

    #[test]
    fn every_truncation_is_an_error() {
        for whole in [THREE, RUNS] {
            for cut in 0..whole.len() {
                let error = read(&whole[..cut]).unwrap_err();
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "cut at {cut}");
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_found_or_changes_nothing() {
        for place in 4..THREE.len() {
            for bit in 0..8 {
                let mut bytes = THREE.to_vec();
                bytes[place] ^= 1 << bit;
                // Not all bits matter: some fill up the last byte, some are of codes that no group has.
                let text = read(&bytes).unwrap_or_else(|_| b"the house\n".repeat(3));
                assert_eq!(text, b"the house\n".repeat(3), "bit {bit} of byte {place}");
            }
        }
    }

    #[test]
    fn what_follows_must_be_a_stream() {
        let error = read(&[THREE, b"garbage"].concat()).unwrap_err();
        assert_eq!(error.to_string(), "no stream begins here");
    }
}
