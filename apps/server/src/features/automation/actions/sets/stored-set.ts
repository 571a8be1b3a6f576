import { setTriggers, weekdays } from '@yardarm/contract';
import { z } from 'zod';
import { type Filters, storedFilters } from '#features/platform/payload-filters/index.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Action, ActionSet, Allowed, FormerEnd, GuardRules } from './action-set.ts';

const names = z.array(z.string());
const allowed = z.object({ flags: names, tags: names, environments: names });

const guards = z.object({
  cooldownSeconds: z.number().optional(),
  quorum: z.object({ signals: z.number(), tokens: z.number(), withinSeconds: z.number() }).optional(),
  flagsPerHour: z.number().optional(),
  flapping: z.object({ changes: z.number(), withinSeconds: z.number() }).optional(),
  hours: z
    .object({ days: z.array(z.enum(weekdays)), from: z.string(), to: z.string(), timeZone: z.string() })
    .optional(),
});

const params = z.record(z.string(), z.unknown());

/** An action in the copy of a set that a run keeps. */
export const storedAction = z.object({
  id: z.number(),
  action: z.string(),
  sortOrder: z.number(),
  executionParams: params,
  createdAt: z.number(),
  createdByUserId: z.number(),
}) satisfies z.ZodType<Action>;

const formerEnd = z.object({
  endpointId: z.number(),
  trigger: z.enum(setTriggers),
  filters: storedFilters,
  releaseFilters: storedFilters.nullable(),
  forEach: z.string().nullable(),
  actions: z.array(storedAction),
  upToRunId: z.number(),
}) satisfies z.ZodType<FormerEnd>;

/** The JSON columns of action sets and of their actions. */
export const setColumns = {
  filters: jsonColumn<Filters>('action_sets.filters', storedFilters),
  releaseFilters: jsonColumn<Filters>('action_sets.release_filters', storedFilters),
  allow: jsonColumn<Allowed>('action_sets.allow', allowed),
  guards: jsonColumn<GuardRules>('action_sets.guards', guards),
  formerEnds: jsonColumn<readonly FormerEnd[]>('action_sets.former_ends', z.array(formerEnd)),
  params: jsonColumn<Action['executionParams']>('actions.params', params),
};

/** Returns the ends of earlier versions of a set. */
export function parseFormerEnds({ id, former_ends: text }: Pick<Row<'action_sets'>, 'id' | 'former_ends'>) {
  return text === null ? [] : setColumns.formerEnds.parse(text, id);
}

/** The copy of a set that a run keeps, without its actions. */
export const storedSet = z.object({
  id: z.number(),
  project: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  enabled: z.boolean(),
  actorId: z.number(),
  endpointId: z.number(),
  // Absent in runs that were stored before silence could trigger sets.
  trigger: z.enum(setTriggers).default('signal'),
  filters: storedFilters,
  // Absent in runs that were stored before sets could release what they hold.
  releaseFilters: storedFilters.nullable().default(null),
  forEach: z.string().nullable(),
  allow: allowed.nullable(),
  guards,
  shadow: z.boolean(),
  sinceSignalId: z.number(),
  createdAt: z.number(),
  createdByUserId: z.number(),
}) satisfies z.ZodType<Omit<ActionSet, 'actions'>>;
