import { Badge, Group, Switch, Text } from '@mantine/core';
import { IconArchive, IconRestore } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { limitsQuery } from '../../lib/instance.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { deleteAction, editAction, type RowAction } from '../../ui/row-menu.tsx';
import { templatesQuery } from '../release-plans/plan-queries.ts';
import { ArchiveTemplate, DeleteTemplate, ReviveTemplate } from './remove-template.tsx';
import { archivedTemplatesQuery, type Template } from './template-queries.ts';
import { describeMilestones } from './template-words.ts';

const route = getRouteApi('/release-templates');

/** The dialog over the table. */
interface Open {
  readonly kind: 'archive' | 'revive' | 'delete';
  readonly template: Template;
}

/** The release templates, from which release plans are copied. */
export function TemplatesPage() {
  const { archived = false } = route.useSearch();
  const navigate = route.useNavigate();
  const active = useQuery(templatesQuery);
  const old = useQuery({ ...archivedTemplatesQuery, enabled: archived });
  const limit = useQuery(limitsQuery).data?.releaseTemplates;
  const count = active.data?.length;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const rows = archived && active.data && old.data ? [...active.data, ...old.data] : active.data;
  return (
    <Page
      title={titleOf('/release-templates')}
      description="Milestones for many flags. Plans are copies: later changes do not reach them."
      actions={
        <>
          {limit !== undefined && count !== undefined && (
            <Text size="sm" c="dimmed">
              {count} of {limit}
            </Text>
          )}
          <NewButton
            needs="RELEASE_PLAN_TEMPLATE_CREATE"
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
      <Listing
        query={archived && old.error !== null ? old : active}
        rows={rows}
        rowKey={({ id }) => id}
        columns={columns}
        empty={
          <EmptyState title="No release templates yet">
            Create one from the steps in which your team releases, such as 1 %, 10 %, 50 % and 100 % of users.
          </EmptyState>
        }
        menu={(template) => ({
          of: template.name,
          actions: actionsOf(
            template,
            () => void navigate({ to: '/release-templates/edit/$templateId', params: { templateId: template.id } }),
            (kind) => setOpen({ kind, template }),
          ),
        })}
      />
      {open?.kind === 'archive' && <ArchiveTemplate template={open.template} onClose={close} />}
      {open?.kind === 'revive' && <ReviveTemplate template={open.template} onClose={close} />}
      {open?.kind === 'delete' && <DeleteTemplate template={open.template} onClose={close} />}
    </Page>
  );
}

const columns: readonly Column<Template>[] = [
  { header: 'Name', cell: (template) => <TemplateName template={template} />, breaks: 'anywhere' },
  {
    header: 'Milestones',
    visibleFrom: 'sm',
    cell: (template) => <Text size="sm">{describeMilestones(template)}</Text>,
    breaks: 'anywhere',
  },
  { header: 'Created', visibleFrom: 'lg', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

function TemplateName({ template }: { readonly template: Template }) {
  const { id, name, description, archivedAt } = template;
  return (
    <>
      <Group gap="xs">
        <TextLink to="/release-templates/edit/$templateId" params={{ templateId: id }} fw={550} size="sm">
          {name}
        </TextLink>
        {archivedAt !== null && (
          <Badge size="sm" variant="light" color="gray" tt="none">
            Archived
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" lineClamp={2} maw={420}>
        {description}
      </Text>
      <Text size="xs" mt={2} hiddenFrom="sm">
        {describeMilestones(template)}
      </Text>
    </>
  );
}

function actionsOf(
  { archivedAt }: Template,
  onEdit: () => void,
  onOpen: (kind: Open['kind']) => void,
): readonly RowAction[] {
  const needs = 'RELEASE_PLAN_TEMPLATE_UPDATE';
  return [
    editAction(onEdit, { needs }),
    archivedAt === null
      ? { label: 'Archive', icon: <IconArchive size={16} />, needs, run: () => onOpen('archive') }
      : { label: 'Revive', icon: <IconRestore size={16} />, needs, run: () => onOpen('revive') },
    deleteAction(() => onOpen('delete'), { needs: 'RELEASE_PLAN_TEMPLATE_DELETE' }),
  ];
}
