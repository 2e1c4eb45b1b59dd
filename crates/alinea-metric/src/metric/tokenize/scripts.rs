//! Does a text have blanks between words? Chinese and Japanese do not, and `13a` makes whole clauses of them tokens.
//!
//! [`ScriptCounts`] counts letters, and among them Han (ideographs) and kana. If at least a quarter of all are Han or
//! kana, a tokenizer that relies on blanks (`13a`, `intl`, `none`) is a poor choice. `ja-mecab` is better if at least a
//! tenth of these are kana, otherwise `zh`: at least half of Japanese text is kana, and Chinese has next to none.

/// Counts characters by script, to tell when a tokenizer for Western languages is a poor choice.
///
/// ```
/// use alinea::metric::tokenize::ScriptCounts;
///
/// let mut counts = ScriptCounts::default();
/// counts.observe("私は本を読みました。");
/// assert_eq!(counts.better_tokenizer("13a"), Some("ja-mecab"));
/// assert_eq!(counts.better_tokenizer("char"), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScriptCounts {
    /// Letters of all scripts.
    pub letters: u64,
    /// Ideographs.
    pub han: u64,
    /// Hiragana and katakana.
    pub kana: u64,
}

/// One letter of this many, in Han or kana, makes a text full of them: a translation that leaves names and terms in Latin
/// letters has more, a Western text that quotes some words has less.
const ONE_OF: u64 = 4;

/// One of this many Han and kana, in kana, makes a text Japanese: half and more of Japanese text are kana, and Chinese has
/// none but in names.
const KANA_ONE_OF: u64 = 10;

impl ScriptCounts {
    /// Counts the characters of a line.
    pub fn observe(&mut self, line: &str) {
        self.letters += line.bytes().filter(u8::is_ascii_alphabetic).count() as u64;
        if line.is_ascii() {
            return;
        }
        for character in line.chars().filter(|character| !character.is_ascii() && character.is_alphabetic()) {
            self.letters += 1;
            match character {
                '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' => self.kana += 1,
                '\u{3005}'..='\u{3007}'
                | '\u{3400}'..='\u{4dbf}'
                | '\u{4e00}'..='\u{9fff}'
                | '\u{f900}'..='\u{faff}'
                | '\u{20000}'..='\u{3ffff}' => self.han += 1,
                _ => {}
            }
        }
    }

    /// Adds the counts of other lines.
    pub fn add(&mut self, others: &Self) {
        self.letters += others.letters;
        self.han += others.han;
        self.kana += others.kana;
    }

    /// The tokenizer that suits a text full of Han or kana better than one that relies on blanks (`13a`, `intl`, `none`).
    /// `None` for other texts and tokenizers.
    pub fn better_tokenizer(&self, name: &str) -> Option<&'static str> {
        let both = self.han + self.kana;
        if !matches!(name, "13a" | "intl" | "none") || both == 0 || both * ONE_OF < self.letters {
            return None;
        }
        Some(if self.kana * KANA_ONE_OF >= both { "ja-mecab" } else { "zh" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn better(lines: &[&str]) -> Option<&'static str> {
        let mut counts = ScriptCounts::default();
        for line in lines {
            let mut more = ScriptCounts::default();
            more.observe(line);
            counts.add(&more);
        }
        counts.better_tokenizer("13a")
    }

    #[test]
    fn texts_are_told_by_their_script() {
        assert_eq!(better(&["我们明天去 Berlin 吧。", "好的!"]), Some("zh"));
        assert_eq!(better(&["猫が好きです。"]), Some("ja-mecab"));
        assert_eq!(better(&["ﾈｺ"]), Some("ja-mecab"));
        assert_eq!(better(&["The word 道 means a way, a path or a doctrine."]), None);
        assert_eq!(better(&["Доброе утро", "καλημέρα", "안녕하세요", ""]), None);
        assert_eq!(better(&[]), None);
    }
}
