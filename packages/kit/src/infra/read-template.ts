import { isNode, LineCounter, parseDocument, visit } from 'yaml'
import { InfraError } from './infra-error.ts'

/** A value that only the deployment knows: a function of CloudFormation, or a variable of the
 * Serverless Framework. */
export class Unresolved {
  /** As people write it: `!If`, `!Ref Stage`. */
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export interface Resource {
  readonly id: string
  readonly type: unknown
  readonly properties: unknown
}

/** What a template says about its resources. Functions are followed as far as the template alone
 * determines them. */
export interface Template {
  readonly resources: readonly Resource[]
  /** The parameters whose default was taken for their value. */
  readonly assumed: ReadonlyMap<string, string>
}

/** Reads a template of CloudFormation, SAM or the Serverless Framework, or one resource, in YAML or
 * JSON. */
export function readTemplate(text: string, file: string): Template {
  const root = parseTemplate(text, file)
  // Serverless has its own document around the template, and may give several parts of one.
  const serverless = member(root, 'resources')
  const parts = [serverless ?? root].flat()
  const assumed = new Map<string, string>()
  const parameters = Object.assign({}, ...parts.map((part) => Object(member(part, 'Parameters'))))
  const resolve = (value: unknown): unknown =>
    resolveValue(value, { parameters, assumed, hasVariables: serverless !== undefined })
  const named = parts.flatMap((part) => Object.entries(Object(member(part, 'Resources'))))
  const resources = named.length > 0 ? named : [['', root] as const]
  return {
    assumed,
    resources: resources.map(([id, resource]) => ({
      id,
      type: member(resource, 'Type'),
      get properties() {
        return resolve(member(resource, 'Properties'))
      },
    })),
  }
}

/** JSON is YAML. A tag such as `!Ref x` becomes the object that it is short for. */
function parseTemplate(text: string, file: string): unknown {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    lineCounter,
    // Anchors with `<<` are resolved by the tools that deploy such files.
    merge: true,
    // Tags that it does not know are handled below.
    logLevel: 'error',
  })
  const [fault] = document.errors
  if (fault) {
    throw new InfraError(
      `${file} can't be read: ${fault.message}`,
      'give a template in YAML or JSON',
    )
  }
  visit(document, {
    Node: (_, node) => {
      const { tag } = node
      if (!isNode(node) || tag === undefined || !tag.startsWith('!')) return undefined
      delete node.tag
      const name = tag.slice(1)
      return document.createNode({
        [name === 'Ref' || name === 'Condition' ? name : `Fn::${name}`]: node,
      })
    },
  })
  return document.toJS()
}

interface Scope {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly assumed: Map<string, string>
  /** Whether `${…}` in any text is a variable, as in a serverless.yml. */
  readonly hasVariables: boolean
}

/** The value without functions: with the defaults of parameters, without what has no value, and
 * with `Unresolved` for all else. */
function resolveValue(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') {
    return scope.hasVariables && value.includes('${') ? new Unresolved(value) : value
  }
  if (Array.isArray(value)) {
    return value.map((each) => resolveValue(each, scope)).filter((each) => each !== undefined)
  }
  if (typeof value !== 'object' || value === null) return value
  const [name = '', ...others] = Object.keys(value)
  const isFunction = others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))
  if (!isFunction) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, resolveValue(each, scope)]),
    )
  }
  const argument = member(value, name)
  if (name === 'Ref') return resolveReference(String(argument), scope)
  if (name === 'Fn::Sub' && typeof argument === 'string') return substitute(argument, scope)
  return new Unresolved(`!${name.slice('Fn::'.length)}`)
}

function resolveReference(name: string, { parameters, assumed }: Scope): unknown {
  if (name === 'AWS::NoValue') return undefined
  const value = member(member(parameters, name), 'Default')
  if (value === undefined) return new Unresolved(`!Ref ${name}`)
  assumed.set(name, String(value))
  return value
}

function substitute(text: string, scope: Scope): unknown {
  let isKnown = true
  const known = text.replace(/\$\{(!?)([^}]*)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`
    const value = resolveReference(name.trim(), scope)
    if (value instanceof Unresolved || value === undefined) isKnown = false
    return String(value)
  })
  return isKnown ? known : new Unresolved(`!Sub ${text}`)
}

export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  // The member was just found to be the object's own.
  return (value as { readonly [name: string]: unknown })[name]
}
