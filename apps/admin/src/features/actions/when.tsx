import { Accordion, Autocomplete, Fieldset, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Refusal } from '../../ui/form-drawer.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Payload } from '../../ui/payload.tsx';
import { type EndpointSignal, endpointsQuery } from '../signals/signal-queries.ts';
import { FiltersEditor } from './filters-editor.tsx';
import { arrayPaths } from './payload-paths.ts';
import { signalChoices } from './signal-choices.ts';
import type { ActionSetForm } from './use-action-set-form.ts';

interface Props {
  readonly form: ActionSetForm;
  /** What the source has received last. */
  readonly signals: readonly EndpointSignal[] | undefined;
  /** The one of them that is looked at. */
  readonly signal: EndpointSignal | undefined;
  /** The payloads of the signals, that of `signal` first. */
  readonly payloads: readonly unknown[];
  /** What filters may name. */
  readonly paths: readonly string[];
  readonly onShow: (signalId: number) => void;
}

/** Which signals set the actions off, beside what the source sent last. */
export function When({ form, signals, signal, payloads, paths, onShow }: Props) {
  const { data: endpoints } = useQuery(endpointsQuery);
  const { filters } = form.values;
  return (
    <Fieldset legend="When this">
      <Stack gap="sm">
        <Select
          label="Source"
          placeholder="A signal endpoint"
          required
          data={endpoints?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          {...form.getInputProps('sourceId')}
          value={form.values.sourceId === '' ? null : form.values.sourceId}
          onChange={(chosen) => form.setFieldValue('sourceId', chosen ?? '')}
          error={form.errors.sourceId ?? form.errors['match.sourceId']}
        />
        <TextLink to="/integrations/signals" search={{ make: true }} target="_blank" size="sm">
          Create signal endpoint
        </TextLink>
        {signals?.length === 0 && (
          <Text size="sm" c="dimmed">
            It has received no signal yet. Once it has, its payload is shown here.
          </Text>
        )}
        {signals !== undefined && signal !== undefined && <Preview signals={signals} signal={signal} onShow={onShow} />}
        <Autocomplete
          label="For each element of"
          description="The path of an array: the actions run once for each of its elements that passes the filters, which filters and parameters see as item. Leave it empty to look at the payload as a whole."
          placeholder="alerts"
          data={[...arrayPaths(payloads)]}
          {...form.getInputProps('forEach')}
          error={form.errors.forEach ?? form.errors['match.forEach']}
        />
        <FiltersEditor
          filters={filters}
          paths={paths}
          problems={form.errors}
          onChange={(next) => form.setFieldValue('filters', next)}
        />
        <Refusal>{textOf(form.errors.filters ?? form.errors['match.payload'])}</Refusal>
      </Stack>
    </Fieldset>
  );
}

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);

interface PreviewProps {
  readonly signals: readonly EndpointSignal[];
  readonly signal: EndpointSignal;
  readonly onShow: (signalId: number) => void;
}

function Preview({ signals, signal, onShow }: PreviewProps) {
  return (
    <Accordion variant="contained">
      <Accordion.Item value="payload">
        <Accordion.Control>Preview payload</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <Select
              label="Signal"
              data={signalChoices(signals)}
              value={String(signal.id)}
              onChange={(chosen) => {
                if (chosen !== null) onShow(Number(chosen));
              }}
              allowDeselect={false}
            />
            <Payload title={`Payload of signal ${signal.id}`} value={signal.payload} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
