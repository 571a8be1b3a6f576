import { Button, Group, Input, MultiSelect, SegmentedControl, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { errorsByField } from '../../lib/error-messages.ts';
import { useMay } from '../../lib/me.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { ReasonField } from '../change-reasons/reason-field.tsx';
import { ReviewButtons } from '../change-requests/review-buttons.tsx';
import { useReviewedChange } from '../change-requests/use-reviewed-change.ts';
import type { Flag } from '../flags/flag-queries.ts';

/** The dependency of a flag. */
export interface Dependency {
  readonly feature: string;
  readonly enabled?: boolean | undefined;
  readonly variants?: readonly string[] | undefined;
}

type FlagNamed = Pick<Flag, 'name' | 'project'>;

interface Props {
  readonly flag: FlagNamed;
  /** The current dependency. */
  readonly before: Dependency | undefined;
  readonly onClose: () => void;
}

/** Edits the dependency of a flag: its parent and the state that the parent must have. */
export function EditDependency({ flag, before, onClose }: Props) {
  const may = useMay();
  const place = { projectId: flag.project };
  const save = useReviewedChange<DependencyBody>(place, {
    make: (body, reason) =>
      api('POST /api/admin/projects/:projectId/features/:featureName/dependencies', {
        params: { projectId: flag.project, featureName: flag.name },
        body,
        reason,
      }),
    ask: (payload) => [{ action: 'addDependency', feature: flag.name, payload }],
    onDone: onClose,
  });
  return (
    <DependencyDialog flag={flag} before={before} error={save.error} onClose={onClose}>
      {(dependency) => (
        <>
          {save.reasonField !== undefined && <ReasonField {...save.reasonField} />}
          <ReviewButtons
            place={place}
            label="Save dependency"
            permitted={may('UPDATE_FEATURE_DEPENDENCY', { project: flag.project })}
            impossible={dependency === undefined}
            saving={save.isPending}
            onSave={(directly) => dependency !== undefined && save.mutate({ change: dependency, directly })}
          />
        </>
      )}
    </DependencyDialog>
  );
}

type DependencyBody = { feature: string; enabled: boolean; variants?: string[] };

interface DialogProps extends Props {
  readonly error: Error | null;
  /** Renders the buttons. Receives the dependency; undefined until it is complete. */
  readonly children: (dependency: DependencyBody | undefined) => ReactNode;
}

/** The fields of a dependency, without the buttons. */
export function DependencyDialog({ flag, before, error, onClose, children }: DialogProps) {
  const [parent, setParent] = useState<string | null>(before?.feature ?? null);
  const [must, setMust] = useState(before?.enabled === false ? 'off' : 'on');
  const [variants, setVariants] = useState<string[]>([...(before?.variants ?? [])]);
  const params = { projectId: flag.project, featureName: flag.name };
  const parents = useQuery(apiQuery('GET /api/admin/projects/:projectId/features/:featureName/parents', { params }));
  const known = useQuery({
    ...apiQuery('GET /api/admin/projects/:projectId/features/:parent/parent-variants', {
      params: { projectId: flag.project, parent: parent ?? '' },
    }),
    enabled: parent !== null,
  });
  const dependency =
    parent === null
      ? undefined
      : { feature: parent, enabled: must === 'on', ...(must === 'on' && variants.length > 0 ? { variants } : {}) };
  const problem = error === null ? undefined : errorsByField(error, ['feature', 'variants']);
  const offered = [...new Set([...(known.data ?? []), ...variants])];
  return (
    <Dialog onClose={onClose} title={`Dependency of ${flag.name}`}>
      <Stack>
        <Select
          label="Parent flag"
          description="A flag of this project without a dependency of its own."
          data={[...new Set([...(parents.data ?? []), ...(parent === null ? [] : [parent])])]}
          value={parent}
          onChange={(name) => {
            setParent(name);
            setVariants([]);
          }}
          error={problem?.fields.feature}
          searchable
          limit={100}
          required
          nothingFoundMessage="No matches"
        />
        <Input.Wrapper label="Required state" labelElement="div">
          <SegmentedControl
            fullWidth
            data={['on', 'off']}
            value={must}
            onChange={setMust}
            aria-label="Required state"
          />
        </Input.Wrapper>
        {must === 'on' && offered.length > 0 && (
          <MultiSelect
            label="Required variants"
            description="Leave empty for any variant."
            data={offered}
            value={variants}
            onChange={setVariants}
            error={problem?.fields.variants}
          />
        )}
        <FormError>{problem?.rest}</FormError>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {children(dependency)}
        </Group>
      </Stack>
    </Dialog>
  );
}
