//! Coefficients of all metrics with intervals and tests, as tables or JSON.
//!
//! `compare` computes one coefficient at one level: values, bootstrap intervals, paired differences of each two metrics
//! with p-values, and Williams' test for Pearson's r. With no samples only values are computed.
//!
//! Text is two tables between tabs, with four decimals: a line for each coefficient and metric, then after an empty
//! line one for each two metrics. `-` is a value that is not defined. `tables` has the same for other formats. JSON has
//! all digits. Formulas are in `alinea::metric::correlation`.

use std::fmt::Write as _;

use alinea::evaluate::Table;
use alinea::metric::correlation::{Agreement, Coefficient, Difference, ItemScores, Williams, bootstrap, williams};
use alinea::numeric::Interval;
use alinea::parallel::Work;
use serde_json::{Value, json};

use super::input::Level;

/// One coefficient of all metrics.
pub(super) struct Found {
    level: Level,
    coefficient: Coefficient,
    items: usize,
    agreement: Agreement,
    /// Beside the differences; of Pearson's r alone.
    williams: Vec<Option<Williams>>,
}

/// Computes a coefficient of all metrics.
pub(super) fn compare(
    level: Level,
    coefficient: Coefficient,
    metrics: &[ItemScores],
    (samples, seed): (usize, u64),
    work: Work<'_>,
) -> anyhow::Result<Found> {
    let agreement = if samples > 0 {
        bootstrap(metrics, coefficient, samples, seed, work.parallelism, work.observer)?
    } else {
        let values: Vec<Option<f64>> = metrics.iter().map(|scores| coefficient.of(scores)).collect();
        Agreement { intervals: vec![None; values.len()], values, differences: Vec::new() }
    };
    let test = |difference: &Difference| {
        let (first, second) = difference.metrics;
        williams(&metrics[first], &metrics[second]).filter(|_| coefficient == Coefficient::Pearson)
    };
    let williams = agreement.differences.iter().map(test).collect();
    let items = metrics.first().map_or(0, ItemScores::len);
    Ok(Found { level, coefficient, items, agreement, williams })
}

/// Tables between tabs: a line for each coefficient and metric, and after an empty line one for each difference.
pub(super) fn text(names: &[String], found: &[Found]) -> String {
    let mut text = "level\titems\tcoefficient\tmetric\tvalue\tlow\thigh\n".to_owned();
    for Found { level, coefficient, items, agreement, .. } in found {
        for ((name, value), interval) in names.iter().zip(&agreement.values).zip(&agreement.intervals) {
            let (value, interval) = (cell(*value), cells(*interval));
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{level}\t{items}\t{coefficient}\t{name}\t{value}\t{interval}");
        }
    }
    if found.iter().all(|found| found.agreement.differences.is_empty()) {
        return text;
    }
    text.push_str("\nlevel\tcoefficient\tfirst\tsecond\tdifference\tlow\thigh\tp_bootstrap\tp_williams\n");
    for Found { level, coefficient, agreement, williams, .. } in found {
        for (Difference { metrics, difference, interval, p_value }, williams) in
            agreement.differences.iter().zip(williams)
        {
            let (first, second) = (&names[metrics.0], &names[metrics.1]);
            let (difference, interval) = (cell(*difference), cells(*interval));
            let (p, of_williams) = (cell(*p_value), cell(williams.map(|test| test.p_value)));
            let _ = writeln!(
                text,
                "{level}\t{coefficient}\t{first}\t{second}\t{difference}\t{interval}\t{p}\t{of_williams}"
            );
        }
    }
    text
}

/// The same as tables with titles.
pub(super) fn tables(names: &[String], found: &[Found]) -> Vec<Table> {
    let [mut values, mut differences] = [
        Table::new("Correlations", &["level", "coefficient", "metric"], &["items", "value", "low", "high"]),
        Table::new(
            "Differences",
            &["level", "coefficient", "first", "second"],
            &["difference", "low", "high", "p (bootstrap)", "p (Williams)"],
        ),
    ];
    let ends = |interval: Option<Interval>| [interval.map(|ends| ends.low), interval.map(|ends| ends.high)].map(cell);
    for Found { level, coefficient, items, agreement, williams } in found {
        let of = [level.to_string(), coefficient.to_string()];
        for ((name, value), interval) in names.iter().zip(&agreement.values).zip(&agreement.intervals) {
            let numbers = [name.clone(), items.to_string(), cell(*value)];
            values.row(of.iter().cloned().chain(numbers).chain(ends(*interval)));
        }
        for (found, williams) in agreement.differences.iter().zip(williams) {
            let compared = [found.metrics.0, found.metrics.1].map(|metric| names[metric].clone());
            let p_values = [cell(found.p_value), cell(williams.map(|test| test.p_value))];
            let numbers = [cell(found.difference)].into_iter().chain(ends(found.interval)).chain(p_values);
            differences.row(of.iter().cloned().chain(compared).chain(numbers));
        }
    }
    [values, differences].into_iter().filter(|table| !table.is_empty()).collect()
}

fn cell(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.4}"))
}

fn cells(interval: Option<Interval>) -> String {
    format!("{}\t{}", cell(interval.map(|interval| interval.low)), cell(interval.map(|interval| interval.high)))
}

/// For programs.
pub(super) fn json(names: &[String], found: &[Found]) -> anyhow::Result<String> {
    let interval = |interval: Option<Interval>| interval.map(|Interval { low, high }| json!([low, high]));
    let entries: Vec<Value> = found
        .iter()
        .map(|found| {
            let agreement = &found.agreement;
            let metrics = names.iter().zip(&agreement.values).zip(&agreement.intervals);
            let metrics: Vec<Value> = metrics
                .map(|((name, value), ends)| json!({"metric": name, "value": value, "interval": interval(*ends)}))
                .collect();
            let differences = agreement.differences.iter().zip(&found.williams);
            let differences: Vec<Value> = differences
                .map(|(difference, williams)| {
                    json!({
                        "first": names[difference.metrics.0],
                        "second": names[difference.metrics.1],
                        "difference": difference.difference,
                        "interval": interval(difference.interval),
                        "p_bootstrap": difference.p_value,
                        "williams": williams.map(|test| json!({"t": test.t, "p": test.p_value})),
                    })
                })
                .collect();
            json!({
                "level": found.level.to_string(),
                "coefficient": found.coefficient.name(),
                "items": found.items,
                "metrics": metrics,
                "differences": differences,
            })
        })
        .collect();
    Ok(serde_json::to_string(&entries)? + "\n")
}
