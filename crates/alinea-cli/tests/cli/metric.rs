//! `alinea metric`, from files and options to lines, tables and JSON.
//!
//! Scores, intervals and p-values are those of sacreBLEU 2.6.0 over numpy 2.4.6 for these files, or of NLTK where a
//! test names it; scores of LRscore and of copies follow from the definitions. The rest is what the command adds:
//! options, warnings, refusals, and the same bytes for any batch size and number of threads.

use serde_json::Value;

use crate::support::Room;

const REFERENCE: &str = "\
The garden behind the house is full of apples.
She reads a letter from her brother, then another one.
It costs 1,250.50 euros (without tax).
\"Who has seen the ferry?\" asked the old man.
Nobody knows when the rain will stop.
The well-known bridge was built in 1884.
";

const SECOND: &str = "\
Behind the house, the garden is full of apples.
She reads one letter of her brother and then another.
Without tax it is 1,250.50 euros.
The old man asked: \"Who saw the ferry?\"
No one knows when it will stop raining.
The famous bridge dates from 1884.
";

const CLOSE: &str = "\
The garden behind the house is full with apples.
She reads a letter of her brother, then another.
It costs 1,250.50 euros without the tax.
\"Who saw the ferry?\" the old man asked.
Nobody knows when it will stop to rain.
The well-known bridge was built in the year 1884.
";

const FAR: &str = "\
Garden behind house is with apples full.
Her brother a letter she reads, then one other.
Without tax costs it 1,250.50 euros.
The old man asked who the ferry has seen.
Nobody knows, when the rain stops.
In 1884 the well-known bridge was built.
";

/// Two references and two systems.
pub(crate) fn room() -> Room {
    let room = Room::new();
    for (name, text) in [("ref", REFERENCE), ("ref2", SECOND), ("a", CLOSE), ("b", FAR)] {
        room.write(name, text);
    }
    room
}

/// The line with sacreBLEU's version in place of ours.
pub(crate) fn line(text: &str) -> String {
    text.replace(concat!("alinea-", env!("CARGO_PKG_VERSION")), "2.6.0")
}

#[test]
fn one_system_is_scored_as_sacrebleu_scores_it() {
    let outcome = room().run("metric ref -i a --metric bleu chrf++ ter -w 4").success();
    assert_eq!(
        line(&outcome.stdout),
        "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 49.7259 86.7/59.3/41.7/28.6 \
         (BP = 1.000 ratio = 1.000 hyp_len = 60 ref_len = 60)\n\
         chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0 = 75.3995\n\
         TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0 = 39.5833\n"
    );
    assert_eq!(outcome.stderr, "");
}

#[test]
fn several_references_are_files_or_fields() {
    let room = room();
    let two = room.run("metric ref ref2 -i a -w 4").success().stdout;
    assert!(
        line(&two).starts_with("BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0 = 65.3048 91.7/74.1")
    );
    let fields: String = REFERENCE.lines().zip(SECOND.lines()).map(|(one, two)| format!("{one}\t{two}\n")).collect();
    room.write("both", fields);
    assert_eq!(room.run("metric both --num-refs 2 -i a -w 4").success().stdout, two);
    assert_eq!(room.run_with("metric ref ref2 -w 4", CLOSE).success().stdout, two);
    room.run("metric both --num-refs 3 -i a").refused(
        "error: both:1:1: expected 3 tab-separated references, not 2, found `The garden behind the house is full of apples.\
         \\tBehind the house, the garden is f…`",
    );
}

#[test]
fn intervals_and_tests_are_those_of_sacrebleu() {
    let room = room();
    let interval = room.run("metric ref -i a --confidence --short -w 4").success().stdout;
    let version = concat!("v:alinea-", env!("CARGO_PKG_VERSION"));
    assert_eq!(
        interval.replace(version, "v:2.6.0"),
        "BLEU|#:1|bs:1000|rs:12345|c:mixed|e:no|tok:13a|s:exp|v:2.6.0 = 49.7259 (μ = 48.4984 ± 12.8819) \
         86.7/59.3/41.7/28.6 (BP = 1.000 ratio = 1.000 hyp_len = 60 ref_len = 60)\n"
    );
    let table = room.run("metric ref -i a b --metric bleu chrf ter --paired-bs -w 4").success().stdout;
    assert_eq!(
        line(&table),
        "\
System  BLEU                                        chrF2                                       TER (less is better)
a       49.7259 (μ = 48.4984 ± 12.8819)             76.3162 (μ = 76.1660 ± 8.5051)              39.5833 (μ = 39.7713 ± 15.9070)
b       12.6079 (μ = 12.5766 ± 9.4257) p = 0.0010*  62.0755 (μ = 62.0903 ± 7.6853) p = 0.0020*  66.6667 (μ = 67.0554 ± 12.6894) p = 0.0010*

* differs from a with p < 0.05
BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
chrF2|nrefs:1|bs:1000|seed:12345|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0
TER|nrefs:1|bs:1000|seed:12345|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0
"
    );
    let json = room.run("metric ref -i a b --metric bleu ter --paired-ar --json").success().stdout;
    let report: Value = serde_json::from_str(&json).unwrap();
    let p = |metric: usize| report["systems"][1]["scores"][metric]["p_value"].as_f64().unwrap();
    assert_eq!((format!("{:.4}", p(0)), format!("{:.4}", p(1))), ("0.0001".to_owned(), "0.0299".to_owned()));
    assert_eq!((&report["segments"], &report["systems"][0]["scores"][0]["p_value"]), (&6.into(), &Value::Null));
}

/// The example of NLTK's documentation, whose values there are those of NLTK 3.5.
#[test]
fn smoothing_of_nltk_has_its_documented_values() {
    let room = Room::with_files(&[
        ("ref", "It is a guide to action that ensures that the military will forever heed Party commands\n"),
        ("a", "It is a guide to action which ensures that the military always obeys the commands of the party\n"),
    ]);
    let documented = [0.4118, 0.4118, 0.4489, 0.4118, 0.4118, 0.4905, 0.4135, 0.4905];
    for (method, expected) in documented.into_iter().enumerate() {
        for segments in ["", " --segments"] {
            let words = format!("metric ref -i a -b -w 9 --smoothing nltk3.5-method{method}{segments}");
            let found: f64 = room.run(&words).success().stdout.trim().parse().unwrap();
            assert!((0.0..0.0001).contains(&(found / 100.0 - expected)), "{words}: {found}");
        }
    }
    let line = room.run("metric ref -i a --smoothing nltk-method5").success().stdout;
    assert!(
        line.starts_with("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:nltk-method5|") && line.contains(" = 49.1 ")
    );
    let line = room.run("metric ref -i a --smoothing method5").success().stdout;
    assert!(line.starts_with("BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:method5|") && line.contains(" = 40.8 "));
    room.run("metric ref -i a --smoothing nltk-method5 --effective-order").failure(2);
}

#[test]
fn identical_systems_are_called_so() {
    let room = room();
    room.write("same", CLOSE);
    for test in ["--paired-bs", "--paired-ar"] {
        let table = room.run(&format!("metric ref -i a same b {test}")).success().stdout;
        let of_same = table.lines().find(|line| line.starts_with("same")).unwrap();
        assert!(of_same.ends_with(" identical") && !of_same.contains(['p', '*']), "{table}");
        assert!(table.contains("\n* differs from a with p < 0.05\n"), "b is another one: {table}");
        let table = room.run(&format!("metric ref -i a same {test}")).success().stdout;
        assert!(table.contains("\nidentical: each segment has the same counts as in a\n"), "{table}");
        assert!(!table.contains("differs") && !table.contains('*'), "{table}");
        let json = room.run(&format!("metric ref -i a same b {test} --json")).success().stdout;
        let report: Value = serde_json::from_str(&json).unwrap();
        let score = |system: usize| &report["systems"][system]["scores"][0];
        assert_eq!((&score(1)["p_value"], &score(1)["identical"]), (&1.0.into(), &true.into()));
        assert_eq!((&score(0)["identical"], &score(2)["identical"]), (&Value::Null, &false.into()));
    }
}

#[test]
fn few_segments_are_warned_of() {
    let room = room();
    let first = |text: &str| text.lines().next().unwrap().to_owned() + "\n";
    for (name, text) in [("ref1", REFERENCE), ("a1", CLOSE), ("b1", FAR)] {
        room.write(name, first(text));
    }
    let none = "warning: one sentence cannot be resampled, so there are no intervals and no tests\n";
    for test in ["--paired-bs", "--paired-ar", "--paired-ar --confidence", "--confidence"] {
        let outcome = room.run(&format!("metric ref1 -i a1 b1 {test}")).success();
        assert_eq!(outcome.stderr, none);
        assert!(!outcome.stdout.contains(['±', '*', '=']) && !outcome.stdout.contains("p ="), "{}", outcome.stdout);
        let report: Value =
            serde_json::from_str(&room.run(&format!("metric ref1 -i a1 b1 {test} --json")).success().stdout).unwrap();
        let score = &report["systems"][1]["scores"][0];
        assert_eq!((&score["p_value"], &score["confidence"]), (&Value::Null, &Value::Null));
    }
    let few = "warning: intervals and tests on 6 sentences may be unreliable: they have been tested with 300 sentences or \
               more (Koehn 2004)\n";
    assert_eq!(room.run("metric ref -i a b --paired-bs").success().stderr, few);
    assert_eq!(room.run("metric ref -i a b").success().stderr, "");
    for (name, text) in [("ref300", REFERENCE), ("a300", CLOSE)] {
        room.write(name, text.repeat(50));
    }
    assert_eq!(room.run("metric ref300 -i a300 --confidence").success().stderr, "");
}

/// sacreBLEU 2.6.0 says the same of `paste a b | sacrebleu ref -f text -w 4`.
#[test]
fn columns_of_standard_input_are_systems() {
    let room = room();
    let pasted: String = CLOSE.lines().zip(FAR.lines()).map(|(a, b)| format!("{a}\t{b}\n")).collect();
    let outcome = room.run_with("metric ref -w 4", &pasted).success();
    let expected = "\
System       BLEU
System 1  49.7259
System 2  12.6079

BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
";
    assert_eq!((line(&outcome.stdout).as_str(), outcome.stderr.as_str()), (expected, ""));
    let of_files = room.run("metric ref -i a b --paired-bs").success().stdout;
    let of_columns = room.run_with("metric ref --paired-bs", &pasted).success().stdout;
    assert_eq!(of_columns.matches("p = 0.0010*").count(), of_files.matches("p = 0.0010*").count());
    assert!(of_columns.contains("* differs from System 1 with"), "{of_columns}");
    assert_eq!(room.run_with("metric ref -b -i -", &pasted).success().stdout, "49.7\n12.6\n");
    let ragged = pasted.replacen("her brother,", "her\tbrother,", 1);
    let stderr = room.run_with("metric ref", &ragged).failure(2);
    let expected =
        "error: <stdin>:2:1: expected 2 tab-separated systems, as in the first line, not 3, found `She reads";
    assert!(stderr.starts_with(expected), "{stderr}");
}

/// sacreBLEU 2.6.0 cuts off white space at the ends of lines, so tabs there are no systems: values of `sacrebleu ref
/// -w 4`. Where the last system has an empty sentence it gives up; here that is an empty sentence.
#[test]
fn tabs_at_the_end_of_standard_input_are_no_systems() {
    let room = room();
    room.write("ref", "the cat sat on the mat\na dog ran off to the park\n");
    let two =
        "the cat sat on the mat\tthe cat sat on a mat\t \na dog ran off to a park\tthe dog ran off to the park\t\t\n";
    let outcome = room.run_with("metric ref -b -w 4", two).success();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("80.4829\n69.5832\n", ""));
    let one = "the cat sat on the mat\t\na dog ran off to a park\n";
    let outcome = room.run_with("metric ref -b -w 4", one).success();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("80.4829\n", ""));
    let empty = "the cat sat on the mat\tthe cat sat on a mat\na dog ran off to a park\t\n";
    assert!(room.run_with("metric ref -b -w 4", empty).success().stdout.starts_with("80.4829\n"));
}

#[test]
fn tabs_that_separate_nothing_are_reported() {
    let room = room();
    let pasted: String = CLOSE.lines().zip(FAR.lines()).map(|(a, b)| format!("{a}\t{b}\n")).collect();
    room.write("pasted", &pasted);
    let hint = "columns are systems only on standard input (without --input), and references only with --num-refs\n";
    let told =
        |count: usize, place: &str| format!("warning: {count} lines with a tab inside, the first at {place}: {hint}");
    assert_eq!(room.run("metric ref -i pasted").success().stderr, told(6, "pasted:1:49"));
    assert_eq!(room.run("metric pasted -i a").success().stderr, told(6, "pasted:1:49"));
    assert!(!room.run("metric pasted -i b --num-refs 2").success().stderr.contains("tab inside"));
    room.write("three", REFERENCE.lines().map(|line| format!("{line}\tx\ty\n")).collect::<String>());
    assert_eq!(room.run("metric three -i b --num-refs 2").success().stderr, told(6, "three:1:49"));
    assert!(!room.run("metric three -i b --num-refs 3").success().stderr.contains("tab inside"));
}

/// As sacreBLEU has it: `sacrebleu ref -i a b a --paired-bs` says `Ignoring 'a' as it was also given as the baseline.`
#[test]
fn a_system_named_twice_is_scored_once() {
    let room = room();
    let outcome = room.run("metric ref -i a b a -b").success();
    assert_eq!(outcome.stdout, "49.7\n12.6\n");
    assert_eq!(outcome.stderr, "warning: a: given twice, ignored the second time\n");
    let stderr = room.run("metric ref -i a a --paired-bs").failure(2);
    assert!(stderr.contains("a paired test needs at least two systems"), "{stderr}");
}

/// Other draws have other intervals, but not by much: numpy's half width of system a is 12.88, with a standard error
/// below 1.
#[test]
fn another_generator_is_named_in_the_signature() {
    let room = room();
    let run = |words: &str| room.run(&format!("metric ref -i a b --generator {words}")).success().stdout;
    let json: Value = serde_json::from_str(&run("alinea --paired-bs --json")).unwrap();
    let scores = |system: usize| &json["systems"][system]["scores"][0];
    let half_width = scores(0)["confidence"]["half_width"].as_f64().unwrap();
    assert!((half_width - 12.8819).abs() < 3.0 && (half_width - 12.8819).abs() > 1e-4, "{half_width}");
    assert!(scores(1)["p_value"].as_f64().unwrap() < 0.01);
    let signature = |system: usize| scores(system)["signature"].as_str().unwrap();
    assert!(signature(1).starts_with("nrefs:1|bs:1000|seed:12345|rng:alinea|case:mixed|"), "{}", signature(1));
    assert!(run("alinea --paired-ar --short").contains("|#:1|ar:10000|rs:12345|rng:alinea|c:mixed|"));
    let of_sacrebleu = room.run("metric ref -i a b --paired-ar").success().stdout;
    assert_eq!(run("numpy --paired-ar"), of_sacrebleu);
    let stderr = room.run("metric ref -i a --confidence --generator mt19937").failure(2);
    assert!(stderr.contains("generator = mt19937: must be numpy or alinea"), "{stderr}");
}

#[test]
fn segments_are_scored_by_themselves() {
    let room = room();
    let scores = room.run("metric ref -i a --segments -b -w 4").success().lines();
    assert_eq!(scores, ["70.7107", "55.0979", "35.0912", "33.0576", "24.2746", "58.1431"]);
    let scores = room.run("metric ref -i b --segments -b --smoothing floor -w 4").success().lines();
    assert_eq!(scores, ["6.0206", "6.1216", "6.6007", "6.1540", "18.0922", "38.2603"]);
    let table = room.run("metric ref -i a b --metric bleu ter --segments -w 4").success().stdout;
    assert!(table.starts_with("system\tsegment\tBLEU\tTER (less is better)\na\t1\t70.7107\t11.1111\n"), "{table}");
    assert!(table.contains("\na\t6\t58.1431\t28.5714\nb\t1\t11.3205\t55.5556\n"), "{table}");
    assert_eq!(table.lines().count(), 1 + 2 * 6);
    let side_by_side = room.run("metric ref -i a b --metric bleu ter --segments -b -w 4").success().lines();
    assert_eq!(side_by_side[0], "70.7107\t11.1111\t11.3205\t55.5556");
    // All digits, those of JSON, where nobody says how many.
    let table = room.run("metric ref -i a b --segments").success().lines();
    let digits = table[1].rsplit('\t').next().unwrap();
    assert!(room.run("metric ref -i a b --segments --json").success().lines()[0].contains(digits), "{digits}");
    let json = room.run("metric ref -i a b --segments --json").success().lines();
    let first: Value = serde_json::from_str(&json[0]).unwrap();
    assert!((first["scores"][0][0].as_f64().unwrap() - 70.7107).abs() < 1e-4, "{first}");
    assert_eq!(json.len(), 6);
}

#[test]
fn tables_have_formats() {
    let room = room();
    let table =
        |style: &str| room.run(&format!("metric ref -i a b --metric chrf -w 2 --format {style}")).success().stdout;
    assert!(table("markdown").starts_with("| System | chrF2 |\n|---|---:|\n| a | 76.32 |\n| b | 62.08 |\n\nchrF2|"));
    let latex = "\\begin{tabular}{lr}\n\\toprule\nSystem & chrF2 \\\\\n\\midrule\na & 76.32 \\\\\nb & 62.08 \\\\\n\
                 \\bottomrule\n\\end{tabular}\n\n% chrF2|nrefs:1|";
    assert!(table("latex").starts_with(latex), "{}", table("latex"));
    let html = table("html");
    assert!(html.starts_with("<!DOCTYPE html>\n") && html.ends_with("</body>\n</html>\n"), "{html}");
    assert!(
        html.contains("<td style=\"text-align: right\">76.32</td>") && html.contains("<p>chrF2|nrefs:1|"),
        "{html}"
    );
    let of_old_name = room.run("metric ref -i a b --metric chrf -w 2 --style markdown").success().stdout;
    assert_eq!(of_old_name, table("markdown"));
    let json = room.run("metric ref -i a b -f json").success().stdout;
    assert_eq!(json, room.run("metric ref -i a b --json").success().stdout);
    room.run("metric ref -i a -f json -w 2")
        .refused("error: --width, --score-only and --short are for text: JSON has all digits and whole signatures");
    let scores = room.run("metric ref -i a b --metric bleu chrf -b -w 2").success().lines();
    assert_eq!(scores, ["49.73\t76.32", "12.61\t62.08"]);
}

#[test]
fn options_that_would_mean_nothing_are_refused() {
    let room = room();
    let segments = "error: --segments and --explain only write text and JSON";
    for style in ["markdown", "latex", "html"] {
        room.run(&format!("metric ref -i a -b -f {style}")).refused("error: --score-only only writes text");
        room.run(&format!("metric ref -i a --segments -f {style}")).refused(segments);
        room.run(&format!("metric ref -i a --segments -b -f {style}")).refused(segments);
        room.run(&format!("metric ref -i a --metric dpath --explain -f {style}")).refused(segments);
    }
    for (options, one, other) in [
        ("--segments --short", "--short", "--segments"),
        ("--metric dpath --explain --short", "--short", "--explain"),
        ("--metric dpath --explain -w 2", "--width", "--explain"),
    ] {
        let stderr = room.run(&format!("metric ref -i a {options}")).failure(2);
        assert!(stderr.contains("cannot be used with") && stderr.contains(one) && stderr.contains(other), "{stderr}");
    }
}

/// By the definition of each metric, a translation that is the reference has the highest score.
#[test]
fn every_metric_knows_a_copy() {
    let room = room();
    let names = "bleu chrf chrf++ ter gleu ribes lepor hamming kendall kendall-sqrt tau spearman ulam footrule fuzzy";
    room.write("copy", REFERENCE);
    let outcome = room.run(&format!("metric ref -i copy --metric {names} -b -w 3")).success();
    let scores: Vec<f64> = outcome.lines()[0].split('\t').map(|score| score.parse().unwrap()).collect();
    assert_eq!(scores, [100.0, 100.0, 100.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(outcome.stderr, "warning: the translation is the same as a reference, line by line\n");
    let better = |name: &str| {
        let scores = room.run(&format!("metric ref -i a b --metric {name} -b -w 6")).success().lines();
        scores[0].parse::<f64>().unwrap() > scores[1].parse::<f64>().unwrap()
    };
    assert!(better("nist") && better("meteor") && better("bleu"));
}

/// NLTK 3.10.4, `corpus_bleu` of the blank-separated words with this list of weights; times 100.
#[test]
fn a_list_of_weights_gives_a_score_each() {
    let room = room();
    let run = |words: &str| room.run(&format!("metric ref -i a b --tokenize none {words}")).success();
    let lists = "--weights 1 0.5,0.5 1/3,1/3,1/3 0.7,0.2,0.1";
    let scores = run(&format!("{lists} -b -w 4")).lines();
    assert_eq!(scores, ["70.0000\t60.4904\t52.4679\t62.3526", "39.4293\t23.8426\t14.8036\t26.5761"]);
    let table = line(&run(&format!("{lists} 1/4,1/4,1/4,1/4")).stdout);
    assert!(
        table.starts_with("System  BLEU order:1  BLEU order:2  BLEU order:3  BLEU weights:0.7,0.2,0.1  BLEU\n"),
        "{table}"
    );
    let signature =
        "BLEU weights:0.7,0.2,0.1|nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|weights:0.7,0.2,0.1|version:2.6.0\n";
    assert!(table.contains(signature), "{table}");
    assert_eq!(run("--weights 1/2,1/2").stdout, run("--max-order 2").stdout);
    let wrong = |list: &str| room.run(&format!("metric ref -i a --weights {list}"));
    assert!(wrong("0.5;0.5").failure(2).contains("comma-separated numbers or fractions"));
    wrong("1/0").refused("error: --weights = inf: must be finite numbers");
    wrong("1/2,1/2 0.5,0.5").refused("error: weights = 0.5,0.5: given twice");
}

/// NLTK 3.10.4, the mean of `meteor_score` of the blank-separated words, with an object that has these sets for a
/// WordNet.
#[test]
fn synonyms_are_read_from_a_file() {
    let room = room();
    let scores = |words: &str| {
        room.run(&format!("metric ref -i a b --metric meteor --tokenize none -b -w 4 {words}")).success().lines()
    };
    assert_eq!(scores(""), ["0.699106", "0.427430"]);
    room.write("sets", "of with\nAnother  other\none\tletter\n");
    assert_eq!(scores("--synonyms sets"), ["0.718667", "0.440877"]);
    let signed = room.run("metric ref -i a --metric meteor --synonyms sets").success().stdout;
    assert!(signed.contains("|stem:nltk|syn:3sets|"), "{signed}");
    room.write("lonely", "of with\nother\n");
    room.run("metric ref -i a --metric meteor --synonyms lonely")
        .refused("error: lonely:2:1: expected a set of at least two words, found `other`");
    room.run("metric ref -i a --synonyms sets")
        .refused("error: --synonyms needs METEOR among the metrics: add --metric meteor");
    room.run("metric - -i a --metric meteor --synonyms -")
        .refused("error: standard input cannot be read twice: REFERENCE and --synonyms are both `-`");
}

/// The scores of sacreBLEU 2.6.0 for empty lines (`corpus_score` of BLEU, CHRF and TER); the others by their
/// definitions. No score is NaN, which JSON has no number for.
#[test]
fn empty_lines_have_scores() {
    let room = room();
    room.write("holes", "\n".repeat(6));
    let names = "bleu chrf chrf++ ter gleu nist ribes meteor lepor hamming kendall tau spearman ulam footrule fuzzy";
    let scores = |words: &str, words_of_metrics: &str| -> Vec<f64> {
        let json = room.run(&format!("metric {words} --metric {words_of_metrics} --json")).success().stdout;
        let report: Value = serde_json::from_str(&json).unwrap();
        let scores = report["systems"][0]["scores"].as_array().unwrap();
        scores.iter().map(|score| score["score"].as_f64().expect("a number")).collect()
    };
    assert_eq!(scores("ref -i holes", "bleu chrf chrf++ ter"), [0.0, 0.0, 0.0, 100.0]);
    assert_eq!(scores("holes -i a", "bleu chrf chrf++ ter"), [0.0, 0.0, 0.0, 100.0]);
    assert_eq!(scores("holes -i holes", "bleu chrf chrf++ ter"), [0.0; 4]);
    for words in ["ref -i holes", "holes -i a", "holes -i holes"] {
        assert_eq!(scores(words, names)[4..], [0.0; 12]);
        let segments = room.run(&format!("metric {words} --metric {names} --segments --json")).success().lines();
        for line in segments {
            let scores: Value = serde_json::from_str(&line).unwrap();
            assert!(scores["scores"][0].as_array().unwrap().iter().all(Value::is_number), "{line}");
        }
    }
    let tested = room.run(&format!("metric ref -i a holes --metric {names} --paired-bs 20 --json")).success().stdout;
    assert!(!tested.contains("null"), "{tested}");
    for option in ["--chrf-beta", "--smoothing floor --smoothing-value", "--weights"] {
        assert!(
            room.run(&format!("metric ref -i a --metric bleu chrf {option} nan")).failure(2).contains("NaN"),
            "{option}"
        );
    }
}

#[test]
fn the_language_chooses_the_tokenizer() {
    let room = room();
    let signed = |words: &str| room.run(&format!("metric ref -i a {words}")).success().stdout;
    assert!(signed("-l en-zh").contains("|tok:zh|"));
    assert!(signed("-l zh-en").contains("|tok:13a|"));
    assert!(signed("-l en-zh --tokenize char").contains("|tok:char|"));
    let stderr = room.run("metric ref -i a -l en-ja").failure(2);
    assert!(stderr.contains("ja-mecab"), "{stderr}");
}

#[test]
fn names_do_not_break_tables() {
    let room = room();
    // Windows has no names with a bar.
    let odd = if cfg!(windows) { "50%_b" } else { "50%_b|c" };
    room.write(odd, FAR);
    let table = |style: &str| {
        room.run(&format!("metric ref -i a {odd} --metric chrf --paired-bs 20 --format {style}")).success().stdout
    };
    let (markdown, latex) = (table("markdown"), table("latex"));
    let bar = if cfg!(windows) { ["", ""] } else { ["\\|c", "|c"] };
    let row = format!("\n| 50%\\_b{} | 62.1 (", bar[0]);
    assert!(markdown.contains(&row) && markdown.contains("\\* |\n"), "{markdown}");
    assert!(latex.contains(&format!("\n50\\%\\_b{} & 62.1 ($\\mu$ = ", bar[1])), "{latex}");
    assert!(latex.contains("\n% chrF2|nrefs:1|"), "{latex}");
}

#[test]
fn threads_change_nothing() {
    let room = room();
    let run = |threads: usize| {
        let words = format!("metric ref -i a b --metric bleu chrf ter ribes --paired-bs --json --threads {threads}");
        room.run(&words).success().stdout
    };
    assert_eq!(run(1), run(3));
}

/// Lines are read in batches, the next one while one is counted.
#[test]
fn batches_change_nothing() {
    let room = room();
    room.write("long-ref", REFERENCE.repeat(900));
    room.write("long", CLOSE.repeat(900));
    // Of the same counts so many times over, all shares are the same.
    let expected = room.run("metric ref -i a --metric chrf ter -b -w 9").success().stdout;
    for threads in 1..=3 {
        let outcome =
            room.run(&format!("metric long-ref -i long --metric chrf ter -b -w 9 --threads {threads}")).success();
        assert_eq!(outcome.stdout, expected);
        room.write("short", CLOSE.repeat(900).trim_end().rsplit_once('\n').unwrap().0);
        room.run(&format!("metric long-ref -i short --threads {threads}"))
            .refused("error: unequal lengths: short has 5399 lines, long-ref has 5400");
    }
}

#[test]
fn what_cannot_be_scored_is_refused() {
    let room = room();
    room.write("short", "one line\n");
    room.write("empty", "");
    room.run("metric ref -i a short").refused("error: unequal lengths: a has 6 lines, short has 1");
    room.run("metric empty -i empty").refused("error: no segments to score: the files are empty");
    room.run("metric ref").refused("error: <stdin>: no translations (-i FILE reads them from a file)");
    room.run("metric ref -i a --tokenize flores200").refused(
        "error: --tokenize = flores200: must be given with a SentencePiece model: the file that sacreBLEU downloads for it\n\
         hint: --spm-model FILE",
    );
    let one_system =
        "error: a paired test needs at least two systems: two files of --input, or two columns of standard input";
    room.run("metric ref -i a --paired-bs").refused(one_system);
    room.run_with("metric ref --paired-bs", CLOSE).refused(one_system);
    room.run("metric ref -i a --smoothing best")
        .refused("error: --smoothing = best: must be none, exp, floor, add-k, method0 to method7, nltk-method0 to nltk-method7, or nltk3.5-method0 to nltk3.5-method7");
    room.run("metric ref -i a --smoothing exp --smoothing-value 2")
        .refused("error: --smoothing-value = 2: must be no value: this smoothing has no parameter");
    room.run("metric ref -i a --confidence 0").refused("error: number of samples = 0: must be 1 to 1000000");
    room.run("metric ref -i a -l zh").refused("error: --language-pair = zh: must be two languages, such as en-zh");
    room.run("metric -i a ref").refused(
        "error: no references: give REFERENCE, or --test-set and --language-pair\n\
         hint: -i takes all files after it; give references before it",
    );
    room.run("metric ref ref2 --num-refs 2 -i a")
        .refused("error: --num-refs = 2: must be 1, or more with one file of references");
    room.run("metric - -i a --metric nist")
        .refused("error: this metric reads the references twice, so they cannot be standard input");
}

#[test]
fn oddities_are_reported() {
    let room = room();
    room.write("odd", "a\rb\n\n\nd\ne\nf\n");
    let stderr = room.run("metric ref -i odd").success().stderr;
    assert_eq!(
        stderr,
        "warning: the translation has 2 empty lines\n\
         warning: 1 line with a carriage return inside, the first at odd:1:2\n"
    );
    room.write("holes", "a\n\n \nd\ne\nf\n");
    let stderr = room.run("metric holes -i a").success().stderr;
    assert_eq!(stderr, "warning: 2 lines with only empty references\n");
    assert_eq!(room.run("metric holes ref -i a").success().stderr, "");
    let stderr = room.run("metric ref ref2 -i a ref2").success().stderr;
    assert_eq!(stderr, "warning: system 2 is the same as a reference, line by line\n");
    room.write("tokenized", "Yes .\n".repeat(100));
    let stderr = room.run("metric tokenized -i tokenized").success().stderr;
    assert!(stderr.contains("100 lines that end in ` .`: is it tokenized?"), "{stderr}");
    room.write("ja", "私は本を読みました。\n");
    let stderr = room.run_with("metric ja", "私は本を読んだ。\n").success().stderr;
    assert_eq!(stderr, "warning: the references have no spaces between words: consider --tokenize ja-mecab\n");
    assert_eq!(room.run_with("metric ja --tokenize char", "私は本を読んだ。\n").success().stderr, "");
}

/// Three sentences of three to five words. In the first the reference exchanges the last two words of the source, and
/// the translation does not; the others agree. The translation of the third lacks a word.
fn linked() -> Room {
    let room = Room::with_files(&[
        ("source", "er hat ihn gesehen\nja gut\nwir gehen jetzt heim\n"),
        ("ref", "he has seen him\nyes good\nwe are going home now\n"),
        ("a", "he has him seen\nyes good\nwe are going now\n"),
        ("a.links", "0-0 1-1 2-2 3-3\n0-0 1-1\n0-0 1-2 2-3\n"),
        ("ref.links", "0-0 1-1 2-3 3-2\n0-0 1-1\n0-0 1-2 2-4 3-3\n"),
        ("ref2", "he did him see\nyes good\nwe are going now\n"),
        ("ref2.links", "0-0 1-1 2-2 3-3\n0-0 1-1\n0-0 1-2 2-3\n"),
    ]);
    room.write("b", room.read("ref"));
    room.write("b.links", room.read("ref.links"));
    room
}

fn score_of(room: &Room, words: &str) -> f64 {
    let json: Value = serde_json::from_str(&room.run(words).success().stdout).unwrap();
    json["systems"][0]["scores"][0]["score"].as_f64().unwrap()
}

#[test]
fn orders_of_the_source_are_mixed_with_bleu() {
    let room = linked();
    let lr = "metric ref -i a --metric lr --lr-source source --lr-links a.links --lr-reference-links ref.links --json";
    let bleu = score_of(&room, "metric ref -i a --tokenize none --json") / 100.0;
    // The unaligned `heim` of the third translation stands where `jetzt` does, behind it; in the reference it is before
    // it.
    let brevity = (1.0_f64 - 5.0 / 4.0).exp();
    let hamming = (0.5 + 1.0 + brevity * 0.5) / 3.0;
    // One pair of six is in the wrong order, in the first and in the third.
    let one_wrong = 1.0 - (1.0 / 6.0_f64).sqrt();
    let kendall = (one_wrong + 1.0 + brevity * one_wrong) / 3.0;
    for (options, order, alpha) in [
        ("--lr-order hamming --lr-alpha 1", hamming, 1.0),
        ("--lr-order hamming --lr-alpha 0.25", hamming, 0.25),
        ("", kendall, 0.5),
        ("--lr-alpha 0", hamming, 0.0),
    ] {
        let found = score_of(&room, &format!("{lr} {options}"));
        let expected = alpha * order + (1.0 - alpha) * bleu;
        assert!((found - expected).abs() < 1e-12, "{options}: {found} {expected}");
    }
}

#[test]
fn orders_of_several_references_and_systems() {
    let room = linked();
    let files = "--lr-source source --lr-links a.links --lr-reference-links ref.links ref2.links --lr-order hamming";
    // The second reference has the order of the translation in the first and the third sentence, and no more words.
    let found = score_of(&room, &format!("metric ref ref2 -i a --metric lr {files} --lr-alpha 1 --json"));
    assert!((found - 1.0).abs() < 1e-12, "{found}");
    let outcome = room
        .run("metric ref -i a b --metric lr --lr-source source --lr-links a.links b.links --lr-reference-links ref.links --paired-bs 100")
        .success();
    assert!(
        line(&outcome.stdout).contains("tok:none|smooth:exp|reordering:kendall-sqrt|alpha:0.5"),
        "{}",
        outcome.stdout
    );
    let segments = room.run(
        &format!("metric ref -i b --metric lr --segments -b {files}")
            .replace("a.links", "b.links")
            .replace(" ref2.links", ""),
    );
    assert_eq!(segments.success().stdout, "1.000\n1.000\n1.000\n");
}

#[test]
fn lines_and_links_must_fit() {
    let room = linked();
    let refused =
        |words: &str, expected: &str| room.run(&format!("metric {words}")).refused(&format!("error: {expected}"));
    refused("ref -i a --metric lr", "lr compares orders of the source words: it needs --lr-source");
    refused(
        "ref -i a --metric lr --lr-source source --lr-links a.links b.links --lr-reference-links ref.links",
        "--lr-links has 2 files, but needs 1: one for each system",
    );
    refused(
        "ref -i a --metric lr --lr-source source --lr-links a.links",
        "--lr-reference-links has 0 files, but needs 1: one for each reference",
    );
    refused(
        "ref -i a --metric lr bleu --lr-source source",
        "lr reads links as well as lines, the other metrics do not: score them separately",
    );
    refused(
        "ref -i a --lr-source source",
        "--lr-source, --lr-links and --lr-reference-links need lr among the metrics: add --metric lr",
    );
    let files = "--lr-source source --lr-links a.links --lr-reference-links ref.links";
    refused(&format!("ref -i a --metric lr {files} --lr-alpha 2"), "--lr-alpha = 2: must be 0 to 1");
    room.write("far", "0-0 1-1 2-2 3-9\n0-0\n0-0\n");
    let far = files.replace("a.links", "far");
    refused(
        &format!("ref -i a --metric lr {far}"),
        "far:1:13: link 3-9 is out of range, the source has 4 tokens, the target 4",
    );
    room.write("short", "er hat ihn gesehen\n");
    let short = files.replace("source source", "source short");
    refused(&format!("ref -i a --metric lr {short}"), "short ends after 1 line, the systems have more");
    room.write("long", room.read("a.links") + "0-0\n");
    let long = files.replace("a.links", "long");
    refused(&format!("ref -i a --metric lr {long}"), "unequal lengths: the first system has 3 lines, long has 4");
}
