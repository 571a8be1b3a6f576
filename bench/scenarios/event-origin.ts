import { loadConfig } from '../../apps/server/src/config/load.ts';
import { authorOf, type RequestInfo } from '../../apps/server/src/http/request.ts';
import { type Author, adminTokenUserId } from '../../apps/server/src/kernel/actor.ts';
import type { Identity } from '../../apps/server/src/kernel/caller.ts';
import { systemClock } from '../../apps/server/src/kernel/clock.ts';
import { type Database, openDatabase } from '../../apps/server/src/storage/database.ts';
import { interleave } from '../interleave.ts';
import type { Scenario } from '../scenario.ts';

const writers = 8;
/** The least ratio of changes per second with origin and reason to changes per second without them. */
const leastRatio = 0.95;

const identity: Identity = {
  kind: 'admin-token',
  actor: { userId: adminTokenUserId, name: 'bench' },
  sessionId: null,
  tokenId: 1,
  can: () => true,
  canSomewhere: () => true,
  hidden: new Set(),
};
const headers: Readonly<Record<string, string>> = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'x-change-reason': encodeURIComponent('Größere Körbe für den Sommer – SHOP-1712'),
};
const request: RequestInfo = {
  requestId: 'bench',
  path: '/',
  search: '',
  header: (name) => headers[name],
  headersAfter: () => ({}),
  clientAddress: '192.0.2.17',
  remoteAddress: '192.0.2.17',
  cookies: {},
  gone: new AbortController().signal,
  stopping: new AbortController().signal,
};
const plain: Author = { actor: identity.actor, cause: { requestId: 'bench' }, can: identity.can, hidden: new Set() };

/** Measures the cost of recording where a change came from and why. The same changes without both are the floor. */
export const eventOrigin: Scenario = {
  name: 'event-origin',
  title: 'changes per second with origin and reason, of those without',
  engines: ['sqlite'],
  async run({ workDir, rounds, ms, say }) {
    const database = await openDatabase({ ...loadConfig({}), dataDir: workDir }, systemClock, 'the bench', (error) =>
      say(String(error)),
    );
    try {
      const forMs = ms(3000);
      await changesPerSecond(database, () => plain, ms(1000));
      const compared = await interleave(
        rounds,
        () => changesPerSecond(database, () => plain, forMs),
        () => changesPerSecond(database, () => authorOf(identity, request), forMs),
      );
      return [
        {
          name: 'changes with origin and reason',
          value: compared.value,
          unit: '/s',
          floor: { name: 'changes without', value: compared.floor },
          ratio: compared.ratio,
          range: compared.range,
          must: { of: 'ratio', atLeast: leastRatio },
          detail: { rounds: compared.rounds },
        },
      ];
    } finally {
      await database.close();
    }
  },
};

/** Returns the changes per second of {@link writers} concurrent writers. Each change records one event. */
async function changesPerSecond(database: Database, author: () => Author, forMs: number): Promise<number> {
  const started = performance.now();
  let changes = 0;
  const writer = async () => {
    while (performance.now() - started < forMs) {
      await database.write(author(), async (tx) =>
        tx.record({
          type: 'feature-environment-enabled',
          project: 'default',
          featureName: 'bench',
          environment: 'production',
        }),
      );
      changes++;
    }
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return (changes * 1000) / (performance.now() - started);
}
