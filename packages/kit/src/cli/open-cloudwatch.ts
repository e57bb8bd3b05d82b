import type { Credentials } from 'singletable/direct'
import type { CloudWatch } from '../studio/api/cloudwatch.ts'
import type { Connection } from './data-connection.ts'

type Variables = Readonly<Record<string, string | undefined>>

/** CloudWatch with the credentials of the connection; undefined if the tables are not on AWS. */
export async function openCloudWatch(
  { aws }: Connection,
  variables: Variables,
): Promise<CloudWatch | undefined> {
  if (aws === undefined) return undefined
  const { region, credentials = fromVariables(variables) } = aws
  const { cloudWatch } = await import('../studio/api/cloudwatch.ts')
  return cloudWatch({
    region,
    credentials: async () => (typeof credentials === 'function' ? credentials() : credentials),
    // As the AWS SDK reads it.
    endpoint: variables.AWS_ENDPOINT_URL_CLOUDWATCH ?? variables.AWS_ENDPOINT_URL,
  })
}

function fromVariables({
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
}: Variables): Credentials | undefined {
  if (!accessKeyId || !secretAccessKey) return undefined
  return { accessKeyId, secretAccessKey, sessionToken }
}
