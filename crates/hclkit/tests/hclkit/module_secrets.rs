//! Sensitive values of modules are never shown: in values, explanations, partially evaluated modules, reasons, graphs
//! and errors. The modules are random and get sensitive values from outside.

use std::fmt::Write as _;

use hclkit::model::PartialOptions;
use hclkit::module::{self, Dialect, Memory, Module, ModuleLoader};
use hclkit::render::graph::to_dot;
use hclkit::render::{self, Renderer};
use hclkit_test_cases::seeds;

const CANARY: &str = "canary7531";
const LOCALS: usize = 8;

/// Random numbers that a seed determines.
struct Random(fastrand::Rng);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0.usize(..count)
    }

    /// A name that is declared before a local value.
    fn name(&mut self, before: usize) -> String {
        match self.below(40) {
            0..10 if before > 0 => format!("local.l{}", self.below(before)),
            10..20 if before > 0 => format!("local.l{}", before - 1),
            20..30 => "var.plain".to_owned(),
            30 => "var.map".to_owned(),
            _ => format!("var.secret{}", self.below(2)),
        }
    }

    fn expression(&mut self, before: usize) -> String {
        let (one, two) = (self.name(before), self.name(before));
        // The last ones never fail, so that not all modules have errors.
        match self.below(60) {
            0 => format!("\"${{{one}}}-x\""),
            1 => format!("upper({one})"),
            2 => format!("[{one}, {two}]"),
            3 => format!("{{ a = {one}, b = {two} }}"),
            4 => format!("{{ ({one}) = {two} }}"),
            5 => format!("jsonencode({one})"),
            6 => format!("try(tonumber({one}), {two})"),
            7 => format!("tonumber({one})"),
            8 => format!("{one} == {two} ? {one} : {two}"),
            9 => format!("[for item in [{one}, {two}] : upper(item)]"),
            10 => format!("{{ for item in [{one}, {two}] : item => item }}"),
            11 => format!("{one}.a"),
            12 => format!("[{one}][*]"),
            13 => format!("merge({{ a = {one} }}, {{ b = {two} }})"),
            14 => format!("templatestring(\"x$${{v}}\", {{ v = {one} }})"),
            15 => format!("{one} + 1"),
            16 => format!("split(\"7\", {one})"),
            17 => format!("substr({one}, 0, 3) == \"can\" ? {two} : null"),
            18 => format!("lookup({{ x = 1 }}, {one}, {two})"),
            19 => one,
            20..40 => format!("[{one}, {two}]"),
            _ => format!("jsonencode([{one}, {two}])"),
        }
    }

    fn module(&mut self) -> String {
        let mut text = "variable \"plain\" {\n  default = \"p\"\n}\n".to_owned();
        for at in 0..2 {
            let ty = ["", "  type = string\n", "  type = any\n", "  type = number\n"][self.below(13) / 4];
            let _ = writeln!(text, "variable \"secret{at}\" {{\n  sensitive = true\n{ty}}}");
        }
        text.push_str("variable \"map\" {\n  type      = map(string)\n  sensitive = true\n}\nlocals {\n");
        for at in 0..LOCALS {
            let _ = writeln!(text, "  l{at} = {}", self.expression(at));
        }
        text.push_str("}\n");
        let argument = self.expression(LOCALS);
        let _ = writeln!(
            text,
            "module \"m\" {{\n  source = \"./m\"\n  a = {argument}\n  b = {}\n}}",
            self.name(LOCALS)
        );
        let (one, two, three) = (self.expression(LOCALS), self.name(LOCALS), self.name(LOCALS));
        let operator = ["==", "!="][usize::from(self.below(4) > 0)];
        let _ = writeln!(
            text,
            "resource \"aws_x\" \"y\" {{\n  count = 2\n  v = {one}\n  block {{\n    w = {two}\n  }}\n  lifecycle {{\n    \
             precondition {{\n      condition = {three} {operator} \"x\"\n      error_message = \"${{{two}}}\"\n    }}\n  }}\n}}"
        );
        for at in 0..3 {
            let sensitive = if self.below(20) > 0 { "  sensitive = true\n" } else { "" };
            let _ =
                writeln!(text, "output \"o{at}\" {{\n{sensitive}  value = {}\n}}", self.expression(LOCALS));
        }
        text.push_str("output \"m\" {\n  sensitive = true\n  value = module.m\n}\noutput \"y\" {\n  sensitive = true\n  value = aws_x.y[*].v\n}\n");
        text
    }
}

const CHILD: &str = r#"variable "a" {
  type = any
}
variable "b" {
  sensitive = true
  validation {
    condition     = length(jsonencode(var.b)) < 120
    error_message = "Too long: ${var.b}"
  }
}
output "a" {
  value = jsonencode([var.a])
}
output "b" {
  value     = var.b
  sensitive = true
}
"#;

fn load(text: &str) -> Module {
    let language = Dialect::terraform();
    let functions = module::functions(&language, &hclkit::functions::Grants::new());
    ModuleLoader::new(language)
        .with_files(Memory::from_iter([("main.tf", text), ("m/main.tf", CHILD)]))
        .with_functions(functions)
        .with_environment([("TF_VAR_secret0", CANARY)])
        .with_environment([("TF_VAR_map", format!("{{ {CANARY} = \"{CANARY}\" }}"))])
        .with_variable_text("secret1", CANARY)
        .load()
}

/// Everything that is shown of a module, with how much of it there is.
fn shown(module: &Module) -> (String, usize) {
    let mut text = String::new();
    let found = module.evaluate(&[]);
    let reasons = module.reasons();
    for own in found.values.iter().filter(|own| !own.sensitive) {
        let _ = writeln!(text, "{} = {}", own.address, own.value);
        let _ = writeln!(text, "{:?}", reasons.of(&own.address));
    }
    // The keys of sensitive values are not part of an address, and not suggested.
    for pattern in [
        "..canary*",
        "..*",
        "*.*.*",
        "local.*.*.*",
        "module..a",
        "local~[*]",
        "..[-1]",
        "..[true]",
        "..[length(self) > 0]",
        "..[nonsensitive(self) != \"x\"]",
        "..[can(nonsensitive(a))]",
        "module.*[a != null].b",
        "module~[self != null]..*",
        "var.map.canary753",
        "local.l1.canary753",
    ] {
        let parts = module.evaluate(&[pattern.parse().unwrap()]);
        text.push_str(&Renderer::plain().diagnostics(&parts.diagnostics));
        for own in parts.values {
            let value = if own.sensitive { String::new() } else { own.value.to_string() };
            let address = own.address.replace(pattern, "");
            let _ = writeln!(text, "{address} = {value}");
        }
    }
    let patterns: Vec<_> = found.values.iter().map(|own| own.address.parse().unwrap()).collect();
    let explained = module.explain(&patterns);
    text.push_str(&render::Renderer::plain().with_width(200).derivations(&explained));
    let mut partial = 0;
    match module.partial(PartialOptions::new(), &|value| value.to_string()) {
        Ok((files, _)) => {
            partial = 1;
            text.extend(files.iter().map(|file| file.text.as_str()));
        }
        Err(found) => text.push_str(&Renderer::plain().diagnostics(&found)),
    }
    text.push_str(&Renderer::plain().diagnostics(&found.diagnostics));
    text.push_str(&Renderer::plain().diagnostics(&module.check()));
    text.push_str(&to_dot(&module.graph()));
    (text, partial)
}

#[test]
fn sensitive_values_are_never_shown() {
    let seeds = seeds(80);
    let cases = (seeds.end - seeds.start) as usize;
    let (mut failing, mut whole) = (0, 0);
    for seed in seeds {
        let text = Random(fastrand::Rng::with_seed(seed)).module();
        let module = load(&text);
        let (shown, partial) = shown(&module);
        whole += partial;
        failing += 1 - partial;
        let shows = shown.lines().find(|line| line.to_lowercase().contains(CANARY));
        assert!(shows.is_none(), "seed {seed}: {}\n{text}\n{shown}", shows.unwrap_or_default());
    }
    // The modules include some with errors and some without.
    assert!(failing * 15 > cases && whole * 30 > cases, "{failing} with errors, {whole} without");
}

/// The test can find values that are not sensitive.
#[test]
fn other_values_are_shown() {
    let text = "variable \"secret0\" {}\nvariable \"secret1\" {}\nvariable \"map\" {}\nlocals {\n  a = upper(var.secret0)\n}\n";
    let (shown, _) = shown(&load(text));
    assert!(shown.contains("CANARY7531") && shown.contains("var.secret1 = \"canary7531\""), "{shown}");
}
