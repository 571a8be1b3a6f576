import { z } from 'zod';
import { batch } from './flags.ts';
import { defineRoutes, empty, json } from './route.ts';
import { coloredTagSchema, newTagBody, tagsAnswer } from './tags.ts';

const tagging = {
  description: 'A missing tag is created. Its tag type must exist.',
  access: 'signed-in',
  checks: [{ permission: 'UPDATE_FEATURE', where: 'in the project of the flag' }],
} as const;
const tagChange = z.object({ addedTags: z.array(newTagBody).max(100), removedTags: z.array(newTagBody).max(100) });

/**
 * The maximum number of tags that a request adds and removes. Writes run one at a time, so a longer request would delay
 * others.
 */
const maxChanges = 10_000;
const manyFlags = z
  .object({ features: batch.shape.features, tags: tagChange })
  .refine(({ features, tags }) => features.length * (tags.addedTags.length + tags.removedTags.length) <= maxChanges, {
    path: ['features'],
    error: `must not ask for more than ${maxChanges} changes`,
  });

export const featureTagRoutes = defineRoutes('Features', {
  'GET /api/admin/features/:featureName/tags': {
    summary: 'List the tags of a flag',
    access: 'signed-in',
    answers: { 200: tagsAnswer },
  },
  'POST /api/admin/features/:featureName/tags': {
    ...tagging,
    summary: 'Tag a flag',
    body: newTagBody,
    answers: { 201: json(coloredTagSchema) },
    emits: ['feature-tagged', 'tag-created'],
  },
  'PUT /api/admin/features/:featureName/tags': {
    ...tagging,
    summary: 'Add and remove tags of a flag at once',
    body: tagChange,
    answers: { 200: tagsAnswer },
    emits: ['feature-tagged', 'feature-untagged', 'tag-created'],
  },
  'DELETE /api/admin/features/:featureName/tags/:type/:value': {
    ...tagging,
    summary: 'Remove a tag from a flag',
    description: 'Needs UPDATE_FEATURE in the project of the flag.',
    answers: { 200: empty },
    emits: ['feature-untagged'],
  },
  'PUT /api/admin/projects/:projectId/tags': {
    summary: 'Add and remove tags of flags of a project',
    description: 'Changes all of the flags, or none when one of them cannot be changed.',
    access: { permission: 'UPDATE_FEATURE' },
    body: manyFlags,
    answers: { 200: empty },
    emits: ['feature-tagged', 'feature-untagged', 'tag-created'],
  },
});
