import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { ConnectOptions } from 'singletable/direct'
import { EnvironmentError } from './usage-error.ts'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Credentials of a profile, of SSO or of any other source that the AWS SDK knows; undefined where
 * the environment has them, or where the package that finds them is not installed and no profile
 * asks for it.
 */
export async function credentialsOf(
  profile: string | undefined,
  variables: Variables,
): Promise<ConnectOptions['credentials']> {
  if (profile === undefined && variables.AWS_ACCESS_KEY_ID) return undefined
  try {
    // Loaded when it is needed: few commands go to AWS, and it is large.
    const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers')
    return fromNodeProviderChain(profile === undefined ? {} : { profile })
  } catch (cause) {
    if (profile === undefined) return undefined
    throw new EnvironmentError(
      `The profile "${profile}" can't be read without @aws-sdk/credential-providers.`,
      'an optional dependency of @singletable/kit, which is not installed',
      'npm install --save-dev @aws-sdk/credential-providers',
      { cause },
    )
  }
}

/** The region that `~/.aws/config` has for a profile. */
export function regionOf(profile: string | undefined, variables: Variables): string | undefined {
  const { AWS_CONFIG_FILE, AWS_PROFILE } = variables
  const file = AWS_CONFIG_FILE ?? path.join(homedir(), '.aws/config')
  const name = profile ?? AWS_PROFILE ?? 'default'
  if (!existsSync(file)) return undefined
  let section = ''
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    const [, title] = /^\s*\[\s*(?:profile\s+)?(.+?)\s*\]/.exec(line) ?? []
    section = title ?? section
    const [, region] = /^\s*region\s*=\s*(\S+)/.exec(line) ?? []
    if (region !== undefined && section === name) return region
  }
  return undefined
}
