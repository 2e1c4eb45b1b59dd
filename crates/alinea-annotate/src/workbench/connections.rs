//! Connections: how many there may be at a time, and how long each may take, so that whoever sends byte by byte, reads nothing, or says
//! nothing at all holds nothing for ever.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

/// How long it takes until connections are accepted again after an error, such as too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// What connections may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// How many there may be; others wait until one of them ends.
    pub(super) number: u32,
    /// How long the header of a request may take, from the end of the last answer on, and then its body.
    pub(super) request: Duration,
    /// How long a connection may last before it takes no more requests.
    pub(super) lifetime: Duration,
    /// How long what was asked by then may still take. Requests for changes wait.
    pub(super) farewell: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            // A browser has up to six, and systems allow 256 files as a rule, or more.
            number: 200,
            request: Duration::from_secs(30),
            lifetime: Duration::from_secs(600),
            farewell: Duration::from_secs(60),
        }
    }
}

/// Answers whoever connects, until it is closed and what was asked is answered.
pub(super) async fn serve(listener: TcpListener, routes: Router, limits: Limits, mut closing: watch::Receiver<bool>) {
    let places = Arc::new(Semaphore::new(limits.number as usize));
    loop {
        let next = async { (Arc::clone(&places).acquire_owned().await, accept(&listener).await) };
        let (place, stream) = tokio::select! {
            next = next => next,
            _ = closing.wait_for(|closed| *closed) => break,
        };
        let conversation = converse(stream, routes.clone(), limits, closing.clone());
        tokio::spawn(async move {
            conversation.await;
            drop(place);
        });
    }
    drop(listener);
    // All places are free when all connections have ended.
    let _ = places.acquire_many(limits.number).await;
}

/// The next connection. Errors are those of single connections, or pass.
async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(_) => sleep(PAUSE).await,
        }
    }
}

/// Answers the requests of a connection.
async fn converse(stream: TcpStream, routes: Router, limits: Limits, mut closing: watch::Receiver<bool>) {
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.request);
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes));
    let mut connection = std::pin::pin!(connection);
    // What ends a connection with an error is its client's business.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = closing.wait_for(|closed| *closed) => {}
        () = sleep(limits.lifetime) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(limits.farewell, connection).await;
}
