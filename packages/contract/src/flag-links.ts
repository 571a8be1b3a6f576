import { z } from 'zod';
import { inFlag } from './flags.ts';
import { defineRoutes, empty } from './route.ts';
import { nameParam, plainText } from './text.ts';

/** Whether a text is an absolute URL of http or https. */
export const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value);

/** Shown to people as something to click, so nothing but the web. */
export const webAddress = plainText(2000).refine(isWebAddress, 'must be a URL that begins with http:// or https://');
const link = z.object({ url: webAddress, title: plainText(255).nullable().optional() });
const changing = {
  tag: 'Features',
  access: { permission: 'UPDATE_FEATURE' },
  answers: { 204: empty },
} as const;
const byLink = inFlag.extend({ linkId: nameParam });

export const featureLinkRoutes = defineRoutes({
  'POST /api/admin/projects/:projectId/features/:featureName/link': {
    ...changing,
    summary: 'Add a link to a flag, at most 10',
    params: inFlag,
    body: link,
    errors: [404],
    emits: ['feature-link-added'],
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId': {
    ...changing,
    summary: 'Change a link of a flag; without a title it has none from then on',
    params: byLink,
    body: link,
    errors: [404],
    emits: ['feature-link-updated'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/link/:linkId': {
    ...changing,
    summary: 'Take a link off a flag',
    params: byLink,
    errors: [404],
    emits: ['feature-link-removed'],
  },
});
