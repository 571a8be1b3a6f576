import { useForm } from '@mantine/form';
import type { ActionDefinitions } from '../../entities/actions/action-queries.ts';
import { type ActionSetDraft, draftProblems } from './action-draft.ts';

/** Returns the form of an action set with its validation. */
export function useActionSetForm(initialValues: ActionSetDraft, definitions: ActionDefinitions) {
  return useForm({ initialValues, validate: (draft: ActionSetDraft) => draftProblems(draft, definitions) });
}

export type ActionSetForm = ReturnType<typeof useActionSetForm>;
