import type { Environment } from '../../values/environment.ts'
import { containerCredentials, containerUrl, type Variables } from './container-credentials.ts'
import {
  type Credentials,
  type CredentialsProvider,
  credentialsError,
  requireCredentials,
} from './credentials.ts'

/** Credentials from where Lambda, ECS, EKS and most build machines put them: variables of the
 * process, or the endpoint they name. */
export function defaultProvider(
  variables: Variables,
  environment: Environment,
): CredentialsProvider {
  return async () => {
    const fromVariables = variableCredentials(variables)
    if (fromVariables !== undefined) return fromVariables
    const url = containerUrl(variables)
    if (url !== undefined) return containerCredentials(url, variables, environment)
    throw credentialsError(
      "No credentials were found. Tried: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; AWS_CONTAINER_CREDENTIALS_RELATIVE_URI; AWS_CONTAINER_CREDENTIALS_FULL_URI. For profiles, SSO, web identity or EC2 roles, pass connect({ credentials: fromNodeProviderChain() }) from '@aws-sdk/credential-providers'.",
    )
  }
}

function variableCredentials(variables: Variables): Credentials | undefined {
  const accessKeyId = variables.AWS_ACCESS_KEY_ID
  const secretAccessKey = variables.AWS_SECRET_ACCESS_KEY
  if (!accessKeyId || !secretAccessKey) return undefined
  const expiration = variables.AWS_CREDENTIAL_EXPIRATION
  return requireCredentials(
    {
      accessKeyId,
      secretAccessKey,
      sessionToken: variables.AWS_SESSION_TOKEN || undefined,
      expiration: expiration ? new Date(expiration) : undefined,
    },
    'The environment',
  )
}
