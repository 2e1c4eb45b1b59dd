//! `alinea view`: pages, interlinear lines, trees.

use serde_json::{Value, json};

use crate::support::Room;

const GERMAN: &str = "1\tdas\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tHaus\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n\
                      1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n1\tin\t_\tADP\t_\t_\t3\tcase\t_\t_\n\
                      2\tdem\t_\tDET\t_\t_\t3\tdet\t_\t_\n3\tBuch\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n";

fn room() -> Room {
    Room::with_files(&[
        ("de", "das Haus\n\nim Buch\n"),
        ("en", "the house\n\nin </script> book\n"),
        ("links", "0-0:0.5 1-1:0.75\n\n0-0:0.25 1-2:1\n"),
        ("other", "0-0 1-0\n\n0-1\n"),
        ("gold", "0-0 0p1 1-1\n\n0-0 1-2\n"),
        ("short", "0-0 1-1\n"),
        ("de.conllu", GERMAN),
    ])
}

/// The data of a page, as a browser finds them.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script").unwrap().0).unwrap()
}

#[test]
fn a_page_has_all_pairs_and_all_links() {
    let room = room();
    let outcome = room.run("view de en links new=other -g Ann=gold --gold Ben=other -o page.html").success();
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""));
    let page = room.read("page.html");
    let names: Vec<Value> = ["links", "new", "Ann", "Ben"].map(|name| json!(name)).into();
    let data = data(&page);
    assert_eq!(data["layers"].as_array().unwrap().iter().map(|layer| layer["name"].clone()).collect::<Vec<_>>(), names);
    assert_eq!(data["layers"][1]["gold"], json!(false));
    assert_eq!(data["layers"][2]["gold"], json!(true));
    assert_eq!(data["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(
        data["pairs"][0],
        json!({
            "n": 1, "s": ["das", "Haus"], "t": ["the", "house"],
            "l": [[[0, 0, 0, 0.5], [1, 1, 0, 0.75]], [[0, 0], [1, 0]], [[0, 0], [0, 1, 1], [1, 1]], [[0, 0], [1, 0]]],
        })
    );
    assert_eq!(data["pairs"][1], json!({"n": 2, "s": [], "t": [], "l": [[], [], [], []]}));
    assert_eq!(data["pairs"][2]["t"], json!(["in", "</script>", "book"]));
    assert!(page.contains("<title>de – en</title>") && page.contains("Evaluation of 3 pairs"), "{page}");
    assert_eq!(page.matches("<th scope=\"row\"><bdi>").count(), 4, "two systems, two gold standards");
    assert_eq!(room.stdout("view de en links new=other -g Ann=gold --gold Ben=other -f html"), page);
}

#[test]
fn scores_are_those_of_evaluate() {
    let room = room();
    let page = room.stdout("view de en links -g gold -f html");
    let report: Value = serde_json::from_str(&room.stdout("evaluate links --gold gold --json")).unwrap();
    for score in ["aer", "precision", "recall", "f"] {
        let percent = format!(">{:.2}<", report["corpus"][score].as_f64().unwrap() * 100.0);
        assert!(page.contains(&percent), "{score} {percent}");
    }
    assert!(page.contains(report["signature"].as_str().unwrap()));
}

#[test]
fn some_pairs_are_chosen() {
    let room = room();
    let numbers = |words: &str| -> Vec<Value> {
        let data = data(&room.stdout(words));
        data["pairs"].as_array().unwrap().iter().map(|pair| pair["n"].clone()).collect()
    };
    assert_eq!(numbers("view de en links -f html --lines 2-3"), [json!(2), json!(3)]);
    assert_eq!(numbers("view de en links -f html --line 3"), [json!(3)]);
    assert_eq!(numbers("view de en links -f html -g short --first"), [json!(1)]);
    assert_eq!(numbers("view de en links -f html -g short --line 1"), [json!(1)]);
    assert_eq!(room.error("view de en links -o p.html --lines 2-4"), "error: there is no pair 4: de has 3 lines\n");
    assert_eq!(
        room.error("view de en short -o p.html --first"),
        "error: unequal lengths: de has 3 lines, short has 1\n"
    );
    assert!(!room.names().contains("p.html"), "{}", room.names());
}

#[test]
fn gold_standards_may_be_of_a_part() {
    let room = room();
    room.write("none", "");
    let outcome = room.run("view de en links -g none -o p.html").success();
    assert_eq!(outcome.stderr, "warning: none: no pair has gold links\n");
    let warning = "warning: short: only the first pair has gold links (--first leaves out the others)\n";
    for lines in ["", "--lines 1-3"] {
        let outcome = room.run(&format!("view de en links -g short -g gold -o p.html {lines}")).success();
        assert_eq!(outcome.stderr, warning);
        let page = room.read("p.html");
        let links: Vec<Value> = (0..3).map(|pair| data(&page)["pairs"][pair]["l"][1].clone()).collect();
        assert_eq!(links, [json!([[0, 0], [1, 1]]), Value::Null, Value::Null]);
        assert_eq!(data(&page)["pairs"][2]["l"][2], json!([[0, 0], [1, 2]]));
        assert!(page.contains("<p><bdi>short</bdi>: 1 of 3 pairs have gold links; others are not scored.</p>"));
    }
    assert_eq!(room.run("view de en links -g short --first -f html").success().stderr, "");
    room.write("long", "0-0\n\n\n\n");
    assert_eq!(
        room.error("view de en links -g long -o p.html"),
        "error: unequal lengths: de has 3 lines, long has 4\n"
    );
}

#[test]
fn names_that_clash_are_refused() {
    let room = room();
    assert_eq!(
        room.error("view de en a=links a=other -o p.html"),
        "error: two sets of links are called a\nhint: NAME=FILE gives a file a name\n"
    );
    room.write("x.links", "0-0\n\n\n");
    room.write("x.gold", "0-0\n\n\n");
    let layers = &data(&room.stdout("view de en x.links -g x.gold -f html"))["layers"];
    assert_eq!([&layers[0]["name"], &layers[1]["name"]], ["x.links", "x.gold"]);
    let picture = "error: a picture has one set of links and one gold standard; a page has several (-o FILE.html)\n";
    assert_eq!(room.error("view de en links other"), picture);
    assert_eq!(room.error("view de en links -g gold -g other -o p.svg"), picture);
    let page = "error: --first and --title are for pages (-o FILE.html); leave them out to draw one pair\n";
    assert_eq!(room.error("view de en links --title T"), page);
    assert_eq!(room.error("view de en links --first"), page);
    assert!(room.error("view de en").contains("<ALIGNMENT>"));
    assert_eq!(
        room.error("view de en links -o links -f html"),
        "error: links: --output would overwrite the input ALIGNMENT\n"
    );
}

#[test]
fn titles_are_text() {
    let room = room();
    let mut command = room.command("view de en links -f html --line 1 --title");
    let output = command.arg("</title><script>alert(1)</script>").output().unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"), "{page}");
    assert!(!page.contains("<script>alert"));
}

#[test]
fn bytes_that_are_no_text_are_refused_or_replaced() {
    let room = room();
    room.write("bad", b"das H\xFFus\n");
    room.write("one", "the house\n");
    assert!(room.error("view bad one short -o p.html").starts_with("error: bad:1:6: "));
    let page = room.stdout("view bad one short -f html --lossy");
    assert_eq!(data(&page)["pairs"][0]["s"], json!(["das", "H\u{FFFD}us"]));
}

#[test]
fn links_out_of_the_sentences_are_told_once() {
    let room = room();
    room.write("far", "0-0 2-2\n0-0\n0-9\n");
    let outcome = room.run("view de en far -o p.html").success();
    let expected = "warning: far:1:5: link 2-2 is out of range, the source has 2 tokens, the target 2\n\
                    warning: far: 2 more pairs with links outside the sentences\n";
    assert_eq!(outcome.stderr, expected);
    assert_eq!(data(&room.read("p.html"))["pairs"][2]["l"], json!([[[0, 9]]]));
}

#[test]
fn trees_are_over_words_or_tokens() {
    let room = room();
    let data = data(&room.stdout("view de en links -f html --source-trees de.conllu"));
    assert_eq!(data["pairs"][0]["st"], json!([[1, "det", "DET"], [-1, "root", "NOUN"]]));
    assert_eq!(data["pairs"][1].get("st"), None);
    assert_eq!(data["pairs"][2]["st"], json!([[1, "case", "ADP"], [-1, "root", "NOUN"]]));
    let svg = room.stdout("view de en links --line 3 -f svg --source-trees de.conllu");
    assert!(svg.contains(">case</text>") && svg.contains(">0 ADP</text>"), "{svg}");
}

#[test]
fn trees_that_do_not_fit_are_refused() {
    let room = room();
    room.write("three", "das Haus\n\nin dem Buch da\n");
    assert_eq!(
        room.error("view three en links --source-trees de.conllu -o p.html"),
        "error: de.conllu:5: sentence 2 has 3 words in 2 tokens, line 3 of the text has 4\n"
    );
    room.write("one", "das Haus\n");
    assert_eq!(
        room.error("view one one short --source-trees de.conllu -o p.html"),
        "error: de.conllu:5: more trees than lines: 1 belong to the 1 lines of the text\n"
    );
    room.write("few", &GERMAN[..GERMAN.find("1-2").unwrap()]);
    assert_eq!(
        room.error("view de en links --source-trees few -o p.html"),
        "error: few: no tree for line 3, there are 1\n"
    );
    assert_eq!(
        room.error("view de en links --source-trees de.conllu"),
        "error: trees are drawn in SVG files (-o FILE.svg) and pages (-o FILE.html)\n"
    );
    assert!(!room.names().contains("p.html"));
}

#[test]
fn interlinear_lines_have_words_under_words() {
    let room = room();
    let expected = "  0 das      1 Haus\n■ 0 the    ■ 1 house\n◦ 1 house\n\n";
    let drawn = room.stdout("view de en links -g gold -f interlinear");
    assert!(drawn.starts_with(expected), "{drawn}");
    let both = room.stdout("view de en links --lines 1-2 -f interlinear");
    assert_eq!(both, "pair 1\n\n0 das  1 Haus\n0 the  1 house\n\n■ link 2\n\npair 2\n\n■ link 0\n");
    let colored = room.stdout("view de en links -g gold -f interlinear --color always --ascii");
    assert!(colored.contains("\u{1b}[32m#\u{1b}[0m 0 the"), "{colored}");
}

/// The commands of docs/view.md.
#[test]
fn trees_of_the_sample_are_over_its_words() {
    let room = Room::new();
    let sample = |name: &str| std::fs::read_to_string(format!("{}/sample/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    for side in ["en", "fr", "gold"] {
        room.write(side, sample(&format!("en-fr.{side}")).lines().nth(46).unwrap().to_owned() + "\n");
    }
    for side in ["en", "fr"] {
        let trees = sample(&format!("en-fr.47.{side}.conllu"));
        let forms: Vec<&str> = trees.lines().filter_map(|line| line.split('\t').nth(1)).collect();
        assert_eq!(forms.join(" ") + "\n", room.read(side));
        room.write(&format!("{side}.conllu"), trees);
    }
    let svg = room.stdout("view en fr gold --source-trees en.conllu --target-trees fr.conllu -f svg");
    for relation in ["compound:prt", "nsubj", "flat:foreign", "root"] {
        assert!(svg.contains(&format!(">{relation}</text>")), "{relation}");
    }
}

/// The pictures of docs/view.md are those that its commands write.
#[test]
fn pictures_of_the_documentation_are_what_is_written() {
    let root = env!("CARGO_MANIFEST_DIR");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).unwrap();
    let room = Room::new();
    for side in ["en", "fr", "gold"] {
        let text = read(&format!("sample/en-fr.{side}"));
        room.write(&format!("47.{side}"), text.lines().nth(46).unwrap().to_owned() + "\n");
        room.write(&format!("en-fr.{side}"), text);
    }
    for side in ["en", "fr"] {
        room.write(&format!("en-fr.47.{side}.conllu"), read(&format!("sample/en-fr.47.{side}.conllu")));
    }
    room.run("align en-fr.en en-fr.fr -o links").success();
    room.run("view en-fr.en en-fr.fr links --gold en-fr.gold --line 59 -o pair.svg").success();
    let trees = "--source-trees en-fr.47.en.conllu --target-trees en-fr.47.fr.conllu";
    room.run(&format!("view 47.en 47.fr 47.gold {trees} -o trees.svg")).success();
    for picture in ["pair.svg", "trees.svg"] {
        assert!(room.read(picture) == read(&format!("../../docs/pictures/{picture}")), "{picture} is another one");
    }
}
