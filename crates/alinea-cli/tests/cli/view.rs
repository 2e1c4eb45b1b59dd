//! `alinea view`.

use crate::support::Room;

/// The picture in the documentation of the library's drawing.
const PICTURE: &str = "          h
          o
        t u
        h s
        e e
        0
 das 0  ■ ◦
Haus 1  × ■

■ sure 2   □ possible 0   × wrong 1   ○ missed 0   ◦ missed (possible) 1
";

fn room() -> Room {
    Room::with_files(&[
        ("de", "das Haus\nein Buch\n\ndas\tist  alles\n"),
        ("en", "the house\na book\n\nthat is all\n"),
        ("links", "0-0 1-0 1-1\n0-0 1-1\n\n0-0\n"),
        ("gold", "0-0 0p1 1-1\n0-0 1-1\n\n0-0 1-1 2-2\n"),
        ("from-one", "1-1 2-2\n"),
    ])
}

#[test]
fn the_first_pair_is_drawn() {
    let room = room();
    assert_eq!(room.stdout("view de en links --gold gold"), PICTURE);
    let answer = room.run("view de en links");
    assert!(answer.stdout.ends_with(" das 0  ■ ·\nHaus 1  ■ ■\n\n■ link 3\n"), "{}", answer.stdout);
    assert_eq!((answer.stderr.as_str(), answer.code), ("", Some(0)));
}

#[test]
fn any_pair_is_drawn() {
    let room = room();
    let second = room.stdout("view de en links --line 2");
    assert!(second.contains(" ein 0  ■ ·\nBuch 1  · ■\n"), "{second}");
    let empty = room.stdout("view de en links --line 3");
    assert!(empty.ends_with("■ link 0\n"), "{empty}");
    let fourth = room.stdout("view de en links --line 4 --gold gold");
    assert!(fourth.contains("  das 0  ■ · ·\n  ist 1  · ○ ·\nalles 2  · · ○\n"), "{fourth}");

    let both = room.stdout("view de en links --lines 1-2 --gold gold");
    assert!(both.starts_with(&format!("pair 1\n\n{PICTURE}\npair 2\n\n")), "{both}");
    let answer = room.run_with("view de en - --line 2", "0-0\n0-0 1-1\n");
    assert_eq!(answer.stdout, second);
}

#[test]
fn marks_may_be_ascii_and_colored() {
    let room = room();
    let ascii = room.stdout("view de en links --gold gold --ascii");
    assert!(ascii.contains(" das 0  # o\nHaus 1  x #\n"), "{ascii}");
    assert!(ascii.is_ascii());
    let colored = room.stdout("view de en links --gold gold --color always");
    assert!(colored.contains("Haus 1  \u{1b}[31m×\u{1b}[0m \u{1b}[32m■\u{1b}[0m\n"), "{colored}");
    assert_eq!(room.stdout("view de en links --gold gold --color never"), PICTURE);
}

#[test]
fn a_narrow_grid_goes_on_below() {
    let room = Room::with_files(&[("s", "a\n"), ("t", "b c d e f g h\n"), ("links", "0-0 0-6\n")]);
    let narrow = room.stdout("view s t links --width 14");
    assert!(narrow.contains("b c d e f\n") && narrow.contains("g h\n"), "{narrow}");
    let wide = room.stdout("view s t links --width 30");
    assert!(wide.contains("b c d e f g h\n"), "{wide}");
}

#[test]
fn words_are_cut_at_blanks_and_tabs_only() {
    let room = Room::with_files(&[("s", "a\u{a0}b\tc\n"), ("t", "x\n"), ("links", "1-0\n")]);
    let picture = room.stdout("view s t links");
    assert!(picture.contains("a\u{a0}b 0  ·\n  c 1  ■\n"), "{picture}");
}

#[test]
fn lines_that_are_not_there_are_named() {
    let room = room();
    assert_eq!(room.error("view de en links --line 9"), "error: there is no pair 9: de has 4 lines\n");
    assert_eq!(room.error("view de en from-one --line 2"), "error: there is no pair 2: from-one has 1 pair\n");
    let error = room.run("view de en links --line 2 --gold from-one").stderr;
    assert_eq!(error, "error: there is no pair 2: from-one has 1 pair\n");
    assert!(room.error("view de en links --line 0").contains("invalid value '0' for '--line <N>'"));
    let error = room.error("view de en links --lines 3-2");
    assert!(error.contains("expected two numbers from 1 such as `3-7`, the smaller first"), "{error}");
    assert!(room.error("view de en links --line 1 --lines 1-2").contains("cannot be used with"));
}

#[test]
fn only_what_is_needed_is_read() {
    let room = Room::with_files(&[("s", "a\nb\n"), ("t", "c\n"), ("links", "0-0\nbad\n")]);
    assert!(room.stdout("view s t links").ends_with("■ link 1\n"));
    let error = room.error("view s t links --line 2");
    assert_eq!(error, "error: unequal lengths: s has 2 lines, t has 1\n");
}

#[test]
fn links_out_of_the_sentences_are_reported() {
    let room = room();
    let answer = room.run("view de en from-one");
    assert_eq!(
        answer.stderr,
        "warning: from-one:1:5: link 2-2 is out of range, the source has 2 tokens, the target 2; \
         does the file count from 1 (--links-base 1)?\n"
    );
    assert!(answer.stdout.ends_with("not drawn: 2-2\n"), "{}", answer.stdout);
    let answer = room.run("view de en links --gold from-one");
    assert!(answer.stderr.ends_with("does the file count from 1 (--gold-base 1)?\n"), "{}", answer.stderr);
    let answer = room.run("view de en from-one --links-base 1");
    assert_eq!(answer.stderr, "");
    assert!(answer.stdout.contains(" das 0  ■ ·\nHaus 1  · ■\n"), "{}", answer.stdout);
}

#[test]
fn other_formats_are_drawn_too() {
    let room = Room::with_files(&[
        ("de", "das Haus\n"),
        ("en", "the house\n"),
        ("links.wpt", "1 1 1 S\n1 2 2 P\n"),
        ("links", "1-1 2-2\n"),
    ]);
    let expected = room.stdout("view de en links.wpt");
    assert!(expected.contains(" das 0  ■ ·\nHaus 1  · ■\n"), "{expected}");
    assert_eq!(room.stdout("view de en links --links-format talp"), expected);
    let error = room.error("view de en links --format talp");
    assert!(error.contains("the format of the links is --links-format"), "{error}");
}

#[test]
fn pictures_are_written() {
    let room = room();
    let svg = room.stdout("view de en links --format svg --gold gold");
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
    for text in [">das<", ">house<", ">0-0: das – the<", ">1-0: Haus – the<", ">wrong 1<", ">missed (possible) 1<"]
    {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    let answer = room.run("view de en links --gold gold -o picture.svg").success();
    assert_eq!((answer.stdout.as_str(), room.read("picture.svg")), ("", svg.clone()));
    let dot = room.stdout("view de en links --line 2 -f dot");
    assert!(dot.contains("  s1 -- t1 [color=\"#009E73\", tooltip=\"1-1\"];\n"), "{dot}");
    room.run("view de en links --line 2 -o picture.gv").success();
    assert_eq!(room.read("picture.gv"), dot);
    let both = room.stdout("view de en links --lines 1-2 --format dot");
    assert!(both.ends_with(&format!("}}\n{dot}")) && both.matches("graph alignment {").count() == 2, "{both}");
    room.run("view de en links --gold gold -o grid.txt").success();
    assert_eq!(room.read("grid.txt"), PICTURE);
    for words in ["-o other --format grid", "-o other -f text", "-o other --picture grid"] {
        room.run(&format!("view de en links --gold gold {words}")).success();
        assert_eq!(room.read("other"), PICTURE, "{words}");
    }
    room.run("view de en links --gold gold -f svg -o other").success();
    assert_eq!(room.read("other"), svg);

    room.write("weighted", "0-0:0.5 1-1:1\n");
    let weighted = room.stdout("view de en weighted --format svg");
    assert!(weighted.contains("stroke-opacity=\"0.5\""), "{weighted}");
    let answer = room.run("view de en from-one --format svg");
    assert!(answer.stderr.starts_with("warning: from-one:1:5: link 2-2 is out of range"), "{}", answer.stderr);
    assert!(answer.stdout.contains(">not drawn: 2-2<"), "{}", answer.stdout);
}

#[test]
fn pictures_that_cannot_be_are_refused() {
    let room = room();
    assert_eq!(
        room.error("view de en links --lines 1-2 -o p.svg"),
        "error: an SVG file has one picture: --line names the pair\n"
    );
    let error = room.error("view de en links -o links");
    assert_eq!(error, "error: links: --output would overwrite the input ALIGNMENT\n");
    assert_eq!(room.error("view de en links --line 9 -o p.svg"), "error: there is no pair 9: de has 4 lines\n");
    assert!(
        room.error("view de en links --format png").contains("[possible values: grid, interlinear, dot, svg, html]")
    );
    assert!(!room.path("p.svg").exists());
}

#[test]
fn names_that_say_no_kind_are_refused() {
    let room = room();
    let kinds = "hint: use .svg, .html, .dot or .txt; or --format grid, interlinear, dot, svg or html";
    for name in ["links.tex", "grid", "links.svg.bak", "links.gz"] {
        let refusal = format!("error: {name}: cannot infer the kind of output from the file name\n{kinds}");
        room.run(&format!("view de en links -o {name}")).refused(&refusal);
    }
    let for_paper = "hint: for PDF and PNG, use Graphviz: --format dot | dot -Tpdf -o FILE.pdf";
    for name in ["links.pdf", "links.png"] {
        let refusal =
            format!("error: {name}: cannot infer the kind of output from the file name\n{kinds}\n{for_paper}");
        room.run(&format!("view de en links -o {name}")).refused(&refusal);
        assert!(!room.path(name).exists());
    }
}

#[test]
fn names_and_formats_must_agree() {
    let room = room();
    for (format, name) in [("svg", "a.html"), ("html", "a.svg.gz"), ("grid", "a.pdf"), ("dot", "a.txt")] {
        room.run(&format!("view de en links --format {format} -o {name}"))
            .refused(&format!("error: {name}: the file name is not one for --format {format}"));
        assert!(!room.path(name).exists());
    }
    for (format, name) in [("svg", "a"), ("interlinear", "a.txt"), ("dot", "a.gv"), ("svg", "a.picture")] {
        room.run(&format!("view de en links --format {format} -o {name}")).success();
    }
}

/// Devices and pipes get a grid, files beside devices do not.
#[cfg(target_os = "linux")]
#[test]
fn files_below_dev_are_files() {
    let room = room();
    for name in ["/dev/shm/alinea-view-test.pdf", "/dev/shm/alinea-view-test"] {
        let answer = room.run(&format!("view de en links -o {name}"));
        let refusal = format!("error: {name}: cannot infer the kind of output from the file name\n");
        assert!(answer.stderr.starts_with(&refusal), "{}", answer.stderr);
        assert_eq!((answer.stdout.as_str(), answer.code), ("", Some(2)));
        assert!(!std::path::Path::new(name).exists());
    }
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert_eq!(room.stdout(&format!("view de en links --gold gold -o {name}")), PICTURE, "{name}");
    }
    assert_eq!(room.stdout("view de en links -o /dev/null"), "");
}

#[test]
fn letters_that_are_gone_are_answered() {
    let room = room();
    for (words, advice) in [("-l 2", "the line is --line"), ("-p svg", "the kind of output is --format (-f)")] {
        let answer = room.run(&format!("view de en links {words}"));
        assert!(answer.stderr.starts_with(&format!("error: {advice}\n")), "{}", answer.stderr);
        assert_eq!((answer.stdout.as_str(), answer.code), ("", Some(2)));
    }
    let help = room.stdout("view --help");
    assert!(!help.contains("-l,") && !help.contains("-p,") && !help.contains("--picture"), "{help}");
}

#[test]
fn links_may_be_named_by_an_option() {
    let room = room();
    assert_eq!(room.stdout("view de en --links links --gold gold"), PICTURE);
    let page = room.stdout("view de en links new=gold -f html");
    assert_eq!(room.stdout("view de en --links links --links new=gold -f html"), page);
    assert_eq!(room.stdout("view de en links --links new=gold -f html"), page);
    assert_eq!(
        room.error("view de en --links links -f svg -o links"),
        "error: links: --output would overwrite the input --links\n"
    );
    assert!(room.error("view de en").contains("<ALIGNMENT>"));
}

#[test]
fn sentences_from_right_to_left_run_so() {
    let room = Room::with_files(&[("en", "this book\n"), ("he", "ספר זה\n"), ("links", "0-1 1-0\n")]);
    let isolated = |text: &str| format!("\u{2067}{text}\u{2069}");
    let grid = room.stdout("view en he links");
    assert!(grid.ends_with("          0\nthis 0  ■ ·\nbook 1  · ■\n\n■ link 2\n"), "{grid}");
    assert!(grid.contains(&format!("        {} {}\n", isolated("ה"), isolated("ר"))), "{grid}");
    let grid = room.stdout("view he en links");
    assert!(grid.contains(&format!("{} 0  · ■\n {} 1  ■ ·\n", isolated("ספר"), isolated("זה"))), "{grid}");
    let svg = room.stdout("view en he links -f svg");
    let place = |word: &str| -> f64 {
        let (before, _) = svg.split_once(&format!("direction=\"rtl\">{word}<")).unwrap();
        before.rsplit_once("<text x=\"").unwrap().1.split('"').next().unwrap().parse().unwrap()
    };
    assert!(place("ספר") > place("זה"), "{svg}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let room = room();
    std::fs::create_dir(room.path("folder")).unwrap();
    assert_eq!(room.error("view de en missing"), "error: missing: No such file or directory\n");
    assert_eq!(room.error("view folder en links"), "error: folder: is a directory\n");
    let error = room.error("view de - -");
    assert_eq!(error, "error: standard input cannot be read twice: TARGET and ALIGNMENT are both `-`\n");
    let answer = room.run_with("view de en -", "0-0 1:1\n");
    let expected = "error: <stdin>:1:5: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `1:1`\n";
    assert_eq!((answer.stderr.as_str(), answer.code), (expected, Some(2)));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let lines = |line: &str| line.repeat(20_000);
    let room = Room::with_files(&[("s", &lines("a b\n")), ("t", &lines("c d\n")), ("l", &lines("0-0\n"))]);
    let answer = room.run_and_leave("view s t l --lines 1-20000");
    assert_eq!((answer.stderr.as_str(), answer.code), ("", Some(0)));
}
