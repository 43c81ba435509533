//! Random modules of Terraform: a root, a module that it calls, and one that this one calls. Declarations are in several
//! files of both syntaxes and in override files. The same few names are used for everything.

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};

use crate::tree::Files;

/// The names of declarations, of `for` variables and of keys.
pub(crate) const NAMES: [&str; 6] = ["n1", "n2", "n3", "each", "var", "x_y"];

/// A module, and what can be renamed in it.
#[derive(Default)]
pub(crate) struct Generated {
    pub(crate) files: Files,
    /// Directories and addresses.
    pub(crate) symbols: Vec<(&'static str, String)>,
}

/// The directories, each called by the one before.
const DIRECTORIES: [&str; 3] = ["", "net/", "net/deep/"];

pub(crate) fn module(u: &mut Unstructured<'_>) -> Result<Generated> {
    let mut generated = Generated::default();
    let depth = u.int_in_range(1..=3)?;
    let mut called: Option<Interface> = None;
    for at in (0..depth).rev() {
        let mut directory = Directory {
            u,
            path: DIRECTORIES[at],
            references: Vec::new(),
            interface: Interface::default(),
            generated: &mut generated,
        };
        directory.fill(called.take())?;
        called = Some(directory.interface);
    }
    if u.arbitrary()? {
        // Line ends of another system.
        for text in generated.files.values_mut() {
            if u.ratio(1, 3)? {
                *text = text.replace('\n', "\r\n");
            }
        }
    }
    Ok(generated)
}

/// What callers see of a module.
#[derive(Default)]
struct Interface {
    variables: Vec<&'static str>,
    outputs: Vec<&'static str>,
}

struct Directory<'g, 'u, 'b> {
    u: &'u mut Unstructured<'b>,
    path: &'static str,
    /// Expressions that can be used from here on.
    references: Vec<String>,
    interface: Interface,
    generated: &'g mut Generated,
}

impl Directory<'_, '_, '_> {
    fn fill(&mut self, called: Option<Interface>) -> Result<()> {
        for name in self.some_names()? {
            self.variable(name)?;
        }
        for name in self.some_names()? {
            self.local(name)?;
        }
        if let Some(called) = called {
            for name in ["n1", "n2"].into_iter().take(self.u.int_in_range(1..=2)?) {
                self.call(name, &called)?;
            }
        }
        for name in self.some_names()? {
            self.resource(name)?;
        }
        for name in ["l1", "l2"] {
            self.local(name)?;
        }
        for name in self.some_names()? {
            self.output(name)?;
        }
        if self.path.is_empty() {
            self.test()?;
        }
        Ok(())
    }

    fn some_names(&mut self) -> Result<Vec<&'static str>> {
        let mask: u8 = self.u.arbitrary()?;
        Ok(NAMES
            .into_iter()
            .enumerate()
            .filter(|(at, _)| mask >> at & 1 == 1)
            .map(|(_, name)| name)
            .collect())
    }

    fn one_of(&mut self, texts: &[&'static str]) -> Result<&'static str> {
        self.u.choose(texts).copied()
    }

    fn add(&mut self, file: &str, text: &str) {
        let file = self.generated.files.entry(format!("{}{file}", self.path)).or_default();
        if !file.is_empty() {
            file.push('\n');
        }
        file.push_str(text);
    }

    /// Adds a block, to a file of either syntax. `inner` are lines of its body.
    fn block(&mut self, kind: &str, labels: &[&str], inner: &[(&str, String)]) -> Result<()> {
        if self.u.ratio(1, 4)? {
            let name = format!("j{}.tf.json", self.generated.files.len());
            let mut text = json_block(kind, labels, inner);
            if matches!(kind, "resource" | "module") && self.u.ratio(1, 3)? {
                let moved = "{\"from\": \"x_z.gone1\", \"to\": \"x_z.gone2\"}";
                let moved = if self.u.arbitrary()? { moved.to_owned() } else { format!("[{moved}]") };
                text = text.replace("\n}\n", &format!(",\n  \"moved\": {moved}\n}}\n"));
            }
            self.add(&name, &text);
            return Ok(());
        }
        let file = self.one_of(&["main.tf", "b.tf", "variables.tf"])?;
        let comment = self.one_of(&["", "# About it.\n", "/* a */\n", "// one\n# two\n"])?;
        let after = self.one_of(&["", " # end"])?;
        let mut text = format!("{comment}{}", header(kind, labels));
        for (name, value) in inner {
            let _ = writeln!(text, "  {name} = {value}{}", if value.ends_with('\n') { "" } else { after });
        }
        self.heredoc(kind, inner, &mut text)?;
        text.push_str("}\n");
        self.add(file, &text);
        Ok(())
    }

    /// Sometimes adds an attribute of several lines.
    fn heredoc(&mut self, kind: &str, inner: &[(&str, String)], text: &mut String) -> Result<()> {
        let name = match kind {
            "locals" => format!("h_{}", inner[0].0),
            "output" => "description".to_owned(),
            "resource" | "data" => "h".to_owned(),
            _ => return Ok(()),
        };
        if self.u.ratio(1, 4)? {
            let part = if kind == "output" { "1".to_owned() } else { self.expression(1)? };
            let _ = writeln!(text, "  {name} = <<EOT\nfirst ${{jsonencode({part})}}\n\n  # no comment\nEOT");
        }
        Ok(())
    }

    fn overridden(&mut self, kind: &str, labels: &[&str], name: &str) -> Result<()> {
        if !self.u.ratio(1, 8)? {
            return Ok(());
        }
        let value = self.expression(1)?;
        if self.u.arbitrary()? {
            let file = self.one_of(&["override.tf", "b_override.tf"])?;
            let text = format!("{}  {name} = {value}\n}}\n", header(kind, labels));
            self.add(file, &text);
        } else {
            let file = format!("j{}_override.tf.json", self.generated.files.len());
            self.add(&file, &json_block(kind, labels, &[(name, value)]));
        }
        Ok(())
    }

    fn declare(&mut self, address: String) {
        self.generated.symbols.push((self.path, address));
    }

    fn variable(&mut self, name: &'static str) -> Result<()> {
        let default = self.one_of(&["1", "\"text\"", "[1, 2]", "{ n1 = 1, n2 = \"x\" }"])?;
        self.block("variable", &[name], &[("default", default.to_owned())])?;
        if self.u.ratio(1, 8)? {
            self.add("override.tf", &format!("variable \"{name}\" {{\n  default = 5\n}}\n"));
        }
        if self.path.is_empty() && self.u.ratio(1, 3)? {
            self.add("terraform.tfvars", &format!("{name} = \"set\"\n"));
        }
        self.references.push(format!("var.{name}"));
        self.interface.variables.push(name);
        self.declare(format!("var.{name}"));
        Ok(())
    }

    fn local(&mut self, name: &'static str) -> Result<()> {
        let value = self.value()?;
        self.block("locals", &[], &[(name, value)])?;
        self.overridden("locals", &[], name)?;
        self.references.push(format!("local.{name}"));
        self.declare(format!("local.{name}"));
        Ok(())
    }

    fn call(&mut self, name: &'static str, called: &Interface) -> Result<()> {
        let mut inner =
            vec![("source", if self.path.is_empty() { "\"./net\"" } else { "\"./deep\"" }.to_owned())];
        let keyed = self.u.arbitrary()?;
        if keyed {
            inner.push(("for_each", "{ k = 1, n1 = 2 }".to_owned()));
        }
        for variable in &called.variables {
            if self.u.arbitrary()? {
                let value =
                    if keyed && self.u.arbitrary()? { "each.value".to_owned() } else { self.expression(2)? };
                inner.push((variable, value));
            }
        }
        if self.u.ratio(1, 4)?
            && let Some(reference) = self.references.iter().find(|it| it.starts_with("var."))
        {
            inner.push(("depends_on", format!("[{reference}]")));
        }
        self.block("module", &[name], &inner)?;
        for output in &called.outputs {
            let forms = if keyed {
                vec![
                    format!("module.{name}[\"k\"].{output}"),
                    format!("[for v in module.{name} : v.{output}]"),
                    format!("values(module.{name})[*].{output}"),
                ]
            } else {
                vec![format!("module.{name}.{output}"), format!("[for v in [module.{name}.{output}] : v]")]
            };
            let form = self.u.choose(&forms)?.clone();
            self.references.push(form);
        }
        if keyed && !called.outputs.is_empty() && self.u.arbitrary()? {
            let output = called.outputs[0];
            let inner = [("for_each", format!("module.{name}")), ("a", format!("each.value.{output}"))];
            self.block("resource", &["x_z", name], &inner)?;
            self.declare(format!("x_z.{name}"));
        }
        self.declare(format!("module.{name}"));
        Ok(())
    }

    fn resource(&mut self, name: &'static str) -> Result<()> {
        let kind = self.one_of(&["x_y", "data"])?;
        let (block, labels, address) = match kind {
            "data" => ("data", ["x_y", name], format!("data.x_y.{name}")),
            _ => ("resource", ["x_y", name], format!("x_y.{name}")),
        };
        let mut inner = Vec::new();
        let repeat = self.one_of(&["", "count", "for_each"])?;
        match repeat {
            "count" => inner.push((repeat, "2".to_owned())),
            "for_each" => inner.push((repeat, "{ k = 1 }".to_owned())),
            _ => {}
        }
        inner.push(("a", self.value()?));
        if self.u.ratio(1, 4)?
            && let Some(reference) = self.references.iter().find(|it| it.starts_with("local."))
        {
            inner.push(("depends_on", format!("[{reference}]")));
        }
        if self.u.arbitrary()? {
            let (iterator, over) = (self.one_of(&NAMES)?, self.expression(1)?);
            let mut text = header(block, &labels);
            for (name, value) in &inner {
                let _ = writeln!(text, "  {name} = {value}");
            }
            let inside = self.expression_where(1, iterator)?;
            let named = self.u.arbitrary()?;
            let (label, named) =
                if named { ("b", format!("    iterator = {iterator}\n")) } else { (iterator, String::new()) };
            let _ = write!(
                text,
                "  dynamic \"{label}\" {{\n    for_each = [{over}]\n{named}    content {{\n      c = {iterator}.value\n      d = {inside}\n    }}\n  }}\n}}\n"
            );
            self.add("main.tf", &text);
        } else {
            self.block(block, &labels, &inner)?;
            self.overridden(block, &labels, "a")?;
        }
        let prefix = if block == "resource" && self.u.ratio(1, 4)? { "resource." } else { "" };
        let forms: &[&str] = match repeat {
            "count" => &["[0].a", "[*].a", ".*.a", "[1][\"a\"]"],
            "for_each" => &["[\"k\"].a"],
            _ => &[".a", "[*].a"],
        };
        let form = self.one_of(forms)?;
        self.references.push(format!("{prefix}{address}{form}"));
        self.declare(address);
        Ok(())
    }

    fn output(&mut self, name: &'static str) -> Result<()> {
        let value = self.value()?;
        self.block("output", &[name], &[("value", value)])?;
        self.overridden("output", &[name], "value")?;
        self.interface.outputs.push(name);
        self.declare(format!("output.{name}"));
        Ok(())
    }

    fn test(&mut self) -> Result<()> {
        if !self.u.ratio(1, 3)? {
            return Ok(());
        }
        let mut text = String::new();
        if let Some(variable) = self.interface.variables.first() {
            let _ = write!(text, "variables {{\n  {variable} = 1\n}}\n\n");
        }
        let condition = self.expression(2)?;
        let output =
            self.interface.outputs.first().map_or_else(|| "1".to_owned(), |it| format!("output.{it}"));
        let _ = write!(
            text,
            "run \"n1\" {{\n  assert {{\n    condition     = {condition} == {output}\n    error_message = \"x\"\n  }}\n}}\n"
        );
        self.add("tests/a.tftest.hcl", &text);
        Ok(())
    }

    /// An expression that is the whole value of an attribute.
    fn value(&mut self) -> Result<String> {
        let inner = self.expression(3)?;
        Ok(match self.u.int_in_range(0..=5)? {
            0 => format!("\"n1 ${{jsonencode({inner})}} var.n1\""),
            _ => inner,
        })
    }

    fn expression(&mut self, depth: usize) -> Result<String> {
        self.expression_where(depth, "")
    }

    /// An expression. In it, `hidden` has another meaning.
    fn expression_where(&mut self, depth: usize, hidden: &str) -> Result<String> {
        if depth == 0 || self.u.ratio(1, 4)? {
            let usable: Vec<&String> =
                self.references.iter().filter(|it| hidden.is_empty() || !uses(it, hidden)).collect();
            let literals = ["7", "\"n1\"", "null", "true"].map(str::to_owned);
            let literals = literals.iter().collect();
            let from = if usable.is_empty() || self.u.ratio(1, 6)? { literals } else { usable };
            return Ok((*self.u.choose(&from)?).clone());
        }
        let one = self.expression_where(depth - 1, hidden)?;
        let (name, key) = (self.one_of(&NAMES)?, self.one_of(&NAMES)?);
        Ok(match self.u.int_in_range(0..=9)? {
            0 => format!("[{one}, {}]", self.expression_where(depth - 1, hidden)?),
            1 => format!("{{ {key} = {one}, \"k2\" = {} }}", self.expression_where(depth - 1, hidden)?),
            2 => format!("\"t ${{jsonencode({one})}}\""),
            3 if hidden.is_empty() => {
                format!("[for {name} in [{one}] : [{name}, {}]]", self.expression_where(depth - 1, name)?)
            }
            4 if hidden.is_empty() => {
                format!(
                    "{{ for {name}, w in {{ {key} = {one} }} : \"x${{{name}}}\" => [w, {}] }}",
                    self.expression_where(depth - 1, name)?
                )
            }
            5 if hidden.is_empty() => {
                format!(
                    "\"%{{ for {name} in [1, 2] }}${{{name}}}${{jsonencode({})}}%{{ endfor }}\"",
                    self.expression_where(depth - 1, name)?
                )
            }
            6 => format!("{{ {key} = {one} }}.{key}"),
            7 => format!("[{{ {key} = {one} }}][*].{key}"),
            // A name with the form of a reference.
            8 if hidden.is_empty() => format!("[for var in [{{ {key} = {one} }}] : var.{key}]"),
            9 if hidden.is_empty() => format!("[for x_y in [{{ {key} = {{ a = {one} }} }}] : x_y.{key}.a]"),
            _ => format!("(true ? [{one}] : [])"),
        })
    }
}

/// Whether a reference has a root of this name.
fn uses(reference: &str, name: &str) -> bool {
    reference
        .split(|it: char| !it.is_alphanumeric() && it != '_' && it != '.')
        .any(|word| word.split('.').next() == Some(name))
}

fn header(kind: &str, labels: &[&str]) -> String {
    let labels: Vec<String> = labels.iter().map(|label| format!("\"{label}\" ")).collect();
    format!("{kind} {}{{\n", labels.concat())
}

/// A block in the JSON syntax. Expressions become templates.
fn json_block(kind: &str, labels: &[&str], inner: &[(&str, String)]) -> String {
    let value = |name: &str, text: &str| match name {
        "source" => text.to_owned(),
        "depends_on" => format!("[{:?}]", text.trim_matches(['[', ']'])),
        _ => serde_json::to_string(&format!("${{{text}}}")).expect("text is JSON"),
    };
    let inner: Vec<String> =
        inner.iter().map(|(name, text)| format!("{name:?}: {}", value(name, text))).collect();
    let body = format!("{{{}}}", inner.join(", "));
    let nested = labels.iter().rev().fold(body, |inner, label| format!("{{{label:?}: {inner}}}"));
    format!("{{\n  \"{kind}\": {nested}\n}}\n")
}
