import { Alert, Divider, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Answer } from '../../../lib/api.ts';
import { Strong } from '../../../ui/text.tsx';
import { ExecutedActions } from '../runs/executed-actions.tsx';
import { FilterResults } from '../runs/filter-results.tsx';

export type DryRun = Answer<'POST /api/admin/projects/:projectId/actions/rehearse'>;

interface Props {
  readonly projectId: string;
  readonly dryRun: DryRun;
  readonly forEach: string | null;
}

/** Shows the result of a dry run: the filters, the changes and the errors. */
export function DryRunResult({ projectId, dryRun: { views, halted }, forEach }: Props) {
  const matching = views.filter(({ matches }) => matches).length;
  const failing = views.filter(({ state }) => state === 'failed').length;
  return (
    <Stack gap="md" role="status" aria-label="Dry run result">
      {halted !== null && (
        <Alert color="yellow" variant="light">
          Nothing would run now: {halted}
        </Alert>
      )}
      <Strong>{headline(views.length, matching, failing, forEach)}</Strong>
      {views.map(({ element, matches, releases, filters, state, reason, actions }, index) => (
        <Fragment key={element ?? 'whole'}>
          {index > 0 && <Divider />}
          <Stack gap="sm">
            {element !== null && (
              <Strong ff="monospace">
                {forEach}[{element}]
              </Strong>
            )}
            <FilterResults filters={filters} />
            {releases && <Text size="sm">It would release what this action holds.</Text>}
            {reason !== null && (
              <Alert color={state === 'failed' ? 'red' : 'yellow'} variant="light">
                {reason}
              </Alert>
            )}
            {matches && <ExecutedActions projectId={projectId} actions={actions} kind="dry run" />}
          </Stack>
        </Fragment>
      ))}
    </Stack>
  );
}

function headline(all: number, matching: number, failing: number, forEach: string | null): string {
  if (all === 0)
    return forEach === null
      ? 'It would not run.'
      : `It would not run: the payload has no array elements at ${forEach}.`;
  if (matching === 0) return 'It would not run: not all filters match.';
  const failures = failing === 0 ? '' : failing === matching ? ', and fail' : `, and fail for ${failing}`;
  return forEach === null ? `It would run${failures}.` : `It would run for ${matching} of ${all} elements${failures}.`;
}
