import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { longestChangeReason } from '@yardarm/contract/permissions';
import { projectOverviewQuery } from '../flags/flag-queries.ts';

export interface ReasonFieldProps {
  readonly projectId: string;
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** The reason for a change, in dialogs and pages that change flags. Optional unless the project requires a reason. */
export function ReasonField({ projectId, value, onChange }: ReasonFieldProps) {
  const { data } = useQuery(projectOverviewQuery(projectId));
  const rule = data?.changeReason;
  return (
    <TextInput
      label="Reason"
      description={
        rule?.required === true && rule.pattern !== null
          ? `Must contain a match of ${rule.pattern}`
          : 'Recorded with the change.'
      }
      withAsterisk={rule?.required === true}
      maxLength={longestChangeReason}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
