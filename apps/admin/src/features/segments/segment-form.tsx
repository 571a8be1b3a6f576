import { Alert, Button, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { requestChanges } from '../../entities/change-requests/change.ts';
import { withoutReview } from '../../entities/change-requests/review-buttons.tsx';
import { notifyAddedToDraft, useReview, useSegmentReview } from '../../entities/change-requests/use-reviewed-change.ts';
import { ConstraintBuilder } from '../../entities/constraints/constraint-builder.tsx';
import { bodyOf, type ConstraintDraft, constraintProblems, draftOf } from '../../entities/constraints/draft.ts';
import { selectableFields } from '../../entities/context-fields/context-field-routes.ts';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { changedBySegments, type Segment } from '../../entities/segments/segment-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { Hint, RowName } from '../../ui/text.tsx';
import { usedIn } from '../../ui/usage.tsx';

interface Props {
  /** The segment to edit; absent to create a new segment. */
  readonly segment?: Segment;
  /** The project of the segment. Without it, the form offers a choice of projects. */
  readonly projectId?: string;
  /** Saves the segment into a change request; absent when the segment itself is edited. */
  readonly saveRequested?: (payload: SegmentPayload) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Creates or edits a segment. */
export function SegmentForm({ segment, projectId, saveRequested, onClose }: Props) {
  const { data: projects } = useQuery(projectsQuery);
  const form = useForm<Values>({
    initialValues:
      segment === undefined
        ? { name: '', description: '', project: projectId ?? '', constraints: [] }
        : valuesOf(segment),
    validate: ({ name, constraints }) => ({
      ...constraintProblems(constraints),
      ...(name.trim() === '' ? { name: 'Enter a name.' } : {}),
    }),
  });
  const saving = useSaving(form, {
    save: async (values) => {
      const edited = bodyOfSegment(values);
      if (segment === undefined) await api('POST /api/admin/segments', { body: edited });
      else if (saveRequested !== undefined) await saveRequested({ ...edited, id: segment.id });
      else {
        const body = await mergedBody(segment.id, form);
        await api('PUT /api/admin/segments/:id', { params: { id: segment.id }, body });
      }
    },
    changes: changedBySegments,
    notice: segment === undefined ? 'Segment created' : saveRequested === undefined ? 'Segment saved' : 'Change saved',
    onSaved: onClose,
  });
  const request = useChangeRequest(form, segment, onClose);
  const { asking, direct } = request;
  const reviewed = request.reviewed && saveRequested === undefined;
  const fields = useQuery(selectableFields(form.values.project === '' ? undefined : form.values.project));
  return (
    <FormDrawer
      title={segment === undefined ? 'New segment' : `Edit ${segment.name}`}
      save={saveLabel(segment === undefined, reviewed, saveRequested !== undefined)}
      saving={
        reviewed
          ? { ...asking, formError: asking.formError ?? saving.formError }
          : { ...saving, pending: saving.pending || request.loading }
      }
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
          Changes affect {usedIn(segment.usedInFeatures, segment.usedInProjects)} immediately.
        </Alert>
      )}
      <TextInput label="Segment name" required autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <Textarea label="Description" autosize minRows={1} {...form.getInputProps('description')} />
      {projectId === undefined && (
        <Select
          label="Project"
          description="The project whose flags can use the segment."
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
        <RowName component="h3" m={0}>
          Constraints
        </RowName>
        <Hint>Users who match all constraints are in the segment.</Hint>
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

/** Returns the segment as it is now with the edited fields. */
async function mergedBody(id: number, form: UseFormReturnType<Values>): Promise<SegmentBody> {
  const [loaded, edited] = [bodyOfSegment(form.getInitialValues()), bodyOfSegment(form.getValues())];
  const current = bodyOfSegment(valuesOf(await api('GET /api/admin/segments/:id', { params: { id } })));
  return { ...current, ...editedFields({ loaded, edited, current }) };
}

function saveLabel(isNew: boolean, reviewed: boolean, requested: boolean): string {
  if (isNew) return 'Create segment';
  if (requested) return 'Save change';
  return reviewed ? 'Add to draft change request' : 'Save segment';
}

/** Returns whether a change of a segment needs review, and the function that requests the change. */
function useChangeRequest(form: UseFormReturnType<Values>, segment: Segment | undefined, onClose: () => void) {
  const projectId = segment?.project ?? undefined;
  const ofProject = useReview(projectId === undefined ? {} : { projectId });
  const ofAll = useSegmentReview(segment?.project === null ? segment.id : undefined);
  const { reviewed, direct, loading } = projectId === undefined ? ofAll : ofProject;
  const findPlace = async () => {
    if (projectId === undefined) return ofAll.place;
    const environment = await ofProject.findWhere();
    return environment === undefined ? undefined : { projectId, environment };
  };
  const asking = useSaving(form, {
    save: async () => {
      const place = await findPlace();
      if (segment !== undefined && projectId === undefined && place === undefined)
        throw new Error(
          'This segment is used in projects that you cannot see, where changes are reviewed. Ask an administrator to change it.',
        );
      if (segment === undefined || place === undefined)
        throw new Error('Changes of this segment are no longer reviewed. Close the form, open it again and save.');
      const payload = { ...(await mergedBody(segment.id, form)), id: segment.id };
      return requestChanges(place, [{ action: 'updateSegment', payload }]);
    },
    changes: [],
    onSaved: (id) => {
      notifyAddedToDraft(id);
      onClose();
    },
  });
  return { asking, reviewed, direct, loading };
}

type SegmentBody = ReturnType<typeof bodyOfSegment>;
type SegmentPayload = SegmentBody & { readonly id: number };

interface Values extends Record<string, unknown> {
  readonly name: string;
  readonly description: string;
  /** Empty for all projects. */
  readonly project: string;
  readonly constraints: readonly ConstraintDraft[];
}

function valuesOf({ name, description, project, constraints }: Omit<Segment, 'createdAt' | 'createdBy'>): Values {
  return { name, description: description ?? '', project: project ?? '', constraints: constraints.map(draftOf) };
}

function bodyOfSegment({ name, description, project, constraints }: Values) {
  return { name, description, project: project === '' ? null : project, constraints: constraints.map(bodyOf) };
}
