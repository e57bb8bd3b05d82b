/** What the modules of one folder of src may import. */
export interface FolderRule {
  /** Other folders of the same src. */
  readonly folders: readonly string[]
  /** Packages and builtin modules by name; a name that ends in `*` stands for all that begin so. */
  readonly packages: readonly string[]
}

export interface PackageRules {
  /**
   * By path in src. A folder inside a folder can have a rule of its own; to the folders outside,
   * the name of the outer one means all of it, and inside the outer one a name means that folder
   * alone.
   */
  readonly folders: Readonly<Record<string, FolderRule>>
  /** Modules outside any folder, such as the main entry. */
  readonly root: FolderRule
  /** Modules that package.json exports; only these may be called index.ts. */
  readonly entries: readonly string[]
  /** Folders that may import a module whose name is computed. */
  readonly computedImports: readonly string[]
}

const SHARED = ['errors', 'values', 'expression', 'wire']
const LIBRARY = [...SHARED, 'template', 'schema', 'plan', 'request', 'execute', 'builder']
/** Available wherever the library runs that we support, and harmless to a bundle. */
const LIBRARY_PACKAGES: readonly string[] = []

/** The folders of the engine: each may import those that come before it. */
const ENGINE_FOLDERS = [
  // Strings, limits and the storage know nothing of tables.
  'limits',
  'partiql',
  'messages',
  'storage',
  // A request is read and checked.
  'attributes',
  'shapes',
  'expressions',
  // Tables, what is stored for an item, and what a change of an item leads to.
  'catalog',
  'change',
  'indexes',
  'items',
  'legacy',
  'expiry',
  'context',
  'tables',
  'streams',
  'write',
  // What operations are made of.
  'capacity',
  'time-to-live',
  'contributor-insights',
  'backups',
  'read',
  'statements',
  'transactions',
  'operations',
  // Faults wrap the rest, which does not know of them.
  'faults',
].map((name) => `engine/${name}`)

function engineRules(): Record<string, FolderRule> {
  const rule = (end?: number): FolderRule => ({
    folders: [...SHARED, ...ENGINE_FOLDERS.slice(0, end)],
    packages: ['node:*'],
  })
  const divided = ENGINE_FOLDERS.map((folder, position) => [folder, rule(position)])
  return { engine: rule(), ...Object.fromEntries(divided) }
}

function library(...folders: readonly string[]): FolderRule {
  return { folders, packages: LIBRARY_PACKAGES }
}

export function singletableRules(entries: readonly string[]): PackageRules {
  return {
    folders: {
      errors: library(),
      values: library('errors'),
      expression: library('errors', 'values'),
      wire: library('errors', 'values'),
      template: library('errors', 'values'),
      // Of wire it needs the shape of a table's definition.
      schema: library('errors', 'values', 'wire', 'template'),
      plan: library(...SHARED, 'template', 'schema'),
      request: library(...SHARED, 'template', 'schema', 'plan'),
      // The table's `client` option takes clients of the AWS SDK, whose code is not imported.
      execute: library(...SHARED, 'template', 'schema', 'plan', 'request', 'aws'),
      builder: library(...SHARED, 'template', 'schema', 'plan', 'request', 'execute'),
      aws: { folders: ['errors', 'values', 'wire'], packages: [] },
      direct: { folders: ['errors', 'values', 'wire'], packages: ['node:*'] },
      // Streams are read through the SDK's own client for them, and checkpoints can be kept in a
      // file.
      streams: {
        folders: [...LIBRARY, 'aws'],
        packages: [...LIBRARY_PACKAGES, 'node:fs/promises'],
      },
      // The steps of migrations, and what they make of an item.
      migrations: library(...LIBRARY),
      // Re-exports for tools: what the main entry leaves out because no application needs it.
      tools: library(...LIBRARY, 'limits', 'migrations'),
      // Of these an application imports what it uses; the main entry knows none of them.
      codecs: {
        folders: LIBRARY,
        packages: [...LIBRARY_PACKAGES, 'node:crypto', 'node:zlib'],
      },
      limits: library(...LIBRARY),
      cutover: library(...LIBRARY),
      many: library(...LIBRARY),
      // Objects are identified by their hash, and can be kept in files.
      offload: {
        folders: LIBRARY,
        packages: [...LIBRARY_PACKAGES, 'node:crypto', 'node:fs/promises', 'node:path'],
      },
      partiql: library(...LIBRARY),
      telemetry: { folders: LIBRARY, packages: ['node:diagnostics_channel'] },
      ttl: library(...LIBRARY),
      ...engineRules(),
      testing: { folders: [...LIBRARY, 'engine'], packages: ['node:*'] },
    },
    root: library(...LIBRARY),
    entries,
    computedImports: [],
  }
}

export function kitRules(
  dependencies: readonly string[],
  entries: readonly string[],
): PackageRules {
  const packages = ['node:*', ...dependencies, ...dependencies.map((name) => `${name}/*`)]
  const folder = (...folders: readonly string[]): FolderRule => ({ folders, packages })
  const tools = [
    'text',
    'source',
    'config',
    'schema-file',
    'storage',
    'server',
    'transfer',
    'seed',
    'examples',
    'cost',
    'recorder',
    'check',
    'docs',
    'init',
    'dev',
    'infra',
    'adopt',
    'pull',
    'migrate',
    'import',
    'cutover',
  ]
  return {
    folders: {
      // Strings that people read: columns, counts, lists of names.
      text: folder(),
      // TypeScript and JavaScript, parsed.
      source: folder(),
      // Finds, loads and locates schemas.
      // What a project says once, in place of options; an entry of its own.
      config: folder(),
      'schema-file': folder('source', 'config'),
      storage: folder(),
      server: folder(),
      // Items in files: formats, exports, loads.
      transfer: folder('text'),
      // Schemas from the models of other libraries; an entry of its own.
      adopt: folder(),
      // Items that are generated from a schema.
      seed: folder('transfer'),
      // Sample data in an engine, and calls about it.
      examples: folder('seed'),
      // What requests and storage cost, from what a schema declares.
      cost: folder(),
      // What tests executed, as requests of a kind.
      recorder: folder('check'),
      // Which strings the templates of keys can make.
      'check/algebra': folder(),
      // What is known besides the schema. A table is sampled as patiently as it is exported.
      'check/evidence': folder('source', 'transfer'),
      // What the rules ask of a schema and its evidence.
      'check/design': folder('text', 'check/algebra', 'check/evidence', 'cost'),
      'check/rules': folder(
        'text',
        'check/design',
        'check/algebra',
        'check/evidence',
        'cost',
        'schema-file',
      ),
      check: folder('check/rules', 'check/design', 'schema-file'),
      'check/report': folder('text', 'check', 'check/rules', 'check/evidence'),
      // Runs the access patterns on sample data.
      'check/exercise': folder('text', 'check/design', 'check/evidence', 'cost', 'seed'),
      // Its example items are generated.
      docs: folder('text', 'check', 'cost', 'seed', 'examples'),
      // A new project, from files of ours.
      init: folder(),
      // What makes Node load TypeScript; an entry of its own.
      register: folder(),
      // The engine on a schema that is being worked on; what infra knows of changes of tables is
      // how the table follows it.
      dev: folder('storage', 'server', 'seed', 'examples', 'check', 'infra'),
      infra: folder('check', 'examples', 'transfer'),
      // A first schema from a live table.
      pull: folder('text', 'adopt', 'infra'),
      migrate: folder('check', 'infra', 'schema-file', 'text', 'transfer'),
      // Rows of other databases and files as items.
      import: { folders: ['transfer'], packages: [...packages, 'pg', 'node-sql-parser/*'] },
      // Tables that are copied while they are written.
      cutover: folder('import', 'migrate', 'transfer'),
      // The page is bundled: it knows the contract of the API, and nothing of Node.
      'studio/web': { folders: ['studio/api'], packages: ['preact', 'preact/*', '@preact/*'] },
      'studio/api': folder(...tools),
      studio: folder(...tools, 'studio/api'),
      cli: folder(...tools, 'studio'),
    },
    root: folder(),
    entries,
    // Schemas are loaded by the name of their file.
    computedImports: ['cli', 'schema-file'],
  }
}
