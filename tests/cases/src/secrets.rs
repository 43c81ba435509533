//! Random modules of Terraform, `OpenTofu` and Packer whose files contain secrets that they declare as such, in any of the ways that
//! there are, also while these are typed. Nothing that is shown of them contains a secret.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A random module.
pub struct Module {
    /// The files by their paths. The text of those that only use secrets contains none.
    pub files: Vec<(String, String)>,
    /// The path of the file that only uses secrets.
    pub uses: String,
    /// What has secrets, as references.
    pub references: Vec<String>,
}

/// A module of Terraform or `OpenTofu`. `pick` chooses a number below its argument.
pub fn terraform(secret: &str, pick: &mut dyn FnMut(usize) -> usize) -> Module {
    let extension = ["tf", "tf", "tofu"][pick(3)];
    let mut made = Made::new(secret, extension, pick);
    for at in 0..6 {
        let ways = [Made::variable, Made::typed, Made::overridden, Made::given, Made::local, Made::output];
        // Each way occurs, and one of them twice.
        let way = if at < ways.len() { at } else { made.pick(ways.len()) };
        ways[way](&mut made, at);
    }
    made.called();
    made.source();
    made.uses()
}

/// A template of Packer.
pub fn packer(secret: &str, pick: &mut dyn FnMut(usize) -> usize) -> Module {
    let mut made = Made::new(secret, "pkr.hcl", pick);
    for at in 0..3 {
        let (default, hides) = (made.literal(), made.hides());
        made.add(
            "main",
            &format!("variable \"v{at}\" {{\n  default   = {default}\n  sensitive = {hides}\n}}\n"),
        );
        made.references.push(format!("var.v{at}"));
        let (value, hides) = (made.literal(), made.hides());
        made.add(
            "main",
            &format!("local \"s{at}\" {{\n  expression = {value}\n  sensitive  = {hides}\n}}\n"),
        );
        made.references.push(format!("local.s{at}"));
    }
    made.add("main", "variable \"given\" {\n  type      = string\n  sensitive = true\n}\n");
    made.references.push("var.given".to_owned());
    made.files.insert("x.auto.pkrvars.hcl".to_owned(), format!("given = \"{secret}\"\n"));
    let locals: String = (0..4).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "  l{at} = {}", made.expression(at));
        text
    });
    let (one, two) = (made.reference(4), made.reference(4));
    made.add(
        "uses",
        &format!(
            "locals {{\n{locals}}}\nsource \"null\" \"x\" {{\n  password = {one}\n}}\nbuild {{\n  sources = [\"null.x\"]\n  provisioner \"shell\" {{\n    inline = [\"echo ${{jsonencode({two})}}\"]\n  }}\n}}\n"
        ),
    );
    made.done()
}

struct Made<'m> {
    secret: &'m str,
    extension: &'static str,
    pick: &'m mut dyn FnMut(usize) -> usize,
    /// Whether declarations are being typed: they have errors.
    is_typed: bool,
    files: BTreeMap<String, String>,
    references: Vec<String>,
}

impl<'m> Made<'m> {
    fn new(secret: &'m str, extension: &'static str, pick: &'m mut dyn FnMut(usize) -> usize) -> Self {
        let is_typed = pick(3) == 0;
        Self { secret, extension, pick, is_typed, files: BTreeMap::new(), references: Vec::new() }
    }

    fn pick(&mut self, below: usize) -> usize {
        (self.pick)(below)
    }

    fn add(&mut self, name: &str, text: &str) {
        let name = format!("{name}.{}", self.extension);
        self.files.entry(name).or_default().push_str(text);
    }

    fn add_json(&mut self, name: &str, text: String) {
        self.files.insert(format!("{name}.{}.json", self.extension), text);
    }

    /// Says that something is sensitive: what is not plainly `false` does, also while it is typed.
    fn hides(&mut self) -> &'static str {
        let all = ["true", "true", "\"true\"", "tru", "var.plain", "null", "!false", "\"${true}\"", "[]"];
        all[(self.pick)(if self.is_typed { all.len() } else { 3 })]
    }

    fn hides_in_json(&mut self) -> &'static str {
        let all = ["true", "true", "\"true\"", "\"tru\"", "\"${true}\"", "\"${var.plain}\"", "null", "[]"];
        all[(self.pick)(if self.is_typed { all.len() } else { 3 })]
    }

    /// A constant with the secret.
    fn literal(&mut self) -> String {
        let secret = self.secret;
        match self.pick(7) {
            0 => format!("[\"a\", \"{secret}\"]"),
            1 => format!("{{ a = \"x-{secret}\" }}"),
            2 => format!("{{ {secret} = [1] }}"),
            3 => format!("<<EOT\n  {secret}\nEOT"),
            4 => format!("[\n    {{ a = \"{secret}\" }}, # why\n  ]"),
            _ => format!("\"{secret}\""),
        }
    }

    /// A variable with a default value, which is sensitive or ephemeral.
    fn variable(&mut self, at: usize) {
        let secret = self.secret;
        let property = ["sensitive", "ephemeral"][self.pick(2)];
        if self.pick(3) == 0 {
            let hides = self.hides_in_json();
            self.add_json(
                &format!("v{at}"),
                format!(
                    "{{\"variable\": {{\"s{at}\": {{\"default\": {{\"a\": \"{secret}\"}}, \"{property}\": {hides}}}}}}}\n"
                ),
            );
        } else {
            let (default, hides) = (self.literal(), self.hides());
            let declares = format!("  {property} = {hides}\n");
            let (before, after) = if self.pick(2) == 0 { (&*declares, "") } else { ("", &*declares) };
            self.add("main", &format!("variable \"s{at}\" {{\n{before}  default = {default}\n{after}}}\n"));
        }
        self.references.push(format!("var.s{at}"));
    }

    /// A variable with a default value in its type.
    fn typed(&mut self, at: usize) {
        let (secret, hides) = (self.secret, self.hides());
        let ty = match self.pick(3) {
            0 => format!("object({{ a = optional(string, \"{secret}\") }})"),
            1 => format!(
                "object({{\n    a = optional(object({{ b = optional(string, \"{secret}\") }}), {{}})\n    c = optional(string, \"{secret}\")\n  }})"
            ),
            _ => format!("object({{ a = optional(list(string), [\"{secret}\"]), b = optional(number) }})"),
        };
        self.add(
            "main",
            &format!(
                "variable \"s{at}\" {{\n  type      = {ty}\n  default   = {{}}\n  sensitive = {hides}\n}}\n"
            ),
        );
        self.references.push(format!("var.s{at}"));
    }

    /// A variable that an override file declares as sensitive.
    fn overridden(&mut self, at: usize) {
        let default = self.literal();
        self.add("main", &format!("variable \"s{at}\" {{\n  default = {default}\n}}\n"));
        let property = ["sensitive", "ephemeral"][self.pick(2)];
        if self.pick(3) == 0 {
            let hides = self.hides_in_json();
            self.add_json(
                &format!("v{at}_override"),
                format!("{{\"variable\": {{\"s{at}\": {{\"{property}\": {hides}}}}}}}\n"),
            );
        } else {
            let (name, hides) = (["override", "main_override"][self.pick(2)], self.hides());
            self.add(name, &format!("variable \"s{at}\" {{\n  {property} = {hides}\n}}\n"));
        }
        self.references.push(format!("var.s{at}"));
    }

    /// A sensitive variable whose value is in a file of variables.
    fn given(&mut self, at: usize) {
        let hides = self.hides();
        let before = if self.pick(2) == 0 { "  type = any\n" } else { "" };
        self.add("main", &format!("variable \"s{at}\" {{\n{before}  sensitive = {hides}\n}}\n"));
        let value = self.literal();
        let (name, text) = match self.pick(3) {
            0 => ("terraform.tfvars", format!("s{at} = {value}\n")),
            1 => ("x.auto.tfvars", format!("s{at} = {value}\n")),
            _ => ("x.auto.tfvars.json", format!("{{\"s{at}\": [\"{}\"]}}\n", self.secret)),
        };
        self.files.insert(name.to_owned(), text);
        self.references.push(format!("var.s{at}"));
    }

    /// A local value with a call of `sensitive`.
    fn local(&mut self, at: usize) {
        let secret = self.secret;
        let value = match self.pick(7) {
            0 => format!("\"x-${{sensitive(\"{secret}\")}}\""),
            1 => format!("upper(sensitive(\"{secret}\"))"),
            2 => format!("{{ a = sensitive({{ {secret} = 1 }}), b = \"clear\" }}"),
            3 => format!("[for x in [\"y\"] : \"${{x}}-${{sensitive(\"{secret}\")}}\"]"),
            4 => format!("true ? sensitive([\"{secret}\"]) : null"),
            5 => format!("sensitive(upper(\"{secret}\"))"),
            _ => format!("sensitive(<<EOT\n  {secret}\nEOT\n  )"),
        };
        if !value.contains('\n') && self.pick(4) == 0 {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            self.add_json(&format!("l{at}"), format!("{{\"locals\": {{\"s{at}\": \"${{{value}}}\"}}}}\n"));
        } else {
            self.add("main", &format!("locals {{\n  s{at} = {value}\n}}\n"));
        }
        self.references.push(format!("local.s{at}"));
    }

    /// A sensitive output, which nothing refers to.
    fn output(&mut self, at: usize) {
        let (value, hides) = (self.literal(), self.hides());
        self.add("main", &format!("output \"s{at}\" {{\n  value     = {value}\n  sensitive = {hides}\n}}\n"));
    }

    /// A module that is called, with secrets of its own and one that it gets.
    fn called(&mut self) {
        let (value, default, hides) = (self.literal(), self.literal(), self.hides());
        let given = self.references[self.references.len() / 2].clone();
        self.add("main", &format!("module \"m\" {{\n  source = \"./m\"\n  token  = {given}\n}}\n"));
        let text = format!(
            "variable \"token\" {{\n  sensitive = true\n  validation {{\n    condition     = length(jsonencode(var.token)) < 1000\n    error_message = \"Too long: ${{jsonencode(var.token)}}.\"\n  }}\n}}\nvariable \"own\" {{\n  default   = {default}\n  sensitive = true\n}}\noutput \"p\" {{\n  value     = {value}\n  sensitive = {hides}\n}}\noutput \"q\" {{\n  value     = [var.token, var.own]\n  sensitive = true\n}}\n"
        );
        self.add("m/main", &text);
        self.references.extend(["module.m.p", "module.m.q", "module.m"].map(str::to_owned));
    }

    /// A module at an address with passwords.
    fn source(&mut self) {
        let secret = self.secret;
        let source = match self.pick(4) {
            0 => format!("git::https://u:{secret}@x.invalid/a.git?ref=v1"),
            1 => format!("https://{secret}@x.invalid/a.zip"),
            2 => format!("git::https://x.invalid/a.git?ref=v1&token={secret}"),
            _ => format!("https://x.invalid/a.zip?checksum=sha256:1&X-Amz-Signature={secret}"),
        };
        self.add("main", &format!("module \"far\" {{\n  source = \"{source}\"\n}}\n"));
    }

    /// Something that is declared before a local value.
    fn reference(&mut self, before: usize) -> String {
        let kind = self.pick(4);
        if before > 0 && kind == 0 {
            return format!("local.l{}", self.pick(before));
        }
        let at = self.pick(self.references.len());
        self.references[at].clone()
    }

    fn expression(&mut self, before: usize) -> String {
        let (one, two) = (self.reference(before), self.reference(before));
        match self.pick(18) {
            0 => format!("\"${{jsonencode({one})}}-x\""),
            1 => format!("upper(jsonencode({one}))"),
            2 => format!("{{ a = {one}, b = {two} }}"),
            3 => format!("{{ (jsonencode({one})) = {two} }}"),
            4 => format!("{one} == {two} ? {one} : {two}"),
            5 => format!("[for item in [{one}, {two}] : jsonencode(item)]"),
            6 => format!("{{ for key, item in {{ a = {one} }} : jsonencode(item) => key }}"),
            7 => format!("{one}.a"),
            8 => format!("[{one}][*]"),
            9 => format!("merge({{ a = {one} }}, {{ b = {two} }})"),
            10 => format!("try(tonumber({one}), {two})"),
            11 => format!("split(\"7\", jsonencode({one}))"),
            12 => format!("lookup({{ x = 1 }}, jsonencode({one}), {two})"),
            13 => format!("{one} + 1"),
            14 => format!("base64encode(jsonencode({one}))"),
            15 => one,
            _ => format!("[{one}, {two}]"),
        }
    }

    /// Adds what uses the secrets.
    fn uses(mut self) -> Module {
        const LOCALS: usize = 5;
        let mut text = "variable \"plain\" {\n  default = \"p\"\n}\nlocals {\n".to_owned();
        for at in 0..LOCALS {
            let _ = writeln!(text, "  l{at} = {}", self.expression(at));
        }
        let (one, two, three) = (self.reference(LOCALS), self.expression(LOCALS), self.reference(LOCALS));
        let _ = write!(
            text,
            "}}\nresource \"terraform_data\" \"x\" {{\n  input = {one}\n  lifecycle {{\n    precondition {{\n      condition     = {three} != \"x\"\n      error_message = \"No: ${{jsonencode({one})}}.\"\n    }}\n  }}\n}}\noutput \"o\" {{\n  value     = [{two}, terraform_data.x.input]\n  sensitive = true\n}}\noutput \"open\" {{\n  value = {three}\n}}\n"
        );
        self.add("uses", &text);
        self.references.extend((0..LOCALS).map(|at| format!("local.l{at}")));
        self.references.push("terraform_data.x".to_owned());
        self.done()
    }

    fn done(self) -> Module {
        let uses = format!("uses.{}", self.extension);
        Module { files: self.files.into_iter().collect(), uses, references: self.references }
    }
}
