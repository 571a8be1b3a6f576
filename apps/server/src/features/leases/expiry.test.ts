import { describe, expect, it } from 'vitest';
import { givenCaller } from '../../../testing/access.ts';
import { givenEnabled } from '../../../testing/flags.ts';
import { eventsAfter, lastEventId } from '../../../testing/scenario.ts';
import { useServer } from '../../../testing/server.ts';

const leases = 'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases';
const hour = 3_600_000;

describe('a flag that is held', () => {
  const server = useServer();

  it('until a time tells who held it until when, and the request that set that time', async () => {
    const params = await givenEnabled(server());
    const expiresAt = new Date(server().clock.now() + hour).toISOString();
    const { client } = await givenCaller(server(), 'Editor');
    const hold = (body: object) => client.call(leases, { params, body });
    await hold({ effect: 'off' });
    const { heldBy } = (await hold({ effect: 'off', expiresAt })).json;
    const before = await lastEventId(server());
    const [placed] = await eventsAfter(server(), before - 1);
    expect(placed).toMatchObject({ type: 'feature-lease-updated', cause: { requestId: expect.any(String) } });
    server().clock.advance(hour);
    await server().app.service.expiries.runDue();
    expect(await eventsAfter(server(), before)).toMatchObject([
      {
        type: 'feature-lease-expired',
        cause: placed?.cause,
        preData: { heldBy, expiresAt },
        summary: expect.stringMatching(new RegExp(`, held by \\*\\*${heldBy.name}\\*\\* until ${expiresAt}$`)),
      },
      { type: 'feature-effective-state-changed', cause: placed?.cause },
    ]);
  });
});
