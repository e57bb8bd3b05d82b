import { crc32 } from '../../wire/crc32.ts'
import type { OperationName } from '../../wire/operations.ts'
import { readResponse } from '../../wire/read-response.ts'
import { readRefusal, serviceErrorOf } from '../../wire/refusal.ts'
import { type Answer, damaged, wrongChecksum } from '../exchange.ts'

const decoder = new TextDecoder()

/** As for sockets, except that the runtime has decompressed the answer: then its checksum, which is
 * of the bytes before, can't be compared. */
export function readAnswer(operation: OperationName, answer: Answer<Uint8Array>): object {
  const { status, headers, body } = answer
  const checksum = headers['x-amz-crc32']
  const isAsSent = headers['content-encoding'] === undefined
  if (checksum !== undefined && isAsSent && Number(checksum) !== crc32(body)) {
    throw damaged(wrongChecksum(checksum))
  }
  const text = decoder.decode(body)
  if (status >= 200 && status < 300) {
    try {
      return readResponse(operation, text)
    } catch (cause) {
      throw damaged(cause)
    }
  }
  const refusal = readRefusal(status, headers, text)
  throw serviceErrorOf(refusal, status, refusal)
}
