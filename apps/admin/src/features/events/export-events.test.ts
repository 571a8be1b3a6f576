import { describe, expect, it } from 'vitest';
import type { LoggedEvent } from './event-queries.ts';
import { asCsv } from './export-events.ts';

const event: LoggedEvent = {
  id: 7,
  type: 'feature-tagged',
  createdBy: '=cmd()',
  createdByUserId: -42,
  createdAt: '2026-11-21T12:00:00.000Z',
  data: { text: 'a "b", c' },
  preData: null,
  tags: [{ type: 'simple', value: 'x' }],
  featureName: 'flag',
  project: 'default',
  environment: null,
  label: 'Flag tagged',
  summary: '',
  groupId: null,
  groupType: null,
  cause: { requestId: null, signalId: 3, runId: null },
};

describe('asCsv()', () => {
  it('writes a row for each event, quotes values, and escapes formulas', () => {
    expect(asCsv([event]).split('\r\n')).toEqual([
      'id,createdAt,type,label,createdBy,createdByUserId,project,environment,featureName,signalId,runId,preData,data,tags',
      `7,2026-11-21T12:00:00.000Z,feature-tagged,Flag tagged,'=cmd(),-42,default,,flag,3,,,"{""text"":""a \\""b\\"", c""}",simple:x`,
      '',
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@x', ' =1', '\u00a0=1', '\uFEFF@x', '＝1', '\t=1'])(
    'writes %o as text',
    (createdBy) => {
      expect(asCsv([{ ...event, createdBy }])).toContain(`'${createdBy}`);
    },
  );
});
