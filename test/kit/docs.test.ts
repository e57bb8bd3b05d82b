import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEngine } from 'singletable/engine'
import { compileSchema, createTableRequest, type SchemaDefinition } from 'singletable/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { blogSchema } from '../../examples/blog/schema.ts'
import { checkDesign } from '../../packages/kit/src/check/check-design.ts'
import { readDesign } from '../../packages/kit/src/check/design/design.ts'
import {
  DocumentFormatError,
  definitionOf,
  documentJson,
} from '../../packages/kit/src/docs/document-json.ts'
import { PAGE_SCRIPT } from '../../packages/kit/src/docs/page-script.ts'
import { readCommittedDocument } from '../../packages/kit/src/docs/read-committed-document.ts'
import { renderHtml } from '../../packages/kit/src/docs/render-html.ts'
import { renderMarkdown } from '../../packages/kit/src/docs/render-markdown.ts'
import { ROOT } from '../architecture/package-manifest.ts'
import { documentOf, sourcesOf } from './docs/document-of.ts'
import { HOSTILE_TEXT, hostileSchema } from './docs/hostile-schema.ts'
import { runCli } from './run-cli.ts'

const GOLDEN = path.join(import.meta.dirname, '__golden__/docs')
const EXAMPLES = path.join(ROOT, 'examples')
const names = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

let directory: string

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'singletable-docs-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

const BLOG = path.join(EXAMPLES, 'blog/schema.ts')
const run = (...parameters: readonly string[]) =>
  runCli(['docs', '--schema', BLOG, ...parameters], { directory })
const file = (name: string): string => readFileSync(path.join(directory, name), 'utf8')

describe('the document of an example', () => {
  for (const name of names) {
    // `npx vitest run test/kit/docs.test.ts -u` writes it again, to be reviewed like code.
    test(`${name} is up to date`, async () => {
      const folder = path.join(EXAMPLES, name)
      const now = Date.parse('2026-11-01')
      const { printed } = await runCli(['docs', '--out', '-'], { directory: folder, now })
      const document = path.join(folder, 'access-patterns.md')
      await expect(`${printed}\n`).toMatchFileSnapshot(document)
    })
  }

  for (const name of ['blog', 'shop']) {
    test(`${name} is what its golden files say`, async () => {
      const schema = path.join(EXAMPLES, name, 'schema.ts')
      const outputs = ['--out', `${name}.md`, '--html', `${name}.html`]
      const { code } = await runCli(['docs', '--schema', schema, ...outputs], { directory })
      expect(code).toBe(0)
      const { printed } = await runCli(['docs', '--schema', schema, '--json'], { directory })
      for (const end of ['md', 'html']) {
        const golden = path.join(GOLDEN, `${name}.${end}`)
        await expect(file(`${name}.${end}`)).toMatchFileSnapshot(golden)
      }
      await expect(`${printed}\n`).toMatchFileSnapshot(path.join(GOLDEN, `${name}.json`))
    })
  }

  for (const name of names) {
    test(`${name} as data gives its schema back, which plans and is found at fault alike`, async () => {
      const module = await import(`../../examples/${name}/schema.ts`)
      const schema: SchemaDefinition = module[`${name}Schema`]
      const json = JSON.parse(JSON.stringify(documentJson(await sourcesOf(schema))))
      const [before, after] = [readDesign(schema), readDesign(definitionOf(json))]
      expect(after.issues).toEqual([])
      expect([...after.plans]).toEqual([...before.plans])
      const today = '2026-11-16'
      expect(checkDesign(after, { today })).toEqual(checkDesign(before, { today }))
    })
  }

  test('as data has the keys of copies that are written in full', async () => {
    const key = (value: string) => ({ type: String, value })
    const schema: SchemaDefinition = {
      indexes: { primary: { hash: 'pk', sort: 'sk' } },
      models: {
        Order: {
          key: { pk: key('ORDER#${id}'), sk: 'META' },
          attributes: { id: { type: String, required: true } },
          copies: {
            Summary: { key: { pk: key('SUM#${id}'), sk: 'META' }, attributes: ['id'] },
          },
        },
      },
    }
    const json = JSON.parse(JSON.stringify(documentJson(await sourcesOf(schema))))
    const { issues, schema: read } = readDesign(definitionOf(json))
    expect(issues).toEqual([])
    expect([...(read?.models.keys() ?? [])]).toEqual(['Order', 'Summary'])
  })

  test('is the same however often it is made', async () => {
    const [first, second] = [await documentOf(blogSchema), await documentOf(blogSchema)]
    expect(second).toEqual(first)
    expect(renderHtml(second)).toBe(renderHtml(first))
  })

  test('has no number without its basis, and no two anchors of one name', async () => {
    const document = await documentOf(blogSchema)
    const text = renderMarkdown(document)
    const targets = [...text.matchAll(/<a id="([^"]*)">/g)].map(([, id]) => id)
    expect(new Set(targets).size).toBe(targets.length)
    for (const [, target] of text.matchAll(/\]\(#([^)]*)\)/g)) expect(targets).toContain(target)
    for (const pattern of Object.keys(blogSchema.patterns)) {
      expect(targets).toContain(`AP-${pattern}`)
    }
    const cost = text.slice(text.indexOf('## Capacity and cost'), text.indexOf('## Limits check'))
    expect(cost.match(/\\\$[\d.,]+ a month(?!<sup>)/g)).toBeNull()
  })
})

test('the guide names all sections', async () => {
  const guide = readFileSync(path.join(ROOT, 'docs/living-document.md'), 'utf8')
  const [list = ''] = guide.split('## What is in it')[1]?.split('## ') ?? []
  const ids = [...list.matchAll(/^\| `([a-z-]+)`/gm)].map(([, id]) => id)
  expect(ids).toEqual((await documentOf(blogSchema)).sections.map(({ id }) => id))
})

describe('strings of a schema', () => {
  test('stay plain text in Markdown', async () => {
    const text = renderMarkdown(await documentOf(hostileSchema, HOSTILE_TEXT))
    const [origin, ...rest] = text.split('\n')
    expect(origin?.match(/-->/g)).toHaveLength(1)
    const body = rest
      .join('\n')
      .replaceAll(/^(`{3,})\w+\n[\s\S]*?^\1$/gm, '')
      .replaceAll(/\\[!-~]/g, 'x')
      .replaceAll(/`[^`\n]*`/g, '')
    expect(body).not.toMatch(/<(?!\/?(a|sup|sub|br|br\/|code|details|summary)\b)/)
    expect(body).not.toContain('<!--')
    // Every row has the cells of its table.
    for (const [table] of rest.join('\n').matchAll(/(^\|.*\n)+/gm)) {
      const cells = table
        .trimEnd()
        .split('\n')
        .map((row) => row.replaceAll(/\\[\\|]/g, '').split('|').length)
      expect(new Set(cells).size).toBe(1)
    }
    expect(rest.filter((line) => line.startsWith('```')).length % 2).toBe(0)
    expect(rest.filter((line) => /^# heading/.test(line))).toEqual([])
  })

  test('stay plain text in HTML', async () => {
    const page = renderHtml(await documentOf(hostileSchema, HOSTILE_TEXT))
    const html = page.replace(`<script>${PAGE_SCRIPT}</script>`, '')
    expect(html).not.toBe(page)
    expect(html).not.toMatch(/<script|<img|<!--/)
    expect(html).not.toMatch(/\shref="(?!#)/)
    // No quotation mark ends the value of an attribute early.
    for (const [, attributes = ''] of html.matchAll(/<[a-z][a-z0-9]*((?:\s[^<>]*)?)>/g)) {
      expect(attributes.replaceAll(/\s[a-zA-Z-]+(="[^"]*")?/g, '').replace('/', '')).toBe('')
    }
  })
})

describe('docs', () => {
  test('writes the document where projects have it, and says when nothing changed', async () => {
    expect(await run()).toMatchObject({ code: 0, printed: 'wrote docs/access-patterns.md' })
    expect(file('docs/access-patterns.md')).toMatch(/^<!-- Written by [^\n]*\n\n# Blog: access/)
    expect(await run()).toMatchObject({
      code: 0,
      printed: 'docs/access-patterns.md is as it was',
    })
    expect(await run('--check')).toMatchObject({
      code: 0,
      printed: 'docs/access-patterns.md is what docs writes.',
    })
    expect(readdirSync(path.join(directory, 'docs'))).toEqual(['access-patterns.md'])
  })

  test('keeps the name that the document has', async () => {
    await run('--name', 'The <Blog>')
    expect(await run('--check')).toMatchObject({ code: 0 })
    expect(await run()).toMatchObject({ printed: 'docs/access-patterns.md is as it was' })
    expect(file('docs/access-patterns.md')).toContain('# The &lt;Blog&gt;: access patterns')
  })

  test('prints Markdown or data where a dash is asked for', async () => {
    const markdown = await run('--out', '-')
    expect(markdown.printed).toContain('## Access patterns')
    const { printed } = await run('--json')
    expect(JSON.parse(printed)).toMatchObject({ format: 'singletable-docs/1', name: 'Blog' })
    expect(await run('--json', '--out', 'blog.json')).toMatchObject({ code: 0 })
    expect(file('blog.json')).toBe(`${printed}\n`)
    expect(readdirSync(directory)).toEqual(['blog.json'])
  })

  test('--check shows the difference and exits with 1', async () => {
    await run('--out', 'access-patterns.md')
    const text = file('access-patterns.md')
    writeFileSync(
      path.join(directory, 'access-patterns.md'),
      text.replace('**Get user profile**', '**Get user**').replaceAll('\n', '\r\n'),
    )
    const { code, complaints } = await run('--check')
    expect(code).toBe(1)
    expect(complaints).toContain('singletable docs: access-patterns.md is out of date.\n  @@ line ')
    expect(complaints).toMatch(/^ {2}- .*\*\*Get user\*\*/m)
    expect(complaints).toMatch(/^ {2}\+ .*\*\*Get user profile\*\*/m)
    const { printed } = await run('--check', '--json')
    expect(JSON.parse(printed)).toMatchObject({ same: false, files: [{ same: false }] })
    expect(await run('--check', 'other.md')).toMatchObject({
      code: 1,
      complaints: expect.stringContaining('other.md is missing.'),
    })
  })

  test('does not write over what somebody else wrote', async () => {
    mkdirSync(path.join(directory, 'docs'))
    writeFileSync(path.join(directory, 'docs/access-patterns.md'), '# Mine\n')
    const { code, complaints } = await run('--html', 'x.html', '--out', 'docs/access-patterns.md')
    expect(code).toBe(1)
    expect(complaints).toContain('docs/access-patterns.md was not written by this command.')
    expect(file('docs/access-patterns.md')).toBe('# Mine\n')
    expect(readdirSync(directory)).toEqual(['docs'])
  })

  test('--inject writes sections into files of the user, all of them or none', async () => {
    const marked = '# Mine\n\n<!-- singletable:begin prefixes -->\n<!-- singletable:end -->\n'
    writeFileSync(path.join(directory, 'a.md'), marked)
    writeFileSync(path.join(directory, 'b.md'), 'text\n<!-- singletable:begin prefixs -->\n')
    const refused = await run('--inject', 'a.md', 'b.md', 'c.md')
    expect(refused.code).toBe(1)
    expect(refused.complaints).toContain('b.md:2: There is no section "prefixs" (did you mean')
    expect(refused.complaints).toContain('b.md:2: "prefixs" has no end marker.')
    expect(refused.complaints).toContain('c.md: There is no such file.')
    expect(file('a.md')).toBe(marked)
    expect(await run('--check', '--inject', 'a.md')).toMatchObject({ code: 1 })
    expect(await run('--inject', 'a.md')).toMatchObject({ code: 0, printed: 'wrote a.md' })
    expect(file('a.md')).toContain('| `COMMENT#` | `sk` |')
    expect(await run('--check', '--inject', 'a.md')).toMatchObject({ code: 0 })
    expect(readdirSync(directory)).toEqual(['a.md', 'b.md'])
  })

  test('--recording adds which patterns tests ran, and the document says that it does', async () => {
    const shape = {
      operation: 'GetItem',
      index: 'primary',
      key: null,
      filter: null,
      pattern: 'getUser',
      count: 3,
      itemsRead: 3,
      itemsReturned: 3,
    }
    writeFileSync(
      path.join(directory, 'recording.json'),
      JSON.stringify({ format: 'singletable-recording:1', shapes: [shape] }),
    )
    expect(await run('--recording', 'recording.json')).toMatchObject({ code: 0 })
    expect(file('docs/access-patterns.md')).toMatch(/\*\*Tests\*\*: ran 1 of \d+ patterns/)
    expect(file('docs/access-patterns.md')).toMatch(/`getUser`.*\| ✓ \|/)
    expect(await run('--check', '--recording', 'recording.json')).toMatchObject({ code: 0 })
    expect(await run('--check')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining(
        'docs/access-patterns.md shows which patterns tests ran.',
      ),
    })
    // It can't be made again without the recording, so that the check has nothing to compare.
    expect(await readCommittedDocument(readDesign(blogSchema), directory)).toBeUndefined()
    const recording = { shapes: [shape] }
    const committed = await readCommittedDocument(readDesign(blogSchema, { recording }), directory)
    expect(committed?.generated).toBe(committed?.committed)
  })

  test('--before adds what changed since that schema, and the document says that it does', async () => {
    const { code, printed } = await run('--json')
    expect(code).toBe(0)
    const { definition, ...rest } = JSON.parse(printed)
    definition.models.Post.attributes.subtitle = { type: 'String' }
    delete definition.models.Post.attributes.title
    definition.models.User.attributes.name.required = false
    delete definition.patterns.getUser
    definition.patterns.oldUser = { op: 'get', entity: 'User', by: ['username'] }
    definition.patterns.postsByUser.order = 'asc'
    definition.models.Comment.key.sk = 'C#${commentId}'
    writeFileSync(path.join(directory, 'before.json'), JSON.stringify({ ...rest, definition }))
    expect(await run('--before', 'before.json')).toMatchObject({ code: 0 })
    const text = file('docs/access-patterns.md')
    const section = text.slice(text.indexOf('## What changed'), text.indexOf('## When this'))
    for (const change of [
      /\| Entity \| \[User\].* `name` is String, required, it was String/,
      /\| Entity \| \[Post\].* `title` added, String, required<br>`subtitle` removed/,
      /\| Entity \| \[Comment\].* key `sk` is `COMMENT#.*, it was `C#<commentId>`/,
      /\| Pattern \| \[.*\]\(#AP-getUser\) \| added/,
      /\| Pattern \| \[.*\]\(#AP-postsByUser\) \| order is desc, it was asc/,
      /\| Pattern \| Old user \| removed/,
      /`M01` \| error/,
    ]) {
      expect(section).toMatch(change)
    }
    expect(await run('--check', '--before', 'before.json')).toMatchObject({ code: 0 })
    expect(await run('--check')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('says what changed since another schema'),
    })
    expect(await readCommittedDocument(readDesign(blogSchema), directory)).toBeUndefined()
  })

  test('--sample takes sizes from the table, with the day; the document can not be checked then', async () => {
    const engine = createEngine()
    await engine.send('CreateTable', createTableRequest(compileSchema(blogSchema), 'Blog'))
    const options = { directory, transport: engine }
    const table = ['--schema', BLOG, '--table', 'Blog']
    await runCli(['seed', '--count', '50', ...table], options)
    expect(await runCli(['docs', '--sample', ...table], options)).toMatchObject({ code: 0 })
    const text = file('docs/access-patterns.md')
    expect(text).toContain('<sup>s</sup> from a sample of the table, taken on 1970-01-01')
    // What is declared counts more than what is sampled: the tags are not.
    expect(text).toMatch(/\[PostTag\].*<sup>s<\/sup>/)
    expect(await run('--check')).toMatchObject({
      code: 2,
      complaints: expect.stringContaining('was written with a sample of 1970-01-01'),
    })
    expect(await readCommittedDocument(readDesign(blogSchema), directory)).toBeUndefined()
    await engine.close()
  })

  test.each([
    [['x.md'], 'Nothing says what to do with "x.md".'],
    [['--check', 'a.md', 'b.md'], 'There are several files to compare.'],
    [['--check', 'a.md', '--out', 'b.md'], 'Two files are named.'],
    [['--check', '--sample'], 'Every sample is different'],
  ])('%j is refused', async (parameters, message) => {
    const { code, complaints } = await run(...parameters)
    expect(complaints).toContain(message)
    expect(code).toBe(2)
  })
})

describe('the committed document', () => {
  test('is compared by the rule about stale documents', async () => {
    const design = readDesign(blogSchema)
    expect(await readCommittedDocument(design, directory)).toBeUndefined()
    await run('--name', 'Renamed')
    const fresh = await readCommittedDocument(design, directory)
    expect(fresh).toMatchObject({ file: 'docs/access-patterns.md' })
    const findingsOf = (document: typeof fresh) =>
      checkDesign({ ...design, document }, { today: '2026-11-16', only: ['P17'] }).findings
    expect(findingsOf(fresh)).toEqual([])
    const changed: SchemaDefinition = { ...blogSchema, version: '2.0.0' }
    const stale = await readCommittedDocument(readDesign(changed), directory)
    expect(findingsOf(stale)).toMatchObject([{ code: 'P17' }])
  })

  test('that is somebody else’s is left alone', async () => {
    writeFileSync(path.join(directory, 'access-patterns.md'), '# Mine\n')
    expect(await readCommittedDocument(readDesign(blogSchema), directory)).toBeUndefined()
  })
})

test.each([
  [{}, 'Its format is missing'],
  [null, 'Its format is missing'],
  [{ format: 'singletable-docs/2' }, 'Its format is "singletable-docs/2"'],
  [{ format: 'singletable-docs/1' }, 'It has no definition'],
])('%j is not a document', (json, message) => {
  expect(() => definitionOf(json)).toThrow(DocumentFormatError)
  expect(() => definitionOf(json)).toThrow(message)
})

describe('time ranges without an end', () => {
  const schema = `export const sensorSchema = {
    indexes: { primary: { hash: 'pk', sort: 'sk' } },
    models: {
      Reading: {
        key: { pk: 'READING#\${at:day}', sk: '\${at}' },
        attributes: { at: { type: Date, required: true, start: '2026-01-01' } },
        stats: { itemBytes: 2000, perPartition: { average: 10 } },
      },
    },
    patterns: { readings: { op: 'query', entity: 'Reading', by: [], range: 'at' } },
  }`
  const now = Date.parse('2026-03-01T12:00:00Z')
  const later = Date.parse('2026-09-01')
  const DAYS = 60
  const sensors = (at: number, ...parameters: readonly string[]) =>
    runCli([...parameters, '--schema', 'sensors.mjs'], { directory, now: at })

  test('are counted until now, by the document as by plans and bills', async () => {
    writeFileSync(path.join(directory, 'sensors.mjs'), schema)
    const plan = JSON.parse((await sensors(now, 'query', 'readings', '--plan', '--json')).printed)
    const bill = JSON.parse((await sensors(now, 'cost', '--json')).printed)
    // Ten items of 2,000 bytes are 5 steps of 4 KB in each bucket, read eventually.
    expect(plan).toMatchObject({ requests: DAYS, cost: { rru: DAYS * 2.5 } })
    expect(bill.patterns[0].readUnits.value).toBe(DAYS * 2.5)
    await sensors(now, 'docs', '--out', 'doc.md')
    expect(file('doc.md')).toContain(String(DAYS * 2.5))
    expect(file('doc.md')).toContain('counted until 2026-03-01')
    const design = readDesign((await import(path.join(directory, 'sensors.mjs'))).sensorSchema, {
      now,
    })
    expect(design.plans.get('readings')?.cost?.rru).toBe(DAYS * 2.5)
  })

  test('leave a document as it is on a later day, until it is written again', async () => {
    writeFileSync(path.join(directory, 'sensors.mjs'), schema)
    await sensors(now, 'docs', '--out', 'access-patterns.md')
    const before = file('access-patterns.md')
    const check = await sensors(later, 'docs', '--check', '--out', 'access-patterns.md')
    expect(check.code).toBe(0)
    const { sensorSchema } = await import(path.join(directory, 'sensors.mjs'))
    const document = await readCommittedDocument(
      readDesign(sensorSchema, { now: later }),
      directory,
    )
    expect(document?.generated).toBe(document?.committed)
    await sensors(later, 'docs', '--out', 'access-patterns.md')
    expect(file('access-patterns.md')).not.toBe(before)
    expect(file('access-patterns.md')).toContain('counted until 2026-09-01')
  })
})
