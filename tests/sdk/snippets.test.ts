import { describe, expect, it } from 'vitest';
import { languages } from '../../apps/admin/src/features/connect/languages/index.ts';
import { givenEnabled } from '../../apps/server/testing/flags.ts';
import { givenToken } from '../../apps/server/testing/tokens.ts';
import { needing } from '../machine/needing.ts';
import { installedSdk } from './install.ts';
import { publishedSdks } from './published-sdks.ts';
import { useScene } from './scene.ts';
import { starts, useSnippets } from './snippet-runs.ts';

const values = {
  url: 'https://flags.example.com',
  token: 'default:development.secret',
  flag: 'any-flag',
  appName: 'shop',
};

describe.each(languages)('the snippet for $label', ({ id, code, token, sdk, isRun, install }) => {
  const text = code(values);

  it('names the address, the token and the flag', () => {
    for (const value of [values.url, values.token, values.flag]) expect(text).toContain(value);
    expect(text).not.toMatch(/undefined|\[object/);
  });

  it('speaks to the API of its kind of token', () => {
    if (text.includes('/api')) expect(text.includes('/api/frontend')).toBe(token === 'frontend');
    else expect(id).toMatch(/^(ofrep-|curl$)/);
  });

  it('is run by a test, or says that it is not', () => {
    expect(starts[id] !== undefined).toBe(isRun);
  });

  it('installs the package that it imports', () => {
    if (sdk === null) return expect(install).toBeNull();
    const { name } = sdk;
    // A Swift package is installed by the address of its repository.
    expect(`${install} ${text}`.toLowerCase()).toContain(name.toLowerCase());
  });

  it('was written for the version whose published source was checked', () => {
    const published = publishedSdks.find(({ name }) => name === sdk?.name);
    if (published !== undefined) expect(sdk?.version).toBe(published.version);
  });
});

describe('snippets run as shown', () => {
  const scene = useScene();
  const start = useSnippets();
  installedSdk('react');
  installedSdk('openfeature-server');

  describe.each(languages.filter(({ isRun }) => isRun))('for $label', ({ id, code, token }) => {
    const needs = id === 'ruby' || id === 'curl' ? needing(id) : {};

    it('see the flag on, and the server knows that they have evaluated it', needs, async () => {
      const { server } = scene;
      const { projectId, featureName: flag } = await givenEnabled(server);
      const { secret } = await givenToken(server, { type: token });
      const appName = `shop-${id}`;
      const snippet = start(id, code({ url: server.url, token: secret, flag, appName }));
      expect(await snippet.line(new RegExp(`${flag} is on|"value":true`))).toBeDefined();
      // The provider for browsers requests all flags at once: the server records only the use of its token, twice a
      // minute.
      if (id === 'ofrep-web') return;
      const connections = async () => {
        await server.app.service.usage.flush();
        const route = 'GET /api/admin/projects/:projectId/features/:featureName/connections';
        const { json } = await server.admin.call(route, { params: { projectId, featureName: flag } });
        return json.applications;
      };
      const evaluatedAt = expect.any(String);
      await expect
        .poll(connections, { timeout: 15_000, interval: 100 })
        .toContainEqual(expect.objectContaining({ appName, environment: 'development', evaluatedAt }));
    });
  });
});
