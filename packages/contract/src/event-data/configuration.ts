import { z } from 'zod';
import { constraintSchema } from '../constraints.ts';
import type { EventType } from '../event-types.ts';
import { dateTime } from '../scalars.ts';
import { after, before, both, nothing, type RecordedValues } from './recorded.ts';

const strategyType = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  editable: z.boolean(),
  deprecated: z.boolean(),
  parameters: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['string', 'percentage', 'list', 'number', 'boolean']),
      description: z.string(),
      required: z.boolean(),
    }),
  ),
});
const strategyTypeName = z.object({ name: z.string() });

const tag = z.object({ type: z.string(), value: z.string(), color: z.string().optional() });
const tagType = z.object({
  name: z.string(),
  description: z.string(),
  icon: z.string().nullable(),
  color: z.string().nullable(),
});

const project = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  mode: z.enum(['open', 'protected', 'private']),
  defaultStickiness: z.string(),
  featureLimit: z.number().int().nullable(),
  featureNaming: z
    .object({ pattern: z.string(), example: z.string().nullable(), description: z.string().nullable() })
    .optional()
    .meta({ description: 'Absent without a naming pattern' }),
  linkTemplates: z
    .array(z.object({ title: z.string().nullable(), urlTemplate: z.string() }))
    .optional()
    .meta({ description: 'Absent without templates' }),
  changeReason: z
    .object({ required: z.literal(true), pattern: z.string().nullable() })
    .optional()
    .meta({ description: 'Absent where no reason is required' }),
});

const environment = z.object({
  name: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  protected: z.boolean(),
  sortOrder: z.number().int(),
  requiredApprovals: z.number().int().nullable(),
});

const segment = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  project: z.string().nullable(),
  constraints: z.array(constraintSchema),
  createdBy: z.string(),
  createdAt: dateTime,
});

const contextField = z.object({
  name: z.string(),
  description: z.string().nullable(),
  stickiness: z.boolean(),
  sortOrder: z.number().int(),
  legalValues: z.array(z.object({ value: z.string(), description: z.string().optional() })),
  project: z.string().nullable(),
  createdAt: dateTime.nullable(),
});

/** The recorded values of the events of projects, environments, segments, context fields, strategy types and tags. */
export const configurationEvents = {
  'strategy-created': after(strategyType),
  'strategy-updated': both(strategyType),
  // Unleash has the name in `data`.
  'strategy-deleted': { data: strategyTypeName, preData: strategyType },
  'strategy-deprecated': after(strategyTypeName),
  'strategy-reactivated': after(strategyTypeName),
  'tag-created': after(tag),
  'tag-deleted': after(tag),
  'tag-type-created': after(tagType),
  'tag-type-updated': both(tagType),
  'tag-type-deleted': before(tagType),
  'project-created': after(project.extend({ environments: z.array(z.string()) })),
  'project-updated': both(project),
  'project-deleted': nothing,
  'project-archived': nothing,
  'project-revived': nothing,
  'project-favorited': after(z.object({ project: z.string() })),
  'project-unfavorited': after(z.object({ project: z.string() })),
  'project-environment-added': nothing,
  'project-environment-removed': nothing,
  'environment-created': after(environment),
  'environment-updated': both(environment),
  'environment-deleted': before(environment),
  'segment-created': after(segment),
  'segment-updated': both(segment),
  'segment-deleted': before(segment),
  'context-field-created': after(contextField),
  'context-field-updated': both(contextField),
  'context-field-deleted': before(contextField),
} satisfies Partial<Record<EventType, RecordedValues>>;
