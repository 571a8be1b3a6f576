import { z } from 'zod';
import { anyFlag, tagBody, tagSchema } from './features.ts';
import { defineRoutes, empty, json } from './route.ts';
import { nameParam } from './text.ts';

const tag = 'Features';
const tags = json(z.object({ version: z.literal(1), tags: z.array(tagSchema) }));
const tagging = {
  tag,
  params: anyFlag,
  access: 'signed-in',
  checks: 'UPDATE_FEATURE',
  errors: [403, 404],
} as const;

export const featureTagRoutes = defineRoutes({
  'GET /api/admin/features/:featureName/tags': {
    tag,
    summary: 'List the tags of a flag',
    access: 'signed-in',
    params: anyFlag,
    answers: { 200: tags },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/features/:featureName/tags': {
    ...tagging,
    summary: 'Tag a flag',
    body: tagBody,
    answers: { 201: json(tagSchema) },
    emits: ['feature-tagged'],
  },
  'PUT /api/admin/features/:featureName/tags': {
    ...tagging,
    summary: 'Add and remove tags of a flag at once',
    body: z.object({ addedTags: z.array(tagBody).max(100), removedTags: z.array(tagBody).max(100) }),
    answers: { 200: tags },
    emits: ['feature-tagged', 'feature-untagged'],
  },
  'DELETE /api/admin/features/:featureName/tags/:type/:value': {
    ...tagging,
    summary: 'Take a tag off a flag',
    params: anyFlag.extend({ type: nameParam, value: nameParam }),
    answers: { 200: empty },
    emits: ['feature-untagged'],
  },
});
