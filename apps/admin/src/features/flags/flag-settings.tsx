import { Alert, Button, Card, Group, Stack, Switch, Textarea, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { byField } from '../../lib/problems.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { useFlag } from './flag-layout.tsx';
import { type Flag, useFlagsChanged } from './flag-queries.ts';
import { MoveFlag } from './move-flag.tsx';
import { TypeSelect } from './type-select.tsx';

/** What a flag is, to be changed. */
export function FlagSettings() {
  const flag = useFlag();
  if (flag === undefined) return null;
  return (
    <Stack maw={720}>
      <GeneralSettings key={flag.name} flag={flag} />
      <MoveFlag flag={flag} />
    </Stack>
  );
}

function GeneralSettings({ flag }: { readonly flag: Flag }) {
  const [description, setDescription] = useState(flag.description ?? '');
  const [type, setType] = useState(flag.type);
  const [impressionData, setImpressionData] = useState(flag.impressionData);
  const changed = useFlagsChanged();
  const save = useMutation({
    mutationFn: () =>
      api('PATCH /api/admin/projects/:projectId/features/:featureName', {
        params: { projectId: flag.project, featureName: flag.name },
        body: [
          { op: 'add', path: '/description', value: description },
          { op: 'replace', path: '/type', value: type },
          { op: 'replace', path: '/impressionData', value: impressionData },
        ],
      }),
    onSuccess: async () => {
      notifications.show({ message: 'The settings are saved.' });
      await changed();
    },
  });
  const problem = save.error === null ? undefined : byField(save.error, ['description', 'type', 'impressionData']);
  return (
    <Card withBorder padding="lg" component="section" aria-label="General settings">
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          save.mutate();
        }}
        noValidate
      >
        <Stack>
          <Title order={2} size="h4">
            General
          </Title>
          <Textarea
            label="Description"
            description="What it switches, and when it can go."
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
            error={problem?.fields.description}
            autosize
            minRows={3}
          />
          <TypeSelect value={type} onChange={setType} error={problem?.fields.type} />
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
            <Permitted needs="UPDATE_FEATURE" place={{ project: flag.project }}>
              <Button type="submit" loading={save.isPending}>
                Save settings
              </Button>
            </Permitted>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
