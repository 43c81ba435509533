//! Modules of Terraform in directories of their own, with the provider in `terraform.d/plugins`, and runs of Terraform in
//! them.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROVIDER: &str = env!("CARGO_BIN_EXE_terraform-provider-hcl");
const VERSIONS: &str = "terraform {\n  required_providers {\n    hcl = { source = \"hclkit/hcl\" }\n  }\n}\n";

/// A directory with a module.
pub(crate) struct Module {
    directory: TempDir,
    variables: Vec<(String, String)>,
}

/// The output of a run.
pub(crate) struct Run {
    pub(crate) success: bool,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The module in `examples/provider`.
pub(crate) fn examples() -> Module {
    let module = Module::new();
    for entry in fs::read_dir(repository().join("examples/provider")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), module.path().join(entry.file_name())).unwrap();
    }
    module
}

impl Module {
    fn new() -> Self {
        let module = Self { directory: TempDir::new().unwrap(), variables: Vec::new() };
        let (os, architecture) = (std::env::consts::OS, std::env::consts::ARCH);
        let os = if os == "macos" { "darwin" } else { os };
        let architecture = match architecture {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        let version = env!("CARGO_PKG_VERSION");
        // The addresses of providers begin with the registry of Terraform or of OpenTofu.
        for host in ["registry.terraform.io", "registry.opentofu.org"] {
            let place = format!("terraform.d/plugins/{host}/hclkit/hcl/{version}/{os}_{architecture}");
            let folder = module.path().join(place);
            fs::create_dir_all(&folder).unwrap();
            symlink(PROVIDER, folder.join(format!("terraform-provider-hcl_v{version}"))).unwrap();
        }
        // An empty configuration instead of that of the machine, and a directory for the sockets of this module only.
        module.write("terraform.rc", "");
        fs::create_dir(module.sockets_directory()).unwrap();
        module
    }

    /// A module that requires the provider.
    pub(crate) fn empty() -> Self {
        let module = Self::new();
        module.write("versions.tf", VERSIONS);
        module
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn sockets_directory(&self) -> PathBuf {
        self.path().join("t")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Sets an environment variable for later runs.
    pub(crate) fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Uses the provider where it was built, instead of installing it. The configuration is that of the README.
    pub(crate) fn override_for_development(&self, configuration: &str) {
        let directory = Path::new(PROVIDER).parent().unwrap().display().to_string();
        let (installed, built) = ("$HOME/.cargo/bin", directory.as_str());
        assert!(configuration.contains(installed));
        self.write("terraform.rc", &configuration.replace(installed, built));
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let program = std::env::var_os("TERRAFORM").unwrap_or_else(|| "terraform".into());
        let mut command = Command::new(program);
        command.current_dir(self.path()).args(arguments);
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("TF_") || name.starts_with("HCL_")) {
                command.env_remove(name);
            }
        }
        command.env("TF_CLI_CONFIG_FILE", self.path().join("terraform.rc"));
        command.env("TMPDIR", self.sockets_directory()).env("CHECKPOINT_DISABLE", "1");
        // Any use of the network fails.
        command.env("HTTPS_PROXY", "http://127.0.0.1:9").env("HTTP_PROXY", "http://127.0.0.1:9");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        Run::from(self.command(arguments).output().expect("Terraform is installed"))
    }

    /// Runs Terraform, and returns what it printed on standard output.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert!(run.success, "{arguments:?}\n{}\n{}", run.stdout, run.stderr);
        run.stdout
    }

    pub(crate) fn init(&self) {
        self.succeed(&["init", "-no-color"]);
    }

    /// The output of the console for an expression.
    pub(crate) fn console(&self, expression: &str) -> String {
        let mut console = self.command(&["console"]).stdin(Stdio::piped()).spawn().unwrap();
        writeln!(console.stdin.take().unwrap(), "{expression}").unwrap();
        let run = Run::from(console.wait_with_output().unwrap());
        assert!(run.success, "{}\n{}", run.stdout, run.stderr);
        run.stdout
    }

    /// Starts Terraform in a separate process group.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        Running(
            self.command(arguments)
                .process_group(0)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap(),
        )
    }

    /// The number of directories with sockets.
    pub(crate) fn sockets(&self) -> usize {
        let entries = fs::read_dir(self.sockets_directory()).unwrap();
        entries
            .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("plugin-"))
            .count()
    }

    /// The providers that run for this module, by the directory of their sockets, with the time they have computed.
    fn providers(&self) -> Vec<u64> {
        let mark = format!("TMPDIR={}\0", self.sockets_directory().display());
        let mut times = Vec::new();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let path = entry.path();
            let environment = fs::read(path.join("environ")).unwrap_or_default();
            let is_provider =
                fs::read_link(path.join("exe")).is_ok_and(|program| program == Path::new(PROVIDER));
            if is_provider && String::from_utf8_lossy(&environment).contains(&mark) {
                let stat = fs::read_to_string(path.join("stat")).unwrap_or_default();
                let ticks = stat.rsplit(')').next().unwrap_or_default().split_whitespace().nth(11);
                times.push(ticks.and_then(|ticks| ticks.parse().ok()).unwrap_or_default());
            }
        }
        times
    }

    /// Waits until a provider computes.
    pub(crate) fn wait_for_call(&self) {
        let start = Instant::now();
        while !self.providers().iter().any(|ticks| *ticks > 20) {
            assert!(start.elapsed() < Duration::from_secs(30), "the provider does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn wait_until_gone(&self, most: Duration) {
        let start = Instant::now();
        while !self.providers().is_empty() || self.sockets() > 0 {
            assert!(
                start.elapsed() < most,
                "{} providers, {} sockets",
                self.providers().len(),
                self.sockets()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { success: output.status.success(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// A run that is still active.
pub(crate) struct Running(Child);

impl Running {
    /// Sends a signal to the process group.
    pub(crate) fn signal_group(&self, signal: &str) {
        let group = format!("-{}", self.0.id());
        assert!(Command::new("kill").args(["-s", signal, "--", &group]).status().unwrap().success());
    }

    pub(crate) fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    pub(crate) fn wait(&mut self, most: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < most {
            if let Some(status) = self.0.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
