//! `alinea symmetrize`.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::support::Room;

/// Worked out by hand from the definition: I = {0-0, 1-1}; 1-2 and 2-1 lie beside 1-1 and cover a new word each; 0-4
/// covers a new target word, 3-5 two new words.
const FORWARD: &str = "0-0 1-1 1-2 0-4\n";
const REVERSE: &str = "0-0 1-1 2-1 3-5\n";

fn room() -> Room {
    Room::with_files(&[("f", FORWARD), ("r", REVERSE)])
}

#[test]
fn every_method_follows_its_definition() {
    let room = room();
    for (method, links) in [
        ("intersection", "0-0 1-1\n"),
        ("union", "0-0 0-4 1-1 1-2 2-1 3-5\n"),
        ("grow", "0-0 1-1 1-2 2-1\n"),
        ("grow-diag", "0-0 1-1 1-2 2-1\n"),
        ("grow-diag-final", "0-0 0-4 1-1 1-2 2-1 3-5\n"),
        ("grow-diag-final-and", "0-0 1-1 1-2 2-1 3-5\n"),
    ] {
        assert_eq!(room.stdout(&format!("symmetrize f r --method {method}")), links, "{method}");
    }
    let answer = room.run("symmetrize f r");
    assert_eq!(answer.stdout, "0-0 1-1 1-2 2-1 3-5\n");
    assert_eq!(answer.stderr, "1 sentence pair, 5 links (grow-diag-final-and)\n");
    assert_eq!(room.run("symmetrize f r --quiet").stderr, "");
}

#[test]
fn results_are_those_of_symal() {
    let vectors = include_str!("../../../alinea/tests/vectors/symmetrize.jsonl");
    let mut methods: BTreeMap<String, [String; 3]> = BTreeMap::new();
    for line in vectors.lines() {
        let vector: serde_json::Value = serde_json::from_str(line).unwrap();
        if vector["op"] == "symmetrize" {
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            let input = &vector["input"];
            let files = methods.entry(text(&input["method"])).or_default();
            for (file, links) in files.iter_mut().zip([&input["forward"], &input["reverse"], &vector["expect"]]) {
                writeln!(file, "{}", text(links)).unwrap();
            }
        }
    }
    assert_eq!(methods.len(), 6);
    for (method, [forward, reverse, expected]) in methods {
        let room = Room::with_files(&[("f", &forward), ("r", &reverse)]);
        assert_eq!(room.stdout(&format!("symmetrize f r --method {method}")), expected, "{method}");
    }
}

#[test]
fn a_reverse_file_may_name_the_target_first() {
    let room = Room::with_files(&[("f", FORWARD), ("r", "0-0 1-1 1-2 5-3\n")]);
    assert_eq!(room.stdout("symmetrize f r --invert-reverse"), "0-0 1-1 1-2 2-1 3-5\n");
}

#[test]
fn files_may_count_from_one() {
    let room = Room::with_files(&[("f", "1-1 2-2\n"), ("r", "1-1 3-2\n"), ("zero", "0-0\n")]);
    assert_eq!(room.stdout("symmetrize f r --links-base 1 --method union"), "1-1 2-2 3-2\n");
    assert_eq!(room.stdout("symmetrize f r --base 1 --method union"), "1-1 2-2 3-2\n");
    let error = room.error("symmetrize f zero --links-base 1");
    assert!(error.starts_with("error: zero:1:1: expected positions from 1"), "{error}");
    assert!(error.contains("--links-base 0"), "{error}");
}

#[test]
fn standard_input_and_compressed_files_are_read_and_written() {
    let room = room();
    let answer = room.run_with("symmetrize f - -o both.gz --quiet", REVERSE);
    assert_eq!((answer.stdout.as_str(), answer.stderr.as_str(), answer.code), ("", "", Some(0)));
    assert_eq!(std::fs::read(room.path("both.gz")).unwrap()[..2], [0x1F, 0x8B]);
    assert_eq!(room.stdout("symmetrize both.gz both.gz"), "0-0 1-1 1-2 2-1 3-5\n");
    let error = room.error("symmetrize - -");
    assert_eq!(error, "error: standard input cannot be read twice: FORWARD and REVERSE are both `-`\n");
}

#[test]
fn empty_lines_and_empty_files_are_fine() {
    let room = Room::with_files(&[("f", "\n0-0\n\n"), ("r", "\n\n1-1"), ("empty", "")]);
    assert_eq!(room.stdout("symmetrize f r --method union"), "\n0-0\n1-1\n");
    let answer = room.run("symmetrize empty empty");
    assert_eq!((answer.stdout.as_str(), answer.code), ("", Some(0)));
}

#[test]
fn unequal_lengths_write_nothing() {
    let room = Room::with_files(&[("f", "0-0\n1-1\n"), ("r", "0-0\n1-1\n\n"), ("empty", "")]);
    let message = "error: unequal lengths: f has 2 lines, r has 3\n";
    assert_eq!(room.error("symmetrize f r"), message);
    assert_eq!(room.error("symmetrize f r -o both"), message);
    assert_eq!(room.error("symmetrize f empty -o both"), "error: unequal lengths: f has 2 lines, empty has 0\n");
    let answer = room.run_with("symmetrize - r -o both", "0-0\n");
    assert_eq!(answer.stderr, "error: unequal lengths: <stdin> has 1 line, r has 3\n");
    assert_eq!(answer.code, Some(2));
    assert_eq!(room.names(), "empty f r");
}

#[test]
fn malformed_links_have_a_place() {
    let room = Room::with_files(&[("f", "0-0\n0-0 1=1\n"), ("r", "0-0\n0-0\n"), ("x.A3.final", "# Sentence\n\n")]);
    let expected = "error: f:2:5: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `1=1`\n";
    assert_eq!(room.error("symmetrize f r -o both"), expected);
    let error = room.error("symmetrize x.A3.final r -o both");
    assert!(error.starts_with("error: x.A3.final:1:1: expected a link"), "{error}");
    assert!(
        error.ends_with("hint: the name suggests the format giza: convert it to Pharaoh with `alinea convert`\n"),
        "{error}"
    );
    assert_eq!(room.names(), "f r x.A3.final");
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    let room = room();
    std::fs::create_dir(room.path("folder")).unwrap();
    assert_eq!(room.error("symmetrize f missing"), "error: missing: No such file or directory\n");
    assert_eq!(room.error("symmetrize folder r"), "error: folder: is a directory\n");
    assert_eq!(room.error("symmetrize f r -o folder"), "error: folder: is a directory\n");
    assert_eq!(room.error("symmetrize f r -o none/both"), "error: none/both: the directory none does not exist\n");
    let error = room.error("symmetrize f r -o r");
    assert_eq!(error, "error: r: --output would overwrite the input REVERSE\n");
    assert_eq!(room.read("r"), REVERSE);
    assert!(room.error("symmetrize f r --method gdfo").contains("invalid value 'gdfo'"));
}

#[test]
fn methods_have_the_names_of_other_programs_too() {
    let room = room();
    for (name, method) in [
        ("intersect", "intersection"),
        ("gd", "grow-diag"),
        ("gdf", "grow-diag-final"),
        ("gdfa", "grow-diag-final-and"),
        ("grow_diag", "grow-diag"),
        ("grow_diag_final", "grow-diag-final"),
        ("grow_diag_final_and", "grow-diag-final-and"),
    ] {
        let outcome = room.run(&format!("symmetrize f r --method {name}")).success();
        assert_eq!(outcome.stdout, room.stdout(&format!("symmetrize f r --method {method}")), "{name}");
        assert!(outcome.stderr.ends_with(&format!("({method})\n")), "{}", outcome.stderr);
    }
    room.run("symmetrize f r -m grow-diag").refused("error: -m is a model file; the method is --method");
}

#[test]
fn options_of_atools_are_understood() {
    let room = room();
    for (words, ours) in [
        ("-i f -j r -c grow-diag-final-and", "f r"),
        ("-c intersect -j r -i f", "f r --method intersection"),
        ("f -j r", "f r"),
        ("--input_1 r --input_2=f --command grow-diag-final", "r f --method grow-diag-final"),
    ] {
        assert_eq!(room.stdout(&format!("symmetrize {words}")), room.stdout(&format!("symmetrize {ours}")), "{words}");
    }
    room.run("symmetrize -i f -c invert").refused(
        "error: alinea symmetrize has no invert: for a reverse file with the target word first, use --invert-reverse",
    );
    assert!(room.error("symmetrize -i f -j r -c gdfo").contains("invalid value 'gdfo'"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let many = "0-0 1-1 2-2\n".repeat(200_000);
    let room = Room::with_files(&[("f", &many), ("r", &many)]);
    let answer = room.run_and_leave("symmetrize f r");
    assert_eq!((answer.stderr.as_str(), answer.code), ("", Some(0)));
}
