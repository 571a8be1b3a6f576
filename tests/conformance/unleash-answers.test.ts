import { beforeAll, expect, it } from 'vitest';
import { givenApplication } from '../../apps/server/testing/applications.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { answerDifferences } from '../../docs/compatibility/answers.ts';
import { unleashAnswers } from '../../docs/compatibility/unleash-answers.ts';

const server = useServer();
const project = 'default';
const flag = 'shaped';
let app = '';

/** Creates one object of each kind that the answers contain, so that no list in them is empty. */
beforeAll(async () => {
  const { admin } = server();
  const flags = `/api/admin/projects/${project}/features`;
  const segment = await admin.request('POST', '/api/admin/segments', { body: { name: 'shaped', constraints: [] } });
  const parameters = { rollout: '50', stickiness: 'default', groupId: flag };
  const defaultStrategy = { name: 'flexibleRollout', parameters, constraints: [] };
  const made = [
    segment,
    await admin.request('POST', '/api/admin/context', {
      body: { name: 'shaped', legalValues: [{ value: 'a', description: 'the first' }] },
    }),
    await admin.request('POST', `/api/admin/projects/${project}/environments/development/default-strategy`, {
      body: defaultStrategy,
    }),
    await admin.request('POST', flags, { body: { name: flag, description: 'shaped' } }),
    await admin.request('POST', flags, { body: { name: 'parent' } }),
    await admin.request('POST', `${flags}/${flag}/dependencies`, { body: { feature: 'parent' } }),
    await admin.request('POST', `/api/admin/features/${flag}/tags`, { body: { type: 'simple', value: 'shaped' } }),
    await admin.request('POST', `${flags}/${flag}/link`, { body: { url: 'https://example.com/', title: 'shaped' } }),
    await admin.request('POST', `${flags}/${flag}/environments/development/strategies`, {
      body: {
        ...defaultStrategy,
        constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }],
        segments: [segment.json.id],
      },
    }),
    await admin.request('POST', `${flags}/${flag}/environments/development/on`),
    await admin.request('POST', '/api/admin/user-admin', {
      body: {
        username: 'shaped',
        email: 'shaped@example.com',
        name: 'Shaped',
        password: 'A-Good-Passw0rd',
        rootRole: 1,
      },
    }),
  ];
  expect(made.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
  app = await givenApplication(server(), {
    sdkVersion: 'unleash-client-node:6.12.1',
    strategies: ['default', 'flexibleRollout'],
    flags: [flag, 'unknown-flag'],
  });
});

it.each(Object.entries(unleashAnswers))('%s has the fields and types of Unleash', async (call, types) => {
  const path = call.replace('GET ', '').replace('{project}', project).replace('{flag}', flag).replace('{app}', app);
  const reply = await server().admin.request('GET', path);
  expect(reply.status).toBe(200);
  const found = new Map<string, Set<string>>();
  collect(reply.json, '', found);
  const leftOut = new Set(
    answerDifferences.filter((difference) => difference.call === call).flatMap(({ fields }) => fields),
  );
  const faults: string[] = [];
  for (const [expected, fields] of Object.entries(types)) {
    for (const field of fields.split(' ')) {
      const seen = [...(found.get(field) ?? [])];
      const fits = seen.length > 0 && seen.every((type) => expected.split(' | ').includes(type));
      if (fits === leftOut.has(field)) faults.push(`${field} is ${seen.join(' | ') || 'missing'}, not ${expected}`);
    }
  }
  expect(faults).toEqual([]);
});

/** Adds to `found` the types of a value and of all fields and elements in it, by path. */
function collect(value: unknown, path: string, found: Map<string, Set<string>>): void {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const types = found.get(path || '.') ?? new Set();
  found.set(path || '.', types.add(type));
  if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, fieldValue] of Object.entries(value)) collect(fieldValue, `${path}.${name}`, found);
  }
}
