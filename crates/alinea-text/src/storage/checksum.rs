//! By what damage is recognized: XXH3, 64 bits, of each array, and of the header with these.

use std::hash::Hasher as _;

use twox_hash::XxHash3_64;

/// The name of the array that stands first: the checksum of the header and of the others, then one for each array behind it.
pub(super) const CHECKSUMS: &str = "checksums";

/// The checksum of bytes.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

/// The checksum of bytes that come piece by piece.
///
/// # Errors
/// Those of what has them.
pub(super) fn checksum_of_pieces<E>(
    visit: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E>,
) -> Result<u64, E> {
    let mut hasher = XxHash3_64::new();
    visit(&mut |bytes| {
        hasher.write(bytes);
        Ok(())
    })?;
    Ok(hasher.finish())
}

/// The checksum of a header, from the first byte of the file on, and of the checksums of the arrays.
pub(super) fn of_header(header: &[u8], sums: &[u64]) -> u64 {
    let mut hasher = XxHash3_64::new();
    hasher.write(header);
    hasher.write(bytemuck::cast_slice(sums));
    hasher.finish()
}
