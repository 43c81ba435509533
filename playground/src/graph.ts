// A graph as SVG: nodes in columns by their distance from those that refer to nothing; the wheel zooms, dragging moves.

import { element, svg } from "./dom";
import type { Place, Result } from "./protocol";

type Graph = Extract<Result, { kind: "graph" }>;

const HEIGHT = 28;
const GAP = 14;
const COLUMN_GAP = 70;
/** How wide a character is at most. */
const CHARACTER = 7.4;

/** The column of each node: one after those of all nodes that it refers to, as far as references do not go in a circle. */
function columns({ nodes, edges }: Graph): number[] {
  const column = nodes.map(() => 0);
  for (let turn = 0; turn < Math.min(nodes.length, 60); turn += 1) {
    let changed = false;
    for (const [from, to] of edges) {
      const least = (column[to] ?? 0) + 1;
      if ((column[from] ?? 0) < least && least < nodes.length && least <= 60) {
        column[from] = least;
        changed = true;
      }
    }
    if (!changed) break;
  }
  return column;
}

export function drawn(graph: Graph, go: (place: Place) => void): HTMLElement {
  const column = columns(graph);
  const widths: number[] = [];
  graph.nodes.forEach((node, at) => {
    const own = column[at] ?? 0;
    widths[own] = Math.max(widths[own] ?? 0, node.address.length * CHARACTER + 24);
  });
  const left = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + (width ?? 0) + COLUMN_GAP, 20));
  const rows: number[] = [];
  const places = graph.nodes.map((_, at) => {
    const own = column[at] ?? 0;
    const row = rows[own] ?? 0;
    rows[own] = row + 1;
    return { x: left[own] ?? 0, y: 20 + row * (HEIGHT + GAP), width: widths[own] ?? 0 };
  });
  const edges = graph.edges.flatMap(([from, to]) => {
    const [one, other] = [places[from], places[to]];
    if (!one || !other) return [];
    const [x1, y1, x2, y2] = [one.x, one.y + HEIGHT / 2, other.x + other.width, other.y + HEIGHT / 2];
    return [svg("path", { class: "edge", d: `M${x1},${y1} C${x1 - 40},${y1} ${x2 + 40},${y2} ${x2},${y2}`, "marker-end": "url(#arrow)" })];
  });
  const nodes = graph.nodes.map((node, at) => {
    const { x, y, width } = places[at] ?? { x: 0, y: 0, width: 0 };
    const made = svg(
      "g",
      { class: `node ${node.role}`, tabindex: 0, role: "button", "aria-label": `${node.address}, ${node.role}` },
      svg("rect", { x, y, width, height: HEIGHT, rx: 5 }),
      svg("text", { x: x + 12, y: y + HEIGHT / 2 + 4 }, node.address),
    );
    made.addEventListener("click", () => go(node.place));
    made.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") go(node.place);
    });
    return made;
  });
  const [width, height] = [Math.max(...places.map((one) => one.x + one.width), 200) + 20, Math.max(...places.map((one) => one.y + HEIGHT), 100) + 20];
  const arrow = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, svg("path", { d: "M0,0 L8,4 L0,8 z" }));
  const image = svg("svg", { class: "graph", role: "group", "aria-label": "Graph of references" }, svg("defs", {}, arrow), ...edges, ...nodes);
  return zoomable(image, width, height);
}

function zoomable(image: SVGElement, width: number, height: number): HTMLElement {
  const box = { x: 0, y: 0, width, height };
  const show = () => image.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
  const zoom = (factor: number, x = 0.5, y = 0.5) => {
    const next = Math.min(Math.max(box.width * factor, 80), width * 4);
    const change = next / box.width;
    box.x += box.width * (1 - change) * x;
    box.y += box.height * (1 - change) * y;
    box.width = next;
    box.height *= change;
    show();
  };
  image.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const frame = image.getBoundingClientRect();
      zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
    },
    { passive: false },
  );
  image.addEventListener("pointermove", (event) => {
    if (event.buttons !== 1) return;
    const scale = box.width / image.getBoundingClientRect().width;
    box.x -= event.movementX * scale;
    box.y -= event.movementY * scale;
    show();
  });
  show();
  const button = (title: string, text: string, work: () => void) => element("button", { type: "button", title, "aria-label": title, click: work }, text);
  return element(
    "div",
    { class: "zoomable" },
    element("div", { class: "bar" }, button("Zoom in", "+", () => zoom(1 / 1.3)), button("Zoom out", "−", () => zoom(1.3)), button("Show all", "⤢", () => {
      Object.assign(box, { x: 0, y: 0, width, height });
      show();
    })),
    image as unknown as Node,
  );
}
