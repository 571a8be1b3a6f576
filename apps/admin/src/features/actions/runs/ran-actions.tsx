import { Alert, Badge, Code, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { definitionsQuery } from '../action-queries.ts';
import type { ActionChange, RanAction } from './run-queries.ts';

const states: Readonly<Record<RanAction['state'], readonly [word: string, color: string]>> = {
  'not started': ['Not started', 'gray'],
  started: ['Under way', 'gray'],
  success: ['Done', 'sea'],
  failed: ['Failed', 'red'],
};

interface Props {
  readonly projectId: string;
  readonly actions: readonly RanAction[];
  /** What is said before what an action changed: "Changed", "Would change". */
  readonly changed: string;
}

/** The actions of a run in their order, with what became of each. */
export function RanActions({ projectId, actions, changed }: Props) {
  const { data: definitions } = useQuery(definitionsQuery(projectId));
  return (
    <Stack gap="md">
      {actions.map(({ id, action, executionParams, state, details, changes }, index) => (
        <Stack key={id} gap={6}>
          <Group gap="xs">
            <Badge variant="light" color={states[state][1]} tt="none">
              {states[state][0]}
            </Badge>
            <Text size="sm" fw={600}>
              {index + 1}. {definitions?.[action]?.label ?? action}
            </Text>
          </Group>
          <Parameters params={executionParams} />
          {details !== null && (
            <Alert color={state === 'failed' ? 'red' : 'gray'} variant="light" p="xs">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {details}
              </Text>
            </Alert>
          )}
          {changes.length > 0 && <Changes title={changed} changes={changes} />}
        </Stack>
      ))}
    </Stack>
  );
}

function Parameters({ params }: { readonly params: RanAction['executionParams'] }) {
  const shown = Object.entries(params).filter(([name]) => name !== 'project');
  return (
    <Group gap="xs">
      {shown.map(([name, value]) => (
        <Code key={name} style={{ overflowWrap: 'anywhere' }}>
          {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
        </Code>
      ))}
    </Group>
  );
}

/** What was changed, or would be, in the words of the event log. */
export function Changes({ title, changes }: { readonly title: string; readonly changes: readonly ActionChange[] }) {
  return (
    <Stack gap={2}>
      <Text size="xs" c="dimmed">
        {title}
      </Text>
      <List size="sm">
        {changes.map(({ type, label, featureName, environment }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two changes may be alike, and they never move
          <List.Item key={index} style={{ overflowWrap: 'anywhere' }}>
            {[label === type ? type.replaceAll('-', ' ') : label, featureName, environment].filter(Boolean).join(' · ')}
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
