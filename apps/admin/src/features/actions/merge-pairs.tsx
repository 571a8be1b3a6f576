import { Alert, Button, Group, List, Radio, Stack, Text } from '@mantine/core';
import { IconArrowMerge } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ActionSet } from '../../entities/actions/action-queries.ts';
import { describeConstraint } from '../../entities/constraints/describe-constraint.ts';
import { useEachNewer } from '../../lib/activity.ts';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { useMay } from '../../lib/me.ts';
import { Confirm } from '../../ui/confirm.tsx';

const route = 'GET /api/admin/projects/:projectId/actions/pairs';
type Pair = Answer<typeof route>['pairs'][number];

/** Offers to merge two action sets, of which one holds a flag and the other releases it, into one. */
export function MergePairs({ projectId }: { readonly projectId: string }) {
  const mayMerge = useMay()('ADMIN');
  const { data, refetch } = useQuery({ ...apiQuery(route, { params: { projectId } }), enabled: mayMerge });
  useEachNewer('events', refetch, mayMerge);
  const [chosen, setChosen] = useState<Pair>();
  const pairs = data?.pairs ?? [];
  if (pairs.length === 0) return null;
  return (
    <>
      <Alert color="sea" variant="light" icon={<IconArrowMerge aria-hidden />} title="Two actions can become one">
        <Stack gap="xs">
          {pairs.map((pair) => (
            <Group key={`${pair.holding.id} ${pair.releasing.id}`} justify="space-between" gap="xs">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                “{pair.holding.name}” holds, “{pair.releasing.name}” releases.
              </Text>
              <Button size="compact-sm" variant="default" onClick={() => setChosen(pair)}>
                Merge
              </Button>
            </Group>
          ))}
        </Stack>
      </Alert>
      {chosen !== undefined && <MergeDialog projectId={projectId} pair={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

interface DialogProps {
  readonly projectId: string;
  readonly pair: Pair;
  readonly onClose: () => void;
}

/** Shows the merged set that would hold and release the flag, or the differences that prevent the merge. */
function MergeDialog({ projectId, pair: { holding, releasing, merged, problems }, onClose }: DialogProps) {
  const [afterwards, setAfterwards] = useState<'disable' | 'delete'>('disable');
  const merge = () =>
    api('POST /api/admin/projects/:projectId/actions/:id/merge', {
      params: { projectId, id: holding.id },
      body: { releasingId: releasing.id, afterwards },
    });
  return (
    <Confirm
      title={`Merge “${releasing.name}” into “${holding.name}”?`}
      action="Merge actions"
      color="sea"
      disabled={problems.length > 0}
      run={merge}
      changes={['GET /api/admin/projects/:projectId/actions', route]}
      onClose={onClose}
    >
      {problems.length > 0 ? (
        <Stack gap="xs">
          <Text size="sm">They cannot be merged, because one action would do something else. Change them first.</Text>
          <List size="sm">
            {problems.map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
        </Stack>
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            “{merged.name}” then holds and releases, with one switch, one shadow mode and one list of runs:
          </Text>
          <List size="sm">
            <List.Item>Hold when {wordsOf(merged.match.payload)}</List.Item>
            <List.Item>Release when {wordsOf(merged.match.release ?? {})}</List.Item>
          </List>
          <Text size="sm">What is held now stays held, and is released by it. Past runs stay where they are.</Text>
          <Radio.Group
            label={`“${releasing.name}”`}
            value={afterwards}
            onChange={(value) => setAfterwards(value === 'delete' ? 'delete' : 'disable')}
          >
            <Stack gap={4} mt={4}>
              <Radio value="disable" label="Switch it off. Its runs stay in its list." />
              <Radio value="delete" label="Delete it. Its runs stay in the history." />
            </Stack>
          </Radio.Group>
        </Stack>
      )}
    </Confirm>
  );
}

function wordsOf(filters: ActionSet['match']['payload']): string {
  const words = Object.entries(filters).map(([contextName, filter]) => {
    const { values = [], inverted = false, caseInsensitive = false } = filter;
    return describeConstraint({ ...filter, contextName, values, inverted, caseInsensitive });
  });
  return words.length === 0 ? 'any signal comes' : words.join(' and ');
}
