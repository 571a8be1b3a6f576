import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventsAfter, lastEventId } from '../../apps/server/testing/scenario.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { eventDifferences, writeDifferences } from '../../docs/compatibility/write-differences.ts';

/** A change that was sent to Unleash 8.2.0, with the recorded status and events. The body is an example. */
interface Write {
  /** Method and path below `/api/admin`; `{name}` is a value that an earlier answer gave. */
  readonly call: string;
  readonly body?: unknown;
  readonly status: number;
  /**
   * One text for each event: the type, the keys of `data`, a bar and the keys of `preData`, such as `type a,b|c`; `-`
   * is null.
   */
  readonly events: readonly string[];
  /** The field of the answer that later calls use as `{name}`. */
  readonly gives?: readonly [name: string, field: string];
}

const writes = JSON.parse(readFileSync(new URL('../unleash/write-calls.json', import.meta.url), 'utf8')) as Write[];
const server = useServer();
const given = new Map<string, unknown>();

it.each(writes.map((write, index) => [index, write.call, write] as const))(
  'change %i, %s, has the status and events of Unleash',
  async (index, call, { body, status, events, gives }) => {
    const { admin } = server();
    const before = await lastEventId(server());
    const [method = '', path = ''] = filled(call).split(' ');
    const reply = await admin.request(
      method,
      `/api/admin${path}`,
      body === undefined ? {} : { body: filledJson(body) },
    );
    if (gives !== undefined) given.set(gives[0], reply.json[gives[1]]);
    const difference = writeDifferences.find((candidate) => candidate.index === index);
    expect(difference?.call ?? call).toBe(call);
    expect(reply.status, reply.text).toBe(difference?.status ?? status);
    const recorded = events.map(parsed);
    const actual = (await eventsAfter(server(), before)) as readonly ActualEvent[];
    expect(actual.map(({ type }) => type)).toEqual(difference?.events ?? recorded.map(({ type }) => type));
    for (const { type, data, preData } of recorded) {
      const event = actual.find((candidate) => candidate.type === type);
      if (event === undefined) continue;
      const listed = eventDifferences.flatMap(({ types, keys }) => (types.includes(type) ? keys : []));
      const lacks = [...missing(data, event.data), ...missing(preData, event.preData)];
      expect({ type, lacks: lacks.filter((key) => !listed.includes(key)) }).toEqual({ type, lacks: [] });
    }
  },
);

interface ActualEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly preData?: unknown;
}

function filled(text: string): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(given.get(name) ?? whole));
}

/** Replaces `"{name}"` in a body by the value that an earlier answer gave, with its JSON type. */
function filledJson(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body).replace(/"\{(\w+)\}"/g, (whole, name: string) =>
      given.has(name) ? JSON.stringify(given.get(name)) : whole,
    ),
  );
}

function parsed(text: string) {
  const [type = '', keys = ''] = text.split(' ');
  const [data = [], preData = []] = keys.split('|').map((list) => (/^(-|\{\})$/.test(list) ? [] : list.split(',')));
  return { type, data, preData };
}

function missing(keys: readonly string[], value: unknown): readonly string[] {
  return keys.filter((key) => typeof value !== 'object' || value === null || !(key in value));
}
