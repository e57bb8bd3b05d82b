import ts from 'typescript-5-9'

/** The language service of TypeScript 5.9 for one file, whose text may change between questions. */
export function createService(
  folder: string,
  file: string,
  text: () => string,
): ts.LanguageService {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    types: ['node'],
  }
  return ts.createLanguageService({
    getScriptFileNames: () => [file],
    // The text of the file is also its version.
    getScriptVersion: (name) => (name === file ? text() : '1'),
    getScriptSnapshot(name) {
      const found = name === file ? text() : ts.sys.readFile(name)
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found)
    },
    getCurrentDirectory: () => folder,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  })
}
