import type { FileView, WorkbenchView } from '../../api/contract.ts'
import { CallError, call } from './api.ts'
import { splitRecords } from './split-records.ts'

/** Models are read as a whole; those of AWS have less than 1 MB. */
export const MODEL_BYTES_MAX = 10 * 1024 * 1024

/** What a file has: a model of Workbench, or records. */
export type FileContents =
  | { readonly kind: 'model'; readonly tables: readonly WorkbenchView[] }
  | { readonly kind: 'records'; readonly format: 'csv' | 'json'; readonly view: FileView }

/** Looks at the beginning of a file; of a model of Workbench at all of it. */
export async function readImportFile(file: File): Promise<FileContents> {
  const model = /\.json$/i.test(file.name) ? await readModel(file) : undefined
  if (model !== undefined) {
    // Sent as parsed: without the spaces of the file it is a third of its size.
    try {
      const { tables } = await call('/api/workbench', { name: file.name, model })
      return { kind: 'model', tables }
    } catch (error) {
      throw error instanceof CallError && error.status === 413 ? tooLarge(file.name) : error
    }
  }
  const format = /\.csv$/i.test(file.name) ? 'csv' : 'json'
  for await (const part of splitRecords(textOf(file), format === 'csv')) {
    return {
      kind: 'records',
      format,
      view: await call('/api/file', { name: file.name, format, ...part }),
    }
  }
  throw new CallError(
    { code: 'FILE_EMPTY', what: `${file.name} is empty.`, where: null, fix: 'choose another file' },
    0,
  )
}

/** The text of a file, while it is read. */
export async function* textOf(file: File): AsyncGenerator<string, void, undefined> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

/** A model of Workbench; undefined if the file is anything else. */
async function readModel(file: File): Promise<object | undefined> {
  const isModel = /"DataModel"\s*:/.test(await file.slice(0, 100_000).text())
  if (!isModel) return undefined
  if (file.size > MODEL_BYTES_MAX) throw tooLarge(file.name)
  try {
    const model: unknown = JSON.parse(await file.text())
    return typeof model === 'object' && model !== null ? model : undefined
  } catch {
    return undefined
  }
}

function tooLarge(name: string): CallError {
  return new CallError(
    {
      code: 'MODEL_LARGE',
      what: `The model in ${name} is larger than the studio reads, which is 1 MB.`,
      where: null,
      fix: `run singletable infra workbench --import ${name} for its schema`,
    },
    413,
  )
}
