import { afterEach, expect, it } from 'vitest';
import type { NewEvent } from '#storage/tx.ts';
import { givenCaller, givenMember } from '#testing/access.ts';
import { recordEvents } from '#testing/event-log.ts';
import { givenFlag, givenProject } from '#testing/flags.ts';
import { useServer } from '#testing/server.ts';
import { TestStream } from '#testing/test-stream.ts';

const server = useServer();
const memberRole = 5;

const open: TestStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

async function follow(token: string, query = ''): Promise<TestStream> {
  const url = `${server().url}/api/admin/events/feed?after=newest${query}`;
  const stream = await TestStream.open(url, { authorization: token, accept: 'text/event-stream' });
  open.push(stream);
  expect(stream.status).toBe(200);
  return stream;
}

const event = (featureName: string, environment: string, type: NewEvent['type']): NewEvent => {
  return { type, project: 'default', featureName, environment };
};
const [on, off] = ['feature-environment-enabled', 'feature-environment-disabled'] as const;

it('streams with different filters, open at the same time, each send their own events', async () => {
  const { token } = await givenCaller(server(), 'Admin');
  const filters = ['environment=production', 'environment=development', `types=${off}`, 'feature=a', 'project=nowhere'];
  const streams = [];
  for (const filter of filters) streams.push(await follow(token, `&${filter}`));
  await recordEvents(server().app, [event('a', 'production', on), event('b', 'development', off)]);
  await recordEvents(server().app, [
    event('a', 'development', off),
    { ...event('c', 'production', on), project: 'nowhere' },
  ]);
  const received = async (stream: TestStream | undefined, count: number) => {
    const all = [];
    for (let n = 0; n < count; n++) {
      const { featureName, environment } = (await stream?.next())?.data ?? {};
      all.push(`${featureName} ${environment}`);
    }
    return all;
  };
  const [production, development, disabled, ofFlag, nowhere] = streams;
  expect(await received(production, 2)).toEqual(['a production', 'c production']);
  expect(await received(development, 2)).toEqual(['b development', 'a development']);
  expect(await received(disabled, 2)).toEqual(['b development', 'a development']);
  expect(await received(ofFlag, 2)).toEqual(['a production', 'a development']);
  expect(await received(nowhere, 1)).toEqual(['c production']);
});

it('streams of callers with different rights, open at the same time, each send what their caller may see', async () => {
  const [first, second] = [
    await givenProject(server(), { mode: 'private' }),
    await givenProject(server(), { mode: 'private' }),
  ];
  const callers = [await givenMember(server(), first, memberRole), await givenMember(server(), second, memberRole)];
  const streams = [];
  for (const { token } of callers) streams.push(await follow(token));
  const flags = [await givenFlag(server(), {}, first), await givenFlag(server(), {}, second)];
  for (const [n, stream] of streams.entries())
    expect((await stream.next())?.data.featureName).toBe(flags[n]?.featureName);
});
