//! Training in parts: `train --shard`, `merge-counts`, and `--checkpoint`.

use std::fs;
use std::time::{Duration, Instant};

use crate::support::{Room, sample};

/// A room with so many pairs of the sample, so many times, each time with another word behind them.
fn room(pairs: usize, times: usize) -> Room {
    let (source, target) = sample(pairs);
    let numbered = |text: &str| -> String {
        (0..times).flat_map(|n| text.lines().map(move |line| format!("{line} {n}\n"))).collect()
    };
    Room::with(numbered(&source), numbered(&target))
}

/// Trains in parts; each is counted with its own number of threads.
fn train_in_parts(room: &Room, options: &str, parts: usize) {
    let mut after = String::new();
    for pass in 1.. {
        let mut names = Vec::new();
        for part in 1..=parts {
            let name = format!("counts.{pass}.{part}");
            let words = format!("train s t {options} {after} --shard {part}/{parts} --counts {name} --threads {part}");
            room.run(&words).success();
            names.push(name);
        }
        names.reverse();
        let told = room.run(&format!("merge-counts {} -o {pass} --progress json", names.join(" "))).success().stderr;
        let told: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
        assert_eq!((&told["pass"], &told["complete"]), (&pass.into(), &true.into()));
        after = format!("--after {pass}");
        if told["pass"] == told["passes"] {
            break;
        }
    }
    room.run(&format!("train s t {options} {after} -m parts")).success();
}

#[test]
fn parts_give_the_model_of_the_whole_to_the_byte() {
    for (options, pairs, times, parts) in [
        ("", 300, 1, 2),
        ("--model agreement", 300, 40, 3),
        ("--model hmm --iterations ibm1:1,hmm:2", 300, 20, 2),
        ("--model ibm1 --iterations ibm1:2", 60, 1, 2),
        ("--iterations ibm1:2,hmm:2", 300, 30, 2),
    ] {
        let room = room(pairs, times);
        room.run(&format!("train s t {options} -m whole")).success();
        train_in_parts(&room, options, parts);
        assert!(fs::read(room.path("parts")).unwrap() == fs::read(room.path("whole")).unwrap(), "{options}");
    }
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let room = room(300, 40);
    for part in 1..=3 {
        room.run(&format!("train s t --model agreement --shard {part}/3 --counts {part}")).success();
    }
    room.run("train s t --shard 1/2 --counts other").success();
    let told = room.run("merge-counts 1 3 -o some").success().stderr;
    assert!(told.contains("parts of the text"), "{told}");
    room.run("merge-counts 1 2 3 -o all").success();
    fs::copy(room.path("s"), room.path("s2")).unwrap();
    room.write("t2", room.read("t").replacen("le", "la", 1));
    room.write("cut", &fs::read(room.path("all")).unwrap()[..5000]);
    let mut damaged = fs::read(room.path("all")).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    room.write("damaged", damaged);
    room.run("train s t --model agreement -m model").success();
    for (words, expected) in [
        ("merge-counts 1 2 1 -o x", "counted twice in Model 1 1/5"),
        ("merge-counts 1 other -o x", "other: counts of different texts, or of models trained differently"),
        ("merge-counts 1 s -o x", "s: expected a file written by alinea"),
        ("merge-counts 1 model -o x", "model: expected format `alinea counts`"),
        ("merge-counts 1 2 -o 1", "1: --output would overwrite the input COUNTS"),
        ("merge-counts damaged -o x", "damaged: expected `pairs` as it was written, found damage"),
        ("train s t --model agreement --after cut -m x", "cut: expected a file written by alinea"),
        ("train s t --model agreement --after some -m x", "the counts of a part are missing"),
        ("train s t2 --model agreement --after all -m x", "the counts are of another text"),
        ("train s t --after all -m x", "the counts are of another text, or of a model trained differently"),
        ("train s t --model agreement --after all --no-lowercase -m x", "the counts are of another text"),
        ("train s t --shard 3/2 --counts x", "K/N with K from 1 to N"),
        ("train s t --shard 1/2", "--counts"),
        ("train s t --shard 1/2 --counts x.gz", "cannot be compressed"),
        ("train s t --counts x", "--"),
        ("align s t -m all", "all: expected format `alinea model`"),
    ] {
        let message = room.run(words).failure(2);
        assert!(message.contains(expected), "{words}: {message}");
        assert!(!room.path("x").exists(), "{words}");
    }
}

#[test]
fn a_finished_run_deletes_its_checkpoint_and_another_one_is_refused() {
    let room = room(60, 1);
    room.run("train s t -m model").success();
    room.run("train s t -m other --checkpoint c").success();
    assert!(fs::read(room.path("model")).unwrap() == fs::read(room.path("other")).unwrap());
    let links = room.align("");
    assert_eq!(room.align("--checkpoint c"), links);
    assert_eq!(room.names(), "model other s t");
    room.run("train s t --shard 1/1 --counts c").success();
    let message = room.run("train s t --model agreement -m other --checkpoint c").failure(2);
    assert!(message.contains("of another text, or of a model trained differently"), "{message}");
    assert!(message.contains("delete the file"), "{message}");
    // It is what a run leaves that was interrupted in its first pass.
    let told = room.run("align s t -o links --checkpoint c").success().stderr;
    assert!(told.contains("resuming after pass 1 of 9"), "{told}");
    assert_eq!(room.read("links").lines().collect::<Vec<_>>(), links);
    let message = room.run("train s t -m x --checkpoint no/c --progress json").failure(2);
    assert!(message.contains("no/c") && !message.contains("Model 1"), "{message}");
    room.write("c", "something else");
    room.run("train s t -m other --checkpoint c").failure(2);
    assert_eq!(room.read("c"), "something else", "what is no checkpoint is not written over");
}

/// Killed at fifty moments, however far the run is then.
#[test]
fn a_killed_run_resumes_to_the_same_model() {
    let room = room(200, 4);
    let start = Instant::now();
    room.run("train s t -m whole").success();
    let whole = start.elapsed();
    let expected = fs::read(room.path("whole")).unwrap();
    // The same moments in every run; by the golden ratio they are spread evenly.
    let moment = |n: u32| whole.mul_f64(0.05 + 0.6 * (f64::from(n) * 0.618_034).fract());
    let (mut killed, mut resumed, mut finished) = (0, 0, 0);
    while killed < 50 {
        let mut child = room.command("train s t -m model --checkpoint c -q").spawn().unwrap();
        std::thread::sleep(moment(killed + finished).max(Duration::from_millis(1)));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            assert!(fs::read(room.path("model")).unwrap() == expected, "after {killed} kills");
            finished += 1;
            continue;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        resumed += u32::from(room.path("c").exists());
    }
    room.run("train s t -m model --checkpoint c").success();
    assert!(fs::read(room.path("model")).unwrap() == expected);
    assert!(resumed >= 10, "{resumed} of {killed} runs left a checkpoint");
}
