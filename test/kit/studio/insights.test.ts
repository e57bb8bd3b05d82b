import { createHash, createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignatureV4 } from '@smithy/signature-v4'
import { createEngine, type Engine } from 'singletable/engine'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openCloudWatch } from '../../../packages/kit/src/cli/open-cloudwatch.ts'
import type { CloudWatch } from '../../../packages/kit/src/studio/api/cloudwatch.ts'
import { statusOf } from '../../../packages/kit/src/studio/api/read-insights.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { buildPage, openStudio } from './open-studio.ts'
import { expectAccessible } from './violations.ts'

const REGION = 'eu-central-1'
const KEYS = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'a token' }

/** The SDK's signer takes its hash as a class with an optional key. */
class Sha256 {
  readonly #hash: { update(data: Uint8Array): unknown; digest(): Buffer }
  constructor(secret?: string | Uint8Array) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  }
  update(data: Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {}
}

let server: Server
let engine: Engine
/** What CloudWatch was asked. */
let asked: { readonly RuleName: string; readonly [member: string]: unknown }[]
let refusal: { readonly status: number; readonly body: object } | undefined

/** One action of CloudWatch, as AWS JSON 1.0 has it; signatures are compared with the SDK's. */
async function startCloudWatch(): Promise<string> {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { authorization, ...headers } = request.headers as Record<string, string>
    const names = /SignedHeaders=([^,]+)/.exec(authorization ?? '')?.[1]?.split(';') ?? []
    const date = headers['x-amz-date'] ?? ''
    const signer = new SignatureV4({
      ...{ credentials: KEYS, region: REGION, service: 'monitoring', sha256: Sha256 },
      applyChecksum: false,
    } as never)
    const signed = await signer.sign(
      {
        ...{ method: 'POST', protocol: 'http:', path: '/', hostname: '127.0.0.1', body },
        headers: Object.fromEntries(names.map((name) => [name, headers[name] ?? ''])),
      },
      { signingDate: new Date(date.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z')) },
    )
    const isRight =
      signed.headers.authorization === authorization &&
      headers['content-type'] === 'application/x-amz-json-1.0' &&
      headers['x-amz-target'] === 'GraniteServiceVersion20100801.GetInsightRuleReport'
    const question = JSON.parse(body) as (typeof asked)[number]
    asked.push(question)
    const answer = isRight ? refusal : { status: 403, body: { __type: 'SignatureDoesNotMatch' } }
    response.writeHead(answer?.status ?? 200, { 'content-type': 'application/x-amz-json-1.0' })
    response.end(JSON.stringify(answer?.body ?? reportOf(question.RuleName)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function reportOf(rule: string): object {
  if (rule.includes('-PKT-') || rule.includes('-SKT-')) return { Contributors: [] }
  const hot = rule.includes('-SKC-') ? ['USER#ada', 'USER'] : ['USER#ada']
  return {
    KeyLabels: ['PartitionKey', 'SortKey'].slice(0, hot.length),
    AggregationStatistic: 'Sum',
    ...{ AggregateValue: 120.5, ApproximateUniqueCount: 2 },
    Contributors: [
      { Keys: hot, ApproximateAggregateValue: 100, Datapoints: [] },
      { Keys: hot.map(() => 'USER#bob'), ApproximateAggregateValue: 20.5, Datapoints: [] },
    ],
  }
}

const update = (members: object) =>
  engine.send('UpdateContributorInsights', {
    TableName: 'Blog',
    ContributorInsightsAction: 'ENABLE',
    ...members,
  })

/** What the studio has of a table on AWS. */
let connection: () => Promise<{ transport: Engine; isAws: true; cloudWatch?: CloudWatch }>
let open: () => Promise<OpenApp>
beforeEach(async () => {
  engine = createEngine()
  asked = []
  refusal = undefined
  const endpoint = await startCloudWatch()
  connection = async () => {
    const cloudWatch = await openCloudWatch(
      {
        ...{ transport: engine, place: 'AWS', close: async () => {} },
        aws: { region: REGION, credentials: async () => KEYS },
      },
      { AWS_ENDPOINT_URL_CLOUDWATCH: endpoint },
    )
    return { transport: engine, isAws: true, ...(cloudWatch && { cloudWatch }) }
  }
  open = async () => {
    const { transport, ...rest } = await connection()
    return openApp(transport, rest)
  }
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await engine.close()
})

test('keys with most capacity, and those that were throttled, come from the rules of the index', async () => {
  const app = await open()
  await update({})
  const view = await app.call('/api/insights', { index: 'primary', minutes: 60 })
  expect(view).toMatchObject({ state: 'enabled', isThrottledOnly: false, minutes: 60 })
  expect(view.reports.map(({ what, of }) => `${what} ${of}`)).toEqual([
    ...['accessed partition', 'accessed item', 'throttled partition', 'throttled item'],
  ])
  expect(view.reports[0]).toMatchObject({
    ...{ total: 120.5, uniqueCount: 2 },
    contributors: [
      { keys: ['USER#ada'], value: 100 },
      { keys: ['USER#bob'], value: 20.5 },
    ],
  })
  expect(view.reports[1]?.contributors[0]?.keys).toEqual(['USER#ada', 'USER'])
  expect(view.reports[2]?.contributors).toEqual([])
  const [question] = asked
  expect(question).toMatchObject({ Period: 3600, MaxContributorCount: 25 })
  expect(Number(question?.EndTime) - Number(question?.StartTime)).toBe(3600)
  // Credentials stay in the process.
  expect(JSON.stringify([view, app.session])).not.toMatch(/AKID|secret|a token/)
  expect(app.faults).toEqual([])
})

test('an index without rules is not asked for: not enabled, being enabled or disabled', async () => {
  const app = await open()
  const IndexName = 'gsi1'
  const ask = () => app.call('/api/insights', { index: IndexName, minutes: 15 })
  await update({})
  expect(await ask()).toMatchObject({ state: 'disabled', reports: [] })
  const slow = engine.faults.add({ kind: 'transition', ms: 3_600_000 })
  await update({ IndexName })
  expect((await ask()).state).toBe('enabling')
  await update({ IndexName, ContributorInsightsAction: 'DISABLE' })
  expect((await ask()).state).toBe('disabled')
  slow.remove()
  expect(asked).toEqual([])
  await update({ IndexName, ContributorInsightsMode: 'THROTTLED_KEYS' })
  expect(await ask()).toMatchObject({ state: 'enabled', isThrottledOnly: true })
  expect(asked.map(({ RuleName }) => RuleName)).toEqual([
    expect.stringMatching(/-PKT-Blog-gsi1-/),
    expect.stringMatching(/-SKT-Blog-gsi1-/),
  ])
})

test('why Contributor Insights could not be enabled is shown', () => {
  expect(
    statusOf({
      TableName: 'Blog',
      ContributorInsightsStatus: 'FAILED',
      FailureException: { ExceptionDescription: 'too many rules' },
    }),
  ).toMatchObject({ state: 'failed', problem: 'too many rules' })
})

test('what CloudWatch refuses is said with what to do', async () => {
  const app = await open()
  await update({})
  const ask = () => app.refused('/api/insights', { index: 'primary', minutes: 60 })
  refusal = { status: 400, body: { __type: 'com.amazon#AccessDeniedException', Message: 'No.' } }
  expect(await ask()).toMatchObject({
    ...{ code: 'ACCESS_DENIED', what: 'CloudWatch refused the report: No.' },
    fix: 'allow cloudwatch:GetInsightRuleReport to the credentials of the studio',
  })
  refusal = { status: 400, body: { __type: 'ThrottlingException', message: 'Rate exceeded' } }
  expect(await ask()).toMatchObject({ code: 'ThrottlingException', fix: 'try again later' })
  server.closeAllConnections()
  server.close()
  expect((await ask()).code).toBe('NO_ANSWER')
  expect(app.faults).toEqual([])
  for (const minutes of [0, 1441, 1.5, 'x']) {
    expect(await app.refused('/api/insights', { index: 'primary', minutes })).toMatchObject({
      status: 400,
    })
  }
})

test('a table that is not on AWS has none, and asks nobody', async () => {
  const app = await openApp(createEngine())
  const view = await app.call('/api/insights', { index: 'primary', minutes: 60 })
  expect(view.state).toBe('unavailable')
})

test.skipIf(CHROMIUM === undefined)(
  'the page of the reports has no violation of accessibility',
  async () => {
    await buildPage()
    const studio = await openStudio('examples/blog/schema.ts', {
      ...{ count: 5, ...(await connection()) },
    })
    const { TableNames } = await engine.send('ListTables', {})
    const TableName = TableNames[0] ?? ''
    await update({ TableName })
    const browser = await launchChromium()
    const page = await browser.newPage()
    await page.goto(studio.studio.url)
    await page.getByRole('link', { name: 'Heat' }).click()
    await page.getByRole('tab', { name: 'Contributor Insights' }).click()
    await page.getByRole('heading', { name: 'Partitions with most capacity' }).waitFor()
    await page.locator('.heat li', { hasText: 'USER#bob' }).first().waitFor()
    await expectAccessible(page, 'insights')
    await update({ TableName, ContributorInsightsAction: 'DISABLE' })
    await page.getByRole('button', { name: 'last day' }).click()
    await page.getByText('To enable it').waitFor()
    await expectAccessible(page, 'insights-disabled')
    expect(studio.faults).toEqual([])
    await browser.close()
    await studio.close()
  },
)
