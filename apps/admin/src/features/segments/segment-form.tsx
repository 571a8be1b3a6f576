import { Alert, Button, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { usedIn } from '../../ui/usage.tsx';
import { askForChanges } from '../change-requests/change.ts';
import { withoutReview } from '../change-requests/review-buttons.tsx';
import { tellAsked, useReview, useSegmentReview } from '../change-requests/use-change.ts';
import { ConstraintBuilder } from '../constraints/constraint-builder.tsx';
import { bodyOf, type ConstraintDraft, constraintProblems, draftOf } from '../constraints/draft.ts';
import { selectableFields } from '../context-fields/context-field-routes.ts';
import { projectsQuery } from '../projects/project-queries.ts';
import { changedBySegments, type Segment } from './segment-queries.ts';

interface Props {
  /** The one that is edited; a new one is made without. */
  readonly segment?: Segment;
  /** The project that a new one is to belong to, where that is not asked. */
  readonly projectId?: string;
  /** Saves it as what a change request asks for, in place of the segment itself. */
  readonly saveAsked?: (payload: SegmentPayload) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Makes or edits a segment. */
export function SegmentForm({ segment, projectId, saveAsked, onClose }: Props) {
  const { data: projects } = useQuery(projectsQuery);
  const form = useForm<Values>({
    initialValues: {
      name: segment?.name ?? '',
      description: segment?.description ?? '',
      project: segment?.project ?? projectId ?? '',
      constraints: (segment?.constraints ?? []).map(draftOf),
    },
    validate: ({ name, constraints }) => ({
      ...constraintProblems(constraints),
      ...(name.trim() === '' ? { name: 'Give the segment a name.' } : {}),
    }),
  });
  const saving = useSaving(form, {
    save: async (values) => {
      if (segment !== undefined && saveAsked !== undefined)
        await saveAsked({ ...bodyOfSegment(values), id: segment.id });
      else if (segment === undefined) await api('POST /api/admin/segments', { body: bodyOfSegment(values) });
      else await api('PUT /api/admin/segments/:id', { params: { id: segment.id }, body: bodyOfSegment(values) });
    },
    changes: changedBySegments,
    said: segment === undefined ? 'Segment created' : saveAsked === undefined ? 'Segment saved' : 'Change saved',
    onSaved: onClose,
  });
  const asked = useAsking(form, segment, onClose);
  const { asking, direct } = asked;
  const reviewed = asked.reviewed && saveAsked === undefined;
  const fields = useQuery(selectableFields(form.values.project === '' ? undefined : form.values.project));
  return (
    <FormDrawer
      title={segment === undefined ? 'New segment' : `Edit ${segment.name}`}
      save={saveLabel(segment === undefined, reviewed, saveAsked !== undefined)}
      saving={reviewed ? { ...asking, refusal: asking.refusal ?? saving.refusal } : saving}
      more={
        reviewed && direct !== 'refused' ? (
          <Button variant="default" onClick={() => saving.submit()} loading={saving.pending}>
            Save segment {withoutReview[direct]}
          </Button>
        ) : undefined
      }
      onClose={onClose}
      width={760}
    >
      {segment !== undefined && segment.usedInFeatures > 0 && (
        <Alert color="yellow" variant="light">
          What is changed here changes {usedIn(segment.usedInFeatures, segment.usedInProjects)} at once.
        </Alert>
      )}
      <TextInput label="Segment name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
      {projectId === undefined && (
        <Select
          label="Project"
          description="Whose flags may use it."
          data={[
            { value: '', label: 'All projects' },
            ...(projects?.projects.map(({ id, name }) => ({ value: id, label: name })) ?? []),
          ]}
          allowDeselect={false}
          searchable
          {...form.getInputProps('project')}
        />
      )}
      <Stack gap="xs">
        <Text size="sm" fw={550} component="h3" m={0}>
          Constraints
        </Text>
        <Text size="xs" c="dimmed">
          Who meets all of them is in the segment.
        </Text>
        <ConstraintBuilder
          constraints={form.values.constraints}
          fields={fields.data ?? []}
          problems={form.errors}
          onChange={(constraints) => form.setFieldValue('constraints', constraints)}
        />
      </Stack>
    </FormDrawer>
  );
}

function saveLabel(isNew: boolean, reviewed: boolean, asked: boolean): string {
  if (isNew) return 'Create segment';
  if (asked) return 'Save change';
  return reviewed ? 'Add to draft change request' : 'Save segment';
}

/** Asks for a segment to be changed, where what the flags do is reviewed that may use it. */
function useAsking(form: UseFormReturnType<Values>, segment: Segment | undefined, onClose: () => void) {
  const projectId = segment?.project ?? undefined;
  const ofProject = useReview(projectId === undefined ? {} : { projectId });
  const ofAll = useSegmentReview(segment?.project === null ? segment.id : undefined);
  const { reviewed, direct } = projectId === undefined ? ofAll : ofProject;
  const findPlace = async () => {
    if (projectId === undefined) return ofAll.place;
    const environment = await ofProject.findWhere();
    return environment === undefined ? undefined : { projectId, environment };
  };
  const asking = useSaving(form, {
    save: async (values) => {
      const place = await findPlace();
      if (segment !== undefined && projectId === undefined && place === undefined)
        throw new Error('Projects that you cannot see review changes of this segment. Ask an administrator.');
      if (segment === undefined || place === undefined)
        throw new Error('Changes are no longer reviewed. Save the segment itself.');
      const payload = { ...bodyOfSegment(values), id: segment.id };
      return askForChanges(place, [{ action: 'updateSegment', payload }]);
    },
    changes: [],
    onSaved: (id) => {
      tellAsked(id);
      onClose();
    },
  });
  return { asking, reviewed, direct };
}

type SegmentPayload = ReturnType<typeof bodyOfSegment> & { readonly id: number };

interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly description: string;
  /** Empty for all projects. */
  readonly project: string;
  readonly constraints: readonly ConstraintDraft[];
}

function bodyOfSegment({ name, description, project, constraints }: Values) {
  return { name, description, project: project === '' ? null : project, constraints: constraints.map(bodyOf) };
}
