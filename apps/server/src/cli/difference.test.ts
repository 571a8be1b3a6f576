import { expect, it } from 'vitest';
import { describeChanges } from './difference.ts';

it('a change is described without the control characters of its texts, in lines of its own', () => {
  const text = describeChanges([
    {
      type: 'feature-strategy-update',
      kind: 'flag',
      name: 'f',
      project: 'default',
      environment: 'development',
      item: 'title\u001b[2Kx',
      fields: [
        {
          field: 'constraints',
          before: [{ contextName: 'userId', operator: 'IN', values: ['a\n- flag b', '\u009b2J'] }],
        },
      ],
      warning: 'Look at\nthis.',
    },
  ]);
  expect(text.split('\n')).toEqual([
    '~ flag f (default)',
    '    ~ development: strategy title [2Kx',
    '        constraints: userId IN a - flag b,  2J → nothing',
    '        warning: Look at this.',
    '',
    '0 to create, 1 to change, 0 to archive.',
  ]);
});
