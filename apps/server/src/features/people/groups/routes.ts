import type { groupRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { presentGroup } from './group.ts';
import { listGroups } from './store.ts';

export function groupHandlers({ db, write }: Database): Handlers<typeof groupRoutes> {
  return {
    'GET /api/admin/groups': async () => ({ body: { groups: (await listGroups(db)).map(presentGroup) } }),
    'POST /api/admin/groups': async ({ body, author }) => {
      const group = await write(author, (tx) => commands.createGroup(tx, inputOf(body)));
      return { body: presentGroup(group), headers: { location: `groups/${group.id}` } };
    },
    'GET /api/admin/groups/:groupId': async ({ params }) => ({
      body: presentGroup(await commands.requireGroup(db, params.groupId)),
    }),
    'PUT /api/admin/groups/:groupId': async ({ params, body, author }) => {
      const group = await write(author, (tx) => commands.updateGroup(tx, params.groupId, inputOf(body)));
      return { body: presentGroup(group) };
    },
    'DELETE /api/admin/groups/:groupId': async ({ params, author }) =>
      write(author, (tx) => commands.deleteGroup(tx, params.groupId)),
  };
}

function inputOf<Body extends { readonly users?: readonly { readonly user: { readonly id: number } }[] | undefined }>({
  users,
  ...body
}: Body) {
  return { ...body, userIds: users?.map(({ user }) => user.id) };
}
