import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { featureTypesQuery } from '../../entities/flags/flag-queries.ts';

interface Props {
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (type: FeatureType) => void;
}

const ids = ['release', 'experiment', 'operational', 'kill-switch', 'permission', 'sunset'] as const;
/** The built-in flag types (docs/spec#flag-types). */
export type FeatureType = (typeof ids)[number];

/** Returns the name of a type where the types are not loaded: "Kill switch". */
export function typeName(type: string): string {
  return type.charAt(0).toUpperCase() + type.slice(1).replaceAll('-', ' ');
}

/** Selects the type of a flag, which sets its expected lifetime. */
export function TypeSelect({ value, error, onChange }: Props) {
  const { data: types } = useQuery(featureTypesQuery);
  const chosen = types?.find(({ id }) => id === value);
  const lifetime = chosen?.lifetimeDays ? `Expected lifetime: ${chosen.lifetimeDays} days.` : 'Unlimited lifetime.';
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
