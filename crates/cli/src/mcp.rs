//! `hcl mcp`: the commands as tools for agents, with the Model Context Protocol on the standard streams. `mcp/tools.rs` has the tools as
//! data, and `mcp/call.rs` runs them. The protocol is that of `rmcp`.

mod call;
mod roots;
mod tools;

use std::path::Path;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, Implementation, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::Value;
use tokio::sync::Mutex;

use crate::args::Mcp;
use crate::outcome::{Failure, Outcome};
use roots::Roots;

/// What a client tells its model.
const INSTRUCTIONS: &str = "Tools for HCL 2 files: Terraform, OpenTofu, Packer, Nomad, Docker Bake and others. No provider, state or network is \
used. Sensitive values are never shown. Long results have `next_cursor`: call the tool again with the same arguments and `cursor`.";

pub(crate) fn run(command: &Mcp) -> Result<Outcome, Failure> {
    let failed = |why: String| Failure::new(format!("cannot serve the client: {why}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failed(error.to_string()))?;
    let here = Path::new(".").canonicalize().map_err(|error| failed(error.to_string()))?;
    let server = Server { writes: command.write, roots: Arc::new(Mutex::new(Roots::new(here))) };
    runtime.block_on(async {
        let running = server.serve(rmcp::transport::stdio()).await;
        let running = match running {
            Ok(running) => running,
            // The client went before it said anything.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(Outcome::Fine),
            Err(error) => return Err(failed(error.to_string())),
        };
        running.waiting().await.map_err(|error| failed(error.to_string()))?;
        Ok(Outcome::Fine)
    })
}

/// The state of a session. One call runs at a time.
struct Server {
    writes: bool,
    roots: Arc<Mutex<Roots>>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("hcl", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::TOOLS.iter().map(|tool| self.described(tool)).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let invalid = |why: String| ErrorData::invalid_params(why, None);
        let Some(tool) = tools::TOOLS.iter().find(|tool| tool.name == request.name) else {
            return Err(invalid(format!("there is no tool {}", request.name)));
        };
        let arguments = tool.read(request.arguments.unwrap_or_default(), self.writes).map_err(invalid)?;
        let mut roots = self.roots.lock().await;
        roots.ask(&context).await;
        roots.check(&arguments).map_err(invalid)?;
        let done = tokio::task::spawn_blocking(move || call::call(tool, &arguments)).await;
        drop(roots);
        let answer = done.map_err(|_| ErrorData::internal_error("the tool failed", None))?;
        let is_error = answer["exit_code"].as_u64().is_none_or(|code| code > 1);
        let result = if is_error {
            CallToolResult::structured_error(answer)
        } else {
            CallToolResult::structured(answer)
        };
        Ok(result.into())
    }
}

impl Server {
    fn described(&self, tool: &tools::Tool) -> Tool {
        let object = |value: Value| Arc::new(value.as_object().cloned().unwrap_or_else(JsonObject::new));
        let may_change = tool.changes && self.writes;
        let annotations = ToolAnnotations::with_title(tool.title)
            .read_only(!may_change)
            .destructive(may_change)
            .idempotent(true)
            .open_world(false);
        Tool::new(tool.name, tool.description, object(tool.input_schema(self.writes)))
            .with_title(tool.title)
            .with_raw_output_schema(object(call::output_schema()))
            .with_annotations(annotations)
    }
}
