import type { InputIssue } from '../../errors/input-error.ts'
import { refuseInput } from '../../schema/input-issues.ts'
import { checkKeySize as addKeySize } from '../../schema/key-text.ts'

/** DynamoDB refuses longer keys; the error here names the attribute. */
export function checkKeySize(text: string, bytesMax: number, name: string, place: string): void {
  const issues: InputIssue[] = []
  addKeySize({ S: text }, name, bytesMax, issues)
  if (issues.length > 0) refuseInput(issues, place, 'give shorter values for its template')
}
