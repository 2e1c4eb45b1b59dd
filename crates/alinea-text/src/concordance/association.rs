//! How far a translation belongs to a headword; the parent module has the table and the formulas.

/// The four sums: both together, all of the headword, all of the translation, and all words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    pub(super) both: u64,
    pub(super) headword: u64,
    pub(super) translation: u64,
    pub(super) words: u64,
}

impl Table {
    /// G², negative where both occur together less often than by chance.
    pub(super) fn log_likelihood(self) -> f64 {
        let Self { both, headword, translation, words } = self;
        let cell = |observed: u64, row: u64, column: u64| {
            let expected = row as f64 * column as f64 / words as f64;
            if observed == 0 { 0.0 } else { observed as f64 * (observed as f64 / expected).ln() }
        };
        let (other_words, other_translations) = (words.saturating_sub(headword), words.saturating_sub(translation));
        let neither = (words + both).saturating_sub(headword + translation);
        let sum = cell(both, headword, translation)
            + cell(headword.saturating_sub(both), headword, other_translations)
            + cell(translation.saturating_sub(both), other_words, translation)
            + cell(neither, other_words, other_translations);
        // Where rows and columns are independent, rounding may lead below 0.
        let found = (2.0 * sum).max(0.0);
        if (both as f64) * (words as f64) < headword as f64 * translation as f64 { -found } else { found }
    }

    /// Dice's coefficient.
    pub(super) fn dice(self) -> f64 {
        2.0 * self.both as f64 / (self.headword + self.translation) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dunning 1993, table 2: `the swiss`, from k(A B), k(~A B), k(A ~B), k(~A ~B).
    #[test]
    fn likelihood_ratios_are_those_of_dunning() {
        for ([both, others, without, neither], expected) in [
            ([110, 2442, 111, 29114], 270.72),
            ([29, 13, 123, 31612], 263.90),
            ([31, 23, 139, 31584], 256.84),
            ([10, 0, 3, 31764], 167.23),
        ] {
            let table = Table {
                both,
                headword: both + without,
                translation: both + others,
                words: both + others + without + neither,
            };
            assert!((table.log_likelihood() - expected).abs() < 0.006, "{} {expected}", table.log_likelihood());
        }
    }

    #[test]
    fn independence_is_zero_and_avoidance_negative() {
        let table = |both| Table { both, headword: 10, translation: 10, words: 100 };
        assert!(table(1).log_likelihood().abs() < 1e-9);
        assert!(table(0).log_likelihood() < 0.0 && table(2).log_likelihood() > 0.0);
        assert!((table(10).dice() - 1.0).abs() < 1e-12);
        // All words are the headword.
        let all = Table { both: 3, headword: 5, translation: 3, words: 5 };
        assert!(all.log_likelihood().abs() < 1e-9);
    }
}
