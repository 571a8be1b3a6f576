import { type RouteKey, type RouteSpec, rootPermissions, routes } from '@yardarm/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { givenCaller, givenMember, givenRole } from '../../apps/server/testing/access.ts';
import { givenActionPlace, givenSet } from '../../apps/server/testing/actions.ts';
import { givenApplication } from '../../apps/server/testing/applications.ts';
import { requestChanges, switchingOn } from '../../apps/server/testing/change-requests.ts';
import type { ApiClient, Call } from '../../apps/server/testing/client.ts';
import { givenContextField } from '../../apps/server/testing/context-fields.ts';
import { addStrategy, givenFlag, givenProject } from '../../apps/server/testing/flags.ts';
import { arbitraryOf, printed } from '../../apps/server/testing/json-schema.ts';
import { givenTemplate } from '../../apps/server/testing/release-plans.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';

// A stranger sends each request twice: about objects of a private project, and about objects that do not exist. The
// answers are equal but for the names. New routes are checked without a new test.

type Key = RouteKey & keyof typeof routes;
const table = Object.entries(routes) as [Key, RouteSpec][];

/** Begins the names of all objects of the private project. */
const mark = 'hush';
/** Objects by the parameter that names them; those of `:id` depend on the path. */
type Names = Readonly<Record<string, string>>;

const about = table.filter(([key, { access }]) =>
  typeof access === 'object'
    ? /:\w/.test(key)
    : ['signed-in', 'backend', 'frontend', 'sdk'].includes(access) && /:\w/.test(key),
);

describe('an object of a private project', () => {
  const server = useServer();
  let hidden: Names;
  const absent: Record<string, string> = {};
  /** The ids of objects of the private project, for parameters named `id`. */
  let ids: readonly string[];
  let callers: Readonly<Record<string, ApiClient>>;
  let sdk: ApiClient;
  let open: string;

  beforeAll(async () => {
    const projectId = `${mark}-project`;
    const environments = ['development', 'production'];
    const project = { id: projectId, name: projectId, mode: 'private', environments };
    expect((await server().admin.call('POST /api/admin/projects', { body: project })).status).toBe(201);
    const { featureName } = await givenFlag(server(), { name: `${mark}-flag` }, projectId);
    const flag = { projectId, featureName };
    const strategyId = await addStrategy(server(), { ...flag, environment: 'development' }, { name: 'default' });
    const segment = await givenSegment(server(), { name: `${mark}-segment`, project: projectId });
    const contextField = await givenContextField(server(), { name: `${mark}-field`, project: projectId });
    const template = await givenTemplate(server(), { name: `${mark}-template`, project: projectId });
    const { secret, tokenName } = await givenToken(server(), { projects: [projectId], tokenName: `${mark}-token` });
    const { id: actorId } = await givenMember(server(), projectId, 4);
    const set = await givenSet(
      server(),
      { name: `${mark}-set` },
      { ...(await givenActionPlace(server())), projectId, actorId, flag: { ...flag, environment: 'development' } },
    );
    const consumer = { params: { name: `${mark}-consumer` }, body: { projects: [projectId] } };
    expect((await server().admin.call('PUT /api/admin/event-consumers/:name', consumer)).status).toBeLessThan(300);
    const appName = await givenApplication(server(), { flags: [featureName] });
    const place = { projectId, featureName, environment: 'development' };
    const { id: requestId } = await requestChanges(
      (await givenCaller(server(), 'Admin')).client,
      place,
      switchingOn(place),
    );
    hidden = {
      ...flag,
      feature: featureName,
      project: projectId,
      parent: featureName,
      key: featureName,
      strategyId,
      segmentId: String(segment.id),
      contextField,
      templateId: String(template.id),
      token: secret,
      name: tokenName,
      actionSetId: String(set.id),
      changeRequestId: String(requestId),
      appName,
    };
    ids = [segment.id, requestId, set.id, template.id, featureName].map(String);
    for (const name of Object.keys(hidden)) absent[name] = absentOf(hidden[name] ?? '');
    open = await givenProject(server());
    const all = rootPermissions.filter((name) => name !== 'ADMIN').map((name) => ({ name }));
    const role = await givenRole(server(), { type: 'root-custom', permissions: all });
    callers = {
      viewer: (await givenCaller(server())).client,
      editor: (await givenCaller(server(), 'Editor')).client,
      'holder of all root permissions but ADMIN': (await givenCaller(server(), role.id)).client,
      'owner of another project': (await givenMember(server(), open, 4)).client,
    };
    sdk = server().client((await givenToken(server(), { projects: [open] })).secret);
  });

  /** Returns a name or id of the same kind that does not exist. */
  function absentOf(name: string): string {
    return /^\d+$/.test(name) ? '987654' : name.replace(/[a-z0-9]+$/i, 'nowhere');
  }

  /** Returns the requests about the private project: all names of it, and its flag in a project that is seen. */
  function requestsOf(key: Key, spec: RouteSpec): { readonly secret: Call; readonly none: Call }[] {
    const params = [...key.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
    const bodies = spec.body === undefined ? [undefined] : sampleOf(spec.body);
    const choices = params.includes('id') ? ids : [''];
    const namesMore = params.some((name) => name !== 'projectId' && name !== 'environment');
    const projects = params.includes('projectId') && namesMore ? [true, false] : [true];
    return bodies.flatMap((body) =>
      choices.flatMap((id) =>
        projects.map((isSecret) => {
          const paramsOf = (names: Names, own: string) =>
            Object.fromEntries(
              params.map((name) => {
                if (name === 'environment') return [name, 'development'];
                if (name === 'projectId' && !isSecret) return [name, open];
                return [name, name === 'id' ? own : (names[name] ?? 'x')];
              }),
            );
          const call = body === undefined ? {} : { body };
          return {
            secret: { ...call, params: paramsOf(hidden, id) },
            none: { ...call, params: paramsOf(absent, absentOf(id)) },
          };
        }),
      ),
    );
  }

  function sampleOf(schema: NonNullable<RouteSpec['body']>): unknown[] {
    const valid = fc.sample(arbitraryOf(printed(schema), ['default', 'development', 'x']), { seed: 7, numRuns: 12 });
    return valid.filter((body) => schema.safeParse(body).success).slice(0, 2);
  }

  async function told(client: ApiClient, key: Key, call: Call, names: Names) {
    const { status, text, headers } = await client.call(key, call);
    // Errors have an id each, and the log grows between the two requests.
    let answer = text.replaceAll(/"id":"[0-9a-f-]{36}"/g, '').replaceAll(/"acknowledged":\d+/g, '');
    const all = [...Object.values(names), ...Object.values(call.params ?? {}).map(String)];
    for (const id of all.filter((value) => /^\d+$/.test(value)))
      answer = answer.replaceAll(new RegExp(`(?<=[ "])${id}(?=[ .,"])`, 'g'), '<name>');
    for (const name of all.filter((value) => value.length > 3 && value !== 'development' && value !== open))
      answer = answer.replaceAll(name, '<name>').replaceAll(encodeURIComponent(name), '<name>');
    return { status, type: headers.get('content-type'), answer };
  }

  const isOfSdk = ({ access }: RouteSpec) => ['backend', 'frontend', 'sdk'].includes(access as string);

  const lists = table.filter(
    ([key, { access }]) =>
      key.startsWith('GET ') && !key.includes(':') && (access === 'signed-in' || typeof access === 'object'),
  );

  it.each(lists.map(([key]) => key))('is not named by %s', async (key) => {
    for (const client of Object.values(callers)) expect((await client.call(key)).text).not.toContain(mark);
  });

  it('is not named by metrics, which need no login', async () => {
    for (const key of ['GET /metrics', 'GET /internal-backstage/prometheus'] as const)
      expect((await server().anonymous.call(key)).text).not.toContain(mark);
  });

  it.each(about)('is answered by %s like one that does not exist', async (key, spec) => {
    const clients = isOfSdk(spec) ? { sdk } : callers;
    for (const { secret, none } of requestsOf(key, spec)) {
      for (const [who, client] of Object.entries(clients)) {
        const params = JSON.stringify(secret.params);
        const given = await told(client, key, secret, hidden);
        expect([who, params, given]).toEqual([who, params, await told(client, key, none, absent)]);
      }
    }
  });
});
