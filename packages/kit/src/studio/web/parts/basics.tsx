import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { Failure, FoundItem } from '../../api/contract.ts'
import { entitiesByName, hueOf } from '../state/studio-state.ts'

/** The name of an entity in its colour. */
export function EntityTag({
  name,
  kept = null,
}: {
  readonly name: string | null
  readonly kept?: FoundItem['kept']
}): JSX.Element {
  if (name === null) return <span class="tag tag-unknown">{kept ?? 'no entity'}</span>
  return (
    <span
      class={`tag${entitiesByName.value.get(name)?.copyOf ? ' is-copy' : ''}`}
      style={{ '--hue': hueOf(name) }}
    >
      {name}
    </span>
  )
}

/** An error in its place: what, where, and what to do. */
export function FailureView({ failure }: { readonly failure: Failure }): JSX.Element {
  const { code, what, where, fix } = failure
  const text = [what, where && `where: ${where}`, fix && `fix: ${fix}`].filter(Boolean).join('\n')
  return (
    <div class="failure" role="alert">
      <div class="failure-head">
        <strong>{what}</strong>
        <CopyButton text={text} label="Copy error" />
      </div>
      {where && <div class="failure-part">where: {where}</div>}
      {fix && <div class="failure-part">fix: {fix}</div>}
      <code class="failure-code">{code}</code>
    </div>
  )
}

/** Nothing to show, and what to do next. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}): JSX.Element {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
    </div>
  )
}

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string
  readonly label?: string
}): JSX.Element {
  const isCopied = useSignal(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    isCopied.value = true
    setTimeout(() => {
      isCopied.value = false
    }, 1200)
  }
  return (
    <button type="button" class="quiet-button" onClick={() => void copy()}>
      {isCopied.value ? 'Copied' : label}
    </button>
  )
}

export function CodeBlock({
  text,
  label,
}: {
  readonly text: string
  readonly label: string
}): JSX.Element {
  return (
    <div class="code">
      <div class="code-head">
        <span>{label}</span>
        <CopyButton text={text} />
      </div>
      {/* A region that scrolls can be reached by keyboard. */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  )
}

/** Rows of the right height while something is being read, so that nothing jumps. */
export function Skeleton({ rows }: { readonly rows: number }): JSX.Element {
  return (
    <div class="skeleton" aria-hidden="true">
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} class="skeleton-row" />
      ))}
    </div>
  )
}

export function Tabs<TName extends string>({
  names,
  chosen,
  choose,
  label,
}: {
  readonly names: readonly TName[]
  readonly chosen: TName
  readonly choose: (name: TName) => void
  readonly label: string
}): JSX.Element {
  return (
    <div class="tabs" role="tablist" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          onClick={() => choose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
