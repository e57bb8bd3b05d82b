import type { Item, Table } from 'singletable'
import type { filesSchema } from './schema.ts'

type Schema = typeof filesSchema
export type File = Item<Schema, 'File'>

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '')

/** The access patterns of a disk. */
export function createFiles(table: Table<Schema>, disk: string) {
  const { File, Version } = table.entities
  /** A folder with all that is below it. */
  const below = (folder: string) => {
    const names = namesOf(folder)
    const all = File.query({ disk })
    return names.length === 0 ? all : all.where((attr, op) => op.beginsWith(attr.path, names))
  }

  return {
    /** The file and its first version. */
    async create(path: string, author: string, content: string): Promise<void> {
      await table
        .transactWrite()
        .addPut(File.create({ disk, path: namesOf(path), fileId: path, content }))
        .addPut(Version.create({ fileId: path, version: 1, author, content }))
    },

    /** Of the file as it was read: refused if somebody has saved it since. The file and the version
     * are written together. */
    async save(file: File, author: string, content: string): Promise<void> {
      const { fileId, version = 0 } = file
      await table
        .transactWrite()
        .addUpdate(
          File.update({ disk, path: file.path })
            .set({ content })
            .where((attr, op) => op.eq(attr.version, version)),
        )
        .addPut(Version.create({ fileId, version: version + 1, author, content }))
    },

    open: (path: string) => File.get({ disk, path: namesOf(path) }),

    everythingIn: (folder: string) => below(folder),

    /** What is in the folder itself. */
    list: (folder: string) =>
      below(folder).where((attr, op) => op.size(attr.path).eq(namesOf(folder).length + 1)),

    /** The newest version, without knowing its number. */
    latest: (fileId: string) => Version.query({ fileId }).first(),

    history: (fileId: string) => Version.query({ fileId }),

    versionOf: (fileId: string, version: number) => Version.get({ fileId, version }),

    /** A path is the key: the item moves, in one transaction. */
    move: (from: string, to: string) =>
      File.update({ disk, path: namesOf(from) }).set({ path: namesOf(to) }),
  }
}
