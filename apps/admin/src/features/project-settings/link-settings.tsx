import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormCard } from '../../ui/form-card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { Muted } from '../../ui/text.tsx';
import type { ProjectOverview } from './project-overview.ts';
import { useSettingsProject } from './settings-layout.tsx';

const most = 10;
const needs = ['PROJECT_SETTINGS_WRITE', 'UPDATE_PROJECT'];

/** The link templates of a project. */
export function LinkSettings() {
  const projectId = useSettingsProject();
  const project = useQuery(projectOverviewQuery(projectId));
  return (
    <Loaded query={project} rows={3}>
      {({ linkTemplates }) => <Templates key={projectId} projectId={projectId} templates={linkTemplates} />}
    </Loaded>
  );
}

interface Props {
  readonly projectId: string;
  readonly templates: ProjectOverview['linkTemplates'];
}

function valuesOf(templates: Props['templates']) {
  return {
    linkTemplates: templates.map(({ title, urlTemplate }) => ({ key: randomId(), title: title ?? '', urlTemplate })),
  };
}

function bodyOf({ linkTemplates }: ReturnType<typeof valuesOf>) {
  return {
    linkTemplates: linkTemplates.map(({ title, urlTemplate }) => ({
      title: title.trim() === '' ? null : title.trim(),
      urlTemplate: urlTemplate.trim(),
    })),
  };
}

function Templates({ projectId, templates }: Props) {
  const form = useForm({
    initialValues: valuesOf(templates),
    validate: {
      linkTemplates: { urlTemplate: (url) => (url.trim() === '' ? 'Enter a URL.' : null) },
    },
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const params = { projectId };
      const { linkTemplates } = await api('GET /api/admin/projects/:projectId/overview', { params });
      const [loaded, current] = [bodyOf(form.getInitialValues()), bodyOf(valuesOf(linkTemplates))];
      const body = editedFields({ loaded, edited: bodyOf(values), current });
      return api('PUT /api/admin/projects/:projectId/settings', { params, body });
    },
    changes: ['GET /api/admin/projects/:projectId/overview'],
    notice: 'Link templates saved',
    onSaved: () => form.resetDirty(),
  });
  const rows = form.values.linkTemplates;
  return (
    <FormCard
      title="Link templates"
      description="New flags of this project get these links. Existing flags keep theirs."
      save="Save link templates"
      saving={saving}
      isChanged={form.isDirty()}
      needs={needs}
      place={{ project: projectId }}
      width={860}
      above={
        <>
          <Text size="sm">
            <code>{'{{project}}'}</code> is replaced by the ID of the project and <code>{'{{feature}}'}</code> by the
            name of the flag, as in <code>{'https://issues.example.com/search?q={{feature}}'}</code>.
          </Text>
          {rows.length === 0 && <Muted>No link templates yet. Add links to tickets, dashboards or code.</Muted>}
        </>
      }
      more={
        <Permitted needs={needs} place={{ project: projectId }}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => form.insertListItem('linkTemplates', { key: randomId(), title: '', urlTemplate: '' })}
            disabled={rows.length >= most}
          >
            Add link
          </Button>
        </Permitted>
      }
    >
      {rows.map(({ key }, index) => (
        <Group key={key} gap="sm" align="flex-start" role="group" aria-label={`Link ${index + 1}`}>
          <TextInput
            label="Title"
            placeholder="Tickets"
            w={{ base: '100%', xs: 220 }}
            {...form.getInputProps(`linkTemplates.${index}.title`)}
          />
          <TextInput
            label="URL"
            placeholder="https://"
            required
            flex={1}
            miw={200}
            inputMode="url"
            {...form.getInputProps(`linkTemplates.${index}.urlTemplate`)}
          />
          <RemoveButton
            color="red"
            mt={30}
            onClick={() => form.removeListItem('linkTemplates', index)}
            label={`Remove link ${index + 1}`}
          />
        </Group>
      ))}
    </FormCard>
  );
}
