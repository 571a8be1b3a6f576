import { describe, expect, it } from 'vitest';
import type { Incident } from './incident-queries.ts';
import { incidentMarkdown } from './markdown.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 3, minute)).toISOString();
const incident: Incident = {
  id: 7,
  project: 'shop',
  title: '[x](https://evil.example) <b>\n# Latency',
  startedAt: at(0),
  lastAt: at(30),
  openHolds: 0,
  flags: ['search'],
  flagCount: 1,
  perFlag: [
    {
      ...{ featureName: 'search', environment: 'production', offMs: 220_000, isOff: false, holds: 2, signals: 3 },
      ...{ alerts: 2, moved: { contexts: 1000, moved: 507 } },
    },
  ],
  notes: [{ id: 1, note: 'The disk was full.', createdAt: at(40), createdBy: 'Eve', isOwn: false }],
  signals: [{ id: 3, at: at(0), endpoint: 'alerts', title: 'Latency', state: 'firing' }],
  runs: [{ id: 5, at: at(0), name: 'Protect', signalId: 3, state: 'success', reason: null, shadow: false }],
  holds: [
    {
      ...{ id: 1, featureName: 'search', environment: 'production', effect: 'off', rollout: null, reason: 'Latency' },
      ...{ placedBy: 'On call bot', placedAt: at(0), end: { at: at(30), how: 'released', by: 'Eve' } },
    },
  ],
  changes: [
    {
      ...{ eventId: 9, at: at(0), type: 'feature-lease-placed', label: 'Flag held', by: 'On call bot', reason: null },
      ...{ featureName: 'search', environment: 'production', signalId: 3, runId: 5, byAutomation: true },
      ...{ summary: '**On call bot**: flag held **search** in **production** off: Latency', mark: 'action' },
    },
  ],
  truncated: false,
};

describe('incidentMarkdown', () => {
  it('has the holds with their ends, and the signal before its run before its changes', () => {
    const text = incidentMarkdown(incident, 'https://flags.example/incidents/7');
    expect(text).toContain(
      `- \`search\` held off in production, by On call bot, ${at(0)}, released ${at(30)} by Eve. Latency`,
    );
    expect(text.slice(text.indexOf('## Timeline'))).toBe(
      [
        '## Timeline',
        '',
        `- ${at(0)} Latency: firing (signal of alerts)`,
        `- ${at(0)} Protect: succeeded (run 5)`,
        `- ${at(0)} Action: On call bot: flag held search in production off: Latency`,
        '',
      ].join('\n'),
    );
  });

  it('has for how long each flag was off, whom that moved, by what, and the notes of people', () => {
    const text = incidentMarkdown(incident, '');
    expect(text).toContain(
      '- `search` in production: off for users 3 min 40 s; 507 of 1000 contexts seen moved; 2 holds by 2 alerts',
    );
    expect(text).toContain(`- ${at(40)} Eve: The disk was full.`);
  });

  it('says nothing of contexts and alerts that are not known', () => {
    const perFlag = incident.perFlag.map((state) => ({ ...state, moved: null, alerts: 0, holds: 1, signals: 1 }));
    const text = incidentMarkdown({ ...incident, perFlag }, '');
    expect(text).toContain('- `search` in production: off for users 3 min 40 s; 1 hold; 1 signal\n');
  });

  it('has the numbers of signals, runs and holds', () => {
    const [run] = incident.runs ?? [];
    const skipped = { ...run, id: 6, state: 'skipped' } as NonNullable<typeof run>;
    const text = incidentMarkdown({ ...incident, runs: [...(incident.runs ?? []), skipped] }, '');
    expect(
      text
        .split('\n')
        .filter((line) => /^- \d/.test(line))
        .slice(0, 4),
    ).toEqual([
      '- 1 signal: 1 firing',
      '- 2 runs: 1 succeeded, 1 skipped',
      '- 1 hold of 1 flag: 0 open, 1 ended',
      '- 1 change: 1 by actions, 0 by plans and safeguards, 0 by people',
    ]);
  });

  it('keeps the title of a sender on one line, without links and markup', () => {
    const [heading] = incidentMarkdown(incident, '').split('\n');
    expect(heading).toBe('# \\[x\\](https://evil.example) \\<b\\> \\# Latency');
  });

  it('gives the numbers of an incident with more rows as lower bounds', () => {
    const text = incidentMarkdown({ ...incident, truncated: true }, 'https://flags.example/incidents/7');
    expect(text).toContain('- At least 1 signal: 1 firing\n- At least 1 run: 1 succeeded\n- At least 1 hold of 1 flag');
  });
});
