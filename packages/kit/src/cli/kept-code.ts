import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import vm from 'node:vm'

/** Each has one or two megabytes. */
export const KEPT_FILES_MAX = 24
const PREFIX = 'code-'

export interface RequireKeptOptions {
  /** Where compiled code is kept; undefined to keep nothing. */
  readonly folder: string | undefined
  /** What the code is used for: only functions that ran are compiled and kept. */
  readonly use: string
}

/**
 * Runs a CommonJS file and returns its exports. What V8 compiled of it is kept when the process
 * ends, and used by the next process with the same `use`, as long as the file stays the same.
 */
export function requireKept(file: string, { folder, use }: RequireKeptOptions): unknown {
  const { size, mtimeMs } = statSync(file)
  const build = [file, size, mtimeMs, process.version, process.arch].join(' ')
  const name = `${PREFIX}${createHash('sha256').update(`${build} ${use}`).digest('hex')}`
  const kept = folder === undefined ? undefined : path.join(folder, name)
  // A run that failed has executed only a part of what others will: what it compiled is used until
  // there is more.
  const partial = kept === undefined ? undefined : `${kept}-partial`
  const whole = kept === undefined ? undefined : read(kept)
  const cachedData = whole ?? (partial === undefined ? undefined : read(partial))
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname']
  // On one line, so that places in errors are those of the file.
  const source = `(function (${parameters.join(', ')}) {${readFileSync(file, 'utf8')}\n})`
  const script = new vm.Script(source, {
    filename: file,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  })
  const isUsed = cachedData !== undefined && !script.cachedDataRejected
  process.once('exit', (code) => {
    const place = code === 0 ? kept : partial
    const isKept = isUsed && (code !== 0 || whole !== undefined)
    if (place !== undefined && !isKept) keep(place, () => script.createCachedData())
  })
  hideLoaderWarning()
  const module = { exports: {} as unknown }
  script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file))
  return module.exports
}

/**
 * With the first import() of the code, Node warns that this way of loading it may change: nothing
 * that a user of the command can act on.
 */
function hideLoaderWarning(): void {
  const { emitWarning } = process
  process.emitWarning = (...parameters: unknown[]) => {
    if (String(parameters[0]).includes('USE_MAIN_CONTEXT_DEFAULT_LOADER')) return
    Reflect.apply(emitWarning, process, parameters)
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

function keep(file: string, makeData: () => Buffer): void {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, makeData(), { mode: 0o600 })
    renameSync(draft, file)
    removeOldest(path.dirname(file))
  } catch {
    // The next run compiles it again.
  }
}

/** Of older builds and rare uses nothing stays for ever. */
function removeOldest(folder: string): void {
  const kept = readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, at: statSync(file).mtimeMs }))
    .sort((a, b) => b.at - a.at)
  for (const { file } of kept.slice(KEPT_FILES_MAX)) rmSync(file, { force: true })
}
