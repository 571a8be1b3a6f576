import { z } from 'zod';
import { blockedField } from './blocked-actions.ts';

/** The fields that the list of action sets of a project adds to each. */
export const listedSetFields = {
  actorName: z.string().nullable().meta({ description: 'The service account; null when it has been deleted' }),
  sourceName: z.string().nullable().meta({ description: 'The signal endpoint; null when it has been deleted' }),
  blocked: blockedField,
};
