import type { Browser, BrowserContext, Page } from 'playwright-core'
import { compileSchema } from 'singletable/tools'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blogSchema } from '../../../examples/blog/schema.ts'
import { tableShape } from '../../../packages/kit/src/infra/table-shape.ts'
import { workbenchModel } from '../../../packages/kit/src/infra/workbench.ts'
import { CHROMIUM, launchChromium } from '../chromium.ts'
import { buildPage, type OpenStudio, openStudio } from './open-studio.ts'
import { expectAccessible } from './violations.ts'

describe.skipIf(CHROMIUM === undefined)('the import of a file in a browser', () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let open: OpenStudio
  beforeAll(async () => {
    await buildPage()
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    open = await openStudio('examples/blog/schema.ts', { count: 20 })
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    page = await context.newPage()
    await page.goto(`${open.studio.url}`)
    await page.getByRole('link', { name: 'Import, export' }).click()
  })
  afterEach(async () => {
    expect(open.faults).toEqual([])
    await context.close()
    await open.close()
  })

  const choose = (name: string, text: string): Promise<void> =>
    page.getByLabel('Drop a file here, or choose one').setInputFiles({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })
  const users = async (): Promise<readonly string[]> => {
    const { Items = [] } = await open.engine.send('Scan', { TableName: 'Studio' })
    return Items.flatMap(({ _type, username }) => (_type?.S === 'User' ? (username?.S ?? []) : []))
  }
  const rows = (count: number): string =>
    `username,name,Email,shoe size\n${Array.from({ length: count }, (_, n) => `row${n},Row ${n},a@b,4${n}\n`).join('')}`

  test('columns are mapped or left out, and items written after a dry run', async () => {
    const before = (await users()).length
    await choose('users.csv', rows(30))
    await page.getByText('rows to be mapped').waitFor()
    expect(await page.getByLabel('Entity of the rows').inputValue()).toBe('User')
    expect(await page.getByLabel('Attribute for username').inputValue()).toBe('username')
    // No attribute is called that, so the reader says what becomes of it.
    const dryRun = page.getByRole('button', { name: 'Dry run' })
    expect(await dryRun.isDisabled()).toBe(true)
    await page.getByText('1 column has no choice yet').waitFor()
    await page.getByLabel('Attribute for shoe size').selectOption('left out')
    await dryRun.click()
    await page.getByText('Dry run: 30 items').waitFor()
    const preview = page.getByRole('region', { name: 'Items to be imported' })
    expect(await preview.locator('tbody tr').count()).toBe(20)
    expect(await preview.locator('tbody tr').first().innerText()).toMatch(
      /2\s+new\s+User\s+USER#row0/,
    )
    expect((await users()).length).toBe(before)
    await page.getByRole('button', { name: 'Import 30 items' }).click()
    await page.getByText('Imported into Studio: 30 items').waitFor()
    expect((await users()).length).toBe(before + 30)
  })

  test('two rows with one key are shown, and nothing can be imported', async () => {
    await choose('users.csv', 'username,name,email\nada,Ada,a@b\nbob,Bob,a@b\nada,Another,a@b\n')
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText('users.csv:2 and 4 give the same key').waitFor()
    expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0)
  })

  test('an import is stopped between parts, and says what was written', async () => {
    const row = (n: number): string => `s${n},${'x'.repeat(700)},a@b\n`
    await choose(
      'users.csv',
      `username,name,email\n${Array.from({ length: 900 }, (_, n) => row(n)).join('')}`,
    )
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText('Dry run: 900 items').waitFor()
    // The second part waits until the button was pressed.
    let parts = 0
    let pass: () => void = () => {}
    const pressed = new Promise<void>((resolve) => {
      pass = resolve
    })
    await page.route('**/api/import', async (route) => {
      parts++
      if (parts === 2) await pressed
      await route.continue()
    })
    await page.getByRole('button', { name: 'Import 900 items' }).click()
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    pass()
    await page.getByText('Stopped; what was written stays').waitFor()
    expect(parts).toBe(2)
    const written = (await users()).filter((each) => each.startsWith('s')).length
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(900)
  })

  test('the mapping and the preview have no violation of accessibility', async () => {
    await choose(
      'users.csv',
      'username,name,email,shoe size\nada,Ada,a@b,40\nbob,Bob,a@b,41\nada,Another,a@b,42\n',
    )
    await page.getByText('1 column has no choice yet').waitFor()
    await expectAccessible(page, 'import-mapping')
    await page.getByLabel('Attribute for shoe size').selectOption('left out')
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByRole('region', { name: 'Items to be imported' }).waitFor()
    await page.getByText('users.csv:2 and 4 give the same key').waitFor()
    await expectAccessible(page, 'import-preview')
  })

  test('a model of Workbench gives its sample items and a schema to copy', async () => {
    const compiled = compileSchema(blogSchema)
    const { Items = [] } = await open.engine.send('Scan', { TableName: 'Studio' })
    const items = Items.slice(0, 5).flatMap((item) => {
      const model = compiled.types.get(item._type?.S ?? '')
      return model ? [{ model, item, output: {} }] : []
    })
    const model = workbenchModel(compiled, tableShape(compiled, 'Blog'), { items })
    await choose('blog.json', JSON.stringify(model, undefined, 2))
    await page.getByText('model of NoSQL Workbench').waitFor()
    await page.getByText('Suggested schema').click()
    await page.getByText('export const schema = defineSchema').waitFor()
    await expectAccessible(page, 'import-workbench')
    await page.getByRole('button', { name: 'Dry run' }).click()
    await page.getByText(`Dry run: ${items.length} items`).waitFor()
    await page.getByText('are there already').waitFor()
  })
})
