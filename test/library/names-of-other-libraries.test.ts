import { defineSchema, Table } from 'singletable'
import { createEngine } from 'singletable/engine'
import { expect, test } from 'vitest'

const schema = defineSchema({
  indexes: { primary: { hash: 'pk', sort: 'sk' } },
  models: {
    Note: {
      key: { pk: 'USER#${user}', sk: 'NOTE#${note}' },
      attributes: {
        user: { type: String, required: true },
        note: { type: String, required: true },
      },
    },
  },
  patterns: { notes: { op: 'query', entity: 'Note', by: ['user'], range: 'note' } },
})

test.each([
  ['gte', 'write from'],
  ['lte', 'write to'],
  ['between', 'write from and to'],
  ['form', 'did you mean "from"'],
])(
  'the bound %s, which other libraries have, is refused with the word for it',
  async (word, fix) => {
    const table = new Table({ name: 'Notes', schema, client: createEngine() })
    const input = { user: 'ada', note: { [word]: 'b' } }
    // The compiler refuses it as well; programs in JavaScript have only the message.
    const failed = (async () => table.patterns.notes(input as never))()
    await expect(failed).rejects.toThrow(fix)
  },
)
