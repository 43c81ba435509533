//! RSA, with the feature `rsa`. No other feature enables it, because the duration of the library's decryption depends
//! on the key (RUSTSEC-2023-0071).

use hclkit_value::Error;
use rsa::pkcs1::DecodeRsaPrivateKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::{Pkcs1v15Encrypt, RsaPrivateKey};

use crate::arguments::wrong;
use crate::limits::take_steps;

/// Decrypts bytes with PKCS #1 v1.5 padding by a private key in PEM format. Errors refer to them as arguments 0 and 1.
pub(crate) fn decrypt(ciphertext: &[u8], pem: &str) -> Result<Vec<u8>, Error> {
    // A key has about four times as many bits as its modulus.
    let limbs = pem.len() as u64 / 48;
    take_steps(limbs.saturating_pow(3) / 2)?;
    let key = RsaPrivateKey::from_pkcs1_pem(pem)
        .ok()
        .or_else(|| RsaPrivateKey::from_pkcs8_pem(pem).ok())
        .ok_or_else(|| wrong(1, "expected an RSA private key in PEM format without a passphrase"))?;
    let plain = key.decrypt(Pkcs1v15Encrypt, ciphertext);
    plain.map_err(|_| wrong(0, "failed to decrypt the ciphertext with this key"))
}
