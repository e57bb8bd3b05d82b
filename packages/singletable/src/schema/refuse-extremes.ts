import type { Place } from './place.ts'

/** Explains why there are counts and sums but no minima, maxima and averages. */
export function refuseExtremes(definition: unknown, place: Place): void {
  for (const [name, value] of Object.entries(Object(definition))) {
    const [, extreme] = /^(min|max|avg|average|mean)(s|ima|imum|Of)?$/.exec(name) ?? []
    // A number is a bound of the attribute itself.
    if (extreme === undefined || !['string', 'object'].includes(typeof value)) continue
    if (extreme.startsWith('m') && extreme !== 'mean') {
      place.refuse(
        `"${name}" can't be kept by transactions: when the ${extreme === 'min' ? 'smallest' : 'largest'} value changes or goes, only a query finds the next one, and a transaction can't query`,
        `make the value the sort key of an index, and query it with limit(1)${extreme === 'max' ? ' in descending order' : ''}`,
      )
    }
    place.refuse(
      `"${name}" is not kept by transactions; a count and a sum are`,
      'declare an attribute with counts and one with sums, and divide',
    )
  }
}
