//! `alinea align --add`: text that is learned from, but not aligned.

use crate::support::{Room, sample};

/// The first 40 pairs of the sample as `s` and `t`, the next 80 as `s2` and `t2`.
fn room() -> Room {
    let (source, target) = sample(120);
    let cut = |text: &str| -> (String, String) {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        (lines[..40].concat(), lines[40..].concat())
    };
    let ((s, s2), (t, t2)) = (cut(&source), cut(&target));
    let joined: Vec<String> = s2.lines().zip(t2.lines()).map(|(s, t)| format!("{s} ||| {t}\n")).collect();
    let table: Vec<String> = s2.lines().zip(t2.lines()).map(|(s, t)| format!("{t}\t{s}\n")).collect();
    let room = Room::with(s, t);
    for (name, text) in [("s2", s2), ("t2", t2), ("joined", joined.concat()), ("table", table.concat())] {
        room.write(name, text);
    }
    room.write("s.all", source);
    room.write("t.all", target);
    room
}

#[test]
fn added_text_of_full_weight_is_as_good_as_ones_own() {
    let room = room();
    for model in ["agreement-loo", "agreement", "hmm"] {
        let whole = room.run(&format!("align s.all t.all --model {model}")).success().lines();
        let added = room.run(&format!("align s t --add s2 t2 --weight 1 --model {model}")).success().lines();
        assert_eq!(added, whole[..40], "{model}");
        assert_ne!(added, room.align(&format!("--model {model}")), "{model}");
    }
}

#[test]
fn added_text_comes_in_three_forms_and_in_parts() {
    let room = room();
    let expected = room.align("--add s2 t2 --weight 0.2");
    assert_ne!(expected, room.align("--add s2 t2 --weight 1"));
    assert_eq!(room.align("--add-bitext joined --weight 0.2"), expected);
    assert_eq!(room.align("--add-bitext table --columns 2,1 --weight 0.2"), expected);
    // Empty texts of any weight add nothing.
    room.write("none", "");
    assert_eq!(room.align("--add none none --add s2 t2 --weight 1 --weight 0.2"), expected);
    assert_eq!(room.align("--add s2 t2 --add-bitext none --weight 0.2 --weight 0.7"), expected);
    assert_eq!(room.align("--add s2 t2"), room.align("--add s2 t2 --weight 0.3"));
}

#[test]
fn threads_and_thresholds_go_by_the_text_that_is_aligned() {
    let room = room();
    let options = "--add s2 t2 --objective f:0.5 --weight 0.5";
    assert_eq!(room.align(&format!("{options} --threads 1")), room.align(&format!("{options} --threads 3")));
    let outcome = room.run(&format!("align s t {options} --progress json")).success();
    let added: serde_json::Value = serde_json::from_str(outcome.stderr.lines().last().unwrap()).unwrap();
    assert_eq!(added["pairs"], 40);
    assert_eq!(
        added["added"],
        serde_json::json!([
            {"pairs": 80, "weight": 0.5, "empty": 0, "skipped_long": 0, "replaced_utf8": 0}
        ])
    );
    assert!(added["signature"].as_str().unwrap().contains("|weights:40*1,80*0.5|"), "{added}");
}

#[test]
fn what_was_added_is_reported() {
    let room = room();
    let told = room.run("align s t --add s2 t2 --weight 0.25").success().stderr;
    assert!(told.contains("\nadded      80 pairs of weight 0.25\n"), "{told}");
    assert!(told.starts_with("pairs      40\n"), "{told}");

    // Also what of it teaches nothing.
    room.write("s3", b"one \xFF\n\na b c d e f\n");
    room.write("t3", "un\ndeux\na\n");
    let (s, t) = sample(1);
    room.write("s", s.split_once(' ').unwrap().0);
    room.write("t", t.split_once(' ').unwrap().0);
    let told = room.run("align s t --add s3 t3 --lossy --skip-long --max-length 5").success().stderr;
    let expected = "added      3 pairs of weight 0.3, 1 with an empty side, 1 too long, 1 line with invalid UTF-8\n";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn weights_are_for_added_text() {
    let room = room();
    let refused = |options: &str, message: &str| {
        room.run(&format!("align s t {options}")).refused(&format!("error: {message}"));
    };
    refused("--weight 0.3", "--weight = 0.3: must be unset unless text is added");
    refused(
        "--add s2 t2 --add-bitext joined --add-bitext joined --weight 1 --weight 0.3",
        "--weight = 1, 0.3: must be one for all added texts, or one for each",
    );
    refused("--add s2 t2 --weight 0", "--weight = 0: must be 0.01 to 1");
    refused("--add s2 t2 --weight 1.5", "--weight = 1.5: must be 0.01 to 1");
    refused("--add s2 t2 --columns 1,2", "--columns needs --bitext or --add-bitext");
    refused("--add s2 t2 -o s2", "s2: --output would overwrite the input --add");
}

#[test]
fn added_files_of_unequal_length_are_refused() {
    let room = room();
    room.write("short", "one line\n");
    let outcome = room.run("align s t --add s2 short -o links");
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stderr.contains("unequal lengths: s2 has 80 lines, short has 1"), "{}", outcome.stderr);
    assert!(!room.names().contains("links"));
}
