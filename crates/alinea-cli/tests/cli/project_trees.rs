//! `alinea project trees`.

use alinea::format::conllu;
use alinea::tree::{ParsedSentence, Roots};

use crate::support::Room;

const TREES: &str = "\
# sent_id = one
1\tAnna\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\treads\t_\tVERB\t_\t_\t0\troot\t_\t_
3\tthe\t_\tDET\t_\t_\t4\tdet\t_\t_
4\tbook\t_\tNOUN\t_\t_\t2\tobj\t_\t_
5\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\t_

1\tshe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_

";

fn room() -> Room {
    let links = "0-0:0.95 1-2:0.95 2-3:0.9 3-1:0.95 4-4:0.97\n1-0:0.9\n";
    Room::with_files(&[("en.conllu", TREES), ("de", "Anna Buch liest das .\nschläft\n"), ("links", links)])
}

fn parsed(text: &str) -> Vec<ParsedSentence> {
    conllu::parse(text, "output", Roots::One).unwrap()
}

#[test]
fn trees_go_over_links() {
    let room = room();
    let answer = room.run("project trees en.conllu de --links links --report report --origins").success();
    let expected = "\
# sent_id = one
# text = Anna Buch liest das .
1\tAnna\t_\tPROPN\t_\t_\t3\tnsubj\t_\tOrigin=carried
2\tBuch\t_\tNOUN\t_\t_\t3\tobj\t_\tOrigin=carried
3\tliest\t_\tVERB\t_\t_\t0\troot\t_\tOrigin=carried
4\tdas\t_\tDET\t_\t_\t2\tdet\t_\tOrigin=carried
5\t.\t_\tPUNCT\t_\t_\t3\tpunct\t_\tOrigin=carried

# text = schläft
1\tschläft\t_\tVERB\t_\t_\t0\troot\t_\tOrigin=carried

";
    assert_eq!(answer.stdout, expected);
    assert_eq!(answer.stderr, "pairs      2\nwords      6\ncarried    6\nmended     0\nguessed    0\n");
    let report: Vec<serde_json::Value> =
        room.read("report").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(report.len(), 6);
    assert_eq!(report[1]["form"], "Buch");
    assert_eq!((report[1]["head"].as_u64(), report[1]["source"].as_u64()), (Some(3), Some(4)));
    assert_eq!((report[1]["relation"].as_str(), report[1]["origin"].as_str()), (Some("obj"), Some("carried")));
    assert!(report.iter().all(|word| (0.5..=1.0).contains(&word["confidence"].as_f64().unwrap())));
    for method in ["mended", "direct"] {
        let other = room.run(&format!("project trees en.conllu de --links links --method {method} --origins -q"));
        assert_eq!(other.success().stdout, expected, "{method}");
    }
}

#[test]
fn methods_differ_where_words_have_no_links() {
    let room = room();
    std::fs::write(room.path("few"), "0-0:0.9 1-2:0.9 3-1:0.9\n\n").unwrap();
    let heads = |method: &str| {
        let answer = room.run(&format!("project trees en.conllu de --links few --method {method}")).success();
        let counts = answer.stderr.lines().skip(2).map(|line| line[11..].to_owned()).collect::<Vec<_>>().join(" ");
        let trees = parsed(&answer.stdout);
        (trees.iter().map(|sentence| sentence.tree().unwrap().to_string()).collect::<Vec<_>>(), counts)
    };
    // `das` and `.` have no links, and neither has the whole second sentence.
    assert_eq!(heads("direct"), (vec!["3 3 0 3 3".to_owned(), "0".to_owned()], "3 0 3".to_owned()));
    assert_eq!(heads("mended"), (vec!["3 3 0 3 3".to_owned(), "0".to_owned()], "3 0 3".to_owned()));
    assert_eq!(heads("consistent").1, "3 0 3");
}

#[test]
fn the_target_may_be_conllu_and_keeps_the_rest() {
    let room = room();
    let target = "\
# kept = yes
1-2\tzur\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tzu\tzu\tADP\tAPPR\tCase=Dat\t_\t_\t_\tA=b
2\tder\tder\t_\tART\t_\t_\t_\t2:x\t_
2.1\tnull\t_\t_\t_\t_\t_\t_\t0:root\t_

";
    let source = "1\tto\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tthat\t_\tPRON\t_\t_\t0\troot\t_\t_\n\n";
    std::fs::write(room.path("de.conllu"), target).unwrap();
    std::fs::write(room.path("to.conllu"), source).unwrap();
    std::fs::write(room.path("both"), "0-0 1-1\n").unwrap();
    let answer = room.run("project trees to.conllu de.conllu --links both --origins -q").success();
    let expected = "\
# kept = yes
1-2\tzur\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tzu\tzu\tADP\tAPPR\tCase=Dat\t2\tcase\t_\tA=b|Origin=carried
2\tder\tder\tPRON\tART\t_\t0\troot\t_\tOrigin=carried

";
    assert_eq!(answer.stdout, expected);
}

#[test]
fn links_may_be_made_on_the_spot() {
    let room = Room::with_sample(60);
    // A tree for each sentence: each word depends on the next one.
    let trees: String = (room.read("s").lines())
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let row = |(n, word): (usize, &&str)| {
                let (head, relation) = if n + 1 == words.len() { (0, "root") } else { (n + 2, "dep") };
                format!("{}\t{word}\t_\tX\t_\t_\t{head}\t{relation}\t_\t_\n", n + 1)
            };
            words.iter().enumerate().map(row).collect::<String>() + "\n"
        })
        .collect();
    std::fs::write(room.path("s.conllu"), trees).unwrap();
    room.run("train s t -m model -q").success();
    let made = room.run("project trees s.conllu t --threads 1").success().stdout;
    assert_eq!(room.run("project trees s.conllu t --threads 3").success().stdout, made);
    assert_eq!(room.run("project trees s.conllu t -m model").success().stdout, made);
    let forms = |sentence: &ParsedSentence| sentence.words().map(|word| word.form().to_owned()).collect::<Vec<_>>();
    let lines: Vec<String> = parsed(&made).iter().map(|sentence| forms(sentence).join(" ")).collect();
    assert_eq!(lines.join("\n") + "\n", room.read("t"));
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let room = room();
    std::fs::write(room.path("short"), "Anna\n").unwrap();
    std::fs::write(room.path("empty"), "Anna\n\n").unwrap();
    std::fs::write(room.path("none.conllu"), "# x\n1\tAnna\t_\tX\t_\t_\t_\t_\t_\t_\n\n").unwrap();
    std::fs::write(room.path("two.conllu"), TREES.replace("\t4\tdet", "\t0\tdet")).unwrap();
    std::fs::write(room.path("cycle.conllu"), TREES.replace("\t0\troot", "\t1\troot")).unwrap();
    std::fs::write(room.path("far"), "0-9\n\n").unwrap();
    std::fs::write(room.path("many"), "\n\n\n").unwrap();
    let cases = [
        ("en.conllu short", "en.conllu has 2 sentences, short has 1"),
        ("en.conllu empty", "empty:2: a sentence without words, which has no tree"),
        ("none.conllu short", "none.conllu:2: expected a tree, but the words have no heads, found `_`"),
        ("two.conllu de", "--roots many allows trees with several roots"),
        ("cycle.conllu de", "words 1 → 2 → 1 are each other's heads"),
        ("en.conllu de --links far", "link 0-9 is out of range"),
        ("en.conllu de --links many", "en.conllu has 2 lines, many has 3"),
        ("en.conllu de --links links --threshold 2", "--threshold = 2: must be 0 to 1"),
        ("en.conllu de --links links --report en.conllu", "en.conllu"),
    ];
    for (words, message) in cases {
        let error = room.error(&format!("project trees {words} -o out"));
        assert!(error.contains(message), "{words}: {error}");
        assert!(!room.path("out").exists());
    }
    let several = room.run("project trees two.conllu de --links links --roots many -q").success();
    assert_eq!(parsed(&several.stdout).len(), 2);
}
