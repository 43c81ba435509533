//! Configurations as values by a spec file: the main job in one place. What specs are, and how bodies are decoded, is in
//! the model; here is what a program needs around it: files in, plain JSON out.

mod json;
mod plain;

use std::collections::HashMap;
use std::sync::Arc;

use hclkit_model::{Body, Context, Diagnostics, Dynamic, Functions, Reference, SpecFile};
use hclkit_syntax::Source;
use hclkit_value::{Name, Value};

pub use json::{PlaceJson, ReferenceJson};
pub use plain::PlainJson;

/// Decodes configurations by a spec file.
///
/// ```
/// use hclkit::decode::{self, Decoder, PlainJson};
/// use hclkit::{Source, Value};
///
/// let spec = "attr {\n  name = \"size\"\n  type = number\n}\n";
/// let decoder = Decoder::new(Source::new("disk.hcldec", spec))?.with_variables([("disks", Value::from(3))]);
/// let body = decode::read([Source::new("disk.hcl", "size = disks * 100\n")])?;
/// let value = decoder.decode(&body)?;
/// assert_eq!(serde_json::to_string(&PlainJson::new(&value))?, "300");
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
    /// Reads a spec file, in the JSON syntax if its name ends in `.json`. Its own expressions may call the functions of
    /// the spec language, if the feature `functions-spec` is on, as it is by default.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn new(spec: Source) -> Result<Self, Diagnostics> {
        #[cfg(feature = "functions-spec")]
        let functions = Functions::from(hclkit_functions::spec());
        #[cfg(not(feature = "functions-spec"))]
        let functions = Functions::new();
        Ok(Self::of(SpecFile::read(spec, &functions)?))
    }

    /// Takes a spec file that was read already, or a [`Spec`](hclkit_model::Spec) that the program made itself.
    ///
    /// ```
    /// use hclkit::decode::{self, Decoder};
    /// use hclkit::model::{AttributeSpec, Spec};
    /// use hclkit::{Source, Type, Value};
    ///
    /// let spec = Spec::from(AttributeSpec::new("size", Type::Number).required());
    /// let body = decode::read([Source::new("disk.hcl", "size = 300\n")])?;
    /// assert_eq!(Decoder::of(spec).decode(&body)?, Value::from(300));
    /// # Ok::<(), hclkit::Diagnostics>(())
    /// ```
    pub fn of(spec: impl Into<SpecFile>) -> Self {
        let (variables, functions) = (Vec::new(), Functions::new());
        Self { file: spec.into(), variables, functions, dynamic: false, unknown_variables: false }
    }

    /// The same with these variables for configurations, before those of the spec file and those given earlier.
    #[must_use]
    pub fn with_variables<N: Into<Name>>(mut self, variables: impl IntoIterator<Item = (N, Value)>) -> Self {
        self.variables.extend(variables.into_iter().map(|(name, value)| (name.into(), value)));
        self
    }

    /// The same with these functions for configurations, behind those of the spec file.
    #[must_use]
    pub fn with_functions(mut self, functions: Functions) -> Self {
        self.functions = functions;
        self
    }

    /// The same, which says whether `dynamic` blocks stand for others.
    #[must_use]
    pub fn with_dynamic(mut self, dynamic: bool) -> Self {
        self.dynamic = dynamic;
        self
    }

    /// The same, which says whether variables that a configuration refers to and nobody gave are unknown instead of
    /// mistakes. What depends on them is then checked as far as it can be.
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

    /// What it decodes by: the spec, with the variables and functions of its file.
    pub fn spec_file(&self) -> &SpecFile {
        &self.file
    }

    /// What the expressions of a configuration see.
    pub fn context(&self) -> Context {
        self.context_with(Vec::new())
    }

    /// The same with these variables, where there are no others of their names.
    fn context_with(&self, mut variables: Vec<(Name, Value)>) -> Context {
        let mut context = Context::new();
        let own = self.file.variables.iter().map(|(name, value)| (name.clone(), value.clone()));
        variables.extend(own.chain(self.variables.iter().cloned()));
        // Where there are none at all, that is another mistake than a name that is not known.
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

    /// The value of a configuration.
    ///
    /// # Errors
    /// What is wrong with the configuration, in the order of its files and from top to bottom in each.
    pub fn decode(&self, body: &Body) -> Result<Value, Diagnostics> {
        let context = self.context_with(if self.unknown_variables { self.unknown(body) } else { Vec::new() });
        let mut diagnostics = Diagnostics::new();
        let value = if self.dynamic {
            let body = Dynamic::new(&context).expand(body);
            diagnostics.absorb(self.file.spec.decode(&body, &context))
        } else {
            diagnostics.absorb(self.file.spec.decode(body, &context))
        };
        if diagnostics.has_errors() { Err(in_file_order(diagnostics, body)) } else { Ok(value) }
    }

    /// All variables that a configuration refers to, as unknown.
    fn unknown(&self, body: &Body) -> Vec<(Name, Value)> {
        let names = self.references(body).into_iter().map(|reference| reference.traversal.root);
        names.map(|name| (name, Value::DYNAMIC)).collect()
    }

    /// The references to variables in what decoding a configuration would evaluate.
    pub fn references(&self, body: &Body) -> Vec<Reference> {
        if self.dynamic {
            self.file.spec.references_with_dynamic(body)
        } else {
            self.file.spec.references(body)
        }
    }
}

/// People read files from top to bottom, but decoding goes by the spec. What is wrong elsewhere comes last.
fn in_file_order(mut diagnostics: Diagnostics, body: &Body) -> Diagnostics {
    let sources = body.sources();
    let order: HashMap<*const Source, usize> =
        sources.iter().enumerate().map(|(at, source)| (Arc::as_ptr(source), at)).collect();
    diagnostics.sort_by_key(|diagnostic| {
        let file = diagnostic.source().and_then(|source| order.get(&Arc::as_ptr(source)));
        (file.is_none(), file.copied(), diagnostic.span())
    });
    diagnostics
}

/// The body that several files are together; those whose names end in `.json` are in the JSON syntax. Warnings are left
/// out: [`Body::parse`] and [`Body::merge`] do the same and have them.
///
/// # Errors
/// What is wrong with their syntax.
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
