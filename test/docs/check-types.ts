import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../architecture/package-manifest.ts'
import { compileAssertions } from './assertions.ts'
import type { Program } from './find-programs.ts'
import { missingImports, type NameSource } from './missing-imports.ts'

const FOLDER = path.join(ROOT, 'node_modules/.cache/singletable-docs-types')

/** What the compiler has against the programs, as strict as it is with our own code; empty when
 * nothing. */
export function checkTypes(programs: readonly Program[], sources: readonly NameSource[]): string {
  const folder = path.join(FOLDER, String(process.pid))
  mkdirSync(folder, { recursive: true })
  try {
    const files = programs.map((program) => {
      const file = `${program.place.replace(/[^\w.]+/g, '-')}.ts`
      const imports = missingImports(compileAssertions(program.text), sources)
      // On the first line, so that the compiler's line numbers are those of the program.
      writeFileSync(
        path.join(folder, file),
        `${[...imports, 'export {}'].join('; ')}; ${program.text}`,
      )
      return file
    })
    writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
    const configuration = {
      extends: path.join(ROOT, 'tsconfig.json'),
      // Names are imported without knowing which are types.
      compilerOptions: { verbatimModuleSyntax: false },
      files,
      include: [],
    }
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration))
    const compiler = path.join(ROOT, 'node_modules/.bin/tsc')
    const answer = spawnSync(compiler, ['-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return answer.stdout + answer.stderr
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
