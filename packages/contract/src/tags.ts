import { z } from 'zod';
import { defineRoutes, empty, json, ok } from './route.ts';
import { plainText, urlFriendly } from './text.ts';

/** A tag of a flag. */
export const tagSchema = z.object({ type: z.string(), value: z.string() });
/** A tag with its color. */
export const coloredTagSchema = tagSchema.extend({ color: z.string().nullable() });
const color = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, 'must be # and six hexadecimal digits, such as #00aa7f')
  .nullable()
  .optional();
const tagPart = plainText(1000)
  .transform((value) => value.trim())
  .refine((value) => value.length >= 2 && value.length <= 50, 'must have 2 to 50 characters');
export const tagBody = z.object({ type: tagPart, value: tagPart });
export const newTagBody = tagBody.extend({
  color: color.meta({ description: 'The color of a new tag; an existing tag keeps its color' }),
});
export const tagsAnswer = json(z.object({ version: z.literal(1), tags: z.array(coloredTagSchema) }));
const oneTag = json(z.object({ version: z.literal(1), tag: coloredTagSchema }));

const tagTypeSchema = z.object({
  name: z.string(),
  description: z.string(),
  icon: z.string().nullable(),
  color: z.string().nullable(),
});
const change = {
  description: plainText(4000).optional(),
  icon: plainText(255).nullable().optional(),
  color,
};
const tagTypeBody = z.object({
  name: urlFriendly.min(2, 'must have 2 to 50 characters').max(50, 'must have 2 to 50 characters'),
  ...change,
});

/** Tags of flags, and tag types (docs/spec#tags). */
export const tagRoutes = defineRoutes('Tags', {
  'GET /api/admin/tags': {
    summary: 'List all tags',
    access: 'signed-in',
    answers: { 200: tagsAnswer },
  },
  'POST /api/admin/tags': {
    summary: 'Create a tag of an existing tag type',
    access: 'signed-in',
    body: newTagBody,
    answers: { 201: oneTag },
    errors: [409],
    emits: ['tag-created'],
  },
  'GET /api/admin/tags/:type': {
    summary: 'List the tags of a type',
    access: 'signed-in',
    anyName: true,
    answers: { 200: tagsAnswer },
  },
  'GET /api/admin/tags/:type/:value': {
    summary: 'Get a tag',
    access: 'signed-in',
    answers: { 200: oneTag },
  },
  'DELETE /api/admin/tags/:type/:value': {
    summary: 'Delete a tag and remove it from all flags',
    description:
      'Changes flags of all projects, so a permission in a single project is not enough. Refused while flags of projects that the caller cannot see have the tag.',
    access: { permission: ['UPDATE_FEATURE', 'DELETE_TAG_TYPE'] },
    answers: { 200: empty },
    errors: [409],
    emits: ['tag-deleted', 'feature-untagged'],
  },
  'GET /api/admin/tag-types': {
    summary: 'List tag types',
    access: 'signed-in',
    answers: ok({ version: z.literal(1), tagTypes: z.array(tagTypeSchema) }),
  },
  'POST /api/admin/tag-types': {
    summary: 'Create a tag type',
    access: { permission: 'CREATE_TAG_TYPE' },
    body: tagTypeBody,
    answers: { 201: json(tagTypeSchema) },
    errors: [409],
    emits: ['tag-type-created'],
  },
  'GET /api/admin/tag-types/:name': {
    summary: 'Get a tag type',
    access: 'signed-in',
    answers: ok({ version: z.literal(1), tagType: tagTypeSchema }),
  },
  'PUT /api/admin/tag-types/:name': {
    summary: 'Update a tag type; omitted fields keep their values',
    access: { permission: 'UPDATE_TAG_TYPE' },
    body: z.object(change),
    answers: { 200: empty },
    emits: ['tag-type-updated'],
  },
  'DELETE /api/admin/tag-types/:name': {
    summary: 'Delete a tag type with its tags, and remove the tags from all flags',
    description: 'Refused while flags of projects that the caller cannot see have one of its tags.',
    access: { permission: 'DELETE_TAG_TYPE' },
    answers: { 200: empty },
    errors: [409],
    emits: ['tag-type-deleted', 'tag-deleted', 'feature-untagged'],
  },
  'POST /api/admin/tag-types/validate': {
    summary: 'Validate a tag type without creating it',
    access: 'signed-in',
    body: tagTypeBody,
    answers: ok({ valid: z.literal(true), tagType: tagTypeSchema }),
    errors: [409],
    emits: [],
  },
});
