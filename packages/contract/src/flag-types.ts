import { z } from 'zod';
import { featureTypeIds } from './flag-fields.ts';
import { defineRoutes, json, ok } from './route.ts';
import { nameParam } from './text.ts';

const featureTypeSchema = z.object({
  id: z.enum(featureTypeIds),
  name: z.string(),
  description: z.string(),
  lifetimeDays: z.number().int().nullable(),
});

export const featureTypeRoutes = defineRoutes('Features', {
  'GET /api/admin/feature-types': {
    summary: 'List the flag types with their expected lifetimes',
    access: 'signed-in',
    answers: ok({ version: z.literal(1), types: z.array(featureTypeSchema) }),
  },
  'PUT /api/admin/feature-types/:id/lifetime': {
    summary: 'Set the expected lifetime of flags of a type, in days; null or 0 for no limit',
    access: { permission: 'ADMIN' },
    params: z.object({ id: nameParam }),
    body: z.object({ lifetimeDays: z.number().int().min(0).max(2147483647).nullable() }),
    answers: { 200: json(featureTypeSchema) },
    emits: ['feature-type-updated'],
  },
});
