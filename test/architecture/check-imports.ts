import { isBuiltin } from 'node:module'
import path from 'node:path'
import { importsOf } from './imports-of.ts'
import type { FolderRule, PackageRules } from './rules.ts'
import type { SourceModule } from './source-module.ts'

const DRAWERS = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc'])

/** Sentences on everything in these modules that the rules of their package forbid. */
export function checkImports(
  modules: readonly SourceModule[],
  rules: PackageRules,
): readonly string[] {
  return modules.flatMap((module) => [...checkPlace(module, rules), ...checkModule(module, rules)])
}

function checkPlace(module: SourceModule, rules: PackageRules): readonly string[] {
  const problems: string[] = []
  const parts = module.path.split('/')
  const folder = folderOf(module.path)
  if (folder !== undefined && !Object.hasOwn(rules.folders, folder)) {
    problems.push(`${module.path}: the folder "${folder}" is not in the import table`)
  }
  if (parts.slice(0, -1).some((part) => DRAWERS.has(part))) {
    problems.push(`${module.path}: a function lives with the noun it serves, not in a drawer`)
  }
  if (parts.at(-1) === 'index.ts' && !rules.entries.includes(module.path)) {
    problems.push(`${module.path}: only an entry point of the package may be an index.ts`)
  }
  return problems
}

function checkModule(module: SourceModule, rules: PackageRules): readonly string[] {
  const folder = folderOf(module.path)
  const rule = folder === undefined ? rules.root : rules.folders[folder]
  if (rule === undefined) return []
  return importsOf(module).flatMap(({ specifier, line }) => {
    const place = `${module.path}:${line}`
    if (specifier === undefined) {
      return rules.computedImports.includes(folder ?? '')
        ? []
        : [`${place}: imports a module whose name is computed`]
    }
    if (specifier.startsWith('.')) return checkRelative(module, place, specifier, rule)
    const name = isBuiltin(specifier) ? `node:${specifier.replace(/^node:/, '')}` : specifier
    return rule.packages.some((pattern) => matches(pattern, name))
      ? []
      : [`${place}: ${folder ?? 'the main entry'} may not import ${name}`]
  })
}

function checkRelative(
  module: SourceModule,
  place: string,
  specifier: string,
  rule: FolderRule,
): readonly string[] {
  const target = resolveImport(module.path, specifier)
  if (target.startsWith('..')) return [`${place}: ${specifier} is outside src`]
  const from = folderOf(module.path)
  const to = folderOf(target)
  if (to === undefined) {
    return from === undefined ? [] : [`${place}: ${from} may not import the entry ${target}`]
  }
  if (from === to || rule.folders.includes(to)) return []
  return [`${place}: ${from ?? 'the main entry'} may not import ${to}`]
}

/** The path, relative to src, that a relative specifier names. */
export function resolveImport(from: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier))
}

function folderOf(modulePath: string): string | undefined {
  const slash = modulePath.indexOf('/')
  return slash < 0 ? undefined : modulePath.slice(0, slash)
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
