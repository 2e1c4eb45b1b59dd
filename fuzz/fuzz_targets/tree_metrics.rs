//! Two texts of sentences with trees: metrics that compare trees give a number or an error, links of comments included, and
//! links are carried along trees.
#![no_main]

use alinea::metric::dependency_path::{DependencyPath, DependencyPathConfig};
use alinea::metric::tree_edit::{TreeEdit, TreeEditConfig};
use alinea::metric::{Metric, Segments, measure};
use alinea::parallel::Parallelism;
use alinea_fuzz::parts::texts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [reference, hypothesis] = texts(data).map(String::from_utf8_lossy);
    let mut segments = Segments::new(1);
    segments.push(&[&*hypothesis], &[&*reference]);
    check(&DependencyPath::new(DependencyPathConfig::default()).expect("its defaults"), &segments);
    check(&TreeEdit::new(TreeEditConfig::default()).expect("its defaults"), &segments);
});

fn check(metric: &dyn Metric, segments: &Segments) {
    if let Ok(statistics) = measure(metric, segments, &Parallelism::serial()) {
        let score = metric.score(&statistics[0].sums());
        assert!(!score.is_nan(), "{}: {score}", metric.name());
    }
}
