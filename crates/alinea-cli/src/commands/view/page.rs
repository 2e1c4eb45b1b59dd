//! The page for a browser.

use alinea::format::sink;
use alinea::progress;
use alinea::view::{HtmlPage, Layer, PagePair};

use super::input::Input;
use super::{Args, Status};
use crate::context::Context;
use crate::failure::WithHint;

/// Writes the page.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<Status> {
    let systems = args.alignments.iter().map(|file| Layer::system(&file.name));
    let layers = systems.chain(args.gold.iter().map(|file| Layer::gold(&file.name)));
    let mut page = HtmlPage::new(args.title(), layers.collect()).hint("NAME=FILE gives a file a name")?;
    let mut input = Input::open(args)?;
    let mut output = sink::create(&args.output)?;
    output.write_bytes(page.start().as_bytes())?;
    let lines = args.lines();
    let last = lines.as_ref().map(|lines| *lines.end());
    while last.is_none_or(|last| input.pairs.number() < last) {
        progress::check(context.observer())?;
        match &lines {
            Some(lines) => input.go_on((input.pairs.number() + 1).max(*lines.start()))?,
            None if !input.read()? => break,
            None => {}
        }
        let number = input.pairs.number();
        if lines.as_ref().is_none_or(|lines| lines.contains(&number)) {
            input.warn(context);
            let (source, target, links) = (input.pairs.source(), input.pairs.target(), input.links());
            let pair = PagePair { trees: input.trees()?, ..PagePair::new(number, &source, &target, &links) };
            output.write_bytes(page.pair(&pair)?.as_bytes())?;
        }
    }
    input.warn_of_more(context);
    output.write_bytes(page.end()?.as_bytes())?;
    output.finish()?;
    Ok(Status::Success)
}
