import { Skeleton, Stack, Tabs } from '@mantine/core';
import { useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { pendingOfFlag } from '../../entities/change-requests/request-queries.ts';
import { useReview } from '../../entities/change-requests/use-reviewed-change.ts';
import { type Flag, type FlagParams, flagQuery } from '../../entities/flags/flag-queries.ts';
import { holdsOfFlag } from '../../entities/holds/holds-query.ts';
import { overridesQuery } from '../../entities/holds/now-queries.ts';
import { plansOfFlag } from '../../entities/release-plans/plan-queries.ts';
import { safeguardsOfFlag } from '../../entities/safeguards/safeguard-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { ApiError } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Muted } from '../../ui/text.tsx';
import { deletionKey } from './delete-flags.tsx';
import { FlagHeader } from './flag-header.tsx';

const route = getRouteApi('/projects/$projectId/features/$featureName');

const tabs = [
  { value: 'overview', label: 'Overview', to: '/projects/$projectId/features/$featureName' },
  { value: 'metrics', label: 'Metrics', to: '/projects/$projectId/features/$featureName/metrics' },
  { value: 'logs', label: 'Event log', to: '/projects/$projectId/features/$featureName/logs' },
  { value: 'settings', label: 'Settings', to: '/projects/$projectId/features/$featureName/settings' },
] as const;

/** The permissions with which a user changes what a flag serves. */
const changing = ['UPDATE_FEATURE_ENVIRONMENT', 'CREATE_FEATURE_STRATEGY', 'UPDATE_FEATURE_STRATEGY'];

/** The header and tabs of all pages of a flag. */
export function FlagLayout() {
  const params = route.useParams();
  const flag = useQuery(flagQuery(params));
  // Loads the flag, and what its page shows beside it, again after each event, because automation may hold or release
  // the flag. A flag that is being deleted is not loaded again: its page is left when the server has answered the
  // deletion.
  const client = useQueryClient();
  const deleting = useIsMutating({ mutationKey: deletionKey }) > 0;
  const refresh = () => {
    const besides = [
      plansOfFlag(params),
      safeguardsOfFlag(params),
      holdsOfFlag(params),
      pendingOfFlag(params),
      overridesQuery.queryKey,
    ];
    return Promise.all([flag.refetch(), ...besides.map((queryKey) => client.invalidateQueries({ queryKey }))]);
  };
  useEachNewer('events', refresh, !deleting);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const current = tabs.find(({ value }) => pathname.endsWith(`/features/${params.featureName}/${value}`))?.value;
  if (flag.error instanceof ApiError && flag.error.status === 404 && flag.data === undefined)
    return <NoFlag {...params} />;
  if (flag.error !== null && flag.data === undefined)
    return <Failure error={flag.error} onRetry={() => void flag.refetch()} />;
  if (flag.data === undefined)
    return (
      <Stack role="status" aria-busy="true" aria-label="Loading" maw={1440} mx="auto">
        <Skeleton height={36} width="40%" />
        <Skeleton height={24} width="70%" />
        <Skeleton height={240} />
      </Stack>
    );
  return (
    <Stack gap="lg" maw={1440} mx="auto">
      <FlagHeader flag={flag.data} />
      <ReadOnlyLine flag={flag.data} />
      <Tabs
        value={current ?? 'overview'}
        onChange={(next) => {
          const tab = tabs.find(({ value }) => value === next);
          if (tab !== undefined) void navigate({ to: tab.to, params });
        }}
        activateTabWithKeyboard={false}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} px={{ base: 8, xs: 'md' }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={current ?? 'overview'}>
          <Outlet />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** Says once what the left out controls do not: that the user may not change the flag. */
function ReadOnlyLine({ flag: { project, environments } }: { readonly flag: Flag }) {
  const may = useMay();
  const { reviewed } = useReview({ projectId: project });
  // Where changes are reviewed, anyone may request them.
  const mayChange = reviewed || environments.some(({ name: environment }) => may(changing, { project, environment }));
  if (mayChange || environments.length === 0) return null;
  return <Muted>You may not change this flag.</Muted>;
}

function NoFlag({ projectId, featureName }: FlagParams) {
  return (
    <Page title={featureName}>
      <EmptyState
        title="Flag not found in this project"
        action={
          <ButtonLink to="/projects/$projectId" params={{ projectId }} variant="default" mt="sm">
            Go to the project
          </ButtonLink>
        }
      >
        It may have been deleted, or moved to another project.
      </EmptyState>
    </Page>
  );
}

/** Returns the flag of the page. The layout renders its children once it is loaded. */
export function useFlag() {
  const params = route.useParams();
  return useQuery(flagQuery(params)).data;
}
