//! The examples do what they show, on the sample.

use std::fs;

use crate::texts::{sample_file, sample_folder};

#[allow(dead_code, reason = "main is for the command line")]
#[path = "../../examples/align.rs"]
mod align;
#[allow(dead_code, reason = "main is for the command line")]
#[path = "../../examples/evaluate.rs"]
mod evaluate;
#[allow(dead_code, reason = "main is for the command line")]
#[path = "../../examples/metric.rs"]
mod metric;

/// Links of the sample, and their scores, as README and tutorial have them of the command.
#[test]
fn links_and_scores_are_those_of_the_command() {
    let (sample, folder) = (sample_folder(), tempfile::tempdir().unwrap());
    let links = folder.path().join("links");
    align::align(&sample.join("en-fr.en"), &sample.join("en-fr.fr"), &links).unwrap();
    let written = fs::read_to_string(&links).unwrap();
    assert!(written.ends_with('\n'));
    let lines: Vec<&str> = written.lines().collect();
    assert_eq!((lines.len(), written.split_whitespace().count()), (420, 6877));
    assert_eq!(lines[1], "0-0 1-1 1-2 2-6 3-8 4-7 5-3 6-4 7-5 12-10 14-11 15-12 16-16 17-17");
    assert_eq!(lines[46], "0-0 1-2 1-3 2-4 3-5 5-6 6-7 7-8 7-9 8-10");

    let mut report = Vec::new();
    evaluate::report(&sample.join("en-fr.gold"), &links, &mut report).unwrap();
    let expected = "\
AER        13.47 [11.07, 16.10]
precision  88.48 [85.91, 91.02]
recall     84.35 [81.17, 87.18]
F          86.37 [83.74, 88.80]
alignment|annotated-only:no|alpha:0.5|bootstrap|samples:1000|seed:12345|confidence:0.95
";
    assert_eq!(String::from_utf8(report).unwrap(), expected);
}

/// Those of sacreBLEU 2.6.0, `sacrebleu en-fr.fr -i system.fr -m bleu chrf -w 2 -f text --force`; only the version is ours.
#[test]
fn scores_of_translations_are_those_of_sacrebleu() {
    let (sample, folder) = (sample_folder(), tempfile::tempdir().unwrap());
    let system = folder.path().join("system.fr");
    fs::write(&system, sample_file("en-fr.fr").replace(" le ", " la ")).unwrap();
    let mut scores = Vec::new();
    metric::score(&sample.join("en-fr.fr"), &system, &mut scores).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:alinea-{version} = 94.51 98.0/95.7/93.3/91.2 \
         (BP = 1.000 ratio = 1.000 hyp_len = 8370 ref_len = 8370)\n\
         chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:alinea-{version} = 98.22\n"
    );
    assert_eq!(String::from_utf8(scores).unwrap(), expected);
}
