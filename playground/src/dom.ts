// Elements, made from names, attributes and children. Text is never read as HTML.

type Child = Node | string | null | undefined | false;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | boolean | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false) made.setAttribute(key, value);
  }
  made.append(...children.filter((child): child is Node | string => Boolean(child)));
  return made;
}

export function svg(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

export const byId = <Kind extends HTMLElement = HTMLElement>(id: string) => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`there is no #${id}`);
  return found as Kind;
};

/** A list of tabs, with the keys that such lists have. */
export function tabs(list: HTMLElement, names: [id: string, title: string][], active: string, choose: (id: string) => void): void {
  const buttons = names.map(([id, title]) =>
    element("button", { type: "button", role: "tab", "aria-selected": String(id === active), tabindex: id === active ? "0" : "-1", "data-tab": id, click: () => choose(id) }, title),
  );
  list.replaceChildren(...buttons);
  list.onkeydown = (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    const next = names[(at + step + names.length) % names.length];
    if (!next) return;
    choose(next[0]);
    list.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  };
}
