import { checkPathAgainst } from './paths.ts'
import type { Placeholders } from './placeholders.ts'
import type { ProjectionSyntax } from './syntax.ts'
import type { Path, Projection } from './tree.ts'

/** Puts names in the place of placeholders. From the end of the text, because DynamoDB reports the last problem in it. */
export function bindProjection(syntax: ProjectionSyntax, placeholders: Placeholders): Projection {
  const paths: Path[] = []
  for (let index = syntax.paths.length - 1; index >= 0; index--) {
    const pathSyntax = syntax.paths[index]
    if (pathSyntax === undefined) continue
    const { path } = placeholders.path(pathSyntax)
    checkPathAgainst(path, paths)
    paths.push(path)
  }
  return paths.reverse()
}
