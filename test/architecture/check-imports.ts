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
  const folder = folderOf(module.path, rules)
  if (folder !== undefined && !Object.hasOwn(rules.folders, folder)) {
    problems.push(`${module.path}: the folder "${folder}" is not in the import table`)
  }
  if (folder !== undefined && parts.length > 2 && folder === parts[0]) {
    const isDivided = Object.keys(rules.folders).some((path) => path.startsWith(`${folder}/`))
    if (isDivided) {
      problems.push(`${module.path}: "${folder}/${parts[1]}" is not in the import table`)
    }
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
  const folder = folderOf(module.path, rules)
  const rule = ruleOf(folder, rules)
  if (rule === undefined) return []
  return importsOf(module).flatMap(({ specifier, line }) => {
    const place = `${module.path}:${line}`
    if (specifier === undefined) {
      return rules.computedImports.includes(folder ?? '')
        ? []
        : [`${place}: imports a module whose name is computed`]
    }
    if (specifier.startsWith('.')) return checkRelative(module, place, specifier, rules)
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
  rules: PackageRules,
): readonly string[] {
  const target = resolveImport(module.path, specifier)
  if (target.startsWith('..')) return [`${place}: ${specifier} is outside src`]
  const from = folderOf(module.path, rules)
  const to = folderOf(target, rules)
  if (to === undefined) {
    return from === undefined ? [] : [`${place}: ${from} may not import the entry ${target}`]
  }
  const allowed = ruleOf(from, rules)?.folders ?? []
  const isInside = from !== undefined && outerOf(from) === outerOf(to)
  if (from === to || allowed.includes(to) || (!isInside && allowed.includes(outerOf(to)))) return []
  return [`${place}: ${from ?? 'the main entry'} may not import ${to}`]
}

/** The path, relative to src, that a relative specifier names. */
export function resolveImport(from: string, specifier: string): string {
  return path.posix.normalize(path.posix.join(path.posix.dirname(from), specifier))
}

/** The innermost folder around a module that has a rule; one that has none is named by the
 * outermost. */
function folderOf(modulePath: string, { folders }: PackageRules): string | undefined {
  const parts = modulePath.split('/').slice(0, -1)
  for (let length = parts.length; length > 0; length--) {
    const folder = parts.slice(0, length).join('/')
    if (Object.hasOwn(folders, folder)) return folder
  }
  return parts[0]
}

function ruleOf(
  folder: string | undefined,
  { folders, root }: PackageRules,
): FolderRule | undefined {
  return folder === undefined ? root : folders[folder]
}

function outerOf(folder: string): string {
  return folder.split('/')[0] ?? folder
}

/** Folders of the table that may import each other, directly or through others; undefined if there
 * are none. */
export function findTableCycle({ folders }: PackageRules): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (folder: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder]
    if (done.has(folder)) return undefined
    for (const next of folders[folder]?.folders ?? []) {
      const cycle = visit(next, [...path, folder])
      if (cycle) return cycle
    }
    done.add(folder)
    return undefined
  }
  return Object.keys(folders)
    .map((folder) => visit(folder, []))
    .find((cycle) => cycle !== undefined)
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
