import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { featureTypesQuery } from './flag-queries.ts';

interface Props {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (type: FeatureType) => void;
}

const ids = ['release', 'experiment', 'operational', 'kill-switch', 'permission', 'sunset'] as const;
/** The types that there are (docs/spec#flag-types). */
export type FeatureType = (typeof ids)[number];

/** What a type is called where all types are not at hand: "Kill switch". */
export function typeName(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll('-', ' ');
}

/** What a flag is for, which says how long it is expected to live. */
export function TypeSelect({ value, error, onChange }: Props) {
  const { data: types } = useQuery(featureTypesQuery);
  const chosen = types?.find(({ id }) => id === value);
  const lifetime = chosen?.lifetimeDays
    ? `Expected to live ${chosen.lifetimeDays} days.`
    : 'Expected to stay for good.';
  return (
    <Select
      label="Flag type"
      description={chosen === undefined ? undefined : `${chosen.description} ${lifetime}`}
      data={(types ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={(id) => {
        const type = ids.find((known) => known === id);
        if (type !== undefined) onChange(type);
      }}
      error={error}
      allowDeselect={false}
    />
  );
}
