/** A piece of documentation that is a program. */
export interface Program {
  /** File and line, for the name of its test. */
  readonly place: string
  readonly text: string
  /** Whether it is run; otherwise it only has to be well-formed. */
  readonly runs: boolean
}

/**
 * The programs of a Markdown page: a block marked `ts run` starts one, and blocks marked `ts
 * continue` continue with it, so that a guide need not repeat itself. Lines between them are left
 * empty, so that lines are counted as on the page.
 */
export function programsOfPage(file: string, text: string): readonly Program[] {
  const programs: { place: string; text: string; runs: true; end: number }[] = []
  const fence = /^```ts (run|continue)[ \t]*\r?\n([\s\S]*?)^```[ \t]*$/gm
  for (const match of text.matchAll(fence)) {
    const line = lineAt(text, match.index)
    const block = match[2] ?? ''
    const end = line + block.split('\n').length
    const last = programs.at(-1)
    if (match[1] === 'run') {
      programs.push({ place: `${file}:${line}`, text: block, runs: true, end })
    } else if (last !== undefined) {
      last.text += '\n'.repeat(line - last.end + 1) + block
      last.end = end
    } else {
      throw new Error(`${file}:${line} continues a program that was never started`)
    }
  }
  return programs.map(({ place, text: program, runs }) => ({ place, text: program, runs }))
}

/** The `@example`s in the doc comments of a source file. Those that state a result with `// =>` are
 * run. */
export function programsOfSource(file: string, text: string): readonly Program[] {
  const programs: Program[] = []
  for (const comment of text.matchAll(/\/\*\*[\s\S]*?\*\//g)) {
    const lines = comment[0].replace(/^\/\*\*|\*\/$/g, '').split('\n')
    const content = lines.map((line) => line.replace(/^\s*\* ?/, ''))
    for (let start = 0; start < content.length; start++) {
      if (!content[start]?.trimStart().startsWith('@example')) continue
      let end = start + 1
      while (end < content.length && !/^\s*@\w+/.test(content[end] ?? '')) end++
      const program = content.slice(start + 1, end).filter((line) => !line.startsWith('```'))
      programs.push({
        place: `${file}:${lineAt(text, comment.index) + start}`,
        text: `${program.join('\n').trim()}\n`,
        runs: program.some((line) => line.includes('// =>')),
      })
    }
  }
  return programs
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
