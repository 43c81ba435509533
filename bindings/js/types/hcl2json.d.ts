export { CrashError, Diagnostic, Fix, HclError, LimitError, Limits, Position, Range } from "./index.js";

/** Text in the native syntax as plain data. Blocks are arrays, and expressions `"${…}"`. Rejects with `HclError`. */
export declare function parse(filename: string, contents: string): Promise<Record<string, any>>;
/** The same at once. Throws `HclError`. */
export declare function parseSync(filename: string, contents: string): Record<string, any>;
/** All files `*.tf` and `*.tf.json` of a directory as plain data. */
export declare function convertFiles(workingDirectory: string): Promise<Record<string, any>>;

/** A reference, with its offsets in the expression, in bytes. */
export interface Reference {
  value: string;
  startPosition: number;
  endPosition: number;
}

/** The references in the text of an attribute, which is put in quotes if it has none. */
export declare function getReferencesInExpression(filename: string, expression: string): Promise<Reference[]>;
/** The syntax tree of an expression. */
export declare function getExpressionAst(
  filename: string,
  expression: string,
): Promise<TFExpressionSyntaxTree.ExpressionType | null>;
/** Makes the text of an attribute an expression, and says how many characters come before it. */
export declare function wrapTerraformExpression(input: string): { wrap: string; wrapOffset: number };

export declare namespace TFExpressionSyntaxTree {
  /** Lines are counted from 0, columns from 0 in the first line and from 1 in others, bytes from 0. */
  interface CodeMarker {
    byte: number;
    line: number;
    column: number;
  }
  interface CodeRange {
    start: CodeMarker;
    end: CodeMarker;
  }
  interface TerraformTraversalPart {
    type: "nameTraversal" | "indexTraversal";
    segment: string;
    range: CodeRange;
  }
  interface ExpressionMeta {
    value: string;
  }
  interface Expression<Type extends string, Meta> {
    type: Type;
    children: ExpressionType[];
    range: CodeRange;
    meta: ExpressionMeta & Meta;
  }
  type TemplateWrapExpression = Expression<"templateWrap", {}>;
  type TemplateExpression = Expression<"template", {}>;
  type TupleExpression = Expression<"tuple", {}>;
  type ObjectExpression = Expression<"object", { items: Record<string, string> }>;
  type LiteralValueExpression = Expression<"literalValue", { type: string }>;
  type ScopeTraversalExpression = Expression<
    "scopeTraversal",
    { fullAccessor: string; traversal: TerraformTraversalPart[] }
  >;
  type RelativeTraversalExpression = Expression<
    "relativeTraversal",
    { fullAccessor: string; traversal: TerraformTraversalPart[]; sourceExpression: string }
  >;
  type IndexExpression = Expression<"index", { keyExpression: string; collectionExpression: string }>;
  type SplatExpression = Expression<
    "splat",
    { sourceExpression: string; eachExpression: string; anonSymbolExpression: string; markerRange: CodeRange }
  >;
  type ConditionalExpression = Expression<
    "conditional",
    { conditionExpression: string; trueExpression: string; falseExpression: string }
  >;
  type UnaryOpExpression = Expression<
    "unaryOp",
    { operator: string; valueExpression: string; symbolRange: CodeRange; returnType: string }
  >;
  type BinaryOpExpression = Expression<
    "binaryOp",
    { operator: string; returnType: string; lhsExpression: string; rhsExpression: string }
  >;
  type FunctionCallExpression = Expression<
    "function",
    {
      name: string;
      expandedFinalArgument: boolean;
      nameRange: CodeRange;
      openParenRange: CodeRange;
      closeParenRange: CodeRange;
      argsRanges: CodeRange[];
    }
  >;
  type ForExpression = Expression<
    "for",
    {
      keyVar: string;
      valVar: string;
      collectionExpression: string;
      conditionalExpression?: string;
      valueExpression: string;
      keyExpression?: string;
      groupedValue: boolean;
      openRange: CodeRange;
      openRangeValue: string;
      closeRange: CodeRange;
      closeRangeValue: string;
    }
  >;
  type ExpressionType =
    | ForExpression
    | TemplateWrapExpression
    | TemplateExpression
    | FunctionCallExpression
    | TupleExpression
    | ScopeTraversalExpression
    | RelativeTraversalExpression
    | LiteralValueExpression
    | IndexExpression
    | SplatExpression
    | ConditionalExpression
    | UnaryOpExpression
    | BinaryOpExpression
    | ObjectExpression;
  function isForExpression(ast: ExpressionType): ast is ForExpression;
  function isTemplateWrapExpression(ast: ExpressionType): ast is TemplateWrapExpression;
  function isTemplateExpression(ast: ExpressionType): ast is TemplateExpression;
  function isFunctionCallExpression(ast: ExpressionType): ast is FunctionCallExpression;
  function isScopeTraversalExpression(ast: ExpressionType): ast is ScopeTraversalExpression;
  function isRelativeTraversalExpression(ast: ExpressionType): ast is RelativeTraversalExpression;
  function isLiteralValueExpression(ast: ExpressionType): ast is LiteralValueExpression;
  function isIndexExpression(ast: ExpressionType): ast is IndexExpression;
  function isSplatExpression(ast: ExpressionType): ast is SplatExpression;
  function isConditionalExpression(ast: ExpressionType): ast is ConditionalExpression;
  function isUnaryOpExpression(ast: ExpressionType): ast is UnaryOpExpression;
  function isBinaryOpExpression(ast: ExpressionType): ast is BinaryOpExpression;
  function isTupleExpression(ast: ExpressionType): ast is TupleExpression;
  function isObjectExpression(ast: ExpressionType): ast is ObjectExpression;
  function isNameTraversalPart(part: TerraformTraversalPart): boolean;
  function isIndexTraversalPart(part: TerraformTraversalPart): boolean;
  /** The first part of a node whose source text is this one. */
  function getChildWithValue(node: ExpressionType, value: string): ExpressionType | undefined;
}
