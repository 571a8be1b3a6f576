import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SignalEndpoint, SignalSource } from '../../entities/signals/signal-queries.ts';
import { api } from '../../lib/api.ts';
import { freeName } from '../../lib/free-name.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormError } from '../../ui/form-error.tsx';

interface Props {
  readonly endpoints: readonly SignalEndpoint[];
  /** The sources that have a sample. */
  readonly sources: readonly SignalSource[];
  readonly onChosen: (id: number) => void;
}

/** Chooses a signal endpoint of a known sender, or creates one. */
export function ChooseEndpoint({ endpoints, sources, onChosen }: Props) {
  const fitting = endpoints.filter(({ source, enabled }) => enabled && sources.some(({ name }) => name === source));
  return (
    <Stack>
      <Text size="sm">A system sends its alerts to a signal endpoint. Choose the system that alerts you.</Text>
      {fitting.length > 0 && (
        <Select
          label="An existing endpoint"
          placeholder="Choose an endpoint"
          data={fitting.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(id) => id !== null && onChosen(Number(id))}
        />
      )}
      <NewEndpoint taken={endpoints.map(({ name }) => name)} sources={sources} onMade={onChosen} />
    </Stack>
  );
}

interface NewProps {
  readonly taken: readonly string[];
  readonly sources: readonly SignalSource[];
  readonly onMade: (id: number) => void;
}

function NewEndpoint({ taken, sources, onMade }: NewProps) {
  const first = sources[0]?.name ?? 'generic';
  const form = useForm<{ source: SignalSource['name']; name: string }>({
    initialValues: { source: first, name: freeName(first, taken) },
  });
  const saving = useSaving(form, {
    save: (values) => api('POST /api/admin/signal-endpoints', { body: values }),
    changes: ['GET /api/admin/signal-endpoints'],
    onSaved: ({ id }) => onMade(id),
  });
  return (
    <form onSubmit={saving.submit} noValidate>
      <Stack gap="sm">
        <Group align="flex-start" gap="sm">
          <Select
            label="Sender"
            data={sources.map(({ name, displayName }) => ({ value: name, label: displayName }))}
            allowDeselect={false}
            flex="1 1 200px"
            value={form.values.source}
            onChange={(chosen) => {
              const source = sources.find(({ name }) => name === chosen)?.name;
              if (source !== undefined) form.setValues({ source, name: freeName(source, taken) });
            }}
          />
          <TextInput
            label="Name of the new endpoint"
            autoComplete="off"
            flex="1 1 200px"
            {...form.getInputProps('name')}
          />
        </Group>
        <FormError>{saving.formError}</FormError>
        <Group>
          <Button type="submit" loading={saving.pending}>
            Create endpoint
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
