import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ROOT } from '../architecture/package-manifest.ts'
import { type CliOptions, type CliRun, runCli, showRun } from './run-cli.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__')
const EXAMPLES = ['blog', 'files', 'metrics', 'saas', 'shop', 'social']

let project: string

beforeEach(() => {
  project = mkdtempSync(path.join(tmpdir(), 'singletable-check-'))
})

afterEach(() => rmSync(project, { recursive: true }))

/** Writes a file of the project. */
function write(name: string, content: string): void {
  const file = path.join(project, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
}

function check(parameters: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return runCli(['check', ...parameters], { directory: project, ...options })
}

const text = '{ type: String, required: true }'
const user = `User: { key: { pk: 'USER#\${id}', sk: 'USER' }, attributes: { id: ${text} } }`
/** Refused by the library: the keys of two models meet. */
const meeting = `
  Setting: { key: { pk: 'SET#\${id}', sk: '\${name}' }, attributes: { id: ${text}, name: ${text} } },
  Avatar: { key: { pk: 'SET#\${id}', sk: 'AVATAR' }, attributes: { id: ${text} } },
`

function writeSchema(models: string, more = ''): void {
  write(
    'schema.ts',
    `export const schema = { indexes: { primary: { hash: 'pk', sort: 'sk' } }, models: { ${models} }, ${more} }\n`,
  )
}

describe('on the examples', () => {
  test.each(EXAMPLES)('%s', async (name) => {
    const directory = path.join(ROOT, 'examples', name)
    const run = await runCli(['check', '--run', '--code', '.'], { directory })
    expect(run.code).toBe(0)
    await expect(showRun(['check', '--run', '--code', '.'], run)).toMatchFileSnapshot(
      path.join(GOLDEN, `check-${name}.txt`),
    )
  })

  test.each([1, 3, 4, 5])('the design of reference text %d, with its code', async (number) => {
    const code = `test/kit/designs/code/text-${number}`
    const parameters = ['--schema', `test/kit/designs/text-${number}.ts`, '--code', code]
    const chosen = number === 1 ? [...parameters, '--export', 'TEXT_1'] : parameters
    const run = await check(chosen, { directory: ROOT })
    await expect(showRun(['check', ...chosen], run)).toMatchFileSnapshot(
      path.join(GOLDEN, `check-text-${number}.txt`),
    )
  })

  test('the report in the guide is the report', async () => {
    const schema = ['--schema', 'test/kit/designs/text-1.ts', '--export', 'TEXT_1']
    const run = await check([...schema, '--only', 'K03,P01,H01'], { directory: ROOT })
    const printed = run.printed
      .replaceAll('test/kit/designs/text-1.ts', 'src/schema.ts')
      .replaceAll('test/reference/blog-schema.ts', 'src/models.ts')
    expect(readFileSync(path.join(ROOT, 'docs/check.md'), 'utf8')).toContain(printed)
  })
})

describe('exit codes', () => {
  test('0 without errors, and warnings are reported', async () => {
    writeSchema(`Metric: { key: { pk: 'M#\${id}', sk: '\${id}' }, attributes: { id: ${text} } }`)
    const run = await check([])
    expect(run.code).toBe(0)
    expect(run.printed).toContain('warning  K05')
  })

  test('1 with errors, though the schema can not be used', async () => {
    writeSchema(`${user},${meeting}`)
    const run = await check([])
    expect(run.code).toBe(1)
    expect(run.printed).toContain(
      'error    K01 Setting and Avatar can both be stored at "SET#a" / "AVATAR"; one would overwrite the other.',
    )
    expect(run.complaints).toBe('')
  })

  test.each([
    ['0', 1],
    ['1', 0],
    ['2', 0],
  ])('with --max-warnings %s and one warning: %d', async (max, code) => {
    writeSchema(`Metric: { key: { pk: 'M#\${id}', sk: '\${id}' }, attributes: { id: ${text} } }`)
    const run = await check(['--max-warnings', max, '--only', 'K05'])
    expect(run.code).toBe(code)
    expect(run.complaints).toBe(
      code === 1 ? 'singletable check: there are more warnings than the 0 that are allowed.' : '',
    )
  })

  test.each([
    [['--only', 'K99'], '--only names "K99", which is not a rule'],
    [['--explain', 'X01'], 'There is no rule "X01"'],
    [['--format', 'xml'], '--format is "xml".'],
    [['--preset', 'lax'], '--preset is "lax".'],
    [['--max-warnings', '-1'], '--max-warnings'],
    [['--fixtures', 'a.ts'], '--fixtures are for --run.'],
    [['--budget', '5'], '--budget is for a sample'],
    [['--sample'], 'The name of the table is missing.'],
    [['file.ts'], 'Unexpected argument "file.ts".'],
  ])('2 for %j', async (parameters, message) => {
    writeSchema(user)
    const run = await check(parameters)
    expect(run.code).toBe(2)
    expect(run.complaints).toContain(message)
    expect(run.printed).toBe('')
  })

  test.each([
    [['--schema', 'no.ts'], 'There is no file "no.ts".'],
    [['--recording', 'no.json'], 'The file or directory does not exist'],
    [['--recording', 'schema.ts'], "The recording can't be used: it is not valid JSON"],
    [['--code', 'no'], 'There is no such directory.'],
    [['--before', 'no.json'], "can't be read"],
    [['--run', '--fixtures', 'no.ts'], 'There is no such file.'],
  ])('3 for %j', async (parameters, message) => {
    writeSchema(user)
    const run = await check(parameters)
    expect(run.code).toBe(3)
    expect(run.complaints).toContain(message)
  })
})

describe('what else is looked at', () => {
  test('code of several directories, with paths from the project', async () => {
    writeSchema(user)
    const scan = `import { ScanCommand } from '@aws-sdk/client-dynamodb'\nnew ScanCommand({ TableName: 'T' })\n`
    write('src/a.ts', scan)
    write('jobs/nightly/b.ts', `// singletable-check P03: reads everything\n${scan}`)
    write('jobs/broken.ts', 'const = 7')
    const run = await check(['--code', 'src', '--code', './jobs', '--only', 'P03'])
    expect(run.printed).toContain('file src/a.ts')
    expect(run.printed).toContain('file jobs/nightly/b.ts')
    expect(run.complaints).toMatch(/^singletable check: jobs\/broken\.ts does not parse/)
  })

  test('a comment with a reason keeps a line quiet', async () => {
    writeSchema(user)
    write(
      'src/a.ts',
      `import { ScanCommand } from '@aws-sdk/client-dynamodb'\n// singletable-check P03: nightly\nnew ScanCommand({ TableName: 'T' })\n`,
    )
    const run = await check(['--code', 'src', '--only', 'P03'])
    expect(run.printed).toBe('nothing found, 1 suppressed (1 of 76 rules ran)')
  })

  test('the patterns, by running them', async () => {
    writeSchema(user, `patterns: { getUser: { op: 'get', entity: 'User', by: ['id'] } }`)
    const run = await check(['--run', '--only', 'P16'])
    expect(run.printed).toMatch(
      /^run: 1 pattern passed in \d+ runs on \d+ items in 0 ms \(seed 1\)\n\nnothing found \(1 of 76/,
    )
    const json = JSON.parse((await check(['--run', '--only', 'P16', '--json'])).printed)
    expect(json.exercise.patterns).toMatchObject([{ pattern: 'getUser', failures: [] }])
  })

  test('the schema as it was', async () => {
    writeSchema(user)
    write(
      'old.ts',
      readFileSync(path.join(project, 'schema.ts'), 'utf8').replace(
        "'USER#${id}'",
        "'PERSON#${id}'",
      ),
    )
    const run = await check(['--before', 'old.ts', '--only', 'M01'])
    expect(run.code).toBe(1)
    expect(run.printed).toContain('M01')
  })

  test('items of a table', async () => {
    writeSchema(user)
    const engine = await tableWithOrphan()
    const run = await check(['--sample', '--table', 'Things', '--only', 'D01,K14'], {
      transport: engine,
    })
    await engine.close()
    expect(run.printed).toContain('D01')
    expect(run.printed).toContain('K14')
  })

  test('a recording', async () => {
    writeSchema(user, `patterns: { getUser: { op: 'get', entity: 'User', by: ['id'] } }`)
    write('recording.json', JSON.stringify({ format: 'singletable-recording:1', shapes: [] }))
    const run = await check(['--recording', 'recording.json', '--only', 'P05'])
    expect(run.printed).toContain('P05 getUser was never run')
  })

  test('--docs without a document says so', async () => {
    writeSchema(user)
    const run = await check(['--docs', '--only', 'P17'])
    expect([run.code, run.complaints]).toEqual([
      0,
      'singletable check: there is no document to compare with; singletable docs writes one.',
    ])
  })
})

describe('what is printed', () => {
  test('--json and --format json are the same', async () => {
    writeSchema(`${user},${meeting}`)
    const run = await check(['--json'])
    expect(run.printed).toBe((await check(['--format', 'json'])).printed)
    expect(JSON.parse(run.printed)).toMatchObject({
      counts: { error: 1 },
      findings: [{ code: 'K01', place: { model: 'Avatar' } }, { code: 'K05' }, { code: 'S01' }],
    })
  })

  test('github and sarif name the file and the line of the schema', async () => {
    writeSchema(`${user},${meeting}`)
    const github = await check(['--format', 'github', '--only', 'K01'])
    expect(github.printed).toMatch(
      /^::error file=schema\.ts,line=\d+,col=\d+,title=K01 key-collision::/,
    )
    const { runs } = JSON.parse((await check(['--format', 'sarif'])).printed)
    const { artifactLocation, region } = runs[0].results[0].locations[0].physicalLocation
    expect(artifactLocation.uri).toBe('schema.ts')
    const lines = readFileSync(path.join(project, 'schema.ts'), 'utf8').split('\n')
    const found = lines[region.startLine - 1]?.slice(region.startColumn - 1)
    expect(found).toMatch(/^[A-Z]\w*: \{ key:/)
  })

  test('each report points to the line of the model, the attribute or the pattern', async () => {
    const source = [
      'export const schema = {',
      "  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } },",
      '  models: {',
      '    User: {',
      "      key: { pk: 'USER#${username}', sk: 'PROFILE' },",
      '      attributes: {',
      '        username: { type: String, required: true },',
      '        bytes: { type: String, maxBytes: 900_000 },',
      '      },',
      '    },',
      '    Avatar: {',
      "      key: { pk: 'USER#${username}', sk: '${section}' },",
      '      attributes: {',
      '        username: { type: String, required: true },',
      '        section: { type: String, required: true },',
      '      },',
      '    },',
      '  },',
      '  patterns: {',
      "    getUser: { op: 'get', entity: 'User', by: ['username'] },",
      "    byBytes: { op: 'query', entity: 'User', by: ['bytes'] },",
      '  },',
      '}',
    ]
    writeFileSync(path.join(project, 'schema.ts'), source.join('\n'))
    const lineOf = (text: string): number => source.findIndex((line) => line.includes(text)) + 1
    const expected = [
      ['K01', lineOf('Avatar: {')],
      ['P01', lineOf('byBytes')],
      ['S03', lineOf('bytes:')],
    ] as const
    const only = ['--only', 'K01,P01,S03']
    const { findings } = JSON.parse((await check(['--json', ...only])).printed)
    const pretty = (await check(only)).printed
    const github = (await check(['--format', 'github', ...only])).printed.split('\n')
    const { results } = JSON.parse((await check(['--format', 'sarif', ...only])).printed).runs[0]
    expect(findings.map((each: { code: string }) => each.code).sort()).toEqual([
      'K01',
      'P01',
      'S03',
    ])
    for (const [code, line] of expected) {
      const { position } = findings.find((each: { code: string }) => each.code === code)
      expect({ code, file: position.file, line: position.line }).toEqual({
        code,
        file: 'schema.ts',
        line,
      })
      expect(pretty).toMatch(new RegExp(`${code} .*\\n.*\\n +at: {2}schema\\.ts:${line}:`))
      expect(github.find((each) => each.includes(`title=${code} `))).toContain(
        `file=schema.ts,line=${line},`,
      )
      const { locations } = results.find((each: { ruleId: string }) => each.ruleId === code)
      expect(locations[0].physicalLocation).toMatchObject({
        artifactLocation: { uri: 'schema.ts' },
        region: { startLine: line },
      })
    }
  })

  test('github prints nothing where nothing is found', async () => {
    writeSchema(user)
    expect((await check(['--format', 'github'])).printed).toBe('')
  })

  test('colours and width on a terminal alone', async () => {
    writeSchema(`${user},${meeting}`)
    const plain = await check([])
    const colored = await check([], { columns: 60 })
    expect(plain.printed).not.toContain('\u001b[')
    expect(colored.printed).toContain('\u001b[31merror')
    const visible = stripVTControlCharacters(colored.printed).split('\n')
    expect(Math.max(...visible.slice(0, 4).map((line) => line.length))).toBeLessThanOrEqual(62)
    expect((await check(['--no-color'], { columns: 60 })).printed).not.toContain('\u001b[')
  })

  test('names of the user can not move the cursor', async () => {
    writeSchema(
      `'A\\u001b[2J': { key: { pk: 'M#\${id}', sk: '\${id}' }, attributes: { id: ${text} } }`,
    )
    const run = await check([])
    expect(run.printed).toContain('K05')
    expect(run.printed).not.toContain('\u001b')
  })

  test('--explain prints one rule, --rules all of them', async () => {
    const explained = await check(['--explain', 'key-collision'])
    expect(explained.printed).toMatch(/^K01 key-collision \(error\)\n/)
    const rules = await check(['--rules'])
    expect(rules.printed.split('\n')).toHaveLength(1 + 76 + 3)
    expect(JSON.parse((await check(['--rules', '--json'])).printed)).toHaveLength(79)
    expect([explained.code, rules.code]).toEqual([0, 0])
  })

  test('help', async () => {
    const run = await check(['--help'])
    expect(run.code).toBe(0)
    await expect(run.printed).toMatchFileSnapshot(path.join(GOLDEN, 'check-help.txt'))
  })
})

/** A table with an item that no model has. */
async function tableWithOrphan(): Promise<Engine> {
  const engine = createEngine()
  await engine.send('CreateTable', {
    TableName: 'Things',
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await engine.send('PutItem', { TableName: 'Things', Item: { pk: { S: 'X#1' }, sk: { S: 'X' } } })
  return engine
}

test('--run fails for patterns that could not be run, unless this many are allowed', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'singletable-unexercised-'))
  writeFileSync(
    path.join(folder, 'schema.ts'),
    `const text = { type: String, required: true }
export const schema = {
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    User: { key: { pk: 'U#\${id}', sk: 'U' }, attributes: { id: text } },
    Odd: { key: { pk: 'O#\${id}', sk: 'O' }, attributes: { id: text, code: { ...text, validate: () => false } } },
  },
  patterns: {
    user: { op: 'get', entity: 'User', by: ['id'] },
    odd: { op: 'get', entity: 'Odd', by: ['id'] },
    addOdd: { op: 'create', entity: 'Odd' },
  },
}
`,
  )
  const check = (...more: readonly string[]) =>
    runCli(['check', '--only', 'P16', ...more], { directory: folder })
  expect(await check('--run')).toMatchObject({
    code: 1,
    complaints: expect.stringContaining(
      '2 patterns could not be run; --allow-unexercised 2 accepts that.',
    ),
  })
  expect(await check('--run', '--allow-unexercised', '1')).toMatchObject({
    code: 1,
    complaints: expect.stringContaining('more than the 1 allowed'),
  })
  expect(await check('--run', '--allow-unexercised', '2')).toMatchObject({ code: 0 })
  // Its name before.
  expect(await check('--run', '--allow-unproved', '2')).toMatchObject({ code: 0 })
  expect(await check('--allow-unexercised', '2')).toMatchObject({
    code: 2,
    complaints: expect.stringContaining('--allow-unexercised is for --run.'),
  })
  rmSync(folder, { recursive: true, force: true })
})

test('a signal ends --run, and nothing is reported', async () => {
  const run = await runCli(['check', '--run'], {
    stops: {
      onSignal(callback) {
        queueMicrotask(() => callback('SIGTERM'))
        return () => {}
      },
      exit: () => {},
    },
  })
  expect(run).toMatchObject({ code: 143, printed: '' })
  expect(run.complaints).toContain('interrupted')
})
