//! Inputs on which other word aligners (`fast_align`, eflomal, MGIZA) fail in silence, crash, or lose lines: one test
//! for each. Measured with the versions of 2020 to 2025 on files of 500 pairs.

use crate::support::{Room, sample};

/// Pairs with one more line, at position `at`, on each side.
fn with_line(pairs: usize, at: usize, source: &str, target: &str) -> Room {
    let (sources, targets) = sample(pairs);
    let insert = |text: &str, line: &str| -> String {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.insert(at, line);
        lines.join("\n") + "\n"
    };
    Room::with(insert(&sources, source), insert(&targets, target))
}

/// `fast_align` writes blank lines only, and exits with 0.
#[test]
fn one_empty_line_on_a_conditioning_side_does_not_blank_the_output() {
    for (source, target) in [("", "un mot"), ("a word", "")] {
        for options in ["", "--model hmm", "--model ibm1"] {
            let lines = with_line(100, 50, source, target).align(options);
            assert_eq!(lines.len(), 101);
            let blank: Vec<usize> = (0..lines.len()).filter(|&n| lines[n].is_empty()).collect();
            assert_eq!(blank, [50], "{options}");
        }
    }
}

/// eflomal's joint input ends in a `ValueError`; `fast_align`'s forced alignment aborts in the middle.
#[test]
fn empty_lines_on_both_sides_stop_nothing() {
    let lines = with_line(50, 10, "", "").align("");
    assert_eq!(lines.iter().filter(|line| line.is_empty()).count(), 1);
    assert_eq!(lines[10], "");
}

/// MGIZA's tools drop pairs with an empty side: 497 lines of 500 come back.
#[test]
fn line_counts_are_kept() {
    let (source, target) = sample(60);
    let source: String =
        source.lines().enumerate().map(|(n, s)| if n % 7 == 0 { "\n".into() } else { format!("{s}\n") }).collect();
    let target: String =
        target.lines().enumerate().map(|(n, t)| if n % 11 == 0 { "\n".into() } else { format!("{t}\n") }).collect();
    let room = Room::with(source, target);
    room.run("align -q s t -o o --forward f --reverse r --posteriors p --scores c").success();
    for name in ["o", "f", "r", "p", "c"] {
        assert_eq!(room.read(name).lines().count(), 60, "{name}");
    }
}

/// MGIZA's tools cut to the shorter file and exit with 0; eflomal does not say how many lines there are.
#[test]
fn unequal_files_are_not_cut_to_the_shorter() {
    let room = Room::with("a\nb\nc\n", "a\nb\n");
    let outcome = room.run("align s t -o out");
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("s has 3 lines, t has 2"), "{}", outcome.stderr);
    assert_eq!(room.names(), "s t");
}

/// eflomal ends in a traceback that names no line.
#[test]
fn invalid_utf8_is_found_at_its_line() {
    let outcome = Room::with(b"a\nb\n\xFF\n", "a\nb\nc\n").run("align s t");
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.starts_with("error: s:3:1: invalid UTF-8 at byte 4 "), "{}", outcome.stderr);
}

/// `fast_align` numbers bad lines wrongly when threaded.
#[test]
fn line_numbers_in_messages_do_not_depend_on_threads() {
    let (source, target) = sample(400);
    let room = Room::with([source.as_bytes(), b"bad \xFF\n"].concat(), target + "mot\n");
    let [one, two] = ["1", "2"].map(|threads| room.run(&format!("align s t --threads {threads}")).stderr);
    assert!(one.starts_with("error: s:401:5: "), "{one}");
    assert_eq!(one, two);
}

/// Checks that a pair of so many words on each side, or a few more, has links near its end. It is made of sentences,
/// as where line breaks were lost.
fn check_long_pair(words: usize, options: &str) {
    let (sources, targets) = sample(420);
    let mut long = [String::new(), String::new()];
    for (source, target) in sources.lines().zip(targets.lines()) {
        if long.iter().all(|side| side.split(' ').count() > words) {
            break;
        }
        long[0] += &format!("{source} ");
        long[1] += &format!("{target} ");
    }
    let lengths = [&long[0], &long[1]].map(|side| side.split_whitespace().count());
    assert!(lengths[0] >= words && lengths[1] >= words);
    let room = Room::with(format!("{sources}{}\n", long[0]), format!("{targets}{}\n", long[1]));
    let lines = room.align(options);
    assert_eq!(lines.len(), 421);
    let near_the_end = |link: &str| {
        let (source, target) = link.split_once('-').unwrap();
        source.parse::<usize>().unwrap() + 30 > lengths[0] && target.parse::<usize>().unwrap() + 30 > lengths[1]
    };
    assert!(lines[420].split(' ').filter(|link| near_the_end(link)).count() > 0, "{}", lines[420]);
}

/// MGIZA cuts sentences to about 100 words.
#[test]
fn pairs_of_500_words_are_aligned_to_their_end() {
    check_long_pair(500, "--iterations ibm1:3,hmm:1");
}

/// eflomal leaves pairs of 1024 words and more blank.
#[test]
fn pairs_of_1500_words_are_aligned_to_their_end() {
    check_long_pair(1500, "--model ibm1");
}

/// `fast_align` and MGIZA glue the carriage return to the last word.
#[test]
fn carriage_returns_are_no_part_of_words() {
    let (source, target) = sample(60);
    let expected = Room::with(&source, &target).align("");
    let room = Room::with(source.replace('\n', "\r\n"), target);
    assert_eq!(room.align(""), expected);
    assert!(!room.run("align -q s t --format jsonl").success().stdout.contains("\\r"));
}

/// eflomal's joint input fails on a side that is a carriage return only.
#[test]
fn a_side_that_is_a_carriage_return_is_empty() {
    let lines = with_line(20, 3, "\r", "mot\r").align("");
    assert_eq!((lines.len(), lines[3].as_str()), (21, ""));
}

/// `fast_align` splits at the first separator in silence.
#[test]
fn separators_inside_a_text_are_refused_or_words() {
    let joint = "a ||| b ||| c\nd ||| e\n";
    let outcome = Room::new().run_with("align --bitext -", joint);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("(this line has 2)"), "{}", outcome.stderr);
    let outcome = Room::with("a ||| b\nd\n", "c\ne\n").run("align s t").success();
    assert!(outcome.stderr.contains("tokens     4 source, 2 target"), "{}", outcome.stderr);
}

/// eflomal cuts at any Unicode space, so that its positions are not those of the words between blanks.
#[test]
fn no_break_spaces_do_not_split_words() {
    for space in ["\u{A0}", "\u{3000}", "\u{2028}", "\u{2009}"] {
        let room = Room::with(format!("one{space}two three\nthree\n"), "un trois\ntrois\n");
        let outcome = room.run("align s t").success();
        assert!(outcome.stderr.contains("tokens     3 source, 3 target"), "{space:?}: {}", outcome.stderr);
        assert!(outcome.lines()[0].ends_with("1-1"), "{}", outcome.stdout);
    }
}

/// `fast_align` and eflomal write blank lines and exit with 0, mkcls and mgiza die of signals.
#[test]
fn zero_usable_pairs_are_an_error() {
    let room = Room::with("\n\n", "a\nb\n");
    let outcome = room.run("align s t -o out");
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.starts_with("error: nothing to align: "), "{}", outcome.stderr);
    assert_eq!(room.names(), "s t");
}

/// All of them can do this; so can we.
#[test]
fn one_pair_is_aligned() {
    assert_eq!(Room::with("the house\n", "das haus\n").align("").len(), 1);
}

/// `fast_align` with two threads and eflomal always give other links in the next run.
#[test]
fn runs_and_threads_do_not_change_a_byte() {
    let room = Room::with_sample(300);
    let all = |threads: usize| {
        let words = format!("align -q s t -o o --forward f --reverse r --posteriors p --scores c --threads {threads}");
        room.run(&words).success();
        ["o", "f", "r", "p", "c"].map(|name| room.read(name))
    };
    let first = all(1);
    assert_eq!(all(1), first);
    assert_eq!(all(2), first);
    assert_eq!(all(3), first);
}

/// eflomal writes its input to the directory for temporary files.
#[test]
fn nothing_is_written_but_the_outputs() {
    let room = Room::with_sample(20);
    room.run("align -q s t -o out").success();
    assert_eq!(room.names(), "out s t", "the directory for temporary files is the same");
}

/// eflomal folds case, and has no option not to.
#[test]
fn case_is_a_choice() {
    let room = Room::with("A b\nc B\nB a\n", "X y\nz Y\nY x\n");
    let types = |options: &str| room.run(&format!("align s t --signature {options}")).success().stderr;
    assert!(types("").contains("|lowercase:true|"));
    assert!(types("--no-lowercase").contains("|lowercase:false|"));
}
