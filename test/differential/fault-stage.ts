/**
 * The stages in which DynamoDB checks a request, in its order (each looks at the whole request
 * before the next begins), with the strings of each. The last strings of a line are DynamoDB
 * Local's own.
 */
const STAGES: readonly (readonly [stage: string, strings: RegExp])[] = [
  [
    'constraints',
    /validation errors? detected: Value|^(The TotalSegments|The Segment|If segment|If total segments) /,
  ],
  [
    'parameters',
    /(ALL_ATTRIBUTES|SPECIFIC_ATTRIBUTES|only the Count|IndexName)$|can only be specified when|^Can not use both|Duplicate value in attribute name|ComparisonOperator|ConditionalOperator|^The BETWEEN condition|AttributeValueList|Exists|must not be empty|action (with value )?is not supported|^Cannot specify|^Must specify/,
  ],
  [
    'values',
    /^Number (over|under)flow|converted (to|into) a num|significant digits|only supports precision|Input collection .*contains duplicates|may not be empty|should not be empty|contains invalid value/,
  ],
  [
    'expressions',
    /^Invalid (condition in |operator used in )?\w+Expression: |^KeyConditionExpressions |^Statement wasn't well formed|unused in expressions|redundant parentheses/,
  ],
  ['returned', /^ReturnValues can only|^Return values set/],
  ['duplicates', /multiple operations on one item|list of item keys contains duplicates/],
  [
    'keys',
    /key element does not match|^One or more parameter values were invalid: (Missing the key|Type mismatch for key)|empty (string|binary) value. Key: |conditions on the keys is invalid|required keys was not given|Invalid attribute value type|^Exclusive Start Key|empty keys$/,
  ],
  [
    'indexes',
    /Index Key|[Ss]econdary index|is not supported for global|exclusive start key is invalid|does not have the specified index|starting key|key schema element|[Cc]onsistent reads|Filter Expression can only|Condition parameter type|key condition/,
  ],
  ['paths', /attributes must be scalars|Cannot update attribute/],
  ['condition', /^The conditional request failed|cancellation reasons/],
  ['update', /update expression|does not exist in the item|^Type mismatch for attribute/],
]

/** The place of the text's stage in DynamoDB's order; `undefined` for a text of no stage. */
export function faultStage(message: string): number | undefined {
  const stage = STAGES.findIndex(([, strings]) => strings.test(message))
  return stage === -1 ? undefined : stage
}
