import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormCard } from '../../ui/form-card.tsx';
import type { ProjectOverview } from './project-overview.ts';

interface Props {
  readonly projectId: string;
  readonly naming: ProjectOverview['featureNaming'];
}

const needs = ['PROJECT_SETTINGS_WRITE', 'UPDATE_PROJECT'];

/** Edits the naming pattern, which the names of new flags have to match. */
export function NamingPattern({ projectId, naming }: Props) {
  const form = useForm({
    validateInputOnChange: true,
    initialValues: {
      featureNaming: textsOf(naming),
    },
    validate: {
      featureNaming: {
        pattern: (pattern) => (readPattern(pattern) === undefined ? 'Invalid regular expression.' : null),
        example: (example, { featureNaming: { pattern } }) =>
          example !== '' && pattern !== '' && readPattern(pattern)?.test(example) === false
            ? 'The example does not match the pattern.'
            : null,
      },
    },
  });
  const saving = useSaving(form, {
    save: async ({ featureNaming: edited }) => {
      const params = { projectId };
      const loaded = form.getInitialValues().featureNaming;
      const current = textsOf((await api('GET /api/admin/projects/:projectId/overview', { params })).featureNaming);
      const body = { featureNaming: bodyOf({ ...current, ...editedFields({ loaded, edited, current }) }) };
      return api('PUT /api/admin/projects/:projectId/settings', { params, body });
    },
    changes: ['GET /api/admin/projects/:projectId/overview'],
    notice: 'Naming pattern saved',
    onSaved: () => form.resetDirty(),
  });
  return (
    <FormCard
      title="Flag naming pattern"
      description="A regular expression that the names of new flags must match. Existing flags keep their names."
      save="Save naming pattern"
      saving={saving}
      isChanged={form.isDirty()}
      needs={needs}
      place={{ project: projectId }}
    >
      <TextInput
        label="Pattern"
        placeholder="[a-z]+\.[a-z]+"
        leftSection={<Text size="sm">^</Text>}
        rightSection={<Text size="sm">$</Text>}
        styles={{ input: { fontFamily: 'var(--yardarm-code)' } }}
        {...form.getInputProps('featureNaming.pattern')}
      />
      <TextInput label="Example" placeholder="team.new-checkout" {...form.getInputProps('featureNaming.example')} />
      <TextInput
        label="Description"
        placeholder="The team, a dot, the feature"
        {...form.getInputProps('featureNaming.description')}
      />
    </FormCard>
  );
}

function textsOf({ pattern, example, description }: Props['naming']) {
  return { pattern: pattern ?? '', example: example ?? '', description: description ?? '' };
}

function bodyOf({ pattern, example, description }: ReturnType<typeof textsOf>) {
  if (pattern === '') return { pattern: null, example: null, description: null };
  return { pattern, example: example === '' ? null : example, description: description === '' ? null : description };
}

function readPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${pattern})$`);
  } catch {
    return undefined;
  }
}
