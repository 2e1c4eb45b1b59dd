//! Files that are read at any place by any thread.

use std::fs::File;
use std::io;

/// A file that is read at any place by any thread. That takes neither a position, which on Unix a process that was forked shares
/// with the first, nor a lock, which might be held by a thread that the other process does not have.
#[derive(Debug)]
pub struct SharedFile(File);

impl SharedFile {
    /// Takes a file, wherever its position is.
    pub fn new(file: File) -> Self {
        Self(file)
    }

    /// Fills `to` with what stands at a place.
    ///
    /// # Errors
    /// `UnexpectedEof` if the file ends before; what the system says.
    pub fn read(&self, place: u64, to: &mut [u8]) -> io::Result<()> {
        read_exact_at(&self.0, place, to)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, place: u64, to: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, to, place)
}

/// Here the position moves, but each call says where it reads.
#[cfg(windows)]
fn read_exact_at(file: &File, mut place: u64, mut to: &mut [u8]) -> io::Result<()> {
    while !to.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, to, place) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                place += count as u64;
                to = &mut to[count..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _, SeekFrom, Write as _};

    use super::*;

    /// A handle like that of a process that was forked: it has the same position.
    #[test]
    fn positions_of_others_do_not_matter() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"0123456789").unwrap();
        let mut other = file.try_clone().unwrap();
        let shared = SharedFile::new(file);
        let mut two = [0; 2];
        for place in [8, 0, 5] {
            other.seek(SeekFrom::Start(3)).unwrap();
            shared.read(place, &mut two).unwrap();
            assert_eq!(two, [b'0' + place as u8, b'1' + place as u8]);
            if cfg!(unix) {
                other.read_exact(&mut two).unwrap();
                assert_eq!(&two, b"34");
            }
        }
        shared.read(10, &mut []).unwrap();
        for (place, length) in [(9, 2), (10, 1), (1000, 1)] {
            let error = shared.read(place, &mut vec![0; length]).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        }
    }
}
