import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type ActionDefinitions,
  type ActionSet,
  actionSetsQuery,
  definitionsQuery,
  signalQuery,
} from '../../entities/actions/action-queries.ts';
import type { ActionSearch } from '../../entities/actions/action-search.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { type Answer, api } from '../../lib/api.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { useMay } from '../../lib/me.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { CountOfLimit } from '../../ui/count-of-limit.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { draftOfRelease, draftOfSilence, draftOfWatch } from './action-draft.ts';
import { ActionForm } from './action-form.tsx';
import { ActionRuns } from './action-runs.tsx';
import { ActionTable } from './action-table.tsx';
import { draftOfSignal } from './draft-of-signal.ts';
import { FreezeButton } from './freeze-automation.tsx';
import { MergePairs } from './merge-pairs.tsx';

const route = getRouteApi('/projects/$projectId/settings/actions');

/** The action sets of a project. */
export function ActionsSettings() {
  const { projectId } = route.useParams();
  const sets = useQuery(actionSetsQuery(projectId));
  useEachNewer('events', sets.refetch);
  const { data: limits } = useQuery(limitsQuery);
  const navigate = useNavigate();
  const show = (search: ActionSearch) =>
    void navigate({ to: '/projects/$projectId/settings/actions', params: { projectId }, search });
  const [removing, setRemoving] = useState<ActionSet>();
  const limit = limits?.actionSetsPerProject;
  const count = sets.data?.length ?? 0;
  return (
    <SectionCard
      title="Actions"
      description="Change flags automatically when a signal matches. Actions run as a service account."
      actions={
        <Group gap="sm">
          <CountOfLimit count={sets.data?.length} limit={limit} noun="action" />
          <FreezeButton />
          <NewButton
            needs="ADMIN"
            onClick={() => show({ make: true })}
            disabled={limit !== undefined && count >= limit}
          >
            New action
          </NewButton>
        </Group>
      }
    >
      <MergePairs projectId={projectId} />
      <Loaded query={sets} rows={3}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No actions yet">
              Let an alert switch a flag off, or a deployment switch one on. You need a signal endpoint and a service
              account.
            </EmptyState>
          ) : (
            <ActionTable
              projectId={projectId}
              sets={list}
              onEdit={({ id }) => show({ edit: id })}
              onRelease={({ id }) => show({ releaseOf: id })}
              onRuns={({ id }) => show({ runsOf: id })}
              onRemove={setRemoving}
            />
          )
        }
      </Loaded>
      <OpenPanel projectId={projectId} sets={sets.data ?? []} show={show} />
      {removing !== undefined && (
        <Confirm
          title="Delete action?"
          action="Delete action"
          run={() =>
            api('DELETE /api/admin/projects/:projectId/actions/:id', { params: { projectId, id: removing.id } })
          }
          changes={['GET /api/admin/projects/:projectId/actions']}
          onClose={() => setRemoving(undefined)}
        >
          Signals will no longer run <b>{removing.name}</b>.
        </Confirm>
      )}
    </SectionCard>
  );
}

interface PanelProps {
  readonly projectId: string;
  readonly sets: readonly ActionSet[];
  readonly show: (search: ActionSearch) => void;
}

/** Shows the form or panel that the address names, over the list. */
function OpenPanel({ projectId, sets, show }: PanelProps) {
  const { make, signal, flag, environment, edit, releaseOf, runsOf, state } = route.useSearch();
  const isAdmin = useMay()('ADMIN');
  const { data } = useQuery(definitionsQuery(projectId));
  // Only administrators may use the forms. No form opens before the definitions are loaded.
  const definitions = isAdmin ? data : undefined;
  const editedSet = sets.find(({ id }) => id === edit);
  const heldSet = sets.find(({ id }) => id === releaseOf);
  const shownSet = sets.find(({ id }) => id === runsOf);
  const close = () => show({});
  return (
    <>
      {definitions !== undefined && make && signal === undefined && (
        <ActionForm
          projectId={projectId}
          from={flag !== undefined && environment !== undefined ? draftOfWatch(flag, environment) : undefined}
          definitions={definitions}
          onClose={close}
        />
      )}
      {definitions !== undefined && signal !== undefined && (
        <FormOfSignal projectId={projectId} signalId={signal} definitions={definitions} onClose={close} />
      )}
      {definitions !== undefined && editedSet !== undefined && (
        <ActionForm
          key={editedSet.id}
          projectId={projectId}
          set={editedSet}
          definitions={definitions}
          onClose={close}
        />
      )}
      {definitions !== undefined && heldSet !== undefined && (
        <ActionForm
          key={`release of ${heldSet.id}`}
          projectId={projectId}
          from={draftOfRelease(heldSet, definitions)}
          holding={heldSet}
          definitions={definitions}
          onClose={close}
        />
      )}
      {shownSet !== undefined && (
        <ActionRuns
          projectId={projectId}
          set={shownSet}
          state={state}
          onState={(next) => show({ runsOf: shownSet.id, state: next })}
          onClose={close}
          onConfigure={() => show({ edit: shownSet.id })}
        />
      )}
    </>
  );
}

interface FormOfSignalProps {
  readonly projectId: string;
  readonly signalId: number;
  readonly definitions: ActionDefinitions;
  readonly onClose: () => void;
}

/** The form of a new set, filled in from a signal; an empty one when the signal has been deleted. */
function FormOfSignal({ projectId, signalId, definitions, onClose }: FormOfSignalProps) {
  const { data: signal } = useQuery(signalQuery(signalId));
  if (signal === undefined) return null;
  const from = signal === null ? undefined : draftOf(signal);
  return <ActionForm projectId={projectId} from={from} definitions={definitions} onClose={onClose} />;
}

type Signal = Pick<Answer<'GET /api/admin/signals'>['signals'][number], 'sourceId' | 'silence' | 'normalized'>;

function draftOf({ sourceId, silence, normalized }: Signal) {
  return silence ? draftOfSilence(sourceId) : draftOfSignal(sourceId, normalized ?? null);
}
