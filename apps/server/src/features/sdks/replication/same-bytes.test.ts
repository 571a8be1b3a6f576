import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itemAt } from '#kernel/lists.ts';
import type { ApiClient } from '#testing/client.ts';
import { freshName, givenProject } from '#testing/flags.ts';
import { randomStep, type Step, takeStep } from '#testing/random-changes.ts';
import { startTestReplica, type TestReplica } from '#testing/replica.ts';
import { type GivenSegment, givenSegment } from '#testing/segments.ts';
import { useServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

/** An SDK of the server, and the same SDK at a replica. */
interface Pair {
  readonly name: string;
  readonly own: ApiClient;
  readonly other: () => ApiClient;
  /** The positions from which the SDK can ask for deltas, newest last. */
  readonly etags: string[];
}

const specs = [{}, { 'unleash-client-spec': '5.2.0' }];
/** How many answers ago an SDK has got the position from which it asks for a delta; the last one is from none. */
const stepsBack = [1, 2, 5, 1_000_000];
const headersOf = ['etag', 'vary', 'content-encoding'];

describe('SDKs that move between a server and its replicas', () => {
  const server = useServer();
  const snapshotDir = mkdtempSync(join(tmpdir(), 'yardarm-same-bytes-'));
  const replicas: Record<string, TestReplica> = {};
  const pairs: Pair[] = [];
  let projects: readonly string[];
  let segments: readonly GivenSegment[];
  /** Starts the replica `whole` on its snapshot. */
  let startWhole: () => Promise<void>;

  beforeAll(async () => {
    projects = [await givenProject(server()), await givenProject(server())];
    segments = [await givenSegment(server()), await givenSegment(server())];
    const replicaToken = (await givenToken(server(), { type: 'replica', environment: '*' })).secret;
    startWhole = async () => {
      replicas['whole'] = await startTestReplica(server(), { replicaToken, snapshotDir });
    };
    await startWhole();
    replicas['one project'] = await startTestReplica(server(), {}, { projects: projects.slice(0, 1) });
    replicas['development'] = await startTestReplica(server(), {}, { environment: 'development' });
    const some = { projects: projects.slice(0, 1) };
    const scopes = {
      whole: [{}, some, { ...some, environment: 'production' }],
      'one project': [some, { ...some, environment: 'production' }],
      development: [{}, some],
    };
    for (const [name, tokens] of Object.entries(scopes)) {
      for (const token of tokens) {
        const { secret } = await givenToken(server(), token);
        const other = () => (replicas[name] as TestReplica).client(secret);
        pairs.push({ name: `${name} ${JSON.stringify(token)}`, own: server().client(secret), other, etags: [] });
      }
    }
  });
  afterAll(async () => {
    for (const replica of Object.values(replicas)) await replica.stop();
    rmSync(snapshotDir, { recursive: true, force: true });
  });

  /** Sends the same request to both, and expects the same answer. Returns its ETag. */
  async function expectSame({ name, own, other }: Pair, path: string, headers: Record<string, string>) {
    const [given, replicated] = await Promise.all([own, other()].map((sdk) => sdk.request('GET', path, { headers })));
    const told = (reply: typeof given) => ({
      name,
      path,
      status: reply?.status,
      headers: headersOf.map((header) => reply?.headers.get(header)),
      text: reply?.text,
    });
    expect(told(replicated)).toEqual(told(given));
    return given?.headers.get('etag') ?? '';
  }

  it('get the same bytes, ETags and deltas after random changes, also after a restart of the replica', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomStep, { minLength: 1, maxLength: 8 }), async (steps) => {
        const names = [0, 1, 2, 3].map(() => freshName('moved'));
        const beginning = names.map((_, flag): Step => ({ what: 'create', flag, environment: 'development', n: 0 }));
        for (const [turn, change] of [...beginning, ...steps].entries()) {
          await takeStep(server(), names, projects, segments, change);
          if (turn === 5) {
            await replicas['whole']?.stop();
            await startWhole();
          }
          for (const replica of Object.values(replicas)) await replica.caughtUp();
          for (const pair of pairs) {
            for (const spec of specs) await expectSame(pair, '/api/client/features', spec);
            const known = pair.etags.at(-itemAt(stepsBack, change.n % stepsBack.length));
            const headers = known === undefined ? {} : { 'if-none-match': known };
            pair.etags.push(await expectSame(pair, '/api/client/delta', headers));
          }
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});
