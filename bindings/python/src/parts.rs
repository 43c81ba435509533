//! The parts of Python objects, which may change while they are read: by code of the user that reading calls, or by other threads.
//! Also what conversions do with parts that occur several times, and how they let others run.

use std::collections::HashMap;

use hclkit::Code;
use hclkit::limits::Meter;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use crate::error;

/// Deeper objects contain themselves, or cannot be read back.
pub(crate) const MAX_DEPTH: u32 = 900;

/// A name and its value.
type Item<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The items of a dictionary as they are now.
pub(crate) fn of_dict<'py>(dict: &Bound<'py, PyDict>) -> PyResult<impl Iterator<Item = Item<'py>>> {
    Ok(dict.copy()?.into_iter())
}

/// The items of any mapping, or nothing if the object is none.
///
/// A cast to `PyMapping` asks Python, too, but ignores an interrupt by Ctrl-C meanwhile.
pub(crate) fn of_mapping<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<std::vec::IntoIter<Item<'py>>>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if let Ok(dict) = object.cast_exact::<PyDict>() {
        return Ok(Some(of_dict(dict)?.collect::<Vec<_>>().into_iter()));
    }
    if !object.is_instance(CLASS.import(object.py(), "collections.abc", "Mapping")?)? {
        return Ok(None);
    }
    let pair = |item: PyResult<Bound<'py, PyAny>>| {
        item?.extract().map_err(|_| PyTypeError::new_err("the items of a mapping must be pairs"))
    };
    let items = object.call_method0("items")?.try_iter()?;
    Ok(Some(items.map(pair).collect::<PyResult<Vec<Item<'py>>>>()?.into_iter()))
}

/// The elements of a set as they are now.
pub(crate) fn of_set<'py>(set: &Bound<'py, PyAny>) -> PyResult<impl Iterator<Item = Bound<'py, PyAny>>> {
    Ok(set.try_iter()?.collect::<PyResult<Vec<_>>>()?.into_iter())
}

/// How a conversion takes turns with other threads: it holds the interpreter lock while it makes or reads objects.
#[derive(Default)]
pub(crate) struct Turns {
    parts: u64,
    /// The work since the last turn.
    work: u64,
}

impl Turns {
    /// The work between two turns, which takes about a millisecond.
    const WORK: u64 = 4_096;

    /// Counts a part. From time to time, looks for Ctrl-C and the deadline of the limits, and lets other threads run.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<()> {
        self.parts += 1;
        self.take(py, 1)
    }

    /// Counts text, which takes as much work as a part for some bytes.
    pub(crate) fn text(&mut self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.take(py, (text.len() / SHORT) as u64)
    }

    fn take(&mut self, py: Python<'_>, work: u64) -> PyResult<()> {
        self.work += work;
        if self.work < Self::WORK {
            return Ok(());
        }
        self.work = 0;
        py.check_signals()?;
        py.detach(|| ());
        Meter::current().look().map_err(error::exceeded)
    }

    /// The number of parts until now.
    pub(crate) fn parts(&self) -> u64 {
        self.parts
    }
}

/// Texts up to this length are copied wherever they occur: a reference to one takes about as much memory.
pub(crate) const SHORT: usize = 64;

/// The objects that a conversion has met, by their addresses. It keeps them, so that no other object gets the address of one.
pub(crate) struct Met<'py, T>(HashMap<usize, (Bound<'py, PyAny>, T)>);

impl<T> Default for Met<'_, T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<'py, T> Met<'py, T> {
    /// What was kept for an object.
    pub(crate) fn get(&self, object: &Bound<'py, PyAny>) -> Option<&T> {
        self.0.get(&(object.as_ptr() as usize)).map(|(_, kept)| kept)
    }

    /// Keeps something for an object. Returns whether there was nothing.
    pub(crate) fn keep(&mut self, object: &Bound<'py, PyAny>, found: T) -> bool {
        self.0.insert(object.as_ptr() as usize, (object.clone(), found)).is_none()
    }
}

/// What is written for objects that occur several times, where text cannot share them: at most as much as for aliases in YAML.
pub(crate) struct Written<'py> {
    met: Met<'py, ()>,
    /// How many values and bytes may still be written again.
    values: u64,
    bytes: u64,
    pub(crate) turns: Turns,
}

impl Default for Written<'_> {
    fn default() -> Self {
        Self {
            met: Met::default(),
            values: Self::MOST_VALUES,
            bytes: Self::MOST_BYTES,
            turns: Turns::default(),
        }
    }
}

impl<'py> Written<'py> {
    const MOST_VALUES: u64 = 1_000_000;
    const MOST_BYTES: u64 = 64 << 20;

    /// Whether an object with parts, or in another one that occurs again, is written again.
    pub(crate) fn is_again(&mut self, object: &Bound<'py, PyAny>, again: bool) -> bool {
        again || !self.met.keep(object, ())
    }

    /// Counts a value, with the text that it has itself. `again` says whether it is written again.
    pub(crate) fn take(&mut self, py: Python<'_>, bytes: usize, again: bool) -> PyResult<()> {
        self.turns.next(py)?;
        if !again {
            return Ok(());
        }
        let values = self.values.checked_sub(1);
        self.values = values.ok_or_else(|| error::repeated(Code::TooManyElements, "1,000,000 values"))?;
        let bytes = self.bytes.checked_sub(bytes as u64);
        self.bytes = bytes.ok_or_else(|| error::repeated(Code::TooManyBytes, "64 MiB of text"))?;
        Ok(())
    }

    /// Counts text. A long one is an object of its own that may occur several times.
    pub(crate) fn text(&mut self, object: &Bound<'py, PyAny>, text: &str, again: bool) -> PyResult<()> {
        let again = if text.len() > SHORT { self.is_again(object, again) } else { again };
        self.take(object.py(), text.len(), again)
    }
}
