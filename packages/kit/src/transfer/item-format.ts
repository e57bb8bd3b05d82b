import type { Item } from 'singletable/tools'

/** One item of a file and where it begins. */
export interface FileRecord {
  readonly item: Item
  /** The line, from 1 on. */
  readonly line: number
}

/** How items are written in a file. */
export interface ItemFormat {
  readonly name: 'json' | 'csv' | 'raw csv'
  /** What the file begins with; empty if with the first item. */
  readonly header: string
  print(item: Item): string
  /** Takes the items out of the text of a file, or of a part of it after some lines; `file` is for
   * messages. */
  read(
    chunks: AsyncIterable<string>,
    file: string,
    linesBefore?: number,
  ): AsyncGenerator<FileRecord, void, undefined>
  /** What the items printed so far would lose on the way back, or show otherwise than they are;
   * sentences for the user. */
  notes(): readonly string[]
}

/** Longer records can't be items: those have 400 KB, and no form of them is forty times as long. */
export const RECORD_MAX_CHARACTERS: number = 16 * 1024 * 1024
