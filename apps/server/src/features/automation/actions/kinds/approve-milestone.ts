import { filledText } from '@yardarm/contract';
import { z } from 'zod';
import { approveByAction } from '#features/releases/release-plans/index.ts';
import { defineKind, environmentParameter, flagParameter, projectParameter } from './kind.ts';

export const approveMilestone = defineKind({
  label: 'Approve the milestone of a release plan',
  description:
    'Gives the approval that the active milestone of a flag waits for from an action. The next milestone starts when its other gates are open, too',
  category: 'Release plans',
  permission: 'UPDATE_FEATURE_STRATEGY',
  parameters: [
    projectParameter,
    environmentParameter,
    flagParameter,
    {
      name: 'milestone',
      label: 'Milestone, by its name',
      description: 'Nothing is approved while the plan is at another milestone. Any milestone when empty',
      type: 'text',
      optional: true,
    },
  ],
  schema: z.strictObject({
    project: z.string(),
    environment: z.string(),
    featureName: z.string(),
    milestone: filledText(255).optional(),
  }),
  onPlan: ({ milestone }) => ({ type: 'approve', milestone }),
  run: async (tx, params) => {
    const reason = await approveByAction(tx, params);
    return reason === undefined ? undefined : { nothingToDo: true, details: reason };
  },
});
