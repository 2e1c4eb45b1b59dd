//! Signatures: one line that names every choice a score depends on, so that scores can be compared.
//!
//! Fields and their order are sacreBLEU's (Post 2018, *A Call for Clarity in Reporting BLEU Scores*); the version is
//! ours, and says so.
//!
//! ```
//! use alinea::metric::Signature;
//!
//! let mut signature = Signature::default();
//! signature.push("case", "c", "mixed").push("eff", "e", "no");
//! let shared = Signature::shared(Some(1), &[("bs", "bs", "1000".to_owned())]);
//! let line = shared.join(&signature).to_string();
//! assert!(line.starts_with("nrefs:1|bs:1000|case:mixed|eff:no|version:alinea-"));
//! ```

use std::fmt;

/// Names, abbreviations and values of choices, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Signature {
    fields: Vec<(&'static str, &'static str, String)>,
}

impl Signature {
    /// What signatures of all metrics begin with: the number of references (`None` if it varies), and how a test was done.
    pub fn shared(references: Option<usize>, test: &[(&'static str, &'static str, String)]) -> Self {
        let mut signature = Self::default();
        signature.push("nrefs", "#", references.map_or_else(|| "var".to_owned(), |number| number.to_string()));
        signature.fields.extend_from_slice(test);
        signature
    }

    /// Adds a choice: its name, the abbreviation of that, and what was chosen.
    pub fn push(&mut self, name: &'static str, abbreviation: &'static str, value: impl Into<String>) -> &mut Self {
        self.fields.push((name, abbreviation, value.into()));
        self
    }

    /// These choices, then those of a metric, then the version of this library.
    #[must_use]
    pub fn join(mut self, of_metric: &Self) -> Self {
        self.fields.extend_from_slice(&of_metric.fields);
        self.push("version", "v", concat!("alinea-", env!("CARGO_PKG_VERSION")));
        self
    }

    /// Names and values, in order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.fields.iter().map(|(name, _, value)| (*name, value.as_str()))
    }

    /// The line with abbreviated names.
    pub fn short(&self) -> String {
        let fields = self.fields.iter().map(|(_, abbreviation, value)| format!("{abbreviation}:{value}"));
        fields.collect::<Vec<_>>().join("|")
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (name, _, value)) in self.fields.iter().enumerate() {
            if number > 0 {
                f.write_str("|")?;
            }
            write!(f, "{name}:{value}")?;
        }
        Ok(())
    }
}
