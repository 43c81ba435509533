//! Replacements for modules whose feature is disabled. They have the same items, but return an error that names the
//! feature, so that a library always contains all of its functions.

use hclkit_value::{Capability, Error};

/// The error of a function that requires a feature of hclkit. Partial evaluation keeps such calls, like those without a grant.
pub(crate) fn missing(feature: &str) -> Error {
    let message =
        format!("this function is not available; build hclkit with the feature `{feature}` to enable it");
    Error::not_granted(Capability::Feature, message)
}

#[cfg(not(feature = "hash"))]
pub(crate) mod digest {
    use hclkit_value::Error;

    fn none<const N: usize>() -> Result<[u8; N], Error> {
        Err(super::missing("functions"))
    }

    pub(crate) fn md5(_: &[u8]) -> Result<[u8; 16], Error> {
        none()
    }

    pub(crate) fn sha1(_: &[u8]) -> Result<[u8; 20], Error> {
        none()
    }

    pub(crate) fn sha256(_: &[u8]) -> Result<[u8; 32], Error> {
        none()
    }

    pub(crate) fn sha512(_: &[u8]) -> Result<[u8; 64], Error> {
        none()
    }
}

#[cfg(not(feature = "crypto"))]
pub(crate) mod random {
    use hclkit_value::Error;

    pub(crate) fn bytes() -> Result<[u8; 16], Error> {
        Err(super::missing("fs"))
    }
}

#[cfg(not(feature = "crypto"))]
pub(crate) mod bcrypt {
    use hclkit_value::Error;

    pub(crate) fn hash(_: &str, _: u32, _: [u8; 16]) -> Result<String, Error> {
        Err(super::missing("fs"))
    }
}

#[cfg(not(feature = "rsa"))]
pub(crate) mod decryption {
    use hclkit_value::Error;

    pub(crate) fn decrypt(_: &[u8], _: &str) -> Result<Vec<u8>, Error> {
        Err(super::missing("rsa"))
    }
}

#[cfg(not(feature = "compress"))]
pub(crate) mod gzip {
    use hclkit_value::Error;

    pub(crate) fn compress(_: &[u8]) -> Result<Vec<u8>, Error> {
        Err(super::missing("functions"))
    }

    pub(crate) fn decompress(_: &[u8]) -> Result<Vec<u8>, Error> {
        Err(super::missing("functions"))
    }
}

#[cfg(all(feature = "terraform", not(feature = "yaml")))]
pub(crate) mod yaml {
    use hclkit_value::{Error, Value};

    pub(crate) fn decode<N>(_: &str, _: N) -> Result<Value, Error> {
        Err(super::missing("functions"))
    }
}

#[cfg(not(feature = "charset"))]
pub(crate) mod charset {
    use hclkit_value::Error;

    pub(crate) enum Charset {}

    impl Charset {
        pub(crate) fn named(_: &str) -> Result<Self, Error> {
            Err(super::missing("functions"))
        }

        pub(crate) fn encode(&self, _: &str) -> Result<Vec<u8>, Error> {
            match *self {}
        }

        pub(crate) fn decode(&self, _: &[u8]) -> Result<String, Error> {
            match *self {}
        }
    }
}

#[cfg(not(feature = "fs"))]
pub(crate) mod directory {
    use std::path::PathBuf;

    use hclkit_value::Error;

    #[derive(Debug)]
    pub(crate) enum Directory {}

    impl Directory {
        pub(crate) fn absolute(&self, _: &str) -> PathBuf {
            match *self {}
        }

        pub(crate) fn read(&self, _: &str) -> Result<Vec<u8>, Error> {
            match *self {}
        }

        pub(crate) fn has_file(&self, _: &str) -> Result<bool, Error> {
            match *self {}
        }

        pub(crate) fn matching(
            &self,
            _: &str,
            _: &str,
            _: crate::grants::Braces,
        ) -> Result<Vec<String>, Error> {
            match *self {}
        }
    }
}

#[cfg(not(feature = "regex"))]
pub(crate) mod engine {
    use std::convert::Infallible;
    use std::iter::Empty;
    use std::ops::Range;

    use hclkit_value::Error;

    pub(crate) fn parses(_: &str) -> bool {
        true
    }

    pub(crate) struct Engine(Infallible);

    impl Engine {
        pub(crate) fn new(_: &str) -> Result<Self, Error> {
            Err(super::missing("functions"))
        }

        pub(crate) fn states(&self) -> u64 {
            match self.0 {}
        }

        pub(crate) fn find_all<'a>(&'a self, _: &'a str) -> Empty<Groups> {
            match self.0 {}
        }

        pub(crate) fn read(&self, _: &str, _: usize, _: &mut Memory) -> usize {
            match self.0 {}
        }
    }

    #[derive(Default)]
    pub(crate) struct Memory {}

    pub(crate) struct Groups(Infallible);

    impl Groups {
        pub(crate) fn range(&self, _: usize) -> Option<Range<usize>> {
            match self.0 {}
        }
    }
}
