//! `alinea align`: what it writes and what it tells.

use alinea::align::{Request, Trained, TrainingData};
use alinea::alignment::Alignment;
use alinea::bitext::{Bitext, Text};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;
use insta::assert_snapshot;

use crate::support::{Room, sample};

/// Standard error without what differs from run to run.
fn told(stderr: &str) -> String {
    let time = stderr.lines().map(|line| if line.starts_with("time ") { "time       …" } else { line });
    time.map(|line| line.replace(env!("CARGO_PKG_VERSION"), "VERSION") + "\n").collect()
}

#[test]
fn links_go_out_and_a_report_is_reported() {
    let room = Room::with("the house\nthe flower\na house\n", "la maison\nla fleur\nune maison\n");
    let outcome = room.run("align s t").success();
    assert_eq!(outcome.stdout, "0-0 1-1\n0-0 1-1\n0-0 1-1\n");
    assert_snapshot!(told(&outcome.stderr), @r"
    pairs      3
    tokens     6 source, 6 target
    links      6, 2.00 per pair
    time       …
    ");
    assert_eq!(room.names(), "s t");
}

#[test]
fn the_signature_is_for_those_who_ask() {
    let room = Room::with("the house\nthe flower\na house\n", "la maison\nla fleur\nune maison\n");
    let signature = "\
        model:agreement-loo|it:ibm1:5,hmm:4|p0:0.15|alpha:0.0003|sim:1|prefix5/2:6|prefix3/1:6|suffix3/1:6|suffix2/2:3|\
        consonants-prefix3/1:6|stem:0.0006|null:0.01|m:0.07|jump:0.5|window:true|end:true|jumps:5000|kinds:20|\
        agree:true|loo:1|fertility:5|characters:true|independent:0.5|v:VERSION|lowercase:true|tokenize:none|max:2000|\
        links:posterior>=0.3617";
    let signature = signature.replace("VERSION", env!("CARGO_PKG_VERSION"));
    let signed = room.run("align s t --signature").success();
    assert_eq!(signed.stderr.lines().last(), Some(format!("signature  {signature}").as_str()));
    assert_eq!(room.run("align s t --signature -q").success().stderr, format!("signature  {signature}\n"));
    assert!(!room.run("align s t").success().stderr.contains("model:"));
    let json = room.run("align s t --progress json").success().stderr;
    let summary: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(summary["signature"], signature);

    let trained = room.run("train s t -m model --signature").success();
    let of_model = signature.split("|lowercase:").next().unwrap();
    assert_eq!(trained.stderr.lines().last(), Some(format!("signature  {of_model}").as_str()));
    assert!(!room.run("train s t -m model").success().stderr.contains("model:"));
    let json = room.run("train s t -m model --progress json").success().stderr;
    let summary: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!(summary["signature"], of_model);
}

#[test]
fn common_options_are_few() {
    let room = Room::new();
    // Options stand behind two blanks, or behind six if they have no letter.
    let options = |words: &str| {
        let help = room.run(words).success().stdout;
        let listed = help.lines().filter_map(|line| line.strip_prefix("      --").or_else(|| line.strip_prefix("  -")));
        listed.map(|option| option.split([' ', ',']).next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (verb, most, common, rare) in [
        ("align", 25, ["bitext", "threshold", "forward", "g"], ["pegging", "objective", "signature"]),
        ("train", 18, ["bitext", "model", "train-on", "m"], ["checkpoint", "shard", "signature"]),
    ] {
        for help in ["--help", "-h"] {
            let shown = options(&format!("{verb} {help}"));
            assert!(shown.len() <= most, "{verb} {help}: {shown:?}");
            assert!(common.iter().all(|option| shown.iter().any(|other| other == option)), "{verb}: {shown:?}");
            assert!(!rare.iter().any(|option| shown.iter().any(|other| other == option)), "{verb}: {shown:?}");
        }
        let all = options(&format!("{verb} --help-all"));
        assert!(common.iter().chain(&rare).all(|option| all.iter().any(|other| other == option)), "{verb}: {all:?}");
        let help = room.run(&format!("{verb} --help")).success().stdout;
        assert!(help.contains(&format!("`alinea {verb} --help-all` shows the rest")), "{help}");
    }
}

#[test]
fn iterations_can_be_a_number() {
    let room = Room::with_sample(60);
    assert_eq!(room.align("--iterations 2"), room.align("--iterations ibm1:2,hmm:2"));
    assert_eq!(room.align("--iterations 3 --model ibm1"), room.align("--iterations ibm1:3 --model ibm1"));
    let chain = "--iterations ibm1:1,hmm:1,ibm3:1 --model ibm3";
    assert_eq!(room.align("--iterations 1 --model ibm3"), room.align(chain));
    assert_ne!(room.align("--iterations 1"), room.align(""));
    room.run("train -q s t -m one --iterations 2").success();
    room.run("train -q s t -m two --iterations ibm1:2,hmm:2").success();
    assert!(std::fs::read(room.path("one")).unwrap() == std::fs::read(room.path("two")).unwrap());
}

#[test]
fn the_default_model_has_another_name() {
    let room = Room::with_sample(60);
    let outcome = room.run("align s t --signature").success();
    assert!(outcome.stderr.contains("\nsignature  model:agreement-loo|"), "{}", outcome.stderr);
    assert_eq!(room.align("--model default"), outcome.lines());
    assert_eq!(room.align("--model agreement-loo"), outcome.lines());
    assert_ne!(room.align("--model agreement"), outcome.lines());
}

#[test]
fn empty_lines_are_counted_and_stay_empty() {
    let (source, target) = sample(30);
    let source = source.clone() + "\n\nword\n \t\n" + &source;
    let target = target.clone() + "mot\n\n\n\n" + &target;
    let outcome = Room::with(source, target).run("align s t").success();
    let lines = outcome.lines();
    assert_eq!(lines.len(), 64);
    assert!(lines[30..34].iter().all(String::is_empty));
    assert!(lines[..30].iter().chain(&lines[34..]).all(|line| !line.is_empty()));
    let told = told(&outcome.stderr);
    let warning =
        "warning: 4 of 64 pairs have an empty side (1 the source, 1 the target, 2 both): their lines stay empty\n";
    assert!(told.starts_with(warning), "{told}");
    assert!(told.contains("empty      1 source only, 1 target only, 2 both\n"), "{told}");
}

#[test]
fn text_comes_in_three_forms() {
    let (source, target) = sample(40);
    let room = Room::with(&source, &target);
    let expected = room.align("");
    let pairs = || source.lines().zip(target.lines());
    let joint: String = pairs().map(|(s, t)| format!("{s} ||| {t}\n")).collect();
    let table: String = pairs().map(|(s, t)| format!("{t}\tx\t{s}\n")).collect();
    room.write("joint", &joint);
    assert_eq!(room.run("align -q --bitext joint").success().lines(), expected);
    assert_eq!(room.run_with("align -q --bitext -", &joint).success().lines(), expected);
    assert_eq!(room.run_with("align -q --bitext - --columns 3,1", &table).success().lines(), expected);
    assert_eq!(room.run_with("align -q - t", &source).success().lines(), expected);
    assert_eq!(room.run_with("align -q s -", &target).success().lines(), expected);
}

#[test]
fn all_outputs_come_from_one_run() {
    let room = Room::with_sample(60);
    room.write("s", sample(60).0 + "\n");
    room.write("t", sample(60).1 + "vide\n");
    let options = "-o links --forward f --reverse r --posteriors p --scores c";
    assert_eq!(room.run(&format!("align -q s t {options}")).success().stdout, "");
    for name in ["links", "f", "r", "p", "c"] {
        let text = room.read(name);
        assert_eq!(text.lines().count(), 61, "{name}");
        assert!(text.ends_with("\n\n"), "{name}: the last pair has an empty side");
    }
    assert_eq!(room.align("").join("\n") + "\n", room.read("links"));

    // Links are the posteriors above the threshold.
    for (links, posteriors) in room.read("links").lines().zip(room.read("p").lines()) {
        let above = posteriors.split_whitespace().filter_map(|entry| {
            let (link, weight) = entry.split_once(':').unwrap();
            assert_eq!(weight.len(), 6, "fixed digits: {entry}");
            (weight.parse::<f32>().unwrap() >= 0.3617).then_some(link)
        });
        assert_eq!(above.collect::<Vec<_>>().join(" "), links);
    }
    for scores in room.read("c").lines().take(60) {
        let columns: Vec<f64> = scores.split('\t').map(|score| score.parse().unwrap()).collect();
        assert_eq!(columns.len(), 2);
        assert!(columns.iter().all(|&score| score < 0.0), "{scores}");
    }
}

#[test]
fn directions_are_both_written_source_target() {
    let room = Room::with_sample(60);
    room.run("align -q s t --model hmm --forward f --reverse r").success();
    let unique = |line: &str, side: usize| {
        let mut positions: Vec<&str> = line.split_whitespace().map(|link| link.split('-').nth(side).unwrap()).collect();
        let all = positions.len();
        positions.sort_unstable();
        positions.dedup();
        positions.len() == all
    };
    assert!(room.read("f").lines().all(|line| unique(line, 1)), "a target word has at most one source word");
    assert!(room.read("r").lines().all(|line| unique(line, 0)), "a source word has at most one target word");
    assert!(!room.read("f").lines().all(|line| unique(line, 0)));
}

#[test]
fn the_textbook_models_join_their_directions() {
    let room = Room::with_sample(60);
    for model in ["hmm", "ibm1"] {
        let default = room.align(&format!("--model {model}"));
        assert_eq!(room.align(&format!("--model {model} --symmetrize grow-diag-final-and")), default);
        assert_ne!(room.align(&format!("--model {model} --symmetrize union")), default);
        assert_ne!(room.align(&format!("--model {model} --threshold 0.5")), default);
    }
    let intersection = room.run("align -q s t --symmetrize intersection --forward f --reverse r").success().lines();
    for ((links, forward), reverse) in intersection.iter().zip(room.read("f").lines()).zip(room.read("r").lines()) {
        let both: Vec<&str> =
            forward.split_whitespace().filter(|link| reverse.split_whitespace().any(|other| other == *link)).collect();
        assert_eq!(*links, both.join(" "));
    }
}

#[test]
fn json_lines_have_words_links_weights_and_offsets() {
    let room = Room::with("The house.\n\nThe flower\n", "La maison.\nmot\nLa fleur\n");
    let outcome = room.run("align -q s t --model agreement --format jsonl --tokenize unicode").success();
    assert_snapshot!(outcome.stdout, @r#"
    {"source":["The","house","."],"target":["La","maison","."],"source_offsets":[[0,3],[4,9],[9,10]],"target_offsets":[[0,2],[3,9],[9,10]],"links":[[0,0],[1,1],[2,2]],"weights":[0.9173,0.9942,0.9945]}
    {"source":[],"target":["mot"],"source_offsets":[],"target_offsets":[[0,3]],"links":[]}
    {"source":["The","flower"],"target":["La","fleur"],"source_offsets":[[0,3],[4,10]],"target_offsets":[[0,2],[3,8]],"links":[[0,0],[1,1]],"weights":[0.9234,0.9913]}
    "#);
    let outcome = room.run("align -q s t --format jsonl").success();
    assert!(outcome.stdout.starts_with(r#"{"source":["The","house."],"target":["La","maison."],"links":"#));
}

#[test]
fn gold_links_are_those_of_the_first_lines() {
    let room = Room::with_sample(60);
    let gold: String = include_str!("../../sample/en-fr.gold").split_inclusive('\n').take(20).collect();
    room.write("gold", &gold);
    let outcome = room.run("align s t --gold gold -o links").success();
    for expected in ["\nsentences            20\n", "    AER  precision     recall          F\n", "annotated-only:no"] {
        assert!(outcome.stderr.contains(expected), "{}", outcome.stderr);
    }
    let quiet = room.run("align -q s t --gold gold -o links --annotated-only").success();
    assert!(
        quiet.stderr.starts_with("gold links: ") && quiet.stderr.contains("annotated-only:yes"),
        "{}",
        quiet.stderr
    );

    room.write("gold", gold.repeat(4));
    room.run("align s t --gold gold -o none").refused("error: gold has links for 80 pairs, the text has only 60");
    room.write("gold", "0-0 99-0\n");
    let refusal = "error: gold:1:5: link 99-0 is out of range, the source has 17 tokens, the target 18";
    room.run("align s t --gold gold -o none").refused(refusal);
    room.write("gold.wpt", "2 1 1 S\n1 100 1 S\n");
    let refusal = "error: gold.wpt:2:3: link 100-1 is out of range, the source has 17 tokens, the target 18";
    room.run("align s t --gold gold.wpt -o none").refused(refusal);
    assert_eq!(room.names(), "gold gold.wpt links s t");
}

#[test]
fn glued_punctuation_is_warned_of() {
    let source = "Well, it is late, he said. Really?\n".repeat(20);
    let room = Room::with(&source, "Eh bien, il est tard, dit-il. Vraiment?\n".repeat(20));
    let outcome = room.run("align s t").success();
    let warning = "warning: 57 % of the words end in punctuation (such as `house,`): the text does not seem to be \
                   tokenized; --tokenize unicode tokenizes it\n";
    assert!(outcome.stderr.starts_with(warning), "{}", outcome.stderr);
    assert!(!room.run("align s t --tokenize unicode").success().stderr.contains("warning"));
    assert!(!room.run("align -q s t").success().stderr.contains("warning"));
    assert!(!Room::with_sample(60).run("align s t").success().stderr.contains("warning"));
}

#[test]
fn progress_is_json_if_wanted() {
    let room = Room::with_sample(20);
    let outcome = room.run("align s t --progress json").success();
    let events: Vec<serde_json::Value> =
        outcome.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0], serde_json::json!({"event": "started", "task": "reading"}));
    assert_eq!(events[1], serde_json::json!({"event": "finished", "task": "reading", "summary": "20 pairs"}));
    assert!(events.iter().any(|event| event["event"] == "started" && event["task"] == "HMM 4/4"));
    // Five passes of Model 1, four of the HMM, and the links.
    let steps: Vec<_> = events.iter().filter(|event| !event["step"].is_null()).collect();
    assert_eq!(steps.len(), 10);
    for (n, step) in steps.iter().enumerate() {
        assert_eq!((&step["event"], &step["step"]), (&"started".into(), &(n + 1).into()), "{step}");
    }
    assert_eq!((&steps[9]["task"], &steps[9]["steps"]), (&"aligning".into(), &10.into()));
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["pairs"]), (&"summary".into(), &20.into()));

    let outcome = room.run("align s missing --progress json");
    assert_eq!(outcome.code, Some(2));
    let event: serde_json::Value = serde_json::from_str(outcome.stderr.lines().last().unwrap()).unwrap();
    assert!(event["message"].as_str().unwrap().starts_with("missing: No such file"), "{event}");
}

#[test]
fn quiet_is_quiet() {
    let outcome = Room::with("a\n\nb\n", "a\n\nb\n").run("align -q s t").success();
    assert_eq!(outcome.stderr, "");
    assert_eq!(outcome.lines().len(), 3);
}

/// Short sentences that are met again and again are where weights of alignments are greatest.
#[test]
fn scores_of_all_models_are_logarithms_of_probabilities() {
    let short = [("who ?", "qui ?"), ("why ?", "pourquoi ?"), ("i know .", "je sais ."), ("you know .", "tu sais .")];
    let (mut source, mut target) = sample(100);
    for (s, t) in short.repeat(4) {
        source += &format!("{s}\n");
        target += &format!("{t}\n");
    }
    let room = Room::with(&source, &target);
    room.write("s2", "who ?\nwho ? why ?\nnever seen\n");
    room.write("t2", "qui ?\nqui ? pourquoi ?\njamais vu\n");
    let assert_probable = |options: &str| {
        room.run(&format!("align -q -o links --scores c {options}")).success();
        for score in room.read("c").split_whitespace() {
            assert!(score.parse::<f64>().unwrap() <= 0.0, "{options}: {score}");
        }
    };
    for model in ["agreement-loo", "quality", "agreement", "hmm", "ibm1"] {
        assert_probable(&format!("s t --model {model}"));
        room.run(&format!("train -q s t -m model --model {model}")).success();
        assert_probable("s t -m model");
        assert_probable("s2 t2 -m model");
        if !matches!(model, "hmm" | "ibm1") {
            assert_probable("s2 t2 -m model --adapt 2");
        }
    }
    for model in ["ibm2", "ibm3", "ibm4", "ibm5", "diagonal"] {
        assert_probable(&format!("s t --model {model}"));
    }
}

#[test]
fn the_library_gives_the_links_of_the_command() {
    let room = Room::with_sample(usize::MAX);
    let text = |lines: &str| {
        let mut text = Text::default();
        lines.to_lowercase().lines().for_each(|line| text.push_sentence(line.split(' ').map(str::as_bytes)));
        text
    };
    let [source, target] = ["s", "t"].map(|name| text(&room.read(name)));
    let data = TrainingData::of(Bitext::new(source, target).unwrap()).unwrap().build().unwrap();
    let work = Work { parallelism: &Parallelism::new(2).unwrap(), observer: &Silent };
    for model in ["agreement-loo", "quality", "agreement", "hmm", "ibm1"] {
        let expected = room.run(&format!("align -q s t --model {model}")).success().stdout;
        let plan = Request::default().with(|c| c.model = model.parse().unwrap()).plan().unwrap();
        let trained = Trained::train(plan.recipe, &data, None, work).unwrap();
        let links = trained.links(&data, plan.decoding, work).unwrap();
        let lines = links.iter().map(|links| links.iter().map(|found| found.link).collect::<Alignment>());
        assert_eq!(lines.map(|links| links.to_string() + "\n").collect::<String>(), expected, "{model}");
    }
}
