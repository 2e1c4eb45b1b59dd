//! `alinea reorder submit`: checks runs for the shared task of 2012 and puts them into one archive, or checks an
//! archive.
//!
//! A run may differ from the data of its language pair (`--data`) in column 7 alone. Runs are named by team, pair, kind
//! and number, in the order of the options; all entries have a fixed date, so equal runs give equal bytes. Both ways
//! end in the same `Submission::check`, and nothing is written unless it succeeds. The rules of the task are in
//! `alinea::reorder::submission`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use alinea::format::rsmt::{self, Block, Unknown};
use alinea::format::sink;
use alinea::reorder::submission::{RunKind, Submission};

use crate::context::Context;
use crate::input::annotated::NamedFile;
use crate::input::links::counted;
use crate::input::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Check runs and pack them into an archive, or check an archive.

Examples:
  alinea reorder submit --team lab --data en_hi=en_hi.en.tst.conll --standard en_hi=best.conll \\
      --standard en_hi=second.conll --nonstandard en_hi=with-parser.conll -o lab.zip
  alinea reorder submit --check lab.zip --data en_hi=en_hi.en.tst.conll";

const AFTER_LONG_HELP: &str = "\
A run is the .conll file of the data with another column 7. Each pair needs one to four standard runs, which use only \
the data of the task, and may have up to four others; a run may not be submitted twice. In the archive they are named \
team.pair.standard.1.conll and so on, in the given order. The same runs give a byte-identical archive.";

/// Pack runs into an archive for the shared task
#[derive(Debug, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// Team name: letters, digits, _ and -
    #[arg(long, value_name = "NAME", required_unless_present = "check")]
    team: Option<String>,
    /// Data of a pair, from which runs may differ only in column 7; may be given several times
    #[arg(long, value_name = "PAIR=FILE", required = true, value_parser = NamedFile::parser())]
    data: Vec<NamedFile>,
    /// Run that used only the data of the task; may be given several times
    #[arg(long, value_name = "PAIR=FILE", required_unless_present = "check", value_parser = NamedFile::parser())]
    standard: Vec<NamedFile>,
    /// Run that also used other data; may be given several times
    #[arg(long, value_name = "PAIR=FILE", value_parser = NamedFile::parser())]
    nonstandard: Vec<NamedFile>,
    /// Archive to write, *.zip
    #[arg(short, long, value_name = "FILE", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// Check this archive instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["team", "standard", "nonstandard", "output"])]
    check: Option<PathBuf>,
}

/// Does it.
pub(super) fn run(args: &Args, context: &Context) -> anyhow::Result<()> {
    args.check_paths()?;
    let mut data = BTreeMap::new();
    for file in &args.data {
        if data.insert(file.name.clone(), rsmt::read(&file.path, Unknown::Allowed)?).is_some() {
            anyhow::bail!("--data {}: the pair already has data", file.name);
        }
    }
    let submission = match &args.check {
        Some(path) => Submission::open(path)?,
        None => args.gather(&data)?,
    };
    submission.check(&data)?;
    if let Some(path) = &args.output {
        let mut output = sink::create(path)?;
        output.write_bytes(&submission.to_archive()?)?;
        output.finish()?;
    }
    for (name, run) in submission.runs() {
        context.report(format!("{name}  {}", counted(run.len() as u64, "sentence")));
    }
    Ok(())
}

impl Args {
    fn check_paths(&self) -> anyhow::Result<()> {
        let named = [("--data", &self.data), ("--standard", &self.standard), ("--nonstandard", &self.nonstandard)];
        let named =
            named.into_iter().flat_map(|(name, files)| files.iter().map(move |file| Role::new(name, &file.path)));
        let archive = self.check.iter().map(|path| Role::new("--check", path));
        let output: Vec<Role<'_>> = self.output.iter().map(|path| Role::new("--output", path)).collect();
        check_distinct(&named.chain(archive).collect::<Vec<_>>(), &output)
    }

    /// Reads the runs, checks each, and gives them names.
    fn gather(&self, data: &BTreeMap<String, Vec<Block>>) -> anyhow::Result<Submission> {
        let team = self.team.as_deref().unwrap_or_default();
        let mut submission = Submission::default();
        for (kind, files) in [(RunKind::Standard, &self.standard), (RunKind::NonStandard, &self.nonstandard)] {
            for file in files {
                let Some(rows) = data.get(&file.name) else {
                    anyhow::bail!("{}: there is no --data {}=…", file.path.display(), file.name);
                };
                submission.add_file(team, &file.name, kind, &file.path, rows)?;
            }
        }
        Ok(submission)
    }
}
