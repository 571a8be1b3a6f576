import type { Input } from '../../lib/api.ts';
import { distributeWeights, wholeWeight } from './weights.ts';

/** A variant in a request, in the format of the contract. */
export type VariantBody = Exclude<
  Input<'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies'>['body']['variants'],
  undefined
>[number] & { readonly overrides?: { contextName: string; values: string[] }[] };
type PayloadType = Exclude<VariantBody['payload'], undefined>['type'];

/** The draft of a variant. */
export interface VariantDraft {
  /** The React key of the row. The fields cannot be the key, because two variants may be equal. */
  readonly key: string;
  readonly name: string;
  readonly weightType: 'variable' | 'fix';
  readonly weight: number;
  readonly payloadType: PayloadType | '';
  readonly payload: string;
  /** The overrides. Variants of strategies have none. */
  readonly overrides: readonly OverrideDraft[];
}

/** The values of a context field whose users always get the variant. */
export interface OverrideDraft {
  readonly key: string;
  readonly contextName: string;
  readonly values: readonly string[];
}

/** The part of a variant that can be edited. */
interface VariantRead {
  readonly name: string;
  readonly weight: number;
  readonly weightType: string;
  readonly payload?: { readonly type: string; readonly value: string } | undefined;
  readonly overrides?: readonly { readonly contextName: string; readonly values: readonly string[] }[] | undefined;
}

let made = 0;
const nextKey = () => `variant-${++made}`;
const payloadTypes: readonly PayloadType[] = ['string', 'json', 'csv', 'number'];

/** Returns the draft of a new variant, with a variable weight: the other variable weights shrink to make room. */
export function newVariant(): VariantDraft {
  return { key: nextKey(), name: '', weightType: 'variable', weight: 0, payloadType: '', payload: '', overrides: [] };
}

/** Returns the draft of a new override. */
export function newOverride(): OverrideDraft {
  return { key: nextKey(), contextName: '', values: [] };
}

/** Returns the draft of a variant. */
export function variantDraftOf({ name, weight, weightType, payload, overrides = [] }: VariantRead): VariantDraft {
  return {
    key: nextKey(),
    name,
    weight,
    weightType: weightType === 'fix' ? 'fix' : 'variable',
    payloadType: payloadTypes.find((known) => known === payload?.type) ?? '',
    payload: payload?.value ?? '',
    overrides: overrides.map((override) => ({ ...override, key: nextKey() })),
  };
}

/** Returns the request body of drafts, with distributed weights. */
export function variantBodies(drafts: readonly VariantDraft[], stickiness: string): VariantBody[] {
  return distributeWeights(drafts).map(({ name, weight, weightType, payloadType, payload, overrides }) => ({
    name: name.trim(),
    weight,
    weightType,
    stickiness,
    ...(payloadType === '' ? {} : { payload: { type: payloadType, value: payload } }),
    ...(overrides.length === 0
      ? {}
      : { overrides: overrides.map(({ contextName, values }) => ({ contextName, values: [...values] })) }),
  }));
}

/** Returns the errors by the path that the server uses: `variants.0.name`. */
export function variantProblems(drafts: readonly VariantDraft[]): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  const names = drafts.map(({ name }) => name.trim());
  for (const [index, { name, payloadType, payload, overrides }] of drafts.entries()) {
    if (name.trim() === '') problems[`variants.${index}.name`] = 'Enter a name.';
    else if (names.indexOf(name.trim()) < index) problems[`variants.${index}.name`] = 'Another variant has this name.';
    const problem = payloadProblem(payloadType, payload);
    if (problem !== undefined) problems[`variants.${index}.payload.value`] = problem;
    for (const [at, { contextName, values }] of overrides.entries()) {
      const path = `variants.${index}.overrides.${at}`;
      if (contextName.trim() === '') problems[`${path}.contextName`] = 'Select a context field.';
      if (values.length === 0) problems[`${path}.values`] = 'Enter at least one value.';
    }
  }
  const fixed = drafts.filter(({ weightType }) => weightType === 'fix');
  const sum = fixed.reduce((total, { weight }) => total + weight, 0);
  if (sum > wholeWeight) problems.variants = `Fixed weights add up to ${sum / 10} %. Reduce them to 100 % or less.`;
  else if (drafts.length > 0 && fixed.length === drafts.length)
    problems.variants = 'At least one variant must have a variable weight.';
  return problems;
}

function payloadProblem(type: PayloadType | '', value: string): string | undefined {
  if (type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) return 'Enter a number.';
  if (type !== 'json') return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
