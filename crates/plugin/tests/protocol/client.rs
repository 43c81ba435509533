//! A client of the plugin protocol: it starts a provider as Terraform does, and calls it. It shares no code with the
//! server, so that a field number that is wrong on one side is found.

#![allow(dead_code, reason = "each test uses a part")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, PKCS_ECDSA_P521_SHA512};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

pub(crate) const COOKIE: &str = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";

/// A certificate as go-plugin makes it: self-signed, on P-521, and marked as a CA.
pub(crate) struct Identity {
    key: KeyPair,
    certificate: rcgen::Certificate,
}

impl Identity {
    pub(crate) fn new() -> Self {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P521_SHA512).unwrap();
        let mut params = CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self { certificate: params.self_signed(&key).unwrap(), key }
    }

    pub(crate) fn pem(&self) -> String {
        let text = STANDARD.encode(self.certificate.der());
        format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n")
    }

    fn key(&self) -> PrivateKeyDer<'static> {
        PrivatePkcs8KeyDer::from(self.key.serialize_der()).into()
    }
}

/// A provider that runs, and is killed when this is dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) fields: Vec<String>,
}

impl Server {
    /// Starts a provider and reads its handshake.
    pub(crate) fn start(program: &Path, identity: Option<&Identity>) -> Self {
        Self::start_with(program, identity, &[])
    }

    pub(crate) fn start_with(
        program: &Path,
        identity: Option<&Identity>,
        variables: &[(&str, &str)],
    ) -> Self {
        let mut command = command(program);
        command.env("TF_PLUGIN_MAGIC_COOKIE", COOKIE).env("PLUGIN_PROTOCOL_VERSIONS", "5,6");
        command.envs(variables.iter().copied());
        if let Some(identity) = identity {
            command.env("PLUGIN_CLIENT_CERT", identity.pem());
        }
        let mut child = command.spawn().expect("the provider starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let fields = line.trim_end().split('|').map(str::to_owned).collect();
        Self { child, fields }
    }

    pub(crate) fn address(&self) -> &str {
        &self.fields[3]
    }

    /// The directory of the socket.
    pub(crate) fn directory(&self) -> PathBuf {
        Path::new(self.address()).parent().unwrap().to_owned()
    }

    /// Connects with the certificate that the provider expects.
    pub(crate) async fn connect(&self, identity: &Identity) -> Client {
        self.connect_as(Some(identity)).await.expect("the provider accepts its client")
    }

    /// Connects with TLS, and makes a call: only then is it clear whether the provider accepted the client.
    pub(crate) async fn connect_as(&self, identity: Option<&Identity>) -> Result<Client, String> {
        let server = CertificateDer::from(STANDARD_NO_PAD.decode(&self.fields[5]).unwrap());
        let mut roots = RootCertStore::empty();
        roots.add(server).unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots);
        let mut config = match identity {
            Some(identity) => builder
                .with_client_auth_cert(vec![identity.certificate.der().clone()], identity.key())
                .unwrap(),
            None => builder.with_no_client_auth(),
        };
        config.alpn_protocols = vec![b"h2".to_vec()];
        let socket = UnixStream::connect(self.address()).await.map_err(|error| error.to_string())?;
        let stream = TlsConnector::from(Arc::new(config))
            .connect("localhost".try_into().unwrap(), socket)
            .await
            .map_err(|error| error.to_string())?;
        let mut client = Client::over(stream).await?;
        client.raw("/grpc.health.v1.Health/Check", &[]).await.map_err(|(_, why)| why)?;
        Ok(client)
    }

    /// Connects without TLS.
    pub(crate) async fn connect_clear(&self) -> Result<Client, String> {
        let failed = |error: std::io::Error| error.to_string();
        if self.fields[2] == "tcp" {
            return Client::over(TcpStream::connect(self.address()).await.map_err(failed)?).await;
        }
        Client::over(UnixStream::connect(self.address()).await.map_err(failed)?).await
    }

    /// Waits until the process ends.
    pub(crate) async fn wait(&mut self, most: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < most {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        None
    }

    /// Ends the process. Returns what it wrote to standard error.
    pub(crate) fn log(&mut self) -> String {
        self.child.kill().unwrap();
        let mut text = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        text
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A process that is killed leaves its socket.
        if self.fields.get(2).is_some_and(|network| network == "unix") {
            let _ = std::fs::remove_dir_all(self.directory());
        }
    }
}

/// A command that starts a provider without anything from the environment of the test.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    for name in ["TF_PLUGIN_MAGIC_COOKIE", "PLUGIN_PROTOCOL_VERSIONS", "PLUGIN_CLIENT_CERT"] {
        command.env_remove(name);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A connection.
pub(crate) struct Client(SendRequest<Full<Bytes>>);

/// The status of gRPC, and its message.
pub(crate) type Failed = (String, String);

impl Client {
    async fn over(
        stream: impl tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
    ) -> Result<Self, String> {
        let (sender, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .map_err(|error| error.to_string())?;
        tokio::spawn(connection);
        Ok(Self(sender))
    }

    /// Makes a call with the bytes of a message, and returns those of the answer.
    pub(crate) async fn raw(&mut self, path: &str, message: &[u8]) -> Result<Vec<u8>, Failed> {
        let mut body = vec![0];
        body.extend_from_slice(&u32::try_from(message.len()).unwrap().to_be_bytes());
        body.extend_from_slice(message);
        self.framed(path, body).await
    }

    /// Makes a call with a body that may be anything.
    pub(crate) async fn framed(&mut self, path: &str, body: Vec<u8>) -> Result<Vec<u8>, Failed> {
        let failed = |error: hyper::Error| ("transport".to_owned(), error.to_string());
        let request = hyper::Request::post(format!("http://localhost{path}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(Full::new(Bytes::from(body)))
            .unwrap();
        let response = self.0.send_request(request).await.map_err(failed)?;
        let mut headers = response.headers().clone();
        let body = response.into_body().collect().await.map_err(failed)?;
        headers.extend(body.trailers().cloned().unwrap_or_default());
        let field = |name| headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        match field("grpc-status").as_str() {
            "0" => Ok(body.to_bytes().get(5..).unwrap_or_default().to_vec()),
            status => Err((status.to_owned(), field("grpc-message"))),
        }
    }

    pub(crate) async fn ask<A: Message + Default>(
        &mut self,
        path: &str,
        message: &impl Message,
    ) -> Result<A, Failed> {
        let answer = self.raw(path, &message.encode_to_vec()).await?;
        Ok(A::decode(answer.as_slice()).expect("the answer is a message"))
    }

    /// Calls a function with arguments in `MessagePack`.
    pub(crate) async fn call(&mut self, name: &str, arguments: &[&[u8]]) -> Answer {
        let value = |bytes: &&[u8]| DynamicValue { msgpack: bytes.to_vec(), json: Vec::new() };
        let call = Call { name: name.to_owned(), arguments: arguments.iter().map(value).collect() };
        self.ask("/tfplugin6.Provider/CallFunction", &call).await.expect("the call is answered")
    }
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct DynamicValue {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) msgpack: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) json: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Call {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) arguments: Vec<DynamicValue>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Answer {
    #[prost(message, optional, tag = "1")]
    pub(crate) result: Option<DynamicValue>,
    #[prost(message, optional, tag = "2")]
    pub(crate) error: Option<FunctionError>,
}

impl Answer {
    /// The result in `MessagePack`.
    pub(crate) fn value(self) -> Vec<u8> {
        assert_eq!(self.error, None);
        self.result.expect("a result or an error").msgpack
    }

    /// The text of the error, and the argument that it is about.
    pub(crate) fn error(self) -> (String, Option<i64>) {
        assert_eq!(self.result, None);
        let error = self.error.expect("an error");
        (error.text, error.function_argument)
    }
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct FunctionError {
    #[prost(string, tag = "1")]
    pub(crate) text: String,
    #[prost(int64, optional, tag = "2")]
    pub(crate) function_argument: Option<i64>,
}
