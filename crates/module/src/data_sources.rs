//! Data sources that are pure functions of their arguments: what their providers compute, computed here. Names of providers are
//! only in this file and in `data_sources/`, which has a file for each kind; [`ALL`] is the table.

mod arguments;
mod cloudinit;
mod google;
mod json;
mod policy;
mod sets;
mod simple;

use std::fmt;

use hclkit_dialect::{Constraints, Version};
use hclkit_limits::Exceeded;
use hclkit_model::{Callable, Context, Diagnostics, Expression, Functions, error_within};
use hclkit_value::{Error, ErrorKind, Name, Str, Value};

use arguments::{Argument, Arguments};

/// The table of the data sources.
static ALL: [&DataSource; 9] = [
    &cloudinit::OLD_SOURCE,
    &cloudinit::SOURCE,
    &google::SOURCE,
    &policy::SOURCE,
    &simple::ARCHIVE,
    &simple::FILE,
    &simple::NULL,
    &simple::SENSITIVE_FILE,
    &simple::TEMPLATE,
];

/// The type of the blocks of data sources.
const BLOCK: &str = "data";

/// The versions of a provider that a row is for have no end.
const LAST: &str = "99999";

/// A data source that is a pure function of its arguments.
///
/// ```
/// let all: Vec<&str> = hclkit_module::DataSource::all().map(|own| own.name).collect();
/// assert!(all.contains(&"aws_iam_policy_document"));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct DataSource {
    /// Its type, such as `aws_iam_policy_document`.
    pub name: &'static str,
    /// The provider that has it, such as `hashicorp/aws`.
    pub provider: &'static str,
    /// The version of the provider whose results these are, such as `6`.
    pub version: &'static str,
    /// The first version of the provider with these results.
    pub since: &'static str,
    arguments: &'static [Argument],
    outputs: &'static [&'static str],
    compute: fn(&Arguments, &dyn World) -> Result<Outputs, Refusal>,
}

/// The attributes that the provider sets.
type Outputs = Vec<(&'static str, Value)>;

/// What data sources use besides their arguments.
trait World {
    /// Calls a function of the language.
    fn call(&self, name: &str, arguments: &[Value]) -> Result<Value, Refusal>;

    /// Renders a template with variables.
    fn render(&self, template: &str, variables: &[(Str, Str)]) -> Result<Value, Refusal>;
}

/// Why nothing is computed.
#[derive(Debug)]
enum Refusal {
    /// It is unknown what the provider does.
    Unknown,
    /// The provider reports an error.
    Invalid { argument: &'static str, problem: String },
}

impl Refusal {
    fn invalid(argument: &'static str, problem: String) -> Self {
        Self::Invalid { argument, problem }
    }

    /// The same as an error of an argument.
    fn of(self, argument: &'static str) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            Self::Invalid { problem, .. } => Self::Invalid { argument, problem },
        }
    }
}

/// A limit that is exceeded is reported where all limits are.
impl From<Exceeded> for Refusal {
    fn from(_: Exceeded) -> Self {
        Self::Unknown
    }
}

/// Its type, its provider, and the versions of that.
#[doc(hidden)]
impl fmt::Debug for DataSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("DataSource");
        shown.field("name", &self.name).field("provider", &self.provider);
        shown.field("version", &self.version).field("since", &self.since).finish_non_exhaustive()
    }
}

/// `hashicorp/aws 6`
impl fmt::Display for DataSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.provider, self.version)
    }
}

/// Each type of data source is one row.
impl PartialEq for DataSource {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for DataSource {}

impl DataSource {
    /// All of them, in the order of their types.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        let mut all = ALL.to_vec();
        all.sort_by_key(|own| own.name);
        all.into_iter()
    }

    /// The data source that a block of this type is.
    pub(crate) fn of(block_type: &str, object_type: &str) -> Option<&'static Self> {
        ALL.iter().copied().find(|own| block_type == BLOCK && own.name == object_type)
    }

    /// Whether a block is a data source, of any type.
    pub(crate) fn is_block(block_type: &str) -> bool {
        block_type == BLOCK
    }

    /// Whether a provider from this source, in a version that the constraint allows, gives these results.
    pub(crate) fn is_of(&self, source: &str, constraint: Option<&str>) -> bool {
        // Two names after the host of a registry, which may be left out.
        let is_same = source == self.provider
            || source.strip_suffix(self.provider).is_some_and(|host| host.ends_with('/'));
        let (first, last) = (Version::parse(self.since), Version::parse(LAST));
        let allows = |constraint: &Constraints| {
            first.as_ref().zip(last.as_ref()).is_some_and(|(first, last)| constraint.allow_some(first, last))
        };
        is_same && constraint.is_none_or(|text| Constraints::parse(text).is_none_or(|own| allows(&own)))
    }

    /// Whether the provider sets an attribute that is not configured.
    pub(crate) fn sets(&self, name: &str) -> bool {
        self.outputs.contains(&name)
    }

    /// What the provider sets for these attributes and blocks. Empty if it is unknown.
    ///
    /// # Errors
    /// The name of an argument that the provider refuses, and what is wrong with it. Nothing of the values is in that if one of
    /// them is marked.
    pub(crate) fn compute(
        &self,
        values: &[(Name, Value)],
        functions: &Functions,
    ) -> Result<Outputs, (&'static str, String)> {
        let Some(known) = arguments::bare(values) else { return Ok(Vec::new()) };
        let world = Language { functions, hides: values.iter().any(|(_, value)| value.contains_marked()) };
        let arguments = known.iter().map(|(name, value)| (name.as_str(), value));
        let found = Arguments::read(arguments, self.arguments).and_then(|own| (self.compute)(&own, &world));
        match found {
            Ok(outputs) => Ok(outputs),
            Err(Refusal::Unknown) => Ok(Vec::new()),
            Err(Refusal::Invalid { argument, problem }) => Err((argument, problem)),
        }
    }
}

/// The functions of a language.
struct Language<'f> {
    functions: &'f Functions,
    /// Errors must not show values.
    hides: bool,
}

impl Language<'_> {
    fn refuse(&self, error: Error) -> Refusal {
        match error.kind() {
            ErrorKind::NotGranted(_) | ErrorKind::Limit(_) => Refusal::Unknown,
            _ => {
                let error = if self.hides { error.redacted() } else { error };
                Refusal::invalid("", error.to_string().trim_end_matches('.').to_owned())
            }
        }
    }
}

impl World for Language<'_> {
    fn call(&self, name: &str, arguments: &[Value]) -> Result<Value, Refusal> {
        match self.functions.get(name) {
            Some(Callable::Function(function)) => {
                function.call(arguments).map_err(|error| self.refuse(error))
            }
            _ => Err(Refusal::Unknown),
        }
    }

    fn render(&self, template: &str, variables: &[(Str, Str)]) -> Result<Value, Refusal> {
        let refuse = |found: &Diagnostics| self.refuse(error_within(found));
        let expression = Expression::parse_template(template).map_err(|found| refuse(&found))?;
        let mut context = Context::new().with_functions(self.functions.clone());
        let bind = |(name, text): &(Str, Str)| (Name::from(name.clone()), Value::from(text.clone()));
        context.set_all(variables.iter().map(bind));
        let value = expression.evaluate(&context).map_err(|found| refuse(&found))?;
        if value.is_wholly_known() { Ok(value) } else { Err(Refusal::Unknown) }
    }
}
