//! Bake files of Docker Buildx: variables, functions, targets and groups, and what `docker buildx bake --print` prints
//! for them. `target.rs` has the names that expressions can use, `argument.rs` merges arguments, and `plan.rs` decides which
//! targets are built. Compose files are not read.
#![forbid(unsafe_code)]

mod argument;
mod check;
mod entry;
mod files;
mod function;
mod graph;
mod messages;
mod overrides;
mod pattern;
mod plan;
mod target;
mod variable;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use hclkit_limits::Meter;
use hclkit_model::{Body, Context, Functions, ParseOptions};
use hclkit_syntax::{Diagnostics, Source};
use hclkit_value::Value;

use files::Files;
use function::Global;
use hclkit_module::report_exceeded;
use overrides::Overrides;
use plan::Planner;
use variable::Texts;

/// The names of the files that Bake reads by default, in order: those of its table (`crates/dialect/tables/bake.hcl`). A Compose
/// file comes before them.
pub const BAKE_FILES: [&str; 4] =
    ["docker-bake.json", "docker-bake.hcl", "docker-bake.override.json", "docker-bake.override.hcl"];

/// The names of Compose files that Bake also reads by default.
const COMPOSE_FILES: [&str; 4] = ["compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"];

/// Bake files of Docker Buildx, with the variables and overrides that apply to them.
///
/// ```
/// use hclkit_bake::Bake;
///
/// let text = "variable \"TAG\" {\n  default = \"latest\"\n}\ntarget \"app\" {\n  tags = [\"app:${TAG}\"]\n}\n";
/// let bake = Bake::new().with_file("docker-bake.hcl", text).with_override("*.platform=linux/arm64");
/// let (plan, diagnostics) = bake.plan(&["app"]);
/// assert!(!diagnostics.has_errors());
/// let tags = plan.targets[0].attributes.iter().find(|(name, _)| *name == "tags");
/// assert_eq!(tags.unwrap().1.to_string(), "[\"app:latest\"]");
/// ```
#[derive(Clone, Default)]
pub struct Bake {
    files: Vec<(String, Vec<u8>)>,
    functions: Functions,
    environment: BTreeMap<String, String>,
    variables: BTreeMap<String, String>,
    overrides: Vec<String>,
    others: Vec<String>,
}

/// What Bake builds: the result of `docker buildx bake --print`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Plan {
    /// The groups, sorted by name. `default` contains what was requested.
    pub groups: Vec<Planned>,
    /// The targets, sorted by name.
    pub targets: Vec<Planned>,
}

/// The names that expressions in Bake files can use: variables, targets, groups and functions. [`Bake::names`] returns
/// them.
#[derive(Clone, Default)]
pub struct BakeNames(Arc<Global>);

/// The names are left out.
#[doc(hidden)]
impl fmt::Debug for BakeNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BakeNames").finish_non_exhaustive()
    }
}

impl BakeNames {
    /// Returns a context with the names. They are defined as long as `self` exists.
    ///
    /// ```
    /// use hclkit_model::Expression;
    /// use hclkit_bake::Bake;
    ///
    /// let text = "variable \"TAG\" {\n  default = \"latest\"\n}\ntarget \"app\" {\n  tags = [\"app:${TAG}\"]\n}\n";
    /// let (names, diagnostics) = Bake::new().with_file("docker-bake.hcl", text).names();
    /// assert!(!diagnostics.has_errors());
    /// let value = Expression::parse("target.app.tags[0]")?.evaluate(&names.context())?;
    /// assert_eq!(value.as_str(), Some("app:latest"));
    /// # Ok::<(), hclkit_model::Diagnostics>(())
    /// ```
    pub fn context(&self) -> Context {
        self.0.get().cloned().unwrap_or_default()
    }
}

/// A group or a target.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Planned {
    /// Its name.
    pub name: String,
    /// Its arguments, in the order in which Buildx prints them.
    pub attributes: Vec<(&'static str, Value)>,
}

/// The names of the files. Variables and the environment, which may be sensitive, are left out.
#[doc(hidden)]
impl fmt::Debug for Bake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("Bake").field("files", &names).finish_non_exhaustive()
    }
}

impl Bake {
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file. Its name determines the syntax. Later files replace or extend the settings of earlier ones.
    #[must_use]
    pub fn with_file(mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        self.files.push((name.into(), text.into()));
        self
    }

    /// Adds the files of a directory that Bake reads by default: see [`BAKE_FILES`].
    #[must_use]
    pub fn with_directory(mut self, files: &dyn hclkit_module::Files) -> Self {
        for name in BAKE_FILES {
            if let Ok(text) = files.read(name) {
                self = self.with_file(files.name(name), text);
            }
        }
        let names = files.list("").unwrap_or_default();
        let others = COMPOSE_FILES.iter().filter(|other| names.iter().any(|name| name == *other));
        self.others.extend(others.map(|name| files.name(name)));
        self
    }

    /// Makes functions available to expressions.
    #[must_use]
    pub fn with_functions(mut self, functions: impl Into<Functions>) -> Self {
        self.functions = functions.into();
        self
    }

    /// Sets environment variables. Those with the name of a variable set it.
    #[must_use]
    pub fn with_environment<N: Into<String>, V: Into<String>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        self.environment.extend(variables.into_iter().map(|(name, value)| (name.into(), value.into())));
        self
    }

    /// Sets a variable from text. Takes precedence over the environment.
    #[must_use]
    pub fn with_variable_text(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.variables.insert(name.into(), text.into());
        self
    }

    /// Adds an override of arguments in the syntax of the option `--set`: `app.platform=linux/arm64`, `*.args.TAG=2`,
    /// `app.tags+=app:2`.
    #[must_use]
    pub fn with_override(mut self, text: impl Into<String>) -> Self {
        self.overrides.push(text.into());
        self
    }

    /// What Bake builds for these targets and groups; `default` if there are none.
    pub fn plan(&self, targets: &[&str]) -> (Plan, Diagnostics) {
        let _operation = Meter::current().begin();
        let mut diagnostics = Diagnostics::new();
        for name in &self.others {
            diagnostics.push(messages::compose_file(name));
        }
        let plan = self.planned(targets, &mut diagnostics).unwrap_or_default();
        (plan, diagnostics.distinct())
    }

    /// The names that expressions in the files can use. They are evaluated when they are used.
    pub fn names(&self) -> (BakeNames, Diagnostics) {
        let _operation = Meter::current().begin();
        let mut diagnostics = Diagnostics::new();
        let Some(bodies) = self.bodies(&mut diagnostics) else { return (BakeNames::default(), diagnostics) };
        let mut files = Files::read(self, &bodies, &mut diagnostics);
        let ready = files.prepare(&self.functions, &mut diagnostics);
        (BakeNames(ready.global), diagnostics.distinct())
    }

    fn planned(&self, asked: &[&str], diagnostics: &mut Diagnostics) -> Option<Plan> {
        let bodies = self.bodies(diagnostics)?;
        let declarations = Files::read(self, &bodies, diagnostics).evaluate(&self.functions, diagnostics);
        if report_exceeded(diagnostics) {
            return None;
        }
        let names: Vec<&str> = declarations.targets.names().collect();
        let environment = |name: &str| self.environment.get(name).cloned();
        let overrides = Overrides::read(&self.overrides, &names, environment, diagnostics);
        let epoch = environment("SOURCE_DATE_EPOCH").filter(|epoch| !epoch.is_empty());
        let asked: Vec<String> = match asked {
            [] => vec!["default".to_owned()],
            asked => asked.iter().map(|name| (*name).to_owned()).collect(),
        };
        let plan = Planner::new(&declarations, &overrides, epoch, diagnostics).plan(&asked);
        (!report_exceeded(diagnostics)).then_some(plan)
    }

    /// The files, as one body each.
    fn bodies(&self, diagnostics: &mut Diagnostics) -> Option<Vec<Body>> {
        if self.files.is_empty() {
            diagnostics.push(messages::no_bake_files(&BAKE_FILES.join(", ")));
            return None;
        }
        let mut failed = false;
        let mut bodies = Vec::new();
        for (name, text) in &self.files {
            let (body, found) = ParseOptions::new().parse(Source::new(name, text.clone()));
            failed |= found.has_errors();
            diagnostics.append(found);
            bodies.push(body);
        }
        (!failed).then_some(bodies)
    }

    /// The texts that set variables.
    fn texts(&self) -> Texts {
        let environment = self
            .environment
            .iter()
            .map(|(name, text)| (name.clone(), (messages::in_environment(name), text.clone())));
        let options = self
            .variables
            .iter()
            .map(|(name, text)| (name.clone(), (messages::in_option(name), text.clone())));
        environment.chain(options).collect()
    }
}

/// Names that Bake defines.
fn given() -> [(&'static str, Value); 2] {
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "386",
        "arm" => "arm/v7",
        "powerpc64" => "ppc64le",
        arch => arch,
    };
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        os => os,
    };
    [
        ("BAKE_CMD_CONTEXT", Value::from("cwd://")),
        ("BAKE_LOCAL_PLATFORM", Value::from(format!("{os}/{arch}"))),
    ]
}
