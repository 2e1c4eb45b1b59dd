//! From one format to another.

use std::path::Path;

use super::{
    AlignmentFormat, AlignmentReader, AlignmentWriter, LinkReadOptions, LinkReadReport, LinkWriteOptions,
    LinkWriteReport, PairRecord,
};
use crate::error::{Error, Result};
use crate::format::sink;

/// What a conversion met, and what it could not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ConvertReport {
    /// What was read.
    pub read: LinkReadReport,
    /// What was written, and what the new format has no place for.
    pub written: LinkWriteReport,
}

/// Converts a file, or the parts of an A3 file, to another format. `-` is standard input or output. The output appears
/// when it is complete.
///
/// # Errors
/// As reading and writing; `Config` if the output is one of the inputs.
pub fn convert<P: AsRef<Path>>(
    inputs: &[P],
    from: AlignmentFormat,
    read: &LinkReadOptions,
    output: impl AsRef<Path>,
    to: AlignmentFormat,
    write: &LinkWriteOptions,
) -> Result<ConvertReport> {
    let output = output.as_ref();
    if inputs.iter().any(|input| sink::same_file(input, output)) {
        return Err(Error::config("output", output.display(), "a file that is not an input"));
    }
    let mut reader = AlignmentReader::open(inputs, from, read)?;
    let sink = sink::create(output)?;
    let name = sink.name().to_owned();
    let mut writer = AlignmentWriter::new(sink, name, to, write)?;
    let mut record = PairRecord::default();
    while reader.read_into(&mut record)? {
        writer.write(&record)?;
    }
    let report = ConvertReport { read: reader.report(), written: writer.report() };
    writer.into_inner().finish()?;
    Ok(report)
}
