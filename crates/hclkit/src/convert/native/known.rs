//! What is known about the properties of a body: from a spec, from an application, or from their shape.

use std::borrow::Cow;

use hclkit_model::{BlockSchema, Schema, Spec};
use hclkit_syntax::json::{JsonKind, JsonValue};

use crate::convert::application::Application;

/// What is known about a body.
#[derive(Debug, Clone)]
pub(super) enum Known<'s> {
    /// Everything.
    Spec(Cow<'s, Spec>),
    /// The body of a `dynamic` block for blocks with that spec.
    Dynamic(Box<Known<'s>>),
    /// The blocks that an application defines in blocks of a type.
    Application(Application, &'static str),
    /// All properties are attributes.
    Attributes,
    /// Nothing.
    Nothing,
}

/// The kind of a property.
#[derive(Debug, Clone)]
pub(super) enum Property<'s> {
    Attribute,
    /// Blocks with this number of labels, and what is known about their bodies.
    Blocks(usize, Known<'s>),
}

/// The contents of the bodies of an application's blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    /// The listed blocks, and attributes.
    Listed,
    /// The listed blocks, and the properties that a provider or plugin defines.
    Open,
    /// Attributes only.
    Attributes,
}

/// Blocks: the type of the enclosing block (empty for a file, `*` for any open block), their type, the number of their
/// labels, and their contents.
type Row = (&'static str, &'static str, usize, Inside);

use Inside::{Attributes, Listed, Open};

const TERRAFORM: &[Row] = &[
    ("", "terraform", 0, Listed),
    ("terraform", "required_providers", 0, Attributes),
    ("terraform", "backend", 1, Open),
    ("terraform", "cloud", 0, Listed),
    ("cloud", "workspaces", 0, Attributes),
    ("terraform", "provider_meta", 1, Open),
    ("", "provider", 1, Open),
    ("", "variable", 1, Listed),
    ("variable", "validation", 0, Attributes),
    ("", "locals", 0, Attributes),
    ("", "output", 1, Listed),
    ("output", "precondition", 0, Attributes),
    ("", "resource", 2, Open),
    ("", "data", 2, Open),
    ("", "ephemeral", 2, Open),
    ("", "list", 2, Open),
    ("list", "config", 0, Open),
    ("", "action", 2, Listed),
    ("action", "config", 0, Open),
    ("*", "lifecycle", 0, Listed),
    ("lifecycle", "precondition", 0, Attributes),
    ("lifecycle", "postcondition", 0, Attributes),
    ("lifecycle", "action_trigger", 0, Attributes),
    ("*", "connection", 0, Attributes),
    ("*", "timeouts", 0, Attributes),
    ("*", "provisioner", 1, Open),
    ("*", "dynamic", 1, Listed),
    ("dynamic", "content", 0, Open),
    ("", "module", 1, Listed),
    ("module", "lifecycle", 0, Attributes),
    ("", "language", 0, Listed),
    ("language", "compatible_with", 0, Attributes),
    ("", "moved", 0, Attributes),
    ("", "import", 0, Attributes),
    ("", "removed", 0, Open),
    ("", "check", 1, Listed),
    ("check", "data", 2, Open),
    ("check", "assert", 0, Attributes),
    ("", "test", 0, Attributes),
    ("", "variables", 0, Attributes),
    ("", "run", 1, Listed),
    ("run", "assert", 0, Attributes),
    ("run", "variables", 0, Attributes),
    ("run", "module", 0, Attributes),
    ("run", "plan_options", 0, Attributes),
    ("", "mock_provider", 1, Listed),
    ("mock_provider", "mock_resource", 1, Attributes),
    ("mock_provider", "mock_data", 1, Attributes),
    ("", "mock_resource", 1, Attributes),
    ("", "mock_data", 1, Attributes),
    ("", "override_resource", 0, Attributes),
    ("", "override_data", 0, Attributes),
    ("", "override_module", 0, Attributes),
    ("run", "override_resource", 0, Attributes),
    ("run", "override_data", 0, Attributes),
    ("run", "override_module", 0, Attributes),
    ("mock_provider", "override_resource", 0, Attributes),
    ("mock_provider", "override_data", 0, Attributes),
];

const PACKER: &[Row] = &[
    ("", "packer", 0, Listed),
    ("packer", "required_plugins", 0, Attributes),
    ("", "variable", 1, Listed),
    ("variable", "validation", 0, Attributes),
    ("", "variables", 0, Attributes),
    ("", "local", 1, Attributes),
    ("", "locals", 0, Attributes),
    ("", "source", 2, Open),
    ("", "data", 2, Open),
    ("", "build", 0, Listed),
    ("build", "source", 1, Open),
    ("build", "provisioner", 1, Open),
    ("build", "error-cleanup-provisioner", 1, Open),
    ("build", "post-processor", 1, Open),
    ("build", "post-processors", 0, Listed),
    ("post-processors", "post-processor", 1, Open),
    ("build", "hcp_packer_registry", 0, Attributes),
    ("provisioner", "override", 0, Attributes),
    ("*", "dynamic", 1, Listed),
    ("dynamic", "content", 0, Open),
    ("", "hcp_packer_registry", 0, Attributes),
];

const NOMAD: &[Row] = &[
    ("", "variable", 1, Listed),
    ("variable", "validation", 0, Attributes),
    ("", "variables", 0, Attributes),
    ("", "locals", 0, Attributes),
    ("", "job", 1, Open),
    ("*", "group", 1, Open),
    ("*", "task", 1, Open),
    ("*", "port", 1, Attributes),
    ("*", "device", 1, Open),
    ("*", "volume", 1, Open),
    ("*", "config", 0, Open),
    ("*", "env", 0, Attributes),
    ("*", "meta", 0, Attributes),
    ("*", "parameterized", 0, Attributes),
    ("*", "periodic", 0, Attributes),
    ("*", "multiregion", 0, Open),
    ("multiregion", "region", 1, Open),
    ("*", "resources", 0, Open),
    ("*", "network", 0, Open),
    ("*", "dns", 0, Attributes),
    ("*", "constraint", 0, Attributes),
    ("*", "affinity", 0, Open),
    ("*", "spread", 0, Open),
    ("spread", "target", 1, Attributes),
    ("*", "update", 0, Attributes),
    ("*", "migrate", 0, Attributes),
    ("*", "restart", 0, Attributes),
    ("*", "reschedule", 0, Attributes),
    ("*", "disconnect", 0, Attributes),
    ("*", "ephemeral_disk", 0, Attributes),
    ("*", "service", 0, Open),
    ("*", "check", 0, Open),
    ("*", "check_restart", 0, Attributes),
    ("*", "connect", 0, Open),
    ("*", "sidecar_service", 0, Open),
    ("*", "sidecar_task", 0, Open),
    ("*", "proxy", 0, Open),
    ("*", "upstreams", 0, Open),
    ("*", "expose", 0, Open),
    ("*", "gateway", 0, Open),
    ("*", "template", 0, Open),
    ("*", "artifact", 0, Open),
    ("artifact", "options", 0, Attributes),
    ("artifact", "headers", 0, Attributes),
    ("*", "lifecycle", 0, Attributes),
    ("*", "logs", 0, Attributes),
    ("*", "vault", 0, Attributes),
    ("*", "consul", 0, Attributes),
    ("*", "identity", 0, Attributes),
    ("*", "scaling", 0, Open),
    ("scaling", "policy", 0, Open),
    ("policy", "check", 1, Open),
    ("check", "strategy", 1, Attributes),
    ("*", "volume_mount", 0, Attributes),
    ("*", "csi_plugin", 0, Attributes),
    ("*", "dispatch_payload", 0, Attributes),
    ("*", "numa", 0, Attributes),
    ("*", "action", 1, Attributes),
    ("*", "schedule", 0, Open),
    ("*", "dynamic", 1, Listed),
    ("dynamic", "content", 0, Open),
];

const DOCKER_BAKE: &[Row] = &[
    ("", "variable", 1, Listed),
    ("variable", "validation", 0, Attributes),
    ("", "function", 1, Attributes),
    ("", "group", 1, Attributes),
    ("", "target", 1, Attributes),
];

fn rows(application: Application) -> &'static [Row] {
    match application {
        Application::Terraform => TERRAFORM,
        Application::Packer => PACKER,
        Application::Nomad => NOMAD,
        Application::DockerBake => DOCKER_BAKE,
    }
}

impl<'s> Known<'s> {
    /// Determines the kind of a property of the body. The schema is that of [`Known::schema`].
    pub(super) fn property(&self, name: &str, value: JsonValue<'_>, schema: Option<&Schema>) -> Property<'s> {
        match self {
            Self::Spec(spec) => match schema.and_then(|schema| schema.block_type(name)) {
                None => Property::Attribute,
                Some(_) if schema.is_some_and(|schema| schema.attribute(name).is_some()) => {
                    Property::Attribute
                }
                Some(block) => {
                    let inside = in_block(spec, name);
                    // Only a `dynamic` block is in the schema and not in the spec.
                    let inside = inside.unwrap_or_else(|| Self::Dynamic(Box::new(self.clone())));
                    Property::Blocks(block.label_names.len(), inside)
                }
            },
            Self::Dynamic(inside) if name == "content" => Property::Blocks(0, (**inside).clone()),
            Self::Attributes | Self::Dynamic(_) => Property::Attribute,
            Self::Application(application, block) => {
                let inside = |row: &Row| match row.3 {
                    Attributes => Self::Attributes,
                    Listed | Open => Self::Application(*application, row.1),
                };
                let is_open = *application_inside(*application, block) == Open;
                let listed = rows(*application).iter().find(|row| {
                    row.1 == name && (row.0 == *block || row.0 == "*" && is_open && !block.is_empty())
                });
                // Some names are also names of attributes.
                let is_body = value.is_object() || labels(value).is_some();
                match listed {
                    Some(row) if is_body => Property::Blocks(row.2, inside(row)),
                    _ if is_open => match shape(value) {
                        Property::Blocks(labels, _) => {
                            Property::Blocks(labels, Self::Application(*application, "*"))
                        }
                        Property::Attribute => Property::Attribute,
                    },
                    _ => Property::Attribute,
                }
            }
            Self::Nothing => shape(value),
        }
    }

    /// The contents of a `dynamic` block for blocks of a type.
    pub(super) fn of_dynamic(self, label: &str) -> Self {
        match self {
            Self::Dynamic(around) => match *around {
                Self::Spec(spec) => Self::Dynamic(Box::new(in_block(&spec, label).unwrap_or(Self::Nothing))),
                other => Self::Dynamic(Box::new(other)),
            },
            other => other,
        }
    }

    /// The schema of the body, of which nothing is required, if it is known.
    pub(super) fn schema(&self, dynamic: bool) -> Option<Schema> {
        let mut schema = Schema::new();
        match self {
            Self::Spec(spec) => {
                let strict = spec.implied_schema();
                for attribute in strict.attributes() {
                    schema = schema.with_optional(attribute.name.clone());
                }
                for block in strict.blocks() {
                    schema.add_block(BlockSchema::clone(block));
                }
                if dynamic && schema.attribute("dynamic").is_none() && schema.block_type("dynamic").is_none()
                {
                    schema = schema.with_block("dynamic", &["type"]);
                }
                Some(schema)
            }
            Self::Dynamic(_) => {
                let schema =
                    schema.with_optional("for_each").with_optional("iterator").with_optional("labels");
                Some(schema.with_block("content", &[]))
            }
            _ => None,
        }
    }
}

fn application_inside(application: Application, block: &str) -> &'static Inside {
    match block {
        "" => &Listed,
        "*" => &Open,
        _ => rows(application).iter().find(|row| row.1 == block).map_or(&Open, |row| &row.3),
    }
}

/// What a spec says about the bodies of blocks of a type, or `None` if it does not mention the type.
fn in_block<'s>(spec: &Spec, name: &str) -> Option<Known<'s>> {
    let mut specs = Vec::new();
    let mut attributes = false;
    spec.walk(&mut |part| {
        match (part, part.nested()) {
            (Spec::BlockAttributes(block), _) => attributes |= *block.block_type == *name,
            (_, Some((block_type, nested))) if **block_type == *name => specs.push(Spec::clone(nested)),
            _ => {}
        }
        false
    });
    Some(match specs.len() {
        0 if attributes => Known::Attributes,
        0 => return None,
        1 => Known::Spec(Cow::Owned(specs.remove(0))),
        // Several specs for one block type read the same bodies.
        _ => Known::Spec(Cow::Owned(Spec::tuple(specs))),
    })
}

/// Determines the kind of a property by the shape of its value: an array of one or more objects is blocks, and an
/// object in which all values are blocks is a level of labels.
fn shape<'s>(value: JsonValue<'_>) -> Property<'s> {
    match labels(value) {
        Some(labels) => Property::Blocks(labels, Known::Nothing),
        None => Property::Attribute,
    }
}

fn labels(value: JsonValue<'_>) -> Option<usize> {
    match value.kind() {
        JsonKind::Array(array) => {
            let mut elements = array.elements().peekable();
            (elements.peek().is_some() && elements.all(JsonValue::is_object)).then_some(0)
        }
        JsonKind::Object(object) => {
            let mut levels = object.properties().map(|property| labels(property.value()));
            let first = levels.next()??;
            levels.all(|level| level == Some(first)).then_some(first + 1)
        }
        _ => None,
    }
}
