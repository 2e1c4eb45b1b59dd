//! The library as the README and the example `align` show it gives the links of the command.

use alinea::align::{Request, Trained, TrainingData};
use alinea::alignment::Alignment;
use alinea::bitext::Bitext;
use alinea::format::bitext::{BitextSource, ReadOptions, read};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;

use crate::support::Room;

#[allow(dead_code, reason = "main is for the command line")]
#[path = "../../../alinea/examples/align.rs"]
mod example;

/// The lines of the README that train and align, but for all pairs; `the_readme_shows_these_lines` compares them.
fn links_as_in_the_readme(text: Bitext) -> alinea::error::Result<Vec<String>> {
    let data = TrainingData::of(text)?.build()?;
    let work = Work { parallelism: &Parallelism::new(0)?, observer: &Silent };
    let plan = Request::default().plan()?;
    let links = Trained::train(plan.recipe, &data, None, work)?.links(&data, plan.decoding, work)?;
    Ok(links.iter().map(|links| links.iter().map(|found| found.link).collect::<Alignment>().to_string()).collect())
}

#[test]
fn the_readme_shows_these_lines() {
    let readme = include_str!("../../../../README.md");
    let (_, snippet) = readme.split_once("```rust\n").unwrap();
    let (snippet, _) = snippet.split_once("```").unwrap();
    let line = |call: &str| snippet.lines().find(|line| line.contains(call)).unwrap_or_else(|| panic!("no {call}"));
    for call in ["Work {", "Request::default()", "Trained::train("].map(|call| line(call).trim()) {
        assert!(include_str!("library.rs").contains(call), "the README has other lines: {call}");
    }
}

#[test]
fn what_the_readme_shows_gives_the_links_of_the_command() {
    let room = Room::with_sample(420);
    let written = room.align("");
    let source = BitextSource::Files { source: room.path("s"), target: room.path("t") };
    let text = read(&source, &ReadOptions::default(), &Parallelism::serial()).unwrap().bitext;
    assert_eq!(links_as_in_the_readme(text).unwrap(), written);
    example::align(&room.path("s"), &room.path("t"), &room.path("links")).unwrap();
    assert_eq!(room.read("links").lines().collect::<Vec<_>>(), written);
}
