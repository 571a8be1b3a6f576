import { useState } from 'react';
import { errorsByPath } from '../../lib/error-messages.ts';
import type { FlagChange } from '../change-requests/change.ts';
import { type EditedChange, useFlagWriting } from '../change-requests/edited-change.ts';
import { type StrategyDraft, strategyBodyOf, strategyProblems } from './draft.ts';
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

/** Validates and saves a draft. `problems` are errors by path, `formError` is an error without a path. */
export function useSaveStrategy(props: SavedStrategy & { readonly known: StrategyKnowledge }) {
  const { projectId, environment, featureName, strategyId, change: edited, known } = props;
  const { write, leave, reasonField, pending } = useFlagWriting({ projectId, environment }, featureName, edited);
  const [found, setFound] = useState<Readonly<Record<string, string>>>({});
  const [formError, setRefusal] = useState<string>();
  const save = (draft: StrategyDraft, directly: boolean, onSaved: () => void) => {
    const definition = known.definitions.find(({ name }) => name === draft.name);
    const problems = strategyProblems(draft, definition);
    setFound(problems);
    setRefusal(undefined);
    if (Object.keys(problems).length > 0) return;
    const body = strategyBodyOf(draft, definition);
    const flagChange: FlagChange =
      strategyId === undefined
        ? { action: 'addStrategy', feature: featureName, payload: body }
        : { action: 'updateStrategy', feature: featureName, payload: { ...body, id: strategyId } };
    write(flagChange, directly).then(
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
