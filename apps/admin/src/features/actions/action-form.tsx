import { Accordion, Alert, Fieldset, Select, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer, Refusal } from '../../ui/form-drawer.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Payload } from '../../ui/payload.tsx';
import { endpointsQuery } from '../signals/signal-queries.ts';
import { type ActionSetDraft, bodyOfSet, draftOfSet, draftProblems } from './action-draft.ts';
import { type ActionDefinitions, type ActionSet, lastSignalQuery, serviceAccountsQuery } from './action-queries.ts';
import { ActionsEditor } from './actions-editor.tsx';
import { FiltersEditor } from './filters-editor.tsx';
import { payloadPaths } from './payload-paths.ts';

interface Props {
  readonly projectId: string;
  /** The one that is edited; a new one is made without. */
  readonly set?: ActionSet;
  readonly definitions: ActionDefinitions;
  readonly onClose: () => void;
}

/** Makes or edits a set of actions: when this comes, do that. */
export function ActionForm({ projectId, set, definitions, onClose }: Props) {
  const { data: endpoints } = useQuery(endpointsQuery);
  const { data: accounts } = useQuery(serviceAccountsQuery);
  const form = useForm<ActionSetDraft>({
    initialValues: draftOfSet(set),
    validate: (draft) => draftProblems(draft, definitions),
  });
  const saving = useSaving(form, {
    save: (draft) => {
      const body = bodyOfSet(draft, projectId, definitions, set);
      return set === undefined
        ? api('POST /api/admin/projects/:projectId/actions', { params: { projectId }, body })
        : api('PUT /api/admin/projects/:projectId/actions/:id', { params: { projectId, id: set.id }, body });
    },
    changes: ['GET /api/admin/projects/:projectId/actions'],
    said: set === undefined ? 'Action created' : 'Action saved',
    onSaved: onClose,
  });
  const { actions, actorId, sourceId, filters } = form.values;
  return (
    <FormDrawer
      title={set === undefined ? 'New action' : 'Edit action'}
      save={set === undefined ? 'Add action' : 'Save action'}
      saving={saving}
      onClose={onClose}
      width={820}
    >
      {accounts?.length === 0 && (
        <Alert color="yellow" variant="light">
          There is no service account yet, and actions are run by one. Create one first.
        </Alert>
      )}
      <Switch label="Action status" {...form.getInputProps('enabled', { type: 'checkbox' })} />
      <TextInput label="Action name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <Textarea label="Action description" autosize minRows={1} {...form.getInputProps('description')} />
      <Fieldset legend="When this">
        <Stack gap="sm">
          <Select
            label="Source"
            placeholder="A signal endpoint"
            required
            data={endpoints?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
            {...form.getInputProps('sourceId')}
            error={form.errors.sourceId ?? form.errors['match.sourceId']}
          />
          <TextLink to="/integrations/signals" size="sm">
            Create signal endpoint
          </TextLink>
          <When sourceId={sourceId} filters={filters} onChange={(next) => form.setFieldValue('filters', next)} />
          <Refusal>{textOf(form.errors.filters) ?? filterProblems(form.errors)}</Refusal>
        </Stack>
      </Fieldset>
      <Fieldset legend="Do these actions">
        <Stack gap="sm">
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
          <ActionsEditor
            actions={actions}
            definitions={definitions}
            problems={form.errors}
            onChange={(next) => form.setFieldValue('actions', next)}
          />
          <Refusal>{textOf(form.errors.actions)}</Refusal>
          <Switch
            label="Only record what would be done"
            description="Runs are shown among the events; nothing is changed."
            {...form.getInputProps('shadow', { type: 'checkbox' })}
          />
        </Stack>
      </Fieldset>
    </FormDrawer>
  );
}

const textOf = (problem: unknown) => (typeof problem === 'string' ? problem : undefined);

/** What the server has against filters, each with the path that it is about. */
function filterProblems(errors: Readonly<Record<string, unknown>>): string | undefined {
  const beginning = 'match.payload.';
  const found = Object.entries(errors)
    .filter(([path]) => path.startsWith(beginning))
    .map(
      ([path, problem]) => `${path.slice(beginning.length).replace(/\.(values?|operator)(\.\d+)?$/, '')}: ${problem}`,
    );
  return found.length === 0 ? undefined : found.join(' ');
}

interface WhenProps {
  readonly sourceId: string;
  readonly filters: ActionSetDraft['filters'];
  readonly onChange: (filters: ActionSetDraft['filters']) => void;
}

/** The filters, beside what the source sent last. */
function When({ sourceId, filters, onChange }: WhenProps) {
  const { data: last } = useQuery({ ...lastSignalQuery(Number(sourceId)), enabled: sourceId !== '' });
  const paths = payloadPaths(last?.payload).map(([path]) => path);
  return (
    <>
      {last === null && (
        <Text size="sm" c="dimmed">
          It has received no signal yet. Once it has, its payload is shown here.
        </Text>
      )}
      {last !== undefined && last !== null && (
        <Accordion variant="contained">
          <Accordion.Item value="payload">
            <Accordion.Control>Preview payload</Accordion.Control>
            <Accordion.Panel>
              <Payload title={`Signal ${last.id}, the last one`} value={last.payload} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
      <FiltersEditor filters={filters} paths={paths} onChange={onChange} />
    </>
  );
}
