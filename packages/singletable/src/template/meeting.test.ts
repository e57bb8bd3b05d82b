import { describe, expect, test } from 'vitest'
import type { ComponentKind } from './component.ts'
import { compileTemplate, type KeyTemplate } from './key-template.ts'
import { keysCanMeet } from './meeting.ts'

const KINDS: Record<string, Partial<ComponentKind>> = {
  number: { type: 'number', encode: true },
  n: { type: 'number' },
  date: { type: 'date' },
  flag: { type: 'boolean' },
  path: { type: 'path' },
  status: { values: ['open', 'done'] },
  other: { values: ['done', 'late'] },
  letter: { values: [...'abcdefghijklmnop'] },
  many: { values: [...'abcdefghijklmnopq'] },
  escaped: { encode: true },
}

function compile(source: string): KeyTemplate {
  return compileTemplate(source, {
    kindOf: (name) => ({ type: 'text', encode: false, ...KINDS[name] }),
    separator: '#',
    where: 'test',
  })
}

describe('keysCanMeet', () => {
  test.each([
    ['A', 'A'],
    ['USER#${a}', 'USER#${b}'],
    ['${a}#A', 'B#${b}'],
    ['${a}', 'PROFILE'],
    ['${a}x', 'y${b}'],
    ['a${a}', '${b}a'],
    ['${n:pad(4)}', '${a}'],
    ['${n:pad(4)}', '0007'],
    ['${n:pad(4)}', '00${a}'],
    ['${date}', '2024-${a}'],
    ['${flag}', 'true'],
    ['${flag}', 't${a}'],
    ['${status}', '${other}'],
    ['${many}', 'z'],
    ['${number}', 'p4005'],
    ['F#${path}', 'F#${a}'],
    ['F#${path}', 'F#a#b#c'],
    ['F#${path}', 'F#${a}#META'],
    ['${path}', 'A#${path}'],
    ['${escaped}', 'A$S'],
    ['${a:lower}', 'a'],
    ['A#${u}#${u}', 'A#x#x'],
  ])('%s and %s can', (a, b) => {
    expect(keysCanMeet(compile(a), compile(b))).toBe(true)
    expect(keysCanMeet(compile(b), compile(a))).toBe(true)
  })

  test.each([
    ['A', 'B'],
    ['A', 'AB'],
    ['USER#${a}', 'POST#${a}'],
    ['USER#${a}', 'USER#${a}#ADMIN'],
    ['USER#${a}', 'USER#'],
    ['A#${a}', 'A##'],
    ['${a}x', '${b}y'],
    ['aa${a}', 'a'],
    ['ab${a}ab', 'abab'],
    ['${n:pad(4)}', '${n:pad(5)}'],
    ['${n:pad(4)}', 'META'],
    ['${n:pad(4)}', '${a}x'],
    ['${date}', 'META'],
    ['${date}', '${n:pad(24)}'],
    ['${date}', '${date:desc}'],
    ['${flag}', '${status}'],
    ['${flag}', 'True'],
    ['${status}', 'late'],
    ['${letter}', 'z'],
    ['${number}', 'META'],
    ['F#${path}', 'F'],
    ['F#${path}', 'G#${a}#b'],
    ['F#${path}', 'F#${a}##'],
    ['F#x${path}', 'F#${n:pad(2)}#b'],
    ['${escaped}', 'A B'],
    ['${a:lower}', 'PROFILE'],
  ])('%s and %s cannot', (a, b) => {
    expect(keysCanMeet(compile(a), compile(b))).toBe(false)
    expect(keysCanMeet(compile(b), compile(a))).toBe(false)
  })

  test('long templates are compared in time', () => {
    const long = compile(`${'a'.repeat(1000)}\${a}${'a'.repeat(1000)}`)
    const other = compile(`${'a'.repeat(999)}\${a}${'a'.repeat(1000)}b`)
    expect(keysCanMeet(long, other)).toBe(false)
  })

  test('no text in small letters has a letter that would change', () => {
    for (let point = 0; point < 0x110000; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      for (const letter of String.fromCodePoint(point).toLowerCase()) {
        if (letter.toLowerCase() !== letter) expect.fail(`U+${point.toString(16)}`)
      }
    }
  })
})
