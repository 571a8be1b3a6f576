import type { Input } from '../../lib/api.ts';
import { shareOut, wholeWeight } from './weights.ts';

/** Variants as the contract takes them. */
export type VariantBody = Exclude<
  Input<'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies'>['body']['variants'],
  undefined
>[number] & { readonly overrides?: { contextName: string; values: string[] }[] };
type PayloadType = Exclude<VariantBody['payload'], undefined>['type'];

/** A variant while it is edited. */
export interface VariantDraft {
  /** Tells rows apart that may be alike. */
  readonly key: string;
  readonly name: string;
  readonly weightType: 'variable' | 'fix';
  readonly weight: number;
  readonly payloadType: PayloadType | '';
  readonly payload: string;
  /** Only those of a flag itself have any. */
  readonly overrides: readonly OverrideDraft[];
}

/** Who gets a variant whatever the weights say. */
export interface OverrideDraft {
  readonly key: string;
  readonly contextName: string;
  readonly values: readonly string[];
}

/** As much of an answered variant as is edited. */
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

/** What a person begins with who adds a variant; the others make room for it. */
export function newVariant(): VariantDraft {
  return { key: nextKey(), name: '', weightType: 'variable', weight: 0, payloadType: '', payload: '', overrides: [] };
}

/** What a person begins with who adds an override. */
export function newOverride(): OverrideDraft {
  return { key: nextKey(), contextName: '', values: [] };
}

/** A variant of the server, to be edited. */
export function variantDraftOf({ name, weight, weightType, payload, overrides = [] }: VariantRead): VariantDraft {
  return {
    key: nextKey(),
    name,
    weight,
    weightType: weightType === 'fix' ? 'fix' : 'variable',
    payloadType: payloadTypes.find((known) => known === payload?.type) ?? '',
    payload: payload?.value ?? '',
    overrides: overrides.map((one) => ({ ...one, key: nextKey() })),
  };
}

/** What is sent of drafts, with their weights shared out. */
export function variantBodies(drafts: readonly VariantDraft[], stickiness: string): VariantBody[] {
  return shareOut(drafts).map(({ name, weight, weightType, payloadType, payload, overrides }) => ({
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

/** What is wrong, by the path that the server would name too: `variants.0.name`. */
export function variantProblems(drafts: readonly VariantDraft[]): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  const names = drafts.map(({ name }) => name.trim());
  for (const [index, { name, payloadType, payload, overrides }] of drafts.entries()) {
    if (name.trim() === '') problems[`variants.${index}.name`] = 'Give the variant a name.';
    else if (names.indexOf(name.trim()) < index) problems[`variants.${index}.name`] = 'Another variant has this name.';
    const problem = payloadProblem(payloadType, payload);
    if (problem !== undefined) problems[`variants.${index}.payload.value`] = problem;
    for (const [at, { contextName, values }] of overrides.entries()) {
      const path = `variants.${index}.overrides.${at}`;
      if (contextName.trim() === '') problems[`${path}.contextName`] = 'Choose a context field.';
      if (values.length === 0) problems[`${path}.values`] = 'Give at least one value.';
    }
  }
  const fixed = drafts.filter(({ weightType }) => weightType === 'fix');
  const sum = fixed.reduce((total, { weight }) => total + weight, 0);
  if (sum > wholeWeight) problems.variants = `Fixed weights make ${sum / 10} %, which is more than all there is.`;
  else if (drafts.length > 0 && fixed.length === drafts.length)
    problems.variants = 'One variant must be variable: it gets what the fixed ones leave.';
  return problems;
}

function payloadProblem(type: PayloadType | '', value: string): string | undefined {
  if (type === 'number' && (value.trim() === '' || !Number.isFinite(Number(value)))) return 'This is not a number.';
  if (type !== 'json') return undefined;
  try {
    JSON.parse(value);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
