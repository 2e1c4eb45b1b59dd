//! The command as a user meets it: arguments and bytes in, exit code and bytes out.

#![expect(clippy::format_collect, clippy::format_push_string, reason = "small texts are built as they read best")]

mod added;
mod align;
mod annotators;
mod bad_inputs;
mod chains;
mod classes;
mod convert;
mod correlate;
mod encoder;
mod evaluate;
mod files;
mod fingerprints;
mod gold;
mod grammar;
mod habits;
mod interrupts;
mod known;
mod lexicon;
mod library;
mod limits;
mod long_pairs;
mod metric;
mod models;
mod outputs;
mod parts;
mod peers_failures;
mod phrases;
mod processors;
mod project;
mod reorder;
mod reordering;
mod reordering_trees;
mod sacrebleu;
mod scheduling;
mod sentence_align;
mod shortage;
mod support;
mod symmetrize;
mod terminal;
mod threshold;
mod trees;
mod view;
mod view_pages;
mod work_dir;
