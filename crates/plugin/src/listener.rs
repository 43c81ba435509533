//! Where the client connects: a Unix socket in a directory that only this user can open, or a TCP port of this machine on
//! Windows.

use std::io;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt as _;
use std::pin::Pin;
use std::task::{Context, Poll};

#[cfg(unix)]
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};

use crate::ServeError;
use crate::handshake::Handshake;

/// A listening socket. Dropping it removes the socket of a Unix listener and its directory.
#[derive(Debug)]
pub(crate) enum Listener {
    #[cfg(unix)]
    Unix {
        listener: UnixListener,
        address: String,
        _directory: TempDir,
    },
    Tcp {
        listener: TcpListener,
        address: String,
    },
}

/// A connection that was accepted.
#[derive(Debug)]
pub(crate) enum Stream {
    #[cfg(unix)]
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Listener {
    /// Listens in the way that clients on this system expect.
    pub(crate) async fn bind(handshake: &Handshake, tcp: bool) -> Result<Self, ServeError> {
        #[cfg(unix)]
        if !tcp {
            return Self::unix(handshake)
                .map_err(|error| ServeError::io("cannot listen on a Unix socket", error));
        }
        let _ = tcp;
        Self::tcp(handshake.ports).await.map_err(|error| ServeError::io("cannot listen on a TCP port", error))
    }

    #[cfg(unix)]
    fn unix(handshake: &Handshake) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("plugin-").permissions(std::fs::Permissions::from_mode(0o700));
        let directory = match &handshake.socket_directory {
            Some(parent) => builder.tempdir_in(parent)?,
            None => builder.tempdir()?,
        };
        let path = directory.path().join("socket");
        let Some(address) = path.to_str().map(str::to_owned) else {
            let why = format!("the path {} is not valid UTF-8", path.display());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        };
        let listener = UnixListener::bind(&path)
            .map_err(|error| io::Error::new(error.kind(), format!("{address}: {error}")))?;
        Ok(Self::Unix { listener, address, _directory: directory })
    }

    async fn tcp(ports: Option<(u16, u16)>) -> io::Result<Self> {
        let (min, max) = ports.unwrap_or((0, 0));
        let mut failed = None;
        for port in min..=max {
            match TcpListener::bind(("127.0.0.1", port)).await {
                Ok(listener) => {
                    let address = listener.local_addr()?.to_string();
                    return Ok(Self::Tcp { listener, address });
                }
                Err(error) => failed = Some(error),
            }
        }
        Err(failed.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()))
    }

    /// The name of this kind of network in the handshake.
    pub(crate) const fn network(&self) -> &'static str {
        match self {
            #[cfg(unix)]
            Self::Unix { .. } => "unix",
            Self::Tcp { .. } => "tcp",
        }
    }

    pub(crate) fn address(&self) -> &str {
        match self {
            #[cfg(unix)]
            Self::Unix { address, .. } => address,
            Self::Tcp { address, .. } => address,
        }
    }

    pub(crate) async fn accept(&self) -> io::Result<Stream> {
        match self {
            #[cfg(unix)]
            Self::Unix { listener, .. } => Ok(Stream::Unix(listener.accept().await?.0)),
            Self::Tcp { listener, .. } => {
                let stream = listener.accept().await?.0;
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            #[cfg(unix)]
            Self::Unix(stream) => Pin::new(stream).poll_read(cx, buf),
            Self::Tcp(stream) => Pin::new(stream).poll_read(cx, buf),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            #[cfg(unix)]
            Self::Unix(stream) => Pin::new(stream).poll_write(cx, buf),
            Self::Tcp(stream) => Pin::new(stream).poll_write(cx, buf),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            #[cfg(unix)]
            Self::Unix(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tcp(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            #[cfg(unix)]
            Self::Unix(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tcp(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
