//! The workbench answers requests as the page makes them, and refuses others.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use alinea::error::{Error, Result};
use alinea::parallel::{Parallelism, Work};
use alinea::progress::Observer;
use alinea::word_vectors::WordVectors;
use alinea_annotate::annotate::{ADJUDICATOR, PairWords, Project, ProjectSettings};
use alinea_annotate::workbench::{Place, Workbench};
use serde_json::{Value, json};

/// As long as anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A workbench that is served.
struct Served {
    address: SocketAddr,
    tokens: Vec<(String, String)>,
    closed: Closed,
    thread: Option<JoinHandle<()>>,
}

/// Says that it is to end, once it is told.
#[derive(Clone, Default)]
struct Closed(Arc<AtomicBool>);

impl Observer for Closed {
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// An answer.
#[derive(Debug)]
struct Answer {
    status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }
}

impl Served {
    fn of(folder: &Path, names: &[&str]) -> Self {
        Self::with_shared(folder, names, 0.0)
    }

    /// With this share of sentences that all link.
    fn with_shared(folder: &Path, names: &[&str], shared: f64) -> Self {
        let mut project = if Project::is_in(folder) {
            Project::open(folder).unwrap()
        } else {
            let settings = ProjectSettings { shared, ..ProjectSettings::default() };
            Project::create(folder, &text(), &settings).unwrap()
        };
        for name in names {
            project.add_annotator(name).unwrap();
        }
        Self::at(Workbench::new(project, &Place::default()).unwrap())
    }

    fn at(workbench: Workbench) -> Self {
        let tokens: Vec<(String, String)> = workbench
            .addresses()
            .into_iter()
            .map(|(name, address)| (name, address.split_once("#token=").unwrap().1.to_owned()))
            .collect();
        let address =
            workbench.addresses()[0].1.trim_start_matches("http://").split_once('/').unwrap().0.parse().unwrap();
        let closed = Closed::default();
        let observer = closed.clone();
        let thread = std::thread::spawn(move || workbench.serve(Parallelism::serial(), &observer).unwrap());
        Self { address, tokens, closed, thread: Some(thread) }
    }

    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let (own, length) = (self.address.to_string(), body.len().to_string());
        let host = headers.iter().any(|(name, _)| *name == "Host").then_some(("Connection", "close"));
        let others = [("Connection", "close"), ("Content-Length", &length), host.unwrap_or(("Host", &own))];
        let lines = others.iter().chain(headers).map(|(name, value)| format!("{name}: {value}\r\n"));
        let request = format!("{method} {path} HTTP/1.1\r\n{}\r\n{body}", lines.collect::<String>());
        // An answer may come, and the connection end, before the whole request was sent.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or_else(|| panic!("{answer:?}"));
        let headers = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, headers: headers.to_lowercase(), body: answer[end + 4..].to_vec() }
    }

    fn bearer(&self, name: &str) -> String {
        let (_, token) = self.tokens.iter().find(|(other, _)| other == name).unwrap();
        format!("Bearer {token}")
    }

    fn get(&self, name: &str, path: &str) -> Answer {
        self.request("GET", path, &[("Authorization", &self.bearer(name))], "")
    }

    fn post(&self, name: &str, path: &str, body: &Value) -> Answer {
        self.request("POST", path, &[("Authorization", &self.bearer(name))], &body.to_string())
    }

    /// Takes a step, knowing of all before.
    fn step(&self, name: &str, n: usize, id: &str, action: &Value) -> Value {
        let steps = self.get(name, &format!("/api/sentences/{n}")).json()["steps"].clone();
        let asked = json!({"id": id, "steps": steps, "seconds": 2.0, "action": action});
        let answer = self.post(name, &format!("/api/sentences/{n}/steps"), &asked);
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    /// Waits for changes until one is as wanted.
    fn wait_for(&self, name: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let (started, mut version) = (Instant::now(), Value::Null);
        loop {
            let since = version.as_u64().map_or(String::new(), |version| format!("?since={version}"));
            let changes = self.get(name, &format!("/api/changes{since}")).json();
            if is_wanted(&changes) {
                return changes;
            }
            assert!(started.elapsed() < PATIENCE, "{changes}");
            version = changes["version"].clone();
        }
    }

    fn close(mut self) {
        self.closed.0.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

fn text() -> Vec<PairWords> {
    let lines = [
        ("The house is big", "La maison est grande"),
        ("The flower is small", "La fleur est petite"),
        ("A big flower", "Une grande fleur"),
        ("The small house", "La petite maison"),
        ("Nothing", ""),
        ("A house", "Une maison"),
    ];
    let cut = |line: &str| line.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    lines.map(|(source, target)| [cut(source), cut(target)]).to_vec()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn the_page_is_there_and_loads_nothing_from_elsewhere() {
    let folder = folder();
    let served = Served::of(&folder.path().join("p"), &["lisa"]);
    let page = served.request("GET", "/", &[], "");
    assert_eq!(page.status, 200);
    assert!(page.headers.contains("content-type: text/html; charset=utf-8"));
    assert!(page.headers.contains("content-security-policy: default-src 'none'; script-src 'self';"));
    for header in ["x-content-type-options: nosniff", "referrer-policy: no-referrer", "x-frame-options: deny"] {
        assert!(page.headers.contains(header), "{header}");
    }
    let html = String::from_utf8(page.body).unwrap();
    let files: Vec<&str> =
        html.split(['"', '\'']).filter(|part| [".js", ".css"].iter().any(|end| part.ends_with(end))).collect();
    assert!(files.len() >= 2, "{files:?}");
    for part in files {
        let file = served.request("GET", &format!("/{}", part.trim_start_matches(['.', '/'])), &[], "");
        assert_eq!(file.status, 200, "{part}");
    }
    for path in
        ["/project.json", "/tokens.json", "/../project.json", "/%2e%2e/tokens.json", "/journals/lisa.jsonl", "/api/x"]
    {
        let status = served.get("lisa", path).status;
        assert!(status == 404 || status == 400, "{path}: {status}");
    }
    served.close();
}

#[test]
fn nobody_else_is_answered() {
    let folder = folder();
    let served = Served::of(&folder.path().join("p"), &["lisa"]);
    let bearer = served.bearer("lisa");
    let status = |headers: &[(&str, &str)]| served.request("GET", "/api/session", headers, "").status;
    assert_eq!(status(&[("Authorization", &bearer)]), 200);
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("Authorization", "Bearer 00000000000000000000000000000000")]), 401);
    assert_eq!(status(&[("Authorization", &bearer), ("Host", "evil.example")]), 421);
    assert_eq!(status(&[("Authorization", &bearer), ("Origin", "http://evil.example")]), 403);
    assert_eq!(status(&[("Authorization", &bearer), ("Origin", "null")]), 403);
    let large = "x".repeat(2 << 20);
    let answer = served.request("POST", "/api/sentences/0/steps", &[("Authorization", &bearer)], &large);
    assert_eq!(answer.status, 413);
    assert!(answer.json()["error"].is_string(), "a page gives up what it was told a reason for");
    let own = format!("http://{}", served.address);
    assert_eq!(status(&[("Authorization", &bearer), ("Origin", &own)]), 200);
    served.close();
}

#[test]
fn steps_are_taken_once_and_survive() {
    let folder = folder();
    let path = folder.path().join("p");
    let served = Served::of(&path, &["lisa"]);
    let mark = json!({"do": "mark", "links": [[0, 0], [1, 1]], "mark": "sure"});
    let sentence = served.step("lisa", 0, "a", &mark);
    assert_eq!(sentence["marks"], json!([[0, 0, "sure", false], [1, 1, "sure", false]]));
    assert_eq!((&sentence["steps"], &sentence["undo"], &sentence["redo"]), (&json!(1), &json!(true), &json!(false)));
    let again = json!({"id": "a", "steps": 0, "seconds": 2.0, "action": mark});
    assert_eq!(served.post("lisa", "/api/sentences/0/steps", &again).json()["steps"], 1, "a page that did not hear");
    let stale = json!({"id": "b", "steps": 0, "seconds": 2.0, "action": {"do": "flag", "on": true}});
    let answer = served.post("lisa", "/api/sentences/0/steps", &stale);
    assert_eq!((answer.status, &answer.json()["sentence"]["steps"]), (409, &json!(1)), "another window");
    for (wrong, status) in [
        (
            json!({"id": "c", "steps": 1, "seconds": 2.0, "action": {"do": "mark", "links": [[9, 9]], "mark": "sure"}}),
            400,
        ),
        (json!({"id": "c", "steps": 1, "seconds": -2.0, "action": {"do": "flag", "on": true}}), 400),
        (json!({"id": "c", "steps": 1, "seconds": 2.0, "action": {"do": "dance"}}), 400),
        (json!({"id": "c", "steps": 1}), 400),
    ] {
        assert_eq!(served.post("lisa", "/api/sentences/0/steps", &wrong).status, status, "{wrong}");
    }
    assert_eq!(served.post("lisa", "/api/sentences/77/steps", &again).status, 404);
    assert_eq!(served.get("lisa", "/api/sentences/77").status, 404);
    served.step("lisa", 0, "d", &json!({"do": "confirm", "accepted": [[[2, 2], "sure"], [[3, 3], "possible"]]}));
    served.close();

    let served = Served::of(&path, &[]);
    let sentence = served.get("lisa", "/api/sentences/0").json();
    assert_eq!((&sentence["confirmed"], &sentence["seconds"]), (&json!(true), &json!(4.0)));
    assert_eq!(sentence["marks"].as_array().unwrap().len(), 4);
    let session = served.get("lisa", "/api/session").json();
    assert_eq!(session["annotators"], json!([{"name": "lisa", "confirmed": 1, "seconds": 4.0}]));
    let links = served.get("lisa", "/api/export?format=pharaoh&by=lisa");
    assert!(links.headers.contains("content-disposition: attachment"), "{}", links.headers);
    assert_eq!(String::from_utf8(links.body).unwrap(), "0-0 1-1 2-2 3p3\n\n\n\n\n\n");
    let who = String::from_utf8(served.get("lisa", "/api/export?format=who").body).unwrap();
    assert!(who.contains(r#"[1,1,"sure","by-hand"],[2,2,"sure","accepted"],[3,3,"possible","accepted"]"#), "{who}");
    assert_eq!(served.get("lisa", "/api/export?format=xml").status, 400);
    served.close();
}

#[test]
fn suggestions_come_and_change_with_what_is_confirmed() {
    let folder = folder();
    let served = Served::of(&folder.path().join("p"), &["lisa"]);
    let first = served.wait_for("lisa", |changes| changes["suggestions"] == 1 && changes["learning"] == false);
    assert!(first.get("fault").is_none());
    let before = served.get("lisa", "/api/sentences/3").json();
    assert!(!before["suggestions"]["cells"].as_array().unwrap().is_empty(), "{before}");
    let n = served.post("lisa", "/api/next", &json!({"after": null})).json()["n"].as_u64().unwrap() as usize;
    assert_ne!(n, 4, "there is nothing to link in it");
    served.step("lisa", 0, "a", &json!({"do": "confirm", "accepted": [[[0, 0], "sure"], [[1, 1], "sure"]]}));
    served.wait_for("lisa", |changes| changes["suggestions"] == 2);
    assert_eq!(served.get("lisa", "/api/sentences/3").json()["suggestions"]["version"], 2);
    // Nothing is learned from what is not confirmed.
    served.step("lisa", 1, "b", &json!({"do": "mark", "links": [[0, 0]], "mark": "sure"}));
    served.post("lisa", "/api/settings", &json!({"follow": false}));
    served.wait_for("lisa", |changes| changes["suggestions"] == 3);
    assert_eq!(served.get("lisa", "/api/learned").json()["used"], false);
    // All are done in the end.
    for n in [1, 2, 3, 5] {
        served.step("lisa", n, &format!("c{n}"), &json!({"do": "confirm", "accepted": []}));
    }
    assert_eq!(served.post("lisa", "/api/next", &json!({"after": 3})).json()["n"], Value::Null);
    served.close();
}

/// A workbench with an encoder.
fn encoded(
    folder: &Path,
    encode: impl Fn([&[String]; 2], Option<&Path>) -> Result<[WordVectors; 2]> + Send + 'static,
) -> Served {
    let mut project = Project::create(folder, &text(), &ProjectSettings::default()).unwrap();
    project.add_annotator("lisa").unwrap();
    let workbench = Workbench::new(project, &Place::default()).unwrap();
    Served::at(workbench.with_encoder(move |lines, cache, work: Work<'_>| {
        work.observer.started("encoding", 4);
        work.observer.advance(2);
        encode(lines, cache)
    }))
}

#[test]
fn suggestions_do_not_wait_for_an_encoder() {
    let folder = folder();
    let path = folder.path().join("p");
    let (go, wait) = std::sync::mpsc::channel();
    let (expected, lines) = (path.join("vectors.alinea"), text());
    let served = encoded(&path, move |[source, target], cache| {
        assert_eq!(cache, Some(expected.as_path()));
        // Sentence 4 has an empty side.
        let written: Vec<String> = [0, 1, 2, 3, 5].map(|n: usize| lines[n][0].join(" ")).to_vec();
        assert_eq!((source, target.len()), (written.as_slice(), 5));
        wait.recv().unwrap();
        // A number for each length.
        let vectors = |sentences: &[String]| {
            let mut vectors = WordVectors::new("toy.1", 16);
            for sentence in sentences {
                let of_word = |word: &str| (0..16).map(|n| f32::from(word.len() % 16 == n) + 0.1).collect::<Vec<f32>>();
                vectors.push(&sentence.split(' ').flat_map(of_word).collect::<Vec<f32>>());
            }
            vectors
        };
        Ok([vectors(source), vectors(target)])
    });
    let first = served.wait_for("lisa", |changes| changes["suggestions"] == 1 && changes["encoding"] == 25);
    assert!(first.get("encoder_fault").is_none());
    // Confirmed sentences are learned from meanwhile.
    served.step("lisa", 0, "a", &json!({"do": "confirm", "accepted": [[[0, 0], "sure"], [[1, 1], "sure"]]}));
    served.wait_for("lisa", |changes| changes["suggestions"] == 2);
    go.send(()).unwrap();
    let last = served.wait_for("lisa", |changes| changes["suggestions"] == 3 && changes["learning"] == false);
    assert!(last.get("encoding").is_none() && last.get("fault").is_none(), "{last}");
    served.close();
}

#[test]
fn suggestions_go_on_where_an_encoder_fails() {
    let folder = folder();
    let served =
        encoded(&folder.path().join("p"), |_, cache| Err(Error::io(cache.unwrap(), ErrorKind::StorageFull.into())));
    let told = served.wait_for("lisa", |changes| changes["suggestions"] == 1 && changes.get("encoder_fault").is_some());
    assert!(told["encoder_fault"].as_str().unwrap().contains("vectors.alinea"), "{told}");
    assert!(told.get("encoding").is_none() && told.get("fault").is_none(), "{told}");
    served.step("lisa", 0, "a", &json!({"do": "confirm", "accepted": [[[0, 0], "sure"], [[1, 1], "sure"]]}));
    served.wait_for("lisa", |changes| changes["suggestions"] == 2);
    served.close();
}

#[test]
fn annotators_differ_and_somebody_decides() {
    let folder = folder();
    let served = Served::of(&folder.path().join("p"), &["lisa", "jonas"]);
    let confirm = |links: &Value| json!({"do": "confirm", "accepted": links});
    served.step("lisa", 0, "a", &confirm(&json!([[[0, 0], "sure"], [[1, 1], "sure"]])));
    served.step("lisa", 5, "b", &confirm(&json!([[[0, 0], "sure"], [[1, 1], "sure"]])));
    served.step("jonas", 5, "a", &confirm(&json!([[[0, 0], "sure"], [[1, 1], "sure"]])));
    served.step("jonas", 0, "b", &confirm(&json!([[[0, 0], "sure"], [[1, 1], "possible"], [[2, 2], "sure"]])));
    let agreement = served.get("lisa", "/api/agreement").json();
    let pair = &agreement["pairs"][0];
    assert_eq!((&pair["first"], &pair["second"], &pair["sentences"]), (&json!("jonas"), &json!("lisa"), &json!(2)));
    // 4 of 5 and 4 of 4 links in common, whatever their kind.
    assert!((pair["agreement"].as_f64().unwrap() - 8.0 / 9.0).abs() < 1e-9, "{agreement}");
    let list = served.get(ADJUDICATOR, "/api/adjudication").json();
    let expected = json!([
        {"n": 0, "annotators": ["jonas", "lisa"], "differences": 2, "decided": false},
        {"n": 5, "annotators": ["jonas", "lisa"], "differences": 0, "decided": false},
    ]);
    assert_eq!(list["sentences"], expected);
    let decide = json!({"id": "x", "steps": 0, "seconds": 1.0, "action": confirm(&json!([[[0, 0], "sure"]]))});
    assert_eq!(served.post("lisa", "/api/adjudication/0/steps", &decide).status, 403);
    let decided = served.post(ADJUDICATOR, "/api/adjudication/0/steps", &decide).json();
    assert_eq!(decided["decision"]["marks"], json!([[0, 0, "sure", true]]));
    assert_eq!(decided["annotators"][1]["marks"].as_array().unwrap().len(), 2, "nobody's links change");
    let list = served.get(ADJUDICATOR, "/api/adjudication").json();
    assert_eq!((&list["sentences"][0]["n"], &list["sentences"][1]["decided"]), (&json!(5), &json!(true)));
    for path in
        ["/api/adjudication", "/api/adjudication/0", "/api/export?format=who", "/api/export?format=pharaoh&by=jonas"]
    {
        assert_eq!(served.get("lisa", path).status, 403, "{path}");
    }
    assert_eq!(served.post("lisa", "/api/close", &json!({})).status, 403);
    assert_eq!(served.post("lisa", "/api/settings", &json!({"follow": false})).status, 403);
    assert_eq!(served.get("lisa", "/api/export?format=pharaoh&by=lisa").status, 200);
    let links = served.get(ADJUDICATOR, "/api/export?format=pharaoh&by=all");
    assert_eq!(String::from_utf8(links.body).unwrap(), "0-0\n\n\n\n\n0-0 1-1\n");
    served.close();
}

#[test]
fn sentences_are_not_given_to_two() {
    let folder = folder();
    let served = Served::of(&folder.path().join("p"), &["lisa", "jonas"]);
    served.wait_for("lisa", |changes| changes["suggestions"] == 1);
    let next = |name: &str| served.post(name, "/api/next", &json!({"after": null})).json()["n"].as_u64();
    let (lisa, jonas) = (next("lisa"), next("jonas"));
    assert!(lisa.is_some() && jonas.is_some() && lisa != jonas, "{lisa:?} {jonas:?}");
    served.close();
}

#[test]
fn a_project_is_found_again_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let project = || {
        let folder = folder.path().join("p");
        let mut project =
            Project::of_text(&folder, &text(), &ProjectSettings { shared: 0.0, ..ProjectSettings::default() }).unwrap();
        project.add_annotator("lisa").unwrap();
        project
    };
    let first = Workbench::new(project(), &Place::default()).unwrap().addresses();
    let again = Workbench::new(project(), &Place::default()).unwrap();
    assert_eq!(again.addresses(), first, "one annotator, who needs nobody to adjudicate");
    assert_eq!(first.len(), 1);
    let port = first[0].1.split(['/', ':']).nth(4).unwrap().parse().unwrap();
    drop(again);
    // Who else has the port keeps it.
    let other = std::net::TcpListener::bind(("127.0.0.1", port)).unwrap();
    assert_ne!(Workbench::new(project(), &Place::default()).unwrap().addresses(), first);
    assert!(Workbench::new(project(), &Place { port, ..Place::default() }).is_err());
    drop(other);
}

#[test]
fn shared_sentences_are_given_to_all() {
    let folder = folder();
    let served = Served::with_shared(&folder.path().join("p"), &["lisa", "jonas"], 1.0);
    served.wait_for("lisa", |changes| changes["suggestions"] == 1);
    for n in [1, 3] {
        served.step("lisa", n, &format!("a{n}"), &json!({"do": "confirm", "accepted": [[[0, 0], "sure"]]}));
    }
    let next = |name: &str| served.post(name, "/api/next", &json!({"after": null})).json()["n"].clone();
    assert_eq!(next("jonas"), 1, "what another has confirmed comes first");
    served.step("jonas", 1, "a", &json!({"do": "confirm", "accepted": []}));
    assert_eq!(next("jonas"), 3);
    // What one has linked is not suggested to another, nor is it what the model has learned.
    served.wait_for("lisa", |changes| changes["suggestions"].as_u64() > Some(1) && changes["learning"] == false);
    let cells = served.get("jonas", "/api/sentences/3").json()["suggestions"]["cells"].clone();
    assert!(cells.as_array().unwrap().iter().all(|cell| cell[2].as_f64() < Some(1.0)), "{cells}");
    assert!(![1, 3].contains(&next("lisa").as_u64().unwrap()), "nobody has them twice");
    served.close();
}

#[test]
fn the_page_can_end_it() {
    let folder = folder();
    let path = folder.path().join("p");
    let mut served = Served::of(&path, &["lisa"]);
    assert_eq!(served.post("lisa", "/api/close", &json!({})).status, 204);
    served.thread.take().unwrap().join().unwrap();
    assert!(Project::open(&path).is_ok(), "the folder is free");
}
