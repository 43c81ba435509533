//! The tables of many files as a stream of Arrow, which pyarrow, Polars, `DuckDB` and others read without copying.

use std::collections::VecDeque;
use std::ffi::CString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use hclkit_files::{Observer, Selection};
use hclkit_tables::arrow_array::ffi::to_ffi;
use hclkit_tables::arrow_array::ffi_stream::FFI_ArrowArrayStream;
use hclkit_tables::arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray};
use hclkit_tables::arrow_schema::ffi::FFI_ArrowSchema;
use hclkit_tables::arrow_schema::{ArrowError, SchemaRef};
use hclkit_tables::{
    Batches, Caller, Content, Entry, InputEntries, Inputs, IpcRows, LeftOut, Options, RepoFrom, Table,
    UnknownTable,
};
use pyo3::exceptions::{PyRuntimeWarning, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyCapsule, PyIterator};

use crate::limits::Limits;

/// Contents that are larger become rows of `diagnostics`: a quarter of the bytes that may be in flight.
const MOST_BYTES: u64 = hclkit_tables::content_limit(Options::DEFAULT_BYTES_IN_FLIGHT);

/// The batches of several tables, in one pass over the files.
#[pyclass(frozen, module = "hclkit")]
pub(crate) struct TableBatches(Mutex<Pass>);

/// The batches that are left, and what the iterator of files says.
struct Pass {
    batches: Left,
    told: Arc<Told>,
    is_over: bool,
}

/// The batches of all columns of several tables, or of some columns of one.
enum Left {
    Several(hclkit_tables::TableBatches<Entries>),
    Chosen(Table, Batches<Entries>),
}

/// Columns of a table, and rows in memory.
#[pyclass(frozen, module = "hclkit")]
pub(crate) struct ArrowRows {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

/// Files of paths: directories, files, bare repositories of Git, archives and lines of JSON.
#[pyclass(frozen, module = "hclkit")]
pub(crate) struct Paths {
    all: Vec<PathBuf>,
    selection: Selection,
    repo_from: Option<RepoFrom>,
    /// Says which rows of repository, commit and path are wanted.
    keeps: Option<Py<PyAny>>,
}

/// Some rows of a table.
#[pyclass(frozen, module = "hclkit")]
pub(crate) struct ArrowBatch(RecordBatch);

fn unknown_table(error: UnknownTable) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn of_arrow(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn options(limits: Option<&Limits>, variable_values: bool) -> Options {
    let options = Options::new().with_variable_values(variable_values);
    match limits {
        Some(limits) => {
            let evaluation =
                limits.timeout.into_iter().fold(limits.most.clone(), hclkit::Limits::with_timeout);
            options.with_file_limits(limits.most.clone()).with_evaluation_limits(evaluation)
        }
        None => options,
    }
}

#[pymethods]
impl ArrowRows {
    #[new]
    fn new(table: &str, columns: Option<Vec<String>>, batches: Vec<PyRef<'_, ArrowBatch>>) -> PyResult<Self> {
        let schema = table.parse::<Table>().map_err(unknown_table)?.schema();
        let schema = match columns {
            Some(columns) => {
                let numbers = columns.iter().map(|name| schema.index_of(name)).collect::<Result<Vec<_>, _>>();
                Arc::new(schema.project(&numbers.map_err(of_arrow)?).map_err(of_arrow)?)
            }
            None => schema,
        };
        if batches.iter().any(|batch| batch.0.schema() != schema) {
            return Err(PyValueError::new_err("the batches have other columns"));
        }
        Ok(Self { schema, batches: batches.iter().map(|batch| batch.0.clone()).collect() })
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<&str> {
        self.schema.fields().iter().map(|field| field.name().as_str()).collect()
    }

    /// The schema, as a capsule of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema).map_err(of_arrow)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The rows, as a capsule of Arrow. A requested schema is ignored, as the protocol allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        // Whoever reads a stream may release the interpreter lock meanwhile, which pyo3 does not notice in a function that Rust calls.
        // So a stream must not call Python.
        let rows = RecordBatchIterator::new(self.batches.clone().into_iter().map(Ok), self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(rows));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

#[pymethods]
impl Paths {
    #[new]
    #[pyo3(signature = (paths, *, repo_from=None, include=Vec::new(), exclude=Vec::new(), no_ignore=false, hidden=false, follow=false))]
    fn new(
        paths: Vec<PathBuf>,
        repo_from: Option<&str>,
        include: Vec<String>,
        exclude: Vec<String>,
        no_ignore: bool,
        hidden: bool,
        follow: bool,
    ) -> PyResult<Self> {
        let invalid = |why: &str| PyValueError::new_err(format!("repo_from: {why}"));
        let repo_from = repo_from.map(|text| text.parse().map_err(invalid)).transpose()?;
        let selection = Selection::new(&include, &exclude).map_err(PyValueError::new_err)?;
        let selection = selection.with_no_ignore(no_ignore).with_hidden(hidden).with_follow(follow);
        let selection = selection.with_option_names("no_ignore=True", "follow=True");
        Ok(Self { all: paths, selection, repo_from, keeps: None })
    }

    /// The same files, but only those that are wanted: a function gets a list of tuples of repository, commit and path, and returns as
    /// many bools. Files that are not wanted are not read.
    fn chosen(&self, keeps: Py<PyAny>) -> Self {
        let (all, selection, repo_from) = (self.all.clone(), self.selection.clone(), self.repo_from.clone());
        Self { all, selection, repo_from, keeps: Some(keeps) }
    }
}

impl Paths {
    fn entries(&self, py: Python<'_>, is_evaluated: bool, told: &Arc<Told>) -> Found {
        let inputs = Inputs::new(self.selection.clone(), told.clone()).with_repo_from(self.repo_from.clone());
        let entries = inputs.with_evaluation(is_evaluated).entries(self.all.clone());
        let keeps = self.keeps.as_ref().map(|keeps| keeps.clone_ref(py));
        Found { entries, is_evaluated, keeps, ready: VecDeque::new() }
    }
}

/// The entries of paths that are left.
struct Found {
    entries: InputEntries,
    is_evaluated: bool,
    keeps: Option<Py<PyAny>>,
    /// Entries that are wanted.
    ready: VecDeque<Entry>,
}

/// How many entries a function is asked for at once.
const ASKED: usize = 64;

impl Found {
    fn next(&mut self) -> PyResult<Option<Entry>> {
        loop {
            if let Some(entry) = self.ready.pop_front() {
                return Ok(Some(entry));
            }
            // Directories read their own files.
            let is_wanted = |entry: &Entry| {
                !self.is_evaluated || !matches!(entry.content, Content::Bytes(_) | Content::Later(_))
            };
            let most = if self.keeps.is_some() { ASKED } else { 1 };
            let some: Vec<Entry> = self.entries.by_ref().filter(is_wanted).take(most).collect();
            if some.is_empty() {
                return Ok(None);
            }
            self.ready = match &self.keeps {
                Some(keeps) => chosen(keeps, some)?,
                None => some.into(),
            };
        }
    }
}

/// The entries that a function wants.
fn chosen(keeps: &Py<PyAny>, entries: Vec<Entry>) -> PyResult<VecDeque<Entry>> {
    let rows: Vec<(Option<&str>, Option<&str>, &str)> =
        entries.iter().map(|own| (own.repo.as_deref(), own.commit.as_deref(), &*own.path)).collect();
    let kept: Vec<bool> = Python::attach(|py| keeps.call1(py, (rows,))?.extract(py))?;
    if kept.len() != entries.len() {
        return Err(PyValueError::new_err("the function must return a bool for each row"));
    }
    Ok(entries.into_iter().zip(kept).filter_map(|(entry, is_kept)| is_kept.then_some(entry)).collect())
}

/// What is said about files while they are read.
#[derive(Default)]
struct Told {
    /// The error that ended the rows early.
    error: Mutex<Option<PyErr>>,
    warnings: Mutex<Vec<String>>,
}

impl Told {
    fn take_error(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Warns about what was left out, at the end.
    fn warn(&self, left_out: &LeftOut) -> PyResult<()> {
        let mut all = std::mem::take(&mut *self.warnings.lock().unwrap_or_else(PoisonError::into_inner));
        if left_out.count > 0 {
            let what = if left_out.count == 1 {
                "1 file or directory has"
            } else {
                &format!("{} files or directories have", left_out.count)
            };
            all.push(format!("{what} not all rows in these tables: {left_out}"));
        }
        if all.is_empty() {
            return Ok(());
        }
        Python::attach(|py| {
            let warning = py.get_type::<PyRuntimeWarning>();
            all.into_iter().try_for_each(|text| {
                let text = CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default();
                PyErr::warn(py, &warning, &text, 1)
            })
        })
    }
}

impl Observer for Told {}

impl Caller for Told {
    // It is among what was left out, too.
    fn fail(&self, _: &str) {}

    fn warn(&self, what: &str) {
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner).push(what.to_owned());
    }
}

#[pymethods]
impl TableBatches {
    #[new]
    #[pyo3(signature = (tables, files, columns=None, *, variable_values=false, threads=None, limits=None, progress=None))]
    #[allow(clippy::too_many_arguments, reason = "each is an option")]
    fn new(
        tables: Vec<String>,
        files: &Bound<'_, PyAny>,
        columns: Option<Vec<String>>,
        variable_values: bool,
        threads: Option<usize>,
        limits: Option<&Limits>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let tables = tables.iter().map(|name| name.parse()).collect::<Result<Vec<Table>, _>>();
        let options = options(limits, variable_values).with_tables(tables.map_err(unknown_table)?);
        let is_evaluated = options.tables().iter().any(|table| table.is_evaluated());
        let (entries, told) = Entries::new(files, is_evaluated, progress)?;
        let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
        let batches = match (columns, options.tables()) {
            (None, _) => {
                let batches = hclkit_tables::TableBatches::new(options, entries).map_err(of_arrow)?;
                Left::Several(batches.with_threads(threads))
            }
            (Some(columns), &[table]) => {
                let batches = Batches::new(table, options, entries).with_threads(threads);
                Left::Chosen(table, batches.with_columns(columns).map_err(of_arrow)?)
            }
            (Some(_), _) => return Err(PyValueError::new_err("columns are of one table")),
        };
        Ok(Self(Mutex::new(Pass { batches, told, is_over: false })))
    }

    fn __iter__(own: PyRef<'_, Self>) -> PyRef<'_, Self> {
        own
    }

    /// The name of a table, and some of its rows.
    fn __next__(&self, py: Python<'_>) -> PyResult<Option<(&'static str, ArrowBatch)>> {
        // The iterator of files can ask for the next batch itself, and would then wait for itself.
        let mut pass = match self.0.try_lock() {
            Ok(pass) => pass,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(PyValueError::new_err("the batches are being read")),
        };
        let Pass { batches, told, is_over } = &mut *pass;
        let next = py.detach(|| {
            let next = batches.next();
            until_failed(next, batches.left_out(), told, is_over)
        });
        match next {
            Some(Ok((table, batch))) => Ok(Some((table.name(), ArrowBatch(batch)))),
            // The error of the iterator itself.
            Some(Err(ArrowError::ExternalError(error))) => Err(match error.downcast::<PyErr>() {
                Ok(error) => *error,
                Err(error) => PyValueError::new_err(error.to_string()),
            }),
            Some(Err(error)) => Err(of_arrow(error)),
            None => Ok(None),
        }
    }
}

impl Left {
    fn next(&mut self) -> Option<Result<(Table, RecordBatch), ArrowError>> {
        match self {
            Self::Several(batches) => batches.next(),
            Self::Chosen(table, batches) => Some(batches.next()?.map(|batch| (*table, batch))),
        }
    }

    fn left_out(&self) -> &LeftOut {
        match self {
            Self::Several(batches) => batches.left_out(),
            Self::Chosen(_, batches) => batches.left_out(),
        }
    }
}

#[pymethods]
impl ArrowBatch {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// About how many bytes the rows take.
    #[getter]
    fn nbytes(&self) -> usize {
        self.0.get_array_memory_size()
    }

    /// The schema and the rows, as capsules of Arrow. A requested schema is ignored, as the protocol allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let rows = StructArray::from(self.0.clone());
        let (array, _) = to_ffi(&rows.to_data()).map_err(of_arrow)?;
        let schema = FFI_ArrowSchema::try_from(&*self.0.schema()).map_err(of_arrow)?;
        let schema = PyCapsule::new_with_value(py, schema, c"arrow_schema")?;
        Ok((schema, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }
}

/// The files of an iterator.
struct Entries {
    files: Py<PyIterator>,
    /// Those of a stream that are left.
    stream: Option<IpcRows<PyBackedBytes>>,
    /// Those of paths that are left.
    found: Option<Found>,
    is_evaluated: bool,
    told: Arc<Told>,
    progress: Option<Progress>,
}

/// Calls a function with the number of files that were read so far: from time to time, and at the end.
struct Progress {
    function: Py<PyAny>,
    files: u64,
    called: Instant,
}

impl Progress {
    const EVERY: Duration = Duration::from_millis(100);

    fn count(&mut self) -> PyResult<()> {
        self.files += 1;
        if self.called.elapsed() < Self::EVERY { Ok(()) } else { self.call() }
    }

    fn call(&mut self) -> PyResult<()> {
        self.called = Instant::now();
        Python::attach(|py| self.function.call1(py, (self.files,))).map(drop)
    }
}

/// A file, as its repository, commit, path, and a content or the file that has it; a stream of Arrow IPC with many; or paths.
#[derive(FromPyObject)]
enum Files {
    Stream(PyBackedBytes),
    Paths(Py<Paths>),
    File(Option<String>, Option<String>, String, Option<Given>),
}

/// A content, or the file that has it.
#[derive(FromPyObject)]
enum Given {
    Text(PyBackedStr),
    Bytes(PyBackedBytes),
    File(PathBuf),
}

impl Entries {
    /// The files of what `files` returns, and where an error is put.
    fn new(
        files: &Bound<'_, PyAny>,
        is_evaluated: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Self, Arc<Told>)> {
        let files = files.call0()?.try_iter()?.unbind();
        let told = Arc::new(Told::default());
        let progress = progress.map(|function| Progress { function, files: 0, called: Instant::now() });
        Ok((Self { files, stream: None, found: None, is_evaluated, told: told.clone(), progress }, told))
    }

    fn next_files(&self, py: Python<'_>) -> PyResult<Option<Files>> {
        let Some(files) = self.files.bind(py).clone().next().transpose()? else { return Ok(None) };
        let expected =
            "a file is a tuple of repository, commit, path, and text, bytes or a path as its content";
        files.extract().map(Some).map_err(|_| PyTypeError::new_err(expected))
    }

    fn try_next(&mut self) -> PyResult<Option<Entry>> {
        loop {
            if let Some(entry) = self.stream.as_mut().and_then(Iterator::next) {
                return entry.map(Some).map_err(of_arrow);
            }
            if let Some(entry) = self.found.as_mut().map(Found::next).transpose()?.flatten() {
                return Ok(Some(entry));
            }
            match Python::attach(|py| self.next_files(py))? {
                None => return Ok(None),
                Some(Files::File(repo, commit, path, content)) => {
                    let (repo, commit) = (repo.map(Into::into), commit.map(Into::into));
                    let content = content_of(content);
                    return Ok(Some(Entry { repo, commit, path: path.into(), content }));
                }
                Some(Files::Paths(paths)) => {
                    let (is_evaluated, told) = (self.is_evaluated, self.told.clone());
                    self.found = Some(Python::attach(|py| paths.get().entries(py, is_evaluated, &told)));
                }
                Some(Files::Stream(stream)) => {
                    self.stream = Some(IpcRows::new(stream, MOST_BYTES).map_err(of_arrow)?);
                }
            }
        }
    }
}

impl Iterator for Entries {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let next = self.try_next().and_then(|next| {
            match (&mut self.progress, &next) {
                (Some(progress), Some(_)) => progress.count()?,
                (Some(progress), None) => progress.call()?,
                (None, _) => {}
            }
            Ok(next)
        });
        next.unwrap_or_else(|error| {
            *self.told.error.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            None
        })
    }
}

fn content_of(given: Option<Given>) -> Content {
    let of = |bytes: &[u8]| {
        let size = bytes.len() as u64;
        if size > MOST_BYTES {
            hclkit_tables::too_large(size, MOST_BYTES)
        } else {
            Content::Bytes(bytes.to_vec())
        }
    };
    match given {
        Some(Given::Text(text)) => of(text.as_bytes()),
        Some(Given::Bytes(bytes)) => of(&bytes),
        Some(Given::File(path)) => Content::Later(Box::new(move |allowance| {
            allowance.ask(std::fs::metadata(&path)?.len())?;
            hclkit::limits::read_file(&path, MOST_BYTES)
        })),
        None => {
            let why = "the content is null".to_owned();
            Content::Unread { bytes: 0, code: "unreadable-file", why }
        }
    }
}

/// The next batch, or the error that ended the iterator. At the end, what was left out is a warning, which can be an error.
fn until_failed<T>(
    next: Option<Result<T, ArrowError>>,
    left_out: &LeftOut,
    told: &Told,
    is_over: &mut bool,
) -> Option<Result<T, ArrowError>> {
    let failed = |error| Some(Err(ArrowError::ExternalError(Box::new(error))));
    if let Some(error) = told.take_error() {
        *is_over = true;
        return failed(error);
    }
    if next.is_none() && !std::mem::replace(is_over, true) {
        return told.warn(left_out).err().and_then(failed);
    }
    next
}

/// The names of all tables, or only of those that need no evaluation.
#[pyfunction]
#[pyo3(signature = (*, evaluated=true))]
pub(crate) fn table_names(evaluated: bool) -> Vec<&'static str> {
    Table::ALL.into_iter().filter(|table| evaluated || !table.is_evaluated()).map(Table::name).collect()
}

/// Whether a file is a configuration, according to its name.
#[pyfunction]
pub(crate) fn is_configuration(path: &str) -> bool {
    hclkit::dialect::syntax_of_path(path).is_some()
}
