import { z } from 'zod';
import { batch } from './flags.ts';
import { defineRoutes, empty } from './route.ts';

export const featureArchiveRoutes = defineRoutes('Features', {
  'POST /api/admin/projects/:projectId/archive': {
    summary: 'Archive flags of a project',
    description: 'Refused while other flags depend on one of them. The dependencies of the archived flags are removed.',
    access: { permission: 'DELETE_FEATURE' },
    body: batch,
    answers: { 202: empty },
    emits: ['feature-archived', 'feature-dependencies-removed'],
  },
  'POST /api/admin/projects/:projectId/revive': {
    summary: 'Revive archived flags of a project, disabled in every environment',
    access: { permission: 'UPDATE_FEATURE' },
    body: batch,
    answers: { 200: empty },
    emits: ['feature-revived'],
  },
  'POST /api/admin/projects/:projectId/delete': {
    summary: 'Delete archived flags of a project permanently',
    access: { permission: 'DELETE_FEATURE' },
    body: batch,
    answers: { 200: empty },
    emits: ['feature-deleted'],
  },
  'POST /api/admin/projects/:projectId/stale': {
    summary: 'Mark flags of a project as stale, or as not stale',
    access: { permission: 'UPDATE_FEATURE' },
    body: batch.extend({ stale: z.boolean() }),
    answers: { 202: empty },
    emits: ['feature-stale-on', 'feature-stale-off'],
  },
  'POST /api/admin/archive/revive/:featureName': {
    summary: 'Revive an archived flag, disabled in every environment',
    access: 'signed-in',
    checks: [{ permission: 'UPDATE_FEATURE', where: 'in the project of the flag' }],
    answers: { 200: empty },
    emits: ['feature-revived'],
  },
  'DELETE /api/admin/archive/:featureName': {
    summary: 'Delete an archived flag permanently',
    access: 'signed-in',
    checks: [{ permission: 'DELETE_FEATURE', where: 'in the project of the flag' }],
    answers: { 200: empty },
    emits: ['feature-deleted'],
  },
});
