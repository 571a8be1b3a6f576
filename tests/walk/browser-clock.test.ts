import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../apps/admin/src/', import.meta.url);

/** The files that read the clock of the computer, each with the reason. */
const ofComputer: Readonly<Record<string, string>> = {
  'lib/server-time.ts': 'corrects it',
  'lib/api.ts': 'measures how long an answer takes',
  'lib/activity.ts': 'measures the time between two events in this tab',
  'lib/connection.ts': 'measures the time between two events in this tab',
  'lib/presence.ts': 'measures the time between two events in this tab',
};

it('the user interface takes the time from the server, not from the clock of the computer', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: ['**/*.test.*'] });
  const reading = files.filter((file) =>
    /\bDate\.now\(|\bnew Date\(\)/.test(readFileSync(new URL(file, root), 'utf8')),
  );
  expect(reading.toSorted()).toEqual(Object.keys(ofComputer).toSorted());
});
