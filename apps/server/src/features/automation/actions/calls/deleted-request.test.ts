import { expect, it } from 'vitest';
import { calling, givenActionPlace, givenSet, runsOf, signal } from '#testing/actions.ts';
import { author } from '#testing/database.ts';
import { freshName } from '#testing/flags.ts';
import { useReceiver } from '#testing/receiver.ts';
import { useServer } from '#testing/server.ts';

const server = useServer({ allowPrivateIntegrationUrls: true });
const receiver = useReceiver();

/** Creates a set whose call the receiver has answered 503 once. */
async function givenWaitingCall() {
  const place = await givenActionPlace(server());
  const path = `/${freshName('deleted')}`;
  const set = await givenSet(server(), { actions: [calling(place, `${receiver().url}${path}`)] }, place);
  receiver().answer(path, 503);
  await signal(server(), place);
  return { set, sent: () => receiver().received.filter((request) => request.path === path).length };
}

it('a call whose request another process has deleted does not keep other calls from being sent', async () => {
  const [emptied, waiting] = [await givenWaitingCall(), await givenWaitingCall()];
  await server().app.database.writeQuietly('deliveries', author, async (tx) => {
    const calls = tx.db.updateTable('action_calls').where('action_set_id', '=', emptied.set.id);
    await calls.set({ url: '', headers: '', body: '' }).execute();
  });
  server().clock.advance(60_000);
  await server().app.service.deliveries.idle();
  expect([emptied.sent(), waiting.sent()]).toEqual([1, 2]);
  const [run] = await runsOf(server(), waiting.set);
  expect(run.actionSet.actions[0].call).toMatchObject({ state: 'delivered' });
});
