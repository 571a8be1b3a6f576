import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { itemAt } from '../../apps/server/src/kernel/lists.ts';
import { program } from '../../apps/server/testing/program.ts';
import { useServer } from '../../apps/server/testing/server.ts';
import { needing } from '../machine/needing.ts';
import { figureFaults, figuresOf } from './figures.ts';
import { read, shellBlocksOf, useShell } from './shell.ts';

const password = 'Read-The-Manual-1!';
const readme = read('README.md');
const firstSteps = read('docs/guides/first-steps.md');
const sdkBlock = itemAt(/```js\n(.*?)```/s.exec(firstSteps) ?? [], 1);

/** The blocks that a reader copies, in order, without the block that sets the password, which the test sets itself. */
const copied = shellBlocksOf(firstSteps).filter((block) => !block.startsWith('export PASSWORD'));

describe('the README', () => {
  it('begins with the two commands', () => {
    expect(shellBlocksOf(readme)).toEqual(['npm ci && npm start\n']);
    expect(readme).toContain('npm ci && npm test');
  });

  it('has figures that the bench results it links hold', () => {
    const figures = figuresOf(readme);
    expect(figures.length).toBeGreaterThanOrEqual(3);
    for (const { stated, commit, file } of figures) {
      const result = JSON.parse(read(file));
      expect(result.commit.slice(0, commit.length)).toBe(commit);
      const measured = result.rows
        .filter(({ engine }: { engine: string }) => engine === 'sqlite')
        .map(({ value }: { value: number }) => value);
      // Each stated figure must equal a result, rounded to as many decimals.
      for (const figure of stated.replace('p99', '').match(/\d[\d,.]*/g) ?? []) {
        const digits = figure.split('.')[1]?.length ?? 0;
        const rounded = measured.map((value: number) => value.toFixed(digits));
        expect(rounded, `${figure} of ${file}`).toContain(figure.replaceAll(',', ''));
      }
    }
  });
});

describe('figures', () => {
  const changelog = '## Unreleased\n\n## 1.1.0 (2026-02-10)\n\n## 1.0.0 (2026-01-01)\n';
  const row = (name: string, file: string) => `| ${name} | 5 ms | [\`abc\`](${file}) |\n`;
  const results: Record<string, { commit: string; date: string; dirty: boolean }> = {
    'new.json': { commit: 'abc', date: '2026-02-10T08:00:00.000Z', dirty: false },
    'newer.json': { commit: 'def', date: '2026-02-11T08:00:00.000Z', dirty: false },
    'old.json': { commit: 'abc', date: '2026-02-09T23:59:59.000Z', dirty: false },
    'dirty.json': { commit: 'abc', date: '2026-02-10T08:00:00.000Z', dirty: true },
  };
  const faultsOf = (...files: readonly string[]) =>
    figureFaults(files.map((file) => row(file, file)).join(''), changelog, (file) => JSON.stringify(results[file]));

  it('of one run since the last release are current', () => {
    expect(faultsOf('new.json', 'new.json')).toEqual([]);
  });

  it('of several runs, of a run before the last release or with uncommitted changes are not', () => {
    expect(faultsOf('new.json', 'newer.json')).toEqual([
      'The figures come from 2 runs (new.json of abc, newer.json of def). Take all from one run of one commit.',
    ]);
    expect(faultsOf('old.json')).toEqual([
      'old.json was measured on 2026-02-09, before release 1.1.0 of 2026-02-10. Run the bench again.',
    ]);
    expect(faultsOf('dirty.json')).toEqual(['dirty.json was measured with changes that no commit has.']);
  });

  it('of the README are current', () => {
    expect(figureFaults(readme, read('CHANGELOG.md'), read)).toEqual([]);
  });
});

describe('the guide to installation', () => {
  it('has the figures of the bench result that it links', () => {
    const guide = read('docs/guides/install.md');
    const [, commit = '', file = ''] = /\[`(\w+)`\]\(\.\.\/\.\.\/(bench\/results\/\S+)\)/.exec(guide) ?? [];
    const result: { commit: string; rows: { name: string; value: number }[] } = JSON.parse(read(file));
    expect(result.commit).toBe(commit);
    const rows = [...guide.matchAll(/^\| ([^|]+) \| (\d+) \| ([\d.]+) s \| ([\d.]+) s \| ([\d.]+) MB \|$/gm)];
    const ofWay = (way: string) => result.rows.filter(({ name }) => name.startsWith(`${way}: `));
    expect(rows.flatMap(([, way = '']) => ofWay(way))).toHaveLength(result.rows.length);
    for (const [, way = '', ...stated] of rows) {
      const measured = ofWay(way).map(({ value }, n) => value.toFixed(stated[n]?.split('.')[1]?.length ?? 0));
      expect([way, ...measured]).toEqual([way, ...stated]);
    }
  });
});

describe('the first steps', needing('curl', 'jq'), () => {
  const server = useServer({ adminPassword: password, initAdminTokens: [] });
  const { directory, atServer, bash } = useShell(server, { PASSWORD: password });

  it('lead from the login to the first signal, the first flag and an SDK token', async () => {
    // A reader continues with the guide to actions in the same terminal, so the variables are saved for the next test.
    const output = await bash(
      `${copied.join('\n')}\ndeclare -p ENDPOINT SIGNAL_TOKEN > terminal\necho "TOKEN $API_TOKEN"`,
    );
    expect(output).toContain('"duplicate":false');
    expect(output).toContain('"alertname": "HighLatency"');
    expect(output).toContain('"type":"signal-endpoint-token-created"');
    expect(output).toMatch(/TOKEN \*:development\./);
  });

  it('show an SDK that sees the flag on', async () => {
    const token = JSON.parse(readFileSync(join(directory(), 'api-token.json'), 'utf8')).secret;
    const script = atServer(sdkBlock).replace('console.log(', 'flags.destroy(); console.log(');
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: new URL('.', import.meta.url),
      // The SDK stores its backup file in the directory for temporary files.
      env: { ...process.env, API_TOKEN: token, TMPDIR: directory() },
    });
    expect(stdout.trim()).toBe('true');
  });

  it('continue in the guide to actions, where an alert holds the flag off until it is resolved', async () => {
    const guide = shellBlocksOf(read('docs/guides/actions.md'));
    const output = await bash(['. ./terminal', ...guide].join('\n'));
    const [held, released] = [...output.matchAll(/\{"leases":.*?"total":\d+\}/g)].map(([answer]) => JSON.parse(answer));
    expect(held).toMatchObject({
      leases: [
        { featureName: 'new-checkout', effect: 'off', reason: 'Alert HighLatency', heldBy: { kind: 'run', key: 'f1' } },
      ],
    });
    expect(released).toEqual({ leases: [], total: 0 });
  });

  it('continue with state as code, whose example is applied and pulled with the tokens of the guide', async () => {
    const guide = read('docs/guides/state-as-code.md');
    const [own, ofAccount] = shellBlocksOf(guide);
    mkdirSync(join(directory(), 'flags'));
    writeFileSync(join(directory(), 'flags', 'example.yaml'), itemAt(/```yaml\n(.*?)```/s.exec(guide) ?? [], 1));
    const yardarm = `${process.execPath} ${program}`;
    const output = await bash(`export YARDARM_URL=http://localhost:4242
      ${own}
      ${yardarm} apply flags --yes
      ${ofAccount}
      ${yardarm} pull pulled`);
    expect(output).toContain('+ action set Hold what an alert names (of shop)');
    expect(output).toMatch(/Applied\.\nWrote .*projects\/shop\.yaml/);
  });
});
