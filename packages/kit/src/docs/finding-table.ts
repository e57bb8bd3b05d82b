import type { Finding } from '../check/rules/rule.ts'
import { cell, code, type TableBlock } from './document.ts'

/** Findings, each with its fix. */
export function findingTable(findings: readonly Finding[]): TableBlock {
  return {
    kind: 'table',
    columns: [
      { title: 'Rule' },
      { title: 'Severity', below: true },
      { title: 'Finding' },
      { title: 'Fix', below: true },
    ],
    rows: findings.map(({ code: rule, severity, message, fix }) => ({
      cells: [cell(code(rule)), cell(severity), cell(message), cell(`${fix}.`)],
    })),
  }
}
