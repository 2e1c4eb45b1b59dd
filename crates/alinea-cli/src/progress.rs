//! How a command talks on standard error: a bar, lines, or JSON.
//!
//! Three forms. On a terminal long work draws a bar with the remaining time: one for all tasks that were planned
//! together (`plan`), one for each other task. Elsewhere only lines are written: warnings, the final report. With
//! `--progress json` every event is one JSON object on a line of its own:
//!
//! ```text
//! {"event":"started","task":"HMM 1/4","units":50000,"step":6,"steps":10}
//! {"event":"advanced","task":"HMM 1/4","done":12000,"units":50000}
//! {"event":"finished","task":"HMM 1/4","summary":"log-weight -812345 forward, -823456 reverse"}
//! {"event":"warning","message":"…"}
//! {"event":"report","message":"…"}
//! {"event":"summary","pairs":50000,"links":612345}
//! {"event":"error","message":"…","hints":[]}
//! ```
//!
//! `advanced` comes at most ten times a second; `units` is absent where the length of the work is not known, `step` and
//! `steps`, its place among the tasks planned together, where it was not planned.

mod plan;

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use alinea::progress::{Observer, Step};
use alinea::terminal::{Shown, escaped};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde_json::{Value, json};

use self::plan::Plan;
use crate::options::ProgressMode;

/// The least time between two `advanced` events.
const EVENT_INTERVAL: Duration = Duration::from_millis(100);

/// How often a bar is drawn anew, a second.
const BAR_RATE: u8 = 10;

/// How often a bar without known length moves.
const TICK: Duration = Duration::from_millis(100);

/// Says things on standard error.
#[derive(Debug)]
pub(crate) struct Reporter {
    form: Form,
    quiet: bool,
    work: Mutex<InHand>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Bar,
    Lines,
    Json,
}

/// The work in hand.
#[derive(Debug, Default)]
struct InHand {
    task: Option<Task>,
    plan: Plan,
    /// The bar of all that was planned, once the first of it has begun.
    whole: Option<ProgressBar>,
}

#[derive(Debug)]
struct Task {
    name: String,
    units: u64,
    done: u64,
    /// Whether it was planned.
    planned: bool,
    /// When something was last shown.
    shown: Instant,
    /// Its own bar, if there is none of the whole.
    bar: Option<ProgressBar>,
}

impl InHand {
    /// The bar that is on the screen.
    fn bar(&self) -> Option<&ProgressBar> {
        self.whole.as_ref().or_else(|| self.task.as_ref()?.bar.as_ref())
    }

    /// Takes the bar of the whole away if all of it is done.
    fn close(&mut self) {
        if self.plan.is_over() {
            self.plan = Plan::default();
            if let Some(whole) = self.whole.take() {
                whole.finish_and_clear();
            }
        }
    }
}

impl Reporter {
    /// As the options say.
    pub(crate) fn new(mode: ProgressMode, quiet: bool) -> Self {
        let form = match mode {
            ProgressMode::Json => Form::Json,
            ProgressMode::Auto if !quiet && io::stderr().is_terminal() => Form::Bar,
            ProgressMode::Auto | ProgressMode::None => Form::Lines,
        };
        Self { form, quiet, work: Mutex::default() }
    }

    /// A line of the final report.
    pub(crate) fn report(&self, line: &str) {
        if !self.quiet {
            self.say("report", line, line);
        }
    }

    /// The lines of a final report, or its numbers.
    pub(crate) fn summary(&self, text: &str, numbers: &Value) {
        self.clear();
        if self.quiet {
            return;
        }
        if self.form == Form::Json {
            let mut event = json!({"event": "summary"});
            if let (Some(event), Some(numbers)) = (event.as_object_mut(), numbers.as_object()) {
                event.extend(numbers.clone());
            }
            return write_event(&event);
        }
        self.say("summary", text, text);
    }

    /// Something that was asked for.
    pub(crate) fn answer(&self, text: &str) {
        self.say("report", text, text.trim_end_matches('\n'));
    }

    /// An error with its hints.
    pub(crate) fn error(&self, message: &str, hints: &[String]) {
        self.clear();
        if self.form == Form::Json {
            return write_event(&json!({"event": "error", "message": message, "hints": hints}));
        }
        write_line(&format!("error: {message}"));
        for hint in hints {
            write_line(&format!("hint: {hint}"));
        }
    }

    /// An error where memory is missing: nothing is allocated. Neither text may have what JSON escapes.
    pub(crate) fn last_words(&self, message: fmt::Arguments<'_>, hint: &str) {
        let mut stderr = io::stderr().lock();
        // There is nobody left to tell that nobody listens.
        let _ = match self.form {
            Form::Json => writeln!(stderr, r#"{{"event":"error","hints":["{hint}"],"message":"{message}"}}"#),
            // Over the bar, if there is one.
            Form::Bar => writeln!(stderr, "\r\x1b[Kerror: {message}\nhint: {hint}"),
            Form::Lines => writeln!(stderr, "error: {message}\nhint: {hint}"),
        };
    }

    /// One line for people, or one event with the bare message.
    fn say(&self, event: &str, message: &str, line: &str) {
        match self.form {
            Form::Json => write_event(&json!({"event": event, "message": message})),
            Form::Bar | Form::Lines => match self.work().bar() {
                Some(bar) => bar.suspend(|| write_line(line)),
                None => write_line(line),
            },
        }
    }

    /// Takes the bar away, and forgets what was planned.
    fn clear(&self) {
        let work = std::mem::take(&mut *self.work());
        if let Some(bar) = work.bar() {
            bar.finish_and_clear();
        }
    }

    fn work(&self) -> MutexGuard<'_, InHand> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Reporter {
    fn planned(&self, steps: &[Step]) {
        let mut work = self.work();
        work.plan.add(steps);
        if let Some(whole) = &work.whole {
            whole.set_length(work.plan.length());
        }
    }

    fn started(&self, task: &str, units: u64) {
        let mut work = self.work();
        if let Some(Task { bar: Some(bar), .. }) = work.task.take() {
            bar.finish_and_clear();
        }
        let step = work.plan.begin(task);
        let mut own = None;
        if self.form == Form::Bar {
            if step.is_some() && work.whole.is_none() {
                work.whole = Some(bar(WHOLE, Some(work.plan.length())));
            }
            match &work.whole {
                Some(whole) => {
                    whole.set_prefix(escaped(task).into_owned());
                    if let Some([number, of]) = step {
                        whole.set_message(format!("{number}/{of}"));
                    }
                    whole.set_position(work.plan.position(0, units));
                }
                None => own = Some(bar_of(task, units)),
            }
        }
        let (name, shown) = (task.to_owned(), Instant::now());
        work.task = Some(Task { name, units, done: 0, planned: step.is_some(), shown, bar: own });
        if self.form == Form::Json {
            let mut event = with_units(json!({"event": "started", "task": task}), units);
            if let Some([number, of]) = step {
                event["step"] = number.into();
                event["steps"] = of.into();
            }
            write_event(&event);
        }
    }

    fn advance(&self, units: u64) {
        if self.form == Form::Lines {
            return;
        }
        let mut work = self.work();
        let InHand { task: Some(task), plan, whole } = &mut *work else { return };
        task.done += units;
        if let Some(bar) = &task.bar {
            bar.inc(units);
        } else if let Some(whole) = whole {
            if task.planned {
                whole.set_position(plan.position(task.done, task.units));
            }
        } else if task.shown.elapsed() >= EVENT_INTERVAL {
            task.shown = Instant::now();
            let event = json!({"event": "advanced", "task": task.name, "done": task.done});
            write_event(&with_units(event, task.units));
        }
    }

    fn finished(&self, summary: &str) {
        let mut work = self.work();
        let Some(Task { name, planned, bar, .. }) = work.task.take() else { return };
        if planned {
            work.plan.end();
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        let line = || write_line(&format!("{name:<19} {summary}"));
        match (self.form, &work.whole) {
            (Form::Json, _) => write_event(&json!({"event": "finished", "task": name, "summary": summary})),
            (Form::Bar, _) if summary.is_empty() => {}
            (Form::Bar, Some(whole)) => whole.suspend(line),
            (Form::Bar, None) => line(),
            (Form::Lines, _) => {}
        }
        if planned {
            work.close();
        }
    }

    fn note(&self, message: &str) {
        self.report(message);
    }

    fn warn(&self, message: &str) {
        if !self.quiet {
            self.say("warning", message, &format!("warning: {message}"));
        }
    }
}

/// Of work whose length is known, of other work, and of all that was planned.
const BAR: &str = "{prefix:<19} {wide_bar} {percent:>3} %  {human_pos}/{human_len}  {rate}  {eta} left";
const SPINNER: &str = "{prefix:<19} {spinner} {elapsed}";
const WHOLE: &str = "{prefix:<19} {wide_bar} {percent:>3} %  step {msg}  {eta} left";

fn bar(template: &str, length: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr_with_hz(BAR_RATE));
    // The templates are constants that a test parses.
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
        let _ = write!(out, "{:.0}/s", state.per_sec());
    });
    bar.with_style(style)
}

/// The bar of one task.
fn bar_of(task: &str, units: u64) -> ProgressBar {
    let (template, length) = if units > 0 { (BAR, Some(units)) } else { (SPINNER, None) };
    let bar = bar(template, length).with_prefix(escaped(task).into_owned());
    if units == 0 {
        // Nothing else would move it.
        bar.enable_steady_tick(TICK);
    }
    bar
}

fn with_units(mut event: Value, units: u64) -> Value {
    if units > 0 {
        event["units"] = units.into();
    }
    event
}

fn write_event(event: &Value) {
    write_line(&event.to_string());
}

/// Writes a line to standard error at once, without what a terminal would obey; if that is closed nobody listens.
fn write_line(line: &str) {
    let mut stderr = Shown::on(io::stderr().lock());
    let _ = stderr.write_all(format!("{line}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_sound() {
        for template in [BAR, SPINNER, WHOLE] {
            assert!(ProgressStyle::with_template(template).is_ok());
        }
    }
}
