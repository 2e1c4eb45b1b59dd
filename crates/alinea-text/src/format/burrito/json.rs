//! Files of records.

use serde::{Deserialize, Serialize};

use super::word_id::WordId;
use crate::error::{Error, Position, Result};
use crate::format::source::Input;
use crate::limits;

/// Words that translate each other: each of the source with each of the target.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "RawRecord")]
pub struct Record {
    /// What the file calls it.
    pub id: Option<String>,
    /// Source words.
    pub source: Vec<WordId>,
    /// Target words.
    pub target: Vec<WordId>,
}

/// How records stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Scripture Burrito, version 0.3: in a group.
    Groups,
    /// ClearAligner: outermost, source words with a letter for the testament.
    Flat,
}

#[derive(Deserialize)]
struct RawRecord {
    id: Option<serde_json::Value>,
    meta: Option<RawMeta>,
    source: Option<Vec<WordId>>,
    target: Option<Vec<WordId>>,
    references: Option<Vec<Vec<WordId>>>,
}

#[derive(Deserialize)]
struct RawMeta {
    id: Option<serde_json::Value>,
}

impl TryFrom<RawRecord> for Record {
    type Error = &'static str;

    fn try_from(raw: RawRecord) -> Result<Self, &'static str> {
        let id = raw.id.or(raw.meta.and_then(|meta| meta.id)).map(|id| match id {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        });
        let sides = match (raw.source, raw.target, raw.references) {
            (Some(source), Some(target), _) => [source, target],
            (None, None, Some(sides)) => sides.try_into().map_err(|_| "references of a record without two sides")?,
            _ => return Err("a record without source or target"),
        };
        let [source, target] = sides;
        Ok(Self { id, source, target })
    }
}

#[derive(Deserialize)]
#[serde(try_from = "RawGroup")]
struct Group(Vec<Record>);

#[derive(Deserialize)]
struct RawGroup {
    roles: Option<Vec<String>>,
    records: Option<Vec<Record>>,
    groups: Option<Vec<Group>>,
}

impl TryFrom<RawGroup> for Group {
    type Error = &'static str;

    fn try_from(raw: RawGroup) -> Result<Self, &'static str> {
        if raw.roles.is_some_and(|roles| roles != ["source", "target"]) {
            return Err("other roles than source and target");
        }
        if raw.records.is_none() && raw.groups.is_none() {
            return Err("neither records nor groups");
        }
        let mut records = raw.records.unwrap_or_default();
        records.extend(raw.groups.into_iter().flatten().flat_map(|group| group.0));
        Ok(Self(records))
    }
}

/// Reads the records of a file.
///
/// # Errors
/// `Io`; `OtherFormat`; `Parse` for what is no JSON, has no records, records without two sides, ids that are none, or other roles than
/// `source` and `target`; `OverLimit` for a file of more than [`limits::FILE`], or records of more than [`limits::BOOK_LINKS`] links.
pub fn read(input: Input) -> Result<Vec<Record>> {
    let name = input.name().to_owned();
    let bytes = input.read_text()?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let Group(records) = serde_json::from_slice(bytes).map_err(|error| parse_error(&name, bytes, &error))?;
    let links = |record: &Record| record.source.len() as u64 * record.target.len() as u64;
    let links = records.iter().map(links).fold(0, u64::saturating_add);
    limits::BOOK_LINKS.check(links).map_err(|error| error.at(name))?;
    Ok(records)
}

fn parse_error(name: &str, bytes: &[u8], error: &serde_json::Error) -> Error {
    let (line, column) = (error.line(), error.column());
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    let text = bytes.split(|&byte| byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let found = text.get(column.saturating_sub(1)..).unwrap_or_default();
    let position = Position::new(name, line.max(1) as u64, column as u64);
    Error::parse(position, format!("alignment records in JSON ({message})"), found)
}

#[derive(Serialize)]
struct WrittenRecord<'r> {
    meta: WrittenMeta,
    source: Vec<WordId>,
    target: &'r [WordId],
}

#[derive(Serialize)]
struct WrittenMeta {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
}

/// The records as a file, one a line; `documents` are the names of source and target. Records without an id get one: the verse of
/// their first source word, and their number in it.
pub fn write(records: &[Record], documents: [&str; 2], layout: Layout) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut file = match layout {
        Layout::Groups => {
            let [source, target] = documents.map(|name| format!("{{\"docid\":{},\"scheme\":\"BCVWP\"}}", quoted(name)));
            format!(
                "{{\"format\":\"alignment\",\"version\":\"0.3\",\"groups\":[{{\"type\":\"translation\",\
                 \"meta\":{{\"creator\":\"alinea\"}},\"documents\":[{source},{target}],\
                 \"roles\":[\"source\",\"target\"],\"records\":["
            )
        }
        Layout::Flat => "{\"type\":\"translation\",\"meta\":{\"creator\":\"alinea\"},\"records\":[".to_owned(),
    };
    let (mut last, mut number) = (None, 0);
    for (n, record) in records.iter().enumerate() {
        let verse = record.source.first().or(record.target.first()).map(|id| (id.book, id.chapter, id.verse));
        number = if verse == last { number + 1 } else { 1 };
        last = verse;
        let (book, chapter, verse) = verse.unwrap_or_default();
        let id = record.id.clone().unwrap_or_else(|| format!("{book:02}{chapter:03}{verse:03}.{number:03}"));
        let flat = layout == Layout::Flat;
        let meta = WrittenMeta { id, origin: flat.then_some("alinea"), status: flat.then_some("created") };
        let source = record.source.iter().map(|id| if flat { with_testament(*id) } else { *id }).collect();
        file.push_str(if n == 0 { "\n" } else { ",\n" });
        let record = WrittenRecord { meta, source, target: &record.target };
        file.push_str(&serde_json::to_string(&record).unwrap_or_default());
    }
    file.push_str(match layout {
        Layout::Groups => "\n]}]}\n",
        Layout::Flat => "\n]}\n",
    });
    file
}

/// With the letter of the testament, unless it has one.
fn with_testament(id: WordId) -> WordId {
    const MATTHEW: u8 = 40;
    let testament = if id.book < MATTHEW { 'o' } else { 'n' };
    WordId { prefix: id.prefix.or(Some(testament)), ..id }
}
