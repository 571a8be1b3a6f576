import { Autocomplete, Button, Fieldset, Group, JsonInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { selectableFields } from '../../entities/context-fields/context-field-routes.ts';
import { problemAt } from '../../lib/error-messages.ts';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { Hint } from '../../ui/text.tsx';
import { contextEntries } from './context-entries.ts';

type Entry = readonly [name: string, value: string];

interface Props {
  readonly context: readonly Entry[];
  /** The errors, by path: `context.currentTime`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (context: readonly [string, string][]) => void;
}

/** Edits the context, as fields or as JSON. */
export function ContextEditor({ context, problems, onChange }: Props) {
  const [view, setView] = useState('fields');
  return (
    <Fieldset legend="Context">
      <Stack gap="sm">
        <SegmentedControl
          size="xs"
          value={view}
          onChange={setView}
          data={[
            { value: 'fields', label: 'Fields' },
            { value: 'json', label: 'JSON' },
          ]}
          aria-label="Context view"
        />
        <Hint>Comma-separated values are evaluated one by one. A comma in a value is written \,</Hint>
        {view === 'fields' ? (
          <Fields context={context} problems={problems} onChange={onChange} />
        ) : (
          <AsJson context={context} problems={problems} onChange={onChange} />
        )}
      </Stack>
    </Fieldset>
  );
}

function Fields({ context, problems, onChange }: Props) {
  const { data: fields } = useQuery(selectableFields(undefined));
  const set = (index: number, entry: Entry) =>
    onChange(context.map((present, at) => [...(at === index ? entry : present)] as [string, string]));
  return (
    <>
      {context.map(([name, value], index) => {
        const legal =
          fields?.find((field) => field.name === name)?.legalValues.map((legalValue) => legalValue.value) ?? [];
        const problem = name === '' ? undefined : problemAt(problems, `context.${name}`);
        const label = name === '' ? `field ${index + 1}` : name;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields are identified by their position
          <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
            <Autocomplete
              flex={1}
              aria-label={`Name of ${label}`}
              placeholder="Field"
              data={fields?.map((field) => field.name) ?? []}
              value={name}
              onChange={(next) => set(index, [next, value])}
            />
            {legal.length > 0 ? (
              <Autocomplete
                flex={1}
                aria-label={`Value of ${label}`}
                placeholder="Value"
                data={legal}
                value={value}
                error={problem}
                onChange={(next) => set(index, [name, next])}
              />
            ) : (
              <TextInput
                flex={1}
                aria-label={`Value of ${label}`}
                placeholder="Value"
                value={value}
                error={problem}
                onChange={({ currentTarget }) => set(index, [name, currentTarget.value])}
              />
            )}
            <RemoveButton
              mt={4}
              onClick={() => onChange(context.filter((_, at) => at !== index).map(([a, b]) => [a, b]))}
              label={`Remove ${label}`}
            />
          </Group>
        );
      })}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        onClick={() => onChange([...context.map(([a, b]) => [a, b] as [string, string]), ['', '']])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add field
      </Button>
    </>
  );
}

function AsJson({ context, problems, onChange }: Props) {
  const [text, setText] = useState(() => JSON.stringify(Object.fromEntries(context), null, 2));
  const messages = Object.entries(problems).map(([path, problem]) => `${path.replace(/^context\./, '')}: ${problem}`);
  return (
    <JsonInput
      aria-label="Context as JSON"
      value={text}
      onChange={(next) => {
        setText(next);
        const read = readContext(next);
        if (read !== undefined) onChange(read);
      }}
      error={
        readContext(text) === undefined
          ? 'Enter an object with text, numbers or booleans as values. Custom fields may also be in “properties”, with unique names.'
          : messages.length > 0 && messages.join(' ')
      }
      autosize
      minRows={6}
      formatOnBlur
    />
  );
}

/** Returns the entries of a context in JSON, or undefined when it is invalid. */
function readContext(text: string): readonly [string, string][] | undefined {
  try {
    return contextEntries(JSON.parse(text));
  } catch {
    return undefined;
  }
}
