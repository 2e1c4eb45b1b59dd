//! Models of SentencePiece are read or refused, and cut a line, which stands before the model, into pieces.

use alinea::metric::tokenize::{SentencePiece, Tokenizer as _, Tokens};
use alinea_fuzz::NAME;
use alinea_fuzz::parts::binaries;

pub(crate) fn fuzz(data: &[u8]) {
    let [line, model] = binaries(data);
    let Ok(pieces) = SentencePiece::from_bytes(model, NAME, "fuzz") else { return };
    let line = String::from_utf8_lossy(line);
    let mut tokens = Tokens::default();
    let _ = pieces.tokenize(&line, &mut tokens);
    let _ = pieces.tokenize("the house is small", &mut tokens);
}
