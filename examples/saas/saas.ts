import type { Table } from 'singletable'
import type { saasSchema } from './schema.ts'

/** What one customer can do. `tenantId` comes from the session; nothing below mentions it again. */
export function createWorkspace(table: Table<typeof saasSchema>, tenantId: string) {
  const scope = table.scope({ tenantId })
  const { Member, Project, Ticket } = scope.entities

  return {
    addMember: (handle: string, name: string) => Member.create({ handle, name }),

    members: () => Member.query(),

    addProject: (projectId: string, name: string) => Project.create({ projectId, name }),

    /** Numbers count up for each tenant. */
    async openTicket(projectId: string, title: string, assignee?: string) {
      const number = await table.sequence('ticket', tenantId).next()
      return Ticket.create({ projectId, number, title, assignee })
    },

    close: (projectId: string, number: number) =>
      Ticket.update({ projectId, number }).set({ status: 'done' }),

    /** The project and its tickets, by one query. */
    project: (projectId: string) =>
      scope.collect(['Project', 'Ticket'], { projectId }).tree('Project'),

    /** Open ones only: others are not in the index. */
    assignedTo: (assignee: string) => Ticket.query({ assignee }).useIndex('byAssignee'),

    /** A key as it is stored, as an attacker might give it. */
    readRaw: (partitionKey: string) =>
      Project.query().where((attr, op) => op.eq(attr.pk, partitionKey)),

    removeProject: (projectId: string) => Project.deleteCollection({ projectId }),
  }
}
