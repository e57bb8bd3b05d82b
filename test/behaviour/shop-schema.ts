import { defineSchema } from 'singletable'

/** A schema whose writes keep other items: copies, unique values, counters. */
export const ShopSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    byStatus: { hash: 'gsi1pk', sort: 'gsi1sk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: {
        userId: { type: String, required: true },
        email: { type: String, unique: 'ignore-case' },
        tenant: { type: String },
        handle: { type: String },
        name: { type: String },
        expiresAt: { type: Date, ttl: true },
        orderCount: { type: Number, counts: 'Order' },
        openCount: { type: Number, counts: { model: 'Order', when: { status: 'open' } } },
      },
      unique: { handle: ['tenant', 'handle'] },
    },
    Order: {
      key: { pk: 'ORDER#${orderId}', sk: 'ORDER' },
      index: { gsi1pk: 'STATUS#${status}', gsi1sk: 'ORDER#${orderId}' },
      attributes: {
        orderId: { type: String, required: true },
        userId: { type: String },
        status: { type: String, enum: ['open', 'paid', 'sent'], default: 'open' },
        total: { type: Number, default: 0 },
        note: { type: String },
        version: { type: Number, version: true },
      },
      copies: {
        UserOrder: {
          key: { pk: 'USER#${userId}', sk: 'ORDER#${orderId}' },
          attributes: ['status', 'total'],
        },
        OpenOrder: {
          key: { pk: 'OPEN#${orderId}', sk: 'OPEN' },
          index: { gsi1pk: 'OPEN', gsi1sk: 'USER#${userId}#${orderId}' },
          attributes: ['total'],
          when: { status: 'open' },
        },
      },
    },
    Group: {
      key: { pk: 'GROUP#${groupId}', sk: 'GROUP' },
      attributes: {
        groupId: { type: String, required: true },
        name: { type: String },
        memberCount: { type: Number, counts: 'Membership' },
        ownerCount: { type: Number, counts: { model: 'Membership', when: { role: 'owner' } } },
      },
    },
    Membership: {
      key: { pk: 'GROUP#${groupId}', sk: 'MEMBER#${userId}' },
      attributes: {
        groupId: { type: String, required: true },
        userId: { type: String, required: true },
        role: { type: String, default: 'member' },
      },
      copies: { UserGroup: { key: { pk: 'USER#${userId}', sk: 'GROUP#${groupId}' } } },
    },
    Tag: {
      key: { pk: 'TAG#${tag}', sk: 'TAG#${tag}' },
      attributes: { tag: { type: String, required: true }, text: { type: String } },
      copies: { TagList: { key: { pk: 'TAGS', sk: 'TAG#${tag}' } } },
    },
  },
})
