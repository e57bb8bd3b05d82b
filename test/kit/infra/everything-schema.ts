import { defineSchema } from 'singletable'

/** A table with all that a table can have: indexes of every kind, time to live, stream, tags, names
 * that need quoting. */
export const everythingSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: ['title'] },
    byTournament: { hash: ['tournamentId', 'region'], sort: ['round', 'score'] },
    byTag: { hash: 'tag', project: 'keys' },
    lsi1: { hash: 'pk', sort: 'lsi1sk', type: 'local', project: 'keys' },
  },
  models: {
    Post: {
      key: { pk: 'TENANT#${tenantId}#USER#${username}', sk: 'POST#${postId}' },
      index: { gsi1pk: 'TENANT#${tenantId}', gsi1sk: 'POST#${postId}' },
      attributes: {
        tenantId: { type: String, required: true },
        username: { type: String, required: true },
        postId: { type: String, generate: 'ulid' },
        title: { type: String, required: true },
        tag: { type: String },
        likes: { type: Number, default: 0, map: 'lsi1sk' },
        expiresAt: { type: Date, ttl: true },
      },
    },
    Match: {
      key: { pk: 'TENANT#${tenantId}#MATCH#${matchId}', sk: 'MATCH' },
      attributes: {
        tenantId: { type: String, required: true },
        matchId: { type: String, generate: 'ulid' },
        tournamentId: { type: String, required: true },
        region: { type: String, required: true },
        round: { type: String, required: true },
        score: { type: Number, required: true },
        players: { type: Set, items: { type: String } },
      },
    },
  },
  patterns: {
    writePost: { op: 'create', entity: 'Post' },
    getPost: { op: 'get', entity: 'Post', by: ['tenantId', 'username', 'postId'] },
    likePost: {
      op: 'update',
      entity: 'Post',
      by: ['tenantId', 'username', 'postId'],
      add: ['likes'],
    },
    postsOfUser: { op: 'query', entity: 'Post', by: ['tenantId', 'username'] },
    postsOfTenant: {
      op: 'query',
      entity: 'Post',
      index: 'gsi1',
      by: ['tenantId'],
      project: ['title'],
    },
    matches: {
      op: 'query',
      entity: 'Match',
      index: 'byTournament',
      by: ['tournamentId', 'region'],
    },
    endMatch: { op: 'delete', entity: 'Match', by: ['tenantId', 'matchId'] },
  },
  table: {
    stream: 'new-and-old',
    onDemandThroughput: {
      maxReadRequestUnits: 4000,
      maxWriteRequestUnits: 1000,
      indexes: { gsi1: { maxReadRequestUnits: 500, maxWriteRequestUnits: 200 } },
    },
    warmThroughput: {
      readUnitsPerSecond: 15_000,
      writeUnitsPerSecond: 5000,
      indexes: { byTag: { readUnitsPerSecond: 13_000, writeUnitsPerSecond: 4500 } },
    },
    pointInTimeRecovery: { recoveryPeriodInDays: 14 },
    encryption: {
      kmsKey: 'arn:aws:kms:eu-west-1:123456789012:key/0c0ffee0-1234-4abc-8def-000000000001',
    },
    tableClass: 'infrequent-access',
    tags: { team: 'content', 'cost center': '${a} "b"' },
  },
})
