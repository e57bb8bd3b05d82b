import { conformance } from '../conformance.ts'
import { KEY, refuses } from '../item-cases.ts'

const INVALID = 'One or more parameter values were invalid: '
const PARTITION_TOO_LARGE = `${INVALID}Size of hashkey has exceeded the maximum size limit of2048 bytes`
const SORT_TOO_LARGE = `${INVALID}Aggregated size of all range keys has exceeded the size limit of 1024 bytes`

for (const operation of ['GetItem', 'DeleteItem', 'UpdateItem']) {
  conformance(`The Key of ${operation}`, (test) => {
    const MISMATCH = 'The provided key element does not match the schema'
    refuses(test, operation, [
      {
        name: 'it may not lack the sort key',
        request: { Key: { pk: KEY.pk } },
        message: MISMATCH,
      },
      {
        name: 'it may not lack the partition key',
        request: { Key: { sk: KEY.sk } },
        message: MISMATCH,
      },
      { name: 'it may not be empty', request: { Key: {} }, message: MISMATCH },
      {
        name: 'it may not have another attribute',
        request: { Key: { ...KEY, a: { S: 'x' } } },
        message: MISMATCH,
      },
      {
        name: 'it may not have another attribute in the place of the sort key',
        request: { Key: { pk: KEY.pk, a: { S: 'x' } } },
        message: MISMATCH,
      },
      {
        name: 'its attributes must be of the right type',
        request: { Key: { ...KEY, sk: { N: '1' } } },
        message: MISMATCH,
      },
      {
        name: 'its attributes may not be empty',
        request: { Key: { ...KEY, sk: { S: '' } } },
        message:
          'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
      },
      {
        name: 'its partition key may not have 2049 bytes',
        request: { Key: { ...KEY, pk: { S: 'x'.repeat(2049) } } },
        message: PARTITION_TOO_LARGE,
      },
      {
        name: 'its sort key may not have 1025 bytes',
        request: { Key: { ...KEY, sk: { S: 'x'.repeat(1025) } } },
        message: SORT_TOO_LARGE,
      },
      {
        name: 'its values must have a type',
        request: { Key: { ...KEY, sk: {} } },
        message:
          'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
      },
      {
        name: 'its numbers must be numbers',
        request: { Key: { ...KEY, sk: { N: 'x' } } },
        message: 'The parameter cannot be converted to a numeric value: x',
      },
      {
        name: 'it may not be missing',
        request: {},
        message:
          "1 validation error detected: Value null at 'key' failed to satisfy constraint: Member must not be null",
      },
    ])

    test('its bad values are reported before a missing table', async (t) => {
      await t.fails(
        operation,
        { TableName: t.tableName(), Key: { ...KEY, sk: {} } },
        'ValidationException',
        'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
      )
    })
  })
}
