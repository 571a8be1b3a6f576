import { Checkbox, Fieldset, SimpleGrid, Stack } from '@mantine/core';
import type { Permission } from '../../entities/roles/role-queries.ts';
import { isTickedTogether, keyOf, type PermissionGroup } from './permission-groups.ts';

interface Props {
  readonly groups: readonly PermissionGroup[];
  /** The keys of the granted permissions. */
  readonly chosen: ReadonlySet<string>;
  /** Called when permissions are ticked or cleared. The checkboxes are read-only when absent. */
  readonly onChange?: (permissions: readonly Permission[], on: boolean) => void;
}

/** The permissions of a role as checkboxes. Each group has a checkbox that ticks all its permissions. */
export function PermissionMatrix({ groups, chosen, onChange }: Props) {
  return (
    <Stack>
      {groups.map((group) => (
        <Group key={group.title} group={group} chosen={chosen} onChange={onChange} />
      ))}
    </Stack>
  );
}

interface GroupProps extends Pick<Props, 'chosen'> {
  readonly group: PermissionGroup;
  readonly onChange: Props['onChange'] | undefined;
}

function Group({ group: { title, permissions }, chosen, onChange }: GroupProps) {
  const count = permissions.filter((permission) => chosen.has(keyOf(permission))).length;
  const together = permissions.filter(isTickedTogether);
  const all = together.every((permission) => chosen.has(keyOf(permission)));
  return (
    <Fieldset
      legend={
        <Checkbox
          label={`${title} (${count} of ${permissions.length})`}
          fw={600}
          checked={all}
          indeterminate={count > 0 && !all}
          disabled={onChange === undefined}
          onChange={() => (all ? onChange?.(permissions, false) : onChange?.(together, true))}
        />
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        {permissions.map((permission) => (
          <Checkbox
            key={keyOf(permission)}
            label={permission.displayName === '' ? permission.name : permission.displayName}
            {...(isTickedTogether(permission)
              ? {}
              : { description: 'Bypasses review, so it must be selected separately.' })}
            checked={chosen.has(keyOf(permission))}
            disabled={onChange === undefined}
            onChange={({ currentTarget }) => onChange?.([permission], currentTarget.checked)}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}
