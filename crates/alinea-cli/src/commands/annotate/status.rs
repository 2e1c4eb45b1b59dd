//! `alinea annotate status`: how far everybody is.

use std::io::Write as _;
use std::path::PathBuf;

use alinea::annotate::{Annotator, Project};
use alinea::format::sink;
use serde_json::json;

const LONG_ABOUT: &str = "\
Show how many sentences each annotator of a project has confirmed, and how long it took.

Examples:
  alinea annotate status text.en.annotation
  alinea annotate status text.en.annotation --json";

/// Show how far the annotators of a project are
#[derive(Debug, Clone, clap::Args)]
#[command(long_about = LONG_ABOUT)]
pub(super) struct Args {
    /// Folder of the project
    #[arg(value_name = "PROJECT")]
    project: PathBuf,
    /// Output JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let project = Project::read(&args.project)?;
    let text = if args.json { json(&project) } else { lines(&project) };
    let mut output = sink::create("-")?;
    output.write_all(text.as_bytes())?;
    output.finish()?;
    Ok(())
}

/// How many sentences have links that somebody confirmed.
pub(super) fn confirmed_by_anybody(project: &Project) -> usize {
    (0..project.len()).filter(|&n| project.gold(n).is_some()).count()
}

fn json(project: &Project) -> String {
    let annotators: Vec<_> = project
        .annotators()
        .map(|annotator| {
            let (confirmed, seconds) = (annotator.confirmed_pairs(), annotator.seconds_of_confirmed());
            json!({"name": annotator.name(), "confirmed": confirmed, "seconds": seconds})
        })
        .collect();
    let adjudicated = project.adjudicator().confirmed_pairs();
    let confirmed = confirmed_by_anybody(project);
    let told = json!({
        "title": project.settings().title, "sentences": project.len(), "confirmed": confirmed, "adjudicated": adjudicated,
        "annotators": annotators,
    });
    format!("{told}\n")
}

fn lines(project: &Project) -> String {
    let mut lines = vec![
        project.settings().title.clone(),
        format!("{} of {} sentences are confirmed", confirmed_by_anybody(project), project.len()),
    ];
    let width = project.annotators().map(|annotator| annotator.name().chars().count()).max().unwrap_or(0);
    let line = |annotator: &Annotator| {
        let confirmed = annotator.confirmed_pairs();
        let each = match confirmed {
            0 => String::new(),
            number => format!(", {:.0} s each", annotator.seconds_of_confirmed() / number as f64),
        };
        format!("  {:width$}  {confirmed}{each}", annotator.name())
    };
    lines.extend(project.annotators().map(line));
    let adjudicated = project.adjudicator().confirmed_pairs();
    if adjudicated > 0 {
        lines.push(format!("{adjudicated} adjudicated"));
    }
    lines.join("\n") + "\n"
}
