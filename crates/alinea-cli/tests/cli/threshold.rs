//! `alinea align --objective` and the purposes of `--links`: which threshold is chosen, and what is told of it.

use serde_json::Value;

use crate::support::{Outcome, Room};

/// The thresholds that there are to choose from.
fn grid() -> impl Iterator<Item = f64> {
    (2..=38).map(|n| f64::from(n) / 40.0)
}

/// What the summary tells of the threshold, after its name.
fn told(outcome: &Outcome) -> &str {
    let line = outcome.stderr.lines().find_map(|line| line.strip_prefix("threshold  "));
    line.unwrap_or_else(|| panic!("no threshold in {}", outcome.stderr))
}

/// The threshold that a run chose.
fn chosen(outcome: &Outcome) -> f64 {
    told(outcome).split_once(' ').unwrap().0.parse().unwrap()
}

/// From what `--posteriors` writes: sum and number of the confidences from a threshold on.
fn above(posteriors: &str, threshold: f64) -> (f64, f64) {
    let weights = posteriors.split_whitespace().map(|entry| entry.split_once(':').unwrap().1.parse::<f64>().unwrap());
    let above = weights.filter(|&weight| weight >= threshold);
    above.fold((0.0, 0.0), |(sum, number), weight| (sum + weight, number + 1.0))
}

#[test]
fn the_best_expected_f_decides() {
    let room = Room::with_sample(200);
    for model in ["agreement", "agreement-loo", "hmm", "ibm1"] {
        let outcome = room.run(&format!("align s t --model {model} --objective f:0.5 --posteriors p")).success();
        let posteriors = room.read("p");
        // Confidences below 0.01 are not written, and four digits are; so nearly the best is good enough.
        let (all, _) = above(&posteriors, 0.0);
        let f = |threshold| {
            let (right, links) = above(&posteriors, threshold);
            2.0 * right / (links + all)
        };
        let best = grid().map(f).fold(0.0, f64::max);
        assert!(f(chosen(&outcome)) > best - 2e-3, "{model}: {}, {best}", told(&outcome));
        let again = room.align(&format!("--model {model} --threshold {}", chosen(&outcome)));
        assert_eq!(outcome.lines(), again, "{model}");
    }
}

#[test]
fn the_choice_is_told_and_signed() {
    let room = Room::with_sample(100);
    let outcome = room.run("align s t --objective f:0.5 --signature").success();
    let (threshold, rest) = told(&outcome).split_once(' ').unwrap();
    assert!(rest.starts_with("for f:0.5; expected precision "), "{rest}");
    assert!(outcome.stderr.contains(&format!("|links:posterior>={threshold}(auto:f:0.5)\n")), "{}", outcome.stderr);
    let aer = room.run("align s t --objective aer").success();
    assert!(told(&aer).contains(" for aer; ") && told(&aer).contains(", AER "), "{}", told(&aer));
    let weighted = room.run("align s t --objective f:0.30").success();
    assert!(told(&weighted).contains(" for f:0.3; ") && told(&weighted).contains(", F(0.3) "), "{}", told(&weighted));
    assert!(chosen(&weighted) < chosen(&outcome), "recall weighs more");
    assert!(!room.run("align s t --threshold 0.4").success().stderr.contains("threshold  "));
}

#[test]
fn programs_get_numbers() {
    let room = Room::with_sample(100);
    let outcome = room.run("align s t --objective precision:0.9 --progress json").success();
    let events: Vec<Value> = outcome.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let task = |event: &&Value| event["event"] == "started" && event["task"] == "expected links";
    assert_eq!(events.iter().find(task).unwrap()["units"], 100);
    let threshold = &events.last().unwrap()["threshold"];
    assert_eq!((&threshold["objective"], &threshold["reached"]), (&"precision:0.9".into(), &true.into()));
    assert!(threshold["precision"].as_f64().unwrap() >= 0.9, "{threshold}");
    assert!(["recall", "f", "aer"].iter().all(|name| threshold[name].is_f64()), "{threshold}");
    assert!(grid().any(|value| threshold["value"] == value), "{threshold}");
}

#[test]
fn the_smallest_threshold_of_enough_precision_decides() {
    let room = Room::with_sample(200);
    let mut last = 0.0;
    for least in [0.5, 0.8, 0.9] {
        let outcome = room.run(&format!("align s t --objective precision:{least} --posteriors p")).success();
        let posteriors = room.read("p");
        let precision = |threshold| {
            let (right, links) = above(&posteriors, threshold);
            right / links
        };
        let threshold = chosen(&outcome);
        assert!(precision(threshold) > least - 1e-3, "{}", told(&outcome));
        assert!(grid().filter(|&t| t < threshold).all(|t| precision(t) < least + 1e-3), "{}", told(&outcome));
        assert!(threshold >= last);
        last = threshold;
    }
}

#[test]
fn a_precision_out_of_reach_is_warned_of() {
    let room = Room::with_sample(100);
    let outcome = room.run("align s t --objective precision:0.99999").success();
    let warning = "warning: no threshold should reach precision:0.99999: using the largest, 0.95, with an expected \
                   precision of 0.";
    assert!(outcome.stderr.starts_with(warning), "{}", outcome.stderr);
    assert_eq!(outcome.lines(), room.align("--threshold 0.95"));
}

#[test]
fn links_suit_a_purpose() {
    let room = Room::with_sample(420);
    let links = |options: &str| room.align(options);
    let number = |lines: &[String]| lines.iter().map(|line| line.split_whitespace().count()).sum::<usize>();
    let [sure, balanced, full] = ["sure", "balanced", "full"].map(|purpose| links(&format!("--links {purpose}")));
    assert!(number(&sure) + 500 < number(&balanced) && number(&balanced) + 500 < number(&full));
    assert_eq!(balanced, links(""));
    assert_eq!(sure, links("--threshold 0.6"));
    assert_eq!(full, links("--threshold full"));
    // A file may come before or behind.
    room.write("known", "0-0\n");
    let both = links("--links full --links known");
    assert_eq!(both[0], "0-0");
    assert!(number(&both) > number(&balanced));
    assert_eq!(links("--links known --links full"), both);
    // A file of such a name is one.
    room.write("full", "0-0\n");
    assert_eq!(links("--links ./full")[0], "0-0");
    room.run("train s t -m model -q").success();
    assert_eq!(room.run("align s t -m model --links full").success().lines(), full);
}

#[test]
fn threads_do_not_change_the_choice() {
    let room = Room::with_sample(420);
    let tell = |threads: usize| {
        let outcome = room.run(&format!("align s t --objective f:0.5 --threads {threads}")).success();
        (told(&outcome).to_owned(), outcome.stdout)
    };
    let alone = tell(1);
    assert_eq!([tell(2), tell(3)], [alone.clone(), alone]);
}

/// The links of a line, and their weights.
fn weighted(line: &str) -> (Vec<&str>, Vec<f32>) {
    let links = line.split(' ').map(|text| text.split_once(':').expect("a weight"));
    links.map(|(link, weight)| (link, weight.parse::<f32>().expect("a number"))).unzip()
}

#[test]
fn calibration_changes_confidences_and_nothing_else() {
    let room = Room::with_sample(60);
    let links = room.align("--posteriors raw");
    assert_eq!(room.align("--posteriors mapped --calibrated possible"), links);
    let (raw, mapped) = (room.read("raw"), room.read("mapped"));
    // Where people may call a link possible, links are likelier than sure ones.
    let mut higher = 0;
    for (raw, mapped) in raw.lines().zip(mapped.lines()) {
        let ((links, raw), (same, mapped)) = (weighted(raw), weighted(mapped));
        assert_eq!(same, links);
        assert!(raw.iter().zip(&mapped).all(|(raw, mapped)| *raw > 0.9 || mapped > raw));
        higher += raw.len();
    }
    assert!(higher > 500, "{higher}");
    assert_eq!(room.align("--posteriors sure --calibrated sure"), links);
    assert_eq!(room.read("sure"), room.read("raw"));
    // The links of one pair that are written have the probabilities of its candidates.
    room.run("align s t --calibrated possible --format jsonl -o links.jsonl").success();
    for (line, mapped) in room.read("links.jsonl").lines().zip(room.read("mapped").lines()) {
        let (of_candidate, written) = (weighted(mapped), serde_json::from_str::<serde_json::Value>(line).unwrap());
        let [links, weights] = ["links", "weights"].map(|name| written[name].as_array().unwrap());
        for (link, weight) in links.iter().zip(weights) {
            let name = format!("{}-{}", link[0], link[1]);
            let place = of_candidate.0.iter().position(|&other| other == name).unwrap();
            let difference = weight.as_f64().unwrap() - f64::from(of_candidate.1[place]);
            assert!(difference.abs() < 1e-6, "{line}");
        }
    }
    let message = room.run("align s t --calibrated sure --model agreement").failure(2);
    assert!(message.contains("calibrated"), "{message}");
}
