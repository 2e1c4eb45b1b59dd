//! Compressed input, whatever is in it, is read or refused; what is written compressed is read again as it was.

use std::io::{Cursor, Read as _, Write as _};

use alinea::format::source::{Compression, Input};

/// More than this is not unpacked: a file may say much with little.
const MOST: u64 = 1 << 22;

pub(crate) fn fuzz(data: &[u8]) {
    if let Some((0xFF, text)) = data.split_first() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).expect("memory takes all");
        let gzip = gzip.finish().expect("memory takes all");
        let zstd = zstd::encode_all(text, 1).expect("memory takes all");
        assert_eq!(unpacked([&gzip[..], &gzip].concat()).expect("it is whole"), [text, text].concat());
        assert_eq!(unpacked([&zstd[..], &zstd].concat()).expect("it is whole"), [text, text].concat());
        if text.len() > 4 && Compression::detect(text) == Compression::None {
            assert_eq!(unpacked(text.to_vec()).expect("it is plain"), text);
        }
    } else {
        let _ = unpacked(data.to_vec());
    }
}

fn unpacked(bytes: Vec<u8>) -> Option<Vec<u8>> {
    let input = Input::from_reader("<input>", Cursor::new(bytes)).ok()?;
    let mut text = Vec::new();
    input.take(MOST).read_to_end(&mut text).ok()?;
    Some(text)
}
