//! `alinea reorder train` and `apply`.

use crate::support::Room;

const ADJECTIVES: [&str; 4] = ["red", "old", "big", "[new]"];
const NOUNS: [&str; 6] = ["house", "bird", "tree", "book", "road", "lamp"];

/// Sixty sentences in which the adjective comes behind its noun, and their links.
fn room() -> Room {
    let room = Room::new();
    let (mut source, mut links, mut annotation, mut lengths, mut trees) =
        (String::new(), String::new(), String::new(), String::new(), String::new());
    for number in 0..60 {
        let (adjective, noun) = (ADJECTIVES[number % 4], NOUNS[number % 6]);
        source += &format!("the {adjective} {noun} sleeps\n");
        links += "0-0 1-2 2-1 3-3\n";
        annotation += &format!("the {adjective} {noun} sleeps\tD A N V\t0 1 2 3\n");
        lengths += "4-4 ||| 0-0 1-2 2-1 3-3\n";
        for (row, (word, tag, head, relation)) in
            [("the", "D", 3, "det"), (adjective, "A", 3, "amod"), (noun, "N", 4, "nsubj"), ("sleeps", "V", 0, "root")]
                .into_iter()
                .enumerate()
        {
            trees += &format!("{}\t{word}\t{word}\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n", row + 1);
        }
        trees += "\n";
    }
    for (name, text) in
        [("s", &source), ("links", &links), ("s.annot", &annotation), ("s.align", &lengths), ("s.conllu", &trees)]
    {
        room.write(name, text);
    }
    room
}

/// Rows with `-` in column 7.
fn without_orders(rows: &str) -> String {
    let hidden = rows.lines().map(|line| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if let Some(cell) = cells.get_mut(6) {
            *cell = "-";
        }
        cells.join("\t") + "\n"
    });
    hidden.collect()
}

#[test]
fn models_are_trained_and_applied() {
    let room = room();
    let trained = room.run("reorder train --links links --source s -m m").success();
    assert!(trained.stderr.contains("sentences   60\nengine      ensemble"), "{}", trained.stderr);
    assert!(trained.stderr.contains("search      consensus, bias 0\n"), "{}", trained.stderr);
    room.write("new", "the old lamp sleeps\n\nlamp\n");
    let apply = |options: &str| room.run(&format!("reorder apply m --source new {options}")).success().stdout;
    assert_eq!(apply(""), "0 2 1 3\n\n0\n");
    assert_eq!(apply("--format text"), "the lamp old sleeps\n\nlamp\n");
    assert_eq!(apply("--format beside"), "the old lamp sleeps\tthe lamp old sleeps\n\t\nlamp\tlamp\n");
    // Whatever the tree, adjective and noun are turned round in it, and nothing else.
    let tree = apply("--format tree");
    assert!(tree.starts_with('[') && tree.contains("<old lamp>"), "{tree}");
    assert_eq!(apply("--beam 5 -f text"), apply("--format text"));
    let best = apply("--beam 50 --nbest 3");
    let lines: Vec<&str> = best.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[3]), (5, "0 ||| 0 2 1 3", "1 ||| "));
    assert_eq!(apply("--threads 2"), apply("--threads 1"));
    assert_eq!(apply("--to text"), apply("--format text"));
    assert_eq!(room.run("reorder apply -m m --source new").success().stdout, apply(""));
    let shown = room.run("reorder show m").success().stdout;
    assert_eq!(room.run("reorder show --model-file m").success().stdout, shown);
    assert!(room.run("reorder apply m -m m --source new").failure(2).contains("cannot be used with"));
    assert!(room.run("reorder apply --source new").failure(2).contains("MODEL"));
    // Orders are judged as they come.
    room.run("reorder apply m --source s -o s.order").success();
    let judged = room.run("reorder evaluate s.order --links links --source s --scores kendall").success().stdout;
    assert!(judged.contains("100.00"), "{judged}");
}

#[test]
fn trees_and_corpora_of_the_task_are_learned_from() {
    let room = room();
    room.run("reorder pack links --trees s.conllu --stem g -q").success();
    room.run("reorder train --gold g.conll -m m --engine btg").success();
    let gold = room.read("g.conll");
    room.run("reorder apply m --corpus g.conll -o run.conll").success();
    assert_eq!(room.read("run.conll"), gold);
    // The data of the task's test come without the order.
    room.write("t.conll", without_orders(&gold));
    for ending in ["txt", "pos"] {
        room.write(&format!("t.{ending}"), room.read(&format!("g.{ending}")));
    }
    room.run("reorder apply m --corpus t.conll -o run.conll").success();
    assert_eq!(room.read("run.conll"), gold);

    let trained = room.run("reorder train --links links --trees s.conllu -m tree").success();
    assert!(trained.stderr.contains("words lemmas tags relations"), "{}", trained.stderr);
    let orders = room.run("reorder apply tree --trees s.conllu").success().stdout;
    assert!(orders.lines().all(|line| line == "0 2 1 3"), "{orders}");
    room.run("reorder apply tree --source s")
        .refused("error: s: sentence 1 has no dependency tree to reorder; use --trees");
}

/// Of one sentence the treebank says nothing but the tree, which is no reason to know less of the others, or to refuse
/// it.
#[test]
fn what_a_treebank_does_not_say_of_one_sentence_is_unknown_there() {
    let room = room();
    let untold = room.read("s.conllu").replacen("\tthe\tD\t", "\t_\t_\t", 1);
    let untold = untold.replacen("\tred\tA\t", "\t_\t_\t", 1).replacen("\thouse\tN\t", "\t_\t_\t", 1);
    room.write("untold", untold.replacen("\tsleeps\tV\t", "\t_\t_\t", 1));
    assert!(room.read("untold").starts_with("1\tthe\t_\t_\t"));
    let trained = room.run("reorder train --links links --trees untold --engine btg -m m").success();
    assert!(trained.stderr.contains("words lemmas tags relations"), "{}", trained.stderr);
    let orders = room.run("reorder apply m --trees untold").success().stdout;
    assert_eq!(orders.lines().count(), 60);
    assert!(orders.lines().skip(1).all(|line| line == "0 2 1 3"), "{orders}");
    // Where it says nothing of any sentence, models that need it refuse the text.
    let text = room.read("s.conllu");
    let bare = text.lines().map(|line| {
        let mut cells: Vec<&str> = line.split('\t').collect();
        if cells.len() == 10 {
            cells[2] = "_";
        }
        cells.join("\t") + "\n"
    });
    room.write("bare", bare.collect::<String>());
    room.run("reorder apply m --trees bare")
        .refused("error: bare: sentence 1 has no lemmas, which the model was trained with; use --trees");
}

#[test]
fn features_of_parts_of_words_are_asked_for() {
    let room = room();
    let train = |options: &str| room.run(&format!("reorder train --links links --trees s.conllu -m m {options}"));
    for engine in ["ensemble", "btg", "top-down", "linear", "salesman", "siblings"] {
        let told = train(&format!("--engine {engine} --features suffix2,shape")).success().stderr;
        assert!(told.contains("relations suffix2 shape") || told.contains("suffix3 suffix2 shape"), "{told}");
        let orders = room.run("reorder apply m --trees s.conllu").success().stdout;
        assert!(orders.lines().all(|line| line == "0 2 1 3"), "{engine}: {orders}");
    }
    assert!(train("--engine rules --features shape").failure(2).contains("not rules and children"));
    assert!(train("--features tags").failure(2).contains("suffix1 to suffix9, or shape"));
    assert!(train("--features suffix0").failure(2).contains("suffix1 to suffix9, or shape"));
    assert!(train("--engine linear --attach-unaligned").failure(2).contains("for words without links"));
}

#[test]
fn models_start_from_those_of_other_text() {
    let room = room();
    room.run("reorder train --links links --source s --no-tuning -m big").success();
    room.write("few", "we sleep\n".repeat(6));
    room.write("few.links", "0-0 1-1\n".repeat(6));
    room.run("reorder train --links few.links --source few --no-tuning --from big -m m").success();
    let orders = room.run("reorder apply m --source s").success().stdout;
    assert!(orders.lines().all(|line| line == "0 2 1 3"), "{orders}");
    room.run("reorder train --links few.links --source few --no-tuning -m alone").success();
    let orders = room.run("reorder apply alone --source s").success().stdout;
    assert!(orders.lines().all(|line| line == "0 1 2 3"), "{orders}");
    let refused = room.run("reorder train --links few.links --source few --engine btg --from big -m x").failure(2);
    assert!(refused.contains("a model of the same engine"), "{refused}");
    room.run("reorder train --links few.links --source few --from m -m m").failure(2);
}

#[test]
fn files_of_published_programs_are_written() {
    let room = room();
    room.run("reorder export links --trees s.conllu --target s --stem out/x").failure(2);
    room.write("classes", "the\t0\nred\t1\nold\t1\nbig\t1\n[new]\t1\nsleeps\t3\n");
    let told = room.run("reorder export links --trees s.conllu --classes classes --target s --stem x").success().stderr;
    assert_eq!(told, "sentences   60\ncolumns     words tags classes\n");
    assert!(room.read("x.annot").starts_with("the red house sleeps\tD A N V\t0 1 - 3\n"));
    assert_eq!(room.read("x.align"), room.read("s.align"));
    room.run("reorder export --source s --coarse-classes classes --stem y").success();
    assert!(room.read("y.annot").starts_with("the red house sleeps\t0 1 - 3\n"));
    assert!(!room.path("y.align").exists());
    // Without the target sentences they are as long as the links tell.
    room.write("links", "0-0 2-1\n".repeat(60));
    room.run("reorder export links --source s --stem z").success();
    assert!(room.read("z.align").starts_with("4-2 ||| 0-0 2-1\n4-2 |||"));
    let refused = |options: &str| room.run(&format!("reorder export {options} --stem z")).failure(2);
    assert!(refused("--source s --columns tags").contains("layers that all sentences have"));
    assert!(refused("--trees s.conllu --columns tags,lemmas,relations").contains("at most two layers beside words"));
    room.run("reorder train --annotation x.annot --links x.align --engine top-down -m m").success();
}

/// Who runs a shared task gives away training and development data and a test without orders, takes runs, and ranks
/// them by the orders kept back.
#[test]
fn a_shared_task_is_run_from_the_corpus_to_the_ranks() {
    let room = room();
    // The sentence before the last has no links, and the determiner of the last none.
    room.write("s", room.read("s") + "oh dear\nthe old bird sleeps\n");
    room.write("links", room.read("links") + "\n1-1 2-0 3-2\n");
    let tags = "D A N V\n".repeat(60) + "I A\nD A N V\n";
    room.write("tags", &tags);
    let pack = "reorder pack links --source s --tags tags --stem a_b.a --split trn=40,dev=10,tst=12";
    let told = room.run(&format!("{pack} --hide tst")).success().stderr;
    let (_, of_test) = told.split_once("a_b.a.tst.conll").unwrap();
    let expected = ": 11 sentences, 11 with rows; 44 words, 43 with rows; 0 in another order, 11 unknown; no parses\n\
                    a_b.a.tst.conll: 1 sentence without links left out (line 61)\n\
                    a_b.a.tst-gold.conll: 11 sentences, 11 with rows; 44 words, 43 with rows; 11 in another order; no parses\n";
    assert_eq!(of_test, expected);
    assert_eq!(room.read("a_b.a.tst.conll"), without_orders(&room.read("a_b.a.tst-gold.conll")));
    assert_eq!(room.read("a_b.a.tst.txt"), room.read("a_b.a.tst-gold.txt"));
    assert!(!room.path("a_b.a.tst.align.info").exists());
    assert!(room.read("a_b.a.tst-gold.align.info").ends_with("\n1(old) 2(bird) 3(sleeps)\n"));
    for corpus in ["tst", "tst-gold", "dev"] {
        room.run(&format!("reorder pack --check a_b.a.{corpus}.conll")).success();
    }
    room.run("reorder train --gold a_b.a.tst.conll -m m").failure(2);

    room.run("reorder train --gold a_b.a.trn.conll --engine btg -m m").success();
    room.run("reorder apply m --corpus a_b.a.tst.conll -o run.conll").success();
    assert_eq!(room.read("run.conll"), room.read("a_b.a.tst-gold.conll"));
    room.run("reorder submit --team lab --data a_b=a_b.a.tst.conll --standard a_b=run.conll -o lab.zip").success();
    let board = room.run("reorder rank lab.zip --gold a_b=a_b.a.tst-gold.conll --scores frs").success().stdout;
    assert!(
        board.starts_with("a_b, 11 sentences\n") && board.contains("1     lab       standard 1   100.00  100.00"),
        "{board}"
    );
    let judged = room.run("reorder evaluate run.conll --gold a_b.a.tst-gold.conll --scores complete").success().stdout;
    assert!(judged.contains("100.00"), "{judged}");
}

#[test]
fn hidden_parts_are_told_apart_and_leave_nothing_behind() {
    let room = room();
    let pack = "reorder pack links --source s --stem g";
    room.run(&format!("{pack} --split trn=50,tst=10 --hide dev"))
        .refused("error: --hide dev: --split has no such part");
    room.run(&format!("{pack} --hide tst")).failure(2);
    room.run(&format!("{pack} --split tst=50,tst-gold=10 --hide tst"))
        .refused("error: g.tst-gold.conll: --stem and --stem are the same file");
    room.write("g.tst.align.info", "0(the)\n");
    room.run(&format!("{pack} --split trn=50,tst=10 --hide tst"))
        .refused("error: g.tst.align.info exists, but test data must not have one: remove it first");
    room.write("links", "0-0 1-2 2-1 3-3\n".repeat(58) + "\n\n");
    room.run(&format!("{pack} --split trn=58,dev=2 --hide dev"))
        .refused("error: g.dev.conll: no sentence of this part has links");
    assert_eq!(room.names(), "g.tst.align.info links s s.align s.annot s.conllu");
    // Of two equal words the second has a link, which nothing but .align.info can say.
    room.write("s", "rose rose is\n");
    room.write("links", "1-0 2-1\n");
    let told = room.run("reorder pack links --source s --stem h --split tst=1 --hide tst").success().stderr;
    let expected = "h.tst.conll: in 1 sentence a word is repeated, and readers without .align.info assume another \
                    occurrence";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn files_of_published_programs_are_read() {
    let room = room();
    room.run("reorder train --links s.align --annotation s.annot --engine top-down -m m").success();
    let orders = room.run("reorder apply m --annotation s.annot").success().stdout;
    assert!(orders.lines().all(|line| line == "0 2 1 3"), "{orders}");
    let tree = room.run("reorder apply m --annotation s.annot --to tree").success().stdout;
    assert!(tree.contains(r"<\[new\] book>"), "{tree}");
    room.write("short.align", "4-4 ||| 0-0\n");
    room.run("reorder train --links short.align --annotation s.annot -m m")
        .refused("error: unequal lengths: s.annot has 60 lines, short.align has 1");
    room.write("bad.align", room.read("s.align").replacen("4-4 ||| 0-0", "4-4 ||| 4-2", 1));
    room.run("reorder train --links bad.align --annotation s.annot -m m")
        .refused("error: bad.align:1:9: expected positions below 4 and 4, found `4-2`");
    room.write("less.annot", room.read("s.annot") + "the old bird sleeps\tD A N V\n");
    room.run("reorder apply m --annotation less.annot").refused(
        "error: less.annot: sentence 61 has no classes, which the model was trained with; use --classes or the third column of --annotation",
    );
    room.write("bad.annot", "a b\tX\n");
    room.run("reorder apply m --annotation bad.annot")
        .refused("error: bad.annot:1:5: expected a column of 2 tokens, as of words, found `X`");
}

/// Every fifth sentence keeps its order, and those are held out, since there are 500 or more.
#[test]
fn what_does_not_hold_is_done_without_tuning() {
    let room = room();
    room.write("s", room.read("s").repeat(9));
    let lines = (0..540).map(|number| if number % 5 == 0 { "0-0 1-1 2-2 3-3\n" } else { "0-0 1-2 2-1 3-3\n" });
    room.write("links", lines.collect::<String>());
    let train = "reorder train --links links --source s --engine top-down -m m";
    let told = room.run(train).success().stderr;
    assert!(told.contains("search      leaves sentences as they are"), "{told}");
    assert_eq!(room.run("reorder apply m --source s").success().stdout, "0 1 2 3\n".repeat(540));
    let told = room.run(&format!("{train} --no-tuning")).success().stderr;
    assert!(told.contains("search      beam of 20 states"), "{told}");
    assert_eq!(room.run("reorder apply m --source s").success().stdout, "0 2 1 3\n".repeat(540));
}

#[test]
fn words_without_links_travel_with_their_neighbor() {
    let room = room();
    room.write("links", "1-2 2-1 3-3\n".repeat(60));
    room.run("reorder train --links links --source s --attach-unaligned --engine btg -m m").success();
    // The next word on the right of `the` is the adjective, with which it goes.
    let orders = room.run("reorder apply m --source s").success().stdout;
    assert!(orders.lines().all(|line| line == "2 0 1 3"), "{orders}");
}

#[test]
fn what_is_no_model_is_refused() {
    let room = room();
    let outcome = room.run("reorder apply s --source s");
    assert_eq!(outcome.code, Some(2));
    room.write("one", "a b\n");
    room.write("one.links", "0-0\n");
    room.run("reorder train --links one.links --source one -m m")
        .refused("error: nothing to learn from: no sentence has two words whose order is known");
    assert!(!room.names().contains('m'), "{}", room.names());
}
