import type { SchemaDefinition } from 'singletable/tools'

/** What tries to be more than text in Markdown, HTML, Mermaid or a comment. */
export const HOSTILE_TEXT =
  '<script>alert(1)</script> | `code` "quote" \'single\' ]( [x](javascript:alert(1)) <!-- singletable:end --> --> ``` ~~~ $x$ **b** _i_ \\ & <img src=x onerror=alert(1)>\n# heading\n\n- list\r\nend %% }} ;'

const NAME = 'A|`"]<b>\'&\\#;--> x'

/** A schema all of whose strings are hostile. */
export const hostileSchema: SchemaDefinition = {
  version: HOSTILE_TEXT,
  indexes: {
    primary: { hash: 'p`|k', sort: '<sk>' },
    'g.i': { hash: 'g"pk', sort: "g'sk", project: ['<a>', 'b|`'] },
  },
  models: {
    [NAME]: {
      key: { 'p`|k': 'U|`<x>"${id}', '<sk>': '-->|`${id}' },
      index: { 'g"pk': '`${text}', "g'sk": '|${id}' },
      attributes: {
        id: { type: String, required: true },
        '<a>': { type: String, default: HOSTILE_TEXT },
        'b|`': { type: String, validate: /`|<\/code>|-->/ },
        text: { type: String, required: true },
        kind: { type: String, enum: ['a|b', '</td>', '`'] },
        seen: { type: Number, counts: 'Other "]' },
      },
      stats: { count: 10, itemBytes: 500, growth: 'unbounded' },
    },
    'Other "]': {
      key: { 'p`|k': 'U|`<x>"${id}', '<sk>': '~OTHER|${other}' },
      attributes: {
        id: { type: String, required: true },
        other: { type: String, required: true },
        name: { type: String, copyOf: `${NAME}.text` },
      },
      copies: { 'C<op>y|': { key: { 'p`|k': 'C`|${other}', '<sk>': '|${id}' } } },
    },
  },
  patterns: {
    'get|<it>`': {
      op: 'get',
      entity: NAME,
      by: ['id'],
      title: HOSTILE_TEXT,
      note: HOSTILE_TEXT,
      owner: HOSTILE_TEXT,
    },
    all: {
      op: 'query',
      entity: NAME,
      by: ['id'],
      filter: { 'b|`': '$x|`', '<a>': HOSTILE_TEXT },
      expect: { rps: 3 },
    },
    write: { op: 'create', entity: 'Other "]' },
    gone: { op: 'external', service: HOSTILE_TEXT, reason: HOSTILE_TEXT },
    later: { op: 'get', entity: NAME, by: ['id'], status: 'planned', title: '1. one' },
    sweep: { op: 'scan', reason: HOSTILE_TEXT, status: 'deprecated', title: '- item' },
  },
  lint: { H01: { off: HOSTILE_TEXT, until: '2099-01-01', at: HOSTILE_TEXT } },
  table: { tags: { '<b>': HOSTILE_TEXT } },
}
