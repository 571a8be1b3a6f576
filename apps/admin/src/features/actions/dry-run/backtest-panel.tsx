import { Button, Card, Code, Group, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionsQuery } from '../../../entities/actions/action-queries.ts';
import { type Answer, ApiError, api } from '../../../lib/api.ts';
import { errorsByField, formErrorMessage } from '../../../lib/error-messages.ts';
import { FormError } from '../../../ui/form-error.tsx';
import { TextLink } from '../../../ui/link.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Muted, Strong } from '../../../ui/text.tsx';
import type { RunTrial } from './run-trial.ts';

type Backtest = Answer<'POST /api/admin/projects/:projectId/actions/backtest'>;

interface Props {
  readonly projectId: string;
  readonly forEach: string;
  readonly runTrial: RunTrial;
}

const maxShown = 50;

/** Shows on which received signals a draft would have run. */
export function BacktestPanel({ projectId, forEach, runTrial }: Props) {
  const [days, setDays] = useState<number | string>(7);
  const testing = useMutation({
    mutationFn: () =>
      runTrial((set) =>
        api('POST /api/admin/projects/:projectId/actions/backtest', {
          params: { projectId },
          body: { set, days: Number(days) },
        }),
      ),
  });
  const { error } = testing;
  return (
    <Stack gap="sm">
      <Group align="flex-end" gap="sm">
        <NumberInput
          label="Days to look back"
          w={170}
          min={1}
          max={365}
          clampBehavior="none"
          allowDecimal={false}
          value={days}
          onChange={setDays}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // By default, Enter submits the form around this panel.
            event.preventDefault();
            testing.mutate();
          }}
          error={error instanceof ApiError ? errorsByField(error, ['days']).fields.days : undefined}
        />
        <Button variant="default" onClick={() => testing.mutate()} loading={testing.isPending}>
          Backtest
        </Button>
      </Group>
      <FormError>{error === null ? undefined : formErrorMessage(error)}</FormError>
      {testing.data !== undefined && <Found projectId={projectId} forEach={forEach} backtest={testing.data} />}
    </Stack>
  );
}

interface FoundProps {
  readonly projectId: string;
  readonly forEach: string;
  readonly backtest: Backtest;
}

function Found({ projectId, forEach, backtest: { signals, runs, truncated, matches } }: FoundProps) {
  return (
    <Stack gap="sm" role="status" aria-label="Backtest result">
      <Strong>
        It would have run {times(runs)} on {signals} {signals === 1 ? 'signal' : 'signals'}
        {truncated ? ', the newest of them' : ''}.
      </Strong>
      {matches.slice(0, maxShown).map((match) => (
        <Match key={`${match.signalId} ${match.element}`} projectId={projectId} forEach={forEach} match={match} />
      ))}
      {runs > maxShown && <Muted>Only the newest {maxShown} are shown.</Muted>}
    </Stack>
  );
}

interface MatchProps {
  readonly projectId: string;
  readonly forEach: string;
  readonly match: Backtest['matches'][number];
}

function Match({ projectId, forEach, match: { signalId, createdAt, element, actions } }: MatchProps) {
  const { data: definitions } = useQuery(definitionsQuery(projectId));
  return (
    <Card withBorder padding="sm">
      <Stack gap={6}>
        <Group justify="space-between" gap="xs">
          <Text size="sm" component="span">
            <TextLink to="/history" search={{ received: signalId }} size="sm" underline="always" target="_blank">
              Signal {signalId}
            </TextLink>
            {element !== null && `, ${forEach}[${element}]`}
          </Text>
          <Muted component="span">
            <RelativeTime at={createdAt} />
          </Muted>
        </Group>
        {actions.map(({ action, executionParams, problem }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two actions may be alike, and they never move
          <Stack key={index} gap={4}>
            <Text size="sm">{definitions?.[action]?.label ?? action}</Text>
            <Group gap={6}>
              {Object.entries(executionParams)
                .filter(([name]) => name !== 'project')
                .map(([name, value]) => (
                  <Code key={name} style={{ overflowWrap: 'anywhere' }}>
                    {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
                  </Code>
                ))}
            </Group>
            {problem !== null && (
              <Text size="sm" c="var(--mantine-color-error)">
                {problem}
              </Text>
            )}
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}

function times(runs: number): string {
  if (runs === 0) return '0 times';
  return runs === 1 ? 'once' : `${runs} times`;
}
