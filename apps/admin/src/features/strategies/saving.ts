import { useState } from 'react';
import { byPath } from '../../lib/problems.ts';
import type { FlagChange } from '../change-requests/change.ts';
import { type EditedChange, useFlagWriting } from '../change-requests/edited-change.ts';
import { type StrategyDraft, strategyBodyOf, strategyProblems } from './draft.ts';
import type { StrategyKnowledge } from './strategy-form.tsx';

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

/** Saves a draft once nothing is wrong with it; `problems` are by path, `refusal` is about no part of it. */
export function useSave(props: SavedStrategy & { readonly known: StrategyKnowledge }) {
  const { projectId, environment, featureName, strategyId, change: edited, known } = props;
  const { write, leave, pending } = useFlagWriting({ projectId, environment }, featureName, edited);
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
        void leave();
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
