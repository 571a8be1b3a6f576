import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ProjectChoice } from './template-projects.ts';

interface Props {
  readonly choices: readonly ProjectChoice[];
  /** Empty for all projects. */
  readonly value: string;
  readonly error?: ReactNode;
  readonly onChange: (value: string) => void;
}

/** The choice of the project whose flags can use a release template. Adds a value that is not among the choices. */
export function ProjectField({ choices, value, error, onChange }: Props) {
  const isListed = choices.some((choice) => choice.value === value);
  const present = { value, label: value === '' ? 'All projects' : value };
  return (
    <Select
      label="Project"
      description="The project whose flags can use the template."
      data={isListed ? [...choices] : [present, ...choices]}
      allowDeselect={false}
      searchable
      value={value}
      onChange={(chosen) => onChange(chosen ?? '')}
      error={error}
    />
  );
}
