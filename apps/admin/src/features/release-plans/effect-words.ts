import type { MilestoneEffect, Plan } from '../../entities/release-plans/plan-queries.ts';
import { formatDateMinute } from '../../ui/dates.ts';

type SeenEffect = NonNullable<MilestoneEffect['seen']>;
/** The counts that are the same for sampled users and for contexts that clients sent. */
type Counts = Omit<SeenEffect, 'since'>;

/**
 * Returns the effect of a milestone in sentences: the counts, the variants, and what the sample cannot show. "Of 1,000
 * sampled users, 104 get the flag now, and 497 would. Nobody loses it." The first is about the sample, the second about
 * contexts that clients sent, if there are any.
 */
export function describeEffect(
  effect: MilestoneEffect,
  { progress }: { readonly progress: Pick<Plan['progress'], 'state'> },
): { readonly counts: string[]; readonly notes: string[] } {
  const { seen } = effect;
  const isStopped = progress.state === 'off' || progress.state === 'held';
  return {
    counts: [
      describeCounts(effect, `${count(effect.contexts)} sampled users`),
      ...(seen === null ? [] : [describeCounts(seen, describeSeen(seen))]),
    ],
    notes: [
      ...(isStopped ? ['Counted as if the flag were on and not held.'] : []),
      ...describeMissing('The sample', effect),
      ...(seen === null ? [] : describeMissing('The contexts that clients sent', seen)),
    ],
  };
}

/** "312 contexts that clients sent since 2026-11-27 09:12" */
function describeSeen({ contexts, since }: SeenEffect): string {
  return `${contexts === 1 ? '1 context' : `${count(contexts)} contexts`} that clients sent since ${formatDateMinute(since)}`;
}

function describeCounts(counts: Counts, of: string): string {
  const { before, after, variants } = counts;
  const byVariant = variants.map(
    (variant) => `${variant.name} ${count(variant.before)} now, then ${count(variant.after)}`,
  );
  return [
    `Of ${of}, ${count(before)} ${before === 1 ? 'gets' : 'get'} the flag now, and ${count(after)} would.`,
    describeLost(counts),
    ...(variants.length === 0 ? [] : [`Variants: ${byVariant.join('; ')}.`]),
  ].join(' ');
}

function describeLost({ lost, changedVariant }: Counts): string {
  const losing =
    lost === 0 ? 'Nobody loses it' : `${count(lost)} of those who get it now ${lost === 1 ? 'loses' : 'lose'} it`;
  return changedVariant === 0 ? `${losing}.` : `${losing}, and ${count(changedVariant)} get another variant.`;
}

function describeMissing(what: string, { missingFields }: Counts): string[] {
  if (missingFields.length === 0) return [];
  return [`${what} cannot show the effect of rules that compare ${missingFields.join(', ')}.`];
}

function count(number: number): string {
  return number.toLocaleString('en');
}
