import type { MilestoneEffect, Plan } from './plan-queries.ts';

/**
 * Returns the effect of a milestone in sentences: the counts, the variants, and what the sample cannot show. "Of 1,000
 * sampled users, 104 get the flag now, and 497 would. Nobody loses it."
 */
export function describeEffect(
  effect: MilestoneEffect,
  { progress }: { readonly progress: Pick<Plan['progress'], 'state'> },
): string[] {
  const { contexts, before, after, variants, missingFields } = effect;
  const served = `Of ${count(contexts)} sampled users, ${count(before)} get the flag now, and ${count(after)} would.`;
  const byVariant = variants.map(
    (variant) => `${variant.name} ${count(variant.before)} now, then ${count(variant.after)}`,
  );
  const isStopped = progress.state === 'off' || progress.state === 'held';
  return [
    `${served} ${describeLost(effect)}`,
    ...(variants.length === 0 ? [] : [`Variants: ${byVariant.join('; ')}.`]),
    ...(isStopped ? ['Counted as if the flag were on and not held.'] : []),
    ...(missingFields.length === 0
      ? []
      : [`The sample cannot show the effect of rules that compare ${missingFields.join(', ')}.`]),
  ];
}

function describeLost({ lost, changedVariant }: MilestoneEffect): string {
  const losing =
    lost === 0 ? 'Nobody loses it' : `${count(lost)} of those who get it now ${lost === 1 ? 'loses' : 'lose'} it`;
  return changedVariant === 0 ? `${losing}.` : `${losing}, and ${count(changedVariant)} get another variant.`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
