//! `alinea metric` for users of sacreBLEU: its options under their names there, and its test sets.
//!
//! Scores and signatures are those of sacreBLEU 2.6.0 with the same options and files.

use serde_json::Value;

use crate::metric::{line, room};
use crate::support::{Outcome, Room};

#[test]
fn options_of_sacrebleu_are_understood() {
    let room = room();
    let scored = |words: &str| line(&room.run(&format!("metric ref -i a -w 4 {words}")).success().stdout);
    assert_eq!(
        scored("-m bleu chrf ter -tok intl -lc --chrf-lowercase -cw 2 -cc 4 -f text"),
        "BLEU|nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0 = 52.5407 86.9/60.0/44.9/32.6 \
         (BP = 1.000 ratio = 1.000 hyp_len = 61 ref_len = 61)\n\
         chrF2++|nrefs:1|case:lc|eff:yes|nc:4|nw:2|space:no|version:2.6.0 = 78.9241\n\
         TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0 = 39.5833\n"
    );
    assert!(scored("--smooth-method add-k --smooth-value 2 -sh").contains("|s:add-k[2.00]|v:"));
    assert!(scored("-s add-k -sv=2 -e utf-8 -nc -j 1").contains("|smooth:add-k[2.00]|version:2.6.0 = 52.0976 "));
    assert!(scored("-ci -cin 200").contains("|bs:200|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|"));
    assert!(scored("-ci -cin 200").contains(" = 49.7259 (μ = 47.9383 ± 12.6257) "));
    assert_eq!(
        scored("--metrics ter --sentence-level -b").lines().collect::<Vec<_>>(),
        ["11.1111", "30.0000", "50.0000", "55.5556", "71.4286", "28.5714"]
    );
    let tested = room.run("metric -pbs ref -pbsn 200 -i a b -w 4").success().stdout;
    assert!(tested.contains("b       12.6079 (μ = 12.2730 ± 9.2509) p = 0.0050*\n"), "{tested}");
    room.write("tokenized", "Yes .\n".repeat(100));
    assert!(!room.run("metric tokenized -i tokenized --force").success().stderr.contains("lines that end in"));
    // Behind `--` there are files only.
    room.write("-m", room.read("a"));
    room.run("metric -i a -b -- -m").success();
}

#[test]
fn options_without_counterpart_are_answered() {
    let room = room();
    let select = "select the lines of all files first, by what sacrebleu --echo origlang docid prints";
    for (words, expected) in [
        ("--origlang de", format!("alinea metric has no --origlang: {select}")),
        ("-ol=de", format!("alinea metric has no --origlang: {select}")),
        ("--subset news", format!("alinea metric has no --subset: {select}")),
        ("-d", format!("alinea metric has no --detail: {select}")),
        ("--echo src ref", "alinea metric has no --echo: call sacrebleu --echo".to_owned()),
        (
            "--download wmt17",
            "alinea metric has no --download: call sacrebleu --download, then --test-set finds the files".to_owned(),
        ),
        (
            "--list",
            "alinea metric has no --list: call sacrebleu --list; --test-set knows those that it has downloaded"
                .to_owned(),
        ),
        ("--cite", "alinea metric has no --citation: call sacrebleu --citation".to_owned()),
        ("-V", "alinea metric has no --version: call alinea --version".to_owned()),
        ("-e latin1", "--encoding latin1: text must be UTF-8; convert it: iconv -f latin1 -t UTF-8".to_owned()),
    ] {
        room.run(&format!("metric {words}")).refused(&format!("error: {expected}"));
    }
}

/// The options that a user of sacreBLEU sees: each is an option here, under this name or another, or is answered.
#[test]
fn every_option_of_sacrebleu_means_something() {
    let room = room();
    let flags = "--citation --cite --list --sentence-level -sl --lowercase -lc --force --chrf-whitespace \
                 --chrf-lowercase --chrf-eps-smoothing --ter-case-sensitive --ter-asian-support --ter-no-punct \
                 --ter-normalized --confidence -ci --paired-ar -par --paired-bs -pbs --quiet -q --short -sh \
                 --score-only -b --detail -d --no-color -nc --version -V --help -h";
    let with_value = "--test-set=a -t=a --language-pair=en-de -l=en-de --origlang=a -ol=a --subset=a --download=a \
                      --echo=a --input=a -i=a --num-refs=1 -nr=1 --encoding=utf-8 -e=utf-8 --metrics=bleu -m=bleu \
                      --smooth-method=exp -s=exp --smooth-value=1 -sv=1 --tokenize=13a -tok=13a --chrf-char-order=6 \
                      -cc=6 --chrf-word-order=2 -cw=2 --chrf-beta=2 --confidence-n=9 -cin=9 --paired-ar-n=9 -parn=9 \
                      --paired-bs-n=9 -pbsn=9 --paired-jobs=1 -j=1 --width=1 -w=1 --format=text -f=text";
    for option in flags.split_whitespace().chain(with_value.split_whitespace()) {
        let stderr = room.run(&format!("metric ref {option}")).stderr;
        assert!(!stderr.contains("unexpected argument") && !stderr.contains("invalid value"), "{option}: {stderr}");
    }
    assert!(room.run("metric ref --unheard").failure(2).contains("unexpected argument '--unheard'"));
}

/// Help lists the options that most users need; `--help-all` lists all, but no options under names of sacreBLEU.
#[test]
fn help_is_short() {
    let listed = |words: &str| -> Vec<String> {
        let help = Room::new().run(words).success().stdout;
        let of_line = |line: &str| {
            let option = line.trim_start().split("--").nth(1)?;
            let is_option = line.starts_with("  ") && line.trim_start().starts_with('-');
            is_option.then(|| option.split([' ', '[']).next().unwrap_or_default().to_owned())
        };
        help.lines().filter_map(of_line).collect()
    };
    let (common, all) = (listed("metric --help"), listed("metric --help-all"));
    assert!(common.len() <= 25, "{common:?}");
    assert!(all.len() > 55 && common.iter().all(|option| all.contains(option)), "{all:?}");
    for option in ["chrf-beta", "lr-alpha", "dpath-tie", "ter-no-punct", "generator", "explain", "weights", "force"] {
        let is_listed = |options: &[String]| options.iter().any(|listed| listed == option);
        assert!(!is_listed(&common) && is_listed(&all), "{option}: {all:?}");
    }
    for option in ["metrics", "origlang", "confidence-n", "style", "encoding"] {
        assert!(!all.contains(&option.to_owned()), "{option}: {all:?}");
    }
    let help = Room::new().run("metric --help").success().stdout;
    assert!(help.contains("--help-all") && !help.contains(" -m"), "{help}");
}

/// The text of `ref` as two test sets of sacreBLEU, as a test set with two references, and as sacreBLEU 1 kept it.
fn with_test_sets() -> Room {
    let room = room();
    let (text, other) = (room.read("ref"), room.read("ref2"));
    let (text, other) = (text.as_str(), other.as_str());
    let (first, second) = text.split_at(text.find("Nobody").unwrap());
    for (folder, name, text) in [
        ("wmt17", "wmt17.de-en.ref", first),
        ("wmt16", "wmt16.de-en.ref", second),
        ("wmt20/tworefs", "wmt20_tworefs.de-en.ref-0", text),
        ("wmt20/tworefs", "wmt20_tworefs.de-en.ref-1", other),
        ("wmt22", "wmt22.en-zh.ref-A", text),
        ("wmt22", "wmt22.en-zh.ref-B", other),
        ("wmt25", "wmt25.de-en.ref-A", text),
        ("wmt25", "wmt25.de-en.ref-B", other),
        ("wmt14", "de-en.en", text),
        ("wmt14", "de-en.de", "nothing\n"),
    ] {
        std::fs::create_dir_all(room.path(&format!("kept/{folder}"))).unwrap();
        room.write(&format!("kept/{folder}/{name}"), text);
    }
    room
}

fn run(room: &Room, words: &str) -> Outcome {
    room.command(words).env("SACREBLEU", "kept").output().unwrap().into()
}

#[test]
fn test_sets_are_where_sacrebleu_keeps_them() {
    let room = with_test_sets();
    let scored = |words: &str| line(&run(&room, &format!("metric -w 4 -i a {words}")).success().stdout);
    let one = "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 49.7259 86.7/59.3/41.7/28.6 \
               (BP = 1.000 ratio = 1.000 hyp_len = 60 ref_len = 60)\n";
    assert_eq!(scored("-t wmt17,wmt16 -l de-en"), one);
    assert_eq!(scored("--test-set wmt14 --language-pair de-en"), one);
    assert_eq!(
        scored("-t wmt20/tworefs -l de-en"),
        "BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 65.3048 91.7/74.1/62.5/42.9 \
         (BP = 1.000 ratio = 1.053 hyp_len = 60 ref_len = 57)\n"
    );
    // The target language chooses the tokenizer, the test set one of its references.
    assert_eq!(
        scored("-t wmt22 -l en-zh"),
        "BLEU|nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0 = 50.0937 86.4/58.5/42.6/29.3 \
         (BP = 1.000 ratio = 1.000 hyp_len = 59 ref_len = 59)\n"
    );
    let json: Value = serde_json::from_str(&run(&room, "metric -t wmt14 -l de-en -i a --json").stdout).unwrap();
    assert_eq!((&json["test_set"], &json["language_pair"]), (&"wmt14".into(), &"de-en".into()));
    // NIST reads the references twice.
    let nist = |words: &str| run(&room, &format!("metric {words} -i a --metric nist -b -w 4")).success().stdout;
    assert_eq!(nist("-t wmt17,wmt16 -l de-en"), nist("ref"));
    let outcome = run(&room, "metric -t wmt14 -l de-en -i a --tokenize none -b").success();
    assert_eq!(outcome.stderr, "warning: published scores of test sets are not computed with --tokenize none\n");
}

#[test]
fn test_sets_that_are_not_there_are_named() {
    let room = with_test_sets();
    let refused = |words: &str, expected: &str| {
        run(&room, &format!("metric -i a {words}")).refused(&format!("error: {expected}"));
    };
    refused(
        "-t wmt19 -l de-en",
        "wmt19: no references for de-en in kept/wmt19\n\
         hint: sacreBLEU downloads them: sacrebleu -t wmt19 -l de-en --echo src",
    );
    refused(
        "-t wmt22 -l de-en",
        "wmt22: no references for de-en in kept/wmt22, only for en-zh\n\
         hint: sacreBLEU downloads them: sacrebleu -t wmt22 -l de-en --echo src",
    );
    refused(
        "-t wmt25 -l de-en",
        "wmt25 has references of several translators: give one as REFERENCE: kept/wmt25/wmt25.de-en.ref-A, \
         kept/wmt25/wmt25.de-en.ref-B",
    );
    refused("-t wmt14,wmt20/tworefs -l de-en", "wmt20/tworefs has 2 references for de-en, the test sets before it 1");
    refused("-t wmt14, -l de-en", "--test-set = wmt14,: must be names with commas between");
    refused("-t wmt14", "--test-set needs --language-pair, such as en-de");
    refused("-t wmt14 -l en", "--language-pair = en: must be two languages, such as en-zh");
    refused("-t wmt14 -l de-en --metric ted", "dpath and ted read trees, --test-set has lines of text");
    refused("-t wmt17 -l de-en", "unequal lengths: a has 6 lines, kept/wmt17/wmt17.de-en.ref has 4");
    run(&room, "metric ref -t wmt14 -l de-en -i a")
        .refused("error: ref: with --test-set there is no REFERENCE; systems are given with --input");
    refused("", "no references: give REFERENCE, or --test-set and --language-pair");
    assert!(run(&room, "metric -t wmt14 -l de-en -i a --num-refs 2").failure(2).contains("cannot be used with"));
}

/// Without `$SACREBLEU` they are in the home directory.
#[cfg(unix)]
#[test]
fn the_home_directory_has_test_sets() {
    let room = with_test_sets();
    std::fs::rename(room.path("kept"), room.path(".sacrebleu")).unwrap();
    let mut command = room.command("metric -t wmt14 -l de-en -i a -b -w 4");
    command.env_remove("SACREBLEU").env("HOME", room.path("."));
    assert_eq!(Outcome::from(command.output().unwrap()).success().stdout, "49.7259\n");
}
