//! `--encoder`: word vectors of a pretrained encoder.

use std::path::Path;

use crate::support::Room;

/// A tiny encoder with random weights, which knows nothing.
const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../alinea-encoder/tests/data/xlm-roberta");

#[test]
fn an_encoder_that_knows_nothing_changes_nothing() {
    let room = Room::with_sample(60);
    let links = room.align("");
    let outcome = room.run(&format!("align s t --encoder {TINY}")).success();
    assert_eq!(outcome.lines(), links);
    assert!(outcome.stderr.contains("warning: "), "{}", outcome.stderr);
    let outcome = room.run(&format!("align s t --encoder {TINY} --signature -o out")).success();
    assert!(outcome.stderr.contains("|encoder:xlm-roberta.2"), "{}", outcome.stderr);
}

#[test]
fn vectors_are_kept() {
    let room = Room::with_sample(20);
    let align = |out: &str| {
        room.run(&format!(
            "align s t --encoder {TINY} --encoder-layer 3 --encoder-cache kept --posteriors {out} -o links"
        ))
        .success()
    };
    align("first");
    let kept = std::fs::read(room.path("kept")).unwrap();
    align("second");
    assert_eq!(room.read("first"), room.read("second"));
    assert_eq!(kept, std::fs::read(room.path("kept")).unwrap());
    let error = room.run(&format!("align s t --encoder {TINY} --encoder-layer 1 --encoder-cache kept")).failure(2);
    assert!(error.contains("kept: "), "{error}");
}

#[test]
fn models_from_files_are_joined_too() {
    let room = Room::with_sample(60);
    room.run("train s t -q -m model").success();
    let links = room.align("-m model");
    assert_eq!(room.align(&format!("-m model --encoder {TINY}")), links);
    room.run(&format!("align -m model --adapt 2 s t --encoder {TINY} -o out")).success();
    room.run(&format!("align -m model s t --encoder {TINY} --threshold auto -o out")).success();
}

#[test]
fn what_is_no_encoder_is_refused() {
    let room = Room::with_sample(5);
    room.write("config.json", "{}");
    for (options, expected) in [
        ("--encoder no/such-model", "hf download no/such-model config.json tokenizer.json model.safetensors"),
        ("--encoder .", "tokenizer.json"),
        ("--encoder config.json", "config.json"),
    ] {
        let error = room.run(&format!("align s t {options} -o out")).failure(2);
        assert!(error.contains(expected), "{options}: {error}");
        assert!(!room.path("out").exists(), "nothing is written");
    }
    let error = room.run(&format!("align s t --model hmm --encoder {TINY}")).failure(2);
    assert!(error.contains("--encoder is for the models"), "{error}");
}

/// With the weights that `packages/encoder` fetches.
#[test]
#[expect(clippy::print_stderr, reason = "says what is not tested")]
fn a_real_encoder_spares_a_fifth_of_the_errors() {
    let Some(encoder) = std::env::var_os("ALINEA_ENCODER") else {
        eprintln!("not tested: ALINEA_ENCODER is not set");
        return;
    };
    let room = Room::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample");
    for (name, file) in [("s", "en-fr.en"), ("t", "en-fr.fr"), ("gold", "en-fr.gold")] {
        room.write(name, std::fs::read(sample.join(file)).unwrap());
    }
    let error = |options: &str| -> f64 {
        room.run(&format!("align s t -o links {options}")).success();
        let json = room.run("evaluate --gold gold links --first --json").success().stdout;
        let scores: serde_json::Value = serde_json::from_str(&json).unwrap();
        scores["corpus"]["aer"].as_f64().unwrap()
    };
    let (without, with) = (error(""), error(&format!("--encoder {}", Path::new(&encoder).display())));
    assert!(with < 0.8 * without, "{without} {with}");
}
