//! Terraform's provider service (plugin protocol 6): functions, and clear answers to all other calls.

use std::collections::HashMap;
use std::future::ready;
use std::sync::Arc;

use hyper::body::Incoming;
use tonic::body::Body;

use crate::Provider;
use crate::budget::Budget;
use crate::log::{Level, log};
use crate::messages::{
    Answer, Call, Diagnostic, DynamicValue, ERROR, Empty, Function, FunctionError, FunctionName, Functions,
    MARKDOWN, Metadata, Parameter, ProviderSchema, Refusal, Return, Schema, ServerCapabilities,
};
use crate::rpc::{stream, unary, unimplemented};

/// The calls about things other than functions, with the number of the field that holds diagnostics in their responses.
const REFUSED: &[(&str, u32)] = &[
    ("ApplyResourceChange", 3),
    ("CloseEphemeralResource", 1),
    ("ConfigureStateStore", 1),
    ("DeleteState", 1),
    ("GetStates", 2),
    ("ImportResourceState", 2),
    ("MoveResourceState", 2),
    ("OpenEphemeralResource", 1),
    ("PlanResourceChange", 4),
    ("ReadDataSource", 2),
    ("ReadResource", 2),
    ("RenewEphemeralResource", 1),
    ("UpgradeResourceIdentity", 2),
    ("UpgradeResourceState", 2),
    ("ValidateDataResourceConfig", 1),
    ("ValidateEphemeralResourceConfig", 1),
    ("ValidateListResourceConfig", 1),
    ("ValidateResourceConfig", 1),
    ("ValidateStateStoreConfig", 1),
];
/// The number of the field that holds diagnostics in the events of `ListResource`.
const LIST_RESOURCE: u32 = 4;

const CAPABILITIES: ServerCapabilities = ServerCapabilities { get_provider_schema_optional: true };

/// The provider, and the parts of its answers that never change.
#[derive(Debug)]
pub(crate) struct Service {
    provider: Provider,
    functions: HashMap<String, Function>,
    budget: Budget,
}

impl Service {
    pub(crate) fn new(provider: Provider) -> Self {
        let functions =
            provider.functions.iter().map(|function| (function.name().to_owned(), describe(function)));
        Self { functions: functions.collect(), budget: Budget::new(), provider }
    }

    /// Calls a function on a separate thread, so that slow calls do not block others. A call that turns out to need a
    /// larger share of the memory is made again.
    async fn call(self: Arc<Self>, call: Call) -> Answer {
        let size = call.arguments.iter().map(|argument| argument.msgpack.len() + argument.json.len());
        let mut share = self.budget.first(self.provider.limits(), size.sum::<usize>() as u64).await;
        let (call, mut time) = (Arc::new(call), self.provider.time());
        loop {
            let (service, asked) = (Arc::clone(&self), Arc::clone(&call));
            // A call keeps its share until it ends, even if its client has left.
            let attempt = tokio::task::spawn_blocking(move || {
                let made = |left| service.provider.call(&asked.name, &asked.arguments, &share, left);
                (time.spend(made), time)
            });
            match attempt.await {
                Ok((Some(answer), _)) => return answer,
                Ok((None, left)) => time = left,
                Err(_) => return panicked(&call.name),
            }
            share = self.budget.all().await;
        }
    }

    fn metadata(&self) -> Metadata {
        let name = |function: &hclkit_value::Function| FunctionName { name: function.name().to_owned() };
        let functions = self.provider.functions.iter().map(name).collect();
        Metadata { server_capabilities: Some(CAPABILITIES), functions }
    }

    fn schema(&self) -> ProviderSchema {
        ProviderSchema {
            provider: Some(Schema { version: 0, block: Some(()) }),
            server_capabilities: Some(CAPABILITIES),
            functions: self.functions.clone(),
        }
    }

    fn refusal(&self, method: &str, tag: u32) -> Refusal {
        let name = &self.provider.name;
        let detail = format!(
            "The provider {name} has only functions: no resources, data sources or state stores. It cannot answer {method}."
        );
        let summary = "Not supported by this provider".to_owned();
        Refusal { tag, diagnostic: Diagnostic { severity: ERROR, summary, detail } }
    }
}

/// Answers a call of the provider service.
pub(crate) async fn answer(
    service: Arc<Service>,
    method: &str,
    request: hyper::Request<Incoming>,
) -> hyper::Response<Body> {
    match method {
        "GetMetadata" => unary(request, |(): Empty| ready(Ok(service.metadata()))).await,
        "GetProviderSchema" => unary(request, |(): Empty| ready(Ok(service.schema()))).await,
        "GetFunctions" => {
            let functions = || Functions { functions: service.functions.clone() };
            unary(request, |(): Empty| ready(Ok(functions()))).await
        }
        "CallFunction" => {
            unary(request, |call: Call| {
                let service = Arc::clone(&service);
                async move { Ok(service.call(call).await) }
            })
            .await
        }
        // There is nothing to validate or configure, and no resource has an identity.
        "ValidateProviderConfig" | "ConfigureProvider" | "GetResourceIdentitySchemas" => {
            unary(request, |(): Empty| ready(Ok(()))).await
        }
        // Terraform was interrupted and needs no further results.
        "StopProvider" => {
            service.provider.cancel();
            unary(request, |(): Empty| ready(Ok(()))).await
        }
        "ListResource" => {
            let event = service.refusal(method, LIST_RESOURCE);
            stream(request, |(): Empty| Ok(tokio_stream::once(Ok(event.clone())))).await
        }
        _ => match REFUSED.iter().find(|(name, _)| *name == method) {
            Some(&(_, tag)) => unary(request, |(): Empty| ready(Ok(service.refusal(method, tag)))).await,
            None => unimplemented(method),
        },
    }
}

/// The answer to a call whose function panicked.
fn panicked(name: &str) -> Answer {
    log(Level::Error, &format!("the function {name} panicked"));
    let text = "the function ended unexpectedly; this is a bug in the provider".to_owned();
    Answer { result: None, error: Some(FunctionError { text, function_argument: None }) }
}

/// The description of a function for Terraform.
fn describe(function: &hclkit_value::Function) -> Function {
    let description = function.description();
    // The first sentence is the summary, which is shown in lists.
    let summary = description.split_once(". ").map_or(description, |(first, _)| first);
    let summary = summary.lines().next().unwrap_or_default().trim_end_matches('.');
    Function {
        parameters: function.parameters().iter().map(parameter).collect(),
        variadic_parameter: function.variadic_parameter().map(parameter),
        result: Some(Return { ty: type_json(&crate::result_type(function)) }),
        summary: summary.to_owned(),
        description: crate::describe(function),
        description_kind: MARKDOWN,
    }
}

fn parameter(parameter: &hclkit_value::Parameter) -> Parameter {
    Parameter {
        name: parameter.name().to_owned(),
        ty: type_json(parameter.ty()),
        allow_null_value: parameter.allows_null(),
        allow_unknown_values: parameter.allows_unknown(),
        description: parameter.description().to_owned(),
        description_kind: MARKDOWN,
    }
}

fn type_json(ty: &hclkit_value::Type) -> String {
    // `Provider::with_function` has checked that the type can be written.
    ty.to_json().unwrap_or_default()
}

impl From<Vec<u8>> for DynamicValue {
    fn from(msgpack: Vec<u8>) -> Self {
        Self { msgpack, json: Vec::new() }
    }
}
