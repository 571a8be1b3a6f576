import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';

const password = 'Read-The-Manual-1!';
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const shellBlocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text as string);
const sdkBlock = /```js\n(.*?)```/s.exec(readme)?.[1] as string;

/** A reader copies the blocks one after the other; the ones that start the server and set the password are ours here. */
const copied = shellBlocks.filter((block) => !block.includes('npm start') && !block.startsWith('export PASSWORD'));

describe('the README', () => {
  const server = useServer({ adminPassword: password, initAdminTokens: [] });
  const directory = mkdtempSync(join(tmpdir(), 'yardarm-readme-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  const atServer = (text: string) => text.replaceAll('http://localhost:4242', server().url);
  const bash = async (script: string) => {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: directory,
      env: { ...process.env, PASSWORD: password },
    });
    return stdout;
  };

  it('begins with the two commands', () => {
    expect(shellBlocks[0]).toBe('npm ci && npm start\n');
    expect(readme).toContain('npm ci && npm test');
  });

  it('leads from login to the first signal, the first flag and a token for the SDK', async () => {
    const output = await bash(atServer(`${copied.join('\n')}\necho "TOKEN $TOKEN"`));
    expect(output).toContain('"duplicate":false');
    expect(output).toContain('"alertname": "HighLatency"');
    expect(output).toContain('"type":"signal-endpoint-token-created"');
    expect(output).toMatch(/TOKEN \*:development\./);
  });

  it('shows an SDK that sees the flag on', async () => {
    const token = JSON.parse(readFileSync(join(directory, 'token.json'), 'utf8')).secret;
    const script = atServer(sdkBlock).replace('console.log(', 'flags.destroy(); console.log(');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: new URL('.', import.meta.url),
      // The SDK keeps what it got in the directory for temporary files.
      env: { ...process.env, TOKEN: token, TMPDIR: directory },
    });
    expect(stdout.trim()).toBe('true');
  });
});
