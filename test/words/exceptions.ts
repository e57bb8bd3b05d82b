/** Where an unclear word is right after all. `text` is what the place contains, around the word. */
export interface WordException {
  /** A file, or a folder with a slash at its end. */
  readonly path: string
  readonly text: string
  readonly reason: string
}

export const exceptions: readonly WordException[] = []

/** Folders and files that have not been rewritten yet. This list only shrinks. */
export const notConverted: readonly string[] = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  'SECURITY.md',
  'docs/',
  'packages/kit/README.md',
  'packages/kit/src/adopt/',
  'packages/kit/src/check/',
  'packages/kit/src/cli/',
  'packages/kit/src/cost/',
  'packages/kit/src/dev/',
  'packages/kit/src/docs/',
  'packages/kit/src/infra/',
  'packages/kit/src/init/',
  'packages/kit/src/recorder/',
  'packages/kit/src/schema-file/',
  'packages/kit/src/seed/',
  'packages/kit/src/server/',
  'packages/kit/src/source/',
  'packages/kit/src/storage/',
  'packages/kit/src/text/',
  'packages/kit/src/transfer/',
  'packages/singletable/src/aws/',
  'packages/singletable/src/builder/',
  'packages/singletable/src/codecs/',
  'packages/singletable/src/direct/',
  'packages/singletable/src/errors/',
  'packages/singletable/src/execute/',
  'packages/singletable/src/expression/',
  'packages/singletable/src/limits/',
  'packages/singletable/src/offload/',
  'packages/singletable/src/partiql/',
  'packages/singletable/src/plan/',
  'packages/singletable/src/request/',
  'packages/singletable/src/schema/',
  'packages/singletable/src/streams/',
  'packages/singletable/src/telemetry/',
  'packages/singletable/src/template/',
  'packages/singletable/src/tools/',
  'packages/singletable/src/ttl/',
  'packages/singletable/src/values/',
  'packages/singletable/src/wire/',
]
