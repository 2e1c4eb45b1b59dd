//! The words of a part of a text, and those of the whole.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::bitext::{Bitext, MOST_TOKENS, RankedBitext, Text, Vocabulary, Weights, without_half_pairs};
use crate::error::{ErrorKind, Result};
use crate::model::saved::header::{self, FileKind, StoredForm, TextForm};
use crate::model::saved::open::{load_words, read_words};
use crate::model::saved::save::store_words;
use crate::storage::{Container, ContainerWriter};

const FORMAT: &str = "alinea words";
const VERSION: u32 = 1;

/// What is known of a part of a text besides its words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::model) struct PartFacts {
    /// Sentence pairs.
    pub(in crate::model) pairs: usize,
    /// Sentence pairs with long ones cut into stretches.
    pub(in crate::model) stretches: usize,
    /// Of those, the ones that have words on both sides.
    pub(in crate::model) usable: usize,
    /// The longest stretch on each side, in words.
    pub(in crate::model) longest: [usize; 2],
    /// By what its counts are multiplied.
    pub(in crate::model) weight: f32,
    /// A number that tells its text from others.
    pub(in crate::model) fingerprint: u64,
}

/// The words of one part of a text, and how often each occurs in it.
#[derive(Debug, Clone)]
pub struct PartWords {
    facts: PartFacts,
    form: TextForm,
    sides: [(Vocabulary, Vec<u64>); 2],
}

/// The words of a text that lies in parts: ranked by frequency as those of a [`RankedBitext`] of the joined text.
#[derive(Debug, Clone)]
pub struct WholeText {
    words: RankedBitext,
    parts: Vec<PartFacts>,
    form: TextForm,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    program: String,
    parts: Vec<PartFacts>,
    form: StoredForm,
}

const FILE_KIND: FileKind = FileKind { what: "words", format: FORMAT, version: VERSION };

impl PartWords {
    /// Counts the words of a part, whose pairs have this weight, and which was read so. O(tokens).
    ///
    /// # Errors
    /// `Config` for a weight that is not from [`Weights::LEAST`] to 1; `Inconsistent` if a stretch has more than
    /// [`MOST_TOKENS`] words.
    pub fn of(part: Bitext, weight: f32, form: TextForm) -> Result<Self> {
        Weights::new(&[(part.len(), weight)])?;
        let fingerprint = part.fingerprint();
        let part = without_half_pairs(part);
        let sides = [&part.source, &part.target].map(|text| (text.vocabulary().clone(), text.frequencies()));
        let ranked = RankedBitext::new(part);
        let stretches = ranked.in_stretches();
        let facts = PartFacts {
            pairs: ranked.len(),
            stretches: stretches.len(),
            usable: stretches.bitext().pairs().filter(|pair| !pair.has_empty_side()).count(),
            longest: [&stretches.bitext().source, &stretches.bitext().target].map(Text::longest),
            weight,
            fingerprint,
        };
        if let Some(&length) = facts.longest.iter().find(|&&length| length > MOST_TOKENS) {
            let message = format!("a sentence of {length} words, models learn from at most {MOST_TOKENS}");
            return Err(ErrorKind::Inconsistent(message).into());
        }
        Ok(Self { facts, form, sides })
    }

    /// Writes a file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let [source, target] = &self.sides;
        let sides = [(&source.0, &source.1[..]), (&target.0, &target.1[..])];
        let mut file = ContainerWriter::new(header_of(std::slice::from_ref(&self.facts), self.form)?);
        store_words(&mut file, sides);
        file.write(to)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// `Io`; `Model` if it is not one of the words of a part, is damaged, or has another version.
    pub fn read(path: &Path) -> Result<Self> {
        let file = Container::open(path)?;
        let (mut parts, form) = read_header(&file)?;
        let (Some(facts), true) = (parts.pop(), parts.is_empty()) else {
            return Err(file.error("the words of one part".to_owned(), "those of several".to_owned()));
        };
        Ok(Self { facts, form, sides: [read_words(&file, 0)?, read_words(&file, 1)?] })
    }
}

impl WholeText {
    /// Puts the words of parts together, which follow each other in the text in this order. O(words).
    ///
    /// # Errors
    /// `Empty` if there is no part, or none has a pair with words on both sides; `Inconsistent` if they were read differently.
    pub fn join(parts: &[PartWords]) -> Result<Self> {
        let Some(first) = parts.first() else {
            return Err(ErrorKind::Empty("no parts to join".to_owned()).into());
        };
        if let Some(other) = parts.iter().position(|part| part.form != first.form) {
            let message = format!("part {} was cut into words, or lowercased, in another way than part 1", other + 1);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let joined = [0, 1].map(|side| {
            let (mut words, mut sums) = (Vocabulary::default(), Vec::<u64>::new());
            for (vocabulary, frequencies) in parts.iter().map(|part| &part.sides[side]) {
                for (word, frequency) in vocabulary.words().zip(frequencies).filter(|&(_, &frequency)| frequency > 0) {
                    let number = words.intern(word).index();
                    sums.resize(sums.len().max(number + 1), 0);
                    sums[number] += frequency;
                }
            }
            let mut order: Vec<u32> = (0..sums.len() as u32).collect();
            order.sort_by_key(|&number| Reverse(sums[number as usize]));
            (words.reordered(&order), order.iter().map(|&number| sums[number as usize]).collect())
        });
        let facts: Vec<PartFacts> = parts.iter().map(|part| part.facts.clone()).collect();
        if facts.iter().all(|part| part.usable == 0) {
            return Err(ErrorKind::EmptySides { pairs: facts.iter().map(|part| part.pairs).sum() }.into());
        }
        Ok(Self::new(joined, facts, first.form))
    }

    fn new([source, target]: [(Vocabulary, Vec<u64>); 2], parts: Vec<PartFacts>, form: TextForm) -> Self {
        let words = RankedBitext::of_words([source.0, target.0], [source.1, target.1]);
        Self { words, parts, form }
    }

    /// Writes a file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut file = ContainerWriter::new(header_of(&self.parts, self.form)?);
        self.store(&mut file);
        file.write(to)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// `Io`; `Model` if it is not one of the words of a text, is damaged, or has another version.
    pub fn read(path: &Path) -> Result<Self> {
        let file = Container::open(path)?;
        let (parts, form) = read_header(&file)?;
        Self::load(&file, parts, form)
    }

    /// Adds its words to a file.
    pub(super) fn store<'a>(&'a self, file: &mut ContainerWriter<'a>) {
        let texts = self.words.bitext();
        let sides = [
            (texts.source.vocabulary(), self.words.source_frequencies()),
            (texts.target.vocabulary(), self.words.target_frequencies()),
        ];
        store_words(file, sides);
    }

    /// The words in a file, of these parts, read so.
    pub(super) fn load(file: &Container, parts: Vec<PartFacts>, form: TextForm) -> Result<Self> {
        Ok(Self::new([load_words(file, 0)?, load_words(file, 1)?], parts, form))
    }

    /// The words, without sentences.
    pub(in crate::model) fn words(&self) -> &RankedBitext {
        &self.words
    }

    pub(in crate::model) fn parts(&self) -> &[PartFacts] {
        &self.parts
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there is no part, which is never the case.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// How the text was read; other parts have to be read so, too.
    pub fn form(&self) -> TextForm {
        self.form
    }

    /// Pairs (long ones in stretches) with words on both sides.
    pub(in crate::model) fn usable(&self) -> usize {
        self.parts.iter().map(|part| part.usable).sum()
    }

    /// The longest stretch on each side, in words.
    pub(in crate::model) fn longest(&self) -> [usize; 2] {
        [0, 1].map(|side| self.parts.iter().map(|part| part.longest[side]).max().unwrap_or(0))
    }

    /// What the parts count, in stretches.
    pub(in crate::model) fn weights(&self) -> Weights {
        let parts: Vec<(usize, f32)> = self.parts.iter().map(|part| (part.stretches, part.weight)).collect();
        let weights = Weights::new(&parts).unwrap_or_default();
        if weights.are_equal() { Weights::default() } else { weights }
    }

    /// Refuses a text that is not the `number`-th part, from 0.
    pub(super) fn check(&self, number: usize, part: &Bitext) -> Result<&PartFacts> {
        let Some(facts) = self.parts.get(number) else {
            let message = format!("there is no part {}: the text has {} parts", number + 1, self.len());
            return Err(ErrorKind::Inconsistent(message).into());
        };
        let found = part.fingerprint();
        if facts.fingerprint == found {
            return Ok(facts);
        }
        let message = match self.parts.iter().position(|other| other.fingerprint == found) {
            Some(other) => format!("this is the text of part {}, not of part {}", other + 1, number + 1),
            None => format!("this is not the text of part {} whose words were joined", number + 1),
        };
        Err(ErrorKind::Inconsistent(message).into())
    }

    /// Refuses parts that are missing, or there twice; `what` names what there should be of each.
    pub(super) fn check_all_there(&self, numbers: impl Iterator<Item = usize>, what: &str) -> Result<()> {
        let mut numbers: Vec<usize> = numbers.collect();
        numbers.sort_unstable();
        let message = if let Some(twice) = numbers.windows(2).find(|two| two[0] == two[1]) {
            format!("the {what} of part {} are there twice", twice[0] + 1)
        } else if let Some(missing) = (0..self.len()).find(|number| numbers.binary_search(number).is_err()) {
            format!("the {what} of part {} are missing", missing + 1)
        } else {
            return Ok(());
        };
        Err(ErrorKind::Inconsistent(message).into())
    }
}

fn header_of(parts: &[PartFacts], form: TextForm) -> serde_json::Result<String> {
    serde_json::to_string(&Header {
        format: FORMAT.to_owned(),
        version: VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        parts: parts.to_vec(),
        form: StoredForm::of(form),
    })
}

fn read_header(file: &Container) -> Result<(Vec<PartFacts>, TextForm)> {
    let bad = |error: serde_json::Error| file.error("a header that describes words".to_owned(), error.to_string());
    let Header { parts, form, .. } = serde_json::from_value(header::read(file, FILE_KIND)?).map_err(bad)?;
    Ok((parts, form.form(file)?))
}
