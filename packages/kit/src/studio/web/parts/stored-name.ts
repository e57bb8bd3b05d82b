import { entitiesByName } from '../state/studio-state.ts'

/** The name under which DynamoDB has an attribute of an entity. */
export function storedName(entity: string | null, name: string): string {
  const attributes = entitiesByName.value.get(entity ?? '')?.attributes
  return attributes?.find((each) => each.name === name)?.stored ?? name
}
