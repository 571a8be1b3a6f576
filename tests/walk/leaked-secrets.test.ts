import { type RouteKey, type RouteSpec, routes } from '@yardarm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calling, givenActionPlace, givenSet } from '../../apps/server/testing/actions.ts';
import type { Reply } from '../../apps/server/testing/client.ts';
import { givenIntegration } from '../../apps/server/testing/integrations.ts';
import { givenUser, logIn } from '../../apps/server/testing/people.ts';
import { givenEndpoint } from '../../apps/server/testing/signals.ts';
import { World } from './world.ts';

// Creates every kind of secret, and expects none of them in the answers of GET routes, in events and in the log.

const gets = (Object.entries(routes) as [RouteKey & keyof typeof routes, RouteSpec][]).filter(([key]) =>
  key.startsWith('GET '),
);
const expiresAt = '2099-01-01T00:00:00.000Z';

async function made(reply: Promise<Reply>) {
  const answered = await reply;
  if (answered.status >= 300) throw new Error(`the request was answered ${answered.status}: ${answered.text}`);
  return answered.text === '' ? undefined : answered.json;
}

/** Creates a secret of each kind and returns them by the name of their kind. */
async function givenSecrets({ server }: World): Promise<Readonly<Record<string, string>>> {
  const { admin, anonymous } = server;
  const user = { ...(await givenUser(server)), password: 'Of-A-Person-4711!' };
  await made(
    admin.call('POST /api/admin/user-admin/:id/change-password', {
      params: { id: user.id },
      body: { password: user.password },
    }),
  );
  const session = await logIn(anonymous, user);
  const body = { description: 'secret', expiresAt };
  const personal = await made(anonymous.call('POST /api/admin/user/tokens', { headers: session, body }));
  const robot = await made(
    admin.call('POST /api/admin/service-account', { body: { username: 'robot-of-secrets', name: 'x', rootRole: 3 } }),
  );
  const ofRobot = await made(
    admin.call('POST /api/admin/service-account/:id/token', { params: { id: robot.id }, body }),
  );
  const apiToken = async (type: string) =>
    (
      await made(
        admin.call('POST /api/admin/api-tokens', {
          body: { tokenName: `of-${type}`, type, environment: 'development' },
        }),
      )
    ).secret as string;
  const [backend, frontend] = [await apiToken('backend'), await apiToken('frontend')];
  const endpoint = await givenEndpoint(server);
  const invite = await made(admin.call('POST /api/admin/invite-link/tokens', { body: { name: 'secret', expiresAt } }));
  const reset = await made(admin.call('POST /api/admin/user-admin/reset-password', { body: { id: user.id } }));
  await givenIntegration(server, {
    parameters: {
      url: 'https://8.8.8.8/',
      authorization: 'Bearer secret-of-an-integration',
      customHeaders: '{"X-Key":"secret-of-a-header"}',
    },
  });
  const place = await givenActionPlace(server);
  const call = calling(place, 'https://8.8.8.8/', { headers: '{"X-Key":"secret-of-an-action"}' });
  await givenSet(server, { enabled: false, actions: [call] }, place);
  await made(
    admin.call('POST /api/admin/auth/oidc/settings', {
      body: {
        enabled: false,
        discoverUrl: 'https://id.example.com',
        clientId: 'x',
        secret: 'secret-of-the-oidc-client',
      },
    }),
  );
  return {
    password: user.password,
    session: session.cookie.slice(session.cookie.indexOf('=') + 1),
    'personal token': personal.secret,
    'token of a service account': ofRobot.secret,
    'backend token': backend.slice(backend.indexOf('.') + 1),
    'frontend token': frontend.slice(frontend.indexOf('.') + 1),
    'signal token': endpoint.token,
    'invite link': invite.secret,
    'password link': new URL(reset.resetPasswordUrl).searchParams.get('token') ?? '',
    integration: 'secret-of-an-integration',
    'header of an integration': 'secret-of-a-header',
    'header of an action': 'secret-of-an-action',
    'OpenID Connect client': 'secret-of-the-oidc-client',
  };
}

describe('secrets', () => {
  let world: World;
  let secrets: Readonly<Record<string, string>> = {};
  beforeAll(async () => {
    world = await World.open();
    secrets = await givenSecrets(world);
  });
  afterAll(() => world.close());

  const expectNone = (text: string) => {
    for (const [kind, secret] of Object.entries(secrets)) {
      expect(secret.length, kind).toBeGreaterThan(10);
      expect(text.includes(secret), `the secret of a kind: ${kind}`).toBe(false);
    }
    expect(text).not.toContain('$argon2');
  };

  it.each(gets)('are in no answer of %s', async (key, spec) => {
    const { headers, known } = await world.enter(key, spec);
    const path = key.slice(4).replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(known[name] ?? '1'));
    const { text } = await world.send('GET', path, { host: 'localhost', ...headers }, undefined);
    expectNone(text);
  });

  it('are in no event and no line of the log', async () => {
    const { server } = world;
    const { text } = await server.admin.call('GET /api/admin/search/events', { query: { limit: 1000 } });
    expect(text).toContain('user-updated');
    expectNone(text);
    expectNone(server.logged.join('\n'));
  });
});
