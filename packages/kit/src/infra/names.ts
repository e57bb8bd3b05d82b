/** The table's name as targets with stricter rules can have it. */

/** Words joined with capitals, as CloudFormation and CDK ids are: letters and digits alone. */
export function pascalName(name: string): string {
  const joined = name
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')
  return /^[A-Z]/.test(joined) ? joined : `Table${joined}`
}

/** A name for a variable. */
export function camelName(name: string): string {
  const pascal = pascalName(name)
  return pascal.slice(0, 1).toLowerCase() + pascal.slice(1)
}

/** Words joined with underscores, as Terraform's labels are. */
export function snakeName(name: string): string {
  const joined = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
  return /^[a-z]/.test(joined) ? joined : `table_${joined}`
}
