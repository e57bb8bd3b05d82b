/** Messages of refusals that are allowed to replace each other: first the engine's, then DynamoDB
 * Local's. */
export type TextPair = readonly [engine: RegExp, local: RegExp]

/** The same fault in words of Local's own. AWS's words are in the engine's messages, each with its
 * source. */
export const OWN_WORDS: readonly TextPair[] = [
  [
    /^The parameter cannot be converted to a numeric value/,
    /^A value provided cannot be converted into a number/,
  ],
  [
    /The parameter cannot be converted to a numeric value(: .*)? for key :\w+$/s,
    /A value provided cannot be converted into a number for key :\w+$/,
  ],
  [
    /^Attempting to store more than 38 significant digits in a Number/,
    /^DynamoDB only supports precision up to 38 digits/,
  ],
  [
    /Attempting to store more than 38 significant digits in a Number for key :\w+$/,
    /DynamoDB only supports precision up to 38 digits for key :\w+$/,
  ],
  [
    /Input collection \[.*\] contains duplicates\.( for key :\w+)?$/s,
    /Input collection \[.*\] contains duplicates( for key :\w+)?$/s,
  ],
  [/^ReturnValues can only be ALL_OLD or NONE$/, /^Return values set to invalid value$/],
  [
    /^The provided key element does not match the schema$/,
    /^(The number of conditions on the keys is invalid|Invalid attribute value type|One of the required keys was not given a value)$/,
  ],
  [/Missing the key .* in the item$/, /^One of the required keys was not given a value$/],
  [/Type mismatch for (key|Index Key) /, /^Invalid attribute value type$/],
  [/Type mismatch for Index Key /, /Type mismatch for Index Key$/],
  [
    /^1 validation error detected: (Must specify the AttributesToGet or ProjectionExpression.*)$/,
    /^Must specify the AttributesToGet or ProjectionExpression/,
  ],
  [
    /^The TotalSegments parameter is required/,
    /^If segment is specified, total segment must also be specified/,
  ],
  [
    /^The provided starting key is outside query boundaries/,
    /^The provided starting key does not match the range key predicate$/,
  ],
  [
    /^\d+ validation errors? detected: Value null at '.*conditionExpression' failed/,
    /^Value null at '.*conditionExpression' failed/,
  ],
  [
    /^The Segment parameter is zero-based/,
    /^1 validation error detected: Value '\d+' at 'segment' failed/,
  ],
  [
    /^Key attribute's data type should match its data type/,
    /^Key value must be of type S, N, or B/,
  ],
  [
    /^The update expression attempted to update the secondary index key to unsupported type$/,
    /^Invalid attribute value type$/,
  ],
  [/^The Segment parameter is required/, /^If total segments is specified/],
  [/^The provided key element does not match the schema$/, /Type mismatch for key$/],
  [/Type mismatch for key /, /Type mismatch for key$/],
  [
    /^The update expression attempted to update the secondary index key to unsupported type$/,
    /Type mismatch for Index Key$/,
  ],
  [
    /^The provided starting key is invalid/,
    /^Exclusive Start Key must have same size as table's key schema$/,
  ],
  [
    /Input collection \[.*\]of type BS contains duplicates\./,
    /Input collection of type BS contains duplicates\./,
  ],
  [/^Query condition missed key schema element: /, /^Query condition missed key schema element$/],
  [/operand type: \{NS,SS,L,BS,N,M,B,BOOL,NULL,S\}$/, /operand type: \{.*\bHDS?\b.*\}$/],
  [/Syntax error; token: ":\w+", near: "\.\s*:/, /^Invalid \w+Expression: /],
  [
    /^Key attributes must be scalars/,
    /Cannot update attribute .* This attribute is part of the key$/,
  ],
  [
    /^The provided key element does not match the schema$/,
    /^Item to put in PutItem cannot be null$/,
  ],
  [/^The request uses the same client token as a previous, but non-identical request/, /^$/],
]

/**
 * Two faults of one stage, of which Local names the other one. The engine follows the order known
 * of AWS (updates before expectations, filters before key conditions, keys before duplicates in
 * BatchWriteItem); where none is known, its own.
 */
export const OTHER_ORDER: readonly TextPair[] = [
  [
    /^The provided (exclusive start|starting) key is invalid/,
    /Condition parameter type does not match schema type$|^Query key condition not supported$/,
  ],
  [
    /^The update expression attempted to update the secondary index key to unsupported type$/,
    /update a secondary index key to a value that is not supported/,
  ],
  [/update a secondary index key to a value that is not supported/, /Type mismatch for Index Key$/],
  [
    /Cannot update attribute .* part of the key$/,
    /Cannot update attribute .* part of the key$|^Key attributes must be scalars/,
  ],
  [/(ADD|DELETE) action/, /AttributeValues inside AttributeValueList must be of same type$/],
  [
    /^The provided exclusive start key is invalid/,
    /^The provided starting key (is invalid|does not match the range key predicate)$|^Exclusive Start Key must have same size/,
  ],
  [
    /Type mismatch for Index Key|secondary index key|key element does not match|cannot contain an empty/,
    /^Provided list of item keys contains duplicates$/,
  ],
  [
    /(does not project \[|because its projection type is not ALL)/,
    /does not project one or more filter attributes/,
  ],
  [
    /^The query can return at most one row and cannot be restarted$/,
    /^The provided starting key does not match the range key predicate$/,
  ],
  [/multiple operations on one item/, /^DynamoDB only supports precision|^Number overflow/],
  [
    /Type mismatch for Index Key/,
    /^DynamoDB only supports precision|^Number overflow|update a secondary index key to a value that is not supported/,
  ],
  [
    /^The provided exclusive start key is invalid/,
    /^Filter Expression can only contain non-primary key attributes/,
  ],
  [
    /^Number (under|over)flow|more than 38 significant digits|Input collection .*contains duplicates/,
    /ComparisonOperator \w+ is not valid for|^ConditionalOperator can only be used|AttributeValues inside AttributeValueList must be of same type$|^The BETWEEN condition was provided a range/,
  ],
  [
    /ConditionalOperator can only be used|ComparisonOperator|(ADD|DELETE) action|^The BETWEEN condition/,
    /^The BETWEEN condition was provided a range|ComparisonOperator \w+ is not valid for/,
  ],
  [/key element does not match|item keys contains duplicates/, /has one or more empty keys$/],
  [
    /converted to a numeric value|may not be empty|contains duplicates/,
    /Value or AttributeValueList must be used|ComparisonOperator \w+ is not valid for|^ConditionalOperator can only/,
  ],
  [/^Query key condition not supported$/, /Condition parameter type does not match schema type$/],
  [
    /^One or more parameter values were invalid: (ADD|DELETE) action/,
    /ConditionalOperator|ComparisonOperator/,
  ],
]
