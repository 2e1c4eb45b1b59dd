//! Tables of values separated by commas (CSV) or tabs, with a header, quoted as RFC 4180 says.
//!
//! ```text
//! id,en,fr
//! 1,"Yes, a house",Une maison
//! ```
//!
//! A value in double quotes may have separators, line breaks, and quotes, each written twice. Every row has as many values as the
//! header. Columns are chosen by name or by number from 1; without a choice by the languages that are wanted, whose codes are names, or
//! by usual names: `src` and `tgt`, `source` and `target`, or the codes of two languages. A header in which none of that is found is an error:
//! it may be the first pair of a table that has none.
//!
//! Stricter than other readers, as a table that was cut short must not be taken for a whole one: quotes that are not closed before the
//! file ends, quotes within a value that does not begin with one, and characters behind the closing one are errors.

use super::file::{Lines, PairFile, PairReport};
use super::json_lines::USUAL;
use super::languages::fits;
use super::one_line::one_line;
use super::options::PairOptions;
use crate::error::{Error, ErrorKind, Hint, Position, Result};
use crate::format::lines::LineReader;
use crate::format::source::Input;
use crate::limits;

/// Reads a table.
pub(super) struct Table {
    lines: LineReader<Input>,
    separator: char,
    line: String,
    /// The values of the row; only the first `number` count.
    values: Vec<String>,
    number: usize,
    columns: [usize; 2],
    /// Values of the header.
    width: usize,
    position: Position,
    report: PairReport,
}

impl Table {
    /// Opens it, and reads the header.
    pub(super) fn new(input: Input, separator: char, options: &PairOptions) -> Result<Self> {
        let lines = LineReader::from_input(input, options.utf8);
        let position = lines.position(0);
        let mut table = Self {
            lines,
            separator,
            line: String::new(),
            values: Vec::new(),
            number: 0,
            columns: [0; 2],
            width: 0,
            position,
            report: PairReport::default(),
        };
        if table.read_row()? {
            table.width = table.number;
            table.columns = table.choose(options)?;
        }
        Ok(table)
    }

    /// The columns of source and target by the header.
    fn choose(&mut self, options: &PairOptions) -> Result<[usize; 2]> {
        let names: Vec<&str> = self.values[..self.number].iter().map(|name| name.trim()).collect();
        let by_name = |wanted: &str| names.iter().position(|name| *name == wanted);
        let by_number = |wanted: &str| Some(wanted.parse::<usize>().ok()?.checked_sub(1)?).filter(|&n| n < names.len());
        let by_code = |wanted: &str| names.iter().position(|name| fits(wanted, name));
        let both = |find: &dyn Fn(&str) -> Option<usize>, pair: [&str; 2]| match pair.map(find) {
            [Some(source), Some(target)] if source != target => Some([source, target]),
            _ => None,
        };
        let text = |pair: &[String; 2]| -> [String; 2] { pair.clone() };
        let found = match (&options.fields, &options.languages) {
            (Some(fields), _) => {
                let [source, target] = text(fields);
                both(&|name| by_name(name).or_else(|| by_number(name)), [&source, &target])
            }
            (None, Some(codes)) => {
                let [source, target] = text(codes);
                both(&by_code, [&source, &target])
            }
            (None, None) => {
                let usual = USUAL.into_iter().find_map(|pair| both(&by_name, pair));
                let codes: Vec<usize> = (0..names.len()).filter(|&n| is_code(names[n])).collect();
                usual.or(match codes[..] {
                    [source, target] => Some([source, target]),
                    _ => None,
                })
            }
        };
        let columns = found.ok_or_else(|| self.no_columns(options.languages.is_some() && options.fields.is_none()))?;
        if columns.iter().all(|&column| is_code(names[column])) {
            self.report.languages = Some(columns.map(|column| names[column].to_owned()));
        }
        Ok(columns)
    }

    fn no_columns(&self, languages: bool) -> Error {
        let names: Vec<String> =
            self.values[..self.number].iter().take(40).map(|name| name.trim().chars().take(40).collect()).collect();
        let problem = format!("which columns are source and target? The header has {}", names.join(", "));
        let hint = if languages { Hint::ChooseLanguages } else { Hint::ChooseFields };
        ErrorKind::Choice { path: self.lines.name().to_owned(), problem, hint }.into()
    }

    /// Reads the values of the next row that is not blank; says whether there is one.
    fn read_row(&mut self) -> Result<bool> {
        let before = self.lines.bytes();
        let mut blank = None;
        loop {
            if !self.lines.read_into(&mut self.line)? {
                return Ok(false);
            }
            if !self.line.is_empty() {
                break;
            }
            blank.get_or_insert_with(|| self.lines.position(0));
        }
        // At the end of a file a blank line is no row.
        if let Some(position) = blank {
            return Err(Error::parse(position, "a row", b""));
        }
        self.position = self.lines.position(0);
        self.number = 0;
        let mut at = 0;
        loop {
            self.begin_value();
            if self.line[at..].starts_with('"') {
                let opened = self.lines.position(at + 1);
                at = self.read_quoted(at + 1, &opened, before)?;
                if !self.line[at..].is_empty() && !self.line[at..].starts_with(self.separator) {
                    let expected = "a separator behind the closing quote (a quote within quotes is written twice)";
                    return Err(Error::parse(self.lines.position(at + 1), expected, &self.line.as_bytes()[at..]));
                }
            } else {
                let end = self.line[at..].find(self.separator).map_or(self.line.len(), |end| at + end);
                if let Some(quote) = self.line[at..end].find('"') {
                    let expected = "a value without quotes, or in quotes as a whole";
                    let found = &self.line.as_bytes()[at..end];
                    return Err(Error::parse(self.lines.position(at + quote + 1), expected, found));
                }
                self.values[self.number - 1].push_str(&self.line[at..end]);
                at = end;
            }
            if self.line[at..].is_empty() {
                return Ok(true);
            }
            at += self.separator.len_utf8();
        }
    }

    fn begin_value(&mut self) {
        match self.values.get_mut(self.number) {
            Some(value) => value.clear(),
            None => self.values.push(String::new()),
        }
        self.number += 1;
    }

    /// Reads a value up to its closing quote, perhaps lines below, and says where the line goes on.
    fn read_quoted(&mut self, mut at: usize, opened: &Position, before: u64) -> Result<usize> {
        loop {
            let value = &mut self.values[self.number - 1];
            match self.line[at..].find('"') {
                Some(quote) if self.line[at + quote + 1..].starts_with('"') => {
                    value.push_str(&self.line[at..=at + quote]);
                    at += quote + 2;
                }
                Some(quote) => {
                    value.push_str(&self.line[at..at + quote]);
                    return Ok(at + quote + 1);
                }
                None => {
                    value.push_str(&self.line[at..]);
                    value.push('\n');
                    let long = limits::SENTENCE.check(self.lines.bytes() - before);
                    long.map_err(|error| error.at(opened))?;
                    if !self.lines.read_into(&mut self.line)? {
                        let expected = "a closing quote before the file ends";
                        return Err(Error::parse(opened.clone(), expected, value.as_bytes()));
                    }
                    at = 0;
                }
            }
        }
    }
}

/// Whether a name looks like the code of a language: two or three letters, and perhaps a script or region.
fn is_code(name: &str) -> bool {
    let mut parts = name.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    (2..=3).contains(&language.len())
        && letters(language)
        && parts.all(|part| (2..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

impl PairFile for Table {
    fn read(&mut self, pair: &mut Lines) -> Result<bool> {
        if !self.read_row()? {
            return Ok(false);
        }
        if self.number != self.width {
            let expected = format!("{} values, as in the header (this row has {})", self.width, self.number);
            return Err(Error::parse(self.position.clone(), expected, self.line.as_bytes()));
        }
        for (line, column) in pair.iter_mut().zip(self.columns) {
            line.clear();
            line.push_str(&self.values[column]);
            one_line(line);
        }
        Ok(true)
    }

    fn position(&self) -> Position {
        self.position.clone()
    }

    fn report(&self) -> PairReport {
        PairReport { replaced_utf8: self.lines.replaced_lines(), ..self.report.clone() }
    }

    fn bytes(&self) -> u64 {
        self.lines.bytes()
    }
}
