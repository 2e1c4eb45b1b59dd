//! What was counted in a pass of training, apart from the text: to be added up, and kept in files.
//!
//! Expected counts are multiples of 2^-16, whole numbers of 64 bits (jumps: of 2^-32, in 128 bits), so sums do not depend
//! on how a text was cut. What is not a sum is kept by chunk of the text: log-likelihoods, and what each sentence pair
//! added. Files are containers of the safetensors format ([`storage`](crate::storage)).
//!
//! What grows with the pairs of words is never summed in memory: counts that were read remain in their files (`pairs`), and are
//! added up pair by pair (`sum`) when the sum is written, or goes into a table.

mod packed;
mod pairs;
mod sum;

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use self::packed::{PAIRS, pack};
pub(in crate::model) use self::pairs::CountedPairs;
use crate::error::{ErrorKind, Result};
use crate::lexicon::PairTable;
use crate::lexicon::characters::CharacterModel;
use crate::model::em::expectation::{CountedChunk, Expectations};
use crate::model::em::pass::PassNumber;
use crate::model::refinement::leave_one_out::{ChunkContributions, Ibm1Memory};
use crate::model::saved::header::{self, FileKind};
use crate::storage::{Container, ContainerWriter};

/// What the header of a file of counts says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: String,
    version: u32,
    program: String,
    /// The text, and how a model is trained on it.
    identity: String,
    /// From 1, of all passes.
    pass: u32,
    of: u32,
    name: String,
    /// How many chunks the text has.
    chunks: usize,
}

const FORMAT: &str = "alinea counts";

const FILE_KIND: FileKind = FileKind { what: "counts", format: FORMAT, version: COUNTS_VERSION };

/// The version of files of counts that are written, and the only one that is read.
pub const COUNTS_VERSION: u32 = 3;

/// The expected counts of one pass over a part of a text.
#[derive(Debug, Clone)]
pub struct Counts {
    header: Header,
    pairs: CountedPairs,
    /// Everything else.
    expectations: Expectations,
    /// Of the passes before.
    log_likelihoods: Vec<[f64; 2]>,
    /// How words are spelled, if that was learned in a pass before.
    characters: Option<CharacterModel>,
    ibm1: Option<Ibm1Memory>,
}

impl Counts {
    pub(in crate::model) fn new(
        identity: String,
        chunks: usize,
        pass: PassNumber,
        pairs: CountedPairs,
        expectations: Expectations,
    ) -> Self {
        let header = Header {
            format: FORMAT.to_owned(),
            version: COUNTS_VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            identity,
            pass: pass.number,
            of: pass.of,
            name: pass.to_string(),
            chunks,
        };
        Self { header, pairs, expectations, log_likelihoods: Vec::new(), characters: None, ibm1: None }
    }

    /// The same with what passes before have found.
    pub(in crate::model) fn with(
        self,
        log_likelihoods: &[[f64; 2]],
        characters: Option<CharacterModel>,
        ibm1: Option<Ibm1Memory>,
    ) -> Self {
        Self { log_likelihoods: log_likelihoods.to_vec(), characters, ibm1, ..self }
    }

    /// The number of the pass, from 1.
    pub fn pass(&self) -> u32 {
        self.header.pass
    }

    /// How many passes the training has.
    pub fn passes(&self) -> u32 {
        self.header.of
    }

    /// What the pass is called, such as `HMM 2/4`.
    pub fn name(&self) -> &str {
        &self.header.name
    }

    /// How many of how many chunks of the text were counted.
    pub fn progress(&self) -> [usize; 2] {
        [self.expectations.chunks.len(), self.header.chunks]
    }

    /// The sum of both. Counts that were read from files remain there: time and memory do not grow with the pairs of words.
    ///
    /// # Errors
    /// `Inconsistent` if these are not counts of one pass over two parts of a text.
    pub fn merged(mut self, other: Self) -> Result<Self> {
        if self.header != other.header {
            let message = if self.header.identity == other.header.identity {
                format!("counts of {} and of {} cannot be added", self.header.name, other.header.name)
            } else {
                "counts of different texts, or of models trained differently, cannot be added".to_owned()
            };
            return Err(ErrorKind::Inconsistent(message).into());
        }
        self.expectations.merge(&other.expectations);
        self.expectations.chunks.extend(other.expectations.chunks);
        self.expectations.chunks.sort_by_key(|chunk| chunk.number);
        if let Some(twice) = self.expectations.chunks.windows(2).find(|two| two[0].number == two[1].number) {
            let message = format!("part {} of the text was counted twice in {}", twice[0].number + 1, self.name());
            return Err(ErrorKind::Inconsistent(message).into());
        }
        self.pairs.append(other.pairs);
        Ok(self)
    }

    /// Refuses counts of another training, of another program, or of a part of the text.
    pub(in crate::model) fn check(&self, identity: &str, chunks: usize) -> Result<()> {
        if self.header.identity != identity || self.header.chunks != chunks {
            let message = "the counts are of another text, or of a model trained differently";
            return Err(ErrorKind::Inconsistent(message.to_owned()).into());
        }
        let own = env!("CARGO_PKG_VERSION");
        if self.header.program != own {
            let message = format!("the counts are of alinea {}, this is alinea {own}", self.header.program);
            return Err(ErrorKind::Inconsistent(message).into());
        }
        let [counted, all] = self.progress();
        if counted != all {
            let message = format!("{counted} of {all} parts of the text were counted in {}", self.name());
            return Err(ErrorKind::Inconsistent(format!("{message}: the counts of a part are missing")).into());
        }
        Ok(())
    }

    /// Puts the counts of pairs into a table, one by one; returns the rest.
    pub(in crate::model) fn into_parts(self, table: &mut PairTable) -> Result<Parts> {
        table.clear_counts();
        let no_such_pair = "counts of pairs of words that the text does not have";
        for count in self.pairs.sums()? {
            let (id, counts) = count?;
            if id as usize >= table.len() {
                return Err(ErrorKind::Inconsistent(no_such_pair.to_owned()).into());
            }
            table.add_counts(id, counts);
        }
        Ok((self.expectations, self.characters, self.ibm1, self.log_likelihoods))
    }

    /// Writes a file.
    ///
    /// # Errors
    /// What the writer says.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut file = ContainerWriter::new(serde_json::to_string(&self.header)?);
        file.add_tried(PAIRS, || Ok(pack(self.pairs.sums()?)))?;
        self.expectations.store(&mut file, "");
        let chunks = &self.expectations.chunks;
        let numbers: Vec<u64> = chunks.iter().map(|chunk| chunk.number as u64).collect();
        let bits = |both: &[f64; 2]| both.map(f64::to_bits);
        file.add_owned("chunks.numbers", numbers);
        let likelihoods: Vec<[u64; 2]> = chunks.iter().map(|chunk| bits(&chunk.log_likelihood)).collect();
        file.add_owned("chunks.log_likelihoods", likelihoods);
        ChunkContributions::store(chunks.iter().map(|chunk| &chunk.contributions), &mut file);
        file.add_owned("log_likelihoods", self.log_likelihoods.iter().map(bits).collect());
        if let Some(characters) = &self.characters {
            characters.store(&mut file);
        }
        if let Some(ibm1) = &self.ibm1 {
            ibm1.store(&mut file);
        }
        file.write(to)
    }

    /// Reads a file, all but the counts of pairs of words, which are checked here and read again where they are wanted: until then the
    /// file remains open. O(size of the file).
    ///
    /// # Errors
    /// `Io`; `Model` if it is no file of counts, is damaged, or has another version.
    pub fn read(path: &Path) -> Result<Self> {
        let file = Container::open(path)?;
        let bad = |error: serde_json::Error| file.error("a header that describes counts".to_owned(), error.to_string());
        let header: Header = serde_json::from_value(header::read(&file, FILE_KIND)?).map_err(bad)?;
        let numbers: Vec<u64> = file.section("chunks.numbers")?;
        if !numbers.is_sorted_by(|a, b| a < b) || numbers.last().is_some_and(|&last| last >= header.chunks as u64) {
            let expected = format!("`chunks.numbers` in order, below {}", header.chunks);
            return Err(file.error(expected, "others".to_owned()));
        }
        let likelihoods: Vec<[u64; 2]> = file.section_of("chunks.log_likelihoods", numbers.len())?;
        let contributions = ChunkContributions::load(&file, numbers.len())?;
        let floats = |both: &[u64; 2]| both.map(f64::from_bits);
        let chunks = numbers.iter().zip(likelihoods.iter()).zip(contributions);
        let chunks = chunks.map(|((&number, bits), contributions)| CountedChunk {
            number: number as usize,
            log_likelihood: floats(bits),
            contributions,
        });
        let expectations = Expectations { chunks: chunks.collect(), ..Expectations::load(&file, "")? };
        let log_likelihoods: Vec<[u64; 2]> = file.section("log_likelihoods")?;
        let (characters, ibm1) = (CharacterModel::load(&file)?, Ibm1Memory::load(&file)?);
        Ok(Self {
            header,
            pairs: CountedPairs::in_file(file)?,
            expectations,
            log_likelihoods: log_likelihoods.iter().map(floats).collect(),
            characters,
            ibm1,
        })
    }
}

/// What [`Counts::into_parts`] returns.
type Parts = (Expectations, Option<CharacterModel>, Option<Ibm1Memory>, Vec<[f64; 2]>);

/// Counts by ascending pair of words, forward and reverse.
pub(in crate::model) type PairCounts = Vec<(u32, [u64; 2])>;

/// Adds counts by ascending pair of words to a file, under a name.
pub(in crate::model) fn store_counts<'a, N: Iterator<Item = (u32, [u64; 2])>>(
    file: &mut ContainerWriter<'a>,
    name: &str,
    counts: impl Fn() -> N + Copy + 'a,
) {
    file.add_made(format!("{name}.ids"), move || counts().map(|(id, _)| id));
    file.add_made(format!("{name}.counts"), move || counts().map(|(_, units)| units));
}

/// Counts by pair of words that were stored under a name.
///
/// # Errors
/// `Model` if arrays are missing, or pairs are in no order.
pub(in crate::model) fn load_pairs(file: &Container, name: &str) -> Result<PairCounts> {
    let ids: Vec<u32> = file.section(&format!("{name}.ids"))?;
    let units: Vec<[u64; 2]> = file.section_of(&format!("{name}.counts"), ids.len())?;
    if !ids.is_sorted_by(|a, b| a < b) {
        return Err(file.error(format!("`{name}.ids` in ascending order"), "another order".to_owned()));
    }
    Ok(ids.iter().copied().zip(units.iter().copied()).collect())
}
