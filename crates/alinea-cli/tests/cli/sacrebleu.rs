//! `alinea metric` for users of sacreBLEU: its options under their names there, and its test sets.
//!
//! Scores and signatures are those of sacreBLEU 2.6.0 with the same options and files.

use serde_json::Value;

use crate::bad_inputs::gzip;
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
        ("-ol de", format!("alinea metric has no --origlang: {select}")),
        ("--detail", format!("alinea metric has no --detail: {select}")),
        ("--citation", "alinea metric has no --citation: call sacrebleu --citation".to_owned()),
        ("--cite", "alinea metric has no --citation: call sacrebleu --citation".to_owned()),
        ("--version", "alinea metric has no --version: call alinea --version".to_owned()),
        ("-V", "alinea metric has no --version: call alinea --version".to_owned()),
        ("-e latin1", "--encoding latin1: text must be UTF-8; convert it: iconv -f latin1 -t UTF-8".to_owned()),
    ] {
        room.run(&format!("metric {words}")).refused(&format!("error: {expected}"));
    }
}

/// Checks that options, alternatives separated by `|`, have this answer about the translation `b`.
#[track_caller]
fn assert_answer(room: &Room, options: &str, expected: &str) {
    for option in options.split('|') {
        let found = room.run(&format!("metric ref -i b -w 4 {option}")).success().stdout;
        assert_eq!(line(&found), format!("{expected}\n"), "{option}");
    }
}

/// With the next two tests every option of sacreBLEU 2.6.0 under each of its names there: the answers are those of
/// `sacrebleu ref -i b -w 4 -f text OPTION` (numpy 2.4.6). Options that alinea does not have are in
/// [`options_without_counterpart_are_answered`], `-t` is in [`test_sets_are_where_sacrebleu_keeps_them`].
#[test]
fn options_of_bleu_have_the_answers_of_sacrebleu() {
    let room = room();
    let lengths = "(BP = 0.857 ratio = 0.867 hyp_len = 52 ref_len = 60)";
    for (options, expected) in [
        (
            "--force|--quiet|-q|--no-color|-nc|--encoding=utf-8|-e utf-8|--paired-jobs=1|-j 1|--num-refs=1|-nr 1|\
             --metrics bleu|-m bleu|-m=bleu|--tokenize 13a|--smooth-method exp|--format text",
            format!(
                "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 12.6079 75.0/28.3/7.5/2.9 {lengths}"
            ),
        ),
        (
            "--lowercase|-lc",
            format!(
                "BLEU|nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0 = 19.9838 92.3/43.5/12.5/5.9 {lengths}"
            ),
        ),
        ("--short|-sh", format!("BLEU|#:1|c:mixed|e:no|tok:13a|s:exp|v:2.6.0 = 12.6079 75.0/28.3/7.5/2.9 {lengths}")),
        (
            "--tokenize intl|-tok intl|-tok=intl",
            "BLEU|nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.6.0 = 19.1081 72.2/31.2/11.9/8.3 \
             (BP = 0.878 ratio = 0.885 hyp_len = 54 ref_len = 61)"
                .to_owned(),
        ),
        (
            "--language-pair en-zh|-l en-zh|-l=en-zh",
            "BLEU|nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0 = 12.6847 71.2/28.3/7.5/2.9 \
             (BP = 0.874 ratio = 0.881 hyp_len = 52 ref_len = 59)"
                .to_owned(),
        ),
        (
            "--smooth-method add-k --smooth-value 2|-s add-k -sv 2|-s=add-k -sv=2",
            format!(
                "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:add-k[2.00]|version:2.6.0 = 18.8277 75.0/31.2/11.9/8.3 \
                 {lengths}"
            ),
        ),
        (
            "--confidence --confidence-n 200|-ci -cin 200|-ci -cin=200",
            format!(
                "BLEU|nrefs:1|bs:200|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 12.6079 \
                 (μ = 12.2730 ± 9.2509) 75.0/28.3/7.5/2.9 {lengths}"
            ),
        ),
        ("--score-only|-b", "12.6079".to_owned()),
        ("-b --sentence-level|-b -sl", "11.3205\n11.5105\n12.4113\n11.5714\n27.0541\n38.2603".to_owned()),
    ] {
        assert_answer(&room, options, &expected);
    }
}

#[test]
fn options_of_chrf_and_ter_have_the_answers_of_sacrebleu() {
    let room = room();
    for (options, signature, score) in [
        ("--metrics chrf|-m chrf", "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no", "62.0755"),
        (
            "-m chrf --chrf-char-order 4|-m chrf -cc 4|-m chrf -cc=4",
            "chrF2|nrefs:1|case:mixed|eff:yes|nc:4|nw:0|space:no",
            "71.7144",
        ),
        (
            "-m chrf --chrf-word-order 2|-m chrf -cw 2|-m chrf -cw=2",
            "chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no",
            "57.6529",
        ),
        ("-m chrf --chrf-beta 1", "chrF1|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no", "63.6928"),
        ("-m chrf --chrf-lowercase", "chrF2|nrefs:1|case:lc|eff:yes|nc:6|nw:0|space:no", "66.0089"),
        ("-m chrf --chrf-whitespace", "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:yes", "68.0096"),
        ("-m chrf --chrf-eps-smoothing", "chrF2|nrefs:1|case:mixed|eff:no|nc:6|nw:0|space:no", "62.0753"),
        ("-m ter", "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no", "66.6667"),
        ("-m ter --ter-case-sensitive", "TER|nrefs:1|case:mixed|tok:tercom|norm:no|punct:yes|asian:no", "75.0000"),
        ("-m ter --ter-no-punct", "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:no|asian:no", "39.5833"),
        ("-m ter --ter-normalized", "TER|nrefs:1|case:lc|tok:tercom|norm:yes|punct:yes|asian:no", "40.0000"),
        (
            "-m ter --ter-normalized --ter-asian-support",
            "TER|nrefs:1|case:lc|tok:tercom|norm:yes|punct:yes|asian:yes",
            "40.0000",
        ),
    ] {
        assert_answer(&room, options, &format!("{signature}|version:2.6.0 = {score}"));
    }
}

/// Paired tests: `sacrebleu ref -i a b -w 4 -f text OPTION` has the same numbers, with a line for p.
#[test]
fn options_of_files_and_tests_have_the_answers_of_sacrebleu() {
    let room = room();
    let answer = |words: &str| line(&room.run(&format!("metric {words}")).success().stdout);
    for width in ["--width 2", "-w 2", "-w=2"] {
        assert_eq!(answer(&format!("ref --input b -b {width}")), "12.61\n", "{width}");
    }
    let [one, two] = ["ref", "ref2"].map(|name| room.read(name));
    let both = one.lines().zip(two.lines()).map(|(one, two)| format!("{one}\t{two}\n"));
    room.write("both", both.collect::<String>());
    for number in ["--num-refs 2", "-nr 2", "-nr=2"] {
        assert_eq!(answer(&format!("both -i b -b -w 4 {number}")), "20.9767\n", "{number}");
    }
    // With `-q` nothing is told.
    assert!(room.run("metric ref -i b -ci").success().stderr.contains("6 sentences may be unreliable"));
    assert_eq!(room.run("metric ref -i b -ci -q").success().stderr, "");
    for (tests, of_second, drawn) in [
        (
            "--paired-bs --paired-bs-n 200|-pbs -pbsn 200|-pbs -pbsn=200",
            "b       12.6079 (μ = 12.2730 ± 9.2509) p = 0.0050*",
            "bs:200",
        ),
        ("--paired-ar --paired-ar-n 200|-par -parn 200|-par -parn=200", "b       12.6079 p = 0.0050*", "ar:200"),
    ] {
        for test in tests.split('|') {
            let table = answer(&format!("ref -i a b -w 4 {test}"));
            let signature =
                format!("BLEU|nrefs:1|{drawn}|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0");
            let has = |line: &str| table.lines().any(|of_table| of_table == line);
            assert!(has(of_second) && has(&signature), "{test}: {table}");
        }
    }
    assert!(answer("--help").contains("\nUsage: alinea metric ") && answer("-h").contains("\nUsage: alinea metric "));
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
    let mut outcome: Outcome = room.command(words).env("SACREBLEU", "kept").output().unwrap().into();
    if cfg!(windows) {
        // Below `kept`.
        outcome.stderr = outcome.stderr.replace('\\', "/");
    }
    outcome
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

/// Names of compressed files mean what they mean without their ending, for scores and for messages.
#[test]
fn test_sets_may_be_compressed() {
    let room = with_test_sets();
    let scored = |words: &str| run(&room, &format!("metric -b -w 4 -i a {words}")).success().stdout;
    let sets = ["-t wmt17,wmt16 -l de-en", "-t wmt20/tworefs -l de-en", "-t wmt22 -l en-zh", "-t wmt14 -l de-en"];
    let plain = sets.map(scored);
    assert_eq!(plain, ["49.7259\n", "65.3048\n", "50.0937\n", "49.7259\n"]);
    let pack = |name: &str, ending: &str| {
        let (path, text) = (room.path(&format!("kept/{name}")), room.read(&format!("kept/{name}")));
        let packed = if ending == ".gz" { gzip(&text) } else { zstd::encode_all(text.as_bytes(), 0).unwrap() };
        room.write(&format!("kept/{name}{ending}"), packed);
        std::fs::remove_file(path).unwrap();
    };
    for (name, ending) in [
        ("wmt17/wmt17.de-en.ref", ".gz"),
        ("wmt16/wmt16.de-en.ref", ".zst"),
        ("wmt20/tworefs/wmt20_tworefs.de-en.ref-0", ".gz"),
        ("wmt20/tworefs/wmt20_tworefs.de-en.ref-1", ".gz"),
        ("wmt22/wmt22.en-zh.ref-A", ".zst"),
        ("wmt14/de-en.en", ".gz"),
    ] {
        pack(name, ending);
    }
    assert_eq!(sets.map(scored), plain);
    let missing = run(&room, "metric -i a -t wmt17 -l en-de").failure(2);
    assert!(missing.contains("no references for en-de in kept/wmt17, only for de-en\n"), "{missing}");
    // A file beside the same file compressed is one reference.
    room.write("kept/wmt14/de-en.en", room.read("ref"));
    room.write("kept/wmt17/wmt17.de-en.ref", "nothing\n");
    assert_eq!(scored("-t wmt14 -l de-en"), plain[3]);
    let unequal = run(&room, "metric -i a -t wmt17 -l de-en").failure(2);
    assert!(unequal.contains("kept/wmt17/wmt17.de-en.ref has 1"), "{unequal}");
    // Another ending is no reference, and none is offered.
    std::fs::rename(room.path("kept/wmt16/wmt16.de-en.ref.zst"), room.path("kept/wmt16/wmt16.de-en.refs")).unwrap();
    run(&room, "metric -i a -t wmt16 -l de-en").refused(
        "error: wmt16: no references for de-en in kept/wmt16\n\
         hint: sacreBLEU downloads them: sacrebleu --download wmt16 -l de-en",
    );
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
         hint: sacreBLEU downloads them: sacrebleu --download wmt19 -l de-en",
    );
    refused(
        "-t wmt22 -l de-en",
        "wmt22: no references for de-en in kept/wmt22, only for en-zh\n\
         hint: sacreBLEU downloads them: sacrebleu --download wmt22 -l de-en",
    );
    refused(
        "-t wmt25 -l de-en",
        "wmt25 has references of several translators: give one as REFERENCE: kept/wmt25/wmt25.de-en.ref-A, \
         kept/wmt25/wmt25.de-en.ref-B",
    );
    refused("-t wmt14,wmt20/tworefs -l de-en", "wmt20/tworefs has 2 references for de-en, the test sets before it 1");
    refused("-t wmt14, -l de-en", "--test-set = wmt14,: must be comma-separated names");
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
#[test]
fn the_home_directory_has_test_sets() {
    let room = with_test_sets();
    std::fs::rename(room.path("kept"), room.path(".sacrebleu")).unwrap();
    let mut command = room.command("metric -t wmt14 -l de-en -i a -b -w 4");
    // On Unix, and on Windows.
    command.env_remove("SACREBLEU").env("HOME", room.path(".")).env("USERPROFILE", room.path("."));
    assert_eq!(Outcome::from(command.output().unwrap()).success().stdout, "49.7259\n");
}
