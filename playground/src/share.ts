// Links: `#v1=` and the state as JSON, compressed with deflate, in base64url.

/** What a link holds. */
export interface State {
  files: Record<string, string>;
  active: string;
  panel: string;
  /** What is written above panels, by their names. */
  inputs: Record<string, string>;
}

/** The most bytes of a state, so that a link cannot fill the memory. */
const MOST = 2 << 20;

export async function encode(state: State): Promise<string> {
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `#v1=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The state of a link. Throws if the link has another form. */
export async function decode(hash: string): Promise<State> {
  const encoded = /^#v1=([\w-]+)$/.exec(hash)?.[1];
  if (encoded === undefined) throw new Error("the link has another form");
  const bytes = Uint8Array.from(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST) throw new Error("the link holds too much");
    parts.push(value);
  }
  return stateOf(JSON.parse(await new Blob(parts as BlobPart[]).text()));
}

/** A state whose parts have the right types. */
function stateOf(json: unknown): State {
  const { files, active, panel, inputs } = json as Partial<State>;
  const texts = (record: unknown) =>
    Object.fromEntries(Object.entries((record ?? {}) as object).filter(([, text]) => typeof text === "string")) as Record<string, string>;
  const own = texts(files);
  const first = Object.keys(own)[0];
  if (first === undefined) throw new Error("the link holds no files");
  return {
    files: own,
    active: typeof active === "string" && active in own ? active : first,
    panel: typeof panel === "string" ? panel : "problems",
    inputs: texts(inputs),
  };
}
