//! `alinea model check`: whether files are as they were written.

use std::path::PathBuf;

use alinea::error::Error;
use alinea::format::sink;
use alinea::storage::Container;
use anyhow::bail;
use serde_json::{Value, json};

use crate::commands::paths::{Role, check_distinct};

const LONG_ABOUT: &str = "\
Checks whether files are as they were written: reads all of each, and compares it with the checksums in it.

Examples:
  alinea model check en-fr.alinea
  alinea model check *.alinea --json                one object a line: file, kind, bytes, arrays, damage";

const AFTER_LONG_HELP: &str = "\
Models of alignment and of word order are checked, checkpoints, and the counts of parts. A file that is read is checked \
anyway, as far as it is used: what is damaged is refused. The exit code is 2 if one of the files is damaged, or cannot be \
read.";

/// Checks whether files are as they were written
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT, after_long_help = AFTER_LONG_HELP)]
pub(super) struct Args {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// As JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// Checks.
pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let inputs: Vec<Role<'_>> = args.files.iter().map(|path| Role::new("FILE", path)).collect();
    check_distinct(&inputs, &[])?;
    let mut output = sink::create("-")?;
    let mut bad = 0;
    for path in &args.files {
        let checked = Checked::of(path.display().to_string(), Container::open(path));
        bad += usize::from(!checked.damage.is_empty());
        let told = if args.json { format!("{}\n", checked.numbers()) } else { checked.text() };
        output.write_bytes(told.as_bytes())?;
    }
    output.finish()?;
    if bad > 0 {
        bail!("{bad} of {} files: damaged, or not readable", args.files.len());
    }
    Ok(())
}

/// What was found of a file.
struct Checked {
    file: String,
    /// What it says it is, how long it is, and how many arrays it has; nothing if its header cannot be read.
    opened: Option<(String, u64, usize)>,
    damage: Vec<String>,
}

impl Checked {
    fn of(file: String, container: alinea::error::Result<Container>) -> Self {
        let told = |error: &Error| error.to_string();
        match container {
            Err(error) => Self { file, opened: None, damage: vec![told(&error)] },
            Ok(container) => {
                let header: Value = serde_json::from_str(container.text()).unwrap_or_default();
                let kind = header["format"].as_str().unwrap_or("file of another kind").to_owned();
                let damage = container.check().iter().map(told).collect();
                Self { file, opened: Some((kind, container.bytes(), container.names().len())), damage }
            }
        }
    }

    fn text(&self) -> String {
        if let (Some((kind, bytes, arrays)), true) = (&self.opened, self.damage.is_empty()) {
            return format!("{}: sound: {kind}, {arrays} arrays, {bytes} bytes\n", self.file);
        }
        self.damage.iter().map(ToString::to_string).map(|damage| damage + "\n").collect()
    }

    fn numbers(&self) -> Value {
        let (kind, bytes, arrays) = match &self.opened {
            Some((kind, bytes, arrays)) => (Some(kind), Some(bytes), Some(arrays)),
            None => (None, None, None),
        };
        let Self { file, damage, .. } = self;
        json!({ "file": file, "sound": damage.is_empty(), "kind": kind, "bytes": bytes, "arrays": arrays, "damage": damage })
    }
}
