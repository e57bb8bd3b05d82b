import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import type { CommandSpecification, OptionGroup } from './help.ts'

const FROM: OptionGroup = {
  title: 'Where the rows are',
  options: [
    {
      name: 'from',
      value: 'source',
      repeatable: true,
      completes: 'file',
      text: 'a file (.csv, .jsonl, .json, .sql, also .gz), a folder of them or of an export to S3,\ndynamodb:<table>, or postgres://user@host/database',
    },
    {
      name: 'questions',
      value: 'file',
      completes: 'file',
      text: 'SELECT statements, or a log of PostgreSQL, that say what the application asks',
    },
    { name: 'seconds', value: 'n', text: 'the time that the log covers' },
  ],
}

const MAPPING = [{ name: '[mapping]', text: 'the mapping file; default: import.map.ts' }]

const CUTOVER: OptionGroup = {
  title: 'As part of a move',
  options: [
    {
      name: 'cutover',
      value: 'name',
      text: 'note for singletable cutover that it ended well; the usual name is default',
    },
  ],
}

const PROGRESS: OptionGroup = {
  title: 'After an interruption',
  options: [
    { name: 'resume', text: 'continue where an interrupted run ended' },
    { name: 'restart', text: 'start again, whatever an interrupted run did' },
  ],
}

export const ANALYZE: CommandSpecification = {
  name: 'import analyze',
  summary:
    'shows tables, keys, sizes and children per parent of the sources, and compares designs by cost',
  groups: [FROM, CONNECT_OPTIONS],
  notes: ['Sources are read once, in constant memory. Nothing is written.'],
}

export const MAP: CommandSpecification = {
  name: 'import map',
  summary: 'writes a schema and a mapping file for one of the designs',
  groups: [
    FROM,
    CONNECT_OPTIONS,
    {
      title: 'What is written',
      options: [
        {
          name: 'design',
          value: 'name',
          choices: ['collections', 'copies', 'partitions'],
          text: 'one that import analyze compares; default: the cheapest',
        },
        { name: 'out', value: 'file', completes: 'file', text: 'default: import.map.ts' },
        { name: 'out-schema', value: 'file', completes: 'file', text: 'default: schema.ts' },
        { name: 'force', text: 'overwrite the files' },
      ],
    },
  ],
}

export const IMPORT_PLAN: CommandSpecification = {
  name: 'import plan',
  summary: 'checks the mapping on the first rows of each source, and shows what the import costs',
  arguments: MAPPING,
  groups: [CONNECT_OPTIONS],
}

export const RUN: CommandSpecification = {
  name: 'import run',
  summary: 'writes the items of all rows into the table, or into files for an import from S3',
  arguments: MAPPING,
  groups: [
    CONNECT_OPTIONS,
    PROGRESS,
    CUTOVER,
    {
      title: 'Files in place of a table',
      options: [
        {
          name: 'files',
          value: 'directory',
          completes: 'directory',
          text: "write files for DynamoDB's import from S3, and its request import-table.json",
        },
        { name: 'bucket', value: 'name', text: 'the bucket that the files will be in' },
        { name: 'prefix', value: 'text', text: 'what the names of the files begin with there' },
      ],
    },
    WRITE_OPTIONS,
  ],
  notes: [
    'Items that the table has already stay as they are. Two rows with the same key are an error that names both.\nCtrl-C finishes the rows under way; --resume continues.',
  ],
}

export const IMPORT_VERIFY: CommandSpecification = {
  name: 'import verify',
  summary: 'reads the sources again, and compares every item, counts and sums with the table',
  arguments: MAPPING,
  groups: [CONNECT_OPTIONS, CUTOVER],
}

export const IMPORT_COMMAND: CommandSpecification = {
  name: 'import',
  summary: 'moves data from SQL, files or other tables into the table',
  groups: [],
  subcommands: [ANALYZE, MAP, IMPORT_PLAN, RUN, IMPORT_VERIFY],
}
