import { describe, expect, it } from 'vitest';
import { givenCaller, givenRole } from '#testing/access.ts';
import { freshName, givenProject } from '#testing/flags.ts';
import { errorsBelow, reportErrors, startMinute } from '#testing/impact-metrics.ts';
import { givenTemplate, inThreeSteps, rolloutTo } from '#testing/release-plans.ts';
import { lastEventId } from '#testing/scenario.ts';
import { givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ releaseTemplateLimit: 8 });
const ownerRole = 4;

async function pull(client = server().admin) {
  return (await client.call('GET /api/admin/state')).json;
}

const plan = (state: object) => server().admin.call('POST /api/admin/state/plan', { body: { state } });
const apply = (state: object) => server().admin.call('POST /api/admin/state/apply', { body: { state } });

async function archive(templateId: string) {
  const route = 'POST /api/admin/release-plan-templates/archive/:templateId';
  await server().admin.call(route, { params: { templateId } });
}

async function stored(name: string) {
  const { json } = await server().admin.call('GET /api/admin/release-plan-templates');
  return json.find((template: { name: string }) => template.name === name);
}

/** Milestones with all kinds of gates, a segment, variants, constraints and a disabled strategy. */
async function withAllGates(role: number, segment: number): Promise<object[]> {
  startMinute(server());
  await reportErrors(server(), 0);
  const hours = { days: ['mon', 'tue'], from: '09:00', to: '16:00', timeZone: 'Europe/Berlin' };
  const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }];
  const constraint = { contextName: 'country', operator: 'IN', values: ['NO'] };
  const gates = { hours, evaluations: 1000, metric: errorsBelow(5), approval: { by: 'person', role } };
  return [
    {
      name: 'Some',
      transitionCondition: { intervalMinutes: 60, ...gates },
      strategies: [
        { name: 'flexibleRollout', parameters: { rollout: '10' }, segments: [segment], variants },
        { name: 'default', title: 'Norway', disabled: true, constraints: [constraint] },
      ],
    },
    { ...rolloutTo(50), transitionCondition: { intervalMinutes: 60, approval: { by: 'action' } } },
    { name: 'Later', strategies: [] },
  ];
}

describe('a release template in a state', () => {
  it('has all kinds of gates and no ids, and gives another template the same milestones', async () => {
    const segment = await givenSegment(server());
    const milestones = await withAllGates(ownerRole, segment.id);
    const { id, name } = await givenTemplate(server(), { description: 'With care', milestones });
    const state = await pull();
    const template = state.releaseTemplates[name];
    expect(template).toMatchObject({
      description: 'With care',
      milestones: [
        {
          transitionCondition: { metric: errorsBelow(5), approval: { by: 'person', role: 'Owner' } },
          strategies: [{ segments: [segment.name] }, { title: 'Norway', disabled: true }],
        },
        { transitionCondition: { approval: { by: 'action' } } },
        { name: 'Later', strategies: [] },
      ],
    });
    expect(JSON.stringify(template)).not.toMatch(/"(id|startedAt|archivedAt|groupId|sortOrder)"/);
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });

    const copy = freshName('template');
    const copying = { version: 1, releaseTemplates: { [copy]: template } };
    expect((await apply(copying)).status).toBe(200);
    expect((await pull()).releaseTemplates[copy]).toEqual(template);
    const before = await lastEventId(server());
    expect((await apply(copying)).json).toEqual({ changes: [] });
    expect(await lastEventId(server())).toBe(before);
    await archive(id);
    await archive((await stored(copy)).id);
  });

  it('keeps the ids of its milestones and strategies when it changes', async () => {
    const { id, name } = await givenTemplate(server());
    const before = await stored(name);
    const state = await pull();
    const [first, ...rest] = state.releaseTemplates[name].milestones;
    first.strategies[0].parameters.rollout = 5;
    state.releaseTemplates[name].milestones = [{ name: 'Staff', strategies: [{ name: 'default' }] }, first, ...rest];
    expect((await apply(state)).json.changes).toMatchObject([{ type: 'release-plan-template-updated', name }]);
    const after = await stored(name);
    expect(after.milestones.slice(1)).toMatchObject(
      before.milestones.map(({ id, strategies }: { id: string; strategies: { id: string }[] }) => ({
        id,
        strategies: strategies.map((strategy) => ({ id: strategy.id })),
      })),
    );
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });
    await archive(id);
  });

  it('changes nothing after its role was deleted, and refuses to drop the role with another change', async () => {
    const role = await givenRole(server());
    const milestones = [
      { ...rolloutTo(10), transitionCondition: { intervalMinutes: 60, approval: { by: 'person', role: role.id } } },
      rolloutTo(100),
    ];
    const { id, name } = await givenTemplate(server(), { milestones });
    await server().admin.call('DELETE /api/admin/roles/:roleId', { params: { roleId: role.id } });
    const state = await pull();
    expect((await plan(state)).json).toMatchObject({ changes: [], errors: [] });
    state.releaseTemplates[name].milestones[1].name = 'Everyone';
    expect((await apply(state)).json.details).toMatchObject([
      { path: `releaseTemplates.${name}.milestones.0.transitionCondition.approval.role` },
    ]);
    await archive(id);
  });

  it('is left out with a segment that is hidden from the caller, deleted or of another project, and when archived', async () => {
    const priv = await givenProject(server(), { mode: 'private' });
    const [hidden, deleted] = [await givenSegment(server(), { project: priv }), await givenSegment(server())];
    const using = (segment: number) => [{ name: 'Some', strategies: [{ name: 'default', segments: [segment] }] }];
    const ofHidden = await givenTemplate(server(), { milestones: using(hidden.id) });
    const ofDeleted = await givenTemplate(server(), { milestones: using(deleted.id) });
    const old = await givenTemplate(server());
    await archive(old.id);
    await server().admin.call('DELETE /api/admin/segments/:id', { params: { id: deleted.id } });
    const { client } = await givenCaller(server(), 'Editor');
    const namesIn = async (query: { projects?: string }, by = server().admin) =>
      Object.keys((await by.call('GET /api/admin/state', { query })).json.releaseTemplates);
    expect(await namesIn({})).toEqual([ofHidden.name]);
    expect(await namesIn({ projects: 'default' })).toEqual([]);
    expect(await namesIn({}, client)).toEqual([]);
    await archive(ofHidden.id);
    await archive(ofDeleted.id);
  });

  it('is refused over the limit, which archived templates in the same state make room in', async () => {
    const full = [];
    for (let count = 0; count < 8; count++) full.push(await givenTemplate(server()));
    const added = { [freshName('template')]: { milestones: [] } };
    const refused = await apply({ version: 1, releaseTemplates: added });
    expect(refused).toMatchObject({ status: 400, json: { details: [{ path: 'releaseTemplates' }] } });
    const first = full[0];
    const swapped = { version: 1, releaseTemplates: { ...added, [first.name]: { archived: true } } };
    expect((await apply(swapped)).json.changes).toMatchObject([
      { type: 'release-plan-template-archived', name: first.name },
      { type: 'release-plan-template-created' },
    ]);
    const revived = { version: 1, releaseTemplates: { [first.name]: { milestones: inThreeSteps.slice(0, 1) } } };
    expect((await apply(revived)).status).toBe(400);
  });
});
