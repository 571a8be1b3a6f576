import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ReviewModal } from '../../entities/change-requests/review-modal.tsx';
import { useReviewedChange } from '../../entities/change-requests/use-reviewed-change.ts';
import { EditDependency } from '../../entities/flag-dependencies/edit-dependency.tsx';
import type { Flag } from '../../entities/flags/flag-queries.ts';
import { api } from '../../lib/api.ts';
import { TextLink } from '../../ui/link.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { SideCard } from '../../ui/side-card.tsx';
import { Muted } from '../../ui/text.tsx';

/** The parent of a flag, and the flags that depend on it. */
export function FlagDependency({ flag }: { readonly flag: Flag }) {
  const [editing, setEditing] = useState(false);
  const parent = flag.dependencies?.[0];
  const children = flag.children ?? [];
  const place = { project: flag.project };
  return (
    <SideCard
      title="Dependencies"
      action={
        children.length === 0 && !flag.archived ? (
          <Permitted needs="UPDATE_FEATURE_DEPENDENCY" place={place}>
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => setEditing(true)}
              aria-label={parent === undefined ? 'Add a dependency' : 'Edit the dependency'}
            >
              {parent === undefined ? 'Add' : 'Edit'}
            </Button>
          </Permitted>
        ) : undefined
      }
    >
      {parent === undefined && children.length === 0 && <Muted>No dependencies.</Muted>}
      {parent !== undefined && <Parent flag={flag} parent={parent} />}
      {children.length > 0 && (
        <Stack gap={4}>
          <Muted>Flags that depend on this flag:</Muted>
          {children.map((name) => (
            <FlagAnchor key={name} projectId={flag.project} featureName={name} />
          ))}
        </Stack>
      )}
      {editing && <EditDependency flag={flag} before={parent} onClose={() => setEditing(false)} />}
    </SideCard>
  );
}

function Parent({ flag, parent }: { readonly flag: Flag; readonly parent: NonNullable<Flag['dependencies']>[number] }) {
  const place = { projectId: flag.project };
  const [asking, setAsking] = useState(false);
  const report = useReportError();
  const remove = useReviewedChange(place, {
    make: () =>
      api('DELETE /api/admin/projects/:projectId/features/:featureName/dependencies', {
        params: { projectId: flag.project, featureName: flag.name },
      }),
    ask: () => [{ action: 'deleteDependency', feature: flag.name, payload: { feature: parent.feature } }],
  });
  const run = (directly: boolean) =>
    remove.mutate({ change: undefined, directly }, { onError: report, onSettled: () => setAsking(false) });
  const variants = parent.variants ?? [];
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" component="div">
        On only if <FlagAnchor projectId={flag.project} featureName={parent.feature} /> is{' '}
        {parent.enabled ? 'on' : 'off'}
        {variants.length > 0 && ` with the variant ${variants.join(' or ')}`}.
      </Text>
      <Group>
        <Permitted needs="UPDATE_FEATURE_DEPENDENCY" place={{ project: flag.project }}>
          <Button
            size="compact-xs"
            variant="subtle"
            color="red"
            onClick={() => (remove.reviewed ? setAsking(true) : run(false))}
            loading={remove.isPending}
          >
            Remove the dependency
          </Button>
        </Permitted>
      </Group>
      {asking && (
        <ReviewModal
          place={place}
          label="Remove the dependency"
          saving={remove.isPending}
          onClose={() => setAsking(false)}
          onSave={run}
        >
          Removing the dependency of {flag.name} on {parent.feature}
        </ReviewModal>
      )}
    </Stack>
  );
}

function FlagAnchor({ projectId, featureName }: { readonly projectId: string; readonly featureName: string }) {
  return (
    <TextLink
      to="/projects/$projectId/features/$featureName"
      params={{ projectId, featureName }}
      size="sm"
      underline="always"
      style={{ overflowWrap: 'anywhere' }}
    >
      {featureName}
    </TextLink>
  );
}
