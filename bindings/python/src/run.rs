//! Work without the interpreter lock, which Ctrl-C can interrupt.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use hclkit::limits::{Exceeded, Limit};
use hclkit::{CancelToken, Code, Diagnostics};
use pyo3::prelude::*;

use crate::error;
use crate::limits::Limits;

/// How long work runs on the thread that asks for it, before another thread takes it over.
const QUICK: Duration = Duration::from_millis(20);
/// How often the main thread looks for signals while it waits.
const LOOK: Duration = Duration::from_millis(20);

/// Runs quick work without the lock, on this thread.
pub(crate) fn quick<T: Send>(
    py: Python<'_>,
    limits: Option<&Limits>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let Some(limits) = limits else {
        return py.detach(|| catch(work));
    };
    let all = with_timeout(limits);
    if limits.is_deep {
        return py.detach(|| on_thread(&all, || all.run(work)));
    }
    py.detach(|| catch(|| all.run(work)))
}

/// Runs work that may take long. On the main thread, which alone receives signals, a second thread does the work if it is not
/// done soon, so that Ctrl-C stops it. The work must have no effects, because it may run twice.
///
/// `calls_python` keeps the work on this thread: functions of the caller run where they were called from.
pub(crate) fn long<T: Send>(
    py: Python<'_>,
    limits: Option<&Limits>,
    calls_python: bool,
    work: impl Fn() -> T + Send + Sync,
    diagnostics: impl Fn(&T) -> Option<&Diagnostics>,
) -> PyResult<T> {
    let default = Limits::default();
    let limits = limits.unwrap_or(&default);
    if calls_python || !is_main_thread(py)? {
        return quick(py, Some(limits), work);
    }
    if !limits.is_deep && limits.timeout.is_none_or(|timeout| timeout > QUICK) {
        let first = limits.most.clone().with_timeout(QUICK);
        let result = py.detach(|| catch(|| first.run(&work)))?;
        let is_late = |found: &Diagnostics| found.iter().any(|it| it.has_code(Code::DeadlineExceeded));
        if !diagnostics(&result).is_some_and(is_late) {
            return Ok(result);
        }
    }
    interruptible(py, limits, work)
}

/// Runs work on another thread. A signal whose handler raises an exception stops it.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    limits: &Limits,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let token = CancelToken::new();
    let all = with_timeout(limits).with_cancel(token.clone());
    let (sender, receiver) = sync_channel(1);
    let stack = all.stack_size();
    thread::scope(|scope| {
        let spawned = thread::Builder::new().stack_size(stack).spawn_scoped(scope, move || {
            let result = catch(|| all.run(work));
            // The receiver lives as long as the scope.
            let _ = sender.send(result);
        });
        if let Err(why) = spawned {
            return Err(error::plain(format!("cannot start a thread: {why}")));
        }
        let mut receiver = receiver;
        loop {
            // The receiver is moved back and forth, because threads cannot share it.
            let received;
            (received, receiver) = py.detach(move || (receiver.recv_timeout(LOOK), receiver));
            match received {
                Ok(result) => return result,
                Err(RecvTimeoutError::Disconnected) => return Err(internal()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(signal) = py.check_signals() {
                token.cancel();
                // The thread ends without the lock.
                let _ = py.detach(move || receiver.recv().is_ok());
                return Err(signal);
            }
        }
    })
}

fn with_timeout(limits: &Limits) -> hclkit::Limits {
    match limits.timeout {
        Some(timeout) => limits.most.clone().with_timeout(timeout),
        None => limits.most.clone(),
    }
}

/// Runs work on a thread with the stack that its limits need.
fn on_thread<T: Send>(limits: &hclkit::Limits, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(limits.stack_size());
        let spawned = builder.spawn_scoped(scope, || catch(work));
        match spawned {
            Ok(handle) => handle.join().unwrap_or_else(|_| Err(internal())),
            Err(why) => Err(error::plain(format!("cannot start a thread: {why}"))),
        }
    })
}

/// A panic is a bug of the library, but must not end the program of the user.
fn catch<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    roomy(|| catch_unwind(AssertUnwindSafe(work))).map_err(|_| internal())
}

/// Runs work with the stack that the default limits need. Threads of Python may have less.
pub(crate) fn roomy<T>(work: impl FnOnce() -> T) -> T {
    const LEAST: usize = 2 << 20;
    stacker::maybe_grow(LEAST, 2 * LEAST, work)
}

/// Converts objects on this thread, with the interpreter lock, within what the limits say of time.
pub(crate) fn converting<T>(limits: Option<&Limits>, work: impl FnOnce() -> T) -> T {
    match limits {
        Some(limits) => roomy(|| with_timeout(limits).run(work)),
        None => roomy(work),
    }
}

/// How many bytes of text are made where callers set no limit.
const MOST_TEXT: u64 = 64 << 20;

/// Runs work that makes text, of at most 64 MiB.
pub(crate) fn writing<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    quick(py, Some(&Limits::default().with_bytes(MOST_TEXT)), work)
}

/// Writes a value or a type as text of at most 64 MiB. Parts that are shared are written each time. `size` is an estimate, which is
/// usually twice as large.
pub(crate) fn written(size: u64, what: &impl std::fmt::Display) -> PyResult<String> {
    if size / 2 > MOST_TEXT {
        return Err(error::exceeded(Exceeded { limit: Limit::Bytes, most: MOST_TEXT }));
    }
    // Nothing is cut off.
    Ok(hclkit::Limits::trusted().run(|| what.to_string()))
}

fn internal() -> PyErr {
    error::plain("internal error: please report it with the input that caused it")
}

fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import("threading")?;
    let current = threading.call_method0("get_ident")?;
    threading.call_method0("main_thread")?.getattr("ident")?.eq(current)
}

/// Runs work that is never quick, such as reading a directory, so that Ctrl-C stops it.
pub(crate) fn slow<T: Send>(py: Python<'_>, limits: &Limits, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    if is_main_thread(py)? { interruptible(py, limits, work) } else { quick(py, Some(limits), work) }
}

/// Runs work on so many values, which is quick if there are few, and which Ctrl-C stops if there are many.
pub(crate) fn sized<T: Send>(
    py: Python<'_>,
    limits: Option<&Limits>,
    values: u64,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    /// They take some milliseconds.
    const FEW: u64 = 10_000;
    if values <= FEW { quick(py, limits, work) } else { slow(py, limits.unwrap_or(&Limits::trusted()), work) }
}
