import { actionRoutes, type filterOperators } from '@yardarm/contract';
import { findKind, kindNames } from '../../apps/server/src/features/actions/kinds/index.ts';
import { mostElements } from '../../apps/server/src/features/actions/matching/index.ts';
import { jsonSchema } from '../../apps/server/src/features/system/openapi.ts';
import { type JsonSchema, type Section, schemaTables, takenBy } from './schema-tables.ts';

const sections: readonly Section[] = [
  { title: 'Set of actions', at: '' },
  {
    title: 'Filter',
    at: 'match.payload.*',
    text: `A path is keys with dots between, and \`[2]\` for an element of a list: \`alerts[0].labels.severity\`. With \`forEach\` the element is \`item\`:
\`item.labels.severity\`. What is found is compared as text; an object, a list and null count as nothing. Each operator needs what it compares with.`,
  },
  {
    title: 'Action',
    at: 'actions.[]',
    text: '`id`, `createdAt` and `createdByUserId` are what the answers have, and need not be sent.',
  },
  {
    title: 'What the payload may name',
    at: 'allow',
    text: 'A flag, tag or environment that is named by a parameter with `{{…}}` must be among these.',
  },
  {
    title: 'Guards',
    at: 'guards',
    text: 'What is not named is not guarded. What a guard stops is recorded as skipped, with the reason.',
  },
];

/** When a filter passes, by its operator. */
const operatorMeanings: Readonly<Record<(typeof filterOperators)[number], string>> = {
  IN: 'is one of `values`',
  NOT_IN: 'is none of `values`, or there is nothing',
  STR_STARTS_WITH: 'begins with one of `values`',
  STR_ENDS_WITH: 'ends with one of `values`',
  STR_CONTAINS: 'holds one of `values`',
  NUM_EQ: 'is the number `value`',
  NUM_GT: 'is a number above `value`',
  NUM_GTE: 'is the number `value` or above',
  NUM_LT: 'is a number below `value`',
  NUM_LTE: 'is the number `value` or below',
  SEMVER_EQ: 'is the version `value`, such as 1.2.3',
  SEMVER_GT: 'is a version after `value`',
  SEMVER_GTE: 'is the version `value` or after it',
  SEMVER_LT: 'is a version before `value`',
  SEMVER_LTE: 'is the version `value` or before it',
};

/** The values of parameters that name an object of the project. */
const names: Readonly<Record<string, string>> = {
  project: 'the project of the set',
  environment: 'an environment of the project',
  featureName: 'a flag of the project',
  tag: 'a tag, such as simple:checkout',
  strategyId: 'the id of a strategy of the flag there',
};

/** Sets of actions: their fields, filters, guards and kinds. */
export function actionsPage(): string {
  const body = jsonSchema(actionRoutes['POST /api/admin/projects/:projectId/actions'].body, 'input');
  return `# Actions

All fields of a set of actions, as \`POST /api/admin/projects/{projectId}/actions\` takes them; any other is an error. What they are for is told in
[the guide](../guides/actions.md). How many sets, actions, filters and values there may be is a matter of the [settings](settings.md). Where
\`forEach\` finds more than ${mostElements} elements the run fails, and nothing is done.

${schemaTables(body, sections)}
## Operators of filters

A filter passes when what is found…

| Operator | |
|---|---|
${Object.entries(operatorMeanings)
  .map(([operator, meaning]) => `| \`${operator}\` | ${meaning} |`)
  .join('\n')}

With \`inverted\` it passes when that is not so, and then also when there is nothing.

## Kinds of actions

The service account needs the permission that is named, in the environment if there is one among the parameters. Text may hold \`{{path}}\`, which stands
for what the payload has there; where it has nothing the run fails. \`{{run.id}}\` and \`{{run.url}}\` stand for the run and the address of its page,
below \`UNLEASH_URL\`, whatever the payload has there; in a rehearsal the run is 0.

${kindNames.map(kindSection).join('\n')}`;
}

function kindSection(name: string): string {
  const kind = findKind(name);
  if (kind === undefined) throw new Error(`there is no kind ${name}`);
  const { properties = {} }: JsonSchema = jsonSchema(kind.schema, 'input');
  const rows = kind.parameters.map(({ name: parameter, label, optional }) => {
    const schema = properties[parameter] ?? {};
    const usual = schema.default === undefined || schema.default === '' ? '' : `\`${schema.default}\``;
    const takes = names[parameter] ?? schema.description ?? takenBy(schema);
    return `| \`${parameter}\` | ${optional ? '' : 'yes'} | ${takes} | ${usual} | ${label} |`;
  });
  return `### ${name}

${kind.description}. Needs ${kind.permission}.

| Parameter | Needed | Takes | Default | Meaning |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
