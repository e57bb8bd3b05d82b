import { WRITE_OPTIONS } from './confirm-writes.ts'
import { CONNECT_OPTIONS } from './connect-options.ts'
import { FAILURES } from './failure-file.ts'
import type { CommandSpecification, OptionGroup, OptionSpecification } from './help.ts'
import { RATE_OPTION } from './rate-option.ts'
import { SCHEMA_OPTIONS } from './schema-options.ts'

const FOLDER: OptionGroup = {
  title: 'The migrations',
  options: [
    {
      name: 'migrations',
      value: 'directory',
      completes: 'directory',
      text: 'where their folders are; default: migrations',
    },
  ],
}

const FENCING: OptionSpecification = {
  name: 'strict-fencing',
  text: 'check the lock in each write: slower, and at least twice the write units',
}

const RUN_OPTIONS: OptionGroup = {
  title: 'How',
  options: [
    { name: 'segments', value: 'n', text: 'divide the table into this many parts; default: 32' },
    RATE_OPTION,
    FENCING,
    {
      name: 'no-pitr',
      text: 'allow a table on AWS without point-in-time recovery',
    },
    FAILURES,
  ],
}

const NO_UNDO: OptionSpecification = {
  name: 'no-undo',
  text: 'keep no undo log: migrate down then refuses steps that remove something',
}

const REPLACED: OptionSpecification = {
  name: 'replaced',
  value: 'what',
  choices: ['keep', 'restore'],
  text: 'when a migration is undone: leave items that were replaced since then, or give them back what was lost',
}

const ON_TABLE = [SCHEMA_OPTIONS, CONNECT_OPTIONS, FOLDER]

export const GENERATE: CommandSpecification = {
  name: 'migrate generate',
  summary: 'writes a migration for the changes of the schema since the last one',
  arguments: [{ name: '[name]', text: 'a few words for the folder: add user email' }],
  groups: [
    SCHEMA_OPTIONS,
    FOLDER,
    {
      title: 'What changed',
      options: [
        {
          name: 'rename',
          value: 'old=new',
          repeatable: true,
          text: 'a model or an attribute was renamed: User=Person, User.mail=email',
        },
        {
          name: 'remove',
          value: 'name',
          repeatable: true,
          text: 'a model or an attribute was removed: User.mail',
        },
        {
          name: 'split',
          value: 'model=new',
          repeatable: true,
          text: 'parts of the items of a model are items of a new one: User=Address',
        },
        {
          name: 'merge',
          value: 'gone=model',
          repeatable: true,
          text: 'the items of a model are parts of those of another one: Address=User',
        },
      ],
    },
  ],
  notes: ['No table is touched. The first migration is the schema as it is, without steps.'],
}

export const LINT: CommandSpecification = {
  name: 'migrate lint',
  summary: 'checks the migrations: their order, their steps, and whether the schema has one',
  groups: [SCHEMA_OPTIONS, FOLDER],
  notes: [
    'No table is read: migrate status finds migrations whose code was changed after they were applied.',
  ],
}

export const PLAN: CommandSpecification = {
  name: 'migrate plan',
  summary: 'shows what migrate up would do, how long it takes at a rate, and what it costs',
  groups: [...ON_TABLE, { title: 'How', options: [RATE_OPTION, FENCING] }],
}

export const UP: CommandSpecification = {
  name: 'migrate up',
  summary: 'runs pending migrations',
  groups: [
    ...ON_TABLE,
    RUN_OPTIONS,
    {
      title: 'Which',
      options: [
        { name: 'to', value: 'id', text: 'stop after this migration' },
        {
          name: 'dry-run',
          value: 'level',
          choices: ['plan', 'sample', 'full'],
          text: 'write nothing: print the plan, or try it on some items or on all items',
        },
        {
          name: 'sample',
          value: 'n',
          text: 'with --dry-run sample: read this many items, at most 100,000; default: 100',
        },
        { name: 'join', text: 'work on the migration that another process runs' },
        NO_UNDO,
      ],
    },
    WRITE_OPTIONS,
  ],
  notes: [
    'Ctrl-C finishes the current items and saves the progress; migrate resume continues from there.',
    'On a terminal, the key p pauses as migrate pause does, and q does what Ctrl-C does.',
  ],
}

export const RESUME: CommandSpecification = {
  name: 'migrate resume',
  summary: 'continues a migration that was paused, failed or killed',
  groups: [
    ...ON_TABLE,
    { ...RUN_OPTIONS, options: [...RUN_OPTIONS.options, NO_UNDO, REPLACED] },
    WRITE_OPTIONS,
  ],
}

export const DOWN: CommandSpecification = {
  name: 'migrate down',
  summary:
    'undoes the last migration, also one that is not finished, if all its steps can be undone',
  groups: [
    ...ON_TABLE,
    RUN_OPTIONS,
    {
      title: 'Which',
      options: [{ name: 'steps', value: 'n', text: 'this many migrations; default: 1' }],
    },
    { title: 'Items that were replaced', options: [REPLACED] },
    WRITE_OPTIONS,
  ],
}

export const STATUS: CommandSpecification = {
  name: 'migrate status',
  summary: 'shows which migrations the table has; reads only',
  groups: [
    ...ON_TABLE,
    {
      title: 'What is shown',
      options: [
        { name: 'items', text: 'count the items of each version, which reads the whole table' },
      ],
    },
    {
      title: 'For scripts',
      options: [
        {
          name: 'exit-code',
          text: 'exit with 0 nothing to do, 2 pending, 3 failed or unfinished, 4 table and folder disagree',
        },
      ],
    },
  ],
}

export const VERIFY: CommandSpecification = {
  name: 'migrate verify',
  summary: 'reads the whole table, and finds items that were not migrated',
  arguments: [{ name: '[id]', text: 'the migration; default: the last one that was applied' }],
  groups: [
    ...ON_TABLE,
    {
      title: 'What is shown',
      options: [
        {
          ...FAILURES,
          text: 'write all items that were not migrated to this file: JSON lines with key, entity, step and reason',
        },
      ],
    },
  ],
}

const WAITING: OptionGroup = {
  title: 'How',
  options: [{ name: 'no-wait', text: 'only ask the process to stop' }],
}

export const PAUSE: CommandSpecification = {
  name: 'migrate pause',
  summary: 'stops the process that migrates the table after its current page, and waits for that',
  groups: [...ON_TABLE, WAITING],
}

export const ABORT: CommandSpecification = {
  name: 'migrate abort',
  summary: 'stops the process that migrates, waits for that, and marks its migration as failed',
  groups: [...ON_TABLE, WAITING, WRITE_OPTIONS],
}

export const RESOLVE: CommandSpecification = {
  name: 'migrate resolve',
  summary: 'records that a migration was applied or undone by other means; changes no items',
  arguments: [{ name: '<id>', text: 'the migration' }],
  groups: [
    ...ON_TABLE,
    {
      title: 'Its outcome',
      options: [
        { name: 'applied', text: 'its changes are in the table' },
        { name: 'rolled-back', text: 'its changes are not in the table' },
        { name: 'reason', value: 'text', text: 'why; shown in the status; required' },
      ],
    },
    WRITE_OPTIONS,
  ],
}

export const FORGET: CommandSpecification = {
  name: 'migrate forget',
  summary: 'deletes the undo log of a migration, which migrate down would need',
  arguments: [{ name: '<id>', text: 'the migration' }],
  groups: [...ON_TABLE, WRITE_OPTIONS],
}

export const UNLOCK: CommandSpecification = {
  name: 'migrate unlock',
  summary: 'removes the lock that a dead process left',
  groups: [
    ...ON_TABLE,
    {
      title: 'To be sure',
      options: [
        { name: 'force', text: 'remove it even if its process was active within the last minute' },
      ],
    },
    WRITE_OPTIONS,
  ],
}

export const MIGRATE_COMMAND: CommandSpecification = {
  name: 'migrate',
  summary: 'changes what is stored when the schema changes',
  groups: [],
  subcommands: [
    GENERATE,
    LINT,
    PLAN,
    UP,
    RESUME,
    DOWN,
    STATUS,
    VERIFY,
    PAUSE,
    ABORT,
    RESOLVE,
    FORGET,
    UNLOCK,
  ],
}
