//! `alinea reorder`, all subcommands but training.
//!
//! Source, links and corpus are the example in the description of the shared task of 2012, with two sentences more.
//! Orders and scores are worked out by hand from the definitions; the archives to be read were written by `zipfile` of
//! Python 3.11.

use serde_json::Value;

use crate::support::Room;

/// The example of the shared task's description: `am` has no link, and `home` comes before `going`. The second sentence
/// has no links; in the third `not` is linked around `does`.
const SOURCE: &str = "I am going home\noh well\nshe does not sleep here\n";
const LINKS: &str = "0-0 2-2 3-1\n\n0-0 1-2 2-1 2-3 3-5 4-4\n";
const TREES: &str = "\
1\tI\tI\tPRON\tPRP\t_\t3\tnsubj\t_\t_
2\tam\tbe\tAUX\tVBP\t_\t3\taux\t_\t_
3\tgoing\tgo\tVERB\tVBG\t_\t0\troot\t_\t_
4\thome\thome\tADV\t_\t_\t3\tadvmod\t_\t_

1\toh\toh\tINTJ\tUH\t_\t0\troot\t_\t_
2\twell\twell\tINTJ\tUH\t_\t1\tdiscourse\t_\t_

1\tshe\tshe\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2\tdoes\tdo\tAUX\tVBZ\t_\t4\taux\t_\t_
3\tnot\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tsleep\tsleep\tVERB\tVB\t_\t0\troot\t_\t_
5\there\there\tADV\tRB\t_\t4\tadvmod\t_\t_

";
const ROWS: &str = "\
1\tI\t-\tPRON\tPRP\t-\t0\t-\t-\t-
2\tgoing\t-\tVERB\tVBG\t-\t3\t-\t-\t-
3\thome\t-\tADV\tADV\t-\t1\t-\t-\t-

";

fn room() -> Room {
    let room = Room::new();
    for (name, text) in [("s", SOURCE), ("links", LINKS), ("s.conllu", TREES)] {
        room.write(name, text);
    }
    room
}

/// A corpus `g.conll` of three sentences, and runs of it: `good` is right, `half` in one sentence of two, `same` as the
/// source.
fn with_runs() -> Room {
    let room = room();
    room.run("reorder pack links --trees s.conllu --stem g -q").success();
    let gold = room.read("g.conll");
    room.write("good.conll", &gold);
    let (first, rest) = gold.split_once("\n\n").unwrap();
    let straight = |block: &str| -> String {
        let rows = block.lines().enumerate().map(|(row, line)| {
            let mut cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
            cells[6] = row.to_string();
            cells.join("\t") + "\n"
        });
        rows.collect::<String>() + "\n"
    };
    room.write("half.conll", format!("{first}\n\n{}", straight(rest.trim_end())));
    room.write("same.conll", straight(first) + &straight(rest.trim_end()));
    room
}

#[test]
fn orders_are_written() {
    let outcome = room().run("reorder oracle links --source s").success();
    assert_eq!(outcome.stdout, "0 3 2\n\n0 1 2 4 3\n");
    assert_eq!(
        outcome.stderr,
        "sentences          3\nother order        2\nwithout links      1\nwithout ranks      1 (a word is linked around another)\n\
         not bracketable    0 (no binary tree reaches the order)\n"
    );
    let lines = |options: &str| room().run(&format!("reorder oracle links --source s -q {options}")).success().stdout;
    assert_eq!(lines("--key min"), "0 3 2\n\n0 2 1 4 3\n");
    assert_eq!(lines("--unaligned right"), "0 3 1 2\n0 1\n0 1 2 4 3\n");
    assert_eq!(lines("--format ranks"), "0 - 2 1\n\n\n");
    assert_eq!(lines("--format ranks --incomparable merge"), "0 - 2 1\n\n0 1 1 3 2\n");
    let beside =
        "I am going home\tI home am going\noh well\toh well\nshe does not sleep here\tshe does not here sleep\n";
    assert_eq!(lines("--format beside"), beside);
    assert_eq!(lines("-f text --attach left").lines().next(), Some("I am home going"));
    // As these options were called before.
    for (old, new) in [
        ("--ranks --incomparable merge", "--format ranks --incomparable merge"),
        ("--text beside", "--format beside"),
        ("--text reordered --attach left", "--format text --attach left"),
    ] {
        assert_eq!(lines(old), lines(new), "{old}");
    }
}

#[test]
fn options_belong_to_kinds_of_output() {
    let room = room();
    for (options, refusal) in [
        ("--attach left", "--attach is for --format text and beside"),
        ("--format ranks --attach left", "--attach is for --format text and beside"),
        ("--incomparable merge", "--incomparable is for --format ranks"),
        ("--format ranks --key min", "--key is for --format order, text and beside"),
        ("--format ranks --unaligned left", "--unaligned is for --format order, text and beside"),
    ] {
        room.run(&format!("reorder oracle links --source s {options}")).refused(&format!("error: {refusal}"));
    }
    // What --format once was.
    let advice = "error: --format talp: --format is the kind of output, and the format of the links is --links-format";
    room.run("reorder oracle links --source s --format talp").refused(advice);
    room.run("reorder evaluate --links links --source s --format talp").refused(advice);
    for verb in ["train --links links -m m", "pack links --stem c", "export links --stem c"] {
        for format in ["--format talp", "--format=talp"] {
            room.run(&format!("reorder {verb} --source s {format}"))
                .refused("error: --format talp: the format of the links is --links-format");
        }
    }
    room.write("from-one", "1-1 3-3\n\n1-1 2-2 3-3 5-4 4-5\n");
    let by = |options: &str| room.run(&format!("reorder oracle from-one --source s -q {options}")).success().stdout;
    assert_eq!(by("--links-format talp"), "0 2\n\n0 1 2 4 3\n");
    assert_eq!(by("--links-base 1"), by("--links-format talp"));
    assert_eq!(by("--base 1"), by("--links-format talp"));
}

#[test]
fn links_must_fit() {
    let room = room();
    room.write("t", "a\nb\nc\n");
    let shown = "links:1:5: link 2-2 is out of range, the source has 4 tokens, the target 1";
    assert!(room.run("reorder oracle links --source s --target t").failure(2).contains(shown));
    room.write("far", "0-0\n5-1\n\n");
    let known = "far:2:1: link 5-1 is out of range, the source has 2 tokens\n";
    assert!(room.run("reorder oracle far --source s").failure(2).contains(known));
    room.write("far", "1-1\n5-1\n\n");
    assert!(room.run("reorder oracle far --source s --links-base 1").failure(2).contains(known));
    room.write("short", "0-0\n");
    room.run("reorder oracle short --source s").refused("error: unequal lengths: s has 3 lines, short has 1");
    room.run("reorder oracle links").refused("error: source sentences are required: --source, --trees or --annotation");
}

#[test]
fn corpora_are_packed_with_tags_and_parses_of_trees() {
    let room = room();
    let outcome = room.run("reorder pack links --trees s.conllu --stem g").success();
    let told = "g.conll: 3 sentences, 2 with rows; 11 words, 8 with rows; 2 in another order\n";
    assert_eq!(outcome.stderr, told);
    assert!(room.read("g.conll").starts_with(ROWS));
    assert_eq!(room.read("g.txt"), SOURCE);
    assert_eq!(room.read("g.pos").lines().next(), Some("PRP (I) VBP (am) VBG (going) ADV (home)"));
    let parse = "(root (nsubj (PRON I)) (aux (AUX am)) (VERB going) (advmod (ADV home)))";
    assert_eq!(room.read("g.parse").lines().next(), Some(parse));
    assert_eq!(room.read("g.align.info"), "0(I) 2(going) 3(home)\n\n0(she) 1(does) 2(not) 3(sleep) 4(here)\n");
    assert_eq!(room.run("reorder pack --check g.conll").success().stderr, told);
    // Without what says which words the rows are, a sentence without rows cannot be told.
    std::fs::remove_file(room.path("g.align.info")).unwrap();
    let expected =
        "g.conll:5:3: expected in sentence 2 a word of line 2 of g.txt, after that of the row before, found `she`";
    room.run("reorder pack --check g.conll").refused(&format!("error: {expected}"));
}

#[test]
fn corpora_are_split_and_need_no_parses() {
    let room = room();
    room.write("tags", "P V V A\nX X\nP V R V A\n");
    let outcome = room.run("reorder pack links --source s --tags tags --stem g --split trn=2,tst=1").success();
    assert!(
        outcome.stderr.starts_with(
            "g.trn.conll: 2 sentences, 1 with rows; 6 words, 3 with rows; 1 in another order; no parses\n"
        )
    );
    assert_eq!(room.read("g.tst.pos"), "P (she) V (does) R (not) V (sleep) A (here)\n");
    assert!(!room.path("g.trn.parse").exists());
    room.write("x.pos", "");
    room.run("reorder pack links --source s --stem x")
        .refused("error: x.pos exists already, but nothing is written to it: remove it first");
    std::fs::remove_file(room.path("x.pos")).unwrap();
    room.run("reorder pack links --source s --stem x --split trn=2,tst=2")
        .refused("error: the parts of --split have 4 sentences, the text has 3");
    assert!(!room.names().contains("x."));
    room.write("tags", "P V V\nX X\nP V R V A\n");
    room.run("reorder pack links --source s --tags tags --stem x")
        .refused("error: tags:1: expected 4 tags, one per word, found `P V V`");
    room.write("parses", "(S (NP I) am going)\n(S oh well)\n(S she does not sleep here)\n");
    room.run("reorder pack links --source s --parses parses --stem x")
        .refused("error: parses:1: expected brackets around 4 words (here are 3), found `(S (NP I) am going)`");
}

#[test]
fn what_is_wrong_in_a_corpus_is_reported() {
    let room = room();
    let check = |rows: &str| {
        room.write("c.conll", rows);
        room.run("reorder pack --check c.conll").failure(2)
    };
    for (rows, expected) in [
        (
            ROWS.replace("\t3\t-\t-", "\t4\t-\t-"),
            "c.conll:2:22: expected in sentence 1 the index of the word before in the new order, from 0 to 3, found `4`",
        ),
        (
            ROWS.replace("\t1\t-\t-", "\t3\t-\t-"),
            "c.conll:3:20: expected in sentence 1 the index of another word than this one, found `3`",
        ),
        (
            ROWS.replace("\t1\t-\t-", "\t0\t-\t-"),
            "c.conll:3:20: expected in sentence 1 one word that comes first (index 0), but word 1 does already, found `0`",
        ),
        (
            ROWS.replace("\t1\t-\t-", "\t2\t-\t-"),
            "c.conll:2:22: expected in sentence 1 one chain over all words, but words 2 ← 3 ← 2 form a cycle, found `3`",
        ),
        (
            ROWS.replace("\t1\t-\t-\t-", "\t1\t-\t-"),
            "c.conll:3:1: expected in sentence 1 10 tab-separated columns (this line has 9)",
        ),
        (
            ROWS.replace("\t1\t-\t-\t-", "\t1\t-\t-\t-\t-"),
            "c.conll:3:1: expected in sentence 1 10 tab-separated columns (this line has 11)",
        ),
    ] {
        let found = check(&rows);
        assert!(found.starts_with(&format!("error: {expected}")), "{found}");
    }
    room.write("c.conll", ROWS);
    room.write("c.txt", "I am going home\n");
    for (info, expected) in [
        ("0(I) 2(going) 4(home)\n", "c.align.info:1:15: expected the number of a word, from 0 to 3, found `4(home)`"),
        (
            "0(I) 3(home) 2(going)\n",
            "c.align.info:1:14: expected a number greater than 3, as words are kept in their order, found `2(going)`",
        ),
    ] {
        room.write("c.align.info", info);
        room.run("reorder pack --check c.conll").refused(&format!("error: {expected}"));
    }
}

#[test]
fn rows_are_found_without_info() {
    let room = room();
    room.write("c.conll", "1\trose\t-\tN\tNN\t-\t-\t-\t-\t-\n");
    room.write("c.txt", "rose rose\n");
    let outcome = room.run("reorder pack --check c.conll").success();
    assert!(
        outcome.stderr.contains("in 1 sentence the rows are assumed to be the leftmost matching words"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("1 unknown"), "{}", outcome.stderr);
}

#[test]
fn identical_orders_are_called_so() {
    let room = with_runs();
    let outcome =
        room.run("reorder evaluate same=good.conll good.conll half.conll --gold g.conll --against good").success();
    assert!(outcome.stdout.contains("\n  identical to good"), "{}", outcome.stdout);
    assert_eq!(outcome.stdout.matches("\n  p ").count(), 2, "of the source and of half: {}", outcome.stdout);
    assert!(outcome.stderr.contains("intervals and tests on 2 sentences may be unreliable"), "{}", outcome.stderr);
    let json = room.run("reorder evaluate same=good.conll good.conll --gold g.conll --against good --json").success();
    let report: Value = serde_json::from_str(&json.stdout).unwrap();
    let identical: Vec<&Value> = report["systems"].as_array().unwrap().iter().map(|run| &run["identical"]).collect();
    assert_eq!(identical, [&Value::Bool(false), &Value::Bool(true), &Value::Null]);
}

/// Of three words in the order 0 2 1, and five in 0 1 2 4 3, the source has one pair of 3 and one of 10 wrong.
#[test]
fn orders_are_judged() {
    let room = with_runs();
    let judge = |options: &str| {
        room.run(&format!("reorder evaluate good.conll half.conll --gold g.conll {options}")).success().stdout
    };
    let shown = judge("--scores kendall,hamming,exact,chunks --bootstrap 0");
    let expected = "\
Word order scores

order     kendall  hamming   exact  chunks
(source)    78.33    46.67    0.00    3.00
good       100.00   100.00  100.00    1.00
half        95.00    80.00   50.00    2.00

3 sentences; left out: 1 without links, and 0 from frs, tau and complete because a word is linked around another
";
    assert_eq!(shown, expected);
    let report: Value = serde_json::from_str(&judge("--json")).unwrap();
    let score = |system: usize, name: &str| report["systems"][system]["scores"][name].as_f64().unwrap();
    for (name, expected) in
        [("kendall", f64::midpoint(2.0 / 3.0, 0.9)), ("tau-pooled", 1.0 - 2.0 / 13.0), ("frs-pooled", 1.0 - 6.0 / 10.0)]
    {
        assert!((score(0, name) - expected).abs() < 1e-9, "{name}: {}", score(0, name));
    }
    assert_eq!(report["without_links"], 1);
    assert!(report["systems"][1]["differences"]["kendall"]["p_value"].as_f64().is_some());
    assert!(report["systems"][0]["differences"].is_null());
    let report: Value = serde_json::from_str(&judge("--json --scores kendall --against half")).unwrap();
    let difference = |name: &str| {
        let systems = report["systems"].as_array().unwrap();
        systems.iter().find(|system| system["name"] == name).unwrap()["differences"]["kendall"]["difference"].as_f64()
    };
    assert_eq!((report["against"].as_str(), difference("half")), (Some("half"), None));
    assert!(
        (difference("(source)").unwrap() - (f64::midpoint(2.0 / 3.0, 0.9) - f64::midpoint(1.0, 0.9))).abs() < 1e-9,
        "{report}"
    );
    room.run("reorder evaluate half=half.conll --gold g.conll --against good")
        .refused("error: --against good: no such order");
    judge("--scores tau,exact --sentences each.tsv");
    let each = room.read("each.tsv");
    assert!(each.contains("\nhalf\t3\t5\t0.900000\t0.000000\n"), "{each}");
}

#[test]
fn orders_are_judged_by_alignments() {
    let room = room();
    room.write("run", "3 0 2 1\n\n0 2 1 3 4\n");
    let outcome =
        room.run("reorder evaluate run --links links --source s --scores tau,kendall --json --bootstrap 0").success();
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["incomparable"], 1);
    // Of 0 3 2 the run has 3 0 2, one pair wrong; the other sentence has no ranks.
    let tau = report["systems"][1]["scores"]["tau"].as_f64().unwrap();
    assert!((tau - 2.0 / 3.0).abs() < 1e-9);
    for (run, expected) in [
        ("0 2\n\n0\n", "run:1: expected position 3, of `home`, too (`incomplete` allows that), found nothing"),
        ("0 2 3 3\n", "run:1:7: expected the position of a word, from 0 to 3, each once, found `3`"),
        ("0 2 4\n", "run:1:5: expected the position of a word, from 0 to 3, each once, found `4`"),
        ("0 2 3\n", "unequal lengths: links has 3 lines, run has 1"),
    ] {
        room.write("run", run);
        room.run("reorder evaluate run --links links --source s").refused(&format!("error: {expected}"));
    }
}

#[test]
fn runs_must_be_of_the_data() {
    let room = with_runs();
    let gold = room.read("g.conll");
    for (run, expected) in [
        (
            gold.replace("going", "gone"),
            "r.conll: sentence 1 (from line 1) has `gone` as word 2, where g.conll has `going`",
        ),
        (
            gold.split_once("\n\n").unwrap().0.to_owned(),
            "r.conll: sentence 3, `she does not sleep here`, is missing; sentences with rows: it has 1, g.conll has 2",
        ),
        (
            gold.split_once("\n\n").unwrap().1.to_owned(),
            "r.conll: sentence 1 (from line 1) has `she` as word 1, where g.conll has `I`; sentences with rows: it has 1, \
             g.conll has 2",
        ),
        (
            gold.clone() + &gold,
            "r.conll: the rows from line 11 are of no sentence; sentences with rows: it has 4, g.conll has 2",
        ),
    ] {
        room.write("r.conll", run);
        room.run("reorder evaluate r.conll --gold g.conll").refused(&format!("error: {expected}"));
    }
    room.write("r.conll", gold.replace("VBG", "VBX"));
    room.run("reorder submit --team t --data a_b=g.conll --standard a_b=r.conll -o t.zip")
        .refused("error: r.conll: sentence 1 (from line 1) differs from the data outside column 7, at word 2, `going`");
    assert!(!room.path("t.zip").exists());
}

/// The task multiplies Hamming's and Kendall's scores with exp(min(1 - r / c, 0)): of three words `I home` has two.
#[test]
fn runs_that_lack_words_are_judged_if_that_is_asked_for() {
    let room = with_runs();
    let (first, rest) =
        room.read("g.conll").split_once("\n\n").map(|(one, two)| (one.to_owned(), two.to_owned())).unwrap();
    assert_eq!(ROWS.trim_end(), first);
    let short = "1\tI\t-\tPRON\tPRP\t-\t0\t-\t-\t-\n3\thome\t-\tADV\tADV\t-\t1\t-\t-\t-";
    room.write("short.conll", format!("{short}\n\n{rest}"));
    room.write("short", "0 3\n\n0 1 2 4 3\n");
    let scores = |run: &str| {
        let judged = room.run(&format!("reorder evaluate {run} --gold g.conll --incomplete --json")).success();
        let report: Value = serde_json::from_str(&judged.stdout).unwrap();
        report["systems"][1].clone()
    };
    let system = scores("short.conll");
    assert_eq!(system["scores"], scores("short")["scores"]);
    let expected = f64::midpoint((1.0f64 - 3.0 / 2.0).exp(), 1.0);
    for name in ["hamming", "kendall", "kendall-sqrt"] {
        let value = system["scores"][name].as_f64().unwrap();
        assert!((value - expected).abs() < 1e-9, "{name}: {value}");
    }
    // 7 of 8 words, 5 of 6 bigrams, 3 of 4 trigrams and 2 of 2 of four would be there without `going`, in one order:
    // all match.
    assert!((system["scores"]["bleu"].as_f64().unwrap() - (1.0f64 - 8.0 / 7.0).exp()).abs() < 1e-9, "{system}");
    assert_eq!(system["scores"]["exact"], 0.5);
    assert!(system["scores"]["fuzzy"].is_null() && system["estimates"]["fuzzy"]["interval"].is_null(), "{system}");
    room.run("reorder evaluate short.conll --gold g.conll")
        .refused("error: short.conll: sentence 1 (from line 1) lacks `going`, word 2 (`incomplete` allows that)");
    room.run("reorder evaluate short --gold g.conll")
        .refused("error: short:1: expected position 2, of `going`, too (`incomplete` allows that), found nothing");
    room.write("short.conll", format!("{}\n\n{rest}", short.replace("3\thome", "2\thome")));
    room.run("reorder evaluate short.conll --gold g.conll --incomplete").refused(
        "error: short.conll: sentence 1 (from line 1) has `home` as word 2, where g.conll has `going`; where rows are missing, the \
         others keep their numbers",
    );
    room.run("reorder submit --team t --data a_b=g.conll --standard a_b=short.conll -o t.zip").failure(2);
}

#[test]
fn hidden_orders_are_no_gold_standard() {
    let room = room();
    room.run("reorder pack links --trees s.conllu --stem g --split tst=3 --hide tst -q").success();
    let told = "error: g.tst.conll: the order of sentence 1 (from line 1) is hidden, as those of test data are\nhint: ";
    for command in ["evaluate g.tst-gold.conll --gold g.tst.conll", "rank x.zip --gold a_b=g.tst.conll"] {
        let shown = room.run(&format!("reorder {command}")).failure(2);
        assert!(shown.starts_with(told) && shown.contains("-gold.conll"), "{shown}");
    }
    let expected =
        "g.tst.conll:1:18: expected in sentence 1 an order in column 7, which is hidden as in test data, found `-`";
    room.run("reorder evaluate g.tst.conll --gold g.tst-gold.conll").refused(&format!("error: {expected}"));
    room.run("reorder train --gold g.tst.conll -m m").refused(&format!("error: {expected}"));
    room.run("reorder evaluate g.tst-gold.conll --gold g.tst-gold.conll").success();
}

/// All that the task's description prints, names included: `home.` in the text, `NN (home).` among the tags.
#[test]
fn the_example_of_the_task_is_read() {
    let room = Room::new();
    room.write("src_tgt.src.trn.conll", ROWS.replace("PRON", "P"));
    room.write("src_trn.src.trn.txt", "I am going home.\n");
    room.write("src_trn.src.trn.pos", "VRB (I) VMZ (am) VBG (going) NN (home).\n");
    room.write("src_trn.src.trn.align.info", "0(I) 2(going) 3 (home)\n");
    let told = room.run("reorder pack --check src_tgt.src.trn.conll").success().stderr;
    let expected =
        "src_tgt.src.trn.conll: 1 sentence, 1 with rows; 4 words, 3 with rows; 1 in another order; no parses\n";
    assert_eq!(told, expected);
}

#[test]
fn submissions_have_a_run_for_each_pair_and_none_twice() {
    let room = with_runs();
    let submit = "reorder submit --team t --data a_b=g.conll -o t.zip";
    room.run(&format!("{submit} --data c_d=g.conll --standard a_b=good.conll"))
        .refused("error: no run for c_d: there must be a standard run for each pair");
    room.run(&format!("{submit} --standard a_b=good.conll --standard a_b=g.conll"))
        .refused("error: t.a_b.standard.2.conll is the same run as t.a_b.standard.1.conll: all orders are equal");
    assert!(!room.path("t.zip").exists());
    // Another sign in empty columns makes no other run, and no other data.
    room.write("signs.conll", room.read("half.conll").replace("\t-", "\t_"));
    room.run(&format!("{submit} --standard a_b=half.conll --nonstandard a_b=signs.conll"))
        .refused("error: t.a_b.nonstandard.1.conll is the same run as t.a_b.standard.1.conll: all orders are equal");
    room.run(&format!("{submit} --standard a_b=signs.conll")).success();
    room.run("reorder submit --check t.zip --data a_b=g.conll").success();
    room.run("reorder submit --check t.zip --data a_b=g.conll --data c_d=g.conll")
        .refused("error: no run for c_d: there must be a standard run for each pair");
}

#[test]
fn submissions_are_reproducible_and_checked() {
    let room = with_runs();
    let submit = "reorder submit --data a_b=g.conll --standard a_b=half.conll --standard a_b=same.conll --team";
    let outcome = room.run(&format!("{submit} lab --nonstandard a_b=good.conll -o lab.zip")).success();
    let expected = "lab.a_b.standard.1.conll  2 sentences\nlab.a_b.standard.2.conll  2 sentences\n\
                    lab.a_b.nonstandard.1.conll  2 sentences\n";
    assert_eq!(outcome.stderr, expected);
    room.run(&format!("{submit} lab --nonstandard a_b=good.conll -o again.zip")).success();
    let [one, again] = ["lab.zip", "again.zip"].map(|name| std::fs::read(room.path(name)).unwrap());
    assert_eq!(one, again);
    assert_eq!(room.run("reorder submit --check lab.zip --data a_b=g.conll").success().stderr, expected);
    let more = "--standard a_b=same.conll ".repeat(3);
    room.run(&format!("{submit} lab {more} -o x.zip"))
        .refused("error: run 5 of lab for a_b: there may be at most 4 standard runs");
    room.run(&format!("{submit} l/b -o x.zip")).refused("error: the team `l/b`: expected letters, digits, `_` and `-`");
    room.run(&format!("{submit} lab --nonstandard a_c=good.conll -o x.zip"))
        .refused("error: good.conll: there is no --data a_c=…");
    // Two runs of one name: the second entry of the directory is renamed to the first.
    let renamed = rename_last(&one, b"standard.2", b"standard.1");
    room.write("twice.zip", renamed);
    room.run("reorder submit --check twice.zip --data a_b=g.conll")
        .refused("error: twice.zip: two files are called lab.a_b.standard.1.conll");
}

/// Replaces the last occurrence of some bytes.
fn rename_last(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = bytes.windows(from.len()).rposition(|window| window == from).unwrap();
    [&bytes[..at], to, &bytes[at + from.len()..]].concat()
}

/// Archives that `zipfile` of Python 3.11 wrote, stored and by deflate, with one run of the rows above.
#[test]
fn archives_of_other_programs_are_read() {
    let room = room();
    room.write("g.conll", ROWS);
    room.write("links", "0-0 2-2 3-1\n");
    room.write("p.zip", include_bytes!("../archives/python-stored.zip"));
    room.write("q.zip", include_bytes!("../archives/python-deflated.zip"));
    for name in ["p", "q"] {
        let outcome = room.run(&format!("reorder submit --check {name}.zip --data a_b=g.conll")).success();
        assert_eq!(outcome.stderr, format!("{name}.a_b.standard.1.conll  1 sentence\n"));
    }
}

#[test]
fn leaderboards_show_the_best_standard_run_of_each_team() {
    let room = with_runs();
    for (team, run) in [("good", "good"), ("half", "half")] {
        let words = format!(
            "reorder submit -q --team {team} --data a_b=g.conll --standard a_b={run}.conll --standard a_b=same.conll"
        );
        room.run(&format!("{words} -o {team}.zip")).success();
    }
    let outcome = room.run("reorder rank good.zip half.zip --gold a_b=g.conll --scores hamming").success();
    assert!(outcome.stderr.contains("intervals and tests on 2 sentences may be unreliable"), "{}", outcome.stderr);
    let expected = "\
a_b, 2 sentences

rank  team      run         kendall  hamming  p (above)  p (source)
1     good      standard 1   100.00   100.00";
    assert!(outcome.stdout.starts_with(expected), "{}", outcome.stdout);
    assert_eq!(outcome.stdout.matches("same").count(), 0);
    assert_eq!(outcome.stdout.lines().count(), 6);
    let all =
        room.run("reorder rank good.zip half.zip --gold a_b=g.conll --all-runs --format markdown").success().stdout;
    assert!(all.starts_with("### a\\_b, 2 sentences\n\n| rank | team | run | kendall | bleu |"), "{all}");
    assert_eq!(all.lines().count(), 9);
    let html = room.run("reorder rank good.zip half.zip --gold a_b=g.conll --style html -o board.html").success();
    assert_eq!(html.stdout, "");
    let page = room.read("board.html");
    assert!(
        page.starts_with("<!DOCTYPE html>\n") && page.contains("<td style=\"text-align: left\">half</td>"),
        "{page}"
    );
    let json = room.run("reorder rank half.zip good.zip --gold a_b=g.conll --json").success().stdout;
    let boards: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(boards[0]["board"][0]["run"], "good.a_b.standard.1.conll");
    assert_eq!(boards[0]["board"][0]["estimates"]["kendall"]["value"], 1.0);
    let other = room.run("reorder rank good.zip --gold a_b=g.conll --gold c_d=g.conll").success();
    assert!(other.stderr.contains("no submission has a run for c_d"), "{}", other.stderr);
    room.run("reorder evaluate good.conll x/good.conll --gold g.conll").failure(2);
    room.run("reorder evaluate a=good.conll a=half.conll --gold g.conll")
        .refused("error: two orders are named a: rename a file with NAME=FILE");
    room.run("reorder rank good.zip good.zip --gold a_b=g.conll")
        .refused("error: good.zip: the team good is in good.zip already");
    room.run("reorder rank good.zip --gold a_c=g.conll")
        .refused("error: good.zip: good.a_b.standard.1.conll: there is no --gold a_b=…");
}
