//! Models of word order in files: `Model::save` and `Model::open`.
//!
//! A file is a container in the safetensors format with checksums (`storage`). Its text is a JSON header: format and
//! version, the name of the recipe, kind, columns and templates of each member, of the parser if trees are induced, the
//! search, and the acceptance. Weights are arrays under the number of the member; those of the parser come after the
//! last member. The same model gives the same bytes.
//!
//! Another format or version is refused, as are unknown columns and templates. Widths of beams are clamped to the range
//! that the search allows. A change that older readers would misunderstand needs a new `VERSION`; a field with a
//! default does not.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::member::Member;
use super::{MOST_STATES, Model, TreeKind};
use crate::error::Result;
use crate::reorder::beliefs::Decision;
use crate::reorder::btg::{Btg, Search};
use crate::storage::{Container, ContainerWriter};

/// What files say they are.
const FORMAT: &str = "alinea reordering model";

/// The version of the format.
const VERSION: u32 = 2;

/// What the text of a file says.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    format: String,
    version: u32,
    program: String,
    #[serde(default)]
    engine: String,
    /// What finds the trees that the members order; its numbers stand behind those of the members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parser: Option<MemberHeader>,
    /// What trees sentences must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trees: Option<TreeKind>,
    #[serde(default)]
    members: Vec<MemberHeader>,
    #[serde(default)]
    search: SearchHeader,
    /// What share of the pairs of words may change; all if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    acceptance: Option<f64>,
}

#[derive(Debug, Serialize, Deserialize)]
struct MemberHeader {
    kind: String,
    columns: Vec<String>,
    templates: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
enum SearchHeader {
    Beam(usize),
    #[default]
    Best,
    Consensus {
        #[serde(rename = "caution")]
        bias: f64,
        neighbors: f64,
    },
}

impl MemberHeader {
    fn new(kind: &str, (columns, templates): (Vec<String>, Vec<String>)) -> Self {
        Self { kind: kind.to_owned(), columns, templates }
    }
}

impl Model {
    /// Writes the model. The same model gives the same bytes.
    ///
    /// # Errors
    /// What the writer says.
    pub fn save(&self, to: &mut dyn Write) -> io::Result<()> {
        let member = |member: &Member| MemberHeader::new(member.kind(), member.description());
        let header = Header {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            engine: self.recipe.name().to_owned(),
            parser: self.parser.as_ref().map(|parser| MemberHeader::new("btg", parser.description())),
            trees: self.trees,
            members: self.members.iter().map(member).collect(),
            search: match self.search {
                Search::Beam(width) => SearchHeader::Beam(width),
                Search::Best => SearchHeader::Best,
                Search::Consensus(Decision { bias, neighbors }) => SearchHeader::Consensus { bias, neighbors },
            },
            acceptance: (self.acceptance < 1.0).then_some(self.acceptance),
        };
        let mut writer = ContainerWriter::new(serde_json::to_string(&header)?);
        for (number, member) in self.members.iter().enumerate() {
            member.add_to(number, &mut writer);
        }
        if let Some(parser) = &self.parser {
            parser.add_to(self.members.len(), &mut writer);
        }
        writer.write(to)
    }

    /// Opens a model.
    ///
    /// # Errors
    /// `Io`, and `Model` for what is no model, one of another version, or damaged.
    pub fn open(path: &Path) -> Result<Self> {
        let container = Container::open(path)?;
        let expected = || format!("a reordering model of version {VERSION}");
        let header: Header = serde_json::from_str(container.text())
            .map_err(|_| container.error(expected(), "another file".to_owned()))?;
        if header.format != FORMAT || header.version != VERSION {
            let Header { format, version, program, .. } = header;
            return Err(container.error(expected(), format!("{format}, version {version}, by alinea {program}")));
        }
        let recipe = header.engine.parse()?;
        let read = |(number, member): (usize, &MemberHeader)| {
            Member::read(&container, number, &member.kind, &member.columns, &member.templates)
        };
        let members = header.members.iter().enumerate().map(read).collect::<Result<Vec<_>>>()?;
        if members.is_empty() {
            return Err(container.error(expected(), "one without members".to_owned()));
        }
        let parser = match &header.parser {
            Some(parser) => Some(Btg::read(&container, members.len(), &parser.columns, &parser.templates, false)?),
            None => None,
        };
        let search = match header.search {
            SearchHeader::Beam(width) => Search::Beam(width.clamp(1, MOST_STATES)),
            SearchHeader::Best => Search::Best,
            SearchHeader::Consensus { bias, neighbors } => Search::Consensus(Decision { bias, neighbors }),
        };
        let acceptance = header.acceptance.unwrap_or(1.0);
        Ok(Self { recipe, parser, trees: header.trees, members, search, acceptance })
    }
}
