//! Ascending numbers in memory and in files: as a list, or as a bitmap in which those before each block are counted.
//!
//! What is read is checked on the way, since nothing in a file is trusted: it never has more numbers than there can be.

use crate::error::Result;
use crate::storage::SectionStream;

/// Where the first number that is not below `number` stands in an ascending list, from `start` on: in steps that double,
/// then by bisection. O(log distance).
#[inline(always)]
pub(super) fn place_from(list: &[u32], start: usize, number: u32) -> usize {
    let (mut place, mut step) = (start, 1);
    while place + step < list.len() && list[place + step] < number {
        place += step;
        step *= 2;
    }
    let end = (place + step).min(list.len());
    place + list[place..end].partition_point(|&other| other < number)
}

/// Reads a list of `len` numbers below `end` that stands next, at `place`; says whether there is one, in order.
pub(super) fn read_list(
    lists: &mut SectionStream<'_, u32>,
    place: u32,
    end: u32,
    len: u32,
    to: &mut Vec<u32>,
) -> Result<bool> {
    to.clear();
    if lists.position() != place as usize || len > end {
        return Ok(len == 0);
    }
    for _ in 0..len {
        match lists.read()? {
            Some(number) if number < end && to.last().is_none_or(|&last| last < number) => to.push(number),
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Reads blocks that stand next, at `place`, of `len` numbers below `end`, as [`bitmap`] makes them; says whether they are there.
pub(super) fn read_bitmap(
    blocks: &mut SectionStream<'_, u64>,
    place: u32,
    end: u32,
    len: u32,
    to: &mut Vec<u32>,
) -> Result<bool> {
    to.clear();
    if blocks.position() != place as usize {
        return Ok(len == 0 && end == 0);
    }
    for n in 0..end.div_ceil(32) {
        let Some(block) = blocks.read()? else { return Ok(false) };
        let (mut bits, before) = ((block >> 32) as u32, block as u32 as usize);
        if before != to.len() {
            return Ok(false);
        }
        while bits != 0 {
            to.push(32 * n + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
    Ok(to.len() == len as usize && to.last().is_none_or(|&last| last < end))
}

/// Ascending numbers below `end` as blocks: 32 bits in the upper half, how many come before them in the lower.
pub(super) fn bitmap(numbers: impl Iterator<Item = u32>, end: u32) -> Vec<u64> {
    let mut blocks = vec![0u64; end.div_ceil(32) as usize];
    for number in numbers {
        blocks[(number / 32) as usize] |= 1 << (32 + number % 32);
    }
    let mut before = 0;
    for block in &mut blocks {
        *block |= before;
        before += u64::from((*block >> 32).count_ones());
    }
    blocks
}
