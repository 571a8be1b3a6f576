import { ActionIcon, Alert, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { meQuery } from '../../lib/me.ts';
import { Diff } from '../../ui/diff.tsx';
import { TextLink } from '../../ui/link.tsx';
import { useReport } from '../../ui/report.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { flagQuery } from '../flags/flag-queries.ts';
import { segmentsQuery } from '../strategies/strategy-queries.ts';
import { type BeforeAndAfter, changeWords, ofFlag } from './before.ts';
import { type ChangeRequest, type FlagChangeAsked, openStates, useRequestChange } from './request-queries.ts';

type SegmentChange = ChangeRequest['segments'][number];

/** All that a change request would change, flag by flag. */
export function RequestChanges({ request }: { readonly request: ChangeRequest }) {
  return (
    <>
      {request.features.map((feature) => (
        <FlagChanges key={feature.name} request={request} feature={feature} />
      ))}
      {request.segments.map((change) => (
        <SectionCard key={change.id} title={`Segment ${change.name ?? `#${change.segmentId}`}`}>
          <SegmentChanged request={request} change={change} />
        </SectionCard>
      ))}
    </>
  );
}

interface FlagChangesProps {
  readonly request: ChangeRequest;
  readonly feature: ChangeRequest['features'][number];
}

function FlagChanges({ request, feature: { name, conflict, changes } }: FlagChangesProps) {
  const open = openStates.includes(request.state);
  const params = { projectId: request.project, featureName: name };
  // Once it is applied or given up, the flag as it is now is no longer what the change was asked against.
  const flag = useQuery({ ...flagQuery(params), enabled: open });
  return (
    <SectionCard
      title={name}
      actions={
        <TextLink to="/projects/$projectId/features/$featureName" params={params} size="sm">
          Open the flag
        </TextLink>
      }
    >
      {conflict !== undefined && <Conflict>{conflict}</Conflict>}
      {changes.map((change) => (
        <Change
          key={change.id}
          request={request}
          change={change}
          compared={ofFlag(change, open ? flag.data : undefined, request.environment)}
          featureName={name}
        />
      ))}
    </SectionCard>
  );
}

function SegmentChanged({ request, change }: { readonly request: ChangeRequest; readonly change: SegmentChange }) {
  const { data: segments } = useQuery(segmentsQuery);
  const now = segments?.find(({ id }) => id === change.segmentId);
  const asked = change.action === 'updateSegment' ? (change.payload as Readonly<Record<string, unknown>>) : null;
  const before =
    now === undefined ? null : { name: now.name, description: now.description, constraints: now.constraints };
  const after =
    asked === null ? null : { name: asked.name, description: asked.description, constraints: asked.constraints };
  const open = openStates.includes(request.state);
  return <Change request={request} change={change} compared={{ before: open ? before : null, after }} />;
}

interface ChangeProps {
  readonly request: ChangeRequest;
  readonly change: Omit<FlagChangeAsked, 'scheduleConflicts'> & Pick<FlagChangeAsked, 'scheduleConflicts'>;
  readonly compared: BeforeAndAfter;
  /** Given when it is a flag that it changes. */
  readonly featureName?: string;
}

function Change({ request, change, compared, featureName }: ChangeProps) {
  const { id, action, conflict, scheduleConflicts } = change;
  const { before, after } = compared;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {changeWords[action] ?? action}
        </Text>
        <Group gap="xs">
          {featureName !== undefined && <EditLink request={request} change={change} featureName={featureName} />}
          <TakeOut request={request} changeId={id} />
        </Group>
      </Group>
      {conflict !== undefined && <Conflict>{conflict}</Conflict>}
      {scheduleConflicts !== undefined && scheduleConflicts.changeRequests.length > 0 && (
        <Alert color="yellow" variant="light" title="Others are scheduled to change the same">
          {scheduleConflicts.changeRequests.map((other) => (
            <TextLink
              key={other.id}
              to="/projects/$projectId/change-requests/$id"
              params={{ projectId: request.project, id: String(other.id) }}
              size="sm"
              mr="sm"
            >
              #{other.id} {other.title}
            </TextLink>
          ))}
        </Alert>
      )}
      {(before !== null || after !== null) && <Diff before={before} after={after} />}
    </Stack>
  );
}

function Conflict({ children }: { readonly children: string }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title="In conflict">
      {children}
    </Alert>
  );
}

/** Where a change that adds or changes a strategy is edited, for whoever asked for it. */
function EditLink({ request, change, featureName }: Required<Pick<ChangeProps, 'request' | 'change' | 'featureName'>>) {
  const { data: me } = useQuery(meQuery);
  const { id: changeId, action, payload } = change;
  if (!openStates.includes(request.state) || me?.user.id !== request.createdBy.id) return null;
  const params = { projectId: request.project, featureName };
  const search = { environmentId: request.environment, changeRequestId: request.id, changeId };
  if (action === 'addStrategy')
    return (
      <TextLink
        to="/projects/$projectId/features/$featureName/strategies/create"
        params={params}
        search={search}
        size="sm"
      >
        Edit the change
      </TextLink>
    );
  if (action !== 'updateStrategy') return null;
  const { id: strategyId } = payload as { readonly id: string };
  return (
    <TextLink
      to="/projects/$projectId/features/$featureName/strategies/edit"
      params={params}
      search={{ ...search, strategyId }}
      size="sm"
    >
      Edit the change
    </TextLink>
  );
}

function TakeOut({ request, changeId }: { readonly request: ChangeRequest; readonly changeId: number }) {
  const { data: me } = useQuery(meQuery);
  const report = useReport();
  const remove = useRequestChange(() =>
    api('DELETE /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId', {
      params: { projectId: request.project, changeRequestId: request.id, changeId },
    }),
  );
  const several = request.features.flatMap(({ changes }) => changes).length + request.segments.length > 1;
  if (!several || !openStates.includes(request.state) || me?.user.id !== request.createdBy.id) return null;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      onClick={() => remove.mutate(undefined, { onError: report })}
      loading={remove.isPending}
      aria-label="Take this change out of the request"
    >
      <IconTrash size={16} />
    </ActionIcon>
  );
}
