import { type KeyPart, keysCanMeet, type ModelIndex } from 'singletable/tools'

/** Whether items of two models can be in one partition, and are meant to: the same literals around their placeholders. */
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
