//! `alinea metric --metric dpath ted` and the pictures of path pairs.
//!
//! Expected numbers are those of the worked example of McCaffery (2017, *The mat sat on the cat*, sections 5.1 to
//! 5.4.1), in both readings of its tree, worked out by hand.

use serde_json::Value;

use crate::support::Room;

fn rows(words: &[(&str, u32, &str)]) -> String {
    let row = |(number, (form, head, relation)): (usize, &(&str, u32, &str))| {
        format!("{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_\n")
    };
    (1..).zip(words).map(row).collect::<String>() + "\n"
}

fn holmes(a_depends_on: u32) -> String {
    rows(&[
        ("the", 2, "DET"),
        ("detective", 4, "NSUBJ"),
        ("is", 4, "AUX"),
        ("becoming", 0, "ROOT"),
        ("a", a_depends_on, "DET"),
        ("Sherlock", 7, "CMP"),
        ("Holmes", 4, "DOBJ"),
    ])
}

fn hypothesis() -> String {
    rows(&[
        ("a", 2, "DET"),
        ("Sherlock", 3, "NSUBJ"),
        ("becomes", 0, "ROOT"),
        ("the", 5, "DET"),
        ("detective", 3, "DOBJ"),
    ])
}

/// The example in both readings, and a second sentence in which nothing is wrong.
fn room() -> Room {
    let room = Room::new();
    let second = rows(&[("dogs", 2, "nsubj"), ("bark", 0, "root")]);
    room.write("ref", holmes(7) + &second);
    room.write("ref2", holmes(6) + &second);
    room.write("a", hypothesis() + &second);
    room.write("b", hypothesis() + &rows(&[("bark", 0, "root"), ("dogs", 1, "nsubj")]));
    room.write("links", "0-3 1-4 3-2 4-0 5-1\n0-0 1-1\n");
    room
}

#[test]
fn the_example_is_scored_as_by_hand() {
    let room = room();
    for links in ["", " --links links"] {
        let outcome = room.run(&format!("metric ref -i a --metric dpath ted --segments -b{links}")).success();
        assert_eq!(outcome.stdout, "0.500\t0.500\n1.000\t1.000\n");
        let outcome =
            room.run(&format!("metric ref2 -i a --metric dpath ted --segments -b --ted-splice{links}")).success();
        assert_eq!(outcome.stdout, "0.444\t0.600\n1.000\t1.000\n");
    }
    // Sums: 5 of 10 and 0 of 2; distances 6 of 12 and 0 of 4.
    let outcome = room.run("metric ref -i a --metric dpath ted --pooled -b -w 4").success();
    assert_eq!(outcome.stdout, "0.583333\t0.625000\n");
    let outcome = room.run("metric ref2 -i a --metric dpath --dpath-tie generous --segments -b").success();
    assert_eq!(outcome.stdout, "0.545\n1.000\n");
    let outcome = room.run("metric ref -i a --metric dpath --dpath-coverage 1 --segments -b").success();
    assert_eq!(outcome.stdout, "0.417\n1.000\n");
}

#[test]
fn systems_references_and_tests_are_those_of_the_verb() {
    let room = room();
    let outcome = room.run("metric ref2 ref -i a b --metric dpath --json").success();
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["segments"], 2);
    assert_eq!(report["systems"][0]["scores"][0]["score"], 0.75);
    assert_eq!(report["systems"][1]["scores"][0]["score"], 0.5);
    assert_eq!(report["systems"][0]["scores"][0]["details"], "order = 0.7500 coverage = 0.9167 cost = 5 of 12");
    let signature = report["systems"][0]["scores"][0]["signature"].as_str().unwrap();
    assert!(signature.starts_with("nrefs:2|tie:local|nodes:auto|"), "{signature}");
    let tested = room.run("metric ref -i a b --metric dpath --paired-bs 100 --json").success();
    let report: Value = serde_json::from_str(&tested.stdout).unwrap();
    assert!(report["systems"][1]["scores"][0]["p_value"].is_number());
}

#[test]
fn the_worst_path_pairs_are_shown_first() {
    let outcome = room().run("metric ref -i a --metric dpath --explain").success();
    let expected = "\
segment\tsystem\treference\tcost\tmost\treference_words\treference_path\thypothesis_words\thypothesis_path
1\t1\t1\t2\t2\t1:detective 3:becoming\tNSUBJ, α, –\t4:detective 2:becomes\tDOBJ, β, –
1\t1\t1\t2\t3\t3:becoming 4:a\t–, α, DOBJ DET\t2:becomes 0:a\t–, β, NSUBJ DET
1\t1\t1\t1\t3\t4:a 5:Sherlock\tDET, α, CMP\t0:a 1:Sherlock\tDET, α, –
1\t1\t1\t0\t2\t0:the 1:detective\tDET, α, –\t3:the 4:detective\tDET, α, –
2\t1\t1\t0\t2\t0:dogs 1:bark\tnsubj, α, –\t0:dogs 1:bark\tnsubj, α, –
";
    assert_eq!(outcome.stdout, expected);
    // Several words of the hypothesis for one of the reference: the graph is over the hypothesis.
    let room = room();
    room.write("several", "0-0 1-1 1-2\n0-0 1-1\n");
    let outcome = room.run("metric ref -i a --metric dpath --links several --explain").success();
    assert!(outcome.stdout.contains("1\t1\t1\t0\t0\t-\t-\t1:Sherlock 2:becomes\tNSUBJ, α, –\n"), "{}", outcome.stdout);
    assert!(
        room.run("metric ref -i a --metric dpath --links several --dpath-strict --segments -b").stdout.lines().count()
            == 2
    );
}

/// All weights of the example, by hand; the last column says which edges are in the least spanning tree.
#[test]
fn the_whole_graph_is_shown() {
    let room = room();
    let weights = |reference: &str| -> Vec<String> {
        let outcome = room.run(&format!("metric {reference} -i a --metric dpath --explain graph")).success();
        let lines = outcome.stdout.lines().filter(|line| line.starts_with("1\t"));
        lines
            .map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                format!("{} {}/{} {}", fields[5], fields[3], fields[4], fields[9])
            })
            .collect()
    };
    let holmes = [
        "0:the 1:detective 0/2 yes",
        "0:the 3:becoming 2/3 no",
        "0:the 4:a 3/5 no",
        "0:the 5:Sherlock 4/5 no",
        "1:detective 3:becoming 2/2 yes",
        "1:detective 4:a 3/4 no",
        "1:detective 5:Sherlock 4/4 no",
        "3:becoming 4:a 2/3 yes",
        "3:becoming 5:Sherlock 3/3 no",
        "4:a 5:Sherlock 1/3 yes",
    ];
    assert_eq!(weights("ref"), holmes);
    let sherlock = [
        "0:the 1:detective 0/2 yes",
        "0:the 3:becoming 2/3 no",
        "0:the 4:a 4/6 no",
        "0:the 5:Sherlock 4/5 no",
        "1:detective 3:becoming 2/2 yes",
        "1:detective 4:a 4/5 no",
        "1:detective 5:Sherlock 4/4 no",
        "3:becoming 4:a 3/4 no",
        "3:becoming 5:Sherlock 3/3 yes",
        "4:a 5:Sherlock 0/2 yes",
    ];
    assert_eq!(weights("ref2"), sherlock);
}

#[test]
fn explanations_are_json_too() {
    let room = room();
    for (shown, edges) in [("", 4), (" graph", 10)] {
        let outcome = room.run(&format!("metric ref -i a --metric dpath --json --explain{shown}")).success();
        let objects: Vec<Value> = outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects.len(), 2);
        assert_eq!((objects[0]["order"].as_f64(), objects[0]["cost"].as_u64()), (Some(0.5), Some(5)));
        assert_eq!(objects[0]["edges"].as_array().unwrap().len(), edges);
        assert_eq!(objects[0]["links"][0], serde_json::json!([0, 3]));
        let wanted = serde_json::json!({"words": [4, 5], "forms": ["a", "Sherlock"], "path": "DET, α, CMP"});
        assert!(
            objects[0]["edges"]
                .as_array()
                .unwrap()
                .iter()
                .any(|edge| edge["reference"] == wanted && edge["cost"] == 1 && edge["in_tree"] == true)
        );
    }
}

/// One word in its place is in no wrong order; that the rest is not there is said wherever the score stands alone.
#[test]
fn a_score_of_few_words_does_not_stand_alone() {
    let room = room();
    room.write("one", rows(&[("detective", 0, "ROOT")]) + &rows(&[("bark", 0, "root")]));
    // Shares 1/7 and 1, 1/2 and 1: means of 1/4 and 2/3.
    for options in ["-b", "--segments", "", "--json", "--format markdown"] {
        let outcome = room.run(&format!("metric ref -i one --metric dpath {options}")).success();
        assert!(outcome.stderr.contains("warning: DPath of one covers few words: coverage = 0.4583; "), "{options}");
    }
    let outcome = room.run("metric ref -i a --metric dpath -b").success();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("0.750\n", "DPath of a: coverage = 0.9167\n"));
    assert_eq!(room.run("metric ref -i a --metric dpath").success().stderr, "");
    let outcome = room.run("metric ref -i one --metric dpath -b --dpath-coverage 1").success();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("0.458\n", ""));
}

#[test]
fn links_may_be_between_tokens() {
    let room = Room::new();
    let words =
        "1\tà\t_\t_\t_\t_\t3\tcase\t_\t_\n2\tles\t_\t_\t_\t_\t3\tdet\t_\t_\n3\tarmes\t_\t_\t_\t_\t0\troot\t_\t_\n\n";
    room.write("ref", format!("1-2\taux\t_\t_\t_\t_\t_\t_\t_\t_\n{words}"));
    room.write("a", words);
    room.write("tokens", "0-0 0-1 1-2\n");
    let outcome = room.run("metric ref -i a --metric dpath --links tokens --units tokens --segments -b").success();
    assert_eq!(outcome.stdout, "1.000\n");
    // As words, those of the reference are `à` twice and `les`: no word is out of range, another score.
    let outcome = room.run("metric ref -i a --metric ted --links tokens --segments -b").success();
    assert_ne!(outcome.stdout, "1.000\n");
    room.write("outside", "2-2\n");
    let error = room.run("metric ref -i a --metric dpath --links outside --units tokens").failure(2);
    assert!(error.contains("outside:1"), "{error}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let room = room();
    let error = |words: &str| room.run(words).failure(2);
    let no_heads = "1\tdogs\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    room.write("short", hypothesis());
    room.write("plain", no_heads.repeat(2));
    room.write("unlabeled", hypothesis().replace("NSUBJ", "_") + &rows(&[("x", 0, "root")]));
    room.write("cyclic", hypothesis().replace("0\tROOT", "2\tROOT"));
    room.write("roots", hypothesis().replace("3\tDOBJ", "0\tROOT") + &rows(&[("x", 0, "root")]));
    room.write("few", "0-0\n");
    room.write("many", "0-0\n0-0\n0-0\n");
    room.write("far", "0-5\n0-0\n");
    room.write("commented", format!("# links = 7-0\n{}", hypothesis()) + &rows(&[("x", 0, "root")]));
    for (words, expected) in [
        ("-i plain", "plain:1:1: expected a sentence with a tree: the words have no heads, found `dogs`"),
        ("-i unlabeled", "unlabeled:2:1: expected a relation of word 2 (`Sherlock`) to its head, which `_` is not"),
        ("-i cyclic", "words 2 → 3 → 2 are each other's heads"),
        ("-i roots", "--roots many allows trees with several roots"),
        ("-i short", "unequal lengths: short has 1 sentence, ref has 2"),
        ("-i a --links few", "few ends after 1 line, ref has more sentences"),
        ("-i a --links many", "unequal lengths: ref has 2"),
        ("-i a --links far", "far:1"),
        ("-i a --links links far", "--links has 2 files, but needs 1: one for each system and reference"),
        ("-i commented", "sentence 1: comment `links`: link 7-0 is out of range, the trees have 7 and 5 words"),
        ("-i a --dpath-coverage nan", "--dpath-coverage = NaN: must be finite numbers, at least 0"),
        ("-i a --num-refs 2", "num-refs = 2: sentences with trees cannot share a line"),
        ("-i a --match-beam 0", "--match-beam = 0: must be 1 or more"),
    ] {
        let found = error(&format!("metric ref --metric dpath {words}"));
        assert!(found.contains(expected), "{words}: {found}");
    }
    let found = error("metric ref -i a --metric dpath bleu");
    assert!(found.contains("dpath and ted read trees, the other metrics lines of text"), "{found}");
    let found = error("metric ref -i a --metric bleu --links links");
    assert!(found.contains("add --metric dpath"), "{found}");
    let found = error("metric ref -i a --metric ted --explain");
    assert!(found.contains("--explain only works with dpath alone"), "{found}");
    assert_eq!(room.run("metric ref -i unlabeled --metric ted --segments -b").success().stdout.lines().count(), 2);
    assert_eq!(
        room.run("metric ref -i roots --metric dpath --roots many --segments -b").success().stdout.lines().count(),
        2
    );
}

/// The data of a page.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn path_pairs_are_drawn() {
    let room = room();
    room.run("view ref a links --dpath -o page.html").success();
    let page = data_of(&room.read("page.html"));
    assert_eq!(page["layers"][0]["name"], "links");
    assert_eq!(page["pairs"].as_array().unwrap().len(), 2);
    let pair = &page["pairs"][0];
    assert_eq!(pair["o"], serde_json::json!([0.5, 5, 10, 2.0 * 5.0 / 7.0 / (5.0 / 7.0 + 1.0)]));
    assert_eq!(pair["e"][1], serde_json::json!([2, 3, [3, 4, "–, α, DOBJ DET"], [2, 0, "–, β, NSUBJ DET"]]));
    assert_eq!(pair["e"].as_array().unwrap().len(), 4);
    assert_eq!(pair["st"][4], serde_json::json!([6, "DET", ""]));
    assert_eq!(page["pairs"][1]["o"][0], 1.0);
    // Without links words are matched; one pair of several.
    room.run("view ref a --dpath --line 2 -o page.html").success();
    let page = data_of(&room.read("page.html"));
    assert_eq!(page["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(page["pairs"][0]["n"], 2);
    let picture = room.run("view ref2 a --dpath -f svg").success().stdout;
    assert!(picture.contains("order 0.4444 = 1 - 5 / 9, coverage 0.8333"), "{picture}");
    assert_eq!(picture, room.run("view ref2 a --dpath -f svg").success().stdout);
    let picture = room.run("view ref2 a --dpath --dpath-tie generous -f svg").success().stdout;
    assert!(picture.contains("order 0.5455"), "{picture}");
}

/// All weights, with `a` under `Sherlock` (McCaffery 2017, table 5.1 and figure 5.2), by hand.
#[test]
fn graphs_of_path_pairs_are_drawn() {
    let room = room();
    let picture = room.run("view ref2 a --dpath --graph -f svg").success().stdout;
    for (weight, times) in
        [("0/2", 2), ("2/2", 1), ("2/3", 1), ("3/3", 1), ("3/4", 1), ("4/4", 1), ("4/5", 2), ("4/6", 1)]
    {
        assert_eq!(picture.matches(&format!(">{weight}</text>")).count(), times, "{weight}: {picture}");
    }
    // In the tree.
    for weight in ["2/2", "3/3"] {
        assert!(picture.contains(&format!("font-weight=\"bold\">{weight}</text>")), "{weight}: {picture}");
    }
    assert!(room.run("view ref2 a --dpath --graph -o x.html").failure(2).contains("--graph draws an SVG file"));
    assert!(room.run("view ref2 a links --graph").failure(2).contains("--dpath"));
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let room = room();
    for (words, expected) in [
        ("view ref a links", "paths are drawn in SVG files"),
        ("view ref a links a -o x.html", "--dpath draws one set of links"),
        ("view ref a -o x.html --line 3", "there is no pair 3: ref has 2 sentences"),
        ("view ref a -o x.html --lines 2-5", "there is no pair 3: ref has 2 sentences"),
        ("view ref a -o x.svg --line 3", "there is no pair 3: ref has 2 sentences"),
        ("view ref a -o x.svg --lines 1-2", "an SVG file has one picture"),
        ("view ref a links -o x.html --gold links", "cannot be used with"),
        ("view ref a -o x.html --units tokens", "required"),
        ("view ref a -o x.html --match-beam 0", "beam = 0"),
    ] {
        let error = room.run(&format!("{words} --dpath")).failure(2);
        assert!(error.contains(expected), "{words}: {error}");
        assert!(!room.path("x.html").exists() && !room.path("x.svg").exists(), "{words}");
    }
    let error = room.run("view ref a links --dpath-tie index").failure(2);
    assert!(error.contains("need --dpath"), "{error}");
    assert!(room.run("view ref a").failure(2).contains("ALIGNMENT"));
}
