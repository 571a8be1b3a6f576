import { isWebAddress } from '@yardarm/contract';
import { z } from 'zod';
import { defineKind, flagParameter, projectParameter } from '#features/automation/actions/kinds/kind.ts';
import { addLink } from '#features/flags/links/commands.ts';
import { listLinks } from '#features/flags/links/index.ts';

// The kind of FIRST-ACTION-KIND.md, so that the compiler checks it. A test compares it with the page.
export const addFlagLink = defineKind({
  label: 'Add a link to a feature flag',
  description: 'Adds a link to a feature flag, unless the flag has it already',
  category: 'Feature flags',
  permission: 'UPDATE_FEATURE',
  parameters: [
    projectParameter,
    flagParameter,
    { name: 'url', label: 'URL', type: 'text', optional: false },
    { name: 'title', label: 'Title', type: 'text', optional: true },
  ],
  schema: z.strictObject({
    project: z.string(),
    featureName: z.string(),
    url: z.string().max(2000).refine(isWebAddress, 'must be a URL that begins with http:// or https://'),
    title: z.string().max(255).optional(),
  }),
  run: async (tx, { project, featureName, url, title }) => {
    const links = await listLinks(tx.db, [featureName]);
    if (links.some((link) => link.url === url)) {
      return { nothingToDo: true, details: `The flag ${featureName} has the link already.` };
    }
    await addLink(tx, { project, featureName }, { url, title });
    return undefined;
  },
});
