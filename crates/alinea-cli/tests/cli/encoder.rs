//! `--encoder`: word vectors of a pretrained encoder.

use std::path::Path;

use crate::support::{Room, sample};

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
    room.run(&format!("align -m model s t --encoder {TINY} --objective f:0.5 -o out")).success();
}

#[test]
fn models_that_are_not_joined_are_refused_before_an_encoder_is_looked_for() {
    let room = Room::with_sample(20);
    room.run("train s t -q --model hmm -m textbook").success();
    for options in ["", "--adapt 2"] {
        let error = room.run(&format!("align -m textbook s t --encoder no/such-model -o out {options}")).failure(2);
        assert!(error.contains("--encoder is for the models"), "{error}");
    }
}

#[test]
fn of_empty_sides_alone_nothing_is_said() {
    let room = Room::with_sample(20);
    room.run("train s t -q -m model").success();
    room.write("s", "the house\n\na garden\n");
    room.write("t", "\nla maison\n\n");
    for options in ["", "--encode 2", "--encode 50%"] {
        let outcome = room.run(&format!("align -m model s t --encoder {TINY} {options}")).success();
        assert_eq!(outcome.stdout, "\n\n\n");
        assert!(!outcome.stderr.contains("warning"), "{}", outcome.stderr);
    }
}

#[test]
fn the_time_of_encoding_is_told() {
    let room = Room::with_sample(20);
    room.run("train s t -q -m model").success();
    let parts = |options: &str| -> Vec<String> {
        let outcome = room.run(&format!("align s t -o out {options}")).success();
        let time = outcome.stderr.lines().find_map(|line| line.strip_prefix("time ")).unwrap();
        let (_, parts) = time.split_once(": ").unwrap();
        parts.split(", ").map(|part| part.split_once(' ').unwrap().0.to_owned()).collect()
    };
    for model in ["", "-m model", "-m model --adapt 2"] {
        assert_eq!(parts(model), ["reading", "training", "aligning"]);
        let with = parts(&format!("{model} --encoder {TINY}"));
        assert_eq!(with, ["reading", "encoding", "training", "aligning"]);
    }
}

#[test]
fn a_part_of_a_text_is_encoded() {
    let room = Room::with_sample(60);
    let links = room.align("");
    for encode in ["all", "10", "60", "1000", "25%", "100%"] {
        assert_eq!(room.align(&format!("--encoder {TINY} --encode {encode}")), links, "{encode}");
    }
    let signature = |options: &str| {
        let outcome = room.run(&format!("align s t -q --encoder {TINY} --signature -o out {options}")).success();
        outcome.stderr.split('|').find(|field| field.starts_with("encoded:")).map(str::to_owned)
    };
    assert_eq!(signature("--encode 10"), Some("encoded:10".to_owned()));
    assert_eq!(signature("--encode 60"), None);
    assert_eq!(signature(""), None);
    let share = signature("--encode 25%").unwrap();
    let pairs: usize = share.strip_prefix("encoded:").unwrap().parse().unwrap();
    assert!((1..30).contains(&pairs), "the least certain pairs are long ones: {pairs}");
    // Even the longest pairs need as many to have a quarter of the words.
    let words = |text: &str| -> Vec<usize> { text.lines().map(|line| line.split(' ').count()).collect() };
    let (source, target) = (words(&room.read("s")), words(&room.read("t")));
    let mut lengths: Vec<usize> = source.iter().zip(target).map(|(source, target)| source + target).collect();
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    assert!(4 * lengths.iter().take(pairs).sum::<usize>() >= lengths.iter().sum::<usize>(), "{pairs}");
    assert!(4 * lengths.iter().rev().take(pairs - 1).sum::<usize>() < lengths.iter().sum::<usize>(), "{pairs}");
    // Vectors of ten pairs are kept, and no others.
    room.run(&format!("align s t -q --encoder {TINY} --encode 10 --encoder-cache kept -o out")).success();
    let some = std::fs::read(room.path("kept")).unwrap().len();
    room.run(&format!("align s t -q --encoder {TINY} --encoder-cache kept -o out")).success();
    assert!(std::fs::read(room.path("kept")).unwrap().len() > 3 * some);
    for bad in ["0", "-5", "0%", "101%", "some"] {
        let error = room.run(&format!("align s t --encoder {TINY} --encode={bad} -o out")).failure(2);
        assert!(error.contains("all, 1 or more pairs, or a share above 0% such as 30%"), "{error}");
    }
    assert!(room.run("align s t --encode 10 -o out").failure(2).contains("--encoder"));
}

#[test]
fn models_are_trained_with_an_encoder() {
    let room = Room::with_sample(60);
    room.run("train s t -q -m plain").success();
    for options in ["", "--encode 20", "--encode 30%", "--train-on 50 --encode 20"] {
        let outcome = room.run(&format!("train s t -m model --encoder {TINY} --signature {options}")).success();
        assert!(outcome.stderr.contains("|encoder:xlm-roberta.2"), "{}", outcome.stderr);
        let shown = room.run("model show model").success().stdout;
        assert!(shown.contains("|encoder:xlm-roberta.2"), "{shown}");
        if !options.contains("--train-on") {
            assert_eq!(room.align("-m model"), room.align("-m plain"), "the encoder knows nothing: {options}");
        }
    }
    assert_eq!(room.align(&format!("-m plain --encoder {TINY} --encode 10")), room.align("-m plain"));
    assert_eq!(room.align(&format!("-m plain --encoder {TINY} --encode 10%")), room.align("-m plain"));
    room.run(&format!("align -m plain --adapt 2 s t --encoder {TINY} --encode 20% -o out")).success();
    for options in ["--shard 1/2 --counts counts", "--checkpoint counts -m other"] {
        let error = room.run(&format!("train s t --encoder {TINY} {options}")).failure(2);
        assert!(error.contains("--encoder") || error.contains("word vectors"), "{error}");
    }
    let error = room.run(&format!("train s t --model hmm -m other --encoder {TINY}")).failure(2);
    assert!(error.contains("--encoder is for the models"), "{error}");
    assert!(!room.path("other").exists());
    for checkpoint in ["--encode 10", "--encode 10%"] {
        let error = room.run(&format!("align s t --encoder {TINY} {checkpoint} --checkpoint c -o out")).failure(2);
        assert!(error.contains("unset with word vectors"), "{error}");
    }
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

#[test]
fn damaged_encoders_are_refused() {
    let room = Room::with_sample(5);
    std::fs::create_dir(room.path("e")).unwrap();
    let whole = |file: &str| std::fs::read(Path::new(TINY).join(file)).unwrap();
    let files = ["config.json", "tokenizer.json", "model.safetensors"];
    for file in files {
        room.write(&format!("e/{file}"), whole(file));
    }
    let refused = |file: &str, bytes: &[u8], expected: &str| {
        room.write(&format!("e/{file}"), bytes);
        let error = room.run("align s t --encoder e -o out").failure(2);
        assert!(error.contains(expected), "{expected}: {error}");
        assert!(!room.path("out").exists(), "nothing is written");
        room.write(&format!("e/{file}"), whole(file));
    };
    let config = String::from_utf8(whole("config.json")).unwrap();
    for (field, value, expected) in [
        ("\"model_type\": \"xlm-roberta\"", "\"model_type\": \"distilbert\"", "`model_type` to be `bert`"),
        ("\"num_hidden_layers\": 3", "\"num_hidden_layers\": 0", "`num_hidden_layers` to be a whole number from 1"),
        // Two pieces at the ends and one between them, behind the padding.
        ("\"max_position_embeddings\": 66", "\"max_position_embeddings\": 4", "to be a whole number from 5"),
        ("\"vocab_size\": 595", "\"vocab_size\": 0", "`vocab_size` to be a whole number from 1"),
        ("\"vocab_size\": 595", "\"vocab_size\": 594", "ids below 594, the size of the encoder's vocabulary"),
        ("\"hidden_size\": 32", "\"hidden_size\": 36", "found shape [66, 32]"),
    ] {
        assert!(config.contains(field), "{field}");
        refused("config.json", config.replace(field, value).as_bytes(), expected);
    }

    let tokenizer = whole("tokenizer.json");
    refused("tokenizer.json", &tokenizer[..tokenizer.len() / 2], "a tokenizer.json of Hugging Face");
    refused("tokenizer.json", &vec![b' '; (1 << 26) + 1], "bytes of the tokenizer of an encoder");

    let weights = whole("model.safetensors");
    refused("model.safetensors", &weights[..weights.len() - 1], "the file is truncated or damaged");
    refused("model.safetensors", b"", "found a file of 0 bytes");
    let (length, rest) = weights.split_first_chunk::<8>().unwrap();
    let header_end = 8 + u64::from_le_bytes(*length) as usize;
    let header: serde_json::Value = serde_json::from_slice(&rest[..header_end - 8]).unwrap();
    let bias = &header["roberta.embeddings.LayerNorm.bias"]["data_offsets"][0];
    let start = header_end + bias.as_u64().unwrap() as usize;
    let mut damaged = weights.clone();
    damaged[start + 4..start + 8].copy_from_slice(&f32::NAN.to_le_bytes());
    refused("model.safetensors", &damaged, "`roberta.embeddings.LayerNorm.bias`, found NaN at [1]");
    // Each weight is a number, but their sums are not.
    damaged[start..start + 128].copy_from_slice(&f32::MAX.to_le_bytes().repeat(32));
    refused("model.safetensors", &damaged, "expected finite outputs of layer 2");
    let name = b"roberta.encoder.layer.0.output.dense.bias";
    let place = weights.windows(name.len()).position(|bytes| bytes == name).unwrap();
    damaged.clone_from(&weights);
    damaged[place..place + 7].copy_from_slice(b"another");
    refused("model.safetensors", &damaged, "a tensor `roberta.encoder.layer.0.output.dense.bias`, found none");
}

#[test]
fn words_and_lines_without_end_are_aligned() {
    let (mut source, mut target) = sample(20);
    // Words of hundreds and of a million letters, a script that the encoder has not seen, and a line of 20,000 words.
    for text in [&mut source, &mut target] {
        for line in ["ab".repeat(300), "ab".repeat(500_000), "ᚠᚢᚦ ᚨᚱᚲ".to_owned(), "a b ".repeat(10_000)] {
            text.push_str(&line);
            text.push('\n');
        }
    }
    let room = Room::with(source, target);
    let outcome = room.run(&format!("align s t --encoder {TINY} --max-length 20000")).success();
    assert_eq!(outcome.lines().len(), 24);
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
