//! The tables of what applications read from files in HCL 1, in `tables/settings/`. They are written by
//! `cargo xtask conformance --agents --bless`, from the sources of the applications. Each is read when a file is checked.

use std::sync::OnceLock;

use hclkit_limits::Meter;
use hclkit_model::hcl1::Settings;
use hclkit_syntax::Source;

/// A table that is read when it is needed.
pub(crate) struct Lazy {
    name: &'static str,
    text: &'static str,
    read: OnceLock<Option<Settings>>,
}

/// The tables in this crate.
static TABLES: [Lazy; 3] = [
    Lazy::new("consul", include_str!("../tables/settings/consul.hcl")),
    Lazy::new("consul-template", include_str!("../tables/settings/consul-template.hcl")),
    Lazy::new("vault", include_str!("../tables/settings/vault.hcl")),
];

/// The table with this name.
pub(crate) fn named(name: &str) -> Option<&'static Lazy> {
    TABLES.iter().find(|table| table.name == name)
}

impl Lazy {
    const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text, read: OnceLock::new() }
    }

    pub(crate) fn get(&'static self) -> Option<&'static Settings> {
        // The limits of a user must not decide what applications read. A test reads each table.
        let read =
            || Meter::apart(|| Settings::read(Source::new(format!("{}.hcl", self.name), self.text)).ok());
        self.read.get_or_init(read).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_can_be_read() {
        for table in &TABLES {
            if let Err(errors) = Settings::read(Source::new(table.name, table.text)) {
                panic!("{}: {errors}", table.name);
            }
        }
    }
}
