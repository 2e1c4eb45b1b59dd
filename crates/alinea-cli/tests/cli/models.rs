//! `alinea train`, `model` and `align -m`, on the sample of `alinea demo`.
//!
//! Models are compared with each other: a saved model must give the links of the training run, and equal runs equal
//! bytes. Damaged files, changed files and contradicting options must be errors with the expected message.

use std::collections::BTreeSet;

use crate::support::{Room, sample};

/// The first 60 pairs of the sample as `s` and `t`, 60 more as `s2` and `t2`, and a model of the first.
fn room(options: &str) -> Room {
    let room = Room::with_sample(60);
    let (source, target) = sample(120);
    let rest = |text: &str| -> String { text.split_inclusive('\n').skip(60).collect() };
    room.write("s2", rest(&source));
    room.write("t2", rest(&target));
    room.run(&format!("train s t -m model {options}")).success();
    room
}

/// Each command line is an error that says this.
fn assert_refused(room: &Room, cases: &[(&str, &str)]) {
    for (words, expected) in cases {
        let message = room.run(words).failure(2);
        assert!(message.contains(expected), "{words}: {message}");
    }
}

#[test]
fn the_text_trained_on_gets_the_links_of_training() {
    for options in ["", "--model agreement", "--model hmm", "--model ibm1", "--add s2 t2"] {
        let room = room("");
        room.run(&format!("train s t -m model {options}")).success();
        let kinds = "--forward f --reverse r --posteriors p --scores c";
        room.run(&format!("align s t {options} {kinds} -o links")).success();
        let expected: Vec<String> = ["links", "f", "r", "p", "c"].map(|name| room.read(name)).to_vec();
        for threads in [1, 3] {
            room.run(&format!("align s t -m model {kinds} -o links --threads {threads}")).success();
            let ours: Vec<String> = ["links", "f", "r", "p", "c"].map(|name| room.read(name)).to_vec();
            assert_eq!(ours, expected, "{options}");
        }
        let jsonl = room.run(&format!("align s t {options} --format jsonl")).success().stdout;
        assert_eq!(room.run("align s t -m model --format jsonl").success().stdout, jsonl, "{options}");
    }
}

#[test]
fn text_flows_through_in_order_and_parts_do_not_matter() {
    let room = room("");
    let (source, target) = (room.read("s2"), room.read("t2"));
    let alone = room.run("align s2 t2 -m model").success().lines();
    // Two thousand pairs and more: several batches of one thread.
    let joined: String = source.lines().zip(target.lines()).map(|(s, t)| format!("{s} ||| {t}\n")).collect();
    let many = joined.repeat(40);
    let expected: Vec<String> = alone.iter().cycle().take(40 * alone.len()).cloned().collect();
    room.write("many", many);
    for options in ["--threads 1", "--threads 3"] {
        let outcome = room.run(&format!("align -m model --bitext many {options}")).success();
        assert_eq!(outcome.lines(), expected, "{options}");
    }
    assert_eq!(room.run_with("align -m model --bitext - --line-buffered", joined).success().lines(), alone);
}

#[test]
fn the_same_text_and_options_give_the_same_model() {
    let room = room("--threads 1");
    let model = std::fs::read(room.path("model")).unwrap();
    room.run("train s t -m again --threads 3").success();
    assert!(std::fs::read(room.path("again")).unwrap() == model);
    let joined: String =
        room.read("s").lines().zip(room.read("t").lines()).map(|(s, t)| format!("{s} ||| {t}\n")).collect();
    room.run_with("train --bitext - -m again", joined).success();
    assert!(std::fs::read(room.path("again")).unwrap() == model);
}

#[test]
fn posteriors_of_subwords_are_in_the_file() {
    let room = room("--model quality --checkpoint point");
    let aligned = room.run("align s t --model quality --signature").success();
    assert!(aligned.stderr.contains("|independent:0.7|subwords:0.8|"), "{}", aligned.stderr);
    assert!(aligned.stderr.contains("|links:posterior>=0.3892\n"), "{}", aligned.stderr);
    assert_eq!(room.run("align s t -m model").success().stdout, aligned.stdout);
    assert_ne!(room.run("align s t --threshold 0.3").success().stdout, aligned.stdout);
    room.run("align s t -m model --calibrated possible --posteriors mapped").success();
}

#[test]
fn text_that_is_new_to_a_model_has_the_threshold_of_its_own() {
    let room = room("--model quality");
    let old = room.run("align s t --model quality").success();
    let new = room.run("align s2 t2 -m model --signature").success();
    assert!(new.stderr.contains("|links:posterior>=0.3892\n"), "{}", new.stderr);
    assert_eq!(new.stdout, room.run("align s2 t2 -m model --threshold 0.3892").success().stdout);
    assert_ne!(new.stdout, room.run("align s2 t2 -m model --threshold 0.45").success().stdout);
    // Pairs that the model was trained on among others that are new to it.
    for (side, other, both) in [("s", "s2", "s3"), ("t", "t2", "t3")] {
        room.write(both, room.read(side) + &room.read(other));
    }
    let both = room.run("align s3 t3 -m model").success();
    assert_eq!(both.lines(), [old.lines(), new.lines()].concat());
    // A model that is adapted to a text has not met it before.
    let adapted = room.run("align s2 t2 -m model --adapt 2 --signature").success();
    assert!(adapted.stderr.contains("|links:posterior>=0.3892\n"), "{}", adapted.stderr);
}

/// A model that SentencePiece made of the sample.
const PIECES: &[u8] = include_bytes!("../../../alinea/tests/vectors/sentence-piece/unigram.model");

#[test]
fn pieces_of_sentence_piece_are_words() {
    let room = Room::with_sample(60);
    room.write("spm", PIECES);
    let raw = room.run("align -q s t --tokenize sentencepiece:spm --format jsonl").success();
    let records = || raw.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    for (side, file) in [("source", "s.pieces"), ("target", "t.pieces")] {
        let words = |record: serde_json::Value| {
            let words = record[side].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned());
            words.collect::<Vec<_>>().join(" ") + "\n"
        };
        room.write(file, records().map(words).collect::<String>());
    }
    assert!(room.read("s.pieces").starts_with('▁'), "{}", room.read("s.pieces"));
    // Links count what other programs see in the file of pieces.
    let cut = room.run("align -q s.pieces t.pieces").success().stdout;
    let expected = room.run("align -q s t --tokenize sentencepiece:spm").success().stdout;
    assert_eq!(cut, expected);
    // A saved model has the pieces in it.
    room.run("train -q s t --tokenize sentencepiece:spm -m model").success();
    std::fs::remove_file(room.path("spm")).unwrap();
    assert_eq!(room.run("align -q s t -m model").success().stdout, expected);
    assert!(room.run("model show model").success().stdout.contains("tokenize sentencepiece"));
    let error = room.run("align s t --tokenize sentencepiece:spm -o links").failure(2);
    assert!(error.contains("invalid value 'sentencepiece:spm' for '--tokenize <HOW>': spm: No such file"), "{error}");
    room.write("spm", "other");
    let error = room.run("align s t --tokenize sentencepiece:spm -o links").failure(2);
    assert!(error.contains("spm: expected a model of SentencePiece, found other data"), "{error}");
    let error = room.run("align s t --tokenize moses -o links").failure(2);
    assert!(error.contains("must be none, whitespace, unicode, script, dictionary or sentencepiece:MODEL"), "{error}");
    assert_eq!(room.names(), "model s s.pieces spm t t.pieces");
}

#[test]
fn text_without_blanks_is_cut_by_dictionaries() {
    let room = Room::with("他昨天在图书馆。\n", "昨日、図書館で\u{3000}本を。\n");
    let cut = |how: &str| {
        let record = room.run(&format!("align -q s t --format jsonl --tokenize {how}")).success().stdout;
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        ["source", "target"].map(|side| serde_json::from_value::<Vec<String>>(record[side].clone()).unwrap().join(" "))
    };
    assert_eq!(cut("dictionary"), ["他 昨天 在 图书 馆 。", "昨日 、 図書館 で 本 を 。"]);
    assert_eq!(cut("whitespace"), ["他昨天在图书馆。", "昨日、図書館で 本を。"]);
    assert_eq!(cut("script"), ["他 昨 天 在 图 书 馆 。", "昨 日 、 図 書 館 で 本 を 。"]);
}

#[test]
fn a_model_reads_text_as_it_was_trained() {
    let room = room("--tokenize unicode --no-lowercase");
    let expected = room.run("align s t --tokenize unicode --no-lowercase").success();
    let ours = room.run("align s t -m model --progress json").success();
    assert_eq!(ours.stdout, expected.stdout);
    let told: serde_json::Value = serde_json::from_str(ours.stderr.lines().last().unwrap()).unwrap();
    let signature = told["signature"].as_str().unwrap();
    assert!(signature.contains("|frozen|lowercase:false|tokenize:unicode|"), "{signature}");
    for option in ["--tokenize <HOW>", "--no-lowercase", "--lowercase"] {
        let given = option.replace("<HOW>", "none");
        for (words, complaint) in [
            (format!("-m model {given}"), format!("'--model-file <FILE>' cannot be used with '{option}'")),
            (format!("{given} -m model"), format!("'{option}' cannot be used with '--model-file <FILE>'")),
            (format!("-m model --adapt 2 {given}"), format!("'--model-file <FILE>' cannot be used with '{option}'")),
        ] {
            let refused = room.run(&format!("align s t {words}")).failure(2);
            assert!(refused.contains(&complaint), "{words}: {refused}");
            assert!(refused.contains("tip: a saved model is used as it was trained"), "{words}: {refused}");
        }
    }
    // Other conflicts have nothing to do with it, and in training they go together.
    assert!(!room.run("align s t --lowercase --no-lowercase").failure(2).contains("tip: "));
    room.run("train s t --lowercase -m folded -q").success();
    room.run("train s t -m plain -q").success();
    assert_eq!(std::fs::read(room.path("folded")).unwrap(), std::fs::read(room.path("plain")).unwrap());
}

#[test]
fn a_model_is_adapted_to_the_text() {
    let room = room("");
    let adapted = room.run("align s2 t2 -m model --adapt 2 --threads 1 --signature").success();
    assert_eq!(room.run("align s2 t2 -m model --adapt 2 --threads 3").success().stdout, adapted.stdout);
    assert_ne!(room.run("align s2 t2 -m model").success().stdout, adapted.stdout);
    assert_ne!(room.run("align s2 t2").success().stdout, adapted.stdout);
    assert!(adapted.stderr.contains("|adapt:2|lowercase:true|"), "{}", adapted.stderr);
    room.run("align s2 t2 -m model --adapt 2 --objective f:0.5").success();
    // Without a number it is the same wherever it stands.
    let eight = room.run("align s2 t2 -m model --adapt 8").success().stdout;
    for words in
        ["s2 t2 -m model --adapt", "--adapt s2 t2 -m model", "s2 --adapt t2 -m model", "-m model --adapt -- s2 t2"]
    {
        assert_eq!(room.run(&format!("align {words}")).success().stdout, eight, "{words}");
    }
    let cases = [
        ("align s2 t2 --adapt 2", "--model-file <FILE>"),
        ("align s2 t2 --adapt", "--model-file <FILE>"),
        ("align s2 t2 -m model --adapt=", "'--adapt [<N>]'"),
        ("align s2 t2 -m model --adapt 0", "--adapt = 0: must be 1 to 1000 passes"),
        ("align s2 t2 -m model --adapt 2 --line-buffered", "cannot be used with"),
    ];
    assert_refused(&room, &cases);
    let message = room.run_with("align --bitext - -m model --adapt 2", "").failure(2);
    assert!(message.contains("nothing to align: the text has no lines"), "{message}");
}

#[test]
fn text_of_other_languages_is_noticed() {
    let room = room("");
    let message = room.run("align t s -m model -o links").success().stderr;
    assert!(message.contains("source and target seem to be swapped"), "{message}");
    room.write("w", "ni hao\n".repeat(60));
    let message = room.run("align s w -m model -o links").success().stderr;
    assert!(message.contains("100 % of the target words: is it for other languages"), "{message}");
    assert!(!room.run("align s t -m model -o links").success().stderr.contains("does not know"));
}

#[test]
fn a_model_shows_what_is_in_it() {
    let room = room("");
    let shown = room.run("model show model --source the --source THE --target xyz --top 2").success().lines();
    assert!(shown[0].starts_with("model      model:agreement-loo|"), "{}", shown[0]);
    assert_eq!(shown[1], "text       lowercase true, tokenize none");
    assert!(shown[2].starts_with("pairs      60, "), "{}", shown[2]);
    assert_eq!(shown[7], "p(target word | the)");
    assert_eq!(
        (&shown[8..10], &shown[10], &shown[11]),
        (&shown[12..14], &String::new(), &"p(target word | THE)".to_owned())
    );
    assert_eq!(shown[15], "xyz: not among the target words");
    let json = room.run("model show model --json --target la --top 400").success().stdout;
    let numbers: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&numbers["pairs"], &numbers["source"]), (&serde_json::json!(60), &serde_json::json!([])));
    let translations = numbers["target"][0]["translations"].as_array().unwrap();
    let probabilities: Vec<f64> = translations.iter().map(|one| one["probability"].as_f64().unwrap()).collect();
    assert!(probabilities.is_sorted_by(|a, b| a >= b));
    // What is missing to one is kept for words that were never met with it.
    let sum: f64 = probabilities.iter().sum();
    assert!((0.9..=1.001).contains(&sum), "{sum}");
}

#[test]
fn what_is_no_model_is_refused() {
    let room = room("");
    let model = std::fs::read(room.path("model")).unwrap();
    room.write("cut", &model[..model.len() - 1]);
    room.write("empty", "");
    let cases = [
        ("cut", "expected a file written by alinea, found"),
        ("empty", "empty:"),
        ("s", "expected a file written by alinea, found something else"),
        ("nothing", "nothing: No such file"),
        (".", ".: is a directory"),
    ];
    for (name, expected) in cases {
        let message = room.run(&format!("align s t -m {name} -o links")).failure(2);
        assert!(message.contains(expected), "{name}: {message}");
    }
    assert_eq!(room.names(), "cut empty model s s2 t t2");
}

#[test]
fn what_cannot_be_is_said_before_work_begins() {
    let room = room("");
    let cases = [
        ("train s t -m model.gz", "such a file cannot be compressed"),
        ("train s t -m s", "--model-file would overwrite the input SOURCE"),
        ("train s t", "--model-file <FILE>"),
        ("train s t2 -m new --columns 1,2", "--columns needs --bitext"),
        ("align s t -m model -o model", "--output would overwrite the input --model-file"),
        ("align s t -m model --objective aer", "--objective needs the whole text"),
        ("train s t -m new --links full", "--links full is for `alinea align`"),
        ("align s t -m model --model hmm", "cannot be used with '--model <NAME>'"),
        ("align s t -m model --add s2 t2", "cannot be used with '--add <SOURCE> <TARGET>'"),
        ("align s t --line-buffered", "--model-file <FILE>"),
    ];
    assert_refused(&room, &cases);
    room.write("short", "a\n");
    let message = room.run("align s short -m model -o links").failure(2);
    assert!(message.contains("unequal lengths: s has 60 lines, short has 1"), "{message}");
    let message = room.run_with("align -m model --bitext - -o links", "a b ||| c\nthe end").failure(2);
    assert!(message.contains("<stdin>:2:1: expected one separator"), "{message}");
    assert_eq!(room.names(), "model s s2 short t t2");
}

#[test]
fn the_table_of_translations_is_exported_and_read_as_a_dictionary() {
    let room = room("");
    let table = |options: &str| room.run(&format!("model export model {options}")).success().lines();
    let words = table("--least 0");
    let shown = room.run("model show model --source the --top 1").success().stdout;
    let (p, best) = shown.lines().last().unwrap().split_once("  ").unwrap();
    let of_the: Vec<&String> = words.iter().filter(|line| line.starts_with("the\t")).collect();
    assert!(of_the[0].starts_with(&format!("the\t{best}\t{}", &p[..5])), "{} {shown}", of_the[0]);
    // Nothing is left out, and what follows from the definitions of the formats.
    let sum: f64 = of_the.iter().map(|line| line.rsplit('\t').next().unwrap().parse::<f64>().unwrap()).sum();
    assert!(sum > 0.1 && sum <= 1.0001, "{sum}");
    let fields = |line: &str| line.split([' ', '\t']).map(str::to_owned).collect::<Vec<_>>();
    let (moses, fast_align) = (table("--least 0 --format moses"), table("--least 0 --format fast-align"));
    let without_null = moses.iter().filter(|line| fields(line)[1] != "NULL");
    assert_eq!(without_null.clone().count(), words.len());
    for (words, moses) in words.iter().zip(without_null) {
        let (words, moses) = (fields(words), fields(moses));
        assert_eq!([&words[0], &words[1], &words[2]], [&moses[1], &moses[0], &moses[2]]);
    }
    assert_eq!(moses.len(), fast_align.len());
    for (moses, fast_align) in moses.iter().zip(&fast_align).filter(|(moses, _)| !moses.ends_with("0.0000000")) {
        let number = |fields: &[String]| fields[2].parse::<f64>().unwrap();
        assert!((number(&fields(moses)) - number(&fields(fast_align)).exp()).abs() < 1e-5);
        assert!(fast_align.starts_with("<eps>") == moses.contains(" NULL "));
    }
    assert!(table("--least 0.5").len() < table("--least 0.01").len());
    for format in ["words", "moses", "marian", "fast-align", "eflomal"] {
        room.run(&format!("model export model --format {format} --least 0.01 -o table.gz")).success();
        let told =
            room.run(&format!("align s2 t2 --dictionary table.gz --dictionary-format {format} -o out")).success();
        assert!(told.stderr.contains("of them found in the text"), "{}", told.stderr);
    }
    assert_refused(
        &room,
        &[
            ("model export model --format eflomal --reverse", "eflomal priors cover both directions"),
            ("model export model --least 2", "--least = 2: must be 0 to 1"),
            ("model export s", "s: expected"),
            ("model export model -o model", "would overwrite the input MODEL"),
            ("align s2 t2 --dictionary-format moses", "--dictionary"),
        ],
    );
}

#[test]
fn a_pruned_model_is_smaller_and_says_nearly_the_same() {
    for options in ["", "--model agreement", "--model hmm"] {
        let room = room(options);
        let told = room.run("model prune model -o small --progress json").success().stderr;
        let told: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
        assert!(told["lost"].as_f64().unwrap() < 1e-4, "{told}");
        let size = |name: &str| std::fs::metadata(room.path(name)).unwrap().len();
        assert!(size("small") < size("model"), "{options}");
        for text in ["s t", "s2 t2"] {
            let links = |model: &str| room.run(&format!("align {text} -m {model} --posteriors p")).success().lines();
            let (before, after) = (links("model"), links("small"));
            let other = before.iter().zip(&after).filter(|(before, after)| before != after).count();
            // Single precision decides where a posterior lies at the threshold.
            assert!(other <= 1, "{options} {text}: {other} of {} lines differ", before.len());
        }
        if options == "--model hmm" {
            continue;
        }
        let most = size("small") - 8000;
        let told = room.run(&format!("model prune model -o smaller --size {most} --progress json")).success().stderr;
        let told: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
        assert!(size("smaller") <= most && size("smaller") > most - 2000, "{told}");
        assert_eq!(told["bytes"], size("smaller"));
        assert!(told["lost"].as_f64().unwrap() > 0.0, "{told}");
        room.run("align s t -m smaller").success();
    }
    let room = room("");
    assert_refused(
        &room,
        &[
            ("model prune model -o small --size 1kB", "words, stems and the model's own text take more than that"),
            ("model prune model -o model", "would overwrite the input MODEL"),
            ("model prune model -o small.gz", "cannot be compressed"),
            ("model prune s -o small", "s: expected"),
            ("model prune model -o small --size 1XB", "expected a size such as 100MB"),
        ],
    );
    assert!(!room.path("small").exists());
}

#[test]
fn models_are_merged() {
    let room = room("");
    room.run("train s2 t2 -m other").success();
    room.run("train s t -m hmm --model hmm").success();
    let told = room.run("model merge model other -o both").success().stderr;
    assert!(told.contains("|merged:2"), "{told}");
    assert_eq!(room.run("align s2 t2 -m both").success().lines().len(), 60);
    let bytes = |name: &str| std::fs::read(room.path(name)).unwrap();
    room.run("model merge model other -o again --threads 3").success();
    assert!(bytes("both") == bytes("again"));
    // What was merged or pruned has counts too.
    room.run("model prune both -o small").success();
    room.run("model merge small hmm -o x").failure(2);
    room.run("model merge small model -o three").success();
    assert_refused(
        &room,
        &[
            ("model merge model hmm -o x", "model and hmm are models of different kinds"),
            ("model merge model other -o other", "would overwrite the input MODEL"),
            ("model merge model s -o x", "s: expected"),
        ],
    );
    assert!(!room.path("x").exists());
}

/// The shares of the word types and tokens of a text that a part does not have.
fn unseen_shares(text: &str, part: &str) -> [f64; 2] {
    let words = |text: &str| text.to_lowercase().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (all, seen): (_, BTreeSet<_>) = (words(text), words(part).into_iter().collect());
    let types: BTreeSet<_> = all.iter().collect();
    let unseen = types.iter().filter(|word| !seen.contains(**word)).count();
    let tokens = all.iter().filter(|word| !seen.contains(*word)).count();
    [unseen as f64 / types.len() as f64, tokens as f64 / all.len() as f64]
}

#[test]
fn a_model_can_be_trained_on_a_part_of_a_text() {
    let room = room("");
    let every_third = |name: &str| -> String { room.read(name).split_inclusive('\n').skip(1).step_by(3).collect() };
    room.write("s3", every_third("s"));
    room.write("t3", every_third("t"));
    room.run("train s3 t3 -m expected").success();
    let told = room.run("train s t -m part --train-on 20").success().stderr;
    assert!(told.starts_with("pairs      20\n"), "{told}");
    let shares = ["s", "t"].map(|name| unseen_shares(&room.read(name), &every_third(name)));
    let [source, target] = shares.map(|[types, tokens]| [100.0 * types, 100.0 * tokens]);
    let line = format!(
        "\nunseen     {:.1} % of source words, {:.2} % of tokens; {:.1} % of target words, {:.2} % of tokens\n",
        source[0], source[1], target[0], target[1]
    );
    assert!(told.contains(&line), "{told}");
    assert!(shares[0][0] > 0.0 && shares[0][1] < shares[0][0]);
    let told = room.run("train s t -m part --train-on 20 --progress json").success().stderr;
    let summary: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    let [source, target] = shares.map(|[types, tokens]| serde_json::json!({"types": types, "tokens": tokens}));
    assert_eq!(summary["unseen"], serde_json::json!({"source": source, "target": target}));
    let bytes = |name: &str| std::fs::read(room.path(name)).unwrap();
    assert!(bytes("part") == bytes("expected"));
    assert_eq!(room.run("align s t -m part").success().lines().len(), 60);
    let told = room.run("train s t -m all --train-on 1000").success().stderr;
    assert!(told.contains("unseen     0.0 % of source words, 0.00 % of tokens; 0.0 %"), "{told}");
    assert!(bytes("all") == bytes("model"));
    assert_refused(
        &room,
        &[
            ("train s t -m x --train-on 0", "--train-on = 0: must be 1 or more"),
            ("train s - -m x --train-on 5", "not of standard input"),
            ("train s t -m x --train-on 5 --links known", "--links"),
        ],
    );
}

#[test]
fn a_zeroed_page_is_refused_or_changes_nothing_and_is_always_found() {
    let room = Room::with_sample(400);
    room.run("train s t -m model").success();
    let told = room.run("model check model").success().stdout;
    assert!(told.starts_with("model: sound: alinea model, "), "{told}");
    let (whole, links) = (std::fs::read(room.path("model")).unwrap(), room.run("align s t -m model").success().stdout);
    let pages = whole.len().div_ceil(4096);
    for page in (0..pages).filter(|page| *page < 4 || page % (pages / 24 + 1) == 0) {
        let mut damaged = whole.clone();
        damaged[page * 4096..].iter_mut().take(4096).for_each(|byte| *byte = 0);
        if damaged == whole {
            continue;
        }
        room.write("damaged", &damaged);
        let outcome = room.run("align s t -m damaged -o links");
        match outcome.code {
            Some(0) => assert_eq!(room.read("links"), links, "page {page}"),
            _ => assert!(outcome.failure(2).contains("error: damaged: expected "), "page {page}"),
        }
        let checked = room.run("model check model damaged --json");
        assert_eq!(checked.code, Some(2), "page {page}");
        let files: Vec<serde_json::Value> =
            checked.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((&files[0]["sound"], &files[1]["sound"]), (&true.into(), &false.into()), "page {page}");
    }
}

#[test]
fn a_model_may_be_changed_and_cut_off_while_text_flows_through_it() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let room = room("");
    let mut command = room.command("align -m model --bitext - --line-buffered");
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let (mut text, mut links) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut ask = || {
        writeln!(text, "the house is small ||| la maison est petite").unwrap();
        let mut line = String::new();
        links.read_line(&mut line).unwrap();
        line
    };
    let first = ask();
    assert!(first.ends_with('\n'), "{first}");
    let len = std::fs::metadata(room.path("model")).unwrap().len();
    let mut file = std::fs::File::options().write(true).open(room.path("model")).unwrap();
    file.write_all(&vec![0xFF; len as usize]).unwrap();
    assert_eq!(ask(), first);
    file.set_len(0).unwrap();
    assert_eq!(ask(), first);
    drop(text);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn models_come_from_pipes_and_mistaken_options_are_reported() {
    let room = room("");
    let expected = room.run("align s t -m model").success().stdout;
    let model = std::fs::read(room.path("model")).unwrap();
    assert_eq!(room.run_with("align s t -m -", &model).success().stdout, expected);
    #[cfg(unix)]
    assert_eq!(room.run_with("align s t -m /dev/stdin", &model).success().stdout, expected);
    let message = room.run_with("align s t -m -", &model[..model.len() - 1]).failure(2);
    assert!(message.contains("<stdin>: expected a file written by alinea, found"), "{message}");
    assert_refused(
        &room,
        &[
            ("align s t --model model", "use --model-file (-m) for a model in a file"),
            ("align s t --model en-fr.alinea", "use --model-file (-m) for a model in a file"),
            ("align s t --iterations 5,hmm:4", "such as ibm1:5,hmm:5, not a number alone"),
            ("align s t --iterations 0", "at least one pass of hmm"),
            ("align - t -m -", "standard input cannot be read twice"),
        ],
    );
}
