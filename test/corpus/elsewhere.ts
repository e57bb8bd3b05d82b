/** Inputs of the corpus that neither the engine nor the library sees, and where they are refused
 * instead: a test, or a part that is still to come. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  ...of('test/wire/raw-http.test.ts', ...range('W', 1, 3), ...range('W', 8, 11)),
  ...of('test/wire/raw-http.test.ts', ...range('W', 18, 25), ...range('W', 27, 31)),
  ...of('test/wire/raw-http.test.ts', ...range('H', 1, 8), 'H19', 'H20'),
  ...of('test/wire/slow-clients.test.ts', 'W26', 'H18'),
  ...of('test/wire/serve.test.ts', 'H21', 'H23'),
  ...of('Studio: how text is shown', 'S10'),
  ...of('migrations: stored data is compared with what the schema says of keys', 'K26'),
  ...of('tenant scopes: a policy made from the id of a tenant', 'K29'),
  ...of('Studio: filters typed by hand', 'E61'),
  ...of('test/storage/reopen.test.ts', 'T-24'),
  ...of('Studio', 'H9', ...range('H', 11, 17), 'H24'),
  ...of('imports', 'H22'),
  ...of('collections: items of models that the schema does not have', 'L14'),
  ...of('migrations: items that were written by another version of the schema', 'L15', 'L16'),
  ...of('unique attributes: a guard whose time to live is over', 'L18'),
  ...of(
    'packages/kit/src/storage/store-folder.test.ts',
    'H10',
    ...range('F', 1, 4),
    'F8',
    'F10',
    'F18',
  ),
  ...of('packages/kit/src/storage/lmdb-storage.test.ts', 'F6', 'F20'),
  ...of('packages/kit/src/storage/failures.test.ts', 'F12'),
  ...of('test/storage/processes.test.ts', 'F11', 'F13', 'F14', 'F15'),
  ...of('bench/storage: how long it takes to open a large file', 'F19'),
  ...of('nothing: LMDB has neither log nor snapshot files', 'F5', 'F7', 'F9'),
  ...of('docs/storage.md: not promised', 'F16', 'F17'),
}

/** How many inputs the corpus has under each letter. */
export const CORPUS_SIZES: Readonly<Record<string, number>> = {
  W: 35,
  J: 20,
  N: 32,
  S: 19,
  B: 16,
  D: 18,
  K: 30,
  P: 14,
  E: 61,
  Q: 31,
  G: 20,
  'T-': 30,
  C: 28,
  H: 24,
  L: 24,
  F: 20,
}

export function range(letter: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${letter}${first + index}`)
}

function of(reason: string, ...ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, reason]))
}
