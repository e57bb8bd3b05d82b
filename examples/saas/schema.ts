import { defineSchema } from 'singletable'

const text = { type: String, required: true } as const

/** Many customers in one table: every partition key begins with the tenant. */
export const saasSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byAssignee: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    Member: {
      key: { pk: 'TENANT#${tenantId}', sk: 'MEMBER#${handle}' },
      attributes: { tenantId: text, handle: text, name: text },
      stats: { perPartition: { max: 1_000 } },
    },
    Project: {
      key: { pk: 'TENANT#${tenantId}#PROJECT#${projectId}', sk: 'PROJECT' },
      attributes: {
        tenantId: text,
        projectId: text,
        name: text,
        tickets: { type: Number, counts: 'Ticket' },
      },
    },
    Ticket: {
      key: { pk: 'TENANT#${tenantId}#PROJECT#${projectId}', sk: 'TICKET#${number:pad(6)}' },
      index: {
        gsi1pk: 'TENANT#${tenantId}#MEMBER#${assignee}',
        gsi1sk: 'TICKET#${number:pad(6)}',
      },
      when: { byAssignee: { status: 'open' } },
      attributes: {
        tenantId: text,
        projectId: text,
        number: { type: Number, required: true },
        title: text,
        status: { type: String, enum: ['open', 'done'], default: 'open' },
        assignee: { type: String },
      },
      // Six digits of a number are the most that a project can have.
      stats: { perPartition: { max: 999_999 } },
    },
  },
})
