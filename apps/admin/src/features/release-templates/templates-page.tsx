import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { templatesQuery } from '../../entities/release-plans/plan-queries.ts';
import { limitsQuery } from '../../lib/instance.ts';
import { CountOfLimit } from '../../ui/count-of-limit.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { needsOf, useProjectChoices } from './template-projects.ts';
import { archivedTemplatesQuery } from './template-queries.ts';
import { TemplateTable } from './template-table.tsx';

const route = getRouteApi('/release-templates');

/** The release templates, from which release plans are copied. */
export function TemplatesPage() {
  const { archived = false } = route.useSearch();
  const navigate = route.useNavigate();
  const active = useQuery(templatesQuery);
  const old = useQuery({ ...archivedTemplatesQuery, enabled: archived });
  const limit = useQuery(limitsQuery).data?.releaseTemplates;
  const count = active.data?.length;
  const [first] = useProjectChoices('RELEASE_PLAN_TEMPLATE_CREATE') ?? [];
  const rows = archived && active.data && old.data ? [...active.data, ...old.data] : active.data;
  return (
    <Page
      title={titleOf('/release-templates')}
      guide="guides/release-plans#templates"
      description="Milestones for many flags. Plans are copies: later changes do not reach them."
      actions={
        <>
          <CountOfLimit count={count} limit={limit} noun="template" />
          <NewButton
            {...needsOf('RELEASE_PLAN_TEMPLATE_CREATE', first === undefined || first.value === '' ? null : first.value)}
            disabled={limit !== undefined && count !== undefined && count >= limit}
            onClick={() => void navigate({ to: '/release-templates/create-template' })}
          >
            New release template
          </NewButton>
        </>
      }
    >
      <Switch
        label="Show archived"
        checked={archived}
        onChange={({ currentTarget }) =>
          void navigate({ search: currentTarget.checked ? { archived: true } : {}, replace: true })
        }
      />
      <TemplateTable query={archived && old.error !== null ? old : active} rows={rows} />
    </Page>
  );
}
