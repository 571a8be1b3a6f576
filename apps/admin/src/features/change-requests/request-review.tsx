import { Badge, Button, Group, MultiSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ChangeRequest, openStates, useRequestChange } from '../../entities/change-requests/request-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { errorsByField, formErrorMessage } from '../../lib/error-messages.ts';
import { meQuery } from '../../lib/me.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { Muted } from '../../ui/text.tsx';

type Reviewer = Answer<'GET /api/admin/projects/:projectId/change-requests/:id/approvers'>[number];

const nameOf = ({ name, username, email, id }: Omit<Reviewer, 'status' | 'imageUrl'>) =>
  name || username || email || `#${id}`;

/** The approvals and rejections of a change request, and the requested reviewers. */
export function RequestReview({ request }: { readonly request: ChangeRequest }) {
  const { approvals, rejections, minApprovals, project: projectId, id, state } = request;
  const { data: me } = useQuery(meQuery);
  const approvers = useQuery(
    apiQuery('GET /api/admin/projects/:projectId/change-requests/:id/approvers', { params: { projectId, id } }),
  );
  useEachNewer('events', approvers.refetch);
  const pending = approvers.data?.filter(({ status }) => status === 'pending') ?? [];
  const mine = me?.user.id === request.createdBy.id && openStates.includes(state);
  return (
    <SectionCard
      title="Approvals"
      description={
        minApprovals === 0
          ? 'No approval required in this environment.'
          : `${approvals.length} of ${minApprovals} required`
      }
    >
      <Stack gap="xs">
        {approvals.map(({ createdBy }) => (
          <Line key={`approved ${createdBy.id}`} person={createdBy.username} state="Approved" />
        ))}
        {rejections.map(({ createdBy }) => (
          <Line key={`rejected ${createdBy.id}`} person={createdBy.username} state="Rejected" />
        ))}
        {pending.map((reviewer) => (
          <Line key={`pending ${reviewer.id}`} person={nameOf(reviewer)} state="Requested" />
        ))}
        {approvals.length + rejections.length + pending.length === 0 && <Muted>No reviews yet.</Muted>}
        {mine && minApprovals > 0 && approvers.data !== undefined && (
          <ReviewerSelect
            key={approvers.data.map((approver) => approver.id).join()}
            request={request}
            reviewers={approvers.data}
          />
        )}
      </Stack>
    </SectionCard>
  );
}

function Line({ person, state }: { readonly person: string; readonly state: 'Approved' | 'Rejected' | 'Requested' }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{person}</Text>
      <Badge variant={state === 'Approved' ? 'filled' : 'light'} color={state === 'Approved' ? 'sea' : 'gray'}>
        {state}
      </Badge>
    </Group>
  );
}

function ReviewerSelect({
  request,
  reviewers,
}: {
  readonly request: ChangeRequest;
  readonly reviewers: readonly Reviewer[];
}) {
  const { project: projectId, id, environment } = request;
  const [chosen, setChosen] = useState(reviewers.map((reviewer) => String(reviewer.id)));
  const { data: available } = useQuery(
    apiQuery('GET /api/admin/projects/:projectId/change-requests/available-reviewers/:environment', {
      params: { projectId, environment },
    }),
  );
  const ask = useRequestChange(() =>
    api('PUT /api/admin/projects/:projectId/change-requests/:id/approvers', {
      params: { projectId, id },
      body: { reviewers: chosen.map(Number) },
    }),
  );
  const people = new Map([...reviewers, ...(available ?? [])].map((person) => [person.id, nameOf(person)]));
  return (
    <>
      <MultiSelect
        label="Reviewers"
        data={[...people].map(([value, label]) => ({ value: String(value), label }))}
        value={chosen}
        onChange={setChosen}
        searchable
        nothingFoundMessage="No other users can approve it."
        error={
          ask.error === null
            ? undefined
            : (errorsByField(ask.error, ['reviewers']).fields.reviewers ?? formErrorMessage(ask.error))
        }
      />
      <Button
        variant="default"
        onClick={() => ask.mutate(undefined)}
        loading={ask.isPending}
        style={{ alignSelf: 'flex-start' }}
      >
        Save reviewers
      </Button>
    </>
  );
}
