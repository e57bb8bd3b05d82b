/** What names of tables, indexes and backups are made of, and how AWS words it. */
export const NAME_PATTERN: { readonly test: RegExp; readonly text: string } = {
  test: /^[a-zA-Z0-9_.-]+$/,
  text: '[a-zA-Z0-9_.-]+',
}

/** Of some empty names AWS says only that they are too short. */
export const NAME_PATTERN_OR_EMPTY: typeof NAME_PATTERN = {
  test: /^[a-zA-Z0-9_.-]*$/,
  text: NAME_PATTERN.text,
}
