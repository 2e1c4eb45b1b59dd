//! `alinea convert` between all formats of links, and over to the tokens of trees.
//!
//! Inputs follow published descriptions: GIZA++'s A3 files, the shared task of 2003 (NAACL), NLTK's documentation.
//! Expected outputs are the same links written by hand in the other format; what a format cannot hold must be reported
//! on standard error.

use crate::support::Room;

/// As in the description of GIZA++'s output: the target sentence, then the source sentence with the empty word first
/// and behind each word the positions, from 1, of the target words that it generates.
const A3: &str = "\
# Sentence pair (1) source length 2 target length 3 alignment score : 0.0012
la maison bleue
NULL ({ }) blue ({ 3 }) house ({ 1 2 })
# Sentence pair (2) source length 1 target length 1 alignment score : 0.5
oui
NULL ({ 1 }) yes ({ })
";

/// As in the description of the shared task of 2003: sentence, source position, target position, both from 1, and
/// whether the link is sure or possible. Sentence 3 has no link, and lines stand in any order.
const NAACL: &str = "0002 2 3 P\n0001 1 1 S\n0002 1 1\n0001 2 2 S\n0004 1 1 S 0.5\n";
const PHARAOH: &str = "0-0 1-1\n1p2 0-0\n\n0-0\n";

#[test]
fn lines_of_links_become_one_another() {
    let room = Room::with_files(&[("p.align", "0-0 1p2\n\n2-1\n"), ("p.talp", "1-1 2p3\n\n3-2\n")]);
    assert_eq!(room.stdout("convert p.align --to talp"), room.read("p.talp"));
    assert_eq!(room.stdout("convert p.talp --to pharaoh"), room.read("p.align"));
    assert_eq!(room.stdout("convert p.align --to naacl"), "1 1 1 S\n1 2 3 P\n3 3 2 S\n");
    assert_eq!(
        room.stdout("convert p.align --to jsonl"),
        "{\"links\":[[0,0]],\"possible\":[[1,2]]}\n{\"links\":[]}\n{\"links\":[[2,1]]}\n"
    );
    assert_eq!(room.stdout("convert p.align --to pharaoh --base-to 1"), room.read("p.talp"));
    assert_eq!(room.stdout("convert p.talp --from pharaoh --to pharaoh --base-from 1"), room.read("p.align"));
}

#[test]
fn notations_of_other_tools_are_read() {
    let room = Room::with_files(&[("l.align", "0-0 1?2 2-1-P 3-3:P 4-4:0.93\n")]);
    let outcome = room.run("convert l.align --to pharaoh").success();
    assert_eq!(outcome.stdout, "0-0 1p2 2p1 3p3 4-4\n");
    assert_eq!(outcome.stderr, "1 sentence pair, 5 links\nleft out: the weights of 1 link (--digits keeps weights)\n");
    assert_eq!(room.stdout("convert l.align --to pharaoh --digits 1"), "0-0 1p2 2p1 3p3 4-4:0.9\n");
    let outcome = room.run("convert l.align --to pharaoh --threshold 0.95").success();
    assert_eq!(outcome.stdout, "0-0 1p2 2p1 3p3\n");
    assert_eq!(outcome.stderr, "1 sentence pair, 4 links\nleft out: 1 link below the threshold\n");
}

#[test]
fn naacl_lines_come_in_any_order() {
    let room = Room::with_files(&[("g.naacl", NAACL), ("names", "0001\n0002\n0003\n0004\n")]);
    assert_eq!(room.stdout("convert g.naacl --to pharaoh"), PHARAOH);
    assert_eq!(room.stdout("convert g.naacl --to pharaoh --sentences 6"), format!("{PHARAOH}\n\n"));
    assert_eq!(room.stdout("convert g.naacl --to pharaoh --sentences names"), PHARAOH);
    room.write("names", "0004\n0003\n0001\n0002\n");
    assert_eq!(room.stdout("convert g.naacl --to pharaoh --sentences names"), "0-0\n\n0-0 1-1\n1p2 0-0\n");

    let error = room.error("convert g.naacl --to pharaoh --sentences 3");
    assert_eq!(error, "error: g.naacl:5:1: expected a sentence number from 1 to 3, found `0004`\n");
    let error = room.error("convert g.naacl --to pharaoh --sentences none");
    assert_eq!(error, "error: none: No such file or directory\n");
}

#[test]
fn what_naacl_cannot_say_is_reported() {
    let room = Room::with_files(&[("g.naacl", "1 0 1 S\n1 1 1 S\n"), ("p.align", "0-0\n\n")]);
    let outcome = room.run("convert g.naacl --to pharaoh").success();
    assert_eq!(outcome.stdout, "0-0\n");
    assert_eq!(outcome.stderr, "1 sentence pair, 1 link\nleft out: 1 link to the NULL word (position 0)\n");
    let outcome = room.run("convert p.align --to naacl").success();
    assert_eq!(
        outcome.stderr,
        "2 sentence pairs, 1 link\nleft out: 1 pair without links (reading needs --sentences)\n"
    );
    assert_eq!(room.run("convert p.align --to naacl --quiet").success().stderr, "");
}

#[test]
fn giza_is_read_in_both_directions() {
    let room = Room::with_files(&[("x.A3.final", A3)]);
    let outcome = room.run("convert x.A3.final -o x.align").success();
    assert_eq!(room.read("x.align"), "0-2 1-0 1-1\n\n");
    assert_eq!(outcome.stderr, "2 sentence pairs, 3 links\nleft out: the scores of 2 pairs, the words of 2 pairs\n");
    let inverted = room.stdout("convert x.A3.final --to pharaoh --direction target-source");
    assert_eq!(inverted, "2-0 0-1 1-1\n\n");
    let first = room.stdout("convert x.A3.final --to jsonl").lines().next().unwrap().to_owned();
    let value: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert_eq!(value["source"], serde_json::json!(["blue", "house"]));
    assert_eq!(value["target"], serde_json::json!(["la", "maison", "bleue"]));
    assert_eq!(value["score"], 0.0012);
}

#[test]
fn parts_of_giza_are_put_back_in_order() {
    let pairs = A3.split_inclusive("})\n").collect::<Vec<_>>();
    let second = pairs[1].replace("(2)", "(3)");
    let room =
        Room::with_files(&[("x.A3.final.part0", &format!("{}{second}", pairs[0])), ("x.A3.final.part1", pairs[1])]);
    let parts = "convert x.A3.final.part1 x.A3.final.part0 --to pharaoh";
    assert_eq!(room.stdout(parts), "0-2 1-0 1-1\n\n\n");
    let error = room.error("convert x.A3.final.part0 -o x.align");
    assert_eq!(error, "error: sentence pair 2 is missing from x.A3.final.part0\n");
    let error = room.error("convert a.align b.align --to talp");
    assert!(error.starts_with("error: a.align: No such file"), "{error}");
    room.write("a.align", "0-0\n");
    let error = room.error("convert a.align a.align --to talp");
    assert_eq!(error, "error: one input is needed for the format pharaoh, and parts for giza only\n");
}

#[test]
fn giza_headers_are_checked() {
    let room = Room::with_files(&[("x.A3.final", &A3.replace("target length 3", "target length 4"))]);
    let error = room.error("convert x.A3.final -o x.align");
    assert!(error.starts_with("error: x.A3.final:2:"), "{error}");
    assert_eq!(room.names(), "x.A3.final");
}

#[test]
fn words_come_from_the_text() {
    let room = Room::with_files(&[
        ("p.align", "0-2 1-0 1-1\n\n"),
        ("s", "blue house\nyes\n"),
        ("t", "la maison bleue\noui\n"),
        ("short", "la maison bleue\n"),
        ("shorter", "blue house\n"),
        ("x.A3.final", A3),
    ]);
    let giza = room.run("convert p.align --to giza --source s --target t").success();
    room.write("back.A3.final", &giza.stdout);
    assert_eq!(room.stdout("convert back.A3.final --to pharaoh"), room.read("p.align"));
    let error = room.error("convert p.align --to giza");
    assert_eq!(
        error,
        "error: the format giza includes the words of the sentences\nhint: give them with --source FILE --target FILE, or --bitext FILE\n"
    );
    let jsonl = room.stdout("convert p.align --to jsonl --source s --target t");
    assert!(jsonl.starts_with("{\"source\":[\"blue\",\"house\"],\"target\":[\"la\",\"maison\",\"bleue\"]"), "{jsonl}");
    let outcome = room.run("convert p.align --to talp --source s --target t").success();
    assert_eq!(outcome.stderr, "2 sentence pairs, 3 links\n");

    let error = room.error("convert p.align --to talp --source s --target short -o out");
    assert_eq!(error, "error: unequal lengths: s has 2 lines, short has 1\n");
    let error = room.error("convert p.align --to talp --source shorter --target shorter -o out");
    assert_eq!(error, "error: p.align:1:1: link 0-2 is out of range, the source has 2 tokens, the target 2\n");
    room.write("one.align", "0-0\n");
    let error = room.error("convert one.align --to talp --source s --target t -o out");
    assert_eq!(error, "error: unequal lengths: one.align has 1 line, s has 2\n");
    let error = room.error("convert x.A3.final --to jsonl --source t --target s -o out");
    assert!(error.ends_with("\nhint: are source and target swapped?\n"), "{error}");
    assert!(!room.path("out").exists());
    assert!(room.error("convert p.align --to talp --source s").contains("--target <FILE>"));
}

/// The first sentence pair of NLTK's documentation of aligned sentences, and one without links.
const COMTRANS: &str = "klein ist das Haus\nthe house is small\n0-3 1-2 2-0 3-1\nja\nyes\n\n";

#[test]
fn three_lines_are_read_and_written() {
    let room = Room::with_files(&[("x.comtrans", COMTRANS), ("s", "klein ist das Haus\nja\n")]);
    let outcome = room.run("convert x.comtrans --from comtrans --to pharaoh").success();
    assert_eq!(outcome.stdout, "0-3 1-2 2-0 3-1\n\n");
    assert_eq!(outcome.stderr, "2 sentence pairs, 4 links\nleft out: the words of 2 pairs\n");
    room.write("t", "the house is small\nyes\n");
    room.write("p.align", &outcome.stdout);
    let back = room.run("convert p.align --to comtrans --source s --target t").success();
    assert_eq!((back.stdout.as_str(), back.stderr.as_str()), (COMTRANS, "2 sentence pairs, 4 links\n"));
    // Words go along where both formats have them.
    room.run("convert x.comtrans -o x.jsonl").success();
    assert_eq!(room.stdout("convert x.jsonl --to comtrans"), COMTRANS);
    room.run("convert x.comtrans -o x.A3.final").success();
    assert_eq!(room.stdout("convert x.A3.final --to comtrans"), COMTRANS);

    room.write("w.align", "0p0:0.5 1-1:0.25\n\n");
    let outcome = room.run("convert w.align --to comtrans --source s --target t").success();
    assert!(outcome.stdout.contains("\n0-0 1-1\n"), "{}", outcome.stdout);
    assert_eq!(
        outcome.stderr,
        "2 sentence pairs, 2 links\nleft out: the weights of 2 links, the mark `possible` of 1 link\n"
    );
    assert_eq!(
        room.error("convert p.align --to comtrans"),
        "error: the format comtrans includes the words of the sentences\nhint: give them with --source FILE --target FILE, or --bitext FILE\n"
    );
}

#[test]
fn bad_three_lines_are_named() {
    let room = Room::with_files(&[
        ("early.comtrans", "a\nb\n0-0\nc\n"),
        ("bad.comtrans", "a\nb\n0-0 x\n"),
        ("out.comtrans", "a\nb\n0-0\na b\nc\n1-2\n"),
        ("one.comtrans", "a\nb\n1-1\n"),
    ]);
    assert_eq!(
        room.error("convert early.comtrans -o o.align"),
        "error: early.comtrans:5:1: expected three lines for each sentence pair, found nothing\n"
    );
    assert_eq!(
        room.error("convert bad.comtrans -o o.align"),
        "error: bad.comtrans:3:5: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `x`\n"
    );
    assert_eq!(
        room.error("convert out.comtrans -o o.align"),
        "error: out.comtrans:6:1: link 1-2 is out of range, the source has 2 tokens, the target 1\n"
    );
    assert_eq!(
        room.error("convert one.comtrans -o o.align"),
        "error: one.comtrans:3:1: link 1-1 is out of range, the source has 1 token, the target 1\n\
         hint: does the file count from 1 (--base-from 1)?\n"
    );
    assert_eq!(room.stdout("convert one.comtrans --to pharaoh --base-from 1"), "0-0\n");
    assert!(!room.path("o.align").exists());
}

/// Links of several programs, in the shape that each describes, with the same links in Pharaoh.
#[test]
fn what_other_programs_write_is_recognized() {
    let serval = r#"[{"refs":["MAT 1:1"],"sourceTokens":["la","maison"],"targetTokens":["the","house"],"alignment":
        [{"sourceIndex":0,"targetIndex":0,"score":0.75},{"sourceIndex":1,"targetIndex":1,"score":0.5}]}]"#;
    let room = Room::with_files(&[
        ("trainer", "la maison\tthe house\t0-0:0.75 1-1:0.5\n"),
        ("sim", "0\t0-0-.75-.8 1-1-.5-.5\n"),
        ("sil", "0-0:1:0.75 1-1:0.5 NULL-0\n"),
        ("serval", serval),
        ("naacl", "1 1 1 S 0.75\n1 2 2 S 0.5\n"),
    ]);
    for name in ["trainer", "sim", "sil", "serval", "naacl"] {
        let links = room.stdout(&format!("convert {name} --to pharaoh --digits 2"));
        assert_eq!(links, "0-0:0.75 1-1:0.50\n", "{name}");
    }
    assert!(room.run("convert sil --to talp").success().stderr.contains("1 link to the NULL word"));
    assert_eq!(room.stdout("convert serval --to opustrainer --digits 2"), "la maison\tthe house\t0-0:0.75 1-1:0.50\n");
    assert_eq!(room.stdout("convert naacl --to simalign --digits 2"), "0\t0-0-0.75-0.75 1-1-0.50-0.50\n");
    let error = room.error("convert naacl --to opustrainer");
    assert!(error.contains("the format opustrainer includes the words"), "{error}");
}

/// `bleue` is linked in one direction only.
#[test]
fn both_directions_for_symal_are_sure_and_possible_links() {
    let room = Room::with_files(&[("x.bal", "1\n3 la maison bleue # 1 3 0\n3 the blue house # 1 3 2\n")]);
    assert_eq!(room.stdout("convert x.bal -o -"), "0-0 1-2 2p1\n");
    assert_eq!(room.stdout("convert x.bal --direction target-source -o -"), "0-0 1p2 2-1\n");
    assert_eq!(room.run("convert x.bal --to bal").code, Some(2));
}

#[test]
fn weights_of_a_file_of_their_own_are_put_beside_the_links() {
    let room = Room::with_files(&[("links", "0-0 1-1\n\n2-0\n"), ("weights", "0.9 0.25\n\n1\n")]);
    assert_eq!(
        room.stdout("convert links --weights weights --to pharaoh --digits 2"),
        "0-0:0.90 1-1:0.25\n\n2-0:1.00\n"
    );
    let outcome = room.run("convert links --weights weights --to pharaoh --digits 1 --threshold 0.5").success();
    assert_eq!(outcome.stdout, "0-0:0.9\n\n2-0:1.0\n");
    assert!(outcome.stderr.contains("1 link below the threshold"), "{}", outcome.stderr);
    for (weights, expected) in [
        ("0.9\n\n1\n", "weights:1: 1 weight, but 2 links at links:1"),
        ("0.9 x\n\n1\n", "weights:1:5: expected the weight of a link, a number, found `x`"),
        ("0.9 0.25\n\n", "unequal lengths: links has 3 lines, weights has 2"),
        ("0.9 0.25\n\n1\n1\n", "unequal lengths: links has 3 lines, weights has 4"),
    ] {
        room.write("weights", weights);
        let error = room.error("convert links --weights weights --to pharaoh -o out");
        assert!(error.contains(expected), "{error}");
        assert!(!room.names().contains("out"));
    }
}

#[test]
fn gaps_of_giza_are_left_blank_by_choice() {
    let pair = |number| {
        format!("# Sentence pair ({number}) source length 1 target length 1\noui\nNULL ({{ }}) yes ({{ 1 }})\n")
    };
    let room = Room::with_files(&[("p.A3.final.part0", &(pair(1) + &pair(4))), ("p.A3.final.part1", &pair(3))]);
    let parts = "convert p.A3.final.part0 p.A3.final.part1";
    assert!(room.run(&format!("{parts} --to pharaoh")).failure(2).contains("sentence pair 2 is missing"));
    assert_eq!(room.stdout(&format!("{parts} --to pharaoh --fill-gaps")), "0-0\n\n0-0\n0-0\n");
    assert_eq!(room.stdout(&format!("{parts} --to pharaoh --fill-gaps --sentences 5")), "0-0\n\n0-0\n0-0\n\n");
    assert_eq!(
        room.stdout(&format!("{parts} --to comtrans --fill-gaps")),
        "yes\noui\n0-0\n\n\n\nyes\noui\n0-0\nyes\noui\n0-0\n"
    );
}

#[test]
fn latin_1_is_read_by_choice() {
    let room = Room::new();
    room.write("x.comtrans", b"d\xFCrfen wir ?\nmay we ?\n0-0 1-1 2-2\n");
    assert_eq!(
        room.error("convert x.comtrans --to jsonl"),
        "error: x.comtrans:1:2: invalid UTF-8 at byte 1 of the file (`d\\xFCrfen wir ?`)\n\
         hint: --encoding latin-1 reads Latin-1, the encoding of older corpora such as NLTK's comtrans\n"
    );
    let jsonl = room.stdout("convert x.comtrans --encoding latin-1 --to jsonl");
    assert!(jsonl.starts_with("{\"source\":[\"dürfen\",\"wir\",\"?\"]"), "{jsonl}");
    room.write("x.jsonl", &jsonl);
    assert_eq!(room.stdout("convert x.jsonl --to comtrans"), "dürfen wir ?\nmay we ?\n0-0 1-1 2-2\n");
    assert!(room.error("convert x.comtrans --to jsonl --encoding latin-9").contains("utf-8, latin-1"));
}

#[test]
fn links_out_of_range_name_the_other_base() {
    let room = Room::with_files(&[("p.align", "1-1 2-2\n"), ("s", "a b\n"), ("t", "c d\n")]);
    assert_eq!(
        room.error("convert p.align --to talp --source s --target t -o out"),
        "error: p.align:1:5: link 2-2 is out of range, the source has 2 tokens, the target 2\n\
         hint: does the file count from 1 (--base-from 1)?\n"
    );
    assert_eq!(room.stdout("convert p.align --to pharaoh --base-from 1 --source s --target t"), "0-0 1-1\n");
    room.write("p.talp", "0-0\n");
    assert_eq!(
        room.error("convert p.talp --to pharaoh"),
        "error: p.talp:1:1: expected positions from 1, found `0-0`\n\
         hint: a file that counts from 0 needs --base-from 0\n"
    );
}

#[test]
fn names_tell_formats_or_options_must() {
    let room = Room::with_files(&[("links.txt", "0-0\n"), ("links.align.gz.talp", "1-1\n")]);
    // A name that says nothing is that of a file in Pharaoh format, as everywhere.
    assert_eq!(room.stdout("convert links.txt --to talp"), "1-1\n");
    assert_eq!(room.stdout("convert links.txt --format talp"), "1-1\n");
    assert_eq!(room.run_with("convert - --to talp", "0-0\n").success().stdout, "1-1\n");
    room.write("words.txt", "klein ist das Haus\nthe house is small\n0-3 1-2 2-0 3-1\n");
    assert_eq!(
        room.error("convert words.txt --to talp"),
        "error: words.txt:1:1: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `klein`\n\
         hint: the format was not clear from the file name, so it was read as pharaoh; --from gives another\n"
    );
    assert_eq!(
        room.error("convert words.txt --from pharaoh --to talp").lines().count(),
        1,
        "who names the format needs no advice"
    );
    for words in ["convert links.txt -t talp", "convert links.txt -f giza --to talp"] {
        room.run(words).refused(
            "error: formats have no short options here: --from FORMAT for the input, --format FORMAT for the output",
        );
    }
    assert_eq!(
        room.error("convert links.txt --from pharaoh"),
        "error: -: cannot infer the format of the output from the file name\n\
         hint: --format FORMAT, one of pharaoh, talp, naacl, giza, comtrans, jsonl, opustrainer, simalign, serval\n"
    );
    room.run("convert links.txt --from pharaoh -o out.jsonl.zst").success();
    assert_eq!(room.stdout("convert out.jsonl.zst --to pharaoh"), "0-0\n");
    assert_eq!(room.stdout("convert out.jsonl.zst"), "0-0\n");
    assert_eq!(room.run_with("convert - --from pharaoh --to talp", "0-0\n").success().stdout, "1-1\n");
    assert!(room.error("convert links.txt --from moses --to talp").contains("[possible values: pharaoh, talp"));
}

#[test]
fn bad_files_are_named() {
    let room =
        Room::with_files(&[("bad.align", "0-0\n0-0 1-\n"), ("bad.jsonl", "{\"links\":[[0]]}\n"), ("empty.align", "")]);
    std::fs::create_dir(room.path("folder.align")).unwrap();
    let expected = "error: bad.align:2:5: expected a link such as `0-1`, `0p1` or `0-1:0.9`, found `1-`\n";
    assert_eq!(room.error("convert bad.align -o out.talp"), expected);
    let error = room.error("convert bad.jsonl -o out.talp");
    assert!(error.starts_with("error: bad.jsonl:1:"), "{error}");
    assert_eq!(room.error("convert folder.align -o out.talp"), "error: folder.align: is a directory\n");
    assert_eq!(
        room.error("convert empty.align --to talp -o no/out"),
        "error: no/out: the directory no does not exist\n"
    );
    assert_eq!(room.stdout("convert empty.align --to talp"), "");
    let error = room.error("convert bad.align -o bad.align");
    assert_eq!(error, "error: bad.align: --output would overwrite the input INPUT\n");
    assert!(!room.path("out.talp").exists());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let room = Room::with_files(&[("p.align", &"0-0 1-1 2-2\n".repeat(200_000))]);
    let outcome = room.run_and_leave("convert p.align --to talp");
    assert_eq!((outcome.stderr.as_str(), outcome.code), ("", Some(0)));
}

/// `la mer`, `aux mers` (`à les mers`) and `the sea`, `to seas`.
fn with_trees() -> Room {
    let french = "1\tla\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tmer\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n\
                  1-2\taux\t_\t_\t_\t_\t_\t_\t_\t_\n1\tà\t_\tADP\t_\t_\t3\tcase\t_\t_\n2\tles\t_\tDET\t_\t_\t3\tdet\t_\t_\n\
                  3\tmers\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n";
    let english = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tsea\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n\
                   1\tto\t_\tADP\t_\t_\t2\tcase\t_\t_\n2\tseas\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n";
    let words = "0-0 1-1:0.5\n0p0:0.25 1-0:0.75 2-1\n";
    Room::with_files(&[("fr", french), ("en", english), ("words", words), ("tokens", "0-0\n0p0 1-1:0.5\n")])
}

#[test]
fn links_go_over_from_words_to_tokens_and_back() {
    let room = with_trees();
    let trees = "--source-trees fr --target-trees en";
    // `à` is possibly linked, `les` surely: so is `aux`, with the weight of the sure link.
    let command = format!("convert words --from pharaoh --to pharaoh --digits 2 {trees}");
    assert_eq!(room.stdout(&format!("{command} --units-to tokens")), "0-0 1-1:0.50\n0-0:0.75 1-1\n");
    let command = format!("convert tokens --from pharaoh --to pharaoh --digits 2 {trees}");
    assert_eq!(room.stdout(&format!("{command} --units-to words")), "0-0\n0p0 1p0 2-1:0.50\n");
    let json = room.stdout(&format!("convert words --from pharaoh --to jsonl {trees} --units-to tokens"));
    assert!(
        json.lines().nth(1).unwrap().starts_with("{\"source\":[\"aux\",\"mers\"],\"target\":[\"to\",\"seas\"]"),
        "{json}"
    );
}

#[test]
fn trees_that_do_not_fit_the_links_are_refused() {
    let room = with_trees();
    let refused = |command: &str, message: &str| {
        let error = room.error(&format!("convert {command} --from pharaoh --to pharaoh -o out"));
        assert!(error.starts_with(&format!("error: {message}")), "{command}: {error}");
        assert!(!room.path("out").exists());
    };
    let trees = "--source-trees fr --target-trees en";
    // As links between tokens, 2-1 is out of `aux mers`.
    let far = "words:2:19: link 2-1 is out of range, the source has 2 tokens, the target 2";
    refused(&format!("words --units-to words {trees}"), far);
    std::fs::write(room.path("one"), "0-0\n").unwrap();
    let message = "unequal lengths: one has 1 pair, fr has 2 sentences";
    refused(&format!("one --units-to words {trees}"), message);
    std::fs::write(room.path("three"), "0-0\n0-0\n\n").unwrap();
    refused(&format!("three --units-to tokens {trees}"), "fr ends after 2 sentences, three has more pairs");
    assert!(
        room.error("convert words --to talp --units-to tokens --source-trees fr").contains("--target-trees <FILE>")
    );
    assert!(room.error("convert words --to talp --source-trees fr --target-trees en").contains("--units-to"));
    let message = "fr: --output would overwrite the input --source-trees";
    let error = room.error(&format!("convert words --from pharaoh --to talp --units-to tokens {trees} -o fr"));
    assert!(error.starts_with(&format!("error: {message}")), "{error}");
}
