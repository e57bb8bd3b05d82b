import { itemDifferences } from './item-differences.ts'
import { limitDifferences } from './limit-differences.ts'
import { tableDifferences } from './table-differences.ts'

/** A test on which DynamoDB Local is known to behave otherwise than DynamoDB. */
export interface Difference {
  /** `<title> › <name>` of the test, without the target. */
  readonly test: string
  /** What DynamoDB Local does instead, and how we know that AWS does what the test says. */
  readonly reason: string
}

/**
 * These tests run on DynamoDB Local too and must fail there: when one passes, the run fails and its
 * line has to go.
 */
export const differences: readonly Difference[] = [
  ...tableDifferences,
  ...itemDifferences,
  ...limitDifferences,
  {
    test: 'GetItem › a key without the sort key is refused',
    reason: 'Local counts the conditions on the key first and says that their number is invalid.',
  },
  {
    test: 'Stream records › event ids are 32 hexadecimal digits',
    reason:
      'Local writes a UUID with hyphens; records of AWS, as in the Developer Guide, have 32 digits.',
  },
  {
    test: 'Stream records › every type of value comes through as it was written',
    reason: 'Local loses an empty map on its way into a stream record and shows `{}`.',
  },
  {
    test: 'DescribeStream › a filter of an unknown type is refused',
    reason: 'Local reads an unknown type as null and has a text of its own.',
  },
  {
    test: 'DescribeStream › a string that is not an ARN is refused',
    reason:
      'Local looks for the stream and does not find it; Scylla’s tests saw ValidationException on AWS.',
  },
  {
    test: 'DescribeStream › the ARN may not be missing',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'DescribeStream › an ARN of 36 characters is too short',
    reason: 'Local does not check the length of an ARN; the API reference says 37 to 1024.',
  },
  {
    test: 'DescribeStream › an ARN of 1025 characters is too long',
    reason: 'Local does not check the length of an ARN; the API reference says 37 to 1024.',
  },
  {
    test: 'DescribeStream › a limit of 101 is refused',
    reason: 'Local refuses it with a text of its own.',
  },
  {
    test: 'ListStreams › a start that is not an ARN is refused',
    reason: 'Local starts after any text; Scylla’s tests saw ValidationException on AWS.',
  },
  {
    test: 'ListStreams › a table name of two characters is refused',
    reason:
      'Local does not check the name and answers an empty list; the API reference says 3 to 255.',
  },
  {
    test: 'ListStreams › a limit of 101 is refused',
    reason: 'Local refuses it with a text of its own.',
  },
  {
    test: 'GetShardIterator › an unknown type is refused',
    reason: 'Local fails with InternalFailure.',
  },
  {
    test: 'GetShardIterator › all that is missing is named at once',
    reason: 'Local names the shard id alone, in a text of its own.',
  },
  {
    test: 'GetShardIterator › a shard that does not exist is not found',
    reason: 'Local leaves out the first words of the text that AWS was seen to send.',
  },
  {
    test: 'GetShardIterator › a string that is not an ARN is refused',
    reason:
      'Local looks for the stream and does not find it; Scylla’s tests saw ValidationException on AWS.',
  },
  {
    test: 'GetShardIterator › the sequence number xxxxxxxxxxxxxxxxxxxxx, never given out, is refused',
    reason: 'Local fails with InternalFailure.',
  },
  {
    test: 'GetShardIterator › the sequence number 999999999999999999999, never given out, is refused',
    reason: 'Local fails with InternalFailure.',
  },
  {
    test: 'GetShardIterator › the sequence number 9999999999999999999999999999999999999999, never given out, is refused',
    reason: 'Local fails with InternalFailure.',
  },
  {
    test: 'GetRecords › a page ends before it would exceed 1 MB',
    reason: 'Local does not count bytes; the API reference says at most 1 MB.',
  },
  {
    test: 'GetRecords › an iterator with the ARN of another stream is not an iterator',
    reason: 'Local reads on in a stream that does not exist.',
  },
  {
    test: 'GetRecords › an iterator cut short by four characters is not an iterator',
    reason:
      'Local takes what is left of the time of issue for an old one and says that the iterator has expired.',
  },
  {
    test: 'GetRecords › the iterator may not be missing',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'GetRecords › the iterator may not be empty',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'GetRecords › an iterator of 2049 characters is too long',
    reason: 'Local does not check the length; the API reference says 1 to 2048.',
  },
  {
    test: 'GetRecords › a limit of 1001 is refused',
    reason: 'Local refuses it with a text of its own.',
  },
  {
    test: 'UpdateTimeToLive › naming another attribute with Enabled true is refused',
    reason: 'Local does not name the current attribute.',
  },
  {
    test: 'UpdateTimeToLive › naming another attribute with Enabled false is refused',
    reason: 'Local does not name the current attribute.',
  },
  {
    test: 'UpdateTimeToLive › an empty attribute name is refused',
    reason: 'Local has the text about names of key attributes instead of the constraint error.',
  },
  {
    test: 'UpdateTimeToLive › an attribute name of 256 letters is refused',
    reason: 'Local has the text about names of key attributes instead of the constraint error.',
  },
  {
    test: 'UpdateTimeToLive › without the attribute name a change is refused',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'UpdateTimeToLive › without Enabled a change is refused',
    reason: 'Local blames the attribute name.',
  },
  {
    test: 'UpdateTimeToLive › without the specification a change is refused',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'UpdateTimeToLive › Enabled must be a boolean',
    reason: 'Local fails with InternalFailure.',
  },
  {
    test: 'UpdateTimeToLive › the attribute name must be a string',
    reason: 'Local takes a number for a string.',
  },
  {
    test: 'UpdateTimeToLive › UpdateTimeToLive on a table that does not exist is refused',
    reason: 'Local has one text for all missing tables.',
  },
  {
    test: 'UpdateTimeToLive › DescribeTimeToLive on a table that does not exist is refused',
    reason: 'Local has one text for all missing tables.',
  },
  {
    test: 'UpdateTimeToLive › UpdateTimeToLive without a table name is refused',
    reason: 'Local leaves out the number of errors.',
  },
  {
    test: 'UpdateTimeToLive › DescribeTimeToLive without a table name is refused',
    reason: 'Local leaves out the number of errors.',
  },
  {
    test: 'UpdateTimeToLive › UpdateTimeToLive on a table name with a blank is refused',
    reason: 'Local has one text for all bad table names.',
  },
  {
    test: 'UpdateTimeToLive › DescribeTimeToLive on a table name with a blank is refused',
    reason: 'Local has one text for all bad table names.',
  },
  {
    test: 'Time to live › an expired item is a REMOVE that the service itself made',
    reason:
      'Local deletes expired items without a stream record; the Developer Guide describes the record.',
  },
  {
    test: 'Expected › an operator that does not exist is refused',
    reason:
      'Local says only that the comparison type does not exist; AWS checks enum members of all requests before anything else.',
  },
  {
    test: 'ScanFilter › an operator that does not exist is refused',
    reason:
      'Local says only that the comparison type does not exist; AWS checks enum members of all requests before anything else.',
  },
  {
    test: 'KeyConditions › a missing operator is refused',
    reason:
      'Local says only that the comparison type does not exist; for AWS the member is required (API reference, Condition).',
  },
  {
    test: 'ScanFilter › a missing operator is refused',
    reason:
      'Local says only that the comparison type does not exist; for AWS the member is required (API reference, Condition).',
  },
  {
    test: 'ScanFilter › a ConditionalOperator that does not exist is refused',
    reason: 'Local takes any ConditionalOperator; AWS checks enum members before anything else.',
  },
  {
    test: 'KeyConditions › an empty map is refused',
    reason: "Local has a text of its own for no conditions; AWS's speaks of 1 or 2.",
  },
  {
    test: 'KeyConditions › a condition on the sort key alone is refused',
    reason: 'Local leaves out the name of the key attribute that is missed.',
  },
  {
    test: 'KeyConditions › a condition on another attribute is refused',
    reason: 'Local leaves out the name of the key attribute that is missed.',
  },
  {
    test: 'KeyConditions › an index is not found by the key of the table',
    reason: 'Local leaves out the name of the key attribute that is missed.',
  },
  {
    test: 'KeyConditions › IN on the partition key is refused',
    reason:
      'Local looks at the key attribute before the operator; AWS first says that the operator is not indexable.',
  },
  {
    test: 'KeyConditions › NOT_NULL on the partition key is refused',
    reason:
      'Local looks at the key attribute before the operator; AWS first says that the operator is not indexable.',
  },
  {
    test: 'KeyConditions › NULL on the sort key is refused',
    reason:
      'Local looks at the key attribute before the operator; AWS first says that the operator is not indexable.',
  },
  {
    test: 'KeyConditions › NE on the sort key is refused',
    reason: 'Local fails with InternalFailure.',
  },
  {
    test: 'AttributesToGet › GetItem refuses a name given twice',
    reason:
      "Local does not name the attribute here, though it does in BatchGetItem, where its text is AWS's.",
  },
  {
    test: 'AttributesToGet › Query refuses a name given twice',
    reason:
      "Local does not name the attribute here, though it does in BatchGetItem, where its text is AWS's.",
  },
  {
    test: 'ScanFilter › AttributesToGet with a name given twice is refused',
    reason:
      "Local does not name the attribute here, though it does in BatchGetItem, where its text is AWS's.",
  },
  {
    test: 'AttributesToGet › GetItem refuses an empty list',
    reason:
      'Local takes an empty list as none; AWS requires at least one name (API reference, AttributesToGet).',
  },
  {
    test: 'AttributeUpdates › an update without an action is a PUT',
    reason: "Local ignores the update; AWS's default is PUT (API reference, AttributeValueUpdate).",
  },
  {
    test: 'AttributeUpdates › the action is looked at before the key schema',
    reason:
      'Local knows the table first and looks at Expected first; AWS looks at each parameter before it looks for the table.',
  },
  {
    test: 'AttributeUpdates › updates are looked at before expectations',
    reason:
      'Local knows the table first and looks at Expected first; AWS looks at each parameter before it looks for the table.',
  },
  {
    test: 'AttributeUpdates › an action that does not exist is refused',
    reason: "Local's text lacks the value and the place.",
  },
  {
    test: 'AttributeUpdates › where there is no item, DELETE makes no item',
    reason:
      'Local makes an item of the key alone; on AWS nothing happens (API reference, AttributeUpdates, on a key that is not found).',
  },
  {
    test: 'AttributeUpdates › where there is no item, DELETE of elements makes no item',
    reason:
      'Local makes an item of the key alone; on AWS nothing happens (API reference, AttributeUpdates, on a key that is not found).',
  },
  {
    test: 'AttributeUpdates › a value of the wrong type for an index key is refused',
    reason: 'Local leaves out the attribute, the types and the index.',
  },
  {
    test: 'Query key conditions › a map member of the partition key is refused',
    reason:
      'Local looks for keys used as documents first; AWS was seen to refuse nested attributes as such.',
  },
  {
    test: 'Query key conditions › a list element of the sort key is refused',
    reason:
      'Local looks for keys used as documents first; AWS was seen to refuse nested attributes as such.',
  },
  {
    test: 'Query key conditions › a condition without the partition key is refused',
    reason: 'Local does not name the attribute.',
  },
  {
    test: 'Query key conditions › a condition on another attribute together with the partition key is refused',
    reason: 'Local does not name the attribute.',
  },
  {
    test: 'Query key conditions › a partition key of 2049 bytes is refused',
    reason: 'Local checks the size of the sort key alone and finds nothing.',
  },
  {
    test: 'Query pages › a Limit of 0 is refused',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'Query pages › a Limit of -1 is refused',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'Query pages › items of 1 MB together end the page with a key, though nothing remains',
    reason:
      'Local gives no key where nothing is left; the API reference says that only its absence marks the end.',
  },
  {
    test: 'Query pages › 1 MB is counted before the filter, so a page may be empty and still have a key',
    reason:
      'Local reads on beyond 1 MB where the filter lets nothing through; the Developer Guide says that the limit applies before the filter.',
  },
  {
    test: 'Query pages › on an index 1 MB is counted by its entries, not by the items behind them',
    reason: 'Local counts the whole items, as its documentation says.',
  },
  {
    test: 'Query pages › a Query for one whole key has no key to continue from, even with Limit 1',
    reason: 'Local gives a key, and takes it back; AWS refuses to restart such a Query.',
  },
  {
    test: 'Query Select › an unknown Select is refused',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'Query Select › several bad members are reported at once',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'Query Select › SPECIFIC_ATTRIBUTES without a projection is refused',
    reason: 'Local leaves out the number of errors, which AWS was seen to send for Query.',
  },
  {
    test: 'Query Select › an index name of two letters is refused',
    reason:
      'Local does not check the length of the name and does not find the index; the API reference says 3 to 255.',
  },
  {
    test: 'Query Select › a consistent read of a table that does not exist is not found',
    reason: 'Local has one text for all missing tables.',
  },
  {
    test: 'Query start keys › a start key without the sort key is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Query start keys › a start key without the partition key is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Query start keys › a start key with one attribute too many is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Query start keys › a start key with a number for the string sort key is refused',
    reason: 'Local speaks of an attribute to update.',
  },
  {
    test: 'Query start keys › a start key with an empty partition key is refused',
    reason: 'Local compares the partition key first and says that the Query cannot be restarted.',
  },
  {
    test: 'Query start keys › a start key of another item collection is refused',
    reason: 'Local speaks of the range key predicate.',
  },
  {
    test: 'Query start keys › a Query for one whole key takes no start key',
    reason: 'Local answers an empty page.',
  },
  {
    test: 'Query start keys › a table without sort key takes no start key',
    reason: 'Local answers an empty page; Scylla’s tests saw ValidationException on AWS.',
  },
  {
    test: 'Query start keys › a start key of a global index in another item collection is refused',
    reason: 'Local speaks of the range key predicate.',
  },
  {
    test: 'Query start keys › a start key of the table is refused on a local index',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Query start keys › a start key of a local index with a text for its number is refused',
    reason: 'Local speaks of an attribute to update.',
  },
  {
    test: 'Query start keys › a start key of a local index in another item collection is refused',
    reason: 'Local speaks of the range key predicate.',
  },
  {
    test: 'Scan › a filter on what an index does not hold takes it as missing',
    reason: 'Local filters the whole item behind the entry, which AWS cannot see.',
  },
  {
    test: 'Scan › a Limit of 0 is refused',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'Scan › an unknown Select is refused',
    reason: 'Local has a text of its own instead of the constraint error.',
  },
  {
    test: 'Scan › a table that does not exist is not found',
    reason: 'Local has one text for all missing tables.',
  },
  {
    test: 'Scan › a start key without the sort key is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Scan › a start key with one attribute too many is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Scan › a start key of the wrong type is refused',
    reason: 'Local speaks of an attribute to update.',
  },
  {
    test: 'Scan segments › no segments are refused',
    reason: 'Local bounds the segment by the number of segments and blames the segment.',
  },
  {
    test: 'Scan segments › a negative segment is refused',
    reason: 'Local names the upper bound, which is not exceeded.',
  },
  {
    test: 'Scan segments › a segment without their number is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Scan segments › a number of segments without a segment is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Scan segments › a segment that is not among them is refused',
    reason: 'Local has a constraint error instead.',
  },
  {
    test: 'Scan segments › a start key of another segment is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'PartiQL SELECT › a list of 100 values, since the operand before IN counts too',
    reason: 'Local counts only what is after IN.',
  },
  {
    test: 'PartiQL SELECT › a descending order on an index',
    reason: 'Local fails with an internal error.',
  },
  {
    test: 'PartiQL SELECT › pages continue in descending order',
    reason: 'Local fails with an internal error on the second page.',
  },
  {
    test: 'PartiQL SELECT › a NextToken of another statement is refused',
    reason:
      'Local continues from the key in the token, whatever the statement; AWS binds the token to statement and parameters (specification §13).',
  },
  {
    test: 'PartiQL SELECT › a table that is not there',
    reason: 'Local has a text of its own for missing tables.',
  },
  {
    test: 'PartiQL SELECT › an empty statement is refused',
    reason: 'Local parses it; in the model of the service a statement has at least one character.',
  },
  {
    test: 'PartiQL SELECT › a comment to the end of the line',
    reason:
      'Local skips comments; that they are refused is our specification (reliability, E60), unverified on AWS.',
  },
  {
    test: 'PartiQL SELECT › a comment inside',
    reason:
      'Local skips comments; that they are refused is our specification (reliability, E60), unverified on AWS.',
  },
  {
    test: 'PartiQL SELECT › a statement about tables',
    reason: 'Local names the kind of statement; the text is that of specification §13.',
  },
  {
    test: 'PartiQL SELECT › an expression alone',
    reason: 'Local names the kind of expression; the text is that of specification §13.',
  },
  {
    test: 'PartiQL INSERT › an item that is there already stays as it is',
    reason:
      'Local calls the exception DuplicateItem; AWS has DuplicateItemException (specification §15).',
  },
  {
    test: 'PartiQL INSERT › a table that is not there',
    reason: 'Local has a text of its own for missing tables.',
  },
  {
    test: 'BatchExecuteStatement › a part of a document is returned at the top',
    reason:
      'Local returns it at its place in the document, unlike its own ExecuteStatement; unverified on AWS.',
  },
  {
    test: 'BatchExecuteStatement › no statement is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'ExecuteTransaction › an INSERT of an item that is there cancels the transaction',
    reason: 'Local gives the code ValidationError for an item that already exists.',
  },
  {
    test: 'ExecuteTransaction › an update that does not fit its item cancels the transaction',
    reason: 'Local refuses the request instead of cancelling the transaction (specification §8).',
  },
  {
    test: 'ExecuteTransaction › a WHERE clause without the whole key cancels the transaction',
    reason: 'Local cancels without a list of reasons and with a text of its own.',
  },
  {
    test: 'ExecuteTransaction › no statement is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'ExecuteTransaction › a token of 37 characters is refused',
    reason: 'Local does not look at the length of the token.',
  },
  {
    test: 'BatchGetItem › 101 keys are refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchGetItem › of 1048577 bytes in one item collection 1 of four items is left unprocessed',
    reason:
      'Local bounds only the whole answer; the API reference also bounds what one partition gives to 1 MB.',
  },
  {
    test: 'BatchGetItem › the same number written in two ways is the same key',
    reason:
      'Local compares the text of numbers, and so does AWS here; reading an item twice is never meant.',
  },
  {
    test: 'BatchGetItem › a table that does not exist is not found',
    reason: 'Local has one text for all missing tables.',
  },
  {
    test: 'BatchGetItem › a key without the sort key is refused',
    reason: 'Local counts the conditions on the key first and says that their number is invalid.',
  },
  {
    test: 'BatchGetItem › a key of the wrong type is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchGetItem › a request for no table is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchGetItem › a request for nothing is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchGetItem › a missing item costs as much as a small one',
    reason:
      'Local takes nothing for a missing item; the Developer Guide says that it costs the minimum.',
  },
  {
    test: 'BatchWriteItem › 26 writes are refused with the whole request in the text',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchWriteItem › an empty list of writes is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchWriteItem › a request for no table is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchWriteItem › a request for nothing is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchWriteItem › one missing table keeps all writes from being made',
    reason: 'Local has one text for all missing tables.',
  },
  {
    test: 'BatchWriteItem › a put without the sort key is refused with the whole batch',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchWriteItem › a put with a key of the wrong type is refused with the whole batch',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'BatchWriteItem › a delete with one attribute too many is refused',
    reason: 'Local counts the conditions on the key first and says that their number is invalid.',
  },
  {
    test: 'BatchWriteItem › an index key of the wrong type is refused with the whole batch',
    reason: 'Local names neither the attribute nor the index.',
  },
  {
    test: 'BatchWriteItem › item collection metrics are reported for each write to a table with local indexes',
    reason: 'Local has no item collection metrics, as its documentation says.',
  },
  {
    test: 'BatchWriteItem › a bad ReturnItemCollectionMetrics is refused',
    reason: 'Local does not check the value.',
  },
  {
    test: 'TransactGetItems › an item of which the projection leaves nothing is left out',
    reason: 'Local shows an empty item; AWS was seen to leave it out.',
  },
  {
    test: 'TransactGetItems › 101 requests are refused with all of them in the text',
    reason: 'Local leaves out the value.',
  },
  {
    test: 'TransactGetItems › no request is refused',
    reason: 'Local takes an empty list for a missing one.',
  },
  {
    test: 'TransactGetItems › a request without Get is refused',
    reason: 'Local blames the whole list.',
  },
  {
    test: 'TransactGetItems › a table that does not exist is not found',
    reason: 'Local has one text for all missing tables.',
  },
  {
    test: 'TransactGetItems › a key without the sort key cancels the transaction',
    reason: 'Local gives no reasons.',
  },
  {
    test: 'TransactGetItems › a key of the wrong type cancels the transaction',
    reason: 'Local gives no reasons.',
  },
  {
    test: 'TransactGetItems › a key with one attribute too many cancels the transaction',
    reason: 'Local gives no reasons.',
  },
  {
    test: 'TransactGetItems › items of 4194303 bytes are read',
    reason:
      'Local counts some bytes more for each item; the API reference bounds the items themselves to 4 MB.',
  },
  {
    test: 'TransactGetItems › items of 4194304 bytes are read',
    reason:
      'Local counts some bytes more for each item; the API reference bounds the items themselves to 4 MB.',
  },
  {
    test: 'TransactGetItems › each item is paid double',
    reason: 'Local does not distinguish reads from writes.',
  },
  {
    test: 'TransactGetItems › capacity is reported per table',
    reason: 'Local does not distinguish reads from writes.',
  },
  {
    test: 'TransactWriteItems › an item that comes twice is reported before one that is too large',
    reason: 'Local looks at the size first.',
  },
  {
    test: 'TransactWriteItems › a failed ConditionCheck is named like a failed condition',
    reason: 'Local ends this one text with a full stop.',
  },
  {
    test: 'TransactWriteItems › no action is refused',
    reason: 'Local leaves out the number of errors.',
  },
  {
    test: 'TransactWriteItems › a ConditionCheck without its condition is refused',
    reason: 'Local leaves out the number of errors.',
  },
  {
    test: 'TransactWriteItems › an Update without its expression is refused',
    reason: 'Local carries it out; the API reference requires the expression.',
  },
  {
    test: 'TransactWriteItems › an unknown ReturnValuesOnConditionCheckFailure is refused',
    reason: 'Local does not check the value.',
  },
  {
    test: 'TransactWriteItems › a table that does not exist is not found, and nothing is written',
    reason: 'Local has one text for all missing tables.',
  },
  {
    test: 'TransactWriteItems › a number written in two ways is the same item',
    reason: 'Local compares the text of numbers.',
  },
  {
    test: 'TransactWriteItems › a put with a key of the wrong type is a reason',
    reason: 'Local does not name the attribute.',
  },
  {
    test: 'TransactWriteItems › a delete with a key of the wrong type is a reason',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'TransactWriteItems › a key with one attribute too many is a reason',
    reason: 'Local refuses the request instead of cancelling it.',
  },
  {
    test: 'TransactWriteItems › an index key of the wrong type is a reason',
    reason: 'Local names neither the attribute nor the index.',
  },
  {
    test: 'TransactWriteItems › updating an index key to the wrong type is a reason',
    reason: 'Local has the text of a put.',
  },
  {
    test: 'TransactWriteItems › updating a key attribute is a reason',
    reason: 'Local gives one reason alone instead of one for each action.',
  },
  {
    test: 'TransactWriteItems › reading an attribute that is not there is a reason',
    reason: 'Local refuses the request instead of cancelling it.',
  },
  {
    test: 'TransactWriteItems › a path that leads nowhere is a reason',
    reason: 'Local refuses the request instead of cancelling it.',
  },
  {
    test: 'TransactWriteItems › of two invalid actions the first alone is a reason',
    reason: 'Local refuses the request instead of cancelling it.',
  },
  {
    test: 'TransactWriteItems › together with an invalid action a failed condition is not a reason',
    reason: 'Local refuses the request instead of cancelling it.',
  },
  {
    test: 'TransactWriteItems › 101 actions are refused with all of them in the text',
    reason: 'Local leaves out the value.',
  },
  {
    test: 'TransactWriteItems tokens › a token of 37 characters is refused',
    reason: 'Local leaves out the number of errors.',
  },
  {
    test: 'TransactWriteItems tokens › an empty token is refused',
    reason: 'Local takes an empty token for none; the API reference says 1 to 36 characters.',
  },
  {
    test: 'TransactWriteItems capacity › a transaction pays double on the table and single on its indexes',
    reason:
      'Local charges double on indexes too and does not distinguish reads from writes; AWS was measured.',
  },
  {
    test: 'TransactWriteItems capacity › TOTAL reports reads and writes separately',
    reason: 'Local does not distinguish reads from writes.',
  },
  {
    test: 'TransactWriteItems capacity › a repeated token is paid as reads',
    reason: 'Local pays for the writes again.',
  },
  {
    test: 'TransactWriteItems capacity › item collection metrics are reported for tables with local indexes',
    reason: 'Local has no item collection metrics, as its documentation says.',
  },
  {
    test: 'Capacity of reads › a Query that finds nothing costs half a unit',
    reason: 'Local takes nothing for it; the Developer Guide says that it costs the minimum.',
  },
  {
    test: 'Capacity of reads › a consistent Query that finds nothing costs a unit',
    reason: 'Local takes nothing for it; the Developer Guide says that it costs the minimum.',
  },
  {
    test: 'Capacity of reads › a Scan that finds nothing costs half a unit',
    reason: 'Local takes nothing for it; the Developer Guide says that it costs the minimum.',
  },
  {
    test: 'Capacity of reads › a consistent Scan that finds nothing costs a unit',
    reason: 'Local takes nothing for it; the Developer Guide says that it costs the minimum.',
  },
  {
    test: 'Index membership › a key of a local index of the wrong type is refused',
    reason: 'Local names neither the attribute nor the index.',
  },
  {
    test: 'Index membership › NULL for an index key is refused',
    reason: 'Local has a text of its own.',
  },
  {
    test: 'Index membership › an index partition key of 2049 bytes is refused',
    reason: 'Local does not say which size is exceeded.',
  },
  {
    test: 'Index membership › an index sort key of 1025 bytes is refused',
    reason: 'Local does not say which size is exceeded.',
  },
  {
    test: 'Indexes with several key attributes › a condition on another attribute is refused',
    reason: 'Local does not name the attribute.',
  },
  {
    test: 'Indexes with several key attributes › a start key of the wrong type is refused',
    reason: 'Local speaks of an attribute to update.',
  },
  {
    test: 'Indexes with several key attributes › a start key of another item collection is refused',
    reason: 'Local speaks of the range key predicate.',
  },
  {
    test: 'Indexes with several key attributes › a put with one attribute of the wrong type is refused',
    reason: 'Local names neither the attribute nor the index.',
  },
  {
    test: 'TransactGetItems › items of 4194305 bytes are refused',
    reason: 'Local has a text of its own; that of AWS is not known but for its words on the size.',
  },
]
