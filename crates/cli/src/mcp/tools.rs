//! The tools as data: their arguments, and the command line that each becomes. Texts of a client never become options.

use serde_json::{Map, Value, json};

/// A tool.
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    pub(super) inputs: &'static [Input],
    /// Whether it writes files if it may.
    pub(super) changes: bool,
    /// The words of the command line after `hcl`.
    pub(super) line: fn(&Arguments) -> Vec<String>,
}

/// An argument of a tool.
pub(super) struct Input {
    name: &'static str,
    kind: Kind,
    required: bool,
    help: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Texts,
    Path,
    Paths,
    Flag,
}

const fn input(name: &'static str, kind: Kind, required: bool, help: &'static str) -> Input {
    Input { name, kind, required, help }
}

/// The arguments of a call that were read.
pub(super) struct Arguments {
    inputs: &'static [Input],
    values: Map<String, Value>,
    /// Where a page begins, in bytes.
    pub(super) cursor: usize,
}

impl Arguments {
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_str()
    }

    fn texts(&self, name: &str) -> impl Iterator<Item = String> {
        let all = self.values.get(name).and_then(Value::as_array).into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned)
    }

    fn is_set(&self, name: &str) -> bool {
        self.values.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// All paths.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let is_path = |input: &&Input| matches!(input.kind, Kind::Path | Kind::Paths);
        self.inputs.iter().filter(is_path).filter_map(|input| self.values.get(input.name)).flat_map(|value| {
            let one = value.as_str().into_iter();
            one.chain(value.as_array().into_iter().flatten().filter_map(Value::as_str))
        })
    }
}

impl Tool {
    /// The JSON Schema of the arguments.
    pub(super) fn input_schema(&self, writes: bool) -> Value {
        let mut properties = Map::new();
        for input in self.inputs {
            let of = match input.kind {
                Kind::Text | Kind::Path => json!({"type": "string"}),
                Kind::Texts | Kind::Paths => json!({"type": "array", "items": {"type": "string"}}),
                Kind::Flag => json!({"type": "boolean"}),
            };
            let mut of = of.as_object().cloned().unwrap_or_default();
            of.insert("description".to_owned(), input.help.into());
            properties.insert(input.name.to_owned(), of.into());
        }
        if self.changes && writes {
            let help = "Write the changed files instead of returning the changes";
            properties.insert("write".to_owned(), json!({"type": "boolean", "description": help}));
        }
        let help = "The next_cursor of the result before";
        properties.insert("cursor".to_owned(), json!({"type": "string", "description": help}));
        let required: Vec<&str> =
            self.inputs.iter().filter(|input| input.required).map(|input| input.name).collect();
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    }

    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// An argument is missing, unknown or of another type, or files would be written and must not be.
    pub(super) fn read(
        &'static self,
        mut values: Map<String, Value>,
        writes: bool,
    ) -> Result<Arguments, String> {
        let cursor = match values.remove("cursor") {
            None | Some(Value::Null) => 0,
            Some(cursor) => {
                let number = cursor.as_str().and_then(|text| text.parse().ok());
                number.ok_or("cursor: expected the next_cursor of a result")?
            }
        };
        values.retain(|_, value| !value.is_null());
        for (name, value) in &values {
            if name == "write" && self.changes {
                match value.as_bool() {
                    Some(true) if !writes => {
                        return Err(
                            "write: start the server with --write to let tools change files".to_owned()
                        );
                    }
                    Some(_) => continue,
                    None => return Err("write: expected a bool".to_owned()),
                }
            }
            let Some(input) = self.inputs.iter().find(|input| input.name == name) else {
                let known: Vec<&str> = self.inputs.iter().map(|input| input.name).collect();
                return Err(format!(
                    "{} has no argument {name}; expected one of {}",
                    self.name,
                    known.join(", ")
                ));
            };
            let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.contains('\0'));
            let (is_right, expected) = match input.kind {
                Kind::Text | Kind::Path => (is_text(value), "a string"),
                Kind::Texts | Kind::Paths => {
                    (value.as_array().is_some_and(|all| all.iter().all(is_text)), "an array of strings")
                }
                Kind::Flag => (value.is_boolean(), "a bool"),
            };
            if !is_right {
                return Err(format!("{name}: expected {expected}"));
            }
        }
        if let Some(missing) =
            self.inputs.iter().find(|input| input.required && !values.contains_key(input.name))
        {
            return Err(format!("{} requires {}", self.name, missing.name));
        }
        Ok(Arguments { inputs: self.inputs, values, cursor })
    }
}

/// Words of a command line: options, and then what can be any text.
fn line(options: &[&str], given: Vec<String>, texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let options = options.iter().map(|word| (*word).to_owned());
    options.chain(given).chain(["--".to_owned()]).chain(texts).collect()
}

fn paths_or_here(arguments: &Arguments) -> Vec<String> {
    let paths: Vec<String> = arguments.texts("paths").collect();
    if paths.is_empty() { vec![".".to_owned()] } else { paths }
}

fn write(arguments: &Arguments) -> Vec<String> {
    if arguments.is_set("write") { vec!["--write".to_owned()] } else { Vec::new() }
}

fn evaluation(arguments: &Arguments) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    options.extend(arguments.text("directory").map(|directory| format!("--directory={directory}")));
    options.extend(arguments.texts("variables").map(|variable| format!("--var={variable}")));
    options.extend(arguments.texts("variable_files").map(|file| format!("--vars={file}")));
    options
}

const PATHS: Input =
    input("paths", Kind::Paths, false, "Files and directories; the current directory by default");
const DIRECTORY: Input =
    input("directory", Kind::Path, true, "The directory of a module, such as a Terraform module");
const VARIABLES: Input =
    input("variables", Kind::Texts, false, "Values of input variables, such as region=eu");
const VARIABLE_FILES: Input =
    input("variable_files", Kind::Paths, false, "Files of input variables, such as prod.tfvars");

/// All tools.
pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "check",
        title: "Check files and modules",
        description: "Finds errors and mistakes in HCL files and in whole modules, with their places and fixes.",
        inputs: &[PATHS],
        changes: false,
        line: |arguments| line(&["check", "--report=json"], Vec::new(), paths_or_here(arguments)),
    },
    Tool {
        name: "fix",
        title: "Fix obvious errors",
        description: "Applies the fixes of errors that have one, and returns the changes as a diff.",
        inputs: &[PATHS],
        changes: true,
        line: |arguments| line(&["check", "--fix"], write(arguments), paths_or_here(arguments)),
    },
    Tool {
        name: "format",
        title: "Format files",
        description: "Formats files as their applications do, and returns the changes as a diff.",
        inputs: &[PATHS],
        changes: true,
        line: |arguments| {
            let options: &[&str] =
                if arguments.is_set("write") { &["fmt"] } else { &["fmt", "--check", "--diff"] };
            line(options, Vec::new(), paths_or_here(arguments))
        },
    },
    Tool {
        name: "eval",
        title: "Evaluate a module",
        description: "Evaluates values of a module by their addresses: local.zones, output.*, aws_instance.web[0].tags. Values that only a provider knows are unknown.",
        inputs: &[
            DIRECTORY,
            input("addresses", Kind::Texts, false, "Addresses or expressions; all values by default"),
            VARIABLES,
            VARIABLE_FILES,
        ],
        changes: false,
        line: |arguments| {
            let options = ["eval", "--output=json", "--report=json", "--unknown-vars"];
            line(&options, evaluation(arguments), arguments.texts("addresses"))
        },
    },
    Tool {
        name: "explain",
        title: "Explain values of a module",
        description: "Explains where values of a module come from: expressions, variables, local values and calls, with their places.",
        inputs: &[
            DIRECTORY,
            input("addresses", Kind::Texts, true, "Addresses, such as output.url"),
            VARIABLES,
            VARIABLE_FILES,
        ],
        changes: false,
        line: |arguments| {
            let options = ["eval", "--explain", "--output=json", "--report=json", "--unknown-vars"];
            line(&options, evaluation(arguments), arguments.texts("addresses"))
        },
    },
    Tool {
        name: "references",
        title: "Find references to a name",
        description: "Finds where a name is declared and used: var.region, local.zones, aws_instance.web, module.net.",
        inputs: &[input("name", Kind::Text, true, "The name, such as var.region"), PATHS],
        changes: false,
        line: |arguments| {
            let name = arguments.text("name").map(str::to_owned);
            line(&["refs", "--json"], Vec::new(), name.into_iter().chain(paths_or_here(arguments)))
        },
    },
    Tool {
        name: "rename",
        title: "Rename a name",
        description: "Renames a name in all files of a module and in the modules that call it, and adds moved blocks. Returns the changes as a diff.",
        inputs: &[
            input("name", Kind::Text, true, "The name, such as aws_instance.web"),
            input("new_name", Kind::Text, true, "The new last part of it, such as frontend"),
            PATHS,
        ],
        changes: true,
        line: |arguments| {
            let names =
                ["name", "new_name"].into_iter().filter_map(|name| arguments.text(name)).map(str::to_owned);
            line(&["rename"], write(arguments), names.chain(paths_or_here(arguments)))
        },
    },
    Tool {
        name: "edit",
        title: "Set attributes",
        description: "Sets attributes in files by their paths, keeping comments and layout: resource.aws_instance.web.ami=\"ami-1\". Returns the changes as a diff.",
        inputs: &[
            input("edits", Kind::Texts, true, "Edits such as variable.region.default=\"eu\""),
            input("paths", Kind::Paths, true, "The files to edit"),
        ],
        changes: true,
        line: |arguments| {
            line(&["edit"], write(arguments), arguments.texts("edits").chain(arguments.texts("paths")))
        },
    },
    Tool {
        name: "diff",
        title: "Show what a change does",
        description: "Says what a change does before anything runs: instances added, removed, moved and changed, outputs, versions. Compares revisions of Git (main...HEAD), the index (:index), the working tree (:worktree), or two directories.",
        inputs: &[
            input("old", Kind::Text, false, "A revision or a range, such as main...HEAD"),
            input("new", Kind::Text, false, "A revision; the working tree by default"),
            input("old_directory", Kind::Path, false, "With new_directory: compare two directories"),
            input("new_directory", Kind::Path, false, "With old_directory: compare two directories"),
            input(
                "directories",
                Kind::Paths,
                false,
                "Modules in the repository; all root modules that change by default",
            ),
            input("explain", Kind::Flag, false, "Whether to add the source lines that cause each change"),
        ],
        changes: false,
        line: |arguments| {
            let explain = if arguments.is_set("explain") { vec!["--explain".to_owned()] } else { Vec::new() };
            let directories = ["old_directory", "new_directory"]
                .into_iter()
                .filter_map(|name| arguments.text(name))
                .map(as_path);
            let versions =
                ["old", "new"].into_iter().filter_map(|name| arguments.text(name)).map(str::to_owned);
            let others = arguments.texts("directories").map(|path| as_path(&path));
            line(
                &["diff", "--output=json", "--report=json"],
                explain,
                versions.chain(directories).chain(others),
            )
        },
    },
    Tool {
        name: "query",
        title: "Query files by a path",
        description: "Selects blocks and attributes of files by a path: resource.aws_instance.*.ami, ..tags.",
        inputs: &[
            input("path", Kind::Text, true, "The path in the files, such as variable.region.default"),
            PATHS,
        ],
        changes: false,
        line: |arguments| {
            let path = arguments.text("path").map(str::to_owned);
            line(&["query", "--json"], Vec::new(), path.into_iter().chain(paths_or_here(arguments)))
        },
    },
    Tool {
        name: "schema",
        title: "What a block accepts",
        description: "Lists the attributes and nested blocks that a block of a language accepts, as far as the application defines them.",
        inputs: &[
            input(
                "language",
                Kind::Text,
                false,
                "terraform (the default), opentofu, packer, nomad, bake or another known language",
            ),
            input(
                "block",
                Kind::Text,
                false,
                "The type of a block, such as variable; without one, all types of blocks",
            ),
        ],
        changes: false,
        line: |_| Vec::new(),
    },
];

/// A path that is not a revision.
fn as_path(path: &str) -> String {
    if path.starts_with(['.', '/']) { path.to_owned() } else { format!("./{path}") }
}
