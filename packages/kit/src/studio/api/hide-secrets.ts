const HIDDEN = '(hidden)'

/**
 * What signs requests, in the messages that AWS and proxies write about requests: DynamoDB repeats
 * the headers of a request whose signature it refuses.
 */
const SECRETS: readonly RegExp[] = [
  /(\bcredential["']?\s*[=:]\s*["']?)[^\s"',;&/]+/gi,
  /(\bx-amz-security-token["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi,
  /(\bsignature["']?\s*[=:]\s*["']?)[\da-f]{64}\b/gi,
  /()\b(?:AKIA|ASIA)[A-Z\d]{12,}\b/g,
]

/** A text without credentials: it goes to the page or to the terminal. */
export function hideSecrets(text: string): string {
  return SECRETS.reduce((hidden, each) => hidden.replace(each, `$1${HIDDEN}`), text)
}
