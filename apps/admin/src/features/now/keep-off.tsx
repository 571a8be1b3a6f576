import { Select } from '@mantine/core';
import { api } from '../../lib/api.ts';
import { durations, endOf } from './durations.ts';
import { failuresOf, type Place } from './failures-of.ts';

const route = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
const noOverride = { value: 'none', label: 'Let automation act again' };

/** How long automation is kept off at first, in hours. */
export const firstHours = '1';

interface SelectProps {
  readonly value: string;
  readonly onChange: (hours: string) => void;
}

/** Asks how long automation is kept off, so that the next signal does not undo what a person decided. */
export function KeepOffSelect({ value, onChange }: SelectProps) {
  return (
    <Select
      label="Then keep automation off"
      description="Otherwise the next signal may do the same again."
      data={[...durations.map((duration) => ({ value: duration.value, label: `For ${duration.label}` })), noOverride]}
      value={value}
      onChange={(chosen) => onChange(chosen ?? firstHours)}
      allowDeselect={false}
      mb="sm"
    />
  );
}

/** Keeps automation off flags for the chosen time, and returns what failed, in words. */
export async function keepAutomationOff(places: readonly Place[], hours: string, reason: string): Promise<string[]> {
  if (hours === noOverride.value) return [];
  const distinct = new Map(places.map((place) => [`${place.environment}/${place.featureName}`, place]));
  return failuresOf([...distinct.values()], ({ project: projectId, featureName, environment }) => {
    const params = { projectId, featureName, environment };
    return api(route, { params, body: { reason, endsAt: endOf(hours), holds: 'keep' } });
  });
}
