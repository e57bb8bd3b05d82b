/** `1,234,567` */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 item`, `1,200 items`; of a word whose plural has no more than an s, or with that plural. */
export function countOf(count: number, one: string, several: string = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`
}
