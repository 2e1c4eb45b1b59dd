//! Files of sentence pairs, read and written part by part: memory is that of a part.
//!
//! `PairFile` gives lists of pairs until there are no more, `PairOutput` takes them; a file that is written is complete when `finish` is
//! called, and absent before. The generator and the function in `python/alinea/_bitext.py` are around them.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use alinea::error::{Error, Position};
use alinea::format::lines::Utf8;
use alinea::format::pairs::{PairFormat, PairOptions, PairReader, PairWriteOptions, PairWriter, Tags};
use pyo3::prelude::*;

use crate::error::to_python;
use crate::text::file;
use crate::work::run;

/// Two names.
type Two = Option<(String, String)>;

fn two(names: Two) -> Option<[String; 2]> {
    names.map(|(source, target)| [source, target])
}

fn format_of(name: Option<&str>) -> PyResult<Option<PairFormat>> {
    name.map(|name| name.parse().map_err(to_python)).transpose()
}

/// Reads a file.
#[pyclass(name = "PairFile", module = "alinea._native")]
pub(crate) struct PairFile(Mutex<PairReader>);

#[pymethods]
impl PairFile {
    #[new]
    #[pyo3(signature = (path, kind, *, languages, fields, keep_tags, lossy))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        kind: Option<&str>,
        languages: Two,
        fields: Two,
        keep_tags: bool,
        lossy: bool,
    ) -> PyResult<Self> {
        let (path, format) = (file(path), format_of(kind)?);
        let options = PairOptions::default().with(|c| {
            c.format = format;
            c.languages = two(languages);
            c.fields = two(fields);
            c.tags = if keep_tags { Tags::Keep } else { Tags::Strip };
            c.utf8 = if lossy { Utf8::Lossy } else { Utf8::Strict };
        });
        run(py, move |_| PairReader::open(&path, &options)).map(|reader| Self(Mutex::new(reader)))
    }

    /// The next pairs, so many at most; none at the end.
    fn read(&mut self, py: Python<'_>, most: usize) -> PyResult<Vec<(String, String)>> {
        let reader = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        run(py, move |_| {
            let mut pairs = Vec::new();
            while pairs.len() < most && reader.read()? {
                let [source, target] = reader.lines();
                pairs.push((source.to_owned(), target.to_owned()));
            }
            Ok(pairs)
        })
    }
}

/// Writes a file.
#[pyclass(name = "PairOutput", module = "alinea._native")]
pub(crate) struct PairOutput {
    writer: Option<Mutex<PairWriter>>,
    number: u64,
}

#[pymethods]
impl PairOutput {
    #[new]
    #[pyo3(signature = (path, kind, *, languages, fields, replace))]
    fn new(path: PathBuf, kind: Option<&str>, languages: Two, fields: Two, replace: Option<char>) -> PyResult<Self> {
        let path = file(path);
        let format = format_of(kind)?.or_else(|| PairFormat::from_path(&path));
        let expected = "joint, columns, tmx, xliff, jsonl, csv, tsv or zip, where the name of the file does not tell";
        let format = format.ok_or_else(|| to_python(Error::config("format", "None", expected)))?;
        let options = PairWriteOptions::default().with(|c| {
            c.languages = two(languages);
            c.fields = two(fields);
            c.replace = replace;
        });
        let writer = PairWriter::create(&path, format, &options).map_err(to_python)?;
        Ok(Self { writer: Some(Mutex::new(writer)), number: 0 })
    }

    /// Writes pairs.
    fn write(&mut self, py: Python<'_>, pairs: Vec<(String, String)>) -> PyResult<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let writer = writer.get_mut().unwrap_or_else(PoisonError::into_inner);
        let number = &mut self.number;
        run(py, move |_| {
            for (source, target) in &pairs {
                *number += 1;
                writer.write([source, target], || Position::new("pairs", *number, 0))?;
            }
            Ok(())
        })
    }

    /// Completes the file; says how many pairs were written, and how many the format could not have.
    fn finish(&mut self, py: Python<'_>) -> PyResult<(u64, u64)> {
        let Some(writer) = self.writer.take() else { return Ok((0, 0)) };
        let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let report = run(py, move |_| writer.finish())?;
        Ok((report.pairs, report.blank))
    }
}
