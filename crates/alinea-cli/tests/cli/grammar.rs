//! Help, manuals, completions, the demonstration, and words that mean nothing.

use insta::assert_snapshot;

use crate::support::Room;

#[test]
fn the_version_is_reported() {
    let outcome = Room::new().run("--version").success();
    assert_eq!(outcome.stdout, format!("alinea {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_begins_with_examples() {
    let room = Room::new();
    for words in [
        "",
        "align",
        "symmetrize",
        "convert",
        "sentence-align",
        "classes",
        "evaluate",
        "agreement",
        "report",
        "metric",
        "project",
        "project learn",
        "project rules",
        "view",
        "reorder",
        "reorder pack",
        "reorder oracle",
        "reorder train",
        "reorder apply",
        "reorder evaluate",
        "reorder submit",
        "reorder rank",
        "phrases",
        "lexicon",
        "demo",
        "completions",
        "manual",
    ] {
        let outcome = room.run(&format!("{words} --help")).success();
        let (examples, usage) = (outcome.stdout.find("Examples:\n"), outcome.stdout.find("Usage:"));
        assert!(examples.is_some() && examples < usage, "{words}");
        assert_eq!(outcome.stderr, "");
    }
}

#[test]
fn help_has_no_escapes_in_a_pipe() {
    assert!(!Room::new().run("align --help").success().stdout.contains('\u{1B}'));
}

#[test]
fn words_that_mean_nothing_are_refused() {
    let outcome = Room::new().run("alin");
    assert_eq!(outcome.code, Some(2));
    assert_snapshot!(outcome.stderr, @r"
    error: unrecognized subcommand 'alin'

      tip: a similar subcommand exists: 'align'

    Usage: alinea [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
    assert_eq!(Room::new().run("").code, Some(2));
}

#[test]
fn completions_are_for_shells() {
    let room = Room::new();
    for (shell, sign) in [("bash", "complete -F"), ("zsh", "#compdef alinea"), ("fish", "complete -c alinea")] {
        assert!(room.run(&format!("completions {shell}")).success().stdout.contains(sign), "{shell}");
    }
}

#[test]
fn manuals_have_a_page_a_verb() {
    let room = Room::new();
    let main = room.run("manual").success().stdout;
    assert!(main.contains(".SH EXAMPLES\n.nf\n"), "examples keep their lines");
    let outcome = room.run("manual pages/man1").success();
    assert_eq!(outcome.stdout, "");
    let mut pages = Vec::new();
    for page in std::fs::read_dir(room.path("pages/man1")).unwrap() {
        let page = page.unwrap();
        assert!(std::fs::read_to_string(page.path()).unwrap().contains(".SH EXAMPLES"), "{page:?}");
        pages.push(page.file_name().into_string().unwrap());
    }
    for verb in [
        "align",
        "train",
        "merge-counts",
        "model",
        "model-show",
        "model-export",
        "model-merge",
        "model-prune",
        "symmetrize",
        "convert",
        "classes",
        "sentence-align",
        "evaluate",
        "agreement",
        "report",
        "metric",
        "project",
        "project-learn",
        "project-rules",
        "view",
        "reorder",
        "reorder-pack",
        "reorder-oracle",
        "reorder-evaluate",
        "reorder-submit",
        "reorder-rank",
        "phrases",
        "lexicon",
        "demo",
        "completions",
        "manual",
    ] {
        assert!(pages.contains(&format!("alinea-{verb}.1")), "{pages:?}");
    }
    assert_eq!(std::fs::read_to_string(room.path("pages/man1/alinea.1")).unwrap(), main);
}

#[test]
fn the_demonstration_runs_and_keeps_its_files() {
    let room = Room::new();
    let outcome = room.run("demo --dir here").success();
    assert!(outcome.stdout.starts_with("The sample is in here.\n\n$ alinea align here/en-fr.en here/en-fr.fr -o "));
    assert!(outcome.stderr.contains("pairs      420\n"), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("\n\n$ alinea evaluate --gold here/en-fr.gold here/en-fr.links --first\n"));
    assert!(outcome.stdout.contains("\n■ sure "), "{}", outcome.stdout);
    assert_eq!(std::fs::read_to_string(room.path("here/en-fr.links")).unwrap().lines().count(), 420);
    let page = std::fs::read_to_string(room.path("here/en-fr.html")).unwrap();
    assert!(page.contains("Evaluation of 60 pairs"));
    // Again, over its own files.
    room.run("demo --dir here -q").success();

    room.write("here/en-fr.en", "mine\n");
    room.run("demo --dir here").refused(
        "error: here/en-fr.en: the file exists and is not part of the sample\n\
         hint: choose another directory with --dir",
    );
    assert_eq!(room.read("here/en-fr.en"), "mine\n");

    let outcome = room.run("demo -q").success();
    let directory = outcome.stdout.lines().next().unwrap().strip_prefix("The sample is in ").unwrap();
    assert!(directory.contains("alinea-demo-"), "{directory}");
    assert!(std::path::Path::new(directory.trim_end_matches('.')).join("en-fr.links").exists());
}
