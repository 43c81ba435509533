// The references in a syntax tree of `getExpressionAst`.

/**
 * Returns the references in source order: names and attributes up to a splat, without those that start with a variable of a `for`
 * around them. Positions are offsets in bytes, less the quotes that were put around the input.
 */
export function referencesIn(tree, offset) {
  const found = [];
  const visit = (node, local) => {
    if (!node) return;
    if (node.type === "scopeTraversal") {
      const [root] = node.meta.traversal;
      if (local.has(root.segment)) return;
      found.push({
        value: node.meta.traversal.map((part) => part.segment).join("."),
        startPosition: node.range.start.byte - offset,
        endPosition: node.range.end.byte - offset,
      });
      return;
    }
    const inner = node.type === "for" ? new Set([...local, node.meta.keyVar, node.meta.valVar]) : local;
    node.children.forEach((child) => visit(child, inner));
  };
  visit(tree, new Set());
  return found;
}
