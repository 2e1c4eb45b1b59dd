//! All fuzz targets in one program, so that they are linked once: `FUZZ_TARGET` names the one that runs.
#![no_main]

mod archive;
mod bible;
mod bitext;
mod compressed;
mod conllu;
mod container;
mod counts;
mod dictionary;
mod encoder;
mod labels;
mod link_conversion;
mod links;
mod markup;
mod mecab;
mod metrics;
mod model;
mod order_model;
mod order_rules;
mod pairs;
mod projection_rules;
mod sentence_align;
mod sentence_piece;
mod task;
mod task_lines;
mod terminal;
mod token_map;
mod tree_metrics;
mod vector_cache;
mod word_lists;

use std::process::exit;
use std::sync::OnceLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

/// What is fuzzed.
struct Target {
    name: &'static str,
    fuzz: fn(&[u8]),
    /// Changes an input of a size in a buffer, to one of at most so many bytes, by a seed; returns its size.
    mutate: fn(&mut [u8], usize, usize, u32) -> usize,
}

const TARGETS: &[Target] = &[
    Target { name: "archive", fuzz: archive::fuzz, mutate: at_random },
    Target { name: "bible", fuzz: bible::fuzz, mutate: at_random },
    Target { name: "bitext", fuzz: bitext::fuzz, mutate: at_random },
    Target { name: "compressed", fuzz: compressed::fuzz, mutate: at_random },
    Target { name: "conllu", fuzz: conllu::fuzz, mutate: at_random },
    Target { name: "container", fuzz: container::fuzz, mutate: container::mutate },
    Target { name: "counts", fuzz: counts::fuzz, mutate: counts::mutate },
    Target { name: "dictionary", fuzz: dictionary::fuzz, mutate: at_random },
    Target { name: "encoder", fuzz: encoder::fuzz, mutate: at_random },
    Target { name: "labels", fuzz: labels::fuzz, mutate: at_random },
    Target { name: "link_conversion", fuzz: link_conversion::fuzz, mutate: at_random },
    Target { name: "links", fuzz: links::fuzz, mutate: at_random },
    Target { name: "markup", fuzz: markup::fuzz, mutate: at_random },
    Target { name: "mecab", fuzz: mecab::fuzz, mutate: at_random },
    Target { name: "metrics", fuzz: metrics::fuzz, mutate: at_random },
    Target { name: "model", fuzz: model::fuzz, mutate: model::mutate },
    Target { name: "order_model", fuzz: order_model::fuzz, mutate: order_model::mutate },
    Target { name: "order_rules", fuzz: order_rules::fuzz, mutate: at_random },
    Target { name: "pairs", fuzz: pairs::fuzz, mutate: at_random },
    Target { name: "projection_rules", fuzz: projection_rules::fuzz, mutate: at_random },
    Target { name: "sentence_align", fuzz: sentence_align::fuzz, mutate: at_random },
    Target { name: "sentence_piece", fuzz: sentence_piece::fuzz, mutate: at_random },
    Target { name: "task", fuzz: task::fuzz, mutate: at_random },
    Target { name: "task_lines", fuzz: task_lines::fuzz, mutate: at_random },
    Target { name: "terminal", fuzz: terminal::fuzz, mutate: at_random },
    Target { name: "token_map", fuzz: token_map::fuzz, mutate: at_random },
    Target { name: "tree_metrics", fuzz: tree_metrics::fuzz, mutate: at_random },
    Target { name: "vector_cache", fuzz: vector_cache::fuzz, mutate: vector_cache::mutate },
    Target { name: "word_lists", fuzz: word_lists::fuzz, mutate: at_random },
];

fuzz_target!(|data: &[u8]| (chosen().fuzz)(data));

fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| { (chosen().mutate)(data, size, most, seed) });

/// As libFuzzer does it by itself.
fn at_random(data: &mut [u8], size: usize, most: usize, _: u32) -> usize {
    fuzzer_mutate(data, size, most)
}

/// The target that `FUZZ_TARGET` names.
fn chosen() -> &'static Target {
    static CHOSEN: OnceLock<&Target> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| {
            let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("FUZZ_TARGET={name}: expected one of {}", known.join(", "));
            exit(2);
        })
    })
}
