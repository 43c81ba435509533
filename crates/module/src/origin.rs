//! Where values come from, as errors and explanations say it.

use std::fmt;

use crate::data_sources::DataSource;
use crate::messages;

/// Where a value from outside of the module comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Environment(String),
    /// A file that is read by default or set by an option.
    File(String),
    Option(String),
}

impl Origin {
    /// The same for an explanation.
    pub(crate) fn cause(&self) -> Cause {
        match self {
            Self::Environment(name) => Cause::Environment(name.clone()),
            Self::File(name) => Cause::File(name.clone()),
            Self::Option(name) => Cause::Option(name.clone()),
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment(name) => write!(f, "in the environment variable `{name}`"),
            Self::File(name) => write!(f, "in {name}"),
            Self::Option(name) => write!(f, "with `{name}`"),
        }
    }
}

/// Where a value comes from. It is displayed as a phrase.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// An expression of the module.
    Expression,
    /// The argument of the call with this address.
    Argument(String),
    /// The default of a variable.
    Default,
    /// An optional attribute in the type of a variable.
    OptionalAttribute,
    /// A file with values of variables.
    File(String),
    /// An environment variable.
    Environment(String),
    /// An option, such as `--var region`.
    Option(String),
    /// A variable without a value.
    Missing,
    /// The argument that repeats the block with this address.
    Repetition(String),
    /// A provider sets it.
    Provider,
    /// A data source whose value is computed here, as its provider does.
    Computed(&'static DataSource),
    /// A module that was not read.
    OtherModule,
    /// The program defines the name.
    Program,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expression => f.write_str("set here"),
            Self::Argument(call) => write!(f, "an argument of {call}"),
            Self::Default => f.write_str("the default"),
            Self::OptionalAttribute => f.write_str("the default of an optional attribute in the type"),
            Self::File(_) => f.write_str("set in a variable file"),
            Self::Environment(name) => write!(f, "set by the environment variable {name}"),
            Self::Option(option) => write!(f, "set with {option}"),
            Self::Missing => f.write_str("without a value"),
            Self::Repetition(block) => write!(f, "from the instances of {block}"),
            Self::Provider => f.write_str(messages::SET_BY_PROVIDER),
            Self::Computed(source) => write!(f, "computed by hclkit as {source} does"),
            Self::OtherModule => f.write_str(messages::OTHER_MODULE),
            Self::Program => f.write_str("set by the program"),
        }
    }
}
