/** One way in which DynamoDB Local differs, and all tests that show it, by title. */
interface SharedDifference {
  readonly reason: string
  readonly tests: Readonly<Record<string, readonly string[]>>
}

/** What the tests of PutItem, GetItem, UpdateItem, DeleteItem and of expressions have found. */
const shared: readonly SharedDifference[] = [
  {
    reason: 'Local counts letters instead of bytes.',
    tests: {
      'Limits of expressions': [
        'the size of a condition counts bytes, and comes before its syntax',
      ],
    },
  },
  {
    reason:
      'Local counts only what is after IN; on AWS 99 values and the operand before it are the most.',
    tests: {
      'Limits of expressions': [
        'IN with 100 values is refused, since the operand before it counts too',
      ],
      Scan: ['IN with 101 operands is refused'],
    },
  },
  {
    reason: 'Local counts function calls as operators; AWS does not.',
    tests: {
      'Limits of expressions': [
        '151 function calls joined by OR are legal, since calls do not count',
      ],
    },
  },
  {
    reason: 'Local has one message for everything that is not a number.',
    tests: {
      Placeholders: ['values that are numbers must be numbers'],
      Numbers: [
        'the number "" is refused',
        'the number "1e1000000000000" is refused',
        'the number "1e" is refused',
        'the number "." is refused',
        'the number "+e2" is refused',
        'the number "1+2" is refused',
        'the number " 5" is refused',
        'the number "5 " is refused',
        'the number "1_000" is refused',
        'the number "NaN" is refused',
        'the number "Infinity" is refused',
        'the number "0x10" is refused',
        'the number "b" is refused',
        'the number "--1" is refused',
        'the number "1.2.3" is refused',
        'the number "e" is refused',
        'the number "1e1.5" is refused',
        'the number "+" is refused',
        'the number "-" is refused',
        'the number "1,5" is refused',
        'a malformed number in a set is refused',
        'a malformed number deep in a document is refused',
      ],
      'Attribute values': ['a malformed number is reported before a second type'],
      'The Key of GetItem': ['its numbers must be numbers'],
      'The Key of DeleteItem': ['its numbers must be numbers'],
      'The Key of UpdateItem': ['its numbers must be numbers'],
    },
  },
  {
    reason: 'Local lists the types in another order, with some of its own.',
    tests: {
      'Refused conditions': [
        'the condition "attribute_type(a, b)" is refused',
        'the condition "attribute_type(a, :s)" is refused',
      ],
    },
  },
  {
    reason:
      'Local names neither the key nor its types, and does not distinguish updates from puts.',
    tests: {
      'Index keys of put items': [
        'an index partition key of the wrong type is refused',
        'a local index key of the wrong type is refused',
        'a wrong index key is reported before a condition that fails',
      ],
      'Index keys of updated items': [
        'an update to the wrong type is refused',
        'ADD of a number to a key that is a string is refused',
        'a sum for a key that is a string is refused before a condition that fails',
        'an update to the wrong type that the item has elsewhere is refused',
      ],
    },
  },
  {
    reason: 'Local has its own message for keys that are not scalars.',
    tests: {
      'Index keys of put items': [
        'an index sort key of the wrong type is refused',
        'an index key that is null is refused',
        'an index key that is a list is refused',
      ],
      'Index keys of updated items': [
        'an update to null is refused',
        'an update of a local key to a map is refused',
      ],
      'Keys of put items': ['a key that is null is refused', 'a key that is a map is refused'],
    },
  },
  {
    reason: 'Local has one text for index keys that are too large.',
    tests: {
      'Index keys of put items': [
        'an index partition key of 2049 bytes is refused',
        'an index sort key of 1025 bytes is refused',
        'a local index key of 1025 bytes is refused',
      ],
      'Index keys of updated items': [
        'an update to 2049 bytes is refused',
        'an update of a sort key to 1025 bytes is refused',
      ],
    },
  },
  {
    reason: 'Local does not check the sizes of keys of local indexes in updates.',
    tests: {
      'Index keys of updated items': ['an update of a local key to 1025 bytes is refused'],
    },
  },
  {
    reason: 'Local does not say which key is missing.',
    tests: {
      'Keys of put items': [
        'an item without the partition key is refused',
        'an item without the sort key is refused',
        'an item without any attribute is refused',
      ],
      'The Key of GetItem': ['it may not have another attribute in the place of the sort key'],
      'The Key of DeleteItem': ['it may not have another attribute in the place of the sort key'],
      'The Key of UpdateItem': ['it may not have another attribute in the place of the sort key'],
      'Order of checks': ['PutItem reports a missing key before a condition that fails'],
    },
  },
  {
    reason: 'Local names neither the key nor its types.',
    tests: {
      'Keys of put items': [
        'a partition key of the wrong type is refused',
        'a sort key of the wrong type is refused',
      ],
      'The Key of GetItem': ['its attributes must be of the right type'],
      'The Key of DeleteItem': ['its attributes must be of the right type'],
      'The Key of UpdateItem': ['its attributes must be of the right type'],
    },
  },
  {
    reason: 'Local has one text for keys that are too large.',
    tests: {
      'Keys of put items': [
        'a partition key of 2049 bytes is refused',
        'a partition key is measured in bytes of UTF-8',
        'a sort key of 1025 bytes is refused',
        'a binary partition key of 2049 bytes is refused',
        'a binary sort key of 1025 bytes is refused',
      ],
      'The Key of GetItem': [
        'its partition key may not have 2049 bytes',
        'its sort key may not have 1025 bytes',
      ],
      'The Key of DeleteItem': [
        'its partition key may not have 2049 bytes',
        'its sort key may not have 1025 bytes',
      ],
      'The Key of UpdateItem': [
        'its partition key may not have 2049 bytes',
        'its sort key may not have 1025 bytes',
      ],
    },
  },
  {
    reason: 'Local looks for empty keys before it looks for missing ones.',
    tests: {
      'Keys of put items': ['a missing key is reported before an empty one'],
    },
  },
  {
    reason: 'Local leaves numbers in sets as they were written.',
    tests: {
      Numbers: [
        '0.0 comes back in plain decimal',
        '1.50 comes back in plain decimal',
        '1e3 comes back in plain decimal',
        '1E3 comes back in plain decimal',
        '1E+2 comes back in plain decimal',
        '1E-130 comes back in plain decimal',
        '9.9999999999999999999999999999999999999E125 comes back in plain decimal',
        '-9.9999999999999999999999999999999999999E125 comes back in plain decimal',
        '0e5 comes back in plain decimal',
        '0.0e126 comes back in plain decimal',
      ],
    },
  },
  {
    reason: 'Local has a text of its own for too many digits, and looks at them first.',
    tests: {
      Numbers: [
        'the number "999999999999999999999999999999999999999" is refused',
        'the number "0.100000000000000000000000000000000000001" is refused',
        'the number "1000000000000000000000000000000000000001" is refused',
        'the number "999999999999999999999999999999999999999E100" is refused',
        'the number "122222222222222222222222222222222222222E-200" is refused',
      ],
      'Updates are refused': ['for a sum that needs more than 38 digits'],
    },
  },
  {
    reason: 'Local takes the digits of every script.',
    tests: {
      Numbers: ['the number "١" is refused'],
    },
  },
  {
    reason: 'Local looks for the table before it checks the rest of the request.',
    tests: {
      'Item size': ['a large item is refused before its table is looked for'],
      'The Key of GetItem': ['its bad values are reported before a missing table'],
      'The Key of DeleteItem': ['its bad values are reported before a missing table'],
      'The Key of UpdateItem': ['its bad values are reported before a missing table'],
      'PutItem requests': [
        'a bad word is reported before a missing table',
        'all bad words are reported together',
        'a bad ReturnValues is reported before a missing table',
      ],
      'GetItem requests': ['a bad word is reported before a missing table'],
      'UpdateItem requests': [
        'a bad word is reported before a missing table',
        'only the first bad word is reported',
      ],
      'DeleteItem requests': [
        'a bad word is reported before a missing table',
        'all bad words are reported together',
        'a bad ReturnValues is reported before a missing table',
      ],
      'Order of checks': [
        'PutItem reports a missing Item',
        'PutItem reports bad values before bad expressions',
        'PutItem reports bad expressions before ReturnValues',
        'PutItem reports bad expressions before the size of the item',
        'UpdateItem reports bad expressions before a missing table',
        'UpdateItem reports bad key values before bad expressions',
        'DeleteItem reports bad expressions before a missing table',
        'DeleteItem reports bad key values before bad expressions',
        'UpdateItem reports its update before its condition',
        'GetItem reports a bad projection before a missing table',
      ],
    },
  },
  {
    reason: 'Local leaves out the full stop.',
    tests: {
      'Attribute values': ['a string set with an element twice is refused'],
    },
  },
  {
    reason: 'Local leaves out the elements.',
    tests: {
      'Attribute values': ['a binary set with an element twice is refused'],
    },
  },
  {
    reason: 'Local fails with InternalFailure.',
    tests: {
      'Attribute values': [
        'a list of 500 levels is refused',
        'an attribute name of 65534 bytes is stored',
        'an attribute name of 65535 bytes is stored',
        'an attribute name of 65536 bytes is refused',
        'an attribute name is measured in bytes of UTF-8',
      ],
    },
  },
  {
    reason: 'Local makes an item of an update that only takes away.',
    tests: {
      Updates: ['REMOVE on a missing item makes none', 'DELETE on a missing item makes none'],
    },
  },
  {
    reason: 'Local looks for paths even where there is no item.',
    tests: {
      Updates: ['REMOVE of a path on a missing item makes none'],
    },
  },
  {
    reason: 'Local does not count entries in local indexes when it updates an item.',
    tests: {
      'Item size with local indexes': [
        'an update that makes the item too large with its entry is refused',
      ],
    },
  },
  {
    reason: 'Local never returns item collection metrics.',
    tests: {
      'Item collection metrics': [
        'PutItem shows the size of the collection on a table with a local index',
        'UpdateItem shows the size of the collection on a table with a local index',
        'DeleteItem shows the size of the collection on a table with a local index',
      ],
    },
  },
  {
    reason: 'Local shows consumed capacity unasked when there was nothing to delete.',
    tests: {
      'Item collection metrics': [
        'DeleteItem shows no metrics on a table without a local index',
        'DeleteItem shows no metrics with NONE',
      ],
      ReturnValues: [
        'DeleteItem with ALL_OLD has no Attributes where there was no item',
        'DeleteItem of an item that is not there is no error',
      ],
    },
  },
  {
    reason: 'Local counts the attributes of the key first and says that their number is invalid.',
    tests: {
      'The Key of GetItem': [
        'it may not lack the sort key',
        'it may not lack the partition key',
        'it may not be empty',
        'it may not have another attribute',
      ],
      'The Key of DeleteItem': [
        'it may not lack the sort key',
        'it may not lack the partition key',
        'it may not be empty',
        'it may not have another attribute',
      ],
      'The Key of UpdateItem': [
        'it may not lack the sort key',
        'it may not lack the partition key',
        'it may not be empty',
        'it may not have another attribute',
      ],
    },
  },
  {
    reason: 'Local has a text of its own instead of the constraint error.',
    tests: {
      'The Key of GetItem': ['it may not be missing'],
      'The Key of DeleteItem': ['it may not be missing'],
      'The Key of UpdateItem': ['it may not be missing'],
    },
  },
  {
    reason: 'Local has a text of its own for missing tables.',
    tests: {
      'PutItem requests': [
        'a table that does not exist is not found',
        'the ARN of a table that does not exist is not found',
      ],
      'GetItem requests': [
        'a table that does not exist is not found',
        'the ARN of a table that does not exist is not found',
      ],
      'UpdateItem requests': [
        'a table that does not exist is not found',
        'the ARN of a table that does not exist is not found',
      ],
      'DeleteItem requests': [
        'a table that does not exist is not found',
        'the ARN of a table that does not exist is not found',
      ],
    },
  },
  {
    reason: 'Local leaves out the number of errors.',
    tests: {
      'PutItem requests': ['the table name may not be missing'],
      'GetItem requests': ['the table name may not be missing'],
      'UpdateItem requests': ['the table name may not be missing'],
      'DeleteItem requests': ['the table name may not be missing'],
    },
  },
  {
    reason: 'Local has one text for all bad table names.',
    tests: {
      'PutItem requests': [
        'the table name may not be empty',
        'the table name may not have 256 characters',
        'the table name may not have other characters',
        'a bad table name is reported alone',
      ],
      'GetItem requests': [
        'the table name may not be empty',
        'the table name may not have 256 characters',
        'the table name may not have other characters',
        'a bad table name is reported alone',
      ],
      'UpdateItem requests': [
        'the table name may not be empty',
        'the table name may not have 256 characters',
        'the table name may not have other characters',
        'a bad table name is reported alone',
      ],
      'DeleteItem requests': [
        'the table name may not be empty',
        'the table name may not have 256 characters',
        'the table name may not have other characters',
        'a bad table name is reported alone',
      ],
    },
  },
  {
    reason: 'Local does not check words that it has no use for.',
    tests: {
      'PutItem requests': [
        'consumed capacity is asked for by one of three words',
        'metrics are asked for by one of two words',
      ],
      'GetItem requests': ['consumed capacity is asked for by one of three words'],
      'UpdateItem requests': [
        'consumed capacity is asked for by one of three words',
        'metrics are asked for by one of two words',
      ],
      'DeleteItem requests': [
        'consumed capacity is asked for by one of three words',
        'metrics are asked for by one of two words',
      ],
    },
  },
  {
    reason: 'Local has one text for all wrong ReturnValues.',
    tests: {
      'PutItem requests': [
        'ReturnValues is one of five words',
        'ReturnValues may not be ALL_NEW',
        'ReturnValues may not be UPDATED_OLD',
        'ReturnValues may not be UPDATED_NEW',
      ],
      'UpdateItem requests': ['ReturnValues is one of five words'],
      'DeleteItem requests': [
        'ReturnValues is one of five words',
        'ReturnValues may not be ALL_NEW',
        'ReturnValues may not be UPDATED_OLD',
        'ReturnValues may not be UPDATED_NEW',
      ],
    },
  },
  {
    reason: 'Local checks the condition first.',
    tests: {
      'Order of checks': ['UpdateItem reports a changed key before a condition that fails'],
    },
  },
  {
    reason:
      'Local returns the whole attribute; Scylla’s tests saw only the updated part of it on AWS.',
    tests: {
      ReturnValues: [
        'UpdateItem with UPDATED_NEW returns only the changed part of a map',
        'UpdateItem with UPDATED_OLD returns only the changed part of a map',
        'UpdateItem with UPDATED_NEW returns only the changed element of a list',
      ],
    },
  },
]

/** One entry per test, as differences.ts has them. */
export const itemDifferences: readonly { readonly test: string; readonly reason: string }[] =
  shared.flatMap(({ reason, tests }) =>
    Object.entries(tests).flatMap(([title, names]) =>
      names.map((name) => ({ test: `${title} › ${name}`, reason })),
    ),
  )
