import { bodyOf, type ConstraintDraft, constraintProblems, draftOf } from '../../entities/constraints/draft.ts';
import type { FeatureStrategy, StrategyType } from '../../entities/strategies/strategy-queries.ts';
import type { Input } from '../../lib/api.ts';
import { type VariantDraft, variantBodies, variantDraftOf, variantProblems } from '../variants/index.ts';

type StrategyBody =
  Input<'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies'>['body'];

/** The draft of a strategy. */
export interface StrategyDraft {
  readonly name: string;
  readonly title: string;
  readonly disabled: boolean;
  /** Includes parameters of strategy types selected before, so that no input is lost. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly segments: readonly number[];
  readonly constraints: readonly ConstraintDraft[];
  readonly variants: readonly VariantDraft[];
  /**
   * The stickiness of the saved variants where it is not that of the strategy. The form does not edit it. Absent where
   * variants follow the strategy.
   */
  readonly variantStickiness?: string;
}

/** Returns the draft of a new strategy: on for everyone, with the default stickiness of the project. */
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

/** Returns the draft of a strategy. */
export function strategyDraftOf(strategy: Omit<FeatureStrategy, 'id' | 'featureName' | 'sortOrder'>): StrategyDraft {
  return {
    name: strategy.name,
    title: strategy.title ?? '',
    disabled: strategy.disabled,
    parameters: strategy.parameters,
    segments: strategy.segments,
    constraints: strategy.constraints.map(draftOf),
    variants: strategy.variants.map(variantDraftOf),
    ...ownStickiness(strategy),
  };
}

function ownStickiness({ variants, parameters }: Pick<FeatureStrategy, 'variants' | 'parameters'>) {
  const [first] = variants;
  const isOwn = first !== undefined && first.stickiness !== (parameters.stickiness || 'default');
  return isOwn ? { variantStickiness: first.stickiness } : {};
}

/**
 * Returns the draft of a requested strategy change. Fields that the change does not contain come from the current
 * strategy `now`; without one, from `fallback` or a default.
 */
export function askedDraftOf(
  payload: unknown,
  now: FeatureStrategy | undefined,
  fallback: StrategyDraft,
): StrategyDraft {
  // The server validated the payload when the change was requested.
  const requested = payload as Partial<FeatureStrategy>;
  if (now !== undefined) return strategyDraftOf({ ...now, ...requested });
  const { name, title, disabled, parameters, segments, constraints, variants } = requested;
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

/** Returns the request body of a draft, with only the parameters of its strategy type when the type is known. */
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
    variants: variantBodies(draft.variants, draft.variantStickiness ?? (draft.parameters.stickiness || 'default')),
  };
}

/** Returns the errors of a draft, by the path of the server: `parameters.rollout`, `constraints.0.value`. */
export function strategyProblems(
  draft: StrategyDraft,
  definition: StrategyType | undefined,
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const { name, type, required } of definition?.parameters ?? []) {
    const value = (draft.parameters[name] ?? '').trim();
    if (value === '' && required) problems[`parameters.${name}`] = 'Required.';
    if (value !== '' && type === 'number' && !Number.isFinite(Number(value)))
      problems[`parameters.${name}`] = 'Enter a number.';
  }
  return { ...problems, ...constraintProblems(draft.constraints), ...variantProblems(draft.variants) };
}
