//! The format of a file of links by its first line.
//!
//! | begins with | is |
//! |---|---|
//! | `# Sentence pair (` | A3 |
//! | `[`, or an object with `alignment` or `alignedWordPairs` | Serval |
//! | another object | JSON lines |
//! | three columns between tabs, the last of which are links | OpusTrainer |
//! | a number, a tab, and links | SimAlign |
//! | three numbers, `S` or `P`, a confidence | NAACL |
//!
//! Where a line might be of two formats nothing is said: names of files, or an option, have to say it.

use super::fault::{fields, weight, whole_number};
use super::links::push_links;
use super::{AlignmentFormat, Base, simalign};
use crate::error::Result;
use crate::format::source::Input;

/// As much of a long first line is looked at.
const LOOK_BYTES: usize = 1 << 20;
/// As much of markup.
const MARKUP_BYTES: usize = 1 << 12;

impl AlignmentFormat {
    /// The format of a file that begins with this line, if it can be no other; of a line of Pharaoh it is not said.
    ///
    /// ```
    /// use alinea::format::alignment::AlignmentFormat;
    ///
    /// assert_eq!(AlignmentFormat::of_line("12 1 1 S"), Some(AlignmentFormat::Naacl));
    /// assert_eq!(AlignmentFormat::of_line("0-0 1-1"), None);
    /// ```
    pub fn of_line(line: &str) -> Option<Self> {
        of_line(line)
    }

    /// The same of an input of which nothing was read.
    pub(super) fn of_input(input: &mut Input) -> Result<Option<Self>> {
        let line = input.peek_line(LOOK_BYTES)?;
        if line.trim_ascii_start().starts_with(b"<") || line.starts_with(b"\xEF\xBB\xBF<") {
            // Which kind of markup it is, the reader of lines tells by what follows, if that is there at once.
            input.peek(MARKUP_BYTES)?;
        }
        Ok(of_line(String::from_utf8_lossy(&line).trim_end_matches(['\n', '\r'])))
    }
}

fn of_line(line: &str) -> Option<AlignmentFormat> {
    let text = line.trim_start_matches('\u{feff}').trim_ascii_start();
    if text.starts_with("# Sentence pair (") {
        return Some(AlignmentFormat::GizaA3);
    }
    if text.starts_with('[') {
        return Some(AlignmentFormat::Serval);
    }
    if text.starts_with('{') {
        let is_serval = ["\"alignment\"", "\"alignedWordPairs\""].into_iter().any(|name| text.contains(name));
        return Some(if is_serval { AlignmentFormat::Serval } else { AlignmentFormat::JsonLines });
    }
    let are_links = |text: &str| !text.is_empty() && push_links(text, Base::Zero, &mut Vec::new()).is_ok();
    match line.split('\t').collect::<Vec<_>>()[..] {
        // Links may be separated by tabs, too.
        [source, _, links] if are_links(links) && !are_links(source) => return Some(AlignmentFormat::OpusTrainer),
        [number, links] if whole_number::<u64>(number).is_some() && simalign::are_links(links) => {
            return Some(AlignmentFormat::SimAlign);
        }
        _ => {}
    }
    is_naacl(line).then_some(AlignmentFormat::Naacl)
}

fn is_naacl(line: &str) -> bool {
    let parts: Vec<&str> = fields(line).map(|(_, part)| part).collect();
    let [_, source, target, rest @ ..] = &parts[..] else { return false };
    let is_position = |part: &str| whole_number::<u32>(part).is_some();
    let is_rest = match rest {
        [] => true,
        [kind] => matches!(*kind, "S" | "P"),
        [kind, confidence] => matches!(*kind, "S" | "P") && weight(confidence).is_some(),
        _ => false,
    };
    is_position(source) && is_position(target) && is_rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_line_tells_the_format() {
        for (line, format) in [
            ("# Sentence pair (1) source length 2 target length 3 alignment score : 0.0012", AlignmentFormat::GizaA3),
            ("[", AlignmentFormat::Serval),
            (r#"{"refs":[],"sourceTokens":[],"alignment":[]}"#, AlignmentFormat::Serval),
            (r#"{"links":[[0,0]]}"#, AlignmentFormat::JsonLines),
            ("la maison\tthe house\t0-0 1-1", AlignmentFormat::OpusTrainer),
            ("0\t0-0 1-1", AlignmentFormat::SimAlign),
            ("0\t0-0-.9-.93", AlignmentFormat::SimAlign),
            ("0001 1 1 S", AlignmentFormat::Naacl),
            ("d1.7 1 2 P 0.5", AlignmentFormat::Naacl),
            ("1 1 1", AlignmentFormat::Naacl),
        ] {
            assert_eq!(of_line(line), Some(format), "{line}");
        }
        for line in
            ["", "0-0 1-1", "0-0\t1-1\t2-2", "0-0", "1-1 2p3:0.5", "the house is small", "1", "0\t", "a\tb\tc", "1 2"]
        {
            assert_eq!(of_line(line), None, "{line}");
        }
    }
}
