import { actionRoutes } from '@yardarm/contract';
import type { FilterOperator } from '@yardarm/evaluation';
import { findKind, kindNames } from '../../apps/server/src/features/automation/actions/kinds/index.ts';
import { jsonSchema } from '../../apps/server/src/features/platform/system/openapi.ts';
import { type JsonSchema, type Section, schemaTables, takenBy } from './schema-tables.ts';

const sections: readonly Section[] = [
  { title: 'Action set', at: '' },
  {
    title: 'Filter',
    at: 'match.payload.*',
    text: `A path joins keys with dots and marks an element of a list by its index: \`alerts[0].labels.severity\`. With \`forEach\` the element is \`item\`:
\`item.labels.severity\`. Values are compared as text; an object, a list and null count as absent. Each operator needs \`value\` or \`values\`.`,
  },
  {
    title: 'Action',
    at: 'actions.[]',
    text: '`id`, `createdAt` and `createdByUserId` are part of answers and need not be sent.',
  },
  {
    title: 'Allowed names',
    at: 'allow',
    text: 'A flag, tag or environment whose name comes from a template (`{{…}}`) has to be in this list.',
  },
  {
    title: 'Guards',
    at: 'guards',
    text: 'Guards that are not set have no effect. A run that a guard stops is recorded as skipped, with the reason; a run that only releases waits instead during a cool-down or flapping.',
  },
];

/** The condition under which a filter passes, by its operator. */
const operatorMeanings: Readonly<Record<FilterOperator, string>> = {
  IN: 'is one of `values`',
  NOT_IN: 'is none of `values`, or is absent',
  STR_STARTS_WITH: 'begins with one of `values`',
  STR_ENDS_WITH: 'ends with one of `values`',
  STR_CONTAINS: 'contains one of `values`',
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

/** The meaning of parameters that name an object of the project. */
const names: Readonly<Record<string, string>> = {
  project: 'the project of the set',
  environment: 'an environment of the project',
  featureName: 'a flag of the project',
  tag: 'a tag, such as simple:checkout',
  strategyId: 'the id of a strategy of the flag there',
};

/** Returns the page about action sets: fields, filters, guards and action kinds. */
export function actionsPage(): string {
  const body = jsonSchema(actionRoutes['POST /api/admin/projects/:projectId/actions'].body, 'input');
  return `# Actions

All fields of an action set, as \`POST /api/admin/projects/{projectId}/actions\` takes them; other fields are an error. The
[guide](../guides/actions.md) explains their use. [Settings](settings.md) limit the number of sets, actions, filters and values. A run fails
without changes when \`forEach\` finds more elements than the endpoint allows (\`maxElements\`: 100 by default), and is skipped when it finds no array.

${schemaTables(body, sections)}
## Operators of filters

A filter passes when the value at its path…

| Operator | |
|---|---|
${Object.entries(operatorMeanings)
  .map(([operator, meaning]) => `| \`${operator}\` | ${meaning} |`)
  .join('\n')}

With \`inverted\` the result is negated, so the filter also passes when the value is absent.

## Action kinds

The service account needs the named permission, in the environment if that is a parameter. Text may contain \`{{path}}\`, which is replaced by
the value in the payload; the run fails when the value is absent. \`{{run.id}}\` and \`{{run.url}}\` are the id of the run and the address of its
page, below \`UNLEASH_URL\`, also when the payload has such a path; in a dry run the id is 0.

${kindNames.map(kindSection).join('\n')}`;
}

function kindSection(name: string): string {
  const kind = findKind(name);
  if (kind === undefined) throw new Error(`unknown action kind ${name}`);
  const { properties = {} }: JsonSchema = jsonSchema(kind.schema, 'input');
  const rows = kind.parameters.map(({ name: parameter, label, description = '', optional, optionLabels = {} }) => {
    const schema = properties[parameter] ?? {};
    const usual = schema.default === undefined || schema.default === '' ? '' : `\`${schema.default}\``;
    const meanings = Object.entries(optionLabels).map(([option, meaning]) => `\`${option}\`: ${meaning}`);
    const takes = names[parameter] ?? schema.description ?? takenBy(schema);
    return `| \`${parameter}\` | ${optional ? '' : 'yes'} | ${takes} | ${usual} | ${[label, description, ...meanings].filter((text) => text !== '').join('. ')} |`;
  });
  return `### ${name}

${kind.description}. Needs ${kind.permission}.

| Parameter | Required | Takes | Default | Meaning |
|---|---|---|---|---|
${rows.join('\n')}
`;
}
