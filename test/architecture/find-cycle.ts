import { resolveImport } from './check-imports.ts'
import { importsOf } from './imports-of.ts'
import type { SourceModule } from './source-module.ts'

/** The modules of one import cycle, the first repeated at the end; `undefined` when there is none.
 * Types count too. */
export function findCycle(modules: readonly SourceModule[]): readonly string[] | undefined {
  const targets = new Map(
    modules.map((module) => [
      module.path,
      importsOf(module).flatMap(({ specifier }) =>
        specifier?.startsWith('.') ? [resolveImport(module.path, specifier)] : [],
      ),
    ]),
  )
  const finished = new Set<string>()
  const trail: string[] = []
  const follow = (modulePath: string): readonly string[] | undefined => {
    const start = trail.indexOf(modulePath)
    if (start >= 0) return [...trail.slice(start), modulePath]
    if (finished.has(modulePath)) return undefined
    trail.push(modulePath)
    for (const target of targets.get(modulePath) ?? []) {
      const cycle = follow(target)
      if (cycle !== undefined) return cycle
    }
    trail.pop()
    finished.add(modulePath)
    return undefined
  }
  for (const { path } of modules) {
    const cycle = follow(path)
    if (cycle !== undefined) return cycle
  }
  return undefined
}
