//! `alinea symmetrize` as users of fast_align's atools call it: `-i FORWARD -j REVERSE -c COMMAND`.
//!
//! [`understood`] makes the files the two arguments and the command `--method`. Commands that join nothing are answered
//! with what does their work. None of these options is shown in help.

use std::ffi::OsString;

use crate::commands::align::habits::{Given, Understood};

/// Commands of atools that join nothing, and what does their work.
const OTHER_COMMANDS: [(&str, &str); 4] = [
    ("invert", "for a reverse file with the target word first, use --invert-reverse"),
    ("convert", "use alinea convert"),
    ("display", "use alinea view"),
    ("fmeasure", "use alinea evaluate"),
];

/// Puts our options in the place of those of atools, in the words after the verb.
pub(crate) fn understood(words: &[OsString]) -> Understood {
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let (options, rest) = words.split_at(end);
    let (mut files, mut others, mut at) = ([Vec::new(), Vec::new()], Vec::new(), 0);
    while at < options.len() {
        let option = Given::at(options, at);
        let is_attached = option.is_some_and(|option| option.is_attached);
        match option.and_then(|option| Some((option.name, option.value?.to_owned()))) {
            Some(("-i" | "--input_1", file)) => files[0].push(file),
            Some(("-j" | "--input_2", file)) => files[1].push(file),
            Some(("-c" | "--command", command)) => {
                if let Some((name, instead)) = OTHER_COMMANDS.iter().find(|(name, _)| command == *name) {
                    return Understood::Answer(format!("alinea symmetrize has no {name}: {instead}"));
                }
                others.extend([OsString::from("--method"), command]);
            }
            _ => {
                others.push(options[at].clone());
                at += 1;
                continue;
            }
        }
        at += if is_attached { 1 } else { 2 };
    }
    others.extend_from_slice(rest);
    let [forward, reverse] = files;
    // Without `-i` the forward file is among the others, and the reverse file comes after it.
    let words = if forward.is_empty() { [others, reverse].concat() } else { [forward, reverse, others].concat() };
    Understood::Words { words, notes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Understood {
        understood(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn atools_is_understood() {
        for (line, expected) in [
            ("-i f -j r -c grow-diag-final-and", "f r --method grow-diag-final-and"),
            ("-c union -j r -i f -o links", "f r --method union -o links"),
            ("--command=intersect --input_2 r -if", "f r --method intersect"),
            ("-i - -j r -q", "- r -q"),
            ("f -j r -c union", "f --method union r"),
            ("-j r -- f", "-- f r"),
            ("f r --method union", "f r --method union"),
            ("f r -m union -c", "f r -m union -c"),
            ("-- -i -j", "-- -i -j"),
        ] {
            let words = expected.split(' ').map(OsString::from).collect();
            assert_eq!(read(line), Understood::Words { words, notes: Vec::new() }, "{line}");
        }
    }

    #[test]
    fn other_commands_are_answered() {
        for (name, expected) in [("invert", "--invert-reverse"), ("fmeasure", "alinea evaluate")] {
            let Understood::Answer(answer) = read(&format!("-i f -c {name}")) else { panic!("{name}") };
            assert!(answer.contains(expected), "{answer}");
        }
    }
}
