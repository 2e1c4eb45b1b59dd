//! What the suggestions of a project come from, beside its text: a saved model, an encoder, links that were made elsewhere.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Project, ProjectSettings};
use crate::alignment::{Alignment, GoldAlignment};
use crate::error::{Error, Result};
use crate::format::alignment::{
    AlignmentFormat, AlignmentWriter, LinkReadOptions, LinkWriteOptions, PairRecord, read_alignments,
};
use crate::format::sink;
use crate::model::{Feature, Model};

const MODEL: &str = "model.alinea";
const VECTORS: &str = "vectors.alinea";
const SUGGESTED: &str = "suggested.align";

impl Project {
    /// Has links suggested by a saved model that is adapted to the text, from a copy of its file.
    ///
    /// # Errors
    /// `Io` and `Model` if it cannot be read; `Unsupported` if it cannot be adapted; `Config` if it compares words in another way than the project; `Io` if it cannot be
    /// copied, and then the old one stays.
    pub fn set_model_file(&mut self, path: &Path) -> Result<()> {
        self.check_open()?;
        let model = Model::open(path)?;
        let name = model.config().name;
        name.require(Feature::Adaptation)?;
        if model.form().lowercase != self.settings.lowercase {
            let how = |lowercase: bool| if lowercase { "words in lower case" } else { "words as they are" };
            let (found, expected) = (how(model.form().lowercase), how(self.settings.lowercase));
            return Err(Error::config("model", found, expected));
        }
        let copy = self.folder.join(MODEL);
        if !sink::same_file(path, &copy) {
            let mut output = sink::create_uncompressed(&copy)?;
            let mut file = fs::File::open(path).map_err(|error| Error::io(path, error))?;
            io::copy(&mut file, &mut output).map_err(|error| Error::io(&copy, error))?;
            output.finish()?;
        }
        self.set_settings(ProjectSettings { model: name, ..self.settings.clone() })
    }

    /// The saved model that is adapted to the text, if there is one.
    ///
    /// # Errors
    /// As [`Model::open`].
    pub fn saved_model(&self) -> Result<Option<Model>> {
        let path = self.folder.join(MODEL);
        path.exists().then(|| Model::open(&path)).transpose()
    }

    /// Has word vectors of an encoder help the model, or does without one. A folder is remembered by its whole path.
    ///
    /// # Errors
    /// `Unsupported` if the model cannot be helped; as [`set_settings`](Self::set_settings).
    pub fn set_encoder(&mut self, name: Option<&str>) -> Result<()> {
        let whole = |name: &str| fs::canonicalize(name).ok().and_then(|path| path.to_str().map(str::to_owned));
        let encoder = name.map(|name| whole(name).unwrap_or_else(|| name.to_owned()));
        self.set_settings(ProjectSettings { encoder, ..self.settings.clone() })
    }

    /// The lines of both texts, words separated by blanks.
    pub fn lines(&self) -> [Vec<String>; 2] {
        [0, 1].map(|side| self.words.iter().map(|pair| pair[side].join(" ")).collect())
    }

    /// The file for the word vectors of the text.
    pub fn vectors_path(&self) -> PathBuf {
        self.folder.join(VECTORS)
    }

    /// Has these links suggested for the first pairs, in place of what the model finds there; for pairs without links the model suggests
    /// some. Without any, the model does everywhere.
    ///
    /// # Errors
    /// `UnequalLengths` for more links than pairs; `Inconsistent` for links outside of their sentences; `Io`, and then others
    /// that were given before stay.
    pub fn set_suggested(&mut self, links: &[Alignment]) -> Result<()> {
        self.check_open()?;
        self.check_links(links.iter())?;
        let path = self.folder.join(SUGGESTED);
        let output = sink::create_uncompressed(&path)?;
        let (name, options) = (path.display().to_string(), LinkWriteOptions::default());
        let mut writer = AlignmentWriter::new(output, &name, AlignmentFormat::Pharaoh, &options)?;
        for (n, links) in links.iter().enumerate() {
            let gold = GoldAlignment::from_parts(links.clone(), &Alignment::new());
            writer.write(&PairRecord::from_gold(n as u64 + 1, &gold))?;
        }
        writer.into_inner().finish()?;
        Ok(())
    }

    /// The links that were given to be suggested, by ascending number of their pairs.
    ///
    /// # Errors
    /// `Io` and `Parse` for a file that cannot be read; `Inconsistent` if it is of another text.
    pub fn suggested(&self) -> Result<Vec<(usize, Alignment)>> {
        let path = self.folder.join(SUGGESTED);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let links = read_alignments(&path, AlignmentFormat::Pharaoh, &LinkReadOptions::default())?;
        self.check_links(links.iter())?;
        Ok(links.into_iter().enumerate().filter(|(_, links)| !links.is_empty()).collect())
    }
}
