import type { routes } from '@yardarm/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { matrixColumns } from '../../apps/server/src/features/access/matrix.ts';
import { givenCaller, giveRoles } from '../../apps/server/testing/access.ts';
import type { ApiClient } from '../../apps/server/testing/client.ts';
import { type FlagParams, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { committedPage } from '../../docs/generate.ts';

// Every cell of docs/reference/permissions.md is asked of a running server. Each request is refused at the latest because it
// names nothing that exists, or asks for what is so already: what counts is whether it was refused for want of a role.

type Key = keyof typeof routes;

const cells = committedPage('reference/permissions.md')
  .split('\n')
  .flatMap((line) => {
    const [, key, ...columns] = line.split('|').map((cell) => cell.trim());
    if (key?.startsWith('`') !== true) return [];
    return matrixColumns.map(({ name }, index) => ({
      key: key.slice(1, -1) as Key,
      who: name,
      may: columns[index] === 'yes',
    }));
  });

/** What handlers look at before they ask for a permission. */
const bodies: Partial<Record<Key, object>> = {
  'POST /api/admin/features/:featureName/tags': { type: 'simple', value: 'of-the-matrix' },
  'PUT /api/admin/features/:featureName/tags': { addedTags: [], removedTags: [] },
};

describe('the permission matrix', () => {
  const server = useServer();
  const clients = new Map<string, ApiClient>();
  let params: FlagParams | undefined;

  beforeAll(async () => {
    const projectId = await givenProject(server());
    // With a flag in use nobody can delete the project.
    params = await givenFlag(server(), {}, projectId);
    for (const { name, rootRole, projectRole } of matrixColumns) {
      if (rootRole === null) {
        clients.set(name, server().nobody);
        continue;
      }
      const { id, client } = await givenCaller(server(), rootRole);
      clients.set(name, client);
      if (projectRole !== null) await giveRoles(server(), projectId, [projectRole], { users: [id] });
    }
  });

  it('has a column for each role and rows', () => {
    expect(cells.length).toBeGreaterThan(100 * matrixColumns.length);
  });

  it.each(cells)('$key: $who may: $may', async ({ key, who, may }) => {
    const client = clients.get(who) as ApiClient;
    const named = key.includes('/:projectId') ? { projectId: params?.projectId ?? '' } : (params ?? {});
    const body = key.startsWith('GET ') ? undefined : (bodies[key] ?? {});
    const reply = await client.call(key, { params: named, body });
    const refused = reply.status === 401 ? reply.json.name === 'AuthenticationRequired' : isForWantOfRole(reply);
    expect(`${reply.status} ${refused ? 'refused' : 'taken'}`).toMatch(may ? /taken$/ : /refused$/);
  });
});

function isForWantOfRole({ status, text }: { status: number; text: string }): boolean {
  return status === 403 && (JSON.parse(text) as { name: string }).name === 'PermissionError';
}
