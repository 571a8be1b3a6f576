import { Select } from '@mantine/core';
import { api } from '../../lib/api.ts';
import { counted } from '../../ui/counted.ts';
import { formatDateMinute, formatMinute } from '../../ui/dates.ts';
import { durations, endOf } from './durations.ts';
import { failuresOf, type Place, type PlaceFailure } from './failures-of.ts';
import { placeOf } from './held-group.ts';

const route = 'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override';
const noOverride = { value: 'none', label: 'Let automation act again' };

/** The initial choice of how long automation is kept off, in hours. */
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

/**
 * Places overrides that keep automation off flags for the chosen time. An override in force that ends later stays as it
 * is. Returns the failures.
 */
export async function keepAutomationOff(
  places: readonly Place[],
  hours: string,
  reason: string,
): Promise<PlaceFailure[]> {
  if (hours === noOverride.value || places.length === 0) return [];
  const end = endOf(hours);
  const later = placesWithOverrideUntil(end);
  return failuresOf(distinct(places), async (place) => {
    if ((await later).has(placeOf(place))) return;
    const { project: projectId, featureName, environment } = place;
    const params = { projectId, featureName, environment };
    await api(route, { params, body: { reason, endsAt: end, holds: 'keep' } });
  });
}

/** Returns the keys of the places whose override in force ends at `end` or later. */
async function placesWithOverrideUntil(end: string | null): Promise<ReadonlySet<string>> {
  const { overrides } = await api('GET /api/admin/automation-overrides');
  const later = overrides.filter(
    ({ endsAt }) => endsAt === null || (end !== null && Date.parse(endsAt) >= Date.parse(end)),
  );
  return new Set(later.map(placeOf));
}

/**
 * Returns a sentence that says until when automation leaves the flags alone, with a space before it. Returns an empty
 * text when no override is placed.
 */
export function keptOffText(places: readonly Place[], hours: string): string {
  const end = hours === noOverride.value ? null : endOf(hours);
  const count = distinct(places).length;
  if (end === null || count === 0) return '';
  const flags = count === 1 ? 'the flag' : counted(count, 'flag');
  return ` Automation leaves ${flags} alone until ${Number(hours) < 24 ? formatMinute(end) : formatDateMinute(end)}.`;
}

function distinct(places: readonly Place[]): Place[] {
  return [...new Map(places.map((place) => [placeOf(place), place])).values()];
}
