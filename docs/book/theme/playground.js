// Adds "Open in the playground" to the HCL in the guide. A link holds its file: see playground/src/share.ts.

(() => {
  const base = new URL(`${window.path_to_root ?? ""}playground/`, location.href);

  async function link(text) {
    const state = { files: { "main.tf": text }, active: "main.tf", panel: "problems", inputs: {} };
    const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const encoded = btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
    return `${base}#v1=${encoded.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  }

  for (const code of document.querySelectorAll("pre > code.language-hcl, pre > code.language-terraform")) {
    const anchor = document.createElement("a");
    anchor.textContent = "Open in the playground";
    anchor.className = "playground-link";
    link(code.textContent).then((href) => (anchor.href = href));
    code.parentElement.after(anchor);
  }
})();
