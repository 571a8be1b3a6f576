import { Alert, Fieldset, Loader, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { ActionDefinitions, ActionSet } from '../../entities/actions/action-queries.ts';
import { latestSignalsQuery } from '../../entities/actions/action-queries.ts';
import type { EndpointSignal } from '../../entities/signals/signal-queries.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { useFocusFirstError } from '../../ui/focus-first-error.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Muted } from '../../ui/text.tsx';
import { type ActionSetDraft, bodyOfSet, draftOfSet, holdsFlags } from './action-draft.ts';
import { ActionsEditor } from './actions-editor.tsx';
import { AllowListEditor } from './allow-list-editor.tsx';
import { BlockedAlert } from './blocked.tsx';
import { EndFields } from './end-fields.tsx';
import { GuardsEditor } from './guards-editor.tsx';
import { namedPaths } from './payload-paths.ts';
import { SetFields } from './set-fields.tsx';
import { TriggerEditor } from './trigger-editor.tsx';
import { type ActionSetForm, useActionSetForm } from './use-action-set-form.ts';

const TrialPanel = lazy(() => import('./dry-run/trial-panel.tsx').then((module) => ({ default: module.TrialPanel })));

interface Props {
  readonly projectId: string;
  /** The set to edit; absent to create a new set. */
  readonly set?: ActionSet | undefined;
  /** The initial draft of a new set. */
  readonly from?: ActionSetDraft | undefined;
  /** The set that holds the flags which the new set releases. */
  readonly holding?: ActionSet | undefined;
  readonly definitions: ActionDefinitions;
  readonly onClose: () => void;
}

/**
 * Creates or edits an action set. Asks in this order: which sender, which alert, what happens to which flag, and when
 * it ends.
 */
export function ActionForm({ projectId, set, from, holding, definitions, onClose }: Props) {
  const form = useActionSetForm(from ?? draftOfSet(set), definitions);
  useFocusFirstError(form.errors);
  const bodyOf = (draft: ActionSetDraft) => bodyOfSet(draft, projectId, definitions);
  const saving = useSaving(form, {
    save: async (draft) => {
      const params = { projectId };
      const edited = bodyOf(draft);
      if (set === undefined) return api('POST /api/admin/projects/:projectId/actions', { params, body: edited });
      const { actions } = await api('GET /api/admin/projects/:projectId/actions', { params });
      const current = bodyOf(draftOfSet(actions.find(({ id }) => id === set.id) ?? set));
      const body = { ...current, ...editedFields({ loaded: bodyOf(form.getInitialValues()), edited, current }) };
      return api('PUT /api/admin/projects/:projectId/actions/:id', { params: { projectId, id: set.id }, body });
    },
    changes: ['GET /api/admin/projects/:projectId/actions', 'GET /api/admin/signal-endpoints'],
    notice: set === undefined ? 'Action created' : 'Action saved',
    onSaved: onClose,
  });
  const { sourceId, trigger, forEach } = form.values;
  const latest = useQuery({ ...latestSignalsQuery(Number(sourceId)), enabled: sourceId !== '' });
  useEachNewer('signals', latest.refetch, sourceId !== '');
  const signals = useMemo(
    () => latest.data?.filter(({ silence }) => silence === (trigger === 'silence')),
    [latest.data, trigger],
  );
  const [shown, setShown] = useState<number>();
  const signal = signals?.find(({ id }) => id === shown) ?? signals?.[0];
  const payloads = useMemo(() => payloadsOf(signals, signal), [signals, signal]);
  const paths = useMemo(() => namedPaths(payloads, forEach.trim()), [payloads, forEach]);
  return (
    <FormDrawer
      title={set === undefined ? 'New action' : 'Edit action'}
      save={set === undefined ? 'Create action' : 'Save action'}
      saving={saving}
      onClose={onClose}
      width={820}
    >
      <BlockedAlert blocked={set?.blocked ?? null} />
      {holding !== undefined && <ReleaseMode shadow={form.values.shadow} holding={holding} />}
      <TriggerEditor
        form={form}
        isNew={set === undefined && (from === undefined || from.sourceId === '')}
        signals={signals}
        signal={signal}
        payloads={payloads}
        paths={paths}
        onShow={setShown}
      />
      <ActionFields projectId={projectId} set={set} form={form} definitions={definitions} paths={paths} />
      {holdsFlags(form.values) && <EndFields form={form} paths={paths} />}
      <SetFields form={form} />
      <Fieldset legend="Advanced">
        <Stack gap="sm">
          <Switch
            label="Shadow mode"
            description="Runs are recorded, but change nothing."
            {...form.getInputProps('shadow', { type: 'checkbox' })}
          />
          <GuardsEditor
            guards={form.values.guards}
            problems={form.errors}
            onChange={(next) => form.setFieldValue('guards', next)}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend="Test">
        <Suspense fallback={<Loader size="sm" />}>
          <TrialPanel projectId={projectId} form={form} bodyOf={bodyOf} signals={signals ?? []} />
        </Suspense>
      </Fieldset>
    </FormDrawer>
  );
}

/** Says whether the releasing set is in shadow mode, compared with the set that holds the flags. */
function ReleaseMode({ shadow, holding: { name, shadow: holdsInShadow } }: { shadow: boolean; holding: ActionSet }) {
  const partner = holdsInShadow ? `“${name}” is in shadow mode and holds no flag.` : `“${name}” holds flags.`;
  const own = shadow
    ? 'This action is in shadow mode: it records what it would release, and releases nothing.'
    : 'This action is not in shadow mode: it releases flags.';
  const stays = shadow && !holdsInShadow;
  const later = shadow && holdsInShadow ? ' Turn shadow mode off in both together, or held flags stay held.' : '';
  return (
    <Alert color={stays ? 'orange' : 'gray'} variant="light" title={shadow ? 'In shadow mode' : 'Not in shadow mode'}>
      {partner} {own}
      {stays ? ' Held flags stay held.' : later}
    </Alert>
  );
}

/** Returns the payloads that suggestions come from: the selected signal first, then the others, newest first. */
function payloadsOf(signals: readonly EndpointSignal[] = [], first: EndpointSignal | undefined): readonly unknown[] {
  const others = signals.filter(({ id }) => id !== first?.id);
  return [...(first === undefined ? [] : [first]), ...others].map(({ payload }) => payload);
}

/** Returns whether a set was saved without a limit of flags, before new sets had one. */
function isUnboundedSet(set: ActionSet | undefined): boolean {
  return set?.allow?.flags.includes('*') === true && set.guards.flagsPerHour === undefined;
}

interface ActionFieldsProps {
  readonly projectId: string;
  /** The set that is edited. */
  readonly set: ActionSet | undefined;
  readonly form: ActionSetForm;
  readonly definitions: ActionDefinitions;
  readonly paths: readonly string[];
}

/** Edits the actions of a set, and the allow list when an action takes a flag, environment or tag from the payload. */
function ActionFields({ projectId, set, form, definitions, paths }: ActionFieldsProps) {
  const { actions, allow, guards } = form.values;
  const isUnbounded = allow.flags.includes('*') && guards.flagsPerHour === '';
  const named = Object.values(allow).some((names) => names.length > 0);
  const templated = actions.some(({ params: { featureName, environment, tag } }) =>
    [featureName, environment, tag].some((name) => name?.includes('{{')),
  );
  return (
    <Fieldset legend="What happens to which flag">
      <Stack gap="sm">
        <ActionsEditor
          projectId={projectId}
          actions={actions}
          definitions={definitions}
          paths={paths}
          problems={form.errors}
          onChange={(next) => form.setFieldValue('actions', next)}
        />
        <FormError>{typeof form.errors.actions === 'string' ? form.errors.actions : undefined}</FormError>
        {(templated || named) && (
          <AllowListEditor
            allow={allow}
            definitions={definitions}
            problems={form.errors}
            onChange={(next) => form.setFieldValue('allow', next)}
          />
        )}
        {isUnbounded && (
          <Muted>
            {isUnboundedSet(set)
              ? 'Any flag, without a limit of flags per hour. Set one under Guards.'
              : 'Any flag: 20 flags per hour at most, unless you set another limit under Guards.'}
          </Muted>
        )}
      </Stack>
    </Fieldset>
  );
}
