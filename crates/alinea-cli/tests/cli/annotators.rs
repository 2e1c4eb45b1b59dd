//! Several annotators, breakdowns, and tables over corpora: `alinea evaluate`, `agreement` and `report`.
//!
//! Two sentences annotated by two people are small enough to count links by hand; expected precision, recall and
//! agreement are these counts, which comments give. The same runs serve for the tables of `report`.

use serde_json::Value;

use crate::support::Room;

/// Two sentences of 3 and 2 words on each side. Anna did both, Ben only the first.
///
/// Against LINKS, with 0-0 and 1-2 in the first sentence and 0-0 in the second: Anna's 0-0 1-1 2-2 has 1 link of 2
/// right of 3, Ben's 0-0 1-2 has 2 of 2 of 2; Anna's second, 0-0 1-1, has 1 of 1 of 2.
const ANNA: &str = "0-0 1-1 2-2\n0-0 1-1\n";
const BEN: &str = "0-0 1-2\n\n";
const LINKS: &str = "0-0 1-2\n0-0\n";

fn room() -> Room {
    Room::with_files(&[
        ("anna.align", ANNA),
        ("ben.align", BEN),
        ("who.tsv", "1\tanna ben\n1\tanna\n"),
        ("links", LINKS),
        ("base", "0-0\n1-0\n"),
        ("s", "das Haus hier\ndas Haus\n"),
        ("t", "the house here\nthe house\n"),
    ])
}

const GOLD: &str = "evaluate --gold anna.align --gold ben.align";

fn json(room: &Room, words: &str) -> Value {
    serde_json::from_str(&room.stdout(words)).unwrap()
}

fn assert_close(found: &Value, expected: f64) {
    assert!((found.as_f64().unwrap() - expected).abs() < 1e-12, "{found} instead of {expected}");
}

#[test]
fn every_annotation_is_an_instance() {
    let room = room();
    let report = json(&room, &format!("{GOLD} links --annotators who.tsv --json"));
    // 4 links right of 5 and of 7.
    assert_close(&report["corpus"]["precision"], 4.0 / 5.0);
    assert_close(&report["corpus"]["recall"], 4.0 / 7.0);
    let panel = serde_json::json!({"annotators": 2, "annotations": 3, "references": "instances"});
    assert_eq!((&report["panel"], &report["sentences"]), (&panel, &2.into()));
    let gold = serde_json::json!([{"name": "anna", "file": "anna.align"}, {"name": "ben", "file": "ben.align"}]);
    assert_eq!(report["files"]["gold"], gold);
    let signature = report["signature"].as_str().unwrap();
    assert!(signature.starts_with("alignment|references:instances|annotators:2|annotated-only:no|"), "{signature}");
    // In the sentence that both did 1 link is common, of 3 and 2.
    assert_eq!(report["agreement"]["pairs"][0]["counts"]["common"], 1);
    assert_close(&report["agreement"]["mean_agreement"], 0.4);
    assert_eq!(report["worst"][0]["annotator"], "anna");

    let best = json(&room, &format!("{GOLD} links --annotators who.tsv --json --references best"));
    assert_close(&best["corpus"]["precision"], 1.0);
    assert_close(&best["corpus"]["recall"], 3.0 / 4.0);
    let union = json(&room, &format!("{GOLD} links --annotators who.tsv --json --references union"));
    // Sure: 0-0 in the first, 0-0 1-1 in the second; possible: all.
    assert_eq!(
        union["counts"],
        serde_json::json!({"hypothesis": 3, "sure": 3, "possible": 6, "in_sure": 2, "in_possible": 3})
    );
    assert!(union["worst"][0]["annotator"].is_null());
}

#[test]
fn mostly_empty_lines_may_not_be_annotated() {
    let room = Room::new();
    room.write("gold", "\n0-0 1-1\n\n");
    room.write("half", "\n0-0\n1-1\n\n");
    room.write("links", "0-0\n0-0 1-1\n0-0\n");
    room.write("four", "0-0\n0-0\n1-1\n0-0\n");
    let outcome = room.run("evaluate --gold gold links").success();
    let expected = "warning: gold: 2 of 3 lines are empty, treated as sentences without links (--skip-empty treats them as not annotated)\n";
    assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    for known in ["evaluate --gold gold links --skip-empty", "evaluate --gold half four"] {
        let outcome = room.run(known).success();
        assert!(!outcome.stderr.contains("are empty"), "{known}: {}", outcome.stderr);
    }
}

#[test]
fn empty_lines_are_sentences_without_links_unless_they_are_not() {
    let room = room();
    let skipped = room.run(&format!("{GOLD} links --skip-empty")).success();
    let few = "warning: intervals and tests on 2 sentences may be unreliable: they have been tested with 300 sentences or \
               more (Koehn 2004)\n";
    assert_eq!(skipped.stderr, few);
    assert_eq!(skipped.stdout, room.stdout(&format!("{GOLD} links --annotators who.tsv")));
    let outcome = room.run(&format!("{GOLD} links --json")).success();
    assert_eq!(
        outcome.stderr,
        format!(
            "warning: ben: 1 line without links where others have some, treated as sentences without links \
             (--annotators lists who annotated which sentence, --skip-empty treats such lines as not annotated)\n{few}"
        )
    );
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&report["panel"]["annotations"], &report["wrong"]), (&4.into(), &2.into()));
}

#[test]
fn one_gold_standard_is_as_it_was() {
    let room = room();
    let report = json(&room, "evaluate --gold anna.align links --json");
    assert_eq!(report["files"]["gold"], "anna.align");
    assert!(report["panel"].is_null() && report["agreement"].is_null());
    assert!(report["signature"].as_str().unwrap().starts_with("alignment|annotated-only:no|"));
    // Names make no difference.
    assert_eq!(report, json(&room, "evaluate --gold anna=anna.align links --json"));
}

#[test]
fn people_are_told_of_agreement_beside_the_scores() {
    let text = room().stdout(&format!("{GOLD} links --annotators who.tsv --bootstrap 0 --worst 1"));
    let expected = "\
sentences            2
annotators           2, with 3 annotations
gold                 7 sure links, 0 only possible
hypothesis           5 links: 4 sure, 0 only possible, 1 wrong; 3 sure missed

percent                    AER  precision     recall          F
corpus                   33.33      80.00      57.14      66.67
mean over sentences      33.33      87.50      55.00      66.67

alignment|references:instances|annotators:2|annotated-only:no|alpha:0.5|bootstrap:no

worst sentences
sentence 1 (anna): 1 wrong, 2 missed, AER 60.00
  wrong   1-2
  missed  1-1 2-2

Agreement of annotators

X     Y    sentences  links of X  links of Y  common  A(X/Y)  A(Y/X)      A  from  to  κ  from  to
anna  ben          1           3           2       1   50.00   33.33  40.00     -   -  -     -   -
";
    assert_eq!(text, expected);
}

#[test]
fn agreement_has_a_verb() {
    let room = room();
    let words = "agreement anna.align ben.align --annotators who.tsv --source s --target t";
    let report = json(&room, &format!("{words} --json"));
    let pair = &report["agreement"]["pairs"][0];
    assert_eq!((&pair["sentences"], &pair["counts"]["cells"]), (&1.into(), &9.into()));
    assert_close(&pair["second_covered"], 0.5);
    assert_close(&pair["first_covered"], 1.0 / 3.0);
    assert_close(&pair["agreement"]["value"], 0.4);
    // 6 of 9 cells alike; by chance 3/9 · 2/9 + 6/9 · 7/9 = 48/81.
    assert_close(&pair["kappa"]["value"], (6.0 / 9.0 - 48.0 / 81.0) / (1.0 - 48.0 / 81.0));
    // Anna: 5 words to words; Ben: 2, with one word left on each side.
    let types = &report["types"];
    assert_eq!((&types[0]["counts"]["one_to_one"], &types[0]["sentences"]), (&5.into(), &2.into()));
    assert_eq!((&types[1]["counts"]["null_words"], &types[1]["counts"]["null_runs"]), (&2.into(), &2.into()));
    assert_close(&types[1]["null_words"]["one_to_one"], 0.5);
    assert_eq!(report["size"], serde_json::json!({"sentences": 2, "source_tokens": 5, "target_tokens": 5}));
    let text = room.stdout(&format!("{words} --bootstrap 0"));
    assert!(text.contains("\nben                1   50.00  50.00   0.00    4 "), "{text}");
    assert!(text.ends_with("\nagreement|links:all|bootstrap:no\n"), "{text}");
    // Seen from the other side only the shares change places.
    let back = json(&room, "agreement ben.align anna.align --annotators who.tsv --source s --target t --json");
    assert_eq!(back["agreement"]["pairs"][0]["kappa"], pair["kappa"]);
    assert_eq!(back["agreement"]["pairs"][0]["first_covered"], pair["second_covered"]);

    room.write("possible", "0p0 1-2\n\n");
    let sure = json(&room, "agreement anna.align possible --skip-empty --sure --json");
    assert_eq!(sure["agreement"]["pairs"][0]["counts"]["second"], 1);
    let outcome = room.run("agreement anna.align ben.align --skip-empty").success();
    assert!(outcome.stderr.contains("one sentence cannot be resampled"), "{}", outcome.stderr);
    let one = json(&room, "agreement anna.align --source s --target t --json");
    assert_eq!(one["agreement"]["pairs"].as_array().unwrap().len(), 0);
}

#[test]
fn errors_are_broken_down() {
    let room = room();
    room.write("tags.s", "DET NOUN ADV\nDET NOUN\n");
    room.write("more", "Haus Haus das\n");
    let words = "evaluate --gold anna.align links --source s --target t --json --breakdown";
    let report = json(&room, &format!("{words} pos,fertility,distance,frequency --source-tags tags.s"));
    let row = |(id, tag): (usize, &str)| format!("{}\tw\t_\t{tag}\t_\t_\t_\t_\t_\t_\n", id + 1);
    let sentence = |tags: &str| tags.split(' ').enumerate().map(row).collect::<Vec<_>>().concat() + "\n";
    room.write("tags.conllu", &(sentence("DET NOUN ADV") + &sentence("DET NOUN")));
    let trees = json(&room, &format!("{words} pos,fertility,distance,frequency --source-tags tags.conllu"));
    assert_eq!(trees["breakdowns"], report["breakdowns"]);
    room.write("short.conllu", sentence("DET NOUN ADV"));
    let error = room.error(&format!("{words} pos --source-tags short.conllu"));
    assert!(error.contains("the gold standard has 2 lines, short.conllu has 1"), "{error}");
    let breakdowns = report["breakdowns"].as_array().unwrap();
    let names: Vec<&str> = breakdowns.iter().map(|breakdown| breakdown["attribute"].as_str().unwrap()).collect();
    let expected = ["source tag", "source fertility", "target fertility", "distance", "source frequency"];
    assert_eq!(names, [&expected[..], &["target frequency"]].concat());
    for breakdown in breakdowns {
        let sum = |count: &str| -> u64 {
            breakdown["buckets"]
                .as_array()
                .unwrap()
                .iter()
                .map(|bucket| bucket["counts"][count].as_u64().unwrap())
                .sum()
        };
        assert_eq!((sum("hypothesis"), sum("sure"), sum("in_sure")), (3, 5, 2), "{breakdown}");
    }
    let noun = &breakdowns[0]["buckets"][2];
    assert_eq!(
        (&noun["label"], &noun["counts"]["sure"], &noun["counts"]["in_sure"]),
        (&"NOUN".into(), &2.into(), &0.into())
    );
    assert_eq!(noun["scores"]["precision"], 0.0);
    // `das` and `Haus` occur twice, `hier` once.
    let labels = |report: &Value| -> Vec<(String, u64)> {
        let buckets = report["breakdowns"][0]["buckets"].as_array().unwrap().iter();
        let sure = |bucket: &Value| (bucket["label"].as_str().unwrap().to_owned(), bucket["counts"]["sure"].as_u64());
        buckets.map(sure).filter_map(|(label, sure)| Some((label, sure.filter(|sure| *sure > 0)?))).collect()
    };
    let named = |name: &str, sure: u64| (name.to_owned(), sure);
    assert_eq!(labels(&json(&room, &format!("{words} frequency"))), [named("1", 1), named("2-4", 4)]);
    let elsewhere = json(&room, &format!("{words} frequency --source-frequencies more"));
    assert_eq!(labels(&elsewhere), [named("0", 1), named("1", 2), named("2-4", 2)]);

    let text = room.stdout("evaluate --gold anna.align links base --breakdown fertility --worst 0");
    assert!(text.contains("\nlinks: by source fertility\n\nsource fertility  sure  possible  links  right"), "{text}");
    assert!(text.contains("\nbase: by target fertility\n"), "{text}");
    assert!(text.contains("\n1                    5         5      3      2      66.67   40.00"), "{text}");
}

/// With `--first` tags may go on after the gold standard, as links and sentences may; without it they may not.
#[test]
fn tags_may_be_those_of_a_longer_text() {
    let room = room();
    let row = |(id, tag): (usize, &str)| format!("{}\tw\t_\t{tag}\t_\t_\t_\t_\t_\t_\n", id + 1);
    let sentence = |tags: &str| tags.split(' ').enumerate().map(row).collect::<Vec<_>>().concat() + "\n";
    room.write("tags", "DET NOUN ADV\nDET NOUN\n");
    room.write("long", "DET NOUN ADV\nDET NOUN\nVERB\n");
    room.write("long.conllu", sentence("DET NOUN ADV") + &sentence("DET NOUN") + &sentence("VERB"));
    let words = "evaluate --gold anna.align links --source s --target t --breakdown pos --json --source-tags";
    let expected = json(&room, &format!("{words} tags"));
    for (file, line) in [("long", 3), ("long.conllu", 8)] {
        assert_eq!(json(&room, &format!("{words} {file} --first")), expected, "{file}");
        let expected = format!(
            "error: {file}:{line}: expected the end of the file after 2 sentences, as in the gold standard, \
             found `VERB`\nhint: --first evaluates the first sentences of longer files\n"
        );
        assert_eq!(room.error(&format!("{words} {file}")), expected);
    }
}

#[test]
fn tables_are_made_of_several_corpora() {
    let room = room();
    for name in ["a", "b"] {
        let words =
            format!("{GOLD} base links --annotators who.tsv --source s --target t --breakdown fertility --json");
        room.write(&format!("{name}.json"), room.stdout(&words));
    }
    let text = room.stdout("report INRA=a.json b.json");
    for line in [
        "corpus  sentences  source words  target words  mean source length  mean target length\n",
        "INRA            2             5             5                2.50                2.50\n",
        "b       anna  ben          1           3           2       1   50.00   33.33  40.00",
        "INRA    anna               2  100.00",
        "INRA    base                2            3      66.67   28.57  40.00  60.00",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    // Precision 2/3 and 4/5: absolute 2/15, relative 1/5.
    let gain = text.lines().find(|line| line.starts_with("INRA    precision     66.67   80.00    +13.33"));
    assert!(gain.is_some_and(|line| line.contains("    +20.00  ")), "{text}");
    assert!(text.contains("\nINRA, links: by source fertility\n"), "{text}");

    let told = room.run("report INRA=a.json b.json").success().stderr;
    assert!(told.starts_with("warning: intervals and tests on 2 sentences may be unreliable"), "{told}");
    assert_eq!(told.lines().count(), 1);

    let markdown = room.stdout("report a.json --format markdown");
    assert!(markdown.contains("\n| a | recall | 28.57 | 57.14 | +28.57 |"), "{markdown}");
    room.run("report a.json -f latex -o tables.tex").success();
    let latex = room.read("tables.tex");
    assert!(
        latex.contains("\\caption{Gains}\n\\begin{tabular}{llrrrrrrrrr}\n\\hline\ncorpus & score & baseline"),
        "{latex}"
    );
    assert_eq!(latex.matches("\\begin{table}").count(), latex.matches("\\end{table}").count());

    let html = room.stdout("report a.json b.json --format html");
    assert!(html.starts_with("<!DOCTYPE html>\n") && html.ends_with("</body>\n</html>\n"), "{html}");
    let titles = room.stdout("report a.json b.json --format markdown").matches("### ").count();
    assert_eq!((html.matches("<table>").count(), html.matches("</table>").count()), (titles, titles));
    assert_eq!(room.stdout("report a.json --style markdown"), markdown);

    // Older files call the baseline second, the system first.
    let older = room.read("a.json").replace("\"baseline\"", "\"second\"").replace("\"system\"", "\"first\"");
    room.write("older.json", older);
    assert_eq!(room.stdout("report a=older.json --format markdown"), markdown);

    // One hypothesis, and agreement alone.
    let one = room.stdout("evaluate --gold anna.align links --json");
    let table = room.run_with("report -", &one).success().stdout;
    assert!(table.starts_with("Scores\n\ncorpus  hypothesis  sentences  annotations  precision"), "{table}");
    let two = room.stdout("agreement anna.align ben.align --skip-empty --json");
    assert!(
        room.run_with("report x=-", &two).success().stdout.starts_with("Agreement of annotators\n\ncorpus  X     Y")
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let room = room();
    room.write("short", "0-0\n");
    room.write("far", "0-0\n0-0 5-1\n");
    room.write("who.unknown", "1\tanna ben\n1\tanna lisa\n");
    room.write("who.short", "1\tanna ben\n");
    room.write("who.wrong", "1\tben\n1\tanna\n");
    room.write("who.twice", "1\tanna anna\n1\t\n");
    room.write("tags", "A B C\nA\n");
    room.write("tags.short", "A B C\n");
    room.write("tags.long", "A B C\nA B\nD E\n");
    room.write("no.json", "{\"sentences\": \n x}\n");
    room.write("other.json", "{\"score\": 12}\n");
    let hint = "hint: every name needs a file: NAME=FILE\n";
    for (words, expected) in [
        ("--gold anna.align --gold short links", "error: unequal lengths: anna.align has 2 lines, short has 1\n"),
        (
            "--gold anna.align --gold anna=ben.align links",
            "error: two annotators are called anna\nhint: NAME=FILE gives a file a name\n",
        ),
        (
            "--gold anna.align --gold far links --source s --target t",
            "error: far:2:5: link 5-1 is out of range, the source has 2 tokens, the target 2\n",
        ),
        (
            "--gold anna.align --gold ben.align links --annotators who.unknown",
            &format!("error: who.unknown:2:8: expected the name of an annotator (anna, ben), found `lisa`\n{hint}"),
        ),
        (
            "--gold anna.align --gold ben.align links --annotators who.twice",
            &format!("error: who.twice:1:8: expected each name once (this one is repeated), found `anna`\n{hint}"),
        ),
        (
            "--gold anna.align --gold ben.align links --annotators who.short",
            "error: unequal lengths: anna.align has 2 lines, who.short has 1\n",
        ),
        (
            "--gold anna.align --gold ben.align links --annotators who.wrong",
            "error: anna.align:1: links for a sentence that anna did not annotate according to who.wrong:1\n",
        ),
        (
            "--gold anna.align links --breakdown distance",
            "error: --breakdown needs --source and --target, except for fertility\n",
        ),
        (
            "--gold anna.align links --breakdown pos --source s --target t",
            "error: --breakdown pos needs --source-tags or --target-tags\n",
        ),
        (
            "--gold anna.align links --breakdown fertility --source s --target t --target-tags tags",
            "error: tags: this option needs --breakdown pos\n",
        ),
        (
            "--gold anna.align links --breakdown pos --source s --target t --target-tags tags",
            "error: tags:2: expected 2 tags, one per word, found `1`\n",
        ),
        (
            "--gold anna.align links --breakdown pos --source s --target t --target-tags tags.short",
            "error: unequal lengths: the gold standard has 2 lines, tags.short has 1\n",
        ),
        (
            "--gold anna.align links --breakdown pos --source s --target t --target-tags tags.long",
            "error: tags.long:3: expected the end of the file after 2 sentences, as in the gold standard, \
             found `D E`\nhint: --first evaluates the first sentences of longer files\n",
        ),
    ] {
        assert_eq!(room.error(&format!("evaluate {words}")), expected, "{words}");
    }
    assert!(room.error(&format!("{GOLD} links --annotators who.tsv --skip-empty")).contains("cannot be used with"));
    assert!(room.error(&format!("{GOLD} links --references vote")).contains("instances, best, union"));
    assert_eq!(
        room.error("agreement anna.align"),
        "error: agreement needs at least two annotators; the types of one need --source and --target, or --bitext\n"
    );
    assert_eq!(
        room.error("report no.json"),
        "error: no.json:2:2: expected JSON output of alinea evaluate or alinea agreement, found `x}`\n"
    );
    assert_eq!(
        room.error("report other.json"),
        "error: other.json: this JSON contains neither an evaluation nor an agreement\n"
    );
    room.write("other.json", b"\xFF\xFE{\0}\0");
    assert_eq!(
        room.error("report other.json"),
        "error: other.json: text in UTF-16, where UTF-8 text is expected\nhint: save it as UTF-8\n"
    );
    room.write("tables.md", "mine\n");
    room.error("report no.json -o tables.md");
    assert_eq!(room.read("tables.md"), "mine\n");
    assert_eq!(room.error("report no.json -o no.json"), "error: no.json: --output would overwrite the input FILE\n");
}
