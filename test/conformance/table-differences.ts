import type { Difference } from './differences.ts'

/**
 * Differences in operations on tables, by what DynamoDB Local does. It has its own messages for
 * nearly everything that can be wrong with the definition of a table; AWS's are those the tests
 * expect, gathered from tests that run on AWS and from published answers of the service.
 */
const TESTS_BY_REASON: Readonly<Record<string, readonly string[]>> = {
  'Local changes the state of tables at once, and says so in the answer.': [
    'CreateTable › the answer announces a table that is being created',
    'DeleteTable › the answer announces a table that is being deleted',
    'UpdateTable › the answer announces a table that is being updated',
  ],
  'Local gives tables no id.': [
    'CreateTable › the answer has an id, an ARN and the time in seconds',
    'DeleteTable › a table that is created again has another id',
    'DescribeTable › the id of a table stays the same',
  ],
  'Local has no tags.': ['CreateTable › tags given at creation are on the table'],
  'Local leaves the table class out.': ['CreateTable › the table class is described'],
  'Local leaves encryption out.': [
    'CreateTable › a table encrypted under a key of the account says which',
  ],
  'Local asks for units of an on-demand table that has bounds.': [
    'CreateTable › bounds of an on-demand table are described',
  ],
  'Local has one text for all bad names.': [
    'CreateTable › a table without a name is refused',
    'CreateTable › a name of two characters is refused',
    'CreateTable › an empty name is refused',
    'CreateTable › a name of 256 characters is refused',
    'CreateTable › a name with a space is refused',
    'CreateTable › an index name of two characters is refused',
    'CreateTable › an index name of 256 characters is refused',
    'CreateTable › an index name with a space is refused',
    'DeleteTable › a table name with a space is refused',
    'DescribeTable › an empty table name is refused',
    'DescribeTable › a table name of 256 characters is refused',
    'ListTables › a start of two characters is refused',
    'UpdateTable › a table name of two characters is refused',
  ],
  'Local fails with InternalFailure instead of looking at the request.': [
    'CreateTable › a bad name is reported alone',
    'CreateTable › a billing mode that does not exist is refused',
    'CreateTable › several members outside their bounds are reported together',
    'CreateTable › a key schema that is a string is not a valid request',
    'DescribeTable › a table name that is an array is not a valid request',
    'UpdateTable › a billing mode that does not exist is refused',
    'UpdateTable › a table does not become provisioned without units for its indexes',
    'UpdateTable › units of an index on an on-demand table are refused',
    'UpdateTable › an update of an index that is not there is not found',
    'UpdateTable › a bound of no requests is refused',
    'UpdateTable › an index without units on a provisioned table is refused',
    'UpdateTable › an index update with two actions is refused',
  ],
  'Local takes names without regard to case. (AWS Developer Guide, usage notes of DynamoDB Local.)':
    ['CreateTable › names that differ in case are two tables'],
  'Local says: Cannot create preexisting table.': ['CreateTable › a name in use is refused'],
  'Local leaves out the number of errors before the text.': [
    'CreateTable › a table without attribute definitions is refused',
    'CreateTable › a table without a key schema is refused',
    'CreateTable › an index without a projection is refused',
    'DeleteTable › a request without a table name is refused',
    'DescribeTable › a request without a table name is refused',
    'UpdateTable › a request without a table name is refused',
  ],
  'Local says: No defined key schema.  A key schema containing at least a hash key must be defined for all tables.':
    ['CreateTable › an empty key schema is refused'],
  'Local says: Key Schema too big.  Key Schema must at most consist of the hash and range key of a table.':
    [
      'CreateTable › a key schema of three elements is refused',
      'CreateTable › a local index of three key attributes is refused',
      'CreateTable › nine key attributes are refused',
    ],
  'Local says: No Hash Key specified in schema.  All Dynamo DB tables must have exactly one hash key.':
    [
      'CreateTable › a key type that does not exist is refused',
      'CreateTable › a key schema that begins with RANGE is refused',
    ],
  'Local says: Member must satisfy enum value set: [B, N, S].': [
    'CreateTable › an attribute type BOOL is refused',
    'CreateTable › an attribute type SS is refused',
    'CreateTable › an attribute type M is refused',
    'CreateTable › an attribute type s is refused',
  ],
  'Local accepts the request.': [
    'CreateTable › a table class that does not exist is refused',
    'CreateTable › units on an on-demand table are refused',
    'CreateTable › bounds of requests on a provisioned table are refused',
    'CreateTable › an empty list of local indexes is refused',
    'CreateTable › units of an index on an on-demand table are refused',
    'CreateTable › a projection of 21 attributes is refused',
    'CreateTable › a view type that does not exist is refused',
    'CreateTable › encryption by AES256 is refused',
    'CreateTable › a kind of encryption while it is off is refused',
    'CreateTable › a key for encryption while it is off is refused',
    'CreateTable › 51 tags are refused',
    'UpdateTable › SSESpecification goes with no other change',
    'UpdateTable › TableClass goes with no other change',
    'UpdateTable › DeletionProtectionEnabled goes with no other change',
    'UpdateTable › an index is not created together with a change of units',
    'UpdateTable › an index is not created together with a change of the stream',
    'UpdateTable › units of an on-demand table are refused',
    'UpdateTable › an index with units on an on-demand table is refused',
  ],
  'Local says: Names of key attributes and attributes projected into an index must be between 1 and 255 characters, inclusive.':
    [
      'CreateTable › a key attribute whose name has 256 bytes is refused',
      'CreateTable › a key attribute whose name has 256 bytes in fewer characters is refused',
      'CreateTable › a key attribute with an empty name is refused',
    ],
  'Local says: Table read and write throughput must be at least 1, and cannot be null.': [
    'CreateTable › units of zero are refused',
    'CreateTable › a bound of no requests is refused',
    'UpdateTable › units of zero are refused',
  ],
  'Local says: No provisioned throughput specified for the table.': [
    'CreateTable › a provisioned table without units is refused',
    'CreateTable › a table that names neither mode nor units is refused',
    'UpdateTable › a provisioned table needs units',
  ],
  'Local says: Cannot increase provisioned throughput to more than 40,000 units per table.': [
    'CreateTable › more than a million million units are refused',
  ],
  'Local says: Range Key not specified in Attribute Definitions.  Type unknown.': [
    'CreateTable › more key attributes than definitions are refused',
  ],
  'Local says: Hash Key not specified in Attribute Definitions.  Type unknown.': [
    'CreateTable › a key attribute without a definition is refused',
  ],
  'Local says: The number of attributes in key schema must match the number of attributes defined in attribute definitions.':
    [
      'CreateTable › a definition no key uses is refused',
      'CreateTable › a definition no key uses is refused on a table with indexes',
    ],
  'Local says: Cannot have two attributes with the same name.': [
    'CreateTable › two definitions of one attribute are refused',
    'CreateTable › a projection that includes an attribute twice is refused',
  ],
  'Local says: Too many hash keys specified.  All Dynamo DB tables must have exactly one hash key.':
    ['CreateTable › a key schema of two HASH elements is refused'],
  'Local says: Two keys can not have the same name.': [
    'CreateTable › one attribute as both keys is refused',
    'CreateTable › an attribute that comes twice among three is refused',
    'CreateTable › an attribute that comes twice among two is refused',
  ],
  'Local says: Local Secondary indices are not allowed on hash tables, only hash and range tables.':
    ['CreateTable › a local index on a table without a sort key is refused'],
  'Local says: Local secondary indices must have a range key.': [
    'CreateTable › a local index without a sort key is refused',
  ],
  'Local says: Local Secondary indices must have the same hash key as the main table.': [
    'CreateTable › a local index with another partition key is refused',
  ],
  'Local says: Cannot have more than 5 local secondary indexes per table.': [
    'CreateTable › six local indexes are refused',
  ],
  'Local says: GSI list is empty/invalid.': [
    'CreateTable › an empty list of global indexes is refused',
  ],
  'Local says: GlobalSecondaryIndex count exceeds the per-table limit.': [
    'CreateTable › 21 global indexes are refused',
  ],
  'Local says: Number of global secondary indexes exceeds per-table limit.': [
    'UpdateTable › a 21st global index exceeds the limit',
  ],
  'Local says: Attribute other is not defined in AttributeDefinitions.': [
    'CreateTable › a global index on an undefined attribute is refused',
  ],
  'Local says: Two global secondary indices have the same name.': [
    'CreateTable › two global indexes of one name are refused',
  ],
  'Local says: Local Secondary Indices AND Global Secondary Indices must have different names.': [
    'CreateTable › a global index with the name of a local one is refused',
  ],
  'Local says: No provisioned throughput specified for the global secondary index.': [
    'CreateTable › an index without units on a provisioned table is refused',
  ],
  'Local says: Indexes must have a projection specified.': [
    'CreateTable › a projection without a type is refused',
    'UpdateTable › an index without a type of projection is refused',
  ],
  'Local says: Projection type must be INCLUDE, ALL, or KEYS_ONLY.': [
    'CreateTable › a projection type that does not exist is refused',
  ],
  'Local says: No attributes should be specified to be projected unless projection type is INCLUDE.':
    [
      'CreateTable › a projection of ALL that names attributes is refused',
      'CreateTable › a projection of KEYS_ONLY that names attributes is refused',
    ],
  'Local says: If Projection type INCLUDE is specified, some non-key attributes to include in the projection must be specified as well.':
    ['CreateTable › a projection that includes nothing is refused'],
  'Local says: Too many partition keys. GSI can have at most 4 partition keys.': [
    'CreateTable › five partition attributes are refused',
  ],
  'Local says: Too many sort keys. GSI can have at most 4 sort keys.': [
    'CreateTable › five sort attributes are refused',
  ],
  'Local says: Invalid key order. Hash Key must be specified first in key schema, Range Key must be specifed second.':
    [
      'CreateTable › a partition attribute behind a sort attribute is refused',
      'CreateTable › a global index that begins with a sort attribute is refused',
    ],
  'Local says: Invalid StreamViewType: Stream ViewType must not be null or empty when enabling streams.':
    [
      'CreateTable › a stream without a view type is refused',
      'UpdateTable › a stream without a view type is refused',
    ],
  'Local says: Invalid StreamViewType: Stream StreamEnabled was false but a StreamViewType was present.':
    [
      'CreateTable › a view type without a stream is refused',
      'UpdateTable › a view type for a stream that is turned off is refused',
    ],
  'Local reads the number as a name.': [
    'CreateTable › a table name that is a number is not a valid request',
  ],
  'Local describes the whole table; AWS leaves its definition out, as tests that run on AWS show.':
    ['DeleteTable › the answer leaves out keys, definitions and indexes'],
  'Local says: Cannot do operations on a non-existent table.': [
    'DeleteTable › a table that is not there is not found',
    'DeleteTable › items of a deleted table are not found',
    'DescribeTable › a table that is not there is not found',
    'UpdateTable › a table that is not there is not found',
  ],
  'Local counts the bytes of whole items in an index.': [
    'DescribeTable › entries of an index are counted by what they project',
  ],
  'Local shows neither TableThroughputModeSummary nor WarmThroughput of a table.': [
    'DescribeTable › an on-demand table shows its mode and what it can serve at once',
  ],
  'Local does not know the operation.': [
    'Limits › one endpoint is described, to be kept for a day',
  ],
  'Local says: Limit in ListTables must be <= 100.': ['ListTables › a limit of 101 is refused'],
  'Local says: Limit must be greater than or equal to 1.': ['ListTables › a limit of 0 is refused'],
  'Local reads the string as a number.': [
    'ListTables › a limit that is a string is not a valid request',
  ],
  'Local says: Nothing to update.': [
    'UpdateTable › a request without a change is refused',
    'UpdateTable › an empty list of index updates changes nothing',
    'UpdateTable › attribute definitions alone change nothing',
  ],
  'Local says: Cannot change IOPS and Streams at the same time.': [
    'UpdateTable › a stream does not change together with units',
  ],
  'Local does not keep the times of changes.': [
    'UpdateTable › more units are shown with the time of the increase',
  ],
  'Local does not count decreases.': ['UpdateTable › fewer units count as a decrease of today'],
  'Local says: The requested throughput value equals the current value.': [
    'UpdateTable › the same units are refused',
    'UpdateTable › the same units of an index are refused',
  ],
  'Local fails with InternalFailure on bounds of an on-demand table.': [
    'UpdateTable › bounds are set, and -1 takes one away',
  ],
  'Local applies the other change and does not find its index.': [
    'UpdateTable › bounds go with no other change than that of the billing mode',
  ],
  'Local refuses every update of an item whose index key value is empty; AWS only one that changes that value.':
    ['UpdateTable › items a new index left out can still be changed and deleted'],
  'Local keeps definitions that no key uses.': [
    'UpdateTable › definitions that no key uses are left out',
  ],
  'Local says: No Attribute Schema Defined.': [
    'UpdateTable › an index without attribute definitions is refused',
  ],
  'Local says: Attribute g is not defined in AttributeDefinitions.': [
    'UpdateTable › an index on an undefined attribute is refused',
  ],
  'Local says: invalid attribute, SchemaElement redefined should be of same type as previously defined.':
    ['UpdateTable › a key attribute of the table keeps its type'],
  'Local says: Attempting to create an index which already exists.': [
    'UpdateTable › an index of a name in use is refused',
  ],
  'Local says: Update global secondary index action is null.': [
    'UpdateTable › an index update without an action is refused',
  ],
  'Local says: Only one global secondary index update per index is allowed simultaneously.': [
    'UpdateTable › two updates of one index are refused',
  ],
  'Local puts items of the old attribute type into the new index.': [
    'UpdateTable › an index of the same name can be created again over another attribute type',
  ],
  'Local says: Cannot delete an index that is not a GlobalSecondaryIndex.': [
    'UpdateTable › a local index is not deleted',
  ],
  'Local says: Table already has an enabled stream.': [
    'UpdateTable › a stream that is on is not enabled again, nor given another view type',
  ],
  'Local says: Table has no stream to disable.': [
    'UpdateTable › a table without a stream has none to disable',
  ],
  'Local leaves the table class out and finds nothing to update.': [
    'UpdateTable › the table class changes',
  ],
  'Local leaves encryption out and finds nothing to update.': [
    'UpdateTable › encryption under a key of the account is turned on and off',
    'UpdateTable › encryption that is off is not turned off',
  ],
}

export const tableDifferences: readonly Difference[] = Object.entries(TESTS_BY_REASON).flatMap(
  ([reason, tests]) => tests.map((test) => ({ test, reason })),
)
