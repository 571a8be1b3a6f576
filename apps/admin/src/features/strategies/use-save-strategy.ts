import { useState } from 'react';
import type { FlagChange } from '../../entities/change-requests/change.ts';
import { type EditedChange, useFlagWriting } from '../../entities/change-requests/edited-change.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { errorsByPath } from '../../lib/error-messages.ts';
import { type StrategyDraft, strategyBodyOf, strategyDraftOf, strategyProblems } from './draft.ts';
import type { StrategyKnowledge } from './strategy-form.tsx';

/** The strategy or requested change that is saved. */
export interface SavedStrategy {
  readonly projectId: string;
  readonly featureName: string;
  readonly environment: string;
  /** The strategy to edit; absent to create a new strategy. */
  readonly strategyId?: string | undefined;
  /** The requested change, when a change request is edited instead of the strategy. */
  readonly change?: EditedChange | undefined;
}

const strategyRoute =
  'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId';

/**
 * Validates and saves a draft that began as `initial`. `problems` are errors by path, `formError` is an error without a
 * path.
 */
export function useSaveStrategy(initial: StrategyDraft, props: SavedStrategy & { readonly known: StrategyKnowledge }) {
  const { projectId, environment, featureName, strategyId, change: edited, known } = props;
  const { write, leave, reasonField, pending } = useFlagWriting({ projectId, environment }, featureName, edited);
  const [found, setFound] = useState<Readonly<Record<string, string>>>({});
  const [formError, setRefusal] = useState<string>();
  const definitionOf = (draft: StrategyDraft) => known.definitions.find(({ name }) => name === draft.name);
  const bodyOf = (draft: StrategyDraft) => strategyBodyOf(draft, definitionOf(draft));
  const changeTo = async (draft: StrategyDraft): Promise<FlagChange> => {
    const body = bodyOf(draft);
    if (strategyId === undefined) return { action: 'addStrategy', feature: featureName, payload: body };
    if (edited !== undefined)
      return { action: 'updateStrategy', feature: featureName, payload: { ...body, id: strategyId } };
    const params = { projectId, featureName, environment, strategyId };
    const current = bodyOf(strategyDraftOf(await api(strategyRoute, { params })));
    const edits = editedFields({ loaded: bodyOf(initial), edited: body, current });
    return { action: 'updateStrategy', feature: featureName, payload: { ...current, ...edits, id: strategyId } };
  };
  const save = (draft: StrategyDraft, directly: boolean, onSaved: () => void) => {
    const definition = definitionOf(draft);
    const problems = strategyProblems(draft, definition);
    setFound(problems);
    setRefusal(undefined);
    if (Object.keys(problems).length > 0) return;
    write(changeTo(draft), directly).then(
      () => {
        onSaved();
        void leave();
      },
      (error: unknown) => {
        const { paths, rest } = errorsByPath(error);
        setFound(paths);
        setRefusal(rest);
      },
    );
  };
  return { problems: found, formError, reasonField, pending, save };
}
