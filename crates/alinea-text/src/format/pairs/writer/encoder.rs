//! The bytes of each format that is one file: how it begins, a pair, how it ends.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{PairWriteOptions, PairWriteReport};
use crate::error::{Error, Result};
use crate::format::pairs::markup::push_escaped;
use crate::format::pairs::options::PairFormat;
use crate::format::pairs::tmx::is_blank;

/// Why a pair cannot be written.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) expected: &'static str,
    pub(super) side: usize,
}

/// Makes the bytes.
pub(super) struct Encoder {
    pub(super) format: PairFormat,
    languages: [String; 2],
    fields: [String; 2],
    replace: Option<char>,
    markup: bool,
    number: u64,
}

impl Encoder {
    pub(super) fn new(format: PairFormat, options: &PairWriteOptions) -> Result<Self> {
        let own = |names: [&str; 2]| names.map(str::to_owned);
        let languages = options.languages.clone();
        if let Some(codes) = &languages
            && codes.iter().any(|code| !is_code(code))
        {
            return Err(Error::config(
                "languages",
                codes.join(","),
                "two codes of letters, digits and -, such as en,fr-CA",
            ));
        }
        let is_table = matches!(format, PairFormat::Csv | PairFormat::Tsv);
        let fields = options.fields.clone().or_else(|| languages.clone().filter(|_| is_table));
        let fields = fields.unwrap_or_else(|| own(["src", "tgt"]));
        let [source, target] = &fields;
        let within = |a: &str, b: &str| b.strip_prefix(a).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let is_object = format == PairFormat::JsonLines;
        let clash = source == target || is_object && (within(source, target) || within(target, source));
        if clash || fields.iter().any(|name| name.is_empty() || name.contains(['\n', '\r'])) {
            return Err(Error::config("fields", fields.join(","), "two different fields, such as src,tgt"));
        }
        Ok(Self {
            format,
            languages: languages.unwrap_or_else(|| own(["und", "und"])),
            fields,
            replace: options.replace,
            markup: options.markup,
            number: 0,
        })
    }

    pub(super) fn begin(&self, out: &mut String) {
        let [source, target] = &self.languages;
        let version = env!("CARGO_PKG_VERSION");
        match self.format {
            PairFormat::Tmx => {
                out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tmx version=\"1.4\">\n");
                // Writing to a string cannot fail.
                let _ = writeln!(
                    out,
                    "<header creationtool=\"alinea\" creationtoolversion=\"{version}\" segtype=\"sentence\" \
                     o-tmf=\"alinea\" adminlang=\"en\" srclang=\"{source}\" datatype=\"plaintext\"/>"
                );
                out.push_str("<body>\n");
            }
            PairFormat::Xliff => {
                out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
                out.push_str("<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n");
                let _ = writeln!(
                    out,
                    "<file original=\"text\" source-language=\"{source}\" target-language=\"{target}\" \
                     datatype=\"plaintext\"><body>"
                );
            }
            PairFormat::Xliff2 => {
                out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
                let _ = writeln!(
                    out,
                    "<xliff version=\"2.0\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\" srcLang=\"{source}\" \
                     trgLang=\"{target}\">"
                );
                out.push_str("<file id=\"text\">\n");
            }
            PairFormat::Csv | PairFormat::Tsv => self.row(self.fields.each_ref().map(String::as_str), out),
            _ => {}
        }
    }

    /// Adds a pair; says whether the format can have it.
    pub(super) fn pair(
        &mut self,
        pair: [&str; 2],
        report: &mut PairWriteReport,
        out: &mut String,
    ) -> std::result::Result<bool, Fault> {
        self.number += 1;
        match self.format {
            PairFormat::Tmx | PairFormat::Xliff | PairFormat::Xliff2 => return self.unit(pair, report, out),
            PairFormat::JsonLines => {
                let mut object = Map::new();
                for (field, side) in self.fields.iter().zip(pair) {
                    insert(&mut object, field, side);
                }
                out.push_str(&Value::Object(object).to_string());
                out.push('\n');
            }
            PairFormat::Csv | PairFormat::Tsv => self.row(pair, out),
            PairFormat::Columns => {
                let expected = "a text without tabs, which separate columns";
                if let Some(side) = pair.iter().position(|side| side.contains('\t')) {
                    return Err(Fault { expected, side });
                }
                out.extend([pair[0], "\t", pair[1], "\n"]);
            }
            PairFormat::Joint | PairFormat::Zip => {
                let expected = "a text without the token `|||`, which separates the sides";
                let has = |side: &&str| side.split([' ', '\t']).any(|token| token == "|||");
                if let Some(side) = pair.iter().position(has) {
                    return Err(Fault { expected, side });
                }
                out.extend([pair[0], " ||| ", pair[1], "\n"]);
            }
        }
        Ok(true)
    }

    /// A unit of XML, unless a side is blank.
    fn unit(
        &self,
        pair: [&str; 2],
        report: &mut PairWriteReport,
        out: &mut String,
    ) -> std::result::Result<bool, Fault> {
        if pair.into_iter().any(is_blank) {
            return Ok(false);
        }
        let mut texts = [String::new(), String::new()];
        for ((side, text), line) in (0..).zip(&mut texts).zip(pair) {
            *text = self.escaped(line, report).ok_or(Fault { expected: "characters that XML allows", side })?;
        }
        let ([from, to], [source, target]) = (&self.languages, &texts);
        let number = self.number;
        let _ = match self.format {
            PairFormat::Tmx => writeln!(
                out,
                "<tu><tuv xml:lang=\"{from}\"><seg>{source}</seg></tuv><tuv xml:lang=\"{to}\"><seg>{target}</seg></tuv></tu>"
            ),
            PairFormat::Xliff2 => writeln!(
                out,
                "<unit id=\"{number}\"><segment><source>{source}</source><target>{target}</target></segment></unit>"
            ),
            _ => writeln!(
                out,
                "<trans-unit id=\"{number}\"><source>{source}</source><target>{target}</target></trans-unit>"
            ),
        };
        Ok(true)
    }

    /// A line as it stands in XML; nothing if it has characters that this does not allow, and they are not replaced.
    fn escaped(&self, line: &str, report: &mut PairWriteReport) -> Option<String> {
        let mut text = String::with_capacity(line.len());
        let wrong = line.chars().filter(|&character| !is_allowed(character)).count() as u64;
        let replaced: String;
        let line = match (wrong, self.replace) {
            (0, _) => line,
            (_, Some(other)) => {
                report.replaced += wrong;
                replaced =
                    line.chars().map(|character| if is_allowed(character) { character } else { other }).collect();
                &replaced
            }
            (_, None) => return None,
        };
        if self.markup {
            text.push_str(line);
        } else {
            push_escaped(line, &mut text);
        }
        Some(text)
    }

    fn row(&self, values: [&str; 2], out: &mut String) {
        let separator = if self.format == PairFormat::Csv { ',' } else { '\t' };
        for (place, value) in values.into_iter().enumerate() {
            if place > 0 {
                out.push(separator);
            }
            if value.contains([separator, '"', '\n', '\r']) {
                out.extend(["\"", &value.replace('"', "\"\""), "\""]);
            } else {
                out.push_str(value);
            }
        }
        out.push('\n');
    }

    pub(super) fn end(&mut self, out: &mut String) {
        match self.format {
            PairFormat::Tmx => out.push_str("</body>\n</tmx>\n"),
            PairFormat::Xliff => out.push_str("</body></file>\n</xliff>\n"),
            PairFormat::Xliff2 => out.push_str("</file>\n</xliff>\n"),
            _ => {}
        }
    }
}

/// Puts a text into an object, into an inner one behind a dot.
fn insert(object: &mut Map<String, Value>, field: &str, text: &str) {
    match field.split_once('.') {
        Some((outer, inner)) => {
            let value = object.entry(outer).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(within) = value {
                insert(within, inner, text);
            }
        }
        None => {
            object.insert(field.to_owned(), Value::String(text.to_owned()));
        }
    }
}

/// Whether XML 1.0 allows a character.
fn is_allowed(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Whether something may be the code of a language.
fn is_code(code: &str) -> bool {
    !code.is_empty()
        && code.len() <= 64
        && code.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}
