import type { IndexDefinition } from 'singletable/tools'
import { listNames } from '../../../text/list-names.ts'
import type { IndexUse } from '../../design/design-model.ts'
import type { Rule } from '../rule.ts'

export const mergeable: Rule = {
  code: 'I03',
  name: 'mergeable',
  severity: 'info',
  source: 'schema',
  title: 'Two indexes hold different models and could be one.',
  explanation: `An index is a pair of key attributes and a projection; what is in the keys is up to each model. Two global indexes that no model shares, with
the same projection, can be one: an overloaded index.

  wrong   indexes: { byEmail: { hash: 'emailPk', sort: 'emailSk' }, byTag: { hash: 'tagPk', sort: 'tagSk' } }
          User: { index: { emailPk: 'EMAIL#\${email}', emailSk: 'USER' } }
          Tag:  { index: { tagPk: 'TAG#\${tag}', tagSk: 'POST#\${postId}' } }
  right   indexes: { gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' } }
          User: { index: { gsi1pk: 'EMAIL#\${email}', gsi1sk: 'USER' } }
          Tag:  { index: { gsi1pk: 'TAG#\${tag}', gsi1sk: 'POST#\${postId}' } }

It costs the same: an index is paid for by what is written into it. What you gain is room, because a table has 20 global indexes, and fewer of them to watch; with
provisioned capacity also one capacity in place of two. What you lose is that the index's name says what it is for. Both are good designs.`,
  *check(design) {
    const { indexes } = design.definition
    const uses = design.uses
    const candidates = Object.entries<IndexDefinition>(indexes ?? {})
      .map(([name, index]) => ({ name, index, uses: uses.filter((use) => use.index === name) }))
      .filter(({ name, index, uses: own }) => name !== 'primary' && isOwn(index, own))
    const reported = new Set<string>()
    for (const [at, second] of candidates.entries()) {
      const first = candidates
        .slice(0, at)
        .find((each) => !reported.has(each.name) && canShare(each, second))
      if (first === undefined) continue
      reported.add(second.name)
      yield {
        message: `${first.name} and ${second.name} could share one overloaded index: ${modelsOf(first.uses)} ${first.uses.length === 1 ? 'is' : 'are'} in the one, ${modelsOf(second.uses)} in the other.`,
        fix: `write the keys of ${modelsOf(second.uses)} as ${keysOf(first.index).join(' and ')}, or keep both for clarity: it costs the same`,
        place: { index: second.name },
      }
    }
  },
}

interface Candidate {
  readonly name: string
  readonly index: IndexDefinition
  readonly uses: readonly IndexUse[]
}

/** A global index with one text in each role that only templates fill; an inverted index has no
 * keys of its own. */
function isOwn({ type, hash, sort }: IndexDefinition, uses: readonly IndexUse[]): boolean {
  const keys = uses.flatMap((use) => [...use.hash, ...use.sort])
  return (
    type !== 'local' &&
    typeof hash === 'string' &&
    typeof sort === 'string' &&
    uses.length > 0 &&
    keys.every(({ template }) => template !== undefined) &&
    uses.every(
      ({ definition }) =>
        !Object.hasOwn(definition.key ?? {}, hash) && !Object.hasOwn(definition.key ?? {}, sort),
    )
  )
}

function canShare(first: Candidate, second: Candidate): boolean {
  const models = new Set(first.uses.map(({ model }) => model))
  return (
    JSON.stringify(first.index.project ?? 'all') ===
      JSON.stringify(second.index.project ?? 'all') &&
    second.uses.every(({ model }) => !models.has(model))
  )
}

function keysOf({ hash, sort }: IndexDefinition): readonly string[] {
  return [hash, sort ?? []].flat()
}

function modelsOf(uses: readonly IndexUse[]): string {
  return listNames(uses.map(({ model }) => model))
}
