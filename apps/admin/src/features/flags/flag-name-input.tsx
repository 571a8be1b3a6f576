import { Code, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { byField } from '../../lib/problems.ts';
import { projectOverviewQuery } from './flag-queries.ts';

interface Props {
  readonly projectId: string;
  readonly label: string;
  readonly value: string;
  /** What the server said of it when it was sent. */
  readonly error?: string | undefined;
  /** Whether the flag is being made: then its name is no longer asked about. */
  readonly making: boolean;
  readonly onChange: (name: string) => void;
}

/** The name of a flag that is made: whether it is free and fits the project's naming pattern is told as it is typed. */
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
    // What was refused when it was sent need not be asked again.
    enabled: !making && current && error === undefined,
    staleTime: 0,
  });
  const found = current && checked.error !== null ? byField(checked.error, ['name']) : undefined;
  const naming = project?.featureNaming;
  return (
    <Stack gap={4}>
      <TextInput
        label={label}
        description="Code asks for the flag by this name. It is unique in all projects and cannot be changed."
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
        <Text size="xs" c="dimmed" component="div">
          Names in this project match <Code>{naming.pattern}</Code>
          {naming.example ? (
            <>
              , such as <Code>{naming.example}</Code>
            </>
          ) : null}
          .{naming.description ? ` ${naming.description}` : ''}
        </Text>
      )}
    </Stack>
  );
}
