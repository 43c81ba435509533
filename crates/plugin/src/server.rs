//! Accepts connections until the client disconnects or asks to stop.

use std::io::{self, Write as _};
use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::handshake::Handshake;
use crate::listener::{Listener, Stream};
use crate::log::{Level, log};
use crate::router::Router;
use crate::service::Service;
use crate::stop::Stop;
use crate::tls::Tls;
use crate::{Provider, ServeError};

/// How long the client may take to connect. Terraform gives up after the same time.
const FIRST_CONNECTION: Duration = Duration::from_secs(60);
/// How long a client whose connection ended may take to connect again.
const NEXT_CONNECTION: Duration = Duration::from_secs(2);
/// How long a TLS handshake may take.
const TLS_HANDSHAKE: Duration = Duration::from_secs(10);
/// How long calls may take to finish after the request to stop. Terraform kills the process after two seconds.
const LAST_CALLS: Duration = Duration::from_secs(1);

impl Provider {
    /// Serves the provider until the client stops it or disconnects.
    ///
    /// # Errors
    /// The program was not started by a client of the protocol, or the client requires something that is not
    /// supported.
    pub fn serve(self) -> Result<(), ServeError> {
        serve(self)
    }

    /// Runs [`serve`](Provider::serve) as the `main` function of a program, and reports errors on standard error.
    pub fn main(self) -> ExitCode {
        match self.serve() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        }
    }
}

/// Serves a provider until its client ends it.
fn serve(provider: Provider) -> Result<(), ServeError> {
    let handshake = Handshake::read()?;
    let tls = handshake.certificate.as_deref().map(Tls::new).transpose()?;
    std::panic::set_hook(Box::new(crate::log::panicked));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(provider.stack_size())
        .enable_all()
        .build()
        .map_err(|error| ServeError::io("cannot start", error))?;
    let served = runtime.block_on(async {
        let listener = Listener::bind(&handshake, cfg!(windows) || provider.tcp).await?;
        let stop = Stop::new();
        end_by_signals(&stop).map_err(|error| ServeError::io("cannot handle signals", error))?;
        let router = Router { service: Arc::new(Service::new(provider)), stop: stop.clone() };
        let line = handshake.line(listener.network(), listener.address(), tls.as_ref());
        announce(&line).map_err(|error| ServeError::io("cannot write to standard output", error))?;
        log(Level::Debug, &format!("listening on {}", listener.address()));
        accept(&listener, tls.map(|tls| tls.acceptor), router, &stop).await;
        Ok(())
    });
    // A function that still runs does not keep the process alive.
    runtime.shutdown_background();
    served
}

fn announce(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}

/// Ignores SIGINT, because a terminal sends it to both Terraform and its providers, and Terraform decides when
/// providers end. SIGTERM stops the server gracefully.
#[cfg(unix)]
fn end_by_signals(stop: &Stop) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let stop = stop.clone();
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => log(Level::Debug, "interrupt ignored"),
                _ = terminate.recv() => return stop.request(),
            }
        }
    });
    Ok(())
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps, reason = "as on Unix")]
fn end_by_signals(_stop: &Stop) -> io::Result<()> {
    tokio::spawn(async {
        while tokio::signal::ctrl_c().await.is_ok() {
            log(Level::Debug, "interrupt ignored");
        }
    });
    Ok(())
}

/// Accepts connections until there was none of the client's for some time, or until the request to stop.
async fn accept(listener: &Listener, tls: Option<TlsAcceptor>, router: Router, stop: &Stop) {
    // Connections of other processes never count as the client's, so that they do not keep the process alive.
    let (mut handshakes, mut clients) = (JoinSet::new(), JoinSet::new());
    let mut deadline = Instant::now() + FIRST_CONNECTION;
    loop {
        tokio::select! {
            accepted = listener.accept() => match (accepted, tls.clone()) {
                (Ok(stream), Some(tls)) => {
                    handshakes.spawn(secure(stream, tls));
                }
                (Ok(stream), None) => {
                    clients.spawn(http(stream, router.clone()));
                }
                (Err(error), _) => {
                    log(Level::Warn, &format!("cannot accept a connection: {error}"));
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            // The patterns of these branches fail only if there are no connections: `select!` does not wait again for a
            // branch whose pattern failed.
            Some(secured) = handshakes.join_next() => if let Ok(Some(stream)) = secured {
                clients.spawn(http(stream, router.clone()));
            },
            Some(_) = clients.join_next() => deadline = Instant::now() + NEXT_CONNECTION,
            () = sleep_until(deadline), if clients.is_empty() => {
                log(Level::Info, "the client is gone");
                break;
            }
            () = stop.requested() => break,
        }
    }
    stop.request();
    let _ = timeout(LAST_CALLS, async { while clients.join_next().await.is_some() {} }).await;
}

/// The TLS handshake of a connection. Returns the connection if it is the client's.
async fn secure(stream: Stream, tls: TlsAcceptor) -> Option<TlsStream<Stream>> {
    let refused = match timeout(TLS_HANDSHAKE, tls.accept(stream)).await {
        Ok(Ok(stream)) => return Some(stream),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the TLS handshake took too long".to_owned(),
    };
    log(Level::Warn, &format!("a connection was refused: {refused}"));
    None
}

async fn http(stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static, router: Router) {
    let stop = router.stop.clone();
    let service = hyper::service::service_fn(move |request| router.clone().answer(request));
    let connection =
        http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.requested() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        log(Level::Debug, &format!("a connection ended: {error}"));
    }
}
