import { expect, it } from 'vitest';
import { addEndpoint, addRecorded, author, endpointNames, recordedNames, useDatabase } from '#testing/database.ts';
import type { BeforeCommit, RecordedEvents } from './write.ts';

const given = useDatabase();

const namesOf = ({ events }: RecordedEvents) => events.map(({ data }) => (data as { readonly name: string }).name);

/** Adds hooks for the change that records an endpoint with this name. */
function addHooks(name: string, ...hooks: readonly BeforeCommit[]): void {
  for (const hook of hooks)
    given().database.beforeCommit(async (change, recorded) =>
      namesOf(recorded)[0] === name ? hook(change, recorded) : undefined,
    );
}

it('all hooks read before the first acts, and act in the order in which they were added', async () => {
  const steps: string[] = [];
  const hook =
    (name: string): BeforeCommit =>
    async () => {
      steps.push(`${name} reads`);
      return undefined;
    };
  addHooks('quiet', hook('first'), hook('second'));
  await given().database.write(author, addRecorded('quiet'));
  expect(steps).toEqual(['first reads', 'second reads']);
});

it('a hook after one that has acted reads again, and sees its rows and events', async () => {
  const seen: string[][] = [];
  addHooks(
    'watched',
    async () => async (tx) => {
      await addRecorded('added by a hook')(tx);
    },
    async ({ db }, recorded) => {
      const rows = await db.selectFrom('signal_endpoints').select('name').orderBy('id').execute();
      seen.push([...namesOf(recorded), ...rows.slice(-2).map(({ name }) => name)]);
      return undefined;
    },
  );
  await given().database.write(author, addRecorded('watched'));
  expect(seen.at(-1)).toEqual(['watched', 'added by a hook', 'watched', 'added by a hook']);
});

it('what hooks have done is rolled back when one of them throws', async () => {
  const { database } = given();
  const before = [await endpointNames(database), await recordedNames(database)];
  addHooks(
    'refused',
    async () => (tx) => addEndpoint(tx, 'left behind'),
    async () => {
      throw new Error('refused by a hook');
    },
  );
  await expect(database.write(author, addRecorded('refused'))).rejects.toThrow('refused by a hook');
  expect([await endpointNames(database), await recordedNames(database)]).toEqual(before);
});
