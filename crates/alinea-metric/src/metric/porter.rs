//! Porter's stemmer (Porter 1980, *An algorithm for suffix stripping*): English words without their endings.
//!
//! A letter is a vowel if it is one of a, e, i, o, u, or a y after a consonant; every other character is a consonant. The
//! *measure* m of a stem is how often a consonant follows a vowel in it. Eight steps look at the end of the word one after
//! another; in each the first ending of a list that the word has decides, and is replaced if what stands before it
//! fulfills a condition, as a rule on m.
//!
//! There are three [kinds](Porter): the paper's; that of the author's own programs, which mend a few things; and NLTK's,
//! which goes further:
//!
//! | | original | author | NLTK |
//! |---|---|---|---|
//! | words of one or two letters | stemmed | kept | kept |
//! | step 2 | abli → able | bli → ble, logi → log | also fulli → ful; m of logi with its l; what alli → al leaves is looked at again |
//! | ies, ied (1a, 1b) | as s and ed | as s and ed | i; ie in words of four letters |
//! | y (1c) | i after a stem with a vowel | the same | i after a consonant that is not the first letter |
//! | a vowel and a consonant as whole stem | does not end cvc | the same | counts as cvc |
//! | irregular words | | | sixteen, in a table |
//!
//! ```
//! use alinea::metric::porter::Porter;
//!
//! assert_eq!(Porter::Nltk.stem("Generalizations"), "gener");
//! assert_eq!((Porter::Original.stem("enjoying"), Porter::Nltk.stem("skies")), ("enjoi".to_owned(), "sky".to_owned()));
//! ```
//!
//! Words are put into lower case first. Stems are those of NLTK 3.10's `PorterStemmer` in the mode of the same name.

/// Which rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Porter {
    /// NLTK's mode `NLTK_EXTENSIONS`, its default.
    #[default]
    Nltk,
    /// Those of the author's programs; NLTK's mode `MARTIN_EXTENSIONS`.
    Author,
    /// Those of the paper; NLTK's mode `ORIGINAL_ALGORITHM`.
    Original,
}

/// Words whose stems NLTK has in a table.
const IRREGULAR: [(&str, &str); 16] = [
    ("canning", "canning"),
    ("cannings", "canning"),
    ("dying", "die"),
    ("exceed", "exceed"),
    ("howe", "howe"),
    ("inning", "inning"),
    ("innings", "inning"),
    ("lying", "lie"),
    ("news", "news"),
    ("outing", "outing"),
    ("outings", "outing"),
    ("proceed", "proceed"),
    ("skies", "sky"),
    ("sky", "sky"),
    ("succeed", "succeed"),
    ("tying", "tie"),
];

/// Endings and what takes their place, if m > 0 before them.
const STEP_2: [(&str, &str); 20] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];

/// The same.
const STEP_3: [(&str, &str); 7] =
    [("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];

/// Endings that go if m > 1 before them; `ion` only after s or t.
const STEP_4: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
];

impl Porter {
    /// The name in signatures: `nltk`, `author` or `original`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Nltk => "nltk",
            Self::Author => "author",
            Self::Original => "original",
        }
    }

    /// The stem of a word, in lower case. O(length).
    pub fn stem(self, word: &str) -> String {
        let lower = word.to_lowercase();
        if self == Self::Nltk
            && let Ok(entry) = IRREGULAR.binary_search_by_key(&lower.as_str(), |(irregular, _)| irregular)
        {
            return IRREGULAR[entry].1.to_owned();
        }
        if self != Self::Original && word.chars().nth(2).is_none() {
            return lower;
        }
        let mut stemming = Stemming { kind: self, letters: lower.chars().collect() };
        stemming.run();
        stemming.letters.into_iter().collect()
    }
}

/// A word on its way through the steps.
struct Stemming {
    kind: Porter,
    letters: Vec<char>,
}

impl Stemming {
    fn run(&mut self) {
        self.plural();
        self.past_and_progressive();
        self.final_y();
        self.step_2();
        if let Some((ending, replacement)) = STEP_3.iter().find(|(ending, _)| self.ends_with(ending)) {
            self.replace_if(ending, replacement, |stem| measure(stem) > 0);
        }
        self.step_4();
        self.final_e();
        if self.ends_with("ll") && measure(&self.letters[..self.letters.len() - 1]) > 1 {
            self.letters.pop();
        }
    }

    /// Step 1a.
    fn plural(&mut self) {
        if self.kind == Porter::Nltk && self.letters.len() == 4 && self.ends_with("ies") {
            self.letters.pop();
        } else if self.ends_with("sses") || self.ends_with("ies") {
            self.cut(2);
        } else if self.ends_with("s") && !self.ends_with("ss") {
            self.cut(1);
        }
    }

    /// Step 1b.
    fn past_and_progressive(&mut self) {
        if self.kind == Porter::Nltk && self.ends_with("ied") {
            self.cut(if self.letters.len() == 4 { 1 } else { 2 });
            return;
        }
        if self.ends_with("eed") {
            self.replace_if("eed", "ee", |stem| measure(stem) > 0);
            return;
        }
        let Some(ending) = ["ed", "ing"].into_iter().find(|ending| self.ends_with(ending)) else { return };
        let stem = self.before(ending);
        if has_vowel(stem) {
            let length = stem.len();
            self.letters.truncate(length);
            self.mend();
        }
    }

    /// What step 1b does after it has cut something: the stem gets an e, or loses one of two consonants.
    fn mend(&mut self) {
        let letters = &self.letters;
        if ["at", "bl", "iz"].into_iter().any(|ending| self.ends_with(ending)) {
            self.letters.push('e');
        } else if ends_with_double_consonant(letters) {
            if !matches!(letters.last(), Some('l' | 's' | 'z')) {
                self.letters.pop();
            }
        } else if measure(letters) == 1 && self.ends_cvc(letters) {
            self.letters.push('e');
        }
    }

    /// Step 1c.
    fn final_y(&mut self) {
        let kind = self.kind;
        self.replace_if("y", "i", |stem| match kind {
            Porter::Nltk => stem.len() > 1 && consonants(stem).last() == Some(true),
            Porter::Author | Porter::Original => has_vowel(stem),
        });
    }

    fn step_2(&mut self) {
        let kind = self.kind;
        if kind == Porter::Nltk && self.replace_if("alli", "al", |stem| measure(stem) > 0) {
            self.step_2();
            return;
        }
        let listed = STEP_2.iter().find(|(ending, _)| match *ending {
            "bli" if kind == Porter::Original => self.ends_with("abli"),
            ending => self.ends_with(ending),
        });
        if let Some(&(ending, replacement)) = listed {
            let (ending, replacement) =
                if (kind, ending) == (Porter::Original, "bli") { ("abli", "able") } else { (ending, replacement) };
            self.replace_if(ending, replacement, |stem| measure(stem) > 0);
        } else if kind == Porter::Nltk && self.ends_with("fulli") {
            self.replace_if("fulli", "ful", |stem| measure(stem) > 0);
        } else if kind == Porter::Nltk {
            self.replace_if("ogi", "og", |stem| stem.last() == Some(&'l') && measure(stem) > 0);
        } else if kind == Porter::Author {
            self.replace_if("logi", "log", |stem| measure(stem) > 0);
        }
    }

    fn step_4(&mut self) {
        if let Some(ending) = STEP_4.into_iter().find(|ending| self.ends_with(ending)) {
            self.replace_if(ending, "", |stem| {
                measure(stem) > 1 && (ending != "ion" || matches!(stem.last(), Some('s' | 't')))
            });
        }
    }

    /// Step 5a.
    fn final_e(&mut self) {
        if self.ends_with("e") {
            let stem = self.before("e");
            let m = measure(stem);
            if m > 1 || m == 1 && !self.ends_cvc(stem) {
                self.letters.pop();
            }
        }
    }

    /// Endings are ASCII.
    fn ends_with(&self, ending: &str) -> bool {
        let start = self.letters.len().checked_sub(ending.len());
        start.is_some_and(|start| self.letters[start..].iter().copied().eq(ending.chars()))
    }

    fn before(&self, ending: &str) -> &[char] {
        &self.letters[..self.letters.len() - ending.len()]
    }

    fn cut(&mut self, letters: usize) {
        self.letters.truncate(self.letters.len() - letters);
    }

    /// Replaces an ending, if it is there and what stands before it fulfills a condition, and says whether it did.
    fn replace_if(&mut self, ending: &str, replacement: &str, condition: impl FnOnce(&[char]) -> bool) -> bool {
        let replaced = self.ends_with(ending) && condition(self.before(ending));
        if replaced {
            self.cut(ending.len());
            self.letters.extend(replacement.chars());
        }
        replaced
    }

    /// Condition *o of the paper: consonant, vowel, consonant at the end, the last one not w, x or y.
    fn ends_cvc(&self, stem: &[char]) -> bool {
        if stem.len() < 2 {
            return false;
        }
        let mut last = [false; 3];
        for (place, consonant) in (0..).zip(consonants(stem)) {
            if place + 3 >= stem.len() {
                last[place + 3 - stem.len()] = consonant;
            }
        }
        match stem.len() {
            2 => self.kind == Porter::Nltk && last[1..] == [false, true],
            _ => last == [true, false, true] && !matches!(stem.last(), Some('w' | 'x' | 'y')),
        }
    }
}

/// Which letters are consonants.
fn consonants(letters: &[char]) -> impl Iterator<Item = bool> {
    letters.iter().scan(false, |after_consonant, letter| {
        *after_consonant = match letter {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => !*after_consonant,
            _ => true,
        };
        Some(*after_consonant)
    })
}

/// m.
fn measure(stem: &[char]) -> usize {
    let mut after_vowel = false;
    let closed = |consonant: &bool| std::mem::replace(&mut after_vowel, !consonant) && *consonant;
    consonants(stem).filter(closed).count()
}

/// Condition *v* of the paper.
fn has_vowel(stem: &[char]) -> bool {
    consonants(stem).any(|consonant| !consonant)
}

/// Condition *d of the paper.
fn ends_with_double_consonant(stem: &[char]) -> bool {
    matches!(stem, [.., second, last] if second == last) && consonants(stem).last() == Some(true)
}
