import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { SingletableError } from 'singletable'
import { describe, expect, test } from 'vitest'
import { resolveEndpoint, resolveRegion } from '../../packages/singletable/src/direct/endpoint.ts'

const REGIONS = [
  'us-east-1',
  'eu-central-2',
  'ap-southeast-7',
  'il-central-1',
  'mx-central-1',
  'cn-north-1',
  'cn-northwest-1',
  'us-gov-east-1',
  'us-gov-west-1',
  'us-iso-east-1',
  'us-isob-east-1',
  'us-isof-south-1',
  'eu-isoe-west-1',
  'eusc-de-east-1',
]

interface Provider {
  endpointProvider(parameters: object): { readonly url: URL }
}

const clients = {
  dynamodb: new DynamoDBClient({ region: 'us-east-1' }),
  streams: new DynamoDBStreamsClient({ region: 'us-east-1' }),
}

describe.each(['dynamodb', 'streams'] as const)('the address of %s', (service) => {
  const { endpointProvider } = clients[service].config as unknown as Provider
  const cases = REGIONS.flatMap((region) =>
    [false, true].flatMap((fips) =>
      [false, true].map((dualStack) => ({ region, fips, dualStack })),
    ),
  )
  test.each(cases)(
    'is the one the SDK has for $region, FIPS $fips, dual stack $dualStack',
    (each) => {
      const { region, fips, dualStack } = each
      let theirs: URL
      try {
        theirs = endpointProvider({ Region: region, UseFIPS: fips, UseDualStack: dualStack }).url
      } catch {
        // The SDK knows that the partition has no such address; we leave that to the name server.
        expect(fips || dualStack).toBe(true)
        return
      }
      const { protocol, host } = resolveEndpoint(service, each, {})
      expect(`${protocol}//${host}`).toBe(theirs.origin)
    },
  )
})

test.each([
  ['http://localhost:8000', 'localhost', '8000', 'localhost:8000', '/'],
  ['http://[::1]:8000/', '::1', '8000', '[::1]:8000', '/'],
  ['https://proxy.example:443/a/b', 'proxy.example', '', 'proxy.example', '/a/b/'],
])('%s is taken apart', (endpoint, hostname, port, host, path) => {
  expect(resolveEndpoint('dynamodb', { region: 'a', endpoint }, {})).toMatchObject({
    hostname,
    port,
    host,
    path,
  })
})

test.each([
  'localhost:8000',
  'nonsense',
  'ftp://localhost',
  'http://user:password@localhost',
  'http://localhost?table=a',
])('%s is refused as an address', (endpoint) => {
  const resolve = (): unknown => resolveEndpoint('dynamodb', { region: 'a', endpoint }, {})
  expect(resolve).toThrow(SingletableError)
  expect(resolve).toThrow(/^OPTION_INVALID/)
})

test('a password in an address is not repeated', () => {
  const endpoint = 'http://user:hunter2@localhost'
  expect(() => resolveEndpoint('dynamodb', { region: 'a', endpoint }, {})).not.toThrow(/hunter2/)
})

test('variables of the environment name the address, the more special one first', () => {
  const host = (service: 'dynamodb' | 'streams', variables: Record<string, string>): string =>
    resolveEndpoint(service, { region: 'eu-west-1' }, variables).host
  const all = { AWS_ENDPOINT_URL: 'http://all:1' }
  const own = {
    ...all,
    AWS_ENDPOINT_URL_DYNAMODB: 'http://own:2',
    AWS_ENDPOINT_URL_DYNAMODB_STREAMS: 'http://streams:3',
  }
  expect(host('dynamodb', all)).toBe('all:1')
  expect(host('streams', all)).toBe('all:1')
  expect(host('dynamodb', own)).toBe('own:2')
  expect(host('streams', own)).toBe('streams:3')
  const ignored = { ...own, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }
  expect(host('dynamodb', ignored)).toBe('dynamodb.eu-west-1.amazonaws.com')
})

test('the region comes from the option, then from the environment', () => {
  const variables = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }
  expect(resolveRegion('eu-west-3', variables)).toBe('eu-west-3')
  expect(resolveRegion(undefined, variables)).toBe('eu-west-1')
  expect(resolveRegion(undefined, { AWS_DEFAULT_REGION: 'eu-west-2' })).toBe('eu-west-2')
  expect(() => resolveRegion(undefined, {})).toThrow(/^OPTION_INVALID: No region is given/)
})

test.each(['evil.example/', 'a.b', '', '-a', 'a\r\nb', 7])(
  '%j is refused as a region',
  (region) => {
    expect(() => resolveRegion(region, {})).toThrow(/^OPTION_INVALID/)
  },
)
