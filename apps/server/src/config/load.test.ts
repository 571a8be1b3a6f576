import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, describeConfig, loadConfig } from './load.ts';

const directory = mkdtempSync(join(tmpdir(), 'yardarm-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

function mistakesOf(variables: Record<string, string>): readonly string[] {
  try {
    loadConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('have the defaults of the specification', () => {
    expect(loadConfig({})).toMatchObject({
      port: 4242,
      signalRatePerSecond: 1,
      signalEndpointsLimit: 5,
      signalTokensLimit: 5,
      signalMaxBodyBytes: 102_400,
      dataDir: './data',
      databaseUrl: undefined,
    });
  });

  it("accept Unleash's names, and the same names with the prefix YARDARM_, which take precedence", () => {
    expect(loadConfig({ UNLEASH_SIGNAL_ENDPOINTS_LIMIT: '7' }).signalEndpointsLimit).toBe(7);
    expect(loadConfig({ YARDARM_SIGNAL_ENDPOINTS_LIMIT: '8' }).signalEndpointsLimit).toBe(8);
    expect(loadConfig({ YARDARM_UNLEASH_SIGNAL_ENDPOINTS_LIMIT: '9' }).signalEndpointsLimit).toBe(9);
    expect(loadConfig({ HTTP_PORT: '1', PORT: '2', YARDARM_PORT: '3' }).port).toBe(3);
    expect(loadConfig({ INIT_CLIENT_API_TOKENS: 'a:b.c, d:e.f,' }).initBackendTokens).toEqual(['a:b.c', 'd:e.f']);
  });

  it('read a secret from the file that its _FILE variable names', () => {
    const path = fileOf('password', 'hush\n');
    expect(loadConfig({ UNLEASH_DEFAULT_ADMIN_PASSWORD_FILE: path }).adminPassword).toBe('hush');
  });

  it('are also read from a file; the environment takes precedence', () => {
    const path = fileOf('yardarm.env', 'PORT=5000\nLOG_LEVEL=info\n');
    expect(loadConfig({ YARDARM_CONFIG: path, PORT: '6000' })).toMatchObject({ port: 6000, logLevel: 'info' });
  });

  it('of the environment take precedence over the file also under another name of the setting', () => {
    const path = fileOf('yardarm.env', 'YARDARM_PORT=5000\nDATABASE_URL=postgres://file/a\n');
    const url = fileOf('url', 'postgres://environment/a\n');
    const config = loadConfig({ YARDARM_CONFIG: path, PORT: '6000', DATABASE_URL_FILE: url });
    expect(config).toMatchObject({ port: 6000, databaseUrl: 'postgres://environment/a' });
  });

  it('report all mistakes at once', () => {
    const path = fileOf('wrong.env', 'PRT=1\n');
    expect(
      mistakesOf({
        PORT: 'x',
        AUTH_TYPE: 'magic',
        YARDARM_DATADIR: '/',
        YARDARM_CONFIG: path,
        DATABASE_URL: 'mysql://h/d',
      }),
    ).toEqual([
      `PRT in ${path} is not a setting`,
      'YARDARM_DATADIR is not a setting',
      'PORT must be a whole number from 0 to 65535, not "x"',
      'DATABASE_URL must be a URL that begins with postgres://',
      'AUTH_TYPE must be one of open-source, none, not "magic"',
    ]);
  });

  it('take only whole numbers in decimal digits, within the bounds', () => {
    for (const value of ['', ' 1', '1e3', '0x10', '-1', '1.5', '65536', '9'.repeat(400)]) {
      expect(mistakesOf({ PORT: value })).toHaveLength(1);
    }
    expect(loadConfig({ PORT: '0080' }).port).toBe(80);
  });

  it('without a default are not set by an empty text', () => {
    const empty = loadConfig({ DATABASE_URL: '', UNLEASH_SECRET: '', OIDC_ENABLED: '', YARDARM_SHUTDOWN_DELAY: '' });
    expect([empty.databaseUrl, empty.secret, empty.oidcEnabled, empty.shutdownDelayMs]).toEqual(
      Array(4).fill(undefined),
    );
  });

  it('whose names end in _FILE are read themselves, not as the name of a file', () => {
    expect(loadConfig({ IMPORT_FILE: '/flags.json' }).importFile).toBe('/flags.json');
  });

  it('keep secrets out of the report of a mistake', () => {
    expect(mistakesOf({ DATABASE_URL: 'mysql://u:hush@h/d' }).join()).not.toContain('hush');
  });

  it('take a list of origins, and name a wrong list', () => {
    const origins = 'UNLEASH_FRONTEND_API_ORIGINS';
    expect(loadConfig({ [origins]: 'https://a.example, *,' }).frontendApiOrigins).toEqual(['https://a.example', '*']);
    expect(mistakesOf({ [origins]: 'a.example' })).toEqual([
      `${origins} must be a list of origins such as https://example.com, or *, with commas between, not "a.example"`,
    ]);
  });

  it('report a missing file', () => {
    expect(mistakesOf({ DATABASE_URL_FILE: '/nowhere/at/all' })).toEqual([
      expect.stringMatching(/^DATABASE_URL_FILE: .*nowhere.at.all/),
    ]);
  });

  it('accept a number of trusted proxies; true counts as 1', () => {
    const counts = ['true', '1', 'false', '0', '3'].map(
      (value) => loadConfig({ YARDARM_TRUST_PROXY: value }).trustProxy,
    );
    expect(counts).toEqual([1, 1, 0, 0, 3]);
    for (const value of ['-1', 'yes', '101', '']) {
      expect(mistakesOf({ YARDARM_TRUST_PROXY: value })).toEqual([
        `YARDARM_TRUST_PROXY must be true, false or a whole number from 0 to 100, not "${value}"`,
      ]);
    }
  });

  it('of single sign-on must be complete', () => {
    const complete = { OIDC_DISCOVER_URL: 'https://id.example.com', OIDC_CLIENT_ID: 'c', OIDC_CLIENT_SECRET: 's' };
    expect(loadConfig({}).oidcEnabled).toBeUndefined();
    expect(loadConfig({ OIDC_ENABLED: 'false' }).oidcEnabled).toBe(false);
    expect(loadConfig({ ...complete, OIDC_ENABLED: 'true' }).oidcEnabled).toBe(true);
    expect(mistakesOf({ ...complete, OIDC_ENABLED: 'true', OIDC_CLIENT_ID: '' })).toEqual([
      'OIDC_ENABLED needs OIDC_CLIENT_ID',
    ]);
    expect(describeConfig(loadConfig({ ...complete, OIDC_ENABLED: 'true' }))).toContain(
      'OIDC_CLIENT_SECRET=(set, hidden)',
    );
  });

  it('for readable secrets require UNLEASH_SECRET', () => {
    const readable = { YARDARM_READABLE_SECRETS: 'true' };
    expect(mistakesOf(readable)).toEqual([
      'YARDARM_READABLE_SECRETS needs UNLEASH_SECRET, with which the secrets are encrypted',
    ]);
    expect(loadConfig({ ...readable, UNLEASH_SECRET: 'a password' }).readableSecrets).toBe(true);
  });

  it('normalise the base path', () => {
    for (const path of ['flags', '/flags', '/flags/', 'flags/'])
      expect(loadConfig({ BASE_URI_PATH: path }).basePath).toBe('/flags');
    for (const path of ['', '/']) expect(loadConfig({ BASE_URI_PATH: path }).basePath).toBe('');
  });

  it('accept a public address with or without a trailing slash, and refuse other texts', () => {
    for (const address of ['https://flags.example.com', 'https://flags.example.com/'])
      expect(loadConfig({ UNLEASH_URL: address }).publicUrl).toBe('https://flags.example.com');
    expect(loadConfig({ UNLEASH_URL: 'http://example.com:8080/flags/' }).publicUrl).toBe(
      'http://example.com:8080/flags',
    );
    expect(loadConfig({ UNLEASH_URL: '' }).publicUrl).toBe('');
    for (const address of [
      'flags.example.com',
      'ftp://example.com',
      'https://example.com?a=b',
      'https://u:p@example.com',
    ])
      expect(mistakesOf({ UNLEASH_URL: address })).toEqual([expect.stringMatching(/^UNLEASH_URL must be/)]);
  });

  it('are printed without their secrets', () => {
    const shown = describeConfig(
      loadConfig({ DATABASE_URL: 'postgres://u:pw@h/d', INIT_ADMIN_API_TOKENS: '*:*.topsecret' }),
    );
    expect(shown).toContain('PORT=4242\n');
    expect(shown).toContain('DATABASE_URL=(set, hidden)');
    expect(shown).not.toMatch(/pw|topsecret/);
  });
});
