//! One JSON object a line, for programs.
//!
//! ```text
//! {"source":["the","house"],"target":["la","maison"],"links":[[0,0],[1,1]],"weights":[0.99,0.87]}
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `links` | `[source, target]` positions; required |
//! | `possible` | more links, that are possible only |
//! | `weights` | a number or null for each of `links`, then perhaps for each of `possible` |
//! | `source`, `target` | the words |
//! | `source_offsets`, `target_offsets` | for each word `[first, past the last]` character in its line |
//! | `score` | what a model said of the pair as a whole |
//!
//! Other fields are ignored. A link in both lists is sure and possible, that is, sure.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::fault::{Fault, push_number, push_weight};
use super::{Base, LinkKind, LinkRecord, PairRecord, TokenList};
use crate::alignment::Link;

#[derive(Deserialize)]
struct Object {
    links: Vec<[u32; 2]>,
    #[serde(default)]
    possible: Vec<[u32; 2]>,
    #[serde(default)]
    weights: Vec<Option<f32>>,
    source: Option<TokenList>,
    target: Option<TokenList>,
    source_offsets: Option<Vec<[u32; 2]>>,
    target_offsets: Option<Vec<[u32; 2]>>,
    score: Option<f64>,
}

/// Reads a line into a record.
pub(super) fn parse(line: &str, base: Base, record: &mut PairRecord) -> Result<u64, Fault> {
    let object: Object = serde_json::from_str(line).map_err(|error| {
        // The parser counts lines of its own.
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        Fault::new(0, format!("a JSON object with `links`: {message}"), line.as_bytes())
            .shifted(error.column().saturating_sub(1).min(line.len()))
    })?;
    let (sure, all) = (object.links.len(), object.links.len() + object.possible.len());
    let weights = object.weights;
    if !weights.is_empty() && weights.len() != sure && weights.len() != all {
        let expected =
            format!("`weights` for {sure} links or for {all} with the possible (there are {})", weights.len());
        return Err(Fault::new(0, expected, line.as_bytes()));
    }
    if weights.iter().flatten().any(|weight| !weight.is_finite()) {
        return Err(Fault::new(0, "finite `weights`", line.as_bytes()));
    }
    for (words, offsets, name) in
        [(&object.source, &object.source_offsets, "source"), (&object.target, &object.target_offsets, "target")]
    {
        if let (Some(words), Some(offsets)) = (words, offsets)
            && words.len() != offsets.len()
        {
            let expected = format!("`{name}_offsets` for {} words (there are {})", words.len(), offsets.len());
            return Err(Fault::new(0, expected, line.as_bytes()));
        }
    }
    for (n, [source, target]) in object.links.into_iter().chain(object.possible).enumerate() {
        let (Some(source), Some(target)) = (base.position(source), base.position(target)) else {
            return Err(Fault::position_zero(0, line.as_bytes()));
        };
        record.links.push(LinkRecord {
            link: Link::new(source, target),
            kind: if n < sure { LinkKind::Sure } else { LinkKind::Possible },
            weight: weights.get(n).copied().flatten(),
        });
    }
    record.source = object.source;
    record.target = object.target;
    record.source_offsets = object.source_offsets;
    record.target_offsets = object.target_offsets;
    record.score = object.score;
    Ok(0)
}

/// Where a link begins in a line that was read, in bytes from 0: its bracket.
pub(super) fn find(line: &str, base: Base, link: Link) -> Option<usize> {
    #[derive(Deserialize)]
    struct Places<'l> {
        #[serde(borrow)]
        links: Vec<&'l RawValue>,
        #[serde(borrow, default)]
        possible: Vec<&'l RawValue>,
    }
    let places: Places<'_> = serde_json::from_str(line).ok()?;
    let is_link = |place: &&RawValue| {
        let pair = serde_json::from_str::<[u32; 2]>(place.get());
        pair.is_ok_and(|pair| pair.map(|written| base.position(written)) == [Some(link.source), Some(link.target)])
    };
    let place = places.links.into_iter().chain(places.possible).find(is_link)?;
    Some(place.get().as_ptr().addr() - line.as_ptr().addr())
}

/// Appends a record as one line; the sure links come first.
pub(super) fn write(record: &PairRecord, base: Base, digits: Option<usize>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (name, words) in [("source", &record.source), ("target", &record.target)] {
        if let Some(words) = words {
            push_name(name, out);
            push_list(words.iter(), push_string, out);
            out.push(b',');
        }
    }
    for (name, offsets) in [("source_offsets", &record.source_offsets), ("target_offsets", &record.target_offsets)] {
        if let Some(offsets) = offsets {
            push_name(name, out);
            let pairs = offsets.iter().map(|&[start, end]| (u64::from(start), u64::from(end)));
            push_list(pairs, push_pair, out);
            out.push(b',');
        }
    }
    let of_kind = |kind: LinkKind| record.links.iter().filter(move |link| link.kind == kind);
    let written = |LinkRecord { link, .. }: &LinkRecord| (base.written(link.source), base.written(link.target));
    push_name("links", out);
    push_list(of_kind(LinkKind::Sure).map(written), push_pair, out);
    if record.links.iter().any(|link| link.kind == LinkKind::Possible) {
        out.push(b',');
        push_name("possible", out);
        push_list(of_kind(LinkKind::Possible).map(written), push_pair, out);
    }
    if record.links.iter().any(|link| link.weight.is_some()) {
        out.push(b',');
        push_name("weights", out);
        let weights = of_kind(LinkKind::Sure).chain(of_kind(LinkKind::Possible)).map(|link| link.weight);
        let push = |weight: Option<f32>, out: &mut Vec<u8>| match weight {
            Some(weight) => push_weight(weight, digits, out),
            None => out.extend_from_slice(b"null"),
        };
        push_list(weights, push, out);
    }
    if let Some(score) = record.score.filter(|score| score.is_finite()) {
        out.push(b',');
        push_name("score", out);
        out.extend_from_slice(format!("{score:e}").as_bytes());
    }
    out.extend_from_slice(b"}\n");
}

fn push_name(name: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

fn push_string(text: &str, out: &mut Vec<u8>) {
    serde_json::to_writer(out, text).expect("a string has a JSON form and memory takes it");
}

fn push_pair((first, second): (u64, u64), out: &mut Vec<u8>) {
    out.push(b'[');
    push_number(first, out);
    out.push(b',');
    push_number(second, out);
    out.push(b']');
}

fn push_list<T>(items: impl Iterator<Item = T>, push: impl Fn(T, &mut Vec<u8>), out: &mut Vec<u8>) {
    out.push(b'[');
    for (n, item) in items.enumerate() {
        if n > 0 {
            out.push(b',');
        }
        push(item, out);
    }
    out.push(b']');
}
