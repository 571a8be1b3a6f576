import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/me.ts';
import { byPath } from '../../lib/problems.ts';
import { ButtonLink } from '../../ui/link.tsx';
import type { FlagChange } from '../change-requests/change.ts';
import { type RequestState, useRequestChange } from '../change-requests/request-queries.ts';
import { ReviewButtons } from '../change-requests/review-buttons.tsx';
import { useFlagChange } from '../change-requests/use-change.ts';
import { type StrategyDraft, strategyBodyOf, strategyProblems } from './draft.ts';
import type { StrategyKnowledge } from './strategy-form.tsx';

/** A change of a change request that is edited. */
export interface EditedChange {
  readonly requestId: number;
  readonly id: number;
  readonly state: RequestState;
  readonly payload: unknown;
}

/** What is saved: a strategy, or what a change request asks for. */
export interface SavedStrategy {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
  /** The one that is edited; a new one is made without. */
  readonly strategyId?: string | undefined;
  /** Given when it is what a change request asks for that is edited, not the strategy. */
  readonly change?: EditedChange | undefined;
}

interface SaveProps extends SavedStrategy {
  readonly saving: boolean;
  readonly onSave: (directly: boolean) => void;
}

/** The buttons that save it, and the one that does not. */
export function SaveButtons({ projectId, featureName, environment, strategyId, change, saving, onSave }: SaveProps) {
  const may = useMay();
  const place = { projectId, environment };
  const permission = strategyId === undefined ? 'CREATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE_STRATEGY';
  if (change !== undefined)
    return (
      <>
        <Button onClick={() => onSave(false)} loading={saving}>
          Save change
        </Button>
        <ButtonLink
          to="/projects/$projectId/change-requests/$id"
          params={{ projectId, id: String(change.requestId) }}
          variant="default"
        >
          Cancel
        </ButtonLink>
      </>
    );
  return (
    <>
      <ReviewButtons
        place={place}
        label={strategyId === undefined ? 'Add strategy' : 'Save strategy'}
        permitted={may(permission, { project: projectId, environment })}
        saving={saving}
        onSave={onSave}
      />
      <ButtonLink to="/projects/$projectId/features/$featureName" params={{ projectId, featureName }} variant="default">
        Cancel
      </ButtonLink>
    </>
  );
}

/** What saves what is edited: the strategy, at once or by asking for it, or what a change request asks for. */
function useWriting({ projectId, environment, change: edited }: SavedStrategy) {
  const asking = useFlagChange({ projectId, environment });
  const editing = useRequestChange((body: FlagChange) =>
    api('PUT /api/admin/projects/:projectId/change-requests/:changeRequestId/changes/:changeId', {
      params: { projectId, changeRequestId: edited?.requestId ?? 0, changeId: edited?.id ?? 0 },
      body,
    }),
  );
  const write = async (change: FlagChange, directly: boolean): Promise<unknown> =>
    edited === undefined ? asking.mutateAsync({ change, directly }) : editing.mutateAsync(change);
  return { write, pending: asking.isPending || editing.isPending };
}

/** Saves a draft once nothing is wrong with it; `problems` are by path, `refusal` is about no part of it. */
export function useSave(props: SavedStrategy & { readonly known: StrategyKnowledge }) {
  const { projectId, featureName, strategyId, change: edited, known } = props;
  const { write, pending } = useWriting(props);
  const navigate = useNavigate();
  const [found, setFound] = useState<Readonly<Record<string, string>>>({});
  const [refusal, setRefusal] = useState<string>();
  const save = (draft: StrategyDraft, directly: boolean, onSaved: () => void) => {
    const definition = known.definitions.find(({ name }) => name === draft.name);
    const problems = strategyProblems(draft, definition);
    setFound(problems);
    setRefusal(undefined);
    if (Object.keys(problems).length > 0) return;
    const body = strategyBodyOf(draft, definition);
    const wanted: FlagChange =
      strategyId === undefined
        ? { action: 'addStrategy', feature: featureName, payload: body }
        : { action: 'updateStrategy', feature: featureName, payload: { ...body, id: strategyId } };
    write(wanted, directly).then(
      () => {
        onSaved();
        void (edited === undefined
          ? navigate({ to: '/projects/$projectId/features/$featureName', params: { projectId, featureName } })
          : navigate({
              to: '/projects/$projectId/change-requests/$id',
              params: { projectId, id: String(edited.requestId) },
            }));
      },
      (error: unknown) => {
        const { paths, rest } = byPath(error);
        setFound(paths);
        setRefusal(rest);
      },
    );
  };
  return { problems: found, refusal, pending, save };
}
