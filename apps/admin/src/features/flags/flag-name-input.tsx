import { Code, Loader, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { projectOverviewQuery } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { errorsByField } from '../../lib/error-messages.ts';
import { Hint } from '../../ui/text.tsx';

interface Props {
  readonly projectId: string;
  readonly label: string;
  readonly value: string;
  /** The error of the server after submitting. */
  readonly error?: string | undefined;
  /** Whether the flag is being created; its name is not validated then. */
  readonly making: boolean;
  readonly onChange: (name: string) => void;
}

/** The name of a new flag. It is validated while typing: unique, and matching the naming pattern of the project. */
export function FlagNameInput({ projectId, label, value, error, making, onChange }: Props) {
  const [settled] = useDebouncedValue(value, 300);
  const current = settled === value && value !== '';
  const { data: project } = useQuery(projectOverviewQuery(projectId));
  const checked = useQuery({
    queryKey: ['POST /api/admin/features/validate', projectId, settled],
    queryFn: async () => {
      await api('POST /api/admin/features/validate', { body: { name: settled, projectId } });
      return true;
    },
    // A name that was refused on submit is not validated again.
    enabled: !making && current && error === undefined,
    staleTime: 0,
  });
  const found = current && checked.error !== null ? errorsByField(checked.error, ['name']) : undefined;
  const naming = project?.featureNaming;
  return (
    <Stack gap={4}>
      <TextInput
        label={label}
        description="Code uses this name. It must be unique in all projects and cannot be changed later."
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        error={found === undefined ? error : (found.fields.name ?? found.rest)}
        rightSection={checked.isFetching ? <Loader size={16} aria-hidden /> : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        required
        data-autofocus
      />
      {naming?.pattern != null && naming.pattern !== '' && (
        <Hint component="div">
          Names in this project match <Code>{naming.pattern}</Code>
          {naming.example ? (
            <>
              , such as <Code>{naming.example}</Code>
            </>
          ) : null}
          .{naming.description ? ` ${naming.description}` : ''}
        </Hint>
      )}
    </Stack>
  );
}
