import type { JSX } from 'preact'
import type { Design } from '../../api/contract.ts'
import { ImportFile } from '../parts/import-file.tsx'
import { change, route, withTable } from '../state/route.ts'
import { readPartition } from './data.tsx'

const FORMATS = [
  ['dynamodb', 'DynamoDB JSON', 'one item in a line, as singletable load reads it'],
  ['json', 'JSON lines', 'items as entities return them; what has no entity is left out'],
  ['csv', 'CSV', 'a column for each attribute; no cell is executed by a spreadsheet'],
] as const

/** Items from the table into a file, and from a file into the table. */
export function Transfer({ design }: { readonly design: Design }): JSX.Element {
  return (
    <div class="screen">
      <h1>Import, export</h1>
      <Export design={design} />
      <h2>Import</h2>
      {design.isReadOnly ? (
        <p class="note">
          The studio is read-only{design.isAws && ': start it with --write to import'}.
        </p>
      ) : (
        <ImportFile design={design} />
      )}
    </div>
  )
}

function Export({ design }: { readonly design: Design }): JSX.Element {
  const { parameters } = route.value
  const format = FORMATS.find(([name]) => name === parameters.get('format')) ?? FORMATS[0]
  const entity = parameters.get('entity') ?? ''
  const index =
    design.indexes.find(({ name }) => name === parameters.get('index')) ?? design.indexes[0]
  const names = index?.hash ?? []
  const values = readPartition(parameters.get('pk')) ?? []
  const isPartition = values.length > 0
  const query = new URLSearchParams({
    format: format[0],
    ...(entity !== '' && { entity }),
    ...(isPartition && { pk: JSON.stringify(values), index: index?.name ?? '' }),
  })
  const type = (at: number, text: string): void => {
    const next = names.map((_, each) => (each === at ? text : (values[each] ?? '')))
    const isGiven = next.some((each) => each !== '')
    change({ pk: isGiven ? JSON.stringify(next) : undefined }, false)
  }
  return (
    <>
      <h2>Export</h2>
      <div class="choices" role="group" aria-label="Format">
        {FORMATS.map(([name, title]) => (
          <button
            key={name}
            type="button"
            class="choice"
            aria-pressed={name === format[0]}
            onClick={() => change({ format: name })}
          >
            {title}
          </button>
        ))}
      </div>
      <p class="note">{format[2]}</p>
      <div class="toolbar is-plain">
        <label>
          Items of{' '}
          <select
            aria-label="Entity to export"
            value={entity}
            onChange={(event) => change({ entity: event.currentTarget.value })}
          >
            <option value="">all entities</option>
            {design.entities.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          in{' '}
          <select
            aria-label="Index of the partition"
            value={index?.name}
            onChange={(event) => change({ index: event.currentTarget.value, pk: undefined })}
          >
            {design.indexes.map(({ name }) => (
              <option key={name} value={name}>
                {name === 'primary' ? 'base table' : name}
              </option>
            ))}
          </select>
        </label>
        {names.map((name, at) => (
          <input
            key={name}
            type="text"
            spellcheck={false}
            aria-label={`Partition key ${name}`}
            placeholder={`${name} = …, or all`}
            value={values[at] ?? ''}
            onInput={(event) => type(at, event.currentTarget.value)}
          />
        ))}
        <a class="button is-main" href={withTable(`/api/export?${query}`)} download>
          Download
        </a>
        {design.isAws && (
          <span class="quiet">
            {isPartition ? 'Reads are paid for.' : 'Reads the whole table, which is paid for.'}
          </span>
        )}
      </div>
    </>
  )
}
