import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Environment, environmentsQuery } from '../../entities/environments/environment-queries.ts';
import { api } from '../../lib/api.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { CountOfLimit } from '../../ui/count-of-limit.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { CloneEnvironment } from './clone-environment.tsx';
import { EnvironmentForm } from './environment-form.tsx';
import { EnvironmentTable } from './environment-table.tsx';

/** The panel or dialog over the table. */
type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'edit' | 'clone' | 'remove'; readonly environment: Environment };

/** The environments, and their order. */
export function EnvironmentsPage() {
  const environments = useQuery(environmentsQuery);
  const { data: limits } = useQuery(limitsQuery);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const limit = limits?.environments;
  const count = environments.data?.length ?? 0;
  const taken = environments.data?.map(({ name }) => name) ?? [];
  return (
    <Page
      title={titleOf('/environments')}
      description="Flags have their own state and strategies in each environment. All pages use this order."
      actions={
        <Group gap="sm">
          <CountOfLimit count={environments.data?.length} limit={limit} noun="environment" />
          <NewButton
            needs="ADMIN"
            onClick={() => setOpen({ kind: 'new' })}
            disabled={limit !== undefined && count >= limit}
          >
            New environment
          </NewButton>
        </Group>
      }
    >
      <Loaded query={environments} rows={3}>
        {(list) => (
          <EnvironmentTable
            environments={list}
            onEdit={(environment) => setOpen({ kind: 'edit', environment })}
            onClone={(environment) => setOpen({ kind: 'clone', environment })}
            onRemove={(environment) => setOpen({ kind: 'remove', environment })}
          />
        )}
      </Loaded>
      {open?.kind === 'new' && <EnvironmentForm taken={taken} onClose={close} />}
      {open?.kind === 'edit' && <EnvironmentForm environment={open.environment} taken={taken} onClose={close} />}
      {open?.kind === 'clone' && <CloneEnvironment of={open.environment} taken={taken} onClose={close} />}
      {open?.kind === 'remove' && <RemoveEnvironment environment={open.environment} onClose={close} />}
    </Page>
  );
}

function RemoveEnvironment({
  environment: { name, apiTokenCount },
  onClose,
}: {
  readonly environment: Environment;
  readonly onClose: () => void;
}) {
  return (
    <Confirm
      title="Delete environment?"
      action="Delete environment"
      typed={name}
      run={() => api('DELETE /api/admin/environments/:name', { params: { name } })}
      changes={['GET /api/admin/environments']}
      onClose={onClose}
    >
      The strategies of all flags in <b>{name}</b> will be deleted
      {apiTokenCount > 0 &&
        `, and ${apiTokenCount === 1 ? 'its API token' : `its ${apiTokenCount} API tokens`}: applications that use them will lose access`}
      .
    </Confirm>
  );
}
