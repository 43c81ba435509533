//! The messages of Terraform's plugin protocol 6 and of go-plugin's services that a provider of functions needs, by
//! field number. Other fields are omitted; readers skip them.

use std::collections::HashMap;

use prost::Message;

/// A message whose fields do not matter.
pub(crate) type Empty = ();

/// An encoded value.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct DynamicValue {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) msgpack: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) json: Vec<u8>,
}

/// `Diagnostic.Severity.ERROR`.
pub(crate) const ERROR: i32 = 1;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Diagnostic {
    #[prost(int32, tag = "1")]
    pub(crate) severity: i32,
    #[prost(string, tag = "2")]
    pub(crate) summary: String,
    #[prost(string, tag = "3")]
    pub(crate) detail: String,
}

/// `StringKind.MARKDOWN`.
pub(crate) const MARKDOWN: i32 = 1;

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Schema {
    #[prost(int64, tag = "1")]
    pub(crate) version: i64,
    /// Required, although it is empty here.
    #[prost(message, optional, tag = "2")]
    pub(crate) block: Option<()>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Function {
    #[prost(message, repeated, tag = "1")]
    pub(crate) parameters: Vec<Parameter>,
    #[prost(message, optional, tag = "2")]
    pub(crate) variadic_parameter: Option<Parameter>,
    #[prost(message, optional, tag = "3")]
    pub(crate) result: Option<Return>,
    #[prost(string, tag = "4")]
    pub(crate) summary: String,
    #[prost(string, tag = "5")]
    pub(crate) description: String,
    #[prost(int32, tag = "6")]
    pub(crate) description_kind: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Parameter {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    /// The type as JSON.
    #[prost(string, tag = "2")]
    pub(crate) ty: String,
    #[prost(bool, tag = "3")]
    pub(crate) allow_null_value: bool,
    #[prost(bool, tag = "4")]
    pub(crate) allow_unknown_values: bool,
    #[prost(string, tag = "5")]
    pub(crate) description: String,
    #[prost(int32, tag = "6")]
    pub(crate) description_kind: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Return {
    /// The type as JSON.
    #[prost(string, tag = "1")]
    pub(crate) ty: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct ServerCapabilities {
    #[prost(bool, tag = "2")]
    pub(crate) get_provider_schema_optional: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct FunctionName {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
}

/// `GetMetadata.Response`
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Metadata {
    #[prost(message, optional, tag = "1")]
    pub(crate) server_capabilities: Option<ServerCapabilities>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) functions: Vec<FunctionName>,
}

/// `GetProviderSchema.Response`
#[derive(Clone, PartialEq, Message)]
pub(crate) struct ProviderSchema {
    #[prost(message, optional, tag = "1")]
    pub(crate) provider: Option<Schema>,
    #[prost(message, optional, tag = "6")]
    pub(crate) server_capabilities: Option<ServerCapabilities>,
    #[prost(map = "string, message", tag = "7")]
    pub(crate) functions: HashMap<String, Function>,
}

/// `GetFunctions.Response`
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Functions {
    #[prost(map = "string, message", tag = "1")]
    pub(crate) functions: HashMap<String, Function>,
}

/// `CallFunction.Request`
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Call {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, repeated, tag = "2")]
    pub(crate) arguments: Vec<DynamicValue>,
}

/// `CallFunction.Response`
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Answer {
    #[prost(message, optional, tag = "1")]
    pub(crate) result: Option<DynamicValue>,
    #[prost(message, optional, tag = "2")]
    pub(crate) error: Option<FunctionError>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct FunctionError {
    #[prost(string, tag = "1")]
    pub(crate) text: String,
    #[prost(int64, optional, tag = "2")]
    pub(crate) function_argument: Option<i64>,
}

/// The response to an unsupported call, which contains only diagnostics. Their field number depends on the call.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Refusal {
    pub(crate) tag: u32,
    pub(crate) diagnostic: Diagnostic,
}

impl Message for Refusal {
    fn encode_raw(&self, buffer: &mut impl prost::bytes::BufMut) {
        prost::encoding::message::encode(self.tag, &self.diagnostic, buffer);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: prost::encoding::WireType,
        buffer: &mut impl prost::bytes::Buf,
        context: prost::encoding::DecodeContext,
    ) -> Result<(), prost::DecodeError> {
        if tag == self.tag {
            return prost::encoding::message::merge(wire_type, &mut self.diagnostic, buffer, context);
        }
        prost::encoding::skip_field(wire_type, tag, buffer, context)
    }

    fn encoded_len(&self) -> usize {
        prost::encoding::message::encoded_len(self.tag, &self.diagnostic)
    }

    fn clear(&mut self) {
        self.diagnostic = Diagnostic::default();
    }
}

/// `grpc.health.v1.HealthCheckRequest`
#[derive(Clone, PartialEq, Message)]
pub(crate) struct HealthRequest {
    #[prost(string, tag = "1")]
    pub(crate) service: String,
}

/// `HealthCheckResponse.ServingStatus.SERVING`.
pub(crate) const SERVING: i32 = 1;

/// `grpc.health.v1.HealthCheckResponse`
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Health {
    #[prost(int32, tag = "1")]
    pub(crate) status: i32,
}
