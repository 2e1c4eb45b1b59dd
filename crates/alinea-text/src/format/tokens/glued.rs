//! Text that was not tokenized, told by its words.

/// Counts words in which a punctuation mark follows a letter, as in `house,`. Tokenized text has few (abbreviations),
/// other text has one in seven or so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GluedPunctuation {
    /// Words seen.
    pub tokens: u64,
    /// Words that end in a letter and a punctuation mark.
    pub glued: u64,
}

impl GluedPunctuation {
    /// A share above this says that the text is probably not tokenized.
    pub const SUSPICIOUS: f64 = 0.05;

    /// Looks at one more word.
    pub fn observe(&mut self, token: &[u8]) {
        self.tokens += 1;
        self.glued += u64::from(is_glued(token));
    }

    /// The share of words with glued punctuation; 0 if there are no words.
    pub fn share(&self) -> f64 {
        if self.tokens == 0 { 0.0 } else { self.glued as f64 / self.tokens as f64 }
    }
}

fn is_glued(token: &[u8]) -> bool {
    const MARKS: &str = ".,;:!?…)]\"”»。、，．！？；：）」』،؛؟۔।॥";
    let Ok(text) = std::str::from_utf8(token) else { return false };
    let mut backwards = text.chars().rev();
    match (backwards.next(), backwards.next()) {
        (Some(last), Some(before)) => MARKS.contains(last) && before.is_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::split;
    use super::*;

    #[test]
    fn glued_punctuation_is_counted() {
        let mut glued = GluedPunctuation::default();
        split("It is late, he said. Mr. X ( 3.14 ) . … été」".as_bytes()).for_each(|word| glued.observe(word));
        assert_eq!(glued, GluedPunctuation { tokens: 13, glued: 4 });
        assert!(glued.share() > GluedPunctuation::SUSPICIOUS);
        assert!(GluedPunctuation::default().share().abs() < f64::EPSILON);
    }
}
