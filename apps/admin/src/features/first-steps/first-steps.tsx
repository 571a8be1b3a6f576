import { Button, Group, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { meQuery, useMay } from '../../lib/me.ts';
import { useReportError } from '../../ui/report-error.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { Muted } from '../../ui/text.tsx';
import { firstStepsQuery } from './first-steps-query.ts';
import { type Step, stepsOf } from './steps.tsx';

/** The id under which the server stores that the card is hidden. */
const id = 'first-steps';

/**
 * Guides the administrator of a new installation. Disappears when all steps have happened, or when the administrator
 * hides it.
 */
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
  const { data: progress } = useQuery({ ...firstStepsQuery, enabled: isVisible });
  if (!isVisible || progress === undefined) return null;
  const steps = stepsOf(progress);
  const next = steps.findIndex(({ done }) => !done);
  if (next < 0) return null;
  return (
    <SectionCard
      title="First steps"
      description="From the first flag to an alert that switches it, in ten minutes."
      actions={
        <Button variant="default" size="xs" onClick={() => hide.mutate()} loading={hide.isPending}>
          Hide
        </Button>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 4 }} spacing="xl">
        {steps.map((step, index) => (
          <StepItem key={step.title} step={step} number={index + 1} isNext={index === next} />
        ))}
      </SimpleGrid>
    </SectionCard>
  );
}

interface ItemProps {
  readonly step: Step;
  readonly number: number;
  readonly isNext: boolean;
}

function StepItem({ step: { title, why, done, link }, number, isNext }: ItemProps) {
  return (
    <Group align="flex-start" gap="sm" wrap="nowrap">
      <ThemeIcon variant={done ? 'filled' : 'light'} color={done ? 'teal.9' : 'sea'} radius="xl" size="md">
        {done ? <IconCheck size={16} aria-hidden /> : <span aria-hidden>{number}</span>}
      </ThemeIcon>
      <Stack gap={6} align="flex-start" flex={1}>
        <Text fw={600}>{title}</Text>
        <Muted>{why}</Muted>
        {done ? <Text size="sm">Done</Text> : link(isNext)}
      </Stack>
    </Group>
  );
}
