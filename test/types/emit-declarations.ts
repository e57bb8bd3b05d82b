import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../architecture/package-manifest.ts'

/** Puts the library's declaration files into `folder/singletable`, where programs in the folder can
 * import them: what applications compile against. */
export function emitDeclarations(folder: string): void {
  const { status, stdout, stderr } = spawnSync(
    path.join(ROOT, 'node_modules/.bin/tsc'),
    [
      '-p',
      path.join(ROOT, 'packages/singletable'),
      '--emitDeclarationOnly',
      '--noCheck',
      '--isolatedDeclarations',
      'false',
      '--declarationMap',
      'false',
      '--declarationDir',
      path.join(folder, 'singletable'),
      '--tsBuildInfoFile',
      path.join(folder, 'library.tsbuildinfo'),
    ],
    { encoding: 'utf8', cwd: folder },
  )
  if (status !== 0) throw new Error(`no declarations were made:\n${stdout}${stderr}`)
  mkdirSync(path.join(folder, 'node_modules'))
  symlinkSync(path.join(ROOT, 'node_modules/@types'), path.join(folder, 'node_modules/@types'))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
}
