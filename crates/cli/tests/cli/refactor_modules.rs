//! `hcl rename` and `hcl refs` of names in modules that are called.

use crate::program::Folder;
use snapbox::str;

fn folder() -> Folder {
    Folder::with(&[
        (
            "main.tf",
            "module \"net\" {\n  source = \"./net\"\n  zone   = \"a\"\n}\nmodule \"all\" {\n  source   = \"./net\"\n  for_each = toset([\"b\"])\n  zone     = each.key\n}\noutput \"cidr\" {\n  value = [module.net.cidr, module.all[\"b\"].cidr, module.all[\"b\"].cidrs]\n}\n",
        ),
        (
            "net/main.tf",
            "variable \"zone\" {}\nlocals {\n  base = \"10-${var.zone}\"\n}\nmodule \"inner\" {\n  source = \"../inner\"\n  zone   = var.zone\n}\noutput \"cidr\" {\n  value = local.base\n}\noutput \"cidrs\" {\n  value = module.inner.id\n}\n",
        ),
        ("inner/main.tf", "variable \"zone\" {}\noutput \"id\" {\n  value = var.zone\n}\n"),
    ])
}

#[test]
fn results_are_renamed_by_their_address_in_the_caller() {
    let folder = folder();
    folder.hcl(&["rename", "-w", "module.net.cidr", "block"]).success();
    let main = folder.read("main.tf");
    assert!(main.contains("[module.net.block, module.all[\"b\"].block, module.all[\"b\"].cidrs]"), "{main}");
    assert!(folder.read("net/main.tf").contains("output \"block\" {\n  value = local.base\n}"));
}

#[test]
fn names_inside_of_called_modules_are_renamed() {
    let folder = folder();
    folder.hcl(&["rename", "-w", "module.net.module.inner.id", "module.net.module.inner.name"]).success();
    assert!(folder.read("net/main.tf").contains("value = module.inner.name\n"));
    assert!(folder.read("inner/main.tf").contains("output \"name\" {"));
    folder.hcl(&["rename", "-w", "module.net.local.base", "start"]).success();
    assert!(folder.read("net/main.tf").contains("value = local.start\n"));
    folder.hcl(&["rename", "-w", "module.net.var.zone", "area"]).success();
    let main = folder.read("main.tf");
    assert!(main.contains("  area   = \"a\"") && main.contains("  area     = each.key"), "{main}");
    assert!(folder.read("net/main.tf").contains("variable \"area\" {}"));
    folder.hcl(&["check"]).success().stdout_eq("Checked 3 files: no problems found\n");
}

#[test]
fn references_are_found_in_the_module_that_declares_them() {
    folder().hcl(&["refs", "module.net.cidr"]).success().stdout_eq(str![[r#"
main.tf:11:12: output.cidr.value[0]
net/main.tf:9:8: output.cidr (declaration)

"#]]);
    folder().hcl(&["refs", "module.net.local.base"]).success().stdout_eq(str![[r#"
net/main.tf:3:3: locals.base (declaration)
net/main.tf:10:11: output.cidr.value

"#]]);
    folder().hcl(&["refs", "module.none.cidr"]).code(1).stdout_eq("");
}
