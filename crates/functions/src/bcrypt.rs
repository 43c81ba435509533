//! bcrypt, a deliberately slow password hash. The cipher comes from a library; the slow loop is implemented here
//! because it must stop when a limit is exceeded.

use base64::Engine;
use base64::alphabet::BCRYPT;
use base64::engine::GeneralPurpose;
use base64::engine::general_purpose::NO_PAD;
use blowfish::Blowfish;
use hclkit_limits::Meter;
use hclkit_value::Error;

use crate::arguments::wrong;

/// The maximum length of a password, without the terminating zero byte.
const LONGEST: usize = 72;

/// Base64 with the digits in bcrypt's order.
const DIGITS: GeneralPurpose = GeneralPurpose::new(&BCRYPT, NO_PAD);

/// The steps that one round takes: it runs two key schedules.
const STEPS: u64 = 600;

/// The number of rounds between two checks of the clock.
const BETWEEN_LOOKS: u32 = 16;

/// The text to encrypt with the key.
const TEXT: &[u8; 24] = b"OrpheanBeholderScryDoubt";

/// Hashes a password in the format of password files. The cost must be 4 to 31.
///
/// # Errors
/// The password, which is the first argument, is too long, or a limit is exceeded.
pub(crate) fn hash(password: &str, cost: u32, salt: [u8; 16]) -> Result<String, Error> {
    if password.len() > LONGEST {
        return Err(wrong(0, format!("the string must be at most {LONGEST} bytes long")));
    }
    let meter = Meter::current();
    meter.take_steps(STEPS << cost)?;
    let mut key = password.as_bytes().to_vec();
    key.push(0);
    key.truncate(LONGEST);
    let mut state = Blowfish::bc_init_state();
    state.salted_expand_key(&salt, &key);
    for round in 0..1_u32 << cost {
        if round.is_multiple_of(BETWEEN_LOOKS) {
            meter.look()?;
        }
        state.bc_expand_key(&key);
        state.bc_expand_key(&salt);
    }
    let mut out = Vec::with_capacity(TEXT.len());
    for block in TEXT.as_chunks::<4>().0.as_chunks::<2>().0 {
        let mut halves = block.map(u32::from_be_bytes);
        for _ in 0..64 {
            halves = state.bc_encrypt(halves);
        }
        out.extend(halves.into_iter().flat_map(u32::to_be_bytes));
    }
    // bcrypt drops the last byte.
    out.truncate(TEXT.len() - 1);
    Ok(format!("$2a${cost:02}${}{}", DIGITS.encode(salt), DIGITS.encode(out)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bcrypt_crate_verifies_our_hashes() {
        let passwords = ["", "a", "hunter2", "pässwörd", &"x".repeat(71), &"y".repeat(72)];
        for (password, cost) in passwords.into_iter().zip([4, 5, 6].into_iter().cycle()) {
            let salt = std::array::from_fn(|at| (at * 37 + password.len()) as u8);
            let ours = hash(password, cost, salt).unwrap();
            assert!(bcrypt::verify(password, &ours).unwrap(), "{password}: {ours}");
            assert!(!bcrypt::verify("other", &ours).unwrap());
        }
    }
}
