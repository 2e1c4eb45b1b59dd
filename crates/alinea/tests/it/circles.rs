//! Files do not use each other in circles: who reads one need not read all.
//!
//! A file uses another if a `use` line, or a path that begins with `crate::`, `super::` or the name of a file of its own
//! folder, leads there; what a file re-exports leads on to where it is. Two files that are one thing may use each other.
//! Tests, and what a file re-exports of its own folder, do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::layers::{code, read, rust_files};

/// The path of a module below its crate: `["model", "grid"]`.
type Module = Vec<String>;

/// A path that a module names: where it leads, what is named there, and whether it is re-exported.
struct Named {
    module: Module,
    rest: Vec<String>,
    public: bool,
}

/// The modules of a crate and the code of their files.
fn modules(source: &Path) -> BTreeMap<Module, String> {
    let mut files = Vec::new();
    rust_files(source, &mut files);
    let mut modules = BTreeMap::new();
    for file in files {
        let relative = file.strip_prefix(source).expect("found there").with_extension("");
        let module: Module = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let is_root = matches!(&module[..], [name] if name == "lib" || name == "main");
        if !is_root && module.last().is_none_or(|name| name != "tests") {
            let text = read(&file);
            let lines: Vec<&str> = code(&text).into_iter().map(|(_, line)| line).collect();
            modules.insert(module, lines.join("\n"));
        }
    }
    modules
}

/// The paths of a tree of `use`: `a::{b, c::d}` are `a::b` and `a::c::d`.
fn paths(tree: &str) -> Vec<Vec<String>> {
    let segments = |text: &str| -> Vec<String> {
        let name = text.split(" as ").next().unwrap_or_default();
        name.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    let Some(open) = tree.find('{') else { return vec![segments(tree)] };
    let head = segments(&tree[..open]);
    let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
    let (mut level, mut start, mut parts) = (0, 0, Vec::new());
    for (at, character) in inner.char_indices() {
        match character {
            '{' => level += 1,
            '}' => level -= 1,
            ',' if level == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let nested = parts.into_iter().filter(|part| !part.trim().is_empty()).flat_map(paths);
    nested.map(|path| head.iter().cloned().chain(path).collect()).collect()
}

/// Where a path leads that is named in a module, if it stays in the crate.
fn resolve(path: &[String], own: &Module, modules: &BTreeMap<Module, String>) -> Option<(Module, Vec<String>)> {
    let mut rest = path;
    let mut module = match rest.first()?.as_str() {
        "crate" => {
            rest = &rest[1..];
            Module::new()
        }
        "self" => {
            rest = &rest[1..];
            own.clone()
        }
        "super" => {
            let mut module = own.clone();
            while rest.first().is_some_and(|part| part == "super") {
                module.pop();
                rest = &rest[1..];
            }
            module
        }
        first => {
            let child: Module = own.iter().cloned().chain([first.to_owned()]).collect();
            modules.get(&child)?;
            own.clone()
        }
    };
    while let Some(part) = rest.first() {
        let child: Module = module.iter().cloned().chain([part.clone()]).collect();
        if !modules.contains_key(&child) {
            break;
        }
        module = child;
        rest = &rest[1..];
    }
    Some((module, rest.to_vec()))
}

/// The paths that a module names, in `use` lines and elsewhere.
fn named(own: &Module, text: &str, modules: &BTreeMap<Module, String>) -> Vec<Named> {
    let mut found = Vec::new();
    let mut add = |path: &[String], public: bool| {
        if let Some((module, rest)) = resolve(path, own, modules) {
            found.push(Named { module, rest, public });
        }
    };
    let (mut rest, mut calls) = (text, String::new());
    while let Some(at) = rest.find("use ") {
        let line = rest[..at].rsplit('\n').next().unwrap_or_default().trim();
        let (tree, behind) = rest[at + 4..].split_once(';').unwrap_or((&rest[at + 4..], ""));
        calls += &rest[..at];
        if (line.is_empty() || line.starts_with("pub")) && !tree.contains('"') {
            for path in paths(tree) {
                add(&path, line.starts_with("pub"));
            }
        } else {
            calls += tree;
        }
        rest = behind;
    }
    calls += rest;
    let children = modules.keys().filter(|module| module.len() == own.len() + 1 && module.starts_with(own));
    let of_children = children.filter_map(|child| Some(format!("{}::", child.last()?)));
    for start in ["crate::", "super::", "self::"].map(str::to_owned).into_iter().chain(of_children) {
        for (at, _) in calls.match_indices(&start) {
            let within = calls[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
            let end = calls[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
            let path = &calls[at..end.map_or(calls.len(), |end| at + end)];
            if !within {
                let path: Vec<String> = path.split("::").filter(|p| !p.is_empty()).map(str::to_owned).collect();
                add(&path, false);
            }
        }
    }
    found
}

/// Which file uses which, by module.
fn uses(modules: &BTreeMap<Module, String>) -> BTreeMap<&Module, BTreeSet<Module>> {
    let named: BTreeMap<&Module, Vec<Named>> =
        modules.iter().map(|(module, text)| (module, named(module, text, modules))).collect();
    let mut exported = BTreeMap::new();
    for (&module, names) in &named {
        for Named { module: from, rest, .. } in names.iter().filter(|named| named.public) {
            if let Some(name) = rest.last() {
                exported.insert((module, name), (from, rest));
            }
        }
    }
    let mut uses = BTreeMap::new();
    for (&own, names) in &named {
        let mut used = BTreeSet::new();
        for Named { module, rest, public } in names {
            let (mut module, mut rest) = (module, rest);
            for _ in 0..5 {
                match rest.first().and_then(|name| exported.get(&(module, name))) {
                    Some(&(from, name)) if from != module => (module, rest) = (from, name),
                    _ => break,
                }
            }
            let own_folder = *public && module.starts_with(own);
            if module != own && !own_folder && modules.contains_key(module) {
                used.insert(module.clone());
            }
        }
        uses.insert(own, used);
    }
    uses
}

/// The files that are in a circle of more than two, by what each of them can reach.
fn circles(uses: &BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<Vec<String>> {
    let reach = |from: &Module| -> BTreeSet<Module> {
        let (mut reached, mut next) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = next.pop() {
            for other in uses.get(&module).into_iter().flatten() {
                if reached.insert(other.clone()) {
                    next.push(other.clone());
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> = uses.keys().map(|&module| (module, reach(module))).collect();
    let circle = |module: &Module| -> Vec<String> {
        let back = |other: &&Module| reached.get(other).is_some_and(|of_other| of_other.contains(module));
        reached[module].iter().filter(back).map(|other| other.join("/")).collect()
    };
    uses.keys().map(|&module| circle(module)).filter(|circle| circle.len() > 2).collect()
}

#[test]
fn no_three_files_use_each_other_in_a_circle() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    // Rooms whose circles are older than this test.
    let known = [
        ("alinea-text", "evaluate"),
        ("alinea-text", "sentence_align"),
        ("alinea-align", "lexicon"),
        ("alinea-metric", "metric"),
    ];
    let mut report = String::new();
    for name in [
        "alinea-text",
        "alinea-align",
        "alinea-annotate",
        "alinea-metric",
        "alinea-order",
        "alinea",
        "alinea-cli",
        "alinea-python",
    ] {
        let modules = modules(&crates.join(name).join("src"));
        assert!(modules.len() > 10, "{name}: {} files", modules.len());
        for circle in circles(&uses(&modules)) {
            let room = circle[0].split('/').next().unwrap_or_default();
            if !known.contains(&(name, room)) {
                writeln!(report, "{name}: {}", circle.join(", ")).expect("writing to a string does not fail");
            }
        }
    }
    assert!(report.is_empty(), "\n{report}");
}

#[test]
fn circles_are_found() {
    let text = |lines: &str| lines.to_owned();
    let module = |path: &str| -> Module { path.split('/').map(str::to_owned).collect() };
    let files = BTreeMap::from([
        (module("a"), text("mod x;\npub use x::Thing;\nuse crate::{b::B, error};")),
        (module("a/x"), text("use std::fmt;\nfn f() { super::super::c::g(); }")),
        (module("b"), text("use super::c::{self, C as D};")),
        (module("c"), text("use crate::a::Thing;")),
        (module("d"), text("use crate::a::x;\nuse crate::e;")),
        (module("e"), text("use crate::d::D;")),
    ]);
    let uses = uses(&files);
    let used = |path: &str| uses[&module(path)].iter().map(|module| module.join("/")).collect::<Vec<_>>();
    assert_eq!([used("a"), used("a/x"), used("b")], [vec!["b"], vec!["c"], vec!["c"]]);
    assert_eq!(used("c"), ["a/x"], "a re-export leads to where it is");
    assert!(circles(&uses).is_empty(), "two may use each other");
    let mut three = files.clone();
    three.insert(module("a/x"), text("use crate::d::D;"));
    three.insert(module("d"), text("use crate::c;"));
    let found = circles(&self::uses(&three));
    assert_eq!(found, BTreeSet::from([vec!["a/x".to_owned(), "c".to_owned(), "d".to_owned()]]));
    let mut called = files.clone();
    called.insert(module("a"), text("mod x;\nmod y;\nfn f() { x::g(); }"));
    called.insert(module("a/x"), text("use super::y::h;"));
    called.insert(module("a/y"), text("use super::f;"));
    let found = circles(&self::uses(&called));
    assert_eq!(found, BTreeSet::from([vec!["a".to_owned(), "a/x".to_owned(), "a/y".to_owned()]]));
}
