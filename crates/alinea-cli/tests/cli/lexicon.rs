//! `alinea lexicon`.

use crate::support::Room;

/// Worked out by hand. c(the, la) = 2, c(the, ∅) = 1, c(House, maison) = 1, c(flower, fleur) = 1, c(flower, fanée) = 1,
/// c(end, fin) = 1, c(∅, .) = 1.
const FILES: [(&str, &str); 3] = [
    ("s", "the House\nthe\tflower\nthe end\n"),
    ("t", "la maison\nla fleur  fanée\nfin .\n"),
    ("l", "0-0 1-1\n0-0 1-1 1-2\n1-0\n"),
];
const MOSES: &str = "\
. NULL 1.0000000
la the 0.6666667
NULL the 0.3333333
fleur flower 0.5000000
fanée flower 0.5000000
maison House 1.0000000
fin end 1.0000000
";
const MOSES_REVERSE: &str = "\
the NULL 1.0000000
the la 1.0000000
House maison 1.0000000
flower fleur 1.0000000
flower fanée 1.0000000
end fin 1.0000000
NULL . 1.0000000
";
const MARIAN: &str = "\
la the 0.6666667
fleur flower 0.5000000
fanée flower 0.5000000
maison House 1.0000000
fin end 1.0000000
";

fn room() -> Room {
    Room::with_files(&FILES)
}

/// The lines of Moses' format, without the empty word, the other way round and with tabs.
fn turned(lines: &str) -> String {
    let fields = lines.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let fields = fields.filter(|fields| !fields.contains(&"NULL"));
    fields.map(|fields| format!("{}\t{}\t{}\n", fields[1], fields[0], fields[2])).collect()
}

#[test]
fn probabilities_are_shares_of_links() {
    let room = room();
    let answer = room.run("lexicon s t l --format moses --reverse reverse.gz");
    assert_eq!(answer.stdout, MOSES);
    assert_eq!(answer.stderr, "3 sentence pairs, 6 links, 7 word pairs\n");
    let mut reverse = String::new();
    let file = std::fs::File::open(room.path("reverse.gz")).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut reverse).unwrap();
    assert_eq!(reverse, MOSES_REVERSE);
}

#[test]
fn other_formats_say_the_same() {
    let room = room();
    assert_eq!(room.stdout("lexicon s t l"), turned(MOSES));
    assert_eq!(room.stdout("lexicon s t l --format marian"), MARIAN);
    room.run("lexicon s t l -o forward --reverse reverse").success();
    assert_eq!(room.read("reverse"), turned(MOSES_REVERSE));
    let fast_align = room.stdout("lexicon s t l --format fast-align");
    assert!(fast_align.starts_with("<eps>\t.\t0.000000\nthe\tla\t-0.405465\nthe\t<eps>\t-1.098612\n"), "{fast_align}");
    let eflomal = room.stdout("lexicon s t l --format eflomal");
    assert!(eflomal.starts_with("LEX\tthe\tla\t2.0000\nLEX\tflower\tfleur\t1.0000\n"), "{eflomal}");
}

#[test]
fn tables_are_cut_to_what_is_probable() {
    let room = room();
    let without = |lines: &str, left_out: &str| {
        lines.lines().filter(|line| !line.starts_with(left_out)).map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_eq!(room.stdout("lexicon s t l --format marian --best 1"), without(MARIAN, "fanée"));
    assert_eq!(room.stdout("lexicon s t l --format marian --least 0.5"), MARIAN);
    assert_eq!(room.stdout("lexicon s t l --format marian --least 0.51"), without(MARIAN, "f") + "fin end 1.0000000\n");
    assert!(room.error("lexicon s t l --best 0").contains("invalid value '0' for '--best <N>'"));
    assert_eq!(room.error("lexicon s t l --least 1.5"), "error: --least = 1.5: must be 0 to 1\n");
}

#[test]
fn words_are_told_apart_by_case_unless_asked() {
    let room = Room::with_files(&[("s", "The\nthe\nNULL\n"), ("t", "le\nLe\nx\n"), ("l", "0-0\n0-0\n0-0\n")]);
    assert_eq!(room.stdout("lexicon s t l -q"), "The\tle\t1.0000000\nthe\tLe\t1.0000000\nNULL\tx\t1.0000000\n");
    assert_eq!(room.stdout("lexicon s t l --lowercase -q"), "the\tle\t1.0000000\nnull\tx\t1.0000000\n");
    let answer = room.run("lexicon s t l --format moses").success();
    assert!(
        answer.stderr.starts_with("warning: the word `NULL` is indistinguishable from the NULL word"),
        "{}",
        answer.stderr
    );
    assert_eq!(room.run("lexicon s t l").stderr, "3 sentence pairs, 3 links, 3 word pairs\n");
}

#[test]
fn a_table_is_read_as_a_dictionary() {
    let room = room();
    for format in ["words", "moses", "marian", "fast-align", "eflomal"] {
        room.run(&format!("lexicon s t l --format {format} -o table")).success();
        let told = room.run(&format!("align s t --dictionary table --dictionary-format {format}")).success();
        assert!(told.stderr.contains("5 entries, 5 of them found in the text"), "{format}: {}", told.stderr);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let room = room();
    room.write("short", "0-0\n");
    room.write("out", "0-0\n\n0-2\n");
    assert_eq!(room.error("lexicon s t short -o o"), "error: unequal lengths: s has 3 lines, short has 1\n");
    let error = room.error("lexicon s t out -o o --reverse r");
    assert!(
        error.starts_with("error: out:3:1: link 0-2 is out of range, the source has 2 tokens, the target 2"),
        "{error}"
    );
    let error = room.error("lexicon s t l --format eflomal --reverse r");
    assert_eq!(error, "error: --reverse: eflomal priors cover both directions\n");
    assert_eq!(room.error("lexicon s t l -o l"), "error: l: --output would overwrite the input LINKS\n");
    assert_eq!(
        room.error("lexicon s t l --reverse -"),
        "error: standard output cannot be written twice: --output and --reverse are both `-`\n"
    );
    assert_eq!(room.names(), "l out s short t");
}
