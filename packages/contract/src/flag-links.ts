import { z } from 'zod';
import { defineRoutes, empty } from './route.ts';
import { plainText } from './text.ts';

/** Returns whether a text is an absolute http or https URL. */
export const isWebAddress = (value: string): boolean => /^https?:\/\//i.test(value) && URL.canParse(value);

/** Only http and https, because the interface shows it as a link. */
export const webAddress = plainText(2000).refine(isWebAddress, 'must be a URL that begins with http:// or https://');
const link = z.object({ url: webAddress, title: plainText(255).nullable().optional() });
const changing = {
  access: { permission: 'UPDATE_FEATURE' },
  answers: { 204: empty },
} as const;

export const featureLinkRoutes = defineRoutes('Features', {
  'POST /api/admin/projects/:projectId/features/:featureName/link': {
    ...changing,
    summary: 'Add a link to a flag, at most 10',
    body: link,
    emits: ['feature-link-added'],
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId': {
    ...changing,
    summary: 'Update a link of a flag; omitting the title removes it',
    body: link,
    emits: ['feature-link-updated'],
  },
  'DELETE /api/admin/projects/:projectId/features/:featureName/link/:linkId': {
    ...changing,
    summary: 'Remove a link from a flag',
    emits: ['feature-link-removed'],
  },
});
