//! A client that is written in Go with go-plugin, as Terraform is (`conformance/plugin`). Ignored by default, because it
//! requires Go: `cargo test -p terraform-provider-hcl --test provider -- --ignored go_client::`.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "requires Go"]
fn a_client_of_go_plugin_is_served_and_strangers_are_not() {
    let mut go = Command::new("go");
    go.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/plugin"));
    let output = go.args(["run", ".", env!("CARGO_BIN_EXE_terraform-provider-hcl")]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
