//! Numbers of 64 bits for what features are made of: tokens, and conjunctions of them.
//!
//! Features are told apart by these numbers alone, as in Nakagawa's program: of a million features some two are taken for one
//! with probability 3e-8. They stand in model files, so they never change.

/// Odd, without structure: the first 64 binary places of π - 3 and of e - 2.
const FACTORS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0xb7e1_5162_8aed_2a6b];

/// A conjunction of what `state` stands for and one value more.
#[inline(always)]
pub(super) fn mix(state: u64, value: u64) -> u64 {
    let product = u128::from(state ^ FACTORS[0]) * u128::from(value ^ FACTORS[1]);
    (product >> 64) as u64 ^ product as u64 ^ state.rotate_left(23)
}

/// The number of a token; never that of another token of up to seven bytes.
pub(super) fn fingerprint(token: &[u8]) -> u64 {
    let mut state = token.len() as u64;
    for chunk in token.chunks(8) {
        let mut bytes = [0; 8];
        bytes[..chunk.len()].copy_from_slice(chunk);
        state = mix(state, u64::from_le_bytes(bytes));
    }
    mix(state, state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A hundred thousand tokens and as many pairs of them are all different: by chance two are equal with probability 1e-9.
    #[test]
    fn numbers_are_different() {
        let tokens: Vec<u64> = (0..100_000).map(|n: u32| fingerprint(n.to_string().as_bytes())).collect();
        let pairs = tokens.windows(2).map(|pair| mix(mix(7, pair[0]), pair[1]));
        let backward = tokens.windows(2).map(|pair| mix(mix(7, pair[1]), pair[0]));
        let all: BTreeSet<u64> = tokens.iter().copied().chain(pairs).chain(backward).collect();
        assert_eq!(all.len(), 3 * tokens.len() - 2);
        assert_ne!(fingerprint(b""), fingerprint(b"\0"));
    }
}
