import { listIntegrations } from '#features/integrations/integrations/index.ts';
import type { JobKind } from '#jobs/runner.ts';
import { attentionEvents } from './events.ts';
import { openItems } from './open.ts';
import { findAcknowledgements, saveReminded } from './store.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Returns the job that records one reminder of each unacknowledged item after some minutes; no job when there are 0
 * minutes. Items that are older than a day get no reminder. Does nothing while no enabled integration subscribes to it.
 */
export function reminders(minutes: number): JobKind[] {
  if (minutes === 0) return [];
  return [
    {
      kind: 'reminders',
      recurring: true,
      records: true,
      run: async (tx) => {
        const integrations = await listIntegrations(tx.db);
        const isHeard = integrations.some(({ enabled, events }) => enabled && events.includes(type));
        if (!isHeard) return tx.now + minuteMs;
        const [from, until] = [tx.now - dayMs, tx.now - minutes * minuteMs];
        const items = (await openItems(tx.db, tx.now)).filter(({ since, isTold }) => {
          return isTold && since >= from && since <= until;
        });
        const known = await findAcknowledgements(
          tx.db,
          items.map(({ subject }) => subject),
        );
        const left = items.filter(({ subject }) => {
          const stored = known.get(subject);
          return (stored?.acknowledged_at ?? stored?.reminded_at ?? null) === null;
        });
        await saveReminded(tx, left);
        for (const event of attentionEvents(left)) tx.record({ type, ...event });
        return tx.now + minuteMs;
      },
    },
  ];
}

const type = 'automation-unacknowledged';
