import { Alert, Radio, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { endpointsQuery, type SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { TextLink } from '../../ui/link.tsx';
import { withTrigger } from './action-draft.ts';
import type { ActionSetForm } from './use-action-set-form.ts';

/** Asks what triggers the actions: a signal, or the silence of the endpoint. */
export function TriggerChoice({ form }: { readonly form: ActionSetForm }) {
  const { data: endpoints } = useQuery(endpointsQuery);
  const { trigger, sourceId } = form.values;
  const endpoint = endpoints?.find(({ id }) => String(id) === sourceId);
  return (
    <>
      <Radio.Group
        label="When"
        value={trigger}
        onChange={(next) => form.setValues(withTrigger(form.values, next === 'silence' ? 'silence' : 'signal'))}
        error={form.errors['match.trigger']}
      >
        <Stack gap={6} mt={6}>
          <Radio value="signal" label="A signal arrives" />
          <Radio
            value="silence"
            label={silenceLabel(endpoint)}
            description="The actions run once, when the endpoint has been silent for this time."
          />
        </Stack>
      </Radio.Group>
      {trigger === 'silence' && endpoint?.expectedMinutes === null && (
        <Alert color="yellow" variant="light" title={`${endpoint.name} expects no signals`}>
          <Stack gap={4}>
            Set the minutes within which it expects one.
            <TextLink to="/integrations/signals" search={{ edit: endpoint.id }} target="_blank" size="sm">
              Edit signal endpoint
            </TextLink>
          </Stack>
        </Alert>
      )}
    </>
  );
}

/** Returns the label of the trigger "silence", with the minutes of the endpoint: "No signal arrives for 5 minutes". */
export function silenceLabel(
  endpoint: Pick<SignalEndpoint, 'expectedMinutes' | 'expectedFilters'> | undefined,
): string {
  const minutes = endpoint?.expectedMinutes ?? null;
  if (minutes === null) return 'No signal arrives in the expected time';
  const what = Object.keys(endpoint?.expectedFilters ?? {}).length === 0 ? 'No signal' : 'No expected signal';
  return `${what} arrives for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
