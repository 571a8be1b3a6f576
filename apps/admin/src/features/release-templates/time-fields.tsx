import { Group, NumberInput, Select, Stack } from '@mantine/core';
import { HoursEditor } from '../../entities/hours/hours-editor.tsx';
import { anHour, mostOf, type TimeDraft, type Unit } from './time-draft.ts';

interface Props {
  readonly time: TimeDraft | null;
  /** The errors, by the path inside the milestone: `transitionCondition.intervalMinutes`. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (time: TimeDraft | null) => void;
}

const starts = [
  { value: 'time', label: 'After a time' },
  { value: 'person', label: 'When a person starts it' },
];
const units: readonly Unit[] = ['minutes', 'hours', 'days'];

/** Edits the time after which, and the hours at which, the next milestone starts. */
export function TimeFields({ time, problems, onChange }: Props) {
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start">
        <Select
          label="Next milestone starts"
          data={starts}
          value={time === null ? 'person' : 'time'}
          onChange={(start) => onChange(start === 'person' ? null : (time ?? anHour))}
          allowDeselect={false}
          w={220}
        />
        {time !== null && (
          <>
            <NumberInput
              label="Time at this milestone"
              min={1}
              max={mostOf(time.unit)}
              value={time.count}
              onChange={(count) => onChange({ ...time, count })}
              error={problems['transitionCondition.intervalMinutes']}
              w={180}
            />
            <Select
              label="Unit"
              data={[...units]}
              value={time.unit}
              onChange={(unit) => unit !== null && onChange({ ...time, unit })}
              allowDeselect={false}
              w={110}
            />
          </>
        )}
      </Group>
      {time !== null && (
        <HoursEditor
          hours={time.hours}
          description="At other times the next milestone does not start by itself: not on Friday night."
          problems={hoursProblems(problems)}
          onChange={(hours) => onChange({ ...time, hours })}
        />
      )}
    </Stack>
  );
}

/**
 * Returns the errors with the paths that the hours editor expects: `guards.hours.days` for
 * `transitionCondition.hours.days`.
 */
function hoursProblems(problems: Props['problems']): Props['problems'] {
  return Object.fromEntries(
    Object.entries(problems).map(([path, problem]) => [path.replace(/^transitionCondition\./, 'guards.'), problem]),
  );
}
