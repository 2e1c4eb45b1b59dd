//! The page for a browser.

use alinea::format::sink;
use alinea::progress;
use alinea::view::{HtmlPage, Layer, PagePair, PageWriter};

use super::Args;
use super::input::Input;
use crate::context::Context;
use crate::failure::WithHint;
use crate::input::annotated::NamedFile;

/// The sets of links with their names. Files that would be called the same without their extensions keep these.
fn layers(args: &Args) -> Vec<Layer> {
    let links = args.link_files();
    let files: Vec<&NamedFile> = links.iter().chain(&args.gold).collect();
    let name = |file: &NamedFile| {
        let clash = files.iter().filter(|other| other.name == file.name).count() > 1;
        let whole = file.path.file_name().map(|name| name.to_string_lossy().into_owned()).filter(|_| clash);
        whole.filter(|whole| whole.starts_with(&format!("{}.", file.name))).unwrap_or_else(|| file.name.clone())
    };
    let systems = links.len();
    let gold = |n: usize| n >= systems;
    files.iter().enumerate().map(|(n, file)| Layer { name: name(file), gold: gold(n) }).collect()
}

/// Writes the page.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    let page = HtmlPage::new(args.title(), layers(args)).hint("NAME=FILE gives a file a name")?;
    let mut input = Input::open(args)?;
    let output = sink::create(&args.output)?;
    let name = output.name().to_owned();
    let mut page = PageWriter::new(page, output, name)?;
    let lines = args.lines();
    let last = lines.as_ref().map(|lines| *lines.end());
    while last.is_none_or(|last| input.pairs.number() < last) {
        progress::check(context.observer())?;
        match &lines {
            Some(lines) => input.go_on((input.pairs.number() + 1).max(*lines.start()), true)?,
            None if !input.read()? => break,
            None => {}
        }
        if args.first && input.annotated().contains(&false) {
            break;
        }
        let number = input.pairs.number();
        if lines.as_ref().is_none_or(|lines| lines.contains(&number)) {
            input.warn(context);
            let (source, target, links) = (input.pairs.source(), input.pairs.target(), input.links());
            let pair = PagePair::new(number, &source, &target, &links).with_annotated(input.annotated());
            page.pair(&pair.with_trees(input.trees()?))?;
        }
    }
    input.warn_of_parts(context);
    input.warn_of_more(context);
    input.pairs.warn_of_blanks(context);
    page.finish()?.finish()?;
    Ok(())
}
