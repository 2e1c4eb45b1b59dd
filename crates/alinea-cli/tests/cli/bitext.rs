//! Sentence pairs in the formats of other programs: read by every verb that reads a bitext, and converted into each other.

use crate::bad_inputs::gzip;
use crate::support::{Room, sample};

/// A translation memory of two texts. It is made here, so that what writes TMX is not tested by itself.
fn memory(source: &str, target: &str) -> String {
    let escaped = |line: &str| line.replace('&', "&amp;").replace('<', "&lt;");
    let units = source.lines().zip(target.lines()).map(|(source, target)| {
        format!(
            "<tu>\n  <tuv xml:lang=\"en-GB\"><seg>{}</seg></tuv>\n  <tuv xml:lang=\"fr\"><seg>{}</seg></tuv>\n</tu>\n",
            escaped(source),
            escaped(target)
        )
    });
    let units: String = units.collect();
    format!(
        "<?xml version=\"1.0\"?>\n<tmx version=\"1.4\">\n<header srclang=\"en-GB\"/>\n<body>\n{units}</body>\n</tmx>\n"
    )
}

/// The sample without pairs that have an empty side.
fn full_sample(pairs: usize) -> (String, String) {
    let (source, target) = sample(pairs);
    let both = source.lines().zip(target.lines()).filter(|(s, t)| !s.trim().is_empty() && !t.trim().is_empty());
    both.fold((String::new(), String::new()), |(s, t), (source, target)| (s + source + "\n", t + target + "\n"))
}

fn room() -> Room {
    let (source, target) = full_sample(40);
    let room = Room::with(&source, &target);
    room.write("m.tmx", memory(&source, &target));
    room.write("wide.tmx", memory(&source, &target).encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>());
    room.write("packed", gzip(memory(&source, &target)));
    room
}

#[test]
fn every_verb_reads_a_bitext_from_one_file() {
    let room = room();
    let links = room.stdout("align -q s t");
    room.write("links", &links);
    for bitext in ["m.tmx", "wide.tmx", "packed"] {
        assert_eq!(room.stdout(&format!("align -q --bitext {bitext}")), links, "{bitext}");
        let same = |of_two: &str, of_one: &str| {
            let one = of_one.replace("FILE", bitext);
            assert_eq!(room.stdout(of_two), room.stdout(&one), "{one}");
        };
        same("align -q s t --lossy", "align -q --bitext FILE --languages en,fr --lossy");
        same("align -q t s", "align -q --bitext FILE --languages fr,en");
        same("view s t links --lines 1-9", "view --bitext FILE links --lines 1-9");
        same("phrases s t links", "phrases --bitext FILE links");
        same("lexicon s t links", "lexicon --bitext FILE links");
        same("evaluate links --gold links --source s --target t", "evaluate links --gold links --bitext FILE");
        same("agreement links --source s --target t", "agreement links --bitext FILE");
        same(
            "convert links --from pharaoh --to comtrans --source s --target t",
            "convert links --from pharaoh --to comtrans --bitext FILE",
        );
        same("align -q s t --add s t", "align -q --bitext FILE --add-bitext FILE");
    }
    room.run("train s t -m one").success();
    room.run("train --bitext m.tmx -m two").success();
    assert_eq!(room.stdout("align -q -m one s t"), room.stdout("align -q -m two --bitext packed"));
    assert_eq!(room.run_with("align -q --bitext -", room.read("m.tmx")).success().stdout, links);
}

#[test]
fn text_comes_back_from_every_format() {
    let room = room();
    room.run("bitext s t --languages en,fr -o a.tmx").success();
    let names = ["a.tmx", "b.xlf", "c.jsonl.xz", "d.csv.gz", "e.tsv.zst", "f.zip", "g.xliff", "h.tsv.bz2"];
    for pair in names.windows(2) {
        let outcome = room.run(&format!("bitext {} --languages-to en,fr -o {}", pair[0], pair[1])).success();
        assert!(outcome.stderr.contains("40 sentence pairs") || outcome.stderr.contains("sentence pairs"));
        room.run(&format!("bitext {} -o again.s -o again.t", pair[1])).success();
        assert_eq!((room.read("again.s"), room.read("again.t")), (room.read("s"), room.read("t")), "{pair:?}");
    }
    room.write("joint", room.stdout("bitext a.tmx --format joint"));
    room.write("table", room.stdout("bitext joint --to columns"));
    room.run("bitext table --bitext-format columns -o again.s -o again.t").success();
    assert_eq!((room.read("again.s"), room.read("again.t")), (room.read("s"), room.read("t")));
}

#[test]
fn what_was_passed_over_is_counted() {
    let room = Room::new();
    let unit = |variants: &str| format!("<tu>{variants}</tu>\n");
    let seg = |code: &str, text: &str| format!("<tuv xml:lang=\"{code}\"><seg>{text}</seg></tuv>");
    let units = [
        unit(&(seg("en", "a house") + &seg("fr", "une maison"))),
        unit(&seg("en", "alone")),
        unit(&(seg("en", "b") + &seg("fr", "  "))),
        unit(&(seg("de", "c") + &seg("it", "d"))),
    ];
    room.write("m", format!("<tmx version=\"1.4\"><header/><body>\n{}</body></tmx>", units.concat()));
    let outcome = room.run("bitext m --languages en,fr -o s -o t").success();
    let told = "2 segments without text in one of the languages, 1 segment in other languages";
    assert_eq!(outcome.stderr, format!("1 sentence pair\npassed over: {told}\n"));
    assert_eq!((room.read("s"), room.read("t")), ("a house\n".to_owned(), "une maison\n".to_owned()));
    let outcome = room.run("align --bitext m --languages en,fr").success();
    assert_eq!(outcome.lines().len(), 1);
    assert!(outcome.stderr.contains(&format!("passed over: {told}\n")), "{}", outcome.stderr);
    let error = room.error("align --bitext m");
    assert_eq!(error, "error: m: more than two languages, en, fr, de, it\nhint: choose two: --languages en,fr\n");
    let error = room.error("bitext m --languages en,es -o s -o t");
    assert!(error.starts_with("error: m: no segment in the language es; there is en, fr, de, it\n"), "{error}");
}

#[test]
fn files_that_are_wrong_leave_nothing() {
    let room = room();
    let whole = room.read("m.tmx");
    let cut = &whole[..whole.len() - 21];
    room.write("cut.tmx", cut);
    room.write("crossed.tmx", whole.replacen("</seg></tuv>", "</tuv></seg>", 1));
    room.write(
        "bomb.tmx",
        "<!DOCTYPE tmx [<!ENTITY a \"aaaa\">]>\n<tmx><body><tu><tuv lang=\"en\"><seg>&a;</seg></tuv></tu></body></tmx>",
    );
    room.write("bad.csv", "en,fr\na,b\nc\n");
    room.write("bad.jsonl", "{\"src\":\"a\",\"tgt\":7}\n");
    let before = room.names();
    for (file, expected) in [
        ("cut.tmx", "before the file ends, found nothing"),
        ("crossed.tmx", "crossed.tmx:6:"),
        ("bomb.tmx", "bomb.tmx:2:36: expected `&lt;`"),
        ("bad.csv", "bad.csv:3: expected 2 values, as in the header (this row has 1), found `c`"),
        ("bad.jsonl", "bad.jsonl:1:1: expected a string as `tgt`, found `7`"),
    ] {
        for words in [format!("bitext {file} -o out.s -o out.t"), format!("align --bitext {file} -o out")] {
            let error = room.error(&words);
            assert!(error.contains(expected), "{words}: {error}");
        }
    }
    assert_eq!(room.names(), before);
}

#[test]
fn what_xml_cannot_have_is_refused_or_replaced() {
    let room = Room::with("a\nb\u{1b}c\n", "x\ny\n");
    let error = room.error("bitext s t --languages en,fr -o m.tmx");
    assert_eq!(
        error,
        "error: s:2: expected characters that XML allows, found `b\\u{1b}c`\nhint: replace such characters: --replace CHARACTER\n"
    );
    let outcome = room.run("bitext s t --languages en,fr -o m.tmx --replace ?").success();
    assert!(outcome.stderr.contains("1 character replaced, which XML does not allow"), "{}", outcome.stderr);
    assert_eq!(room.stdout("bitext m.tmx"), "a ||| x\nb?c ||| y\n");
}

#[test]
fn options_for_files_need_a_file() {
    let room = Room::with("a\n", "b\n");
    room.write("links", "0-0\n");
    room.write("j", "a ||| b\n");
    for (words, expected) in [
        ("align s t --languages en,fr", "--languages needs --bitext or --add-bitext"),
        ("align --bitext s --columns 1,2 --fields 1,2", "--fields: --columns is for tables without header"),
        ("phrases s t links --fields 1,2", "--fields needs --bitext"),
        ("phrases --bitext s t links", "cannot be used with"),
        (
            "evaluate links --gold links --source s --target t --bitext s",
            "--bitext takes the place of source and target",
        ),
        ("align --bitext s --languages en,en", "expected two different names, such as en,fr"),
        ("bitext j -o out", "cannot infer the format of the output from the file name"),
        ("bitext j -o out.tmx", "the format tmx names the languages, which are not known"),
        ("bitext s t -o s", "would overwrite the input"),
        ("bitext s t -o a -o b -o c", "--output is given 3 times"),
        ("bitext s t -o a -o b --format csv", "--format is for one output"),
    ] {
        let error = room.error(words);
        assert!(error.contains(expected), "{words}: {error}");
    }
    assert_eq!(room.names(), "j links s t");
}
