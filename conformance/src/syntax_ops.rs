//! Ops on native syntax as text: `config`, `accept` and `traversal`.

use crate::Op;

pub(crate) const OPS: &[Op] = &[];
