import { Alert, Grid, Group, Stack, Text } from '@mantine/core';
import { IconCalendarTime, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ChangeRequest, openStates, requestQuery } from '../../entities/change-requests/request-queries.ts';
import { ProjectCrumbs } from '../../entities/flags/project-crumbs.tsx';
import { useEachNewer } from '../../lib/activity.ts';
import { formatWithRelative } from '../../ui/dates.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RequestActions } from './request-actions.tsx';
import { RequestChanges } from './request-changes.tsx';
import { RequestComments } from './request-comments.tsx';
import { RequestReview } from './request-review.tsx';
import { StateBadge } from './request-state.tsx';
import { TitleButton } from './request-title.tsx';

const route = getRouteApi('/projects/$projectId/change-requests/$id');

/** The page of a change request: its changes, comments, reviews and next steps. */
export function RequestPage() {
  const { projectId, id } = route.useParams();
  const request = useQuery(requestQuery({ projectId, id: Number(id) }));
  useEachNewer('events', request.refetch);
  const title = request.data === undefined || request.data.title === '' ? `Change request #${id}` : request.data.title;
  return (
    <Page
      title={title}
      description={
        <ProjectCrumbs projectId={projectId}>
          <TextLink to="/projects/$projectId/change-requests" params={{ projectId }} size="sm">
            Change requests
          </TextLink>
          <Text size="sm">#{id}</Text>
        </ProjectCrumbs>
      }
      actions={
        request.data !== undefined && (
          <Group>
            <TryButton request={request.data} />
            <TitleButton request={request.data} />
          </Group>
        )
      }
    >
      <Loaded query={request}>{(data) => <Body request={data} />}</Loaded>
    </Page>
  );
}

/** Opens the playground as if the change request were applied. */
function TryButton({ request: { id, project, environment, state } }: { readonly request: ChangeRequest }) {
  if (!openStates.includes(state)) return null;
  return (
    <ButtonLink
      to="/playground"
      search={{ environments: [environment], projects: [project], changeRequest: id }}
      variant="default"
      leftSection={<IconPlayerPlay size={16} aria-hidden />}
    >
      Try in playground
    </ButtonLink>
  );
}

function Body({ request }: { readonly request: ChangeRequest }) {
  const { state, environment, createdBy, createdAt, schedule } = request;
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <StateBadge state={state} />
        <Text size="sm">
          for <b>{environment}</b>, by {createdBy.username}, <RelativeTime at={createdAt} />
        </Text>
      </Group>
      {schedule !== undefined && (
        <Alert
          color={schedule.status === 'pending' ? 'sea' : 'red'}
          variant="light"
          icon={<IconCalendarTime aria-hidden />}
          title={schedule.status === 'pending' ? 'Scheduled' : `Schedule ${schedule.status}`}
        >
          {schedule.status === 'pending' ? (
            <>
              {schedule.scheduledBy.username} scheduled it for {formatWithRelative(schedule.scheduledAt)}.
            </>
          ) : (
            (schedule.reason ?? 'The change request was not applied.')
          )}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Stack gap="lg">
            <RequestChanges request={request} />
            <RequestComments request={request} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }} order={{ base: -1, lg: 2 }}>
          <Stack gap="lg">
            <RequestActions request={request} />
            <RequestReview request={request} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}
