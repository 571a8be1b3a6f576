import { Group, Text } from '@mantine/core';
import { IconArchive, IconRestore } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { deleteAction, editAction, type RowAction } from '../../ui/row-menu.tsx';
import { Hint, SmallBadge } from '../../ui/text.tsx';
import { ArchiveTemplate, DeleteTemplate, ReviveTemplate } from './remove-template.tsx';
import { needsOf } from './template-projects.ts';
import type { Template } from './template-queries.ts';
import { describeMilestones } from './template-words.ts';

/** The dialog over the table. */
interface Open {
  readonly kind: 'archive' | 'revive' | 'delete';
  readonly template: Template;
}

interface Props {
  readonly query: NonNullable<ComponentProps<typeof Listing<Template>>['query']>;
  readonly rows: readonly Template[] | undefined;
}

/** Lists release templates, with a menu for each. */
export function TemplateTable({ query, rows }: Props) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Listing
        query={query}
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
    </>
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
  const { id, name, description, project, archivedAt } = template;
  return (
    <>
      <Group gap="xs">
        <TextLink to="/release-templates/edit/$templateId" params={{ templateId: id }} fw={550} size="sm">
          {name}
        </TextLink>
        {project !== null && <Mark>{project}</Mark>}
        {archivedAt !== null && <Mark>Archived</Mark>}
      </Group>
      <Hint lineClamp={2} maw={420}>
        {description}
      </Hint>
      <Text size="xs" mt={2} hiddenFrom="sm">
        {describeMilestones(template)}
      </Text>
    </>
  );
}

function Mark({ children }: { readonly children: string }) {
  return <SmallBadge color="gray">{children}</SmallBadge>;
}

function actionsOf(
  { project, archivedAt }: Template,
  onEdit: () => void,
  onOpen: (kind: Open['kind']) => void,
): readonly RowAction[] {
  const needs = needsOf('RELEASE_PLAN_TEMPLATE_UPDATE', project);
  return [
    editAction(onEdit, needs),
    archivedAt === null
      ? { label: 'Archive', icon: <IconArchive size={16} />, ...needs, run: () => onOpen('archive') }
      : { label: 'Revive', icon: <IconRestore size={16} />, ...needs, run: () => onOpen('revive') },
    deleteAction(() => onOpen('delete'), needsOf('RELEASE_PLAN_TEMPLATE_DELETE', project)),
  ];
}
