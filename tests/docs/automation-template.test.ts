import { readFileSync } from 'node:fs';
import { automationEventTypes } from '@yardarm/contract';
import { expect, it } from 'vitest';

it('the guide of integrations has the same events as the template of the form', () => {
  const guide = readFileSync(new URL('../../docs/guides/integrations.md', import.meta.url), 'utf8');
  const [, block = ''] = /```json\n(\{\n {2}"provider": "slack-app"[\s\S]*?)```/.exec(guide) ?? [];
  expect(JSON.parse(block).events).toEqual(automationEventTypes);
});
