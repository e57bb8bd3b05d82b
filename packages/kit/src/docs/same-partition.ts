import { type KeyPart, keysCanMeet, type ModelIndex } from 'singletable/tools'

/** Whether two models share partitions on purpose: their partition keys have the same literals. */
export function isSamePartition(one: ModelIndex, other: ModelIndex): boolean {
  return (
    one.hash.length === other.hash.length &&
    one.hash.every((part, at) => {
      const theirs = other.hash[at]
      return theirs !== undefined && isSameForm(part, theirs)
    })
  )
}

function isSameForm({ template, name }: KeyPart, other: KeyPart): boolean {
  if (template === undefined || other.template === undefined) {
    return template === other.template && name === other.name
  }
  return (
    formOf(template.source) === formOf(other.template.source) &&
    keysCanMeet(template, other.template)
  )
}

function formOf(source: string): string {
  return source.replaceAll(/\$\{[^}]*\}/g, '${}')
}
