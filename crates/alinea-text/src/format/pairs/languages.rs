//! Which languages of a file are the two sides.
//!
//! A wanted code means a language and all of its regions: `en` is there where a file says `en`, `EN-us` or `en_GB`, while `en-US`
//! means that region alone. Case does not matter, nor whether `-` or `_` stands between the parts (RFC 5646 has `-`). If a unit has several
//! that fit, the one that is spelled alike comes first, then the first. Without a choice a file may have two languages, and the source is
//! the one that it calls so, or the first.
//!
//! What a file has is collected on the way, up to [`MOST`] codes, for the error that lists them.

use crate::error::{Error, ErrorKind, Hint, Result};

/// How many codes are told of a file.
const MOST: usize = 40;

/// Whether a wanted code means what a file says.
pub(super) fn fits(wanted: &str, found: &str) -> bool {
    let mut found = found.bytes();
    let alike = wanted.bytes().all(|a| found.next().is_some_and(|b| folded(a) == folded(b)));
    alike && found.next().is_none_or(|next| folded(next) == b'-')
}

fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && fits(a, b)
}

fn folded(byte: u8) -> u8 {
    if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() }
}

/// The place of the code that is meant, if one is.
fn place(wanted: &str, codes: &[&str]) -> Option<usize> {
    let exact = codes.iter().position(|code| same(wanted, code));
    exact.or_else(|| codes.iter().position(|code| fits(wanted, code)))
}

/// What a unit has of both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chosen {
    /// These two of its codes.
    Both([usize; 2]),
    /// One side, or none where the file has only one language so far.
    One,
    /// Neither.
    None,
}

/// The choice for a file, and what was found in it.
#[derive(Debug, Clone)]
pub(super) struct Languages {
    path: String,
    wanted: Option<[String; 2]>,
    /// Whether each of them was found.
    met: [bool; 2],
    found: Vec<String>,
    /// Those of the first pair, as the file spells them.
    first: Option<[String; 2]>,
    /// What the file itself calls the source.
    source: Option<String>,
}

impl Languages {
    pub(super) fn new(path: &str, wanted: Option<&[String; 2]>) -> Self {
        Self {
            path: path.to_owned(),
            wanted: wanted.cloned(),
            met: [false; 2],
            found: Vec::new(),
            first: None,
            source: None,
        }
    }

    /// Says what the file itself calls the source.
    pub(super) fn set_source(&mut self, code: String) {
        self.source = Some(code);
    }

    /// The languages of the first pair.
    pub(super) fn first(&self) -> Option<&[String; 2]> {
        self.first.as_ref()
    }

    /// The two sides among the codes of a unit.
    ///
    /// # Errors
    /// `Choice` if none are wanted and the file has a third language.
    pub(super) fn choose(&mut self, codes: &[&str]) -> Result<Chosen> {
        for code in codes {
            if self.found.len() < MOST && !self.found.iter().any(|known| same(known, code)) {
                self.found.push((*code).to_owned());
            }
        }
        if let Some(wanted) = &self.wanted {
            let places = wanted.each_ref().map(|code| place(code, codes));
            for (met, place) in self.met.iter_mut().zip(places) {
                *met |= place.is_some();
            }
            return Ok(self.chosen(places, codes));
        }
        if self.found.len() > 2 {
            let problem = format!("more than two languages, {}", self.found.join(", "));
            return Err(self.choice(problem));
        }
        let [first, second] = &self.found[..] else { return Ok(Chosen::One) };
        let swapped = self.source.as_ref().is_some_and(|source| fits(source, second) && !fits(source, first));
        let order = if swapped { [second, first] } else { [first, second] };
        let places = order.map(|code| codes.iter().position(|found| same(code, found)));
        Ok(self.chosen(places, codes))
    }

    fn chosen(&mut self, places: [Option<usize>; 2], codes: &[&str]) -> Chosen {
        match places {
            [Some(source), Some(target)] if source != target => {
                self.first.get_or_insert_with(|| [codes[source].to_owned(), codes[target].to_owned()]);
                Chosen::Both([source, target])
            }
            [None, None] => Chosen::None,
            _ => Chosen::One,
        }
    }

    /// Checks at the end of a file that what was wanted was there.
    ///
    /// # Errors
    /// `Choice`, with the languages that are there.
    pub(super) fn check(&self) -> Result<()> {
        if self.found.is_empty() {
            return Ok(());
        }
        let there = format!("there is {}", self.found.join(", "));
        match &self.wanted {
            Some(wanted) => match (0..2).find(|&side| !self.met[side]) {
                Some(side) => Err(self.choice(format!("no segment in the language {}; {there}", wanted[side]))),
                None => Ok(()),
            },
            None if self.found.len() == 1 => Err(self.choice(format!("only one language; {there}"))),
            None => Ok(()),
        }
    }

    fn choice(&self, problem: String) -> Error {
        ErrorKind::Choice { path: self.path.clone(), problem, hint: Hint::ChooseLanguages }.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(codes: [&str; 2]) -> Languages {
        Languages::new("f", Some(&codes.map(str::to_owned)))
    }

    #[test]
    fn a_language_means_its_regions() {
        for found in ["en", "EN", "en-US", "en_gb"] {
            assert!(fits("en", found), "{found}");
        }
        for (code, found) in [("en", "eng"), ("en-US", "en"), ("en", "fr"), ("en-US", "en-GB"), ("en", "")] {
            assert!(!fits(code, found), "{code} {found}");
        }
        assert!(fits("zh_hant", "zh-Hant-TW"));
    }

    #[test]
    fn what_is_spelled_alike_comes_first() {
        let mut languages = wanted(["en", "fr"]);
        assert_eq!(languages.choose(&["en-US", "fr-CA", "en", "fr-FR"]).unwrap(), Chosen::Both([2, 1]));
        assert_eq!(languages.choose(&["en-US", "de"]).unwrap(), Chosen::One);
        assert_eq!(languages.choose(&["de"]).unwrap(), Chosen::None);
        assert!(languages.check().is_ok());
        assert_eq!(languages.first(), Some(&["en".to_owned(), "fr-CA".to_owned()]));
    }

    #[test]
    fn a_code_that_is_not_there_is_answered_with_those_that_are() {
        let mut languages = wanted(["en", "de"]);
        assert_eq!(languages.choose(&["en-US", "fr-FR"]).unwrap(), Chosen::One);
        assert_eq!(
            languages.check().unwrap_err().to_string(),
            "f: no segment in the language de; there is en-US, fr-FR"
        );
        assert!(wanted(["en", "de"]).check().is_ok());
    }

    #[test]
    fn two_languages_need_no_choice() {
        let mut languages = Languages::new("f", None);
        languages.set_source("fr".to_owned());
        assert_eq!(languages.choose(&["en-US"]).unwrap(), Chosen::One);
        assert_eq!(languages.choose(&["en-us", "fr-FR"]).unwrap(), Chosen::Both([1, 0]));
        assert_eq!(languages.choose(&["fr-FR"]).unwrap(), Chosen::One);
        let error = languages.choose(&["fr-FR", "de"]).unwrap_err();
        assert_eq!(error.to_string(), "f: more than two languages, en-US, fr-FR, de");
        let mut languages = Languages::new("f", None);
        languages.set_source("*all*".to_owned());
        assert_eq!(languages.choose(&["x", "y"]).unwrap(), Chosen::Both([0, 1]));
        let mut languages = Languages::new("f", None);
        assert_eq!(languages.choose(&["x", "x"]).unwrap(), Chosen::One);
        assert_eq!(languages.check().unwrap_err().to_string(), "f: only one language; there is x");
    }
}
