import { Chip, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { ownTimeZone } from '../../ui/dates.ts';
import type { Hours } from './guards.ts';

interface Props {
  /** Null when there is no restriction to certain hours. */
  readonly hours: Hours | null;
  /** Says what happens at other times. */
  readonly description: string;
  /** The errors, by path: `guards.hours.days`. */
  readonly problems: Readonly<Record<string, unknown>>;
  readonly onChange: (hours: Hours | null) => void;
}

const days = [
  ['mon', 'Mon'],
  ['tue', 'Tue'],
  ['wed', 'Wed'],
  ['thu', 'Thu'],
  ['fri', 'Fri'],
  ['sat', 'Sat'],
  ['sun', 'Sun'],
] as const;

/** Returns office hours in the time zone of the user. */
const officeHours = (): Hours => ({
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '09:00',
  to: '17:00',
  timeZone: ownTimeZone(),
});

/** Edits the days of the week and the time of day to which something is restricted. */
export function HoursEditor({ hours, description, problems, onChange }: Props) {
  const problemOf = (name: string) => textOf(problems[`guards.hours.${name}`]);
  return (
    <Stack gap="xs" role="group" aria-label="Hours">
      <Switch
        label="Only at certain hours"
        description={description}
        checked={hours !== null}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? officeHours() : null)}
      />
      {hours !== null && (
        <>
          <Chip.Group
            multiple
            value={[...hours.days]}
            onChange={(chosen) =>
              onChange({ ...hours, days: days.flatMap(([day]) => (chosen.includes(day) ? [day] : [])) })
            }
          >
            <Group gap={6}>
              {days.map(([day, label]) => (
                <Chip key={day} value={day} size="sm">
                  {label}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
          {problemOf('days') !== undefined && (
            <Text size="xs" c="red" role="alert">
              {problemOf('days')}
            </Text>
          )}
          <Group gap="sm" align="flex-start">
            <TextInput
              type="time"
              label="From"
              value={hours.from}
              onChange={({ currentTarget }) => onChange({ ...hours, from: currentTarget.value })}
              error={problemOf('from')}
            />
            <TextInput
              type="time"
              label="To"
              value={hours.to}
              onChange={({ currentTarget }) => onChange({ ...hours, to: currentTarget.value })}
              error={problemOf('to')}
            />
            <Select
              label="Time zone"
              data={[...new Set([hours.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
              value={hours.timeZone}
              onChange={(timeZone) => timeZone !== null && onChange({ ...hours, timeZone })}
              error={problemOf('timeZone')}
              searchable
              limit={100}
            />
          </Group>
        </>
      )}
    </Stack>
  );
}

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);
