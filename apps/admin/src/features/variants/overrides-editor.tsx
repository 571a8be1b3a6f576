import { Autocomplete, Button, Group, Stack, TagsInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ContextField } from '../../entities/constraints/context-queries.ts';
import { RemoveButton } from '../../ui/remove-button.tsx';
import { RowName } from '../../ui/text.tsx';
import { newOverride, type OverrideDraft } from './draft.ts';

interface Props {
  readonly overrides: readonly OverrideDraft[];
  readonly fields: readonly ContextField[];
  /** The variant by its position, for labels: "variant 1". */
  readonly of: string;
  /** Returns the error at a path below the overrides: `0.values`. */
  readonly problemAt: (path: string) => string | undefined;
  readonly onChange: (overrides: readonly OverrideDraft[]) => void;
}

/** Edits the overrides of a variant: users with certain context values always get the variant. */
export function OverridesEditor({ overrides, fields, of, problemAt, onChange }: Props) {
  const change = (next: OverrideDraft) =>
    onChange(overrides.map((override) => (override.key === next.key ? next : override)));
  return (
    <Stack gap="xs" mt="sm">
      {overrides.length > 0 && <RowName>Always for users where</RowName>}
      {overrides.map((override, index) => (
        <Group
          key={override.key}
          gap="xs"
          align="flex-start"
          role="group"
          aria-label={`Override ${index + 1} of ${of}`}
        >
          <Autocomplete
            aria-label="Context field"
            placeholder="Context field"
            data={fields.map(({ name }) => name)}
            value={override.contextName}
            onChange={(contextName) => change({ ...override, contextName })}
            error={problemAt(`${index}.contextName`)}
            limit={100}
            w={{ base: '100%', xs: 180 }}
          />
          <TagsInput
            aria-label="Values"
            placeholder={override.values.length === 0 ? 'is one of' : ''}
            data={legalValues(fields, override.contextName)}
            value={[...override.values]}
            onChange={(values) => change({ ...override, values })}
            error={problemAt(`${index}.values`)}
            splitChars={[',']}
            maxTags={1000}
            flex={1}
            miw={160}
          />
          <RemoveButton
            color="red"
            mt={4}
            onClick={() => onChange(overrides.filter(({ key }) => key !== override.key))}
            label={`Remove override ${index + 1} of ${of}`}
          />
        </Group>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...overrides, newOverride()])}
        style={{ alignSelf: 'flex-start' }}
      >
        Add override
      </Button>
    </Stack>
  );
}

function legalValues(fields: readonly ContextField[], name: string): string[] {
  const values = fields.find((field) => field.name === name)?.legalValues ?? [];
  return [...new Set(values.map(({ value }) => value))];
}
