import {
  Anchor,
  Autocomplete,
  Checkbox,
  Collapse,
  NumberInput,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { lastPayloadQuery } from '../../entities/signals/signal-queries.ts';
import { problemAt } from '../../lib/error-messages.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { Hint, Muted } from '../../ui/text.tsx';
import { ExpectedSignal } from './expected-signal.tsx';
import { type PayloadPath, pathsOf, pathsWithin } from './payload-paths.ts';
import { type EndpointValuesForm, elementFieldNames, fieldNames, hasFields } from './use-endpoint-form.ts';

interface Props {
  readonly form: EndpointValuesForm;
  readonly endpoint: SignalEndpoint | undefined;
}

const labels = {
  state: 'State',
  title: 'Title',
  severity: 'Severity',
  fingerprint: 'Fingerprint',
  startedAt: 'Start',
  link: 'Link',
  deliveryId: 'Delivery id',
} as const;

/**
 * Edits the rules of an endpoint for its signals: the recognised fields, the dropped and hashed values, the retention,
 * the expected signal, and the time until which signals are accepted.
 */
export function EndpointRules({ form, endpoint }: Props) {
  const { values } = form;
  const isSet =
    hasFields(values) ||
    values.dropped.length > 0 ||
    values.hashed.length > 0 ||
    values.retentionDays !== '' ||
    values.expectedMinutes !== '' ||
    values.keepsWhenDisabled ||
    values.oneSender ||
    values.enabledUntil !== undefined;
  const [opened, { toggle }] = useDisclosure(isSet);
  const payload = useQuery({ ...lastPayloadQuery(endpoint?.id ?? 0), enabled: opened && endpoint !== undefined }).data;
  const paths = [...new Set(pathsOf(payload).map(({ path }) => path.replace(/\[0\]/g, '')))];
  return (
    <Stack gap="xs">
      <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={opened} ta="start">
        Fields, dropped and hashed values, times
      </Anchor>
      <Collapse expanded={opened}>
        <Stack>
          {values.source === 'generic' && <OwnFields form={form} payload={payload} />}
          <TagsInput
            label="Dropped values"
            description="Paths whose values are removed before anything is stored, such as user.email. A path goes into each element of an array. Press Enter after each."
            data={paths}
            clearable
            {...form.getInputProps('dropped')}
            error={problemAt(form.errors, 'dropped')}
          />
          <TagsInput
            label="Hashed values"
            description="Paths whose values are replaced by a keyed hash before anything is stored. Equal values get equal hashes, so filters and searches can still tell them apart."
            data={paths}
            clearable
            {...form.getInputProps('hashed')}
            error={problemAt(form.errors, 'hashed')}
          />
          <NumberInput
            label="Keeps signals for days"
            placeholder="As the setting says"
            min={1}
            max={3650}
            allowDecimal={false}
            {...form.getInputProps('retentionDays')}
          />
          <ExpectedSignal form={form} payload={payload} />
          <DateTimeInput
            label="Takes signals until"
            value={values.enabledUntil}
            onChange={(until) => form.setFieldValue('enabledUntil', until)}
          />
          <Checkbox
            label="Keep signals while disabled"
            description="Signals are stored. Releases run once the endpoint is enabled, holds wait for a person; all other runs are skipped. Otherwise senders get 404."
            {...form.getInputProps('keepsWhenDisabled', { type: 'checkbox' })}
          />
          <Checkbox
            label="All tokens belong to one sender"
            description="As those of a pair of Alertmanagers do: what one reports, the other may end. Otherwise the alerts of two senders are told apart."
            {...form.getInputProps('oneSender', { type: 'checkbox' })}
          />
        </Stack>
      </Collapse>
    </Stack>
  );
}

interface OwnFieldsProps {
  readonly form: EndpointValuesForm;
  /** The payload of the newest signal; null or undefined when there is none. */
  readonly payload: unknown;
}

function OwnFields({ form, payload }: OwnFieldsProps) {
  const { path } = form.values.fields.elements;
  const all = pathsOf(payload);
  const inElement = path === '' ? [] : pathsWithin(payload, path);
  return (
    <Stack gap="xs" component="fieldset" style={{ border: 0, margin: 0, padding: 0 }}>
      <Text size="sm" fw={500} component="legend">
        Fields
      </Text>
      <Muted>
        Where the payload has what lists show, and what filters and templates read as <code>normalized</code>.{' '}
        {payload === undefined || payload === null
          ? 'Send a signal to choose from its paths.'
          : 'The paths are those of the last signal.'}
      </Muted>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {fieldNames.map((name) => (
          <PathInput key={name} form={form} field={`fields.${name}`} label={labels[name]} places={all} />
        ))}
        <PathInput
          form={form}
          field="fields.elements.path"
          label="List of alerts"
          places={all.filter(({ isList }) => isList)}
        />
        {path !== '' &&
          elementFieldNames.map((name) => (
            <PathInput
              key={name}
              form={form}
              field={`fields.elements.${name}`}
              label={`${labels[name]} of each alert`}
              places={inElement}
            />
          ))}
      </SimpleGrid>
    </Stack>
  );
}

interface PathInputProps {
  readonly form: EndpointValuesForm;
  readonly field: string;
  readonly label: string;
  readonly places: readonly PayloadPath[];
}

/** Edits a path. Offers the paths of the newest signal, with their values in it. */
function PathInput({ form, field, label, places }: PathInputProps) {
  const input = form.getInputProps(field);
  const sample = new Map(places.map((place) => [place.path, place.sample]));
  const found = sample.get(input.value);
  return (
    <Autocomplete
      label={label}
      data={[...sample.keys()]}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.value}</Text>
          <Hint>{sample.get(option.value)}</Hint>
        </div>
      )}
      {...input}
      description={found === undefined ? undefined : `Last signal: ${found}`}
    />
  );
}
