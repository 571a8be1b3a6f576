import { Button, NumberInput, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { featureTypesQuery } from '../../entities/flags/flag-queries.ts';
import { type Answer, api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { Listing } from '../../ui/listing.tsx';
import { NameCell } from '../../ui/name-cell.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { Permitted } from '../../ui/permitted.tsx';

type FeatureType = Answer<'GET /api/admin/feature-types'>['types'][number];

/** The flag types and their expected lifetimes. */
export function FeatureTypesPage() {
  const types = useQuery(featureTypesQuery);
  const [edited, setEdited] = useState<FeatureType>();
  return (
    <Page
      title={titleOf('/feature-toggle-type')}
      description="Flags older than the expected lifetime of their type are marked as potentially stale."
    >
      <Listing
        query={types}
        rows={types.data}
        rowKey={({ id }) => id}
        columns={[
          { header: 'Name', cell: ({ name, description }) => <NameCell name={name}>{description}</NameCell> },
          { header: 'Lifetime', breaks: 'never', cell: ({ lifetimeDays }) => lifetimeInWords(lifetimeDays) },
          {
            label: 'Actions',
            width: 80,
            cell: (type) => <EditButton name={type.name} onClick={() => setEdited(type)} />,
          },
        ]}
      />
      {edited !== undefined && <LifetimeForm type={edited} onClose={() => setEdited(undefined)} />}
    </Page>
  );
}

function EditButton({ name, onClick }: { readonly name: string; readonly onClick: () => void }) {
  return (
    <Permitted needs="ADMIN">
      <Button size="compact-sm" variant="default" onClick={onClick} aria-label={`Edit ${name}`}>
        Edit
      </Button>
    </Permitted>
  );
}

function lifetimeInWords(days: number | null): string {
  if (days === null || days === 0) return 'Unlimited';
  return days === 1 ? '1 day' : `${days} days`;
}

function LifetimeForm({ type, onClose }: { readonly type: FeatureType; readonly onClose: () => void }) {
  const form = useForm({
    initialValues: { livesOn: type.lifetimeDays === null, lifetimeDays: type.lifetimeDays ?? (40 as number | string) },
    validate: {
      lifetimeDays: (days, { livesOn }) =>
        livesOn || (typeof days === 'number' && days >= 1) ? null : 'Enter a number of days.',
    },
  });
  const saving = useSaving(form, {
    save: ({ livesOn, lifetimeDays }) =>
      api('PUT /api/admin/feature-types/:id/lifetime', {
        params: { id: type.id },
        body: { lifetimeDays: livesOn ? null : Number(lifetimeDays) },
      }),
    changes: ['GET /api/admin/feature-types'],
    notice: `Lifetime of ${type.name} flags saved`,
    onSaved: onClose,
  });
  return (
    <FormDrawer title={`Edit ${type.name}`} save="Save lifetime" saving={saving} onClose={onClose}>
      <Text size="sm">{type.description}</Text>
      <Switch label="Unlimited lifetime" {...form.getInputProps('livesOn', { type: 'checkbox' })} />
      {!form.values.livesOn && (
        <NumberInput
          label="Expected lifetime in days"
          min={1}
          max={2147483647}
          allowDecimal={false}
          data-autofocus
          {...form.getInputProps('lifetimeDays')}
        />
      )}
    </FormDrawer>
  );
}
