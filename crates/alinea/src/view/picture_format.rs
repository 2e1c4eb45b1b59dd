//! The kinds of pictures, and which one the name of a file says.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

use crate::error::{Error, Result};

/// Extensions of pictures that other programs make of these.
const OTHERS: [&str; 8] = ["pdf", "png", "ps", "eps", "jpg", "jpeg", "gif", "webp"];

/// A kind of picture.
///
/// ```
/// use alinea::view::PictureFormat;
///
/// assert_eq!(PictureFormat::from_path("7.svg.gz"), Some(PictureFormat::Svg));
/// assert!(PictureFormat::Interlinear.fits("7.txt") && PictureFormat::Interlinear.fits("7"));
/// assert!(!PictureFormat::Svg.fits("7.html") && !PictureFormat::Svg.fits("7.pdf"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PictureFormat {
    /// A page for a browser, see [`HtmlPage`](super::HtmlPage).
    Html,
    /// A picture of one pair, see [`svg`](super::svg()).
    Svg,
    /// A drawing in characters, see [`grid`](super::grid()).
    Grid,
    /// Words above their counterparts, in characters, see [`interlinear`](super::interlinear()).
    Interlinear,
    /// A graph for Graphviz, see [`dot`](super::dot()).
    Dot,
}

impl PictureFormat {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Html, Self::Svg, Self::Grid, Self::Interlinear, Self::Dot];

    /// The name by which it is written and read.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Svg => "svg",
            Self::Grid => "grid",
            Self::Interlinear => "interlinear",
            Self::Dot => "dot",
        }
    }

    /// What the name of a file says, without `.gz`, `.zst` and `.xz`; nothing if it says nothing.
    pub fn from_path(path: impl AsRef<Path>) -> Option<Self> {
        match extension(path.as_ref())?.as_str() {
            "html" | "htm" => Some(Self::Html),
            "svg" => Some(Self::Svg),
            "txt" => Some(Self::Grid),
            "dot" | "gv" => Some(Self::Dot),
            _ => None,
        }
    }

    /// Whether the name of a file is that of a picture which only other programs make, such as PDF and PNG.
    pub fn is_unsupported(path: impl AsRef<Path>) -> bool {
        extension(path.as_ref()).is_some_and(|extension| OTHERS.contains(&extension.as_str()))
    }

    /// Whether the name of a file is one for this kind, or at least says no other.
    pub fn fits(self, path: impl AsRef<Path>) -> bool {
        match (Self::from_path(&path), self) {
            (Some(Self::Grid), Self::Interlinear) => true,
            (Some(said), _) => said == self,
            (None, _) => !Self::is_unsupported(path),
        }
    }
}

impl fmt::Display for PictureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PictureFormat {
    type Err = Error;

    /// Reads a [`name`](PictureFormat::name).
    fn from_str(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| Error::config("format", name, "html, svg, grid, interlinear or dot"))
    }
}

/// The extension of a name in lower case, without that of a compressed file.
fn extension(path: &Path) -> Option<String> {
    let compressed =
        path.extension().is_some_and(|extension| extension == "gz" || extension == "zst" || extension == "xz");
    let bare = if compressed { Path::new(path.file_stem()?) } else { path };
    bare.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_written() {
        for (name, format) in [
            ("a.svg", PictureFormat::Svg),
            ("a.SVG", PictureFormat::Svg),
            ("b/a.svg.gz", PictureFormat::Svg),
            ("a.dot", PictureFormat::Dot),
            ("a.gv", PictureFormat::Dot),
            ("a.htm", PictureFormat::Html),
            ("a.html.zst", PictureFormat::Html),
            ("/dev/shm/a.txt", PictureFormat::Grid),
        ] {
            assert_eq!(PictureFormat::from_path(name), Some(format), "{name}");
            assert!(PictureFormat::ALL.iter().all(|other| other.fits(name) == (*other == format)
                || (format, *other) == (PictureFormat::Grid, PictureFormat::Interlinear)));
        }
        for name in ["a", "a.pdf", "a.png.gz", "a.tex", "a.gz", "svg", ".svg", ".svg.gz", ""] {
            assert_eq!(PictureFormat::from_path(name), None, "{name}");
            let is_unsupported = ["a.pdf", "a.png.gz"].contains(&name);
            assert!(PictureFormat::ALL.iter().all(|format| format.fits(name) != is_unsupported), "{name}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        for format in PictureFormat::ALL {
            assert_eq!(format.to_string().parse::<PictureFormat>().unwrap(), format);
        }
        let error = "pdf".parse::<PictureFormat>().unwrap_err().to_string();
        assert_eq!(error, "format = pdf: must be html, svg, grid, interlinear or dot");
    }
}
