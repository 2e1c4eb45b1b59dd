//! Tests through the public interface, one module for a kind of evidence.
//!
//! * `oracle_ibm1`, `oracle_hmm`: the models against a second implementation that enumerates all alignments.

mod oracle;
mod oracle_hmm;
mod oracle_ibm1;
mod texts;
