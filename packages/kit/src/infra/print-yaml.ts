import { stringify } from 'yaml'

/** What templates are made of. Members that are undefined are left out. */
export type Yaml =
  | string
  | number
  | boolean
  | undefined
  | readonly Yaml[]
  | { readonly [name: string]: Yaml }

/** Prints block YAML; strings that any version of YAML could read as something else, such as `N`
 * and `2010-09-09`, are quoted. */
export function printYaml(value: Yaml): string {
  return stringify(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 })
}
