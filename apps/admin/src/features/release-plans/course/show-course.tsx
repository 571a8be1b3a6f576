import { Button, Skeleton, Stack } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { lazy, Suspense, useId, useState } from 'react';
import type { Place, Plan } from '../../../entities/release-plans/plan-queries.ts';

const PlanCourse = lazy(async () => ({ default: (await import('./plan-course.tsx')).PlanCourse }));

/** A button that shows the course of a release plan below it. */
export function ShowCourse({ plan, place }: { readonly plan: Plan; readonly place: Place }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  return (
    <Stack gap="xs">
      <Button
        variant="subtle"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<IconChartLine size={14} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? 'Hide course' : 'Show course'}
      </Button>
      <div id={id}>
        {isOpen && (
          <Suspense fallback={<Skeleton height={280} />}>
            <PlanCourse plan={plan} place={place} />
          </Suspense>
        )}
      </div>
    </Stack>
  );
}
