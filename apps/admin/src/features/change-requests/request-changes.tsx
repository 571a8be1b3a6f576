import { ActionIcon, Alert, Anchor, Group, Stack, Text, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { api } from '../../lib/api.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Diff } from '../../ui/diff.tsx';
import { TextLink } from '../../ui/link.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { flagQuery } from '../flags/flag-queries.ts';
import { SegmentForm } from '../segments/segment-form.tsx';
import type { Segment } from '../segments/segment-queries.ts';
import { segmentsQuery } from '../strategies/strategy-queries.ts';
import { type BeforeAndAfter, changeWords, ofFlag, replacedState } from './before.ts';
import { EditChange, useMayEdit } from './edit-change.tsx';
import { useEditing } from './edited-change.ts';
import { type ChangeRequest, type FlagChangeAsked, openStates, requestRoutes } from './request-queries.ts';
import { ReopenNote } from './save-buttons.tsx';

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
  const isReordered = changes.some(({ action }) => action === 'reorderStrategy');
  const flag = useQuery({ ...flagQuery(params), enabled: open || isReordered });
  const now = flag.data?.environments.find((one) => one.name === request.environment);
  // Once it is applied or given up, the flag as it is now is no longer what the change was asked against.
  const stateBefore = (change: FlagChangeAsked) => (open ? now : replacedState(change, now));
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
          compared={ofFlag(change, stateBefore(change))}
          edit={<EditChange request={request} change={change} flag={flag.data} featureName={name} />}
        />
      ))}
    </SectionCard>
  );
}

interface SegmentProps {
  readonly request: ChangeRequest;
  readonly change: SegmentChange;
}

function SegmentChanged({ request, change }: SegmentProps) {
  const { data: segments } = useQuery(segmentsQuery);
  const now = segments?.find(({ id }) => id === change.segmentId);
  const asked = change.action === 'updateSegment' ? (change.payload as Readonly<Record<string, unknown>>) : null;
  const open = openStates.includes(request.state);
  const state = open ? now : (change.before as Segment | undefined);
  const before =
    state === undefined ? null : { name: state.name, description: state.description, constraints: state.constraints };
  const after =
    asked === null ? null : { name: asked.name, description: asked.description, constraints: asked.constraints };
  const edit =
    asked !== null && now !== undefined ? <EditSegmentChange request={request} change={change} now={now} /> : null;
  return <Change request={request} change={change} compared={{ before, after }} edit={edit} />;
}

interface ChangeProps {
  readonly request: ChangeRequest;
  readonly change: Omit<FlagChangeAsked, 'scheduleConflicts'> & Pick<FlagChangeAsked, 'scheduleConflicts'>;
  readonly compared: BeforeAndAfter;
  /** Leads to where it is edited. */
  readonly edit: ReactNode;
}

function Change({ request, change, compared, edit }: ChangeProps) {
  const { id, action, conflict, scheduleConflicts } = change;
  const { before, after } = compared;
  return (
    <Stack gap="xs" role="group" aria-label={changeWords[action] ?? action}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Text size="sm" fw={600}>
          {changeWords[action] ?? action}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {edit}
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

/** Has another segment asked for, in the form that segments are edited with. */
function EditSegmentChange({ request, change, now }: SegmentProps & { readonly now: Segment }) {
  const [open, setOpen] = useState(false);
  const editing = useEditing(request.project, { requestId: request.id, id: change.id });
  if (!useMayEdit(request)) return null;
  const asked = change.payload as Partial<Segment>;
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)} aria-label="Edit the change">
        Edit
      </Anchor>
      {open && (
        <SegmentForm
          segment={{ ...now, ...asked }}
          projectId={request.project}
          saveAsked={(payload) => editing.mutateAsync({ action: 'updateSegment', payload })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function TakeOut({ request, changeId }: { readonly request: ChangeRequest; readonly changeId: number }) {
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const params = { projectId: request.project, changeRequestId: request.id, changeId };
  const isLast = request.features.flatMap(({ changes }) => changes).length + request.segments.length === 1;
  if (!useMayEdit(request)) return null;
  return (
    <>
      <Tooltip label="Take this change out of the request">
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => setAsking(true)}
          aria-label="Take this change out of the request"
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {asking && (
        <Confirm
          title="Take the change out?"
          action={isLast ? 'Take it out, and end the request' : 'Take it out'}
          run={() =>
            api('DELETE /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId', { params })
          }
          changes={requestRoutes}
          onClose={() => setAsking(false)}
          onDone={() =>
            isLast && navigate({ to: '/projects/$projectId/change-requests', params: { projectId: request.project } })
          }
        >
          {isLast
            ? 'The request asks for nothing else: it is deleted with it, and so is what was said of it.'
            : 'It is no longer asked for. The other changes of the request stay.'}
          <ReopenNote request={request} />
        </Confirm>
      )}
    </>
  );
}
