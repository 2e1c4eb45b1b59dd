//! `alinea reorder` with engines over trees.

use crate::support::Room;

const ADJECTIVES: [&str; 4] = ["red", "old", "big", "new"];
const NOUNS: [&str; 6] = ["house", "bird", "tree", "book", "road", "lamp"];

fn tree(adjective: &str, noun: &str) -> String {
    let rows =
        [("the", "D", 3, "det"), (adjective, "A", 3, "amod"), (noun, "N", 4, "nsubj"), ("sleeps", "V", 0, "root")];
    let row = |(number, (word, tag, head, relation)): (usize, (&str, &str, usize, &str))| {
        format!("{}\t{word}\t{word}\t{tag}\t_\t_\t{head}\t{relation}\t_\t_\n", number + 1)
    };
    rows.into_iter().enumerate().map(row).collect::<String>() + "\n"
}

fn parse(adjective: &str, noun: &str) -> String {
    format!("(S (NP (D the) (A {adjective}) (N {noun})) (V sleeps))\n")
}

/// Sixty sentences in which the adjective comes behind its noun; trees, brackets, links, tags alone; and a new one.
fn room() -> Room {
    let room = Room::new();
    let pairs: Vec<(&str, &str)> = (0..60).map(|number| (ADJECTIVES[number % 4], NOUNS[number % 6])).collect();
    let of_all = |line: &dyn Fn(&str, &str) -> String| pairs.iter().map(|(a, n)| line(a, n)).collect::<String>();
    room.write("s", of_all(&|adjective, noun| format!("the {adjective} {noun} sleeps\n")));
    room.write("s.conllu", of_all(&tree));
    room.write("s.parse", of_all(&parse));
    room.write("s.annot", of_all(&|adjective, noun| format!("the {adjective} {noun} sleeps\tD A N V\t0 1 2 3\n")));
    room.write("links", of_all(&|_, _| "0-0 1-2 2-1 3-3\n".to_owned()));
    room.write("new", "the green frog sleeps\n");
    room.write("new.conllu", tree("green", "frog"));
    room.write("new.parse", parse("green", "frog"));
    room.write("new.annot", "the green frog sleeps\tD A N V\t0 1 2 3\n");
    room
}

/// What is read of sentences, with the ending of the file, and what is asked for beside.
const GIVEN: [(&str, &str, &str); 3] =
    [("--trees", "conllu", ""), ("--parses", "parse", ""), ("--annotation", "annot", "--induce-trees")];

#[test]
fn engines_over_trees_are_trained_applied_and_judged() {
    let room = room();
    for engine in ["siblings", "rules", "children"] {
        for (option, ending, more) in GIVEN {
            let shown = format!("{engine} {option}");
            let train = |model: &str, threads: usize| {
                let given = format!("--links links {option} s.{ending} --engine {engine} {more}");
                room.run(&format!("reorder train {given} -m {model} --threads {threads}")).success().stderr
            };
            let told = train("m", 1);
            assert!(told.contains(&format!("engine      {engine}\n")), "{shown}: {told}");
            train("m2", 2);
            let bytes = |model: &str| std::fs::read(room.path(model)).unwrap();
            assert!(bytes("m") == bytes("m2"), "{shown}: threads make a difference");
            let apply = |text: &str, threads: usize| {
                let given = format!("reorder apply m {option} {text}.{ending} --threads {threads}");
                room.run(&given).success().stdout
            };
            assert_eq!(apply("new", 1), "0 2 1 3\n", "{shown}");
            assert_eq!(apply("s", 1), apply("s", 2), "{shown}");
            room.write("s.order", apply("s", 1));
            let judged = "reorder evaluate s.order --links links --source s --scores frs --format markdown";
            let judged = room.run(judged).success().stdout;
            let frs = |name: &str| {
                let row = judged.lines().find_map(|line| line.strip_prefix(&format!("| {name} | "))).expect("a row");
                row.trim_end_matches(" |").parse::<f64>().expect("a score")
            };
            // Learned trees differ from sentence to sentence, and frequent orders are of trees that were seen.
            let least = if engine == "children" && !more.is_empty() { frs("(source)") + 20.0 } else { 99.9 };
            assert!(frs("s") >= least, "{shown}: {judged}");
        }
    }
}

#[test]
fn rules_are_written_edited_and_applied() {
    let room = room();
    let rule = "* : */amod head => 2 1  helped 60 harmed 0\n";
    let train = "reorder train --links links --trees s.conllu --engine rules";
    let told = room.run(&format!("{train} --write-rules r -m m")).success().stderr;
    assert!(told.contains("rules       1\ntrees       dependencies\nsearch      rule after rule"), "{told}");
    assert_eq!(room.read("r"), rule);
    assert_eq!(room.run("reorder show m --rules").success().stdout, rule);
    let shown = room.run("reorder show m --json").success().stdout;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["rules"][0], rule.trim_end());
    room.run(&format!("{train} --write-rules again")).success();
    assert_eq!(room.read("again"), rule);
    assert_eq!(room.run("reorder apply --rules r --trees new.conllu").success().stdout, "0 2 1 3\n");
    // By hand: the verb goes to the front as well. Tags are those of the words, or of brackets.
    room.write("r", format!("{rule}V : N head => 2 1 # the verb first\n"));
    let apply = |given: &str| room.run(&format!("reorder apply --rules r {given} --format text")).success().stdout;
    assert_eq!(apply("--trees new.conllu"), "sleeps the frog green\n");
    room.write("r", "NP : D A N => 1 3 2\nS : NP V => 2 1\n");
    assert_eq!(apply("--parses new.parse"), "sleeps the frog green\n");
    assert_eq!(apply("--source new --parses new.parse"), "sleeps the frog green\n");

    room.write("bad", "NP : D A N => 1 3 2\nS : NP V => 2 2\n");
    room.run("reorder apply --rules bad --parses new.parse")
        .refused("error: bad:2:15: expected each number once, found `2`");
    room.write("bad", b"NP : \xff => 1\n");
    assert!(room.run("reorder apply --rules bad --parses new.parse").failure(2).contains("bad:1"));
    room.run("reorder apply --rules r --source new")
        .refused("error: new: sentence 1 has no tree to reorder; use --trees or --parses");
    room.run("reorder train --links links --trees s.conllu --engine btg --write-rules r -m m")
        .refused("error: --write-rules needs --engine rules and given trees");
    room.run("reorder train --links links --trees s.conllu --engine siblings -m m").success();
    room.run("reorder show m --rules").refused("error: m: a model of engine siblings has no rules");
}

#[test]
fn trees_must_be_there_and_be_trees() {
    let room = room();
    room.run("reorder train --links links --source s --engine children -m m").refused(
        "error: sentence 1 has no tree, but children needs trees\nhint: use --trees (dependencies), --parses or the \
         .parse of a corpus (brackets), or --induce-trees",
    );
    room.run("reorder train --links links --source s --engine btg --induce-trees -m m")
        .refused("error: --engine btg does not use trees: --induce-trees is for siblings, rules and children");
    let train = |more: &str| room.run(&format!("reorder train --links links {more} --engine siblings -m m"));
    room.write("cyclic", room.read("s.conllu").replacen("\tD\t_\t_\t3\t", "\tD\t_\t_\t1\t", 1));
    assert!(train("--trees cyclic").failure(2).contains("cyclic:1:"));
    room.write("broken", room.read("s.parse").replacen("(A old)", "(A old", 1));
    train("--parses broken").refused(
        "error: broken:2:1: expected a bracket that is closed, found `(S (NP (D the) (A old (N bird)) (V sleeps))`",
    );
    room.write("longer", room.read("s.parse").replacen("(A old)", "(A (A old) (A old))", 1));
    let expected = "expected brackets around 4 words (here are 5)";
    assert!(train("--source s --parses longer").failure(2).contains(&format!("longer:2: {expected}")));
    room.write("other", room.read("s.parse").replacen("(A old)", "(A new)", 1));
    train("--source s --parses other")
        .refused("error: other:2:19: expected the word `old` of the sentence, found `new`");
    room.write("short", "(S a)\n");
    train("--source s --parses short").refused("error: unequal lengths: s has 60 lines, short has 1");
    room.write("gap", room.read("s.parse").replacen("(S (NP (D the) (A old) (N bird)) (V sleeps))", "", 1));
    assert!(
        train("--source s --parses gap").failure(2).contains("error: sentence 2 has no tree, but siblings needs trees")
    );
    assert!(!room.names().split_whitespace().any(|name| name == "m"), "{}", room.names());

    train("--trees s.conllu").success();
    room.run("reorder apply m --parses new.parse")
        .refused("error: new.parse: sentence 1 has no dependency tree to reorder; use --trees");
    train("--parses s.parse").success();
    room.run("reorder apply m --trees new.conllu")
        .refused("error: new.conllu: sentence 1 has no bracketed parse to reorder; use --parses");
}

#[test]
fn parses_of_corpora_are_ordered() {
    let room = room();
    room.run("reorder pack links --source s --parses s.parse --stem g -q").success();
    room.run("reorder train --gold g.conll --engine children -m m").success();
    room.run("reorder apply m --corpus g.conll -o run.conll").success();
    assert_eq!(room.read("run.conll"), room.read("g.conll"));
    // The default looks at them, too, where there are any.
    let told = room.run("reorder train --gold g.conll -m m").success().stderr;
    assert!(told.contains("trees       brackets\n"), "{told}");
    room.run("reorder apply m --corpus g.conll -o run.conll").success();
    assert_eq!(room.read("run.conll"), room.read("g.conll"));
    room.run("reorder train --gold g.conll --parses s.parse --engine children -m m")
        .refused("error: g.conll: a corpus has its own sentences; --source and others go with --links");
    room.write("g.parse", room.read("g.parse").replacen("(A old))", "", 1).replacen("(A red)", "", 1));
    assert!(
        room.run("reorder apply m --corpus g.conll -o run.conll").failure(2).contains("g.parse:1: expected brackets")
    );
}

#[test]
fn what_a_model_cannot_give_is_refused() {
    let room = room();
    room.run("reorder train --links links --trees s.conllu --engine children -m m").success();
    let refused = |option: &str, named: &str| {
        room.run(&format!("reorder apply m --trees new.conllu {option}")).refused(&format!(
            "error: m: {named} is for models of bracketing trees (ensemble, btg, top-down), this one is of engine children"
        ));
    };
    refused("--format tree", "--format tree");
    refused("--beam 3", "--beam");
    refused("--beam 3 --nbest 2", "--beam");
    room.run("reorder train --links links --source s --engine btg -m m").success();
    let best =
        |more: &str| room.run(&format!("reorder apply m --source new --beam 20 --nbest 3 {more}")).success().stdout;
    let (orders, trees) = (best("--format text"), best("--format tree"));
    assert_eq!((orders.lines().count(), trees.lines().count()), (3, 3));
    for (order, tree) in orders.lines().zip(trees.lines()) {
        assert_eq!(reordered(tree.strip_prefix("0 ||| ").unwrap()), order.strip_prefix("0 ||| ").unwrap());
    }
}

/// The words of a tree whose nodes are turned round where they stand in `< >`.
fn reordered(tree: &str) -> String {
    let mut open: Vec<(char, Vec<String>)> = vec![('[', Vec::new())];
    let mut word = String::new();
    for character in tree.chars().chain([' ']) {
        if "[]<> ".contains(character) && !word.is_empty() {
            open.last_mut().unwrap().1.push(std::mem::take(&mut word));
        }
        match character {
            '[' | '<' => open.push((character, Vec::new())),
            ']' | '>' => {
                let (kind, mut parts) = open.pop().unwrap();
                if kind == '<' {
                    parts.reverse();
                }
                open.last_mut().unwrap().1.push(parts.join(" "));
            }
            ' ' => {}
            _ => word.push(character),
        }
    }
    open.remove(0).1.join(" ")
}
