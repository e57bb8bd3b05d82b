import { expect, test } from 'vitest'
import { printPlace } from './print-place.ts'

test.each([
  [{ table: 'Blog', entity: 'Post', verb: 'put' }, 'table "Blog", entity "Post", put()'],
  [
    { table: 'Blog', pattern: 'byAuthor', entity: 'Post', verb: 'query' },
    'table "Blog", pattern "byAuthor", entity "Post", query()',
  ],
  [{ table: 'Blog', pattern: 'byAuthor' }, 'table "Blog", pattern "byAuthor"'],
  [{ table: 'Blog', verb: 'collect(Post, User)' }, 'table "Blog", collect(Post, User)'],
  [{ entity: 'Post', verb: 'where' }, 'entity "Post", where()'],
])('%j is printed as %s', (place, text) => {
  expect(printPlace(place)).toBe(text)
})
