import { NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import type { SignalEndpoint, SignalSource } from '../../entities/signals/signal-queries.ts';
import { Muted } from '../../ui/text.tsx';
import type { EndpointValuesForm } from './use-endpoint-form.ts';

interface Props {
  readonly form: EndpointValuesForm;
  readonly endpoint: SignalEndpoint | undefined;
  readonly source: SignalSource | undefined;
}

/** Edits the limits that each token of an endpoint has. An empty field means the default. */
export function EndpointLimits({ form, endpoint, source }: Props) {
  const inForce = endpoint?.source === source?.name ? endpoint?.limits : undefined;
  const proposed = source?.limits ?? undefined;
  return (
    <Stack gap="xs" component="fieldset" style={{ border: 0, margin: 0, padding: 0 }}>
      <Text size="sm" fw={500} component="legend">
        Limits of each token
      </Text>
      {proposed !== undefined && (
        <Muted>
          {source?.displayName} gets a burst of {proposed.burst.toLocaleString()}
          {proposed.maxElements !== undefined &&
            `, and up to ${proposed.maxElements.toLocaleString()} alerts in a signal`}
          . {proposed.why}
        </Muted>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Signals a second"
          placeholder={inForce === undefined ? 'Default' : String(inForce.ratePerSecond)}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('ratePerSecond')}
        />
        <NumberInput
          label="Burst in 10 s"
          placeholder={String(proposed?.burst ?? inForce?.burst ?? 'Default')}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('burst')}
        />
        <NumberInput
          label="Largest body, bytes"
          placeholder={String(proposed?.maxBodyBytes ?? inForce?.maxBodyBytes ?? 'Default')}
          min={1}
          allowDecimal={false}
          {...form.getInputProps('maxBodyBytes')}
        />
        <NumberInput
          label="Alerts in a signal"
          placeholder={String(proposed?.maxElements ?? 100)}
          min={1}
          max={1000}
          allowDecimal={false}
          {...form.getInputProps('maxElements')}
        />
      </SimpleGrid>
    </Stack>
  );
}
