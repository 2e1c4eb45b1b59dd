//! What the page may ask for.
//!
//! Requests that take the project, or write to the disk, run on threads of their own, so that others are answered meanwhile. What
//! is told follows from a snapshot of the project, so that steps are taken meanwhile, too.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Path, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::{Deserialize, Serialize};

use super::access::Access;
use super::answers;
use super::desk::Desk;
use super::page::FILES;
use crate::annotate::{ADJUDICATOR, Action, Entry, ExportFormat, Performed, Whose, export};
use crate::error::{Error, ErrorKind};

/// The largest request, in bytes: a comment, or the links of two long sentences.
const LARGEST: usize = 1 << 20;

/// How long a request waits for changes.
const LONGEST_WAIT: Duration = Duration::from_secs(25);

/// The page loads nothing from elsewhere, and runs nothing that is not a file of its own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The name of who asks.
#[derive(Debug, Clone)]
struct Who(String);

/// All routes; the body of a request may take so long.
pub(super) fn all(desk: Arc<Desk>, access: Arc<Access>, longest: Duration) -> Router {
    let asked = Router::new()
        .route("/session", get(session))
        .route("/sentences", get(sentences))
        .route("/sentences/{n}", get(sentence))
        .route("/sentences/{n}/steps", post(step))
        .route("/next", post(next))
        .route("/changes", get(changes))
        .route("/learned", get(learned))
        .route("/settings", post(settings))
        .route("/agreement", get(agreement))
        .route("/adjudication", get(to_adjudicate))
        .route("/adjudication/{n}", get(adjudicated))
        .route("/adjudication/{n}/steps", post(adjudicate))
        .route("/export", get(exported))
        .route("/close", post(close))
        .layer(from_fn_with_state(longest, received))
        .layer(DefaultBodyLimit::max(LARGEST))
        .layer(from_fn_with_state(Arc::clone(&access), identified))
        .with_state(desk);
    let mut routes = Router::new().nest("/api", asked);
    for (place, file) in FILES.iter().enumerate() {
        let path = if place == 0 { "/".to_owned() } else { format!("/{}", file.name) };
        routes = routes.route(&path, get(|| async { ([(CONTENT_TYPE, file.kind)], file.text) }));
    }
    routes.layer(from_fn_with_state(access, guarded))
}

/// Refuses requests that come from elsewhere, and says with each answer what browsers may do with it.
async fn guarded(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let mut response = match access.check_origin(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(status) => status.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses who has no token.
async fn identified(State(access): State<Arc<Access>>, mut request: Request, next: Next) -> Response {
    match access.who(request.headers()) {
        Ok(name) => {
            request.extensions_mut().insert(Who(name));
            next.run(request).await
        }
        Err(status) => refused(status, "this address has no valid token"),
    }
}

/// Waits for the body of a request, which may not take too long.
async fn received(State(longest): State<Duration>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let sent = Bytes::from_request(Request::from_parts(head.clone(), body), &());
    match tokio::time::timeout(longest, sent).await {
        Ok(Ok(body)) => next.run(Request::from_parts(head, Body::from(body))).await,
        Ok(Err(rejection)) => refused(rejection.status(), &rejection.body_text()),
        Err(_) => refused(StatusCode::REQUEST_TIMEOUT, "the request took too long"),
    }
}

/// What went wrong, for the page to show.
#[derive(Debug, Serialize)]
struct Refusal<'a> {
    error: &'a str,
}

fn refused(status: StatusCode, error: &str) -> Response {
    json(status, &Refusal { error })
}

fn failed(error: &Error) -> Response {
    let status = match error.kind() {
        ErrorKind::Io { .. } => StatusCode::INSUFFICIENT_STORAGE,
        _ => StatusCode::BAD_REQUEST,
    };
    refused(status, &error.to_string())
}

fn json(status: StatusCode, answer: &impl Serialize) -> Response {
    match serde_json::to_vec(answer) {
        Ok(body) => (status, [(CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

fn told(answer: &impl Serialize) -> Response {
    json(StatusCode::OK, answer)
}

/// Answers on a thread where waiting for the disk holds nobody up.
async fn answer(desk: Arc<Desk>, make: impl FnOnce(&Desk) -> Response + Send + 'static) -> Response {
    let made = tokio::task::spawn_blocking(move || make(&desk)).await;
    made.unwrap_or_else(|_| refused(StatusCode::INTERNAL_SERVER_ERROR, "the request could not be answered"))
}

/// What a request has in its body.
fn read<'d, T: Deserialize<'d>>(body: &'d Bytes) -> Result<T, Box<Response>> {
    serde_json::from_slice(body).map_err(|error| Box::new(refused(StatusCode::BAD_REQUEST, &error.to_string())))
}

fn unknown_sentence() -> Response {
    refused(StatusCode::NOT_FOUND, "there is no such sentence")
}

async fn session(State(desk): State<Arc<Desk>>, Extension(Who(name)): Extension<Who>) -> Response {
    answer(desk, move |desk| told(&answers::session(&desk.project(), &name))).await
}

async fn sentences(State(desk): State<Arc<Desk>>, Extension(Who(name)): Extension<Who>) -> Response {
    answer(desk, move |desk| {
        let (now, project) = (desk.now(), desk.project());
        let Some(annotator) = project.annotator(&name) else { return unknown_annotator() };
        told(&answers::list(&project, annotator, &now))
    })
    .await
}

fn unknown_annotator() -> Response {
    refused(StatusCode::FORBIDDEN, "there is no such annotator")
}

async fn sentence(
    State(desk): State<Arc<Desk>>,
    Extension(Who(name)): Extension<Who>,
    Path(n): Path<usize>,
) -> Response {
    answer(desk, move |desk| shown(desk, &name, n, StatusCode::OK)).await
}

/// A sentence as an annotator sees it.
fn shown(desk: &Desk, name: &str, n: usize, status: StatusCode) -> Response {
    let (now, project) = (desk.now(), desk.project());
    let Some(annotator) = project.annotator(name) else { return unknown_annotator() };
    if n >= project.len() {
        return unknown_sentence();
    }
    json(status, &answers::sentence(&project, annotator, n, Some(&now)))
}

/// A step, as the page sends it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    id: String,
    /// How many steps the page knows of.
    steps: usize,
    seconds: f64,
    action: Action,
}

/// What became of a step.
enum Outcome {
    Taken,
    OutOfDate,
    Refused(Response),
}

async fn step(
    State(desk): State<Arc<Desk>>,
    Extension(Who(name)): Extension<Who>,
    Path(n): Path<usize>,
    body: Bytes,
) -> Response {
    answer(desk, move |desk| match take(desk, &name, n, &body) {
        Outcome::Taken => shown(desk, &name, n, StatusCode::OK),
        Outcome::OutOfDate => out_of_date(desk, &name, n),
        Outcome::Refused(response) => response,
    })
    .await
}

/// Says that other steps were taken meanwhile, and what the sentence is now.
fn out_of_date(desk: &Desk, name: &str, n: usize) -> Response {
    #[derive(Serialize)]
    struct OutOfDate<S> {
        error: &'static str,
        sentence: S,
    }
    let (now, project) = (desk.now(), desk.project());
    let Some(annotator) = project.annotator(name) else { return unknown_annotator() };
    let sentence = answers::sentence(&project, annotator, n, Some(&now));
    json(StatusCode::CONFLICT, &OutOfDate { error: "the sentence was changed elsewhere", sentence })
}

/// Takes a step of somebody.
fn take(desk: &Desk, name: &str, n: usize, body: &Bytes) -> Outcome {
    let Asked { id, steps, seconds, action } = match read(body) {
        Ok(asked) => asked,
        Err(response) => return Outcome::Refused(*response),
    };
    let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
    let entry = Entry { id, at, sentence: n, seconds, action };
    let mut project = desk.locked();
    if n >= project.len() {
        return Outcome::Refused(unknown_sentence());
    }
    let before = project.known_of(n);
    let Some(annotator) = project.annotator_mut(name) else { return Outcome::Refused(unknown_annotator()) };
    match annotator.perform(entry, steps) {
        Err(error) => return Outcome::Refused(failed(&error)),
        Ok(Performed::OutOfDate) => return Outcome::OutOfDate,
        Ok(Performed::Done | Performed::Before) => {}
    }
    if project.known_of(n) != before {
        desk.revise();
    }
    drop(project);
    desk.tell();
    Outcome::Taken
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    after: Option<usize>,
}

async fn next(State(desk): State<Arc<Desk>>, Extension(Who(name)): Extension<Who>, body: Bytes) -> Response {
    #[derive(Serialize)]
    struct Found {
        n: Option<usize>,
    }
    answer(desk, move |desk| match read::<After>(&body) {
        Ok(After { after }) => told(&Found { n: desk.next(&name, after) }),
        Err(response) => *response,
    })
    .await
}

#[derive(Debug, Deserialize)]
struct Since {
    since: Option<u64>,
}

/// Waits until something is new.
async fn changes(State(desk): State<Arc<Desk>>, Query(Since { since }): Query<Since>) -> Response {
    let (mut versions, mut closing) = (desk.versions(), desk.closing());
    let is_new = |version: &u64| Some(*version) != since;
    tokio::select! {
        _ = versions.wait_for(is_new) => {}
        _ = closing.wait_for(|closed| *closed) => {}
        () = tokio::time::sleep(LONGEST_WAIT) => {}
    }
    let version = *versions.borrow();
    answer(desk, move |desk| {
        let (now, project) = (desk.now(), desk.project());
        told(&answers::changes(&project, &now, version))
    })
    .await
}

async fn learned(State(desk): State<Arc<Desk>>) -> Response {
    answer(desk, |desk| {
        let (now, project) = (desk.now(), desk.project());
        told(&answers::learned(&project, &now))
    })
    .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Switched {
    learning: Option<bool>,
    follow: Option<bool>,
}

/// What is for those who decide about the work of all.
fn leads_only() -> Response {
    refused(StatusCode::FORBIDDEN, "this is for whoever adjudicates")
}

async fn settings(State(desk): State<Arc<Desk>>, Extension(Who(name)): Extension<Who>, body: Bytes) -> Response {
    answer(desk, move |desk| {
        let mut project = desk.locked();
        if !answers::leads(&project, &name) {
            return leads_only();
        }
        let Switched { learning, follow } = match read(&body) {
            Ok(switched) => switched,
            Err(response) => return *response,
        };
        let mut settings = project.settings().clone();
        settings.learning = learning.unwrap_or(settings.learning);
        settings.follow = follow.unwrap_or(settings.follow);
        if let Err(error) = project.set_settings(settings) {
            return failed(&error);
        }
        desk.revise();
        desk.tell();
        told(&answers::settings(&project))
    })
    .await
}

async fn agreement(State(desk): State<Arc<Desk>>) -> Response {
    answer(desk, |desk| match answers::agreement(&desk.project()) {
        Ok(agreement) => told(&agreement),
        Err(error) => failed(&error),
    })
    .await
}

async fn to_adjudicate(State(desk): State<Arc<Desk>>, Extension(Who(name)): Extension<Who>) -> Response {
    answer(
        desk,
        move |desk| {
            if name == ADJUDICATOR { told(&answers::to_adjudicate(&desk.project())) } else { leads_only() }
        },
    )
    .await
}

async fn adjudicated(
    State(desk): State<Arc<Desk>>,
    Extension(Who(name)): Extension<Who>,
    Path(n): Path<usize>,
) -> Response {
    answer(desk, move |desk| {
        if name != ADJUDICATOR {
            return leads_only();
        }
        let project = desk.project();
        if n < project.len() { told(&answers::adjudicated(&project, n)) } else { unknown_sentence() }
    })
    .await
}

async fn adjudicate(
    State(desk): State<Arc<Desk>>,
    Extension(Who(name)): Extension<Who>,
    Path(n): Path<usize>,
    body: Bytes,
) -> Response {
    answer(desk, move |desk| {
        if name != ADJUDICATOR {
            return leads_only();
        }
        match take(desk, ADJUDICATOR, n, &body) {
            Outcome::Taken => told(&answers::adjudicated(&desk.project(), n)),
            Outcome::OutOfDate => out_of_date(desk, ADJUDICATOR, n),
            Outcome::Refused(response) => response,
        }
    })
    .await
}

#[derive(Debug, Deserialize)]
struct Export {
    format: String,
    by: Option<String>,
}

async fn exported(
    State(desk): State<Arc<Desk>>,
    Extension(Who(name)): Extension<Who>,
    Query(Export { format, by }): Query<Export>,
) -> Response {
    answer(desk, move |desk| {
        let project = desk.project();
        // Others link on their own.
        if by.as_ref() != Some(&name) && !answers::leads(&project, &name) {
            return leads_only();
        }
        let format_of = match format.as_str() {
            "who" => Ok(ExportFormat::Who),
            name => name.parse().map(ExportFormat::Alignment),
        };
        let whose = by.filter(|by| by != "all").map_or(Whose::All, Whose::Of);
        let links = format_of.and_then(|format| export(&project, &whose, format, Vec::new()));
        match links {
            Ok(links) => {
                let name = format!("attachment; filename=\"links.{format}\"");
                (
                    StatusCode::OK,
                    [(CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (CONTENT_DISPOSITION, name)],
                    links,
                )
                    .into_response()
            }
            Err(error) => failed(&error),
        }
    })
    .await
}

async fn close(State(desk): State<Arc<Desk>>, Extension(Who(name)): Extension<Who>) -> Response {
    answer(desk, move |desk| {
        if !answers::leads(&desk.project(), &name) {
            return leads_only();
        }
        desk.close();
        StatusCode::NO_CONTENT.into_response()
    })
    .await
}
