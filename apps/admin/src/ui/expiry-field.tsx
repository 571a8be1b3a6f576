import { Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { serverNow } from '../lib/server-time.ts';

interface Props {
  /** ISO 8601, or null for no expiry. */
  readonly value?: string | null;
  readonly onChange: (value: string | null) => void;
  readonly error?: string | undefined;
  /** Whether "Never" is offered. */
  readonly optional?: boolean;
  /** The highest number of days from now; absent for no limit. */
  readonly maxDays?: number | undefined;
}

const day = 86_400_000;
const usualLengths = [7, 30, 90, 365];

/** Returns the numbers of days that are offered: the usual ones within the limit, and the limit. */
function lengthsWithin(maxDays: number | undefined): readonly number[] {
  if (maxDays === undefined) return usualLengths;
  return [...usualLengths.filter((days) => days < maxDays), maxDays];
}

function inWords(days: number): string {
  if (days === 365) return 'In a year';
  return days === 1 ? 'In 1 day' : `In ${days} days`;
}

/** Returns the time in this number of days from now, as ISO 8601. */
export function inDays(days: number): string {
  return new Date(serverNow() + days * day).toISOString();
}

/**
 * Returns the choice that fits a time: `never`; the offered number of days if the time is that far ahead, within a
 * minute; `date` for all other times.
 */
function choiceOf(value: string | null, lengths: readonly number[]): string {
  if (value === null) return 'never';
  const left = Date.parse(value) - serverNow();
  return `${lengths.find((days) => Math.abs(left - days * day) < 60_000) ?? 'date'}`;
}

/** Returns the date in this number of days from now. */
function lastDay(days: number): string {
  return inDays(days).slice(0, 10);
}

/** Returns the error of an expiry that is not in the future; null otherwise. */
export function expiryProblem(value: string | null): string | null {
  return value !== null && Date.parse(value) <= serverNow() ? 'Must be in the future.' : null;
}

/** Chooses when a token or link expires: after some days, on a date, or never where `optional`. */
export function ExpiryField({ value = null, onChange, error, optional = false, maxDays }: Props) {
  const lengths = lengthsWithin(maxDays);
  const [choice, setChoice] = useState(() => choiceOf(value, lengths));
  const choose = (chosen: string | null) => {
    if (chosen === null) return;
    setChoice(chosen);
    if (chosen === 'never') onChange(null);
    else onChange(inDays(chosen === 'date' ? Math.min(30, maxDays ?? 30) : Number(chosen)));
  };
  return (
    <Group align="flex-start" grow>
      <Select
        label="Expires"
        value={choice}
        onChange={choose}
        allowDeselect={false}
        description={maxDays === undefined ? undefined : `At most ${maxDays === 1 ? '1 day' : `${maxDays} days`}.`}
        error={choice === 'date' ? undefined : error}
        data={[
          ...lengths.map((days) => ({ value: `${days}`, label: inWords(days) })),
          { value: 'date', label: 'On a date' },
          ...(optional ? [{ value: 'never', label: 'Never' }] : []),
        ]}
      />
      {choice === 'date' && (
        <TextInput
          label="Date"
          type="date"
          description={maxDays === undefined ? undefined : `At the latest ${lastDay(maxDays)}.`}
          max={maxDays === undefined ? undefined : lastDay(maxDays)}
          value={value?.slice(0, 10) ?? ''}
          onChange={({ currentTarget }) => {
            const ms = Date.parse(`${currentTarget.value}T23:59:59.000Z`);
            if (Number.isNaN(ms)) return;
            // The last day ends after the limit of a token that is created earlier in the day.
            const isLast = maxDays !== undefined && currentTarget.value === lastDay(maxDays);
            onChange(isLast ? inDays(maxDays) : new Date(ms).toISOString());
          }}
          error={error}
        />
      )}
    </Group>
  );
}
