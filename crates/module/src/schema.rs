//! The schemas of providers, as `terraform providers schema -json` writes them: which attributes and blocks resources and
//! data sources have, with their types, and which functions there are. The text is kept, and an object is read when somebody
//! asks for it, because the schemas of a large provider are much larger than their text.

mod choice;
mod pack;
mod text;
mod unset;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, OnceLock};

use hclkit_model::{Body, BodyItem, Context, Expression, Schema};
use hclkit_syntax::{Diagnostics, Place, Syntax};
use hclkit_value::{Error, Function, Mark, Marks, Name, ObjectType, Parameter, Str, Type, Value};

use crate::config::{Config, Item};
use crate::messages;

pub use choice::{LOCK_FILE, choose_version, locked_versions};
use pack::Text;
pub use pack::{PackedSchema, is_provider};
pub(crate) use unset::Unset;

/// The schemas of providers for their resources and data sources, and the signatures of their functions.
///
/// ```
/// use hclkit_module::Schemas;
///
/// let text = br#"{ "provider_schemas": { "registry.terraform.io/hashicorp/local": { "resource_schemas": {
///     "local_file": { "block": { "attributes": { "id": { "type": "string", "computed": true } } } } } } } }"#;
/// assert!(Schemas::from_json(text).is_ok());
/// assert!(Schemas::from_json(br#"{ "format_version": "1.0" }"#).is_ok());
/// assert!(Schemas::from_json(b"[]").is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Schemas {
    /// By the type of their block and their own type.
    objects: BTreeMap<(&'static str, String), Vec<Object>>,
    functions: Vec<(String, Function)>,
}

/// An object of a provider.
#[derive(Clone, Debug)]
struct Object {
    /// The address of the provider.
    provider: Arc<str>,
    /// The schema as JSON.
    text: Text,
    block: Arc<OnceLock<BlockSchema>>,
}

impl Object {
    fn block(&self) -> &BlockSchema {
        self.block.get_or_init(|| {
            let object = self.text.value();
            let block = object.and_then(|object| property(&object, "block"));
            block.map(|block| BlockSchema::of(&block)).unwrap_or_default()
        })
    }
}

const KINDS: [(&str, &str); 3] = [
    ("resource_schemas", "resource"),
    ("data_source_schemas", "data"),
    ("ephemeral_resource_schemas", "ephemeral"),
];

/// What a resource, a data source or a block in one has.
#[derive(Clone, Debug, Default)]
pub struct BlockSchema {
    attributes: Vec<AttributeSchema>,
    blocks: Vec<NestedSchema>,
    description: Str,
    deprecated: bool,
}

/// The schema of the blocks of a type in a block.
#[derive(Clone, Debug)]
pub struct NestedSchema {
    name: Name,
    nesting: Nesting,
    block: BlockSchema,
    min: usize,
    /// No limit if it is 0.
    max: usize,
}

/// An attribute.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the schema")]
pub struct AttributeSchema {
    name: Name,
    ty: Type,
    required: bool,
    settable: bool,
    computed: bool,
    sensitive: bool,
    /// The provider never returns the value.
    write_only: bool,
    /// The attributes of the objects that the attribute contains.
    nested: Option<(Nesting, Vec<Self>)>,
    description: Str,
    deprecated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nesting {
    Single,
    Group,
    List,
    Set,
    Map,
}

impl Schemas {
    /// Reads what `terraform providers schema -json` writes.
    ///
    /// # Errors
    /// The text is not JSON, or not such a text.
    pub fn from_json(text: &[u8]) -> Result<Self, Error> {
        let providers = text::member(text, "provider_schemas");
        // Without providers, only the version of the format is written.
        if providers.is_none() && text::member(text, "format_version").is_some() {
            return Ok(Self::default());
        }
        let providers = providers.ok_or_else(|| match Value::from_plain_json(text) {
            Ok(_) => Error::new(messages::NO_SCHEMAS),
            Err(error) => error,
        })?;
        let mut schemas = Self::default();
        for (address, provider) in text::members(providers)? {
            let address: Arc<str> = address.into();
            for (list, own) in text::members(provider)? {
                if let Some((_, kind)) = KINDS.iter().find(|(own, _)| *own == list) {
                    for (name, object) in text::members(own)? {
                        // It must be JSON, although it is read later.
                        Value::from_plain_json(object)?;
                        schemas.add(kind, name, &address, Text::Plain(object.into()));
                    }
                    continue;
                }
                let value = Value::from_plain_json(own)?;
                if list == "functions" {
                    schemas.add_functions(&address, &value);
                }
            }
        }
        Ok(schemas)
    }

    fn add(&mut self, kind: &'static str, name: String, provider: &Arc<str>, text: Text) {
        let all = self.objects.entry((kind, name)).or_default();
        all.push(Object { provider: provider.clone(), text, block: Arc::default() });
    }

    /// Adds the functions of the provider with an address.
    fn add_functions(&mut self, address: &str, functions: &Value) {
        let short = address.rsplit('/').next().unwrap_or_default();
        let all = properties(functions).into_iter();
        let all = all.map(|(name, own)| (format!("provider::{short}::{name}"), function(&own)));
        self.functions.extend(all);
    }

    /// The schema of an object. If its provider is unknown, another provider with objects of this type counts.
    pub(crate) fn object(&self, item: &Item, config: &Config) -> Option<&BlockSchema> {
        let (_, kind) = KINDS.iter().find(|(_, kind)| item.rule.block_type == **kind)?;
        let object_type = item.labels.first()?;
        let all = self.objects.get(&(*kind, object_type.to_string()))?;
        if let [only] = &all[..] {
            return Some(only.block());
        }
        let address = provider(item, config);
        all.iter().find(|own| own.is_of(&address)).or(all.first()).map(Object::block)
    }

    /// The types that the provider of an object has for its block, if the type of the object is not among them. `None` if nothing is
    /// known about the provider.
    pub(crate) fn other_types(&self, item: &Item, config: &Config) -> Option<Vec<&str>> {
        if self.objects.is_empty() || self.object(item, config).is_some() {
            return None;
        }
        let (_, kind) = KINDS.iter().find(|(_, kind)| item.rule.block_type == **kind)?;
        let address = provider(item, config);
        let all = self.objects.range((*kind, String::new())..).take_while(|((own, _), _)| own == kind);
        let types = all.filter(|(_, own)| own.iter().any(|own| own.is_of(&address)));
        let types: Vec<&str> = types.map(|((_, name), _)| name.as_str()).collect();
        (!types.is_empty()).then_some(types)
    }

    /// The schema of an object: the type of its block, such as `resource`, its own type, and its provider, such as
    /// `hashicorp/aws`. If no such provider has objects of this type, another one counts.
    ///
    /// ```
    /// use hclkit_module::Schemas;
    ///
    /// let text = br#"{ "provider_schemas": { "registry.terraform.io/hashicorp/local": { "resource_schemas": {
    ///     "local_file": { "block": { "attributes": { "id": { "type": "string", "computed": true } } } } } } } }"#;
    /// let schemas = Schemas::from_json(text)?;
    /// let file = schemas.block("resource", "local_file", "hashicorp/local").unwrap();
    /// assert!(!file.attributes().next().unwrap().is_settable());
    /// # Ok::<(), hclkit_value::Error>(())
    /// ```
    pub fn block(&self, block_type: &str, object_type: &str, provider: &str) -> Option<&BlockSchema> {
        let (_, kind) = KINDS.iter().find(|(_, kind)| *kind == block_type)?;
        let all = self.objects.get(&(*kind, object_type.to_owned()))?;
        all.iter().find(|own| own.is_of(provider)).or(all.first()).map(Object::block)
    }

    /// The types of the objects of all providers in blocks of a type.
    pub fn types(&self, block_type: &str) -> impl Iterator<Item = &str> {
        let kind = KINDS.iter().find(|(_, kind)| *kind == block_type).map_or("", |(_, kind)| kind);
        let all = self.objects.range((kind, String::new())..);
        all.take_while(move |((own, _), _)| *own == kind).map(|((_, name), _)| name.as_str())
    }

    /// The functions of providers. Their results are unknown.
    pub(crate) fn functions(&self) -> impl Iterator<Item = (&str, &Function)> {
        self.functions.iter().map(|(name, function)| (name.as_str(), function))
    }
}

impl Object {
    /// Whether the provider has an address. The host can be left out.
    fn is_of(&self, address: &str) -> bool {
        self.provider.strip_suffix(address).is_some_and(|host| host.is_empty() || host.ends_with('/'))
    }
}

impl BlockSchema {
    /// The attributes in the order of their names.
    pub fn attributes(&self) -> impl Iterator<Item = &AttributeSchema> {
        self.attributes.iter()
    }

    /// The blocks in the order of their types.
    pub fn blocks(&self) -> impl Iterator<Item = &NestedSchema> {
        self.blocks.iter()
    }

    /// The description, which may be empty.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Whether it is deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.deprecated
    }

    /// Returns true if an attribute is sensitive or never returned, or has such attributes.
    pub(crate) fn is_sensitive(&self, name: &str) -> bool {
        fn any(own: &AttributeSchema) -> bool {
            own.sensitive || own.write_only || own.nested.iter().any(|(_, inner)| inner.iter().any(any))
        }
        self.attributes.iter().any(|own| own.name == *name && any(own))
    }

    /// Whether the provider can compute an argument to a value.
    pub(crate) fn computes(&self, argument: &str, value: &Value) -> bool {
        let is_one = |own: &&AttributeSchema| own.computed && *own.name == *argument;
        self.attributes.iter().find(is_one).is_some_and(|own| value.convert(&own.ty).is_ok())
    }

    /// Whether a provider may set blocks whose values have no common type.
    pub(crate) fn has_open_blocks(&self) -> bool {
        self.blocks.iter().any(|NestedSchema { nesting, block, .. }| {
            *nesting == Nesting::List && block.is_computed() && block.has_dynamic()
                || hclkit_limits::with_room(|| block.has_open_blocks())
        })
    }

    fn has_dynamic(&self) -> bool {
        let own = self.attributes.iter().any(|own| own.ty.has_dynamic());
        own || self.blocks.iter().any(|own| hclkit_limits::with_room(|| own.block.has_dynamic()))
    }

    /// Returns true if a provider sets an attribute, also of a nested block.
    fn is_computed(&self) -> bool {
        let own = self.attributes.iter().any(|own| own.computed);
        own || self.blocks.iter().any(|own| hclkit_limits::with_room(|| own.block.is_computed()))
    }

    /// The schema of nested blocks.
    pub fn nested(&self, block_type: &str) -> Option<&Self> {
        self.blocks.iter().find(|own| own.name == *block_type).map(|own| &own.block)
    }
}

/// The address of the provider of an object: what `required_providers` says about its name, which is that of the argument
/// `provider`, or the start of the type.
fn provider(item: &Item, config: &Config) -> String {
    requirement(item, config).0
}

/// The address of the provider of an object, and the versions of it that `required_providers` allows.
pub(crate) fn requirement(item: &Item, config: &Config) -> (String, Option<String>) {
    let named = item.block.body.attribute("provider").and_then(|own| own.expression.static_traversal().ok());
    let start = || item.labels.first().and_then(|name| name.split('_').next()).unwrap_or_default();
    let name = named.map_or_else(|| start().to_owned(), |named| named.root.to_string());
    let settings = config.items.iter().filter(|item| item.rule.block_type == *"terraform");
    let schema = Schema::new().with_block("required_providers", &[]);
    let required = settings.filter_map(|item| {
        let ((content, _), _) = item.block.body.partial_content(&schema);
        let all = content.blocks.iter().find_map(|block| block.body.attribute(&name))?;
        let parts = all.expression.static_map().ok()?;
        let part = |name: &str| {
            let is_part = |key: &Expression| key.static_keyword().is_some_and(|key| key == *name);
            let (_, part) = parts.iter().find(|(key, _)| is_part(key))?;
            part.evaluate(&Context::new()).ok()?.as_str().map(str::to_owned)
        };
        Some((part("source"), part("version")))
    });
    let (source, version) = required.into_iter().next().unwrap_or_default();
    let source = source.unwrap_or(name);
    (if source.contains('/') { source } else { format!("hashicorp/{source}") }, version)
}

/// A function with the signature of a provider's.
fn function(schema: &Value) -> Function {
    let result = property(schema, "return_type").map_or(Type::Dynamic, |result| ty(&result));
    let unknown = result.clone();
    let mut function = Function::unnamed(result, move |_, _| Ok(Value::unknown(unknown.clone())));
    let parameter = |schema: &Value| {
        let name = property(schema, "name").and_then(|name| name.as_str().map(str::to_owned));
        let ty = property(schema, "type").map_or(Type::Dynamic, |own| ty(&own));
        let parameter = Parameter::new(name.unwrap_or_default(), ty).with_unknowns().with_dynamic();
        if flag(schema, "is_nullable") { parameter.with_nulls() } else { parameter }
    };
    let list = property(schema, "parameters");
    for own in list.as_ref().and_then(Value::as_slice).unwrap_or_default() {
        function = function.with_parameter(parameter(own));
    }
    match property(schema, "variadic_parameter").filter(|own| !own.is_null()) {
        Some(own) => function.with_variadic(parameter(&own)),
        None => function,
    }
}

fn property(value: &Value, name: &str) -> Option<Value> {
    value.as_object()?.get(name).cloned()
}

fn properties(value: &Value) -> Vec<(String, Value)> {
    let entries = value.entries().into_iter().flatten();
    entries.map(|(name, value)| (name.to_string(), value.clone())).collect()
}

fn flag(value: &Value, name: &str) -> bool {
    property(value, name).and_then(|flag| flag.as_bool()).unwrap_or(false)
}

fn description(value: &Value) -> Str {
    property(value, "description").and_then(|text| text.as_str().map(Str::from)).unwrap_or_default()
}

/// The type of a block in the native syntax. In the JSON syntax, blocks are written like attributes.
fn native_block(item: &BodyItem) -> Option<String> {
    match item {
        BodyItem::Block(block) if Syntax::of(block.source.name()) == Syntax::Native => {
            Some(block.block_type.to_string())
        }
        _ => None,
    }
}

/// A type as JSON writes it.
fn ty(value: &Value) -> Type {
    let parts = value.as_slice().unwrap_or_default();
    let inner = || hclkit_limits::with_room(|| parts.get(1).map_or(Type::Dynamic, ty));
    match value.as_str().or_else(|| parts.first()?.as_str()) {
        Some("string") => Type::String,
        Some("number") => Type::Number,
        Some("bool") => Type::Bool,
        Some("list") => Type::list(inner()),
        Some("set") => Type::set(inner()),
        Some("map") => Type::map(inner()),
        Some("tuple") => {
            let all = parts.get(1).and_then(Value::as_slice).unwrap_or_default();
            Type::tuple(all.iter().map(ty).collect::<Vec<_>>())
        }
        Some("object") => {
            let all = parts.get(1).map(properties).unwrap_or_default();
            Type::object(all.into_iter().map(|(name, own)| (name, ty(&own))).collect::<Vec<_>>())
        }
        _ => Type::Dynamic,
    }
}

impl AttributeSchema {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of the value.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Whether it must be set.
    pub fn is_required(&self) -> bool {
        self.required
    }

    /// Whether it can be set.
    pub fn is_settable(&self) -> bool {
        self.settable
    }

    /// Whether its value is sensitive.
    pub fn is_sensitive(&self) -> bool {
        self.sensitive
    }

    /// Whether it is deprecated.
    pub fn is_deprecated(&self) -> bool {
        self.deprecated
    }

    /// The description, which may be empty.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The attributes of the objects that it contains.
    pub fn nested(&self) -> impl Iterator<Item = &Self> {
        self.nested.iter().flat_map(|(_, attributes)| attributes)
    }
}

impl NestedSchema {
    /// The type of the blocks.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is in such a block.
    pub fn block(&self) -> &BlockSchema {
        &self.block
    }

    /// Whether there must be one.
    pub fn is_required(&self) -> bool {
        self.min > 0
    }

    /// Whether there can be only one.
    pub fn is_single(&self) -> bool {
        self.max == 1
    }

    /// Whether the blocks have a label, the key of a map.
    pub fn has_label(&self) -> bool {
        self.nesting == Nesting::Map
    }
}

impl Nesting {
    fn of(schema: &Value) -> Self {
        match property(schema, "nesting_mode").as_ref().and_then(Value::as_str) {
            Some("single") => Self::Single,
            Some("group") => Self::Group,
            Some("set") => Self::Set,
            Some("map") => Self::Map,
            _ => Self::List,
        }
    }

    fn ty(self, element: Type) -> Type {
        match self {
            Self::Single | Self::Group => element,
            Self::List => Type::list(element),
            Self::Set => Type::set(element),
            Self::Map => Type::map(element),
        }
    }

    /// The type of all blocks. Lists and maps of blocks with attributes of any type are tuples and objects.
    fn of_blocks(self, block: Type) -> Type {
        match self {
            Self::List | Self::Map if block.has_dynamic() => Type::Dynamic,
            _ => self.ty(block),
        }
    }
}

impl AttributeSchema {
    fn of(name: &str, schema: &Value) -> Self {
        let mut inner = None;
        let own = match property(schema, "nested_type") {
            Some(nested) => {
                let all = property(&nested, "attributes").as_ref().map(properties).unwrap_or_default();
                let all = all.iter().map(|(name, own)| Self::of(name, own));
                let all: Vec<Self> = hclkit_limits::with_room(|| all.collect());
                let optional: Vec<Str> =
                    all.iter().filter(|own| !own.required).map(|own| Str::from(&*own.name)).collect();
                let types: Vec<(Str, Type)> =
                    all.iter().map(|own| (Str::from(&*own.name), own.ty.clone())).collect();
                let nesting = Nesting::of(&nested);
                inner = Some((nesting, all));
                nesting.ty(Type::object_with_optional(types, optional))
            }
            None => property(schema, "type").map_or(Type::Dynamic, |own| ty(&own)),
        };
        Self {
            name: Name::from(name),
            ty: own,
            required: flag(schema, "required"),
            settable: flag(schema, "required") || flag(schema, "optional"),
            computed: flag(schema, "computed"),
            sensitive: flag(schema, "sensitive"),
            write_only: flag(schema, "write_only"),
            nested: inner,
            description: description(schema),
            deprecated: flag(schema, "deprecated"),
        }
    }

    /// The type of the elements, if the attribute is a list or set of objects.
    fn element(&self) -> Option<ObjectType> {
        match &self.ty {
            Type::List(element) | Type::Set(element) if self.nested.is_none() => element.as_object().cloned(),
            _ => None,
        }
    }

    /// The value of the attribute, from the one that is configured.
    fn value(
        &self,
        set: Option<&Value>,
        unset: Unset<'_>,
        at: &dyn Fn() -> Place,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let is_unset = |value: &Value| self.computed && value.unmark().0.is_null();
        let value = match set.filter(|value| !is_unset(value)) {
            Some(value) => match value.convert(&self.ty) {
                Ok(_) if self.write_only => Value::null(self.ty.without_optional()),
                Ok(value) => self.completed(&value, unset),
                Err(problem) => {
                    diagnostics.push(messages::invalid_attribute(&self.name, &problem.to_string()).at(at()));
                    Value::unknown(self.ty.without_optional())
                }
            },
            None if self.computed => unset.value(&self.name, &self.ty),
            None => Value::null(self.ty.without_optional()),
        };
        if self.sensitive { value.mark(Mark::sensitive()) } else { value }
    }

    /// A value in which attributes of objects have the values that the provider sets.
    fn completed(&self, value: &Value, unset: Unset<'_>) -> Value {
        let (bare, marks) = value.unmark();
        let is_whole = bare.is_known() && !bare.is_null();
        let Some((nesting, attributes)) = self.nested.as_ref().filter(|_| is_whole) else {
            return value.clone();
        };
        let path = unset.inside(&self.name);
        let unset = Unset { path: &path, ..unset };
        let object = |object: &Value| {
            let (bare, marks) = object.unmark();
            let Some(entries) = bare.as_object() else { return object.clone() };
            let attribute = |own: &Self| {
                let value = entries.get(&own.name).cloned().unwrap_or(Value::NULL);
                let value = if own.computed && value.unmark().0.is_null() {
                    unset.value(&own.name, &own.ty)
                } else {
                    hclkit_limits::with_room(|| own.completed(&value, unset))
                };
                let value = if own.sensitive { value.mark(Mark::sensitive()) } else { value };
                (Str::from(&*own.name), value)
            };
            Value::object(attributes.iter().map(attribute)).with_marks(&marks)
        };
        let element = || match self.ty.without_optional() {
            Type::List(element) | Type::Set(element) | Type::Map(element) => (*element).clone(),
            ty => ty,
        };
        let items = || bare.as_slice().unwrap_or_default().iter().map(object);
        let found = match nesting {
            Nesting::Single | Nesting::Group => Some(object(&bare)),
            Nesting::List => Value::list_of(element(), items()).ok(),
            Nesting::Set => Value::set_of(element(), items()).ok(),
            Nesting::Map => {
                let entries = bare.entries().into_iter().flatten();
                Value::map_of(element(), entries.map(|(key, value)| (key.clone(), object(value)))).ok()
            }
        };
        found.unwrap_or_else(|| Value::unknown(self.ty.without_optional())).with_marks(&marks)
    }
}

impl BlockSchema {
    fn of(schema: &Value) -> Self {
        let attributes = property(schema, "attributes").as_ref().map(properties).unwrap_or_default();
        let blocks = property(schema, "block_types").as_ref().map(properties).unwrap_or_default();
        let block = |(name, own): (String, Value)| {
            let inner = property(&own, "block").map(|block| hclkit_limits::with_room(|| Self::of(&block)));
            let nesting = Nesting::of(&own);
            let count = |what: &str| {
                let count =
                    property(&own, what).and_then(|count| count.as_number()?.to_string().parse().ok());
                count.unwrap_or_default()
            };
            let max =
                if matches!(nesting, Nesting::Single | Nesting::Group) { 1 } else { count("max_items") };
            NestedSchema {
                name: Name::from(name.as_str()),
                nesting,
                block: inner.unwrap_or_default(),
                min: count("min_items"),
                max,
            }
        };
        Self {
            attributes: attributes.iter().map(|(name, own)| AttributeSchema::of(name, own)).collect(),
            blocks: blocks.into_iter().map(block).collect(),
            description: description(schema),
            deprecated: flag(schema, "deprecated"),
        }
    }

    /// The type of an attribute, or of the blocks of a type.
    pub(crate) fn part(&self, name: &str) -> Option<Type> {
        let attribute =
            self.attributes.iter().find(|own| own.name == *name).map(|own| own.ty.without_optional());
        let blocks = || self.blocks.iter().find(|own| own.name == *name);
        attribute.or_else(|| blocks().map(|own| own.nesting.of_blocks(own.block.ty())))
    }

    /// The type of objects.
    fn ty(&self) -> Type {
        let attributes = self.attributes.iter().map(|own| (Str::from(&*own.name), own.ty.without_optional()));
        let blocks =
            self.blocks.iter().map(|own| (Str::from(&*own.name), own.nesting.of_blocks(own.block.ty())));
        Type::object(attributes.chain(blocks).collect::<Vec<_>>())
    }

    /// Reports attributes and blocks that do not exist, and required ones that are missing.
    pub(crate) fn check(&self, body: &Body, at: &Place, diagnostics: &mut Diagnostics) {
        let mut schema = Schema::new().with_block("dynamic", &["type"]);
        // A list or set of objects can also be written as blocks.
        let written: HashSet<String> = body.items().iter().filter_map(native_block).collect();
        let as_blocks = |own: &&AttributeSchema| own.element().is_some() && written.contains(&*own.name);
        for own in self.attributes.iter().filter(|own| own.settable) {
            schema = if as_blocks(&own) {
                schema.with_block(own.name.clone(), &[])
            } else if own.required {
                schema.with_required(own.name.clone())
            } else {
                schema.with_optional(own.name.clone())
            };
        }
        for own in &self.blocks {
            let labels: &[&str] = if own.nesting == Nesting::Map { &["key"] } else { &[] };
            schema = schema.with_block(own.name.clone(), labels);
        }
        let content = diagnostics.absorb(body.content(&schema));
        for block in &content.blocks {
            if let Some(own) = self.blocks.iter().find(|own| own.name == block.block_type) {
                hclkit_limits::with_room(|| {
                    own.block.check(&block.body, &block.definition_place(), diagnostics);
                });
            }
        }
        for own in self.attributes.iter().filter(as_blocks) {
            let Some(element) = own.element() else { continue };
            let names = element.names().iter().map(ToString::to_string);
            let inner = names.fold(Schema::new(), Schema::with_optional).with_block("dynamic", &["type"]);
            for block in content.blocks_of(&own.name) {
                let blocks = block.body.items().iter().filter_map(native_block).collect::<HashSet<_>>();
                let inner = blocks.into_iter().fold(inner.clone(), |all: Schema, name: String| {
                    if element.get(&name).is_some() { all.with_block(name, &[]) } else { all }
                });
                diagnostics.append(block.body.content(&inner).1);
            }
        }
        for own in &self.blocks {
            let is_generated =
                content.blocks_of("dynamic").any(|block| block.labels.first() == Some(&own.name));
            let all: Vec<_> = content.blocks_of(&own.name).collect();
            if all.len() < own.min && !is_generated {
                diagnostics.push(messages::too_few_blocks(&own.name, own.min).at(at.clone()));
            }
            if let Some(block) = all.get(own.max).filter(|_| own.max > 0) {
                diagnostics.push(messages::too_many_blocks(&own.name, own.max).at(block.definition_place()));
            }
        }
        for block in content.blocks_of("dynamic") {
            let known = block.labels.first();
            let is_attribute =
                self.attributes.iter().any(|own| Some(&own.name) == known && own.element().is_some());
            if !is_attribute && !self.blocks.iter().any(|own| Some(&own.name) == known) {
                let near = known.and_then(|name| {
                    hclkit_syntax::nearest_name(name, self.blocks.iter().map(|own| own.name.as_str()))
                });
                let name = known.map(Name::as_str).unwrap_or_default();
                diagnostics.push(messages::unsupported_dynamic(name, near).at(block.definition_place()));
            }
        }
    }

    /// Values in which blocks that are written for a list or set of objects have all attributes of the objects.
    pub(crate) fn with_whole_blocks(
        &self,
        mut values: Vec<(Name, Value)>,
        is_block: impl Fn(&str) -> bool,
    ) -> Vec<(Name, Value)> {
        for (name, value) in values.iter_mut().filter(|(name, _)| is_block(name)) {
            let own = self.attributes.iter().find(|own| own.name == *name);
            let Some(element) = own.and_then(AttributeSchema::element) else { continue };
            let whole = |block: &Value| {
                let (bare, marks) = block.unmark();
                let Some(set) = bare.as_object() else { return block.clone() };
                let attribute =
                    |(name, _): (&Str, &Type)| (name.clone(), set.get(name).cloned().unwrap_or(Value::NULL));
                Value::object(element.attributes().map(attribute)).with_marks(&marks)
            };
            if let Some(blocks) = value.as_slice() {
                *value = Value::tuple(blocks.iter().map(whole));
            }
        }
        values
    }

    /// The object with these values: with the types of the schema, and unknown where the provider sets them.
    pub(crate) fn object(
        &self,
        values: &[(Name, Value)],
        unset: Unset<'_>,
        at: &dyn Fn(&str) -> Place,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let set = |name: &Name| values.iter().find(|(own, _)| own == name).map(|(_, value)| value);
        let mut all: Vec<(Str, Value)> = Vec::with_capacity(self.attributes.len() + self.blocks.len());
        for own in &self.attributes {
            let value = own.value(set(&own.name), unset, &|| at(&own.name), diagnostics);
            all.push((Str::from(&*own.name), value));
        }
        for NestedSchema { name, nesting, block, .. } in &self.blocks {
            let place = || at(name);
            let path = unset.inside(name);
            let inner = Unset { path: &path, ..unset };
            let value = hclkit_limits::with_room(|| {
                block.value_of_blocks(*nesting, set(name), inner, &place, diagnostics)
            });
            all.push((Str::from(&**name), value));
        }
        Value::object(all)
    }

    /// The value of all blocks of a type.
    fn value_of_blocks(
        &self,
        nesting: Nesting,
        set: Option<&Value>,
        unset: Unset<'_>,
        at: &dyn Fn() -> Place,
        diagnostics: &mut Diagnostics,
    ) -> Value {
        let ty = self.ty();
        let (value, marks) = set.map_or_else(|| (Value::tuple::<Value>([]), Marks::default()), Value::unmark);
        // A provider can only set blocks that have attributes that it sets.
        let is_set = unset.values.is_some()
            || !self.is_computed()
            || value.as_slice().is_none_or(|all| !all.is_empty());
        if !value.is_known() || !is_set && matches!(nesting, Nesting::List | Nesting::Set) {
            return Value::unknown(nesting.of_blocks(ty)).with_marks(&marks);
        }
        // In the JSON syntax, one block can be an object.
        let blocks: Vec<Value> = match value.as_slice() {
            Some(all) => all.to_vec(),
            None => vec![value.clone()],
        };
        let mut one = |block: &Value| {
            let (block, marks) = block.unmark();
            let values = block.entries().into_iter().flatten();
            let values: Vec<(Name, Value)> =
                values.map(|(name, value)| (Name::from(name.as_str()), value.clone())).collect();
            self.object(&values, unset, &|_| at(), diagnostics).with_marks(&marks)
        };
        if nesting == Nesting::Map {
            let mut entries: BTreeMap<Str, Value> = BTreeMap::new();
            for (key, block) in blocks.iter().filter_map(Value::entries).flatten() {
                entries.entry(key.clone()).or_insert_with(|| one(block));
            }
            if ty.has_dynamic() {
                return Value::object(entries).with_marks(&marks);
            }
            let any = Type::map(ty.clone());
            let found = Value::map_of(ty, entries).unwrap_or_else(|_| Value::unknown(any));
            return found.with_marks(&marks);
        }
        let all: Vec<Value> = blocks.iter().map(&mut one).collect();
        let found = match nesting {
            Nesting::Single => all.into_iter().next().unwrap_or_else(|| Value::null(ty)),
            Nesting::Group => all.into_iter().next().unwrap_or_else(|| one(&Value::object::<Str, Value>([]))),
            Nesting::List if ty.has_dynamic() => Value::tuple(all),
            Nesting::List => {
                let any = Type::list(ty.clone());
                Value::list_of(ty, all).unwrap_or_else(|_| Value::unknown(any))
            }
            Nesting::Set => {
                let any = Type::set(ty.clone());
                Value::set_of(ty, all).unwrap_or_else(|_| Value::unknown(any))
            }
            Nesting::Map => Value::unknown(Type::map(ty)),
        };
        found.with_marks(&marks)
    }
}
