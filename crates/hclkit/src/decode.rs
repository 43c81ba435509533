//! Decodes configurations into values with a spec, and writes values as plain JSON. Specs themselves are in the model.

#[cfg(feature = "render")]
mod json;
#[cfg(feature = "render")]
mod plain;
#[cfg(feature = "render")]
mod types;

use hclkit_model::{Body, Context, Diagnostics, Dynamic, Functions, Reference, SpecFile};
use hclkit_syntax::Source;
use hclkit_value::{Name, Value};

#[cfg(feature = "render")]
#[doc(hidden)]
pub use json::{PlaceJson, ReferenceJson};
#[cfg(feature = "render")]
pub use plain::PlainJson;
#[cfg(feature = "render")]
#[doc(hidden)]
pub use types::TypeJson;

/// Decodes configurations with a spec.
///
/// ```
/// use hclkit::decode::{self, Decoder};
/// use hclkit::{Source, Value};
///
/// let spec = "attr {\n  name = \"size\"\n  type = number\n}\n";
/// let decoder = Decoder::new(Source::new("disk.hcldec", spec))?.with_variables([("disks", Value::from(3))]);
/// let body = decode::read([Source::new("disk.hcl", "size = disks * 100\n")])?;
/// assert_eq!(decoder.decode(&body)?, Value::from(300));
/// # Ok::<(), hclkit::Diagnostics>(())
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    file: SpecFile,
    variables: Vec<(Name, Value)>,
    functions: Functions,
    dynamic: bool,
    unknown_variables: bool,
}

impl Decoder {
    /// Reads a spec file, in the JSON syntax if its name ends in `.json`. Its expressions may call the functions of the
    /// spec language.
    ///
    /// # Errors
    /// If the spec file is invalid.
    pub fn new(spec: Source) -> Result<Self, Diagnostics> {
        #[cfg(feature = "functions")]
        let find = Some(hclkit_functions::regexall());
        #[cfg(not(feature = "functions"))]
        let find = None;
        let functions = Functions::from(hclkit_functions::spec());
        Ok(Self::of(SpecFile::read_with_patterns(spec, &functions, find)?))
    }

    /// Creates a decoder from a [`Spec`](hclkit_model::Spec), or from a spec file that was already read.
    ///
    /// ```
    /// use hclkit::decode::{self, Decoder};
    /// use hclkit::model::{AttributeSpec, Spec};
    /// use hclkit::{Source, Type, Value};
    ///
    /// let spec = Spec::from(AttributeSpec::new("size", Type::Number).with_required());
    /// let body = decode::read([Source::new("disk.hcl", "size = 300\n")])?;
    /// assert_eq!(Decoder::of(spec).decode(&body)?, Value::from(300));
    /// # Ok::<(), hclkit::Diagnostics>(())
    /// ```
    pub fn of(spec: impl Into<SpecFile>) -> Self {
        let (variables, functions) = (Vec::new(), Functions::new());
        Self { file: spec.into(), variables, functions, dynamic: false, unknown_variables: false }
    }

    /// Adds variables for configurations. They replace variables of the same names from the spec file and from earlier
    /// calls.
    #[must_use]
    pub fn with_variables<N: Into<Name>>(mut self, variables: impl IntoIterator<Item = (N, Value)>) -> Self {
        self.variables.extend(variables.into_iter().map(|(name, value)| (name.into(), value)));
        self
    }

    /// Sets the functions for configurations. Functions of the spec file take precedence.
    #[must_use]
    pub fn with_functions(mut self, functions: Functions) -> Self {
        self.functions = functions;
        self
    }

    /// Sets whether `dynamic` blocks are expanded. The default is false.
    #[must_use]
    pub fn with_dynamic(mut self, dynamic: bool) -> Self {
        self.dynamic = dynamic;
        self
    }

    /// Sets whether undefined variables are treated as unknown instead of reported. Values that depend on them are checked
    /// as far as possible. The default is false.
    ///
    /// ```
    /// use hclkit::Source;
    /// use hclkit::decode::{self, Decoder};
    ///
    /// let spec = "attr {\n  name = \"size\"\n  type = number\n}\n";
    /// let decoder = Decoder::new(Source::new("disk.hcldec", spec))?.with_unknown_variables(true);
    /// let decoded = |text| decoder.decode(&decode::read([Source::new("disk.hcl", text)])?);
    /// assert!(decoded("size = disks * 100\n").is_ok());
    /// assert!(decoded("size = [disks]\n").is_err());
    /// # Ok::<(), hclkit::Diagnostics>(())
    /// ```
    #[must_use]
    pub fn with_unknown_variables(mut self, unknown: bool) -> Self {
        self.unknown_variables = unknown;
        self
    }

    /// The spec, with the variables and functions of its file.
    pub fn spec_file(&self) -> &SpecFile {
        &self.file
    }

    /// The variables and functions for the expressions of a configuration.
    pub fn context(&self) -> Context {
        self.context_with(Vec::new())
    }

    /// The context with default values for variables.
    fn context_with(&self, mut variables: Vec<(Name, Value)>) -> Context {
        let mut context = Context::new();
        let own = self.file.variables.iter().map(|(name, value)| (name.clone(), value.clone()));
        variables.extend(own.chain(self.variables.iter().cloned()));
        // A context without variables has an error of its own.
        if !variables.is_empty() {
            context.set_all(variables);
        }
        let mut functions = self.functions.clone();
        functions.extend(self.file.functions.iter().map(|(name, function)| (name, function.clone())));
        if functions.iter().next().is_some() {
            context.set_functions(functions);
        }
        context
    }

    /// Decodes a configuration into a value.
    ///
    /// # Errors
    /// If the configuration is invalid. The diagnostics are in the order of its files and of their lines.
    pub fn decode(&self, body: &Body) -> Result<Value, Diagnostics> {
        let context = self.context_with(if self.unknown_variables { self.unknown(body) } else { Vec::new() });
        let mut diagnostics = Diagnostics::new();
        let value = if self.dynamic {
            let body = Dynamic::new(&context).expand(body);
            diagnostics.absorb(self.file.spec.decode(&body, &context))
        } else {
            diagnostics.absorb(self.file.spec.decode(body, &context))
        };
        if diagnostics.has_errors() { Err(body.in_source_order(diagnostics)) } else { Ok(value) }
    }

    /// All variables that a configuration refers to, as unknown values.
    fn unknown(&self, body: &Body) -> Vec<(Name, Value)> {
        let names = self.references(body).into_iter().map(|reference| reference.traversal.root);
        names.map(|name| (name, Value::DYNAMIC)).collect()
    }

    /// The references to variables in the expressions that decoding a configuration evaluates.
    #[doc(hidden)]
    pub fn references(&self, body: &Body) -> Vec<Reference> {
        if self.dynamic {
            self.file.spec.references_with_dynamic(body)
        } else {
            self.file.spec.references(body)
        }
    }
}

/// Parses several files into one body. Files whose names end in `.json` are in the JSON syntax. Warnings are dropped; to
/// get them, use [`Body::parse`] and [`Body::merge`].
///
/// # Errors
/// If a file has syntax errors.
pub fn read(sources: impl IntoIterator<Item = Source>) -> Result<Body, Diagnostics> {
    let mut problems = Diagnostics::new();
    let mut bodies = Vec::new();
    for source in sources {
        let (body, found) = Body::parse(source);
        problems.append(found);
        bodies.push(body);
    }
    if problems.has_errors() { Err(problems) } else { Ok(Body::merge(bodies)) }
}
