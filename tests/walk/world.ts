import { Agent, request } from 'node:http';
import type { RouteSpec } from '@yardarm/contract';
import { givenGroup, givenRole, giveRoles } from '../../apps/server/testing/access.ts';
import { givenSet, runsOf, signal } from '../../apps/server/testing/actions.ts';
import { givenApplication } from '../../apps/server/testing/applications.ts';
import { givenContextField } from '../../apps/server/testing/context-fields.ts';
import {
  givenArchived,
  givenDefinition,
  givenDependency,
  givenEnvironment,
  givenFlag,
  givenLink,
  givenProject,
  givenStrategy,
} from '../../apps/server/testing/flags.ts';
import { givenHold } from '../../apps/server/testing/holds.ts';
import { givenDelivery, givenIntegration } from '../../apps/server/testing/integrations.ts';
import { givenUser, logIn } from '../../apps/server/testing/people.ts';
import { givenSegment } from '../../apps/server/testing/segments.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '../../apps/server/testing/server.ts';
import { givenEndpoint } from '../../apps/server/testing/signals.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The ids and names of existing objects, by the path parameter that names them. */
export type Known = Readonly<Record<string, string>>;

type Headers = Readonly<Record<string, string>>;

/** A server that receives requests exactly as they are generated: an API client would correct some of them. */
export class World {
  readonly server: TestServer;
  readonly #storage: TestStorage;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #headers: Headers = {};

  private constructor(server: TestServer, storage: TestStorage) {
    this.server = server;
    this.#storage = storage;
  }

  static async open(): Promise<World> {
    const storage = await createStorage();
    return new World(
      await startServer(storage, {
        signalEndpointsLimit: 10_000,
        signalTokensLimit: 10_000,
        segmentLimit: 10_000,
        actionSetsLimit: 10_000,
      }),
      storage,
    );
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.server.stop();
    await this.#storage.remove();
  }

  send(method: string, path: string, headers: Headers, body: string | undefined): Promise<Answer> {
    const { hostname, port } = new URL(this.server.url);
    return new Promise((resolve, reject) => {
      const sent = request({ agent: this.#agent, hostname, port, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        const type = response.headers['content-type'] ?? '';
        const answered = () =>
          resolve({ status: response.statusCode ?? 0, type, text: Buffer.concat(chunks).toString() });
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          // A stream of events does not end, so its first data counts as the answer.
          if (!type.startsWith('text/event-stream')) return;
          answered();
          response.destroy();
        });
        response.on('error', reject);
        response.on('end', answered);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  /** Returns the headers of a caller whom the route admits, and the existing objects for its path parameters. */
  async enter(key: string, { access }: RouteSpec): Promise<{ headers: Headers; known: Known }> {
    const { server } = this;
    if (access === 'public' || access === 'stream') return { headers: {}, known: {} };
    if (access === 'signal') {
      const { name, token } = await givenEndpoint(server);
      return { headers: { authorization: `Bearer ${token}` }, known: { name } };
    }
    if (access === 'replica') {
      const { secret } = await givenToken(server, { type: 'replica', environment: '*' });
      return { headers: { authorization: secret }, known: {} };
    }
    if (access === 'backend' || access === 'frontend' || access === 'sdk') {
      const { featureName } = await givenStrategy(server);
      return {
        headers: { authorization: (await givenToken(server, { type: access === 'sdk' ? 'backend' : access })).secret },
        known: { featureName, key: featureName },
      };
    }
    const headers = await this.#session();
    return { headers, known: await thingsFor(key.slice(key.indexOf(' ') + 1), server, headers) };
  }

  /** Returns the session of an administrator; logs in again when an earlier request has ended the session. */
  async #session(): Promise<Headers> {
    const { anonymous } = this.server;
    if ((await anonymous.call('GET /api/admin/user', { headers: this.#headers })).status !== 200) {
      this.#headers = await logIn(anonymous, await givenUser(this.server, 'Admin'));
    }
    return this.#headers;
  }
}

/** Creates the objects that the parameters of a path name. */
async function thingsFor(path: string, server: TestServer, headers: Headers): Promise<Known> {
  if (path.startsWith('/api/admin/signal-endpoints')) {
    const { id, tokenId } = await givenEndpoint(server);
    return { signalEndpointId: String(id), id: String(path.includes('/tokens') ? tokenId : id) };
  }
  if (path.includes('/:appName'))
    return { appName: await givenApplication(server, { sdkVersion: 'sdk:1' }), environment: 'development' };
  if (path.startsWith('/api/admin/service-account')) return serviceAccount(server);
  if (path.startsWith('/api/admin/banners')) {
    return { id: String((await server.admin.call('POST /api/admin/banners', { body: { message: 'known' } })).json.id) };
  }
  if (path.startsWith('/api/admin/addons')) return { id: String((await givenIntegration(server)).id) };
  if (path.startsWith('/api/admin/integrations/:id')) {
    const { id } = await givenIntegration(server);
    return { id: String(id), deliveryId: String(await givenDelivery(server, id, 'dead')) };
  }
  if (path.startsWith('/api/admin/groups')) return { groupId: String((await givenGroup(server)).id) };
  if (path.startsWith('/api/admin/invite-link')) return inviteLink(server);
  if (path.includes('/:roleId')) return { roleId: String((await givenRole(server)).id) };
  if (/^\/api\/admin\/projects\/:projectId\/(access|users|groups)/.test(path)) return members(server);
  if (path.startsWith('/api/admin/user/tokens')) {
    const body = { description: `mine-${Math.random()}`, expiresAt: '2099-01-01T00:00:00.000Z' };
    return { id: String((await server.anonymous.call('POST /api/admin/user/tokens', { body, headers })).json.id) };
  }
  if (path.startsWith('/api/admin/user-admin')) return { id: String((await givenUser(server)).id) };
  if (path.includes('/actions')) return actionSet(server);
  if (path.includes('/change-requests/')) return changeRequest(server, headers);
  if (path.includes('/api-tokens')) {
    const projectId = await givenProject(server);
    const { secret, tokenName } = await givenToken(server, { projects: [projectId] });
    return { projectId, token: secret, name: tokenName };
  }
  if (path.startsWith('/api/admin/environments')) return { name: await givenEnvironment(server), projectId: 'default' };
  if (path.startsWith('/api/admin/archive') || /\/(revive|delete)$/.test(path)) return givenArchived(server);
  if (/\/(dependencies|parents|parent-variants)\b/.test(path)) return { ...(await givenDependency(server)) };
  if (path.startsWith('/api/admin/tag')) return tagged(server);
  if (path.startsWith('/api/admin/feature-types')) return { id: 'release' };
  if (path.includes('/link')) return { ...(await givenLink(server, { url: 'https://example.com/' })) };
  if (path.startsWith('/api/admin/strategies')) return { ...(await givenDefinition(server)) };
  if (path.includes('/context')) return contextField(server, path.includes('/projects/') ? 'default' : undefined);
  if (path.includes('/leases/')) {
    const held = { ...(await givenFlag(server)), environment: 'development' };
    return { ...held, leaseId: String((await givenHold(server, held)).id) };
  }
  const segment = await givenSegment(server);
  const flag = await givenStrategy(server, { name: 'default', segments: [segment.id] });
  if (path === '/api/admin/segments/:id') return { id: String((await givenSegment(server)).id) };
  if (path.startsWith('/api/admin/segments')) return { ...flag, id: String(segment.id) };
  const tag = { type: 'simple', value: 'known' };
  await server.admin.call('POST /api/admin/features/:featureName/tags', { params: flag, body: tag });
  if (/^\/api\/admin\/projects(\/:projectId)?$/.test(path)) return { projectId: await givenProject(server) };
  if (path.endsWith('/environments')) return { projectId: flag.projectId, environment: await givenEnvironment(server) };
  return { ...flag, ...tag };
}

async function contextField(server: TestServer, projectId: string | undefined): Promise<Known> {
  const legalValues = [{ value: 'known' }];
  const name = await givenContextField(server, { legalValues, project: projectId ?? null });
  return { contextField: name, legalValue: 'known', name, ...(projectId === undefined ? {} : { projectId }) };
}

async function tagged(server: TestServer): Promise<Known> {
  const name = `type-${Math.random()}`;
  await server.admin.call('POST /api/admin/tag-types', { body: { name } });
  const tags = [{ type: name, value: 'known' }];
  return { name, type: name, value: 'known', ...(await givenFlag(server, { tags })) };
}

async function inviteLink(server: TestServer): Promise<Known> {
  const body = { name: 'known', expiresAt: '2099-01-01T00:00:00.000Z' };
  return { token: String((await server.admin.call('POST /api/admin/invite-link/tokens', { body })).json.id) };
}

/** Creates a project with a user and a group that have roles in it. */
async function members(server: TestServer): Promise<Known> {
  const projectId = await givenProject(server);
  const { id: userId } = await givenUser(server);
  const { id: groupId } = await givenGroup(server, [userId]);
  await giveRoles(server, projectId, [5], { users: [userId], groups: [groupId] });
  return { projectId, userId: String(userId), groupId: String(groupId) };
}

async function serviceAccount(server: TestServer): Promise<Known> {
  const username = `robot-${Math.random()}`;
  const account = await server.admin.call('POST /api/admin/service-account', {
    body: { username, name: username, rootRole: 3 },
  });
  const token = await server.admin.call('POST /api/admin/service-account/:id/token', {
    params: { id: account.json.id },
    body: { description: 'known', expiresAt: '2099-01-01T00:00:00.000Z' },
  });
  return { id: String(account.json.id), tokenId: String(token.json.id) };
}

async function actionSet(server: TestServer): Promise<Known> {
  const set = await givenSet(server);
  await signal(server, set);
  const [run] = await runsOf(server, set);
  return { projectId: set.projectId, id: String(set.id), actionSetId: String(set.id), runId: String(run.id) };
}

/** Creates a change request of the caller, in the state Draft. */
async function changeRequest(server: TestServer, headers: Headers): Promise<Known> {
  const params = { ...(await givenStrategy(server)), environment: 'development' };
  const body = { action: 'updateEnabled', feature: params.featureName, payload: { enabled: true } };
  const { id, features } = (
    await server.anonymous.call('POST /api/admin/projects/:projectId/environments/:environment/change-requests', {
      params,
      body,
      headers,
    })
  ).json;
  return { ...params, id: String(id), changeRequestId: String(id), changeId: String(features[0].changes[0].id) };
}
