//! Help, manuals, completions, the demonstration, and words that mean nothing.

use insta::assert_snapshot;

use crate::support::{Room, native};

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
        "bitext",
        "sentence-align",
        "classes",
        "concordance",
        "evaluate",
        "agreement",
        "report",
        "metric",
        "project",
        "project links",
        "project labels",
        "project trees",
        "project markup",
        "project learn",
        "project rules",
        "annotate",
        "annotate export",
        "annotate status",
        "bible",
        "bible align",
        "bible links",
        "bible text",
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
fn letters_of_other_verbs_are_answered_with_and_without_a_value() {
    let room = Room::new();
    let formats = "formats have no short options here: --from FORMAT for the input, --format FORMAT for the output";
    for (words, advice) in [
        ("convert links -t", formats),
        ("convert links -f", formats),
        ("symmetrize f r -m", "-m is a model file; the method is --method"),
        ("train s t -o", "the output file for the model is --model-file (-m)"),
        ("view s t links -l", "the line is --line"),
        ("view s t links -p", "the kind of output is --format (-f)"),
    ] {
        for value in ["", "x", "=x", " x"] {
            room.run(&format!("{words}{value}")).refused(&format!("error: {advice}"));
        }
    }
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
        "parts",
        "parts-words",
        "parts-join",
        "parts-pairs",
        "parts-begin",
        "parts-count",
        "parts-maximize",
        "model",
        "model-show",
        "model-export",
        "model-merge",
        "model-prune",
        "symmetrize",
        "convert",
        "bitext",
        "classes",
        "concordance",
        "sentence-align",
        "evaluate",
        "agreement",
        "report",
        "metric",
        "project",
        "project-links",
        "project-labels",
        "project-trees",
        "project-markup",
        "project-learn",
        "project-rules",
        "bible",
        "bible-align",
        "bible-links",
        "bible-text",
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

/// The long options that a page of help lists: they stand at the beginning of a line, behind two or six blanks.
fn listed_options(help: &str) -> Vec<&str> {
    fn option(line: &str) -> Option<&str> {
        let behind_letter = || line.strip_prefix("  -")?.split_once(", ").map(|(_, long)| long);
        let long = line.strip_prefix("      ").or_else(behind_letter)?;
        long.split([' ', ',', '[']).next().filter(|long| long.starts_with("--"))
    }
    help.lines().filter_map(option).collect()
}

#[test]
fn references_have_every_verb_and_option() {
    let room = Room::new();
    let outcome = room.run("manual --format markdown reference").success();
    assert_eq!(outcome.stdout, "");
    let mut verbs = Vec::new();
    for entry in std::fs::read_dir(room.path("reference")).unwrap() {
        verbs.push(entry.unwrap().file_name().into_string().unwrap().strip_suffix(".md").unwrap().to_owned());
    }
    verbs.sort();
    room.run("manual pages").success();
    let mut pages: Vec<String> = std::fs::read_dir(room.path("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().strip_suffix(".1").unwrap().to_owned())
        .collect();
    pages.sort();
    assert_eq!(verbs, pages, "as many as man pages");
    assert!(verbs.contains(&"alinea-project-learn".to_owned()) && verbs.len() > 30, "{verbs:?}");
    assert!(!verbs.iter().any(|verb| verb.contains("help")), "{verbs:?}");

    let one = room.run("manual --format markdown").success().stdout;
    room.run("manual -f markdown command.md").success();
    assert_eq!(room.read("command.md"), one);
    for verb in &verbs {
        let page = room.read(&format!("reference/{verb}.md"));
        let title = match verb.strip_prefix("alinea-").unwrap_or_default() {
            "merge-counts" => "alinea merge-counts".to_owned(),
            "sentence-align" => "alinea sentence-align".to_owned(),
            words => format!("alinea {}", words.replace('-', " ")).trim().to_owned(),
        };
        assert!(page.starts_with(&format!("# {title}\n\n")), "{verb}: {page}");
        assert!(page.contains("\n## Usage\n\n```text\nalinea"), "{verb}: {page}");
        assert!(page.contains("\n## Examples\n\n```text\n"), "{verb}: {page}");
        assert_eq!(page.matches("```").count() % 2, 0, "{verb}");
        assert!(one.contains(&format!("# {title}\n\n")), "{verb}");
        let help = room.run(&format!("{} --help-all", title.strip_prefix("alinea").unwrap())).success().stdout;
        let options = listed_options(&help);
        assert!(options.len() > 2, "{verb}: {help}");
        for option in options {
            assert!(
                page.contains(&format!("`{option}`")) || page.contains(&format!("`{option} ")),
                "{verb} {option}: {page}"
            );
        }
    }
    // Groups, defaults, values and notes; rare options, and no hidden ones.
    let page = room.read("reference/alinea-evaluate.md");
    for part in [
        "\n## Arguments\n\n- `LINKS`: ",
        "\n## Options\n\n- `-g`, `--gold FILE`: ",
        "\n## Intervals\n\n- `--bootstrap N`: ",
        "- `--seed N`: Random seed of the samples (default: `12345`)\n",
        "- `-f`, `--format FORMAT`: Kind of output (default: `text`)\n  - `text`: Text\n  - `json`: JSON\n",
        "(default: `ascii`)\n  - `ascii`: Spaces and tabs\n",
        "\n## Notes\n\nIn the gold standard, `0-1` is a sure link",
        "```text\nprecision = |A and P| / |A|\n",
        "`--breakdown` sorts the links",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("--base"), "{page}");
    let page = room.read("reference/alinea-convert.md");
    assert!(page.contains("- `--format`, `--to FORMAT`: Format of the output"), "{page}");
    assert!(page.contains("values: `pharaoh`, `talp`, `naacl`"), "{page}");
    let page = room.read("reference/alinea-sentence-align.md");
    assert!(!page.contains("--text"), "{page}");
    let page = room.read("reference/alinea-model.md");
    assert!(page.contains("- [alinea model show](alinea-model-show.md): Show properties"), "{page}");
    assert!(one.contains("- [alinea model show](#alinea-model-show): Show properties"), "{one}");
}

#[test]
fn the_demonstration_runs_and_keeps_its_files() {
    let room = Room::new();
    let outcome = room.run("demo --dir here").success();
    assert_eq!(outcome.stderr, "");
    let lines = outcome.lines();
    assert!(lines.len() <= 40, "{}", outcome.stdout);
    let commands: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("$ alinea ")).collect();
    let [align, evaluate, view, page] = commands[..] else { panic!("{commands:?}") };
    assert_eq!(align, native("align here/en-fr.en here/en-fr.fr -o here/en-fr.links"));
    assert_eq!(evaluate, native("evaluate --gold here/en-fr.gold here/en-fr.links --first"));
    assert!(page.ends_with(&native(" --first -o here/en-fr.html")), "{page}");
    // What is said of the commands is what they do.
    let grid = room.run(view).success().stdout;
    assert!(grid.contains("\n■ sure ") && outcome.stdout.contains(&grid), "{grid}");
    let prose = lines.len() - grid.lines().count() - lines.iter().filter(|line| line.is_empty()).count();
    assert!(prose <= 12, "{}", outcome.stdout);
    let report: serde_json::Value =
        serde_json::from_str(&room.run(&format!("{evaluate} --json")).success().stdout).unwrap();
    let error_rate = format!(" {:.2} % ", 100.0 * report["corpus"]["aer"].as_f64().unwrap());
    assert!(outcome.stdout.contains(&error_rate), "{error_rate}");
    let path = room.path("here/en-fr.html");
    let address = if cfg!(windows) {
        format!("file:///{}", path.display().to_string().replace('\\', "/"))
    } else {
        format!("file://{}", path.canonicalize().unwrap().display())
    };
    assert_eq!(lines.last().unwrap(), &address);
    assert_eq!(std::fs::read_to_string(room.path("here/en-fr.links")).unwrap().lines().count(), 420);
    let page = std::fs::read_to_string(room.path("here/en-fr.html")).unwrap();
    assert!(page.contains("Evaluation of 60 pairs"));
    // Again, over its own files.
    room.run("demo --dir here -q").success();

    room.write("here/en-fr.en", "mine\n");
    room.run("demo --dir here").refused(&format!(
        "error: {}: the file exists and is not part of the sample\nhint: choose another directory with --dir",
        native("here/en-fr.en")
    ));
    assert_eq!(room.read("here/en-fr.en"), "mine\n");

    let outcome = room.run("demo -q").success();
    let (_, directory) = outcome.stdout.split_once("The sample is in ").unwrap();
    let (directory, _) = directory.split_once(": 420").unwrap();
    assert!(directory.contains("alinea-demo-"), "{directory}");
    assert!(std::path::Path::new(directory).join("en-fr.links").exists());
}
