import { Alert, Fieldset, Loader, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { useFirstProblem } from '../../ui/first-problem.ts';
import { FormDrawer, Refusal } from '../../ui/form-drawer.tsx';
import { TextLink } from '../../ui/link.tsx';
import type { EndpointSignal } from '../signals/signal-queries.ts';
import { type ActionSetDraft, bodyOfSet, draftOfSet } from './action-draft.ts';
import { type ActionDefinitions, type ActionSet, latestSignalsQuery, serviceAccountsQuery } from './action-queries.ts';
import { ActionsEditor } from './actions-editor.tsx';
import { AllowEditor } from './allow-editor.tsx';
import { GuardsEditor } from './guards-editor.tsx';
import { namedPaths } from './payload-paths.ts';
import { type ActionSetForm, useActionSetForm } from './use-action-set-form.ts';
import { When } from './when.tsx';

const TryIt = lazy(() => import('./rehearsal/try-it.tsx').then((module) => ({ default: module.TryIt })));

interface Props {
  readonly projectId: string;
  /** The one that is edited; a new one is made without. */
  readonly set?: ActionSet | undefined;
  /** What a new one begins with. */
  readonly from?: ActionSetDraft | undefined;
  /** The one that holds what a new one releases. */
  readonly holding?: ActionSet | undefined;
  readonly definitions: ActionDefinitions;
  readonly onClose: () => void;
}

/** Makes or edits a set of actions: when this comes, do that. */
export function ActionForm({ projectId, set, from, holding, definitions, onClose }: Props) {
  const form = useActionSetForm(from ?? draftOfSet(set), definitions);
  useFirstProblem(form.errors);
  const bodyOf = (draft: ActionSetDraft) => bodyOfSet(draft, projectId, definitions);
  const saving = useSaving(form, {
    save: (draft) =>
      set === undefined
        ? api('POST /api/admin/projects/:projectId/actions', { params: { projectId }, body: bodyOf(draft) })
        : api('PUT /api/admin/projects/:projectId/actions/:id', {
            params: { projectId, id: set.id },
            body: bodyOf(draft),
          }),
    changes: ['GET /api/admin/projects/:projectId/actions'],
    said: set === undefined ? 'Action created' : 'Action saved',
    onSaved: onClose,
  });
  const { sourceId, forEach } = form.values;
  const { data: signals } = useQuery({ ...latestSignalsQuery(Number(sourceId)), enabled: sourceId !== '' });
  const [shown, setShown] = useState<number>();
  const signal = signals?.find(({ id }) => id === shown) ?? signals?.[0];
  const payloads = useMemo(() => payloadsOf(signals, signal), [signals, signal]);
  const paths = useMemo(() => namedPaths(payloads, forEach.trim()), [payloads, forEach]);
  return (
    <FormDrawer
      title={set === undefined ? 'New action' : 'Edit action'}
      save={set === undefined ? 'Add action' : 'Save action'}
      saving={saving}
      onClose={onClose}
      width={820}
    >
      {holding !== undefined && <ReleaseMode shadow={form.values.shadow} holding={holding} />}
      <Switch label="Action status" {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <TextInput label="Action name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <Textarea label="Action description" autosize minRows={1} {...form.getInputProps('description')} />
      <When form={form} signals={signals} signal={signal} payloads={payloads} paths={paths} onShow={setShown} />
      <Do projectId={projectId} form={form} definitions={definitions} paths={paths} />
      <Fieldset legend="Guards">
        <GuardsEditor
          guards={form.values.guards}
          problems={form.errors}
          onChange={(next) => form.setFieldValue('guards', next)}
        />
      </Fieldset>
      <Fieldset legend="Try it">
        <Suspense fallback={<Loader size="sm" />}>
          <TryIt projectId={projectId} form={form} bodyOf={bodyOf} signals={signals ?? []} />
        </Suspense>
      </Fieldset>
    </FormDrawer>
  );
}

/** Says whether an action that releases flags is in shadow mode, beside the action that holds them. */
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

/** The payloads that suggestions come from: that of the signal that is looked at, then those of the others, newest first. */
function payloadsOf(signals: readonly EndpointSignal[] = [], first: EndpointSignal | undefined): readonly unknown[] {
  const others = signals.filter(({ id }) => id !== first?.id);
  return [...(first === undefined ? [] : [first]), ...others].map(({ payload }) => payload);
}

interface DoProps {
  readonly projectId: string;
  readonly form: ActionSetForm;
  readonly definitions: ActionDefinitions;
  readonly paths: readonly string[];
}

/** What is done, by whom, and what the payload may name in it. */
function Do({ projectId, form, definitions, paths }: DoProps) {
  const { data: accounts } = useQuery(serviceAccountsQuery);
  const { actions, actorId, allow } = form.values;
  const named = Object.values(allow).some((names) => names.length > 0);
  const templated = actions.some(({ params }) => Object.values(params).some((value) => value.includes('{{')));
  return (
    <Fieldset legend="Do these actions">
      <Stack gap="sm">
        {accounts?.length === 0 && (
          <Alert color="yellow" variant="light">
            There is no service account yet, and actions are run by one. Create one first.
          </Alert>
        )}
        <Select
          label="Service account"
          description="Runs the actions, by its own permissions."
          required
          data={
            accounts?.map(({ id, name, username }) => ({ value: String(id), label: name || username || `#${id}` })) ??
            []
          }
          value={actorId === '' ? null : actorId}
          onChange={(chosen) => form.setFieldValue('actorId', chosen ?? '')}
          error={form.errors.actorId}
        />
        <TextLink to="/admin/service-accounts" target="_blank" size="sm">
          Create service account
        </TextLink>
        <ActionsEditor
          projectId={projectId}
          actions={actions}
          definitions={definitions}
          paths={paths}
          problems={form.errors}
          onChange={(next) => form.setFieldValue('actions', next)}
        />
        <Refusal>{typeof form.errors.actions === 'string' ? form.errors.actions : undefined}</Refusal>
        {(templated || named) && (
          <AllowEditor
            allow={allow}
            definitions={definitions}
            problems={form.errors}
            onChange={(next) => form.setFieldValue('allow', next)}
          />
        )}
        <Switch
          label="Shadow mode: only record what would be done"
          description="Runs are recorded, and nothing is changed."
          {...form.getInputProps('shadow', { type: 'checkbox' })}
        />
      </Stack>
    </Fieldset>
  );
}
