import type { Figure } from '../cost/figure.ts'
import { type Cell, cell, groupDigits, type Inline, NONE, printBytes } from './document.ts'

/** A figure with its mark. */
export function shownFigure(figure: Figure, text: string): Inline {
  return { kind: 'figure', text, basis: figure.basis, formula: figure.formula }
}

export function unitsCell(figure: Figure | undefined, unit: string): Cell {
  return figure === undefined
    ? NONE
    : cell(shownFigure(figure, `${printUnits(figure.value)} ${unit}`))
}

export function dollarsCell(figure: Figure | undefined): Cell {
  return figure === undefined ? NONE : cell(shownFigure(figure, printDollars(figure.value)))
}

export function bytesCell(figure: Figure | undefined): Cell {
  return figure === undefined ? NONE : cell(shownFigure(figure, printBytes(figure.value)))
}

/** A figure that the schema declares. */
export function declared(text: string): Inline {
  return { kind: 'figure', text, basis: 'declared' }
}

/** Only significant digits, and at least one. */
export function printUnits(value: number): string {
  return value !== 0 && Math.abs(value) < 1
    ? String(Number(value.toPrecision(2)))
    : groupDigits(Number(value.toPrecision(6)))
}

export function printDollars(value: number): string {
  if (value === 0) return '0.00'
  if (value < 0.01) return '< 0.01'
  return value.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}
