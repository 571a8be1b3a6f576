import { useForm } from '@mantine/form';
import { type ActionSetDraft, draftProblems } from './action-draft.ts';
import type { ActionDefinitions } from './action-queries.ts';

/** Returns the form of an action set with its validation. */
export function useActionSetForm(initialValues: ActionSetDraft, definitions: ActionDefinitions) {
  return useForm({ initialValues, validate: (draft: ActionSetDraft) => draftProblems(draft, definitions) });
}

export type ActionSetForm = ReturnType<typeof useActionSetForm>;
