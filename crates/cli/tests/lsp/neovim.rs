//! A session in Neovim 0.11 or newer: `nvim` on the path, or the program in `NVIM`.

use std::fs;
use std::process::Command;

#[test]
#[ignore = "needs Neovim 0.11"]
fn a_session_in_neovim() {
    let nvim = std::env::var_os("NVIM").unwrap_or_else(|| "nvim".into());
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let main = "variable \"region\" {\n  default = \"eu\"\n}\nlocals {\n  zone=upper(\"${var.region}-ä\")\n}\nmodule \"net\" {\n  source = \"./net\"\n  cidr   = local.zone\n}\noutput \"id\" {\n  value = module.net.idd\n}\n";
    fs::create_dir_all(root.join("net")).unwrap();
    fs::write(root.join("main.tf"), main).unwrap();
    fs::write(root.join("net/main.tf"), "variable \"cidr\" {}\noutput \"id\" {\n  value = var.cidr\n}\n")
        .unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lsp/neovim.lua");
    let run = Command::new(&nvim)
        .args(["--headless", "-u", "NONE", "-l", script])
        .env("HCL", env!("CARGO_BIN_EXE_hcl"))
        .env("ROOT", &root)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let results = fs::read_to_string(root.join("out")).unwrap_or_else(|_| panic!("{said}"));
    let expected = "client hcl
diagnostic 12 unknown-variable
hover local.zone = \"EU-Ä\"
completion id
renamed   zone=upper(\"${var.location}-ä\")
formatted   zone = upper(\"${var.location}-ä\")
action Use double quotes
fixed a = \"x\"
";
    assert_eq!(results, expected);
    assert!(fs::read_to_string(root.join("main.tf")).unwrap().contains("  block  = local.zone\n"));
    assert_eq!(
        fs::read_to_string(root.join("net/main.tf")).unwrap(),
        "variable \"block\" {}\noutput \"id\" {\n  value = var.block\n}\n"
    );
}
