//! The source tree keeps its own rules: no room uses a room above it, no file is endless.
//!
//! The rooms of the library, which are in several crates, stand on floors; a room uses those below. On the ground floor, and among the nouns, rooms
//! may use their neighbors; higher up they may not. Only code counts, not comments, and tests may use everything.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// From the ground up.
const FLOORS: [&[&str]; 11] = [
    &["configurable", "error", "limits", "numeric", "parallel", "progress", "shared_sum", "storage", "terminal"],
    &["alignment", "bitext", "labels", "permutation", "pieces", "tree", "word_vectors"],
    &["format"],
    &[
        "classes",
        "concordance",
        "embedding",
        "evaluate",
        "lexicon",
        "phrase",
        "rule_line",
        "sentence_align",
        "symmetrize",
        "token_map",
    ],
    &["metric", "model"],
    &["decision"],
    &["align", "sentences"],
    &["project", "reorder"],
    &["annotate"],
    &["workbench"],
    &["view"],
];

/// The highest floor whose rooms may use their neighbors.
const NOUNS: usize = 1;

const MOST_LINES: usize = 800;

fn floor(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// The source folders of the crates of the library.
fn library() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let names = ["alinea-text", "alinea-align", "alinea-annotate", "alinea-metric", "alinea-order", "alinea"];
    names.map(|name| crates.join(name).join("src")).to_vec()
}

/// All Rust files below a folder, in order.
pub(crate) fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    for path in paths {
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if path.is_dir() && !hidden && !path.ends_with("target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a file that are neither comments nor under `#[cfg(test)]`, with their numbers. Relies on rustfmt: an
/// item ends where its first line's indentation comes back, with a closing brace or a semicolon.
pub(crate) fn code(text: &str) -> Vec<(usize, &str)> {
    let mut code = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("#[cfg(test)]") {
            let indentation = line.len() - trimmed.len();
            for (_, line) in lines.by_ref() {
                let same = line.len() - line.trim_start().len() == indentation;
                if same && (line.ends_with('}') || line.ends_with(';') && !line.trim_start().starts_with("#[")) {
                    break;
                }
            }
        } else if !trimmed.starts_with("//") {
            code.push((number, line));
        }
    }
    code
}

/// The modules declared with `#[cfg(test)] mod name;`, whose files are tests.
fn test_modules(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.lines().map(str::trim);
    std::iter::from_fn(move || {
        lines.find(|line| *line == "#[cfg(test)]")?;
        Some(lines.next().unwrap_or(""))
    })
    .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
}

/// The rooms that a stretch of code names: `crate::room`, `crate::{room, other::Thing}`, and `super::room` from where
/// `super` is the root, `depth` steps up.
fn rooms_named<'t>(text: &'t str, depth: usize) -> Vec<(usize, &'t str)> {
    let mut named = Vec::new();
    let root = "super::".repeat(depth);
    let mut add = |at: usize, rest: &'t str| {
        if let Some(group) = rest.strip_prefix('{') {
            let mut level = 0;
            for (start, _) in group.match_indices(|c: char| c.is_alphabetic() || "{}".contains(c)) {
                match &group[start..=start] {
                    "{" => level += 1,
                    "}" if level == 0 => break,
                    "}" => level -= 1,
                    _ => {
                        let before = group[..start].trim_end();
                        if level == 0 && (before.is_empty() || before.ends_with(',')) {
                            named.push((at, identifier(&group[start..])));
                        }
                    }
                }
            }
        } else {
            named.push((at, identifier(rest)));
        }
    };
    for prefix in ["crate::", &root] {
        for (at, _) in text.match_indices(prefix) {
            let before = &text[..at];
            let within_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if !within_word && !before.ends_with("::") {
                add(at, &text[at + prefix.len()..]);
            }
        }
    }
    named.sort_unstable();
    named
}

fn identifier(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

/// What one file may not name, as lines `file:line: …`.
fn violations(relative: &str, text: &str) -> String {
    let parts: Vec<&str> = relative.split('/').collect();
    let room = parts[0].trim_end_matches(".rs");
    let mut report = String::new();
    let Some(own) = floor(room) else {
        return format!("src/{relative}:1: the room `{room}` has no floor: give it one in this test\n");
    };
    let code = code(text);
    let mut starts = BTreeMap::new();
    let mut joined = String::new();
    for (number, line) in code {
        starts.insert(joined.len(), number);
        joined.push_str(line);
        joined.push('\n');
    }
    for (at, other) in rooms_named(&joined, parts.len()) {
        let line = starts.range(..=at).next_back().map_or(0, |(_, &number)| number);
        let problem = match floor(other) {
            _ if other == room => continue,
            None => format!("`{other}` is no room"),
            Some(floor) if floor > own => format!("`{room}` is below `{other}`"),
            Some(floor) if floor == own && own > NOUNS => format!("`{room}` is beside `{other}`"),
            Some(_) => continue,
        };
        writeln!(report, "src/{relative}:{line}: {problem}").expect("writing to a string does not fail");
    }
    report
}

#[test]
fn no_room_uses_a_room_above_it() {
    let mut report = String::new();
    for source in library() {
        let mut files = Vec::new();
        rust_files(&source, &mut files);
        let mut tests = Vec::new();
        for file in &files {
            tests.extend(test_modules(&read(file)).map(|name| file.with_extension("").join(name).with_extension("rs")));
        }
        for file in files.iter().filter(|file| !tests.contains(file)) {
            let relative = file.strip_prefix(&source).expect("found there").to_string_lossy().replace('\\', "/");
            if relative != "lib.rs" {
                report += &violations(&relative, &read(file));
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn every_room_of_the_library_has_a_floor() {
    let mut homeless = Vec::new();
    for source in library() {
        let text = read(&source.join("lib.rs"));
        let modules = code(&text).into_iter().filter_map(|(_, line)| {
            let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
        homeless.extend(modules.filter(|room| floor(room).is_none()).map(str::to_owned));
    }
    assert!(homeless.is_empty(), "a new room must be given a floor in this test: {homeless:?}");
}

#[test]
fn files_are_short_and_named_after_their_module() {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for folder in ["crates", "fuzz"].map(|name| root.join(name)).iter().filter(|folder| folder.is_dir()) {
        rust_files(folder, &mut files);
    }
    assert!(files.len() > 40);
    let mut report = String::new();
    for file in files {
        let name = file.strip_prefix(&root).expect("found there").display();
        let lines = read(&file).lines().count();
        if lines > MOST_LINES {
            writeln!(report, "{name}: {lines} lines").expect("writing to a string does not fail");
        }
        if file.ends_with("mod.rs") {
            writeln!(report, "{name}: the file belongs beside its folder, under its name").expect("as above");
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn violations_are_found() {
    let file = "\
//! Links to [`crate::view`].
use crate::bitext::Bitext;
use crate::{
    error::{Error, view},
    evaluate::Counts,
};
use super::super::project;
use super::{Row, super::view::grid};

/// Drawn by crate::view.
pub fn f(_: crate::model::Aligner, _: mycrate::view::X) {}

#[cfg(test)]
mod tests {
    use crate::view;
}
fn g() { crate::lexicon::h(); }
";
    let expected = "\
src/lexicon/x.rs:3: `lexicon` is beside `evaluate`
src/lexicon/x.rs:7: `lexicon` is below `project`
src/lexicon/x.rs:11: `lexicon` is below `model`
";
    assert_eq!(violations("lexicon/x.rs", file), expected);
    assert_eq!(violations("bitext.rs", "use super::alignment::Link;\nuse super::format::X;\n").lines().count(), 1);
    assert!(violations("attic.rs", "").starts_with("src/attic.rs:1: the room `attic` has no floor"));
    let modules = "#[cfg(test)]\nmod tests;\nmod grid;\n#[cfg(test)]\nmod more {\n}\n";
    assert_eq!(test_modules(modules).collect::<Vec<_>>(), ["tests"]);
}

#[test]
fn every_crate_that_is_published_has_its_licence_and_notice() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let published = [
        "alinea-text",
        "alinea-align",
        "alinea-annotate",
        "alinea-encoder",
        "alinea-metric",
        "alinea-order",
        "alinea",
        "alinea-cli",
    ];
    for name in published {
        for file in ["LICENSE-APACHE", "LICENSE-MIT", "NOTICE"] {
            let path = crates.join(name).join(file);
            assert_eq!(read(&path), read(&crates.join("..").join(file)), "{}", path.display());
        }
    }
}
