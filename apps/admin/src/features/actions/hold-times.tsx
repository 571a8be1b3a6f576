import { Alert, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { endpointsQuery, sourcesQuery } from '../../entities/signals/signal-queries.ts';
import { needsEnd, shortestHold } from './action-draft.ts';
import type { ActionSetForm } from './use-action-set-form.ts';

/** Warns of holds that end before their alert does, and asks to confirm holds that never end by themselves. */
export function HoldTimes({ form }: { readonly form: ActionSetForm }) {
  const { data: endpoints } = useQuery(endpointsQuery);
  const { data: sources } = useQuery(sourcesQuery);
  const { sourceId } = form.values;
  const endpoint = endpoints?.find(({ id }) => String(id) === sourceId);
  const source = sources?.find(({ name }) => name === endpoint?.source);
  const minutes = shortestHold(form.values);
  if (needsEnd(form.values))
    return (
      <Checkbox
        label="Keep flags held until a person releases them"
        description="No minutes are set, and no signal releases what is held."
        {...form.getInputProps('staysHeld', { type: 'checkbox' })}
      />
    );
  if (minutes !== undefined && form.values.trigger === 'silence')
    return (
      <Alert color="yellow" variant="light" title="The hold may end before signals arrive again">
        A silence triggers the actions once, so nothing begins the {minutes} minutes anew. Leave them empty to hold the
        flag until signals arrive again.
      </Alert>
    );
  if (minutes === undefined || !source?.repeat || minutes > source.repeat.minutes) return null;
  return (
    <Alert color="yellow" variant="light" title="The hold may end before the alert does">
      {source.displayName} repeats an alert that still fires every {source.repeat.minutes} minutes by default (
      {source.repeat.setting}). Each repetition begins the {minutes} minutes anew, so set more minutes than that.
    </Alert>
  );
}
