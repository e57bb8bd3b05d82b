import { DefinitionError } from '../errors/definition-error.ts'
import type { Service } from '../wire/service-of.ts'
import type { Variables } from './credentials/container-credentials.ts'

/** What an address is made of. */
export interface Endpoint {
  /** `http:` or `https:`. */
  readonly protocol: string
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string
  /** Empty for the protocol's own. */
  readonly port: string
  /** Host and port as in the header. */
  readonly host: string
  /** Ends with a slash, as the SDK does it. */
  readonly path: string
}

export interface EndpointOptions {
  readonly region: string
  readonly endpoint?: string | undefined
  readonly fips?: boolean | undefined
  readonly dualStack?: boolean | undefined
}

/** Names after which the regions of a partition of AWS are called, and where its hosts are; others
 * are in the first. */
const PARTITIONS: readonly (readonly [prefix: RegExp, suffix: string, dualStackSuffix: string])[] =
  [
    [/^cn-/, 'amazonaws.com.cn', 'api.amazonwebservices.com.cn'],
    [/^eusc-/, 'amazonaws.eu', 'api.amazonwebservices.eu'],
    [/^us-iso-/, 'c2s.ic.gov', 'api.aws.ic.gov'],
    [/^us-isob-/, 'sc2s.sgov.gov', 'api.aws.scloud'],
    [/^eu-isoe-/, 'cloud.adc-e.uk', 'api.cloud-aws.adc-e.uk'],
    [/^us-isof-/, 'csp.hci.ic.gov', 'api.aws.hci.ic.gov'],
    [/^/, 'amazonaws.com', 'api.aws'],
  ]

/** The region to sign for: the option, or what the process was started with. */
export function resolveRegion(region: unknown, variables: Variables): string {
  const found = region ?? (variables.AWS_REGION || variables.AWS_DEFAULT_REGION)
  // It becomes part of a host's name, which must stay the one that is meant.
  if (typeof found !== 'string' || !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(found)) {
    throw new DefinitionError('OPTION_INVALID', {
      what:
        found === undefined ? 'No region is given.' : `${JSON.stringify(found)} is not a region.`,
      where: 'connect(), option "region"',
      tried: 'AWS_REGION, AWS_DEFAULT_REGION',
      fix: "give the table's region, such as connect({ region: 'eu-west-1' })",
    })
  }
  return found
}

/** Where a service is: the option, what the environment says, or AWS's own address for the
 * region. */
export function resolveEndpoint(
  service: Service,
  options: EndpointOptions,
  variables: Variables,
): Endpoint {
  const { region } = options
  const configured = options.endpoint ?? configuredEndpoint(service, variables)
  if (configured !== undefined) return parseEndpoint(configured)
  const isFips = options.fips ?? variables.AWS_USE_FIPS_ENDPOINT === 'true'
  const isDualStack = options.dualStack ?? variables.AWS_USE_DUALSTACK_ENDPOINT === 'true'
  // This is what the SDK calls DynamoDB Local.
  if (region === 'local') return parseEndpoint('http://localhost:8000')
  const [, plain, dual] = PARTITIONS.find(([prefix]) => prefix.test(region)) ?? ['', '', '']
  const suffix = isDualStack ? dual : plain
  // GovCloud has one set of hosts, which are all FIPS.
  const fips = isFips && !(region.startsWith('us-gov-') && !isDualStack) ? '-fips' : ''
  const prefix =
    service === 'dynamodb' ? '' : isDualStack && isPublic(region) ? 'streams-' : 'streams.'
  return parseEndpoint(`https://${prefix}dynamodb${fips}.${region}.${suffix}`)
}

function isPublic(region: string): boolean {
  return !/^(eusc|us-iso\w?|eu-isoe)-/.test(region)
}

function configuredEndpoint(service: Service, variables: Variables): string | undefined {
  if (variables.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === 'true') return undefined
  const own = `AWS_ENDPOINT_URL_DYNAMODB${service === 'streams' ? '_STREAMS' : ''}`
  return variables[own] || variables.AWS_ENDPOINT_URL || undefined
}

function parseEndpoint(text: string): Endpoint {
  const refuse = (what: string): never => {
    throw new DefinitionError('OPTION_INVALID', {
      what,
      where: 'connect(), option "endpoint"',
      fix: "give an address such as 'http://localhost:8000', or none for AWS",
    })
  }
  const shown = JSON.stringify(text)
  if (typeof text !== 'string' || !URL.canParse(text)) return refuse(`${shown} is not an address.`)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) refuse(`${shown} begins with neither http: nor https:.`)
  if (url.username || url.password) refuse('The address has a user or a password in it.')
  if (url.search || url.hash) refuse(`${shown} has a query string or a fragment.`)
  return {
    protocol: url.protocol,
    hostname: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port,
    host: url.host,
    path: url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`,
  }
}
