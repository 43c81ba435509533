//! Rules and tests for HCL, in HCL. Nothing needs a provider, a state or a network: what only they know is unknown, which is an
//! outcome of its own.
#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod comments;
mod kind;
mod request;
pub mod rules;
pub mod terraform_policy;
pub mod terraform_test;
mod verdict;

pub use kind::FileKind;
pub use request::{Load, OpenPolicies, TestFile, TestRequest};
pub use rules::{Builtin, EvaluatedModule, Project, Reader, Rules};
pub use terraform_policy::{Policies, functions_of};
pub use verdict::{Outcome, Suite, Totals, Verdict};
