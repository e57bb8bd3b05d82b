import fc from 'fast-check'
import {
  compileSchema,
  type Model,
  primaryTemplates,
  type SchemaDefinition,
} from 'singletable/tools'
import { expect, test } from 'vitest'
import { compareTemplates } from './compare-templates.ts'

/** Two placeholders and what is around them, in two versions of a template. */
const placeholder = fc.constantFrom(
  '${text}',
  '${text:lower}',
  '${other}',
  '${word}',
  '${count:pad(4)}',
  '${count:pad(6)}',
  '${count:pad(6):desc}',
  '${at}',
  '${at:day}',
  '${at:desc}',
  '${free}',
)
const template = fc
  .tuple(fc.constantFrom('A#', 'B#', ''), placeholder, fc.option(placeholder))
  .map(([head, first, second]) => `${head}${first}${second === null ? '' : `#${second}`}`)

function modelWith(pk: string): Model | undefined {
  const definition: SchemaDefinition = {
    indexes: { primary: { hash: 'pk' } },
    models: {
      Thing: {
        key: { pk },
        attributes: {
          text: { type: String },
          other: { type: String },
          word: { type: String, enum: ['on', 'off'] },
          count: { type: Number },
          at: { type: Date },
          free: { type: String, encode: true },
        },
      },
    },
  }
  try {
    return compileSchema(definition).models.get('Thing')
  } catch {
    // Such as the same attribute twice in a way that can't be taken apart.
    return undefined
  }
}

const VALUES = fc.record({
  text: fc.constantFrom('a', 'B', 'ß', 'x$y'),
  other: fc.constantFrom('a', 'c', 'D'),
  word: fc.constantFrom('on', 'off'),
  count: fc.nat(9999),
  at: fc.date({
    min: new Date('2020-01-01'),
    max: new Date('2030-01-01'),
    noInvalidDate: true,
  }),
  free: fc.constantFrom('a', 'B', 'x$y'),
})

test('templates that are the same make the same keys, and changed ones make others of some values', () => {
  fc.assert(
    fc.property(
      template,
      template,
      fc.array(VALUES, { minLength: 40, maxLength: 40 }),
      (one, other, samples) => {
        const [before, now] = [modelWith(one), modelWith(other)]
        if (before === undefined || now === undefined) return
        const [first] = primaryTemplates(before.primary)
        const [second] = primaryTemplates(now.primary)
        if (first === undefined || second === undefined) throw new Error('no template')
        const change = compareTemplates(
          { template: first.template, model: before },
          { template: second.template, model: now },
        )
        const differs = samples.some(
          (values) => first.template.render(values) !== second.template.render(values),
        )
        if (one === other) expect(change).toBe('same')
        if (change === 'same') expect(differs).toBe(false)
        if (change === 'changed') expect(differs).toBe(true)
      },
    ),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
  )
})
