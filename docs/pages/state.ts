import { stateSchema } from '@yardarm/contract';
import { jsonSchema } from '../../apps/server/src/features/system/openapi.ts';
import { type Section, schemaTables } from './schema-tables.ts';

const flag = 'projects.*.flags.*';
const there = `${flag}.environments.*`;
const set = 'projects.*.actions.*';

const sections: readonly Section[] = [
  { title: 'The whole', at: '' },
  { title: 'Project', at: 'projects.*' },
  { title: 'Flag', at: flag },
  {
    title: 'Flag in an environment',
    at: there,
    text: 'A flag that is on without an active strategy is on for everyone, and gets the strategy that says so.',
  },
  { title: 'Strategy', at: `${there}.strategies.[]` },
  { title: 'Constraint', at: `${there}.strategies.[].constraints.[]`, alsoAt: ['segments.*.constraints.[]'] },
  { title: 'Variant of a strategy', at: `${there}.strategies.[].variants.[]` },
  { title: 'Variant of a flag', at: `${there}.variants.[]` },
  {
    title: 'Set of actions',
    at: set,
    text: 'What the kinds of actions, filters, `allow` and guards mean is told [where the sets are](actions.md).',
  },
  { title: 'Segment', at: 'segments.*' },
  { title: 'Context field', at: 'contextFields.*' },
  { title: 'Tag type', at: 'tagTypes.*' },
];

/** Every key of state as code. */
export function statePage(): string {
  return `# State as code

Every key that the files of [state as code](../guides/state-as-code.md) take; any other is an error. What is not named stays as it
is, and what is new gets what is usual. A list that is named is complete.

${schemaTables(jsonSchema(stateSchema, 'input'), sections)}`;
}
