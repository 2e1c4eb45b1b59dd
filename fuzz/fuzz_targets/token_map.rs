//! Two lines match or not. If they do, tokens share characters with tokens that share characters with them, links lie within
//! the other line, and come back.

use alinea::format::alignment::{LinkRecord, PairRecord};
use alinea::format::tokens;
use alinea::token_map::{LinkTransfer, TokenMap, TokenMatcher, token_at};
use alinea_fuzz::parts::texts;
use alinea_fuzz::{NAME, bit, choice};

/// Tokens of a line.
const MOST: usize = 500;

pub(crate) fn fuzz(data: &[u8]) {
    let (choice, data) = choice(data);
    let [from, to] = texts::<2>(data);
    let lengths = [from, to].map(|line| tokens::split(line).count());
    if lengths.iter().any(|&length| length > MOST) {
        return;
    }
    let mut matcher = TokenMatcher::new().ignoring_case(bit(choice, 0));
    let mut map = TokenMap::default();
    match matcher.match_tokens(tokens::split(from), tokens::split(to), &mut map) {
        Ok(()) => check(&map, lengths),
        Err(mismatch) => {
            assert!(map.is_empty() && (mismatch.from, mismatch.to) != (None, None));
            let place = || alinea::error::Position::new(NAME, 1, 1);
            let cut = tokens::Tokenize::None;
            if let (Ok(from), Ok(to)) = (std::str::from_utf8(from), std::str::from_utf8(to)) {
                let _ = mismatch
                    .error(token_at(from, cut, mismatch.from, place()), token_at(to, cut, mismatch.to, place()));
            }
        }
    }
}

fn check(map: &TokenMap, lengths: [usize; 2]) {
    assert_eq!([map.len(), map.other_len()], lengths);
    let mut transfer = LinkTransfer::default();
    for token in 0..map.len() as u32 {
        let shared = map.of(token);
        assert!(shared.end as usize <= map.other_len());
        for end in [shared.start, shared.end.wrapping_sub(1)].into_iter().filter(|end| shared.contains(end)) {
            assert!(map.back(end).contains(&token));
        }
        let mut pair = PairRecord { links: vec![LinkRecord::sure(token, token)], ..PairRecord::default() };
        let left_out = transfer.transfer(&mut pair, Some(map), Some(map)).expect("links are within the line");
        assert_eq!(left_out == 1, shared.is_empty());
        if left_out == 0 {
            transfer.transfer(&mut pair, Some(&map.inverted()), Some(&map.inverted())).expect("they stay within");
            assert!(pair.links.contains(&LinkRecord::sure(token, token)));
        }
    }
}
