import { stateSchema } from '@yardarm/contract';
import { jsonSchema } from '../../apps/server/src/features/platform/system/openapi.ts';
import { type Section, schemaTables } from './schema-tables.ts';

const flag = 'projects.*.flags.*';
const there = `${flag}.environments.*`;
const set = 'projects.*.actions.*';

const sections: readonly Section[] = [
  { title: 'State', at: '' },
  { title: 'Pull', at: 'pulled' },
  { title: 'Project', at: 'projects.*' },
  { title: 'Flag', at: flag },
  {
    title: 'Flag in an environment',
    at: there,
    text: 'A flag that is on without an active strategy, of its own or of its release plan, gets a strategy for everyone.',
  },
  { title: 'Release plan', at: `${there}.releasePlan` },
  { title: 'Safeguard', at: `${there}.safeguards.[]`, alsoAt: [`${there}.releasePlan.safeguards.[]`] },
  {
    title: 'Strategy',
    at: `${there}.strategies.[]`,
    alsoAt: [`${there}.releasePlan.milestones.[].strategies.[]`, 'releaseTemplates.*.milestones.[].strategies.[]'],
  },
  { title: 'Constraint', at: `${there}.strategies.[].constraints.[]`, alsoAt: ['segments.*.constraints.[]'] },
  { title: 'Variant of a strategy', at: `${there}.strategies.[].variants.[]` },
  { title: 'Variant of a flag', at: `${there}.variants.[]` },
  {
    title: 'Action set',
    at: set,
    text: 'Action kinds, filters, `allow` and guards are described on the [page about actions](actions.md).',
  },
  { title: 'Segment', at: 'segments.*' },
  { title: 'Context field', at: 'contextFields.*' },
  { title: 'Tag type', at: 'tagTypes.*' },
  { title: 'Release template', at: 'releaseTemplates.*' },
];

/** Returns the page with every key of state as code. */
export function statePage(): string {
  return `# State as code

Every key of the files of [state as code](../guides/state-as-code.md); other keys are an error. Keys that are left out keep their present
value, or get the default in a new object. A list that is given is complete.

${schemaTables(jsonSchema(stateSchema, 'input'), sections)}`;
}
