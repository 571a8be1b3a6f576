import type { groupRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { presentGroup } from './group.ts';
import { listGroups } from './store.ts';

export function groupHandlers({ db, write }: Database): Handlers<typeof groupRoutes> {
  return {
    'GET /api/admin/groups': async () => ({
      status: 200,
      body: { groups: (await listGroups(db)).map(presentGroup) },
    }),
    'POST /api/admin/groups': async ({ body, author }) => {
      const group = await write(author, (tx) => commands.createGroup(tx, inputOf(body)));
      return { status: 201, body: presentGroup(group), headers: { location: `groups/${group.id}` } };
    },
    'GET /api/admin/groups/:groupId': async ({ params }) => ({
      status: 200,
      body: presentGroup(await commands.requireGroup(db, params.groupId)),
    }),
    'PUT /api/admin/groups/:groupId': async ({ params, body, author }) => {
      const group = await write(author, (tx) => commands.updateGroup(tx, params.groupId, inputOf(body)));
      return { status: 200, body: presentGroup(group) };
    },
    'DELETE /api/admin/groups/:groupId': async ({ params, author }) => {
      await write(author, (tx) => commands.deleteGroup(tx, params.groupId));
      return { status: 200 };
    },
  };
}

function inputOf<Body extends { readonly users?: readonly { readonly user: { readonly id: number } }[] | undefined }>({
  users,
  ...body
}: Body) {
  return { ...body, userIds: users?.map(({ user }) => user.id) };
}
