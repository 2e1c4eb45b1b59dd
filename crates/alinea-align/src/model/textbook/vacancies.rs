//! The order of words in Model 5: cept by cept, words are put into places that are vacant (Brown et al. 1993, section 4.7
//! and appendix B).
//!
//! With v(j) the number of vacant places up to j, and a cept of k words, its head at j has the factor
//! v_head(v(j) - v(c) | v(J) - k + 1, B(f_j)), with c the center of the cept before, or 0 for the first; word r of the cept,
//! after that at b, has v_other(v(j) - v(b) | v(J) - v(b) - (k - r), B(f_j)). As in appendix B, only the difference of
//! vacancies counts, not each by itself.

use super::cepts::center;
use super::layout::LayoutRow;

/// Visits the places in the table that an alignment takes, given the words of each position, and for each word the row for
/// heads and that for others.
pub(super) fn vacancies(words_of: &[Vec<u32>], rows: &[[LayoutRow; 2]], mut visit: impl FnMut(usize)) {
    let mut vacant = vec![true; rows.len()];
    let count = |vacant: &[bool], up_to: usize| vacant[..up_to].iter().filter(|&&place| place).count();
    let mut before_cept = 0;
    for cept in words_of.iter().skip(1).filter(|cept| !cept.is_empty()) {
        let mut before = before_cept;
        for (n, &word) in cept.iter().enumerate() {
            let (place, left) = (word as usize, cept.len() - n);
            let taken = count(&vacant, before);
            let most = count(&vacant, rows.len()) + 1 - left - if n == 0 { 0 } else { taken };
            let difference = count(&vacant, place + 1) as i64 - taken as i64;
            visit(rows[place][usize::from(n > 0)].vacancies(difference, most));
            vacant[place] = false;
            before = place + 1;
        }
        before_cept = center(cept) as usize;
    }
}
