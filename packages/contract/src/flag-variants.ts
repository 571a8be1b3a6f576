import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { jsonPatchSchema } from './strategies.ts';
import { nameParam } from './text.ts';
import { flagVariantBody, variantSchema } from './variant-fields.ts';

export const variantsBody = z.array(flagVariantBody).max(200);
/** The schema of variants after a JSON Patch. Unknown fields are refused, not dropped. */
export const patchedVariantsSchema = z.array(flagVariantBody.strict()).max(200);

const flagVariants = json(z.object({ version: z.literal(1), variants: z.array(variantSchema) }));
const weights = 'Weights are in thousandths. Variants of type `variable` share what `fix` variants leave of 1000.';
const changing = {
  access: { permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS' },
  answers: { 200: flagVariants },
  emits: ['feature-environment-variants-updated'],
} as const;

/** Variants of flags. They apply when the active strategy has no variants (docs/spec#variants). */
export const featureVariantRoutes = defineRoutes('Features', {
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants': {
    summary: 'List the variants of a flag in an environment, without those of its strategies',
    access: 'signed-in',
    answers: { 200: flagVariants },
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants': {
    ...changing,
    summary: 'Replace the variants of a flag in an environment',
    description: weights,
    body: variantsBody,
  },
  'PATCH /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants': {
    ...changing,
    summary: 'Patch the variants of a flag in an environment with a JSON Patch',
    description: weights,
    body: jsonPatchSchema,
  },
  'PUT /api/admin/projects/:projectId/features/:featureName/variants-batch': {
    summary: 'Replace the variants of a flag in several environments',
    description: weights,
    access: 'signed-in',
    checks: [{ permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', where: 'in each of the environments' }],
    body: z.object({
      variants: variantsBody,
      environments: z.array(nameParam).min(1, 'must name at least one environment').max(1000),
    }),
    answers: { 200: flagVariants },
    emits: ['feature-environment-variants-updated'],
  },
});
