import { Button, Card, Checkbox, Fieldset, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import type { StrategyType } from '../../entities/strategies/strategy-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FixedName } from '../../ui/fixed-name.tsx';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { Hint } from '../../ui/text.tsx';

type Parameter = StrategyType['parameters'][number];

interface Values extends Record<string, unknown> {
  name: string;
  title: string;
  description: string;
  parameters: Parameter[];
}

const kinds: readonly { readonly value: Parameter['type']; readonly label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'percentage', label: 'Percentage' },
  { value: 'list', label: 'List' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Boolean' },
];

interface Props {
  /** The strategy type to edit; absent to create a new strategy type. */
  readonly strategy?: StrategyType;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Creates or edits a custom strategy type. */
export function StrategyTypeForm({ strategy, taken, onClose }: Props) {
  const form = useForm<Values>({
    initialValues: valuesOf(strategy),
    validate: {
      name: (name) => (strategy === undefined ? nameProblem(name, taken) : null),
      parameters: { name: (name, { parameters }) => parameterProblem(name, parameters) },
    },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOf(values);
      if (strategy === undefined) await api('POST /api/admin/strategies', { body: { name: values.name, ...edited } });
      else {
        const params = { name: strategy.name };
        const loaded = bodyOf(form.getInitialValues());
        const current = bodyOf(valuesOf(await api('GET /api/admin/strategies/:name', { params })));
        const body = { ...current, ...editedFields({ loaded, edited, current }) };
        await api('PUT /api/admin/strategies/:name', { params, body });
      }
    },
    changes: ['GET /api/admin/strategies'],
    notice: strategy === undefined ? 'Strategy type created' : 'Strategy type saved',
    onSaved: onClose,
  });
  return (
    <FormDrawer
      title={strategy === undefined ? 'New strategy type' : `Edit ${strategy.name}`}
      save={strategy === undefined ? 'Create strategy type' : 'Save strategy type'}
      saving={saving}
      onClose={onClose}
      width={640}
    >
      <FixedName
        label="Strategy type name"
        description="The name that SDKs use."
        isNew={strategy === undefined}
        {...form.getInputProps('name')}
      />
      <TextInput label="Title" description="Shown instead of the name." {...form.getInputProps('title')} />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps('description')} />
      <Parameters form={form} />
    </FormDrawer>
  );
}

function valuesOf(strategy: StrategyType | undefined): Values {
  return {
    name: strategy?.name ?? '',
    title: strategy?.title ?? '',
    description: strategy?.description ?? '',
    parameters: strategy?.parameters ?? [],
  };
}

function bodyOf({ title, description, parameters }: Values) {
  return { title: title === '' ? null : title, description, parameters };
}

function Parameters({ form }: { readonly form: UseFormReturnType<Values> }) {
  return (
    <Fieldset legend="Parameters">
      <Stack gap="sm">
        <Hint>Set on each strategy of this type and sent to SDKs.</Hint>
        {form.values.parameters.map((parameter, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parameters are identified by their position in the form
          <Card key={index} withBorder padding="sm" role="group" aria-label={`Parameter ${index + 1}`}>
            <Stack gap="xs">
              <Group gap="xs" align="flex-start" wrap="nowrap">
                <TextInput
                  flex={1}
                  label="Name"
                  required
                  autoComplete="off"
                  {...form.getInputProps(`parameters.${index}.name`)}
                />
                <Select
                  w={140}
                  label="Type"
                  data={kinds}
                  allowDeselect={false}
                  {...form.getInputProps(`parameters.${index}.type`)}
                />
              </Group>
              <TextInput label="Description" {...form.getInputProps(`parameters.${index}.description`)} />
              <Group justify="space-between">
                <Checkbox
                  label="Required"
                  {...form.getInputProps(`parameters.${index}.required`, { type: 'checkbox' })}
                />
                <RemoveButton
                  onClick={() => form.removeListItem('parameters', index)}
                  label={`Remove the parameter ${parameter.name === '' ? index + 1 : parameter.name}`}
                />
              </Group>
            </Stack>
          </Card>
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() =>
            form.insertListItem('parameters', { name: '', type: 'string', description: '', required: false })
          }
          style={{ alignSelf: 'flex-start' }}
        >
          Add parameter
        </Button>
      </Stack>
    </Fieldset>
  );
}

function nameProblem(name: string, taken: readonly string[]): string | null {
  if (name.trim() === '') return 'Enter a name.';
  return taken.includes(name) ? 'A strategy type with this name exists.' : null;
}

function parameterProblem(name: string, parameters: readonly Parameter[]): string | null {
  if (name.trim() === '') return 'Enter a name.';
  return parameters.filter((parameter) => parameter.name === name).length > 1
    ? 'Another parameter has this name.'
    : null;
}
