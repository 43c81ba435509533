// A file system on the web: requests to the test, which has the files.

const vscode = require("vscode");

function activate(context) {
  const changed = new vscode.EventEmitter();
  const ask = async (uri, parameters, options) => {
    // The authority is that of the server.
    const answer = await fetch(`http://${uri.authority}/files${uri.path}?${parameters}`, options);
    if (!answer.ok) throw vscode.FileSystemError.FileNotFound(uri);
    return answer;
  };
  const provider = {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose() {} }),
    stat: async (uri) => (await ask(uri, "stat")).json(),
    readDirectory: async (uri) => (await ask(uri, "list")).json(),
    readFile: async (uri) => new Uint8Array(await (await ask(uri, "read")).arrayBuffer()),
    async writeFile(uri, body) {
      await ask(uri, "write", { method: "PUT", body });
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    createDirectory() {},
    delete() {},
    async rename(uri, to) {
      await ask(uri, `rename=${encodeURIComponent(to.path)}`, { method: "PUT" });
      const { Created, Deleted } = vscode.FileChangeType;
      changed.fire([{ type: Deleted, uri }, { type: Created, uri: to }]);
    },
  };
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider("test", provider, { isCaseSensitive: true }));
  const folder = vscode.workspace.workspaceFolders[0].uri;
  new EventSource(`http://${folder.authority}/changes`).onmessage = ({ data }) => {
    changed.fire([{ type: vscode.FileChangeType.Changed, uri: folder.with({ path: data }) }]);
  };
}

module.exports = { activate };
