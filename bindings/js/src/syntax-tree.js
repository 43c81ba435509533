// What tells the nodes of `getExpressionAst` apart.

const is = (type) => (node) => node.type === type;

export const isForExpression = is("for");
export const isTemplateWrapExpression = is("templateWrap");
export const isTemplateExpression = is("template");
export const isFunctionCallExpression = is("function");
export const isScopeTraversalExpression = is("scopeTraversal");
export const isRelativeTraversalExpression = is("relativeTraversal");
export const isLiteralValueExpression = is("literalValue");
export const isIndexExpression = is("index");
export const isSplatExpression = is("splat");
export const isConditionalExpression = is("conditional");
export const isUnaryOpExpression = is("unaryOp");
export const isBinaryOpExpression = is("binaryOp");
export const isTupleExpression = is("tuple");
export const isObjectExpression = is("object");
export const isNameTraversalPart = is("nameTraversal");
export const isIndexTraversalPart = is("indexTraversal");

/** The first part of a node whose source text is this one. */
export function getChildWithValue(node, value) {
  return node.children.find((child) => child.meta?.value === value);
}
