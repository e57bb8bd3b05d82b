import { defineSchema } from 'singletable'

/** Indexes that hold whole items, some attributes, and keys alone. */
export const schema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byTeam: { hash: 'teamPk', sort: 'teamSk', project: 'keys' },
    byLead: { hash: 'lead', sort: 'rank', project: ['title', 'first', 'last'] },
    byKind: { hash: 'kindPk', sort: 'sk' },
  },
  models: {
    Task: {
      key: { pk: 'OWNER#${owner}', sk: 'TASK#${number:pad(4)}' },
      index: { teamPk: 'TEAM#${team}', teamSk: '${due}#${kind:lower}', kindPk: '${kind:lower}' },
      attributes: {
        owner: { type: String, required: true },
        number: { type: Number, required: true },
        team: { type: String },
        kind: { type: String, required: true },
        due: { type: Date, required: true },
        title: { type: String, required: true },
        first: { type: String },
        last: { type: String },
        name: {
          type: String,
          from: ['first', 'last'],
          stored: false,
          compute: ({ first, last }) => `${first} ${last}`,
        },
        lead: { type: String },
        position: { type: Number, map: 'rank', required: true },
        secret: { type: String, hidden: true },
      },
    },
    Session: {
      key: { pk: 'USER#${owner}', sk: 'SESSION' },
      index: { teamPk: 'TEAM#${team}', teamSk: 'SESSION' },
      attributes: {
        owner: { type: String, required: true },
        team: { type: String, required: true },
        device: { type: String },
        endsAt: { type: Date, ttl: true },
      },
    },
  },
})
