//! Lines of hundreds of words.

use crate::support::{Room, sample};

/// The first 160 pairs of the sample with 120 of them joined into two lines.
fn room() -> Room {
    let (source, target) = sample(160);
    let joined = |text: &str| -> String {
        let lines: Vec<&str> = text.lines().collect();
        let (long, short) = lines.split_at(120);
        let long = long.chunks(60).map(|lines| lines.join(" "));
        long.chain(short.iter().map(|&line| line.to_owned())).map(|line| line + "\n").collect()
    };
    Room::with(joined(&source), joined(&target))
}

#[test]
fn the_summary_says_how_many_pairs_were_cut() {
    let room = room();
    let told = "segments   2 pairs longer than 256 words, aligned in segments";
    let trained = room.run("train s t -m model").success();
    assert!(trained.stderr.contains(told), "{}", trained.stderr);
    for command in ["align s t", "align s t --model hmm", "align s t -m model", "align s t --model ibm1"] {
        let outcome = room.run(&format!("{command} -o links")).success();
        assert!(outcome.stderr.contains(told), "{command}: {}", outcome.stderr);
    }
    room.write("s", "a b\nc\n");
    room.write("t", "a b\nc\n");
    assert!(!room.run("align s t -o links").success().stderr.contains("segments"));
}

#[test]
fn threads_and_models_in_files_do_not_matter() {
    let room = room();
    let kinds = "--forward f --reverse r --posteriors p --scores c -o links";
    let names = ["links", "f", "r", "p", "c"];
    room.run(&format!("align s t {kinds} --threads 1")).success();
    let expected: Vec<String> = names.map(|name| room.read(name)).to_vec();
    room.run("train s t -m model --threads 3").success();
    for command in ["align s t --threads 3", "align s t -m model --threads 2"] {
        room.run(&format!("{command} {kinds}")).success();
        let found: Vec<String> = names.map(|name| room.read(name)).to_vec();
        assert_eq!(found, expected, "{command}");
    }
}

#[test]
fn given_links_without_effect_are_reported() {
    let room = room();
    let last = room.read("t").lines().next().unwrap().split(' ').count() - 1;
    room.write("given", format!("0-0 0-{last}\n"));
    let told = format!("have no effect: 1, the first 0-{last} of pair 1");
    for command in ["align s t -o links", "train s t -m model", "align s t -m model --adapt 1 -o links"] {
        let outcome = room.run(&format!("{command} --links given")).success();
        assert!(outcome.stderr.contains(&told), "{command}: {}", outcome.stderr);
    }
    room.write("given", "0-0\n");
    assert!(!room.run("align s t -o links --links given").success().stderr.contains("no effect"));
}
