//! Processors without the newer instructions. The C library has other code for `exp`, `ln` and `pow` where there is no
//! fused multiply-add, with other last digits now and then; what is written must not show it.
//!
//! The GNU library can be told not to use instructions; others ignore the variable, and then there is nothing to see.

use std::process::Command;

use crate::support::{Outcome, Room};

const WITHOUT: &str = "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F,-AVX512VL";

/// What the command writes to standard output and to these files, by the instructions of this processor and by fewer.
fn both(room: &Room, words: &str, files: &[&str]) -> [Vec<String>; 2] {
    let written = |command: &mut Command| {
        let outcome: Outcome = command.output().expect("the command runs").into();
        let stdout = outcome.success().stdout;
        std::iter::once(stdout).chain(files.iter().map(|name| room.read(name))).collect()
    };
    [written(&mut room.command(words)), written(room.command(words).env("GLIBC_TUNABLES", WITHOUT))]
}

#[test]
fn links_confidences_and_scores_are_the_same() {
    let room = Room::with_sample(150);
    let kinds = "--posteriors p --scores c --forward f --reverse r";
    let models = ["", "--model agreement", "--model hmm", "--model ibm1", "--model diagonal", "--model quality"];
    let chain = "--model ibm4 --iterations ibm1:3,hmm:3,ibm3:1,ibm4:1";
    for options in models.into_iter().chain([chain, "--objective f:0.5"]) {
        let [all, fewer] = both(&room, &format!("align s t {options} {kinds}"), &["p", "c", "f", "r"]);
        assert_eq!(all, fewer, "{options}");
    }
}

#[test]
fn metrics_and_classes_are_the_same() {
    let room = Room::with_sample(150);
    let metrics = ["bleu", "chrf", "ter", "gleu", "nist", "ribes", "meteor", "lepor"];
    let commands = metrics.map(|metric| format!("metric t -i s --metric {metric} --json"));
    for words in commands.iter().map(String::as_str).chain(["classes s --classes 10", "sentence-align s t"]) {
        let [all, fewer] = both(&room, words, &[]);
        assert_eq!(all, fewer, "{words}");
    }
}
