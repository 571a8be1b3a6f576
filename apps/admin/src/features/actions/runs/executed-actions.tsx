import { Alert, Badge, Code, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { definitionsQuery } from '../../../entities/actions/action-queries.ts';
import type { ActionChange, ExecutedAction } from '../../../entities/runs/run-queries.ts';
import { Hint, Strong } from '../../../ui/text.tsx';

/** How the actions ran: really, in shadow mode, or in a dry run. */
export type RunKind = 'real' | 'shadow' | 'dry run';

interface Words {
  readonly success: string;
  readonly failed: string;
  readonly changed: string;
  readonly unchanged: string;
}

const words: Readonly<Record<RunKind, Words>> = {
  real: { success: 'Succeeded', failed: 'Failed', changed: 'Changed', unchanged: 'No changes.' },
  shadow: {
    success: 'Would have succeeded',
    failed: 'Would have failed',
    changed: 'Would have changed',
    unchanged: 'No changes.',
  },
  'dry run': {
    success: 'Would succeed',
    failed: 'Would fail',
    changed: 'Would change',
    unchanged: 'No changes.',
  },
};

const colors: Readonly<Record<ExecutedAction['state'], string>> = {
  'not started': 'gray',
  started: 'gray',
  success: 'sea',
  failed: 'red',
};

function wordOf(state: ExecutedAction['state'], kind: RunKind): string {
  if (state === 'not started') return 'Not started';
  return state === 'started' ? 'Running' : words[kind][state];
}

interface Props {
  readonly projectId: string;
  readonly actions: readonly ExecutedAction[];
  readonly kind: RunKind;
}

/** The action kind that calls another system; it never changes flags. */
const callsUrl = 'CALL_URL';

/** Lists the actions of a run in order, with their outcome. */
export function ExecutedActions({ projectId, actions, kind }: Props) {
  const { data: definitions } = useQuery(definitionsQuery(projectId));
  return (
    <Stack gap="md">
      {actions.map(({ id, action, executionParams, state, details, changes }, index) => (
        <Stack key={id} gap={6}>
          <Group gap="xs">
            <Badge color={kind === 'real' || state === 'failed' ? colors[state] : 'gray'}>{wordOf(state, kind)}</Badge>
            <Strong>
              {index + 1}. {definitions?.[action]?.label ?? action}
            </Strong>
          </Group>
          <Parameters params={executionParams} />
          {details !== null && (
            <Alert color={state === 'failed' ? 'red' : 'gray'} variant="light" p="xs">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {details}
              </Text>
            </Alert>
          )}
          {changes.length > 0 && <Changes title={words[kind].changed} changes={changes} />}
          {changes.length === 0 && state === 'success' && action !== callsUrl && <Hint>{words[kind].unchanged}</Hint>}
        </Stack>
      ))}
    </Stack>
  );
}

function Parameters({ params }: { readonly params: ExecutedAction['executionParams'] }) {
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

/** Lists the changes of an action, with the labels of the event log. */
export function Changes({ title, changes }: { readonly title: string; readonly changes: readonly ActionChange[] }) {
  return (
    <Stack gap={2}>
      <Hint>{title}</Hint>
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
