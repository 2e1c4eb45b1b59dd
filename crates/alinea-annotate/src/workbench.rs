//! A project in the browser: the page, what it asks for, and the model that learns meanwhile.
//!
//! A [`Workbench`] is an open [`Project`] with addresses, one for each annotator. [`Workbench::serve`] answers the page until it is
//! closed. What people do is in their journals before the page learns that it was saved. In the background a
//! thread trains on what they have confirmed; when it is done all pages get its suggestions and the order of the queue, and if
//! somebody confirms a sentence meanwhile it starts again.
//!
//! Who may do what is told by a token, a random number in the fragment of the address, which browsers do not send by themselves:
//! each request names it. Requests for other hosts than this one, or from other pages, are refused (`access`), and the page may load
//! nothing from elsewhere.

mod access;
mod answers;
mod background;
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
use self::desk::Desk;
use self::vectors::LineEncoder;
use crate::annotate::Project;
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
}

impl Workbench {
    /// Takes a place for a project.
    ///
    /// # Errors
    /// `Io` if the place is taken, or the tokens cannot be read or written; `Inconsistent` if nobody takes part.
    pub fn new(project: Project, place: &Place) -> Result<Self> {
        let access = Access::of(&project, place)?;
        let wanted = SocketAddr::new(place.address, place.port);
        let io = |error: std::io::Error| Error::io(wanted.to_string(), error);
        let listener = TcpListener::bind(wanted).map_err(io)?;
        listener.set_nonblocking(true).map_err(io)?;
        let address = listener.local_addr().map_err(io)?;
        let (desk, host) = (Arc::new(Desk::new(project)), place.hosts.first().cloned());
        Ok(Self { desk, access: Arc::new(access), listener, address, host, encoder: None })
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

    /// The address of each annotator, and of the adjudicator, by name; with the first name of the machine, if it serves others.
    pub fn addresses(&self) -> Vec<(String, String)> {
        let port = self.address.port();
        let host = match (self.address.ip(), &self.host) {
            (ip, Some(name)) if !ip.is_loopback() => format!("{name}:{port}"),
            (IpAddr::V4(ip), _) if ip.is_unspecified() => format!("{}:{port}", Ipv4Addr::LOCALHOST),
            (IpAddr::V6(ip), _) if ip.is_unspecified() => format!("[{}]:{port}", Ipv6Addr::LOCALHOST),
            _ => self.address.to_string(),
        };
        self.access.tokens().map(|(name, token)| (name.to_owned(), format!("http://{host}/#token={token}"))).collect()
    }

    /// Answers until the page is closed, or the observer says that it is to end. The project is another process's then, if it asks.
    ///
    /// # Errors
    /// `Io` if the system cannot wait for requests.
    pub fn serve(self, parallelism: Parallelism, observer: &dyn Observer) -> Result<()> {
        let Self { desk, access, listener, address, host: _, encoder } = self;
        let io = |error: std::io::Error| Error::io(address.to_string(), error);
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(io)?;
        let background = Background::start(Arc::clone(&desk), parallelism, encoder);
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let mut closing = desk.closing();
            let ended = async move {
                // An error is the end, too: the desk is gone.
                let _ = closing.wait_for(|is_closed| *is_closed).await;
            };
            let serving = axum::serve(listener, routes::all(Arc::clone(&desk), access)).with_graceful_shutdown(ended);
            let mut serving = std::pin::pin!(serving.into_future());
            let mut left = FAREWELL;
            while left > Duration::ZERO {
                tokio::select! {
                    served = &mut serving => return served,
                    () = tokio::time::sleep(PATIENCE) => {}
                }
                if observer.cancelled() {
                    desk.close();
                }
                if desk.is_closed() {
                    left = left.saturating_sub(PATIENCE);
                }
            }
            Ok(())
        });
        desk.close();
        runtime.shutdown_timeout(FAREWELL);
        background.join();
        served.map_err(io)
    }
}
