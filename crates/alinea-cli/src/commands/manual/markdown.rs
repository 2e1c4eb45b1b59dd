//! The reference of a verb in Markdown: CommonMark, as MyST and GitHub read it.
//!
//! A page has the description, the usage, examples, the options by groups, with values and defaults, the verbs of the
//! verb, and notes. Rare options are there, hidden ones are not. Indented lines of help become blocks of code, and
//! options in sentences become code, which nobody makes dashes of.

use std::fmt::Write as _;

use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, Command};

use super::{Parts, page_name, verbs};

/// Where the verbs of a verb are described.
#[derive(Debug, Clone, Copy)]
pub(super) enum Links {
    /// In files of their own.
    Files,
    /// Under headings of the same file.
    Headings,
}

/// The page of a verb, whose heading is of this level.
pub(super) fn page(command: &mut Command, level: usize, links: Links) -> String {
    let mut page = String::new();
    let usage = command.render_usage().to_string();
    let Parts { description, examples, notes } = Parts::of(command);
    push_heading(level, command.get_bin_name().unwrap_or_else(|| command.get_name()), &mut page);
    push_prose(&description, &mut page);
    push_heading(level + 1, "Usage", &mut page);
    push_code(usage.trim_start_matches("Usage:").lines().map(str::trim), &mut page);
    if !examples.is_empty() {
        push_heading(level + 1, "Examples", &mut page);
        push_code(examples.lines().map(unindented), &mut page);
    }
    for (heading, args) in groups(command) {
        push_heading(level + 1, heading, &mut page);
        for arg in args {
            push_item(arg, &mut page);
        }
        page.push('\n');
    }
    if verbs(command).next().is_some() {
        push_heading(level + 1, "Verbs", &mut page);
        for verb in verbs(command) {
            let about = verb.get_about().map(StyledStr::to_string).unwrap_or_default();
            let name = page_name(verb);
            let link = match links {
                Links::Files => format!("{name}.md"),
                Links::Headings => format!("#{name}"),
            };
            let title = verb.get_bin_name().unwrap_or_else(|| verb.get_name());
            push(&mut page, format_args!("- [{title}]({link}): {}\n", escaped(&about)));
        }
        page.push('\n');
    }
    if !notes.is_empty() {
        push_heading(level + 1, "Notes", &mut page);
        push_prose(&notes, &mut page);
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

/// Writing to a string cannot fail.
fn push(page: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = page.write_fmt(text);
}

fn push_heading(level: usize, text: &str, page: &mut String) {
    push(page, format_args!("{} {text}\n\n", "#".repeat(level)));
}

/// Arguments and options by their headings, those without one first.
fn groups(command: &Command) -> Vec<(&str, Vec<&Arg>)> {
    let mut groups: Vec<(&str, Vec<&Arg>)> = Vec::new();
    let shown = |positional: bool| {
        command.get_arguments().filter(move |arg| !arg.is_hide_set() && arg.is_positional() == positional)
    };
    for arg in shown(true).chain(shown(false)) {
        let heading = arg.get_help_heading().unwrap_or(if arg.is_positional() { "Arguments" } else { "Options" });
        match groups.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, args)) => args.push(arg),
            None => groups.push((heading, vec![arg])),
        }
    }
    let place = |heading: &str| match heading {
        "Arguments" => 0,
        "Options" => 1,
        _ => 2,
    };
    groups.sort_by_key(|(heading, _)| place(heading));
    groups
}

/// An argument or option, what it does, its default and its values.
fn push_item(arg: &Arg, page: &mut String) {
    let values = values(arg);
    let mut names: Vec<String> = arg.get_short().map(|short| format!("-{short}")).into_iter().collect();
    let long = arg.get_long().into_iter().chain(arg.get_visible_aliases().unwrap_or_default());
    names.extend(long.map(|long| format!("--{long}")));
    match names.last_mut() {
        Some(last) if !values.is_empty() => push(last, format_args!(" {values}")),
        Some(_) => {}
        None => names.push(values),
    }
    let help = arg.get_long_help().or_else(|| arg.get_help()).map(StyledStr::to_string).unwrap_or_default();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    push(page, format_args!("- `{}`: {}", names.join("`, `"), escaped(&help)));
    let possible: Vec<PossibleValue> = possible(arg);
    let is_explained = possible.iter().any(|value| value.get_help().is_some());
    let mut more: Vec<String> = default(arg).map(|default| format!("default: `{default}`")).into_iter().collect();
    if !is_explained && !possible.is_empty() {
        let names: Vec<String> = possible.iter().map(|value| format!("`{}`", value.get_name())).collect();
        more.push(format!("values: {}", names.join(", ")));
    }
    if !more.is_empty() {
        push(page, format_args!(" ({})", more.join("; ")));
    }
    page.push('\n');
    for value in possible.iter().filter(|_| is_explained) {
        let help = value.get_help().map(StyledStr::to_string).unwrap_or_default();
        push(page, format_args!("  - `{}`: {}\n", value.get_name(), escaped(&help)));
    }
}

/// The names of the values that an argument takes; nothing for a switch.
fn values(arg: &Arg) -> String {
    if !arg.get_action().takes_values() {
        return String::new();
    }
    let names = arg.get_value_names().unwrap_or_default();
    let mut text = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let number = arg.get_num_args().unwrap_or_default();
    if number.max_values() > names.len() {
        text.push_str("...");
    }
    if number.min_values() == 0 { format!("[{text}]") } else { text }
}

fn default(arg: &Arg) -> Option<String> {
    let shown = arg.get_action().takes_values() && !arg.is_hide_default_value_set();
    let defaults = arg.get_default_values().iter().filter(|_| shown).map(|value| value.to_string_lossy().into_owned());
    let defaults: Vec<String> = defaults.collect();
    (!defaults.is_empty()).then(|| defaults.join(","))
}

fn possible(arg: &Arg) -> Vec<PossibleValue> {
    if !arg.get_action().takes_values() || arg.is_hide_possible_values_set() {
        return Vec::new();
    }
    arg.get_possible_values().into_iter().filter(|value| !value.is_hide_set()).collect()
}

/// Paragraphs; indented lines are blocks of code.
fn push_prose(text: &str, page: &mut String) {
    let mut lines = text.trim().lines().peekable();
    while let Some(first) = lines.peek().copied() {
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|line| line.is_empty() || is_indented(line) == is_indented(first)) {
            block.push(line);
        }
        if is_indented(first) {
            push_code(block.into_iter().map(unindented), page);
        } else {
            push(page, format_args!("{}\n\n", escaped(block.join("\n").trim_end())));
        }
    }
}

fn is_indented(line: &str) -> bool {
    line.starts_with("  ")
}

fn unindented(line: &str) -> &str {
    line.strip_prefix("  ").unwrap_or(line)
}

fn push_code<'a>(lines: impl Iterator<Item = &'a str>, page: &mut String) {
    let code = lines.collect::<Vec<_>>().join("\n");
    push(page, format_args!("```text\n{}\n```\n\n", code.trim_end()));
}

/// Text in which only what stands between backticks has a meaning in Markdown. Options become code.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (n, part) in text.split('`').enumerate() {
        if n > 0 {
            escaped.push('`');
        }
        if n % 2 == 1 {
            escaped.push_str(part);
        } else {
            push_plain(part, &mut escaped);
        }
    }
    escaped
}

fn push_plain(text: &str, out: &mut String) {
    let (mut rest, mut before) = (text, ' ');
    while let Some(next) = rest.chars().next() {
        let option = if before.is_alphanumeric() || before == '-' { "" } else { option(rest) };
        let taken = if option.is_empty() { next.len_utf8() } else { option.len() };
        let (piece, others) = rest.split_at(taken);
        if !option.is_empty() {
            push(out, format_args!("`{option}`"));
        } else if "\\*_<&".contains(next) {
            push(out, format_args!("\\{next}"));
        } else {
            out.push(next);
        }
        before = piece.chars().next_back().unwrap_or(next);
        rest = others;
    }
}

/// The long option that a text begins with; nothing if it does not.
fn option(text: &str) -> &str {
    let name = text.strip_prefix("--").unwrap_or_default();
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return "";
    }
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(name.len());
    text[..2 + end].trim_end_matches('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_code_has_a_meaning() {
        assert_eq!(escaped("*.conll, `a*b` and <p> or a_b"), "\\*.conll, `a*b` and \\<p> or a\\_b");
        assert_eq!(escaped("see --gold (--annotators-x) or a--b, --"), "see `--gold` (`--annotators-x`) or a--b, --");
    }

    #[test]
    fn indented_lines_are_code() {
        let mut page = String::new();
        push_prose("Formats:\n  a  one\n\n  b  two\n\nAnd more,\nmore.\n", &mut page);
        assert_eq!(page, "Formats:\n\n```text\na  one\n\nb  two\n```\n\nAnd more,\nmore.\n\n");
    }
}
