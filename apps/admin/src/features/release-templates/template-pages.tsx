import { Alert } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { selectableFields } from '../../entities/context-fields/context-field-routes.ts';
import { definitionsQuery, segmentsQuery } from '../../entities/strategies/strategy-queries.ts';
import { Failure } from '../../ui/failure.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Page, TableSkeleton } from '../../ui/page.tsx';
import { newTemplate, type TemplateDraft, templateDraftOf } from './template-draft.ts';
import { TemplateEditor } from './template-editor.tsx';
import { useProjectChoices } from './template-projects.ts';
import { templateQuery } from './template-queries.ts';

const createPage = getRouteApi('/release-templates/create-template');
const editRoute = getRouteApi('/release-templates/edit/$templateId');

const toList = (
  <TextLink to="/release-templates" size="sm">
    Release templates
  </TextLink>
);

/** The page that creates a release template. */
export function CreateTemplatePage() {
  const { project } = createPage.useSearch();
  const [initial] = useState(() => newTemplate(project));
  return (
    <Page title="New release template" description={toList}>
      <EditorWithKnowledge initial={initial} />
    </Page>
  );
}

/** The page that edits a release template. */
export function EditTemplatePage() {
  const { templateId } = editRoute.useParams();
  const { data: template, error, refetch } = useQuery(templateQuery(templateId));
  // The draft is set once for each template, so that a reload of the query does not replace the input of the user.
  const [loaded, setLoaded] = useState<{ readonly id: string; readonly draft: TemplateDraft }>();
  if (template !== undefined && loaded?.id !== template.id)
    setLoaded({ id: template.id, draft: templateDraftOf(template) });
  return (
    <Page title={template === undefined ? 'Edit release template' : `Edit ${template.name}`} description={toList}>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {template === undefined && error === null && <TableSkeleton rows={8} />}
      {template?.archivedAt != null && (
        <Alert color="gray" variant="light">
          This template is archived: it cannot be chosen for a flag. Revive it in the list, under <b>Show archived</b>.
        </Alert>
      )}
      {template !== undefined && loaded?.id === template.id && (
        <EditorWithKnowledge key={template.id} initial={loaded.draft} templateId={template.id} />
      )}
    </Page>
  );
}

interface Props {
  readonly initial: TemplateDraft;
  readonly templateId?: string;
}

/** Loads strategy types, segments, context fields and projects for the editor. */
function EditorWithKnowledge(props: Props) {
  const [definitions, segments, fields] = useQueries({
    queries: [definitionsQuery, segmentsQuery, selectableFields(undefined)],
  });
  const choices = useProjectChoices(
    props.templateId === undefined ? 'RELEASE_PLAN_TEMPLATE_CREATE' : 'RELEASE_PLAN_TEMPLATE_UPDATE',
  );
  const failed = [definitions, segments, fields].find(({ error }) => error !== null);
  if (failed !== undefined) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!definitions.data || !segments.data || !fields.data || !choices) return <TableSkeleton rows={8} />;
  const known = {
    definitions: definitions.data,
    segments: segments.data,
    fields: fields.data,
  };
  return <TemplateEditor {...props} known={known} choices={choices} />;
}
