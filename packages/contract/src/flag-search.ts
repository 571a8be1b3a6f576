import { z } from 'zod';
import { choiceFilter, filter, numberFilter, tagFilter } from './filters.ts';
import { featureTypeIds } from './flag-fields.ts';
import { featureSchema, flagStages } from './flags.ts';
import { defineRoutes, stream } from './route.ts';
import { isoDay, paging } from './scalars.ts';
import { coloredTagSchema } from './tags.ts';
import { plainText, searchText } from './text.ts';

const oneOf = ['IS', 'IS_NOT', 'IS_ANY_OF', 'IS_NONE_OF'] as const;
const setOf = [
  'INCLUDE',
  'DO_NOT_INCLUDE',
  'INCLUDE_ALL_OF',
  'INCLUDE_ANY_OF',
  'EXCLUDE_IF_ANY_OF',
  'EXCLUDE_ALL',
] as const;

const flagStates = ['active', 'stale', 'potentially-stale'] as const;
const flagSortKeys = ['name', 'type', 'project', 'stale', 'createdAt', 'lastSeenAt'] as const;

const date = filter('IS_BEFORE', 'IS_ON_OR_AFTER')
  .refine(({ values }) => values.length === 1 && isoDay.safeParse(values[0]).success, 'must name a day that exists')
  .transform(({ operator, values }) => ({ operator, at: isoDay.parse(values[0]) }));

const status = z
  .string()
  .regex(
    /^[A-Za-z0-9_~.-]{1,100}:(enabled|disabled)$/,
    'must be an environment with enabled or disabled, such as production:enabled',
  )
  .transform((text) => {
    const end = text.lastIndexOf(':');
    return { environment: text.slice(0, end), enabled: text.slice(end + 1) === 'enabled' };
  });

const sortBy = z
  .string()
  .refine(
    (key) => flagSortKeys.some((known) => known === key) || /^environment:[A-Za-z0-9_~.-]{1,100}$/.test(key),
    `must be ${flagSortKeys.join(', ')} or environment:<name>`,
  );

const foundFeature = featureSchema.extend({
  dependencyType: z
    .enum(['parent', 'child'])
    .nullable()
    .meta({ description: '`parent`: other flags depend on this flag; `child`: this flag depends on another flag' }),
  tags: z.array(coloredTagSchema),
  segments: z.array(z.string()).meta({ description: 'Names of the segments in its strategies' }),
});

export const featureSearchRoutes = defineRoutes('Features', {
  'GET /api/admin/search/features': {
    summary: 'Search flags in all projects',
    description:
      'To get the next page, repeat the search with `next` of the answer as `cursor`. A flag must match all given filters; `status` may be repeated, and one match is enough. `query` searches names, descriptions and tags.',
    access: 'signed-in',
    query: z.object({
      ...paging(50, 1000),
      cursor: plainText(2000).optional().meta({
        description:
          'The `next` of the previous page, in place of `offset` (keyset pagination: every page costs the same)',
      }),
      query: searchText(1000),
      project: filter(...oneOf).optional(),
      type: choiceFilter(featureTypeIds, ...oneOf).optional(),
      state: choiceFilter(flagStates, ...oneOf).optional(),
      lifecycle: choiceFilter(flagStages, ...oneOf).optional(),
      createdBy: numberFilter(...oneOf).optional(),
      tag: tagFilter(...setOf).optional(),
      segment: filter(...setOf).optional(),
      createdAt: date.optional(),
      lastSeenAt: date.optional(),
      status: z.union([status.transform((value) => [value]), z.array(status).max(50)]).optional(),
      archived: choiceFilter(['true', 'false'], 'IS').optional(),
      held: choiceFilter(['true', 'false'], 'IS')
        .optional()
        .meta({ description: 'With `IS:true`, only flags that are held in an environment' }),
      sortBy: sortBy.optional(),
      sortOrder: z.enum(['asc', 'desc']).optional(),
      favoritesFirst: z.enum(['true', 'false']).optional(),
    }),
    answers: {
      200: stream(z.object({ features: z.array(foundFeature), total: z.number().int(), next: z.string().nullable() })),
    },
    errors: [400],
  },
});
