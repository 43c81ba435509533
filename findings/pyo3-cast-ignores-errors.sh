#!/usr/bin/env bash
# PyO3 0.30.1: a cast to PyMapping or PySequence ignores the error of the question, also an interrupt by Ctrl-C.
#
# For anything but a dict, list or tuple, the cast asks Python's `isinstance(object, collections.abc.Mapping)`. If that raises, the
# error is printed as "Exception ignored", and the object is no mapping. Where isinstance runs code in Python, as abc does, the
# KeyboardInterrupt of Ctrl-C is raised there: an extension that casts each part of a large object loses about a quarter of all
# interrupts, and goes on. Here the class of the object raises instead, so that it happens each time. `is_instance` returns the error.
#
# Output seen (and "Exception ignored in: ..." with each error on standard error):
#   isinstance in Python: KeyboardInterrupt
#   cast to PyMapping: False
#   cast to PySequence: False
#   is_instance in Rust: KeyboardInterrupt
# Takes 20 seconds. Needs a Rust toolchain and Python 3.10 or later.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >Cargo.toml <<'END'
[package]
name = "casts"
version = "0.0.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[dependencies]
pyo3 = { version = "=0.30.1", features = ["abi3-py310", "extension-module"] }
END
mkdir src
cat >src/lib.rs <<'END'
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PySequence};

#[pymodule]
mod casts {
    use super::*;

    #[pyfunction]
    fn to_mapping(object: &Bound<'_, PyAny>) -> bool {
        object.cast::<PyMapping>().is_ok()
    }

    #[pyfunction]
    fn to_sequence(object: &Bound<'_, PyAny>) -> bool {
        object.cast::<PySequence>().is_ok()
    }

    #[pyfunction]
    fn asked(object: &Bound<'_, PyAny>, class: &Bound<'_, PyAny>) -> PyResult<bool> {
        object.is_instance(class)
    }
}
END
cargo build -q
cp target/debug/libcasts.so casts.so
seen=$(python3 - <<'END'
from collections.abc import Mapping

import casts


class Interrupted:
    @property
    def __class__(self):
        raise KeyboardInterrupt


def answer(question):
    try:
        return question()
    except KeyboardInterrupt:
        return "KeyboardInterrupt"


it = Interrupted()
print("isinstance in Python:", answer(lambda: isinstance(it, Mapping)))
print("cast to PyMapping:", answer(lambda: casts.to_mapping(it)))
print("cast to PySequence:", answer(lambda: casts.to_sequence(it)))
print("is_instance in Rust:", answer(lambda: casts.asked(it, Mapping)))
END
)
echo "$seen"
[ "$seen" = 'isinstance in Python: KeyboardInterrupt
cast to PyMapping: False
cast to PySequence: False
is_instance in Rust: KeyboardInterrupt' ]
