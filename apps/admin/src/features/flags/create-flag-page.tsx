import { Alert, Breadcrumbs, Button, Card, Group, Stack, Switch, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { byField } from '../../lib/problems.ts';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { FlagNameInput } from './flag-name-input.tsx';
import { projectOverviewQuery, useFlagsChanged } from './flag-queries.ts';
import { TagInput, tagOf } from './tag-input.tsx';
import { type FeatureType, TypeSelect } from './type-select.tsx';

const route = getRouteApi('/projects/$projectId/create-flag');
const fields = ['name', 'type', 'description', 'tags', 'impressionData'];

/** Where a flag is made. */
export function CreateFlagPage() {
  const { projectId } = route.useParams();
  const { data: project } = useQuery(projectOverviewQuery(projectId));
  return (
    <Page
      title="New feature flag"
      description={
        <Breadcrumbs>
          <TextLink to="/projects" size="sm">
            Projects
          </TextLink>
          <TextLink to="/projects/$projectId" params={{ projectId }} size="sm">
            {project?.name ?? projectId}
          </TextLink>
        </Breadcrumbs>
      }
    >
      <CreateFlagForm projectId={projectId} />
    </Page>
  );
}

function CreateFlagForm({ projectId }: { readonly projectId: string }) {
  const [name, setName] = useState('');
  const [type, setType] = useState<FeatureType>('release');
  const [description, setDescription] = useState('');
  const [tags, setTags] = useState<string[]>([]);
  const [impressionData, setImpressionData] = useState(false);
  const navigate = useNavigate();
  const changed = useFlagsChanged();
  const create = useMutation({
    mutationFn: () =>
      api('POST /api/admin/projects/:projectId/features', {
        params: { projectId },
        body: {
          name,
          type,
          description: description === '' ? null : description,
          tags: tags.map(tagOf),
          impressionData,
        },
      }),
    onSuccess: async () => {
      await navigate({ to: '/projects/$projectId/features/$featureName', params: { projectId, featureName: name } });
      await changed();
    },
  });
  const problem = create.error === null ? undefined : byField(create.error, fields);
  return (
    <Card withBorder padding="lg" maw={720}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          create.mutate();
        }}
        noValidate
      >
        <Stack>
          <FlagNameInput
            projectId={projectId}
            label="Name"
            value={name}
            onChange={setName}
            refusal={problem?.fields.name}
            making={create.isPending || create.isSuccess}
          />
          <TypeSelect value={type} onChange={setType} error={problem?.fields.type} />
          <Textarea
            label="Description"
            description="What it switches, and when it can go."
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            error={problem?.fields.description}
            autosize
            minRows={3}
          />
          <TagInput label="Tags" tags={tags} onChange={setTags} error={problem?.fields.tags} />
          <Switch
            label="Impression data"
            description="SDKs tell the application of every time it asks for the flag, for its analytics."
            checked={impressionData}
            onChange={({ currentTarget }) => setImpressionData(currentTarget.checked)}
          />
          {problem?.rest !== undefined && (
            <Alert color="red" role="alert">
              {problem.rest}
            </Alert>
          )}
          <Group>
            <Permitted needs="CREATE_FEATURE" place={{ project: projectId }}>
              <Button type="submit" loading={create.isPending}>
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
