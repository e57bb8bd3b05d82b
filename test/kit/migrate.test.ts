import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Table, type Transport } from 'singletable'
import { expect, test } from 'vitest'
import { Project } from './migrate-project.ts'

async function started(): Promise<Project> {
  const project = new Project()
  project.schema('mail: { type: String }, age: { type: String }')
  expect((await project.run('migrate generate')).code).toBe(0)
  expect((await project.run('table create')).code).toBe(0)
  expect((await project.run('migrate up')).printed).toContain('applied: ')
  await project.put({ id: '1', mail: 'a@x', age: '41' }, { id: '2', mail: 'b@x' })
  return project
}

test('a changed schema becomes a migration, which is shown, tried, applied, verified and undone', async () => {
  const project = await started()
  project.schema(
    'email: { type: String }, age: { type: Number }, plan: { type: String, required: true, default: "free" }',
  )

  const unclear = await project.run('migrate generate email')
  expect(unclear.code).toBe(1)
  expect(unclear.complaints).toContain(
    'User.mail is gone, and User.email is new and stored in the same way',
  )
  expect(unclear.complaints).toContain('--rename User.mail=email, or --remove User.mail')

  const generated = await project.run('migrate generate email --rename User.mail=email')
  expect(generated.printed).toMatchInlineSnapshot(`
    "wrote 19700108T000000Z_email
      expand   User.mail is called email.
      move     User.age was stored as String and is stored as Number.
      expand   User.plan is new and required: items that lack it get a value."
  `)
  expect(project.read('19700108T000000Z_email')).toMatchInlineSnapshot(`
    "import { addAttribute, defineMigration, renameAttribute, retypeAttribute } from 'singletable/migrations'

    export default defineMigration({
      steps: [
        // User.mail is called email.
        renameAttribute('User', 'mail', 'email'),
        // User.plan is new and required: items that lack it get a value.
        addAttribute('User', 'plan', 'free'),
        // User.age was stored as String and is stored as Number.
        retypeAttribute('User', 'age', (value) => Number(value), { back: (value) => String(value), isLossless: true }),
      ],
    })
    "
  `)
  expect((await project.run('migrate lint')).code).toBe(0)

  expect((await project.run('migrate status --exit-code')).code).toBe(2)
  expect((await project.run('migrate plan --rate 1')).printed).toMatchInlineSnapshot(`
    "table "Users": about 3 items: User 2
    19700108T000000Z_email
      renameAttribute(User, mail, email)
      addAttribute(User, plan, free)
      retypeAttribute(User, age)
      about 1 read unit and 2 write units, $<0.01 on demand in us-east-1, 0:03 at this rate"
  `)
  const tried = await project.run('migrate up --dry-run full')
  expect(tried.printed).toContain('would change 2 of 3 items')
  expect(await project.stored()).toContainEqual({ id: '1', mail: 'a@x', age: '41' })

  expect((await project.run('migrate up')).printed).toBe('applied: 19700108T000000Z_email')
  expect(await project.stored()).toEqual(
    expect.arrayContaining([
      { id: '1', email: 'a@x', age: 41, plan: 'free' },
      { id: '2', email: 'b@x', plan: 'free' },
    ]),
  )
  const [, id = ''] = project.migrations()
  // An old program that still runs writes an item without a version.
  expect((await project.run('migrate verify')).printed).toContain(
    `versions:\n  2 ${id}\n0 may have`,
  )
  await project.put({ id: '3', email: 'c@x', plan: 'free' })
  const verified = await project.run('migrate verify')
  expect(verified.code).toBe(0)
  expect(verified.printed).toContain(`versions:\n  2 ${id}\n  1 none\n1 may have an older form`)
  const counted = await project.run('migrate status --items --json')
  expect(JSON.parse(counted.printed)).toMatchObject({
    versions: { [id]: 2, none: 1 },
    uncertain: 1,
  })
  await project.run('delete User id=3 --yes')
  expect((await project.run('migrate status --exit-code')).code).toBe(0)
  expect((await project.run('migrate up')).printed).toBe('nothing to do')

  expect((await project.run('migrate down')).printed).toBe('undone: 19700108T000000Z_email')
  expect(await project.stored()).toEqual(
    expect.arrayContaining([
      { id: '1', mail: 'a@x', age: '41' },
      { id: '2', mail: 'b@x' },
    ]),
  )
  expect((await project.run('migrate status --exit-code')).code).toBe(2)
})

test('what a step removed is kept, given back by migrate down, and forgotten when asked', async () => {
  const project = await started()
  const before = await project.stored()
  project.schema('age: { type: String }')
  await project.run('migrate generate no mail --remove User.mail')
  const [, id = ''] = project.migrations()
  expect((await project.run('migrate up')).code).toBe(0)
  expect(await project.stored()).toContainEqual({ id: '1', age: '41' })
  expect((await project.run('migrate down')).printed).toBe(`undone: ${id}`)
  expect(await project.stored()).toEqual(before)

  expect((await project.run('migrate up')).code).toBe(0)
  expect((await project.run(`migrate forget ${id}`)).printed).toBe(`deleted 2 records of ${id}`)
  expect((await project.run('migrate down')).complaints).toContain(
    'the values of User.mail are gone',
  )
  expect((await project.run('migrate forget none')).complaints).toContain('has no migration "none"')
})

test('without an undo log, what cannot be undone is refused before anything is written', async () => {
  const project = await started()
  project.schema('age: { type: String }')
  await project.run('migrate generate no mail --remove User.mail')
  expect((await project.run('migrate up --no-undo')).code).toBe(0)
  const down = await project.run('migrate down')
  expect(down.code).toBe(1)
  expect(down.complaints).toContain('the values of User.mail are gone')
  expect(await project.stored()).toContainEqual({ id: '1', age: '41' })
})

test('a migration that was changed after it was applied stops everything', async () => {
  const project = await started()
  const [id = ''] = project.migrations()
  const file = path.join(project.directory, 'migrations', id, 'migration.ts')
  writeFileSync(file, `${project.read(id)}\n// a comment changes nothing\n`)
  expect((await project.run('migrate status --exit-code')).code).toBe(0)
  writeFileSync(
    file,
    project
      .read(id)
      .replace('steps: []', "steps: [rekey('User')]")
      .replace('defineMigration', 'defineMigration, rekey'),
  )
  expect((await project.run('migrate status --exit-code')).code).toBe(4)
  const up = await project.run('migrate up')
  expect(up.complaints).toContain('its code was changed after it was applied')
  expect((await project.run(`migrate resolve ${id} --applied --reason reviewed`)).complaints).toBe(
    '',
  )
  expect((await project.run('migrate status --exit-code')).code).toBe(0)
})

test('a failing item is listed, and the migration continues when it is corrected', async () => {
  const project = await started()
  project.schema('mail: { type: String }, age: { type: Number }')
  await project.run('migrate generate age')
  await project.engine.send('PutItem', {
    TableName: 'Users',
    Item: {
      pk: { S: 'USER#3' },
      sk: { S: 'USER' },
      _type: { S: 'User' },
      id: { S: '3' },
      age: { S: 'old' },
    },
  })
  const failed = await project.run('migrate up')
  expect(failed.code).toBe(1)
  expect(failed.complaints).toContain('["USER#3","USER"] "age"')
  expect((await project.run('migrate status --exit-code')).code).toBe(3)
  await project.engine.send('UpdateItem', {
    TableName: 'Users',
    Key: { pk: { S: 'USER#3' }, sk: { S: 'USER' } },
    UpdateExpression: 'SET age = :age',
    ExpressionAttributeValues: { ':age': { S: '90' } },
  })
  expect((await project.run('migrate resume')).code).toBe(0)
  expect(await project.stored()).toContainEqual({ id: '3', age: 90 })
})

test('what only another table can have is refused with the way there', async () => {
  const project = await started()
  const attributes = 'mail: { type: String }, age: { type: String }'
  project.schema(attributes, ", byAge: { type: 'local', hash: 'pk', sort: 'age' }")
  const { code, complaints } = await project.run('migrate generate local')
  expect(code).toBe(1)
  expect(complaints).toContain('no table can change these')
  expect(complaints).toContain('make a new table')
})

async function withPlan(users = 0): Promise<Project> {
  const project = await started()
  for (let id = 0; id < users; id++) {
    await project.engine.send('PutItem', {
      TableName: 'Users',
      Item: {
        pk: { S: `USER#x${id}` },
        sk: { S: 'USER' },
        _type: { S: 'User' },
        id: { S: `x${id}` },
      },
    })
  }
  project.schema(
    'mail: { type: String }, age: { type: String }, plan: { type: String, required: true, default: "free" }',
  )
  await project.run('migrate generate plan')
  return project
}

test('on AWS, a table that cannot be restored is refused, and the journal has the time to restore to', async () => {
  const project = await withPlan()
  const recovery = (PointInTimeRecoveryEnabled: boolean) => ({
    TableName: 'Users',
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled },
  })
  await project.engine.send('UpdateContinuousBackups', recovery(false))
  const refused = await project.run('migrate up --aws')
  expect(refused.code).toBe(1)
  expect(refused.complaints).toContain('point-in-time recovery is off')
  await project.engine.send('UpdateContinuousBackups', recovery(true))
  expect((await project.run('migrate up --aws')).code).toBe(0)
  const { migrations } = JSON.parse((await project.run('migrate status --json')).printed)
  expect(migrations[1].record.restorableTo).toMatch(/^20\d\d-/)

  const allowed = await withPlan()
  await allowed.engine.send('UpdateContinuousBackups', recovery(false))
  expect((await allowed.run('migrate up --aws --no-pitr')).code).toBe(0)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a run in the middle of a page, and resume continues it',
  async (signal, code) => {
    const project = await withPlan(60)
    let callback: ((signal: 'SIGINT' | 'SIGTERM') => void) | undefined
    let updates = 0
    const transport: Transport = {
      send(operation, request, options) {
        if (operation === 'UpdateItem' && ++updates === 3) callback?.(signal)
        return project.engine.send(operation, request, options)
      },
    }
    const stops = {
      onSignal: (each: typeof callback) => {
        callback = each
        return () => {}
      },
      exit() {},
    }
    // At this rate the whole would take minutes.
    const stopped = await project.run('migrate up --rate 1 --segments 1', { transport, stops })
    expect(stopped.code).toBe(code)
    expect(stopped.printed).toContain('is paused; continue with migrate resume')
    const status = await project.run('migrate status')
    expect(status.printed).toContain('pass 1: read 0 items, changed 0')
    expect(status.printed).not.toContain('locked')
    expect((await project.run('migrate resume')).code).toBe(0)
    expect((await project.stored()).filter(({ plan }) => plan === 'free')).toHaveLength(62)
  },
)

test.each([
  ['p', 1],
  ['q', 130],
] as const)(
  'the key %s saves the progress of a run, and resume continues it',
  async (key, code) => {
    const project = await withPlan(60)
    const pressed = new Set<(key: string) => void>()
    const lines: string[] = []
    let updates = 0
    const transport: Transport = {
      send(operation, request, options) {
        if (operation === 'UpdateItem' && ++updates === 3) for (const press of pressed) press(key)
        return project.engine.send(operation, request, options)
      },
    }
    const keys = {
      onKey: (callback: (key: string) => void) => {
        pressed.add(callback)
        return () => void pressed.delete(callback)
      },
    }
    const progress = (line: string) => void lines.push(line)
    const given = { transport, keys, progress }
    const stopped = await project.run('migrate up --rate 1 --segments 1', given)
    expect(stopped.code).toBe(code)
    expect(stopped.printed).toContain('is paused; continue with migrate resume')
    expect(lines[0]).toMatch(/^\[p pause, q quit\] \w+_plan: /)
    expect(pressed.size).toBe(0)
    expect((await project.run('migrate status')).printed).not.toContain('locked')
    expect((await project.run('migrate resume')).code).toBe(0)
    expect((await project.stored()).filter(({ plan }) => plan === 'free')).toHaveLength(62)
  },
)

test('a run that fails leaves the keys of the terminal alone again', async () => {
  const project = await started()
  await project.put({ id: '3', age: 'old' })
  project.schema('mail: { type: String }, age: { type: Number }')
  await project.run('migrate generate age')
  let listening = 0
  let most = 0
  const keys = {
    onKey: () => {
      most = Math.max(most, ++listening)
      return () => void listening--
    },
  }
  expect((await project.run('migrate up', { keys })).code).toBe(1)
  expect([most, listening]).toEqual([1, 0])
})

test('--sample says how many items a dry run reads', async () => {
  const project = await withPlan(110)
  const usual = await project.run('migrate up --dry-run sample')
  expect(usual.printed).toContain('of 100 items that were read')
  const few = await project.run('migrate up --dry-run sample --sample 7')
  expect(few.printed).toContain('of 7 items that were read')
  for (const words of ['--sample 7', '--dry-run full --sample 7']) {
    const { code, complaints } = await project.run(`migrate up ${words}`)
    expect(code).toBe(2)
    expect(complaints).toContain('--sample is only for --dry-run sample')
  }
  const none = await project.run('migrate up --dry-run sample --sample 0')
  expect(none.complaints).toContain('give a whole number from 1 to 100000')
})

test('a second run is refused while one works, and abort marks what was stopped as failed', async () => {
  const project = await withPlan()
  const transport: Transport = {
    async send(operation, request, options) {
      if (operation === 'UpdateItem') {
        const second = await project.run('migrate up')
        expect(second.code).toBe(1)
        expect(second.complaints).toContain('Another process migrates this table')
        const asked = await project.run('migrate pause --no-wait')
        expect(asked.printed).toMatch(/^asked .* to stop$/)
      }
      return project.engine.send(operation, request, options)
    },
  }
  expect((await project.run('migrate up', { transport })).code).toBe(0)
  const stops = {
    onSignal: (each: (signal: 'SIGINT') => void) => {
      each('SIGINT')
      return () => {}
    },
    exit() {},
  }
  const paused = await withPlan()
  expect((await paused.run('migrate up', { stops })).code).toBe(130)
  expect((await paused.run('migrate abort')).code).toBe(0)
  expect((await paused.run('migrate status --exit-code')).code).toBe(3)
  expect((await paused.run('migrate resume')).code).toBe(0)
})

test('abort waits for the process, and says when it came too late', async () => {
  const project = await withPlan()
  let abort: ReturnType<typeof project.run> | undefined
  const transport: Transport = {
    async send(operation, request, options) {
      // Small migrations may end before they see what others ask of them.
      if (operation === 'UpdateItem') abort ??= project.run('migrate abort')
      return project.engine.send(operation, request, options)
    },
  }
  const up = await project.run('migrate up', { transport })
  const { code, printed, complaints } = (await abort) ?? { code: 0, printed: '', complaints: '' }
  expect(complaints).toMatch(/asked .* to stop; waiting for it/)
  const [, last] = project.migrations()
  expect([up.code, code, printed]).toEqual(
    up.code === 0 ? [0, 1, `${last} is applied`] : [1, 0, `${last} is failed`],
  )
  expect((await project.run('migrate abort')).printed).toBe('nothing runs')
})

test('a rate can be a part of the write capacity', async () => {
  const project = await withPlan()
  const transport: Transport = {
    async send(operation, request, options) {
      const response = await project.engine.send(operation, request, options)
      return operation === 'DescribeTable' ? { ...response, Table: {} } : response
    },
  }
  const none = await project.run('migrate up --rate 25%', { transport })
  expect(none.complaints).toContain('neither a provisioned nor a warm write capacity')
  expect((await project.run('migrate up --rate 0%x')).complaints).toContain('--rate is "0%x"')
  expect((await project.run('migrate up --rate 25%')).code).toBe(0)
})

test('values that are to be unique are checked before anything is written', async () => {
  const project = await started()
  await project.put({ id: '3', mail: 'a@x' }, { id: '4', mail: 'b@x' })
  project.schema('mail: { type: String, unique: true }, age: { type: String }')
  await project.run('migrate generate unique mail')
  const violations = [
    '["USER#1","USER"] and ["USER#3","USER"] both need ["UNIQUE#User#mail#a@x"',
    '["USER#2","USER"] and ["USER#4","USER"] both need ["UNIQUE#User#mail#b@x"',
  ]
  const tried = await project.run('migrate up --dry-run full')
  const failed = await project.run('migrate up')
  for (const violation of violations) {
    expect(tried.printed).toContain(violation)
    expect(failed.complaints).toContain(violation)
  }
  expect(failed.complaints).toContain('nothing was written')
  const { Items = [] } = await project.engine.send('Scan', { TableName: 'Users' })
  expect(Items.filter(({ pk }) => pk?.S?.startsWith('UNIQUE'))).toEqual([])
})

test('the items of the command are not seen by the application, nor reported by check', async () => {
  const project = await started()
  const table = new Table({
    name: 'Users',
    schema: {
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        User: {
          key: { pk: 'USER#${id}', sk: 'USER' },
          attributes: { id: { type: String, required: true } },
        },
      },
    },
    client: project.engine,
  })
  expect(await table.entities.User.scan()).toHaveLength(2)
  const { printed } = await project.run('check --sample --json --only D01')
  expect(JSON.parse(printed).findings).toEqual([])
})

const ADDRESS = `Address: {
  key: { pk: 'USER#\${id}', sk: 'ADDRESS' },
  attributes: { id: { type: String, required: true }, street: { type: String }, city: { type: String } },
}`

test('a split and the merge back are generated, applied and undone', async () => {
  const project = new Project()
  const parts = 'street: { type: String }, city: { type: String }'
  const items = async () => {
    const { Items = [] } = await project.engine.send('Scan', { TableName: 'Users' })
    return Items.filter(({ _type }) => _type?.S !== '_kit')
      .map(({ sk, id, street, city }) => `${sk?.S} ${id?.S} ${street?.S} ${city?.S}`)
      .sort()
  }
  project.schema(parts)
  await project.run('migrate generate')
  await project.run('table create')
  await project.run('migrate up')
  await project.put({ id: '1', street: 'A', city: 'B' }, { id: '2' }, { id: '3', city: 'C' })
  const whole = ['USER 1 A B', 'USER 2 undefined undefined', 'USER 3 undefined C']

  project.schema('', '', ADDRESS)
  const unclear = await project.run('migrate generate')
  expect(unclear.code).toBe(1)
  expect(unclear.complaints).toContain(
    'User.street is gone, and the new model Address has street, city.',
  )
  expect(unclear.complaints).toContain('pass --split User=Address, or --remove User.street')
  const split = await project.run('migrate generate split --split User=Address')
  expect(split.printed).toContain('move     Items of Address are made of street, city of User.')
  const [, id = ''] = project.migrations()
  expect(project.read(id)).toMatchInlineSnapshot(`
    "import { defineMigration, splitModel } from 'singletable/migrations'

    export default defineMigration({
      steps: [
        // Items of Address are made of street, city of User.
        splitModel('User', {
          into: ['Address'],
          make: ({ id, street, city }) =>
            street === undefined && city === undefined ? [] : [{ model: 'Address', values: { id, street, city } }],
          remove: ['street', 'city'],
          back: {
            key: ({ id }) => ({ id }),
            merge: (whole, { street, city }) => ({ ...whole, street, city }),
          },
        }),
      ],
    })
    "
  `)
  expect((await project.run('migrate up')).complaints).toBe('')
  const apart = [
    'ADDRESS 1 A B',
    'ADDRESS 3 undefined C',
    'USER 1 undefined undefined',
    'USER 2 undefined undefined',
    'USER 3 undefined undefined',
  ]
  expect(await items()).toEqual(apart)
  expect((await project.run('migrate verify')).code).toBe(0)
  expect((await project.run('migrate down')).complaints).toBe('')
  expect(await items()).toEqual(whole)
  expect((await project.run('migrate up')).complaints).toBe('')

  project.schema(parts)
  const gone = await project.run('migrate generate')
  expect(gone.complaints).toContain('The model Address is gone, and User has its street, city now.')
  expect(gone.complaints).toContain('pass --merge Address=User, or --remove Address')
  await project.run('migrate generate merge --merge Address=User')
  const [, , merge = ''] = project.migrations()
  expect(project.read(merge)).toMatchInlineSnapshot(`
    "import { defineMigration, mergeModel } from 'singletable/migrations'

    export default defineMigration({
      steps: [
        // The model Address is gone: its items become part of those of User.
        mergeModel('Address', {
          into: 'User',
          key: ({ id }) => ({ id }),
          merge: (whole, { street, city }) => ({ ...whole, street, city }),
          adds: ['street', 'city'],
          back: ({ id, street, city }) =>
            street === undefined && city === undefined ? [] : [{ model: 'Address', values: { id, street, city } }],
        }),
      ],
    })
    "
  `)
  expect((await project.run('migrate up')).complaints).toBe('')
  expect(await items()).toEqual(whole)
  expect((await project.run('migrate down')).complaints).toBe('')
  expect(await items()).toEqual(apart)

  const wrong = await project.run('migrate generate --split User=None')
  expect(wrong.complaints).toContain('None is not a model that is new.')
})

test('a split into items with an id of their own asks for it in the file', async () => {
  const project = new Project()
  project.schema('street: { type: String }')
  await project.run('migrate generate')
  project.schema(
    '',
    '',
    `Address: {
      key: { pk: 'USER#\${id}', sk: 'ADDRESS#\${number}' },
      attributes: { id: { type: String, required: true }, number: { type: String }, street: { type: String } },
    }`,
  )
  await project.run('migrate generate split --split User=Address')
  const [, id = ''] = project.migrations()
  expect(project.read(id)).toContain(
    "throw new Error('write here what number of Address is, for each User')",
  )
})

test('a plan for --strict-fencing has the write units that the run consumes', async () => {
  const project = await started()
  project.schema('mail: { type: String }, age: { type: Number }')
  await project.run('migrate generate age')
  expect((await project.run('migrate plan')).printed).toContain(' 2 write units')
  const fenced = await project.run('migrate plan --strict-fencing')
  expect(fenced.printed).toContain(' 8 write units')
  let units = 0
  const transport = {
    async send(operation: string, request: object) {
      const counted = { ...request, ReturnConsumedCapacity: 'TOTAL' }
      const response = (await project.engine.send(
        operation as 'TransactWriteItems',
        counted as never,
      )) as { readonly ConsumedCapacity?: readonly { readonly CapacityUnits?: number }[] }
      if (operation === 'TransactWriteItems') {
        units += response.ConsumedCapacity?.[0]?.CapacityUnits ?? 0
      }
      return response
    },
  } as Transport
  expect((await project.run('migrate up --strict-fencing', { transport })).code).toBe(0)
  // One of the two items has no age, and only gets a version.
  expect(units).toBe(8)
})

test('a migration that changes what guards unique values says so', async () => {
  const project = new Project()
  project.schema('mail: { type: String, unique: true }')
  expect((await project.run('migrate generate')).code).toBe(0)
  expect((await project.run('table create')).code).toBe(0)
  project.schema('email: { type: String, unique: true }, nick: { type: String, unique: true }')
  const generated = await project.run('migrate generate email --rename User.mail=email')
  expect(generated.printed).toContain('Older programs do not see which values are taken')
  const note =
    'Guards under "UNIQUE#User#mail" move to "UNIQUE#User#email". Replace programs without upgradeOnRead first: they would not see which values are taken.'
  const lint = await project.run('migrate lint')
  expect(lint).toMatchObject({ code: 0 })
  expect(lint.printed).toContain(note)
  expect((await project.run('migrate plan')).printed).toContain(note)
  project.schema(
    'email: { type: String, unique: "ignore-case" }, nick: { type: String, unique: true }',
  )
  await project.run('migrate generate case')
  expect((await project.run('migrate lint')).printed).toContain(
    'so that upgradeOnRead refuses it: its guards are made of other text.',
  )
})
