//! `alinea view`: draws sentence pairs with their links.
//!
//! The terminal gets a grid or interlinear lines, files get SVG (one pair), a Graphviz graph, or an HTML page (all
//! pairs). Pairs are read in order up to the last line that is asked for; those before the first are only passed over,
//! so memory does not grow with the text.
//!
//! Modules: `args` options and the choice of the picture, `input` the files in parallel, `trees` treebanks beside them,
//! `page` the HTML page, `path_pairs` pictures of dependency paths. The drawing is in `alinea::view`.

mod args;
mod input;
mod page;
mod path_pairs;
mod trees;

use alinea::alignment::WeightedLink;
use alinea::format::alignment::LinkRecord;
use alinea::format::sink;
use alinea::format::source::is_dash;
use alinea::progress;
use alinea::view::{PictureFormat, Style, dot, grid, interlinear, svg};
use anyhow::bail;

pub(crate) use self::args::Args;
use self::input::Input;
use crate::context::Context;

/// Draws them.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    args.paths.check()?;
    let picture = args.picture()?;
    if args.paths.dpath {
        return path_pairs::run(args, picture, context);
    }
    if picture == PictureFormat::Html {
        return page::run(args, context);
    }
    args.check_one(picture)?;
    let lines = args.lines().unwrap_or(1..=1);
    if picture == PictureFormat::Svg && lines.start() != lines.end() {
        bail!("an SVG file has one picture: --line names the pair");
    }
    let mut input = Input::open(args)?;
    let style = args.drawing.style(is_dash(&args.output), context);
    let mut output = sink::create(&args.output)?;
    if matches!(picture, PictureFormat::Grid | PictureFormat::Interlinear) {
        // Colors, and marks that isolate words from right to left.
        output.draw();
    }
    for number in 1..=*lines.end() {
        input.go_on(number.max(*lines.start()), false)?;
        if !lines.contains(&number) {
            continue;
        }
        progress::check(context.observer())?;
        // Graphs follow each other without anything between.
        let between =
            matches!(picture, PictureFormat::Grid | PictureFormat::Interlinear) && lines.start() != lines.end();
        if between {
            output.write_bytes(format!("pair {number}\n\n").as_bytes())?;
        }
        input.warn(context);
        output.write_bytes(draw(&input, picture, &style)?.as_bytes())?;
        if between && number < *lines.end() {
            output.write_bytes(b"\n")?;
        }
    }
    input.warn_of_more(context);
    input.pairs.warn_of_blanks(context);
    output.finish()?;
    Ok(())
}

/// The picture of the current pair. Links out of the sentences are named in it.
fn draw(input: &Input, picture: PictureFormat, style: &Style) -> anyhow::Result<String> {
    let (source, target) = (input.pairs.source(), input.pairs.target());
    let (links, gold) = input.pair();
    let people = gold.map(|gold| gold.record().gold());
    let (alignment, people) = (links.record().alignment(), people.as_ref());
    let weighted = |record: &LinkRecord| Some(WeightedLink { link: record.link, weight: record.weight? });
    let weights: Vec<WeightedLink> = links.record().links.iter().filter_map(weighted).collect();
    Ok(match picture {
        PictureFormat::Interlinear => interlinear(&source, &target, &alignment, people, style),
        PictureFormat::Dot => dot(&source, &target, &alignment, people, &weights),
        PictureFormat::Svg => svg(&source, &target, &alignment, people, &weights, &input.trees()?),
        // Pages do not come here.
        PictureFormat::Grid | PictureFormat::Html => grid(&source, &target, &alignment, people, style),
    })
}
