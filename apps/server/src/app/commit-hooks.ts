import { keepWhatActionsNeed, noteBlockedSets, type RunContext } from '#features/automation/actions/index.ts';
import { askAfterOverrides } from '#features/automation/firing-alerts/index.ts';
import { requireReview } from '#features/flags/change-control/index.ts';
import { requireReason } from '#features/flags/change-reasons/index.ts';
import { releaseHoldsOfArchivedFlags } from '#features/flags/holds/index.ts';
import { refuseExternalQueries } from '#features/metrics/external-metrics/index.ts';
import { endLostStates } from '#features/platform/lost-states/index.ts';
import { keepTimeOfPlans, refuseChangesOfRunStrategies } from '#features/releases/release-plans/index.ts';
import { recordRoleGrants, syncOpenRequests } from '#features/review/change-requests/index.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { limitsOf } from './limits.ts';

/**
 * Returns the hooks before each commit, in the order in which they act. All read at the same time; once a hook has
 * acted, the hooks after it read again and find its rows and events. So a hook stands after those whose rows and events
 * it needs, and before those whose events it must not judge.
 */
export function commitHooks(
  { config, database }: Pick<ServiceDependencies, 'config' | 'database'>,
  runContext: RunContext,
): readonly BeforeCommit[] {
  const { review, strategies } = limitsOf(config);
  return [
    // First: it judges what the author changes, not what hooks add.
    requireReview(review),
    // Before the hooks that follow overrides: a deletion ends overrides, and this hook records that.
    endLostStates,
    // Before the hooks that change flags: only the change of the author needs a reason.
    requireReason(database),
    // Before the hooks that release holds or move plans: schedules are suspended by the change of the author.
    syncOpenRequests(review),
    // Anywhere: no hook gives a role. Beside the other hook of change requests.
    ...(review.binding ? [recordRoleGrants(database.db)] : []),
    // Before the hook that keeps the time of plans, which must find the flag without its holds.
    releaseHoldsOfArchivedFlags,
    // Before the next hook: plans that go back change the strategies that only they may change.
    refuseChangesOfRunStrategies,
    // After all hooks that release holds or end overrides: the time of a plan stops and goes on with them.
    keepTimeOfPlans(strategies),
    // Anywhere: hooks save no queries.
    ...(config.prometheusUrl === undefined ? [refuseExternalQueries] : []),
    // Before the next hook: a deletion that actions need is refused, and blocks no set.
    keepWhatActionsNeed,
    // After the hook before, which refuses what would block sets by a deletion.
    noteBlockedSets,
    // Last: it asks about the flag as the other hooks leave it, and the hooks before have ended its overrides.
    askAfterOverrides(runContext),
  ];
}
