import { Alert, Group, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEachNewer } from '../../lib/activity.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { TextLink } from '../../ui/link.tsx';

const route = 'GET /api/admin/search/features';

interface Props {
  readonly projectId: string;
  /** Whether the list is limited to held flags already. */
  readonly isFiltered: boolean;
}

/** Counts the held flags of a project, with a link to the list of them. */
export function HeldInProject({ projectId, isFiltered }: Props) {
  const { data, refetch } = useQuery(
    apiQuery(route, { query: { project: `IS:${projectId}`, held: 'IS:true', limit: '1' } }),
  );
  useEachNewer('events', refetch);
  const total = data?.total ?? 0;
  if (total === 0) return null;
  return (
    <Alert color="orange" variant="light" icon={<IconLock aria-hidden />} p="xs" aria-label="Held flags of the project">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {total === 1
            ? '1 flag of this project is held: SDKs get the held state, not the configured one.'
            : `${total} flags of this project are held: SDKs get the held states, not the configured ones.`}
        </Text>
        {!isFiltered && (
          <TextLink
            to="/projects/$projectId"
            params={{ projectId }}
            search={{ held: true }}
            size="sm"
            underline="always"
          >
            Show held flags
          </TextLink>
        )}
      </Group>
    </Alert>
  );
}
