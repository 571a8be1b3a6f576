import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionsQuery, serviceAccountsQuery, signalQuery } from '../../entities/actions/action-queries.ts';
import { projectsQuery } from '../../entities/projects/project-queries.ts';
import { api } from '../../lib/api.ts';
import { freeName } from '../../lib/free-name.ts';
import { TextLink } from '../../ui/link.tsx';
import { useReportError } from '../../ui/report-error.ts';
import { bodyOfSet, draftOfSignal } from '../actions/index.ts';
import type { FirstAlertSearch } from './first-alert-search.ts';
import { FlagChoice } from './flag-choice.tsx';

interface Props {
  readonly signalId: number;
  readonly search: FirstAlertSearch;
  readonly onSearch: (part: FirstAlertSearch) => void;
}

/** The id of the root role Editor. */
const editorRoleId = 2;
const newAccount = 'new';
/** The name of the account that this page creates. */
const accountName = 'Automation';

/** Makes an action from a signal: while the alert fires, a flag is held off. */
export function MakeFirstAction({ signalId, search, onSearch }: Props) {
  const { data: projects } = useQuery(projectsQuery);
  const projectId = search.project ?? projects?.projects[0]?.id;
  if (projectId === undefined) return null;
  return (
    <Stack>
      <Text size="sm">
        While this alert fires, the flag is held off; when the alert is resolved, the flag is back in its own state.
      </Text>
      <FlagChoice projects={projects?.projects ?? []} search={{ ...search, project: projectId }} onSearch={onSearch} />
      <CreateAction
        key={projectId}
        signalId={signalId}
        search={{ ...search, project: projectId }}
        onSearch={onSearch}
      />
    </Stack>
  );
}

type CreateProps = Props & { readonly search: FirstAlertSearch & { readonly project: string } };

function CreateAction({ signalId, search, onSearch }: CreateProps) {
  const { project, flag, environment } = search;
  const queries = useQueryClient();
  const report = useReportError();
  const { data: definitions } = useQuery(definitionsQuery(project));
  const { data: signal } = useQuery(signalQuery(signalId));
  const { data: accounts = [] } = useQuery(serviceAccountsQuery);
  const [account, setAccount] = useState<string>();
  const known = accounts.find(({ name }) => name === accountName);
  const chosen = account ?? (known === undefined ? newAccount : String(known.id));
  const make = useMutation({
    mutationFn: async () => {
      if (definitions === undefined || !signal || flag === undefined || environment === undefined) return undefined;
      const actorId = chosen === newAccount ? await createAccount(accounts) : Number(chosen);
      const { actions: sets } = await api('GET /api/admin/projects/:projectId/actions', {
        params: { projectId: project },
      });
      const draft = draftOfSignal(signal.sourceId, signal.normalized ?? null);
      const actions = draft.actions.map((action) => ({
        ...action,
        params: { ...action.params, environment, featureName: flag },
      }));
      const name = freeName(draft.name.replace('Hold off', `Hold ${flag} off`).slice(0, 250), namesOf(sets), ' ');
      const body = bodyOfSet({ ...draft, name, actions, actorId: String(actorId) }, project, definitions);
      return api('POST /api/admin/projects/:projectId/actions', { params: { projectId: project }, body });
    },
    onSuccess: async (set) => {
      await queries.invalidateQueries({ queryKey: ['GET /api/admin/projects/:projectId/actions'] });
      if (set !== undefined) onSearch({ project, flag, environment, action: set.id });
    },
    onError: report,
    // The account stays when the action is refused, and is then chosen.
    onSettled: () => queries.invalidateQueries(serviceAccountsQuery),
  });
  return (
    <>
      <Select
        label="Service account"
        description="The action runs as this account, with its permissions."
        data={[
          ...accounts.map(({ id, name, username }) => ({ value: String(id), label: name ?? username ?? String(id) })),
          { value: newAccount, label: `Create “${accountName}”, an Editor` },
        ]}
        allowDeselect={false}
        value={chosen}
        onChange={(value) => setAccount(value ?? undefined)}
      />
      <Group>
        <Button
          onClick={() => make.mutate()}
          loading={make.isPending}
          disabled={flag === undefined || environment === undefined}
        >
          Make an action from this signal
        </Button>
        <TextLink
          to="/projects/$projectId/settings/actions"
          params={{ projectId: project }}
          search={{ make: true, signal: signalId }}
          size="sm"
        >
          Use the full form
        </TextLink>
      </Group>
    </>
  );
}

const namesOf = (sets: readonly { readonly name: string }[]) => sets.map(({ name }) => name);

async function createAccount(accounts: readonly { readonly username: string | null }[]): Promise<number> {
  const taken = accounts.flatMap(({ username }) => username ?? []);
  const username = freeName('automation', taken);
  const body = { name: accountName, username, rootRole: editorRoleId };
  return (await api('POST /api/admin/service-account', { body })).id;
}
