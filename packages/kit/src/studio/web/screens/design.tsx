import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import type { Design as DesignData } from '../../api/contract.ts'
import { CopyButton, EntityTag } from '../parts/basics.tsx'
import { DrawingView } from '../parts/drawing.tsx'
import { templateText } from '../state/keys.ts'
import { hashOf } from '../state/route.ts'
import { pictureOf, savePng, saveSvg } from '../state/save-drawing.ts'

/**
 * The design: how entities make their keys, how they are related, which pattern uses which index.
 */
export function Design({ design }: { readonly design: DesignData }): JSX.Element {
  const drawing = useRef<SVGSVGElement>(null)
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>Design</h1>
        <div class="buttons">
          <CopyButton text={markdownOf(design)} label="Copy as Markdown" />
          <CopyButton text={mermaidOf(design)} label="Copy as Mermaid" />
        </div>
      </header>
      <h2>Entity chart</h2>
      <div class="panel is-scroll" tabIndex={0} role="region" aria-label="Entity chart">
        <table class="plain">
          <thead>
            <tr>
              <th>Entity</th>
              {design.indexes.flatMap((index) =>
                [...index.hash, ...index.sort].map((name) => (
                  <th key={`${index.name} ${name}`}>
                    {index.type === 'primary' ? name : `${index.name} · ${name}`}
                  </th>
                )),
              )}
            </tr>
          </thead>
          <tbody>
            {design.entities.map((entity) => (
              <tr key={entity.name}>
                <td>
                  <EntityTag name={entity.name} />
                </td>
                {design.indexes.flatMap((index) => {
                  const use = entity.indexes.find((each) => each.index === index.name)
                  return [...index.hash, ...index.sort].map((name) => {
                    const part = [...(use?.hash ?? []), ...(use?.sort ?? [])].find(
                      (each) => each.name === name,
                    )
                    return (
                      <td key={`${index.name} ${name}`}>
                        {part ? (
                          <code class="key">
                            {part.segments.map((segment, at) =>
                              'text' in segment ? (
                                <span key={at} class="key-text">
                                  {segment.text}
                                </span>
                              ) : (
                                <span
                                  key={at}
                                  class="key-value"
                                >{`\${${segment.attribute}${segment.format ? `:${segment.format}` : ''}}`}</span>
                              ),
                            )}
                          </code>
                        ) : (
                          <span class="quiet">–</span>
                        )}
                        {part && use?.when && <div class="quiet">while {use.when}</div>}
                      </td>
                    )
                  })
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <header class="screen-head">
        <h2>Entities and relations</h2>
        <div class="buttons">
          <button
            type="button"
            class="quiet-button"
            onClick={() =>
              drawing.current && saveSvg(pictureOf(drawing.current), `${design.table}-entities`)
            }
          >
            Save as SVG
          </button>
          <button
            type="button"
            class="quiet-button"
            onClick={() =>
              drawing.current &&
              void savePng(pictureOf(drawing.current), `${design.table}-entities`)
            }
          >
            Save as PNG
          </button>
        </div>
      </header>
      <div class="panel is-scroll" tabIndex={0} role="region" aria-label="Drawing">
        <DrawingView drawing={design.drawing} element={drawing} />
      </div>
      <h2>Relations</h2>
      <div class="panel is-scroll" tabIndex={0} role="region" aria-label="Relations">
        <table class="plain">
          <thead>
            <tr>
              <th>Entity</th>
              <th>Kind</th>
              <th>Refers to</th>
              <th>By</th>
            </tr>
          </thead>
          <tbody>
            {design.relations.map((relation, at) => (
              <tr key={at}>
                <td>
                  <EntityTag name={relation.child} />
                </td>
                <td class="quiet">{relation.many ? 'many to one' : 'one to one'}</td>
                <td>
                  <EntityTag name={relation.parent} />
                </td>
                <td>
                  <code>{relation.label}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2>Access patterns and the indexes they use</h2>
      <div class="panel is-scroll" tabIndex={0} role="region" aria-label="Usage of indexes">
        <table class="plain">
          <thead>
            <tr>
              <th>Pattern</th>
              <th>Operation</th>
              <th>Entities</th>
              <th>Key condition</th>
              {design.indexes.map(({ name }) => (
                <th key={name} class="center">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {design.patterns.map((pattern) => (
              <tr key={pattern.name}>
                <td>
                  <a class="plain-link" href={hashOf('patterns', { pattern: pattern.name })}>
                    {pattern.name}
                  </a>
                </td>
                <td>{pattern.op}</td>
                <td>
                  {pattern.entities.map((entity) => (
                    <EntityTag key={entity} name={entity} />
                  ))}
                </td>
                <td>
                  <code>{keyWords(pattern)}</code>
                </td>
                {design.indexes.map(({ name }) => (
                  <td key={name} class="center">
                    {pattern.index === name || (pattern.index === null && name === 'primary') ? (
                      <span title={pattern.op}>●</span>
                    ) : (
                      ''
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

function keyWords({ key }: DesignData['patterns'][number]): string {
  return key.map(([name, condition]) => `${name} ${condition}`).join(' and ')
}

function markdownOf(design: DesignData): string {
  const patterns = design.patterns.map(
    (pattern) =>
      `| ${pattern.name} | ${pattern.op} | ${pattern.entities.join(', ')} | ${pattern.index ?? ''} | ${cell(keyWords(pattern))} |`,
  )
  const rows = design.entities.map(({ name, indexes: [primary] }) => {
    const parts = [...(primary?.hash ?? []), ...(primary?.sort ?? [])]
    return `| ${name} | ${parts.map(({ segments }) => `\`${templateText(segments)}\``).join(' | ')} |`
  })
  const keys = design.indexes[0] ? [...design.indexes[0].hash, ...design.indexes[0].sort] : []
  return [
    `| Entity | ${keys.join(' | ')} |`,
    `| --- |${keys.map(() => ' --- |').join('')}`,
    ...rows,
    '',
    '| Pattern | Operation | Entities | Index | Key condition |',
    '| --- | --- | --- | --- | --- |',
    ...patterns,
  ].join('\n')
}

function cell(code: string): string {
  return code === '' ? '' : `\`${code.replaceAll('|', '\\|')}\``
}

function mermaidOf({ relations, entities }: DesignData): string {
  const lines = relations.map(
    ({ parent, child, many, label }) =>
      `  ${parent} ||--${many ? 'o{' : 'o|'} ${child} : "${label.replaceAll('"', "'")}"`,
  )
  return ['erDiagram', ...entities.map(({ name }) => `  ${name}`), ...lines].join('\n')
}
