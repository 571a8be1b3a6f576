import { Button, Group, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../lib/api.ts';
import { meQuery, useMay } from '../../lib/me.ts';
import { ButtonLink } from '../../ui/link.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { type Numbers, statisticsQuery } from '../instance/statistics-query.ts';

/** The id under which the server stores that the card is hidden. */
const id = 'first-steps';

/** Guides the administrator of a new installation. Disappears when all steps are done or it is hidden. */
export function FirstSteps() {
  const may = useMay();
  const report = useReportError();
  const queries = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const hide = useMutation({
    mutationFn: () => api('POST /api/admin/splash/:id', { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: meQuery.queryKey }),
    onError: report,
  });
  const isVisible = may('ADMIN') && me?.splash?.[id] !== true && !hide.isSuccess;
  // The reader returns to this page right after completing a step.
  const { data: numbers } = useQuery({ ...statisticsQuery, enabled: isVisible, staleTime: 0 });
  if (!isVisible || numbers === undefined) return null;
  const steps = stepsOf(numbers);
  if (steps.every(({ done }) => done)) return null;
  return (
    <SectionCard
      title="First steps"
      description="Set up flags, connect an application and receive signals."
      actions={
        <Button variant="default" size="xs" onClick={() => hide.mutate()} loading={hide.isPending}>
          Hide
        </Button>
      }
    >
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="xl">
        {steps.map((step, index) => (
          <Step key={step.title} number={index + 1} {...step} />
        ))}
      </SimpleGrid>
    </SectionCard>
  );
}

interface StepProps {
  readonly title: string;
  readonly why: string;
  readonly done: boolean;
  /** The link to the page of the step. */
  readonly link: ReactNode;
}

function stepsOf({ featureToggles, apiTokens, signalEndpoints }: Numbers): readonly StepProps[] {
  return [
    {
      title: 'Create a feature flag',
      why: 'It is created in the project “Default” and is off at first.',
      done: featureToggles > 0,
      link: (
        <ButtonLink to="/projects/$projectId/create-flag" params={{ projectId: 'default' }} variant="light" size="xs">
          Create a flag
        </ButtonLink>
      ),
    },
    {
      title: 'Connect an application',
      why: 'SDKs authenticate with an API token. Use any Unleash SDK, or OpenFeature.',
      done: apiTokens.client + apiTokens.frontend > 0,
      link: (
        <ButtonLink to="/admin/api" variant="light" size="xs">
          Create an API token
        </ButtonLink>
      ),
    },
    {
      title: 'Receive signals',
      why: 'An alert can switch a flag off automatically. Alerts are sent to a signal endpoint.',
      done: signalEndpoints > 0,
      link: (
        <ButtonLink to="/integrations/signals" variant="light" size="xs">
          Add an endpoint
        </ButtonLink>
      ),
    },
  ];
}

function Step({ number, title, why, done, link }: StepProps & { readonly number: number }) {
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap">
      <ThemeIcon variant={done ? 'filled' : 'light'} color={done ? 'teal.9' : 'sea'} radius="xl" size="md">
        {done ? <IconCheck size={16} aria-hidden /> : <span aria-hidden>{number}</span>}
      </ThemeIcon>
      <Stack gap={6} align="flex-start" flex={1}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {why}
        </Text>
        {done ? <Text size="sm">Done</Text> : link}
      </Stack>
    </Group>
  );
}
