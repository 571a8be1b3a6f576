import { Badge, Button, Group, Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { matches } from '../../lib/query-search.ts';
import { SidePanel } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FlagLinkWithProject } from '../../ui/flag-link.tsx';
import { Listing } from '../../ui/listing.tsx';
import { Muted } from '../../ui/text.tsx';
import type { EvaluatedFlag } from './evaluation-types.ts';
import { Explanation } from './explanation.tsx';

const step = 50;

interface Props {
  readonly features: readonly EvaluatedFlag[];
  readonly environments: readonly string[];
  readonly query?: string | undefined;
}

/** Lists the result of each flag in each environment. A result opens its explanation. */
export function PlaygroundResults({ features, environments, query }: Props) {
  const [most, setMost] = useState(step);
  const [explained, setExplained] = useState<{ readonly flag: EvaluatedFlag; readonly environment: string }>();
  const found = features.filter(({ name, projectId }) => matches(query, name, projectId));
  if (found.length === 0)
    return (
      <EmptyState title={features.length === 0 ? 'No flags in these projects' : 'No flags match'}>
        Select other projects, or try fewer words.
      </EmptyState>
    );
  return (
    <Stack>
      <Muted aria-live="polite">{found.length === 1 ? '1 flag' : `${found.length} flags`}</Muted>
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
            cell: (flag: EvaluatedFlag) => (
              <Outcome flag={flag} environment={environment} onExplain={() => setExplained({ flag, environment })} />
            ),
          })),
        ]}
      />
      {found.length > most && (
        <Button variant="default" onClick={() => setMost(most + step)}>
          Show more
        </Button>
      )}
      {explained !== undefined && (
        <SidePanel
          onClose={() => setExplained(undefined)}
          size={760}
          title={`${explained.flag.name} in ${explained.environment}`}
        >
          <Stack>
            {(explained.flag.environments[explained.environment] ?? []).map((result) => (
              <Explanation key={JSON.stringify(result.context)} result={result} />
            ))}
          </Stack>
        </SidePanel>
      )}
    </Stack>
  );
}

interface OutcomeProps {
  readonly flag: EvaluatedFlag;
  readonly environment: string;
  readonly onExplain: () => void;
}

function Outcome({ flag, environment, onExplain }: OutcomeProps) {
  const results = flag.environments[environment] ?? [];
  if (results.length === 0) return <Muted>Not in environment</Muted>;
  const on = results.filter(({ isEnabled }) => isEnabled).length;
  const words = on === results.length ? 'On' : on === 0 ? 'Off' : `On for ${on} of ${results.length}`;
  const held = results.some(({ lease }) => lease !== null);
  const variants = [...new Set(results.flatMap(({ variant }) => (variant?.enabled === true ? [variant.name] : [])))];
  return (
    <Group gap={6}>
      <Button
        size="compact-sm"
        variant={on === 0 ? 'default' : on === results.length ? 'filled' : 'light'}
        onClick={onExplain}
        leftSection={held && <IconLock size={14} aria-hidden />}
        aria-label={`${flag.name} in ${environment}: ${words}${held ? ', held' : ''}. Why?`}
      >
        {words}
        {held && ', held'}
      </Button>
      {variants.map((name) => (
        <Badge key={name} color="gray">
          {name}
        </Badge>
      ))}
    </Group>
  );
}
