import { z } from 'zod';
import { outlastedDataSchema, overrideDataSchema } from '../automation-overrides.ts';
import type { EventType } from '../event-types.ts';
import { featureTypeIds, flagValues } from '../flag-fields.ts';
import { holdSchema } from '../hold.ts';
import { exportResultSchema } from '../import-export.ts';
import { metricChartDataSchema } from '../metric-charts.ts';
import {
  approvedMilestoneDataSchema,
  pauseDataSchema,
  planDataSchema,
  progressionDataSchema,
  startedMilestoneDataSchema,
} from '../release-plans.ts';
import { releaseTemplateSchema } from '../release-templates.ts';
import {
  blindSafeguardDataSchema,
  safeguardDataSchema,
  seeingSafeguardDataSchema,
  triggeredSafeguardDataSchema,
} from '../safeguards.ts';
import { dateTime } from '../scalars.ts';
import { defaultStrategySchema, featureStrategySchema } from '../strategies.ts';
import { variantSchema } from '../variant-fields.ts';
import { after, before, both, nothing, type RecordedValues } from './recorded.ts';

const tag = z.object({ type: z.string(), value: z.string() });

const flag = z.object({
  name: z.string(),
  project: z.string(),
  ...flagValues.shape,
  createdAt: dateTime,
  lastSeenAt: dateTime.nullable(),
  archived: z.boolean(),
  archivedAt: dateTime.nullable(),
  tags: z.array(tag),
});

const strategy = featureStrategySchema.omit({ featureName: true });
const strategyOrder = z.object({
  strategyIds: z.array(z.string()).meta({ description: 'The ids of the strategies, in order' }),
});
const template = releaseTemplateSchema.extend({
  project: releaseTemplateSchema.shape.project
    .optional()
    .meta({ description: 'Null for all projects. Absent in events of 0.9.0, which mean null' }),
});
const link = z.object({ url: z.string(), title: z.string().optional() });
const parent = z.object({ feature: z.string().meta({ description: 'The parent flag' }) });
const dependency = parent.extend({
  enabled: z.boolean().meta({ description: 'Whether the parent has to be on' }),
  variants: z.array(z.string()).optional().meta({ description: 'The parent has to return one of these variants' }),
});
const effectiveState = z.object({
  enabled: z.boolean(),
  lease: holdSchema.nullable().meta({ description: 'The hold in force; null for the configured state' }),
});
const flagType = z.object({
  id: z.enum(featureTypeIds),
  name: z.string(),
  description: z.string(),
  lifetimeDays: z.number().int().nullable(),
});
const completion = z.object({
  status: z.enum(['kept', 'discarded']),
  statusValue: z.string().optional().meta({ description: 'The kept value, such as the name of a variant' }),
  kept: z.boolean(),
});
const largeExport = z
  .object({ features: z.array(z.object({ name: z.string() })) })
  .meta({ description: 'The names of the flags, when the export is longer than 100,000 characters' });

/** The recorded values of the events of flags, their strategies, holds and tags. */
export const flagEvents = {
  'feature-created': after(flag),
  'feature-metadata-updated': both(flag),
  'feature-archived': nothing,
  'feature-revived': nothing,
  'feature-deleted': before(flag),
  'feature-stale-on': nothing,
  'feature-stale-off': nothing,
  'feature-completed': after(completion),
  'feature-uncompleted': nothing,
  'feature-potentially-stale-on': nothing,
  'feature-environment-enabled': nothing,
  'feature-environment-disabled': nothing,
  'feature-lease-placed': after(holdSchema),
  'feature-lease-updated': both(holdSchema),
  'feature-lease-stepped-down': both(holdSchema),
  'feature-lease-released': before(holdSchema),
  'feature-lease-expiring': after(holdSchema),
  'feature-lease-expired': before(holdSchema),
  'feature-override-placed': after(overrideDataSchema),
  'feature-override-updated': both(overrideDataSchema),
  'feature-override-ended': before(overrideDataSchema),
  'feature-override-outlasted': after(outlastedDataSchema),
  'feature-effective-state-changed': both(effectiveState),
  'release-plan-added': after(planDataSchema),
  'release-plan-updated': both(planDataSchema),
  'release-plan-removed': before(planDataSchema),
  'release-plan-milestone-started': after(startedMilestoneDataSchema),
  'release-plan-milestone-approved': after(approvedMilestoneDataSchema),
  'release-plan-progressions-paused': after(pauseDataSchema),
  'release-plan-progressions-resumed': after(pauseDataSchema),
  'release-plan-waiting': after(pauseDataSchema),
  'milestone-progression-created': after(progressionDataSchema),
  'milestone-progression-updated': both(progressionDataSchema),
  'milestone-progression-deleted': before(progressionDataSchema),
  'safeguard-changed': { data: safeguardDataSchema, preData: safeguardDataSchema.nullable() },
  'safeguard-deleted': before(safeguardDataSchema),
  'safeguard-triggered': after(triggeredSafeguardDataSchema),
  'safeguard-no-data': after(blindSafeguardDataSchema),
  'safeguard-no-data-ended': after(seeingSafeguardDataSchema),
  'impact-metric-created': after(metricChartDataSchema),
  'impact-metric-updated': both(metricChartDataSchema),
  'impact-metric-deleted': before(metricChartDataSchema),
  'release-plan-template-created': after(template),
  'release-plan-template-updated': both(template),
  'release-plan-template-deleted': before(template),
  'release-plan-template-archived': after(template),
  'release-plan-template-revived': after(template),
  'feature-environment-variants-updated': both(z.object({ variants: z.array(variantSchema) })),
  'feature-project-change': after(z.object({ oldProject: z.string(), newProject: z.string() })),
  'feature-strategy-add': after(strategy),
  'feature-strategy-update': both(strategy),
  'feature-strategy-remove': before(strategy),
  'strategy-order-changed': both(strategyOrder),
  'default-strategy-updated': both(defaultStrategySchema.nullable()),
  'feature-dependency-added': after(dependency),
  'feature-dependency-removed': after(parent),
  'feature-dependencies-removed': nothing,
  'feature-link-added': after(link),
  'feature-link-updated': both(link),
  'feature-link-removed': before(link),
  'feature-favorited': after(z.object({ feature: z.string() })),
  'feature-unfavorited': after(z.object({ feature: z.string() })),
  'feature-type-updated': both(flagType),
  'features-exported': after(z.union([exportResultSchema, largeExport])),
  'features-imported': nothing,
  'feature-tagged': after(tag),
  'feature-untagged': before(tag),
} satisfies Partial<Record<EventType, RecordedValues>>;
