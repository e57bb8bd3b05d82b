import { requestTargets } from '../wire/request-targets.ts'
import type { SdkConfig, SdkEndpoint } from './sdk-types.ts'

/** A request, as far as it names tables. */
interface NamedTables {
  readonly TableName?: string
  readonly TargetTableName?: string
  readonly ResourceArn?: string
  readonly BackupArn?: string
  readonly RequestItems?: object
  readonly TransactItems?: readonly object[]
}

/**
 * Where the client would send a request: its own rules decide, with the parameters that the SDK's
 * commands give them. Asked for each request, because credentials carry the account whose endpoint
 * may be used, and a name that is an ARN says which account it is.
 */
export async function findEndpoint(
  config: SdkConfig,
  operation: string,
  input: NamedTables,
  context: object,
): Promise<SdkEndpoint> {
  const custom = await customEndpoint(config)
  const { RequestItems, TransactItems } = input
  // Clients that don't know the setting leave it as it was given.
  const { accountIdEndpointMode: given } = config
  const mode = typeof given === 'function' ? await given() : undefined
  const hasAccount = custom === undefined && mode !== undefined && mode !== 'disabled'
  const endpoint = config.endpointProvider(
    {
      Region: await config.region(),
      UseFIPS: await config.useFipsEndpoint(),
      UseDualStack: await config.useDualstackEndpoint(),
      Endpoint: custom?.url,
      AccountIdEndpointMode: mode,
      AccountId: hasAccount ? (await config.credentials?.())?.accountId : undefined,
      ResourceArn: input.TableName ?? input.TargetTableName ?? input.ResourceArn ?? input.BackupArn,
      ResourceArnList:
        RequestItems || TransactItems ? requestTargets(input).map(({ table }) => table) : undefined,
      // Vectors are searched on a host of their own.
      IsSearchOperation: operation === 'SearchVectors' || undefined,
    },
    context,
  )
  return custom?.headers === undefined ? endpoint : { ...endpoint, headers: custom.headers }
}

interface CustomEndpoint {
  readonly url: string
  readonly headers?: Readonly<Record<string, readonly string[]>>
}

async function customEndpoint(config: SdkConfig): Promise<CustomEndpoint | undefined> {
  if (config.isCustomEndpoint && config.endpoint !== undefined) {
    const { protocol, hostname, port, path, headers } = await config.endpoint()
    const url = `${protocol}//${hostname}${port ? `:${port}` : ''}${path}`
    if (headers === undefined) return { url }
    return {
      url,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, [value].flat().map(String)]),
      ),
    }
  }
  if (config.ignoreConfiguredEndpointUrls) return undefined
  const url = await config.serviceConfiguredEndpoint?.()
  return url ? { url } : undefined
}
