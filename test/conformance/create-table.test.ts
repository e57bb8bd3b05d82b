import { expect } from 'vitest'
import { conformance } from './conformance.ts'

const INVALID = 'One or more parameter values were invalid: '
const ALL = { ProjectionType: 'ALL' }
const onDemand = { BillingMode: 'PAY_PER_REQUEST' }
const units = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }

function define(...names: readonly string[]): object[] {
  return names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }))
}
function hash(...names: readonly string[]): object[] {
  return names.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' }))
}
function range(...names: readonly string[]): object[] {
  return names.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' }))
}
function index(IndexName: string, KeySchema: readonly object[], members: object = {}): object {
  return { IndexName, KeySchema, Projection: ALL, ...members }
}
/** A table that would be fine, with some members put in place of others. */
function table(members: object = {}): Record<string, unknown> {
  return {
    TableName: 'created',
    AttributeDefinitions: define('pk'),
    KeySchema: hash('pk'),
    ...onDemand,
    ...members,
  }
}
const composite = {
  AttributeDefinitions: define('pk', 'sk'),
  KeySchema: [...hash('pk'), ...range('sk')],
}
function at(path: string, value: string | null, rule: string): string {
  const printed = value === null ? 'null' : `'${value}'`
  return `1 validation error detected: Value ${printed} at '${path}' failed to satisfy constraint: Member must ${rule}`
}

conformance('CreateTable', (test) => {
  const refused = (name: string, members: object, message: string | RegExp): void => {
    test(name, async (t) => {
      const request = table({ TableName: t.tableName(), ...members })
      await t.fails('CreateTable', request, 'ValidationException', message)
    })
  }

  // Answers

  test('a new table is ACTIVE in the end and empty', async (t) => {
    const TableName = await t.table()
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table).toMatchObject({
      TableName,
      TableStatus: 'ACTIVE',
      ItemCount: 0,
      TableSizeBytes: 0,
      KeySchema: composite.KeySchema,
    })
  })

  test('the answer announces a table that is being created', async (t) => {
    const TableName = t.tableName()
    const { TableDescription } = await t.send('CreateTable', table({ TableName }))
    expect(TableDescription.TableStatus).toBe('CREATING')
    await t.eventually(async () => {
      const { Table } = await t.send('DescribeTable', { TableName })
      expect(Table.TableStatus).toBe('ACTIVE')
    })
  })

  test('the answer has an id, an ARN and the time in seconds', async (t) => {
    const TableName = t.tableName()
    const { TableDescription } = await t.send('CreateTable', table({ TableName }))
    expect(TableDescription.TableId).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
    expect(TableDescription.TableArn).toMatch(
      new RegExp(`^arn:aws:dynamodb:[^:]+:\\d{12}:table/${TableName}$`),
    )
    expect(Math.abs(TableDescription.CreationDateTime - Date.now() / 1000)).toBeLessThan(120)
  })

  test('an on-demand table shows its billing mode and no units', async (t) => {
    const TableName = await t.table({ BillingMode: 'PAY_PER_REQUEST' })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.BillingModeSummary.BillingMode).toBe('PAY_PER_REQUEST')
    expect(Table.ProvisionedThroughput).toMatchObject({
      ReadCapacityUnits: 0,
      WriteCapacityUnits: 0,
      NumberOfDecreasesToday: 0,
    })
  })

  test('a provisioned table shows its units', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.ProvisionedThroughput).toMatchObject({ ...units, NumberOfDecreasesToday: 0 })
  })

  test('a provisioned table that does not name its billing mode has no summary of it', async (t) => {
    const TableName = await t.table({ ProvisionedThroughput: units })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table).not.toHaveProperty('BillingModeSummary')
  })

  test('indexes are described with their ARNs and sizes', async (t) => {
    const TableName = await t.table({
      AttributeDefinitions: define('pk', 'sk', 'other'),
      LocalSecondaryIndexes: [index('local', [...hash('pk'), ...range('other')])],
      GlobalSecondaryIndexes: [index('global', hash('other'))],
    })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.LocalSecondaryIndexes[0]).toMatchObject({
      IndexName: 'local',
      IndexArn: `${Table.TableArn}/index/local`,
      IndexSizeBytes: 0,
      ItemCount: 0,
      Projection: ALL,
    })
    expect(Table.LocalSecondaryIndexes[0]).not.toHaveProperty('IndexStatus')
    expect(Table.GlobalSecondaryIndexes[0]).toMatchObject({
      IndexName: 'global',
      IndexArn: `${Table.TableArn}/index/global`,
      IndexStatus: 'ACTIVE',
      IndexSizeBytes: 0,
      ItemCount: 0,
    })
  })

  test('a stream asked for is described', async (t) => {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' }
    const TableName = await t.table({ StreamSpecification })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.StreamSpecification).toEqual(StreamSpecification)
    expect(Table.LatestStreamArn).toBe(`${Table.TableArn}/stream/${Table.LatestStreamLabel}`)
  })

  test('deletion protection asked for is described', async (t) => {
    const TableName = await t.table({ DeletionProtectionEnabled: true })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.DeletionProtectionEnabled).toBe(true)
    await t.send('UpdateTable', { TableName, DeletionProtectionEnabled: false })
  })

  test('tags given at creation are on the table', async (t) => {
    const TableName = await t.table({ Tags: [{ Key: 'team', Value: 'blog' }] })
    const { Table } = await t.send('DescribeTable', { TableName })
    const { Tags } = await t.send('ListTagsOfResource', { ResourceArn: Table.TableArn })
    expect(Tags).toEqual([{ Key: 'team', Value: 'blog' }])
  })

  test('the table class is described', async (t) => {
    const TableName = await t.table({ TableClass: 'STANDARD_INFREQUENT_ACCESS' })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.TableClassSummary.TableClass).toBe('STANDARD_INFREQUENT_ACCESS')
  })

  test('a table encrypted under a key of the account says which', async (t) => {
    const TableName = await t.table({ SSESpecification: { Enabled: true, SSEType: 'KMS' } })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.SSEDescription).toMatchObject({ Status: 'ENABLED', SSEType: 'KMS' })
    expect(Table.SSEDescription.KMSMasterKeyArn).toMatch(/^arn:aws:kms:/)
  })

  test('bounds of an on-demand table are described', async (t) => {
    const TableName = await t.table({ OnDemandThroughput: { MaxReadRequestUnits: 7 } })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.OnDemandThroughput).toEqual({ MaxReadRequestUnits: 7, MaxWriteRequestUnits: -1 })
  })

  // Names

  refused(
    'a table without a name is refused',
    { TableName: undefined },
    "The parameter 'TableName' is required but was not present in the request",
  )
  refused(
    'a name of two characters is refused',
    { TableName: 'ab' },
    at('tableName', 'ab', 'have length greater than or equal to 3'),
  )
  refused(
    'an empty name is refused',
    { TableName: '' },
    at('tableName', '', 'have length greater than or equal to 3'),
  )
  refused(
    'a name of 256 characters is refused',
    { TableName: 'a'.repeat(256) },
    at('tableName', 'a'.repeat(256), 'have length less than or equal to 255'),
  )
  refused(
    'a name with a space is refused',
    { TableName: 'a bc' },
    at('tableName', 'a bc', 'satisfy regular expression pattern: [a-zA-Z0-9_.-]+'),
  )
  refused(
    'a bad name is reported alone',
    { TableName: 'ab', BillingMode: 'FREE', KeySchema: undefined },
    at('tableName', 'ab', 'have length greater than or equal to 3'),
  )
  for (const TableName of ['...', '__proto__', 'constructor', 'CON', 'nul.txt', 'a'.repeat(255)]) {
    test(`${TableName.slice(0, 20)} (${TableName.length} characters) is a name like any other`, async (t) => {
      await t.table({ TableName })
      const { Table } = await t.send('DescribeTable', { TableName })
      expect(Table.TableName).toBe(TableName)
    })
  }
  test('names that differ in case are two tables', async (t) => {
    const TableName = t.tableName()
    await t.table({ TableName: `${TableName}-users` })
    await t.table({ TableName: `${TableName}-Users` })
    const { TableNames } = await t.send('ListTables', {
      ExclusiveStartTableName: TableName,
      Limit: 2,
    })
    expect(TableNames).toEqual([`${TableName}-Users`, `${TableName}-users`])
  })
  test('a name in use is refused', async (t) => {
    const TableName = await t.table()
    await t.fails(
      'CreateTable',
      table({ TableName }),
      'ResourceInUseException',
      `Table already exists: ${TableName}`,
    )
  })
  test('a name is free again after its table was deleted', async (t) => {
    const TableName = await t.table()
    await t.send('DeleteTable', { TableName })
    await t.eventually(() => t.send('CreateTable', table({ TableName })))
  })

  // Members outside their bounds

  refused(
    'a table without attribute definitions is refused',
    { AttributeDefinitions: undefined },
    at('attributeDefinitions', null, 'not be null'),
  )
  refused(
    'a table without a key schema is refused',
    { KeySchema: undefined },
    at('keySchema', null, 'not be null'),
  )
  refused(
    'an empty key schema is refused',
    { KeySchema: [] },
    at('keySchema', '[]', 'have length greater than or equal to 1'),
  )
  refused(
    'a key schema of three elements is refused',
    { AttributeDefinitions: define('a', 'b', 'c'), KeySchema: [...hash('a'), ...range('b', 'c')] },
    /at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2$/,
  )
  refused(
    'a key type that does not exist is refused',
    { KeySchema: [{ AttributeName: 'pk', KeyType: 'SORT' }] },
    at('keySchema.1.member.keyType', 'SORT', 'satisfy enum value set: [HASH, RANGE]'),
  )
  for (const AttributeType of ['BOOL', 'SS', 'M', 's']) {
    refused(
      `an attribute type ${AttributeType} is refused`,
      { AttributeDefinitions: [{ AttributeName: 'pk', AttributeType }] },
      at(
        'attributeDefinitions.1.member.attributeType',
        AttributeType,
        'satisfy enum value set: [B, N, S]',
      ),
    )
  }
  refused(
    'a billing mode that does not exist is refused',
    { BillingMode: 'FREE' },
    at('billingMode', 'FREE', 'satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]'),
  )
  refused(
    'a table class that does not exist is refused',
    { TableClass: 'GOLD' },
    at('tableClass', 'GOLD', 'satisfy enum value set: [STANDARD, STANDARD_INFREQUENT_ACCESS]'),
  )
  refused(
    'a key attribute whose name has 256 bytes is refused',
    { AttributeDefinitions: define('k'.repeat(256)), KeySchema: hash('k'.repeat(256)) },
    /Member must have length less than or equal to 255/,
  )
  refused(
    'a key attribute whose name has 256 bytes in fewer characters is refused',
    { AttributeDefinitions: define('é'.repeat(128)), KeySchema: hash('é'.repeat(128)) },
    /Member must have length less than or equal to 255/,
  )
  test('a key attribute whose name has 255 bytes is accepted', async (t) => {
    const name = 'k'.repeat(255)
    await t.table({ AttributeDefinitions: define(name), KeySchema: hash(name) })
  })
  refused(
    'a key attribute with an empty name is refused',
    { AttributeDefinitions: define(''), KeySchema: hash('') },
    /Member must have length greater than or equal to 1/,
  )
  refused(
    'units of zero are refused',
    {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 1 },
    },
    at('provisionedThroughput.readCapacityUnits', '0', 'have value greater than or equal to 1'),
  )
  refused(
    'several members outside their bounds are reported together',
    { BillingMode: 'FREE', TableClass: 'GOLD' },
    /^2 validation errors detected: /,
  )
  refused(
    'an index name of two characters is refused',
    { ...composite, GlobalSecondaryIndexes: [index('ab', hash('sk'))] },
    at('globalSecondaryIndexes.1.member.indexName', 'ab', 'have length greater than or equal to 3'),
  )
  refused(
    'an index name of 256 characters is refused',
    { ...composite, GlobalSecondaryIndexes: [index('i'.repeat(256), hash('sk'))] },
    /at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member must have length less than or equal to 255$/,
  )
  test('an index name of 255 characters is accepted', async (t) => {
    await t.table({ ...composite, GlobalSecondaryIndexes: [index('i'.repeat(255), hash('sk'))] })
  })
  test('an index may be called constructor or __proto__', async (t) => {
    const TableName = await t.table({
      ...composite,
      GlobalSecondaryIndexes: [index('constructor', hash('sk')), index('__proto__', hash('sk'))],
    })
    const request = {
      TableName,
      KeyConditionExpression: 'sk = :sk',
      ExpressionAttributeValues: { ':sk': { S: 'x' } },
    }
    await t.send('PutItem', { TableName, Item: { pk: { S: 'a' }, sk: { S: 'x' } } })
    for (const IndexName of ['constructor', '__proto__']) {
      expect((await t.send('Query', { ...request, IndexName })).Count).toBe(1)
    }
  })
  refused(
    'an index name with a space is refused',
    { ...composite, GlobalSecondaryIndexes: [index('a bc', hash('sk'))] },
    /at 'globalSecondaryIndexes.1.member.indexName' .* pattern: \[a-zA-Z0-9_.-\]\+$/,
  )

  // Billing

  refused(
    'units on an on-demand table are refused',
    { ProvisionedThroughput: units },
    `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
  )
  refused(
    'a provisioned table without units is refused',
    { BillingMode: 'PROVISIONED' },
    `${INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
  )
  refused(
    'a table that names neither mode nor units is refused',
    { BillingMode: undefined },
    `${INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
  )
  refused(
    'more than a million million units are refused',
    {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: { ReadCapacityUnits: 1e12 + 1, WriteCapacityUnits: 1 },
    },
    'Given value 1000000000001 for ReadCapacityUnits is out of bounds',
  )
  refused(
    'bounds of requests on a provisioned table are refused',
    {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: units,
      OnDemandThroughput: { MaxReadRequestUnits: 1 },
    },
    `${INVALID}MaxReadRequestUnits for OnDemandThroughput cannot be specified when the table BillingMode is PROVISIONED`,
  )
  refused(
    'a bound of no requests is refused',
    { OnDemandThroughput: { MaxWriteRequestUnits: 0 } },
    `${INVALID}Requested MaxWriteRequestUnits for OnDemandThroughput for table is outside of valid range`,
  )

  // Keys

  refused(
    'more key attributes than definitions are refused',
    { KeySchema: composite.KeySchema },
    'Invalid KeySchema: Some index key attribute have no definition',
  )
  refused(
    'a key attribute without a definition is refused',
    { AttributeDefinitions: define('other') },
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [pk], AttributeDefinitions: [other]`,
  )
  refused(
    'a definition no key uses is refused',
    { AttributeDefinitions: define('pk', 'other') },
    `${INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`,
  )
  refused(
    'a definition no key uses is refused on a table with indexes',
    {
      AttributeDefinitions: define('pk', 'sk', 'other'),
      GlobalSecondaryIndexes: [index('global', hash('sk'))],
    },
    `${INVALID}Some AttributeDefinitions are not used. AttributeDefinitions: [pk, sk, other], keys used: [pk, sk]`,
  )
  refused(
    'two definitions of one attribute are refused',
    { AttributeDefinitions: define('pk', 'pk') },
    'Attribute Name is duplicated: pk',
  )
  refused(
    'a key schema that begins with RANGE is refused',
    { KeySchema: range('pk') },
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  )
  refused(
    'a key schema of two HASH elements is refused',
    { ...composite, KeySchema: hash('pk', 'sk') },
    'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
  )
  refused(
    'one attribute as both keys is refused',
    { ...composite, KeySchema: [...hash('pk'), ...range('pk')] },
    'Both the Hash Key and the Range Key element in the KeySchema have the same name',
  )

  // Local indexes

  refused(
    'a local index on a table without a sort key is refused',
    {
      AttributeDefinitions: define('pk', 'sk'),
      LocalSecondaryIndexes: [index('local', composite.KeySchema)],
    },
    `${INVALID}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`,
  )
  refused(
    'a local index without a sort key is refused',
    { ...composite, LocalSecondaryIndexes: [index('local', hash('pk'))] },
    `${INVALID}Index KeySchema does not have a range key for index: local`,
  )
  refused(
    'a local index with another partition key is refused',
    { ...composite, LocalSecondaryIndexes: [index('local', [...hash('sk'), ...range('pk')])] },
    `${INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index: local. index hash key: sk, table hash key: pk`,
  )
  refused(
    'an empty list of local indexes is refused',
    { ...composite, LocalSecondaryIndexes: [] },
    `${INVALID}List of LocalSecondaryIndexes is empty`,
  )
  refused(
    'six local indexes are refused',
    { ...composite, LocalSecondaryIndexes: locals(6) },
    `${INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of 5`,
  )
  test('five local indexes are accepted', async (t) => {
    const TableName = await t.table({ ...composite, LocalSecondaryIndexes: locals(5) })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.LocalSecondaryIndexes).toHaveLength(5)
  })
  test('a local index with the keys of its table is accepted', async (t) => {
    await t.table({ ...composite, LocalSecondaryIndexes: [index('same', composite.KeySchema)] })
  })
  refused(
    'a local index of three key attributes is refused',
    {
      AttributeDefinitions: define('pk', 'sk', 'other'),
      KeySchema: composite.KeySchema,
      LocalSecondaryIndexes: [index('local', [...hash('pk'), ...range('sk', 'other')])],
    },
    /at 'localSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: Member must have length less than or equal to 2$/,
  )

  // Global indexes

  refused(
    'an empty list of global indexes is refused',
    { GlobalSecondaryIndexes: [] },
    `${INVALID}List of GlobalSecondaryIndexes is empty`,
  )
  refused(
    '21 global indexes are refused',
    { GlobalSecondaryIndexes: globals(21) },
    `${INVALID}GlobalSecondaryIndex count exceeds the per-table limit of 20`,
  )
  test('20 global indexes are accepted', async (t) => {
    const TableName = await t.table({
      AttributeDefinitions: define('pk'),
      KeySchema: hash('pk'),
      GlobalSecondaryIndexes: globals(20),
    })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.GlobalSecondaryIndexes).toHaveLength(20)
  })
  refused(
    'a global index on an undefined attribute is refused',
    { GlobalSecondaryIndexes: [index('global', hash('other'))] },
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [other], AttributeDefinitions: [pk]`,
  )
  refused(
    'two global indexes of one name are refused',
    { GlobalSecondaryIndexes: [index('twice', hash('pk')), index('twice', hash('pk'))] },
    `${INVALID}Duplicate index name: twice`,
  )
  refused(
    'a global index with the name of a local one is refused',
    {
      ...composite,
      LocalSecondaryIndexes: [index('twice', composite.KeySchema)],
      GlobalSecondaryIndexes: [index('twice', hash('sk'))],
    },
    `${INVALID}Duplicate index name: twice`,
  )
  refused(
    'units of an index on an on-demand table are refused',
    { GlobalSecondaryIndexes: [index('global', hash('pk'), { ProvisionedThroughput: units })] },
    `${INVALID}ProvisionedThroughput should not be specified for index: global when BillingMode is PAY_PER_REQUEST`,
  )
  refused(
    'an index without units on a provisioned table is refused',
    {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: units,
      GlobalSecondaryIndexes: [index('global', hash('pk'))],
    },
    `${INVALID}ProvisionedThroughput is not specified for index: global`,
  )

  // Projections

  const projected = (Projection: object | undefined) => ({
    GlobalSecondaryIndexes: [index('global', hash('pk'), { Projection })],
  })
  refused(
    'an index without a projection is refused',
    projected(undefined),
    at('globalSecondaryIndexes.1.member.projection', null, 'not be null'),
  )
  refused(
    'a projection without a type is refused',
    projected({}),
    `${INVALID}Unknown ProjectionType: null`,
  )
  refused(
    'a projection type that does not exist is refused',
    projected({ ProjectionType: 'SOME' }),
    at(
      'globalSecondaryIndexes.1.member.projection.projectionType',
      'SOME',
      'satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]',
    ),
  )
  for (const ProjectionType of ['ALL', 'KEYS_ONLY']) {
    refused(
      `a projection of ${ProjectionType} that names attributes is refused`,
      projected({ ProjectionType, NonKeyAttributes: ['x'] }),
      `${INVALID}ProjectionType is ${ProjectionType}, but NonKeyAttributes is specified`,
    )
  }
  refused(
    'a projection that includes nothing is refused',
    projected({ ProjectionType: 'INCLUDE' }),
    `${INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
  )
  refused(
    'a projection that includes an attribute twice is refused',
    projected({ ProjectionType: 'INCLUDE', NonKeyAttributes: ['x', 'x'] }),
    `${INVALID}Duplicate element in NonKeyAttributes: x`,
  )
  refused(
    'a projection of 21 attributes is refused',
    projected({ ProjectionType: 'INCLUDE', NonKeyAttributes: names(21) }),
    /at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have length less than or equal to 20$/,
  )
  test('a projection of 20 attributes is accepted and described', async (t) => {
    const Projection = { ProjectionType: 'INCLUDE', NonKeyAttributes: names(20) }
    const TableName = await t.table({
      AttributeDefinitions: define('pk'),
      KeySchema: hash('pk'),
      ...projected(Projection),
    })
    const { Table } = await t.send('DescribeTable', { TableName })
    const described = Table.GlobalSecondaryIndexes[0].Projection
    expect(described.ProjectionType).toBe('INCLUDE')
    expect([...described.NonKeyAttributes].sort()).toEqual([...Projection.NonKeyAttributes].sort())
  })

  const including = (count: number, position: number): object =>
    index(`index${position}`, hash('pk'), {
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: names(count) },
    })
  test('projections of 100 attributes in all are accepted', async (t) => {
    await t.table({
      AttributeDefinitions: define('pk'),
      KeySchema: hash('pk'),
      GlobalSecondaryIndexes: [20, 20, 20, 20, 20].map(including),
    })
  })
  test.engineOnly(
    'projections of 101 attributes in all are refused, whatever their names',
    'The text is ours: the one of AWS is not known.',
    async (t) => {
      await t.fails(
        'CreateTable',
        table({ GlobalSecondaryIndexes: [20, 20, 20, 20, 20, 1].map(including) }),
        'ValidationException',
        `${INVALID}Number of NonKeyAttributes in all indexes exceeds the per-table limit of 100`,
      )
    },
  )

  // Global indexes with several key attributes

  test('four partition and four sort attributes are accepted for a global index', async (t) => {
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const KeySchema = [...hash('a', 'b', 'c', 'd'), ...range('e', 'f', 'g', 'h')]
    const TableName = await t.table({
      AttributeDefinitions: define('pk', ...keys),
      KeySchema: hash('pk'),
      GlobalSecondaryIndexes: [index('global', KeySchema)],
    })
    const { Table } = await t.send('DescribeTable', { TableName })
    expect(Table.GlobalSecondaryIndexes[0].KeySchema).toEqual(KeySchema)
  })
  test('two partition attributes and no sort attribute are accepted for a global index', async (t) => {
    await t.table({ ...composite, GlobalSecondaryIndexes: [index('global', hash('sk', 'pk'))] })
  })
  refused(
    'five partition attributes are refused',
    multi([...hash('a', 'b', 'c', 'd', 'e')]),
    `${INVALID}The KeySchema exceeds the maximum allowed number of HASH key attributes`,
  )
  refused(
    'five sort attributes are refused',
    multi([...hash('a'), ...range('b', 'c', 'd', 'e', 'f')]),
    `${INVALID}The KeySchema exceeds the maximum allowed number of RANGE key attributes`,
  )
  refused(
    'nine key attributes are refused',
    multi([...hash('a', 'b', 'c', 'd'), ...range('e', 'f', 'g', 'h', 'i')]),
    /at 'globalSecondaryIndexes.1.member.keySchema' failed to satisfy constraint: Member must have length less than or equal to 8$/,
  )
  refused(
    'a partition attribute behind a sort attribute is refused',
    multi([...hash('a'), ...range('b'), ...hash('c')]),
    `${INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema`,
  )
  refused(
    'a global index that begins with a sort attribute is refused',
    multi([...range('a'), ...hash('b')]),
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  )
  refused(
    'an attribute that comes twice among three is refused',
    {
      AttributeDefinitions: define('pk', 'a', 'b'),
      GlobalSecondaryIndexes: [index('global', [...hash('a', 'b'), ...range('a')])],
    },
    'The KeySchema contains multiple key attributes with the same name',
  )
  refused(
    'an attribute that comes twice among two is refused',
    {
      AttributeDefinitions: define('pk', 'a'),
      GlobalSecondaryIndexes: [index('global', hash('a', 'a'))],
    },
    'Both the Hash Key and the Range Key element in the KeySchema have the same name',
  )

  // Streams, encryption, tags

  refused(
    'a stream without a view type is refused',
    { StreamSpecification: { StreamEnabled: true } },
    `${INVALID}Table is being created with a stream enabled, UpdateViewType is required`,
  )
  refused(
    'a view type without a stream is refused',
    { StreamSpecification: { StreamEnabled: false, StreamViewType: 'NEW_IMAGE' } },
    `${INVALID}Table is being created with a stream disabled, UpdateViewType should not be specified`,
  )
  refused(
    'a view type that does not exist is refused',
    { StreamSpecification: { StreamEnabled: true, StreamViewType: 'ALL' } },
    at(
      'streamSpecification.streamViewType',
      'ALL',
      'satisfy enum value set: [NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES, KEYS_ONLY]',
    ),
  )
  refused(
    'encryption by AES256 is refused',
    { SSESpecification: { Enabled: true, SSEType: 'AES256' } },
    `${INVALID}SSEType AES256 is not supported`,
  )
  refused(
    'a kind of encryption while it is off is refused',
    { SSESpecification: { Enabled: false, SSEType: 'KMS' } },
    `${INVALID}SSEType can not be specified if Enabled is false`,
  )
  refused(
    'a key for encryption while it is off is refused',
    { SSESpecification: { Enabled: false, KMSMasterKeyId: 'alias/mine' } },
    `${INVALID}KMSMasterKeyId can not be specified if Enabled is false`,
  )
  test.engineOnly(
    'a resource policy is refused, because the engine has none',
    'The text is ours: AWS has policies.',
    async (t) => {
      await t.fails(
        'CreateTable',
        table({ ResourcePolicy: '{}' }),
        'ValidationException',
        `${INVALID}ResourcePolicy is not supported by this engine`,
      )
    },
  )
  refused(
    '51 tags are refused',
    { Tags: names(51).map((Key) => ({ Key, Value: '' })) },
    'Number of Tags exceed the current limit for the provided ResourceArn',
  )

  // JSON types

  test('a table name that is a number is not a valid request', async (t) => {
    await t.fails(
      'CreateTable',
      table({ TableName: 7 }),
      'SerializationException',
      'NUMBER_VALUE cannot be converted to String',
    )
  })
  test('a key schema that is a string is not a valid request', async (t) => {
    await t.fails(
      'CreateTable',
      table({ TableName: t.tableName(), KeySchema: 'pk' }),
      'SerializationException',
      'Unexpected field type',
    )
  })
})

function names(count: number): string[] {
  return Array.from({ length: count }, (_, position) => `name${position}`)
}
function locals(count: number): object[] {
  return names(count).map((name) => index(name, composite.KeySchema))
}
function globals(count: number): object[] {
  return names(count).map((name) => index(name, hash('pk')))
}
function multi(KeySchema: readonly object[]): object {
  const used = KeySchema.map((element) => (element as { AttributeName: string }).AttributeName)
  return {
    AttributeDefinitions: define('pk', ...used),
    GlobalSecondaryIndexes: [index('global', KeySchema)],
  }
}
