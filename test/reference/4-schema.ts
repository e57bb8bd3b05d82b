import { defineSchema } from 'singletable'

const text = { type: String, required: true } as const

/** The patterns of the fourth reference text in one table, with its keys. */
export const SocialSchema = defineSchema({
  indexes: {
    primary: { hash: 'pk', sort: 'sk' },
    gsi1: { hash: 'gsi1pk', sort: 'gsi1sk' },
    gsi2: { hash: 'gsi2pk', sort: 'gsi2sk' },
  },
  models: {
    User: {
      key: { pk: 'USER#${userId}', sk: 'PROFILE' },
      attributes: {
        userId: text,
        name: text,
        email: text,
        avatar: { type: String },
        createdAt: { type: String, default: () => new Date().toISOString() },
        postCount: { type: Number, counts: 'Post' },
      },
    },
    Subscription: {
      key: { pk: 'USER#${userId}', sk: 'SUB#${subId}' },
      attributes: { userId: text, subId: text, plan: text },
    },
    Post: {
      key: { pk: 'POST#${postId}', sk: 'METADATA' },
      index: { gsi1pk: 'POST#STATUS#${status}', gsi1sk: '${createdAt}' },
      when: { gsi1: { status: 'published' } },
      attributes: {
        postId: text,
        userId: text,
        title: text,
        content: { type: String, default: '', maxBytes: 300_000 },
        status: { type: String, enum: ['draft', 'published'], default: 'draft' },
        createdAt: { type: String, default: () => new Date().toISOString() },
        commentCount: { type: Number, counts: 'Comment' },
      },
      copies: {
        UserPost: {
          key: { pk: 'USER#${userId}', sk: 'POST#${postId}' },
          attributes: ['title', 'content', 'createdAt'],
        },
      },
    },
    Comment: {
      key: { pk: 'POST#${postId}', sk: 'COMMENT#${createdAt}#${commentId}' },
      index: { gsi2pk: 'USER#${userId}', gsi2sk: 'COMMENT#${createdAt}#${commentId}' },
      attributes: {
        postId: text,
        commentId: text,
        createdAt: text,
        userId: text,
        userName: { type: String, copyOf: 'User.name' },
        userAvatar: { type: String, copyOf: 'User.avatar' },
        text,
      },
    },
    Group: {
      key: { pk: 'GROUP#${groupId}', sk: 'METADATA' },
      attributes: {
        groupId: text,
        name: text,
        description: { type: String },
        memberCount: { type: Number, counts: 'Membership' },
      },
    },
    Membership: {
      key: { pk: 'USER#${userId}', sk: 'GROUP#${groupId}' },
      index: { gsi2pk: 'GROUP#${groupId}', gsi2sk: 'USER#${userId}' },
      attributes: {
        userId: text,
        groupId: text,
        groupName: { type: String, copyOf: 'Group.name' },
        userName: { type: String, copyOf: 'User.name' },
        role: text,
        joinedAt: text,
      },
      copies: {
        GroupMember: {
          key: { pk: 'GROUP#${groupId}', sk: 'USER#${userId}' },
          attributes: ['userName', 'role', 'joinedAt'],
        },
      },
    },
    Folder: {
      key: { pk: 'FOLDER#${folderId}', sk: 'METADATA' },
      attributes: {
        folderId: text,
        name: text,
        parentId: { type: String },
        path: text,
      },
    },
    File: {
      key: { pk: 'FILE#${fileId}', sk: 'METADATA' },
      attributes: {
        fileId: text,
        folderId: text,
        name: text,
        size: { type: Number, required: true },
        uploadedAt: text,
      },
      copies: {
        FolderFile: { key: { pk: 'FOLDER#${folderId}', sk: 'FILE#${uploadedAt:day}#${fileId}' } },
      },
    },
    Metric: {
      key: { pk: 'METRICS#${resourceId}', sk: '${at}' },
      attributes: {
        resourceId: text,
        at: text,
        cpu: { type: Number },
        memory: { type: Number },
        requests: { type: Number },
      },
    },
  },
  patterns: {
    getUser: { op: 'get', entity: 'User', by: ['userId'] },
    createUser: { op: 'create', entity: 'User' },
    updateUser: { op: 'update', entity: 'User', by: ['userId'], set: ['name', 'email'] },
    userPosts: { op: 'query', entity: 'UserPost', by: ['userId'] },
    postWithComments: { op: 'query', entity: ['Post', 'Comment'], by: ['postId'] },
    recentComments: { op: 'query', entity: 'Comment', by: ['postId'], order: 'desc', limit: 2 },
    publishedPosts: { op: 'query', entity: 'Post', index: 'gsi1', by: ['status'] },
    userGroups: { op: 'query', entity: 'Membership', by: ['userId'] },
    groupMembers: { op: 'query', entity: 'GroupMember', by: ['groupId'] },
    membership: { op: 'get', entity: 'Membership', by: ['userId', 'groupId'] },
    filesInFolder: { op: 'query', entity: 'FolderFile', by: ['folderId'], order: 'desc' },
    getFile: { op: 'get', entity: 'File', by: ['fileId'] },
    metrics: { op: 'query', entity: 'Metric', by: ['resourceId'], range: 'at' },
  },
  table: { stream: 'new-and-old' },
})
