import { Anchor, Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { actionSetsQuery } from '../../entities/actions/action-queries.ts';
import type { Place } from '../../entities/release-plans/plan-queries.ts';
import { useMay } from '../../lib/me.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { Muted } from '../../ui/text.tsx';
import { watchesOf } from './watches.ts';

/** The actions that halt a plan, because they hold its flag, and a button that makes one. */
export function PlanWatches({ place }: { readonly place: Place }) {
  const may = useMay();
  const mayRead = may('READ_ACTIONS', { project: place.projectId });
  const mayEdit = may('ADMIN');
  const { data: sets } = useQuery({ ...actionSetsQuery(place.projectId), enabled: mayRead });
  const navigate = useNavigate();
  if (sets === undefined) return null;
  const to = { to: '/projects/$projectId/settings/actions', params: { projectId: place.projectId } } as const;
  const watches = watchesOf(sets, place);
  return (
    <Stack gap={4} style={{ overflowWrap: 'anywhere' }}>
      {watches.map(({ id, name, effect, inactive }) => (
        <Muted key={id}>
          <Anchor
            size="sm"
            inherit
            underline="always"
            renderRoot={(props) => <Link {...to} search={mayEdit ? { edit: id } : { runsOf: id }} {...props} />}
          >
            {name}
          </Anchor>{' '}
          halts the plan: the flag is held {effect}
          {inactive === null ? '' : ` (${inactive})`}
        </Muted>
      ))}
      <Group gap="xs">
        <Permitted needs="ADMIN">
          <Button
            variant="subtle"
            size="compact-xs"
            ml={-7}
            onClick={() =>
              void navigate({
                ...to,
                search: { make: true, flag: place.featureName, environment: place.environment },
              })
            }
          >
            {watches.length === 0 ? 'Halt when an alert fires' : 'Halt at another alert'}
          </Button>
        </Permitted>
      </Group>
    </Stack>
  );
}
