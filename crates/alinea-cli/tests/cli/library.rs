//! The library as the README shows it gives the links of the command.

use alinea::align::{Request, Trained, TrainingData};
use alinea::alignment::Alignment;
use alinea::bitext::RankedBitext;
use alinea::format::bitext::{BitextSource, ReadOptions, read};
use alinea::model::{Aligner, AlignerConfig};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Silent;

use crate::support::Room;

#[test]
fn what_the_readme_shows_gives_the_links_of_the_command() {
    let room = Room::with_sample(420);
    let written = room.align("");
    let source = BitextSource::Files { source: room.path("s"), target: room.path("t") };
    let text = read(&source, &ReadOptions::default(), &Parallelism::serial()).unwrap().bitext;
    let bitext = RankedBitext::new(text.clone());
    let parallelism = Parallelism::new(2).unwrap();
    let aligner = Aligner::train(&bitext, AlignerConfig::default(), &parallelism, &Silent).unwrap();
    let mut worker = aligner.worker(&bitext);
    let links: Vec<String> = (0..bitext.len()).map(|n| worker.align(n).to_string()).collect();
    assert_eq!(links, written);

    let data = TrainingData::of(text).unwrap().build().unwrap();
    let plan = Request::default().plan().unwrap();
    let work = Work { parallelism: &parallelism, observer: &Silent };
    let trained = Trained::train(plan.recipe, &data, None, work).unwrap();
    let links = trained.links(&data, plan.decoding, work).unwrap();
    let links = links.iter().map(|pair| pair.iter().map(|found| found.link).collect::<Alignment>().to_string());
    assert_eq!(links.collect::<Vec<_>>(), written);
}
