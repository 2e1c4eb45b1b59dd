//! `alinea project labels`.

use crate::support::Room;

const NAMES: &str = "\
# sent_id = 1
1\tAnna\tB-PER\t-
2\tSmith\tI-PER\t-
3\tlives\tO\t-
4\tin\tO\t-
5\tNew\tB-LOC\t-
6\tYork\tI-LOC\t-

1\tYork\tS-LOC\t-
2\tsleeps\tO\t-

";

fn room() -> Room {
    let links = "0-0:0.9 1-1:0.9 2-2:0.8 3-3:0.8 4-4:0.9 5-4:0.8\n0-1:0.9\n";
    let files = [("names", NAMES), ("de", "Anna Smith wohnt in Neuyork\nes schläft York\n"), ("links", links)];
    Room::with_files(&files)
}

#[test]
fn labels_go_over_links() {
    let room = room();
    let answer = room.run("project labels names de --links links --report report");
    let expected = "Anna\tB-PER\nSmith\tE-PER\nwohnt\tO\nin\tO\nNeuyork\tS-LOC\n\nes\tO\nschläft\tS-LOC\nYork\tO\n\n";
    assert_eq!(answer.stdout, expected);
    assert_eq!(answer.stderr, "pairs      2\nlabels     3\ncarried    3\nlost       0\n");
    let report: Vec<serde_json::Value> =
        room.read("report").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(report.len(), 3);
    assert_eq!(report[1]["target"], serde_json::json!([[4, 5]]));
    assert_eq!((report[1]["label"].as_str(), report[1]["lost"].as_str()), (Some("LOC"), None));
    // In another scheme, and into columns of the target, which keep what else they have.
    let answer = room.run("project labels names de --links links --scheme iob1").success();
    assert_eq!(answer.stdout.lines().next(), Some("Anna\tI-PER"));
    std::fs::write(room.path("de.tsv"), "# 1\nAnna\tx\nSmith\tx\nwohnt\tx\nin\tx\nNeuyork\tx\n\n1\tx\n2\tx\n3\tx\n")
        .unwrap();
    let answer = room.run("project labels names de.tsv --links links").success();
    assert!(answer.stdout.starts_with("# 1\nAnna\tx\tB-PER\n"), "{}", answer.stdout);
}

#[test]
fn what_is_lost_is_counted_and_said() {
    let room = room();
    std::fs::write(room.path("few"), "0-0 1-1\n\n").unwrap();
    let answer = room.run("project labels names de --links few --report report --quiet").success();
    assert_eq!((answer.stderr.as_str(), answer.stdout.lines().next()), ("", Some("Anna\tB-PER")));
    assert_eq!(room.read("report").matches("\"lost\":\"unlinked\"").count(), 2);
    let answer = room.run("project labels names de --links links --min-confidence 1").success();
    assert_eq!(answer.stderr, "pairs      2\nlabels     3\ncarried    0\nlost       3: 3 unconfident\n");
    assert!(!answer.stdout.contains("PER"));
}

#[test]
fn links_may_be_made_on_the_spot() {
    let room = Room::with_sample(60);
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let names: String = room
        .read("s")
        .lines()
        .map(|line| line.split(' ').map(|word| format!("{word} {}\n", if is_number(word) { "B-N" } else { "O" })))
        .map(|rows| rows.chain(["\n".to_owned()]).collect::<String>())
        .collect();
    std::fs::write(room.path("names"), names).unwrap();
    room.run("train s t -m model -q").success();
    let made = room.run("project labels names t --threads 1").success().stdout;
    assert_eq!(room.run("project labels names t --threads 3").success().stdout, made);
    assert_eq!(room.run("project labels names t -m model").success().stdout, made);
    let labeled = |line: &&str| line.ends_with("\tB-N");
    let are_numbers = made.lines().filter(labeled).map(|line| is_number(&line[..line.len() - 4]));
    let [right, wrong] = are_numbers.fold([0, 0], |[right, wrong], is| [right + u32::from(is), wrong + u32::from(!is)]);
    assert!(right >= 5 && wrong <= right / 4, "{right} {wrong}: {made}");
    let error = room.error("project labels names t -m model --add s t");
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let room = room();
    std::fs::write(room.path("short"), "Anna\n").unwrap();
    std::fs::write(room.path("empty"), "Anna\n\n").unwrap();
    std::fs::write(room.path("wrong"), "Anna PER\nSmith O\n").unwrap();
    std::fs::write(room.path("far"), "0-9\n\n").unwrap();
    std::fs::write(room.path("many"), "\n\n\n").unwrap();
    let cases = [
        ("names short", "names has 2 sentences, short has 1"),
        ("names empty", "empty:2: a sentence without words, which columns cannot have"),
        ("wrong de --tags 2", "wrong:1:6: expected a tag: O, or B-, I-, E-, L-, S- or U- and a label, found `PER`"),
        ("wrong de", "wrong:1: expected a column of tags"),
        ("names de --tags 9", "names:2:1: expected a column 9"),
        ("names de --links far", "link 0-9 is out of range"),
        ("names de --links many", "names has 2 lines, many has 3"),
        ("names de --links links --min-confidence 2", "--min-confidence = 2: must be 0 to 1"),
    ];
    for (words, message) in cases {
        let error = room.error(&format!("project labels {words} -o out"));
        assert!(error.contains(message), "{words}: {error}");
        assert!(!room.path("out").exists());
    }
}
