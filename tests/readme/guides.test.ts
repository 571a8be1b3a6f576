import { describe, expect, it } from 'vitest';
import { useServer } from '../../apps/server/testing/server.ts';
import { needing } from '../machine/needing.ts';
import { read, shellBlocksOf, useShell } from './shell.ts';

const password = 'Read-The-Manual-1!';
const login = `curl -sf -c session http://localhost:4242/auth/simple/login \\
  -H 'Content-Type: application/json' -d '{"username": "admin", "password": "${password}"}' > user.json\n`;
const copiedFrom = (guide: string) => [login, ...shellBlocksOf(read(guide))].join('\necho\n');

describe('the guide to signals', needing('curl', 'jq'), () => {
  const server = useServer({ adminPassword: password });
  const { bash } = useShell(server, {});

  it('leads from an endpoint to a signal in the list', async () => {
    const output = await bash(copiedFrom('docs/guides/signals.md'));
    expect(output).toContain('"createdBySourceTokenId":1,"normalized":null,"payload":{"status": "finished"');
    expect(output).toContain('"tokenName":"pipeline","test":false');
    expect(output).toContain('"tokenName":null,"test":true');
    expect(output).toContain('{"runs":[]}');
  });
});

describe('the guide to change requests', needing('curl', 'jq'), () => {
  const server = useServer({ adminPassword: password });
  const { bash } = useShell(server, {});

  it('leads from a refused change to an applied and a scheduled request', async () => {
    const output = await bash(copiedFrom('docs/guides/change-requests.md'));
    expect(output).toContain('"permissions":["SKIP_CHANGE_REQUEST"]');
    const states = [...output.matchAll(/"environment":"production","state":"(.*?)"/g)].map(([, state]) => state);
    expect(states).toEqual(['In review', 'Approved', 'Applied', 'Scheduled']);
    expect(output).toContain('"status":"pending"');
  });
});

describe('the guide to release plans', needing('curl', 'jq'), () => {
  const server = useServer({ adminPassword: password });
  const { bash } = useShell(server, {});

  it('adds a plan that runs', async () => {
    const output = await bash(`${copiedFrom('docs/guides/release-plans.md')}\ncat plan.json\n`);
    expect(output).toMatch(/"name":"10 %".*"progress":\{"state":"running"/);
  });
});

describe('the guide to auditing', needing('curl', 'jq'), () => {
  const server = useServer({ adminPassword: password });
  const { bash } = useShell(server, {});

  it('leads from a change with a reason to a change that is refused without one', async () => {
    const output = await bash(copiedFrom('docs/guides/auditing.md'));
    expect(output).toContain('"reason":"Launch of the summer sale (SHOP-17)"');
    expect(output).toContain('"method":"session"');
    expect(output).toContain('X-Change-Reason is required in the project default');
  });
});

describe('the guide to the event feed', needing('curl', 'jq'), () => {
  const server = useServer({ adminPassword: password });
  const { bash } = useShell(server, {});

  it('leads from a page to a stream and a consumer that has acknowledged its events', async () => {
    const output = await bash(copiedFrom('docs/guides/event-feed.md'));
    expect(output).toMatch(/"next":2,"hasMore":true/);
    expect(output).toMatch(/"name":"warehouse".*"acknowledged":[1-9]\d*.*"worker":"pod-1"/);
  });
});
