import { defineSchema, Table, TransportError } from 'singletable'
import { createEngine } from 'singletable/engine'
import { itemSize } from 'singletable/limits'
import { describe, expect, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk' } },
  models: {
    Page: {
      key: { pk: 'PAGE#${id}' },
      attributes: {
        id: { type: String, required: true },
        text: { type: String },
        more: { type: String },
      },
    },
  },
})

const engine = createEngine()
let sent = 0
const client = {
  send: ((operation: never, request: never, options: never) => {
    sent++
    return engine.send(operation, request, options)
  }) as typeof engine.send,
}
const table = new Table({ name: 'pages', schema, client })
await table.create()
const { Page } = table.entities
const LIMIT = 400 * 1024
const empty = itemSize(Page, { id: '1', text: 'x', more: 'x' }).bytes - 2

describe('an item that is too large', () => {
  test('is refused before it is sent, and its largest attributes are named', async () => {
    const room = LIMIT - empty - 10
    await Page.put({ id: '1', text: 'x'.repeat(room), more: 'x'.repeat(10) })
    await Page.put({ id: '1', text: 'x'.repeat(room), more: 'x'.repeat(9) })
    const large = { id: '1', text: 'x'.repeat(room), more: 'x'.repeat(11) }
    const before = sent
    const name = /largest attributes that are written: "text" \d+, "more" 15/
    await expect(Page.put(large)).rejects.toThrow(name)
    await expect(Page.put(large)).rejects.toThrow(TransportError)
    await expect(Page.batchWrite([large])).rejects.toThrow(name)
    await expect(table.transactWrite().addPut(Page.put(large))).rejects.toThrow(name)
    const text = 'x'.repeat(LIMIT)
    await expect(Page.update({ id: '1' }).set({ text })).rejects.toThrow(/"text" 409604/)
    expect(sent).toBe(before)
  })
})
