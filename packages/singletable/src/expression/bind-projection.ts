import { PathCollector } from './paths.ts'
import type { Placeholders } from './placeholders.ts'
import type { ProjectionSyntax } from './syntax.ts'
import type { Projection } from './tree.ts'

/** Puts names in the place of placeholders. From the end of the text, because DynamoDB reports the
 * last problem in it. */
export function bindProjection(syntax: ProjectionSyntax, placeholders: Placeholders): Projection {
  const collector = new PathCollector()
  for (let index = syntax.paths.length - 1; index >= 0; index--) {
    const pathSyntax = syntax.paths[index]
    if (pathSyntax !== undefined) collector.add(placeholders.path(pathSyntax).path)
  }
  return collector.paths.reverse()
}
