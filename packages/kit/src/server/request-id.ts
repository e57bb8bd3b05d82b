import { randomBytes } from 'node:crypto'

const DIGITS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Two characters each, so that most ids are put together from three strings. */
const PAIRS: readonly string[] = DIGITS.flatMap((first) => DIGITS.map((second) => first + second))
const COUNTER_LENGTH = 12
const PAIR = PAIRS.length

/** Makes the ids of requests: 52 characters of `0-9A-Z` as on AWS, the first 40 random for each
 * server, the rest counted. */
export function requestIds(): () => string {
  const start = Array.from(randomBytes(40), (byte) => DIGITS[byte % 36]).join('')
  let count = 0
  let high = -1
  let beginning = ''
  return () => {
    count++
    const newHigh = Math.floor(count / (PAIR * PAIR))
    if (newHigh !== high) {
      high = newHigh
      beginning =
        start +
        high
          .toString(36)
          .toUpperCase()
          .padStart(COUNTER_LENGTH - 4, '0')
    }
    const low = count % (PAIR * PAIR)
    return beginning + PAIRS[Math.floor(low / PAIR)] + PAIRS[low % PAIR]
  }
}
