import { Alert, Card, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { FlagChange } from '../../entities/change-requests/change.ts';
import { type EditedChange, useEditedChange, useFlagWriting } from '../../entities/change-requests/edited-change.ts';
import { SaveButtons } from '../../entities/change-requests/save-buttons.tsx';
import { projectContextQuery } from '../../entities/constraints/context-queries.ts';
import { type FlagEnvironment, flagQuery } from '../../entities/flags/flag-queries.ts';
import { ProjectCrumbs } from '../../entities/flags/project-crumbs.tsx';
import { StickinessSelect } from '../../entities/strategies/rollout-inputs.tsx';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { errorsByPath } from '../../lib/error-messages.ts';
import { useMay } from '../../lib/me.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useFocusFirstErrorIn } from '../../ui/focus-first-error.ts';
import { FormError } from '../../ui/form-error.tsx';
import { useLeaveGuard } from '../../ui/leave-guard.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { variantBodies, variantDraftOf, variantProblems } from './draft.ts';
import { VariantsEditor } from './variants-editor.tsx';

const route = getRouteApi('/projects/$projectId/features/$featureName/variants');

/** The page of the variants of an environment, which are separate from those of strategies. */
export function VariantsPage() {
  const params = route.useParams();
  const search = route.useSearch();
  const { environmentId: environment } = search;
  const flag = useQuery(flagQuery(params));
  const edited = useEditedChange(params.projectId, search, ['patchVariant']);
  const state = flag.data?.environments.find(({ name }) => name === environment);
  const failed = [flag, edited].find(({ error }) => error !== null);
  const ready = flag.data !== undefined && !edited.isLoading;
  return (
    <Page
      title={search.changeId === undefined ? 'Environment variants' : 'Edit the change'}
      description={
        <ProjectCrumbs projectId={params.projectId}>
          <TextLink to="/projects/$projectId/features/$featureName" params={params} size="sm">
            {params.featureName}
          </TextLink>
          <Text size="sm">{environment}</Text>
        </ProjectCrumbs>
      }
    >
      {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!ready && !failed && <TableSkeleton rows={4} />}
      {ready && !failed && (state === undefined || edited.isMissing) && (
        <EmptyState
          title="Variants not found"
          action={
            <ButtonLink to="/projects/$projectId/features/$featureName" params={params}>
              Go to the flag
            </ButtonLink>
          }
        >
          The environment or the requested change may have been removed.
        </EmptyState>
      )}
      {ready && state !== undefined && !edited.isMissing && (
        <VariantsForm key={environment} {...params} state={state} edited={edited.change} />
      )}
    </Page>
  );
}

interface FormProps {
  readonly projectId: string;
  readonly featureName: string;
  readonly state: FlagEnvironment;
  /** The requested change, when a change request is edited. */
  readonly edited: EditedChange | undefined;
}

type Variants = NonNullable<FlagEnvironment['variants']>;

const variantsRoute = 'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants';

const formOf = (variants: Variants) => ({
  drafts: variants.map(variantDraftOf),
  stickiness: variants[0]?.stickiness ?? 'default',
});

const bodiesOf = ({ drafts, stickiness }: ReturnType<typeof formOf>) => variantBodies(drafts, stickiness);

function VariantsForm({ projectId, featureName, state, edited }: FormProps) {
  const place = { projectId, environment: state.name };
  const [before] = useState(() => {
    // The server validated the payload when the change was requested.
    const variants =
      edited === undefined ? (state.variants ?? []) : (edited.payload as { variants: Variants }).variants;
    return formOf(variants);
  });
  const [variants, setVariants] = useState(before.drafts);
  const [stickiness, setStickiness] = useState(before.stickiness);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [formError, setRefusal] = useState<string>();
  const { data: fields } = useQuery(projectContextQuery(projectId));
  const { write, leave, reasonField, pending } = useFlagWriting(place, featureName, edited);
  const { saved, dialog } = useLeaveGuard(variants !== before.drafts || stickiness !== before.stickiness);
  const may = useMay();
  const form = useFocusFirstErrorIn<HTMLDivElement>(problems);
  const changeTo = async (given: { variants: ReturnType<typeof bodiesOf> }): Promise<FlagChange> => {
    if (edited !== undefined) return { action: 'patchVariant', feature: featureName, payload: given };
    const now = await api(variantsRoute, { params: { ...place, featureName } });
    const current = { variants: bodiesOf(formOf(now.variants)) };
    const edits = editedFields({ loaded: { variants: bodiesOf(before) }, edited: given, current });
    return { action: 'patchVariant', feature: featureName, payload: { ...current, ...edits } };
  };
  const save = async (directly: boolean) => {
    const found = variantProblems(variants);
    setProblems(found);
    setRefusal(undefined);
    if (Object.keys(found).length > 0) return;
    try {
      await write(changeTo({ variants: variantBodies(variants, stickiness) }), directly);
      saved();
      await leave();
    } catch (error) {
      const { paths, rest } = errorsByPath(error);
      setProblems(variantPaths(paths));
      setRefusal(rest);
    }
  };
  return (
    <Stack maw={860} ref={form}>
      <Alert color="gray">
        These variants apply to users who get the flag by a strategy without variants. For new flags, add variants to
        strategies instead.
      </Alert>
      <Card withBorder padding="lg">
        <Stack>
          <StickinessSelect value={stickiness} fields={fields ?? []} onChange={setStickiness} />
          <VariantsEditor
            variants={variants}
            problems={problems}
            fields={fields ?? []}
            onChange={(next) => setVariants([...next])}
          />
          <FormError>{formError}</FormError>
          <SaveButtons
            place={place}
            featureName={featureName}
            edited={edited}
            label="Save variants"
            permitted={may('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', { project: projectId, environment: state.name })}
            saving={pending}
            reasonField={reasonField}
            onSave={(directly) => void save(directly)}
          />
        </Stack>
      </Card>
      {dialog}
    </Stack>
  );
}

/** Adds the prefix `variants.` to error paths, which begin with an index for this route: `0.name`. */
function variantPaths(paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, problem]) => [path.startsWith('variants') ? path : `variants.${path}`, problem]),
  );
}
