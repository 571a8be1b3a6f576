import { Accordion, Autocomplete, Fieldset, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FiltersEditor } from '../../entities/payload-filters/filters-editor.tsx';
import { type EndpointSignal, endpointsQuery } from '../../entities/signals/signal-queries.ts';
import { FormError } from '../../ui/form-error.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Payload } from '../../ui/payload.tsx';
import { Muted } from '../../ui/text.tsx';
import { MatchPreview } from './match-preview.tsx';
import { arrayPaths } from './payload-paths.ts';
import { signalChoices } from './signal-choices.ts';
import { TemplateChoice } from './templates/template-choice.tsx';
import { TriggerChoice } from './trigger-choice.tsx';
import type { ActionSetForm } from './use-action-set-form.ts';

interface Props {
  readonly form: ActionSetForm;
  /** Whether the set is new, so that templates are offered. */
  readonly isNew: boolean;
  /** The latest signals of the source. */
  readonly signals: readonly EndpointSignal[] | undefined;
  /** The signal that is previewed. */
  readonly signal: EndpointSignal | undefined;
  /** The payloads of the signals, the previewed one first. */
  readonly payloads: readonly unknown[];
  /** The paths that filters may use. */
  readonly paths: readonly string[];
  readonly onShow: (signalId: number) => void;
}

/**
 * Asks which sender the signals come from, what triggers the actions (a signal or a silence), and which signals match.
 * Shows the latest signals as a preview.
 */
export function TriggerEditor({ form, isNew, signals, signal, payloads, paths, onShow }: Props) {
  const { data: endpoints } = useQuery(endpointsQuery);
  const { filters, trigger } = form.values;
  const isSilence = trigger === 'silence';
  return (
    <>
      <Fieldset legend="Which sender">
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
            data-autofocus={isNew || undefined}
          />
          <TextLink to="/integrations/signals" search={{ make: true }} target="_blank" size="sm">
            Create signal endpoint
          </TextLink>
          {isNew && <TemplateChoice form={form} />}
          <TriggerChoice form={form} />
          {signals?.length === 0 && !isSilence && (
            <Muted>No signals received yet. The payload of the first one will be shown here.</Muted>
          )}
          {signals !== undefined && signal !== undefined && (
            <Preview signals={signals} signal={signal} onShow={onShow} />
          )}
        </Stack>
      </Fieldset>
      {(!isSilence || filters.length > 0) && (
        <Fieldset legend={isSilence ? 'Which silence' : 'Which alert'}>
          <Stack gap="sm">
            {!isSilence && (
              <Autocomplete
                label="For each element of"
                description="The path of an array. The actions run once for each element that matches the filters; filters and parameters use it as “item”. Leave empty to use the whole payload."
                placeholder="alerts"
                data={[...arrayPaths(payloads)]}
                {...form.getInputProps('forEach')}
                error={form.errors.forEach ?? form.errors['match.forEach']}
              />
            )}
            <FiltersEditor
              filters={filters}
              paths={paths}
              problems={form.errors}
              onChange={(next) => form.setFieldValue('filters', next)}
            />
            <FormError>{textOf(form.errors.filters ?? form.errors['match.payload'])}</FormError>
            {!isSilence && <MatchPreview draft={form.values} />}
          </Stack>
        </Fieldset>
      )}
    </>
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
