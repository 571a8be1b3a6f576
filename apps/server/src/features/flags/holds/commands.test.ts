import { describe, expect, it } from 'vitest';
import { systemActor } from '#kernel/actor.ts';
import { type FlagEnvironmentParams, givenEnabled } from '#testing/flags.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { useServer } from '#testing/server.ts';
import { type HoldRequest, placeHold, releaseHold, releaseSelected } from './index.ts';

describe('a hold of a run', () => {
  const server = useServer();
  const run = (runId: number) => ({ kind: 'run', key: 'action:7:alert-9', runId, actionSetId: 7 }) as const;
  const by = (runId: number) => ({ actor: systemActor, cause: { signalId: 5, runId } });
  const hold = ({ projectId: project, ...place }: FlagEnvironmentParams, runId: number, more: object = {}) => {
    const request: HoldRequest = { ...place, project, effect: 'off', holder: run(runId), ...more };
    return server().app.database.write(by(runId), (tx) => placeHold(tx, 3, request));
  };
  const releaseBy = ({ featureName, environment }: FlagEnvironmentParams, runId: number) =>
    server().app.database.write(by(runId), (tx) => releaseHold(tx, { featureName, environment, holder: run(runId) }));

  it('is placed once when its alert fires twice, and released once when the alert is resolved twice', async () => {
    const params = await givenEnabled(server());
    const before = await lastEventId(server());
    const first = await hold(params, 1, { reason: 'firing' });
    const again = await hold(params, 2, { reason: 'firing', expiresAt: server().clock.now() + 1000 });
    expect([first.isNew, again.isNew]).toEqual([true, false]);
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', {
      params,
    });
    expect(json.leases).toMatchObject([
      { id: again.hold.id, heldBy: { kind: 'run', key: 'action:7:alert-9', runId: 1 }, reason: 'firing' },
    ]);
    expect([await releaseBy(params, 3), await releaseBy(params, 4)]).toEqual([true, false]);
    const cause = (runId: number) => ({ signalId: 5, runId });
    expect(await eventsAfter(server(), before)).toMatchObject([
      { type: 'feature-lease-placed', cause: cause(1), data: { heldBy: { runId: 1 } } },
      { type: 'feature-effective-state-changed', cause: cause(1) },
      { type: 'feature-lease-updated', cause: cause(2) },
      { type: 'feature-lease-released', cause: cause(3) },
      { type: 'feature-effective-state-changed', cause: cause(3) },
    ]);
  });

  it('does not release the hold of a person with the same key', async () => {
    const params = await givenEnabled(server());
    await hold(params, 1, { holder: { kind: 'person', key: run(1).key } });
    expect(await releaseBy(params, 1)).toBe(false);
  });

  it('is released by a selection, which leaves other holds of automation and those of people', async () => {
    const params = await givenEnabled(server());
    const selected = await hold(params, 1);
    await hold(params, 2, { holder: { ...run(2), key: 'action:7:alert-10' } });
    await hold(params, 3, { holder: { kind: 'person', key: 'mine' } });
    const release = () =>
      server().app.database.write(by(4), (tx) => releaseSelected(tx, params, ({ id }) => id === selected.hold.id));
    expect([await release(), await release()]).toEqual([true, false]);
    await server().app.database.write(by(5), (tx) => releaseSelected(tx, params, () => true));
    const { json } = await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', {
      params,
    });
    expect(json.leases).toMatchObject([{ heldBy: { kind: 'person', key: 'mine' } }]);
    expect(json.leases).toHaveLength(1);
  });

  it('holds a flag on in a reviewed environment only when its author may skip review', async () => {
    const params = await givenEnabled(server());
    const body = { changeRequestsEnabled: true };
    const route = 'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config';
    await server().admin.call(route, { params, body });
    const write = (can: boolean, effect: 'on' | 'off') =>
      server().app.database.write({ actor: { userId: 77, name: 'robot' }, cause: {}, can: () => can }, (tx) =>
        placeHold(tx, 9, { ...params, project: params.projectId, effect, holder: run(1) }),
      );
    await expect(write(false, 'on')).rejects.toMatchObject({ name: 'PermissionError' });
    await write(false, 'off');
    await write(true, 'on');
    await server().admin.call(route, { params, body: { changeRequestsEnabled: false } });
  });
});
