import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { eventCsvHeader, eventCsvRows } from './event-csv.ts';
import type { eventWithOriginSchema } from './events.ts';

const event: z.output<typeof eventWithOriginSchema> = {
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
  outcome: 'success',
  reason: '@INC-7',
  origin: { address: '192.0.2.1', userAgent: 'curl/8', method: 'personal-token', sessionId: null, tokenId: 5 },
};

describe('events as CSV', () => {
  it('have a row for each event, with quoted values and escaped formulas', () => {
    expect((eventCsvHeader + eventCsvRows([event])).split('\r\n')).toEqual([
      'id,createdAt,type,label,createdBy,createdByUserId,project,environment,featureName,signalId,runId,outcome,reason,address,userAgent,method,preData,data,tags',
      `7,2026-11-21T12:00:00.000Z,feature-tagged,Flag tagged,'=cmd(),-42,default,,flag,3,,success,'@INC-7,192.0.2.1,curl/8,personal-token,,"{""text"":""a \\""b\\"", c""}",simple:x`,
      '',
    ]);
  });

  it.each(['=1+1', '+1', '-1', '@x', ' =1', '\u00a0=1', '\uFEFF@x', '＝1', '\t=1'])('show %o as text', (createdBy) => {
    expect(eventCsvRows([{ ...event, createdBy }])).toContain(`'${createdBy}`);
  });
});
