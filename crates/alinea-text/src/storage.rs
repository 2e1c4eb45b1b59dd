//! Numbers in files.
//!
//! A [`Container`] is one file in the [safetensors](https://github.com/huggingface/safetensors) format: eight bytes with
//! the length of a header, the header (JSON: type, shape and place of each array by name, and one text that says what
//! the file is), then the arrays, little-endian, one behind the other. Anything that reads safetensors can open it.
//!
//! The first array has checksums: that of everything before it and of the other checksums, then one for each array. The
//! first is checked when a file is opened, the others when their array is read, so no damaged number is ever used.
//! Arrays are read into memory, each when it is asked for, and never mapped: a file that is changed or cut off meanwhile is
//! an error, where a mapping would change under a slice, or end the process. A [`SectionStream`] reads an array piece by piece.
//!
//! ```
//! use alinea_text::storage::{Container, ContainerWriter};
//!
//! let directory = tempfile::tempdir().unwrap();
//! let path = directory.path().join("numbers");
//! let mut writer = ContainerWriter::new("three numbers".to_owned());
//! writer.add("primes", &[2u32, 3, 5]);
//! let mut bytes = Vec::new();
//! writer.write(&mut bytes).unwrap();
//! std::fs::write(&path, bytes).unwrap();
//!
//! let container = Container::open(&path)?;
//! assert_eq!(container.text(), "three numbers");
//! assert_eq!(container.section::<u32>("primes")?[1..], [3, 5]);
//! # Ok::<(), alinea::error::Error>(())
//! ```

mod check;
mod checksum;
mod container;
mod element;
mod section_stream;
mod shared_file;
mod writer;

pub use check::FileCheck;
pub use container::Container;
pub use element::Element;
pub use section_stream::SectionStream;
pub use shared_file::SharedFile;
pub use writer::ContainerWriter;
