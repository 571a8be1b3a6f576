import { Button, Card, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { changedByFlags } from '../../entities/flags/flag-queries.ts';
import { ProjectCrumbs } from '../../entities/flags/project-crumbs.tsx';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormError } from '../../ui/form-error.tsx';
import { ButtonLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { FlagFields } from './flag-fields.tsx';
import { FlagNameInput } from './flag-name-input.tsx';
import { TagInput, tagOf } from './tag-input.tsx';
import type { FeatureType } from './type-select.tsx';

const route = getRouteApi('/projects/$projectId/create-flag');

/** The form of a new flag. */
export function CreateFlagPage() {
  const { projectId } = route.useParams();
  return (
    <Page title="New feature flag" description={<ProjectCrumbs projectId={projectId} />}>
      <CreateFlagForm projectId={projectId} />
    </Page>
  );
}

function CreateFlagForm({ projectId }: { readonly projectId: string }) {
  const navigate = useNavigate();
  const form = useForm({
    initialValues: { name: '', type: 'release' as FeatureType, description: '', impressionData: false, tags: noTags },
    validate: { name: (name) => (name === '' ? 'Enter a name.' : null) },
  });
  const saving = useSaving(form, {
    save: ({ description, tags, ...values }) =>
      api('POST /api/admin/projects/:projectId/features', {
        params: { projectId },
        body: { ...values, description: description === '' ? null : description, tags: tags.map(tagOf) },
      }),
    changes: changedByFlags,
    onSaved: ({ name: featureName }) =>
      void navigate({ to: '/projects/$projectId/features/$featureName', params: { projectId, featureName } }),
  });
  return (
    <Card withBorder padding="lg" maw={720}>
      <form onSubmit={saving.submit} noValidate>
        <Stack>
          <FlagNameInput
            projectId={projectId}
            label="Name"
            making={saving.pending || saving.done}
            {...form.getInputProps('name')}
            value={form.values.name}
          />
          <FlagFields form={form} />
          <TagInput label="Tags" {...form.getInputProps('tags')} value={form.values.tags} />
          <FormError>{saving.formError}</FormError>
          <Group>
            <Permitted needs="CREATE_FEATURE" place={{ project: projectId }}>
              <Button type="submit" loading={saving.pending}>
                Create feature flag
              </Button>
            </Permitted>
            <ButtonLink to="/projects/$projectId" params={{ projectId }} variant="default">
              Cancel
            </ButtonLink>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}

const noTags: readonly string[] = [];
