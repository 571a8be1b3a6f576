import { describe, expect, it } from 'vitest';
import { actionTemplates, fillTemplate, templatesFor } from './templates.ts';

const pathsOf = (id: string, source: Parameters<typeof templatesFor>[0]) => {
  const template = actionTemplates.find((candidate) => candidate.id === id);
  if (template === undefined) throw new Error(`There is no template ${id}.`);
  const { forEach, filters, releaseFilters } = fillTemplate(template, { source, fields: null });
  const inWords = (list: typeof filters) => list.map(({ contextName, values }) => `${contextName}: ${values.join()}`);
  return [forEach, inWords(filters), releaseFilters && inWords(releaseFilters)];
};

describe('templates of actions', () => {
  it('are twelve, each with an action, and with a filter unless a silence triggers it', () => {
    expect(actionTemplates).toHaveLength(12);
    for (const template of actionTemplates) {
      const source = template.sources?.[0] ?? 'alertmanager';
      const { trigger, actions, filters } = fillTemplate(template, { source, fields: null });
      const hasFilter = filters.length > 0;
      expect([template.id, actions[0]?.action === '', hasFilter]).toEqual([template.id, false, trigger === 'signal']);
    }
  });

  it('read the alerts of a group, one alert, or the payload of a sender that is not known', () => {
    expect(pathsOf('kill-switch', 'alertmanager')).toEqual([
      'normalized.elements',
      ['item.state: firing'],
      ['item.state: resolved'],
    ]);
    expect(pathsOf('kill-switch', 'pagerduty')).toEqual([
      '',
      ['normalized.state: firing'],
      ['normalized.state: resolved'],
    ]);
    expect(pathsOf('kill-switch', 'generic')).toEqual(['', ['status: firing'], ['status: resolved']]);
  });

  it('are offered to the senders that they are for', () => {
    const ids = (source: Parameters<typeof templatesFor>[0]) => templatesFor(source).map(({ id }) => id);
    expect(ids('sentry')).toContain('issue-spike');
    expect(ids('alertmanager')).not.toContain('issue-spike');
    expect(ids('github')).toEqual(expect.arrayContaining(['freeze-during-deploy', 'stale-on-cleanup']));
    expect(ids('alertmanager')).not.toContain('on-after-deploy');
  });
});
