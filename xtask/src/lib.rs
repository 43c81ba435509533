//! What the chores share with `conformance/driver`: the programs and directories of the workspace.

pub mod programs;
