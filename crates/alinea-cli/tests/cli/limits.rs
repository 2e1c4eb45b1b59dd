//! Inputs that ask for more than any machine has: refused by name, before the memory is taken.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Command;

use crate::support::{Outcome, Room};

/// Runs the command in so many megabytes of address space, where the system limits that: Linux does.
fn run_within(room: &Room, megabytes: u32, words: &str) -> Outcome {
    if !cfg!(target_os = "linux") {
        return room.run(words);
    }
    let alinea = env!("CARGO_BIN_EXE_alinea");
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {}; exec '{alinea}' {words}", megabytes * 1024));
    command.current_dir(room.path("")).env("TMPDIR", room.path("")).output().unwrap().into()
}

/// A gzip file of some first lines, and one that is longer than any.
fn long_line(first: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(first).unwrap();
    let piece = vec![b'a'; 1 << 20];
    for _ in 0..65 {
        encoder.write_all(&piece).unwrap();
    }
    encoder.finish().unwrap()
}

#[test]
fn lines_have_a_length() {
    let room = Room::with(long_line(b"0-0\n"), "0-0\n0-0\n");
    room.write("rows", long_line(b"1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n"));
    let refusal =
        |place: &str| format!("error: {place}: bytes of a line: 67108865 or more, more than the limit of 67108864");
    for words in [
        "align s t",
        "train s t -m m",
        "classes s",
        "metric t -i s",
        "metric s -i t",
        "sentence-align s t",
        "symmetrize s t",
        "evaluate --gold t s",
        "convert s --from pharaoh --to talp",
        "lexicon t t s",
        "view t t s --line 2",
    ] {
        let outcome = room.run(words);
        assert!(outcome.stderr.starts_with(&refusal("s:2")), "{words}: {}", outcome.stderr);
        assert_eq!(outcome.code, Some(2), "{words}");
    }
    room.write("pairs", long_line(b"a ||| b\n"));
    let outcome = room.run("align --bitext pairs");
    assert!(outcome.stderr.starts_with(&refusal("pairs:2")), "{}", outcome.stderr);
    let outcome = room.run("metric rows -i rows --metric dpath");
    assert!(outcome.stderr.starts_with(&refusal("rows:2")), "{}", outcome.stderr);
}

/// Lines that the best algorithm known here would take hours for, or more memory than there is.
#[test]
fn metrics_say_which_lines_are_too_long() {
    let same = format!("a\n{}\n", "a ".repeat(20_000));
    let room = Room::with(&same, &same);
    let name = "pairs of equal words in two lines";
    for metric in ["ribes", "lepor", "kendall", "ulam", "fuzzy"] {
        let refusal = format!("error: segment 2: {name}: 800000000, more than the limit of 268435456");
        run_within(&room, 2000, &format!("metric s -i t --metric {metric}")).refused(&refusal);
    }
    let name = "words of the hypothesis times words of the reference, for TER";
    let refusal = format!("error: segment 2: {name}: 400000000, more than the limit of 134217728");
    run_within(&room, 2000, "metric s -i t --metric ter").refused(&refusal);
    for metric in ["bleu", "chrf++", "gleu", "nist", "meteor"] {
        run_within(&room, 2000, &format!("metric s -i t --metric {metric}")).success();
    }
}

/// With one link nearly all pairs of spans are phrase pairs: a trillion.
#[test]
fn phrases_have_so_many_words() {
    let line = "a ".repeat(2000) + "\n";
    let room = Room::with(&line, &line);
    room.write("links", "1000-1000\n");
    let name = "words of all phrase pairs of a sentence pair";
    let refusal = format!("error: sentence pair 1: {name}: 67108865 or more, more than the limit of 67108864");
    run_within(&room, 2000, "phrases s t links --max-length 4000000000 -o out").refused(&refusal);
    assert_eq!(room.names(), "links s t");
}

/// For all pairs of these words the orders that engines learn from would take 160 GB.
#[test]
fn long_sentences_are_learned_from_and_ordered() {
    const WORDS: usize = 50_000;
    let tree = |head: fn(usize) -> usize| {
        (1..=WORDS).fold(String::new(), |mut text, word| {
            let head = head(word);
            let relation = if head == 0 { "root" } else { "dep" };
            writeln!(text, "{word}\tw\tw\tX\t_\t_\t{head}\t{relation}\t_\t_").unwrap();
            text
        }) + "\n"
    };
    let room = Room::new();
    room.write("flat", tree(|word| usize::from(word > 1)));
    room.write("chain", tree(|word| word - 1));
    let links: Vec<String> = (0..WORDS).map(|word| format!("{word}-{}", WORDS - 1 - word)).collect();
    room.write("links", links.join(" ") + "\n");
    run_within(&room, 3000, "reorder oracle links --trees flat -o out").success();
    // Where links are carried, it is pairs of dependents of linked words.
    let pairs = (WORDS as u64 - 1) * (WORDS as u64 - 1);
    let name = "pairs of dependents of linked words";
    let refusal = format!("the trees at lines 1 and 1: {name}: {pairs}, more than the limit of 4194304");
    room.write("root", "0-0\n");
    let said = run_within(&room, 3000, "project flat flat --links root").failure(2);
    assert!(said.contains(&refusal), "{said}");
    for trees in ["flat", "chain"] {
        run_within(&room, 3000, &format!("reorder train --links links --trees {trees} --engine children -m {trees}.m"))
            .success();
        for given in ["flat", "chain"] {
            run_within(&room, 3000, &format!("reorder apply {trees}.m --trees {given} -o out")).success();
        }
    }
}

/// The bracketing trees of a thousand words would take 2.7 GB; their order is found in stretches.
#[test]
fn long_sentences_have_an_order_and_no_tree() {
    let room = Room::new();
    room.write("s", "we sleep\n".repeat(6));
    room.write("links", "0-1 1-0\n".repeat(6));
    room.write("long", "we sleep ".repeat(500) + "\n");
    room.run("reorder train --links links --source s --engine btg --no-tuning -m m -q").success();
    let refusal = "words of a sentence whose bracketing trees are wanted: 1000, more than the limit of 500";
    for options in ["--format tree", "--format tree --beam 5"] {
        let said = run_within(&room, 1000, &format!("reorder apply m --source long {options}")).failure(2);
        assert!(said.contains(refusal), "{said}");
    }
    for options in ["", "--beam 5"] {
        run_within(&room, 1000, &format!("reorder apply m --source long {options} -o order")).success();
        assert_eq!(room.read("order").split_whitespace().count(), 1000);
    }
}
