//! `alinea annotate`: opens a project, or makes one, and answers the page.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use alinea::alignment::{Alignment, GoldAlignment};
use alinea::annotate::{PairWords, Project, ProjectSettings};
use alinea::encoder::{Encoder, EncoderOptions, find};
use alinea::format::bitext::{self, KeptLines};
use alinea::model::{Model, ModelName, TextForm};
use alinea::progress::Silent;
use alinea::workbench::{Place, Workbench};
use anyhow::{Context as _, bail};

use super::browser;
use crate::context::Context;
use crate::input::annotated::NamedFile;
use crate::input::links::{LinkFormatArgs, LinkReader};
use crate::input::text::{self, TextArgs};
use crate::resources::ThreadOptions;

const SOURCE: &str =
    "Source text, one tokenized sentence per line (- for standard input); or, alone, the folder of a project";

/// The options of it.
#[derive(Debug, Clone, clap::Args)]
#[command(mut_arg("source", |arg| arg.index(1).required_unless_present_any(["bitext", "project"]).help(SOURCE)))]
#[command(mut_arg("target", |arg| arg.index(2).required_unless_present_any(["bitext", "project", "source"])))]
pub(super) struct ServeArgs {
    #[command(flatten)]
    text: TextArgs,
    /// Folder of the project [default: that of the source text, with `.annotation` behind it]
    #[arg(long, value_name = "DIR", help_heading = "Project")]
    project: Option<PathBuf>,
    /// Name of somebody who takes part; may be given several times [default: the name of the user]
    #[arg(long, value_name = "NAME", help_heading = "Project")]
    annotator: Vec<String>,
    /// Begin the work of an annotator with these links; empty lines are left to do. May be given several times
    #[arg(long, value_name = "NAME=FILE", value_parser = NamedFile::parser(), help_heading = "Project")]
    import: Vec<NamedFile>,
    /// Suggest these links, as of another aligner, in place of those of the model; for empty lines the model suggests some. The project
    /// keeps a copy
    #[arg(long, value_name = "FILE", help_heading = "Project")]
    suggest: Option<PathBuf>,
    #[command(flatten)]
    import_format: LinkFormatArgs,
    /// What is to be linked: text that the page shows
    #[arg(long, value_name = "FILE", help_heading = "Project")]
    guideline: Option<PathBuf>,
    /// Title of the page [default: the names of the texts]
    #[arg(long, value_name = "TEXT", help_heading = "Project")]
    title: Option<String>,
    /// Share of the sentences that all annotators link, such as 20% [default: 10%]
    #[arg(long, value_name = "SHARE", help_heading = "Project")]
    shared: Option<Share>,
    /// Model that suggests links, when a project is made [default: agreement-loo]
    #[arg(long, value_name = "MODEL", help_heading = "Project")]
    model: Option<ModelName>,
    /// Model written by `alinea train` that is adapted to the text, instead of training one on the text alone; the project keeps a
    /// copy
    #[arg(short = 'm', long, value_name = "FILE", conflicts_with = "model", help_heading = "Project")]
    model_file: Option<PathBuf>,
    /// Pretrained encoder whose word vectors help the model: a folder with config.json, tokenizer.json and model.safetensors, or the
    /// name of a model in the cache of Hugging Face. The project remembers it
    #[arg(long, value_name = "DIR|NAME", help_heading = "Project")]
    encoder: Option<String>,
    /// Do without the encoder that the project had
    #[arg(long, conflicts_with = "encoder", help_heading = "Project")]
    no_encoder: bool,
    /// Address of this machine to serve others at, such as 0.0.0.0 for all that it has [default: this machine alone]
    #[arg(long, value_name = "ADDRESS", help_heading = "Page")]
    bind: Option<IpAddr>,
    /// Port (0: that of the last time, or any that is free)
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Page")]
    port: u16,
    /// Name of this machine that browsers may use; may be given several times
    #[arg(long, value_name = "NAME", help_heading = "Page")]
    host: Vec<String>,
    /// Print addresses, but do not open a browser
    #[arg(long, help_heading = "Page")]
    no_browser: bool,
    #[command(flatten)]
    threads: ThreadOptions,
}

/// A share: a fraction, or a percentage.
#[derive(Debug, Clone, Copy)]
struct Share(f64);

impl FromStr for Share {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
        let share = number.trim().parse::<f64>().map(|number| number / unit).ok();
        share.filter(|share| (0.0..=1.0).contains(share)).map(Self).ok_or("expected 0 to 1, or 0% to 100%")
    }
}

/// Opens or makes a project, and answers the page until it is closed.
pub(super) fn run(args: &ServeArgs, context: &Context) -> anyhow::Result<()> {
    let parallelism = args.threads.parallelism()?;
    let mut project = args.open(context)?;
    args.invite(&mut project)?;
    for file in &args.import {
        args.import(&mut project, file)?;
    }
    let place =
        Place { address: args.bind.unwrap_or(Place::default().address), port: args.port, hosts: args.host.clone() };
    let first = args.annotator.first().and_then(|name| project.annotator(name)).or(project.annotators().next());
    let first = first.map(|annotator| annotator.name().to_owned());
    let encoder = project.settings().encoder.as_deref().map(open_encoder).transpose()?;
    let folder = project.folder().to_owned();
    let mut workbench = Workbench::new(project, &place)?;
    if let Some(encoder) = encoder {
        workbench = workbench.with_encoder(move |texts, cache, work| encoder.encode_sentences(texts, cache, work));
    }
    let addresses = workbench.addresses();
    let width = addresses.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, address) in &addresses {
        context.answer(format_args!("{name:width$}  {address}"));
    }
    context.report(how_to_continue(&folder));
    let address = addresses.iter().find(|(name, _)| !args.no_browser && Some(name) == first.as_ref());
    let opened = address.map(|(_, address)| browser::open(address));
    if matches!(opened, Some(None)) {
        context.report("note: no browser could be opened; open the address above");
    }
    Ok(workbench.serve(parallelism, &Silent)?)
}

/// What to do when the page is closed.
fn how_to_continue(folder: &Path) -> String {
    let name = folder.display().to_string();
    let is_plain = name.chars().all(|c| c.is_alphanumeric() || "-_./\\:".contains(c));
    let quoted = if is_plain { name.clone() } else { format!("\"{name}\"") };
    format!(
        "All work is saved in {name}. Press Ctrl-C to stop. To continue: `alinea annotate --project {quoted}`; to write the links: \
         `alinea annotate export {quoted}`"
    )
}

impl ServeArgs {
    /// The only argument, if it is no text: the folder of a project.
    fn given_folder(&self) -> anyhow::Result<Option<&Path>> {
        let paths: Vec<_> = self.text.paths().collect();
        match paths[..] {
            [("SOURCE", path)] if self.project.is_some() => bail!("TARGET: missing beside {}", path.display()),
            [("SOURCE", path)] if Project::is_in(path) => Ok(Some(path)),
            [("SOURCE", path)] => bail!("{}: no folder of a project, and TARGET is missing", path.display()),
            _ => Ok(None),
        }
    }

    /// Where the project of a text is.
    fn folder(&self) -> anyhow::Result<PathBuf> {
        if let Some(folder) = &self.project {
            return Ok(folder.clone());
        }
        let Some((_, first)) = self.text.paths().next() else { bail!("a text, or the folder of a project, is needed") };
        if alinea::format::source::is_dash(first) {
            bail!("--project: a text from standard input has no name that the project could have");
        }
        let mut name = first.as_os_str().to_owned();
        name.push(".annotation");
        Ok(name.into())
    }

    fn open(&self, context: &Context) -> anyhow::Result<Project> {
        let given = self.given_folder()?;
        let folder = given.map_or_else(|| self.folder(), |folder| Ok(folder.to_owned()))?;
        if let Some(name) = &self.encoder {
            // Before a project remembers it.
            find(name)?;
        }
        let saved = self.model_file.as_deref().map(Model::open).transpose()?;
        let form = saved.as_ref().map_or_else(|| self.text.form(), Model::form);
        let has_text = given.is_none() && self.text.paths().next().is_some();
        let text = has_text.then(|| self.read(form, context)).transpose()?;
        let mut project = match text {
            None => Project::open(&folder)?,
            Some(words) => Project::of_text(&folder, &words, &self.settings(form))?,
        };
        if let Some(path) = &self.model_file {
            project.set_model_file(path)?;
        }
        if let Some(path) = &self.suggest {
            let links: Vec<Alignment> = self.links(path)?.iter().map(|gold| gold.possible().clone()).collect();
            project.set_suggested(&links).with_context(|| path.display().to_string())?;
        }
        self.change(&mut project)?;
        Ok(project)
    }

    /// The words of the text.
    fn read(&self, form: TextForm, context: &Context) -> anyhow::Result<Vec<PairWords>> {
        self.text.check_columns(false)?;
        let options = self.text.read_options(form, true);
        options.validate()?;
        let threads = alinea::parallel::Parallelism::serial();
        let read = bitext::read(&self.text.source(), &options, &threads).map_err(text::advise)?;
        text::warn(&read.report, options.tokenize, context);
        let kept = read.text.context("the text was not kept")?;
        let words = |lines: &KeptLines, n: usize| lines.tokens(n).into_iter().map(str::to_owned).collect::<Vec<_>>();
        Ok((0..read.bitext.len()).map(|n| [words(&kept.source, n), words(&kept.target, n)]).collect())
    }

    /// The settings of a new project.
    fn settings(&self, form: TextForm) -> ProjectSettings {
        let (names, _) = self.text.names();
        let names = names
            .map(|name| Path::new(&name).file_name().map_or(name.clone(), |name| name.to_string_lossy().into_owned()));
        let title = format!("{} – {}", names[0], names[1]);
        let settings = ProjectSettings { title, names, lowercase: form.lowercase, ..ProjectSettings::default() };
        ProjectSettings { model: self.model.unwrap_or(settings.model), ..settings }
    }

    /// Takes over what the options say of a project.
    fn change(&self, project: &mut Project) -> anyhow::Result<()> {
        let mut settings = project.settings().clone();
        if let Some(model) = self.model.filter(|&model| model != settings.model) {
            bail!("--model {model}: the project has {}, which stays", settings.model);
        }
        if let Some(title) = &self.title {
            settings.title.clone_from(title);
        }
        if let Some(Share(share)) = self.shared {
            settings.shared = share;
        }
        if settings != *project.settings() {
            project.set_settings(settings)?;
        }
        if self.encoder.is_some() || self.no_encoder {
            project.set_encoder(self.encoder.as_deref())?;
        }
        if let Some(path) = &self.guideline {
            let text = std::fs::read(path).with_context(|| path.display().to_string())?;
            project.set_guideline(&String::from_utf8_lossy(&text))?;
        }
        Ok(())
    }

    /// Has those take part who are named; the user, if nobody does.
    fn invite(&self, project: &mut Project) -> anyhow::Result<()> {
        let imported = self.import.iter().map(|file| &file.name);
        for name in self.annotator.iter().chain(imported) {
            project.add_annotator(name)?;
        }
        if project.annotators().next().is_none() {
            project.add_annotator(&user())?;
        }
        Ok(())
    }

    /// Enters links that somebody made before as confirmed.
    fn import(&self, project: &mut Project, NamedFile { name, path }: &NamedFile) -> anyhow::Result<()> {
        project.import(name, &self.links(path)?).with_context(|| path.display().to_string())
    }

    /// The links of a file.
    fn links(&self, path: &PathBuf) -> anyhow::Result<Vec<GoldAlignment>> {
        let mut reader = LinkReader::open(std::slice::from_ref(path), &self.import_format.format(None))?;
        let mut lines = Vec::new();
        while reader.read()? {
            lines.push(reader.record().gold());
        }
        Ok(lines)
    }
}

/// The encoder of a project.
fn open_encoder(name: &str) -> anyhow::Result<Encoder> {
    let open = || Encoder::open(find(name)?, EncoderOptions::default());
    open().context("the encoder of the project; --encoder names another one, --no-encoder does without")
}

/// The name of the user, as an annotator may have it.
fn user() -> String {
    let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|variable| std::env::var(variable).ok());
    let name: String =
        name.unwrap_or_default().chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).take(40).collect();
    if name.is_empty() { "annotator".to_owned() } else { name }
}
