import { useMutation } from '@tanstack/react-query';
import type { RouteKey } from '../lib/api.ts';
import { useInvalidate } from '../lib/use-invalidate.ts';
import { useReportError } from './report-error.ts';

interface Change<Answer, Variables> {
  readonly run: (variables: Variables) => Promise<Answer>;
  /** The routes whose cached answers are invalidated afterwards, also after an error. */
  readonly changes: readonly RouteKey[];
  readonly onDone?: (answer: Answer) => void;
}

/** Makes a change that has no form, such as that of a switch. An error is shown as a notification. */
export function useChange<Answer, Variables = void>({ run, changes, onDone }: Change<Answer, Variables>) {
  const invalidate = useInvalidate();
  return useMutation({
    mutationFn: run,
    onSuccess: (answer) => onDone?.(answer),
    onError: useReportError(),
    onSettled: () => invalidate(changes),
  });
}
