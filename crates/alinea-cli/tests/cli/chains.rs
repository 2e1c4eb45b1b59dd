//! `align --model ibm2` and the like: chains of models.

use crate::support::Room;

#[test]
fn each_model_aligns_the_sample_line_by_line() {
    let room = Room::with_sample(120);
    for model in ["ibm2", "diagonal", "ibm3", "ibm4", "ibm5"] {
        let links = room.align(&format!("--model {model} --forward f --reverse r --threads 2"));
        assert_eq!(links.len(), 120, "{model}");
        // Forward gives each target word at most one source word.
        for line in room.read("f").lines() {
            let mut targets: Vec<&str> = line.split(' ').filter_map(|link| Some(link.split_once('-')?.1)).collect();
            let all = targets.len();
            targets.sort_unstable();
            targets.dedup();
            assert_eq!(targets.len(), all, "{model}: {line}");
        }
        assert!(links.iter().filter(|line| !line.is_empty()).count() > 110, "{model}");
        assert_eq!(links, room.align(&format!("--model {model} --threads 1")), "{model}");
    }
}

#[test]
fn a_pair_with_an_empty_side_has_an_empty_line() {
    let room = Room::with("a b\n\nc a\n", "x y\nz\nv x\n");
    assert_eq!(room.align("--model ibm4")[1], "");
}

#[test]
fn the_chain_can_be_given() {
    let room = Room::with_sample(60);
    let outcome =
        room.run("align s t --model ibm4 --iterations ibm1:2,hmm:2,ibm3:1,ibm4:1 -o out --signature").success();
    assert!(outcome.stderr.contains("model:ibm4|it:ibm1:2,hmm:2,ibm3:1,ibm4:1|"), "{}", outcome.stderr);
    let json = room.run("align s t --model ibm3 --format jsonl -q").success();
    assert!(json.lines()[0].contains(r#""links":[["#), "{}", json.stdout);
    assert!(json.lines()[0].contains(r#""weights":["#), "{}", json.stdout);
}

/// Links, posteriors of both directions' mean, and scores fit each other.
#[test]
fn chains_have_posteriors() {
    let room = Room::with_sample(60);
    for model in ["ibm2", "diagonal", "ibm3", "ibm4", "ibm5"] {
        let links = room.align(&format!("--model {model} --threshold 0.4 --posteriors p --scores s2 --threads 2"));
        let above = |line: &str| {
            let links = line.split(' ').filter_map(|link| link.split_once(':'));
            let above = links.filter(|(_, weight)| weight.parse::<f64>().unwrap() >= 0.4);
            above.map(|(link, _)| link.to_owned()).collect::<Vec<_>>().join(" ")
        };
        let (posteriors, scores) = (room.read("p"), room.read("s2"));
        assert!(posteriors.lines().map(above).eq(links), "{model}");
        let number = |score: &str| score.parse::<f64>().unwrap();
        let sane = |line: &str| line.split('\t').map(number).all(|score| (-20.0..0.0).contains(&score));
        assert!(scores.lines().count() == 60 && scores.lines().all(sane), "{model}: {scores}");
    }
    let outcome = room.run("align s t --model ibm3 --objective precision:0.9 -o out").success();
    assert!(outcome.stderr.contains("for precision:0.9; expected precision 9"), "{}", outcome.stderr);
}

#[test]
fn classes_of_files_take_the_place_of_learned_ones() {
    let room = Room::with_sample(80);
    room.run("classes s -o s.classes -q").success();
    room.run("classes t -o t.classes -q").success();
    let learned = room.align("--model ibm4");
    assert_eq!(room.align("--model ibm4 --source-classes s.classes --target-classes t.classes"), learned);
    // All words alike, but those that are missing: other classes, other links.
    room.write("one", "the\t1\n.\t1\n");
    let outcome =
        room.run("align s t --model ibm5 --source-classes one --target-classes one -o out --signature").success();
    assert!(outcome.stderr.contains(" source words have no class: they share one of their own"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("|classes:given|"), "{}", outcome.stderr);
    assert_ne!(room.read("out").lines().collect::<Vec<_>>(), learned);
}

#[test]
fn malformed_classes_are_refused_before_anything_is_written() {
    let room = Room::with_sample(5);
    room.write("good", "a\t1\n");
    room.write("bad", "a\t1\nb\tx\n");
    room.write("empty", "");
    let align = |source: &str, target: &str| {
        let options = format!("align s t -q -o out --model ibm4 --source-classes {source} --target-classes {target}");
        room.run(&options).failure(2)
    };
    let stderr = align("good", "bad");
    assert!(stderr.contains("bad:2:3: expected the number of a class, from 0 to 4294967295, found `x`"), "{stderr}");
    let stderr = align("empty", "good");
    assert!(stderr.contains("empty: 0 classes of words: must be 1 to 2000"), "{stderr}");
    assert!(align("good", "none").contains("none: "), "no such file");
    let stderr = room.run("align s t -q -o good --model ibm4 --source-classes good --target-classes bad").failure(2);
    assert!(stderr.contains("good: --output would overwrite the input --source-classes"), "{stderr}");
    assert_eq!(room.names(), "bad empty good s t");
}

#[test]
fn pegging_is_told_and_changes_links() {
    let room = Room::with_sample(40);
    let outcome = room.run("align s t --model ibm3 --pegging -o out --signature").success();
    assert!(outcome.stderr.contains("|pegging|"), "{}", outcome.stderr);
    assert_ne!(room.read("out").lines().collect::<Vec<_>>(), room.align("--model ibm3"));
    assert_eq!(room.align("--model ibm3 --pegging --threads 2"), room.align("--model ibm3 --pegging --threads 1"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let room = Room::with_sample(5);
    room.write("d", "house maison\n");
    for (options, expected) in [
        ("--model ibm3 --iterations ibm1:5,hmm:5", "must be passes that end with the model itself"),
        ("--model ibm4 --iterations ibm1:5,ibm4:3", "must be ibm3 before ibm4, and ibm4 before ibm5"),
        ("--iterations ibm1:5,ibm3:3", "must be passes of ibm1 and hmm"),
        (
            "--model ibm3 --calibrated possible",
            "--calibrated is for the models agreement-loo and quality, not for ibm3",
        ),
        (
            "--model ibm3 --dictionary d",
            "--dictionary is for the models agreement-loo, quality and agreement, not for ibm3",
        ),
        ("--pegging", "--pegging is for the models ibm3, ibm4 and ibm5"),
        ("--model diagonal --pegging", "--pegging is for the models ibm3, ibm4 and ibm5, not for diagonal"),
        ("--source-classes d --target-classes d", "--source-classes is for the models ibm4 and ibm5"),
        (
            "--model ibm3 --pegging --source-classes d --target-classes d",
            "--source-classes is for the models ibm4 and ibm5, not for ibm3",
        ),
        ("--model ibm4 --source-classes d", "--target-classes <FILE>"),
        ("--model ibm4 --iterations ibm1", "iterations = `ibm1`: must be a model and its passes such as ibm1:5"),
        ("--model ibm3 --checkpoint c", "--checkpoint is for the models"),
    ] {
        let stderr = room.run(&format!("align s t -q {options}")).failure(2);
        assert!(stderr.contains(expected), "{options}: {stderr}");
    }
    let stderr = room.run("train s t -q --model ibm4 -m m").failure(2);
    assert!(
        stderr.contains("--model-file is for the models agreement-loo, quality, agreement, hmm and ibm1, not for "),
        "{stderr}"
    );
    assert_eq!(room.names(), "d s t");
}
