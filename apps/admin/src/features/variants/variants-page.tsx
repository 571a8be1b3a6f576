import { Alert, Breadcrumbs, Card, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../lib/me.ts';
import { byPath } from '../../lib/problems.ts';
import { Failure } from '../../ui/failure.tsx';
import { ButtonLink, TextLink } from '../../ui/link.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { ReviewButtons } from '../change-requests/review-buttons.tsx';
import { useFlagChange } from '../change-requests/use-change.ts';
import { projectContextQuery } from '../constraints/context-queries.ts';
import { type FlagEnvironment, flagQuery } from '../flags/flag-queries.ts';
import { StickinessSelect } from '../strategies/rollout-inputs.tsx';
import { variantBodies, variantDraftOf, variantProblems } from './draft.ts';
import { VariantsEditor } from './variants-editor.tsx';

const route = getRouteApi('/projects/$projectId/features/$featureName/variants');

/** The variants that a flag has in an environment, apart from those of its strategies. */
export function VariantsPage() {
  const params = route.useParams();
  const { environmentId: environment } = route.useSearch();
  const flag = useQuery(flagQuery(params));
  const state = flag.data?.environments.find(({ name }) => name === environment);
  return (
    <Page
      title="Environment variants"
      description={
        <Breadcrumbs>
          <TextLink to="/projects/$projectId" params={params} size="sm">
            {params.projectId}
          </TextLink>
          <TextLink to="/projects/$projectId/features/$featureName" params={params} size="sm">
            {params.featureName}
          </TextLink>
          <Text size="sm">{environment}</Text>
        </Breadcrumbs>
      }
    >
      {flag.error !== null && <Failure error={flag.error} onRetry={() => void flag.refetch()} />}
      {flag.isPending && <TableSkeleton rows={4} />}
      {state !== undefined && <VariantsForm key={environment} {...params} state={state} />}
    </Page>
  );
}

interface FormProps {
  readonly projectId: string;
  readonly featureName: string;
  readonly state: FlagEnvironment;
}

function VariantsForm({ projectId, featureName, state }: FormProps) {
  const place = { projectId, environment: state.name };
  const before = state.variants ?? [];
  const [variants, setVariants] = useState(() => before.map(variantDraftOf));
  const [stickiness, setStickiness] = useState(before[0]?.stickiness ?? 'default');
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const { data: fields } = useQuery(projectContextQuery(projectId));
  const change = useFlagChange(place);
  const navigate = useNavigate();
  const may = useMay();
  const refusal = change.error === null ? undefined : byPath(change.error).rest;
  const save = (directly: boolean) => {
    const found = variantProblems(variants);
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    const bodies = variantBodies(variants, stickiness);
    change.mutate(
      { change: { action: 'patchVariant', feature: featureName, payload: { variants: bodies } }, directly },
      {
        onSuccess: () =>
          void navigate({ to: '/projects/$projectId/features/$featureName', params: { projectId, featureName } }),
        onError: (error) => setProblems(variantPaths(byPath(error).paths)),
      },
    );
  };
  return (
    <Stack maw={860}>
      <Alert color="gray">
        Given to those who get the flag by a strategy that has no variants of its own. For new flags, variants of a
        strategy do more.
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
          {refusal !== undefined && (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          )}
          <Group>
            <ReviewButtons
              place={place}
              label="Save variants"
              permitted={may('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', { project: projectId, environment: state.name })}
              saving={change.isPending}
              onSave={save}
            />
            <ButtonLink
              to="/projects/$projectId/features/$featureName"
              params={{ projectId, featureName }}
              variant="default"
            >
              Cancel
            </ButtonLink>
          </Group>
        </Stack>
      </Card>
    </Stack>
  );
}

/** The list is all that is sent, so the server's paths begin with the place in it: `0.name`. */
function variantPaths(paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, problem]) => [path.startsWith('variants') ? path : `variants.${path}`, problem]),
  );
}
