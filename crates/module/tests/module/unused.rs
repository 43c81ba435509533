//! Warnings about declarations that nothing refers to.

use hclkit_module::{Dialect, Memory, ModuleLoader};

/// The addresses that a check of a directory calls unused.
fn unused(files: &[(&str, &str)], is_called: bool) -> Vec<String> {
    let files: Memory = files.iter().copied().collect();
    let module = ModuleLoader::new(Dialect::terraform()).with_files(files).with_called(is_called).load();
    let found = module.check();
    assert!(!found.has_errors(), "{found}");
    let notes = found.iter().filter_map(|found| {
        Some(
            found
                .note()
                .strip_prefix("Nothing in this directory refers to `")?
                .trim_end_matches("`.")
                .to_owned(),
        )
    });
    notes.collect()
}

#[test]
fn variables_that_a_call_sets_are_not_reported() {
    let child = "variable \"set\" {\n}\nvariable \"unset\" {\n  default = 1\n}\nlocals {\n  a = 1\n}\n";
    let main = "module \"m\" {\n  source = \"./m\"\n  set = 1\n}\nmodule \"n\" {\n  source = \"./m\"\n  set = 2\n}\n";
    assert_eq!(unused(&[("main.tf", main), ("m/main.tf", child)], false), ["var.unset", "local.a"]);
    // Alone, it is not known what calls set.
    assert_eq!(unused(&[("main.tf", child)], true), ["local.a"]);
    assert_eq!(unused(&[("main.tf", "variable \"x\" {\n}\n")], false), ["var.x"]);
}

/// They are kept for the message of their validation.
#[test]
fn variables_that_must_be_null_are_not_reported() {
    let with = |condition: &str| {
        let main = format!(
            "variable \"old\" {{\n  type = list(string)\n  default = null\n  validation {{\n    condition = {condition}\n    \
             error_message = \"Use `new`.\"\n  }}\n}}\n"
        );
        unused(&[("main.tf", &main)], false)
    };
    for condition in ["var.old == null", "null == var.old", "var.old == null ? true : false"] {
        assert_eq!(with(condition), [""; 0], "{condition}");
    }
    for condition in ["var.old == null || var.old[0] == \"a\"", "var.old == null || var.old != null"] {
        assert_eq!(with(condition), ["var.old"], "{condition}");
    }
}

#[test]
fn variables_that_validations_of_others_use_are_not_reported() {
    let main = "variable \"least\" {\n  default = 1\n}\nvariable \"n\" {\n  default = 2\n  validation {\n    condition = \
                var.n >= var.least\n    error_message = \"No.\"\n  }\n}\n";
    assert_eq!(unused(&[("main.tf", main)], false), ["var.n"]);
}
