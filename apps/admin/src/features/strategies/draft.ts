import type { Input } from '../../lib/api.ts';
import { bodyOf, type ConstraintDraft, constraintProblems, draftOf } from '../constraints/draft.ts';
import { type VariantDraft, variantBodies, variantDraftOf, variantProblems } from '../variants/draft.ts';
import type { FeatureStrategy, StrategyType } from './strategy-queries.ts';

type StrategyBody =
  Input<'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies'>['body'];

/** A strategy while it is edited. */
export interface StrategyDraft {
  readonly name: string;
  readonly title: string;
  readonly disabled: boolean;
  /** Also those of strategies that were looked at before, so that nothing typed is lost. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly segments: readonly number[];
  readonly constraints: readonly ConstraintDraft[];
  readonly variants: readonly VariantDraft[];
}

/** What a person begins with who adds a strategy: everyone gets the flag, as the project usually tells users apart. */
export function newStrategy(name: string, groupId: string, stickiness: string): StrategyDraft {
  return {
    name,
    title: '',
    disabled: false,
    parameters: { rollout: '100', stickiness, groupId },
    segments: [],
    constraints: [],
    variants: [],
  };
}

/** A strategy of the server, to be edited. */
export function strategyDraftOf(strategy: Omit<FeatureStrategy, 'id' | 'featureName' | 'sortOrder'>): StrategyDraft {
  return {
    name: strategy.name,
    title: strategy.title ?? '',
    disabled: strategy.disabled,
    parameters: strategy.parameters,
    segments: strategy.segments,
    constraints: strategy.constraints.map(draftOf),
    variants: strategy.variants.map(variantDraftOf),
  };
}

/** A strategy as a change request asks for it, to be edited; what is not asked for stays as it is in `now`. */
export function askedDraftOf(
  payload: unknown,
  now: FeatureStrategy | undefined,
  fallback: StrategyDraft,
): StrategyDraft {
  // Checked by the server when it was asked for; what SDKs read is what it answers.
  const asked = payload as Partial<FeatureStrategy>;
  if (now !== undefined) return strategyDraftOf({ ...now, ...asked });
  const { name, title, disabled, parameters, segments, constraints, variants } = asked;
  return {
    name: name ?? fallback.name,
    title: title ?? '',
    disabled: disabled ?? false,
    parameters: parameters ?? fallback.parameters,
    segments: segments ?? [],
    constraints: (constraints ?? []).map(draftOf),
    variants: (variants ?? []).map(variantDraftOf),
  };
}

/** What is sent of a draft: of its parameters only those that the strategy takes, when that is known. */
export function strategyBodyOf(draft: StrategyDraft, definition: StrategyType | undefined): StrategyBody {
  const taken = definition?.parameters.map(({ name }) => name);
  const parameters = Object.entries(draft.parameters).filter(
    ([name, value]) => (taken === undefined || taken.includes(name)) && value !== '',
  );
  return {
    name: draft.name,
    title: draft.title.trim() === '' ? null : draft.title.trim(),
    disabled: draft.disabled,
    parameters: Object.fromEntries(parameters),
    segments: [...draft.segments],
    constraints: draft.constraints.map(bodyOf),
    variants: variantBodies(draft.variants, draft.parameters.stickiness || 'default'),
  };
}

/** What is wrong with a draft, by the path that the server would name too: `parameters.rollout`, `constraints.0.value`. */
export function strategyProblems(
  draft: StrategyDraft,
  definition: StrategyType | undefined,
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const { name, type, required } of definition?.parameters ?? []) {
    const value = (draft.parameters[name] ?? '').trim();
    if (value === '' && required) problems[`parameters.${name}`] = 'This is needed.';
    if (value !== '' && type === 'number' && !Number.isFinite(Number(value)))
      problems[`parameters.${name}`] = 'This is not a number.';
  }
  return { ...problems, ...constraintProblems(draft.constraints), ...variantProblems(draft.variants) };
}
