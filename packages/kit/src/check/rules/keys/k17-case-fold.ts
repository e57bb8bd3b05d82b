import { modelNamed } from '../../design/design.ts'
import type { Rule } from '../rule.ts'

export const caseFold: Rule = {
  code: 'K17',
  name: 'case-fold',
  severity: 'info',
  source: 'schema',
  title: 'An e-mail address or name in a key is case-sensitive.',
  explanation: `Keys are compared letter by letter. Whoever signs up as Ada@example.com and looks for ada@example.com finds nothing, and can sign up again.

  noted   gsi1sk: 'EMAIL#\${email}'
  right   gsi1sk: 'EMAIL#\${email:lower}'

With :lower all spellings share one key, in writes and reads alike; the attribute itself keeps the spelling. It reports strings in keys whose name is that of an address or a handle (email, slug,
username, handle, login, domain, hostname), without :lower, an enum or a validate.`,
  *check(design) {
    // One name is mostly one thing, in whatever model.
    const reported = new Set<string>()
    for (const { model, keyAttribute, template, index } of design.keys) {
      const attributes = modelNamed(design, model)?.attributes
      for (const part of template?.parts ?? []) {
        if (typeof part === 'string' || part.modifiers.includes('lower')) continue
        const attribute = attributes?.get(part.name)

        if (
          attribute?.type !== String ||
          attribute.enum ||
          attribute.validate ||
          reported.has(part.name)
        )
          continue
        if (!TYPED_NAME.test(part.name)) continue
        reported.add(part.name)
        yield {
          message: `${part.name} is case-sensitive in ${model}.${keyAttribute}; "${example(part.name, 'A')}" and "${example(part.name, 'a')}" are two.`,
          fix: `write \${${part.name}:lower} in the template`,
          place: { model, attribute: part.name, index },
        }
      }
    }
  },
}

const TYPED_NAME =
  /(?:^|_)(?:e?mail|slug|user_?name|handle|login|domain|host_?name)$|(?:E?[mM]ail|Slug|UserName|Username|Handle|Login|Domain|Host[nN]ame)$/

function example(name: string, letter: string): string {
  return /mail$/i.test(name) ? `${letter}@x.org` : `${letter}da`
}
