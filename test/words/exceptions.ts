/** Where an unclear word is right after all. `text` is what the place contains, around the word. */
export interface WordException {
  /** A file, or a folder with a slash at its end. */
  readonly path: string
  readonly text: string
  readonly reason: string
}

export const exceptions: readonly WordException[] = [
  {
    path: 'packages/kit/src/infra/read-template.ts',
    text: 'Anchors with `<<`',
    reason: 'What YAML calls them.',
  },
  {
    path: 'docs/infra-steps.md',
    text: 'anchors and block scalars',
    reason: 'What YAML calls them.',
  },
  { path: 'docs/dependencies.md', text: 'anchors and', reason: 'What YAML calls them.' },
  { path: 'CHANGELOG.md', text: 'anchors and block scalars', reason: 'What YAML calls them.' },
  { path: 'docs/living-document.md', text: 'the anchor `AP', reason: 'What HTML calls them.' },
  {
    path: 'packages/kit/src/docs/document-style.ts',
    text: 'text-anchor',
    reason: 'What SVG calls it.',
  },
  {
    path: 'packages/kit/src/studio/web/state/save-drawing.ts',
    text: 'text-anchor',
    reason: 'What SVG calls it.',
  },
  { path: 'test/kit/docs.test.ts', text: 'no two anchors', reason: 'What HTML calls them.' },
  {
    path: 'test/kit/infra/template.test.ts',
    text: 'anchors, block',
    reason: 'What YAML calls them.',
  },
  {
    path: 'test/kit/docs-screenshot.test.ts',
    text: 'all Inner Texts',
    reason: 'A method of Playwright.',
  },
  { path: 'test/reference/', text: 'Real-World Example', reason: 'A heading of the reference.' },
  {
    path: 'docs/recipes/latest-version.md',
    text: 'Hello, world',
    reason: 'A value of an example.',
  },
]

/** Folders and files that have not been rewritten yet. This list only shrinks. */
export const notConverted: readonly string[] = []
