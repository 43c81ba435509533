// The editor, which asks the language server.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { LSPClient, Workspace, languageServerExtensions, type WorkspaceFile } from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { type ChangeSet, EditorState, Text } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { type Server, startServer } from "hclkit/lsp";

import { colors, hcl, theme } from "./language";

/** Where the files of the page are for the server. */
const ROOT = "file:///playground";
export const uriOf = (name: string) => `${ROOT}/${name.split("/").map(encodeURIComponent).join("/")}`;
const nameOf = (uri: string) => decodeURIComponent(uri.slice(ROOT.length + 1));

/** The client says that it asks for diagnostics, and waits for them to be sent. */
function sent(message: { method?: string; params?: { capabilities?: { textDocument?: { diagnostic?: unknown } } } }) {
  if (message.method === "initialize") delete message.params?.capabilities?.textDocument?.diagnostic;
  return message;
}

/** The file that the editor shows. The server has the others as files. */
class Files extends Workspace {
  files: (WorkspaceFile & { view: EditorView })[] = [];
  show: (name: string) => EditorView = () => {
    throw new Error("there is no editor");
  };
  private version = 0;

  syncFiles() {
    const changed = [];
    for (const file of this.files) {
      const now = file.view.state.doc;
      if (now.eq(file.doc)) continue;
      const changes = replaced(file.view.state, file.doc, now);
      changed.push({ file, prevDoc: file.doc, changes });
      file.doc = now;
      file.version = ++this.version;
    }
    return changed;
  }

  openFile(uri: string, languageId: string, view: EditorView) {
    this.files = this.files.filter((file) => file.uri !== uri);
    const file = { uri, languageId, version: ++this.version, doc: view.state.doc, view, getView: () => view };
    this.files.push(file);
    this.client.didOpen(file);
  }

  closeFile(uri: string) {
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }

  async displayFile(uri: string) {
    return this.show(nameOf(uri));
  }
}

/** The part in which two texts differ, as changes. */
function replaced(state: EditorState, before: Text, after: Text): ChangeSet {
  const [one, other] = [before.toString(), after.toString()];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  return EditorState.create({ doc: before }).changes({
    from: start,
    to: one.length - end,
    insert: state.toText(other.slice(start, other.length - end)),
  });
}

export class Editor {
  readonly view: EditorView;
  private client: LSPClient | undefined;
  private server: Server | undefined;
  private workspace: Files | undefined;
  private name = "";

  /** `root` is a shadow root: its styles need no exception of the Content-Security-Policy. */
  constructor(
    root: ShadowRoot,
    private readonly changed: (text: string) => void,
    private readonly shown: (name: string) => void,
  ) {
    this.view = new EditorView({ parent: root, root, state: EditorState.create() });
  }

  /** Starts the server. Until it answers, the editor works without it. */
  async connect(files: Record<string, string>): Promise<void> {
    const server = await startServer();
    this.server = server;
    server.setFiles(Object.fromEntries(Object.entries(files).map(([name, text]) => [uriOf(name), text])));
    const heard = new Map<(text: string) => void, (message: unknown) => void>();
    this.client = new LSPClient({
      rootUri: ROOT,
      timeout: 10_000,
      extensions: languageServerExtensions(),
      workspace: (client) => {
        this.workspace = new Files(client);
        this.workspace.show = (name) => {
          this.shown(name);
          return this.view;
        };
        return this.workspace;
      },
    });
    this.client.connect({
      send: (text) => server.send(sent(JSON.parse(text))),
      subscribe: (handler) => {
        const listener = (message: unknown) => handler(JSON.stringify(message));
        heard.set(handler, listener);
        server.subscribe(listener);
      },
      unsubscribe: (handler) => server.unsubscribe(heard.get(handler) ?? (() => {})),
    });
    await this.client.initializing;
    if (this.name) this.open(this.name, this.view.state.doc.toString());
  }

  /** Shows a file. */
  open(name: string, text: string): void {
    this.name = name;
    const server = this.client?.serverCapabilities ? [this.client.plugin(uriOf(name), "terraform")] : [];
    this.view.setState(
      EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          autocompletion(),
          indentUnit.of("  "),
          hcl,
          colors,
          theme,
          ...server,
          keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ "aria-label": `Text of ${name}`, "data-gramm": "false" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) this.changed(update.state.doc.toString());
          }),
        ],
      }),
    );
  }

  /** Tells the server about files that the editor does not show. */
  setFiles(files: Record<string, string | undefined>): void {
    this.server?.setFiles(Object.fromEntries(Object.entries(files).map(([name, text]) => [uriOf(name), text])));
    const changes = Object.entries(files).map(([name, text]) => ({ uri: uriOf(name), type: text === undefined ? 3 : 2 }));
    this.server?.send({ jsonrpc: "2.0", method: "workspace/didChangeWatchedFiles", params: { changes } });
  }

  /** Replaces the text, as one step that can be undone. */
  replace(text: string): void {
    this.view.dispatch({ changes: replaced(this.view.state, this.view.state.doc, this.view.state.toText(text)) });
  }

  select(start: number, end: number): void {
    const most = this.view.state.doc.length;
    const [anchor, head] = [Math.min(start, most), Math.min(end, most)];
    this.view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }
}
