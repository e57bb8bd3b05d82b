import type { ObjectStore, StoredObject } from './object-store.ts'

interface ObjectAddress {
  Bucket: string
  Key: string
}

/** The part of the AWS SDK's `S3` client that is used. */
export interface S3Client {
  putObject(input: ObjectAddress & { Body: Uint8Array }): Promise<unknown>
  getObject(
    input: ObjectAddress,
  ): Promise<{ Body?: { transformToByteArray(): Promise<Uint8Array> } | undefined }>
  deleteObject(input: ObjectAddress): Promise<unknown>
  listObjectsV2(input: { Bucket: string; Prefix: string; ContinuationToken?: string }): Promise<{
    Contents?: { Key?: string | undefined; LastModified?: Date | undefined }[] | undefined
    NextContinuationToken?: string | undefined
  }>
}

/** Keeps objects in a bucket: `s3Store({ client: new S3({}), bucket: 'documents' })`. */
export function s3Store({
  client,
  bucket: Bucket,
}: {
  readonly client: S3Client
  readonly bucket: string
}): ObjectStore {
  return {
    async put(Key, Body) {
      await client.putObject({ Bucket, Key, Body })
    },
    async get(Key) {
      try {
        const { Body } = await client.getObject({ Bucket, Key })
        return await Body?.transformToByteArray()
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined
        throw error
      }
    },
    async delete(Key) {
      await client.deleteObject({ Bucket, Key })
    },
    async *list(Prefix): AsyncGenerator<StoredObject, void, undefined> {
      let token: string | undefined
      do {
        const page = await client.listObjectsV2({
          Bucket,
          Prefix,
          ...(token !== undefined && { ContinuationToken: token }),
        })
        for (const { Key, LastModified } of page.Contents ?? []) {
          // One without a time counts as new, so that it is never taken for left over.
          const storedAt = LastModified?.getTime() ?? Number.POSITIVE_INFINITY
          if (Key !== undefined) yield { key: Key, storedAt }
        }
        token = page.NextContinuationToken
      } while (token !== undefined)
    },
  }
}
