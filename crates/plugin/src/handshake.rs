//! go-plugin's handshake: the client's settings in the environment, and the line on standard output that answers them.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use crate::ServeError;
use crate::tls::Tls;

/// The version of go-plugin's own protocol.
const CORE_VERSION: u32 = 1;
/// The version of Terraform's plugin protocol.
const VERSION: u32 = 6;

const COOKIE: &str = "TF_PLUGIN_MAGIC_COOKIE";
const COOKIE_VALUE: &str = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2";
const VERSIONS: &str = "PLUGIN_PROTOCOL_VERSIONS";
const CLIENT_CERTIFICATE: &str = "PLUGIN_CLIENT_CERT";
const SOCKET_DIRECTORY: &str = "PLUGIN_UNIX_SOCKET_DIR";
const MULTIPLEX: &str = "PLUGIN_MULTIPLEX_GRPC";
const MIN_PORT: &str = "PLUGIN_MIN_PORT";
const MAX_PORT: &str = "PLUGIN_MAX_PORT";

/// The settings of the client.
#[derive(Debug, Default)]
pub(crate) struct Handshake {
    /// The client's certificate as PEM. Without it, connections are not encrypted.
    pub(crate) certificate: Option<String>,
    /// The directory in which the directory of the socket is created.
    #[cfg_attr(not(unix), allow(dead_code, reason = "there are only TCP ports"))]
    pub(crate) socket_directory: Option<PathBuf>,
    /// The first and the last port to try where connections use TCP. By default, the system chooses.
    pub(crate) ports: Option<(u16, u16)>,
    /// True if the client asks for multiplexed connections, which are not supported.
    multiplex: bool,
}

impl Handshake {
    /// Reads the environment of this process.
    pub(crate) fn read() -> Result<Self, ServeError> {
        Self::from(|name| env::var_os(name))
    }

    fn from(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, ServeError> {
        let text = |name: &str| match variable(name) {
            Some(value) if value.is_empty() => Ok(None),
            Some(value) => value
                .into_string()
                .map(Some)
                .map_err(|_| ServeError::handshake(format!("{name} is not valid UTF-8"))),
            None => Ok(None),
        };
        if variable(COOKIE).is_none_or(|value| value != COOKIE_VALUE) {
            return Err(ServeError::not_a_client());
        }
        if let Some(versions) = text(VERSIONS)?
            && !versions.split(',').any(|version| version.trim() == "6")
        {
            return Err(ServeError::handshake(format!(
                "this provider requires version {VERSION} of the plugin protocol, which Terraform supports since 0.15; the \
                 client offers {versions}"
            )));
        }
        let port = |name: &str| match text(name)? {
            Some(value) => match value.parse::<u16>() {
                Ok(port) => Ok(Some(port)),
                Err(_) => Err(ServeError::handshake(format!("{name} must be a port number, found {value}"))),
            },
            None => Ok(None),
        };
        let ports = match (port(MIN_PORT)?, port(MAX_PORT)?) {
            (Some(min), Some(max)) if min <= max => Some((min, max)),
            (Some(min), Some(max)) => {
                let why = format!("{MIN_PORT} must not be greater than {MAX_PORT}, found {min} and {max}");
                return Err(ServeError::handshake(why));
            }
            // If only one of the two is set, both are ignored, as in go-plugin.
            _ => None,
        };
        Ok(Self {
            certificate: text(CLIENT_CERTIFICATE)?,
            socket_directory: variable(SOCKET_DIRECTORY).filter(|path| !path.is_empty()).map(PathBuf::from),
            ports,
            multiplex: text(MULTIPLEX)?.is_some(),
        })
    }

    /// The line that tells the client where to connect, and which certificate to expect.
    pub(crate) fn line(&self, network: &str, address: &str, tls: Option<&Tls>) -> String {
        let certificate = tls.map_or_else(String::new, |tls| STANDARD_NO_PAD.encode(&tls.certificate));
        // Older clients do not expect the last field, so it is only there if the client asks.
        let multiplex = if self.multiplex { "|false" } else { "" };
        format!("{CORE_VERSION}|{VERSION}|{network}|{address}|grpc|{certificate}{multiplex}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Result<Handshake, String> {
        let variable = |name: &str| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
        };
        Handshake::from(variable).map_err(|error| error.to_string())
    }

    #[test]
    fn a_wrong_or_missing_cookie_is_rejected() {
        for variables in [&[][..], &[(COOKIE, "")], &[(COOKIE, "d602")]] {
            let error = read(variables).unwrap_err();
            assert!(error.contains("a provider for Terraform and OpenTofu"), "{error}");
        }
        assert!(read(&[(COOKIE, COOKIE_VALUE)]).is_ok());
    }

    #[test]
    fn the_client_must_support_version_6() {
        let with = |versions| read(&[(COOKIE, COOKIE_VALUE), (VERSIONS, versions)]);
        assert!(with("5,6").is_ok());
        assert!(with("6").is_ok());
        assert!(with("4,5").unwrap_err().ends_with("the client offers 4,5"));
        assert!(with("16").is_err());
    }

    #[test]
    fn ports_are_a_range() {
        let with = |min, max| read(&[(COOKIE, COOKIE_VALUE), (MIN_PORT, min), (MAX_PORT, max)]);
        assert_eq!(with("10000", "10010").unwrap().ports, Some((10_000, 10_010)));
        assert_eq!(with("10000", "").unwrap().ports, None);
        assert!(with("10010", "10000").unwrap_err().contains("must not be greater"));
        assert!(with("70000", "70001").unwrap_err().contains("must be a port number"));
    }

    #[test]
    fn the_line_has_six_fields_and_one_more_on_request() {
        let handshake = read(&[(COOKIE, COOKIE_VALUE)]).unwrap();
        assert_eq!(handshake.line("unix", "/tmp/p/socket", None), "1|6|unix|/tmp/p/socket|grpc|");
        let handshake = read(&[(COOKIE, COOKIE_VALUE), (MULTIPLEX, "true")]).unwrap();
        assert_eq!(handshake.line("tcp", "127.0.0.1:1234", None), "1|6|tcp|127.0.0.1:1234|grpc||false");
    }
}
