import { type eventConsumerRoutes, feedLimit } from '@yardarm/contract';
import { type FeedFilter, type FeedReader, limitsOf, pageJson } from '#features/log/event-feed/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import * as commands from './commands.ts';
import { type Consumer, type ConsumerFilters, isHiddenFrom, presentConsumer } from './consumer.ts';
import { listConsumers } from './store.ts';

const defaultLeaseSeconds = 60;

export function eventConsumerHandlers(
  database: Database,
  reader: FeedReader,
  clock: { now(): number },
): Handlers<typeof eventConsumerRoutes> {
  const { db, write, writeQuietly } = database;
  const shown = (consumer: Consumer, { hidden }: Pick<Identity, 'hidden'>) =>
    presentConsumer(consumer, { epoch: reader.epoch, id: reader.newest }, clock.now(), hidden);
  return {
    'GET /api/admin/event-consumers': async ({ caller }) => {
      const visible = (await listConsumers(db)).filter((consumer) => !isHiddenFrom(consumer, caller.hidden));
      return { body: { consumers: visible.map((consumer) => shown(consumer, caller)) } };
    },
    'PUT /api/admin/event-consumers/:name': async ({ params, body, author, caller }) => {
      const put = await write(author, (tx) => commands.putConsumer(tx, params.name, body));
      return { status: put.isNew ? 201 : 200, body: shown(put.consumer, caller) };
    },
    'DELETE /api/admin/event-consumers/:name': async ({ params, author }) =>
      write(author, (tx) => commands.deleteConsumer(tx, params.name)),
    'POST /api/admin/event-consumers/:name/poll': async ({ params, body, author, caller, request }) => {
      const { worker, limit = feedLimit.default, wait = 0, leaseSeconds = defaultLeaseSeconds } = body;
      // The lease covers the wait too, so that no other worker reads meanwhile.
      const consumer = await writeQuietly('event consumers', author, (tx) =>
        commands.leaseConsumer(tx, params.name, worker, wait + leaseSeconds),
      );
      const filter = filterOf(consumer.filters, limitsOf(caller));
      await reader.reach(consumer.acknowledged, consumer.epoch ?? undefined);
      const page = await reader.read(filter, consumer.acknowledged, limit, wait, request);
      const leasedUntil = isoTime(consumer.lease?.until ?? clock.now());
      return { body: Buffer.from(pageJson(page, filter, { leasedUntil })) };
    },
    'POST /api/admin/event-consumers/:name/acknowledge': async ({ params, body, author, caller }) => {
      const consumer = await writeQuietly('event consumers', author, (tx) =>
        commands.acknowledge(tx, params.name, body.worker, body),
      );
      return { body: shown(consumer, caller) };
    },
  };
}

function filterOf(
  { types, projects, environments, features }: ConsumerFilters,
  limits: ReturnType<typeof limitsOf>,
): FeedFilter {
  return {
    types: types ?? undefined,
    projects: projects ?? undefined,
    environments: environments ?? undefined,
    features: features ?? undefined,
    ...limits,
  };
}
