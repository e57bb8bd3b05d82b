/** Inputs of the corpus that neither the engine nor the library sees so far, and who must refuse them instead. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  ...of('the HTTP server: methods and paths', 'W1', 'W2', 'W3'),
  ...of('the HTTP server: headers of a request', 'W8', 'W9', 'W10', 'W11', 'W28'),
  ...of('the HTTP server: bytes of a body before they are JSON', 'W18', 'W19', 'W20', 'W21'),
  ...of('the HTTP server: compressed bodies', 'W22', 'W23', 'W24', 'W25'),
  ...of('the HTTP server: length of a body', 'W26', 'W27'),
  ...of('the HTTP server: authentication', 'W29', 'W30', 'W31'),
  ...of('Studio: how text is shown', 'S10'),
  ...of('migrations: stored data is compared with what the schema says of keys', 'K26'),
  ...of('tenant scopes: a policy made from the id of a tenant', 'K29'),
  ...of('Studio: filters typed by hand', 'E61'),
  ...of('durable storage: what a restart finds', 'T-24'),
  ...of('the HTTP server and Studio', ...range('H', 1, 24)),
  ...of('collections: items of models that the schema does not have', 'L14'),
  ...of('migrations: items that were written by another version of the schema', 'L15', 'L16'),
  ...of('unique attributes: a guard whose time to live is over', 'L18'),
  ...of('durable storage: files', ...range('F', 1, 20)),
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
