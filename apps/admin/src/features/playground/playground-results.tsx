import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { matches } from '../../lib/query-search.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FlagLinkWithProject } from '../../ui/flag-link.tsx';
import { Listing } from '../../ui/listing.tsx';
import { SidePanel } from '../../ui/over-page.tsx';
import type { TriedFlag } from './tried.ts';
import { Why } from './why.tsx';

const step = 50;

interface Props {
  readonly features: readonly TriedFlag[];
  readonly environments: readonly string[];
  readonly query?: string | undefined;
}

/** What each flag is in each environment; each result leads to its reason. */
export function PlaygroundResults({ features, environments, query }: Props) {
  const [most, setMost] = useState(step);
  const [asked, setAsked] = useState<{ readonly flag: TriedFlag; readonly environment: string }>();
  const found = features.filter(({ name, projectId }) => matches(query, name, projectId));
  if (found.length === 0)
    return (
      <EmptyState title={features.length === 0 ? 'There is no flag in these projects' : 'No flag is called that'}>
        Choose other projects, or look for fewer words.
      </EmptyState>
    );
  return (
    <Stack>
      <Text size="sm" c="dimmed" aria-live="polite">
        {found.length === 1 ? '1 flag' : `${found.length} flags`}
      </Text>
      <Listing
        rows={found.slice(0, most)}
        rowKey={({ name }) => name}
        spacing="xs"
        columns={[
          {
            header: 'Flag',
            cell: ({ name, projectId }) => <FlagLinkWithProject projectId={projectId} featureName={name} />,
          },
          ...environments.map((environment) => ({
            header: environment,
            cell: (flag: TriedFlag) => (
              <Outcome flag={flag} environment={environment} onAsk={() => setAsked({ flag, environment })} />
            ),
          })),
        ]}
      />
      {found.length > most && (
        <Button variant="default" onClick={() => setMost(most + step)}>
          Show more
        </Button>
      )}
      {asked !== undefined && (
        <SidePanel onClose={() => setAsked(undefined)} size={760} title={`${asked.flag.name} in ${asked.environment}`}>
          <Stack>
            {(asked.flag.environments[asked.environment] ?? []).map((result) => (
              <Why key={JSON.stringify(result.context)} result={result} />
            ))}
          </Stack>
        </SidePanel>
      )}
    </Stack>
  );
}

interface OutcomeProps {
  readonly flag: TriedFlag;
  readonly environment: string;
  readonly onAsk: () => void;
}

function Outcome({ flag, environment, onAsk }: OutcomeProps) {
  const results = flag.environments[environment] ?? [];
  if (results.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Not there
      </Text>
    );
  const on = results.filter(({ isEnabled }) => isEnabled).length;
  const words = on === results.length ? 'On' : on === 0 ? 'Off' : `On for ${on} of ${results.length}`;
  const held = results.some(({ lease }) => lease !== null);
  const variants = [...new Set(results.flatMap(({ variant }) => (variant?.enabled === true ? [variant.name] : [])))];
  return (
    <Group gap={6}>
      <Button
        size="compact-sm"
        variant={on === 0 ? 'default' : on === results.length ? 'filled' : 'light'}
        onClick={onAsk}
        leftSection={held && <IconLock size={14} aria-hidden />}
        aria-label={`${flag.name} in ${environment}: ${words}${held ? ', held' : ''}. Why?`}
      >
        {words}
        {held && ', held'}
      </Button>
      {variants.map((name) => (
        <Badge key={name} variant="light" color="gray" tt="none">
          {name}
        </Badge>
      ))}
    </Group>
  );
}
