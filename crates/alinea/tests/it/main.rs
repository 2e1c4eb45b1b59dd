//! Tests through the public interface, one module for a kind of evidence.
//!
//! * `oracle_ibm1`, `oracle_hmm`: the models against a second implementation that enumerates all alignments;
//! * `oracle_loo`: leave-one-out estimation against subtraction in double precision;
//! * `ibm`: Models 1 and 2 against NLTK's tables, and laws of theirs;
//! * `laws_model`: what any model of this kind has to obey;
//! * `determinism`: the same bits whatever the number of threads;
//! * `thresholds`: thresholds chosen for a text against the definition, over all cells;
//! * `merge`: models from the counts of several;
//! * `parts`: training in parts, and from counts in files, against training in one go;
//! * `phrases`: phrase pairs and lexical tables against Moses, NLTK and the definition;
//! * `saved`: models in files against the training they came from, and damaged ones;
//! * `soundness`: very long, very short and absent sentences;
//! * `classes`: classes of words against the definition, all possible classes, and mkcls;
//! * `bleu`: BLEU against sacreBLEU and the definition;
//! * `significance`: intervals and tests of scores against sacreBLEU;
//! * `tokenizers`: tokens against sacreBLEU, SentencePiece, and the published substitutions;
//! * `chrf`, `ter`: chrF and TER against sacreBLEU, NLTK and laws;
//! * `word_metrics`: GLEU, NIST, RIBES, METEOR and LEPOR against NLTK;
//! * `orders`: scores of orders against the definitions, over all permutations of few words;
//! * `task_files`: files of the task on word order against a reference implementation;
//! * `gold_orders`, `order_search`: orders from alignments, their scores, and searches for orders against a reference
//!   implementation and all orders of few words;
//! * `annotators`: several annotators against a reference implementation and a published table;
//! * `layers`, `sample`: promises about the source and about the text that comes with the command.

mod annotators;
mod bleu;
mod chrf;
mod classes;
mod determinism;
mod gold_orders;
mod ibm;
mod laws_model;
mod layers;
mod merge;
mod oracle;
mod oracle_hmm;
mod oracle_ibm1;
mod oracle_loo;
mod order_search;
mod orders;
mod parts;
mod phrases;
mod projection;
mod sample;
mod saved;
mod significance;
mod soundness;
mod task_files;
mod ter;
mod texts;
mod thresholds;
mod tokenizers;
mod word_metrics;
