//! `alinea phrases`.

use crate::support::Room;

/// Worked out by hand from the definition. The second pair has a word without link on each side; the third has no
/// links, the fourth no words.
const FILES: [(&str, &str); 3] = [
    ("s", "Die schwarze\tKatze\nnun  gut\nja\n\n"),
    ("t", "le chat noir\nbien alors \noui\n\n"),
    ("l", "0-0 1-2 2p1\n1-0:0.9\n\n\n"),
];
const LINES: &str = "\
Die ||| le ||| 0-0
Die schwarze Katze ||| le chat noir ||| 0-0 2-1 1-2
schwarze ||| noir ||| 0-0
schwarze Katze ||| chat noir ||| 1-0 0-1
Katze ||| chat ||| 0-0
nun gut ||| bien ||| 1-0
nun gut ||| bien alors ||| 1-0
gut ||| bien ||| 0-0
gut ||| bien alors ||| 0-0
";
const ORIENTATIONS: &str = "\
Die ||| le ||| mono other
Die schwarze Katze ||| le chat noir ||| mono mono
schwarze ||| noir ||| swap other
schwarze Katze ||| chat noir ||| mono mono
Katze ||| chat ||| other swap
nun gut ||| bien ||| mono other
nun gut ||| bien alors ||| mono mono
gut ||| bien ||| other other
gut ||| bien alors ||| other mono
";

fn room() -> Room {
    Room::with_files(&FILES)
}

#[test]
fn lines_are_those_of_the_definition() {
    let room = room();
    let answer = room.run("phrases s t l --inverse inverse --orientation orientation.gz");
    assert_eq!(answer.stdout, LINES);
    assert_eq!((answer.stderr.as_str(), answer.code), ("4 sentence pairs, 9 phrase pairs\n", Some(0)));
    let fields = LINES.lines().map(|line| line.split(" ||| ").collect::<Vec<_>>());
    let turned = |links: &str| {
        match links {
            "0-0 2-1 1-2" => "0-0 1-2 2-1",
            "1-0 0-1" => "0-1 1-0",
            "1-0" => "0-1",
            other => other,
        }
        .to_owned()
    };
    let inverse: String =
        fields.map(|fields| format!("{} ||| {} ||| {}\n", fields[1], fields[0], turned(fields[2]))).collect();
    assert_eq!(room.read("inverse"), inverse);
    let (mut orientations, path) = (String::new(), room.path("orientation.gz"));
    let mut file = flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap());
    std::io::Read::read_to_string(&mut file, &mut orientations).unwrap();
    assert_eq!(orientations, ORIENTATIONS);
}

#[test]
fn phrases_are_as_long_as_wanted() {
    let room = room();
    let short = |words: usize| {
        let long = |phrase: &str| phrase.split(' ').count() > words;
        let kept = LINES.lines().filter(|line| !line.split(" ||| ").take(2).any(long));
        kept.map(|line| format!("{line}\n")).collect::<String>()
    };
    for n in [1, 2, 3] {
        assert_eq!(room.stdout(&format!("phrases s t l --max-length {n}")), short(n), "{n}");
    }
    assert!(room.error("phrases s t l --max-length 0").contains("invalid value '0' for '--max-length <N>'"));
}

#[test]
fn the_usual_limit_is_seven_words() {
    let line = "a b c d e f g h\n";
    let room = Room::with_files(&[("s", line), ("t", line), ("l", "0-0 1-1 2-2 3-3 4-4 5-5 6-6 7-7\n")]);
    // 8 phrases of one word, 7 of two, …, 2 of seven.
    assert_eq!(room.run("phrases s t l").lines().len(), 35);
    assert_eq!(room.run("phrases s t l --max-length 8").lines().len(), 36);
}

#[test]
fn objects_have_places_and_words() {
    let room = Room::with_files(&[("s", "\"a\" ||| \n"), ("t", "b\\\n"), ("l", "0-0\n")]);
    let expected = "{\"pair\":1,\"source\":[0,1],\"target\":[0,1],\"source_text\":\"\\\"a\\\"\",\"target_text\":\"b\\\\\"}\n\
                    {\"pair\":1,\"source\":[0,2],\"target\":[0,1],\"source_text\":\"\\\"a\\\" |||\",\"target_text\":\"b\\\\\"}\n";
    assert_eq!(room.stdout("phrases s t l --json"), expected);
    assert_eq!(room.stdout("phrases s t l --format json"), expected);
    for line in expected.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    let error = "error: s:1:5: expected a word other than the phrase separator (Moses writes `&#124;` for `|`), \
                 found `|||`\n";
    assert_eq!(room.error("phrases s t l"), error);
    assert_eq!(room.error("phrases s t l --json --inverse i"), error);
    assert_eq!(room.names(), "l s t");
}

#[test]
fn words_are_folded_if_asked() {
    let room = room();
    assert_eq!(room.stdout("phrases s t l --lowercase"), LINES.replace('D', "d").replace('K', "k"));
}

#[test]
fn links_may_be_in_other_formats() {
    let room = room();
    room.write("links.wpt", "1 1 1 S\n1 2 3 S\n1 3 2 P\n2 2 1 S\n");
    assert_eq!(room.stdout("phrases s t links.wpt --sentences 4"), LINES);
    room.write("one", "1-1 2-3 3-2\n2-1\n\n\n");
    assert_eq!(room.stdout("phrases s t one --links-base 1"), LINES);
    assert_eq!(room.stdout("phrases s t one --links-format talp"), LINES);
    assert_eq!(room.run_with("phrases s t - -q", FILES[2].1).stdout, LINES);
}

#[test]
fn threads_change_nothing() {
    let many = |text: &str| text.repeat(700);
    let room = Room::with_files(&[("s", &many(FILES[0].1)), ("t", &many(FILES[1].1)), ("l", &many(FILES[2].1))]);
    for threads in [1, 3] {
        assert!(room.stdout(&format!("phrases s t l --threads {threads}")) == many(LINES), "{threads}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let room = room();
    room.write("short", "0-0\n\n");
    room.write("two", "le chat noir\nbien alors\n");
    room.write("out", "0-0\n1-1 2-2\n\n\n");
    room.write("bad", "0-0\n0-0 x\n\n\n");
    assert_eq!(room.error("phrases s t short -o o"), "error: unequal lengths: s has 4 lines, short has 2\n");
    assert_eq!(room.error("phrases s two l -o o"), "error: unequal lengths: s has 4 lines, two has 2\n");
    let error = room.error("phrases s t out -o o --inverse i");
    let expected = "error: out:2:5: link 2-2 is out of range, the source has 2 tokens, the target 2\n";
    assert!(error.starts_with(expected.trim_end()), "{error}");
    assert!(error.contains("(--links-base 1)"), "{error}");
    assert!(room.error("phrases s t bad -o o").starts_with("error: bad:2:5: expected a link such as"));
    assert_eq!(room.error("phrases s t l -o s"), "error: s: --output would overwrite the input SOURCE\n");
    assert_eq!(room.error("phrases s t l -o o --inverse o"), "error: o: --output and --inverse are the same file\n");
    let error = room.error("phrases s - -");
    assert_eq!(error, "error: standard input cannot be read twice: TARGET and LINKS are both `-`\n");
    assert_eq!(room.names(), "bad l out s short t two");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let many = |text: &str| text.repeat(20_000);
    let room = Room::with_files(&[("s", &many("a b\n")), ("t", &many("c d\n")), ("l", &many("0-0\n"))]);
    let answer = room.run_and_leave("phrases s t l");
    assert_eq!((answer.stderr.as_str(), answer.code), ("", Some(0)));
}
