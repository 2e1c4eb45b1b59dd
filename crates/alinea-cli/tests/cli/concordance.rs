//! `alinea concordance`.

use serde_json::Value;

use crate::bad_inputs::gzip;
use crate::support::Room;

const SOURCE: &str = "The house is old\nthe House sits\nhe does not sell the house\na house !\n";
const TARGET: &str = "La maison est vieille\nla Chambre siège\nil ne vend pas la maison\nune demeure ancienne\n";
const LINKS: &str = "0-0:0.9 1-1:0.8 2-2:0.9 3-3:0.5\n0-0:0.9 1-1:0.4 2-2:0.9\n\
                     0-0:1 1-1:0.2 2-1:0.9 2-3:0.7 3-2:1 4-4:1 5-5:0.6\n0-0:0.3 1-1:0.2\n";

fn room() -> Room {
    Room::with_files(&[("s", SOURCE), ("t", TARGET), ("links", LINKS), ("ids", "Gen 1\nGen 2\n\nGen 4\n")])
}

fn json(room: &Room, words: &str) -> Vec<Value> {
    let answer = room.run(&format!("concordance s t --links links --json {words}")).success();
    answer.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn translations(headword: &Value) -> Vec<(&str, u64)> {
    let all = headword["translations"].as_array().unwrap();
    all.iter().map(|found| (found["translation"].as_str().unwrap(), found["count"].as_u64().unwrap())).collect()
}

#[test]
fn a_word_has_its_translations_with_examples() {
    let room = room();
    let answer = room.run("concordance s t --links links --ids ids --word house --width 100").success();
    assert_eq!(answer.stderr, "pairs      4\nwords      16\nheadwords  1\n");
    let lines: Vec<&str> = answer.stdout.lines().collect();
    assert_eq!(lines[0], "house  4");
    assert!(lines[1].starts_with("      2   50.0 %  0.70 ") && lines[1].ends_with("  maison"), "{}", answer.stdout);
    assert!(lines[2].starts_with("        Gen 1 ") && lines[2].ends_with(" The [house] is old"), "{}", answer.stdout);
    assert!(lines[3].ends_with(" La [maison] est vieille"), "{}", answer.stdout);
    // The third has no name.
    assert!(
        lines[4].starts_with("        #3 ") && lines[4].ends_with(" he does not sell the [house]"),
        "{}",
        answer.stdout
    );
    assert!(lines[6].ends_with("  Chambre"), "{}", answer.stdout);
    assert!(lines[9].ends_with("(not translated)") && lines[9].starts_with("      1   25.0 % "), "{}", answer.stdout);
    // All words in brackets begin at one column.
    let columns: Vec<Option<usize>> =
        lines.iter().filter(|line| line.contains('[')).map(|line| line.find('[')).collect();
    assert!(columns.len() == 7 && columns.iter().all(|column| *column == columns[0]), "{columns:?}");

    let found = json(&room, "--word not --examples 1");
    assert_eq!(translations(&found[0]), [("ne ... pas", 1)]);
    let example = &found[0]["translations"][0]["examples"][0];
    assert_eq!((example["pair"].as_u64(), &example["source_places"]), (Some(3), &serde_json::json!([2])));
    assert_eq!(example["target_places"], serde_json::json!([1, 3]));
    assert_eq!(example["target"][3], "pas");
}

#[test]
fn queries_name_words_phrases_and_expressions() {
    let room = room();
    let words = |words: &str| -> Vec<String> {
        json(&room, words).iter().map(|found| found["word"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(words("--word house --word not"), ["house", "not"]);
    assert_eq!(words("--word h.* --regex"), ["house", "he"]);
    assert_eq!(words("--word HOUSE"), ["house"]);
    assert_eq!(words("--word House --case"), ["House"]);
    assert_eq!(words("--word maison --side target"), ["maison"]);
    let phrase = room.command("concordance s t --links links --json --word").arg("the house").output().unwrap();
    let phrase: Value = serde_json::from_slice(&phrase.stdout).unwrap();
    assert_eq!((phrase["count"].as_u64(), translations(&phrase)), (Some(3), vec![("la maison", 2), ("la Chambre", 1)]));
}

#[test]
fn a_dictionary_is_a_table_or_a_page() {
    let room = room();
    let answer = room.run("concordance s t --links links --format tsv").success();
    let rows: Vec<Vec<&str>> = answer.stdout.lines().map(|line| line.split('\t').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 7), "{}", answer.stdout);
    assert_eq!(rows[0][..3], ["word", "translation", "count"]);
    assert_eq!(rows[1][..5], ["house", "maison", "2", "0.5000", "0.7000"]);
    assert_eq!(rows[3][..4], ["house", "", "1", "0.2500"]);
    // The same by the name of the file, and by other scores.
    room.run("concordance s t --links links -o out.tsv").success();
    assert_eq!(room.read("out.tsv"), answer.stdout);
    for rank in ["g2", "dice"] {
        let ranked =
            room.run(&format!("concordance s t --links links --format tsv --rank {rank} --threads 2")).success();
        let mut lines: Vec<&str> = ranked.stdout.lines().collect();
        let mut expected: Vec<&str> = answer.stdout.lines().collect();
        lines.sort_unstable();
        expected.sort_unstable();
        assert_eq!(lines, expected);
    }
    let few = json(&room, "--min-count 2 --top 1");
    assert_eq!(few.iter().map(translations).collect::<Vec<_>>(), [vec![("maison", 2)], vec![("la", 3)]]);
    assert_eq!(few[0]["others"], serde_json::json!({"translations": 1, "count": 1}));

    room.run("concordance s t --links links --ids ids --examples 2 -o out.html --title A<B").success();
    let page = room.read("out.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<title>A&lt;B</title>"));
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let data: Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert_eq!((data["heads"].as_array().unwrap().len(), data["pairs"].as_u64()), (11, Some(4)));
    assert_eq!(data["sentences"].as_array().unwrap().len(), 4);
    assert_eq!(data["heads"][0][0], "house");
    let example = &data["heads"][0][4][0][5][0];
    assert_eq!(data["sentences"][example[0].as_u64().unwrap() as usize][0], "Gen 1");
}

#[test]
fn links_may_be_made_on_the_spot_or_come_from_a_pipe() {
    let room = Room::with_sample(60);
    room.run("align s t --posteriors posteriors -o out -q").success();
    let expected = room.run("concordance s t --links posteriors --format tsv -q").success().stdout;
    assert!(expected.lines().count() > 100);
    let made = room.run("concordance s t --format tsv -q").success().stdout;
    // Posteriors are written with four digits.
    let counts = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split('\t').take(3).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(counts(&made), counts(&expected));
    let posteriors = room.read("posteriors");
    let piped = room.run_with("concordance s t --links - --format tsv -q", &posteriors).success().stdout;
    assert_eq!(piped, expected);
    let source = room.read("s");
    let piped =
        room.run_with("concordance - t --links posteriors --word the --json -q", gzip(&source)).success().stdout;
    assert_eq!(piped, room.run("concordance s t --links posteriors --word the --json -q").success().stdout);
    // A word has the same in a dictionary.
    let rows: String =
        expected.lines().filter(|line| line.starts_with("the\t")).map(|line| format!("{line}\n")).collect();
    let alone = room.run("concordance s t --links posteriors --word the --format tsv -q").success().stdout;
    assert_eq!(alone.split_once('\n').unwrap().1, rows);
}

#[test]
fn lemmas_come_from_trees_and_files() {
    let room = room();
    let trees = "# sent_id = a1\n1\tis\tbe\tAUX\t_\t_\t0\troot\t_\t_\n2\told\t_\tADJ\t_\t_\t1\tdep\t_\t_\n\n\
                 1\twas\tbe\tAUX\t_\t_\t0\troot\t_\t_\n\n";
    room.write("en.conllu", trees);
    room.write("fr", "est vieux\nétait\n");
    room.write("fr.lemmas", "être vieux\nêtre\n");
    room.write("both", "0-0 1-1\n0-0\n");
    let found = |words: &str| -> Value {
        let answer = room.run(&format!("concordance en.conllu fr --links both --json {words}")).success();
        serde_json::from_str(answer.stdout.lines().next().unwrap()).unwrap()
    };
    let by_lemma = found("--word be --target-lemmas fr.lemmas");
    assert_eq!((by_lemma["count"].as_u64(), translations(&by_lemma)), (Some(2), vec![("être", 2)]));
    let example = &by_lemma["translations"][0]["examples"][0];
    assert_eq!((example["id"].as_str(), example["source"][0].as_str()), (Some("a1"), Some("is")));
    assert_eq!(translations(&found("--word be")), [("est", 1), ("était", 1)]);
    assert_eq!(translations(&found("--word was --by form")), [("était", 1)]);
    assert_eq!(translations(&found("--word old")), [("vieux", 1)]);
    room.write("short", "être\nêtre\n");
    let error = room.error("concordance en.conllu fr --links both --target-lemmas short");
    assert!(error.contains("short:1:1: expected as many lemmas as words of fr (2, not 1), found `être`"), "{error}");
}

#[test]
fn what_does_not_occur_is_said() {
    let room = room();
    let answer = room.run("concordance s t --links links --word zebra");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(1), ""));
    assert!(answer.stderr.contains("\"zebra\" does not occur"), "{}", answer.stderr);
    let answer = room.run("concordance s t --links links --word zebra --word house").success();
    assert!(answer.stderr.contains("\"zebra\" does not occur") && answer.stdout.starts_with("house  4\n"));
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let room = room();
    for (name, text) in [
        ("short", "a b c d e f g h\n"),
        ("far", "0-0\n0-9\n\n\n"),
        ("heavy", "0-0:7\n\n\n\n"),
        ("few", "\n\n"),
        ("broken", "0-0\nx\n\n\n"),
    ] {
        room.write(name, text);
    }
    room.write("packed", gzip(b"PK\x03\x04\x14\0\0\0\x08\0"));
    let cases = [
        ("s short --links links", "unequal lengths: s has 4 lines, short has 1"),
        ("s t --links few", "unequal lengths: s has 4 lines, few has 2"),
        ("s t --links links --ids short", "unequal lengths: s has 4 lines, short has 1"),
        ("short short --links few", "unequal lengths: short has 1 line, few has 2"),
        ("s t --links links --ids packed", "packed: a zip archive, where "),
        ("s t --links links --source-lemmas packed", "packed: a zip archive, where "),
        ("s t --links far", "far:2:1: link 0-9 is out of range"),
        ("s t --links broken", "broken:2:1: expected"),
        ("s t --links heavy", "link 0-0 has the confidence 7, which is not from 0 to 1"),
        ("s t --links links --threshold 2", "--threshold = 2: must be 0 to 1"),
        ("s t --links links --word ho(use --regex", "word = ho(use: must be a regular expression: unclosed group"),
        ("s t --links links --regex", "--word <WORD>"),
        ("s t --links links --format tsv --examples 2", "--examples: a table has no examples"),
        ("s t --links links --rank best", "count, g2, dice"),
    ];
    for (words, message) in cases {
        let error = room.error(&format!("concordance {words} -o out"));
        assert!(error.contains(message), "{words}: {error}");
        assert!(!room.path("out").exists());
    }
    room.run("concordance s t --links links -o s").refused("error: s: --output would overwrite the input SOURCE");
    assert_eq!(room.read("s"), SOURCE);
}

#[test]
fn hostile_words_stay_words() {
    let hostile = "</script><script>alert(1)</script> ]]> <b> &amp; \u{202e}x \u{1b}[2J";
    let room = Room::with(format!("{hostile}\n"), format!("{hostile}\n"));
    room.write("links", "0-0 1-1 2-2 3-3 4-4 5-5\n");
    let page = room.run("concordance s t --links links --examples 1 --format html").success().stdout;
    assert!(!page.contains("<script>alert") && !page.contains("<b>"), "{page}");
    assert_eq!(page.matches("</script>").count(), 2);
    let text = room.run("concordance s t --links links --examples 1").success().stdout;
    assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
}
