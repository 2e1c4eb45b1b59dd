//! A project in the browser: the page, what it asks for, and the model that learns meanwhile.
//!
//! A [`Workbench`] is an open [`Project`] with addresses, one for each annotator. [`Workbench::serve`] answers the page until it is
//! closed. What people do is in their journals before the page learns that it was saved. In the background a
//! thread trains on what they have confirmed; when it is done all pages get its suggestions and the order of the queue, and if
//! somebody confirms a sentence meanwhile it starts again.
//!
//! Who may do what is told by a token, a random number in the fragment of the address, which browsers do not send by themselves:
//! each request names it. Requests for other hosts than this one, or from other pages, are refused (`access`), and the page may load
//! nothing from elsewhere. Requests that take too long are given up (`connections`).

mod access;
mod answers;
mod background;
mod connections;
mod desk;
mod page;
mod place;
mod routes;
mod vectors;

pub use place::Place;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use self::access::Access;
use self::background::Background;
use self::connections::Limits;
use self::desk::Desk;
use self::vectors::LineEncoder;
use crate::annotate::{ADJUDICATOR, Project};
use crate::error::{Error, Result};
use crate::parallel::{Parallelism, Work};
use crate::progress::Observer;
use crate::word_vectors::WordVectors;

/// How long it takes until somebody who closes it is noticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long requests may take that came before it closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// A project that can be reached by browsers.
#[derive(Debug)]
pub struct Workbench {
    desk: Arc<Desk>,
    access: Arc<Access>,
    listener: TcpListener,
    address: SocketAddr,
    /// What others call this machine.
    host: Option<String>,
    encoder: Option<LineEncoder>,
    limits: Limits,
}

impl Workbench {
    /// Takes a place for a project.
    ///
    /// # Errors
    /// `Io` if the place is taken, or the tokens cannot be read or written; `Inconsistent` if nobody takes part.
    pub fn new(project: Project, place: &Place) -> Result<Self> {
        let access = Access::of(&project, place)?;
        let listener = place.take(project.folder())?;
        let io = |error: std::io::Error| Error::io(place.address.to_string(), error);
        listener.set_nonblocking(true).map_err(io)?;
        let address = listener.local_addr().map_err(io)?;
        let (desk, host) = (Arc::new(Desk::new(project)), place.hosts.first().cloned());
        Ok(Self { desk, access: Arc::new(access), listener, address, host, encoder: None, limits: Limits::default() })
    }

    /// Has the model helped by word vectors: the function makes those of the words of lines of both texts, and keeps them in a file.
    /// The first suggestions come without them, since they take some 15 ms a pair.
    #[must_use]
    pub fn with_encoder(
        self,
        encode: impl Fn([&[String]; 2], Option<&Path>, Work<'_>) -> Result<[WordVectors; 2]> + Send + 'static,
    ) -> Self {
        Self { encoder: Some(LineEncoder::new(encode)), ..self }
    }

    /// The address of each annotator by name and, if there are several, at last that of the adjudicator; with the first name of the
    /// machine, if it serves others.
    pub fn addresses(&self) -> Vec<(String, String)> {
        let port = self.address.port();
        let host = match (self.address.ip(), &self.host) {
            (ip, Some(name)) if !ip.is_loopback() => format!("{name}:{port}"),
            (IpAddr::V4(ip), _) if ip.is_unspecified() => format!("{}:{port}", Ipv4Addr::LOCALHOST),
            (IpAddr::V6(ip), _) if ip.is_unspecified() => format!("[{}]:{port}", Ipv6Addr::LOCALHOST),
            _ => self.address.to_string(),
        };
        let (adjudicator, annotators): (Vec<_>, Vec<_>) =
            self.access.tokens().partition(|&(name, _)| name == ADJUDICATOR);
        let several = if annotators.len() > 1 { adjudicator } else { Vec::new() };
        let all = annotators.into_iter().chain(several);
        all.map(|(name, token)| (name.to_owned(), format!("http://{host}/#token={token}"))).collect()
    }

    /// Answers until the page is closed, or the observer says that it is to end. The project is another process's then, if it asks.
    ///
    /// # Errors
    /// `Io` if the system cannot wait for requests.
    pub fn serve(self, parallelism: Parallelism, observer: &dyn Observer) -> Result<()> {
        let Self { desk, access, listener, address, host: _, encoder, limits } = self;
        let io = |error: std::io::Error| Error::io(address.to_string(), error);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(io)?;
        let background = Background::start(Arc::clone(&desk), parallelism, encoder);
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let routes = routes::all(Arc::clone(&desk), access, limits.request);
            tokio::select! {
                () = connections::serve(listener, routes, limits, desk.closing()) => {}
                () = ended(&desk, observer) => {}
            }
            Ok(())
        });
        desk.close();
        runtime.shutdown_timeout(FAREWELL);
        background.join();
        served.map_err(io)
    }
}

/// Waits until it is closed, and its farewell is over.
async fn ended(desk: &Desk, observer: &dyn Observer) {
    while !desk.is_closed() {
        tokio::time::sleep(PATIENCE).await;
        if observer.cancelled() {
            desk.close();
        }
    }
    tokio::time::sleep(FAREWELL).await;
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read as _, Write as _};
    use std::net::TcpStream;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Instant;

    use super::*;
    use crate::annotate::ProjectSettings;

    /// As long as anything may take on a busy machine.
    const AT_MOST: Duration = Duration::from_secs(60);

    /// How long requests may take.
    const REQUEST: Duration = Duration::from_millis(400);

    struct Closed(AtomicBool);

    impl Observer for Closed {
        fn cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }

    /// Has a workbench served for as long as a test takes, which is given its address and a token.
    fn with_limits(limits: Limits, test: impl FnOnce(SocketAddr, &str)) {
        let folder = tempfile::tempdir().unwrap();
        let words = [["The house", "La maison"].map(|line| line.split(' ').map(str::to_owned).collect())];
        let mut project = Project::create(&folder.path().join("p"), &words, &ProjectSettings::default()).unwrap();
        project.add_annotator("lisa").unwrap();
        let workbench = Workbench { limits, ..Workbench::new(project, &Place::default()).unwrap() };
        let (address, token) = (workbench.address, workbench.access.tokens().nth(1).unwrap().1.to_owned());
        let closed = Closed(AtomicBool::new(false));
        std::thread::scope(|scope| {
            let serving = scope.spawn(|| workbench.serve(Parallelism::serial(), &closed));
            let tested = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(address, &token)));
            closed.0.store(true, Ordering::Relaxed);
            serving.join().unwrap().unwrap();
            if let Err(panic) = tested {
                std::panic::resume_unwind(panic);
            }
        });
    }

    fn header(address: SocketAddr, request: &str, token: &str, length: usize) -> String {
        let lines = format!("Host: {address}\r\nAuthorization: Bearer {token}\r\nContent-Length: {length}\r\n");
        format!("{request} HTTP/1.1\r\nConnection: close\r\n{lines}\r\n")
    }

    fn connect(address: SocketAddr) -> TcpStream {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(AT_MOST)).unwrap();
        stream
    }

    /// What is answered to a request.
    fn asked(stream: &mut TcpStream, request: &str) -> String {
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Sends one byte after another until the connection ends; what was answered.
    fn dribbled(stream: &mut TcpStream) -> String {
        stream.set_read_timeout(Some(REQUEST / 8)).unwrap();
        let (started, mut answer, mut bytes) = (Instant::now(), Vec::new(), [0; 1 << 12]);
        while started.elapsed() < AT_MOST {
            let _ = stream.write_all(b"a");
            match stream.read(&mut bytes) {
                Ok(0) => return String::from_utf8(answer).unwrap(),
                Ok(length) => answer.extend_from_slice(&bytes[..length]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return String::from_utf8(answer).unwrap(),
            }
        }
        panic!("the connection lasts for ever");
    }

    #[test]
    fn whoever_sends_byte_by_byte_is_cut_off() {
        with_limits(Limits { request: REQUEST, ..Limits::default() }, |address, token| {
            let (started, mut silent) = (Instant::now(), connect(address));
            let (mut slow, mut slow_body) = (connect(address), connect(address));
            slow.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
            slow_body.write_all(header(address, "POST /api/next", token, 1000).as_bytes()).unwrap();
            let another = asked(&mut connect(address), &header(address, "GET /", token, 0));
            assert!(another.starts_with("HTTP/1.1 200"), "{another}");
            let answer = dribbled(&mut slow);
            assert!(started.elapsed() >= REQUEST && !answer.contains("HTTP/1.1 200"), "{answer}");
            // Its time is counted from its header on, so that it may not be over yet.
            let answer = dribbled(&mut slow_body);
            assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
            assert_eq!(silent.read(&mut [0]).unwrap_or(0), 0);
        });
    }

    #[test]
    fn a_body_that_does_not_come_is_told_so() {
        with_limits(Limits { request: REQUEST, ..Limits::default() }, |address, token| {
            let answer = asked(&mut connect(address), &header(address, "POST /api/next", token, 1000));
            assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        });
    }

    #[test]
    fn whoever_comes_when_all_places_are_taken_waits() {
        with_limits(Limits { number: 2, request: REQUEST, ..Limits::default() }, |address, token| {
            let (started, _silent) = (Instant::now(), [connect(address), connect(address)]);
            let answer = asked(&mut connect(address), &header(address, "GET /", token, 0));
            assert!(answer.starts_with("HTTP/1.1 200") && started.elapsed() >= REQUEST, "{answer}");
        });
    }

    #[test]
    fn a_request_may_wait_for_changes() {
        let limits = Limits { request: REQUEST, lifetime: REQUEST, ..Limits::default() };
        with_limits(limits, |address, token| {
            let version = |answer: &str| -> u64 {
                let (_, rest) = answer.split_once("\"version\":").unwrap();
                rest.split(',').next().unwrap().parse().unwrap()
            };
            // Until nothing changes by itself: the end of learning is seen before it is told.
            let (started, mut known) = (Instant::now(), 0);
            loop {
                let answer = asked(&mut connect(address), &header(address, "GET /api/changes", token, 0));
                let before = std::mem::replace(&mut known, version(&answer));
                if answer.contains("\"learning\":false") && known == before {
                    break;
                }
                assert!(started.elapsed() < AT_MOST, "{answer}");
                std::thread::sleep(PATIENCE);
            }
            let waiting = header(address, &format!("GET /api/changes?since={known}"), token, 0);
            let waiting = std::thread::spawn(move || asked(&mut connect(address), &waiting));
            std::thread::sleep(3 * REQUEST);
            assert!(!waiting.is_finished());
            let step = r#"{"id":"a","steps":0,"seconds":1.0,"action":{"do":"flag","on":true}}"#;
            let step = header(address, "POST /api/sentences/0/steps", token, step.len()) + step;
            assert!(asked(&mut connect(address), &step).starts_with("HTTP/1.1 200"));
            let answer = waiting.join().unwrap();
            assert!(answer.starts_with("HTTP/1.1 200") && version(&answer) == known + 1, "{answer}");
        });
    }
}
