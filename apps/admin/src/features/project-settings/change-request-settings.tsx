import { Group, NumberInput, Switch, Table } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Permitted } from '../../ui/permitted.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { SectionCard } from '../../ui/section-card.tsx';
import { RowName } from '../../ui/text.tsx';
import { useSettingsProject } from './settings-layout.tsx';

const route = 'GET /api/admin/projects/:projectId/change-requests/config';
type Configured = Answer<typeof route>[number];

const configQuery = (projectId: string) => apiQuery(route, { params: { projectId } });

/** The review settings of a project, by environment. */
export function ChangeRequestSettings() {
  const projectId = useSettingsProject();
  const config = useQuery(configQuery(projectId));
  return (
    <SectionCard
      title="Change requests"
      description="In these environments, changes to flags need the approval of another person."
    >
      <Loaded query={config} rows={3}>
        {(list) => (
          <Table verticalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Environment</Table.Th>
                <Table.Th>Require review</Table.Th>
                <Table.Th>Required approvals</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {list.map((configured) => (
                <Row key={configured.environment} projectId={projectId} configured={configured} />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Loaded>
    </SectionCard>
  );
}

function Row({ projectId, configured }: { readonly projectId: string; readonly configured: Configured }) {
  const { environment, changeRequestEnabled, requiredApprovals } = configured;
  const queries = useQueryClient();
  const report = useReportError();
  const [typed, setTyped] = useState<number | string>();
  const change = useMutation({
    mutationFn: (body: { changeRequestsEnabled: boolean; requiredApprovals?: number }) =>
      api('PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config', {
        params: { projectId, environment },
        body,
      }),
    // At once: loading again may take long, and the input of approvals would disappear with its focus meanwhile.
    onSuccess: (_answer, { changeRequestsEnabled: changeRequestEnabled }) =>
      queries.setQueryData(configQuery(projectId).queryKey, (list) =>
        list?.map((row) => (row.environment === environment ? { ...row, changeRequestEnabled } : row)),
      ),
    onError: report,
    onSettled: async (_answer, _error, saved) => {
      await queries.invalidateQueries({ queryKey: [route] });
      // Keeps a number that was typed during the request: the number is not saved yet.
      setTyped((now) => (now === saved.requiredApprovals ? undefined : now));
    },
  });
  const setApprovals = useDebouncedCallback(
    (approvals: number) => change.mutate({ changeRequestsEnabled: true, requiredApprovals: approvals }),
    { delay: 500, flushOnUnmount: true },
  );
  const needs = { needs: 'PROJECT_CHANGE_REQUEST_WRITE', place: { project: projectId } };
  const on = change.isPending ? change.variables.changeRequestsEnabled : changeRequestEnabled;
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <RowName>{environment}</RowName>
        </Group>
      </Table.Td>
      <Table.Td>
        <Permitted {...needs} stays>
          <Switch
            checked={on}
            onChange={({ currentTarget }) => {
              // A number that is not saved yet would require review again.
              setApprovals.cancel();
              change.mutate({ changeRequestsEnabled: currentTarget.checked });
            }}
            aria-label={`Require review in ${environment}`}
          />
        </Permitted>
      </Table.Td>
      <Table.Td>
        {on && (
          <Permitted {...needs} stays>
            <NumberInput
              value={typed ?? requiredApprovals ?? 1}
              onChange={(approvals) => {
                setTyped(approvals);
                if (typeof approvals === 'number' && approvals >= 1) setApprovals(approvals);
              }}
              onBlur={() => typeof typed !== 'number' && setTyped(undefined)}
              min={1}
              max={100}
              clampBehavior="strict"
              allowDecimal={false}
              w={90}
              aria-label={`Required approvals in ${environment}`}
            />
          </Permitted>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
