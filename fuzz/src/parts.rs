//! Several files in one input.

/// What stands between texts: a byte that UTF-8 never has.
pub const BETWEEN: u8 = 0xFF;

/// Texts: what stands between bytes 0xFF. Those that are missing are empty, those that are too many belong to the last.
pub fn texts<const N: usize>(data: &[u8]) -> [&[u8]; N] {
    let mut split = data.splitn(N, |&byte| byte == BETWEEN);
    std::array::from_fn(|_| split.next().unwrap_or_default())
}

/// Binary files: each but the last behind its length, two bytes, little-endian. A length beyond the end is cut.
pub fn binaries<const N: usize>(mut data: &[u8]) -> [&[u8]; N] {
    std::array::from_fn(|n| {
        if n + 1 == N {
            return data;
        }
        let (length, rest) = data
            .split_first_chunk()
            .map_or((0, data), |(&length, rest)| (usize::from(u16::from_le_bytes(length)).min(rest.len()), rest));
        let (file, rest) = rest.split_at(length);
        data = rest;
        file
    })
}
