//! Numbers in files that are mapped into memory, not read.
//!
//! A [`Container`] is one file in the [safetensors](https://github.com/huggingface/safetensors) format: eight bytes with
//! the length of a header, the header (JSON: type, shape and place of each array by name, and one text that says what
//! the file is), then the arrays, little-endian, one behind the other. Anything that reads safetensors can open it. An
//! array becomes a [`Section`], a slice that looks the same whether it is owned or lies in the file: opening takes no
//! longer for a gigabyte than for a kilobyte, and processes that use one file share its memory.
//!
//! Lengths and places are checked when the file is opened; what the numbers mean is for the reader to check. A file
//! must not be changed while it is open (a program that writes containers gives them their name when they are complete).
//!
//! ```
//! use alinea::storage::{Container, ContainerWriter};
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

mod container;
mod section;

pub use container::{Container, ContainerWriter};
pub use section::{Element, Section};
