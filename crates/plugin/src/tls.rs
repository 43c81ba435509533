//! Mutual TLS. The server creates a certificate and announces it in the handshake. It accepts only the client
//! certificate that it was given, compared byte by byte; other valid certificates are rejected.

use std::sync::Arc;

use rcgen::CertifiedKey;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::client::danger::HandshakeSignatureValid;
use tokio_rustls::rustls::crypto::{self, CryptoProvider, aws_lc_rs};
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, UnixTime};
use tokio_rustls::rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use tokio_rustls::rustls::{
    self, CertificateError, DigitallySignedStruct, DistinguishedName, ServerConfig, SignatureScheme,
};

use crate::ServeError;

/// The TLS configuration of the server, and the certificate that the client must expect.
pub(crate) struct Tls {
    pub(crate) acceptor: TlsAcceptor,
    pub(crate) certificate: CertificateDer<'static>,
}

impl Tls {
    /// Creates a certificate, and pins the client's.
    pub(crate) fn new(client: &str) -> Result<Self, ServeError> {
        let pinned = CertificateDer::from_pem_slice(client.as_bytes()).map_err(|error| {
            ServeError::handshake(format!("PLUGIN_CLIENT_CERT is not a PEM certificate: {error}"))
        })?;
        let failed =
            |error: &dyn std::fmt::Display| ServeError::handshake(format!("cannot set up TLS: {error}"));
        // Clients connect through a socket, and check this name.
        let CertifiedKey { cert, signing_key } =
            rcgen::generate_simple_self_signed(["localhost".to_owned()]).map_err(|error| failed(&error))?;
        let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der());
        // This is the only provider of rustls that verifies P-521, the curve of the client's certificate.
        let provider = Arc::new(aws_lc_rs::default_provider());
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(|error| failed(&error))?
            .with_client_cert_verifier(Arc::new(Pinned { certificate: pinned, provider }))
            .with_single_cert(vec![cert.der().clone()], key.into())
            .map_err(|error| failed(&error))?;
        config.alpn_protocols = vec![b"h2".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), certificate: cert.der().clone() })
    }
}

/// Accepts a single certificate. The client's signature proves that it has the key, and is verified as usual.
#[derive(Debug)]
struct Pinned {
    certificate: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl ClientCertVerifier for Pinned {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        if *end_entity == self.certificate {
            Ok(ClientCertVerified::assertion())
        } else {
            Err(CertificateError::ApplicationVerificationFailure.into())
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        crypto::verify_tls12_signature(message, cert, signature, algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let algorithms = &self.provider.signature_verification_algorithms;
        crypto::verify_tls13_signature(message, cert, signature, algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
