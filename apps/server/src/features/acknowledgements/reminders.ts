import type { JobKind } from '../../jobs/runner.ts';
import { listIntegrations } from '../integrations/index.ts';
import { attentionEvents } from './events.ts';
import { openItems } from './open.ts';
import { findAcknowledgements, saveToldAgain } from './store.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/**
 * Returns the job that tells people once more of what nobody has acknowledged after some minutes; undefined when there
 * are 0 minutes. It tells nobody of what began more than a day ago, and does nothing while no integration asks for it.
 */
export function tellAgain(minutes: number): JobKind[] {
  if (minutes === 0) return [];
  return [
    {
      kind: 'tell-again',
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
          return (stored?.acknowledged_at ?? stored?.told_again_at ?? null) === null;
        });
        await saveToldAgain(tx, left);
        for (const event of attentionEvents(left)) tx.record({ type, ...event });
        return tx.now + minuteMs;
      },
    },
  ];
}

const type = 'automation-unacknowledged';
