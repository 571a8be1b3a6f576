import { Anchor, Button, Card, Checkbox, Group, Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Change } from '../../entities/change-requests/change.ts';
import { useEditing } from '../../entities/change-requests/edited-change.ts';
import {
  type ChangeRequest,
  openStates,
  type RequestedFlagChange,
} from '../../entities/change-requests/request-queries.ts';
import { ReopenNote } from '../../entities/change-requests/save-buttons.tsx';
import { type Dependency, DependencyDialog } from '../../entities/flag-dependencies/edit-dependency.tsx';
import type { Flag } from '../../entities/flags/flag-queries.ts';
import { meQuery } from '../../lib/me.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Sortable, useSortableItem } from '../../ui/sortable.tsx';
import { strategyName } from './compare-change.ts';

/** Returns whether the user may edit a change request: only its author may, while the request is open. */
export function useMayEdit({ state, createdBy }: ChangeRequest): boolean {
  const { data: me } = useQuery(meQuery);
  return openStates.includes(state) && me?.user.id === createdBy.id;
}

interface Props {
  readonly request: ChangeRequest;
  readonly change: RequestedFlagChange;
  /** The current flag, once it is loaded. */
  readonly flag: Flag | undefined;
  readonly featureName: string;
}

const pages: Readonly<Record<string, string>> = {
  addStrategy: '/projects/$projectId/features/$featureName/strategies/create',
  updateStrategy: '/projects/$projectId/features/$featureName/strategies/edit',
  patchVariant: '/projects/$projectId/features/$featureName/variants',
};

/** Opens the form of a requested change. Deletions have no form: they can only be removed from the request. */
export function EditChange({ request, change, flag, featureName }: Props) {
  const [open, setOpen] = useState(false);
  const { id: changeId, action, payload } = change;
  if (!useMayEdit(request)) return null;
  const page = pages[action];
  if (page !== undefined) {
    const { id: strategyId } = payload as { readonly id?: string };
    return (
      <TextLink
        to={page}
        params={{ projectId: request.project, featureName }}
        search={{
          environmentId: request.environment,
          changeRequestId: request.id,
          changeId,
          ...(strategyId === undefined ? {} : { strategyId }),
        }}
        size="sm"
        aria-label="Edit the change"
      >
        Edit
      </TextLink>
    );
  }
  const Form = forms[action];
  if (Form === undefined || flag === undefined) return null;
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={() => setOpen(true)} aria-label="Edit the change">
        Edit
      </Anchor>
      {open && <Form request={request} change={change} flag={flag} onClose={() => setOpen(false)} />}
    </>
  );
}

interface FormProps {
  readonly request: ChangeRequest;
  readonly change: RequestedFlagChange;
  readonly flag: Flag;
  readonly onClose: () => void;
}

const forms: Readonly<Record<string, (props: FormProps) => ReactNode>> = {
  updateEnabled: SwitchForm,
  reorderStrategy: OrderForm,
  addDependency: DependencyForm,
};

type Payload<A extends Change['action']> = Extract<Change, { readonly action: A }>['payload'];

function SwitchForm({ request, change, flag, onClose }: FormProps) {
  const editing = useEditing(request.project, { requestId: request.id, id: change.id });
  const { enabled, shouldActivateDisabledStrategies = false } = change.payload as Payload<'updateEnabled'>;
  const form = useForm({ initialValues: { enabled, shouldActivateDisabledStrategies } });
  const saving = useSaving(form, {
    save: (values) =>
      editing.mutateAsync({
        action: 'updateEnabled',
        feature: flag.name,
        payload: values.enabled ? values : { enabled: false },
      }),
    changes: [],
    onSaved: onClose,
  });
  return (
    <FormDialog title={`Switch ${flag.name}`} save="Save change" saving={saving} onClose={onClose}>
      <Switch
        label={`${flag.name} is on in ${request.environment}`}
        data-autofocus
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      {form.values.enabled && (
        <Checkbox
          label="Enable its disabled strategies"
          description="If off and all strategies are disabled, the flag gets the default strategy."
          {...form.getInputProps('shouldActivateDisabledStrategies', { type: 'checkbox' })}
        />
      )}
      <ReopenNote request={request} />
    </FormDialog>
  );
}

function OrderForm({ request, change, flag, onClose }: FormProps) {
  const editing = useEditing(request.project, { requestId: request.id, id: change.id });
  const strategies = flag.environments.find(({ name }) => name === request.environment)?.strategies ?? [];
  const places = change.payload as Payload<'reorderStrategy'>;
  const placeOf = (id: string) => places.find((place) => place.id === id)?.sortOrder ?? Number.POSITIVE_INFINITY;
  const form = useForm({
    // Strategies that were added after the request come last.
    initialValues: { order: strategies.map(({ id }) => id).sort((a, b) => placeOf(a) - placeOf(b)) },
  });
  const saving = useSaving(form, {
    save: ({ order }) =>
      editing.mutateAsync({
        action: 'reorderStrategy',
        feature: flag.name,
        payload: order.map((id, sortOrder) => ({ id, sortOrder })),
      }),
    changes: [],
    onSaved: onClose,
  });
  const nameOf = (id: string) => {
    const strategy = strategies.find((present) => present.id === id);
    return strategy === undefined ? id : strategyName(strategy);
  };
  const { order } = form.values;
  return (
    <FormDialog title={`Reorder the strategies of ${flag.name}`} save="Save change" saving={saving} onClose={onClose}>
      <Sortable ids={order} onReorder={(next) => form.setFieldValue('order', [...next])} nameOf={nameOf}>
        <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
          {order.map((id) => (
            <OrderItem key={id} id={id} name={nameOf(id)} />
          ))}
        </Stack>
      </Sortable>
      <ReopenNote request={request} />
    </FormDialog>
  );
}

function OrderItem({ id, name }: { readonly id: string; readonly name: string }) {
  const { ref, style, handle } = useSortableItem(id, name);
  return (
    <Card component="li" ref={ref} withBorder padding="xs" style={style}>
      <Group gap="xs" wrap="nowrap">
        {handle}
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      </Group>
    </Card>
  );
}

function DependencyForm({ request, change, flag, onClose }: FormProps) {
  const editing = useEditing(request.project, { requestId: request.id, id: change.id });
  return (
    <DependencyDialog flag={flag} before={change.payload as Dependency} error={editing.error} onClose={onClose}>
      {(payload) => (
        <Button
          onClick={() =>
            payload !== undefined &&
            editing.mutate({ action: 'addDependency', feature: flag.name, payload }, { onSuccess: onClose })
          }
          loading={editing.isPending}
          disabled={payload === undefined}
        >
          Save change
        </Button>
      )}
    </DependencyDialog>
  );
}
