import { Alert, Anchor, Badge, Breadcrumbs, Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Muted, SectionTitle } from '../../ui/text.tsx';

type Overview = Answer<'GET /api/admin/metrics/applications/:appName/overview'>;
type AppEnvironment = Overview['environments'][number];

const route = getRouteApi('/applications/$appName');

/** The page of an application: its environments, SDKs, instances and problems. */
export function ApplicationPage() {
  const { appName } = route.useParams();
  const navigate = route.useNavigate();
  const [removing, setRemoving] = useState(false);
  const application = useQuery(apiQuery('GET /api/admin/metrics/applications/:appName', { params: { appName } }));
  const overview = useQuery(apiQuery('GET /api/admin/metrics/applications/:appName/overview', { params: { appName } }));
  return (
    <Page
      title={appName}
      description={
        <Breadcrumbs>
          <TextLink to="/applications" size="sm">
            Applications
          </TextLink>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {appName}
          </Text>
        </Breadcrumbs>
      }
      actions={
        <Permitted needs="UPDATE_APPLICATION">
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setRemoving(true)}>
            Delete application
          </Button>
        </Permitted>
      }
    >
      {application.data !== undefined && <About application={application.data} />}
      <Loaded query={overview}>{(data) => <OverviewOf appName={appName} overview={data} />}</Loaded>
      {removing && (
        <Confirm
          title="Delete application?"
          action="Delete application"
          run={() => api('DELETE /api/admin/metrics/applications/:appName', { params: { appName } })}
          changes={['GET /api/admin/metrics/applications']}
          onClose={() => setRemoving(false)}
          onDone={() => void navigate({ to: '/applications' })}
        >
          <b>{appName}</b> will be removed from the list. It reappears when it reports again.
        </Confirm>
      )}
    </Page>
  );
}

function About({ application }: { readonly application: Answer<'GET /api/admin/metrics/applications/:appName'> }) {
  const { description, url, createdAt, lastSeenAt } = application;
  return (
    <Stack gap={4}>
      {description !== null && description !== '' && <Text size="sm">{description}</Text>}
      {url !== null && /^https?:/.test(url) && (
        <Anchor href={url} rel="noreferrer" size="sm">
          {url}
        </Anchor>
      )}
      <Muted>
        First seen <RelativeTime at={createdAt} />, last seen <RelativeTime at={lastSeenAt} />
      </Muted>
    </Stack>
  );
}

function OverviewOf({ appName, overview }: { readonly appName: string; readonly overview: Overview }) {
  const { projects, featureCount, environments, issues } = overview;
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Badge color="gray" size="lg">
          {featureCount === 1 ? '1 flag' : `${featureCount} flags`}
        </Badge>
        {projects.map((projectId) => (
          <TextLink key={projectId} to="/projects/$projectId" params={{ projectId }} size="sm">
            {projectId}
          </TextLink>
        ))}
      </Group>
      {issues.missingStrategies.length > 0 && (
        <Problem title="Strategies that the application supports but that do not exist here">
          {issues.missingStrategies.join(', ')}
        </Problem>
      )}
      {environments.length === 0 ? (
        <Muted>No instances have reported yet.</Muted>
      ) : (
        <SimpleGrid cols={{ base: 1, lg: environments.length === 1 ? 1 : 2 }}>
          {environments.map((environment) => (
            <EnvironmentCard key={environment.name} appName={appName} environment={environment} />
          ))}
        </SimpleGrid>
      )}
    </Stack>
  );
}

function EnvironmentCard({ appName, environment }: { readonly appName: string; readonly environment: AppEnvironment }) {
  const { name, instanceCount, sdks, lastSeen, issues } = environment;
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <SectionTitle>{name}</SectionTitle>
          <Muted>
            {instanceCount === 1 ? '1 instance' : `${instanceCount} instances`}
            {lastSeen !== null && (
              <>
                , last seen <RelativeTime at={lastSeen} />
              </>
            )}
          </Muted>
        </Group>
        <Group gap={6}>
          {sdks.map((sdk) => (
            <Badge key={sdk} variant="default" fw={500}>
              {sdk}
            </Badge>
          ))}
        </Group>
        {issues.outdatedSdks.length > 0 && <Problem title="Outdated SDKs">{issues.outdatedSdks.join(', ')}</Problem>}
        {issues.missingFeatures.length > 0 && (
          <Problem title="Evaluated flags that do not exist">{issues.missingFeatures.join(', ')}</Problem>
        )}
        {instanceCount > 0 && <Instances appName={appName} environment={name} />}
      </Stack>
    </Card>
  );
}

function Problem({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Alert>
  );
}

function Instances({ appName, environment }: { readonly appName: string; readonly environment: string }) {
  const instances = useQuery(
    apiQuery('GET /api/admin/metrics/instances/:appName/environment/:environment', {
      params: { appName, environment },
    }),
  );
  return (
    <Listing
      query={instances}
      rows={instances.data?.instances}
      rowKey={({ instanceId }) => instanceId}
      skeletonRows={2}
      spacing={7}
      columns={[
        { header: 'Instance', breaks: 'anywhere', cell: ({ instanceId }) => instanceId },
        { header: 'SDK', visibleFrom: 'sm', cell: ({ sdkVersion }) => sdkVersion ?? 'Unknown' },
        { header: 'Address', visibleFrom: 'sm', cell: ({ clientIp }) => clientIp ?? 'Unknown' },
        { header: 'Last seen', breaks: 'never', cell: ({ lastSeen }) => <RelativeTime at={lastSeen} /> },
      ]}
    />
  );
}
