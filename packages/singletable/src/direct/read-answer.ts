import { gunzipSync } from 'node:zlib'
import { crc32 } from '../wire/crc32.ts'
import type { OperationName } from '../wire/operations.ts'
import { readResponse } from '../wire/read-response.ts'
import { readRefusal, serviceErrorOf } from '../wire/refusal.ts'
import { ANSWER_BYTES_MAX, type Answer, damaged, wrongChecksum } from './exchange.ts'

/** The response in an answer, or throws what the answer is instead: a `ServiceError`, or a
 * `NoAnswerError` if it is damaged. */
export function readAnswer(operation: OperationName, answer: Answer): object {
  const { status, headers, body } = answer
  const checksum = headers['x-amz-crc32']
  if (checksum !== undefined && Number(checksum) !== crc32(body)) {
    throw damaged(wrongChecksum(checksum))
  }
  const isSuccess = status >= 200 && status < 300
  let text = ''
  try {
    const bytes =
      headers['content-encoding'] === 'gzip'
        ? gunzipSync(body, { maxOutputLength: ANSWER_BYTES_MAX })
        : body
    text = bytes.toString('utf8')
    if (isSuccess) return readResponse(operation, text)
  } catch (cause) {
    if (isSuccess) throw damaged(cause)
    text = body.toString('utf8')
  }
  const refusal = readRefusal(status, headers, text)
  throw serviceErrorOf(refusal, status, refusal)
}
