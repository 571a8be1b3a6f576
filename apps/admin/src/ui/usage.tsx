import { Badge, Table, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { EmptyState } from './empty-state.tsx';
import { TextLink } from './link.tsx';
import { Loaded } from './loaded.tsx';
import { SidePanel } from './over-page.tsx';

/** A strategy of a flag that uses something. */
interface UsingStrategy {
  readonly id: string;
  readonly featureName: string;
  readonly projectId: string;
  readonly environment: string;
  readonly strategyName: string;
}

interface Props {
  readonly title: string;
  readonly query: UseQueryResult<readonly UsingStrategy[]>;
  readonly onClose: () => void;
}

/** The strategies that use something, with the flags that they belong to. */
export function Usage({ title, query, onClose }: Props) {
  return (
    <SidePanel onClose={onClose} size={720} title={title}>
      <Loaded query={query}>
        {(strategies) =>
          strategies.length === 0 ? (
            <EmptyState title="No strategy uses it">It can be deleted without changing any flag.</EmptyState>
          ) : (
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Flag</Table.Th>
                  <Table.Th>Environment</Table.Th>
                  <Table.Th visibleFrom="sm">Strategy</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {strategies.map(({ id, featureName, projectId, environment, strategyName }) => (
                  <Table.Tr key={id}>
                    <Table.Td>
                      <TextLink
                        to="/projects/$projectId/features/$featureName"
                        params={{ projectId, featureName }}
                        size="sm"
                        ff="monospace"
                        style={{ overflowWrap: 'anywhere' }}
                      >
                        {featureName}
                      </TextLink>
                      <Text size="xs" c="dimmed">
                        {projectId}
                      </Text>
                    </Table.Td>
                    <Table.Td>
                      <Badge variant="light" color="gray" tt="none">
                        {environment}
                      </Badge>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">{strategyName}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        }
      </Loaded>
    </SidePanel>
  );
}

/** "3 flags in 2 projects", or that there is none. */
export function usedIn(features: number, projects: number): string {
  if (features === 0) return 'Not used';
  const flags = features === 1 ? '1 flag' : `${features} flags`;
  return projects > 1 ? `${flags} in ${projects} projects` : flags;
}
